/**
 * Numbers only where they mean something: functions of generic or allocated registers say so, on every surface, and functions that need
 * more registers than there are say first that they will spill.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideCodeLenses } from '../../../server/src/features/lens/codeLens.js';
import { provideTargetComparison } from '../../../server/src/features/pressure/compareTargets.js';
import { provideHover } from '../../../server/src/features/hover/hover.js';
import { provideInlayHints } from '../../../server/src/features/lens/inlayHints.js';
import { providePressureProfile } from '../../../server/src/features/pressure/pressureProfile.js';
import { DEFAULT_SETTINGS } from '../../../server/src/program/settings.js';
import type { Snapshot } from '../../../server/src/features/snapshot/snapshot.js';
import { provideWhy } from '../../../server/src/features/pressure/why.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../../server/src/cli/check.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const URI = 'file:///folder/counts.mir';
const RUN = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s\n';
const body = (name: string, ...lines: string[]): string =>
  [
    '---',
    `name: ${name}`,
    'tracksRegLiveness: true',
    'body: |',
    '  bb.0:',
    ...lines.map((l) => `    ${l}`),
    '...',
    '',
  ].join('\n');

const BANKED = body(
  'banked',
  'liveins: $sgpr0, $vgpr0_vgpr1, $sgpr4_sgpr5',
  '%0:sgpr(s32) = COPY $sgpr0',
  '%1:vgpr(s64) = COPY $vgpr0_vgpr1',
  '%2:sgpr(p1) = COPY $sgpr4_sgpr5',
  '%3:sgpr(s32) = G_ADD %0, %0',
  '%4:vgpr(s64) = G_ADD %1, %1',
  'S_ENDPGM 0, implicit %3(s32), implicit %4(s64), implicit %2(p1)',
);
const UNBANKED = body(
  'unbanked',
  'liveins: $vgpr0',
  '%0:_(s32) = COPY $vgpr0',
  '%1:_(s16) = G_TRUNC %0(s32)',
  'S_ENDPGM 0, implicit %1(s16), implicit %0(s32)',
);
const ALLOCATED = body(
  'allocated',
  'liveins: $vgpr0, $sgpr4_sgpr5',
  '$vgpr51 = V_MOV_B32_e32 $vgpr0, implicit $exec',
  '$sgpr29 = S_MOV_B32 $sgpr4',
  '$vcc = S_MOV_B64 0',
  'S_ENDPGM 0, implicit $vgpr51, implicit $sgpr29, implicit $vcc',
);
const NOTHING = body('nothing', 'S_NOP 0', 'S_ENDPGM 0');
const EMPTY = ['---', 'name: empty', 'body: |', '  bb.0:', '...', ''].join('\n');
const MIXED = body(
  'mixed',
  'liveins: $vgpr0, $vgpr1',
  '%0:vgpr_32 = COPY $vgpr0',
  '%1:_(s32) = COPY $vgpr1',
  'S_ENDPGM 0, implicit %0, implicit %1(s32)',
);
/** 70 registers live at once where a work-group of 1024 leaves each wave 64. */
const TOO_MANY = body(
  'too_many',
  'liveins: $vgpr0',
  '%100:vgpr_32 = COPY $vgpr0',
  ...Array.from(
    { length: 70 },
    (_, k) => `%${k}:vgpr_32 = DS_READ_B32_gfx9 %100, ${4 * k}, 0, implicit $exec :: (load (s32), addrspace 3)`,
  ),
  `S_ENDPGM 0, ${Array.from({ length: 70 }, (_, k) => `implicit %${k}`).join(', ')}`,
);

function open(text: string): Snapshot {
  const host = new AnalysisHost();
  host.configure({ ...DEFAULT_SETTINGS, blockLens: true, regionLens: true, inlayHints: 'all' });
  host.open(URI, 1, RUN + text);
  return host.snapshot(URI)!;
}

const lenses = (text: string): string[] =>
  provideCodeLenses(open(text), null, NEVER_CANCELLED).map((l) => l.command!.title);

/** The hover on the `n`th instruction of the function. */
function hover(text: string, n: number): string {
  const snapshot = open(text);
  const line = (RUN + text).split('\n').findIndex((l) => l.startsWith('    ') && !l.includes('liveins')) + n;
  return (provideHover(snapshot, { position: { line, character: 5 } })!.contents as { value: string }).value;
}

