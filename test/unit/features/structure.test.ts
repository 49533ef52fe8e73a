/** Folding, growing selections, links. */
import assert from 'node:assert/strict';
import type { SelectionRange } from 'vscode-languageserver-types';
import { provideDocumentLinks } from '../../../server/src/features/navigation/documentLink.js';
import { provideFoldingRanges } from '../../../server/src/features/navigation/foldingRange.js';
import { provideSelectionRanges } from '../../../server/src/features/navigation/selectionRange.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { atCursor, cursorIn, openText } from '../../support/cursor.js';

const MIR = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %S/Inputs/other.mir
# RUN:   | FileCheck %S/../common.txt
--- |
  define void @f() {
    ret void
  }
  !1 = !DIFile(filename: "a.cl", directory: "/src")
...
---
name:            f
tracksRegLiveness: true
registers:
  - { id: 0, class: vgpr_32 }
  - { id: 1, class: vgpr_32 }
body:             |
  bb.0:
    ; CHECK-LABEL: name: f
    ; CHECK: V_MOV
    ; a remark
    %0 = V_MOV_B32_e32 1, implicit $exec
    S_BRANCH %bb.1

  bb.1:
    S_ENDPGM 0, implicit killed %0
...
`;

describe('folding', () => {
  it('documents, header, keys, blocks, runs of CHECK lines, IR functions', () => {
    const { snapshot } = openText(MIR);
    const found = provideFoldingRanges(snapshot, null, NEVER_CANCELLED)!;
    assert.deepEqual(
      found
        .map((r) => `${r.startLine + 1}-${r.endLine + 1}${r.kind ? ` ${r.kind}` : ''}`)
        .sort((a, b) => parseInt(a) - parseInt(b)),
      [
        '1-2 comment',
        '3-7 region',
        '4-6',
        '10-24 region',
        '11-14 imports',
        '12-14',
        '15-24',
        '16-21',
        '17-18 comment',
        '23-24',
      ],
    );
  });

  it('nothing in an empty file', () => {
    assert.deepEqual(provideFoldingRanges(openText('').snapshot, null, NEVER_CANCELLED), []);
  });
});

describe('selection', () => {
  const steps = (at: string): string[] => {
    const { snapshot, position, show } = atCursor(cursorIn(MIR, at));
    const result: string[] = [];
    const [first] = provideSelectionRanges(snapshot, { positions: [position] });
    for (let r: SelectionRange | undefined = first; r; r = r.parent) result.push(show(r.range).split('\n')[0]!);
    return result;
  };

  it('grows from a name over the operand to the file', () => {
    assert.deepEqual(steps('killed %$00'), [
      '24:34 0',
      '24:33 %0',
      '24:17 implicit killed %0',
      '24:5 S_ENDPGM 0, implicit killed %0',
      '23:3 bb.1:',
      '16:1   bb.0:',
      '9:1 ---',
      '1:1 # RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %S/Inputs/other.mir',
    ]);
  });

  it('knows the header and the IR', () => {
    assert.deepEqual(steps('$0vgpr_32').slice(0, 4), [
      '13:21 vgpr_32',
      '13:14 class: vgpr_32',
      '13:5 { id: 0, class: vgpr_32 }',
      '13:3 - { id: 0, class: vgpr_32 }',
    ]);
    assert.deepEqual(steps('$0ret').slice(0, 3), [
      '5:5 ret',
      '5:5 ret void',
      '1:1 # RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %S/Inputs/other.mir',
    ]);
  });
});

describe('selection at any place', () => {
  it('grows from the word to the file, each step within the next', () => {
    const { snapshot } = openText(MIR);
    const offsets = (r: SelectionRange): [number, number] => [
      snapshot.text.offsetAt(r.range.start),
      snapshot.text.offsetAt(r.range.end),
    ];
    const positions = Array.from({ length: MIR.length + 1 }, (_, at) => snapshot.text.positionAt(at));
    const found = provideSelectionRanges(snapshot, { positions });
    assert.equal(found.length, positions.length);
    found.forEach((first, at) => {
      let [start, end] = offsets(first);
      // At the end of the file there is nothing but the file.
      const word = MIR.slice(start, end);
      const { line, character } = positions[at]!;
      assert.ok(start <= at && at <= end, `${line + 1}:${character + 1} '${word}'`);
      for (let r = first.parent; r; r = r.parent) {
        const [from, to] = offsets(r);
        assert.ok(from <= start && end <= to && end - start < to - from, `${line + 1}:${character + 1} '${word}'`);
        [start, end] = [from, to];
      }
      assert.deepEqual([start, end], [0, MIR.length], `${line + 1}:${character + 1}`);
    });
  });
});

describe('links', () => {
  it('files of RUN lines and of debug information', () => {
    const { snapshot, show } = openText(MIR);
    assert.deepEqual(
      provideDocumentLinks(snapshot).map((l) => `${show(l.range)} -> ${l.target}`),
      [
        '1:56 %S/Inputs/other.mir -> file:///Inputs/other.mir',
        '2:22 %S/../common.txt -> file:///common.txt',
        '7:27 a.cl -> file:///src/a.cl',
      ],
    );
  });

  const targets = (text: string, uri = 'file:///t/a.mir'): (string | undefined)[] => {
    const host = new AnalysisHost(false, Infinity);
    host.open(uri, 1, text);
    return provideDocumentLinks(host.snapshot(uri)!).map((l) => l.target);
  };
  const debugFile = (name: string, directory = ''): string =>
    `--- |\n  !0 = !DIFile(filename: "${name}", directory: "${directory}")\n...\n`;

  it('none to what is no path of a file', () => {
    for (const name of [
      '\\\\evil\\share',
      '//evil/share/x',
      'http://evil/x',
      'command:a.b',
      'a\ud800b',
      'a\u0001b',
      '\u202ex',
    ])
      assert.deepEqual(targets(debugFile(name)), [], name);
    assert.deepEqual(targets(debugFile('x', '//evil/share')), []);
    assert.deepEqual(targets('# RUN: llc %S/\ud800x -mcpu=gfx900\n'), []);
    assert.deepEqual(targets('# RUN: llc %S/x\n', 'untitled:Untitled-1'), []);
  });

  it('stay in the file system of the document, and name files only', () => {
    assert.deepEqual(targets(debugFile('/s/a b?c#d')), ['file:///s/a%20b%3Fc%23d']);
    const remote = 'vscode-remote://ssh-remote%2Bhost/home/t.mir';
    assert.deepEqual(targets(debugFile('a.cl', '/src'), remote), ['vscode-remote://ssh-remote%2Bhost/src/a.cl']);
    assert.deepEqual(targets('# RUN: llc %S/../../../../x.ll\n'), ['file:///x.ll']);
  });
});
