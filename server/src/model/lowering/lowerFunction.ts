/**
 * Joins the header and the packed chunks of a body to a MachineFunction: numbers the virtual registers, builds blocks with their
 * edges, computes the function's properties, and reports what only the whole function shows. Follows MIRParserImpl and
 * MIParser::parseBasicBlocks, LLVM 22.
 */
import type { FunctionInput } from './functionInput.js';
import { DiagnosticOrigin, NO_PLACE, type Facts } from '../../text/diagnostic.js';
import { McFlag } from '../../target/index.js';
import { LabelFlag, type Body } from '../../syntax/tree.js';
import type { MachineFunctionHeader } from '../header.js';
import type { IRFunctionFacts } from '../../ir/module.js';
import { BundleFlag, MachineFunction, OperandKind, type BlockId, type MachineBasicBlock } from '../machineFunction.js';
import { sameLLT, type LLT } from '../llt.js';
import { normalizeProbabilities, UNKNOWN_PROBABILITY } from '../probability.js';
import type { Reg } from '../register.js';
import { DiagnosticSink, Phase } from './diagnostics.js';
import { finishFunctionInfo } from './functionInfo.js';
import type { HeaderModel, SourceBlockRef, SourceSavePoint } from './header.js';
import { parseNamedRegister } from './miStrings.js';
import {
  EVENT_STRIDE,
  LineKind,
  NO_OPERAND,
  VRegEvent,
  VRegKind,
  VRegSummary,
  type LabelInfo,
  type LiveInsInfo,
  type PackedChunk,
  type SuccessorsInfo,
} from './packedChunk.js';
import { LoweredSource, type BlockPlace } from './source.js';

export interface FunctionOutput {
  readonly fn: MachineFunction;
  readonly sink: DiagnosticSink;
}

export function lowerFunction(input: FunctionInput): FunctionOutput {
  return new FunctionLowering(input).run();
}

class FunctionLowering {
  private readonly sink = new DiagnosticSink();
  private readonly fn: MachineFunction;
  /** start of the first instruction of each chunk, and of its operands and payloads; length chunks + 1 */
  private readonly firstInstr: Int32Array;
  private readonly firstOperand: Int32Array;
  private readonly blockByNumber = new Map<number, BlockId>();
  private readonly places: BlockPlace[] = [];
  /** vreg index by source number, -1 = not seen */
  private readonly indexByNumber: Int32Array;
  private readonly indexByLargeNumber = new Map<number, number>();
  private readonly indexByName = new Map<number, number>();
  /** VRegKind by vreg */
  private vregKind = new Uint8Array(64);
  private vregDefs = new Uint8Array(64);
  private hasConflict = false;
  /** last block that was guessed to branch to a block */
  private guessedFor = new Int32Array(0);
  private functionOrder = 0;

  constructor(private readonly input: FunctionInput) {
    const { chunks, header, context } = input;
    this.fn = new MachineFunction(makeHeader(header, input.facts), context.subtarget);
    const n = chunks.length;
    this.firstInstr = new Int32Array(n + 1);
    this.firstOperand = new Int32Array(n + 1);
    let maxNumber = -1;
    for (let c = 0; c < n; c++) {
      this.firstInstr[c + 1] = this.firstInstr[c] + chunks[c].nInstrs;
      this.firstOperand[c + 1] = this.firstOperand[c] + chunks[c].nOperands;
      if (chunks[c].maxVRegNumber > maxNumber) maxNumber = chunks[c].maxVRegNumber;
    }
    for (const v of header.vregs) if (v.number > maxNumber) maxNumber = v.number;
    // A table by number unless a stray huge number would make it wasteful.
    const size = maxNumber + 1 <= 65536 + 8 * this.firstOperand[n] ? maxNumber + 1 : 65536;
    this.indexByNumber = new Int32Array(size).fill(-1);
  }

  run(): FunctionOutput {
    const { chunks, header } = this.input;
    this.sink.addAll(header.diagnostics);
    this.allocate();
    this.declareHeaderVRegs();
    this.collectLabels();
    this.buildBlocks();
    for (let c = 0; c < chunks.length; c++) this.copyChunk(c);
    this.fn.vregs.truncate(this.fn.vregs.n);
    this.finishEdges();
    if (this.hasConflict) this.replayVRegEvents();
    for (let c = 0; c < chunks.length; c++) {
      const base = this.chunkBase(c);
      for (const d of chunks[c].diagnostics) {
        const { phase, order, start, end, code, message, llcOffset, facts } = d;
        this.text(phase, base + order, base + start, base + end, code, message, base + llcOffset, facts);
      }
    }
    this.checkVRegs();
    const { fn } = this;
    this.resolveHeaderBlocks();
    fn.header.machineFunctionInfo = finishFunctionInfo(
      header.functionInfo,
      this.input.context,
      this.input.facts,
      header.stack.length,
      header.fixedStack.length,
      this.sink,
    );
    fn.header.machineMetadataNodes = this.input.context.metadata.definitions();
    this.computeProperties();
    this.checkCallSites();
    fn.shell = this.input.context;
    fn.source = new LoweredSource(
      this.input.document,
      header,
      this.input.body,
      chunks,
      this.firstInstr,
      this.places,
      this.input.context.names,
    );
    return { fn, sink: this.sink };
  }

