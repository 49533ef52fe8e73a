/** Lowering after a small edit: the same function as a fresh one. */
import * as assert from 'node:assert';
import { parseMirFile, updateMirFile } from '../../../server/src/syntax/index.js';
import { SourceText } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';
import { EditSession } from '../../support/editsCheck.js';
import { mirFunction } from '../../support/mir.js';

const TARGET = { triple: 'amdgcn-amd-amdhsa', cpu: 'gfx90a', features: '' };

const TEXT = mirFunction(
  'f',
  `
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $sgpr4_sgpr5
    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_64 = COPY $sgpr4_sgpr5
    %2:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %3:vgpr_32 = GLOBAL_LOAD_DWORD_SADDR %1, %0, 0, 0, implicit $exec :: (load (s32), addrspace 1)

  bb.1:
    successors: %bb.1, %bb.2
    %4:vgpr_32 = V_ADD_U32_e32 %0, %2, implicit $exec
    S_NOP 0, implicit %3
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc

  bb.2:
    %5:vgpr_32 = V_ADD_U32_e32 %4, %2, implicit $exec
    %6:vgpr_32 = V_MOV_B32_e32 &symbol, implicit $exec
    S_NOP 0, implicit %5, implicit %6
    S_ENDPGM 0`,
);

/** [what, text, its replacement] */
const EDITS: readonly (readonly [string, string, string])[] = [
  ['another operand', 'V_ADD_U32_e32 %0, %2', 'V_ADD_U32_e32 %2, %0'],
  ['a flag', 'V_ADD_U32_e32 %4, %2', 'V_ADD_U32_e32 killed %4, %2'],
  ['an immediate', 'V_MOV_B32_e32 1', 'V_MOV_B32_e32 7'],
  ['an opcode', 'V_ADD_U32_e32 %4', 'V_SUB_U32_e32 %4'],
  ['a memory operand', '(load (s32), addrspace 1)', '(load (s32), align 8, addrspace 1)'],
  ['a symbol', '&symbol', '&other'],
  ['a comment', 'S_NOP 0, implicit %3', 'S_NOP 0, implicit %3 ; here'],
  ['another target of a branch', 'S_CBRANCH_SCC1 %bb.1', 'S_CBRANCH_SCC1 %bb.2'],
  ['a probability', 'successors: %bb.1, %bb.2', 'successors: %bb.1(1), %bb.2(3)'],
  ['a live-in', 'liveins: $vgpr0, $sgpr4', 'liveins: $vgpr1, $sgpr4'],
  ['the last opcode of a block', 'S_ENDPGM 0', 'S_NOP 0'],
  ['a class', '%5:vgpr_32', '%5:vreg_64'],
  ['a class at a use', 'implicit %5, implicit', 'implicit %5:vreg_64, implicit'],
  ['a second definition', '%5:vgpr_32', '%4:vgpr_32'],
  ['a definition of a part', '%5:vgpr_32', 'undef %5.sub0:vreg_64'],
  ['a new register', '%5:vgpr_32', '%9:vgpr_32'],
  ['the order of first mentions', '%2:vgpr_32 = V_MOV_B32_e32 1', '%3:vgpr_32 = V_MOV_B32_e32 1'],
  ['a use before all others', 'S_NOP 0, implicit %3', 'S_NOP 0, implicit %6'],
  ['one more operand', 'S_NOP 0, implicit %3', 'S_NOP 0, implicit %3, implicit %2'],
  ['an error', 'V_ADD_U32_e32 %4', 'V_AD_U32_e32 %4'],
];

