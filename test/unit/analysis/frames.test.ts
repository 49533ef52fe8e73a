/** What is said of registers and scratch memory of allocated functions, against the numbers in llc-22's assembly: random frames, kept by seed. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allocatedUse } from '../../../server/src/analysis/allocatedUse.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { lowerMir } from '../../support/mir.js';
import { randomFrame, type FrameCase } from '../../support/randomFrames.js';
import { UPDATE } from '../../support/switches.js';

const FILE = join(__dirname, '..', '..', 'golden', 'frames.json');
/** Every so many cases llc-22 is asked again. */
const ASK_AGAIN = 40;

/** Bytes of scratch, VGPRs, SGPRs of the function itself; of kernels all SGPRs and VGPRs that count, and the occupancy, where llc-22 has numbers for them. */
type Numbers = readonly (number | null)[];

function numbersOfLlc({ args, text }: FrameCase): Numbers | null {
  const { status, stdout } = runLlc(['-x', 'mir', ...args, '-start-after=virtregrewriter,2', '-o', '-'], text);
  if (status !== 0) return null;
  // `.set f.private_seg_size, 16+max(g.private_seg_size)`: the function's own number comes first.
  const symbol = (name: string): number =>
    Number(/\d+/.exec(new RegExp(`^\\s*\\.set f\\.${name}, (.*)$`, 'm').exec(stdout)?.[1] ?? '')?.[0] ?? NaN);
  const comment = (name: string): number | null => {
    const value = new RegExp(`^; ${name}: (\\d+)$`, 'm').exec(stdout)?.[1];
    return value === undefined ? null : Number(value);
  };
  const all = comment('TotalNumVgprs') ?? comment('NumVgprs');
  return [
    ...['private_seg_size', 'num_vgpr', 'numbered_sgpr'].map(symbol),
    ...[comment('TotalNumSgprs'), all, comment('Occupancy')],
  ];
}

function numbersOfOurs({ target, text }: FrameCase): Numbers {
  const use = allocatedUse(lowerMir(text, target)[0]!);
  return [use.scratchBytes, use.framedVGPR, use.framedSGPR, use.totalSGPR, use.totalVGPR, use.occupancy];
}

describe('frames that are still to be laid out', () => {
  const kept = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Numbers>;
  if (UPDATE) {
    for (const seed of Object.keys(kept)) kept[seed] = numbersOfLlc(randomFrame(Number(seed))) ?? kept[seed]!;
    const lines = Object.entries(kept).map(([seed, numbers]) => `  "${seed}": [${numbers.map(String).join(', ')}]`);
    writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`);
  }

  for (const [seed, wanted] of Object.entries(kept)) {
    const asked = randomFrame(Number(seed));
    it(`${seed}: ${asked.args.join(' ')} ${/define (\w*)/.exec(asked.text)![1]}`, () => {
      const ours = numbersOfOurs(asked);
      assert.deepEqual(
        ours.map((n, k) => (wanted[k] === null ? null : n)),
        wanted,
        asked.text,
      );
    });
  }

  it('are still those of llc-22', function () {
    needsLlc(this);
    Object.entries(kept).forEach(([seed, wanted], k) => {
      if (k % ASK_AGAIN === 0) assert.deepEqual(numbersOfLlc(randomFrame(Number(seed))), wanted);
    });
  });
});
