/**
 * What LLVM's divergence analysis asks of opcodes and intrinsics (TargetInstrInfo::getInstructionUniformity), as tables; docs/llvm/uniformity.md,
 * section 2, says what the rules mean.
 */
import { SortedNames } from './packed.js';
import type { TableTexts } from './tableTexts.js';
import type { Opcode, UniformityFacts, UniformityRule } from './api.js';

/** Tables by opcode and by name of an intrinsic, each decoded when first asked. */
export class UniformityTables implements UniformityFacts {
  private rules: Uint8Array | undefined;
  private sources: SortedNames | undefined;
  private uniform: SortedNames | undefined;

  constructor(private readonly texts: TableTexts) {}

  rule(opc: Opcode): UniformityRule {
    this.rules ??= this.texts.reader('OPCODE_UNIFORMITY').uint8s();
    return this.rules[opc]!;
  }

  isSourceOfDivergence(name: string): boolean {
    this.sources ??= new SortedNames(this.texts.reader('SOURCES_OF_DIVERGENCE'));
    return isAmong(this.sources, name);
  }

  isAlwaysUniform(name: string): boolean {
    this.uniform ??= new SortedNames(this.texts.reader('ALWAYS_UNIFORM'));
    return isAmong(this.uniform, name);
  }
}

const PREFIX = 'llvm.';

function isAmong(names: SortedNames, name: string): boolean {
  return name.startsWith(PREFIX) && names.find(name, PREFIX.length, name.length) >= 0;
}
