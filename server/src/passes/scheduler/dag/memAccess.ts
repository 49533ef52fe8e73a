/**
 * How a memory instruction forms its address: base operands, constant offset, width.
 *
 * Follows SIInstrInfo::getMemOperandsWithOffsetWidth, memOpsHaveSameBasePtr, shouldClusterMemOps and
 * areMemAccessesTriviallyDisjoint as docs/llvm/schedule-dag.md, 6.2, 9.3 and 9.4 describe them.
 */
import { OperandKind, type InstrId, type MachineFunction, type OperandId } from '../../../model/machineFunction.js';
import { sizeInBits } from '../../../model/llt.js';
import { McFlag } from '../../../target/api.js';
import { isLDSDMA } from '../../../target/opcodes.js';
import { encodingOf, Encoding } from './encoding.js';

export interface MemAccess {
  /** operand ids, registers or frame indexes */
  readonly base: readonly OperandId[];
  /** bytes */
  readonly offset: number;
  /** bytes; 0 = unknown */
  readonly widthBytes: number;
}

/** The opcodes with `_gfx9` are not among those that LLVM knows to count in 64 elements. */
const STRIDE64 = /^DS_(?:READ|WRITE)2ST64_B(?:32|64)$/;

/**
 * Null when the instruction does not decompose.
 * @llvm SIInstrInfo.cpp SIInstrInfo::getMemOperandsWithOffsetWidth
 */
export function decomposeMemAccess(fn: MachineFunction, i: InstrId): MemAccess | null {
  const t = fn.tables;
  const opc = fn.opcode[i];
  const flags = t.opcodeFlagsLo(opc);
  if ((flags & ((1 << McFlag.MayLoad) | (1 << McFlag.MayStore))) === 0) return null;
  const begin = fn.opBegin[i];
  const named = (name: string): OperandId => {
    const k = t.getNamedOperandIdx(opc, name);
    return k < 0 || begin + k >= fn.opBegin[i + 1] ? -1 : begin + k;
  };
  const immOf = (o: OperandId): number => (fn.opKind[o] === OperandKind.Immediate ? fn.imm(o) : 0);
  const bits = (o: OperandId): number => regBits(fn, o);
  switch (encodingOf(t, opc)) {
    case Encoding.DS: {
      const addr = named('addr');
      const offset = named('offset');
      if (offset >= 0) {
        if (addr < 0) return null;
        let data = named('vdst');
        if (data < 0) data = named('data0');
        if (data < 0) return null;
        return { base: [addr], offset: immOf(offset), widthBytes: bits(data) / 8 };
      }
      const o0 = immOf(named('offset0')) & 255;
      const o1 = immOf(named('offset1')) & 255;
      if (addr < 0 || o0 + 1 !== o1) return null;
      const isLoad = (flags & (1 << McFlag.MayLoad)) !== 0;
      const dst = named('vdst');
      const data0 = named('data0');
      let element = isLoad ? regBits(fn, begin) / 16 : data0 < 0 ? 0 : bits(data0) / 8;
      if (STRIDE64.test(t.opcodeName(opc))) element *= 64;
      const width = dst >= 0 ? bits(dst) / 8 : (bits(data0) + bits(named('data1'))) / 8;
      return { base: [addr], offset: element * o0, widthBytes: width };
    }
    case Encoding.MUBUF: {
      const srsrc = named('srsrc');
      if (srsrc < 0 || isLDSDMA(fn.tables, fn.opcode[i])) return null;
      const base = [srsrc];
      const vaddr = named('vaddr');
      if (vaddr >= 0 && fn.opKind[vaddr] !== OperandKind.FrameIndex) base.push(vaddr);
      let offset = immOf(named('offset'));
      const soffset = named('soffset');
      if (soffset >= 0) {
        if (fn.opKind[soffset] === OperandKind.Register) base.push(soffset);
        else offset += immOf(soffset);
      }
      const data = firstOf(named('vdst'), named('vdata'));
      return data < 0 ? null : { base, offset, widthBytes: bits(data) / 8 };
    }
    case Encoding.Image: {
      const rsrc = firstOf(named('srsrc'), named('rsrc'));
      if (rsrc < 0) return null;
      const base = [rsrc];
      const v0 = t.getNamedOperandIdx(opc, 'vaddr0');
      const rsrcIdx = rsrc - begin;
      if (v0 >= 0) for (let k = v0; k < rsrcIdx; k++) base.push(begin + k);
      else {
        const vaddr = named('vaddr');
        if (vaddr < 0) return null;
        base.push(vaddr);
      }
      const data = named('vdata');
      return data < 0 ? null : { base, offset: 0, widthBytes: bits(data) / 8 };
    }
    case Encoding.SMEM: {
      const sbase = named('sbase');
      if (sbase < 0) return null;
      const data = named('sdst');
      return data < 0 ? null : { base: [sbase], offset: immOf(named('offset')), widthBytes: bits(data) / 8 };
    }
    case Encoding.FLAT: {
      if (isLDSDMA(fn.tables, fn.opcode[i])) return null;
      const base: OperandId[] = [];
      const vaddr = named('vaddr');
      if (vaddr >= 0) base.push(vaddr);
      const saddr = named('saddr');
      if (saddr >= 0) base.push(saddr);
      const data = firstOf(named('vdst'), named('vdata'));
      return data < 0 ? null : { base, offset: immOf(named('offset')), widthBytes: bits(data) / 8 };
    }
    case Encoding.Other:
      return null;
  }
}

