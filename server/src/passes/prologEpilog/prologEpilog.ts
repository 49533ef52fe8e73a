/**
 * `prologepilog`: registers are saved, the frame is laid out, prologue and epilogue inserted, and operands that name a slot become addresses
 * (PrologEpilogInserter and SIFrameLowering, LLVM 22; docs/llvm/frame-lowering.md).
 */
import type { IRModule } from '../../ir/module.js';
import { operandOf, type FunctionEditor } from '../../model/edit/functionEditor.js';
import { OpFlag, OperandKind, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import type { ReservedRegs } from '../../analysis/reservedRegs.js';
import { findUnusedRegister } from '../../analysis/frame/usedRegisters.js';
import { keepReserved } from '../frozenRegisters.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { argAtRegister, atRegister, fragmentsOverlap } from '../debugInfo/expression.js';
import { isParameter } from '../debugInfo/scopes.js';
import { KEPT_REGISTERS } from '../regalloc/allocationPass.js';
import { reportUnsupported } from '../unsupported.js';
import { Frame, type FrameOptions } from './frame.js';
import { eliminateFrameIndex } from './frameIndexes.js';
import { isFrameFar, placeObjects, removeCallFrames } from './layout.js';
import { moveToOtherFile } from './otherFile.js';
import { emitEpilogue, emitPrologue } from './prologue.js';
import { saveRegisters } from './saves.js';
import { Scavenger } from './scavenger.js';

/** @llvm PrologEpilogInserter.cpp PEILegacy */
export const prologEpilogPass: MachinePass = {
  name: 'prologepilog',
  pipelineName: 'prolog-epilog',
  className: 'PrologEpilogInserterPass',
  title: 'Prologue/Epilogue Insertion & Frame Finalization',
  isRequired: true,
  requires: [],
  preserves: [],
  run(state) {
    const { options } = state.context;
    const editor = state.editor();
    editor.finish();
    const frameOptions: FrameOptions = {
      spillsSGPRsToVGPRs: options.get('amdgpu-spill-sgpr-to-vgpr') !== false,
      spillsVGPRsToAGPRs: options.get('amdgpu-spill-vgpr-to-agpr') !== false,
      physLanes: state.known(KEPT_REGISTERS)?.physLanes ?? 0,
      unsupported: (instr, message) => {
        reportUnsupported(state, instr, message);
      },
    };
    const lowering = new Lowering(editor, frameOptions, state.context.ir);
    lowering.run();
    keepReserved(state, lowering.reserved);
  },
};

/** What a frame is aligned to without being realigned. */
const STACK_ALIGN = 16;

/** @llvm PrologEpilogInserter.cpp PEIImpl */
class Lowering {
  private readonly frame: Frame;
  private readonly fn: MachineFunction;

  constructor(
    private readonly editor: FunctionEditor,
    private readonly options: FrameOptions,
    private readonly ir: IRModule | null,
  ) {
    this.frame = new Frame(editor, options, ir);
    this.fn = editor.fn;
  }

  get reserved(): ReservedRegs {
    return this.frame.reserved;
  }

  /** @llvm PrologEpilogInserter.cpp PEIImpl::run */
  run(): void {
    const { frame, fn } = this;
    if (fn.blocks.length === 0) return;
    this.refuse();
    const scavenger = this.needsScavenger() ? this.newScavenger() : null;
    removeCallFrames(frame);
    const returns: BlockId[] = [];
    for (let b = 0; b < fn.blocks.length; b++) if (frame.isReturnBlock(b)) returns.push(b);
    const debugValues = this.takeEntryDebugValues();
    const slots = saveRegisters(frame, [0], returns);
    this.beforeFinalized(scavenger);
    placeObjects(frame, slots, scavenger);
    if (!frame.isNaked) {
      emitPrologue(frame, 0);
      for (const b of returns) emitEpilogue(frame, b);
    }
    for (const make of debugValues) make();
    this.beforeReplaced();
    this.replaceSlots(scavenger ?? this.newScavenger());
    fn.header.frameInfo.savePoint = [];
    fn.header.frameInfo.restorePoint = [];
  }

  private newScavenger(): Scavenger {
    const { frame } = this;
    return new Scavenger(frame, (i, k, scavenger) => eliminateFrameIndex(frame, i, k, scavenger));
  }

  private refuse(): void {
    const { frame } = this;
    const { attributes } = this.fn.header.irFunction;
    if (frame.isChain && this.fn.subtarget.release.rules.chainsHaveFrames) {
      const { hasCalls, maxAlignment } = frame.frame;
      if (hasCalls || maxAlignment > STACK_ALIGN || frame.hasFP)
        throw new NotModelled('the frame pointer of a function that another has given way to');
    }
    const zeroes = attributes.get('zero-call-used-regs');
    if (zeroes !== undefined && zeroes !== 'skip') throw new NotModelled('zero-call-used-regs in prologepilog');
    if (this.fn.vregs.n > 0) {
      const used = Array.from({ length: this.fn.vregs.n }, (_, v) => v).some((v) => this.editor.firstOperand(~v) >= 0);
      if (used) throw new NotModelled('virtual registers in prologepilog');
    }
  }

  /** @llvm SIRegisterInfo.cpp SIRegisterInfo::requiresRegisterScavenging */
  private needsScavenger(): boolean {
    const { frame } = this;
    if (!frame.isEntry) return true;
    return frame.fixedStack.length > 0 || frame.stack.length > 0 || frame.frame.hasCalls;
  }

  /**
   * Debug values of parameters stay at the beginning, except those in slots, which are nowhere before there is a frame; what puts them back.
   * @llvm PrologEpilogInserter.cpp stashEntryDbgValues
   */
  private takeEntryDebugValues(): (() => void)[] {
    const { frame, fn, editor } = this;
    const taken: InstrId[] = [];
    const inSlots: { readonly variable: string; readonly expression: string }[] = [];
    const values = opcodeSet(frame.tables, 'debugValue');
    for (let i = editor.list.first(0); i >= 0 && frame.isDebugInstr(i); i = editor.list.after(i)) {
      if (!values.has(fn.opcode[i])) continue;
      const isList = fn.tables.opcodeName(fn.opcode[i]) === 'DBG_VALUE_LIST';
      const at = fn.opBegin[i] + (isList ? 0 : 2);
      if (fn.opKind[at] !== OperandKind.Metadata || fn.opKind[at + 1] !== OperandKind.Metadata) continue;
      const variable = fn.payload(at, OperandKind.Metadata);
      if (!isParameter(this.ir, variable)) continue;
      const value = {
        variable: `${variable.text} ${variable.node}`,
        expression: fn.payload(at + 1, OperandKind.Metadata).text,
      };
      if (this.namesSlot(i)) inSlots.push(value);
      else if (!inSlots.some((o) => o.variable === value.variable && fragmentsOverlap(o.expression, value.expression)))
        taken.push(i);
    }
    for (const i of taken) editor.erase(i);
    if (taken.length === 0) return [];
    return [
      () => {
        const at = editor.list.first(0);
        for (const i of taken) editor.insertCopy(at, 0, i);
      },
    ];
  }

  private namesSlot(i: InstrId): boolean {
    const { fn } = this;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) if (fn.opKind[o] === OperandKind.FrameIndex) return true;
    return false;
  }

  /** @llvm SIFrameLowering.cpp SIFrameLowering::processFunctionBeforeFrameFinalized */
  private beforeFinalized(scavenger: Scavenger | null): void {
    const { frame } = this;
    if (frame.st.hasMAIInsts && frame.info.hasSpilledVGPRs && this.options.spillsVGPRsToAGPRs)
      moveToOtherFile(frame, scavenger ?? this.newScavenger());
    let hasScalars = false;
    const own = new Set(frame.scalarSaves.map(([, save]) => (save.kind === 'copy' ? -1 : save.slot)));
    frame.stack.forEach((o, slot) => {
      if (o.stackId !== 'sgpr-spill' || own.has(slot)) return;
      frame.change(slot, { stackId: 'default' });
      hasScalars = true;
    });
    for (const [slot, other] of frame.otherFile) if (other.isDead) frame.remove(slot);
    if (frame.isEmpty || scavenger === null) return;
    scavenger.addSlot(frame.scavengeSlot());
    if (hasScalars && isFrameFar(frame)) scavenger.addSlot(frame.createObject(4, 4, 'spill-slot'));
  }

  /** @llvm SIFrameLowering.cpp SIFrameLowering::processFunctionBeforeFrameIndicesReplaced */
  private beforeReplaced(): void {
    const { frame } = this;
    const { info, st } = frame;
    if (st.hasMAIInsts && !st.hasGFX90AInsts) {
      const free = findUnusedRegister(frame, frame.classNamed('vgpr_32'));
      if (free > 0 && frame.facts.hardwareIndex(free) < frame.facts.hardwareIndex(info.vgprForAGPRCopy)) {
        info.vgprForAGPRCopy = free;
        frame.reserve(free);
      }
    }
    const pair = findUnusedRegister(frame, frame.classNamed('sgpr_64'));
    if (info.longBranchReservedReg <= 0 || pair === 0) return;
    info.longBranchReservedReg = pair;
    frame.reserve(pair);
  }

  /** @llvm PrologEpilogInserter.cpp PEIImpl::replaceFrameIndicesBackward */
  private replaceSlots(scavenger: Scavenger): void {
    const { frame, fn, editor } = this;
    const { list } = editor;
    for (let b = 0; b < fn.blocks.length; b++) {
      scavenger.enterEnd(b);
      let at: number = ~b;
      for (let i = list.before(at); i >= 0; i = list.before(at)) {
        scavenger.backward(at);
        let own = i;
        for (let k = 0; own >= 0 && k < fn.numOperands(own); k++)
          if (fn.opKind[fn.opBegin[own] + k] === OperandKind.FrameIndex && !this.replaceInDebugInstr(own, k))
            own = eliminateFrameIndex(frame, own, k, scavenger);
        if (own >= 0) at = own;
      }
    }
  }

  /** @llvm PrologEpilogInserter.cpp PEIImpl::replaceFrameIndexDebugInstr */
  private replaceInDebugInstr(i: InstrId, k: number): boolean {
    const { frame, fn, editor } = this;
    if (!opcodeSet(frame.tables, 'debugInstr').has(fn.opcode[i])) return false;
    const name = frame.tables.opcodeName(fn.opcode[i]);
    if (name === 'DBG_PHI') return true;
    const o = fn.opBegin[i] + k;
    const slot = fn.opVal[o];
    const [bytes, size] = [frame.offsetOf(slot), frame.sizeOf(slot)];
    editor.setOperand(o, { kind: OperandKind.Register, flags: OpFlag.Debug, val: frame.ownFrameRegister });
    const isList = name === 'DBG_VALUE_LIST';
    const at = fn.opBegin[i] + (isList ? 1 : 3);
    if (fn.opKind[at] !== OperandKind.Metadata) return true;
    const { text } = fn.payload(at, OperandKind.Metadata);
    const isIndirect = !isList && operandOf(fn, fn.opBegin[i] + 1).kind === OperandKind.Immediate;
    const now = isList
      ? { expression: argAtRegister(text, k - 2, bytes), isIndirect }
      : atRegister(text, bytes, size, isIndirect);
    if (now.isIndirect !== isIndirect) editor.setOperand(fn.opBegin[i] + 1, { kind: OperandKind.Register, val: 0 });
    const payload = { kind: OperandKind.Metadata, text: now.expression, node: -1 } as const;
    editor.setOperand(at, { kind: OperandKind.Metadata, val: fn.addPayload(payload) });
    return true;
  }
}
