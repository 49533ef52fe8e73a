/**
 * Makes the PackedChunk of a chunk: the part of MIParser (LLVM 22) that looks at one line at a time. Every instruction is read
 * from left to right and given up at its first error, as llc does; the next line starts afresh.
 */
import { McFlag } from '../../target/index.js';
import {
  CFI_WORDS,
  ErrorFlag,
  ERROR_ON_NEXT_LINE,
  FPType,
  IntFlag,
  NameFlag,
  NO_NODE,
  RegFlag,
  RegKind,
  STRIDE,
  SyntaxKind,
  type Chunk,
  type Node,
  type Tree,
} from '../../syntax/tree.js';
import type { LLT } from '../llt.js';
import {
  OpFlag,
  OperandKind,
  type BlockLiveIn,
  type InstrExtra,
  type OperandPayload,
  type Reg,
} from '../machineFunction.js';
import type { MemOperand } from '../memOperand.js';
import { intrinsicBaseName } from '../ir/intrinsics.js';
import { IRFunction } from '../ir/module.js';
import { MAX_INT_BITS, parseFPLiteral, printFP, type FPType as FPTypeName } from '../numbers.js';
import { DUMMY_ENTRY_BLOCK, type FunctionContext } from './context.js';
import {
  isMetadataDefined,
  resolveFixedStackObject,
  resolveGlobal,
  resolveStackObject,
  undefinedGlobal,
} from './references.js';
import { parseDelayAlu } from './delayAlu.js';
import { Phase } from './diagnostics.js';
import { isExpressionWord } from './dwarfOps.js';
import { printLocation } from './metadataText.js';
import { lowerMemOperand } from './memOperands.js';
import {
  EVENT_STRIDE,
  LineKind,
  VRegEvent,
  VRegKind,
  VRegSummary,
  type BlockReference,
  type BodyLine,
  type ChunkDiagnostic,
  type LabelInfo,
  type LiveInsInfo,
  type PackedChunk,
  type SuccessorsInfo,
} from './packedChunk.js';

const FP_TYPE_NAMES: readonly FPTypeName[] = ['half', 'bfloat', 'float', 'double', 'x86_fp80', 'fp128', 'ppc_fp128'];

/** Direct target flags (SIInstrInfo::getSerializableDirectMachineOperandTargetFlags); opTargetFlags = index + 1. */
const TARGET_FLAG_WORDS: readonly string[] = [
  'amdgpu-gotprel',
  'amdgpu-gotprel32-lo',
  'amdgpu-gotprel32-hi',
  'amdgpu-gotprel64',
  'amdgpu-rel32-lo',
  'amdgpu-rel32-hi',
  'amdgpu-rel64',
  'amdgpu-abs32-lo',
  'amdgpu-abs32-hi',
  'amdgpu-abs64',
];

const TARGET_INDEX_WORDS: readonly string[] = [
  'amdgpu-constdata-start',
  'amdgpu-scratch-rsrc-dword0',
  'amdgpu-scratch-rsrc-dword1',
  'amdgpu-scratch-rsrc-dword2',
  'amdgpu-scratch-rsrc-dword3',
];

/** Registers that have a DWARF number (the DwarfRegNum entries of SIRegisterInfo.td). */
const DWARF_REGISTER = /^(?:[sva]gpr[0-9]+|exec|exec_lo|pc_reg)$/;

/** Sub-classes of DIScope. */
const SCOPE_CLASSES =
  /^DI(?:Subprogram|LexicalBlock|LexicalBlockFile|File|CompileUnit|Namespace|Module|CommonBlock|\w+Type)$/;

const CLASS_EXPECTED = "expected '_', register class, or register bank name";

/** A complaint that ends the instruction; thrown nowhere, answered by the functions that read operands. */
interface Complaint {
  readonly start: number;
  readonly end: number;
  readonly code: string;
  readonly message: string;
  readonly llcOffset?: number;
  readonly order?: number;
}

/** Opcodes whose register uses are debug uses, and a few others that lowering asks for; made once per table set. */
export interface SpecialOpcodes {
  readonly debug: ReadonlySet<number>;
  readonly inlineAsm: ReadonlySet<number>;
  readonly phi: number;
  readonly gPhi: number;
  readonly fakeUse: number;
  readonly delayAlu: number;
}

export function specialOpcodes(opcodeByName: (name: string) => number): SpecialOpcodes {
  const set = (names: string[]): Set<number> => new Set(names.map(opcodeByName).filter((o) => o >= 0));
  return {
    debug: set(['DBG_VALUE', 'DBG_VALUE_LIST', 'DBG_INSTR_REF', 'DBG_PHI', 'DBG_LABEL']),
    inlineAsm: set(['INLINEASM', 'INLINEASM_BR']),
    phi: opcodeByName('PHI'),
    gPhi: opcodeByName('G_PHI'),
    fakeUse: opcodeByName('FAKE_USE'),
    delayAlu: opcodeByName('S_DELAY_ALU'),
  };
}

const MAX_STAMPED_NUMBER = 1 << 20;

/** Scratch columns that grow and are reused from chunk to chunk; owned by the lowering cache. */
export class ChunkScratch {
  opcode = new Uint16Array(256);
  opBegin = new Int32Array(257);
  instrFlags = new Uint32Array(256);
  instrNode = new Int32Array(256);
  kind = new Uint8Array(1024);
  flags = new Uint16Array(1024);
  val = new Int32Array(1024);
  ext = new Int32Array(1024);
  sub = new Uint16Array(1024);
  tied = new Int16Array(1024);
  targetFlags = new Uint8Array(1024);
  node = new Int32Array(1024);
  /** requested `tied-def` index or -1, parallel to the operands of the current instruction as parsed */
  tie = new Int32Array(1024);
  vregOperands = new Int32Array(1024);
  /** generation that last met a vreg number, and its local index */
  stamp = new Int32Array(1024);
  index = new Int32Array(1024);
  generation = 0;
  vregKey = new Int32Array(256);
  vregIsNamed = new Uint8Array(256);
  vregKind = new Uint8Array(256);
  vregId = new Int16Array(256);
  vregSummary = new Uint8Array(256);
  vregDefs = new Uint8Array(256);
  vregFirst = new Int32Array(256);
  /** VRegEvent records */
  events = new Int32Array(1024);

  ensure(nInstrs: number, nOperands: number): void {
    if (nInstrs >= this.opcode.length) {
      const n = nInstrs * 2;
      this.opcode = new Uint16Array(n);
      this.opBegin = new Int32Array(n + 1);
      this.instrFlags = new Uint32Array(n);
      this.instrNode = new Int32Array(n);
    }
    if (nOperands >= this.kind.length) {
      const n = nOperands * 2;
      this.kind = new Uint8Array(n);
      this.flags = new Uint16Array(n);
      this.val = new Int32Array(n);
      this.ext = new Int32Array(n);
      this.sub = new Uint16Array(n);
      this.tied = new Int16Array(n);
      this.targetFlags = new Uint8Array(n);
      this.node = new Int32Array(n);
      this.tie = new Int32Array(n);
      this.vregOperands = new Int32Array(n);
    }
    if (nOperands >= this.vregKey.length) {
      const n = nOperands * 2;
      this.vregKey = new Int32Array(n);
      this.vregIsNamed = new Uint8Array(n);
      this.vregKind = new Uint8Array(n);
      this.vregId = new Int16Array(n);
      this.vregSummary = new Uint8Array(n);
      this.vregDefs = new Uint8Array(n);
      this.vregFirst = new Int32Array(n);
    }
  }
}

/**
 * @param text the whole file
 * @param chunkStart the chunk's place in it, for literals and for what follows a node; the result does not depend on it
 * @param bodyEnd end of the body in the file
 */
export function lowerChunk(
  chunk: Chunk,
  text: string,
  chunkStart: number,
  context: FunctionContext,
  special: SpecialOpcodes,
  scratch: ChunkScratch,
  bodyEnd: number,
): PackedChunk {
  return new ChunkLowering(chunk, text, chunkStart, context, special, scratch, bodyEnd).run();
}