  // -- complaints --------------------------------------------------------------------------------------------------

  /** Start of chunk c relative to the document. */
  private chunkBase(c: number): number {
    const { body } = this.input;
    return body === null ? 0 : body.start + body.chunkStarts[c];
  }

  private text(
    phase: Phase,
    order: number,
    start: number,
    end: number,
    code: string,
    message: string,
    llcOffset = start,
    facts: Facts | null = null,
  ): void {
    this.sink.add(phase, order, start, end, DiagnosticOrigin.Text, code, message, llcOffset, false, facts);
  }

  private functionError(
    phase: Phase,
    start: number,
    end: number,
    code: string,
    message: string,
    isFollowUp = false,
    facts: Facts | null = null,
  ): void {
    const order = this.functionOrder++;
    this.sink.add(phase, order, start, end, DiagnosticOrigin.Function, code, message, start, isFollowUp, facts);
  }

  // -- columns -----------------------------------------------------------------------------------------------------

  private allocate(): void {
    const { fn } = this;
    const { chunks } = this.input;
    const nInstrs = this.firstInstr[chunks.length];
    const nOperands = this.firstOperand[chunks.length];
    fn.nInstrs = nInstrs;
    fn.nOperands = nOperands;
    // One more than needed, so that the growing appenders of MachineFunction keep working on empty functions.
    const ni = nInstrs + 1;
    const no = nOperands + 1;
    fn.memOperands = new Array<null>(nInstrs).fill(null);
    fn.opcode = new Uint16Array(ni);
    fn.opBegin = new Int32Array(ni + 1);
    fn.instrFlags = new Uint32Array(ni);
    fn.bundle = new Uint8Array(ni);
    fn.instrBlock = new Int32Array(ni);
    fn.opKind = new Uint8Array(no);
    fn.opFlags = new Uint16Array(no);
    fn.opVal = new Int32Array(no);
    fn.opExt = new Int32Array(no);
    fn.opSub = new Uint16Array(no);
    fn.opTied = new Int16Array(no);
    fn.opTargetFlags = new Uint8Array(no);
  }

  private declareHeaderVRegs(): void {
    const { header } = this.input;
    const { vregs } = this.fn;
    vregs.copyFrom(header.vregTable);
    vregs.reserve(this.input.expectedVRegs);
    this.ensureVReg(vregs.n);
    const { indexByNumber, vregKind } = this;
    const { sourceNumber, regClass, bank } = vregs;
    for (let v = 0; v < vregs.n; v++) {
      const number = sourceNumber[v];
      if (number >= 0 && number < indexByNumber.length) indexByNumber[number] = v;
      else this.indexByLargeNumber.set(number, v);
      if (regClass[v] >= 0) vregKind[v] = VRegKind.Normal;
      else if (bank[v] >= 0) vregKind[v] = VRegKind.Bank;
      else vregKind[v] = header.vregs[v].isGeneric ? VRegKind.Generic : VRegKind.Unknown;
    }
  }

  private ensureVReg(v: number): void {
    if (v < this.vregKind.length) return;
    const n = Math.max(64, v * 2);
    const kind = new Uint8Array(n);
    kind.set(this.vregKind);
    this.vregKind = kind;
    const defs = new Uint8Array(n);
    defs.set(this.vregDefs);
    this.vregDefs = defs;
  }

  /** Appends chunk c to the columns; its vregs get their numbers and their summaries are merged. */
  private copyChunk(c: number): void {
    const { fn } = this;
    const p = this.input.chunks[c];
    const i0 = this.firstInstr[c];
    const o0 = this.firstOperand[c];
    const { nInstrs } = p;
    fn.opcode.set(p.opcode, i0);
    fn.instrFlags.set(p.instrFlags, i0);
    fn.opKind.set(p.opKind, o0);
    fn.opFlags.set(p.opFlags, o0);
    fn.opVal.set(p.opVal, o0);
    fn.opExt.set(p.opExt, o0);
    fn.opSub.set(p.opSub, o0);
    fn.opTied.set(p.opTied, o0);
    fn.opTargetFlags.set(p.opTargetFlags, o0);
    const { opBegin } = fn;
    for (let i = 0; i <= nInstrs; i++) opBegin[i0 + i] = p.opBegin[i] + o0;
    for (let i = 0; i < nInstrs; i++) if (p.memOperands[i] !== null) fn.memOperands[i0 + i] = p.memOperands[i];
    for (const e of p.extras) fn.extras.set(i0 + e.instr, e.extra);

    const map = this.mapVRegs(p);
    const { opVal } = fn;
    const { vregOperands } = p;
    for (let k = 0; k < vregOperands.length; k++) {
      const o = o0 + vregOperands[k];
      opVal[o] = ~map[~opVal[o]];
    }
    const { vccLo } = this.input.context.names;
    for (const { instr, operand } of p.conditionOperands)
      if ((fn.bundle[i0 + instr] & BundleFlag.BundledPred) === 0) opVal[o0 + operand] = vccLo;
    const payload0 = fn.payloads.length;
    for (const payload of p.payloads) fn.payloads.push(payload);
    const { payloadOperands } = p;
    for (let k = 0; k < payloadOperands.length; k++) opVal[o0 + payloadOperands[k]] += payload0;
    for (const r of p.blockReferences) {
      const block = this.blockOf(r.number, r.name, this.chunkBase(c) + r.start, this.chunkBase(c) + r.end);
      if (r.operand !== NO_OPERAND) opVal[o0 + r.operand] = Math.max(0, block);
    }
  }

