/** A tree after an edit: equal to that of a fresh parse wherever the edit stands, and what the edit does not reach is the same object. */
import assert from 'node:assert/strict';
import { SourceText, type TextEdit } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';
import { dumpTree, parseMirFile, updateMirFile, type Body, type MirFile } from '../../../server/src/syntax/index.js';
import { checkTreeText } from '../../support/treeText.js';

const interner = new Interner();
const parse = (text: string): MirFile => parseMirFile(new SourceText(text), interner);

const fresh = new Map<string, string>();
function freshDump(text: string): string {
  let dump = fresh.get(text);
  if (dump === undefined) fresh.set(text, (dump = dumpTree(parse(text))));
  return dump;
}

function edited(file: MirFile, ...edits: TextEdit[]): MirFile {
  let text = file.text;
  for (const e of edits) text = text.apply(e);
  const res = updateMirFile(file, text, edits);
  assert.equal(dumpTree(res), freshDump(text.text), JSON.stringify([file.text.text, edits]));
  return res;
}

const insert = (at: number, text: string): TextEdit => ({ start: at, end: at, text });

/** Small files with every kind of neighbour: documents with and without markers, errors, bodies of each kind, what reads far ahead. */
const SMALL: readonly string[] = [
  '---\nname: f\nbody: |\n  bb.0:\n    S 0\n    T\n\n  bb.1:\n    U\n...\n---\nname: g\n',
  '---\nname: f\nbody: |\n  bb.0:\n    S /* a\n    b */ 1\n    T\nx: y\n',
  '---\r\nname: f\r\nbody: |\r\n  bb.0:\r\n    S\r\n    T\r\n...\r\n',
  '---\rname: f\rbody: |\r  bb.0:\r    S\r    T\r',
  '--- |\n  define\n  @f\n...\n---\nbody: |\n\n   bb.0:\n   S\n   T\n ? \n',
  '---\nbody: |2\n  bb.0:\n   S\n  T\n? \n...\n',
  '---\nbody: "bb.0:"\nname: f\n---\nbody: bb.0\n--- x\n',
  '  a:\n---w m\n  }\n...\n%YAML 1.2\n---\n"a" "\n---\n"b: c\n',
  '---\nbody: >\n  bb.0:\n   S\n\n  T\nz: [ a,\n b ]\n---\n{a: b}\n',
  "# c\n---\n- { id: 0 }\n- { id: 1 }\n- { id: 22, x: [ ] }\n# d\n...\n... \nq: 'r''\n",
  '---\nbody: |\n  bb.0:\n    S ; c\n    BUNDLE {\n    }\n    T ? "u\n  # c\n',
  "--- !t\nname: &a f\nb: *a\n? c\n: d\nbody: |-\n   bb.0:\n   S\n\n\ne: 'f'\n",
];
const TYPED = [
  'x',
  '\n',
  ' ',
  '-',
  ':',
  '"',
  "'",
  '|',
  '#',
  '\r',
  '{',
  '}',
  '*/',
  '/*',
  '---\n',
  '\n---\n',
  '...\n',
  '\n  ',
  ';',
  '\t',
  '%',
  '\0',
  'é',
  '?',
  '\n\n',
  'body: |\n',
];