class ChunkLowering {
  private readonly tree: Tree;
  private readonly diagnostics: ChunkDiagnostic[] = [];
  private readonly lines: BodyLine[] = [];
  private readonly memOperands: (readonly MemOperand[] | null)[] = [];
  private readonly extras: { instr: number; extra: InstrExtra }[] = [];
  private readonly payloads: OperandPayload[] = [];
  private readonly payloadOperands: number[] = [];
  private readonly blockReferences: BlockReference[] = [];
  private readonly vregType: (LLT | null)[] = [];
  private nVRegEvents = 0;
  private readonly eventTypes: LLT[] = [];
  private namedVRegs: Map<number, number> | null = null;
  private maxVRegNumber = -1;
  private nInstrs = 0;
  private nOperands = 0;
  private nVRegs = 0;
  private nVRegOperands = 0;
  private hasPhi = false;
  private hasFakeUse = false;
  /** of the instruction being read */
  private opcode = -1;
  private begin = 0;
  private pendingTargetFlags = 0;
  private hasTies = false;
  /** in Chunk.errors */
  private errorIdx = 0;

  constructor(
    private readonly chunk: Chunk,
    private readonly text: string,
    private readonly chunkStart: number,
    private readonly context: FunctionContext,
    private readonly special: SpecialOpcodes,
    private readonly s: ChunkScratch,
    private readonly bodyEnd: number,
  ) {
    this.tree = chunk.tree;
    s.ensure(chunk.nInstrs + 1, chunk.tree.size / STRIDE + 1);
    s.generation++;
  }

  run(): PackedChunk {
    const { tree, s } = this;
    for (let n = 0; n < tree.size; n = tree.next(n)) {
      switch (tree.kind(n)) {
        case SyntaxKind.Instruction:
          this.instruction(n);
          break;
        case SyntaxKind.BlockLabel:
          this.label(n);
          break;
        case SyntaxKind.Successors:
          this.successors(n);
          break;
        case SyntaxKind.LiveIns:
          this.liveIns(n);
          break;
        case SyntaxKind.BundleClose:
          this.line(LineKind.BundleClose, n, null);
          break;
        case SyntaxKind.Error:
          this.syntaxError(n);
          this.line(LineKind.BadInstruction, n, null);
          break;
        default:
          break;
      }
    }
    const { nInstrs, nOperands, nVRegs } = this;
    s.opBegin[nInstrs] = nOperands;
    return {
      context: this.context,
      chunk: this.chunk,
      nInstrs,
      opcode: s.opcode.slice(0, nInstrs),
      opBegin: s.opBegin.slice(0, nInstrs + 1),
      instrFlags: s.instrFlags.slice(0, nInstrs),
      instrNode: s.instrNode.slice(0, nInstrs),
      memOperands: this.memOperands,
      extras: this.extras,
      nOperands,
      opKind: s.kind.slice(0, nOperands),
      opFlags: s.flags.slice(0, nOperands),
      opVal: s.val.slice(0, nOperands),
      opExt: s.ext.slice(0, nOperands),
      opSub: s.sub.slice(0, nOperands),
      opTied: s.tied.slice(0, nOperands),
      opTargetFlags: s.targetFlags.slice(0, nOperands),
      opNode: s.node.slice(0, nOperands),
      vregOperands: s.vregOperands.slice(0, this.nVRegOperands),
      payloadOperands: Int32Array.from(this.payloadOperands),
      payloads: this.payloads,
      blockReferences: this.blockReferences,
      nVRegs,
      vregKey: s.vregKey.slice(0, nVRegs),
      vregIsNamed: s.vregIsNamed.slice(0, nVRegs),
      vregKind: s.vregKind.slice(0, nVRegs),
      vregId: s.vregId.slice(0, nVRegs),
      vregType: this.vregType,
      vregSummary: s.vregSummary.slice(0, nVRegs),
      vregDefs: s.vregDefs.slice(0, nVRegs),
      vregFirst: s.vregFirst.slice(0, nVRegs),
      vregEvents: s.events.slice(0, this.nVRegEvents * EVENT_STRIDE),
      eventTypes: this.eventTypes,
      maxVRegNumber: this.maxVRegNumber,
      lines: this.lines,
      diagnostics: this.diagnostics,
      hasPhi: this.hasPhi,
      hasFakeUse: this.hasFakeUse,
    };
  }

  // -- complaints --------------------------------------------------------------------------------------------------

  private slice(n: Node): string {
    return this.text.slice(this.chunkStart + this.tree.start(n), this.chunkStart + this.tree.end(n));
  }

  private complaint(n: Node, code: string, message: string): Complaint {
    return { start: this.tree.start(n), end: this.tree.end(n), code, message };
  }

  private report(c: Complaint, phase = Phase.Body): void {
    this.diagnostics.push({
      phase,
      order: c.order ?? c.start,
      start: c.start,
      end: c.end,
      code: c.code,
      message: c.message,
      llcOffset: c.llcOffset ?? c.start,
    });
  }

  /** First Error node in [n, end) that counts; `end` when there is none. Called with ascending n. */
  private firstErrorWithin(n: Node, end: Node): Node {
    const { errors } = this.chunk;
    if (errors.length === 0) return end;
    while (this.errorIdx < errors.length && errors[this.errorIdx] < n) this.errorIdx++;
    for (let e = this.errorIdx; e < errors.length && errors[e] < end; e++) {
      if (!this.isIgnoredError(errors[e])) return errors[e];
    }
    return end;
  }

  /** An error that llc would have reported at the next token, when there is none. */
  private isIgnoredError(n: Node): boolean {
    if ((this.tree.flags(n) & ErrorFlag.UnlessLastLine) === 0) return false;
    const { text } = this;
    let p = this.chunkStart + this.tree.end(n);
    while (p < this.bodyEnd && text.charCodeAt(p) !== 10 && text.charCodeAt(p) !== 13) p++;
    for (; p < this.bodyEnd; p++) {
      const c = text.charCodeAt(p);
      if (c === 59) while (p + 1 < this.bodyEnd && text.charCodeAt(p + 1) !== 10 && text.charCodeAt(p + 1) !== 13) p++;
      else if (c !== 32 && c !== 9 && c !== 10 && c !== 13) return false;
    }
    return true;
  }

  /** Lexical errors and misplaced labels in [n, end) after the one that has been reported. */
  private reportScanErrors(n: Node, end: Node, reported: Node): void {
    const { errors } = this.chunk;
    for (let e = this.errorIdx; e < errors.length && errors[e] < end; e++) {
      if (errors[e] <= n || errors[e] === reported) continue;
      if ((this.tree.flags(errors[e]) & ErrorFlag.DefinitionScan) !== 0) this.syntaxError(errors[e]);
    }
  }

  private syntaxError(n: Node): void {
    const { tree } = this;
    const start = tree.start(n);
    const aux = tree.aux(n);
    const phase = (tree.flags(n) & ErrorFlag.DefinitionScan) !== 0 ? Phase.DefinitionScan : Phase.Body;
    const message = tree.message(n);
    const llcOffset = aux === ERROR_ON_NEXT_LINE ? this.nextLineToken(start) : start + aux;
    this.report({ start, end: tree.end(n), code: 'syntax', message, llcOffset }, phase);
  }

  /** First token of the line after the one that holds `from`; both relative to the chunk. */
  private nextLineToken(from: number): number {
    const { text } = this;
    let p = this.chunkStart + from;
    while (p < text.length && text.charCodeAt(p) !== 10 && text.charCodeAt(p) !== 13) p++;
    if (text.charCodeAt(p) === 13 && text.charCodeAt(p + 1) === 10) p++;
    p++;
    while (text.charCodeAt(p) === 32 || text.charCodeAt(p) === 9) p++;
    return p - this.chunkStart;
  }

  /** Start of the next token at or after `from` on the same line: a comment counts as blank. */
  private nextToken(from: number): number {
    const { text } = this;
    let p = this.chunkStart + from;
    for (;;) {
      const c = text.charCodeAt(p);
      if (c === 32 || c === 9) p++;
      else if (c === 59) {
        while (p < text.length && text.charCodeAt(p) !== 10 && text.charCodeAt(p) !== 13) p++;
        return p - this.chunkStart;
      } else return p - this.chunkStart;
    }
  }

