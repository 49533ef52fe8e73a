/** Times of register allocation as the lens needs it, for allocation.mjs: the function is lowered when the clock starts. */
import { lowerFile } from '../../server/src/model/lowering/lowerFile.js';
import { allocateAsItStands, allocationSettingOf } from '../../server/src/program/allocation.js';
import { targetOfFile } from '../../server/src/program/targetOfFile.js';
import { parseMirFile } from '../../server/src/syntax/index.js';
import { SourceText } from '../../server/src/text/sourceText.js';
import { Interner } from '../../server/src/util/interner.js';

export interface AllocationTimes {
  readonly instructions: number;
  readonly saves: number;
  /** milliseconds of CPU: the first time in the process, and the median of some more, with decisions and without */
  readonly cold: number;
  readonly warm: number;
  readonly explained: number;
}

const ROUNDS = 7;

/** `text` names its target in a RUN line and holds one function. */
export function allocationTimes(text: string): AllocationTimes {
  const target = targetOfFile(text, { triple: 'amdgcn-amd-amdhsa', cpu: '', features: '' });
  const model = lowerFile(parseMirFile(new SourceText(text), new Interner()), target);
  const fn = model.functions[0]!.fn!;
  const setting = allocationSettingOf(target);
  let saves = 0;
  const time = (withDecisions: boolean): number => {
    const before = process.cpuUsage();
    const found = allocateAsItStands(fn, model.ir, setting, { withDecisions, checkpoint: () => undefined });
    const { user, system } = process.cpuUsage(before);
    if (typeof found === 'string') throw new Error(found);
    saves = found.counts.saves;
    return (user + system) / 1000;
  };
  const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1]!;
  const cold = time(false);
  const warm = median(Array.from({ length: ROUNDS }, () => time(false)));
  return { instructions: fn.nInstrs, saves, cold, warm, explained: median([time(true), time(true), time(true)]) };
}