  /** Block of a reference in the body, -1 after a complaint. */
  private blockOf(number: number, name: string | null, start: number, end: number): BlockId {
    const block = this.blockByNumber.get(number);
    if (block === undefined) {
      this.undefinedBlock(Phase.Body, number, start, end);
      return -1;
    }
    if (name !== null && name !== (this.fn.blocks[block].irName ?? '')) {
      const message = `the name of machine basic block #${number} isn't '${name}'`;
      this.text(Phase.Body, start, start, end, 'wrong-block-name', message);
    }
    return block;
  }

  private undefinedBlock(phase: Phase, block: number, start: number, end: number, llcOffset = start): void {
    const message = `use of undefined machine basic block #${block}`;
    this.text(phase, start, start, end, 'undefined-block', message, llcOffset, { block });
  }

  private mapVRegs(p: PackedChunk): Int32Array {
    const { vregs } = this.fn;
    const { names } = this.input.context;
    const map = new Int32Array(p.nVRegs);
    const { indexByNumber } = this;
    for (let j = 0; j < p.nVRegs; j++) {
      const key = p.vregKey[j];
      let v: number;
      if (p.vregIsNamed[j] !== 0) {
        v = this.indexByName.get(key) ?? -1;
        if (v < 0) {
          v = vregs.add(-1, names.text(key));
          this.indexByName.set(key, v);
        }
      } else if (key >= 0 && key < indexByNumber.length) {
        v = indexByNumber[key];
        if (v < 0) {
          v = vregs.add(key, null);
          indexByNumber[key] = v;
        }
      } else {
        v = this.indexByLargeNumber.get(key) ?? -1;
        if (v < 0) {
          v = vregs.add(key, null);
          this.indexByLargeNumber.set(key, v);
        }
      }
      map[j] = v;
      this.ensureVReg(v);
      this.mergeVReg(p, j, v);
    }
    return map;
  }

  private mergeVReg(p: PackedChunk, j: number, v: number): void {
    const { vregs } = this.fn;
    const defs = p.vregDefs[j];
    if (defs !== 0) {
      this.vregDefs[v] = mergedDefs(this.vregDefs[v], defs);
    }
    const kind = p.vregKind[j];
    if (kind !== VRegKind.Unknown) {
      const id = p.vregId[j];
      const before = this.vregKind[v];
      if (before === VRegKind.Unknown) {
        this.vregKind[v] = kind;
        if (kind === VRegKind.Normal) vregs.regClass[v] = id;
        else if (kind === VRegKind.Bank) vregs.bank[v] = id;
      } else if (before !== kind || (kind === VRegKind.Normal ? vregs.regClass[v] !== id : vregs.bank[v] !== id)) {
        this.hasConflict = true;
      }
    }
    const type = p.vregType[j];
    if (type !== null) {
      if (vregs.type[v] === null) vregs.type[v] = type;
      else if (vregs.type[v] !== type) {
        if (!sameLLT(vregs.type[v], type)) this.hasConflict = true;
        vregs.type[v] = type;
      }
    }
    const summary = p.vregSummary[j];
    if (summary === 0) return;
    if ((summary & VRegSummary.Conflict) !== 0 || this.vregKind[v] >= VRegKind.Generic) this.hasConflict = true;
  }

  // -- blocks ------------------------------------------------------------------------------------------------------

