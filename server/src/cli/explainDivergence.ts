/** `amdgpu-mir explain --divergence`: which branches of a function are divergent and why, or with `--register` why a register is. */
import { LaneValues } from '../analysis/uniformity/laneValues.js';
import { functionReport, registerReport } from '../features/uniformity/divergenceReport.js';
import { Place } from '../features/uniformity/laneText.js';
import { subtargetText } from '../features/snapshot/snapshot.js';
import type { CommandIO } from '../program/commandIO.js';
import { UsageError } from '../program/llcOptions.js';
import { oneLine } from '../text/visible.js';
import {
  fileSaysNote,
  fileToExplain,
  firstError,
  programToExplain,
  registerOf,
  type ExplainSettings,
} from './explainParts.js';

const EXIT_OK = 0;
const EXIT_ERRORS = 1;

/** Throws InputError and UsageError. */
export function explainDivergence(settings: ExplainSettings, io: CommandIO): number {
  const { functionName, register } = settings;
  const { source, target } = fileToExplain(settings, io);
  const program = programToExplain(settings, source, target);
  if (program.fatal !== null) {
    io.stderr(program.fatal.stderr);
    return EXIT_ERRORS;
  }
  let exit = EXIT_OK;
  const out: string[] = [];
  const names: string[] = [];
  for (const loaded of program.functions) {
    names.push(loaded.name);
    if (functionName !== null && loaded.name !== functionName) continue;
    const { fn } = loaded;
    const error = firstError(loaded, program);
    if (fn === null || error !== null) {
      io.stderr(error ?? '');
      exit = EXIT_ERRORS;
      continue;
    }
    const v = register === null ? -1 : registerOf(fn, register);
    if (register !== null && v < 0) throw new UsageError(`@${loaded.name} has no register ${register}`);
    const at = new Place(fn, '', (offset) => program.text.lineAt(loaded.start + offset));
    const lanes = new LaneValues(fn);
    const rows = v < 0 ? functionReport(at, lanes) : registerReport(at, lanes, v, -1);
    const head = `@${oneLine(loaded.name)}, ${subtargetText(fn.subtarget)}${fileSaysNote(target, fn)}, LLVM ${fn.subtarget.release.version}`;
    out.push(`${[head, '', ...rows].join('\n')}\n`);
  }
  if (functionName !== null && !names.includes(functionName))
    throw new UsageError(`no function @${functionName}; there is ${names.join(', ') || 'none'}`);
  io.stdout(out.join('\n'));
  return exit;
}
