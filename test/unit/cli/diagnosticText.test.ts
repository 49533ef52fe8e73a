import assert from 'node:assert/strict';
import { DiagnosticOrigin, Severity } from '../../../server/src/text/diagnostic.js';
import { SourceText } from '../../../server/src/text/sourceText.js';
import { printDiagnostic } from '../../../server/src/program/diagnosticText.js';

// The expected texts are llc-22's stderr for these inputs.
function print(text: string, origin: DiagnosticOrigin, at: string, message: string, length = at.length): string {
  const start = text.indexOf(at);
  const d = { start, end: start + length, severity: Severity.Error, origin, code: 'x', message };
  return printDiagnostic(d, new SourceText(text), 'y.mir');
}

describe('diagnostics as llc prints them', () => {
  it('YAML errors underline a range', () => {
    const text = '---\nname: f\nfoo: 1\nbody: |\n  bb.0:\n    S_NOP\n...\n';
    assert.equal(
      print(text, DiagnosticOrigin.Yaml, 'foo', "unknown key 'foo'"),
      "error: YAML:3:1: unknown key 'foo'\nfoo: 1\n^~~\n\n",
    );
  });

  it('errors of instructions have a caret', () => {
    const text = '---\nname: f\nbody: |\n  bb.0:\n    liveins: $foo\n...\n';
    assert.equal(
      print(text, DiagnosticOrigin.Text, '$foo', "unknown register name 'foo'"),
      "error: y.mir:5:14: unknown register name 'foo'\n    liveins: $foo\n             ^\n\n",
    );
  });

  it('tabs are expanded, columns count bytes, lines that are not ASCII get no caret', () => {
    const text = '---\nname: f\nbody: |\n  bb.0:\n    \tS_NOP %5 é $$ 0 0\n...\n';
    assert.equal(print(text, DiagnosticOrigin.Text, 'é', 'x'), 'error: y.mir:5:15: x\n        S_NOP %5 é $$ 0 0\n\n');
    assert.match(print(text, DiagnosticOrigin.Text, '$$', 'x'), /^error: y\.mir:5:18: x\n/);
  });

  it('errors of a function have no place', () => {
    const message = "Cannot determine class/bank of virtual register 0 in function 'f'";
    assert.equal(print('---\n', DiagnosticOrigin.Function, '---', message), `error: y.mir: ${message}\n\n`);
  });
});