  /** The first pass over the body: labels and braces. */
  private collectLabels(): void {
    const { chunks } = this.input;
    let depth = 0;
    let lastBrace = -1;
    let isMissingLabel = false;
    for (let c = 0; c < chunks.length; c++) {
      const p = chunks[c];
      const base = this.chunkBase(c);
      const { tree } = p.chunk;
      if (!isMissingLabel && this.fn.blocks.length === 0) {
        const first = p.lines.length > 0 ? p.lines[0] : null;
        const start =
          first !== null && first.instrsBefore === 0
            ? first.kind === LineKind.Label
              ? -1
              : tree.start(first.node)
            : p.nInstrs > 0
              ? tree.start(p.instrNode[0])
              : -1;
        if (start >= 0) {
          isMissingLabel = true;
          const message = 'expected a basic block definition before instructions';
          // A lexical error in the same token comes first.
          const order = base + start + 0.5;
          this.text(Phase.DefinitionScan, order, base + start, base + start, 'missing-label', message);
        }
      }
      for (const line of p.lines) {
        const start = base + tree.start(line.node);
        const end = base + tree.end(line.node);
        if (line.kind === LineKind.BundleOpen) {
          depth++;
          lastBrace = start;
        } else if (line.kind === LineKind.BundleClose) {
          if (depth > 0) depth--;
          else {
            const message = "extraneous closing brace ('}')";
            this.text(Phase.DefinitionScan, start + 0.75, start, end, 'extra-brace', message);
          }
        } else if (line.kind === LineKind.Label) {
          if (depth > 0) {
            this.text(Phase.DefinitionScan, start, lastBrace, lastBrace + 1, 'missing-brace', "expected '}'", start);
          }
          depth = 0;
          const info = line.info as LabelInfo;
          const block = this.fn.blocks.length;
          if (this.blockByNumber.has(info.number)) {
            const message = `redefinition of machine basic block with id #${info.number}`;
            // What is wrong within the label comes first.
            const isClosed = (tree.flags(line.node) & LabelFlag.NoColon) === 0;
            const order = isClosed ? end - 0.5 : Infinity;
            this.text(Phase.DefinitionScan, order, start, end, 'redefinition', message);
          } else this.blockByNumber.set(info.number, block);
          this.fn.blocks.push(makeBlock(info));
          this.places.push({ chunk: c, label: line.node, successors: -1, successorsChunk: -1, liveIns: [] });
        }
      }
    }
    if (depth > 0 && this.input.body !== null) {
      const end = this.contentEnd(this.input.body);
      this.text(Phase.DefinitionScan, end, lastBrace, lastBrace + 1, 'missing-brace', "expected '}'", end);
    }
  }

  /** Where llc's lexer ends: blank lines at the end do not belong to the scalar. */
  private contentEnd(body: Body): number {
    const { fileText, docStart } = this.input;
    let p = docStart + body.start + body.length;
    let end = p;
    while (p > docStart + body.start) {
      const c = fileText.charCodeAt(p - 1);
      if (c !== 32 && c !== 9 && c !== 10 && c !== 13) break;
      p--;
      if (c === 10 || (c === 13 && fileText.charCodeAt(p + 1) !== 10)) end = p + 1;
    }
    return end - docStart;
  }

  /** The second pass: which instructions each block holds, its lists, bundles. */
  private buildBlocks(): void {
    const { fn } = this;
    const { chunks } = this.input;
    const nBlocks = fn.blocks.length;
    fn.blockBegin = new Int32Array(nBlocks);
    fn.blockEnd = new Int32Array(nBlocks);
    let block = -1;
    let inBundle = false;
    /** members must be glued from here on; -1 = no bundle is open */
    let bundleFrom = -1;
    let hasInstr = false;
    const closeBundle = (to: number): void => {
      if (bundleFrom < 0) return;
      for (let i = bundleFrom; i < to; i++) {
        if (i === 0) continue;
        fn.bundle[i - 1] |= BundleFlag.BundledSucc;
        fn.bundle[i] |= BundleFlag.BundledPred;
      }
      bundleFrom = -1;
    };
    for (let c = 0; c < chunks.length; c++) {
      const p = chunks[c];
      const base = this.chunkBase(c);
      const i0 = this.firstInstr[c];
      let next = 0;
      for (let l = 0; l <= p.lines.length; l++) {
        const line = l < p.lines.length ? p.lines[l] : null;
        const upTo = line === null ? p.nInstrs : line.instrsBefore;
        if (upTo > next) {
          hasInstr = true;
          for (let i = next; i < upTo; i++) fn.instrBlock[i0 + i] = Math.max(0, block);
          next = upTo;
        }
        if (line === null) break;
        const at = i0 + next;
        switch (line.kind) {
          case LineKind.Label:
            closeBundle(at);
            inBundle = false;
            if (block >= 0) fn.blockEnd[block] = at;
            block++;
            fn.blockBegin[block] = at;
            hasInstr = false;
            break;
          case LineKind.BundleOpen:
            if (inBundle) {
              const start = base + p.chunk.tree.start(line.node);
              this.text(
                Phase.Body,
                start,
                start,
                start + 1,
                'nested-bundle',
                'nested instruction bundles are not allowed',
              );
              break;
            }
            inBundle = true;
            bundleFrom = at;
            // The header is marked even when no member follows; a dropped header glues nothing.
            if (at > 0 && at > fn.blockBegin[Math.max(0, block)]) fn.bundle[at - 1] |= BundleFlag.BundledSucc;
            else bundleFrom = at + 1;
            break;
          case LineKind.BundleClose:
            closeBundle(at);
            inBundle = false;
            break;
          case LineKind.BadInstruction:
            hasInstr = true;
            break;
          case LineKind.Successors:
          case LineKind.LiveIns: {
            const start = base + p.chunk.tree.start(line.node);
            if (hasInstr) {
              const message = 'expected a machine instruction';
              this.text(Phase.Body, start, start, base + p.chunk.tree.end(line.node), 'misplaced-list', message);
            } else if (block >= 0) {
              if (line.kind === LineKind.Successors) this.addSuccessors(block, c, line.info as SuccessorsInfo);
              else this.addLiveIns(block, c, line.info as LiveInsInfo);
            }
            break;
          }
        }
      }
    }
    closeBundle(fn.nInstrs);
    if (block >= 0) fn.blockEnd[block] = fn.nInstrs;
    fn.setIdentityLayout();
  }

