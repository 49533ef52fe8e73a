/** Completion offers what the target has, in the form that its generation writes, and processors from the oldest to the newest. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import type { CompletionItem, TextEdit } from 'vscode-languageserver-types';
import { provideCompletion } from '../../../../server/src/features/completion/completion.js';
import { instructionFlags } from '../../../../server/src/features/completion/bodyWords.js';
import { provideInlayHints } from '../../../../server/src/features/lens/inlayHints.js';
import { createSubtarget, lacksOpcode, LLVM22 } from '../../../../server/src/target/index.js';
import { releaseOf } from '../../../../server/src/target/release.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { atCursor, URI } from '../../../support/cursor.js';
import { LIMIT_MS, LLC, needsLlc, runLlc } from '../../../support/llc.js';

const TRIPLE = 'amdgcn-amd-amdhsa';

const file = (cpu: string, line: string): string => `# RUN: llc -mtriple=${TRIPLE} -mcpu=${cpu} -run-pass=none -o - %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0_vgpr1

    %0:vreg_64_align2 = COPY $vgpr0_vgpr1
    ${line}
    S_ENDPGM 0
...
`;

function itemsAt(text: string): CompletionItem[] {
  const { snapshot, position } = atCursor(text, { snippets: true });
  return provideCompletion(snapshot, { textDocument: { uri: URI }, position }).items;
}
const labelsAt = (text: string): string[] => itemsAt(text).map((i) => i.label);

/** Opcodes with an instruction that llvm-mc is asked about: it has or lacks it on each processor. */
const INSTRUCTIONS: readonly (readonly [opcode: string, assembly: string])[] = [
  ['V_MOV_B64_e32', 'v_mov_b64 v[0:1], v[2:3]'],
  ['V_MFMA_F32_4X4X1F32_e64', 'v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[2:5]'],
  ['V_PK_FMA_F32', 'v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]'],
  ['V_ADD_F16_sdwa', 'v_add_f16_sdwa v0, v1, v2'],
  ['V_FMAC_F32_e32', 'v_fmac_f32 v0, v1, v2'],
  ['V_LSHL_ADD_U64_e64', 'v_lshl_add_u64 v[0:1], v[2:3], 1, v[4:5]'],
];
const PROCESSORS = [
  'gfx600',
  'gfx803',
  'gfx900',
  'gfx906',
  'gfx908',
  'gfx90a',
  'gfx942',
  'gfx1030',
  'gfx1100',
  'gfx1200',
];

