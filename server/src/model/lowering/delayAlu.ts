/** The mnemonic of S_DELAY_ALU's immediate (AMDGPUMIRFormatter::parseSDelayAluImmMnemonic, LLVM 22). */

const DELAYS: readonly string[] = [
  'NONE',
  'VALU_DEP_1',
  'VALU_DEP_2',
  'VALU_DEP_3',
  'VALU_DEP_4',
  'TRANS32_DEP_1',
  'TRANS32_DEP_2',
  'TRANS32_DEP_3',
  'FMA_ACCUM_CYCLE_1',
  'SALU_CYCLE_1',
  'SALU_CYCLE_2',
  'SALU_CYCLE_3',
];

/** The immediate of `.id0_A[_skip_B_id1_C]`, or llc's message and where it points within `text`. */
export function parseDelayAlu(text: string): number | { readonly message: string; readonly at: number } {
  const fail = (message: string, at: number): { message: string; at: number } => ({ message, at });
  let p = 0;
  const eat = (word: string): boolean => {
    if (!text.startsWith(word, p)) return false;
    p += word.length;
    return true;
  };
  const delay = (): number => {
    for (let i = DELAYS.length - 1; i >= 0; i--) if (eat(DELAYS[i])) return i;
    return -1;
  };
  if (!eat('.id0_')) return fail('Expected .id0_', p);
  const first = delay();
  if (first < 0) return fail('Could not decode delay0', p);
  if (p === text.length) return first;
  if (!eat('_skip_')) return fail('Expected _skip_', p);
  let skip: number;
  if (eat('SAME')) skip = 0;
  else if (eat('NEXT')) skip = 1;
  else if (eat('SKIP_')) {
    const m = /^[0-9]+/.exec(text.slice(p));
    if (m === null) return fail('Expected integer Skip value', p);
    skip = Number(m[0]) + 1;
    p += m[0].length;
  } else return fail('Unexpected Skip Value', p);
  if (!eat('_id1_')) return fail('Expected _id1_', p);
  const second = delay();
  if (second < 0) return fail('Could not decode delay1', p);
  return first | (skip << 4) | (second << 7);
}
