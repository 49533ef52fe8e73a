/** Hover on an opcode: operands with classes and ties, implicit registers, flags in words, cost on this processor, other generations. */
import type { InstrId, MachineFunction } from '../../model/machineFunction.js';
import { LatencyModel } from '../../passes/scheduler/dag/latency.js';
import { resolveSchedClass } from '../../passes/scheduler/schedClass.js';
import {
  hasOpcodeFlag,
  createSubtarget,
  isDOT,
  isDPP,
  isDS,
  isFLAT,
  isImage,
  isMAI,
  isMTBUF,
  isMUBUF,
  isSALU,
  isSDWA,
  isSMRD,
  isTRANS,
  isVALU,
  isVOP3P,
  isWMMA,
  McFlag,
  OperandType,
  type Opcode,
  type OpcodeMap,
  type Subtarget,
  type TargetTables,
} from '../../target/index.js';
import { rich, type Markdown } from '../words/markdown.js';
import { opcodeMeaning } from '../words/opcodeMeaning.js';
import { plural } from '../words/numbers.js';

/** One processor of each generation that has encodings of its own. */
const GENERATIONS: readonly (readonly [string, string])[] = [
  ['gfx6', 'gfx600'],
  ['gfx7', 'gfx700'],
  ['gfx8', 'gfx803'],
  ['gfx9', 'gfx900'],
  ['gfx90a', 'gfx90a'],
  ['gfx942', 'gfx942'],
  ['gfx10', 'gfx1030'],
  ['gfx11', 'gfx1100'],
  ['gfx12', 'gfx1200'],
  ['gfx1250', 'gfx1250'],
];

const KINDS: readonly (readonly [(t: TargetTables, opc: Opcode) => boolean, string])[] = [
  [isWMMA, 'WMMA'],
  [isMAI, 'MAI'],
  [isDOT, 'dot product'],
  [isTRANS, 'transcendental'],
  [isVOP3P, 'VOP3P'],
  [isSDWA, 'SDWA'],
  [isDPP, 'DPP'],
  [isVALU, 'VALU'],
  [isSALU, 'SALU'],
  [isSMRD, 'scalar memory'],
  [isMUBUF, 'buffer memory'],
  [isMTBUF, 'typed buffer memory'],
  [isImage, 'image memory'],
  [isFLAT, 'flat memory'],
  [isDS, 'LDS'],
];

const FLAG_WORDS: readonly (readonly [McFlag, string])[] = [
  [McFlag.Meta, 'makes no code'],
  [McFlag.MayLoad, 'may load'],
  [McFlag.MayStore, 'may store'],
  [McFlag.UnmodeledSideEffects, 'side effects'],
  [McFlag.MayRaiseFPException, 'may raise FP exceptions'],
  [McFlag.Convergent, 'convergent'],
  [McFlag.Commutable, 'commutable'],
  [McFlag.Rematerializable, 'rematerializable'],
  [McFlag.CheapAsAMove, 'cheap as a move'],
  [McFlag.MoveImm, 'moves an immediate'],
  [McFlag.Compare, 'compare'],
  [McFlag.Branch, 'branch'],
  [McFlag.IndirectBranch, 'indirect branch'],
  [McFlag.Terminator, 'terminator'],
  [McFlag.Barrier, 'nothing falls through'],
  [McFlag.Return, 'return'],
  [McFlag.Call, 'call'],
  [McFlag.Variadic, 'variadic'],
  [McFlag.NotDuplicable, 'not duplicable'],
];

/** More operands than these are counted in a hover. */
const MAX_OPERANDS = 8;

/**
 * The section of an instruction's hover that is about its opcode, at most three lines. `withEncodings`: nothing leads from here to the
 * encodings, so the first ones stand here.
 */