  private addLiveIns(block: BlockId, chunk: number, info: LiveInsInfo): void {
    const place = this.places[block];
    for (let k = 0; k < info.liveIns.length; k++) {
      this.fn.blocks[block].liveIns.push({ ...info.liveIns[k] });
      place.liveIns.push({ chunk, node: info.nodes[k] });
    }
  }

  private addSuccessors(block: BlockId, chunk: number, info: SuccessorsInfo): void {
    const b = this.fn.blocks[block];
    const base = this.chunkBase(chunk);
    for (const s of info.successors) {
      const target = this.blockOf(s.number, s.name, base + s.start, base + s.end);
      if (target < 0) break;
      b.successors.push(target);
      b.probabilities.push(s.weight);
    }
    b.explicitSuccessors = true;
    normalizeProbabilities(b.probabilities);
    const place = this.places[block];
    place.successors = info.node;
    place.successorsChunk = chunk;
  }

  /** Guesses the successors of blocks without a list, then fills in the predecessors. */
  private finishEdges(): void {
    const { fn } = this;
    this.guessedFor = new Int32Array(fn.blocks.length).fill(-1);
    for (let b = 0; b < fn.blocks.length; b++) {
      const block = fn.blocks[b];
      if (block.explicitSuccessors) continue;
      const falls = this.guessSuccessors(b, block.successors);
      if (falls && b + 1 < fn.blocks.length && this.guessedFor[b + 1] !== b) block.successors.push(b + 1);
      block.probabilities = block.successors.map(() => UNKNOWN_PROBABILITY);
      normalizeProbabilities(block.probabilities);
    }
    for (let b = 0; b < fn.blocks.length; b++)
      for (const s of fn.blocks[b].successors) fn.blocks[s].predecessors.push(b);
  }

