/**
 * What LLVM's divergence analysis asks of opcodes and intrinsics (TargetInstrInfo::getInstructionUniformity), as tables; docs/llvm/uniformity.md,
 * section 2, says what the rules mean.
 */
import { ALWAYS_UNIFORM, OPCODE_UNIFORMITY, SOURCES_OF_DIVERGENCE } from './llvm22/uniformity.js';
import { PackReader, SortedNames } from './packed.js';
import type { Opcode } from './api.js';

/** How an instruction of an opcode is judged; the same numbers as `Rule` of server/tools/extract/uniformity.cpp. */
export const enum UniformityRule {
  /** a source of divergence if it reads a register outside the bank `sgpr`, else as divergent as what it reads */
  Operands = 0,
  /** a source of divergence */
  Never,
  /** uniform whatever it reads */
  Always,
  /** from a physical register: by its class; else as what it reads */
  Copy,
  /** a source of divergence without memory operands, or with one in the flat or private address space */
  AddressSpace,
  /** as divergent as what it reads */
  Generic,
  /** by the intrinsic */
  Intrinsic,
  /** from private to flat, a source of divergence where scratch is globally addressable */
  AddressSpaceCast,
}

/** Tables by opcode and by name of an intrinsic, each decoded when first asked. */
class UniformityTables {
  private rules: Uint8Array | undefined;
  private sources: SortedNames | undefined;
  private uniform: SortedNames | undefined;

  /** UniformityRule of an opcode */
  rule(opc: Opcode): UniformityRule {
    this.rules ??= new PackReader(OPCODE_UNIFORMITY()).uint8s();
    return this.rules[opc]!;
  }

  /** `name` with `llvm.` and without type suffixes, as MIR prints it (AMDGPU::isIntrinsicSourceOfDivergence) */
  isSourceOfDivergence(name: string): boolean {
    this.sources ??= new SortedNames(new PackReader(SOURCES_OF_DIVERGENCE()));
    return isAmong(this.sources, name);
  }

  /** AMDGPU::isIntrinsicAlwaysUniform */
  isAlwaysUniform(name: string): boolean {
    this.uniform ??= new SortedNames(new PackReader(ALWAYS_UNIFORM()));
    return isAmong(this.uniform, name);
  }
}

const PREFIX = 'llvm.';

function isAmong(names: SortedNames, name: string): boolean {
  return name.startsWith(PREFIX) && names.find(name, PREFIX.length, name.length) >= 0;
}

let tables: UniformityTables | undefined;

/** The tables of the modelled LLVM: one instance per process, a constant that is filled as it is used. */
export function uniformityTables(): UniformityTables {
  return (tables ??= new UniformityTables());
}
