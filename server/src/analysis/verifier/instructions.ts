/**
 * Instructions and operands in layout order, with the liveness that goes along (docs/llvm/verifier.md, 3.6, 4, 6.1, 6.2).
 *
 * Follows MachineVerifier::verify and its visit functions (LLVM 22) in what is checked and in which order. Registers live
 * within a block are kept as in LLVM by register number, physical ones with all their sub-registers.
 */
import { calleeSaved } from '../frame/calleeSaves.js';
import { McFlag, type PhysReg } from '../../target/api.js';
import { BundleFlag, OperandKind, OpFlag } from '../../model/machineFunction.js';
import { preservedRegs } from '../../model/regMask.js';
import { areTiedOperandsRewritten } from '../../model/tiedOperands.js';
import { isPhysicalReg, isVirtualReg, virtRegIndex, type VRegId, NO_REG } from '../../model/register.js';
import type { BlockId, InstrId, OperandId } from '../../model/machineFunction.js';
import type { Reg } from '../../model/register.js';
import { MemFlag } from '../../model/memOperand.js';
import { printLLT, sameLLT, sizeInBits } from '../../model/llt.js';
import type { LLT } from '../../model/llt.js';
import { checkBlockEnd, checkBlockStart } from './controlFlow.js';
import { checkGeneric, checkGenericHint } from './genericInstr.js';
import type { IntervalChecks } from './liveIntervals.js';
import { OperandType, PlanKind } from './opcodePlan.js';
import type { OpcodePlan } from './opcodePlan.js';
import { regText } from './reports.js';
import { TargetHook } from './targetHook.js';
import { lonelyRegs, type VerifierContext } from './verifierContext.js';

const ASM_FIRST_GROUP = 2;
const ASM_ALL_FLAGS = 127;
const ASM_MAY_LOAD = 8;
const ASM_MAY_STORE = 16;
const MIFLAG_NOCONVERGENT = 15;

/** A set of virtual registers for each block; what the end-of-function checks work on. Made block by block, in order. */
class BlockRegs {
  readonly ofBlock: Int32Array[] = [];
  private readonly list: number[] = [];

  add(v: VRegId): void {
    this.list.push(v);
  }

  /** What was added since the last call is the set of the next block. */
  endBlock(): void {
    this.ofBlock.push(this.list.length === 0 ? NO_REGS : Int32Array.from(this.list));
    this.list.length = 0;
  }

  /** The next block has the set that it has in `earlier`. */
  take(earlier: BlockRegs): void {
    this.ofBlock.push(earlier.ofBlock[this.ofBlock.length]);
  }
}

const NO_REGS = new Int32Array(0);

/** What an earlier version of the function, which had no reports, found in its blocks; `unchanged[b]` = 1: block b is the same. */
export interface EarlierWalk {
  readonly walk: InstructionWalk;
  readonly unchanged: Uint8Array;
}

/** StackMaps::ConstantOp */
const STACK_MAP_CONSTANT = 2;
/** Operands of a place in a stack map by the mark that it begins with: memory at an address, memory at the address in memory, a constant. */
const STACK_MAP_OPERANDS = [3, 4, 2];

/** @llvm MachineVerifier.cpp MachineVerifier */
export class InstructionWalk {
  /** virtual registers that a block reads and does not define before */
  readonly needIn = new BlockRegs();
  readonly killedHere = new BlockRegs();
  readonly liveOut = new BlockRegs();
  /** 1 = a register of `lonely` is live at the end of the block, block by block */
  readonly lonelyLiveOut: Uint8Array;
  /** the registers that it is about */
  readonly lonely: readonly PhysReg[];
  /** physical registers that PHIs read, and which of them live out of which block */
  private readonly phiRegs: readonly PhysReg[];
  private readonly phiRegLiveOut: Uint8Array;
  /** definitions of a virtual register in the function */
  readonly nDefs: Int32Array;

  private readonly hook: TargetHook;
  private readonly kind: Uint8Array;
  private readonly flags: Uint16Array;
  private readonly val: Int32Array;
  private readonly sub: Uint16Array;
  private readonly tracksLiveness: boolean;

  // liveness inside a block; virtual registers carry the number of the block + 1 they are in the set for
  private readonly livePhys: Uint32Array;
  private readonly liveVirt: Int32Array;
  private readonly killedVirt: Int32Array;
  private readonly neededVirt: Int32Array;
  /** virtual registers that were put into the live set of the block, each once */
  private defined: Int32Array;
  private nDefined = 0;
  private readonly definedStamp: Int32Array;
  private pristine: Uint32Array | null = null;

  // of the current bundle
  private kills: Int32Array = new Int32Array(64);
  private nKills = 0;
  private deads: Int32Array = new Int32Array(64);
  private nDeads = 0;
  private defs: Int32Array = new Int32Array(64);
  private nDefsHere = 0;
  private readonly masks: OperandId[] = [];

  private block: BlockId = 0;
  private firstNonPhi: InstrId = -1;
  private firstTerminator: InstrId = -1;
  private firstTerminatorIsRegionStart = false;

  private tiesRewritten: boolean | null = null;

  constructor(
    private readonly ctx: VerifierContext,
    private readonly intervals: IntervalChecks | null = null,
  ) {
    const { fn, tables } = ctx;
    this.hook = new TargetHook(ctx);
    this.kind = fn.opKind;
    this.flags = fn.opFlags;
    this.val = fn.opVal;
    this.sub = fn.opSub;
    this.tracksLiveness = fn.header.tracksRegLiveness;
    this.livePhys = new Uint32Array((tables.nRegs + 31) >> 5);
    const nv = fn.vregs.n;
    this.liveVirt = new Int32Array(nv);
    this.killedVirt = new Int32Array(nv);
    this.neededVirt = new Int32Array(nv);
    this.definedStamp = new Int32Array(nv);
    this.defined = new Int32Array(64);
    this.lonely = lonelyRegs(tables);
    this.lonelyLiveOut = new Uint8Array(ctx.nBlocks * this.lonely.length);
    this.phiRegs = fn.header.noPhis ? [] : this.physicalPhiInputs();
    this.phiRegLiveOut = new Uint8Array(ctx.nBlocks * this.phiRegs.length);
    this.nDefs = new Int32Array(nv);
    const n = fn.nOperands;
    for (let o = 0; o < n; o++)
      if (this.kind[o] === OperandKind.Register && this.val[o] < 0 && (this.flags[o] & OpFlag.Def) !== 0)
        this.nDefs[~this.val[o]]++;
    if (fn.header.frameInfo.isCalleeSavedInfoValid) this.pristine = this.pristineRegs();
  }

