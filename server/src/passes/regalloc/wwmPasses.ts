/** What stands around the whole-wave run: registers taken in advance, lowered copies, reservations (docs/llvm/allocation-pipeline.md, 3). */
import { OpFlag, OperandKind, type InstrId } from '../../model/machineFunction.js';
import { isVirtualReg, virtReg } from '../../model/register.js';
import { Interference, LiveRegMatrix } from './matrix.js';
import { NotModelled, type AllocState } from './state.js';
import { isPhysRegUsed } from './usedRegisters.js';

/** si-pre-allocate-wwm-regs: values defined in strict whole-wave regions get registers that nobody else has. */
export function preAllocateWWMRegs(state: AllocState): void {
  const { fn, editor, tables, lis, info } = state;
  const enters = new Set(['ENTER_STRICT_WWM', 'ENTER_STRICT_WQM'].map((n) => tables.opcodeByName(n)));
  const exits = new Set(['EXIT_STRICT_WWM', 'EXIT_STRICT_WQM'].map((n) => tables.opcodeByName(n)));
  const found: number[] = [];
  let matrix: LiveRegMatrix | null = null;
  for (const b of reversePostOrder(state)) {
    let isInside = false;
    for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
      if (enters.has(fn.opcode[i])) isInside = true;
      else if (exits.has(fn.opcode[i])) isInside = false;
      if (!isInside) continue;
      for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
        if (fn.opKind[o] !== OperandKind.Register || !editor.isDef(o) || !isVirtualReg(fn.opVal[o])) continue;
        const v = ~fn.opVal[o];
        if (!tables.hasVGPRs(fn.vregs.regClass[v]) || state.physOf(v) !== 0) continue;
        if (matrix === null) {
          state.newMap();
          state.freezeReserved();
          matrix = new LiveRegMatrix(state);
        }
        matrix.invalidate();
        let chosen = 0;
        for (const reg of state.order(fn.vregs.regClass[v])) {
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
  for (const v of new Set(found)) {
    const reg = state.physOf(v);
    for (const o of [...editor.operandsOf(virtReg(v))]) {
      const part = state.part(reg, fn.opSub[o]);
      fn.opSub[o] = 0;
      editor.setReg(o, part);
    }
    lis.remove(v);
    state.units.forgetReg(reg);
    if (!reservedNow.includes(reg)) reservedNow.push(reg);
  }
  info.wwmReservedRegs = reservedNow;
  state.newMap();
  state.freezeReserved();
}

function reversePostOrder({ fn }: AllocState): number[] {
  const seen = new Uint8Array(fn.blocks.length);
  const next = new Int32Array(fn.blocks.length);
  const post: number[] = [];
  const stack = [0];
  seen[0] = 1;
  while (stack.length > 0) {
    const b = stack[stack.length - 1];
    const { successors } = fn.blocks[b];
    if (next[b] < successors.length) {
      const s = successors[next[b]++];
      if (seen[s] === 0) {
        seen[s] = 1;
        stack.push(s);
      }
    } else post.push(stack.pop()!);
  }
  return post.reverse();
}

/** si-lower-wwm-copies: a whole-wave copy becomes a copy with all lanes switched on. */
export function lowerWWMCopies(state: AllocState): void {
  const { fn, editor, opcodes } = state;
  for (let b = 0; b < fn.blocks.length; b++)
    for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i))
      if (fn.opcode[i] === opcodes.wwmCopy) throw new NotModelled('copies of whole-wave registers');
}

/** amdgpu-reserve-wwm-regs: registers with lanes of spilled SGPRs are reserved from here on. */
export function reserveWWMRegs(state: AllocState): void {
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
  state.perLaneMask = [];
}
