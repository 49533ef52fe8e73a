/** Bodies and IR that LLVM reads as another text than stands in the file: folded, with escapes, over several lines. */
import assert from 'node:assert/strict';
import { SourceText } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';
import { decodedScalar, fileWithBody } from '../../../server/src/syntax/decodedBody.js';
import { bodyErrors } from '../../../server/src/syntax/errors.js';
import { parseMirFile, yamlGet, yamlText, type MirFile } from '../../../server/src/syntax/index.js';
import { checkTreeText } from '../../support/treeText.js';

const parse = (text: string): MirFile => parseMirFile(new SourceText(text), new Interner());

/** The text of a top-level key of the first document, as of any key; how these are read is compared with llc-22 (smallTexts). */
function textOf(file: MirFile, key: string): string {
  const { yaml } = file.documents[0];
  const node = yamlGet(yaml, 0, file.interner.internString(key));
  return yamlText(yaml, node, file.text.text, 0, file.interner);
}

const HEADS = ['>', '>-', '>+', '>1', '>2-', '>-2', '>+1', '> # c', '>3'];
const CONTENTS = [
  '   a\n',
  '   a\n   b\n',
  '   a\n\n   b\n\n\n',
  '   a\n    b\n   c\n',
  '\n   a\n',
  '   a > b\n',
  '   a\r\n   b\r\n',
  '   a',
  '   a\n   \n',
];
const QUOTED = ['"a\\nb"', "'a\n\n  b'", '"a\\\n  b"', "'it''s'", 'a\n  b', '"\\x41"'];

describe('a text that is decoded', () => {
  it('is that of any scalar spelled like it', () => {
    for (const head of HEADS)
      for (const content of CONTENTS) {
        const spelled = `${head}\n${content}`;
        const file = parse(`---\nname: f\nbody: ${spelled}`);
        const decoded = decodedScalar(file, 0);
        assert.equal(decoded?.text, textOf(parse(`---\nname: f\nother: ${spelled}`), 'other'), spelled);
        assert.deepEqual([decoded?.start, decoded?.end], [file.text.length - content.length, file.text.length]);
        const ir = parse(`--- ${spelled}`);
        assert.equal(decodedScalar(ir, 0)?.text, decoded?.text);
        // After another document.
        const second = parse(`---\nname: > # x\n  e\n---\nname: f\nbody: ${spelled}`);
        assert.deepEqual(decodedScalar(second, 1), decoded);
        assert.equal(decodedScalar(second, 0), null);
      }
    for (const spelled of QUOTED) {
      const decoded = decodedScalar(parse(`---\nname: f\nbody: ${spelled}\n`), 0);
      assert.equal(decoded?.text, textOf(parse(`---\nname: f\nother: ${spelled}\n`), 'other'));
      assert.deepEqual([decoded?.start, decoded?.end], [18, 18 + spelled.length]);
    }
  });

  it('is none where the file has it as LLVM reads it', () => {
    for (const text of [
      '---\nname: f\n',
      '---\nbody: |\n  a\n',
      '--- |\n  a\n',
      "---\nbody: 'a'\n",
      '---\nbody: a\n',
      '---\nbody: [ a ]\n',
      '---\nother: >\n  a\n',
      '--- [ ]\n',
      '',
    ])
      assert.equal(decodedScalar(parse(text), 0), null, text);
  });

  it('is parsed after its document', () => {
    const text = `---\nname: f\nbody: "bb.0:\\n  S_NOP 0\\n  ?\\n${'  S_NOP 0\\n'.repeat(150)}"\nother: x\n`;
    const file = parse(text);
    const decoded = decodedScalar(file, 0)?.text ?? '';
    const alone = fileWithBody(file, 0, decoded);
    assert.equal(alone.text.text, `${text}\n${decoded}`);
    const body = alone.documents[0].body;
    assert.deepEqual([body?.start, body?.length], [text.length + 1, decoded.length]);
    assert.deepEqual(
      body?.chunks.map((c) => c.lines),
      [64, 64, 25],
    );
    assert.deepEqual(Array.from(alone.docStarts), [0, alone.text.length]);
    assert.equal(alone.documents[0].yaml, file.documents[0].yaml);
    checkTreeText(alone);
    assert.deepEqual(
      bodyErrors(alone, 0).map((e) => [alone.text.text.slice(e.start, e.end), e.message]),
      [['?', "unexpected character '?'"]],
    );
    const second = parse(`---\nname: f\n${text}`);
    assert.equal(fileWithBody(second, 1, 'bb.0:\n').text.text, `${text}\nbb.0:\n`);
    assert.equal(fileWithBody(second, 1, '').documents[0].body?.chunks.length, 0);
  });
});