  /**
   * Blocks that `earlier` knows are not looked at again: what is wrong in an instruction does not depend on other blocks.
   * @llvm MachineVerifier.cpp MachineVerifier::verify
   */
  run(earlier: EarlierWalk | null = null): void {
    const { fn, plans, nBlocks } = this.ctx;
    const known = earlier !== null && this.phiRegs.length === 0 && this.hasSameDefs(earlier.walk) ? earlier : null;
    for (let b = 0; b < nBlocks; b++) {
      if (known !== null && known.unchanged[b] === 1) {
        checkBlockStart(this.ctx, b);
        checkBlockEnd(this.ctx, b);
        for (let k = b * this.lonely.length; k < (b + 1) * this.lonely.length; k++)
          this.lonelyLiveOut[k] = known.walk.lonelyLiveOut[k];
        this.needIn.take(known.walk.needIn);
        this.killedHere.take(known.walk.killedHere);
        this.liveOut.take(known.walk.liveOut);
        continue;
      }
      this.beginBlock(b);
      const end = fn.blockEnd[b];
      for (let p = fn.blockBegin[b]; p < end; p++) {
        const i = fn.order[p];
        const plan = plans.get(fn.opcode[i]);
        const bundle = fn.bundle[i];
        const isBehindBundled = p > fn.blockBegin[b] && (fn.bundle[fn.order[p - 1]] & 2) !== 0;
        // From the text only a bundle without members comes like the first; a scheduler that tears bundles leaves both.
        if (isBehindBundled && (bundle & 1) === 0)
          this.ctx.out.onInstr(i, 'Missing BundledPred flag, BundledSucc was set on predecessor');
        if (!isBehindBundled && (bundle & 1) !== 0)
          this.ctx.out.onInstr(i, 'BundledPred flag is set, but BundledSucc not set on predecessor');
        if ((bundle & 1) === 0) {
          if (p > fn.blockBegin[b]) this.endBundle();
          this.checkTerminatorOrder(
            i,
            plan,
            bundle !== 0 ? this.bundleHas(p, end, McFlag.Terminator) : plan.isTerminator,
          );
        }
        this.checkInstr(i, plan, p, end);
        this.checkOperands(i, plan);
      }
      if (end > fn.blockBegin[b]) {
        this.endBundle();
        const last = fn.order[end - 1];
        if ((fn.bundle[last] & 2) !== 0)
          this.ctx.out.onInstr(last, 'BundledSucc flag set on last instruction in block');
      }
      this.endBlock(b);
      this.needIn.endBlock();
      this.killedHere.endBlock();
      this.liveOut.endBlock();
    }
  }

  /** Are the same registers defined somewhere? A read of one that is not is an error at the read. */
  private hasSameDefs(other: InstructionWalk): boolean {
    const a = this.nDefs;
    const b = other.nDefs;
    if (a.length !== b.length) return false;
    for (let v = 0; v < a.length; v++) if ((a[v] === 0) !== (b[v] === 0)) return false;
    return true;
  }

  // -- blocks and bundles ------------------------------------------------------------------------------------------

  /** @llvm MachineVerifier.cpp MachineVerifier::visitMachineBasicBlockBefore */
  private beginBlock(b: BlockId): void {
    this.block = b;
    this.firstNonPhi = -1;
    this.firstTerminator = -1;
    this.nDefined = 0;
    checkBlockStart(this.ctx, b);
    checkBlockEnd(this.ctx, b);
    if (!this.tracksLiveness) return;
    if (this.pristine) this.livePhys.set(this.pristine);
    else this.livePhys.fill(0);
    for (const { reg } of this.ctx.fn.blocks[b].liveIns) if (reg > 0) this.addPhys(reg);
  }

  /** @llvm MachineVerifier.cpp MachineVerifier::visitMachineBasicBlockAfter */
  private endBlock(b: BlockId): void {
    if (!this.tracksLiveness) return;
    const { lonely, phiRegs } = this;
    for (let k = 0; k < lonely.length; k++)
      this.lonelyLiveOut[b * lonely.length + k] = this.isLivePhys(lonely[k]) ? 1 : 0;
    for (let k = 0; k < phiRegs.length; k++)
      this.phiRegLiveOut[b * phiRegs.length + k] = this.isLivePhys(phiRegs[k]) ? 1 : 0;
    const stamp = b + 1;
    for (let k = 0; k < this.nDefined; k++) {
      const v = this.defined[k];
      if (this.liveVirt[v] === stamp) this.liveOut.add(v);
    }
  }

  private physicalPhiInputs(): PhysReg[] {
    const { fn, tables } = this.ctx;
    const phi = tables.opcodeByName('PHI');
    const found = new Set<PhysReg>();
    for (let p = 0; p < fn.order.length; p++) {
      const i = fn.order[p];
      if (fn.opcode[i] !== phi) continue;
      for (let o = fn.opBegin[i] + 1; o < fn.opBegin[i + 1]; o += 2)
        if (this.kind[o] === OperandKind.Register && isPhysicalReg(this.val[o])) found.add(this.val[o]);
    }
    return [...found];
  }

