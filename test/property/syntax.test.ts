/**
 * After any sequence of edits the incremental tree equals the tree of a full parse, errors included; no input throws; what an edit does
 * not touch keeps its identity.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SourceText } from '../../server/src/text/sourceText.js';
import { Interner } from '../../server/src/util/interner.js';
import { dumpTree, parseMirFile, updateMirFile, type MirFile } from '../../server/src/syntax/index.js';
import { runsOr } from '../support/switches.js';

const interner = new Interner();

/** Lines and pieces that make documents, break them, or move their ends. */
const bodyLine = fc.constantFrom(
  '  bb.0:\n',
  '  bb.1.entry (align 4, landing-pad):\n',
  '    successors: %bb.1(0x40000000), %bb.0\n',
  '    liveins: $vgpr0, $sgpr0_sgpr1:0xF\n',
  '\n',
  '  \n',
  '    %0:vgpr_32 = V_ADD_U32_e32 killed %1.sub0, $vgpr1, implicit $exec\n',
  '    S_NOP 0 ; CHECK: x\n',
  '    ; CHECK-LABEL: name: f\n',
  '    BUNDLE implicit-def $vgpr0 {\n',
  '    }\n',
  '      $vgpr0 = GLOBAL_LOAD_DWORD %3, 0, 0, implicit $exec :: (load (s32) from %ir.p + 4, align 8, !tbaa !5)\n',
  '    DBG_VALUE $vgpr0, $noreg, !12, !DIExpression()\n',
  '    S_FOO ?\n',
  '    }{ "abc\n',
  '\tS_NOP 0\n',
  '    S_NOP 0\r\n',
  '    S_NOP 0\r',
  '    S_NOP 0 /* one line */\n',
  '    S_NOP 0, /* several\n',
  '    lines */ implicit $exec\n',
  '  # c\n',
  ' S_NOP\n',
);
const headerLine = fc.constantFrom(
  '---\n',
  '--- |\n',
  '...\n',
  'name: f\n',
  "name: 'f\n",
  'alignment: 1\n',
  'registers:\n',
  '  - { id: 0, class: vgpr_32 }\n',
  "  - { id: 1, class: sgpr_32, preferred-register: '', flags: [ WWM_REG ] }\n",
  '  - { id: 2 class: x }\n',
  'liveins: [\n',
  'stack: []\n',
  'frameInfo:\n',
  '  maxAlignment: 4\n',
  '# comment\n',
  '? \n',
  '? a\n',
  ': a\n',
  'body: |\n',
  'body:             |\n',
  'body: "bb.0:"\n',
  '  define void @f() {\n',
  '\n',
);
const junk = fc.constantFrom(
  '\0',
  '\ufeff',
  '---',
  '\r',
  '\n',
  '"',
  "'",
  '{',
  '}',
  '[',
  ':',
  ' ',
  '  ',
  '|',
  '-',
  'x',
  '%',
  '\t',
  '/*',
  '*/',
  '*',
);
const fragment = fc.oneof(
  { weight: 5, arbitrary: bodyLine },
  { weight: 2, arbitrary: headerLine },
  { weight: 1, arbitrary: junk },
);
const lines = (a: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> =>
  fc.array(a, { maxLength }).map((l) => l.join(''));
const document = fc
  .tuple(lines(headerLine, 4), lines(bodyLine, 60))
  .map(([header, body]) => `---\nname: f\n${header}body: |\n  bb.0:\n${body}...\n`);
const file = fc.oneof({ weight: 4, arbitrary: lines(document, 3) }, { weight: 1, arbitrary: lines(fragment, 30) });
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.oneof(fc.nat(3), fc.nat(200)),
  text: fc.oneof(fragment, lines(fragment, 6), fc.constant(''), fc.string({ maxLength: 4 })),
});

function checkShape(f: MirFile): void {
  let pos = 0;
  f.documents.forEach((doc, i) => {
    assert.equal(f.docStarts[i], pos);
    if (doc.body !== null) {
      let length = 0;
      doc.body.chunks.forEach((c, j) => {
        assert.equal(doc.body?.chunkStarts[j], length);
        assert.ok(c.length > 0);
        const start = pos + (doc.body?.start ?? 0) + length;
        const text = f.text.text.slice(start, start + c.length);
        assert.equal(c.lines, text.split(/\r\n|\r|\n/).filter((l, k, all) => l !== '' || k + 1 < all.length).length);
        length += c.length;
      });
      assert.equal(doc.body.length, length);
      assert.ok(doc.body.start + length <= doc.length);
    }
    pos += doc.length;
  });
  assert.equal(pos, f.text.length);
  assert.equal(f.docStarts[f.documents.length], pos);
}

