/**
 * Makes the PackedChunk of a chunk: the part of MIParser (LLVM 22) that looks at one line at a time. Every instruction is read
 * from left to right and given up at its first error, as llc does; the next line starts afresh.
 */
import type { Facts } from '../../text/diagnostic.js';
import { McFlag } from '../../target/index.js';
import { NO_NODE, RegFlag, RegKind, STRIDE, SyntaxKind, type Chunk, type Node } from '../../syntax/tree.js';
import { complaintOf22 } from './lowLevelTypes.js';
import { sameLLT, type LLT } from '../llt.js';
import { InstrFlag, OpFlag, OperandKind, type InstrExtra } from '../machineFunction.js';
import type { Reg } from '../register.js';
import type { MemOperand } from '../memOperand.js';
import type { Complaint } from './chunkReader.js';
import type { ChunkScratch, SpecialOpcodes } from './chunkScratch.js';
import type { FunctionContext } from './context.js';
import { lowerMemOperand } from './memOperands.js';
import { OperandReader } from './operandReader.js';
import {
  EVENT_STRIDE,
  LineKind,
  NO_OPERAND,
  VRegEvent,
  VRegKind,
  VRegSummary,
  type PackedChunk,
} from './packedChunk.js';

const CLASS_EXPECTED = "expected '_', register class, or register bank name";

const MAX_STAMPED_NUMBER = 1 << 20;

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