  /** Whether a physical register that a PHI reads lives at the end of a block. */
  isPhiRegLiveOut(b: BlockId, reg: PhysReg): boolean {
    return this.phiRegLiveOut[b * this.phiRegs.length + this.phiRegs.indexOf(reg)] === 1;
  }

  private isLivePhys(reg: number): boolean {
    return ((this.livePhys[reg >> 5] >>> (reg & 31)) & 1) === 1;
  }

  private addPhys(reg: number): void {
    this.livePhys[reg >> 5] |= 1 << (reg & 31);
    const subs = this.ctx.tables.subRegs(reg);
    for (let k = 0; k < subs.length; k++) this.livePhys[subs[k] >> 5] |= 1 << (subs[k] & 31);
  }

  private removePhys(reg: number): void {
    this.livePhys[reg >> 5] &= ~(1 << (reg & 31));
    const subs = this.ctx.tables.subRegs(reg);
    for (let k = 0; k < subs.length; k++) this.livePhys[subs[k] >> 5] &= ~(1 << (subs[k] & 31));
  }

  private remove(reg: Reg): void {
    if (reg > 0) this.removePhys(reg);
    else this.liveVirt[~reg] = 0;
  }

  /** @llvm MachineVerifier.cpp MachineVerifier::visitMachineBundleAfter */
  private endBundle(): void {
    if (!this.tracksLiveness) return;
    const stamp = this.block + 1;
    for (let k = 0; k < this.nKills; k++) {
      const reg = this.kills[k];
      this.remove(reg);
      if (reg > 0) continue;
      const v = ~reg;
      if (this.killedVirt[v] === stamp) continue;
      this.killedVirt[v] = stamp;
      this.killedHere.add(v);
    }
    this.nKills = 0;
    if (this.masks.length > 0) this.applyMasks();
    for (let k = 0; k < this.nDeads; k++) this.remove(this.deads[k]);
    this.nDeads = 0;
    for (let k = 0; k < this.nDefsHere; k++) {
      const reg = this.defs[k];
      if (reg > 0) {
        this.addPhys(reg);
        continue;
      }
      const v = ~reg;
      this.liveVirt[v] = stamp;
      if (this.definedStamp[v] === stamp) continue;
      this.definedStamp[v] = stamp;
      if (this.nDefined === this.defined.length) this.defined = grow(this.defined);
      this.defined[this.nDefined++] = v;
    }
    this.nDefsHere = 0;
  }

  private applyMasks(): void {
    for (const o of this.masks) {
      const bits = preservedRegs(this.ctx.fn, o);
      for (let w = 0; w < this.livePhys.length; w++) this.livePhys[w] &= bits[w];
    }
    this.masks.length = 0;
  }

  private pristineRegs(): Uint32Array {
    const { fn, tables } = this.ctx;
    const { header } = fn;
    const set = new Uint32Array(this.livePhys.length);
    const each = (reg: number, put: (r: number) => void): void => {
      if (!isPhysicalReg(reg)) return;
      put(reg);
      for (const s of tables.subRegs(reg)) put(s);
    };
    for (const reg of calleeSaved(fn)) each(reg, (r) => (set[r >> 5] |= 1 << (r & 31)));
    for (const object of [...header.fixedStack, ...header.stack])
      each(object.calleeSavedRegister ?? NO_REG, (r) => (set[r >> 5] &= ~(1 << (r & 31))));
    return set;
  }

  // -- 3.6 -----------------------------------------------------------------------------------------------------------

  /** Does a member of the bundle that starts at position `pos` have the flag? */
  private bundleHas(pos: number, end: number, flag: McFlag): boolean {
    const { fn, plans } = this.ctx;
    for (let p = pos; p < end; p++) {
      // LLVM goes on by BundledSucc alone: after a header that was torn off, to what follows it.
      const i = fn.order[p];
      if (plans.get(fn.opcode[i]).flag(flag)) return true;
      if ((fn.bundle[i] & 2) === 0) return false;
    }
    return false;
  }

  private checkTerminatorOrder(i: InstrId, plan: OpcodePlan, isTerminator: boolean): void {
    if (isTerminator) {
      if (this.firstTerminator >= 0) return;
      this.firstTerminator = i;
      this.firstTerminatorIsRegionStart = plan.name === 'G_INVOKE_REGION_START';
      return;
    }
    if (this.firstTerminator < 0 || this.firstTerminatorIsRegionStart) return;
    this.ctx.out.onInstr(i, 'Non-terminator instruction after the first terminator', [
      { before: 'First terminator was:\t', instr: this.firstTerminator },
    ]);
  }

  // -- 4.1, 4.2 ------------------------------------------------------------------------------------------------------

