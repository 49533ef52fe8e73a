/** Times of the suggestions of rematerialization, for remat.mjs: the pressure of the function is known when the clock starts. */
import { PressureSummary } from '../../server/src/analysis/summary.js';
import { suggestRemat } from '../../server/src/features/remat/suggestions.js';
import { targetOfFile } from '../../server/src/program/targetOfFile.js';
import { TestFile } from '../../server/src/program/testFile/testFile.js';
import { lowerFile } from '../../server/src/model/lowering/lowerFile.js';
import { RematAnalysis } from '../../server/src/passes/scheduler/remat/advice/analysis.js';
import { parseMirFile } from '../../server/src/syntax/index.js';
import { SourceText } from '../../server/src/text/sourceText.js';
import { NEVER_CANCELLED } from '../../server/src/util/cancellation.js';
import { Interner } from '../../server/src/util/interner.js';

export interface RematTimes {
  readonly instructions: number;
  readonly candidates: number;
  readonly suggestions: number;
  /** milliseconds of CPU: the first time in the process, and the least of some more */
  readonly cold: number;
  readonly warm: number;
}

const ROUNDS = 5;

/** `text` names its target in a RUN line and holds one function. */
export function rematTimes(text: string): RematTimes {
  const { triple, cpu, features } = targetOfFile(new TestFile(text), {
    triple: 'amdgcn-amd-amdhsa',
    cpu: '',
    features: '',
  });
  const model = lowerFile(parseMirFile(new SourceText(text), new Interner()), { triple, cpu, features });
  const { fn } = model.functions[0]!;
  const summary = new PressureSummary(fn!);
  const times: number[] = [];
  let candidates = 0;
  let suggestions = 0;
  for (let k = 0; k <= ROUNDS; k++) {
    const before = process.cpuUsage();
    const remat = new RematAnalysis(summary);
    const found = suggestRemat({ fn, summary, remat, quickSchedule: null }, () => 1, NEVER_CANCELLED)!;
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
    candidates = remat.candidates.candidates.length;
    suggestions = found.suggestions.length + found.more;
  }
  const [cold = 0, ...warm] = times;
  return { instructions: fn!.nInstrs, candidates, suggestions, cold, warm: Math.min(...warm) };
}
