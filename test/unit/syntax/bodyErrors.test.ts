/** Where errors of bodies stand: « and » around what is marked, $0 at the place that llc names where that is not its beginning. */
import assert from 'node:assert/strict';
import { SourceText } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';
import { bodyErrors } from '../../../server/src/syntax/errors.js';
import { dumpTree, parseMirFile, syntaxDiagnostics } from '../../../server/src/syntax/index.js';

const DEFINITION = 'expected a basic block definition before instructions';

/** Texts of a body with one error each, and its message. `D` in front: found while LLVM looks for the blocks. */
const PLACES: readonly (readonly [text: string, message: string])[] = [
  ['  «S_NOP» 0\n', `D ${DEFINITION}`],
  ['\n  ; c\n  «x»\n  bb.0:\n', `D ${DEFINITION}`],
  ['  «}»\n  bb.0:\n', `D ${DEFINITION}`],
  ['  bb.0:\n    «}» ; c\n', "D extraneous closing brace ('}')"],
  ['  bb.0:\n    S_NOP 0 {\n    S_NOP 0\n«»', "D expected '}'"],
  ['  bb.0:\n    S_NOP 0 {\n  «bb.1:»\n', "D expected '}'"],
  ['  bb.0:\n    S_NOP 0 {\n  «bb.1.name» (align 4):\n', "D expected '}'"],
  ['  bb.0:\n    S_NOP 0 {\n    S_NOP 0 «{»\n    }\n', 'nested instruction bundles are not allowed'],
  ['  bb.0:\n    S_NOP 0\n    «successors:» %bb.0\n', 'expected a machine instruction'],
  ['  bb.0:\n    S_NOP 0 {\n    }\n    «liveins:» $vgpr0\n', 'expected a machine instruction'],
  ['  bb.0:\n    S_NOP «?»\n', "D unexpected character '?'"],
  ['  bb.0:\n    S_NOP «????» 1\n', "D unexpected character '?'"],
  ['  bb.0:\n    S_NOP «\ud83d\ude00\ud83d\ude00»\n', "D unexpected character '\ud83d\ude00'"],
  ['  bb.0:\n    S_NOP 0, «bb.1»:\n', 'D basic block definition should be located at the start of the line'],
  ['  bb.0:\n    S_NOP «"a»$0\n', "D end of machine instruction reached before the closing '\"'"],
  ['  bb.0:\n    S_NOP «@"a»$0', "D end of machine instruction reached before the closing '\"'"],
  ['  bb.0:\n    KILL killed«»  $0\n', 'expected a register after register flags'],
  ['  bb.0:\n    KILL killed«» ; comment$0\n', 'expected a register after register flags'],
  ['  bb.0:\n    KILL killed«» /* a\n  b */ $0\n', 'expected a register after register flags'],
  ['  bb.0:\n    S_NOP 0, pcsections«»\n$0  x\n'.replace('$0  ', '  $0'), "expected metadata id after '!'"],
  ['  bb.0:\n    S_NOP 0, pcsections«»\r\n  $0x\r\n', "expected metadata id after '!'"],
  ['  bb.0:\n    S_NOP 0, pcsections«»\n   $0\n  x\n', "expected metadata id after '!'"],
  ['  bb.0:\n    S_NOP 0, pcsections«»\r$0\r  x\n', "expected metadata id after '!'"],
  ['  bb.0:\n    KILL !DIExpression(1«»\n\n  ; c\n   $0x\n', "expected ')' here"],
  ['  bb.0:\n    KILL !DIExpression()«»\n  /* c */ $0x\n', "expected ',' before the next machine operand"],
  [
    '  bb.0:\n    KILL !DIExpression()«»\n  /* c\n$0x\n'.replace('  /* c\n$0', '  $0/* c\n'),
    "expected ',' before the next machine operand",
  ],
];