class ChunkLowering extends OperandReader {
  private readonly memOperands: (readonly MemOperand[] | null)[] = [];
  private readonly extras: { instr: number; extra: InstrExtra }[] = [];
  private readonly vregType: (LLT | null)[] = [];
  private nVRegEvents = 0;
  private readonly eventTypes: LLT[] = [];
  private namedVRegs: Map<number, number> | null = null;
  private maxVRegNumber = -1;
  private nVRegs = 0;
  private nVRegOperands = 0;
  private hasPhi = false;
  private hasFakeUse = false;
  /** whether the instruction being read spells a tie */
  private hasTies = false;

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
      conditionOperands: this.conditionOperands,
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
        } else if (kind === SyntaxKind.DILocation || kind === SyntaxKind.DebugLocation) {
          complaint = this.checkLocation(c);
        } else complaint = this.incompleteOperand(c, kind);
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
        complaint = this.unknownFlag(n, c);
        if (complaint === null && this.opcode < 0) {
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
      // Blocks are known before the instructions are read: one that is not there is an error although its operand comes to nothing.
      for (let i = nBlockReferences; i < this.blockReferences.length; i++)
        this.blockReferences[i] = { ...this.blockReferences[i], operand: NO_OPERAND };
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

  /** A flag that the release does not know is an opcode to it that it does not know. */
  private unknownFlag(n: Node, opcode: Node): Complaint | null {
    const { tree, chunkStart } = this;
    if ((tree.flags(n) & InstrFlag.LRSplit) === 0 || this.context.subtarget.release.rules.hasLRSplit) return null;
    const start = this.text.lastIndexOf('lr-split', chunkStart + tree.start(opcode)) - chunkStart;
    return {
      start,
      end: start + 'lr-split'.length,
      code: 'unknown-opcode',
      message: "unknown machine instruction name 'lr-split'",
    };
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
      // Without any register the error is that there is none.
      const isMissing = kind === RegKind.None && tree.aux(n) === 0 && words !== 0 && isBroken;
      if (isMissing || (flags & (OpFlag.Kill | OpFlag.Dead)) === 0) return null;
      return this.checkFlags(n, flags);
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
        const wrong = this.wrongType(c, !isDef);
        if (wrong !== null) return wrong;
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
      else if (this.vregType[v] !== type) {
        if (!sameLLT(this.vregType[v], type)) s.vregSummary[v] |= VRegSummary.Conflict;
        this.vregType[v] = type;
      }
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
      } else if (kind === SyntaxKind.LowLevelType) {
        const wrong = this.wrongType(c, true);
        if (wrong !== null) return wrong;
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

  /** Flags that contradict the role of the operand; llc says so after it. */
  private checkFlags(n: Node, flags: number): Complaint | null {
    const isDef = (flags & OpFlag.Def) !== 0;
    const isWrong = isDef ? (flags & OpFlag.Kill) !== 0 : (flags & OpFlag.Dead) !== 0;
    if (!isWrong) return null;
    const message = isDef ? 'cannot have a killed def operand' : 'cannot have a dead use operand';
    const facts: Facts = { flag: isDef ? 'killed' : 'dead' };
    const end = this.tree.end(n);
    return { ...this.complaint(n, 'bad-register-flag', message), facts, llcOffset: this.nextToken(end), order: end };
  }

  private wrongType(n: Node, isUse: boolean): Complaint | null {
    if (this.context.subtarget.release.rules.hasFloatLLTs) return null;
    const wrong = complaintOf22(this.tree, n, this.slice(n), isUse);
    return wrong === null ? null : { ...this.complaint(n, 'syntax', wrong.message), llcOffset: wrong.llcOffset };
  }

  private lowLevelType(n: Node): LLT {
    const { tree } = this;
    const flags = tree.flags(n);
    return this.context.names.lowLevelType(flags, tree.value(n), tree.aux(n));
  }

  // -- after the last operand --------------------------------------------------------------------------------------

  /** Every implicit operand of the opcode must be written, unless it is a call or variadic. */
  private checkImplicitOperands(n: Node, lastOperandEnd: number): Complaint | null {
    const { tables } = this.context;
    const { opcode } = this;
    const flags = tables.opcodeFlagsLo(opcode);
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

  private missingImplicit(n: Node, lastOperandEnd: number, flag: 'implicit' | 'implicit-def', reg: Reg): Complaint {
    const { tree } = this;
    const register = this.context.tables.regName(reg);
    const message = `missing implicit register operand '${flag} $${register}'`;
    const facts = { flag, register };
    const opcodeNode = tree.childOfKind(n, SyntaxKind.Opcode);
    const llcOffset = this.nextToken(lastOperandEnd >= 0 ? lastOperandEnd : tree.end(opcodeNode));
    const start = tree.start(opcodeNode);
    return { start, end: tree.end(n), code: 'missing-implicit', message, facts, llcOffset, order: tree.end(n) };
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

    const nDescribed = tables.opcodeNumOperands(opcode);
    const info = tables.opInfoBegin(opcode);
    const isDebug = this.special.debug.has(opcode);
    const isWave32 = subtarget.wavefrontSize === 32 && !isInlineAsm;
    const isVariadic = ((tables.opcodeFlagsLo(opcode) >>> McFlag.Variadic) & 1) !== 0;
    for (let i = 0; i < count; i++) {
      const o = begin + i;
      if (s.kind[o] !== OperandKind.Register) continue;
      const flags = s.flags[o];
      // MachineOperand::isRenamable: not where the opcode constrains the allocation further.
      if ((flags & OpFlag.Renamable) !== 0 && this.isConstrained((flags & OpFlag.Def) !== 0)) {
        s.flags[o] = flags & ~OpFlag.Renamable;
      }
      // Not where it fills a missing explicit operand; after the described ones also an explicit one.
      if (isWave32 && s.val[o] === this.vcc && i >= nDescribed && (!isVariadic || (flags & OpFlag.Implicit) !== 0))
        this.conditionOperands.push({ instr: this.nInstrs, operand: o });
      if ((flags & OpFlag.Implicit) === 0 && i < nDescribed) {
        if ((flags & OpFlag.Def) === 0) {
          const def = tables.opInfoTiedTo[info + i];
          if (def >= 0 && def < count) this.tie(begin, def, i);
        }
        if (tables.opInfoEarlyClobber[info + i] !== 0) s.flags[o] |= OpFlag.EarlyClobber;
      }
      if (isDebug && (flags & OpFlag.Def) === 0) s.flags[o] |= OpFlag.Debug;
    }
    if (ties !== null) {
      // LLVM ties by the places in the text, whatever stands there once explicit operands went to the front.
      const isWild = ties.some(([def, use]) => !this.isRegOperand(def, true) || !this.isRegOperand(use, false));
      for (const [def, use] of ties) {
        const d = permutation === null || !isWild ? def : permutation[def];
        const u = permutation === null || !isWild ? use : permutation[use];
        this.tie(begin, d, u);
        s.flags[begin + u] |= OpFlag.ExplicitTie;
      }
    }
    return null;
  }

  /** Whether operand i, where it stands now, is a register that is defined, or read. */
  private isRegOperand(i: number, isDef: boolean): boolean {
    const { s, begin } = this;
    return s.kind[begin + i] === OperandKind.Register && ((s.flags[begin + i] & OpFlag.Def) !== 0) === isDef;
  }

  private isConstrained(isDef: boolean): boolean {
    const { tables } = this.context;
    if (isDef) return ((tables.opcodeFlagsHi(this.opcode) >>> (McFlag.ExtraDefRegAllocReq - 32)) & 1) !== 0;
    return ((tables.opcodeFlagsLo(this.opcode) >>> McFlag.ExtraSrcRegAllocReq) & 1) !== 0;
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
}
