/** Which scalar registers are lane masks, against the definition applied to all instructions until nothing changes. */
import assert from 'node:assert/strict';
import { findLaneMasks } from '../../../server/src/analysis/uniformity/laneMasks.js';
import { computeUniformity } from '../../../server/src/analysis/uniformity/uniformity.js';
import { OperandKind, OpFlag, type MachineFunction } from '../../../server/src/model/machineFunction.js';
import { lowerMir, mirFunction } from '../../support/mir.js';
import { randomSource } from '../../support/random.js';

const SCC = 'implicit-def dead $scc';
const EXEC = 'implicit $exec';
const SAVES = `implicit-def $exec, ${SCC}, ${EXEC}`;

/** `=m` defines a register that is as wide as the wave, `m` reads one; s and `=s` others, v vectors, b booleans with type and bank. */
const LINES = [
  '=m = COPY m', '=m = COPY m', '=m = COPY s', '=s = COPY m', '=m = COPY $EXEC', '=m = COPY $VCC', '=m = COPY $SGPRS', '$VCC = COPY m', '$SGPRS = COPY m',
  `=m = S_AND m, m, ${SCC}`, `=m = S_OR m, $EXEC, ${SCC}`, `=m = S_XOR m, -1, ${SCC}`, `=m = S_ANDN2 $EXEC, m, ${SCC}`, `=m = S_ORN2 m, m, ${SCC}`,
  `=m = S_NAND m, m, ${SCC}`, `=m = S_NOR m, m, ${SCC}`, `=m = S_XNOR m, m, ${SCC}`, `=m = S_NOT m, ${SCC}`, `=m = S_WQM m, ${SCC}`,
  `=m = S_ADD m, m, ${SCC}`, `=m = S_LSHL m, 1, ${SCC}`, `=m = S_CSELECT m, m, implicit $scc`, `=m = S_CSELECT -1, m, implicit $scc`,
  '=m = S_MOV m', '=m = S_MOV -1', '=m = S_CMOV m, implicit $scc', '$EXEC = S_MOV m', '$EXEC = S_MOV_term m', '=m = S_MOV_term m',
  `$EXEC = S_AND $EXEC, m, ${SCC}`, `$EXEC = S_AND_term $EXEC, m, ${SCC}`, `=m = S_AND_SAVEEXEC m, ${SAVES}`, `=m = S_OR_SAVEEXEC m, ${SAVES}`,
  `=m = S_AND_SAVEEXEC_term $VCC, ${SAVES}`, `=m = V_CMP_EQ_U32_e64 v, v, ${EXEC}`, `=v = V_CNDMASK_B32_e64 0, v, 0, v, m, ${EXEC}`,
  `=v, =m = V_ADD_CO_U32_e64 v, v, 0, ${EXEC}`, `=v, =m = V_ADDC_U32_e64 v, v, m, 0, ${EXEC}`, `=m = SI_IF_BREAK m, m, ${SCC}`,
  `SI_END_CF m, ${SAVES}`, '=s = S_MOV_B32 0', `=v = V_MOV_B32_e32 0, ${EXEC}`, '=b = COPY b', '=b = COPY m', '=m = COPY b', `S_NOP 0, implicit m`,
  '=m = IMPLICIT_DEF', '=m = IMPLICIT_DEF', '=s = IMPLICIT_DEF', '=v = IMPLICIT_DEF', '=b = IMPLICIT_DEF', `=m = COPY m, implicit m`, 'DBG_VALUE m, $noreg',
]; // prettier-ignore
const LOGIC = /^S_(?:AND|OR|XOR|ANDN2|ORN2|NAND|NOR|XNOR|NOT|CSELECT|WQM)_B(?:32|64)(?:_term)?$/;
const MOVE = /^(?:COPY|PHI|S_C?MOV_B(?:32|64)(?:_term)?)$/;