describe('errors of bodies stand', () => {
  const around = (body: string): string => `---\nname: f\nbody: |\n${body}`;

  for (const [marked, message] of PLACES.filter(([, m]) => m !== ''))
    it(`${JSON.stringify(marked)}: ${message}`, () => {
      const text = marked.replaceAll(/[«»]|\$0/g, '');
      const file = parseMirFile(new SourceText(around(text)), new Interner());
      const place = (mark: string): number => marked.slice(0, marked.indexOf(mark)).replaceAll(/[«»]|\$0/g, '').length;
      const all = bodyErrors(file, 0).filter((e) => `${e.isDefinitionScan ? 'D ' : ''}${e.message}` === message);
      const from = around('').length;
      const start = place('«');
      const llcOffset = marked.includes('$0') ? place('$0') : start;
      assert.deepEqual(
        all.map((e) => [e.start - from, e.end - from, e.llcOffset - from]),
        [[start, place('»'), llcOffset]],
      );
      const code = message.startsWith('D ') ? 'mir-definition' : 'mir-syntax';
      const said = syntaxDiagnostics(file).filter((d) => d.code === code && d.message === message.replace(/^D /, ''));
      assert.deepEqual(
        said.map((d) => [d.start - from, d.end - from, (d.llcOffset ?? d.start) - from, d.llcOffset === undefined]),
        [[start, place('»'), llcOffset, llcOffset === start]],
      );
    });

  it('those of the definition scan before the others, each sort by its place', () => {
    const file = parseMirFile(
      new SourceText(
        around(
          '  bb.0:\n    S_NOP x y\n    ? {\n    BUNDLE {\n    S_NOP 0 {\n  bb.1:\n    S_NOP ,\n    }\n    liveins: $a\n',
        ),
      ),
      new Interner(),
    );
    const errors = bodyErrors(file, 0);
    const scan = errors.filter((e) => e.isDefinitionScan);
    assert.deepEqual(errors.slice(0, scan.length), scan);
    for (const list of [scan, errors.slice(scan.length)])
      list.forEach((e, i) => assert.ok(i === 0 || list[i - 1].llcOffset <= e.llcOffset));
    assert.deepEqual(
      errors.map((e) => e.message),
      [
        "unexpected character '?'",
        "expected '}'",
        "extraneous closing brace ('}')",
        "expected ',' before the next machine operand",
        'nested instruction bundles are not allowed',
        'nested instruction bundles are not allowed',
        'expected a machine operand',
        'expected a machine instruction',
      ],
    );
  });

  it('a chunk with a label alone is looked at, too', () => {
    const nops = (n: number): string => '    S_NOP 0\n'.repeat(n);
    const of = (body: string): string[] => {
      const file = parseMirFile(new SourceText(around(body)), new Interner());
      return bodyErrors(file, 0).map((e) => `${file.text.lineAt(e.start)}: ${e.message}`);
    };
    // 64 lines are a chunk: the label ends the second one, its list begins the third.
    const second = `  bb.0:\n${nops(126)}  bb.1:\n`;
    assert.deepEqual(of(`${second}    successors: %bb.0\n${nops(3)}`), []);
    assert.deepEqual(of(`${second}${nops(1)}    successors: %bb.0\n`), ['132: expected a machine instruction']);
    // A bundle that is open in the first chunk ends at the label of the second.
    assert.deepEqual(of(`  bb.0:\n    S_NOP 0 {\n${nops(100)}  bb.1:\n${nops(2)}`), ["105: expected '}'"]);
    assert.deepEqual(of(`  bb.0:\n    S_NOP 0 {\n${nops(100)}    }\n  bb.1:\n${nops(100)}`), []);
  });

  it('no error where nothing of the body follows a DIExpression', () => {
    for (const end of ['', '\n', '\n\n', '  \n ; c\n']) {
      const file = parseMirFile(new SourceText(around(`  bb.0:\n    KILL !DIExpression()${end}`)), new Interner());
      assert.deepEqual(bodyErrors(file, 0), []);
    }
  });

  it('a document without a body has none', () => {
    assert.deepEqual(bodyErrors(parseMirFile(new SourceText('---\nname: f\n'), new Interner()), 0), []);
  });

  it('the dump of a file says documents, ranges, errors', () => {
    const dump = (text: string): string => dumpTree(parseMirFile(new SourceText(text), new Interner()));
    assert.equal(
      dump('--- |\n  define\n...\n---\nname: f\nbody: |\n  bb.0.a:\n    S %0, @g ; c\n    T ?\n--- [a\n'),
      [
        'document IR 1:1-4:1 indent 2',
        '    YamlBlockScalar 1:5-1:6 aux=6',
        '  ir 2:1-3:1',
        'document Function 4:1-10:1 indent 2',
        '    YamlMapping 5:1-6:8 2 aux=4',
        '      YamlPair 5:1-5:8',
        '        YamlScalar 5:1-5:5 "name"',
        '        YamlScalar 5:7-5:8 "f"',
        '      YamlPair 6:1-6:8',
        '        YamlScalar 6:1-6:5 "body"',
        '        YamlBlockScalar 6:7-6:8 aux=20',
        '  body 7:1-10:1',
        '    BlockLabel 7:3-7:10 ."a"',
        '    Instruction 8:5-8:13 "S" aux=6',
        '      Opcode 8:5-8:6 "S"',
        '      RegisterOperand 8:7-8:9 flags=8192 0 aux=0',
        '      Global 8:11-8:13 "g"',
        '    Comment 8:14-8:17',
        '    Instruction 9:5-9:6 "T" aux=6',
        '      Opcode 9:5-9:6 "T"',
        '      Error 9:7-9:8 flags=1 "unexpected character \'?\'" aux=0',
        "  ! 9:7-9:8 (at 9:7) definition: unexpected character '?'",
        'document Other 10:1-11:1 indent 0',
        '  ! 10:7-11:1 Could not find closing ]!',
        '    YamlSequence 10:5-10:7 flags=1 1 aux=5',
        '      YamlScalar 10:6-10:7 flags=64 "a"',
        '',
      ].join('\n'),
    );
  });
});
