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

/** A function with callee-saved registers as the text lists them, of which it writes all. */
function savesOf(attribute: string, regs: readonly string[], cpu = 'gfx1200'): FrameCase {
  const body = regs.map((reg) => `S_NOP 0, implicit-def ${reg}`);
  return handMade(cpu, attribute, [`calleeSavedRegisters: [ ${regs.map((r) => `'${r}'`).join(', ')} ]`], [], body);
}

function handMade(
  cpu: string,
  features: string,
  header: readonly string[],
  info: readonly string[],
  body: readonly string[],
): FrameCase {
  const triple = 'amdgcn-amd-amdhsa';
  const text = [
    '--- |\n  define void @f() #0 { ret void }\n  attributes #0 = { nounwind }\n...\n---\nname: f\ntracksRegLiveness: true',
    ...header,
    'frameInfo:\n  maxAlignment: 4\nmachineFunctionInfo:\n  isEntryFunction: false',
    "  stackPtrOffsetReg: '$sgpr32'\n  frameOffsetReg: '$sgpr33'\n  scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3'",
    ...info,
    'body: |\n  bb.0:\n    liveins: $sgpr0_sgpr1_sgpr2_sgpr3, $sgpr30_sgpr31, $sgpr32\n',
    ...[...body, 'SI_RETURN implicit undef $vgpr0', ''].map((line) => (line === '' ? '...\n' : `    ${line}`)),
  ].join('\n');
  return {
    args: [`-mtriple=${triple}`, `-mcpu=${cpu}`, `-mattr=${features}`],
    target: { triple, cpu, features },
    text,
  };
}

const calling = (frame: FrameCase, key = 'hasCalls'): FrameCase => ({
  ...frame,
  text: frame.text.replace('frameInfo:\n', `frameInfo:\n  ${key}: true\n`),
});

const vgprs = (...numbers: readonly number[]): string[] => numbers.map((n) => `$vgpr${n}`);

/** A function with an object that the scavenger may use for a moment, one that makes it far to the end, and one for an SGPR; VALU reads the address of one. */
const scavenged = (size: number, read: number, spill = 'none'): FrameCase =>
  handMade(
    'gfx803',
    '',
    [
      'stack:',
      '  - { id: 0, size: 4, alignment: 4 }',
      `  - { id: 1, size: ${size}, alignment: 4 }`,
      ...(spill === '' ? ['  - { id: 2, type: spill-slot, size: 4, alignment: 4, stack-id: sgpr-spill }'] : []),
    ],
    ["  scavengeFI: '%stack.0'"],
    [`$vgpr1 = V_MOV_B32_e32 %stack.${read}, implicit $exec`, 'S_NOP 0, implicit $vgpr1'],
  );

