/** Numbers in words. */

/** `1 wave`, `2 waves` */
export const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

/** `1x`, `0.5x`, `31x` */
export function ratioText(ratio: number): string {
  if (ratio < 0.01) return `${ratio.toExponential(1)}x`;
  return `${Number(ratio.toPrecision(3))}x`;
}
