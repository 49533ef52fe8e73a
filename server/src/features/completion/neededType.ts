/** What a register that is read and not yet written has to be, found out from its readers. */
import { pointerBits, scalarLLT, type LLT } from '../../model/llt.js';
import { OperandKind, OpFlag, type MachineFunction } from '../../model/machineFunction.js';
import { isVirtualReg, virtReg } from '../../model/register.js';
import { OperandType } from '../../target/index.js';
import { classOfName } from '../fixes/askedClass.js';
import { typeText } from '../words/registerNames.js';

/** What is known without the readers. */
export interface Usual {
  /** of generic registers, -1 = none */
  readonly bank: number;
  /** of what is written, 0 = not known */
  readonly bits: number;
}

/** `vgpr_32`, `vgpr(s32)`; empty where the readers do not say. O(operands) */
export function neededType(fn: MachineFunction, name: string, isNamed: boolean, { bank, bits }: Usual): string {
  const { vregs } = fn;
  for (let v = 0; v < vregs.n; v++) {
    const is = isNamed ? vregs.name[v] === name : vregs.name[v] === null && vregs.sourceNumber[v] === Number(name);
    if (!is) continue;
    const like = genericLike(fn, v, bits);
    if (like === null) continue;
    const type = like.type ?? (bits > 0 ? scalarLLT(bits) : null);
    const isMask = type?.kind === 'scalar' && type.bits === 1;
    const usual = bank >= 0 && isMask ? fn.tables.regBankByName('vcc') : bank;
    if (type !== null) return typeText(fn, { regClass: -1, bank: like.bank < 0 ? usual : like.bank, type });
  }
  return classOfName(fn, name, isNamed) ?? '';
}

/** Operands that are a bit for each value or lane, whatever their type number is. */
export const isCondition = (name: string, k: number): boolean =>
  (name === 'G_SELECT' && k === 1) || (name === 'G_BRCOND' && k === 0);

/** The address of a generic load, store or atomic. */
const POINTER = /^G_(?:(?:SEXT|ZEXT|FPEXT)?LOAD|STORE|ATOMIC\w*|AMDGPU_ATOMIC\w*)$/;

/** The address space of LDS. */
const LOCAL = 3;

/** How wide an operand is as a share of the result, if nobody says it. */
const RESIZED: ReadonlyMap<string, number> = new Map([
  ['G_ANYEXT', 0.5],
  ['G_SEXT', 0.5],
  ['G_ZEXT', 0.5],
  ['G_FPEXT', 0.5],
  ['G_TRUNC', 2],
  ['G_FPTRUNC', 2],
]);

/** Type and bank that generic readers want, the type null where none says it; null without such readers. */
function genericLike(
  fn: MachineFunction,
  v: number,
  bits: number,
): { readonly type: LLT | null; readonly bank: number } | null {
  let isGeneric = false;
  const { tables, vregs } = fn;
  const reg = virtReg(v);
  const loose = [tables.opcodeByName('COPY'), tables.opcodeByName('PHI'), tables.opcodeByName('G_PHI')];
  for (let i = 0; i < fn.nInstrs; i++) {
    const begin = fn.opBegin[i]!;
    const end = fn.opBegin[i + 1]!;
    const opc = fn.opcode[i]!;
    const typeOf = (o: number): number => {
      if (o - begin >= tables.opcodeNumOperands(opc)) return loose.includes(opc) ? OperandType.FirstGeneric : -1;
      const type = tables.opInfoType[tables.opInfoBegin(opc) + o - begin]!;
      if (OperandType.FirstGeneric <= type && type <= OperandType.LastGeneric) return type;
      return loose.includes(opc) ? OperandType.FirstGeneric : -1;
    };
    for (let o = begin; o < end; o++) {
      if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] !== reg || (fn.opFlags[o]! & OpFlag.Implicit) !== 0)
        continue;
      const own = typeOf(o);
      if (own >= 0 && !loose.includes(opc)) isGeneric = true;
      const factor = o === begin + 1 ? RESIZED.get(tables.opcodeName(opc)) : undefined;
      if (factor !== undefined) {
        const result = fn.opVal[begin]!;
        const wide = isVirtualReg(result) ? (vregs.type[~result] ?? null) : null;
        if (wide !== null && 1 < wide.bits) return { type: { ...wide, bits: wide.bits * factor }, bank: -1 };
      }
      if (isCondition(tables.opcodeName(opc), o - begin)) return { type: scalarLLT(1), bank: -1 };
      if (o === begin + 2 && tables.opcodeName(opc) === 'G_PTR_ADD') {
        const result = fn.opVal[begin]!;
        const pointer = isVirtualReg(result) ? (vregs.type[~result] ?? null) : null;
        if (pointer !== null) return { type: scalarLLT(pointer.bits), bank: -1 };
      }
      if (o === begin + 1 && /^G_(?:PTRTOINT|ADDRSPACE_CAST)$/.test(tables.opcodeName(opc)) && bits > 0) {
        // Of the pointers of that size the usual one.
        const addressSpace = bits === pointerBits(0) ? 0 : LOCAL;
        return { type: { ...scalarLLT(bits), kind: 'pointer', addressSpace }, bank: -1 };
      }
      if (own >= 0 && o === begin + 1 && POINTER.test(tables.opcodeName(opc))) {
        const addressSpace = fn.memOperands[i]?.[0]?.addressSpace ?? 0;
        return { type: { ...scalarLLT(pointerBits(addressSpace)), kind: 'pointer', addressSpace }, bank: -1 };
      }
      for (let other = begin; own >= 0 && other < end; other++) {
        const is = fn.opKind[other] === OperandKind.Register ? fn.opVal[other]! : 0;
        if (other === o || !isVirtualReg(is) || fn.opSub[other] !== 0 || typeOf(other) !== own) continue;
        const type = vregs.type[~is] ?? null;
        if (type !== null && vregs.regClass[~is]! < 0) return { type, bank: vregs.bank[~is]! };
      }
    }
  }
  return isGeneric ? { type: null, bank: -1 } : null;
}