describe('completion and the target', () => {
  it('flags of instructions are those of the release', () => {
    const labels = (name: 'llvm-22' | 'llvm-24'): string[] =>
      instructionFlags(createSubtarget('amdgcn', 'gfx942', '', releaseOf(name))).map((c) => c.label);
    assert.deepEqual(labels('llvm-24'), [...labels('llvm-22'), 'lr-split']);
  });

  it('what the processor lacks is what its assembler does not take', function () {
    needsLlc(this);
    const mc = LLC.replace(/llc(?=[^/]*$)/, 'llvm-mc');
    const tables = LLVM22.tables;
    const main = releaseOf('llvm-24');
    const kinds = new Set<boolean>();
    for (const cpu of PROCESSORS) {
      const st = createSubtarget(TRIPLE, cpu, '');
      for (const [opcode, assembly] of INSTRUCTIONS) {
        const { status, error } = spawnSync(mc, [`-triple=${TRIPLE}`, `-mcpu=${cpu}`, '-o', '-', '-'], {
          input: `${assembly}\n`,
          encoding: 'utf8',
          timeout: LIMIT_MS,
        });
        if (error) throw error;
        const isLacked = lacksOpcode(st, tables.opcodeByName(opcode));
        assert.equal(isLacked, status !== 0, `${opcode} on ${cpu}`);
        kinds.add(isLacked);
        const there = lacksOpcode(createSubtarget(TRIPLE, cpu, '', main), main.tables.opcodeByName(opcode));
        assert.equal(there, isLacked, `${opcode} on ${cpu}, LLVM 24`);
      }
    }
    assert.equal(kinds.size, 2);
  });

  it('offers nothing of that, and registers of 16 bits of the kind that the target has', () => {
    assert.deepEqual(labelsAt(file('gfx600', 'GLOBAL_LOAD$0')), []);
    assert.deepEqual(labelsAt(file('gfx900', 'V_MFMA$0')), []);
    assert.ok(!labelsAt(file('gfx900', 'V_MOV_B64$0')).includes('V_MOV_B64_e32'));
    assert.ok(labelsAt(file('gfx942', 'V_MOV_B64$0')).includes('V_MOV_B64_e32'));
    const [first = ''] = labelsAt(file('gfx1100', 'V_ADD_F16$0'));
    const st = createSubtarget(TRIPLE, 'gfx1100', '');
    assert.match(first, st.hasFeature('real-true16') ? /^V_ADD_F16_t16_/ : /^V_ADD_F16_fake16_/);
    for (const cpu of ['gfx1030', 'gfx900'])
      assert.ok(
        labelsAt(file(cpu, 'V_ADD_F16$0')).every((label) => !/t16|fake16/.test(label)),
        cpu,
      );
  });

  it('has the plain opcode of the generation before its variants', () => {
    for (const [cpu, word, first] of [
      ['gfx803', 'DS_READ', 'DS_READ_B32'],
      ['gfx900', 'DS_READ', 'DS_READ_B32_gfx9'],
      ['gfx1100', 'DS_READ', 'DS_READ_B32_gfx9'],
      ['gfx1200', 'DS_WRITE', 'DS_WRITE_B32_gfx9'],
      ['gfx942', 'GLOBAL_LOAD', 'GLOBAL_LOAD_DWORD'],
    ] as const)
      assert.equal(labelsAt(file(cpu, `${word}$0`))[0], first, `${word} on ${cpu}`);
  });

  it('has processors in the order of their generations, those with names after them', () => {
    const cpus = labelsAt('# RUN: llc -mtriple=amdgcn -mcpu=$0\n');
    const order = ['gfx600', 'gfx705', 'gfx810', 'gfx9-generic', 'gfx900', 'gfx90a', 'gfx9-4-generic', 'gfx942'];
    order.push(
      'gfx950',
      'gfx10-1-generic',
      'gfx1013',
      'gfx10-3-generic',
      'gfx1030',
      'gfx11-generic',
      'gfx1153',
      'gfx1250',
      'tahiti',
    );
    const places = order.map((cpu) => cpus.indexOf(cpu));
    assert.ok(places.every((p) => p >= 0));
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
    );
  });

  it('writes the blank before a memory operand', function () {
    needsLlc(this);
    const lines = ['::$0', '::($0', ':: $0', ':: ($0'].map(
      (end) => `%1:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec ${end}`,
    );
    for (const line of lines) {
      const [item] = itemsAt(file('gfx90a', line));
      const { range, newText } = item!.textEdit as TextEdit;
      const text = `    ${line.replace('$0', '')}`;
      // As a client does it: the edits of the item are all of the same text.
      const more = item!.additionalTextEdits ?? [];
      let edited = text.slice(0, range.start.character) + newText + text.slice(range.end.character);
      for (const edit of more)
        edited = edited.slice(0, edit.range.start.character) + edit.newText + edited.slice(edit.range.end.character);
      assert.match(edited, /exec :: \((?:load|$)/, line);
      if (!/\bload$/.test(edited)) {
        const whole = edited
          .replace(/\$\{\d:([^}]*)\}/g, '$1')
          .replace(/\$0$/, '')
          .trim();
        const { status, stderr } = runLlc(
          ['-x', 'mir', `-mtriple=${TRIPLE}`, '-mcpu=gfx90a', '-run-pass=none', '-o', '-'],
          file('gfx90a', whole),
        );
        assert.equal(status, 0, stderr);
      }
    }
  });

  it('offers a new register in a function that has none yet, and none in one that is allocated', () => {
    const first = (body: string): string[] =>
      labelsAt(
        `# RUN: llc -mtriple=${TRIPLE} -mcpu=gfx90a -run-pass=none -o - %s\n---\nname: f\nbody: |\n  bb.0:\n    liveins: $vgpr0\n\n${body}...\n`,
      );
    assert.ok(
      first('    $0 = COPY $vgpr0\n')
        .slice(0, 5)
        .some((label) => label.startsWith('%0')),
    );
    assert.ok(first('    $0 = V_MOV_B32_e32 0, implicit $exec\n')[0]!.startsWith('%0:vgpr_32'));
    const allocated = first('    $vgpr1 = COPY $vgpr0\n    $0 = V_MOV_B32_e32 0, implicit $exec\n');
    assert.ok(allocated.length > 0 && allocated.every((label) => !label.startsWith('%')));
  });

  it('numbers at line ends say what they are, and where the peaks are', () => {
    const { snapshot } = atCursor(file('gfx90a', '%1:vgpr_32 = V_MOV_B32_e32 0, implicit $exec$0'));
    const range = { start: { line: 0, character: 0 }, end: { line: 20, character: 0 } };
    const hints = provideInlayHints(snapshot, { range }, NEVER_CANCELLED);
    assert.ok(hints.length > 0);
    for (const { tooltip } of hints)
      assert.match(
        tooltip as string,
        /^Registers live after this line, .*amdgpu-print-rp counts\. Live peaks of f: VGPR 2 at line 9\.$/,
      );
  });
});
