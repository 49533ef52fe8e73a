/** What stands around the whole-wave run: registers taken in advance, lowered copies, reservations (docs/llvm/allocation-pipeline.md, 3). */
import { reversePostOrder } from '../../util/reversePostOrder.js';
import type { NewOperand } from '../../model/edit/functionEditor.js';
import { BundleFlag, OpFlag, OperandKind, type InstrId, type OperandId } from '../../model/machineFunction.js';
import { isVirtualReg, virtReg } from '../../model/register.js';
import { Interference, LiveRegMatrix } from './matrix.js';
import type { PhysReg } from '../../target/api.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { createSpillSlot } from '../../analysis/frame/spillCode.js';
import { NotModelled } from '../machinePass.js';
import type { AllocState } from './state.js';
import { isPhysRegUsed } from '../../analysis/frame/usedRegisters.js';
import { allocationPass } from './allocationPass.js';

/**
 * si-pre-allocate-wwm-regs: values defined in strict whole-wave regions get registers that nobody else has.
 * @llvm SIPreAllocateWWMRegs.cpp SIPreAllocateWWMRegs::run
 */
function preAllocateWWMRegs(state: AllocState): void {
  const { fn, editor, tables, lis, info } = state;
  const write = tables.opcodeByName('SI_SPILL_S32_TO_VGPR');
  const takesLanes =
    state.options.preallocatesLanes || state.header.irFunction.attributes.has('amdgpu-prealloc-sgpr-spill-vgprs');
  const enters = opcodeSet(tables, 'enterWholeWave');
  const exits = opcodeSet(tables, 'exitWholeWave');
  const found: number[] = [];
  let matrix: LiveRegMatrix | null = null;
  for (const b of reversePostOrder(fn.blocks)) {
    let isInside = false;
    for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
      const opcode = fn.opcode[i];
      const isLane = opcode === write;
      if (enters.has(opcode) || exits.has(opcode)) {
        isInside = enters.has(opcode);
        continue;
      }
      if (isLane ? !takesLanes : !isInside) continue;
      // Its results proper: they stand first.
      for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1] && isResult(state, o); o++) {
        if (!isVirtualReg(fn.opVal[o])) continue;
        const v = ~fn.opVal[o];
        const rc = fn.vregs.regClass[v];
        const isVGPR = tables.hasVGPRs(rc) && !tables.hasAGPRs(rc) && !tables.hasSGPRs(rc);
        if (!isVGPR || state.map.physOf(v) !== 0) continue;
        matrix ??= state.map.matrix ?? newMatrix(state);
        matrix.invalidate();
        let chosen = 0;
        // llc takes it for granted that there is one and looks at no end: -stress-regalloc leaves the whole order after the registers that it allows.
        for (const reg of state.reserved.allocationOrder(rc)) {
          if (isPhysRegUsed(state, reg, false) || matrix.check(v, reg) !== Interference.Free) continue;
          chosen = reg;
          break;
        }
        if (chosen === 0) throw new NotModelled('no register is left for a whole-wave value');
        matrix.assign(v, chosen);
        found.push(v);
      }
    }
  }
  if (found.length === 0) return;
  const reservedNow = [...info.wwmReservedRegs];
  const regOf = new Map(found.map((v) => [v, state.map.physOf(v)]));
  for (const [v, reg] of regOf) {
    for (const o of [...editor.operandsOf(virtReg(v))]) {
      // Members of a bundle are not looked at: there it stays virtual until the next rewriter, and lives from the entry.
      if ((fn.bundle[editor.instrOf(o)] & BundleFlag.BundledPred) !== 0) continue;
      const part = state.part(reg, fn.opSub[o]);
      fn.opSub[o] = 0;
      editor.setReg(o, part);
    }
    lis.remove(v);
    state.units.forgetReg(reg);
    if (!reservedNow.includes(reg)) reservedNow.push(reg);
  }
  info.wwmReservedRegs = reservedNow;
  if (state.map.matrix === null) state.map.init(fn.vregs.n);
  for (const [v, reg] of regOf) {
    if (editor.isUnused(virtReg(v))) continue;
    state.map.matrix ??= new LiveRegMatrix(state);
    state.map.phys[v] = reg;
  }
  state.freezeReserved();
}

/** Where nothing is assigned. */
function newMatrix(state: AllocState): LiveRegMatrix {
  state.map.init(state.fn.vregs.n);
  return new LiveRegMatrix(state);
}

function isResult({ fn }: AllocState, o: OperandId): boolean {
  if (fn.opKind[o] !== OperandKind.Register) return false;
  return (fn.opFlags[o] & (OpFlag.Def | OpFlag.Implicit)) === OpFlag.Def;
}

/**
 * si-lower-wwm-copies: a whole-wave copy becomes a copy with all lanes switched on.
 * @llvm SILowerWWMCopies.cpp SILowerWWMCopies::run
 */
function lowerWWMCopies(state: AllocState): void {
  const { fn, editor, opcodes } = state;
  const saved = new Set<PhysReg>();
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let i = editor.list.first(b); i >= 0;) {
      const next = editor.list.after(i);
      if (fn.opcode[i] === opcodes.wwmCopy) lowerWWMCopy(state, i, saved);
      i = next;
    }
  }
}

