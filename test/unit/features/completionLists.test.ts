/**
 * Whole lists of completion with snippets, in their order: `test/fixtures/completion`, a file for each kind of place. Under `==` and a line with
 * the cursor `¦` in it stand the items, each as `label -> what is written | detail | description`; `... n` ends the beginning of a list of n.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TextEdit } from 'vscode-languageserver-types';
import { provideCompletion } from '../../../server/src/features/completion/completion.js';
import { atBar, URI } from '../../support/cursor.js';

const RUN = '# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none -o - %s | FileCheck %s\n';
const BODY = `---
name:            f
tracksRegLiveness: true
stack:
  - { id: 0, size: 16, alignment: 4 }
body:             |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $sgpr4_sgpr5

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_64 = COPY $sgpr4_sgpr5
    %2:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
HERE
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc

  bb.1:
    %9:vgpr_32 = V_MOV_B32_e32 0, implicit $exec

  bb.2:
    S_ENDPGM 0
...
`;
const SMALL = '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
const MODULE = `--- |
  declare void @ext()
  define void @g() { ret void }
  define void @f(ptr %p) {
  entry:
    %x = load i32, ptr %p
    ret void
  }
...
`;

const inBody = (line: string): string => RUN + BODY.replace('HERE', line);

/** The text around the lines of each file. */
const AROUND: Readonly<Record<string, (line: string) => string>> = {
  memory: inBody,
  words: inBody,
  generic: inBody,
  loose: inBody,
  operands: inBody,
  definitions: inBody,
  header: (line) =>
    `${RUN}${MODULE}---\nname:            f\n${line}\nbody:             |\n  bb.0:\n    %1:vgpr_32 = COPY $vgpr0\n    S_ENDPGM 0\n...\n`,
  names: (line) => `${RUN}${MODULE}${SMALL}${SMALL.replace('name: f', `name: ${line}`)}`,
  run: (line) => `# RUN: ${line}\n${SMALL}`,
  check: (line) =>
    `# RUN: llc %s | FileCheck -check-prefixes=GCN,GFX9 %s\n# RUN: llc %s | FileCheck %s --check-prefix=TWO\n` +
    `# GCN-LABEL: name: f\n# GCN: [[X:%[0-9]+]]:vgpr_32 [[#N:]]\n${line}\n${SMALL}`,
  file: (line) => line.replace('FN\n', SMALL),
  ir: (line) =>
    `${RUN}--- |\n  define void @f(ptr addrspace(1) %p) #0 {\n  entry:\n    %x = load i32, ptr addrspace(1) %p\n    %y = add i32 %x, 1\n${line}\n` +
    `    br label %out\n  out:\n    ret void\n  }\n  declare i32 @h(i32)\n  attributes #0 = { nounwind }\n  attributes #1 = { cold }\n...\n${SMALL}`,
  attributes: (line) => `${RUN}--- |\n  define void @f() { ret void }\n  attributes #0 = { ${line} }\n...\n${SMALL}`,
};

describe('lists of completion', () => {
  for (const [name, around] of Object.entries(AROUND))
    describe(name, () => {
      const file = readFileSync(join(__dirname, '..', '..', 'fixtures', 'completion', `${name}.txt`), 'utf8');
      for (const part of file.split(/^== /m).slice(1)) {
        const [place = '', ...lines] = part.trimEnd().split('\n');
        it(place, () => {
          const { snapshot, position } = atBar(around(place.replaceAll('\\n', '\n')), { snippets: true });
          const { items } = provideCompletion(snapshot, { textDocument: { uri: URI }, position });
          const shown = items.map(({ label, textEdit, labelDetails }) => {
            const written = (textEdit as TextEdit).newText
              .replaceAll('\n', '\\n')
              .replace(/ +$/, (blanks) => '␣'.repeat(blanks.length));
            const first = written === label ? label : `${label} -> ${written}`;
            const all = [first, (labelDetails?.detail ?? '').trim(), labelDetails?.description ?? ''].join(' | ');
            return all.replace(/(?: \| )+$/, '');
          });
          const isBeginning = lines.at(-1)?.startsWith('... ') === true;
          assert.deepEqual(isBeginning ? [...shown.slice(0, lines.length - 1), `... ${shown.length}`] : shown, lines);
        });
      }
    });
});
