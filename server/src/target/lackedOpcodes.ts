/** Opcodes that a processor lacks though the tables of encodings have them for its generation. */
import type { Opcode, Subtarget } from './api.js';
import { isSDWA } from './opcodes.js';
import type { PackReader } from './packed.js';
import type { TableTexts } from './tableTexts.js';

/** What a release says of it; nothing where nobody asked its assembler (ROCm 10). */
export class LackedOpcodes {
  /** by `CPU LANES` */
  private lists: ReadonlyMap<string, ReadonlySet<Opcode>> | undefined;

  constructor(private readonly texts: TableTexts) {}

  has(cpu: string, lanes: number, opc: Opcode): boolean {
    this.lists ??= readLacked(this.texts.reader('LACKED_OPCODES'));
    return this.lists.get(`${cpu} ${lanes}`)?.has(opc) ?? false;
  }
}

function readLacked(reader: PackReader): ReadonlyMap<string, ReadonlySet<Opcode>> {
  if (reader.text === '') return new Map();
  const keys = reader.string().split(',');
  const numbers = reader.ints();
  const lists: ReadonlySet<Opcode>[] = [];
  for (let k = 0; k <= Math.max(...numbers); k++) lists.push(new Set(reader.ints()));
  return new Map(keys.map((key, k) => [key, lists[numbers[k]!]!]));
}

/** Registers of 16 bits: as halves (`real-true16`), or as whole registers of which a half counts. */
const HALVES = /_t16(?:_|$)/;
const WHOLE = /_fake16(?:_|$)/;

/**
 * Whether code for the subtarget cannot have the opcode: nothing encodes it, its assembler does not know the instruction, or registers of 16 bits
 * are of the other kind there. LLVM's parser and verifier take such opcodes all the same.
 */
export function lacksOpcode(st: Subtarget, opc: Opcode): boolean {
  if (st.mcOpcode(opc) < 0) return true;
  if (!st.tables.isAMDGCN) return false;
  const name = st.tables.opcodeName(opc);
  // For a generation without them LLVM's tables give the encodings of the first that has them.
  if (isSDWA(st.tables, opc) && !st.hasFeature('sdwa')) return true;
  const hasHalves = st.hasFeature('real-true16');
  if (HALVES.test(name) && !hasHalves) return true;
  if (WHOLE.test(name) && (hasHalves || !st.hasFeature('true16'))) return true;
  return st.release.lacks(st.cpu, st.wavefrontSize, opc);
}
