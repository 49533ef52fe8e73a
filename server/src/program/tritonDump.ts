/**
 * Files of Triton's TRITON_DUMP_MIR (`<kernel>_<hash>.txt`): the MIR before the machine scheduler, and after a last `---` the graph that it starts from.
 * TRITON_SWAP_MIR reads such a file back in place of its own: without the graph, at which LLVM's parser would stop, and with what it printed in
 * another way than it reads. (Probed with the LLVM of triton 3.9.0.)
 */
import { AUTO_MODEL } from '../passes/scheduler/schedulerModel.js';
import { lowerFile } from '../model/lowering/lowerFile.js';
import { isTritonGraph, parseMirFile, type MirFile } from '../syntax/index.js';
import { Severity, type Diagnostic } from '../text/diagnostic.js';
import { SourceText, type TextEdit } from '../text/sourceText.js';
import { Interner } from '../util/interner.js';
import { modelWithTarget } from './modelOfFile.js';
import { DEFAULT_SETTINGS } from './settings.js';
import { targetOfFile } from './targetOfFile.js';
import { TestFile } from './testFile/testFile.js';

export interface SwapFile {
  readonly text: string;
  /** operands that had to be written as LLVM reads them */
  readonly repaired: number;
  /** errors that are left, offsets in `text`: its LLVM refuses the file */
  readonly errors: readonly Diagnostic[];
}

/** Whose numbers those of a dump are. */
export const DUMP_NOTE =
  'numbers of a dump are of the LLVM that Triton dumps and swaps with; what it compiles otherwise comes from another LLVM in its wheel (6bc4aaf6), whose numbers may differ';

/** Where the graph begins that Triton appends; -1 in a file that is no dump. */
export function graphStart({ documents, docStarts, text }: MirFile): number {
  const d = documents.findIndex((_, k) => isTritonGraph(text.text, docStarts[k]!));
  return d < 0 ? -1 : docStarts[d]!;
}

/** An instruction lacks one register and has two half of it: each turn mends one of them. */
const MAX_TURNS = 4;

/** What TRITON_SWAP_MIR takes of a dump, edited or not: the same bytes but for the graph and the repairs. */
export function fileForSwap(source: string): SwapFile {
  let text = withoutGraph(source);
  let repaired = 0;
  for (let turn = 0; ; turn++) {
    const errors = errorsOf(text);
    const edits = turn < MAX_TURNS ? errors.flatMap((error) => repairOf(text, error)) : [];
    if (edits.length === 0) return { text, repaired, errors };
    repaired += edits.length;
    let snapshot = new SourceText(text);
    for (const edit of [...edits].reverse()) snapshot = snapshot.apply(edit);
    ({ text } = snapshot);
  }
}

/** From its `---` on the graph goes. */
function withoutGraph(source: string): string {
  const start = graphStart(parseMirFile(new SourceText(source), new Interner()));
  return start < 0 ? source : source.slice(0, start);
}

function errorsOf(source: string): Diagnostic[] {
  const text = new SourceText(source);
  const file = parseMirFile(text, new Interner());
  const { target: setting } = DEFAULT_SETTINGS;
  const test = new TestFile(source);
  const { model, target } = modelWithTarget(
    file,
    (release) => targetOfFile(test, setting, undefined, release),
    AUTO_MODEL,
  );
  const { triple, cpu, features } = target;
  const lowered = lowerFile(file, { triple, cpu, features, release: model.release });
  const all = [...lowered.irDiagnostics, ...lowered.functions.flatMap((_, k) => lowered.functionDiagnostics(k))];
  return all.filter(({ severity }) => severity === Severity.Error).sort((a, b) => a.start - b.start);
}

/** In waves of 32 LLVM prints `$vcc_lo` for the `$vcc` of an opcode, and reads `$vcc` only (SIInstrInfo::fixImplicitOperands, MIParser::verifyImplicitOperands). */
function repairOf(text: string, { code, facts, start, end }: Diagnostic): TextEdit[] {
  if (code !== 'missing-implicit' || facts?.register !== 'vcc') return [];
  const found = new RegExp(`\\b${facts.flag!} (?:[a-z-]+ )*\\$vcc_lo\\b`).exec(text.slice(start, end));
  if (found === null) return [];
  const after = start + found.index + found[0].length;
  return [{ start: after - '_lo'.length, end: after, text: '' }];
}
