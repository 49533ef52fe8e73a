/** Hover on an opcode: operands with classes and ties, implicit registers, flags in words, cost on this processor, other generations. */
import type { InstrId, MachineFunction } from '../model/machineFunction.js';
import { LatencyModel } from '../scheduling/dag/latency.js';
import { resolveSchedClass } from '../scheduling/schedClass.js';
import {
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
  OpInfoFlag,
  type Opcode,
  type OpcodeMap,
  type Subtarget,
  type TargetTables,
} from '../target/index.js';
import { code, joined, rich, type Markdown } from './markdown.js';
import { plural } from './pressureText.js';

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

/** The section of an instruction's hover that is about its opcode. */
export function opcodeLines(fn: MachineFunction, i: InstrId): Markdown[] {
  const { tables } = fn;
  const opc = fn.opcode[i]!;
  const lines = [
    rich`**${tables.opcodeName(opc)}**${listed(wordsOf(tables, opc), ': ')}`,
    operandsText(fn.subtarget, opc),
  ];
  const implicit = implicitText(tables, opc);
  if (implicit) lines.push(implicit);
  lines.push(rich`${costText(fn, i)}`);
  const encodings = encodingsText(fn.subtarget, opc);
  if (encodings) lines.push(encodings);
  const forms = formsText(tables, opc);
  if (forms) lines.push(forms);
  return lines;
}

const listed = (words: readonly string[], lead: string): string => (words.length > 0 ? lead + words.join(', ') : '');

function wordsOf(tables: TargetTables, opc: Opcode): string[] {
  const words = KINDS.filter(([is]) => is(tables, opc)).map(([, word]) => word);
  for (const [flag, word] of FLAG_WORDS) if (hasFlag(tables, opc, flag)) words.push(word);
  return words;
}

function hasFlag(tables: TargetTables, opc: Opcode, flag: McFlag): boolean {
  const bits = flag < 32 ? tables.opcodeFlagsLo(opc) : tables.opcodeFlagsHi(opc);
  return ((bits >>> (flag & 31)) & 1) !== 0;
}

/** `vdst:vgpr_32 = src0:vs_32, src1:vgpr_32 (tied to vdst)`: names and classes of the descriptor. */
function operandsText(st: Subtarget, opc: Opcode): Markdown {
  const { tables } = st;
  const n = tables.opcodeNumOperands(opc);
  const nDefs = tables.opcodeNumDefs(opc);
  const begin = tables.opInfoBegin(opc);
  const operands: string[] = [];
  for (let k = 0; k < n; k++) {
    const name = tables.operandName(opc, k) || `operand ${k}`;
    const rc = st.opInfoRegClass(opc, k);
    const flags = tables.opInfoFlags[begin + k]!;
    const notes: string[] = [];
    const tied = tables.opInfoTiedTo[begin + k]!;
    if (0 <= tied) notes.push(`tied to ${tables.operandName(opc, tied) || `operand ${tied}`}`);
    if (tables.opInfoEarlyClobber[begin + k]! !== 0) notes.push('early-clobber');
    if ((flags & OpInfoFlag.BranchTarget) !== 0) notes.push('block');
    operands.push(
      `${name}${rc < 0 ? '' : `:${tables.regClassMirName(rc)}`}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`,
    );
  }
  const defs = operands.slice(0, nDefs).join(', ');
  const uses = operands.slice(nDefs).join(', ');
  if (n === 0) return rich`no operands`;
  return code(`${defs === '' ? '' : `${defs} = `}${uses}`);
}

function implicitText(tables: TargetTables, opc: Opcode): Markdown | null {
  const names = (regs: readonly number[]): Markdown =>
    joined(
      regs.map((r) => code(`$${tables.regName(r)}`)),
      ', ',
    );
  const reads = tables.implicitUses(opc);
  const writes = tables.implicitDefs(opc);
  const parts: Markdown[] = [];
  if (reads.length > 0) parts.push(rich`reads ${names(reads)}`);
  if (writes.length > 0) parts.push(rich`writes ${names(writes)}`);
  return parts.length > 0 ? joined(parts, '; ') : null;
}

/** Latency and resources by the scheduling model of the processor. */
function costText(fn: MachineFunction, i: InstrId): string {
  const model = new LatencyModel(fn, resolveSchedClass);
  const latency = plural(model.instrLatency(i), 'cycle');
  const desc = model.classDesc(i);
  const cpu = fn.subtarget.cpu || 'generic';
  if (!desc) return `latency ${latency} on ${cpu}`;
  const { resources } = fn.subtarget.schedModel;
  const used = desc.writeProcRes.map(({ resource, releaseAtCycle }) => {
    const name = resources[resource]?.name ?? '';
    return releaseAtCycle > 1 ? `${name} for ${releaseAtCycle} cycles` : name;
  });
  return `latency ${latency} on ${cpu}${listed(used, '; takes ')}; ${plural(desc.numMicroOps, 'micro-op')}`;
}

/**
 * What the opcode is encoded as, by generation: `V_ADD_U32_e32_gfx9 (gfx9, gfx90a)`. LLVM keeps encodings by family, so that a
 * processor may stand here that lacks the instruction. Empty for what no encoding belongs to.
 */
function encodingsText(st: Subtarget, opc: Opcode): Markdown | null {
  const { tables } = st;
  const byEncoding = new Map<Opcode, string[]>();
  const without: string[] = [];
  for (const [name, cpu] of GENERATIONS) {
    const real = createSubtarget(st.triple, cpu, '').mcOpcode(opc);
    if (real < 0) without.push(name);
    if (real < 0 || real === opc) continue;
    const names = byEncoding.get(real);
    if (names) names.push(name);
    else byEncoding.set(real, [name]);
  }
  if (byEncoding.size === 0) return null;
  const missing = st.mcOpcode(opc) < 0 ? rich`**no encoding on ${st.cpu || 'generic'}**; ` : '';
  const list = [...byEncoding].map(([real, names]) => rich`${code(tables.opcodeName(real))} (${names.join(', ')})`);
  return rich`${missing}encoded as ${joined(list, ', ')}${listed(without, '; not at all on ')}`;
}

const FORMS: readonly OpcodeMap[] = ['VOPe32', 'VOPe64', 'SDWA', 'DPP32', 'DPP64', 'CommuteRev', 'CommuteOrig'];

function formsText(tables: TargetTables, opc: Opcode): Markdown | null {
  const names = FORMS.map((map) => tables.mapOpcode(map, opc))
    .filter((form) => 0 <= form && form !== opc)
    .map((form) => tables.opcodeName(form));
  return names.length > 0 ? rich`other forms: ${joined([...new Set(names)].map(code), ', ')}` : null;
}