  /** The first error within a label or list, and what the definition scan finds besides; braces in skipped text count. */
  private reportErrors(n: Node): void {
    const { tree } = this;
    const end = tree.next(n);
    const first = this.firstErrorWithin(n, end);
    if (first >= end) return;
    this.syntaxError(first);
    this.reportScanErrors(n, end, first);
    this.braceLines(n);
  }

  /** Braces among the children of a line that has an error. */
  private braceLines(n: Node): void {
    const { tree } = this;
    const end = tree.next(n);
    for (let c = n + STRIDE; c < end; c = tree.next(c)) {
      const kind = tree.kind(c);
      if (kind === SyntaxKind.BundleOpen) this.line(LineKind.BundleOpen, c, null);
      else if (kind === SyntaxKind.BundleClose) this.line(LineKind.BundleClose, c, null);
    }
  }

  private line(kind: LineKind, node: Node, info: BodyLine['info']): void {
    this.lines.push({ kind, node, instrsBefore: this.nInstrs, info });
  }

  // -- block lines -------------------------------------------------------------------------------------------------

  private label(n: Node): void {
    const { tree } = this;
    const { irFunction, module } = this.context;
    const info = {
      node: n,
      number: tree.value(n) >>> 0,
      irName: null as string | null,
      irBlockRef: null as string | null,
      isMachineBlockAddressTaken: false,
      irBlockAddressTaken: null as string | null,
      isLandingPad: false,
      isInlineAsmBrIndirectTarget: false,
      isEHFuncletEntry: false,
      isEHScopeEntry: false,
      alignment: 0,
      sectionId: null as string | null,
      callFrameSize: 0,
    };
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      switch (tree.kind(c)) {
        case SyntaxKind.IRBlock: {
          const ref = this.irBlock(c);
          if (ref === null) break;
          if (ref.name !== null) info.irName = ref.name;
          else info.irBlockRef = `%ir-block.${ref.number}`;
          break;
        }
        case SyntaxKind.AttributeMachineBlockAddressTaken:
          info.isMachineBlockAddressTaken = true;
          break;
        case SyntaxKind.AttributeIRBlockAddressTaken: {
          const block = tree.childOfKind(c, SyntaxKind.IRBlock);
          const ref = block === NO_NODE ? null : this.irBlock(block);
          if (ref !== null) info.irBlockAddressTaken = ref.name ?? String(ref.number);
          break;
        }
        case SyntaxKind.AttributeLandingPad:
          info.isLandingPad = true;
          break;
        case SyntaxKind.AttributeInlineAsmBrIndirectTarget:
          info.isInlineAsmBrIndirectTarget = true;
          break;
        case SyntaxKind.AttributeEHFuncletEntry:
          info.isEHFuncletEntry = true;
          break;
        case SyntaxKind.AttributeEHScopeEntry:
          info.isEHScopeEntry = true;
          break;
        case SyntaxKind.AttributeAlign:
          info.alignment = this.firstInteger(c);
          break;
        case SyntaxKind.AttributeBBSections: {
          const child = tree.firstChild(c);
          if (child === NO_NODE) break;
          info.sectionId =
            tree.kind(child) === SyntaxKind.Integer ? String(tree.intNumber(child)) : this.nameText(child);
          break;
        }
        case SyntaxKind.AttributeCallFrameSize:
          info.callFrameSize = this.firstInteger(c);
          break;
        default:
          break;
      }
    }
    const nameId = tree.aux(n);
    if (nameId >= 0) {
      const name = this.context.names.text(nameId);
      const isKnown =
        module === null ? name === DUMMY_ENTRY_BLOCK : irFunction !== null && irFunction.blockByName(name) !== null;
      if (isKnown) info.irName = name;
      else {
        const message = `basic block '${name}' is not defined in the function '${this.context.functionName}'`;
        this.report(this.complaint(n, 'undefined-block', message), Phase.DefinitionScan);
      }
    }
    this.line(LineKind.Label, n, info satisfies LabelInfo);
    this.reportErrors(n);
  }

  private nameText(n: Node): string {
    return this.context.names.text(this.tree.value(n));
  }

  private firstInteger(n: Node): number {
    const c = this.tree.childOfKind(n, SyntaxKind.Integer);
    return c === NO_NODE ? 0 : this.tree.intNumber(c);
  }

  /** IR block of a `%ir-block.x` node; complains in the definition scan when there is none. */
  private irBlock(n: Node): { name: string | null; number: number } | null {
    const found = this.findIRBlock(n, this.context.irFunction);
    if (found !== null) return found;
    this.report(this.complaint(n, 'undefined-ir-block', this.undefinedIRBlock(n)), Phase.DefinitionScan);
    return null;
  }

  private undefinedIRBlock(n: Node): string {
    const { tree } = this;
    const isNumber = (tree.flags(n) & NameFlag.Numbered) !== 0;
    return `use of undefined IR block '%ir-block.${isNumber ? tree.value(n) : this.nameText(n)}'`;
  }

  private findIRBlock(n: Node, fn: IRFunction | null): { name: string | null; number: number } | null {
    const { tree } = this;
    if ((tree.flags(n) & NameFlag.Numbered) !== 0) {
      const number = tree.value(n);
      const block = fn?.blockBySlot(number) ?? null;
      return block === null ? null : { name: null, number };
    }
    const name = this.nameText(n);
    if (this.context.module === null) return name === DUMMY_ENTRY_BLOCK ? { name, number: -1 } : null;
    return (fn?.blockByName(name) ?? null) === null ? null : { name, number: -1 };
  }

  private successors(n: Node): void {
    const { tree } = this;
    const successors: SuccessorsInfo['successors'][number][] = [];
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      if (tree.kind(c) !== SyntaxKind.Successor) continue;
      const weight = tree.childOfKind(c, SyntaxKind.Integer);
      const nameId = tree.aux(c);
      successors.push({
        number: tree.value(c) >>> 0,
        name: nameId < 0 ? null : this.context.names.text(nameId),
        weight: weight === NO_NODE ? 0 : tree.value(weight) >>> 0,
        start: tree.start(c),
        end: tree.end(c),
      });
    }
    this.line(LineKind.Successors, n, { node: n, successors } satisfies SuccessorsInfo);
    this.reportErrors(n);
  }

  private liveIns(n: Node): void {
    const { tree } = this;
    const liveIns: BlockLiveIn[] = [];
    const nodes: Node[] = [];
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      if (tree.kind(c) !== SyntaxKind.LiveIn) continue;
      const id = tree.value(c);
      const reg = this.context.names.reg(id);
      if (reg < 0) {
        this.report(this.complaint(c, 'unknown-register', `unknown register name '${this.context.names.text(id)}'`));
        break;
      }
      const mask = tree.childOfKind(c, SyntaxKind.Integer);
      const laneLo = mask === NO_NODE ? 0xffffffff : tree.value(mask) >>> 0;
      const laneHi = mask === NO_NODE ? 0xffffffff : tree.aux(mask) >>> 0;
      liveIns.push({ reg, laneLo, laneHi });
      nodes.push(c);
    }
    this.line(LineKind.LiveIns, n, { node: n, liveIns, nodes } satisfies LiveInsInfo);
    this.reportErrors(n);
  }

  // -- instructions ------------------------------------------------------------------------------------------------

  private instruction(n: Node): void {
    const { tree, s } = this;
    const nameId = tree.value(n);
    this.opcode = nameId < 0 ? -1 : this.context.names.opcode(nameId);
    this.begin = this.nOperands;
    this.pendingTargetFlags = 0;
    this.hasTies = false;
    const nPayloads = this.payloads.length;
    const nPayloadOperands = this.payloadOperands.length;
    const nBlockReferences = this.blockReferences.length;
    const nVRegOperands = this.nVRegOperands;
    let memOperands: MemOperand[] | null = null;
    let extra: InstrExtra | null = null;
    let complaint: Complaint | null = null;
    let failed = this.opcode < 0;
    let bundleOpen: Node = NO_NODE;
    let lastOperandEnd = -1;

    const end = tree.next(n);
    const firstError = this.firstErrorWithin(n, end);
    let reported: Node = NO_NODE;
    for (let c = n + STRIDE; c < end; c = tree.next(c)) {
      const kind = tree.kind(c);
      if (firstError < tree.next(c)) {
        // What stands before the error within this operand may be wrong as well, and comes first then.
        if (kind === SyntaxKind.RegisterOperand) complaint = this.registerOperand(c, true);
        else if (kind === SyntaxKind.MemOperand) {
          const r = lowerMemOperand(tree, c, this.text, this.chunkStart, this.context);
          if (r !== null && 'message' in r) complaint = r;
        }
        if (complaint !== null) this.report(complaint);
        else {
          this.syntaxError(firstError);
          reported = firstError;
        }
        failed = true;
        break;
      }
      if (kind === SyntaxKind.RegisterOperand) {
        const hasTargetFlags = this.pendingTargetFlags !== 0;
        complaint = this.registerOperand(c);
        if (hasTargetFlags && complaint === null) {
          complaint = this.complaint(c, 'bad-target-flag', "register operands can't have target flags");
        }
        lastOperandEnd = tree.end(c);
      } else if (kind === SyntaxKind.Opcode) {
        if (this.opcode < 0) {
          const message = `unknown machine instruction name '${this.context.names.text(tree.value(c))}'`;
          complaint = this.complaint(c, 'unknown-opcode', message);
        }
      } else if (kind >= SyntaxKind.Immediate && kind <= SyntaxKind.TargetMnemonic) {
        complaint = this.operand(c, kind);
        lastOperandEnd = tree.end(c);
      } else if (kind === SyntaxKind.TargetFlags) complaint = this.targetFlags(c);
      else if (kind >= SyntaxKind.PreInstrSymbol && kind <= SyntaxKind.DebugLocation) {
        extra ??= {};
        complaint = this.trailer(c, kind, extra);
      } else if (kind === SyntaxKind.MemOperand) {
        const r = lowerMemOperand(tree, c, this.text, this.chunkStart, this.context);
        if (r === null) failed = true;
        else if ('message' in r) complaint = r;
        else {
          memOperands ??= [];
          memOperands.push(r);
        }
      } else if (kind === SyntaxKind.BundleOpen) bundleOpen = c;
      if (complaint !== null) {
        this.report(complaint);
        failed = true;
        break;
      }
    }

    if (!failed) {
      complaint = this.checkImplicitOperands(n, lastOperandEnd) ?? this.finishOperands(n);
      if (complaint !== null) {
        this.report(complaint);
        failed = true;
      }
    }
    if (failed) {
      this.nOperands = this.begin;
      this.nVRegOperands = nVRegOperands;
      this.payloads.length = nPayloads;
      this.payloadOperands.length = nPayloadOperands;
      this.blockReferences.length = nBlockReferences;
      this.line(LineKind.BadInstruction, n, null);
      // Braces count for the balance also when their line is wrong, and so do lexical errors.
      this.braceLines(n);
      if (firstError < end) this.reportScanErrors(n, end, reported);
      return;
    }
    const i = this.nInstrs++;
    s.opcode[i] = this.opcode;
    s.opBegin[i] = this.begin;
    s.instrFlags[i] = tree.flags(n);
    s.instrNode[i] = n;
    this.memOperands.push(memOperands);
    if (extra !== null) this.extras.push({ instr: i, extra });
    if (this.opcode === this.special.phi || this.opcode === this.special.gPhi) this.hasPhi = true;
    if (this.opcode === this.special.fakeUse) this.hasFakeUse = true;
    if (bundleOpen !== NO_NODE) this.line(LineKind.BundleOpen, bundleOpen, null);
  }

  private add(n: Node, kind: OperandKind, flags: number, val: number, ext = 0, sub = 0): void {
    const { s } = this;
    const o = this.nOperands++;
    s.kind[o] = kind;
    s.flags[o] = flags;
    s.val[o] = val;
    s.ext[o] = ext;
    s.sub[o] = sub;
    s.tied[o] = -1;
    s.targetFlags[o] = this.pendingTargetFlags;
    s.node[o] = n;
    s.tie[o] = -1;
    this.pendingTargetFlags = 0;
  }

  private addPayload(n: Node, payload: OperandPayload): null {
    this.payloadOperands.push(this.nOperands);
    this.add(n, payload.kind, 0, this.payloads.length);
    this.payloads.push(payload);
    return null;
  }

  // -- registers ---------------------------------------------------------------------------------------------------

  private localVReg(key: number, isNamed: boolean, start: number): number {
    const { s } = this;
    if (!isNamed && key >= 0 && key < MAX_STAMPED_NUMBER) {
      if (key >= s.stamp.length) {
        const n = Math.min(MAX_STAMPED_NUMBER, Math.max(key + 1, s.stamp.length * 2));
        const stamp = new Int32Array(n);
        const index = new Int32Array(n);
        stamp.set(s.stamp);
        index.set(s.index);
        s.stamp = stamp;
        s.index = index;
      }
      if (s.stamp[key] === s.generation) return s.index[key];
      s.stamp[key] = s.generation;
      s.index[key] = this.nVRegs;
    } else {
      this.namedVRegs ??= new Map();
      const mapKey = isNamed ? key : -1 - key;
      const known = this.namedVRegs.get(mapKey);
      if (known !== undefined) return known;
      this.namedVRegs.set(mapKey, this.nVRegs);
    }
    const v = this.nVRegs++;
    s.vregKey[v] = key;
    s.vregIsNamed[v] = isNamed ? 1 : 0;
    s.vregKind[v] = VRegKind.Unknown;
    s.vregId[v] = -1;
    s.vregSummary[v] = 0;
    s.vregDefs[v] = 0;
    s.vregFirst[v] = start;
    this.vregType[v] = null;
    if (!isNamed && key > this.maxVRegNumber) this.maxVRegNumber = key;
    return v;
  }

  /** @param isBroken a syntax error ends it: what it says about the register does not count */
  private registerOperand(n: Node, isBroken = false): Complaint | null {
    const { tree, s } = this;
    const { names } = this.context;
    const words = tree.flags(n);
    let flags = 0;
    if ((words & 1023) !== 0) {
      if (words & RegFlag.Implicit) flags |= OpFlag.Implicit;
      if (words & RegFlag.ImplicitDef) flags |= OpFlag.Implicit | OpFlag.Def;
      if (words & RegFlag.Def) flags |= OpFlag.Def;
      if (words & RegFlag.Dead) flags |= OpFlag.Dead;
      if (words & RegFlag.Killed) flags |= OpFlag.Kill;
      if (words & RegFlag.Undef) flags |= OpFlag.Undef;
      if (words & RegFlag.Internal) flags |= OpFlag.Internal;
      if (words & RegFlag.EarlyClobber) flags |= OpFlag.EarlyClobber;
      if (words & RegFlag.DebugUse) flags |= OpFlag.Debug;
      if (words & RegFlag.Renamable) flags |= OpFlag.Renamable;
    }
    if (words & RegFlag.LeadingDef) flags |= OpFlag.Def;
    const isDef = (flags & OpFlag.Def) !== 0;
    const regStart = tree.start(n) + tree.aux(n);
    const kind = (words & RegFlag.KindMask) >>> RegFlag.KindShift;
    const value = tree.value(n);

    if (kind === RegKind.Physical || kind === RegKind.None) {
      const reg = kind === RegKind.None ? 0 : names.reg(value);
      if (reg < 0) {
        const message = `unknown register name '${names.text(value)}'`;
        return { start: regStart, end: tree.end(n), code: 'unknown-register', message };
      }
      this.add(n, OperandKind.Register, flags, reg);
      if (tree.hasChildren(n)) {
        if (isBroken) {
          const error = tree.childOfKind(n, SyntaxKind.Error);
          if (error !== NO_NODE && tree.message(error) === CLASS_EXPECTED) return this.classOnPhysical(error);
        }
        const complaint = this.physicalRegisterParts(n);
        if (complaint !== null) return complaint;
      }
      return (flags & (OpFlag.Kill | OpFlag.Dead)) === 0 ? null : this.checkFlags(n, flags);
    }

    const v = this.localVReg(value, kind === RegKind.NamedVirtual, regStart);
    let sub = 0;
    let vregKind = VRegKind.Unknown;
    let id = -1;
    let type: LLT | null = null;
    let classNode: Node = NO_NODE;
    let tie = -1;
    let hasType = false;
    const end = tree.next(n);
    for (let c = n + STRIDE; c < end; c = tree.next(c)) {
      const childKind = tree.kind(c);
      if (childKind === SyntaxKind.SubRegIndex) {
        sub = names.subReg(tree.value(c));
        if (sub <= 0) {
          const message = `use of unknown subregister index '${names.text(tree.value(c))}'`;
          return this.complaint(c, 'unknown-subregister', message);
        }
      } else if (childKind === SyntaxKind.ClassOrBank) {
        classNode = c;
        const nameId = tree.value(c);
        if (names.text(nameId) === '_') vregKind = VRegKind.Generic;
        else {
          id = names.regClass(nameId);
          if (id >= 0) vregKind = VRegKind.Normal;
          else {
            id = names.bank(nameId);
            if (id < 0) return this.complaint(c, 'unknown-class', CLASS_EXPECTED);
            vregKind = VRegKind.Bank;
          }
        }
      } else if (childKind === SyntaxKind.LowLevelType) {
        type = this.lowLevelType(c);
        hasType = true;
      } else if (childKind === SyntaxKind.TiedDef) {
        tie = this.firstInteger(c);
        this.hasTies = true;
      }
    }
    const o = this.nOperands;
    this.add(n, OperandKind.Register, flags, ~v, 0, sub);
    if (tie >= 0) s.tie[o] = tie;
    s.vregOperands[this.nVRegOperands++] = o;
    if (isDef) {
      const defs = s.vregDefs[v];
      s.vregDefs[v] = (defs & 4) | Math.min(2, (defs & 3) + 1) | (sub !== 0 ? 4 : 0);
    }
    if (isBroken) return null;
    if (classNode !== NO_NODE || hasType || isDef) this.describeVReg(v, vregKind, id, type, isDef, classNode, n);
    return (flags & (OpFlag.Kill | OpFlag.Dead)) === 0 ? null : this.checkFlags(n, flags);
  }

  /** Merges an annotation into the chunk's summary of the register. */
  private describeVReg(
    v: number,
    kind: VRegKind,
    id: number,
    type: LLT | null,
    isDef: boolean,
    classNode: Node,
    n: Node,
  ): void {
    const { tree, s } = this;
    if (kind !== VRegKind.Unknown) {
      if (s.vregKind[v] === VRegKind.Unknown) {
        s.vregKind[v] = kind;
        s.vregId[v] = id;
      } else if (s.vregKind[v] !== kind || s.vregId[v] !== id) s.vregSummary[v] |= VRegSummary.Conflict;
    }
    if (type !== null) {
      if (this.vregType[v] === null) this.vregType[v] = type;
      else if (this.vregType[v] !== type) s.vregSummary[v] |= VRegSummary.Conflict;
    } else if (isDef) s.vregSummary[v] |= VRegSummary.UntypedDef;
    const at = this.nVRegEvents * EVENT_STRIDE;
    if (at + EVENT_STRIDE > s.events.length) {
      const larger = new Int32Array(s.events.length * 2);
      larger.set(s.events);
      s.events = larger;
    }
    const { events } = s;
    events[at + VRegEvent.VReg] = v;
    events[at + VRegEvent.Kind] = kind;
    events[at + VRegEvent.Id] = id;
    events[at + VRegEvent.Type] = type === null ? -1 : this.eventTypeIndex(type);
    events[at + VRegEvent.IsDef] = isDef ? 1 : 0;
    events[at + VRegEvent.ClassStart] = classNode === NO_NODE ? -1 : tree.start(classNode);
    events[at + VRegEvent.ClassEnd] = classNode === NO_NODE ? -1 : tree.end(classNode);
    events[at + VRegEvent.Start] = tree.start(n);
    events[at + VRegEvent.End] = tree.end(n);
    this.nVRegEvents++;
  }

  private eventTypeIndex(type: LLT): number {
    const known = this.eventTypes.indexOf(type);
    return known >= 0 ? known : this.eventTypes.push(type) - 1;
  }

  /** A tie is the only thing that may follow a physical register. */
  private physicalRegisterParts(n: Node): Complaint | null {
    const { tree, s } = this;
    const { names } = this.context;
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      const kind = tree.kind(c);
      if (kind === SyntaxKind.TiedDef) {
        s.tie[this.nOperands - 1] = this.firstInteger(c);
        this.hasTies = true;
      } else if (kind === SyntaxKind.SubRegIndex) {
        if (names.subReg(tree.value(c)) <= 0) {
          const message = `use of unknown subregister index '${names.text(tree.value(c))}'`;
          return this.complaint(c, 'unknown-subregister', message);
        }
        const message = 'subregister index expects a virtual register';
        return { ...this.complaint(c, 'not-virtual', message), llcOffset: this.nextToken(tree.end(c)) };
      } else if (kind === SyntaxKind.ClassOrBank) {
        return this.classOnPhysical(c);
      }
    }
    return null;
  }

  private classOnPhysical(n: Node): Complaint {
    const message = 'register class specification expects a virtual register';
    return { ...this.complaint(n, 'not-virtual', message), llcOffset: this.colonBefore(this.tree.start(n)) };
  }

  private colonBefore(offset: number): number {
    let p = offset - 1;
    while (p > 0 && this.text[this.chunkStart + p] !== ':') p--;
    return p;
  }

  /** Flags that contradict the role of the operand; llc says so behind it. */
  private checkFlags(n: Node, flags: number): Complaint | null {
    const isDef = (flags & OpFlag.Def) !== 0;
    let message = '';
    if (isDef && (flags & OpFlag.Kill) !== 0) message = 'cannot have a killed def operand';
    else if (!isDef && (flags & OpFlag.Dead) !== 0) message = 'cannot have a dead use operand';
    if (message === '') return null;
    const end = this.tree.end(n);
    return { ...this.complaint(n, 'bad-register-flag', message), llcOffset: this.nextToken(end), order: end };
  }

  private lowLevelType(n: Node): LLT {
    const { tree } = this;
    const flags = tree.flags(n);
    return this.context.names.lowLevelType(flags, tree.value(n), tree.aux(n));
  }

  // -- other operands ----------------------------------------------------------------------------------------------

  private operand(n: Node, kind: SyntaxKind): Complaint | null {
    const { tree } = this;
    const { names } = this.context;
    switch (kind) {
      case SyntaxKind.Immediate:
        this.add(n, OperandKind.Immediate, 0, tree.value(n), tree.aux(n));
        return null;
      case SyntaxKind.BlockRef: {
        const nameId = tree.aux(n);
        this.blockReferences.push({
          operand: this.nOperands,
          number: tree.value(n) >>> 0,
          name: nameId < 0 ? null : names.text(nameId),
          start: tree.start(n),
          end: tree.end(n),
        });
        this.add(n, OperandKind.MBB, 0, -1);
        return null;
      }
      case SyntaxKind.SubRegIndexOperand: {
        const idx = names.subReg(tree.value(n));
        if (idx <= 0) {
          return this.complaint(n, 'unknown-subregister', `unknown subregister index '${this.nameText(n)}'`);
        }
        this.add(n, OperandKind.Immediate, 0, idx);
        return null;
      }
      case SyntaxKind.TypedImmediate:
        return this.typedImmediate(n);
      case SyntaxKind.FPImmediate: {
        const literal = tree.childOfKind(n, SyntaxKind.FPLiteral);
        const type = FP_TYPE_NAMES[tree.value(n) as FPType];
        const r = parseFPLiteral(type, this.slice(literal));
        if ('error' in r) return this.complaint(literal, 'bad-constant', r.error);
        const { bits } = r;
        return this.addPayload(n, {
          kind: OperandKind.FPImmediate,
          type,
          text: `${type} ${printFP(type, bits)}`,
          bits,
        });
      }
      case SyntaxKind.StackObject: {
        const index = resolveStackObject(this.context, tree.value(n) >>> 0, this.optionalName(tree.aux(n)));
        if (typeof index === 'string') return this.complaint(n, 'undefined-stack-object', index);
        this.add(n, OperandKind.FrameIndex, 0, index);
        return null;
      }
      case SyntaxKind.FixedStackObject: {
        const index = resolveFixedStackObject(this.context, tree.value(n) >>> 0);
        if (typeof index === 'string') return this.complaint(n, 'undefined-stack-object', index);
        this.add(n, OperandKind.FrameIndex, 0, index);
        return null;
      }
      case SyntaxKind.ConstantPoolItem: {
        const id = tree.value(n) >>> 0;
        const index = this.context.constantIds.get(id);
        if (index === undefined)
          return this.complaint(n, 'undefined-constant', `use of undefined constant '%const.${id}'`);
        return this.addPayload(n, { kind: OperandKind.ConstantPoolIndex, index, offset: this.offset(n) });
      }
      case SyntaxKind.JumpTableIndex: {
        const id = tree.value(n) >>> 0;
        const index = this.context.jumpTableIds.get(id);
        if (index === undefined) {
          return this.complaint(n, 'undefined-jump-table', `use of undefined jump table '%jump-table.${id}'`);
        }
        return this.addPayload(n, { kind: OperandKind.JumpTableIndex, index });
      }
      case SyntaxKind.Global: {
        const name = resolveGlobal(this.context, tree, n);
        if (name === null) return this.complaint(n, 'undefined-global', undefinedGlobal(this.context, tree, n));
        return this.addPayload(n, { kind: OperandKind.GlobalAddress, name, offset: this.offset(n) });
      }
      case SyntaxKind.ExternalSymbol:
        return this.addPayload(n, {
          kind: OperandKind.ExternalSymbol,
          symbol: this.nameText(n),
          offset: this.offset(n),
        });
      case SyntaxKind.MCSymbol:
        return this.addPayload(n, { kind: OperandKind.MCSymbol, symbol: this.nameText(n) });
      case SyntaxKind.BlockAddress:
        return this.blockAddress(n);
      case SyntaxKind.TargetIndex: {
        const nameNode = tree.childOfKind(n, SyntaxKind.Name);
        const name = nameNode === NO_NODE ? '' : this.nameText(nameNode);
        if (!TARGET_INDEX_WORDS.includes(name)) {
          return this.complaint(nameNode, 'undefined-target-index', `use of undefined target index '${name}'`);
        }
        return this.addPayload(n, { kind: OperandKind.TargetIndex, name, offset: this.offset(n) });
      }
      case SyntaxKind.Metadata: {
        const node = tree.value(n) >>> 0;
        const complaint = this.checkMetadata(n);
        if (complaint !== null) return complaint;
        return this.addPayload(n, { kind: OperandKind.Metadata, text: this.context.metadata.text(node), node });
      }
      case SyntaxKind.DIExpression:
        for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
          if (tree.kind(c) !== SyntaxKind.Name || isExpressionWord(this.nameText(c))) continue;
          return this.complaint(c, 'bad-expression', `invalid DWARF op '${this.nameText(c)}'`);
        }
        return this.addPayload(n, { kind: OperandKind.Metadata, text: this.expressionText(n), node: -1 });
      case SyntaxKind.DILocation: {
        const complaint = this.checkLocation(n);
        if (complaint !== null) return complaint;
        return this.addPayload(n, { kind: OperandKind.Metadata, text: this.locationText(n), node: -1 });
      }
      case SyntaxKind.Intrinsic: {
        const g = tree.childOfKind(n, SyntaxKind.Global);
        const name = g === NO_NODE ? '' : this.nameText(g);
        const base = intrinsicBaseName(name);
        if (base === null) {
          const complaint = this.complaint(g, 'unknown-intrinsic', 'unknown intrinsic name');
          return { ...complaint, llcOffset: this.nextToken(tree.end(n)) };
        }
        return this.addPayload(n, { kind: OperandKind.IntrinsicID, name: base });
      }
      case SyntaxKind.Predicate:
        return this.addPayload(n, {
          kind: OperandKind.Predicate,
          isInt: (tree.flags(n) & 1) !== 0,
          name: this.nameText(n),
        });
      case SyntaxKind.ShuffleMask: {
        const mask: number[] = [];
        for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
          mask.push(tree.kind(c) === SyntaxKind.Undef ? -1 : tree.intNumber(c));
        }
        return this.addPayload(n, { kind: OperandKind.ShuffleMask, mask });
      }
      case SyntaxKind.LaneMask: {
        const c = tree.childOfKind(n, SyntaxKind.Integer);
        this.add(n, OperandKind.LaneMask, 0, tree.value(c), tree.aux(c));
        return null;
      }
      case SyntaxKind.NameOperand: {
        const mask = names.regMask(tree.value(n));
        if (mask >= 0) return this.addPayload(n, { kind: OperandKind.RegisterMask, mask, regs: [] });
        if (/^[isp][0-9]+$/.test(this.nameText(n))) {
          const complaint = this.complaint(n, 'bad-operand', 'expected an integer literal');
          return { ...complaint, llcOffset: this.nextToken(tree.end(n)) };
        }
        const message = /^[isp]/.test(this.nameText(n))
          ? "expected integers after 'i'/'s'/'p' type character"
          : "a typed immediate operand should start with one of 'i', 's', or 'p'";
        return this.complaint(n, 'bad-operand', message);
      }
      case SyntaxKind.CustomRegMask:
      case SyntaxKind.LiveOut: {
        const regs = this.registerNames(n);
        if ('message' in regs) return regs;
        regs.list.sort((a, b) => a - b);
        const unique = regs.list.filter((r, i) => i === 0 || r !== regs.list[i - 1]);
        if (kind === SyntaxKind.LiveOut) {
          return this.addPayload(n, { kind: OperandKind.RegisterLiveOut, regs: unique });
        }
        return this.addPayload(n, { kind: OperandKind.RegisterMask, mask: -1, regs: unique });
      }
      case SyntaxKind.DbgInstrRef: {
        const a = tree.firstChild(n);
        const b = a === NO_NODE ? NO_NODE : tree.nextSibling(a, n);
        this.add(n, OperandKind.DbgInstrRef, 0, tree.intNumber(a), b === NO_NODE ? 0 : tree.intNumber(b));
        return null;
      }
      case SyntaxKind.CFIOperand:
        return this.cfiOperand(n);
      case SyntaxKind.TargetMnemonic: {
        const r =
          this.opcode === this.special.delayAlu
            ? parseDelayAlu(this.slice(n))
            : { message: 'expected a machine operand', at: 0 };
        if (typeof r !== 'number') {
          return { ...this.complaint(n, 'bad-mnemonic', r.message), llcOffset: tree.start(n) + r.at };
        }
        this.add(n, OperandKind.Immediate, 0, r);
        return null;
      }
      default:
        return null;
    }
  }

  private optionalName(id: number): string | null {
    return id < 0 ? null : this.context.names.text(id);
  }

  private offset(n: Node): bigint {
    const c = this.tree.childOfKind(n, SyntaxKind.Offset);
    return c === NO_NODE ? 0n : this.tree.intBigInt(c);
  }

  private typedImmediate(n: Node): Complaint | null {
    const { tree } = this;
    const typeNode = tree.firstChild(n);
    const word = this.nameText(typeNode);
    if (word[0] !== 'i') {
      const message =
        word[0] === 's' || word[0] === 'p'
          ? 'expected type'
          : "a typed immediate operand should start with one of 'i', 's', or 'p'";
      return this.complaint(typeNode, 'bad-constant', message);
    }
    const bits = Number(word.slice(1));
    if (bits < 1 || bits > MAX_INT_BITS) {
      return this.complaint(typeNode, 'bad-constant', 'bitwidth for integer type out of range');
    }
    const valueNode = tree.nextSibling(typeNode, n);
    let value: bigint;
    if (tree.kind(valueNode) === SyntaxKind.Integer) {
      const isBig = (tree.flags(valueNode) & IntFlag.Big) !== 0;
      value = isBig ? BigInt(this.slice(valueNode)) : tree.intBigInt(valueNode);
    } else {
      if (bits !== 1) return this.complaint(valueNode, 'bad-constant', 'integer constant must have integer type');
      value = this.nameText(valueNode) === 'true' ? 1n : 0n;
    }
    return this.addPayload(n, { kind: OperandKind.CImmediate, bits, value: BigInt.asIntN(bits, value) });
  }

  private blockAddress(n: Node): Complaint | null {
    const { tree } = this;
    const g = tree.childOfKind(n, SyntaxKind.Global);
    const b = tree.childOfKind(n, SyntaxKind.IRBlock);
    const name = resolveGlobal(this.context, tree, g);
    if (name === null) return this.complaint(g, 'undefined-global', undefinedGlobal(this.context, tree, g));
    const { module } = this.context;
    const isNumber = (tree.flags(g) & NameFlag.Numbered) !== 0;
    const value = module === null ? null : isNumber ? module.globalByNumber(Number(name)) : module.globalByName(name);
    if (module !== null && !(value instanceof IRFunction)) {
      return this.complaint(g, 'bad-block-address', 'expected an IR function reference');
    }
    const block = this.findIRBlock(b, value instanceof IRFunction ? value : null);
    if (block === null) return this.complaint(b, 'undefined-ir-block', this.undefinedIRBlock(b));
    return this.addPayload(n, {
      kind: OperandKind.BlockAddress,
      fn: name,
      block: block.name ?? String(block.number),
      offset: this.offset(n),
    });
  }

  private registerNames(n: Node): { readonly list: Reg[] } | Complaint {
    const { tree } = this;
    const list: Reg[] = [];
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      if (tree.kind(c) !== SyntaxKind.RegisterName) continue;
      const reg = this.context.names.reg(tree.value(c));
      if (reg < 0) return this.complaint(c, 'unknown-register', `unknown register name '${this.nameText(c)}'`);
      list.push(reg);
    }
    return { list };
  }

  private cfiOperand(n: Node): Complaint | null {
    const { tree } = this;
    const word = CFI_WORDS[tree.value(n)];
    const parts: string[] = [];
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      if (tree.kind(c) === SyntaxKind.RegisterName) {
        let name = this.nameText(c);
        if (this.context.names.reg(tree.value(c)) < 0) {
          return this.complaint(c, 'unknown-register', `unknown register name '${name}'`);
        }
        if (!DWARF_REGISTER.test(name)) return this.complaint(c, 'no-dwarf-register', 'invalid DWARF register');
        // Both share a DWARF number, which reads back as the register of the wave's size.
        if (name === 'exec' && this.context.subtarget.wavefrontSize === 32) name = 'exec_lo';
        parts.push(`$${name}`);
      } else if (tree.kind(c) === SyntaxKind.Integer) {
        const value = tree.intBigInt(c);
        parts.push(word === 'escape' ? `0x${value.toString(16).padStart(2, '0')}` : value.toString());
      }
    }
    const text = parts.length === 0 ? word : `${word} ${parts.join(', ')}`;
    return this.addPayload(n, { kind: OperandKind.CFIIndex, text });
  }

  private targetFlags(n: Node): Complaint | null {
    const { tree } = this;
    let isFirst = true;
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      if (tree.kind(c) !== SyntaxKind.Name) continue;
      const flag = isFirst ? TARGET_FLAG_WORDS.indexOf(this.nameText(c)) : -1;
      if (flag < 0) {
        return this.complaint(c, 'undefined-target-flag', `use of undefined target flag '${this.nameText(c)}'`);
      }
      this.pendingTargetFlags = flag + 1;
      isFirst = false;
    }
    return null;
  }

  // -- metadata ----------------------------------------------------------------------------------------------------

  private checkMetadata(n: Node): Complaint | null {
    const number = this.tree.value(n) >>> 0;
    if (isMetadataDefined(this.context, number)) return null;
    return this.complaint(n, 'undefined-metadata', `use of undefined metadata '!${number}'`);
  }

  private expressionText(n: Node): string {
    const { tree } = this;
    const parts: string[] = [];
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      parts.push(tree.kind(c) === SyntaxKind.Name ? this.nameText(c) : this.slice(c));
    }
    return `!DIExpression(${parts.join(', ')})`;
  }

  private checkLocation(n: Node): Complaint | null {
    const { tree } = this;
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      const value = tree.firstChild(c);
      if (value === NO_NODE) continue;
      const kind = tree.kind(value);
      if (kind === SyntaxKind.Metadata) {
        const message = this.wrongLocationField(this.nameText(c), tree.value(value) >>> 0);
        if (message === '') continue;
        const complaint = this.complaint(value, 'bad-location', message);
        const isUndefined = message === 'expected metadata node';
        const llcOffset = this.nextToken(isUndefined ? tree.start(value) + 1 : tree.end(value));
        return { ...complaint, llcOffset };
      }
      const complaint = kind === SyntaxKind.DILocation ? this.checkLocation(value) : null;
      if (complaint !== null) return complaint;
    }
    return null;
  }

  private locationText(n: Node): string {
    const { tree } = this;
    const fields = new Map<string, string>();
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      const value = tree.firstChild(c);
      if (value === NO_NODE) continue;
      const kind = tree.kind(value);
      const text =
        kind === SyntaxKind.DILocation
          ? this.locationText(value)
          : kind === SyntaxKind.Metadata
            ? this.context.metadata.text(tree.value(value) >>> 0)
            : this.slice(value);
      fields.set(this.nameText(c), text);
    }
    return this.context.metadata.locationText(printLocation((name) => fields.get(name)));
  }

  /** llc's message about `scope: !N` or `inlinedAt: !N`, '' when it is right. */
  private wrongLocationField(field: string, number: number): string {
    if (!isMetadataDefined(this.context, number)) return 'expected metadata node';
    const node = this.context.module?.metadataByNumber(number) ?? null;
    const className = node === null ? '' : node.className;
    if (field === 'scope' && !SCOPE_CLASSES.test(className)) return 'expected DIScope node';
    return field === 'inlinedAt' && className !== 'DILocation' ? 'expected DILocation node' : '';
  }

  private trailer(n: Node, kind: SyntaxKind, extra: InstrExtra): Complaint | null {
    const { tree } = this;
    const child = tree.firstChild(n);
    if (child === NO_NODE) return null;
    switch (kind) {
      case SyntaxKind.PreInstrSymbol:
        extra.preInstrSymbol = this.nameText(child);
        return null;
      case SyntaxKind.PostInstrSymbol:
        extra.postInstrSymbol = this.nameText(child);
        return null;
      case SyntaxKind.CFIType:
        extra.cfiType = tree.intNumber(child);
        return null;
      case SyntaxKind.DebugInstrNumber:
        extra.debugInstrNumber = tree.intNumber(child);
        return null;
      case SyntaxKind.DeactivationSymbol: {
        const name = resolveGlobal(this.context, tree, child);
        if (name === null) return this.complaint(child, 'undefined-global', undefinedGlobal(this.context, tree, child));
        extra.deactivationSymbol = `@${name}`;
        return null;
      }
      default: {
        const isLocation = tree.kind(child) === SyntaxKind.DILocation;
        const complaint = isLocation ? this.checkLocation(child) : this.checkMetadata(child);
        if (complaint !== null) return complaint;
        const text = isLocation ? this.locationText(child) : this.context.metadata.text(tree.value(child) >>> 0);
        if (kind === SyntaxKind.HeapAllocMarker) extra.heapAllocMarker = text;
        else if (kind === SyntaxKind.PCSections) extra.pcSections = text;
        else {
          if (!isLocation) {
            const node = this.context.module?.metadataByNumber(tree.value(child) >>> 0) ?? null;
            if (node !== null && node.className !== 'DILocation') {
              const message = 'referenced metadata is not a DILocation';
              return { ...this.complaint(child, 'bad-location', message), llcOffset: this.nextToken(tree.end(child)) };
            }
          }
          extra.debugLocation = text;
        }
        return null;
      }
    }
  }

  // -- after the last operand --------------------------------------------------------------------------------------

  /** Every implicit operand of the opcode must be written, unless it is a call or variadic. */
  private checkImplicitOperands(n: Node, lastOperandEnd: number): Complaint | null {
    const { tables } = this.context;
    const { opcode } = this;
    const flags = tables.opcodeFlagsLo[opcode];
    if ((flags & ((1 << McFlag.Variadic) | (1 << McFlag.Call))) !== 0) return null;
    const defs = tables.implicitDefs(opcode);
    for (let i = 0; i < defs.length; i++) {
      if (!this.hasRegister(defs[i], OpFlag.Def))
        return this.missingImplicit(n, lastOperandEnd, 'implicit-def', defs[i]);
    }
    const uses = tables.implicitUses(opcode);
    for (let i = 0; i < uses.length; i++) {
      if (!this.hasRegister(uses[i], 0)) return this.missingImplicit(n, lastOperandEnd, 'implicit', uses[i]);
    }
    return null;
  }

  private hasRegister(reg: Reg, def: number): boolean {
    const { s } = this;
    for (let o = this.nOperands - 1; o >= this.begin; o--) {
      if (s.val[o] === reg && s.kind[o] === OperandKind.Register && (s.flags[o] & OpFlag.Def) === def) return true;
    }
    return false;
  }

  private missingImplicit(n: Node, lastOperandEnd: number, word: string, reg: Reg): Complaint {
    const { tree } = this;
    const message = `missing implicit register operand '${word} $${this.context.tables.regName(reg)}'`;
    const opcodeNode = tree.childOfKind(n, SyntaxKind.Opcode);
    const llcOffset = this.nextToken(lastOperandEnd >= 0 ? lastOperandEnd : tree.end(opcodeNode));
    const start = tree.start(opcodeNode);
    return { start, end: tree.end(n), code: 'missing-implicit', message, llcOffset, order: tree.end(n) };
  }

  /**
   * What MachineInstr::addOperand and MIParser::assignRegisterTies do: explicit operands go before trailing implicit registers,
   * the descriptor's ties and early clobbers are applied, then the ties that the text spells.
   */
  private finishOperands(n: Node): Complaint | null {
    const { s, opcode, begin } = this;
    const { tables, subtarget } = this.context;
    const count = this.nOperands - begin;
    // Ties name operands as parsed, so they are checked before the order changes.
    let ties: [number, number][] | null = null;
    if (this.hasTies) {
      ties = [];
      for (let i = 0; i < count; i++) {
        const def = s.tie[begin + i];
        if (def < 0) continue;
        const complaint = this.checkTie(i, def, count, ties);
        if (complaint !== null) return { ...complaint, order: this.tree.end(n) };
        ties.push([def, i]);
      }
    }
    const isInlineAsm = this.special.inlineAsm.has(opcode);
    const permutation = isInlineAsm ? null : this.moveExplicitFirst(count);

    const nDescribed = tables.opcodeNumOperands[opcode];
    const info = tables.opInfoBegin(opcode);
    const isDebug = this.special.debug.has(opcode);
    const isWave32 = subtarget.wavefrontSize === 32 && !isInlineAsm;
    for (let i = 0; i < count; i++) {
      const o = begin + i;
      if (s.kind[o] !== OperandKind.Register) continue;
      const flags = s.flags[o];
      // MachineOperand::isRenamable: not where the opcode constrains the allocation further.
      if ((flags & OpFlag.Renamable) !== 0 && this.isConstrained((flags & OpFlag.Def) !== 0)) {
        s.flags[o] = flags & ~OpFlag.Renamable;
      }
      if ((flags & OpFlag.Implicit) !== 0) {
        // GCNSubtarget::mirFileLoaded: on wave32 the condition is the low half; not where it fills a missing explicit operand.
        if (isWave32 && i >= nDescribed && s.val[o] === this.vcc) s.val[o] = this.vccLo;
      } else if (i < nDescribed) {
        if ((flags & OpFlag.Def) === 0) {
          const def = tables.opInfoTiedTo[info + i];
          if (def >= 0 && def < count) this.tie(begin, def, i);
        }
        if (tables.opInfoEarlyClobber[info + i] !== 0) s.flags[o] |= OpFlag.EarlyClobber;
      }
      if (isDebug && (flags & OpFlag.Def) === 0) s.flags[o] |= OpFlag.Debug;
    }
    if (ties !== null) {
      for (const [def, use] of ties) {
        const d = permutation === null ? def : permutation[def];
        const u = permutation === null ? use : permutation[use];
        this.tie(begin, d, u);
        s.flags[begin + u] |= OpFlag.ExplicitTie;
      }
    }
    return null;
  }

  private isConstrained(isDef: boolean): boolean {
    const { tables } = this.context;
    if (isDef) return ((tables.opcodeFlagsHi[this.opcode] >>> (McFlag.ExtraDefRegAllocReq - 32)) & 1) !== 0;
    return ((tables.opcodeFlagsLo[this.opcode] >>> McFlag.ExtraSrcRegAllocReq) & 1) !== 0;
  }

  private tie(begin: number, def: number, use: number): void {
    this.s.tied[begin + def] = use;
    this.s.tied[begin + use] = def;
  }

  private checkTie(
    i: number,
    def: number,
    count: number,
    ties: readonly (readonly [number, number])[],
  ): Complaint | null {
    const { s, begin } = this;
    const node = s.node[begin + i];
    const prefix = `use of invalid tied-def operand index '${def}'`;
    if (def >= count) {
      return this.complaint(node, 'bad-tie', `${prefix}; instruction has only ${count} operands`);
    }
    if (s.kind[begin + def] !== OperandKind.Register || (s.flags[begin + def] & OpFlag.Def) === 0) {
      return this.complaint(node, 'bad-tie', `${prefix}; the operand #${def} isn't a defined register`);
    }
    if (ties.some((t) => t[0] === def)) {
      const message = `the tied-def operand #${def} is already tied with another register operand`;
      return this.complaint(node, 'bad-tie', message);
    }
    return null;
  }

  /** Stable partition; answers the new index of each operand, or null when nothing moved. */
  private moveExplicitFirst(count: number): Int32Array | null {
    const { s, begin } = this;
    let seenImplicit = false;
    let isOrdered = true;
    for (let i = 0; i < count; i++) {
      const o = begin + i;
      const isImplicit = s.kind[o] === OperandKind.Register && (s.flags[o] & OpFlag.Implicit) !== 0;
      if (isImplicit) seenImplicit = true;
      else if (seenImplicit) {
        isOrdered = false;
        break;
      }
    }
    if (isOrdered) return null;
    // An explicit operand goes before the run of implicit registers that ends the list: in the end all explicit ones come first.
    const permutation = new Int32Array(count);
    let at = 0;
    for (const implicitOnes of [false, true]) {
      for (let i = 0; i < count; i++) {
        const o = begin + i;
        const isImplicit = s.kind[o] === OperandKind.Register && (s.flags[o] & OpFlag.Implicit) !== 0;
        if (isImplicit === implicitOnes) permutation[i] = at++;
      }
    }
    for (const column of [s.kind, s.flags, s.val, s.ext, s.sub, s.tied, s.targetFlags, s.node, s.tie]) {
      const old = Array.from(column.subarray(begin, begin + count));
      for (let i = 0; i < count; i++) column[begin + permutation[i]] = old[i];
    }
    const moved = (o: number): number => (o >= begin ? begin + permutation[o - begin] : o);
    for (let i = this.nVRegOperands - 1; i >= 0 && s.vregOperands[i] >= begin; i--) {
      s.vregOperands[i] = moved(s.vregOperands[i]);
    }
    for (let i = this.payloadOperands.length - 1; i >= 0 && this.payloadOperands[i] >= begin; i--) {
      this.payloadOperands[i] = moved(this.payloadOperands[i]);
    }
    for (let i = this.blockReferences.length - 1; i >= 0 && this.blockReferences[i].operand >= begin; i--) {
      this.blockReferences[i] = { ...this.blockReferences[i], operand: moved(this.blockReferences[i].operand) };
    }
    return permutation;
  }

  private get vcc(): Reg {
    return this.context.names.vcc;
  }

  private get vccLo(): Reg {
    return this.context.names.vccLo;
  }
}
