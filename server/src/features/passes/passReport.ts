/** What one pass did to a function, instruction by instruction, each with its reasons: as data, and as a text whose lines are those of the file. */
import type { BlockId, InstrId, MachineFunction } from '../../model/machineFunction.js';
import { InstrPrinter, type DebugNames } from '../../model/printer/index.js';
import type { Reg } from '../../model/register.js';
import type { Remark } from '../../passes/remarks.js';
import { stepName, type PassRun, type PassTrail } from '../../program/passTrail.js';
import { visible } from '../../text/visible.js';
import { remarkText, type RemarkLabels } from './remarkText.js';

type Change = 'inserted' | 'changed' | 'erased' | 'kept';

/** An instruction that the pass did something to, or has a reason to leave. */
export interface ReportedInstr {
  readonly block: BlockId;
  readonly change: Change;
  /** of the function after the pass, or of the one before where it is erased */
  readonly instr: InstrId;
  /** 1-based, 0 = the file has no line of it */
  readonly line: number;
  readonly text: string;
  /** null unless it is changed */
  readonly before: string | null;
  readonly reasons: readonly { readonly kind: Remark['kind']; readonly text: readonly string[] }[];
}

export interface PassReport {
  readonly counts: Readonly<Record<Exclude<Change, 'kept'>, number>>;
  readonly instrs: readonly ReportedInstr[];
}

/** `lineOf`: the line, from 1 on, of an instruction of the function as the file has it; 0 = none. O(instructions) */
export function reportOf(run: PassRun, lineOf: (i: InstrId) => number, debugNames: DebugNames): PassReport {
  const { before, after, remarks } = run;
  const printers = [new InstrPrinter(before, { debugNames }), new InstrPrinter(after, { debugNames })] as const;
  const textBefore = (i: InstrId): string => visible(printers[0].printInstr(i));
  const textAfter = (i: InstrId): string => visible(printers[1].printInstr(i));
  const lineNow = (i: InstrId): number => lineOf(remarks.idBefore(i));
  const fnOf = (i: InstrId): MachineFunction => (i < before.nInstrs ? before : after);
  const labels: RemarkLabels = {
    instr(i) {
      const line = lineNow(i);
      const fn = fnOf(i);
      if (line > 0) return `line ${line} (${fn.tables.opcodeName(fn.opcode[i]!)})`;
      return `\`${fn === before ? textBefore(i) : textAfter(i)}\``;
    },
    reg: (reg: Reg) => printers[1].printReg(reg),
  };
  const reasons = new Map<InstrId, Remark[]>();
  for (const remark of remarks.all) {
    const at = remarks.idNow(remark.at);
    reasons.set(at, [...(reasons.get(at) ?? []), remark]);
  }
  const counts = { inserted: 0, changed: 0, erased: 0 };
  const instrs: ReportedInstr[] = [];
  const addRow = (block: BlockId, change: Change, instr: InstrId, text: string, was: string | null): void => {
    if (change !== 'kept') counts[change]++;
    const why = (reasons.get(instr) ?? []).map((remark) => ({ kind: remark.kind, text: remarkText(remark, labels) }));
    if (change === 'kept' && why.length === 0) return;
    instrs.push({ block, change, instr, line: lineNow(instr), text, before: was, reasons: why });
  };
  const gone = erasedBefore(run);
  const reportErased = (anchor: number, block: BlockId): void => {
    for (const i of gone.get(anchor) ?? []) addRow(block, 'erased', i, textBefore(i), null);
    gone.delete(anchor);
  };
  for (let b = 0; b < after.blocks.length; b++) {
    for (let k = after.blockBegin[b]!; k < after.blockEnd[b]!; k++) {
      const i = after.order[k]!;
      const then = originOf(run, i);
      if (then >= 0) reportErased(then, b);
      const text = textAfter(i);
      if (then < 0) addRow(b, 'inserted', i, text, null);
      else {
        const was = textBefore(then);
        addRow(b, was === text ? 'kept' : 'changed', i, text, was === text ? null : was);
      }
    }
    reportErased(~b, b);
  }
  // of blocks that are gone
  for (const anchor of [...gone.keys()]) reportErased(anchor, anchor < 0 ? ~anchor : before.instrBlock[anchor]!);
  return { counts, instrs };
}