export function opcodeLines(fn: MachineFunction, i: InstrId, withEncodings: boolean): Markdown[] {
  const { tables } = fn;
  const opc = fn.opcode[i]!;
  const words = wordsOf(tables, opc);
  const about = [opcodeMeaning(tables, opc), words.join(', '), latencyText(fn, i)].filter((t) => t !== '').join(' · ');
  const head = about === '' ? rich`**${tables.opcodeName(opc)}**` : rich`**${tables.opcodeName(opc)}** ${about}`;
  const operands = operandsOf(fn.subtarget, opc);
  const shown = operands.slice(0, MAX_OPERANDS);
  const more = operands.length > shown.length ? [`${operands.length - shown.length} more`] : [];
  const parts = [...shown, ...more, ...implicitParts(tables, opc)];
  const { list, missing } = encodingsOf(fn.subtarget, opc);
  const lines = [head, rich`${parts.length > 0 ? parts.join(' · ') : 'no operands'}`];
  if (missing)
    lines.push(
      rich`**no encoding on ${fn.subtarget.cpu || 'generic'}**, but on ${list.flatMap((e) => e.on).join(', ')}`,
    );
  else if (withEncodings && list.length > 0)
    lines.push(rich`encoded as ${encodingsText(list.slice(0, 3))}${list.length > 3 ? ', ...' : ''}`);
  return lines;
}

/** All that is known of an opcode, as rows of plain text. */
export function opcodeRows(fn: MachineFunction, i: InstrId): string[] {
  const { tables } = fn;
  const opc = fn.opcode[i]!;
  const { list, missing, without } = encodingsOf(fn.subtarget, opc);
  const forms = formsOf(tables, opc);
  return [
    `${tables.opcodeName(opc)}${listed(wordsOf(tables, opc), ': ')}`,
    ...[opcodeMeaning(tables, opc)].filter((text) => text !== ''),
    ...operandsOf(fn.subtarget, opc).map((operand) => `  ${operand}`),
    ...implicitParts(tables, opc).map((part) => `  ${part}`),
    ...[costText(fn, i)].filter((text) => text !== ''),
    ...(missing ? [`no encoding on ${fn.subtarget.cpu || 'generic'}`] : []),
    ...(list.length > 0 ? [`encoded as ${encodingsText(list)}`] : []),
    ...(list.length > 0 && without.length > 0 ? [`not at all on ${without.join(', ')}`] : []),
    ...(forms.length > 0 ? [`other forms: ${forms.join(', ')}`] : []),
  ];
}

/** What holds for an opcode wherever it stands. */
export function opcodeFacts(st: Subtarget, opc: Opcode): Markdown[] {
  const { tables } = st;
  const { list, missing } = encodingsOf(st, opc);
  const meaning = opcodeMeaning(tables, opc);
  const lines = [rich`**${tables.opcodeName(opc)}**${listed(wordsOf(tables, opc), ': ')}`];
  if (meaning !== '') lines.push(rich`${meaning}`);
  for (const operand of [...operandsOf(st, opc), ...implicitParts(tables, opc)]) lines.push(rich`${operand}`);
  if (missing) lines.push(rich`**no encoding on ${st.cpu || 'generic'}**`);
  if (list.length > 0) lines.push(rich`encoded as ${encodingsText(list)}`);
  return lines;
}

const listed = (words: readonly string[], lead: string): string => (words.length > 0 ? lead + words.join(', ') : '');

function wordsOf(tables: TargetTables, opc: Opcode): string[] {
  const words = KINDS.filter(([is]) => is(tables, opc)).map(([, word]) => word);
  for (const [flag, word] of FLAG_WORDS) if (hasOpcodeFlag(tables, opc, flag)) words.push(word);
  return words;
}

