import assert from 'node:assert/strict';
import { FlowMap, flowSequence, yamlKey, yamlScalar } from '../../../server/src/model/printer/yamlOutput.js';
import { quoteNameOrNumber, quoteSymbolName } from '../../../server/src/model/printer/symbolNames.js';

describe('YAML output', () => {
  // Left: a function name; right: what llc-22 -run-pass=none printed after `name:` for a file with that function.
  const scalars: [string, string][] = [
    ['a$b', "'a$b'"],
    ['é a\tb', '"é a\\tb"'],
    ['yes', 'yes'],
    ['12', "'12'"],
    ['a b ', "'a b '"],
    ["a'b", "'a''b'"],
    ['nan', 'nan'],
    ['0x1f', "'0x1f'"],
    ['~', "'~'"],
    ['Null', "'Null'"],
    ['a:b', "'a:b'"],
    ['a/b', "'a/b'"],
    ['=', "'='"],
    ['+12', "'+12'"],
    ['1e5', "'1e5'"],
    ['.inf', "'.inf'"],
    ['y', 'y'],
    ['off', 'off'],
    ['a b', 'a b'],
    ['<a>', "'<a>'"],
    ['a"b', "'a\"b'"],
  ];
  for (const [value, expected] of scalars) it(`scalar ${value}`, () => assert.equal(yamlScalar(value), expected));

  it('pads keys to the value column', () => {
    assert.equal(yamlKey('name') + 'f', 'name:            f');
    assert.equal(yamlKey('regBankSelected') + 'x', 'regBankSelected: x');
    assert.equal(yamlKey('exposesReturnsTwice') + 'x', 'exposesReturnsTwice: x');
  });

  it('breaks flow maps before a key beyond column 70', () => {
    // as llc-22 printed it for a stack object
    const map = new FlowMap(4)
      .add('id', '0')
      .add('name', 'x')
      .add('type', 'default')
      .add('offset', '0')
      .add('size', '8')
      .add('alignment', '4')
      .add('stack-id', 'default')
      .add('callee-saved-register', "''")
      .add('callee-saved-restored', 'true')
      .add('local-offset', '-4')
      .add('debug-info-variable', "''")
      .add('debug-info-expression', "''")
      .add('debug-info-location', "''");
    assert.equal(
      `  - ${map.end()}`,
      [
        '  - { id: 0, name: x, type: default, offset: 0, size: 8, alignment: 4, ',
        "      stack-id: default, callee-saved-register: '', callee-saved-restored: true, ",
        "      local-offset: -4, debug-info-variable: '', debug-info-expression: '', ",
        "      debug-info-location: '' }",
      ].join('\n'),
    );
  });

  it('breaks flow sequences', () => {
    const key = 'calleeSavedRegisters: ';
    const regs = '$vgpr40 $sgpr33 $vgpr40 $sgpr33 $vgpr40 $sgpr33'.split(' ').map((r) => `'${r}'`);
    assert.equal(
      key + flowSequence(regs, key.length).text,
      [
        "calleeSavedRegisters: [ '$vgpr40', '$sgpr33', '$vgpr40', '$sgpr33', '$vgpr40', ",
        "                        '$sgpr33' ]",
      ].join('\n'),
    );
    assert.equal(flowSequence([], 0).text, '[  ]');
  });

  // Left: a symbol; right: what llc-22 printed after `&`.
  const symbols: [string, string][] = [
    ['foo$bar', '"foo$bar"'],
    ['foo-bar', 'foo-bar'],
    ['-bar', '-bar'],
    ['1bar', '"1bar"'],
    ['', '""'],
    ['.b\\a\té', '".b\\\\a\\09\\C3\\A9"'],
    ['foo.bar', 'foo.bar'],
    ['foo" bar', '"foo\\22 bar"'],
  ];
  for (const [name, expected] of symbols) it(`symbol ${name}`, () => assert.equal(quoteSymbolName(name), expected));

  it('leaves slot numbers alone', () => assert.equal(quoteNameOrNumber('12'), '12'));
});