function firstOf(a: OperandId, b: OperandId): OperandId {
  return a >= 0 ? a : b;
}

/** Bits of a register operand, sub-register aware; 0 if it is none. */
function regBits(fn: MachineFunction, o: OperandId): number {
  if (o < 0 || fn.opKind[o] !== OperandKind.Register) return 0;
  const t = fn.tables;
  const sub = fn.opSub[o];
  if (sub !== 0) return t.subRegSize[sub];
  const reg = fn.opVal[o];
  const rc = reg < 0 ? fn.vregs.regClass[~reg] : reg > 0 ? t.getMinimalPhysRegClass(reg) : -1;
  return rc < 0 ? 0 : t.regClassBits[rc];
}

/**
 * MachineOperand::isIdenticalTo for the operands that can be a base.
 * @llvm MachineOperand.cpp MachineOperand::isIdenticalTo
 */
export function identicalOperands(fn: MachineFunction, a: OperandId, b: OperandId): boolean {
  if (a === b) return true;
  if (fn.opKind[a] !== fn.opKind[b] || fn.opVal[a] !== fn.opVal[b]) return false;
  if (fn.opKind[a] === OperandKind.Immediate) return fn.opExt[a] === fn.opExt[b];
  return fn.opSub[a] === fn.opSub[b];
}

/** What `singleMemSizeBytes` answers besides a number of bytes. */
const UNKNOWN_SIZE = -1;
const NOT_ONE = -2;

/** Bytes of the single memory operand of an instruction; UNKNOWN_SIZE, or another negative number when there is not exactly one. */
export function singleMemSizeBytes(fn: MachineFunction, i: InstrId): number {
  const mem = fn.memOperands[i];
  if (mem === null || mem === undefined || mem.length !== 1) return NOT_ONE;
  const type = mem[0].type;
  return type === null ? UNKNOWN_SIZE : Math.ceil(sizeInBits(type) / 8);
}

/**
 * Same base operands, offsets too far apart to overlap; sizes as `singleMemSizeBytes` tells them. Only the size of the lower
 * access counts.
 * @llvm SIInstrInfo.cpp SIInstrInfo::checkInstOffsetsDoNotOverlap
 */
export function offsetsDoNotOverlap(
  fn: MachineFunction,
  a: MemAccess | null,
  aBytes: number,
  b: MemAccess | null,
  bBytes: number,
): boolean {
  if (a === null || b === null || aBytes === NOT_ONE || bBytes === NOT_ONE) return false;
  if (a.base.length !== b.base.length) return false;
  for (let k = 0; k < a.base.length; k++) if (!identicalOperands(fn, a.base[k], b.base[k])) return false;
  const lowBytes = a.offset <= b.offset ? aBytes : bBytes;
  return lowBytes !== UNKNOWN_SIZE && Math.min(a.offset, b.offset) + lowBytes <= Math.max(a.offset, b.offset);
}