  /** Adds the block operands of non-PHI instructions in order; answers whether control may fall through. */
  private guessSuccessors(b: BlockId, out: BlockId[]): boolean {
    const { fn } = this;
    const { tables } = fn;
    const { special } = this.input;
    const barrier = 1 << McFlag.Barrier;
    let isBarrier = false;
    for (let i = fn.blockBegin[b]; i < fn.blockEnd[b]; i++) {
      const opcode = fn.opcode[i];
      const isMember = (fn.bundle[i] & BundleFlag.BundledPred) !== 0;
      if (isMember) isBarrier ||= (tables.opcodeFlagsLo(opcode) & barrier) !== 0;
      else if (!special.debug.has(opcode)) isBarrier = (tables.opcodeFlagsLo(opcode) & barrier) !== 0;
      if (isMember || opcode === special.phi || opcode === special.gPhi) continue;
      for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
        if (fn.opKind[o] !== OperandKind.MBB) continue;
        const target = fn.opVal[o];
        if (this.guessedFor[target] === b) continue;
        this.guessedFor[target] = b;
        out.push(target);
      }
    }
    return !isBarrier;
  }

  // -- virtual registers -------------------------------------------------------------------------------------------

  private vregOf(p: PackedChunk, j: number): number {
    const key = p.vregKey[j];
    if (p.vregIsNamed[j] !== 0) return this.indexByName.get(key) ?? -1;
    if (key >= 0 && key < this.indexByNumber.length) return this.indexByNumber[key];
    return this.indexByLargeNumber.get(key) ?? -1;
  }

  /** Goes through all annotations in text order, as MIParser::parseRegisterOperand does, to say where they contradict. */
  private replayVRegEvents(): void {
    const { fn } = this;
    const { header, chunks } = this.input;
    const { tables } = this.input.context;
    const n = fn.vregs.n;
    const kinds = new Uint8Array(n);
    const ids = new Int16Array(n).fill(-1);
    const isExplicit = new Uint8Array(n);
    const types = new Array<LLT | null>(n).fill(null);
    header.vregs.forEach((h, v) => {
      kinds[v] = h.regClass >= 0 ? VRegKind.Normal : h.bank >= 0 ? VRegKind.Bank : h.isGeneric ? VRegKind.Generic : 0;
      ids[v] = h.regClass >= 0 ? h.regClass : h.bank;
      isExplicit[v] = h.isDeclared ? 1 : 0;
    });
    for (let c = 0; c < chunks.length; c++) {
      const p = chunks[c];
      const base = this.chunkBase(c);
      const { vregEvents } = p;
      for (let at = 0; at < vregEvents.length; at += EVENT_STRIDE) {
        const typeIdx = vregEvents[at + VRegEvent.Type];
        const e = {
          vreg: vregEvents[at + VRegEvent.VReg],
          kind: vregEvents[at + VRegEvent.Kind] as VRegKind,
          id: vregEvents[at + VRegEvent.Id],
          type: typeIdx < 0 ? null : p.eventTypes[typeIdx],
          isDef: vregEvents[at + VRegEvent.IsDef] !== 0,
          classStart: vregEvents[at + VRegEvent.ClassStart],
          classEnd: vregEvents[at + VRegEvent.ClassEnd],
          start: vregEvents[at + VRegEvent.Start],
          end: vregEvents[at + VRegEvent.End],
        };
        const v = this.vregOf(p, e.vreg);
        const complain = (
          start: number,
          end: number,
          code: string,
          message: string,
          at = start,
          facts: Facts | null = null,
        ): void => this.text(Phase.Body, base + start, base + start, base + end, code, message, base + at, facts);
        if (e.kind === VRegKind.Normal) {
          if (kinds[v] >= VRegKind.Generic) {
            complain(e.classStart, e.classEnd, 'class-conflict', 'register class specification on generic register');
            continue;
          }
          if (isExplicit[v] && kinds[v] === VRegKind.Normal && ids[v] !== e.id) {
            const message = `conflicting register classes, previously: ${tables.regClassName(ids[v])}`;
            const facts = { given: tables.regClassMirName(e.id), expected: tables.regClassMirName(ids[v]) };
            complain(e.classStart, e.classEnd, 'class-conflict', message, e.classStart, facts);
            continue;
          }
          kinds[v] = VRegKind.Normal;
          ids[v] = e.id;
          isExplicit[v] = 1;
        } else if (e.kind !== VRegKind.Unknown) {
          if (kinds[v] === VRegKind.Normal) {
            complain(e.classStart, e.classEnd, 'class-conflict', 'register bank specification on normal register');
            continue;
          }
          if (isExplicit[v] && ids[v] !== e.id) {
            complain(e.classStart, e.classEnd, 'class-conflict', 'conflicting generic register banks');
            continue;
          }
          kinds[v] = e.kind;
          ids[v] = e.id;
          isExplicit[v] = 1;
        }
        if (e.type !== null) {
          if (types[v] !== null && e.type !== types[v] && !sameLLT(types[v], e.type)) {
            const message = 'inconsistent type for generic virtual register';
            complain(e.start, e.end, 'type-conflict', message, this.tokenAfter(base + e.end) - base);
            continue;
          }
          types[v] = e.type;
        } else if (e.isDef && kinds[v] >= VRegKind.Generic) {
          const message = 'generic virtual registers must have a type';
          complain(e.start, e.end, 'missing-type', message, this.tokenAfter(base + e.end) - base);
        }
      }
    }
  }

  /** Next token on the line, for errors that llc reports after having read what it complains about. */
  private tokenAfter(offset: number): number {
    const { fileText, docStart } = this.input;
    let p = docStart + offset;
    while (fileText.charCodeAt(p) === 32 || fileText.charCodeAt(p) === 9) p++;
    return p - docStart;
  }

  /** Every register needs a class, a bank or `_`; classes must be allocatable. Named ones come last. */
  private checkVRegs(): void {
    const { fn, vregKind } = this;
    const { header } = this.input;
    const { tables } = this.input.context;
    const { vregs } = fn;
    const bad: number[] = [];
    for (let v = 0; v < vregs.n; v++) {
      if (vregKind[v] === VRegKind.Unknown) bad.push(v);
      else if (vregKind[v] === VRegKind.Normal && !tables.isAllocatableClass(vregs.regClass[v])) bad.push(v);
    }
    if (bad.length === 0) return;
    // By name, and a number is a name, too.
    const nameOf = (v: number): string => vregs.name[v] ?? String(vregs.sourceNumber[v] >>> 0);
    bad.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    const mentions = this.firstMentions();
    const described = this.describedInErrors();
    // A class that stands in a line that has an error already, of which nothing was read: llc never comes here.
    const told = bad.filter((v) => vregKind[v] !== VRegKind.Unknown || !described.has(nameOf(v)));
    for (const v of told) {
      const name = nameOf(v);
      const start = mentions[v] >= 0 ? mentions[v] : (header.vregs[v]?.range ?? header.nameRange).start;
      const end = mentions[v] >= 0 ? start + 1 + name.length : (header.vregs[v]?.range ?? header.nameRange).end;
      const where = `virtual register ${name} in function '${fn.header.name}'`;
      if (vregKind[v] === VRegKind.Unknown) {
        const message = `Cannot determine class/bank of ${where}`;
        this.functionError(Phase.RegisterInfo, start, end, 'no-class', message, v !== told[0], { register: name });
      } else {
        const className = tables.regClassName(vregs.regClass[v]);
        const message = `Cannot use non-allocatable class '${className}' for ${where}`;
        const facts = { register: name, given: tables.regClassMirName(vregs.regClass[v]) };
        this.functionError(Phase.RegisterInfo, start, end, 'non-allocatable-class', message, v !== told[0], facts);
      }
    }
  }

  /** Names of the virtual registers that lines with errors give a class, `%5:vgpr_32`. O(text of these lines) */
  private describedInErrors(): ReadonlySet<string> {
    const { chunks, fileText, docStart } = this.input;
    const names = new Set<string>();
    let last = -1;
    for (let c = 0; c < chunks.length; c++)
      for (const { start } of chunks[c].diagnostics) {
        const at = docStart + this.chunkBase(c) + start;
        const from = fileText.lastIndexOf('\n', at - 1) + 1;
        if (from === last) continue;
        last = from;
        const eol = fileText.indexOf('\n', at);
        const line = fileText.slice(from, eol < 0 ? fileText.length : eol);
        for (const [, name = '', index = ''] of line.matchAll(/%([\w$-][\w$.-]*?)(\.\w+)?:/g))
          names.add(name).add(name + index);
      }
    return names;
  }

  /** Start of the first mention in the body by vreg, -1 = none. Made when there is something to complain about. */
  private firstMentions(): Int32Array {
    const { chunks } = this.input;
    const res = new Int32Array(this.fn.vregs.n).fill(-1);
    for (let c = 0; c < chunks.length; c++) {
      const base = this.chunkBase(c);
      for (let j = 0; j < chunks[c].nVRegs; j++) {
        const v = this.vregOf(chunks[c], j);
        if (v >= 0 && res[v] < 0) res[v] = base + chunks[c].vregFirst[j];
      }
    }
    return res;
  }

  // -- the rest ----------------------------------------------------------------------------------------------------

  private headerBlock(ref: SourceBlockRef, phase: Phase): BlockId {
    const block = this.blockByNumber.get(ref.number);
    const { start, end } = ref.at;
    if (block === undefined) {
      this.undefinedBlock(phase, ref.number, start, end, NO_PLACE);
      return -1;
    }
    if (ref.name !== null && ref.name !== (this.fn.blocks[block].irName ?? '')) {
      const message = `the name of machine basic block #${ref.number} isn't '${ref.name}'`;
      this.text(phase, start, start, end, 'wrong-block-name', message, NO_PLACE);
    }
    return block;
  }

  private resolveHeaderBlocks(): void {
    const { header } = this.input;
    const points = (list: readonly SourceSavePoint[]): { block: BlockId; registers: readonly Reg[] }[] =>
      list
        .map((p) => ({ block: this.headerBlock(p.block, Phase.SavePoints), registers: p.registers }))
        .filter((p) => p.block >= 0);
    const h = this.fn.header;
    h.frameInfo.savePoint = points(header.savePoint);
    h.frameInfo.restorePoint = points(header.restorePoint);
    if (header.jumpTable === null) return;
    h.jumpTable = {
      kind: header.jumpTable.kind,
      entries: header.jumpTable.entries.map((e) => ({
        sourceId: e.sourceId,
        blocks: e.blocks.map((b) => this.headerBlock(b, Phase.JumpTable)).filter((b) => b >= 0),
      })),
    };
  }

  private computeProperties(): void {
    const { fn } = this;
    const { header, chunks } = this.input;
    const h = fn.header;
    const { start, end } = header.nameRange;
    let hasPhi = false;
    let hasFakeUse = false;
    for (const p of chunks) {
      if (p.hasPhi) hasPhi = true;
      if (p.hasFakeUse) hasFakeUse = true;
    }
    const { phi, gPhi, fakeUse } = this.input.special;
    hasPhi &&= this.isAmongHeaders(phi) || this.isAmongHeaders(gPhi);
    hasFakeUse &&= this.isAmongHeaders(fakeUse);
    const noVRegs = fn.vregs.n === 0;
    const check = (explicit: boolean | null, computed: boolean, message: string): boolean => {
      if (explicit === true && !computed) {
        this.functionError(Phase.Properties, start, end, 'bad-property', `${h.name} has explicit property ${message}`);
      }
      return explicit ?? computed;
    };
    h.noPhis = check(header.noPhis, !hasPhi, 'NoPhi, but contains at least one PHI');
    h.isSSA = check(header.isSSA, isSSA(this.vregDefs), 'IsSSA, but is not valid SSA');
    h.isStatedSSA = header.isSSA === true;
    h.noVRegs = check(header.noVRegs, noVRegs, 'NoVRegs, but contains virtual registers');
    if (header.hasFakeUses === false && hasFakeUse) {
      const message = `${h.name} has explicit property hasFakeUses=false, but contains fake uses`;
      this.functionError(Phase.Properties, start, end, 'bad-property', message);
    }
    h.hasFakeUses = header.hasFakeUses ?? hasFakeUse;
  }

  /** LLVM looks at the headers of bundles, not at their members. */
  private isAmongHeaders(opcode: number): boolean {
    const { fn } = this;
    for (let i = 0; i < fn.nInstrs; i++)
      if (fn.opcode[i] === opcode && (fn.bundle[i] & BundleFlag.BundledPred) === 0) return true;
    return false;
  }

  /** Call sites and called globals name an instruction by block and position; it must be a call. */
  private checkCallSites(): void {
    const { fn } = this;
    const { header } = this.input;
    if (header.callSites.length === 0 && header.calledGlobals.length === 0) return;
    const { start, end } = header.nameRange;
    const call = 1 << McFlag.Call;
    const checkLocation = (bb: number, offset: number, what: string): void => {
      let message = '';
      if (bb >= fn.blocks.length) {
        message = `${fn.header.name} instruction block out of range. Unable to reference bb:${bb}`;
      } else if (offset >= fn.blockEnd[bb] - fn.blockBegin[bb]) {
        message = `${fn.header.name} instruction offset out of range. Unable to reference instruction at bb: ${bb} at offset:${offset}`;
      } else if ((fn.tables.opcodeFlagsLo(fn.opcode[fn.blockBegin[bb] + offset]) & call) === 0) {
        message = `${fn.header.name} ${what} should reference call instruction. Instruction at bb:${bb} at offset:${offset} is not a call instruction`;
      }
      if (message !== '') this.functionError(Phase.CallSites, start, end, 'bad-call-site', message);
    };
    const callSites: {
      bb: number;
      offset: number;
      fwdArgRegs: { arg: number; reg: Reg }[];
      calleeTypeIds: readonly bigint[];
    }[] = [];
    for (const c of header.callSites) {
      checkLocation(c.bb, c.offset, 'call site info');
      const fwdArgRegs: { arg: number; reg: Reg }[] = [];
      for (const a of c.fwdArgRegs) {
        const r = parseNamedRegister(a.reg.text, (name) => fn.tables.regByName(name));
        if ('value' in r) fwdArgRegs.push({ arg: a.arg, reg: r.value });
        else {
          const at = a.reg.valueStart + r.error.at;
          this.text(Phase.CallSites, this.functionOrder++, a.reg.start, a.reg.end, 'bad-register', r.error.message, at);
        }
      }
      callSites.push({ bb: c.bb, offset: c.offset, fwdArgRegs, calleeTypeIds: c.calleeTypeIds });
    }
    if (header.callSites.length > 0) {
      const message = 'call site info provided but not used';
      this.functionError(Phase.CallSites, start, end, 'unused-call-site', message);
    }
    fn.header.callSites = callSites;
    for (const g of header.calledGlobals) checkLocation(g.bb, g.offset, 'called global');
  }
}

