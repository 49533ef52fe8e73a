/** What becomes of each directive: its state, where it matched, its variables; and the words on those that fail. */
import assert from 'node:assert/strict';
import { fileCheckOutcome } from '../../../../server/src/features/checks/runTest.js';

interface Found {
  readonly lines: readonly string[];
  readonly findings: readonly string[];
}

/** `line state at: variables` of each directive, lines counted from 1; findings as `line: message`. */
function found(checks: readonly string[], input: readonly string[], args: readonly string[] = []): Found {
  const file = checks.map((c) => `# ${c}\n`).join('');
  const outcome = fileCheckOutcome(['%s', ...args], `${input.join('\n')}\n`, () => file, '%s');
  return {
    lines: outcome.checks.map(
      ({ line, state, at, variables }) =>
        `${line + 1} ${state}${at < 0 ? '' : ` at ${at + 1}`}${variables.length > 0 ? `: ${variables.join(', ')}` : ''}`,
    ),
    findings: outcome.findings.map(({ line, message }) => `${line + 1}: ${message.split('\n')[0]!}`),
  };
}

const CASES: readonly (readonly [
  what: string,
  checks: readonly string[],
  input: readonly string[],
  lines: readonly string[],
  findings?: readonly string[],
])[] = [
  ['a match', ['CHECK: b'], ['a', 'b'], ['1 matched at 2']],
  [
    'several',
    ['CHECK: a', 'CHECK-NEXT: b', 'CHECK-SAME: c'],
    ['a', 'b c'],
    ['1 matched at 1', '2 matched at 2', '3 matched at 2'],
  ],
  [
    'no match, and what stands after it',
    ['CHECK: a', 'CHECK: x', 'CHECK: b'],
    ['a', 'b'],
    ['1 matched at 1', '2 failed', '3 not reached'],
    ['2: CHECK: expected string not found in input'],
  ],
  [
    'on the wrong line',
    ['CHECK: a', 'CHECK-NEXT: c'],
    ['a', 'b', 'c'],
    ['1 matched at 1', '2 failed'],
    ['2: CHECK-NEXT: is not on the line after the previous match'],
  ],
  [
    'what must not be there',
    ['CHECK: a', 'CHECK-NOT: x', 'CHECK: b'],
    ['a', 'b'],
    ['1 matched at 1', '2 matched', '3 matched at 2'],
  ],
  [
    'what must not be there and is',
    ['CHECK: a', 'CHECK-NOT: x', 'CHECK: b'],
    ['a', 'x', 'b'],
    ['1 matched at 1', '2 failed at 2', '3 matched at 3'],
    ['2: CHECK-NOT: excluded string found in input'],
  ],
  [
    'in any order',
    ['CHECK-DAG: b', 'CHECK-DAG: a', 'CHECK: c'],
    ['a', 'b', 'c'],
    ['1 matched at 2', '2 matched at 1', '3 matched at 3'],
  ],
  [
    'variables',
    ['CHECK: [[X:%[0-9]+]] = [[Y:[a-z]+]]', 'CHECK: [[X]] [[Y]]'],
    ['%7 = mov', '%7 mov'],
    ['1 matched at 1: X = %7, Y = mov', '2 matched at 2: X = %7, Y = mov'],
  ],
  [
    'sections are apart',
    ['CHECK-LABEL: one', 'CHECK: a', 'CHECK-LABEL: two', 'CHECK: b'],
    ['one', 'b', 'two', 'b'],
    ['1 matched at 1', '2 failed', '3 matched at 3', '4 matched at 4'],
    ['2: CHECK: expected string not found in input'],
  ],
  ['lines of two prefixes', ['CHECK: a', 'OTHER: x', 'CHECK: b'], ['a', 'b'], ['1 matched at 1', '3 matched at 2']],
];

describe('states of directives', () => {
  for (const [what, checks, input, lines, findings = []] of CASES)
    it(what, () => assert.deepEqual(found(checks, input), { lines, findings }));

  it('nothing where nothing was checked', () => {
    assert.deepEqual(found(['CHECK: a'], ['a'], ['-check-prefix=X']), { lines: [], findings: [] });
  });

  it('notes follow the error that they are of', () => {
    const outcome = fileCheckOutcome(['%s'], 'a\nbd\n', () => '# CHECK: a\n# CHECK: bc\n', '%s');
    const [{ line, message }, ...none] = outcome.findings as [{ line: number; message: string }];
    assert.deepEqual(none, []);
    assert.equal(line, 1);
    assert.match(message, /^CHECK: expected string not found in input\nscanning from here \(line 1\): a$/m);
  });

  it('values are cut, and there are not more than eight', () => {
    const names = 'ABCDEFGHIJ'.split('');
    const checks = [`CHECK: ${names.map((n) => `[[${n}:${n.toLowerCase()}+]]`).join('')}`];
    const { lines } = found(checks, [`${'a'.repeat(200)}bcdefghij`]);
    const [, ...variables] = lines[0]!.split(/: |, /);
    assert.equal(variables.length, 8);
    assert.equal(variables[0], `A = ${'a'.repeat(116)}`);
    assert.deepEqual(variables.slice(1), ['B = b', 'C = c', 'D = d', 'E = e', 'F = f', 'G = g', 'H = h']);
  });
});
