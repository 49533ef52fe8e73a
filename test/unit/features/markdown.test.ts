/** What is written for readers of Markdown: characters that would be markup are escaped where they would be, and nothing else is. */
import assert from 'node:assert/strict';
import {
  code,
  commandLink,
  joined,
  lineLink,
  markup,
  prose,
  rich,
  withoutMarkup,
} from '../../../server/src/features/words/markdown.js';

/** A text, and how it stands after `x `. */
const INSIDE: readonly (readonly [string, string])[] = [
  ['vgpr_32', 'vgpr_32'],
  ['_a', '\\_a'],
  ['a_', 'a\\_'],
  ['a_ b', 'a\\_ b'],
  ['é_é', 'é_é'],
  ['a*b`c[d]e<f|g~h\\i', 'a\\*b\\`c\\[d\\]e\\<f\\|g\\~h\\\\i'],
  ['a > b', 'a > b'],
  ['&amp; &#32; &A', '\\&amp; \\&#32; \\&A'],
  ['a & b &1', 'a & b &1'],
  ['http://a:1', 'http\\://a:1'],
  ['a:/b', 'a:/b'],
  ['www.a.b WWW.a', 'www\\.a.b WWW\\.a'],
  ['awww.a', 'awww.a'],
  ['a@b a.@b a+@b', 'a\\@b a.\\@b a+\\@b'],
  ['@f (@g', '@f (@g'],
  ['mailto:a xmpp:b', 'mailto\\:a xmpp\\:b'],
  ['amailto:a', 'amailto:a'],
  ['$(zap) $exec', '\\$(zap) $exec'],
  ['- a # b 1. c', '- a # b 1. c'],
];

/** The same at the start of a line, where lists, headings, quotes, tables and rules begin. */
const AT_START: readonly (readonly [string, string])[] = [
  ['- a', '\\- a'],
  ['+ a', '\\+ a'],
  ['= a', '\\= a'],
  [': a', '\\: a'],
  ['# a', '\\# a'],
  ['> a', '\\> a'],
  ['  - a', '  \\- a'],
  ['12. a', '12\\. a'],
  ['3) a', '3\\) a'],
  ['a. b', 'a. b'],
  ['. a', '. a'],
  [') a', ') a'],
  ['12 a', '12 a'],
];

const CODE: readonly (readonly [string, string])[] = [
  ['a_b*', '`a_b*`'],
  ['a`b', '``a`b``'],
  ['a``b`c', '```a``b`c```'],
  ['`a', '`` `a ``'],
  ['a`', '`` a` ``'],
  [' a ', '`  a  `'],
  [' a', '` a`'],
  ['  ', '`  `'],
  ['', '(empty)'],
];

const textOf = (value: string): string => withoutMarkup(value);

describe('Markdown', () => {
  it('text inside of a line', () => {
    for (const [text, wanted] of INSIDE) {
      assert.equal(rich`x ${text}`.source, `x ${wanted}`);
      assert.equal(textOf(`x ${wanted}`), `x ${text}`);
    }
  });

  it('text at its start', () => {
    for (const [text, wanted] of AT_START) {
      assert.equal(rich`${text}`.source, wanted);
      assert.equal(rich`${text} b`.source, `${wanted} b`);
      assert.equal(textOf(wanted), text);
    }
  });

  it('code', () => {
    for (const [text, wanted] of CODE) {
      assert.equal(code(text).source, wanted);
      assert.equal(textOf(`x ${wanted} y`), `x ${text === '' ? '(empty)' : text} y`);
    }
  });

  it('sentences with code in them', () => {
    assert.equal(prose('reads `a_b` and `c*`').source, 'reads `a_b` and `c*`');
    assert.equal(prose('reads *a* and `c`').source, 'reads \\*a\\* and `c`');
    assert.equal(prose('a ` b').source, 'a \\` b');
    assert.equal(prose('# a').source, '\\# a');
  });

  it('links', () => {
    assert.equal(lineLink('a[b]', 'file:///x y(1)*.mir', 4).source, '[a&#91;b&#93;](file:///x%20y%281%29%2A.mir#L5)');
    assert.equal(lineLink('line 7', 'file:///a-b.mir', 6).source, '[line 7](file:///a-b.mir#L7)');
    assert.equal(
      commandLink('go *', 'amdgpu-mir.goTo', ['a b', 7]).source,
      '[go \\*](command:amdgpu-mir.goTo?%5B%22a%20b%22%2C7%5D)',
    );
    assert.equal(textOf('[a&#91;b&#93;](file:///x#L5) c'), 'a[b] c');
  });

  it('lines and sections', () => {
    const { kind, value } = markup([[rich`a`, rich`b`], [joined([rich`c`, code('d')], ', ')]]);
    assert.equal(kind, 'markdown');
    assert.equal(value, 'a  \nb\n\n---\n\nc, `d`');
    assert.equal(textOf(value), 'a\nb\n\nc, d');
    assert.equal(textOf('**a** b'), 'a b');
  });
});
