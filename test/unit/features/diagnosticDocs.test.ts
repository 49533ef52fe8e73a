/** docs/diagnostics.md has a place for every code that a diagnostic can have, and for no other. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { verifierCode } from '../../../server/src/analysis/verifier/index.js';

const root = join(__dirname, '..', '..', '..');
const source = join(root, 'server', 'src');

/** Functions that report, and which of their arguments is LLVM's message. */
const VERIFIER_CALLS: Readonly<Record<string, number>> = {
  onFunction: 0,
  onFunctionAt: 1,
  onBlock: 1,
  onInstr: 1,
  onOperand: 2,
  report: 0,
  reportOperand: 1,
};
/** Functions with a code among their arguments. */
const CODE_CALLS = new Set(['complaint', 'complain', 'text', 'functionError', 'report', 'finding', 'error', 'codeOf']);
/** Words in such calls, or in properties called `code`, that are none. */
const NO_CODES = new Set(['def']);

function* filesIn(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name !== 'generated') yield* filesIn(join(folder, entry.name));
    else if (entry.name.endsWith('.ts')) yield join(folder, entry.name);
  }
}

function visit(file: string, look: (node: ts.Node) => void): void {
  const walk = (node: ts.Node): void => {
    look(node);
    ts.forEachChild(node, walk);
  };
  walk(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
}

const calleeOf = (node: ts.CallExpression): string => /\w+$/.exec(node.expression.getText())?.[0] ?? '';

function parserCodes(): Set<string> {
  const codes = new Set<string>();
  for (const folder of ['syntax', 'model/lowering', 'ir', 'features'])
    for (const file of filesIn(join(source, folder)))
      visit(file, (node) => {
        if (!ts.isStringLiteral(node) || !/^[a-z]+(-[a-z0-9]+)*$/.test(node.text)) return;
        let parent = node.parent;
        while (ts.isConditionalExpression(parent)) parent = parent.parent;
        const isCode =
          (ts.isPropertyAssignment(parent) && parent.name.getText() === 'code') ||
          (ts.isParameter(parent) && parent.name.getText() === 'code') ||
          (ts.isVariableDeclaration(parent) && parent.name.getText() === 'code') ||
          (ts.isCallExpression(parent) && 2 <= parent.arguments.length && CODE_CALLS.has(calleeOf(parent)));
        if (isCode && !NO_CODES.has(node.text)) codes.add(node.text);
      });
  return codes;
}

/** String literals that an expression may have as its value. */
function resultsOf(node: ts.Expression): ts.StringLiteralLike[] {
  if (ts.isConditionalExpression(node)) return [...resultsOf(node.whenTrue), ...resultsOf(node.whenFalse)];
  return ts.isStringLiteralLike(node) ? [node] : [];
}

/** Codes of constant messages, and patterns of those with a name in them. */
function verifierCodes(): { codes: Set<string>; patterns: RegExp[] } {
  const codes = new Set<string>();
  const patterns: RegExp[] = [];
  const add = (node: ts.Node): void => {
    if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(add);
    else if (ts.isStringLiteralLike(node)) codes.add(verifierCode(node.text));
    else if (ts.isTemplateExpression(node)) {
      const text = node.head.text + node.templateSpans.map((s) => `zzz${s.literal.text}`).join('');
      patterns.push(new RegExp(`^${verifierCode(text).replaceAll('zzz', '\\w+')}`));
    }
  };
  for (const file of [...filesIn(join(source, 'analysis', 'verifier')), join(source, 'model', 'convergenceRules.ts')])
    visit(file, (node) => {
      if (ts.isCallExpression(node)) {
        const argument = node.arguments[VERIFIER_CALLS[calleeOf(node)] ?? -1];
        if (argument) add(argument);
      } else if (
        /(?:targetHook|convergence|convergenceRules)\.ts$/.test(file) &&
        ts.isReturnStatement(node) &&
        node.expression
      ) {
        // A word alone is no message; nothing at all is one of LLVM's.
        for (const value of resultsOf(node.expression)) if (value.text === '' || value.text.includes(' ')) add(value);
      }
    });
  return { codes, patterns };
}

describe('docs/diagnostics.md', () => {
  const text = readFileSync(join(root, 'docs', 'diagnostics.md'), 'utf8');
  const anchors = [...text.matchAll(/^#### (.*)$/gm)].map((m) => m[1]!);

  it('has each code once', () => assert.deepEqual([...new Set(anchors)], anchors));

  it('has all codes of parser, lowering and editor', () => {
    const codes = parserCodes();
    assert.ok(codes.size > 70, String(codes.size));
    assert.deepEqual(
      [...codes].filter((c) => !anchors.includes(c)),
      [],
    );
  });

  it('has all codes of the verifier', () => {
    const { codes, patterns } = verifierCodes();
    assert.ok(codes.size > 250, String(codes.size));
    assert.deepEqual(
      [...codes].filter((c) => !anchors.includes(c)),
      [],
    );
    for (const pattern of patterns)
      assert.ok(
        anchors.some((a) => pattern.test(a)),
        String(pattern),
      );
  });

  it('has no code that nothing reports', () => {
    const known = new Set([...parserCodes(), ...verifierCodes().codes]);
    const { patterns } = verifierCodes();
    assert.deepEqual(
      anchors.filter((a) => !known.has(a) && !patterns.some((p) => p.test(a))),
      [],
    );
  });
});
