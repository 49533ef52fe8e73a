/** Stops the packer when a rule that the readers rely on does not hold in the facts. */
export function check(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`the packer's rule does not hold: ${what}`);
}