/** What the instruction was called when the pass began; -1 = it is new. */
function originOf({ before, remarks }: PassRun, i: InstrId): InstrId {
  if (i < before.nInstrs) return i;
  const then = remarks.idBeforeBelow(i, before.nInstrs);
  return then < before.nInstrs ? then : -1;
}

/** Erased instructions by what stands after them and stays, `~block` where nothing does. */
function erasedBefore(run: PassRun): Map<number, InstrId[]> {
  const { before, after, remarks } = run;
  const stays = new Uint8Array(before.nInstrs);
  for (let b = 0; b < after.blocks.length; b++)
    for (let k = after.blockBegin[b]!; k < after.blockEnd[b]!; k++) {
      const then = originOf(run, after.order[k]!);
      if (then >= 0) stays[then] = 1;
    }
  const found = new Map<number, InstrId[]>();
  for (let b = 0; b < before.blocks.length; b++) {
    let waiting: InstrId[] = [];
    for (let k = before.blockBegin[b]!; k < before.blockEnd[b]!; k++) {
      const i = before.order[k]!;
      if (stays[i] === 0 && remarks.idNow(i) === i) waiting.push(i);
      else if (waiting.length > 0) {
        found.set(i, waiting);
        waiting = [];
      }
    }
    if (waiting.length > 0) found.set(~b, waiting);
  }
  return found;
}

const MARKS: Readonly<Record<Change, string>> = { inserted: '+', changed: '~', erased: '-', kept: ' ' };

const plural = (n: number, what: string): string => `${n} instruction${n === 1 ? '' : 's'} ${what}`;

/** `2 instructions inserted, 1 instruction changed`, or `nothing changed` */
export function countsText({ inserted, changed, erased }: PassReport['counts']): string {
  const parts = [
    inserted > 0 ? plural(inserted, 'inserted') : '',
    changed > 0 ? plural(changed, 'changed') : '',
    erased > 0 ? plural(erased, 'erased') : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'nothing changed' : parts.join(', ');
}

/** `after 3 passes (-run-pass=...)`; where the pass stands. */
export function placeText(trail: PassTrail, place: number): string {
  if (trail.by === '') return 'on the function as it stands';
  if (place === 0) return `first pass (${trail.by})`;
  return `after ${place === 1 ? '1 pass' : `${place} passes`} (${trail.by})`;
}

/** Passes that write their reasons down. */
const WITH_REASONS: ReadonlySet<string> = new Set([
  'si-insert-waitcnts',
  'post-RA-hazard-rec',
  'amdgpu-wait-sgpr-hazards',
  'amdgpu-insert-delay-alu',
  'gcn-create-vopd',
  'si-insert-hard-clauses',
  'si-shrink-instructions',
  'register-coalescer',
]);

/** Lines, of which those of the file are named `line N`. */
export function reportText(run: PassRun, report: PassReport, trail: PassTrail, place: number): string[] {
  const { name } = run.step.call.pass;
  const lines = [`${stepName(run.step)}, ${placeText(trail, place)}: ${countsText(report.counts)}`];
  if (!WITH_REASONS.has(name)) lines.push('this pass writes no reasons down yet: what follows is what it changed');
  let block = -1;
  for (const { block: b, change, line, text, before, reasons } of report.instrs) {
    if (b !== block) {
      const fn = b < run.after.blocks.length ? run.after : run.before;
      lines.push('', `bb.${fn.blocks[b]!.sourceNumber}`);
      block = b;
    }
    const where = line > 0 ? `line ${line}: ` : '';
    lines.push(`  ${MARKS[change]} ${where}${text}`);
    if (before !== null) lines.push(`      was ${before}`);
    for (const { text: own } of reasons) for (const sentence of own) lines.push(`      ${sentence}`);
  }
  return lines;
}
