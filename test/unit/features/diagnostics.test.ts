/** Diagnostics as the editor gets them: links to the rule, the other place, findings about pressure, and all repairs at once. */
import assert from 'node:assert/strict';
import type { Diagnostic, TextEdit } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../../server/src/features/assists/codeAction.js';
import { DEFAULT_SETTINGS, type Settings } from '../../../server/src/program/settings.js';
import { EditedText } from '../../../server/src/text/editedText.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { openText, URI } from '../../support/cursor.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const fn = (body: string, header = 'tracksRegLiveness: true\n'): string =>
  `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -run-pass=none %s\n---\nname: f\n${header}body: |\n${body}...\n`;

function diagnose(text: string, settings: Partial<Settings> = {}): Diagnostic[] {
  const { host } = openText(text);
  host.configure({ ...DEFAULT_SETTINGS, ...settings });
  return host.diagnostics(URI, NEVER_CANCELLED)!;
}

const related = (d: Diagnostic | undefined): string[] =>
  (d?.relatedInformation ?? []).map((r) => `${r.location.range.start.line + 1}: ${r.message}`);

describe('diagnostics', () => {
  it('link to their rule where there is a page, and only there', () => {
    const text = fn('  bb.0:\n    S_NOPE 0\n    S_ENDPGM 0\n');
    const [linked] = diagnose(text, { documentation: 'file:///docs/diagnostics.md' });
    assert.equal(linked?.codeDescription?.href, 'file:///docs/diagnostics.md#unknown-opcode');
    assert.equal(diagnose(text)[0]?.codeDescription, undefined);
  });

  it('name the first definition of a block and of a register, and the class given first', () => {
    const block = diagnose(fn('  bb.0:\n    S_ENDPGM 0\n  bb.0:\n    S_ENDPGM 0\n'));
    assert.deepEqual(related(block.find((d) => d.code === 'redefinition')), ['6: first defined here']);
    const header = 'registers:\n  - { id: 0, class: vgpr_32 }\n  - { id: 0, class: sgpr_32 }\n';
    const register = diagnose(fn('  bb.0:\n    S_ENDPGM 0\n', header));
    assert.deepEqual(related(register.find((d) => d.code === 'redefinition')), ['5: first defined here']);
    const body = '  bb.0:\n    %0:sreg_32 = S_MOV_B32 0\n    %0:sreg_64 = S_MOV_B64 0\n    S_ENDPGM 0\n';
    assert.deepEqual(related(diagnose(fn(body))[0]), ['7: class given here']);
  });

  it('name the function that had the name first', () => {
    const text = fn('  bb.0:\n    S_ENDPGM 0\n');
    assert.deepEqual(related(diagnose(text + text.slice(text.indexOf('---')))[0]), ['3: first defined here']);
  });

  it('name the block that a branch goes to without its being a successor', () => {
    const text = fn(
      '  bb.0:\n    successors: %bb.1\n    S_BRANCH %bb.2\n  bb.1:\n    S_ENDPGM 0\n  bb.2:\n    S_ENDPGM 0\n',
    );
    assert.ok(diagnose(text).some((d) => related(d).includes('11: the other block')));
  });
});

/** n values loaded from LDS and kept until the end. The loads cannot be done anew. */
function loads(n: number, attributes: string): string {
  let body = '  bb.0:\n';
  for (let i = 0; i < n; i++)
    body += `    %${i}:vgpr_32 = DS_READ_B32_gfx9 undef %9999:vgpr_32, ${4 * i}, 0, implicit $exec :: (volatile load (s32), addrspace 3)\n`;
  for (let i = 0; i < n; i++) body += `    S_NOP 0, implicit %${i}\n`;
  return (
    `--- |\n  define amdgpu_kernel void @f() #0 { ret void }\n  attributes #0 = { "amdgpu-no-dispatch-ptr" ${attributes} }\n...\n---\nname: f\n` +
    `tracksRegLiveness: true\nmachineFunctionInfo:\n  isEntryFunction: true\n  scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3'\n` +
    `  stackPtrOffsetReg: '$sgpr32'\nbody: |\n${body}    S_ENDPGM 0\n...\n`
  );
}

