/** What the traces of `amdgpu-mir explain` share: settings, the file, errors, the frame of the JSON. */
import { verifierDiagnostics, verifyFunction } from '../analysis/verifier/index.js';
import type { MachineFunction } from '../model/machineFunction.js';
import { InputError, type CommandIO } from '../program/commandIO.js';
import { printDiagnostic } from '../program/diagnosticText.js';
import type { LlcOptions } from '../program/llcOptions.js';
import type { LastParsed } from '../program/lastParsed.js';
import { loadProgram, type LoadedFunction, type Program } from '../program/mirProgram.js';
import { DEFAULT_SETTINGS } from '../program/settings.js';
import {
  chosenTarget,
  fileSays,
  foreignText,
  targetOfFile,
  UNCOUNTED_R600,
  type FileTarget,
} from '../program/targetOfFile.js';
import type { Stage } from '../program/stageNames.js';
import { isUnmodelled, withArchitecture } from '../program/targetTriple.js';
import { TestFile } from '../program/testFile/testFile.js';
import { parseTriple } from '../target/index.js';
import { releaseOf } from '../target/index.js';
import { reportJson, type ExplainedFunction, type ExplainReport, type Problem } from './report.js';
import { nameOf } from '../features/words/registerNames.js';

export interface ExplainSettings {
  /** null = every function of the file */
  readonly functionName: string | null;
  readonly region: number | null;
  readonly allocation: boolean;
  readonly divergence: boolean;
  /** as it is written, with or without `%`; not for the scheduler */
  readonly register: string | null;
  /** `--costs` as it is written, null = the trace is asked for */
  readonly costs: string | null;
  /** chosen; null: what the file says, or a guess */
  readonly stage: Stage | null;
  /** the pass to explain, null = it is the scheduler or one of the above */
  readonly pass: string | null;
  readonly json: boolean;
  readonly llc: LlcOptions;
  /** has the file, where its model was looked for */
  readonly parsed: LastParsed;
}

/** The file, and what its RUN lines say of it. Throws InputError, also for a file of another target. */
export function fileToExplain({ llc }: ExplainSettings, io: CommandIO): { source: string; target: FileTarget } {
  const source = io.read(llc.input);
  const { triple, cpu, features, release } = llc;
  const target = chosenTarget(targetOfFile(new TestFile(source), DEFAULT_SETTINGS.target, undefined, release), {
    triple,
    cpu,
    features,
  });
  const isOther = target.foreign !== '' && !isUnmodelled(target);
  if (isUnmodelled(target) || (isOther && llc.triple === '' && llc.march === ''))
    throw new InputError(foreignText(target.foreign, release));
  if (parseTriple(withArchitecture(target.triple, llc.march)).isR600) throw new InputError(UNCOUNTED_R600);
  return { source, target };
}

/** Its functions, for the target chosen. */
export const programToExplain = ({ llc, parsed }: ExplainSettings, source: string, target: FileTarget): Program =>
  loadProgram(source, llc.input, {
    triple: target.triple,
    march: llc.march,
    cpu: target.cpu,
    features: target.features,
    release: llc.release,
    isChosen: target.isChosen === true,
    flags: llc.flags,
    parsed,
  });

/** ` (file says gfx942)` after a target that was chosen instead; else empty. */
export function fileSaysNote(target: FileTarget, fn: MachineFunction): string {
  const says = fileSays(target, fn.header.irFunction.attributes.get('target-cpu'));
  return says === '' ? '' : ` (${says})`;
}

/** The first error of a function as text, null if the scheduler may have it. */
export function firstError(loaded: LoadedFunction, program: Program): string | null {
  const [first] = loaded.diagnostics;
  if (first !== undefined) return printDiagnostic(first, program.text, program.path);
  if (loaded.fn === null) return null;
  const reports = verifyFunction(loaded.fn, program.verifierOptions(loaded.fn));
  const [d] = verifierDiagnostics(loaded.fn, reports);
  if (d === undefined) return null;
  return printDiagnostic(
    { ...d, start: d.start + loaded.start, end: d.end + loaded.start },
    program.text,
    program.path,
  );
}

/** Index of a virtual register by its name, -1 = there is none. O(registers) */
export function registerOf(fn: MachineFunction, text: string): number {
  const name = text.startsWith('%') ? text : `%${text}`;
  for (let v = 0; v < fn.vregs.n; v++) if (nameOf(fn, v) === name) return v;
  return -1;
}

export function printJson(
  { llc }: ExplainSettings,
  functions: readonly ExplainedFunction[],
  problems: readonly Problem[],
  io: CommandIO,
): void {
  const llvm = [releaseOf(llc.release).version];
  io.stdout(reportJson<ExplainReport>('explain', llvm, { file: llc.input, functions, problems }));
}