function randomText(seed: number, isWide: boolean): string {
  const below = randomSource(seed);
  const bits = isWide ? 64 : 32;
  const classes: Readonly<Record<string, readonly string[]>> = {
    m: isWide ? ['sreg_64', 'sreg_64_xexec', 'sgpr_64'] : ['sreg_32', 'sreg_32_xm0_xexec', 'sgpr_32'],
    s: isWide ? ['sreg_32', 'sgpr_128'] : ['sreg_64', 'sgpr_96'],
    v: ['vgpr_32'],
    b: ['vcc(s1)', 'sgpr(s1)', `sreg_${bits}(s1)`, '_(s1)', 'vgpr(s1)', `sreg_${bits}(s32)`, '_(s32)', 'vgpr_32(s1)', 'vcc(s32)'],
  }; // prettier-ignore
  const made: Record<string, string[]> = { m: [], s: [], v: [], b: [] };
  let next = 0;
  const text = (pattern: string): string =>
    pattern
      .replace(/S_(\w+?)(_term)?(?= )/, (word, op: string, term: string | undefined) =>
        /^(?:NOP|MOV_B32)/.test(op)
          ? word
          : `S_${op === 'ADD' ? (isWide ? 'ADD_U64_PSEUDO' : 'ADD_I32') : `${op}_B${bits}`}${term ?? ''}`,
      )
      .replaceAll('$EXEC', isWide ? '$exec' : '$exec_lo')
      .replaceAll('$VCC', isWide ? '$vcc' : '$vcc_lo')
      .replace('$SGPRS', isWide ? '$sgpr4_sgpr5' : '$sgpr4')
      .replace(/(=?)\b([msvb])\b(?!\$)/g, (_, isDef: string, kind: string) => {
        const known = made[kind]!;
        if (isDef === '') return known.length === 0 ? '$noreg' : known[below(known.length)]!;
        const name = `%${next++}`;
        fresh.push([kind, name]);
        return `${name}:${classes[kind]![below(classes[kind]!.length)]}`;
      });
  const fresh: [kind: string, name: string][] = [];
  const block = (count: number): string => {
    const lines: string[] = [];
    for (let k = 0; k < count; k++) {
      lines.push(`    ${text(LINES[below(LINES.length)]!)}\n`);
      for (const [kind, name] of fresh.splice(0)) made[kind]!.push(name);
    }
    return lines.join('');
  };
  const first = block(30);
  const phi = (): string => `    %${next++}:${classes.m![0]} = PHI ${made.m!.at(-1)}, %bb.0, %${next + 3}, %bb.1\n`;
  if (made.m!.length === 0) return randomText(seed + 1000, isWide);
  const phis = phi() + phi();
  made.m!.push(`%${next - 1}`, `%${next - 2}`);
  return mirFunction(
    'f',
    `\n  bb.0:\n    successors: %bb.1\n${first}\n  bb.1:\n    successors: %bb.1\n${phis}${block(25)}`,
  );
}

