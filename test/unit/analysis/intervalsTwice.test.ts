/**
 * Live intervals are computed by two programs: all of a function at once in columns, and one by one in ranges that can be edited. Both are LLVM's
 * on other tests' functions; here they are compared on large, tangled ones.
 */
import assert from 'node:assert/strict';
import { IntervalEditor } from '../../../server/src/analysis/edit/intervalEditor.js';
import { printLanes, type LiveRange } from '../../../server/src/analysis/edit/liveRange.js';
import { computeLiveIntervals, type LiveIntervals } from '../../../server/src/analysis/liveIntervals.js';
import { printSlot, SlotIndexes } from '../../../server/src/analysis/slotIndexes.js';
import { FunctionEditor } from '../../../server/src/model/edit/functionEditor.js';
import type { MachineFunction } from '../../../server/src/model/machineFunction.js';
import { lowerMir, mirFunction } from '../../support/mir.js';
import { randomSource } from '../../support/random.js';

const CLASSES = ['vgpr_32', 'vreg_64', 'vreg_128', 'sreg_64', 'vreg_96', 'av_64', 'vreg_1024'];
const PARTS: Readonly<Record<string, readonly string[]>> = {
  vgpr_32: [''],
  vreg_64: ['.sub0', '.sub1', ''],
  sreg_64: ['.sub0', '.sub1', ''],
  av_64: ['.sub0', '.sub1', ''],
  vreg_96: ['.sub0', '.sub1', '.sub2', '.sub0_sub1', ''],
  vreg_1024: ['.sub0', '.sub15', '.sub16', '.sub31', '.sub16_sub17_sub18_sub19', '.sub14_sub15_sub16_sub17', ''],
  vreg_128: ['.sub0', '.sub1', '.sub2', '.sub3', '.sub0_sub1', '.sub2_sub3', '.sub1_sub2', ''],
};

/** Blocks lead anywhere, and each is reached; every register is defined in the first one. */
function tangle(seed: number, nBlocks: number): string {
  const below = randomSource(seed);
  const classes = Array.from({ length: 5 }, () => CLASSES[below(CLASSES.length)]!);
  const part = (r: number): string => PARTS[classes[r]!]![below(PARTS[classes[r]!]!.length)]!;
  const line = (): string => {
    const r = below(classes.length);
    const p = part(r);
    const whole = `%${r}:${classes[r]}`;
    switch (below(9)) {
      case 0:
        return `${whole} = IMPLICIT_DEF`;
      case 1:
        return p === '' ? `${whole} = IMPLICIT_DEF` : `undef %${r}${p}:${classes[r]} = IMPLICIT_DEF`;
      case 2:
      case 3:
        return `%${r}${p}:${classes[r]} = IMPLICIT_DEF`;
      case 4:
        return `early-clobber %${r}${p}:${classes[r]} = COPY %${r}${p}`;
      case 5:
        return `INLINEASM &"", 0, 10, def early-clobber %${r}${p}, 9, %${r}${p}(tied-def 3)`;
      case 6:
        return `S_NOP 0, implicit undef %${r}${p}, implicit-def dead %${r}${p}`;
      case 7:
        return `BUNDLE implicit-def %${r}${p}, implicit %${r} {\n      S_NOP 0, implicit %${r}\n      %${r}${p} = IMPLICIT_DEF\n    }`;
      default:
        return `S_NOP 0, implicit %${r}${p}, implicit %${below(classes.length)}`;
    }
  };
  const successors = Array.from({ length: nBlocks }, () => new Set<number>());
  for (let b = 1; b < nBlocks; b++) {
    successors[below(4) === 0 ? below(b) : b - 1]!.add(b);
    while (below(3) === 0) successors[below(nBlocks)]!.add(1 + below(nBlocks - 1));
  }
  let text = '';
  for (let b = 0; b < nBlocks; b++) {
    const list = [...successors[b]!].map((s) => `%bb.${s}`).join(', ');
    text += `\n  bb.${b}:\n${list === '' ? '' : `    successors: ${list}\n`}`;
    if (b === 0) text += classes.map((c, r) => `    %${r}:${c} = IMPLICIT_DEF\n`).join('');
    const count = below(4) === 0 ? below(6) : below(2);
    for (let k = 0; k < count; k++) text += `    ${line()}\n`;
    if (list === '') text += '    S_ENDPGM 0\n';
  }
  return mirFunction('f', text);
}

/** `%0 [16r,32r) L0003 [16r,32r)` for each register, parts by their lanes. */
function atOnce(lis: LiveIntervals): string[] {
  const segments = (range: number): string => {
    let text = '';
    for (let s = lis.segBegin[range]!; s < lis.segBegin[range]! + lis.segCount[range]!; s++)
      text += `[${printSlot(lis.segStart[s]!)},${printSlot(lis.segEnd[s]!)})`;
    return text;
  };
  const lines: string[] = [];
  for (let v = 0; v < lis.nVRegs; v++) {
    if (lis.mainRange[v]! < 0) continue;
    const parts: string[] = [];
    for (let r = lis.subRange[v]!; r >= 0; r = lis.nextSubRange[r]!)
      parts.push(` L${printLanes(lis.laneLo[r]!, lis.laneHi[r]!)} ${segments(r)}`);
    lines.push(`%${v} ${segments(lis.mainRange[v]!)}${parts.sort().join('')}`);
  }
  return lines;
}

function oneByOne(e: IntervalEditor): string[] {
  const segments = (range: LiveRange): string =>
    range.start.map((at, s) => `[${e.slots.print(at)},${e.slots.print(range.end[s]!)})`).join('');
  const lines: string[] = [];
  for (let v = 0; v < e.editor.fn.vregs.n; v++) {
    const interval = e.known(v);
    if (interval === null) continue;
    assert.equal(interval.fault(), null);
    const parts = interval.subRanges.map((s) => ` L${printLanes(s.laneLo, s.laneHi)} ${segments(s)}`);
    lines.push(`%${v} ${segments(interval)}${parts.sort().join('')}`);
  }
  return lines;
}

describe('live intervals computed at once and one by one', () => {
  const compare = (seed: number, nBlocks: number): void => {
    const text = tangle(seed, nBlocks);
    const fn = lowerMir(text, { cpu: 'gfx90a' })[0] as MachineFunction;
    const once = atOnce(computeLiveIntervals(fn.clone(), { edit: true }));
    const copy = fn.clone();
    const e = new IntervalEditor(new FunctionEditor(copy), new SlotIndexes(copy));
    e.computeAll();
    assert.deepEqual(once, oneByOne(e), text);
  };

  it('are the same in small functions', () => {
    for (let seed = 1; seed <= 100; seed++) compare(seed, 2 + (seed % 13));
  });

  it('are the same in functions with many blocks', () => {
    for (let seed = 1; seed <= 12; seed++) compare(1000 + seed, 30 + seed * 10);
  });
});
