/** Two scalar instructions that make the halves of a register and nothing else: one of 64 bits, where the processor has it. */
import { operandOf, regOperand, type FunctionEditor } from '../../model/edit/functionEditor.js';
import { InstrBuilder, NO_LOCATION } from '../../model/edit/instrBuilder.js';
import { OperandKind, OpFlag, type InstrId, type OperandId } from '../../model/machineFunction.js';
import { isVirtualReg, virtReg, type Reg } from '../../model/register.js';

/** By the opcodes of the low and the high half. */
const FUSED: Readonly<Record<string, string>> = {
  'S_AND_B32 S_AND_B32': 'S_AND_B64',
  'S_OR_B32 S_OR_B32': 'S_OR_B64',
  'S_XOR_B32 S_XOR_B32': 'S_XOR_B64',
  'S_XNOR_B32 S_XNOR_B32': 'S_XNOR_B64',
  'S_NOT_B32 S_NOT_B32': 'S_NOT_B64',
  'S_ADD_U32 S_ADDC_U32': 'S_ADD_U64',
  'S_SUB_U32 S_SUBB_U32': 'S_SUB_U64',
};

/** `vregs`: registers that have become scalar; sequences of two halves among them are looked at. */
export function fuseHalves(editor: FunctionEditor, vregs: readonly number[]): void {
  const { fn } = editor;
  const builder = new InstrBuilder(editor);
  const { tables, subtarget } = fn;
  const sequence = tables.opcodeByName('REG_SEQUENCE');
  const [low, high] = ['sub0', 'sub1'].map((name) => tables.subRegIndexByName(name));
  /** The instruction that makes operand `o`, whole and for this one reader; -1 if it is not like that. */
  const maker = (o: OperandId): InstrId => {
    const reg = fn.opVal[o];
    if (fn.opKind[o] !== OperandKind.Register || !isVirtualReg(reg) || fn.opSub[o] !== 0) return -1;
    const mentions = [...editor.operandsOf(reg)];
    const def = mentions.find((m) => editor.isDef(m));
    return mentions.length === 2 && def !== undefined ? editor.instrOf(def) : -1;
  };
  /** The register of which two operands read the halves; null if they do not. */
  const whole = (l: OperandId, h: OperandId): Reg | null => {
    if (fn.opKind[l] !== OperandKind.Register || fn.opKind[h] !== OperandKind.Register) return null;
    const reg = fn.opVal[l];
    const isPair = reg === fn.opVal[h] && isVirtualReg(reg) && fn.opSub[l] === low && fn.opSub[h] === high;
    return isPair && tables.regClassBits[fn.vregs.regClass[~reg]] === 64 ? reg : null;
  };
  for (const v of vregs) {
    const def = editor.instrOf(editor.firstOperand(virtReg(v)));
    const first = fn.opBegin[def];
    if (fn.opcode[def] !== sequence || fn.opBegin[def + 1] - first !== 5) continue;
    const isLowFirst = fn.opVal[first + 2] === low && fn.opVal[first + 4] === high;
    const [l, h] = [maker(first + 1), maker(first + 3)];
    if (!isLowFirst || l < 0 || h < 0 || fn.instrBlock[l] !== fn.instrBlock[h]) continue;
    const name = `${tables.opcodeName(fn.opcode[l])} ${tables.opcodeName(fn.opcode[h])}`;
    const opcode = Object.hasOwn(FUSED, name) ? tables.opcodeByName(FUSED[name]) : -1;
    if (opcode < 0 || subtarget.mcOpcode(opcode) < 0) continue;
    const nSources = name.startsWith('S_NOT') ? 1 : 2;
    const sources: Reg[] = [];
    for (let k = 1; k <= nSources; k++) {
      const reg = whole(fn.opBegin[l] + k, fn.opBegin[h] + k);
      if (reg !== null) sources.push(reg);
    }
    if (sources.length < nSources) continue;
    const [sccOfLow, sccOfHigh] = [sccOf(editor, l), sccOf(editor, h)];
    const isDead = (o: OperandId): boolean => (fn.opFlags[o] & OpFlag.Dead) !== 0;
    const isCarried = /^S_(?:ADD|SUB)_/.test(name) && editor.list.after(l) === h;
    if (!isDead(sccOfHigh) || !(isCarried || isDead(sccOfLow))) continue;
    // Where the high half stands: its sources are there, and SCC may be overwritten.
    const scc = operandOf(fn, sccOfHigh);
    const writes = tables.implicitDefs(opcode).length > 0;
    for (const reg of sources) for (const o of editor.operandsOf(reg)) fn.opFlags[o] &= ~OpFlag.Kill;
    builder.build(h, NO_LOCATION, opcode, [
      regOperand(virtReg(v), OpFlag.Def),
      ...sources.map((reg) => regOperand(reg)),
      ...(writes ? [scc] : []),
    ]);
    for (const old of [def, l, h]) editor.erase(old);
  }
}

/** The operand with which an instruction says that it overwrites SCC. */
function sccOf({ fn }: FunctionEditor, i: InstrId): OperandId {
  const scc = fn.tables.regByName('scc');
  let o = fn.opBegin[i];
  while (fn.opVal[o] !== scc || (fn.opFlags[o] & OpFlag.Def) === 0) o++;
  return o;
}
