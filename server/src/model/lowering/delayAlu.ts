/** The mnemonic of S_DELAY_ALU's immediate (AMDGPUMIRFormatter::parseSDelayAluImmMnemonic, LLVM 22; probed with llc-22). */

/** Prefixes of the delays that carry a number, with the code of number 0. */
const COUNTED_DELAYS: readonly (readonly [string, number])[] = [
  ['VALU_DEP_', 0],
  ['TRANS32_DEP_', 4],
  ['SALU_CYCLE_', 8],
];

/** The immediate of `.id0_A[_skip_B_id1_C]`, or llc's message and where it points within `text`. */
export function parseDelayAlu(text: string): number | { readonly message: string; readonly at: number } {
  const fail = (message: string): { message: string; at: number } => ({ message, at: p });
  let p = 0;
  const eat = (word: string): boolean => {
    if (!text.startsWith(word, p)) return false;
    p += word.length;
    return true;
  };
  const number = (): number => {
    const m = /^[0-9]+/.exec(text.slice(p, p + 16));
    if (m === null) return -1;
    p += m[0].length;
    return Number(m[0]);
  };
  const delay = (): number => {
    if (eat('NONE')) return 0;
    for (const [prefix, code] of COUNTED_DELAYS) {
      if (!eat(prefix)) continue;
      const n = number();
      return n < 0 ? -1 : code + n;
    }
    return -1;
  };
  if (!eat('.id0_')) return fail('Expected .id0_');
  const first = delay();
  if (first < 0) return fail('Could not decode delay0');
  if (p === text.length) return first;
  if (!eat('_skip_')) return fail('Expected _skip_');
  let skip = 0;
  if (eat('NEXT')) skip = 1;
  else if (eat('SKIP_')) {
    const n = number();
    if (n < 0) return fail('Expected integer Skip value');
    skip = n + 1;
  } else eat('SAME');
  if (!eat('_id1_')) return fail('Expected _id1_');
  const second = delay();
  if (second < 0) return fail('Could not decode delay1');
  return first | (skip << 4) | (second << 7);
}
