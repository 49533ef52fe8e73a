/** The setting `amdgpu-mir.model`: what each surface says, and the schedule of the other model as edits of the text. */
import { strict as assert } from 'node:assert';
import { runCommandsOf } from '../../../server/src/program/targetOfFile.js';
import { TestFile } from '../../../server/src/program/testFile/testFile.js';
import { provideCodeLenses } from '../../../server/src/features/lens/codeLens.js';
import { provideHover } from '../../../server/src/features/hover/hover.js';
import {
  provideScheduledText,
  provideScheduleExplanation,
  type ScheduledText,
} from '../../../server/src/features/schedule/schedule.js';
import { readSettings } from '../../../server/src/program/settings.js';
import type { Snapshot } from '../../../server/src/features/snapshot/snapshot.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { documentStatus } from '../../../server/src/lsp/common/documentStatus.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { randomRemat } from '../../support/randomRemat.js';
import { scheduleWithOurs } from '../../support/schedule.js';

const URI = 'file:///model.mir';

function snapshotOf(text: string, settings: unknown): Snapshot {
  const host = new AnalysisHost(false, Infinity);
  host.configure(readSettings(settings));
  host.open(URI, 1, text);
  const snapshot = host.snapshot(URI);
  assert.ok(snapshot);
  return snapshot;
}

const at = (line: number): { textDocument: { uri: string }; position: { line: number; character: number } } => ({
  textDocument: { uri: URI },
  position: { line, character: 6 },
});

/** 25 values on gfx908, one more than fit in 10 waves; the last can be computed again. `inline`: classes in the body, not in the list. */
function tooMany(inline: boolean, tail = ''): string {
  const all = Array.from({ length: 25 }, (_, k) => k);
  const rc = inline ? ':vgpr_32' : '';
  return [
    '# RUN: llc -mtriple=amdgcn -mcpu=gfx908 -run-pass=machine-scheduler %s',
    '---',
    'name: f',
    'tracksRegLiveness: true',
    ...(inline ? [] : ['registers:', ...all.map((k) => `  - { id: ${k}, class: vgpr_32 }`)]),
    'machineFunctionInfo:',
    '  isEntryFunction: true',
    'body: |',
    '  bb.0:',
    ...all.map((k) => `    %${k}${rc} = V_MOV_B32_e32 ${k}, implicit $exec${k < 24 ? ', implicit-def $m0' : ''}`),
    ...(tail === '' ? [] : [tail]),
    '    S_BRANCH %bb.1',
    '  bb.1:',
    ...all.map((k) => `    S_NOP 0, implicit %${k}`),
    '    S_ENDPGM 0',
    '...',
    '',
  ].join('\n');
}

/** The body without debug instructions, registers numbered by their first mention. */
function canonicalBody(text: string): string {
  const numbers = new Map<string, number>();
  return text
    .slice(text.indexOf('\nbody:'))
    .replace(/^ +DBG_VALUE.*\n/gm, '')
    .replace(/%(\d+)/g, (name) => {
      if (!numbers.has(name)) numbers.set(name, numbers.size);
      return `%${numbers.get(name)}`;
    })
    .replace(/ *;.*/g, '');
}

const MAIN = { model: 'llvm-main-2026-01' };

describe('the setting amdgpu-mir.model', () => {
  it('keeps its default for what is no model', () => {
    assert.equal(readSettings({}).model, 'auto');
    assert.equal(readSettings({ model: 'llvm-23' }).model, 'auto');
    assert.equal(readSettings({ model: 7 }).model, 'auto');
    assert.equal(readSettings({ model: 'llvm-24' }).model, 'llvm-24');
    assert.equal(readSettings(MAIN).model, 'llvm-main-2026-01');
  });

  it('is named by lens, hover, explanation, scheduled text and status, and only when it is not the default', () => {
    const text = tooMany(true);
    const line = text.split('\n').indexOf('    S_NOP 0, implicit %24');
    for (const [settings, isMain] of [
      [{ codeLens: { regions: true } }, false],
      [{ ...MAIN, codeLens: { regions: true } }, true],
    ] as const) {
      const snapshot = snapshotOf(text, settings);
      const lenses = provideCodeLenses(snapshot, {}, NEVER_CANCELLED);
      const hover = JSON.stringify(provideHover(snapshot, at(line)));
      const all = [
        lenses.map((l) => l.command?.title ?? '').join('\n'),
        hover,
        String(provideScheduleExplanation(snapshot, at(line), NEVER_CANCELLED)),
        (provideScheduledText(snapshot, at(line), NEVER_CANCELLED) as ScheduledText).target,
        documentStatus(snapshot).model,
      ];
      for (const said of all) assert.equal(/llvm-main|LLVM main of early 2026/.test(said), isMain, said);
    }
  });

  for (const inline of [true, false]) {
    it(`gives a copy a register that is free, ${inline ? 'with' : 'without'} classes in the body`, function () {
      const text = tooMany(inline, '    DBG_VALUE %24, $noreg');
      const { text: scheduled } = provideScheduledText(
        snapshotOf(text, MAIN),
        at(10),
        NEVER_CANCELLED,
      ) as ScheduledText;
      assert.ok(scheduled !== null);
      assert.match(scheduled, /\n {4}%25:vgpr_32 = V_MOV_B32_e32 24, implicit \$exec\n {4}S_NOP 0, implicit %25\n/);
      assert.ok(!scheduled.slice(scheduled.indexOf('body:')).includes('%24'));
      assert.match(scheduled, /DBG_VALUE \$noreg, \$noreg/);
      assert.deepEqual(snapshotOf(scheduled, MAIN).functions[0]?.diagnostics, []);
    });
  }

  it('makes texts that llc accepts and that have the order of the command line', function () {
    needsLlc(this);
    let nMoved = 0;
    for (let seed = 0; seed < 14; seed++) {
      const text = randomRemat(seed);
      const { triple, cpu } = runCommandsOf(new TestFile(text))[0];
      const args = [`-mtriple=${triple}`, `-mcpu=${cpu}`];
      const { text: scheduled } = provideScheduledText(
        snapshotOf(text, MAIN),
        at(20),
        NEVER_CANCELLED,
      ) as ScheduledText;
      assert.ok(scheduled !== null);
      const printed = runLlc([...args, '-run-pass=none', '-x=mir', '-o', '-'], scheduled);
      assert.equal(printed.stderr, '', `seed ${seed}`);
      const ours = scheduleWithOurs(text, [...args, '--model=llvm-main-2026-01']).stdout;
      assert.equal(canonicalBody(printed.stdout), canonicalBody(ours), `seed ${seed}`);
      if (ours !== scheduleWithOurs(text, args).stdout) nMoved++;
    }
    assert.ok(nMoved > 3);
  });
});
