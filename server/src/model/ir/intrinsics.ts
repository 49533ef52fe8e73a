/** Intrinsic names and facts (placeholder until the generated table is in). */
export function intrinsicBaseName(name: string): string | null {
  return name.startsWith('llvm.') ? name : null;
}
export function isUnknownIntrinsic(_name: string): boolean {
  return false;
}
