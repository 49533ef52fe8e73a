/** What a summary and the verifier take over from the version before an edit, and steps of occupancy, against the same asked without shortcuts. */
import assert from 'node:assert/strict';
import { computeFunctionLimits } from '../../../server/src/analysis/functionLimits.js';
import { Bank, PressureSummary, reportOccupancy } from '../../../server/src/analysis/summary.js';
import { unchangedBlocks } from '../../../server/src/analysis/unchangedBlocks.js';
import { verifyVersion } from '../../../server/src/analysis/verifier/index.js';
import type { MachineFunction } from '../../../server/src/model/machineFunction.js';
import { FunctionResults } from '../../../server/src/host/functionResults.js';
import { parseMirFile, updateMirFile, type MirFile } from '../../../server/src/syntax/index.js';
import { SourceText } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';
import { lowerMir, mirFunction } from '../../support/mir.js';
import { randomFunction } from '../../support/randomFunction.js';
import { randomSource } from '../../support/random.js';

const TARGET = { triple: 'amdgcn-amd-amdhsa', cpu: 'gfx90a', features: '' };

/** Changes of a line, each of which leaves all registers in the order of their first mention. */
const CHANGES: readonly (readonly [RegExp, string])[] = [
  [/\d+(?=, implicit \$exec)/, '11'],
  [/implicit (?=%)/, 'implicit killed '],
  [/implicit (?=%)/, 'implicit undef '],
  [/killed /, ''],
  [/\.sub0\b/, '.sub1'],
  [/\.sub1\b/, '.sub0'],
  [/V_ADD_U32/, 'V_SUB_U32'],
  [/S_NOP 0/, 'S_NOP 1'],
  [/(?<= = )(?=V_)/, 'frame-setup '],
  [/^( {4}[%S].*)$/, '    S_NOP 5\n$1'],
  [/^( {4}S_NOP .*)$/, '$1, implicit $sgpr9'],
  [/^( {4}S_NOP .*)$/, '    S_NOP 0, implicit-def dead $vgpr200\n$1'],
  [/^( {4}S_NOP .*)$/, '    BUNDLE {\n      S_NOP 1\n  $1\n    }'],
  [/^( {4}S_NOP .*)$/, ''],
  [/(?<=^ {4}successors: .*, .*%bb\.\d+)$/, '(0x10000000)'],
  [/^( {2}bb\.[1-9]\d*:)$/, '$1\n    liveins: $sgpr50'],
];

class Versions {
  private readonly results = new FunctionResults(false);
  private file: MirFile;

  constructor(public text: string) {
    this.file = parseMirFile(new SourceText(text), new Interner());
  }

  get fn(): MachineFunction | null {
    const lowered = this.results.model(this.file, TARGET).functions[0];
    return lowered !== undefined && lowered.isComplete ? lowered.fn : null;
  }

  change(below: (n: number) => number): void {
    const lines = this.text.split('\n');
    const at = lines.indexOf('body: |') + 1 + below(lines.length - lines.indexOf('body: |') - 3);
    const fitting = CHANGES.filter(([from]) => from.test(lines[at]!));
    if (fitting.length === 0) return;
    const [from, to] = fitting[below(fitting.length)]!;
    const start = lines.slice(0, at).join('\n').length + 1;
    const edit = { start, end: start + lines[at]!.length, text: lines[at]!.replace(from, to) };
    const text = this.file.text.apply(edit);
    this.file = updateMirFile(this.file, text, [edit]);
    this.text = text.text;
  }

  /** The text of each block. */
  get blocks(): string[] {
    return this.text.split(/^(?= {2}bb\.)/m).slice(1).map((b) => b.replace(/\s+$/, '')); // prettier-ignore
  }
}

/** Kinds of registers of each bank; those that may become either count as vector registers. */
const KINDS: readonly (readonly [Bank, readonly number[]])[] = [[Bank.SGPR, [0]], [Bank.VGPR, [1, 3]], [Bank.AGPR, [2]]]; // prettier-ignore

const numbers = (s: PressureSummary): unknown => [s.up, s.down, s.max, s.peaks, s.occupancy];