/** Definitions in two parts of a body, both as in PackedChunk. */
const mergedDefs = (a: number, b: number): number => ((a | b) & 4) | Math.min(2, (a & 3) + (b & 3));

/** One definition of each register, of the whole of it. */
const isSSA = (defs: Uint8Array): boolean => defs.every((d) => (d & 3) <= 1 && (d & 4) === 0);

function makeBlock(info: LabelInfo): MachineBasicBlock {
  return {
    sourceNumber: info.number,
    irName: info.irName,
    irBlockRef: info.irBlockRef,
    successors: [],
    probabilities: [],
    explicitSuccessors: false,
    predecessors: [],
    liveIns: [],
    isMachineBlockAddressTaken: info.isMachineBlockAddressTaken,
    irBlockAddressTaken: info.irBlockAddressTaken,
    isLandingPad: info.isLandingPad,
    isInlineAsmBrIndirectTarget: info.isInlineAsmBrIndirectTarget,
    isEHFuncletEntry: info.isEHFuncletEntry,
    isEHScopeEntry: info.isEHScopeEntry,
    alignment: info.alignment,
    sectionId: info.sectionId,
    callFrameSize: info.callFrameSize,
  };
}

/** The header of a new function: block references, properties and function info are filled in later. */
function makeHeader(h: HeaderModel, facts: IRFunctionFacts): MachineFunctionHeader {
  return {
    name: h.name,
    namesBySize: false,
    machineWaveSize: 64,
    ...h.flags,
    noPhis: false,
    isSSA: false,
    isStatedSSA: false,
    noVRegs: false,
    hasFakeUses: false,
    liveIns: h.liveIns.slice(),
    calleeSavedRegisters: h.calleeSavedRegisters,
    frameInfo: { ...h.frameInfo },
    fixedStack: h.fixedStack.slice(),
    stack: h.stack.slice(),
    entryValues: h.entryValues,
    callSites: [],
    debugValueSubstitutions: h.debugValueSubstitutions,
    constants: h.constants,
    machineFunctionInfo: h.functionInfo.info,
    jumpTable: null,
    machineMetadataNodes: [],
    calledGlobals: h.calledGlobals,
    irFunction: facts,
  };
}