/** @llvm SILowerWWMCopies.cpp SILowerWWMCopies::run */
function lowerWWMCopy(state: AllocState, i: InstrId, saved: Set<PhysReg>): void {
  const { fn, editor, tables, lis, opcodes, info, slots, units } = state;
  const bits = fn.subtarget.wavefrontSize;
  const exec = tables.regByName(bits === 32 ? 'exec_lo' : 'exec');
  // The opcode names it whole in waves of 32, too.
  const whole = tables.regByName('exec');
  const scc = tables.regByName('scc');
  const copy = info.sgprForEXECCopy;
  const reg = (val: number, flags = 0): NewOperand => ({ kind: OperandKind.Register, flags, val });
  const allLanes: NewOperand = { kind: OperandKind.Immediate, val: -1, ext: -1 };
  const mov = tables.opcodeByName(`S_MOV_B${bits}`);
  const isSccLive = units.of(tables.unitList[tables.unitBegin[scc]]).isLiveAt(slots.ofInstr(i));
  if (isSccLive) {
    lis.insert(i, mov, [reg(copy, OpFlag.Def), reg(exec, OpFlag.Kill)]);
    lis.insert(i, mov, [reg(exec, OpFlag.Def), allLanes]);
  } else {
    lis.insert(i, tables.opcodeByName(`S_OR_SAVEEXEC_B${bits}`), [
      reg(copy, OpFlag.Def),
      allLanes,
      reg(whole, OpFlag.Def | OpFlag.Implicit),
      reg(scc, OpFlag.Def | OpFlag.Implicit | OpFlag.Dead),
      reg(whole, OpFlag.Implicit),
    ]);
  }
  lis.insert(editor.list.after(i), mov, [reg(exec, OpFlag.Def), reg(copy, OpFlag.Kill)]);
  const to = fn.opVal[fn.opBegin[i]];
  if (isVirtualReg(to)) keepForPrologue(state, state.map.physOf(~to), saved);
  fn.opcode[i] = opcodes.copy;
}

/** Functions save whole-wave registers that they write: a place on the stack for each. */
function keepForPrologue(state: AllocState, reg: PhysReg, saved: Set<PhysReg>): void {
  const { info, frame, tables } = state;
  if (info.isEntryFunction || reg === 0 || saved.has(reg)) return;
  const isScratch = /^vgpr[0-7]$/.test(tables.regName(reg));
  if (info.isChainFunction && (isScratch || !frame.hasTailCall)) return;
  saved.add(reg);
  createSpillSlot(state, 4, 4);
}

/**
 * amdgpu-reserve-wwm-regs: registers with lanes of spilled SGPRs are reserved from here on.
 * @llvm AMDGPUReserveWWMRegs.cpp AMDGPUReserveWWMRegs::run
 */
function reserveWWMRegs(state: AllocState): void {
  const { fn, editor, tables, info } = state;
  const write = tables.opcodeByName('SI_SPILL_S32_TO_VGPR');
  const read = tables.opcodeByName('SI_RESTORE_S32_FROM_VGPR');
  const found = [...info.wwmReservedRegs];
  const note = (i: InstrId, k: number): void => {
    const reg = fn.opVal[fn.opBegin[i] + k];
    if (!found.includes(reg)) found.push(reg);
  };
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
      if (fn.opcode[i] === write) note(i, 0);
      else if (fn.opcode[i] === read) note(i, 1);
    }
  }
  info.wwmReservedRegs = found;
  for (const reg of found) for (const o of editor.operandsOf(reg)) fn.opFlags[o] &= ~OpFlag.Renamable;
  state.kept.perLaneMask = [];
}

/** @llvm SIPreAllocateWWMRegs.cpp SIPreAllocateWWMRegsLegacy */
export const preAllocateWWMRegsPass = allocationPass({
  name: 'si-pre-allocate-wwm-regs',
  pipelineName: 'si-pre-allocate-wwm-regs',
  className: 'SIPreAllocateWWMRegsPass',
  title: 'SI Pre-allocate WWM Registers',
  work: preAllocateWWMRegs,
});

/** @llvm SILowerWWMCopies.cpp SILowerWWMCopiesLegacy */
export const lowerWWMCopiesPass = allocationPass({
  name: 'si-lower-wwm-copies',
  pipelineName: 'si-lower-wwm-copies',
  className: 'SILowerWWMCopiesPass',
  title: 'SI Lower WWM Copies',
  isWithoutIntervals: 'nothing',
  work: lowerWWMCopies,
});

/** @llvm AMDGPUReserveWWMRegs.cpp AMDGPUReserveWWMRegsLegacy */
export const reserveWWMRegsPass = allocationPass({
  name: 'amdgpu-reserve-wwm-regs',
  pipelineName: 'amdgpu-reserve-wwm-regs',
  className: 'AMDGPUReserveWWMRegsPass',
  title: 'AMDGPU Reserve WWM Registers',
  isWithoutIntervals: 'nothing',
  isRequired: true,
  work: reserveWWMRegs,
});
