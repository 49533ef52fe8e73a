/** What is said of registers and scratch memory of allocated functions, against the numbers in llc-22's assembly: random frames, kept by seed. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allocatedUse } from '../../../server/src/analysis/allocatedUse.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { lowerMir } from '../../support/mir.js';
import { randomFrame, rareFrame, type FrameCase } from '../../support/randomFrames.js';
import { UPDATE } from '../../support/switches.js';

const GOLDEN = join(__dirname, '..', '..', 'golden');
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

const ofOurs = (asked: FrameCase, wanted: Numbers): Numbers =>
  numbersOfOurs(asked).map((n, k) => (wanted[k] === null ? null : n));

/** What llc-22 said, by seed. */
function keptNumbers(name: string, make: (seed: number) => FrameCase): [FrameCase, Numbers][] {
  const file = join(GOLDEN, name);
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Numbers>;
  if (UPDATE) {
    for (const seed of Object.keys(kept)) kept[seed] = numbersOfLlc(make(Number(seed))) ?? kept[seed]!;
    const lines = Object.entries(kept).map(([seed, numbers]) => `  "${seed}": [${numbers.map(String).join(', ')}]`);
    writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
  }
  return Object.entries(kept).map(([seed, wanted]) => [make(Number(seed)), wanted]);
}

describe('frames that are still to be laid out', () => {
  const kept = keptNumbers('frames.json', randomFrame);
  const rare = keptNumbers('rareFrames.json', rareFrame);

  kept.forEach(([asked, wanted], k) => {
    it(`${k}: ${asked.args.join(' ')} ${/define (\w*)/.exec(asked.text)![1]}`, () =>
      assert.deepEqual(ofOurs(asked, wanted), wanted, asked.text));
  });

  it('are those of llc-22 with what stands in few functions', () => {
    for (const [asked, wanted] of rare) assert.deepEqual(ofOurs(asked, wanted), wanted, asked.text);
  });

  for (const [title, many] of [
    ['frames as they come', keptNumbers('manyFrames.json', randomFrame)],
    ['frames as they come, with what is rare', keptNumbers('manyRareFrames.json', rareFrame)],
  ] as const)
    for (let part = 0; part < 4; part++)
      it(`are those of llc-22: ${title}, ${part + 1} of 4`, () => {
        many.forEach(([asked, wanted], k) => {
          if (k % 4 === part) assert.deepEqual(ofOurs(asked, wanted), wanted, asked.text);
        });
      });

  it('name the registers of the text, holes among them, and what calls and objects of unknown size leave open', () => {
    for (const [{ text, target }] of [...kept.filter((_, k) => k % 3 === 0), ...rare]) {
      const use = allocatedUse(lowerMir(text, target)[0]!);
      const calls = /SI_CALL/.test(text);
      assert.equal(use.hasCalls, calls);
      assert.equal(use.isScratchOpen, calls || /variable-sized/.test(text));
      const vgprs = namedVGPRs(text);
      assert.equal(use.vgpr, Math.max(-1, ...vgprs) + 1, text);
      assert.equal(use.vgprHoles, use.vgpr - vgprs.size, text);
    }
  });

  it('are still those of llc-22', function () {
    needsLlc(this);
    for (const list of [kept, rare])
      list.forEach(([asked, wanted], k) => {
        if (k % ASK_AGAIN === 0) assert.deepEqual(numbersOfLlc(asked), wanted);
      });
  });
});

/** Numbers of the VGPRs that instructions name; what a call is given does not count. */
function namedVGPRs(text: string): Set<number> {
  const body = text.slice(text.indexOf('\nbody:'));
  const lines = body.split('\n').filter((line) => !/liveins:|DBG_/.test(line));
  const named = lines.map((line) => (line.includes('SI_CALL') ? line.replace(/, implicit .*/, '') : line)).join('\n');
  const masked = named.replace(/CustomRegMask\([^)]*\)/g, '');
  return new Set([...masked.matchAll(/vgpr(\d+)/g)].map((m) => Number(m[1])));
}