/** What llc-22 says of frames made by hand. */
const HAND_MADE: readonly (readonly [string, FrameCase, Numbers])[] = [
  ['blocks of 40, 45, 60', savesOf('+block-vgpr-csr', vgprs(40, 45, 60)), [88, 72, 33, 33, 72, null]],
  ['blocks of 60, 40, 45', savesOf('+block-vgpr-csr', vgprs(60, 40, 45)), [76, 92, 33, 33, 92, null]],
  ['blocks of 45, 40, 60', savesOf('+block-vgpr-csr', vgprs(45, 40, 60)), [116, 77, 33, 33, 77, null]],
  ['blocks of 90, 40, 60', savesOf('+block-vgpr-csr', vgprs(90, 40, 60)), [64, 122, 33, 33, 122, null]],
  ['blocks of 90, 40', savesOf('+block-vgpr-csr', vgprs(90, 40)), [64, 122, 33, 33, 122, null]],
  ['blocks of 40, 90', savesOf('+block-vgpr-csr', vgprs(40, 90)), [12, 122, 33, 33, 122, null]],
  ['blocks of 41, 40, 42', savesOf('+block-vgpr-csr', vgprs(41, 40, 42)), [132, 73, 33, 33, 73, null]],
  [
    'blocks of 200, 40, 41, 90, 89',
    savesOf('+block-vgpr-csr', vgprs(200, 40, 41, 90, 89)),
    [80, 232, 33, 33, 232, null],
  ],
  ['blocks of 40, 71', savesOf('+block-vgpr-csr', vgprs(40, 71)), [132, 72, 33, 33, 72, null]],
  ['blocks of 40, 72', savesOf('+block-vgpr-csr', vgprs(40, 72)), [12, 104, 33, 33, 104, null]],
  ['blocks of 240, 250', savesOf('+block-vgpr-csr', vgprs(240, 250)), [48, 256, 33, 33, 256, null]],
  ['blocks of 224, 255', savesOf('+block-vgpr-csr', vgprs(224, 255)), [132, 256, 33, 33, 256, null]],
  [
    'blocks of 56, 57, 58, 104, 105',
    savesOf('+block-vgpr-csr', vgprs(56, 57, 58, 104, 105)),
    [24, 136, 33, 33, 136, null],
  ],
  ['blocks among others', savesOf('+block-vgpr-csr', ['$vgpr40', '$sgpr40', '$vgpr45']), [28, 72, 41, 41, 72, null]],
  [
    'single saves of registers that the processor does not have',
    savesOf('-block-vgpr-csr', vgprs(100, 255, 256, 300)),
    [12, 256, 33, 33, 256, null],
  ],
  [
    'saves of the near registers alone',
    savesOf('-block-vgpr-csr', vgprs(100, 256, 300), 'gfx1250'),
    [8, 301, 33, 33, 301, null],
  ],
  [
    'blocks that end in far registers',
    savesOf('+block-vgpr-csr', vgprs(240, 250, 270), 'gfx1250'),
    [48, 272, 33, 33, 272, null],
  ],
  ['single saves', savesOf('-block-vgpr-csr', vgprs(60, 40, 45)), [16, 61, 33, 33, 61, null]],
  [
    'the first emergency slot at the beginning of a far frame, another after it',
    scavenged(5000, 0, ''),
    [5012, 2, 33, 33, 2, null],
  ],
  ['an object after two emergency slots', scavenged(5000, 1, ''), [5012, 2, 33, 35, 2, null]],
  ['one emergency slot at the beginning of a far frame', scavenged(5000, 0), [5004, 2, 33, 33, 2, null]],
  ['an object after one emergency slot', scavenged(5000, 1), [5004, 2, 33, 35, 2, null]],
  ['the emergency slot at the end of a near frame', scavenged(40, 0, ''), [48, 2, 33, 35, 2, null]],
  ['an object before the emergency slot', scavenged(40, 1, ''), [48, 2, 33, 33, 2, null]],
  [
    'blocks of a function with calls',
    calling(savesOf('+block-vgpr-csr', vgprs(240, 250))),
    [48, 272, 34, 34, 272, null],
  ],
  [
    'far registers of a function with calls',
    calling(savesOf('-block-vgpr-csr', vgprs(100, 255, 256, 300))),
    [12, 301, 34, 34, 301, null],
  ],
  [
    'far registers of a function with tail calls',
    calling(savesOf('-block-vgpr-csr', vgprs(100, 300)), 'hasTailCall'),
    [8, 301, 33, 33, 301, null],
  ],
  [
    'far registers that need not be saved',
    calling(savesOf('-block-vgpr-csr', vgprs(300)), 'hasOpaqueSPAdjustment'),
    [0, 1, 32, 32, 1, null],
  ],
];

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

  for (const [title, asked, wanted] of HAND_MADE)
    it(`have ${title}`, function () {
      assert.deepEqual(ofOurs(asked, wanted), wanted, asked.text);
      needsLlc(this);
      assert.deepEqual(numbersOfLlc(asked), wanted);
    });

  it('name the registers of the text, holes among them, and what calls and objects of unknown size leave open', () => {
    let [seen, untouched] = [0, 0];
    for (const [{ text, target }] of [...kept.filter((_, k) => k % 3 === 0), ...rare]) {
      const use = allocatedUse(lowerMir(text, target)[0]!);
      const calls = /SI_CALL/.test(text);
      assert.equal(use.hasCalls, calls);
      assert.equal(use.isScratchOpen, calls || /variable-sized/.test(text));
      const vgprs = namedVGPRs(text);
      assert.equal(use.vgpr, Math.max(-1, ...vgprs) + 1, text);
      // Whole-wave registers move, and the frame may take some.
      if (use.moves.length > 0) continue;
      const holes = use.framedVGPR - vgprs.size;
      assert.ok(use.vgprHoles >= 0 && use.vgprHoles < Math.max(1, use.framedVGPR), text);
      seen++;
      if (use.vgprHoles === holes) untouched++;
    }
    assert.ok(untouched > seen / 2, `${untouched} of ${seen}`);
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