describe('syntax under random edits', () => {
  it('equals a full parse after every edit', () => {
    fc.assert(
      fc.property(file, fc.array(edit, { minLength: 1, maxLength: 6 }), fc.boolean(), (initial, edits, batch) => {
        let f = parseMirFile(new SourceText(initial), interner);
        checkShape(f);
        let text = f.text;
        const pending = [];
        for (let i = 0; i < edits.length; i++) {
          const start = Math.floor(edits[i].at * text.length);
          const e = { start, end: Math.min(text.length, start + edits[i].remove), text: edits[i].text };
          text = text.apply(e);
          pending.push(e);
          if (batch && i + 1 < edits.length) continue;
          f = updateMirFile(f, text, pending.splice(0));
          checkShape(f);
          assert.equal(dumpTree(f), dumpTree(parseMirFile(new SourceText(text.text), interner)));
        }
      }),
      { numRuns: runsOr(1500) },
    );
  });

  it('equals a full parse where comments begin and end in other chunks', () => {
    const bodies = '    S_NOP 0\n'.repeat(200);
    const initial = `---\nname: f\nbody: |\n  bb.0:\n${bodies}...\n---\nname: g\nbody: |\n  bb.0:\n${bodies}...\n`;
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    const bracket = fc.record({ at: place, text: fc.constantFrom('/*', '*/', ' /* ', ' */', ' /* x */ ', '\n') });
    fc.assert(
      fc.property(fc.array(fc.oneof(bracket, place), { minLength: 4, maxLength: 30 }), (edits) => {
        let f = parseMirFile(new SourceText(initial), interner);
        for (const edit of edits) {
          const text = f.text.text;
          // A place alone takes the bracket after it away.
          const wanted = typeof edit === 'number' ? edit : edit.at;
          const start = Math.floor(wanted * text.length);
          const found = text.slice(start).search(/\/\*|\*\//);
          if (typeof edit === 'number' && found < 0) continue;
          const e =
            typeof edit === 'number'
              ? { start: start + found, end: start + found + 2, text: '' }
              : { start, end: start, text: edit.text };
          f = updateMirFile(f, f.text.apply(e), [e]);
          checkShape(f);
          assert.equal(dumpTree(f), dumpTree(parseMirFile(new SourceText(f.text.text), interner)));
        }
      }),
      { numRuns: runsOr(80) },
    );
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), lines(junk, 60)), (s) => {
        const f = parseMirFile(new SourceText(s), interner);
        checkShape(f);
        dumpTree(f);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('re-use', () => {
  const line = '    %0:vgpr_32 = V_ADD_U32_e32 %1, %2, implicit $exec\n';
  const fn = (name: string): string =>
    `---\nname: ${name}\nregisters:\n  - { id: 0, class: vgpr_32 }\nbody: |\n  bb.0:\n${line.repeat(1000)}...\n`;
  const source = fn('a') + fn('b') + fn('c');

  it('keeps other documents, the header and all chunks but one', () => {
    const f = parseMirFile(new SourceText(source), interner);
    const start = f.docStarts[1] + 30_000;
    const e = { start, end: start, text: 'x' };
    const g = updateMirFile(f, f.text.apply(e), [e]);
    assert.equal(g.documents[0], f.documents[0]);
    assert.equal(g.documents[2], f.documents[2]);
    assert.equal(g.documents[1].yaml, f.documents[1].yaml);
    const old = new Set(f.documents[1].body?.chunks);
    assert.equal(g.documents[1].body?.chunks.filter((c) => !old.has(c)).length, 1);
  });

  it('keeps the chunks of a body when the header changes', () => {
    const f = parseMirFile(new SourceText(source), interner);
    const start = f.docStarts[1] + '---\nname: '.length;
    const e = { start, end: start, text: 'longer' };
    const g = updateMirFile(f, f.text.apply(e), [e]);
    assert.deepEqual(
      g.documents[1].body?.chunks.map((c) => f.documents[1].body?.chunks.includes(c)),
      f.documents[1].body?.chunks.map(() => true),
    );
    assert.equal(g.documents[2], f.documents[2]);
  });

  it('reads a document that begins with a word after `---` again with the one before', () => {
    const f = parseMirFile(new SourceText('  entry:\n---word more\n  }\n...\n'), interner);
    const start = f.text.text.indexOf(' more');
    const e = { start, end: start, text: '\0' };
    const g = updateMirFile(f, f.text.apply(e), [e]);
    assert.equal(dumpTree(g), dumpTree(parseMirFile(new SourceText(g.text.text), interner)));
  });

  it('reads a document again that an error made look far into others', () => {
    // What stands after the second quoted text, in the next document, decides about the error before it.
    const f = parseMirFile(new SourceText('---\nname: f\n"a" "\n---\n"name: g\n...\n---\nname: h\n'), interner);
    const start = f.text.text.indexOf('name: g');
    const e = { start, end: start, text: '\x1b' };
    const g = updateMirFile(f, f.text.apply(e), [e]);
    assert.equal(dumpTree(g), dumpTree(parseMirFile(new SourceText(g.text.text), interner)));
  });

  it('moves a pair without a key that stands after the body', () => {
    const f = parseMirFile(
      new SourceText('---\nname: f\nbody: |\n  bb.0:\n    S_NOP 0\n    S_ENDPGM 0\n? \n...\n'),
      interner,
    );
    const start = f.text.text.indexOf(' S_NOP');
    const e = { start, end: start, text: ' ' };
    const g = updateMirFile(f, f.text.apply(e), [e]);
    assert.equal(dumpTree(g), dumpTree(parseMirFile(new SourceText(g.text.text), interner)));
  });

  it('does not grind a body down under many edits', () => {
    let f = parseMirFile(new SourceText(fn('a')), interner);
    for (let i = 0; i < 300; i++) {
      const start = f.text.lineStart(20 + ((i * 37) % 900));
      const e = { start, end: start, text: i % 2 === 0 ? '    S_NOP 0\n' : '' };
      if (i % 2 === 1) e.end = f.text.lineStart(f.text.lineAt(start) + 1);
      f = updateMirFile(f, f.text.apply(e), [e]);
    }
    assert.ok((f.documents[0].body?.chunks.length ?? 0) < 60);
  });
});