describe('an edited tree', () => {
  SMALL.forEach((text, i) => {
    it(`equals a fresh one after an edit at any place of ${JSON.stringify(text)}`, () => {
      const file = parse(text);
      let k = i;
      for (let p = 0; p <= text.length; p++) {
        for (let n = 1; n <= 3; n++) if (p + n <= text.length) edited(file, { start: p, end: p + n, text: '' });
        for (let n = 0; n < 4; n++) edited(file, insert(p, TYPED[(k += 7) % TYPED.length]));
        edited(file, { start: p, end: Math.min(text.length, p + 2), text: TYPED[(k += 7) % TYPED.length] });
      }
      fresh.clear();
    });
  });

  it('equals a fresh one after edits of which each builds on those before', () => {
    for (const text of SMALL) {
      let file = parse(text);
      let k = 3;
      for (let step = 0; step < 40; step++) {
        k = (k * 31 + 17) % 9973;
        const start = k % (file.text.length + 1);
        const end = Math.min(file.text.length, start + (k % 4));
        const typed = TYPED[k % TYPED.length];
        // Two at once every other time, the second before the first or after it.
        const second = (k * 7) % (start + 1);
        file = edited(
          file,
          { start, end, text: typed },
          ...(step % 2 === 0 ? [insert(second, TYPED[(k + 5) % TYPED.length])] : []),
        );
      }
      fresh.clear();
    }
  });

  it('takes edits that are out of the text or take each other back', () => {
    const file = parse(SMALL[0]);
    const { length } = file.text;
    assert.equal(updateMirFile(file, file.text, []).documents, file.documents);
    for (const edits of [
      [{ start: length, end: length + 9, text: 'x' }],
      [{ start: -3, end: 0, text: '# c\n' }],
      [insert(30, 'abc'), { start: 30, end: 33, text: '' }],
      [insert(length, 'abc\n'), { start: length, end: length + 4, text: '' }],
      [{ start: 0, end: length, text: '' }, insert(0, SMALL[0])],
      [
        { start: 20, end: length, text: '' },
        { start: 0, end: 20, text: '' },
      ],
    ]) {
      let text = file.text;
      for (const e of edits)
        text = text.apply({ start: Math.max(0, e.start), end: Math.min(text.length, e.end), text: e.text });
      const res = updateMirFile(file, text, edits);
      assert.equal(dumpTree(res), freshDump(text.text));
    }
  });
});

const LINES = 200;
const bodyLine = (i: number): string => `    S ${i}\n`;
const longBody = (lines = LINES): string =>
  `  bb.0:\n${Array.from({ length: lines - 1 }, (_, i) => bodyLine(i)).join('')}`;
const long = (name: string, lines = LINES): string =>
  `---\nname: ${name}\nregisters:\n  - { id: 0, class: a }\nbody: |\n${longBody(lines)}...\n`;

const bodyOf = (file: MirFile, d = 0): Body => {
  const { body } = file.documents[d];
  assert.ok(body !== null);
  return body;
};

/** Of the old chunks those that are in the new body, in the same order and at the place that they must have. */
function keptChunks(old: MirFile, now: MirFile, d = 0): number[] {
  const [a, b] = [bodyOf(old, d), bodyOf(now, d)];
  const kept: number[] = [];
  let from = 0;
  a.chunks.forEach((chunk, i) => {
    const k = b.chunks.indexOf(chunk, from);
    if (k < 0) return;
    from = k + 1;
    kept.push(i);
  });
  return kept;
}