describe('findings about pressure', () => {
  const settings = { pressureDiagnostics: true, target: { triple: 'amdgcn-amd-amdhsa', cpu: 'gfx900', features: '' } };
  const ofCode = (text: string, code: string): string[] =>
    diagnose(text, settings)
      .filter((d) => d.code === code)
      .map((d) => String(d.message));

  it('are silent unless asked for', () => assert.deepEqual(diagnose(loads(70, ''), { target: settings.target }), []));

  it('name the region that limits the occupancy, its ends, and the way up', () => {
    // gfx900: 24 VGPRs for 10 waves, 28 for 9.
    assert.deepEqual(ofCode(loads(24, ''), 'limits-occupancy'), []);
    const text = loads(25, '');
    assert.deepEqual(ofCode(text, 'limits-occupancy'), [
      "VGPR pressure of region 0 (bb.0) limits the occupancy of 'f' to 9 of 10; next wave: -1 VGPR",
    ]);
    const [found] = diagnose(text, settings);
    assert.equal(found?.severity, 3);
    assert.equal(related(found).length, 2);
    assert.match(text.split('\n')[found!.range.start.line]!, /%24:vgpr_32 = DS_READ/);
  });

  for (const [attributes, most] of [
    ['"amdgpu-num-vgpr"="48"', 48],
    ['"amdgpu-waves-per-eu"="4,4"', 64],
    ['"amdgpu-flat-work-group-size"="1,256"', 256],
  ] as const)
    it(`say from which register on llc spills: ${attributes}`, function () {
      assert.deepEqual(ofCode(loads(most, attributes), 'would-spill'), []);
      assert.deepEqual(ofCode(loads(most + 1, attributes), 'would-spill'), [
        `'f' would spill: ${most + 1} VGPRs live at once at bb.0:${most}, the function may use ${most}: 1 too many`,
      ]);
      needsLlc(this);
      const args = ['-x', 'mir', '-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-start-after=machine-scheduler'];
      const spills = (n: number): boolean => {
        const { status, stdout } = runLlc([...args, '-stop-before=prologepilog', '-o', '-'], loads(n, attributes));
        assert.equal(status, 0);
        return /SI_SPILL_\w+_SAVE/.test(stdout);
      };
      assert.equal(spills(most), false);
      assert.equal(spills(most + 1), true);
    });
});

describe('all repairs of a file', () => {
  const apply = (text: string, edits: readonly TextEdit[]): string => {
    const { snapshot } = openText(text);
    let result = text;
    for (const { range, newText } of [...edits].reverse())
      result =
        result.slice(0, snapshot.text.offsetAt(range.start)) +
        newText +
        result.slice(snapshot.text.offsetAt(range.end));
    return result;
  };
  const fixAll = (text: string): { title: string; result: string } | null => {
    const { snapshot } = openText(text);
    const at = { line: 0, character: 0 };
    const context = { diagnostics: [], only: ['source.fixAll'] };
    const [action, ...more] = provideCodeActions(snapshot, { range: { start: at, end: at }, context }, NEVER_CANCELLED);
    assert.equal(more.length, 0);
    return action ? { title: action.title, result: apply(text, action.edit!.changes![URI]!) } : null;
  };

  it('nothing for a file without mistakes', () => assert.equal(fixAll(fn('  bb.0:\n    S_ENDPGM 0\n')), null));

  it('mistakes of both passes, in two functions and on one line', function () {
    const body =
      '  bb.0:\n    liveins: $vgpr0\n\n    %0:vgpr_32 = COPY killed $vgpr0\n    %1 = V_MOVE_B32_e32 %0\n' +
      '    %2:vgpr_32 = V_ADD_U32_e32 killed %0, %1, implicit $exec\n    S_ENDPGM 0, implicit %0, implicit $vgpr0\n';
    const second = fn('  bb.0:\n    S_NOPP 0\n    S_ENDPGM 0\n').replace('name: f', 'name: g');
    const text = fn(body) + second.slice(second.indexOf('---'));
    const all = fixAll(text);
    assert.equal(all?.title, 'Repair 5 problems');
    assert.equal(
      all.result,
      text
        .replace('%1 = V_MOVE_B32_e32 %0', '%1:vgpr_32 = V_MOV_B32_e32 %0, implicit $exec')
        .replace('killed %0', '%0')
        .replace('COPY killed', 'COPY')
        .replace('S_NOPP', 'S_NOP'),
    );
    needsLlc(this);
    const args = ['-x', 'mir', '-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', '-run-pass=none', '-o', '/dev/null'];
    assert.equal(runLlc(args, all.result).status, 0);
  });

  it('leaves what has several spellings equally near', () => {
    const add = '%2:vgpr_32 = nofpexcept V_ADD_F_e32 %0, %0, implicit $mode, implicit $exec';
    const text = fn(`  bb.0:\n    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec\n    ${add}\n    S_ENDPGM 0\n`);
    const { snapshot } = openText(text);
    const at = text.indexOf('V_ADD_F_');
    const offers = provideCodeActions(
      snapshot,
      { range: snapshot.rangeOf(at, at), context: { diagnostics: [] } },
      NEVER_CANCELLED,
    );
    assert.deepEqual(offers.map((a) => a.title).sort(), ["Change to 'V_ADD_F16_e32'", "Change to 'V_ADD_F32_e32'"]);
    assert.equal(fixAll(text), null);
  });
});

describe('EditedText', () => {
  it('is the same as edits one after the other', () => {
    let text = 'abcdefghijklmnopqrstuvwxyz';
    const first = text;
    const edited = new EditedText(text.length);
    const steps = [
      [[3, 5, 'XX']],
      [
        [0, 0, '<'],
        [4, 6, ''],
      ],
      [[2, 20, '-']],
      [[3, 3, '+']],
      [[0, 1, '']],
    ] as const;
    for (const step of steps) {
      const edits = step.map(([start, end, t]) => ({ start, end, text: t }));
      edited.apply(edits);
      for (const { start, end, text: t } of [...edits].reverse()) text = text.slice(0, start) + t + text.slice(end);
      let whole = first;
      for (const e of [...edited.edits].reverse()) whole = whole.slice(0, e.start) + e.text + whole.slice(e.end);
      assert.equal(whole, text);
    }
    assert.ok(edited.edits.every((e, k, all) => k === 0 || all[k - 1]!.end <= e.start));
  });
});