async function check(text: string, ...args: string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-counts-'));
  try {
    writeFileSync(join(folder, 'f.mir'), RUN + text);
    const io = new BufferedIO();
    assert.equal(await runCheck([...args, join(folder, 'f.mir')], io), 0);
    return io.out();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const CASES: readonly (readonly [string, string, string])[] = [
  ['generic registers with banks', BANKED, 'generic registers: banks sgpr 3 x 32 bit, vgpr 2 x 32 bit (estimate)'],
  [
    'generic registers without banks',
    UNBANKED,
    'generic registers: banks vgpr 2 x 32 bit (estimate, banks by divergence)',
  ],
  ['allocated registers', ALLOCATED, 'allocated: VGPR 52 (52 of 64), SGPR 30: occupancy 4'],
  ['no registers', NOTHING, 'no registers'],
  ['no code', EMPTY, 'no code'],
];

describe('what counts', () => {
  for (const [what, text, words] of CASES) {
    it(`a function with ${what} has one lens, which says so`, () => {
      assert.deepEqual(lenses(text), [words]);
    });

    it(`a function with ${what} has no numbers elsewhere either`, async () => {
      const snapshot = open(text);
      const range = { start: { line: 0, character: 0 }, end: { line: 40, character: 0 } };
      assert.deepEqual(provideInlayHints(snapshot, { range }, NEVER_CANCELLED), []);
      const position = { line: text === EMPTY ? 3 : 7, character: 4 };
      const profile = providePressureProfile(snapshot, { position })!;
      assert.deepEqual([profile.series, profile.problem], [[], words]);
      const row = provideTargetComparison(snapshot, { position }, NEVER_CANCELLED).functions[0]!.rows[0]!;
      assert.deepEqual([row.occupancy, row.problem], [-1, words]);
      if (text !== EMPTY) {
        const { report } = provideWhy(snapshot, { textDocument: { uri: URI }, position }) as { report: string };
        assert.ok(report.includes(words), report);
        const shown = hover(text, 0);
        assert.ok(shown.replaceAll('\\', '').includes(words), shown);
        assert.doesNotMatch(
          shown,
          words.includes('occupancy') ? /VGPR \*?\*?0|never read/ : /occupancy|VGPR \*?\*?0|never read/,
        );
      }
      const out = await check(text);
      assert.ok(out.includes(`gfx900 wave64   ${words}\n`), out);
      if (!words.includes('occupancy')) assert.doesNotMatch(out, /occupancy/);
      const json = JSON.parse(await check(text, '--json')) as {
        files: { functions: { pressure: unknown; registers: string }[] }[];
      };
      const [fn] = json.files[0]!.functions;
      assert.deepEqual([fn!.pressure, fn!.registers], [null, words]);
    });
  }

  it('a register without class that the end of the program reads is not "never read"', () => {
    const shown = hover(BANKED, 4);
    assert.match(shown, /defines `%4`/);
    assert.doesNotMatch(shown, /never read/);
  });

  it('generic registers are listed by type where their bank has most', () => {
    const rows = ['sgpr 3 x 32 bit: 1 s32, 1 p1', 'vgpr 2 x 32 bit: 1 s64'];
    const shown = hover(BANKED, 4).replaceAll('\\', '');
    const position = { line: 7, character: 4 };
    const { report } = provideWhy(open(BANKED), { textDocument: { uri: URI }, position }) as { report: string };
    for (const row of rows) {
      assert.ok(shown.includes(row), shown);
      assert.ok(report.includes(`\n  ${row}\n`), report);
    }
    assert.ok(hover(UNBANKED, 1).includes('vgpr 2 x 32 bit: 1 s32, 1 s16'), hover(UNBANKED, 1));
    assert.doesNotMatch(hover(MIXED, 1), /x 32 bit/);
  });

  it('generic registers beside others are named as not counted', () => {
    assert.ok(lenses(MIXED).includes('1 generic register not counted'));
    assert.ok(lenses(MIXED).some((l) => l.startsWith('occupancy 10 of 10')));
  });

  it('allocated registers are those that llc-22 reports', function () {
    needsLlc(this);
    const run = runLlc(
      ['-mtriple=amdgcn', '-mcpu=gfx900', '-x=mir', '-start-after=amdgpu-insert-delay-alu', '-o', '-'],
      ALLOCATED,
    );
    assert.match(run.stdout, /; NumVgprs: 52\n/);
    // llc adds VCC and, on gfx900, FLAT_SCRATCH and XNACK_MASK
    assert.match(run.stdout, /; TotalNumSgprs: 3[0246]\n/);
  });

  it('the SGPRs of a function that returns are those that llc-22 reports, return address and stack pointer included', async function () {
    needsLlc(this);
    for (const header of ['', 'stack:\n  - { id: 0, size: 8, alignment: 4 }\n']) {
      const lines =
        header === '' ? [] : ['SCRATCH_STORE_DWORD_SADDR $vgpr0, %stack.0, 0, 0, implicit $exec, implicit $flat_scr'];
      const text = body('returns', 'liveins: $vgpr0, $sgpr4', '$sgpr5 = S_MOV_B32 $sgpr4', ...lines, 'SI_RETURN')
        .replace('body:', `machineFunctionInfo: { stackPtrOffsetReg: '$sgpr32' }\n${header}body:`)
        .replace('---', '--- |\n  define void @returns() { ret void }\n...\n---');
      const run = runLlc(['-mtriple=amdgcn', '-mcpu=gfx942', '-x=mir', '-start-before=prologepilog', '-o', '-'], text);
      const sgprs = /\.set returns\.numbered_sgpr, (\d+)/.exec(run.stdout)?.[1];
      assert.ok(sgprs !== undefined, run.stderr);
      assert.match(await check(text, '--target=gfx942'), new RegExp(`allocated: .*SGPR ${sgprs}(?!\\d)`));
    }
  });

  it('a function that needs more than it may use says first that it will spill', async () => {
    const words = 'will spill: 6 VGPR too many (70 live of 64)';
    assert.equal(lenses(TOO_MANY)[0], words);
    assert.match(hover(TOO_MANY, 65), /will spill: 6 VGPR too many \(70 live of 64\)/);
    const { report } = provideWhy(open(TOO_MANY), {
      textDocument: { uri: URI },
      position: { line: 70, character: 6 },
    }) as { report: string };
    assert.ok(report.includes(words), report);
    const out = await check(TOO_MANY);
    assert.match(
      out,
      /too_many {2}gfx900 wave64 {3}will spill: 6 VGPR too many \(70 live of 64\); as written 3 -> scheduled 3 of 10 waves\n/,
    );
    const json = JSON.parse(await check(TOO_MANY, '--json')) as {
      files: { functions: { pressure: { excess: { bank: string; count: number; most: number }[] } }[] }[];
    };
    const [{ bank, count, most }] = json.files[0]!.functions[0]!.pressure.excess as [
      { bank: string; count: number; most: number },
    ];
    assert.deepEqual([bank, count, most], ['VGPR', 70, 64]);
  });

  it('and llc-22 does spill it, in the registers that we say it may use', function () {
    needsLlc(this);
    const args = ['-mtriple=amdgcn', '-mcpu=gfx900', '-x=mir', '-start-after=machine-scheduler', '-o', '-'];
    const { stdout } = runLlc(args, TOO_MANY);
    assert.match(stdout, /; NumVgprs: 64\n/);
    assert.match(stdout, /4-byte Folded Spill/);
    assert.match(stdout, /; ScratchSize: [1-9]/);
  });

  it('AGPRs of their own may take what does not fit, and nothing will spill that the allocator has a place for', () => {
    const host = new AnalysisHost();
    host.configure(DEFAULT_SETTINGS);
    host.open(URI, 1, RUN.replace('gfx900', 'gfx908') + TOO_MANY);
    const first = (): string => provideCodeLenses(host.snapshot(URI)!, null, NEVER_CANCELLED)[0]!.command!.title;
    assert.equal(first(), 'will spill or use AGPRs: 6 VGPR too many (70 live of 64)');
    while (host.allocateNext(URI, NEVER_CANCELLED, Infinity) !== null);
    assert.match(first(), /^llc ends with VGPR 63, AGPR \d+, SGPR 4$/);
  });
});
