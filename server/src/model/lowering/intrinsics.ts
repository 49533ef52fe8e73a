/** Which names are LLVM intrinsics. */
import { intrinsicBaseName } from '../ir/intrinsics.js';

export function isIntrinsicName(name: string): boolean {
  return intrinsicBaseName(name) !== null;
}