  /** @llvm MachineVerifier.cpp MachineVerifier::visitMachineInstrBefore */
  private checkInstr(i: InstrId, plan: OpcodePlan, pos: number, end: number): void {
    const { fn, out } = this.ctx;
    const n = fn.opBegin[i + 1] - fn.opBegin[i];
    if (n < plan.nOps) out.onInstr(i, 'Too few operands', [`${plan.nOps} operands expected, but ${n} given.`]);
    if (((fn.instrFlags[i] >>> MIFLAG_NOCONVERGENT) & 1) === 1 && !plan.flag(McFlag.Convergent))
      out.onInstr(i, 'NoConvergent flag expected only on convergent instructions.');
    if (plan.isPhi) {
      if (fn.header.noPhis) out.onInstr(i, 'Found PHI instruction with NoPHIs property set');
      if (this.firstNonPhi >= 0) out.onInstr(i, 'Found PHI instruction after non-PHI');
    } else if (this.firstNonPhi < 0) this.firstNonPhi = i;

    if (plan.kind === PlanKind.InlineAsm) this.checkInlineAsm(i, n, plan);
    else if (plan.kind === PlanKind.Debug) {
      const isValue = plan.name === 'DBG_VALUE' || plan.name === 'DBG_VALUE_LIST';
      if (isValue && n === 4 && !fn.extras.get(i)?.debugLocation)
        out.onInstr(i, 'Missing DebugLoc for debug instruction');
    }
    if (fn.extras.size > 0 && plan.flag(McFlag.Meta) && fn.extras.get(i)?.debugInstrNumber)
      out.onInstr(i, 'Metadata instruction should not have a value tracking number');

    const mem = fn.memOperands[i];
    if (mem !== null && mem.length > 0) {
      let { mayLoad, mayStore } = plan;
      if (fn.bundle[i] === 2) {
        mayLoad = this.bundleHas(pos, end, McFlag.MayLoad);
        mayStore = this.bundleHas(pos, end, McFlag.MayStore);
      } else if (plan.kind === PlanKind.InlineAsm && n > 1 && this.kind[fn.opBegin[i] + 1] === OperandKind.Immediate) {
        mayLoad ||= (this.val[fn.opBegin[i] + 1] & ASM_MAY_LOAD) !== 0;
        mayStore ||= (this.val[fn.opBegin[i] + 1] & ASM_MAY_STORE) !== 0;
      }
      for (const m of mem) {
        if ((m.flags & MemFlag.Load) !== 0 && !mayLoad) out.onInstr(i, 'Missing mayLoad flag');
        if ((m.flags & MemFlag.Store) !== 0 && !mayStore) out.onInstr(i, 'Missing mayStore flag');
      }
    }

    if (plan.isTarget) {
      // R600InstrInfo has no rules of its own.
      const message = this.ctx.tables.isAMDGCN ? this.hook.check(i, plan) : null;
      if (message !== null) out.onInstr(i, message);
      return;
    }
    if (plan.kind === PlanKind.OtherIndependent || plan.kind === PlanKind.Phi) return;
    this.checkSpecial(i, plan, n);
  }

  private checkSpecial(i: InstrId, plan: OpcodePlan, n: number): void {
    switch (plan.kind) {
      case PlanKind.Copy:
        this.checkCopy(i, n);
        break;
      case PlanKind.CopyLaneMask:
        this.checkCopyLaneMask(i, n);
        break;
      case PlanKind.InsertSubreg:
        this.checkInsertSubreg(i, n);
        break;
      case PlanKind.RegSequence:
        this.checkRegSequence(i, n);
        break;
      case PlanKind.Statepoint:
        this.checkStatepoint(i, n);
        break;
      case PlanKind.Generic:
        checkGeneric(this.ctx, i, plan);
        break;
      case PlanKind.GenericHint:
        checkGeneric(this.ctx, i, plan);
        checkGenericHint(this.ctx, i, plan);
        break;
      default:
        break;
    }
  }

  /** @llvm MachineVerifier.cpp MachineVerifier::verifyInlineAsm */
  private checkInlineAsm(i: InstrId, n: number, plan: OpcodePlan): void {
    const { fn, out } = this.ctx;
    const base = fn.opBegin[i];
    if (n < ASM_FIRST_GROUP) {
      out.onInstr(i, 'Too few operands on inline asm');
      return;
    }
    if (this.kind[base] !== OperandKind.ExternalSymbol) out.onInstr(i, 'Asm string must be an external symbol');
    const hasFlags = this.kind[base + 1] === OperandKind.Immediate;
    if (!hasFlags) out.onInstr(i, 'Asm flags must be an immediate');
    // LLVM reads the flags of any operand; what it finds elsewhere (a pointer) is too large to be flags.
    if (!hasFlags || fn.opExt[base + 1] !== 0 || this.val[base + 1] >>> 0 > ASM_ALL_FLAGS)
      out.onOperand(i, 1, 'Unknown asm flags');

    let j = ASM_FIRST_GROUP;
    while (j < n && this.kind[base + j] === OperandKind.Immediate) j += 1 + ((this.val[base + j] >>> 3) & 0x1fff);
    if (j > n) out.onInstr(i, 'Missing operands in last group');
    if (j < n && this.kind[base + j] === OperandKind.Metadata) j++;
    for (; j < n; j++) {
      const o = base + j;
      if (this.kind[o] !== OperandKind.Register || (this.flags[o] & OpFlag.Implicit) === 0)
        out.onOperand(i, j, 'Expected implicit register after groups');
    }
    if (plan.name !== 'INLINEASM_BR') return;
    for (j = 0; j < n; j++) {
      const o = base + j;
      if (this.kind[o] !== OperandKind.MBB) continue;
      const target = this.val[o];
      if (this.ctx.hasSuccessor(this.block, target)) continue;
      out.onOperand(i, j, 'INLINEASM_BR indirect target missing from successor list');
      out.onOperand(i, j, 'INLINEASM_BR indirect target predecessor list missing parent');
    }
  }

  private typeOf(reg: Reg): LLT | null {
    return isVirtualReg(reg) ? this.ctx.fn.vregs.type[virtRegIndex(reg)] : null;
  }

  /** Bits of the class of a register, 0 if it has none. Where there is no register LLVM looks at the first virtual one. */
  private classBits(reg: Reg): number {
    const { fn, tables } = this.ctx;
    const rc = reg !== NO_REG ? this.ctx.classOfReg(reg) : fn.vregs.n > 0 ? fn.vregs.regClass[0] : -1;
    return rc >= 0 ? tables.regClassBits[rc] : 0;
  }