/** The definition, applied until nothing changes. */
function masksOf(fn: MachineFunction): Uint8Array {
  const { tables, vregs } = fn;
  const isWide = fn.subtarget.wavefrontSize === 64;
  const lanes = (isWide ? ['exec', 'vcc'] : ['exec_lo', 'vcc_lo']).map((n) => tables.regByName(n));
  const isMask = new Uint8Array(vregs.n);
  const bankOf = (v: number): string => (vregs.bank[v]! < 0 ? '' : tables.regBankName(vregs.bank[v]!).toLowerCase());
  const canHold = (v: number): boolean => {
    if (bankOf(v) !== '') return bankOf(v) === 'vcc';
    const rc = vregs.regClass[v]!;
    return rc >= 0 && /^(?:SReg|SGPR)_/.test(tables.regClassName(rc)) && tables.regClassBits[rc] === (isWide ? 64 : 32);
  };
  let hasChanged = true;
  const mark = (reg: number): void => {
    if (reg >= 0 || isMask[~reg] === 1 || !canHold(~reg)) return;
    isMask[~reg] = 1;
    hasChanged = true;
  };
  for (let v = 0; v < vregs.n; v++) {
    const type = vregs.type[v];
    if (bankOf(v) === 'vcc' || (bankOf(v) === '' && type?.kind === 'scalar' && type.bits === 1)) mark(~v);
  }
  const instrs = Array.from({ length: fn.nInstrs }, (_, i) => {
    const name = tables.opcodeName(fn.opcode[i]!);
    const operands: { reg: number; isDef: boolean; isExplicit: boolean }[] = [];
    for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++) {
      if (fn.opKind[o] !== OperandKind.Register) continue;
      const flags = fn.opFlags[o]!;
      operands.push({
        reg: fn.opVal[o]!,
        isDef: (flags & OpFlag.Def) !== 0,
        isExplicit: (flags & OpFlag.Implicit) === 0,
      });
    }
    return { name, operands: operands.filter((o) => o.isExplicit) };
  });
  const isMaskReg = (reg: number): boolean => (reg < 0 ? isMask[~reg] === 1 : lanes.includes(reg));
  const constants = new Set(
    instrs.filter((i) => /^S_MOV_B/.test(i.name) && i.operands.length === 1).map((i) => i.operands[0]!.reg),
  );
  while (hasChanged) {
    hasChanged = false;
    for (const { name, operands } of instrs) {
      const regs = operands.map((o) => o.reg);
      // Operands that are masks by their description: scalar ones of vector instructions, and those of control flow.
      if (/^V_CMP|^V_CNDMASK|^V_ADDC?_|^SI_/.test(name)) regs.forEach(mark);
      else if (/SAVEEXEC/.test(name)) regs.forEach(mark);
      else if (MOVE.test(name) || LOGIC.test(name)) {
        const sources = operands.slice(1);
        const some = sources.some((o) => isMaskReg(o.reg) && (LOGIC.test(name) || !constants.has(o.reg)));
        const every = sources.every((o) => isMaskReg(o.reg));
        if (isMaskReg(regs[0]!) || (LOGIC.test(name) ? some && every : some)) regs.forEach(mark);
      }
    }
  }
  return isMask;
}

describe('lane masks', () => {
  it('a constant that begins a mask and a counter makes no mask of the counter', () => {
    const text = mirFunction(
      'f',
      `
  bb.0:
    successors: %bb.1
    %0:sreg_64_xexec = IMPLICIT_DEF
    %1:sreg_64 = S_MOV_B64 0

  bb.1:
    successors: %bb.1
    %2:sreg_64 = PHI %1, %bb.0, %4, %bb.1
    %3:sreg_64 = PHI %1, %bb.0, %5, %bb.1
    %4:sreg_64 = SI_IF_BREAK %0, %2, implicit-def dead $scc
    %5:sreg_64 = S_ADD_U64_PSEUDO %3, %3, implicit-def dead $scc
`,
    );
    const fn = lowerMir(text, { cpu: 'gfx900' })[0] as MachineFunction;
    assert.deepEqual(
      [...findLaneMasks(computeUniformity(fn))],
      [1, 1, 1, 1, 0, 0],
      '%0, %1, %2, %4, %3, %5, as they are first named',
    );
  });

  it('do not begin at a constant, even the first instruction', () => {
    for (const first of ['', '    S_NOP 0\n']) {
      const body = `
  bb.0:
${first}    %0:sreg_64 = S_MOV_B64 0
    %1:sreg_64 = COPY %0
    %2:sreg_64 = COPY $sgpr0_sgpr1
    %3:sreg_64 = COPY %2
    $exec = S_MOV_B64 %0
    $exec = S_MOV_B64 %2
`;
      const fn = lowerMir(mirFunction('f', body), { cpu: 'gfx900' })[0] as MachineFunction;
      assert.deepEqual([...findLaneMasks(computeUniformity(fn))], [1, 0, 1, 1]);
    }
  });

  for (const [cpu, isWide] of [
    ['gfx900', true],
    ['gfx1030', false],
  ] as const)
    // prettier-ignore
    it(`are what masks are made of and what is made of masks: ${cpu}`, () => {
      let count = 0;
      for (let seed = 1; seed <= 40; seed++) {
        const text = randomText(seed, isWide);
        const fn = lowerMir(text, { cpu })[0] as MachineFunction;
        const wanted = masksOf(fn);
        count += wanted.filter((x) => x === 1).length;
        assert.deepEqual(findLaneMasks(computeUniformity(fn)), wanted, text);
      }
      assert.ok(count > 200, 'there are masks');
    });
});
