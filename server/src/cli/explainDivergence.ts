/** `amdgpu-mir explain --divergence`: which branches of a function are divergent and why, or with `--register` why a register is. */
import { LaneValue, LaneValues, type ReasonStep } from '../analysis/uniformity/laneValues.js';
import { CauseKind } from '../analysis/uniformity/uniformity.js';
import { functionReport, partsLanes, registerReport } from '../features/uniformity/divergenceReport.js';
import { Place, REPORT_STEPS, stepSentence } from '../features/uniformity/laneText.js';
import { nameOf } from '../features/words/registerNames.js';
import { subtargetText } from '../features/snapshot/snapshot.js';
import type { CommandIO } from '../program/commandIO.js';
import { UsageError } from '../program/llcOptions.js';
import { oneLine } from '../text/visible.js';
import {
  fileSaysNote,
  fileToExplain,
  firstError,
  printJson,
  programToExplain,
  registerOf,
  type ExplainSettings,
} from './explainParts.js';
import type { DivergenceStep, ExplainedDivergence } from './explainTypes.js';
import type { Problem } from './report.js';

const EXIT_OK = 0;
const EXIT_ERRORS = 1;

/** Throws InputError and UsageError. */
export function explainDivergence(settings: ExplainSettings, io: CommandIO): number {
  const { functionName, register } = settings;
  const { source, target } = fileToExplain(settings, io);
  const program = programToExplain(settings, source, target);
  if (program.fatal !== null) {
    if (settings.json) printJson(settings, [], [{ function: '', message: program.fatal.stderr }], io);
    io.stderr(program.fatal.stderr);
    return EXIT_ERRORS;
  }
  let exit = EXIT_OK;
  const out: string[] = [];
  const explained: ExplainedDivergence[] = [];
  const problems: Problem[] = [];
  const names: string[] = [];
  for (const loaded of program.functions) {
    names.push(loaded.name);
    if (functionName !== null && loaded.name !== functionName) continue;
    const { fn } = loaded;
    const error = firstError(loaded, program);
    if (fn === null || error !== null) {
      io.stderr(error ?? '');
      problems.push({ function: loaded.name, message: error ?? '' });
      exit = EXIT_ERRORS;
      continue;
    }
    const v = register === null ? -1 : registerOf(fn, register);
    if (register !== null && v < 0) throw new UsageError(`@${loaded.name} has no register ${register}`);
    const at = new Place(fn, '', (offset) => program.text.lineAt(loaded.start + offset));
    const lanes = new LaneValues(fn);
    if (settings.json) {
      explained.push(toJson(at, lanes, v));
      continue;
    }
    const rows = v < 0 ? functionReport(at, lanes) : registerReport(at, lanes, v, -1);
    const head = `@${oneLine(loaded.name)}, ${subtargetText(fn.subtarget)}${fileSaysNote(target, fn)}, LLVM ${fn.subtarget.release.version}`;
    out.push(`${[head, '', ...rows].join('\n')}\n`);
  }
  if (functionName !== null && !names.includes(functionName))
    throw new UsageError(`no function @${functionName}; there is ${names.join(', ') || 'none'}`);
  if (settings.json) printJson(settings, explained, problems, io);
  else io.stdout(out.join('\n'));
  return exit;
}

const KINDS = {
  [CauseKind.None]: 'none',
  [CauseKind.Source]: 'source',
  [CauseKind.Operand]: 'operand',
  [CauseKind.Join]: 'join',
  [CauseKind.AssumedCycle]: 'assumed-cycle',
  [CauseKind.ExitPhi]: 'exit-phi',
  [CauseKind.Temporal]: 'temporal',
} as const;

const LANES = {
  [LaneValue.Unknown]: null,
  [LaneValue.Uniform]: 'uniform',
  [LaneValue.Divergent]: 'divergent',
  // Divergent to those alone that read it after the cycle.
  [LaneValue.Temporal]: 'uniform',
  [LaneValue.LaneMask]: 'lane mask',
} as const;

/** `asked`: the register of `--register`; -1 = all that are written, without the ways back to their sources. */
function toJson(at: Place, lanes: LaneValues, asked: number): ExplainedDivergence {
  const { fn } = at;
  const { uniformity } = lanes;
  const stepsOf = (steps: readonly ReasonStep[]): DivergenceStep[] =>
    steps.map((step, k) => ({
      kind: KINDS[step.kind],
      register: step.vreg < 0 ? null : nameOf(fn, step.vreg),
      line: at.line(step.instr) + 1,
      text: at.plain(stepSentence(fn, lanes, steps, k, false)),
    }));
  const written = Array.from({ length: fn.vregs.n }, (_, v) => v).filter((v) => uniformity.lastDefOf(v) >= 0);
  return {
    function: fn.header.name,
    cpu: fn.subtarget.cpu,
    wavefrontSize: fn.subtarget.wavefrontSize,
    registers: (asked < 0 ? written : [asked]).map((v) => {
      const value = lanes.atDef(v);
      return {
        register: nameOf(fn, v),
        line: at.line(uniformity.lastDefOf(v)) + 1,
        lanes: LANES[value],
        why: asked < 0 || value !== LaneValue.Divergent ? null : stepsOf(lanes.whyDivergent(v, REPORT_STEPS)),
      };
    }),
    branches: [...fn.blocks.keys()]
      .filter((b) => partsLanes(lanes, b))
      .map((b) => {
        const why = stepsOf(lanes.whyDivergentBranch(b, REPORT_STEPS));
        return { block: b, line: why[0]?.line ?? 0, why, joins: uniformity.joinsOfBranch.get(b)?.joins ?? [] };
      }),
  };
}
