/** Times of register allocation as the lens needs it, for allocation.mjs: the function is lowered when the clock starts. */
import { lowerFile } from '../../server/src/model/lowering/lowerFile.js';
import { GreedyRun } from '../../server/src/passes/regalloc/greedy.js';
import { allocateAsItStands, allocationSettingOf } from '../../server/src/program/allocation.js';
import { TestFile } from '../../server/src/program/testFile/testFile.js';
import { targetOfFile } from '../../server/src/program/targetOfFile.js';
import { parseMirFile } from '../../server/src/syntax/index.js';
import { SourceText } from '../../server/src/text/sourceText.js';
import { Interner } from '../../server/src/util/interner.js';

export interface AllocationTimes {
  readonly instructions: number;
  readonly saves: number;
  /** more copies in the result than in the source, which splitting makes */
  readonly copies: number;
  /** milliseconds of CPU: the first time in the process */
  readonly cold: number;
  /** the least of some more, and the mean of those after the first quarter, with the garbage collection that they need */
  readonly warm: number;
  readonly mean: number;
  /** the least of the three runs of the allocator alone */
  readonly runs: number;
  /** the least with decisions */
  readonly explained: number;
}

/** Of processor time: on a loaded machine as many rounds as on an idle one. V8 compiles for some 20 rounds, however long they are. */
const ROUNDS_MS = 3000;
const [MIN_ROUNDS, MAX_ROUNDS] = [20, 80];

const cpuTime = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

let inRuns = 0;
const { run } = GreedyRun.prototype;
GreedyRun.prototype.run = function (): ReturnType<typeof run> {
  const before = cpuTime();
  const found = run.call(this);
  inRuns += cpuTime() - before;
  return found;
};

/** `text` names its target in a RUN line and holds one function. */
export function allocationTimes(text: string): AllocationTimes {
  const target = targetOfFile(new TestFile(text), { triple: 'amdgcn-amd-amdhsa', cpu: '', features: '' });
  const model = lowerFile(parseMirFile(new SourceText(text), new Interner()), target);
  const fn = model.functions[0]!.fn!;
  const setting = allocationSettingOf(target);
  let saves = 0;
  let copies = 0;
  const time = (withDecisions: boolean): number => {
    inRuns = 0;
    const before = cpuTime();
    const found = allocateAsItStands(fn, model.ir, setting, { withDecisions, checkpoint: () => undefined });
    const taken = cpuTime() - before;
    if (typeof found === 'string') throw new Error(found);
    saves = found.counts.saves;
    copies = found.inserted.reduce((n, x) => n + (x.kind === 'copy' ? 1 : 0), 0);
    return taken;
  };
  const cold = time(false);
  const times: number[] = [];
  let runs = Infinity;
  const start = cpuTime();
  while (times.length < MIN_ROUNDS || (times.length < MAX_ROUNDS && cpuTime() - start < ROUNDS_MS)) {
    times.push(time(false));
    runs = Math.min(runs, inRuns);
  }
  const steady = times.slice(Math.floor(times.length / 4));
  const mean = steady.reduce((sum, t) => sum + t, 0) / steady.length;
  const explained = Math.min(time(true), time(true));
  return { instructions: fn.nInstrs, saves, copies, cold, warm: Math.min(...times), mean, runs, explained };
}