  private checkCopy(i: InstrId, n: number): void {
    const { fn, out } = this.ctx;
    const base = fn.opBegin[i];
    if (n < 2) return;
    const isReg = (j: number): boolean => this.kind[base + j] === OperandKind.Register;
    if (!isReg(0) || !isReg(1)) return;
    const dst = this.val[base];
    const src = this.val[base + 1];
    if (!fn.header.isSSA && this.ctx.isVector(src) && this.ctx.isSGPR(dst))
      out.onInstr(i, 'illegal copy from vector register to SGPR');
    const dstType = this.typeOf(dst);
    const srcType = this.typeOf(src);
    if (dstType && srcType) {
      if (!sameLLT(dstType, srcType))
        out.onInstr(i, 'Copy Instruction is illegal with mismatching types', [
          `Def = ${printLLT(dstType)}, Src = ${printLLT(srcType)}`,
        ]);
      return;
    }
    if (!dstType && !srcType) return;
    if (this.sub[base] !== 0 || this.sub[base + 1] !== 0) return;
    const sizeOf = (reg: Reg, own: LLT | null, other: LLT | null): number => {
      if (own) return sizeInBits(own);
      if (isPhysicalReg(reg) && other && this.holdsType(reg, other)) return 0;
      return this.classBits(reg);
    };
    const dstSize = sizeOf(dst, dstType, srcType);
    const srcSize = sizeOf(src, srcType, dstType);
    if (dstSize !== 0 && srcSize !== 0 && dstSize !== srcSize)
      out.onInstr(i, 'Copy Instruction is illegal with mismatching sizes', [
        `Def Size = ${dstSize}, Src Size = ${srcSize}`,
      ]);
  }

  /**
   * Is the type legal in a class of the register although the sizes differ? AMDGPU lists 16-bit types for 32-bit registers
   * and i1 for scalar registers of 32 and 64 bits.
   */
  private holdsType(reg: number, type: LLT): boolean {
    const { tables } = this.ctx;
    if (type.kind !== 'scalar') return false;
    const inClass = (name: string): boolean => {
      const rc = tables.regClassByName(name);
      return rc >= 0 && tables.classContains(rc, reg);
    };
    if (type.bits === 16) return inClass('av_32') || inClass('sreg_32');
    return type.bits === 1 && (inClass('sreg_32') || inClass('sreg_64'));
  }

  private checkCopyLaneMask(i: InstrId, n: number): void {
    const { fn, out, tables } = this.ctx;
    const base = fn.opBegin[i];
    for (let j = 0; j < 2 && j < n; j++)
      if (this.kind[base + j] === OperandKind.Register && this.sub[base + j] !== 0)
        out.onOperand(i, j, 'COPY_LANEMASK must not use a subregister index');
    // LLVM reads the mask from any operand: of a frame index its number, in a register it finds a pointer, larger than any mask, after the
    // last one zero.
    const k = n < 3 ? OperandKind.Immediate : this.kind[base + 2];
    const isNumber = k === OperandKind.LaneMask || k === OperandKind.Immediate;
    const lo = n >= 3 && (isNumber || k === OperandKind.FrameIndex) ? this.val[base + 2] >>> 0 : 0;
    const hi = n < 3 || k === OperandKind.FrameIndex ? 0 : isNumber ? fn.opExt[base + 2] >>> 0 : 0xffffffff;
    if (lo === 0 && hi === 0) out.onInstr(i, 'COPY_LANEMASK must read at least one lane');
    const rc = n > 1 ? this.ctx.classOfReg(this.registerUpTo(base, 1)) : -1;
    if (rc < 0) return;
    const allLo = tables.regClassLaneLo[rc];
    const allHi = tables.regClassLaneHi[rc];
    if (lo === allLo && hi === allHi) out.onInstr(i, 'COPY_LANEMASK cannot be used to do full copy');
    if (hi > allHi || (hi === allHi && lo > allLo))
      out.onInstr(i, "COPY_LANEMASK attempts to read from the lanes that don't exist in the source register");
  }

  /** Where an operand is no register LLVM finds the register that its parser read before: the nearest one up to operand j, 0 = none. */
  private registerUpTo(base: OperandId, j: number): Reg {
    for (let o = base + j; o >= base; o--) if (this.kind[o] === OperandKind.Register) return this.val[o];
    return 0;
  }

  private checkInsertSubreg(i: InstrId, n: number): void {
    const { fn, out, tables } = this.ctx;
    const base = fn.opBegin[i];
    if (n < 4 || this.kind[base + 3] !== OperandKind.Immediate) return;
    let inserted: number;
    if (this.kind[base + 2] === OperandKind.Register && this.sub[base + 2] !== 0)
      inserted = tables.subRegSize[this.sub[base + 2]];
    else {
      const reg = this.registerUpTo(base, 2);
      const type = this.typeOf(reg);
      inserted = type ? sizeInBits(type) : this.classBits(reg);
    }
    const idx = this.val[base + 3];
    // Index 0 stands for the whole register, which has room for anything; LLVM reads on after its table for numbers that are none.
    const room = idx === 0 ? Infinity : idx > 0 && idx < tables.nSubRegIndices ? tables.subRegSize[idx] : 0;
    if (inserted > room)
      out.onInstr(
        i,
        'INSERT_SUBREG expected inserted value to have equal or lesser size than the subreg it was inserted into',
      );
  }

  private checkRegSequence(i: InstrId, n: number): void {
    const { fn, out, tables } = this.ctx;
    const base = fn.opBegin[i];
    if (n % 2 === 0) {
      out.onInstr(i, 'Invalid number of operands for REG_SEQUENCE');
      return;
    }
    for (let j = 1; j < n; j += 2) {
      if (this.kind[base + j] !== OperandKind.Register)
        out.onOperand(i, j, 'Invalid register operand for REG_SEQUENCE');
      const o = base + j + 1;
      const idx = this.val[o];
      // LLVM compares a signed number with the bound alone.
      const isInBounds = fn.opExt[o] < 0 || (fn.opExt[o] === 0 && idx > 0 && idx < tables.nSubRegIndices);
      const isIndex = this.kind[o] === OperandKind.Immediate && isInBounds;
      if (!isIndex) out.onOperand(i, j + 1, 'Invalid subregister index operand for REG_SEQUENCE');
    }
    if (this.kind[base] !== OperandKind.Register) return;
    if (isPhysicalReg(this.val[base])) out.onInstr(i, 'REG_SEQUENCE does not support physical register results');
    if (this.sub[base] !== 0) out.onInstr(i, 'Invalid subreg result for REG_SEQUENCE');
  }