describe('an edit keeps', () => {
  const file = parse(long('f') + long('g') + long('h'));
  const starts = (d: number): number => file.docStarts[d] + bodyOf(file, d).start;
  const lineAt = (d: number, line: number): number => {
    const first = file.text.lineAt(starts(d));
    return file.text.lineStart(first + line);
  };

  it('the cuts of a body: 64 lines, or the line that makes it 12,000 characters', () => {
    assert.deepEqual(
      bodyOf(file).chunks.map((c) => c.lines),
      [64, 64, 64, 8],
    );
    assert.deepEqual(Array.from(bodyOf(file).chunkLines), [0, 64, 128, 192, 200]);
    const wide = `---\nbody: |\n${`  S ; ${'x'.repeat(993)}\n`.repeat(30)}`;
    assert.deepEqual(
      bodyOf(parse(wide)).chunks.map((c) => [c.lines, c.length]),
      [
        [12, 12_000],
        [12, 12_000],
        [6, 6000],
      ],
    );
    const wider = wide.replace('xx', 'x');
    assert.deepEqual(
      bodyOf(parse(wider)).chunks.map((c) => c.lines),
      [13, 12, 5],
    );
  });

  it('other documents and the header, and all chunks that it does not touch', () => {
    for (const line of [1, 2, 3, 40, 62, 63, 64, 65, 66, 127, 128, 129, 150, 191, 192, 193, 197, 198, 199]) {
      for (const column of [0, 3, bodyLine(line - 1).length - 1]) {
        const at = lineAt(1, line) + column;
        const now = edited(file, insert(at, column === 0 ? ' ' : '7'));
        assert.equal(now.documents[0], file.documents[0]);
        assert.equal(now.documents[2], file.documents[2]);
        assert.deepEqual(Array.from(now.docStarts), [
          0,
          file.docStarts[1],
          file.docStarts[2] + 1,
          file.text.length + 1,
        ]);
        if (line < LINES - 1) assert.equal(now.documents[1].yaml, file.documents[1].yaml, `line ${line}`);
        const body = bodyOf(file, 1);
        const p = at - starts(1);
        const isFar = (_: unknown, i: number): boolean => body.chunkStarts[i + 1] < p || body.chunkStarts[i] > p;
        const wanted = body.chunks.map((_, i) => i).filter(isFar);
        assert.deepEqual(keptChunks(file, now, 1), wanted, `line ${line}, column ${column}`);
        assert.ok(bodyOf(now, 1).chunks.length <= body.chunks.length);
      }
      fresh.clear();
    }
  });

  it('the chunks on both sides of one that lines go from and come to', () => {
    for (const [line, lines, wanted] of [
      [70, 10, [0, 2, 3]],
      [70, 48, [0, 2, 3]],
      // What is left is small and joins what follows.
      [70, 53, [0, 3]],
      // Both neighbours end or begin where the edit does.
      [64, 64, [3]],
      [65, 62, [0, 3]],
      [10, 180, []],
    ] as const) {
      const now = edited(file, { start: lineAt(0, line), end: lineAt(0, line + lines), text: '' });
      assert.deepEqual(keptChunks(file, now), wanted, `${lines} lines from ${line}`);
      checkTreeText(now);
      assert.equal(now.documents[1], file.documents[1]);
    }
    for (const count of [1, 30, 64, 65, 100, 128, 129, 500]) {
      const now = edited(file, insert(lineAt(0, 70), bodyLine(0).repeat(count)));
      assert.deepEqual(keptChunks(file, now), [0, 2, 3]);
      const lines = bodyOf(now)
        .chunks.map((c) => c.lines)
        .slice(1, -2);
      assert.equal(lines.length, Math.ceil((64 + count) / 64));
      // About the same number in each.
      assert.ok(
        Math.max(...lines) <= 64 && Math.min(...lines) >= Math.min(...lines.slice(0, -1), 64) - lines.length,
        String(lines),
      );
      assert.equal(new Set(lines.slice(0, -1)).size <= 1, true, String(lines));
      checkTreeText(now);
    }
  });

  it('all chunks when the header changes, those after when the body begins elsewhere, those before when it ends earlier', () => {
    const inHeader = edited(file, insert(file.docStarts[1] + '---\nname: '.length, 'longer'));
    assert.deepEqual(keptChunks(file, inHeader, 1), [0, 1, 2, 3]);
    assert.equal(inHeader.documents[0], file.documents[0]);
    assert.equal(inHeader.documents[2], file.documents[2]);
    const atStart = edited(file, insert(starts(1), '  ; c\n'));
    assert.deepEqual(keptChunks(file, atStart, 1), [1, 2, 3]);
    const atEnd = edited(file, { start: lineAt(1, LINES - 1), end: lineAt(1, LINES), text: '' });
    assert.deepEqual(keptChunks(file, atEnd, 1), [0, 1, 2]);
    const cut = edited(file, insert(lineAt(1, 150), 'x: y\n'));
    assert.deepEqual(keptChunks(file, cut, 1), [0, 1]);
    const wider = edited(file, insert(starts(1), ' '));
    assert.equal(wider.documents[1].indent, 3);
  });

  it('chunks before a comment that begins or ends only where nothing of it changes', () => {
    const open = edited(file, insert(lineAt(0, 70) + 6, '/* '));
    assert.deepEqual(keptChunks(file, open), [0, 2, 3]);
    assert.deepEqual(
      bodyOf(open).chunks.map((c) => c.hasOpenComment),
      [false, true, false, false],
    );
    // Far after: no end of a comment, an end, its first half before the second.
    const at = open.text.lineStart(open.text.lineAt(open.docStarts[0]) + 5 + 180) + 6;
    assert.deepEqual(keptChunks(open, edited(open, insert(at, '1'))), [0, 1, 3]);
    const closed = edited(open, insert(at, '*/ '));
    assert.deepEqual(keptChunks(open, closed), [0, 3]);
    assert.deepEqual(
      bodyOf(closed).chunks.map((c) => c.hasOpenComment),
      bodyOf(closed).chunks.map(() => false),
    );
    const half = edited(open, insert(at, '*'));
    assert.deepEqual(keptChunks(open, half), [0, 1, 3]);
    assert.deepEqual(keptChunks(half, edited(half, insert(at + 1, '/'))), [0, 3]);
    const other = edited(open, insert(at, '/'));
    assert.deepEqual(keptChunks(other, edited(other, insert(at, '*'))), [0, 3]);
    // The comment of another function is another one.
    const later = file.docStarts[1] - file.docStarts[0] + 3 + starts(0) + 700;
    assert.equal(edited(open, insert(later, '*/')).documents[0], open.documents[0]);
    // Without its end, the comment is none, and what it hid is read.
    const again = edited(closed, { start: at, end: at + 2, text: '' });
    checkTreeText(again);
    assert.equal(
      bodyOf(again).chunks.some((c) => c.hasOpenComment),
      true,
    );
  });

  it('documents after an edit only where they begin as they did', () => {
    const text = '---\nname: f\n---\nname: g\n---\nname: h\n--- |\n  x\n';
    const four = parse(text);
    for (let d = 0; d < 4; d++) {
      for (const column of d < 3 ? [8, 11] : [9]) {
        const now = edited(four, insert(four.docStarts[d] + column, 'x'));
        now.documents.forEach((doc, i) =>
          assert.equal(doc === four.documents[i], i !== d, `${i} after an edit in ${d}`),
        );
      }
    }
    for (let p = 0; p <= text.length; p++) {
      const now = edited(four, insert(p, 'x'));
      four.documents.forEach((doc, i) => {
        // The marker of the next document and four characters after it belong to what a document depends on.
        if (four.docStarts[i + 1] + 7 <= p) assert.equal(now.documents[i], doc, `${i} after ${p}`);
      });
    }
    const unmarked = parse('a: b\n...\nc: d\n...\ne: f\n');
    const now = edited(unmarked, insert(0, 'x'));
    assert.equal(now.documents.length, unmarked.documents.length);
  });
});

describe('limits of the parser', () => {
  const nop = '    S_NOP 0\n';
  const around = (line: string, lineBreak: string): string =>
    `---\nbody: |\n  bb.0:\n${nop}    ${line}${lineBreak}${nop}`;

  it('a line of more than 4,000,000 characters is reported and not read', () => {
    const blanks = ' '.repeat(3_999_985);
    for (const lineBreak of ['\n', '\r\n', '\r']) {
      const longest = parse(around(`S_NOP${blanks}implicit`.slice(0, 3_999_996), lineBreak));
      assert.equal(
        bodyOf(longest).chunks.reduce((n, c) => n + c.errors.length, 0),
        0,
      );
      const tooLong = parse(around(`S_NOP${blanks}implicit`.slice(0, 3_999_997), lineBreak));
      const dump = dumpTree(tooLong);
      assert.match(dump, /Error 5:1-5:4000002 flags=1 "line too long: more than 4000000 characters" aux=0/);
      assert.match(dump, /Instruction 6:/);
      checkTreeText(tooLong);
    }
    const last = parse(around(`S_NOP${blanks}implicit`, '').replace(new RegExp(`${nop}$`), ''));
    assert.match(dumpTree(last), /line too long/);
  });
});
