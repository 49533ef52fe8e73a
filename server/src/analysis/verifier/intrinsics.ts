/** Two attributes of LLVM's intrinsics: whether they touch memory and whether they are convergent. */
import { CONVERGENT, MEMORY, MEMORY_CONVERGENT, NEITHER } from './generated/intrinsics.js';

export interface IntrinsicFacts {
  readonly accessesMemory: boolean;
  readonly isConvergent: boolean;
}

const GROUPS: readonly (readonly [string, IntrinsicFacts])[] = [
  [NEITHER, { accessesMemory: false, isConvergent: false }],
  [CONVERGENT, { accessesMemory: false, isConvergent: true }],
  [MEMORY, { accessesMemory: true, isConvergent: false }],
  [MEMORY_CONVERGENT, { accessesMemory: true, isConvergent: true }],
];

/** filled on first use, constant afterwards */
let byName: Map<string, IntrinsicFacts> | null = null;

/** `name` with or without `llvm.`, overloaded types at the end are skipped; null for an unknown intrinsic. */
export function intrinsicFacts(name: string): IntrinsicFacts | null {
  if (byName === null) {
    byName = new Map();
    for (const [names, facts] of GROUPS) for (const n of names.split(' ')) byName.set(n, facts);
  }
  let key = name.startsWith('llvm.') ? name.slice('llvm.'.length) : name;
  for (;;) {
    const facts = byName.get(key);
    if (facts !== undefined) return facts;
    const dot = key.lastIndexOf('.');
    if (dot < 0) return null;
    key = key.slice(0, dot);
  }
}