  /**
   * The numbers of a STATEPOINT, after its definitions: id, bytes, arguments of the call, the callee; after the arguments the calling
   * convention, flags and three lists with their lengths, each number with a mark in front that it is a constant. LLVM reads on after the last
   * operand, which is anything.
   */
  private checkStatepoint(i: InstrId, n: number): void {
    const { out } = this.ctx;
    const base = this.ctx.fn.opBegin[i];
    let nDefs = 0;
    while (nDefs < n && this.isExplicitDef(base + nDefs)) nDefs++;
    const isImmediate = (k: number): boolean => this.kind[base + k] === OperandKind.Immediate;
    for (let k = nDefs; k < nDefs + 3; k++) {
      if (k >= n) return;
      if (isImmediate(k)) continue;
      out.onInstr(i, 'meta operands to STATEPOINT not constant!');
      return;
    }
    let k = nDefs + 5 + this.val[base + nDefs + 2];
    const numbers = [k, k + 2, k + 4];
    for (k += 4; numbers.length < 6; numbers.push(k)) {
      let length = k < n ? this.val[base + k] : 0;
      for (k++; k < n && length > 0; length--) k += isImmediate(k) ? (STACK_MAP_OPERANDS[this.val[base + k]] ?? 1) : 1;
      k++;
    }
    for (const k of numbers) {
      if (k >= n) out.onInstr(i, 'stack map constant to STATEPOINT is out of range!');
      else if (!isImmediate(k - 1) || this.val[base + k - 1] !== STACK_MAP_CONSTANT || !isImmediate(k))
        out.onInstr(i, 'stack map constant to STATEPOINT not well formed!');
    }
    for (let o = base; o < base + nDefs; o++) {
      if (this.ctx.fn.opTied[o] >= 0) continue;
      out.onInstr(i, 'STATEPOINT defs expected to be tied');
      break;
    }
  }

  private isExplicitDef(o: number): boolean {
    return this.kind[o] === OperandKind.Register && (this.flags[o] & (OpFlag.Def | OpFlag.Implicit)) === OpFlag.Def;
  }

  // -- 4.3 to 4.6 ----------------------------------------------------------------------------------------------------

  /** @llvm MachineVerifier.cpp MachineVerifier::visitMachineOperand */
  private checkOperands(i: InstrId, plan: OpcodePlan): void {
    const { fn, out } = this.ctx;
    const { kind, flags, val, sub } = this;
    const base = fn.opBegin[i];
    const n = fn.opBegin[i + 1] - base;
    const nOps = plan.nOps;
    const nDefs = plan.nDefs;
    const tied = fn.opTied;
    const tracks = this.tracksLiveness && !plan.isDebug;
    const nPlaces = plan.isVariadic ? nOps - 1 : nOps;
    const vregClass = fn.vregs.regClass;
    for (let j = 0; j < n; j++) {
      const o = base + j;
      const k = kind[o];
      const f = flags[o];
      if (j < nOps) {
        if (j < nDefs) {
          if (k !== OperandKind.Register) out.onOperand(i, j, 'Explicit definition must be a register');
          else if ((f & OpFlag.Def) === 0) out.onOperand(i, j, 'Explicit definition marked as use');
          else if ((f & OpFlag.Implicit) !== 0) out.onOperand(i, j, 'Explicit definition marked as implicit');
        } else {
          if (j < nPlaces) this.checkPlace(i, j, o, plan);
          if (plan.tiedTo[j] >= 0) this.checkTiedUse(i, j, o, plan.tiedTo[j]);
          else if (k === OperandKind.Register && tied[o] >= 0)
            out.onOperand(i, j, 'Explicit operand should not be tied');
        }
        if (plan.hasEarlyClobber && k !== OperandKind.Register && plan.isEarlyClobber(this.ctx.tables, j)) {
          out.onInstr(i, 'Early clobber must be a register');
          out.onInstr(i, 'Missing earlyClobber flag');
        }
      } else if (!plan.isVariadic && (k !== OperandKind.Register || (f & OpFlag.Implicit) === 0)) {
        if (k !== OperandKind.RegisterMask && k !== OperandKind.MCSymbol && k !== OperandKind.Metadata)
          out.onOperand(i, j, 'Extra explicit operand on non-variadic instruction');
      }

      if (k !== OperandKind.Register) {
        if (k === OperandKind.MBB) {
          if (plan.isPhi && !this.ctx.hasSuccessor(val[o], this.block))
            out.onOperand(i, j, 'PHI operand is not in the CFG');
        } else if (k === OperandKind.RegisterMask) this.masks.push(o);
        continue;
      }
      if ((f & OpFlag.Debug) !== 0 && !plan.isDebug) out.onOperand(i, j, 'Register operand must not be marked debug');
      const reg = val[o];
      if (reg === 0) continue;
      if (tracks) this.trackLiveness(i, j, o, reg, f, plan);
      if ((f & (OpFlag.Def | OpFlag.Undef)) === (OpFlag.Def | OpFlag.Undef) && reg < 0 && sub[o] === 0)
        out.onOperand(i, j, 'Undef virtual register def operands require a subregister');
      if (tied[o] >= 0) {
        this.checkTieLinks(i, j, o, plan);
        const isRead = (f & OpFlag.Def) === 0;
        if (
          isRead &&
          val[base + tied[o]] !== reg &&
          (fn.bundle[i] & BundleFlag.BundledPred) !== 0 &&
          this.areTiesRewritten()
        )
          out.onOperand(i, j, 'Two-address instruction operands must be identical');
      }
      if (reg > 0) {
        if (j < nOps) {
          const wanted = plan.regClass[j];
          if (wanted >= 0 && !this.ctx.tables.classContains(wanted, reg))
            out.onOperand(i, j, 'Illegal physical register for instruction', [
              `${regText(fn, reg)} is not a ${this.ctx.tables.regClassName(wanted)} register.`,
            ]);
        }
        if ((f & OpFlag.Renamable) !== 0 && isRenamable(f, plan) && this.ctx.isReserved(reg))
          out.onOperand(i, j, 'isRenamable set on reserved register', [], { flag: 'renamable' });
        continue;
      }
      const rc = vregClass[~reg];
      if (rc < 0) this.checkGenericReg(i, j, o, plan);
      else this.checkVirtualClass(i, j, rc, sub[o], j < nOps ? plan.regClass[j] : -1);
    }
  }