/** `vdst vgpr_32 (def)`, `src0 vs_32 or constant`, `src2 vgpr_32 (tied to vdst)`: names, classes and ties of the descriptor. */
function operandsOf(st: Subtarget, opc: Opcode): string[] {
  const { tables } = st;
  const begin = tables.opInfoBegin(opc);
  const nDefs = tables.opcodeNumDefs(opc);
  return Array.from({ length: tables.opcodeNumOperands(opc) }, (_, k) => {
    const name = tables.operandName(opc, k) || `operand ${k}`;
    const rc = st.opInfoRegClass(opc, k);
    const notes: string[] = k < nDefs ? ['def'] : [];
    const tied = tables.opInfoTiedTo[begin + k]!;
    if (0 <= tied) notes.push(`tied to ${tables.operandName(opc, tied) || `operand ${tied}`}`);
    if (tables.opInfoEarlyClobber[begin + k]! !== 0) notes.push('early-clobber');
    if (tables.opInfoType[begin + k] === OperandType.PCRel) notes.push('block');
    const what = rc < 0 ? '' : ` ${tables.regClassMirName(rc)}${constantText(tables.opInfoType[begin + k]!)}`;
    return `${name}${what}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
  });
}

/** What may stand in place of a register. */
function constantText(type: OperandType): string {
  if (OperandType.RegImmInt32 <= type && type <= OperandType.RegImmV2FP32) return ' or constant';
  const isInline = OperandType.InlineInt16 <= type && type <= OperandType.InlineSplitBarrierInt32;
  const isAccumulator = OperandType.InlineACInt32 <= type && type <= OperandType.InlineACFP64;
  return isInline || isAccumulator ? ' or inline constant' : '';
}

function implicitParts(tables: TargetTables, opc: Opcode): string[] {
  const names = (regs: readonly number[]): string => regs.map((r) => `$${tables.regName(r)}`).join(', ');
  const reads = tables.implicitUses(opc);
  const writes = tables.implicitDefs(opc);
  return [
    ...(reads.length > 0 ? [`reads ${names(reads)}`] : []),
    ...(writes.length > 0 ? [`writes ${names(writes)}`] : []),
  ];
}

/** `latency 1 cycle (model of gfx1100)`; empty for R600, whose itineraries are not modelled */
function latencyText(fn: MachineFunction, i: InstrId): string {
  if (!fn.tables.isAMDGCN) return '';
  const model = new LatencyModel(fn, resolveSchedClass);
  return `latency ${plural(model.instrLatency(i), 'cycle')} (model of ${fn.subtarget.cpu || 'generic'})`;
}

/** Latency and resources by the scheduling model of the processor. */
function costText(fn: MachineFunction, i: InstrId): string {
  if (!fn.tables.isAMDGCN) return '';
  const desc = new LatencyModel(fn, resolveSchedClass).classDesc(i);
  if (!desc) return latencyText(fn, i);
  const { resources } = fn.subtarget.schedModel;
  const used = desc.writeProcRes.map(({ resource, releaseAtCycle }) => {
    const name = resources[resource]?.name ?? '';
    return releaseAtCycle > 1 ? `${name} for ${releaseAtCycle} cycles` : name;
  });
  return `${latencyText(fn, i)}${listed(used, '; takes ')}; ${plural(desc.numMicroOps, 'micro-op')}`;
}

interface Encoding {
  readonly name: string;
  readonly on: readonly string[];
}

/**
 * What the opcode is encoded as, by generation. LLVM keeps encodings by family, so that a processor may stand here that lacks the
 * instruction. No list for what no encoding belongs to; `missing`: others have one, this processor has none.
 */
function encodingsOf(st: Subtarget, opc: Opcode): { list: Encoding[]; missing: boolean; without: string[] } {
  const { tables } = st;
  if (!tables.isAMDGCN) return { list: [], missing: false, without: [] };
  const byEncoding = new Map<Opcode, string[]>();
  const without: string[] = [];
  for (const [name, cpu] of GENERATIONS) {
    const real = createSubtarget(st.triple, cpu, '', st.release).mcOpcode(opc);
    if (real < 0) without.push(name);
    if (real < 0 || real === opc) continue;
    const names = byEncoding.get(real);
    if (names) names.push(name);
    else byEncoding.set(real, [name]);
  }
  const list = [...byEncoding].map(([real, on]) => ({ name: tables.opcodeName(real), on }));
  return { list, missing: list.length > 0 && st.mcOpcode(opc) < 0, without };
}

/** `V_ADD_U32_e32_gfx9 (gfx9, gfx90a), V_ADD_NC_U32_e32_gfx10 (gfx10)` */
const encodingsText = (list: readonly Encoding[]): string =>
  list.map((e) => `${e.name} (${e.on.join(', ')})`).join(', ');

const FORMS: readonly OpcodeMap[] = ['VOPe32', 'VOPe64', 'SDWA', 'DPP32', 'DPP64', 'CommuteRev', 'CommuteOrig'];

function formsOf(tables: TargetTables, opc: Opcode): string[] {
  const forms = FORMS.map((map) => tables.mapOpcode(map, opc)).filter((form) => 0 <= form && form !== opc);
  return [...new Set(forms)].map((form) => tables.opcodeName(form));
}