describe('a summary after an edit', () => {
  for (const first of [1, 2, 3])
    it(`has the numbers of one that is computed anew, from the blocks whose text has not changed, ${first}`, () => {
      let count = 0;
      for (let seed = first; seed <= 24; seed += 3) {
        const text = randomFunction(seed, 'f', { maxBlocks: 8 });
        if (text === null) continue;
        const below = randomSource(seed);
        const versions = new Versions(text);
        let before = versions.fn;
        if (before === null) continue;
        let summary = new PressureSummary(before);
        let old = versions.blocks;
        let clean = verifyVersion(before, {}, null).clean;
        for (let step = 0; step < 25; step++) {
          versions.change(below);
          const now = versions.fn;
          if (now === null || now.blocks.length !== before.blocks.length) break;
          if (now === before) continue;
          const unchanged = unchangedBlocks(before, now);
          assert.ok(unchanged !== null);
          const same = versions.blocks.map((b, k) => {
            const preds = [before!, now].map((f) => f.blocks[k]!.predecessors.join());
            return b === old[k] && preds[0] === preds[1] ? 1 : 0;
          });
          // What was parsed again together with its neighbours may count as changed.
          same.forEach((s, k) => assert.ok(s === 1 || unchanged[k] === 0, versions.text));
          count += unchanged.filter((s) => s === 1).length;
          const next = new PressureSummary(now, { before: summary, unchanged });
          assert.deepEqual(numbers(next), numbers(new PressureSummary(now)), versions.text);
          // What no version had to complain of is taken over by the verifier, too.
          const verified = verifyVersion(now, {}, clean === null ? null : { before: clean, unchanged });
          const anew = verifyVersion(now, {}, null);
          assert.deepEqual(verified.reports, anew.reports, versions.text);
          ({ clean } = verified);
          [before, summary, old] = [now, next, versions.blocks];
        }
      }
      assert.ok(count > 30, `${count} blocks`);
    });

  it('names the first instruction at which most registers of a bank live', () => {
    for (let seed = 40; seed < 60; seed++) {
      const text = randomFunction(seed, 'f', { maxBlocks: 6 });
      if (text === null) continue;
      const fn = lowerMir(text, { cpu: 'gfx90a' })[0] as MachineFunction;
      const summary = new PressureSummary(fn);
      const at: readonly Int32Array[] = summary.up.at;
      for (const [bank, kinds] of KINDS) {
        const counts = [...fn.order].map((i) => kinds.reduce((sum, k) => sum + at[k]![i]!, 0));
        [...fn.order].forEach((i, k) => assert.equal(PressureSummary.count(at, bank, i), counts[k]));
        const most = Math.max(0, ...counts);
        const instr = most === 0 ? -1 : fn.order[counts.indexOf(most)]!;
        assert.deepEqual(summary.peaks[bank], { value: most, instr });
      }
    }
  });
});

describe('occupancy of a pressure', () => {
  for (const cpu of ['gfx600', 'gfx803', 'gfx900', 'gfx90a', 'gfx950', 'gfx1010', 'gfx1100', 'gfx1250'])
    it(`has the steps that trying each number of registers finds: ${cpu}`, () => {
      for (const info of [
        '',
        'occupancy: 4',
        'ldsSize: 16384',
        'ldsSize: 65536',
        'occupancy: 1',
        'dynamicVGPRBlockSize: 16',
      ]) {
        const header = info === '' ? '' : `machineFunctionInfo:\n  ${info}\n`;
        const text = mirFunction('f', '\n  bb.0:\n    S_ENDPGM 0\n').replace('body:', `${header}body:`);
        const limits = computeFunctionLimits(lowerMir(text, { cpu })[0] as MachineFunction);
        const st = limits.subtarget;
        const dyn = limits.dynamicVGPRBlockSize;
        const byS = (n: number): number => st.occupancyWithNumSGPRs(n);
        const byV = (n: number): number => st.occupancyWithNumVGPRs(n, dyn);
        const below = randomSource(cpu.length + info.length);
        for (let k = 0; k < 60; k++) {
          const sgprs = below(st.addressableNumSGPRs + 8);
          const vgprs = below(st.addressableNumVGPRs(dyn));
          const report = reportOccupancy(Int32Array.of(sgprs, vgprs, 0, 0, 0, 0, 0, 0), limits);
          const occupancy = Math.min(limits.occupancyCeiling, byS(sgprs), byV(vgprs));
          assert.deepEqual([report.occupancy, report.bySGPRs, report.byVGPRs, report.ceiling], [occupancy, byS(sgprs), byV(vgprs), limits.occupancyCeiling]); // prettier-ignore
          const canGain = occupancy < Math.min(limits.occupancyCeiling, st.maxWavesPerEU);
          const up = (by: (n: number) => number, n: number): object | null => {
            if (!canGain || by(n) > occupancy) return null;
            for (let registers = 1; registers <= n; registers++)
              if (by(n - registers) > by(n)) return { occupancy: by(n - registers), registers };
            return null;
          };
          const down = (by: (n: number) => number, n: number, all: number): object | null => {
            if (by(n) < occupancy) return null;
            for (let m = n + 1; m <= all; m++) if (by(m) < occupancy) return { occupancy: by(m), registers: m - 1 - n };
            return null;
          };
          const place = `${cpu} ${info} ${sgprs} ${vgprs}`;
          assert.deepEqual(report.sgprStepUp, up(byS, sgprs), place);
          assert.deepEqual(report.sgprStepDown, down(byS, sgprs, st.addressableNumSGPRs), place);
          assert.deepEqual(report.vgprStepUp, up(byV, vgprs), place);
          assert.deepEqual(report.vgprStepDown, down(byV, vgprs, st.addressableNumVGPRs(dyn)), place);
        }
      }
    });
});
