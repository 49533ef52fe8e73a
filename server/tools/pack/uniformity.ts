/** Packs what divergence analysis asks of opcodes and intrinsics. */
import { check } from './check.js';
import { ints, sortedNames } from './encode.js';
import { expand, type Facts } from './facts.js';

/** GCNRegPressure's number for classes of SGPRs */
const SGPR_KIND = 0;
const PREFIX = 'llvm.';
const NAMES_PER_BLOCK = 16;

/** OPCODE_UNIFORMITY (UniformityRule by opcode), the two lists of intrinsics without `llvm.`. */
export function packUniformity(f: Facts): Record<string, string> {
  const u = f.uniformity;
  check(u.rules.length === f.instrs.rows.length, 'every opcode has a rule');
  checkCopies(f);
  checkCasts(f);
  const intrinsics = (names: readonly string[]): string => {
    check(
      names.every((n) => n.startsWith(PREFIX)),
      'intrinsics begin with llvm.',
    );
    return sortedNames(names.map((n) => n.slice(PREFIX.length)).sort(), NAMES_PER_BLOCK);
  };
  return {
    OPCODE_UNIFORMITY: ints(u.rules),
    SOURCES_OF_DIVERGENCE: intrinsics(u.sources_of_divergence),
    ALWAYS_UNIFORM: intrinsics(u.always_uniform),
  };
}

/** A copy from a physical register is divergent exactly if the smallest class of the register is not one of SGPRs. */
function checkCopies(f: Facts): void {
  const divergent = new Set(expand(f.uniformity.divergent_copies));
  const unknown = new Set(expand(f.uniformity.no_base_class));
  f.regs.rows.forEach((row, i) => {
    const reg = i + 1;
    const kind = row[7] < 0 ? SGPR_KIND : f.classes[row[7]]!.gcn_kind;
    check(unknown.has(reg) || divergent.has(reg) === (kind !== SGPR_KIND), `copies of ${row[0]} follow its class`);
  });
}

/** Casts from the private to the flat address space diverge exactly where the feature says that all scratch is in one place. */
function checkCasts(f: Facts): void {
  const feature = f.features.findIndex(([name]) => name === 'globally-addressable-scratch');
  for (const [cpu, divergent] of f.uniformity.divergent_casts) {
    const on = f.states.find((s) => s.cpu === cpu && s.fs === '')?.on;
    check(
      on !== undefined && on.includes(feature) === divergent,
      `casts of ${cpu} follow globally-addressable-scratch`,
    );
  }
}