  private checkPlace(i: InstrId, j: number, o: OperandId, plan: OpcodePlan): void {
    const { out } = this.ctx;
    const k = this.kind[o];
    const type = plan.type[j];
    if (k !== OperandKind.Register) {
      if (type === OperandType.Register && k !== OperandKind.FrameIndex)
        out.onOperand(i, j, 'Expected a register operand.');
      return;
    }
    const f = this.flags[o];
    if ((f & OpFlag.Def) !== 0 && !plan.flag(McFlag.VariadicOpsAreDefs))
      out.onOperand(i, j, 'Explicit operand marked as def');
    if ((f & OpFlag.Implicit) !== 0) out.onOperand(i, j, 'Explicit operand marked as implicit');
    if (type === OperandType.Immediate || type === OperandType.PCRel)
      out.onOperand(i, j, 'Expected a non-register operand.');
  }

  private checkTiedUse(i: InstrId, j: number, o: OperandId, wanted: number): void {
    const { fn, out } = this.ctx;
    if (this.kind[o] !== OperandKind.Register) {
      out.onOperand(i, j, 'Tied use must be a register');
      return;
    }
    const partner = fn.opTied[o];
    if (partner < 0) {
      out.onOperand(i, j, 'Operand should be tied');
      return;
    }
    if (partner !== wanted) {
      out.onOperand(i, j, "Tied def doesn't match MCInstrDesc");
      return;
    }
    const reg = this.val[o];
    if (!isPhysicalReg(reg)) return;
    const d = fn.opBegin[i] + wanted;
    if (this.kind[d] !== OperandKind.Register) out.onOperand(i, wanted, 'Tied counterpart must be a register');
    else if (isPhysicalReg(this.val[d]) && this.val[d] !== reg)
      out.onOperand(i, wanted, 'Tied physical registers must match.');
  }

  /** Only members of bundles may be otherwise then. */
  private areTiesRewritten(): boolean {
    const { fn } = this.ctx;
    return (this.tiesRewritten ??= fn.header.areTiesRewritten ?? areTiedOperandsRewritten(fn));
  }

  private checkTieLinks(i: InstrId, j: number, o: OperandId, plan: OpcodePlan): void {
    const { fn, out } = this.ctx;
    const base = fn.opBegin[i];
    const partner = fn.opTied[o];
    const p = base + partner;
    if (this.kind[p] !== OperandKind.Register) out.onOperand(i, j, 'Must be tied to a register');
    if (fn.opTied[p] !== j) out.onOperand(i, j, 'Inconsistent tie links');
    if (j >= plan.nDefs) return;
    if (partner < plan.nOps) {
      if (plan.tiedTo[partner] < 0) out.onOperand(i, j, 'Explicit def tied to explicit use without tie constraint');
    } else if ((this.flags[p] & OpFlag.Implicit) === 0)
      out.onOperand(i, j, 'Explicit def should be tied to implicit use');
  }

  private checkVirtualClass(i: InstrId, j: number, rc: number, sub: number, wanted: number): void {
    const { out, tables, plans } = this.ctx;
    if (sub === 0) {
      if (wanted >= 0 && wanted !== rc && !tables.hasSubClassEq(wanted, rc)) this.reportClass(i, j, rc, wanted);
      return;
    }
    const withSub = tables.getSubClassWithSubReg(rc, sub);
    const { wholeSubRegRule } = this.ctx.st.release.rules;
    if (withSub < 0 || (withSub !== rc && wholeSubRegRule)) {
      out.onOperand(i, j, 'Invalid subregister index for virtual register', [
        `Register class ${tables.regClassName(rc)} does not support subreg index ${tables.subRegIndexName(sub)}`,
      ]);
      return;
    }
    if (withSub !== rc) {
      out.onOperand(i, j, 'Invalid register class for subregister index', [
        `Register class ${tables.regClassName(rc)} does not fully support subreg index ${tables.subRegIndexName(sub)}`,
      ]);
      return;
    }
    if (wanted < 0) return;
    if (wholeSubRegRule) {
      const fitting = tables.getMatchingSuperRegClass(rc, wanted, sub);
      if (fitting >= 0 && tables.hasSubClassEq(fitting, rc)) return;
      const text = `${tables.regClassName(rc)}.${tables.subRegIndexName(sub)} cannot be used for ${tables.regClassName(wanted)} operands.`;
      out.onOperand(i, j, 'Illegal virtual register for instruction', [{ open: text }]);
      return;
    }
    const whole = plans.classForSubReg(rc, sub, wanted);
    if (whole < 0) out.onOperand(i, j, 'No matching super-reg register class.');
    else if (!tables.hasSubClassEq(whole, rc)) this.reportClass(i, j, rc, whole);
  }

  private reportClass(i: InstrId, j: number, rc: number, wanted: number): void {
    const { out, tables } = this.ctx;
    const text = `Expected a ${tables.regClassName(wanted)} register, but got a ${tables.regClassName(rc)} register`;
    const facts = { given: tables.regClassMirName(rc), expected: tables.regClassMirName(wanted) };
    out.onOperand(i, j, 'Illegal virtual register for instruction', [text], facts);
  }

