/** Operands of the opcodes that the tables do not describe. */
export interface LooseOperand {
  readonly name: string;
  readonly about: string;
}

const operands = (...list: readonly (readonly [string, string])[]): readonly LooseOperand[] =>
  list.map(([name, about]) => ({ name, about }));

const DST = ['dst', 'the register that is written'] as const;
const SUBREG = ['subreg', 'a sub-register index, such as %subreg.sub0'] as const;
const COPY = operands(DST, ['src', 'what is copied: a register or a part of one']);
const PHI = operands(
  DST,
  ['value', 'what it is when control comes from the block after it; a pair for each predecessor'],
  ['block', 'a predecessor, such as %bb.1'],
);

const LOOSE: Readonly<Record<string, readonly LooseOperand[]>> = {
  COPY,
  SCOPY: COPY,
  PRED_COPY: COPY,
  PHI,
  G_PHI: PHI,
  REG_SEQUENCE: operands(DST, ['part', 'a register for the part after it; a pair for each part'], SUBREG),
  INSERT_SUBREG: operands(
    DST,
    ['base', 'the register of which one part is replaced'],
    ['part', 'the new part'],
    SUBREG,
  ),
  EXTRACT_SUBREG: operands(DST, ['src', 'the register of which a part is taken'], SUBREG),
};

/** Opcodes whose operands after the first go on in pairs. */
const PAIRED: ReadonlySet<string> = new Set(['PHI', 'G_PHI', 'REG_SEQUENCE']);

/** Definition first; null for opcodes that the tables describe. */
export const looseOperands = (opcode: string): readonly LooseOperand[] | null => LOOSE[opcode] ?? null;

/** Which of `looseOperands` the operand `k` is. */
export const looseIndex = (opcode: string, k: number): number => (PAIRED.has(opcode) && k > 2 ? 1 + ((k - 1) % 2) : k);

export const goesOnInPairs = (opcode: string): boolean => PAIRED.has(opcode);
