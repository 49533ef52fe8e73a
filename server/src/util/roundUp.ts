/** `n` rounded up to a multiple of `step`; both positive. */
export const roundUp = (n: number, step: number): number => Math.ceil(n / step) * step;