  /** a virtual register without class (end of 4.6) */
  private checkGenericReg(i: InstrId, j: number, o: OperandId, plan: OpcodePlan): void {
    const { fn, out, tables } = this.ctx;
    const { header } = fn;
    const v = ~this.val[o];
    const f = this.flags[o];
    if ((f & OpFlag.Undef) !== 0) out.onOperand(i, j, 'Generic virtual register use cannot be undef');
    const isFreeDebugUse =
      plan.isDebug && plan.name !== 'DBG_LABEL' && !header.tracksDebugUserValues && this.nDefs[v] === 0;
    if (!isFreeDebugUse) {
      if (header.selected) {
        out.onOperand(i, j, 'Generic virtual register invalid in a Selected function');
        return;
      }
      const type = fn.vregs.type[v];
      if (!type) {
        out.onOperand(i, j, 'Generic virtual register must have a valid type');
        return;
      }
      const bank = fn.vregs.bank[v];
      if (bank < 0 && header.regBankSelected) {
        out.onOperand(i, j, 'Generic virtual register must have a bank in a RegBankSelected function');
        return;
      }
      if (bank >= 0) {
        const room = BANK_BITS[tables.regBankName(bank).toUpperCase()] ?? Infinity;
        const bits = sizeInBits(type);
        if (bits > room) {
          const name = tables.regBankName(bank).toUpperCase();
          out.onOperand(i, j, 'Register bank is too small for virtual register', [
            `Register bank ${name} too small(${room}) to fit ${bits}-bits`,
          ]);
          return;
        }
      }
    }
    if (this.sub[o] !== 0) {
      out.onOperand(i, j, 'Generic virtual register does not allow subregister index');
      return;
    }
    if (plan.kind === PlanKind.Generic || plan.kind === PlanKind.GenericHint) return;
    if (j >= plan.nOps || plan.regClass[j] < 0) return;
    out.onOperand(i, j, 'Virtual register does not match instruction constraint', [
      `Expect register class ${tables.regClassName(plan.regClass[j])} but got nothing`,
    ]);
  }

  // -- 6.2 -----------------------------------------------------------------------------------------------------------

  /** @llvm MachineVerifier.cpp MachineVerifier::checkLiveness */
  private trackLiveness(i: InstrId, j: number, o: OperandId, reg: Reg, f: number, plan: OpcodePlan): void {
    const isDef = (f & OpFlag.Def) !== 0;
    const { intervals } = this;
    intervals?.checkOperand(i, j, o);
    if ((f & (OpFlag.Undef | OpFlag.Internal)) === 0 && (!isDef || this.sub[o] !== 0)) {
      intervals?.checkUse(i, j, o, plan.isPhi);
      if ((f & OpFlag.Kill) !== 0) {
        if (this.nKills === this.kills.length) this.kills = grow(this.kills);
        this.kills[this.nKills++] = reg;
      }
      if (reg > 0) {
        if (!this.isLivePhys(reg)) this.checkUndefinedPhys(i, j, reg);
      } else {
        const v = ~reg;
        const stamp = this.block + 1;
        if (this.liveVirt[v] !== stamp) {
          if (this.nDefs[v] === 0) this.ctx.out.onOperand(i, j, 'Reading virtual register without a def');
          else if (this.killedVirt[v] === stamp) this.ctx.out.onOperand(i, j, 'Using a killed virtual register');
          else if (!plan.isPhi && this.neededVirt[v] !== stamp) {
            this.neededVirt[v] = stamp;
            this.needIn.add(v);
          }
        }
      }
    }
    if (!isDef) return;
    if ((f & OpFlag.Dead) !== 0) {
      if (this.nDeads === this.deads.length) this.deads = grow(this.deads);
      this.deads[this.nDeads++] = reg;
    } else {
      if (this.nDefsHere === this.defs.length) this.defs = grow(this.defs);
      this.defs[this.nDefsHere++] = reg;
    }
    intervals?.checkDef(i, j, o);
  }

  private checkUndefinedPhys(i: InstrId, j: number, reg: number): void {
    if (this.ctx.isAlwaysReserved(reg)) return;
    const subs = this.ctx.tables.subRegs(reg);
    for (let k = 0; k < subs.length; k++) if (this.isLivePhys(subs[k])) return;
    if (this.ctx.isReserved(reg) || this.isPartOfImplicit(i, reg)) return;
    this.ctx.out.onOperand(i, j, 'Using an undefined physical register');
  }

  /** the instruction that `isPartOfImplicit` was asked about last, its implicit physical registers, and the answers */
  private implicitOf: InstrId = -1;
  private readonly implicitRegs = new Set<number>();
  private readonly partsOfImplicit = new Map<number, boolean>();

  /** Whether `reg` is a part of an implicit operand. Each register is looked up once, for there may be thousands of operands. */
  private isPartOfImplicit(i: InstrId, reg: number): boolean {
    const { fn, tables } = this.ctx;
    if (this.implicitOf !== i) {
      this.implicitOf = i;
      this.implicitRegs.clear();
      this.partsOfImplicit.clear();
      for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
        if (this.kind[o] !== OperandKind.Register || (this.flags[o] & OpFlag.Implicit) === 0) continue;
        if (isPhysicalReg(this.val[o])) this.implicitRegs.add(this.val[o]);
      }
    }
    let isPart = this.partsOfImplicit.get(reg);
    if (isPart === undefined) {
      isPart = false;
      for (const other of this.implicitRegs) isPart ||= tables.isSubRegister(other, reg);
      this.partsOfImplicit.set(reg, isPart);
    }
    return isPart;
  }
}

/**
 * Operands of opcodes with extra allocation requirements never count as renamable.
 * @llvm MachineOperand.cpp MachineOperand::isRenamable
 */
function isRenamable(f: number, plan: OpcodePlan): boolean {
  return !plan.flag((f & OpFlag.Def) !== 0 ? McFlag.ExtraDefRegAllocReq : McFlag.ExtraSrcRegAllocReq);
}

/** maximum size of a register bank, from its largest class */
const BANK_BITS: Record<string, number> = { SGPR: 1024, VGPR: 1024, AGPR: 1024, VCC: 64 };

function grow(a: Int32Array): Int32Array<ArrayBuffer> {
  const b = new Int32Array(a.length * 2);
  b.set(a);
  return b;
}