describe('lowering after an edit', () => {
  for (const [what, from, to] of EDITS)
    it(`${what}: the same as a fresh one, also when the edit is taken back`, () => {
      const file = new EditSession().open(TEXT, TARGET);
      file.compare();
      const start = TEXT.indexOf(from);
      assert.ok(start >= 0, from);
      file.edit([{ start, end: start + from.length, text: to }]);
      file.compare();
      file.edit([{ start, end: start + to.length, text: from }]);
      file.compare();
    });

  // Blocks whose successors are guessed from what stands in them, and a function whose properties are.
  const GUESSED = mirFunction(
    'f',
    `
  bb.0:
    liveins: $vgpr0
    %0:vgpr_32 = COPY $vgpr0
    S_BRANCH %bb.1

  bb.1:
    %1:vgpr_32 = PHI %0, %bb.0, %2, %bb.1
    %2:vgpr_32 = PHI %0, %bb.0, %1, %bb.1
    KILL %0
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc

  bb.2:
    S_NOP 0
    KILL $vgpr0, 1

  bb.3:
    S_ENDPGM 0
    KILL $vgpr0, 2

  bb.4:
    S_NOP 7
    S_ENDPGM 0, implicit %1`,
  );

  for (const [what, from, to] of [
    ['an end of the program where the block fell through', 'S_NOP 0', 'S_ENDPGM 0'],
    ['no end any more', 'S_ENDPGM 0\n', 'S_NOP 0\n'],
    ['a debug instruction after the end', 'KILL $vgpr0, 2', 'DBG_PHI $vgpr0, 2'],
    ['a debug instruction after none', 'KILL $vgpr0, 1', 'DBG_PHI $vgpr0, 1'],
    ['a PHI less', '%2:vgpr_32 = PHI', '%2:vgpr_32 = COPY'],
    ['the other PHI less', '%1:vgpr_32 = PHI', '%1:vgpr_32 = COPY'],
    ['a fake use', 'KILL %0', 'FAKE_USE %0'],
    ['a memory operand more', 'S_NOP 7', 'S_NOP 7 :: (load (s32))'],
    ['a block that is named', 'S_NOP 7', 'S_NOP %bb.2'],
    ['a symbol', 'KILL $vgpr0, 1', 'KILL $vgpr0, &symbol'],
  ] as const)
    it(`${what}: what is guessed is guessed again`, () => {
      const file = new EditSession().open(GUESSED, TARGET);
      file.compare();
      const start = GUESSED.indexOf(from);
      assert.ok(start >= 0, from);
      file.edit([{ start, end: start + from.length, text: to }]);
      file.compare();
      file.edit([{ start, end: start + to.length, text: from }]);
      file.compare();
    });

  it('a body in the line of its key: errors of the header end where the line does', () => {
    const file = new EditSession().open('---\nbody: S_ENDPGM 0\n...\n', TARGET);
    const start = file.text.indexOf(' 0') + 1;
    file.compare();
    file.edit([{ start, end: start + 1, text: '-1' }]);
    file.compare();
    file.edit([{ start, end: start + 2, text: '0' }]);
    file.compare();
  });

  it('fake uses that come and go: the header says so', () => {
    const text = mirFunction(
      'f',
      '\n  bb.0:\n    liveins: $vgpr0\n    %0:vgpr_32 = COPY $vgpr0\n    KILL %0\n    S_ENDPGM 0',
    );
    const file = new EditSession().open(text, TARGET);
    const at = text.indexOf('KILL');
    file.compare();
    file.edit([{ start: at, end: at + 4, text: 'FAKE_USE' }]);
    file.compare();
    file.edit([{ start: at, end: at + 8, text: 'KILL' }]);
    file.compare();
  });

  it('a document after the edited one is the same object, however its first line ends', () => {
    for (const end of ['\n', ' \n', '\t\n', '\r\n', '\r']) {
      const first = mirFunction('f', '\n  bb.0:\n    S_NOP 0\n    S_ENDPGM 0');
      const second = mirFunction('g', '\n  bb.0:\n    S_ENDPGM 0').replace('---\n', `---${end}`);
      // Without its last line, so that the first document ends where the next one begins.
      const text = first.replace('...\n', '') + second;
      const before = parseMirFile(new SourceText(text), new Interner());
      assert.equal(before.documents.length, 2);
      const at = text.indexOf('S_NOP 0') + 6;
      const edit = { start: at, end: at + 1, text: '17' };
      const after = updateMirFile(before, before.text.apply(edit), [edit]);
      assert.equal(after.documents[1], before.documents[1], JSON.stringify(end));
    }
  });

  it('comments that open, close and swallow lines', () => {
    const lines = Array.from({ length: 160 }, (_, k) => `    S_NOP ${k % 8}${k % 20 === 7 ? ' /* c */' : ''}`);
    const text = mirFunction('f', `\n  bb.0:\n${lines.join('\n')}\n\n  bb.1:\n    S_ENDPGM 0`);
    const file = new EditSession().open(text, TARGET);
    const starts = lines.map(
      (_, k) => text.indexOf(lines[0]!) + lines.slice(0, k).join('\n').length + (k === 0 ? 0 : 1),
    );
    const places = [0, 3, 7, 40, 79, 80, 120, 159];
    for (const open of places)
      for (const close of places) {
        if (close <= open) continue;
        const insert = (at: number, what: string): void => {
          file.edit([{ start: at, end: at, text: what }]);
          file.compare();
        };
        const remove = (at: number, n: number): void => {
          file.edit([{ start: at, end: at + n, text: '' }]);
          file.compare();
        };
        insert(starts[open]!, '/*');
        insert(starts[close]! + 2, '*/');
        remove(starts[open]!, 2);
        insert(starts[open]!, '/*');
        remove(starts[close]! + 2, 2);
        remove(starts[open]!, 2);
      }
  });

  it('white space of all sorts between documents and before keys', () => {
    const text = `${mirFunction('f', '\n  bb.0:\n    S_ENDPGM 0')}${mirFunction('g', '\n  bb.0:\n    S_ENDPGM 0')}`;
    for (const space of [
      ' ',
      '\t',
      '\n',
      '\r',
      '\r\n',
      '\v',
      '\f',
      '\u00a0',
      'x',
      '...',
      '---',
      '--- ',
      '---\t',
      '---x',
      '%',
    ]) {
      for (const at of ['---', 'name: g', '...']) {
        const file = new EditSession().open(text, TARGET);
        for (const start of [text.lastIndexOf(at), text.lastIndexOf(at) + at.length]) {
          file.edit([{ start, end: start, text: space }]);
          file.compare();
          file.edit([{ start, end: start + space.length, text: '' }]);
          file.compare();
        }
      }
    }
  });
});
