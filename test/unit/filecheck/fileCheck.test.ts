/**
 * Runs of FileCheck with what FileCheck 22.1.8 said, a line each: [arguments, FILECHECK_OPTS, check file, input, exit code, stderr]. The files are
 * c.txt and i.txt, the input is standard input, too; texts are bytes. Most rows are cases of test/support/randomFileCheck.ts, the others
 * are about words of the command line.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runFileCheckCommand } from '../../../server/src/cli/filecheck.js';
import { Random } from '../../support/damageInputs.js';
import { fileCheckIO } from '../../support/fileCheck.js';
import { EventKind } from '../../../server/src/filecheck/checker.js';
import { ExitCode, runFileCheck } from '../../../server/src/filecheck/fileCheck.js';
import { DEFAULT_OPTIONS } from '../../../server/src/filecheck/options.js';

type Row = readonly [args: string[], opts: string, check: string, input: string, exit: number, stderr: string];

const rows = readFileSync(join(__dirname, '..', '..', 'fixtures', 'filecheck', 'runs.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

describe('FileCheck', () => {
  it(`says what FileCheck 22 says in ${rows.length} runs`, () => {
    assert.ok(rows.length >= 300);
    const exits = new Set<number>();
    for (const [args, opts, check, input, exit, stderr] of rows) {
      const io = fileCheckIO(check, input);
      const got = runFileCheckCommand(args, io, opts);
      assert.equal(io.stderrBytes(), stderr, JSON.stringify([args, opts, check, input]));
      assert.equal(got, exit, args.join(' '));
      exits.add(got);
    }
    assert.deepEqual([...exits].sort(), [0, 1, 2]);
  });

  it('explains itself', () => {
    const io = fileCheckIO('', '');
    assert.equal(runFileCheckCommand(['--help'], io), 0);
    assert.match(io.stdoutText(), /--implicit-check-not/);
    assert.equal(runFileCheckCommand(['--dump-input=help', '--dump-input=always'], io), 0);
    assert.match(io.stdoutText(), /X~~/);
  });

  it('records every step with its places', () => {
    const check = { name: 'c', text: 'CHECK: a[[X:b+]]\nCHECK-NOT: q\nCHECK-NEXT: yz\n' };
    const run = runFileCheck(
      check,
      () => ({ name: 'i', text: 'abb\ny\n' }),
      DEFAULT_OPTIONS,
      () => undefined,
    );
    assert.equal(run.exitCode, ExitCode.Failed);
    const [event] = run.events;
    assert.deepEqual(
      run.events.map(({ kind, start, end }) => [kind, start, end]),
      [
        [EventKind.NoneExpected, 3, 6],
        [EventKind.Closest, 4, 4],
      ],
    );
    assert.equal(event?.location.buffer.lineAt(event.location.offset), 3);
  });

  it('finds the same directives whether there are few prefixes or many', () => {
    const random = new Random(36);
    const few = ['A', 'AB', 'ABC', 'B-C', 'CHECK', 'A_1'];
    const many = [...few, ...Array.from({ length: 60 }, (_, k) => `UNUSED${k}`)];
    const words = [...few, 'XAB', 'ABX', 'AB-NEXT', 'A-NOT', 'B', 'COM', 'RUN', '-', 'A-B-C', 'A-CHECK-NEXT', ' '];
    const exits = new Set<number>();
    for (let k = 0; k < 300; k++) {
      const line = (): string =>
        `${random.pick(words)}${random.pick(['', ' ', random.pick(words)])}${random.pick([':', ': x', '-SAME: y', '-NEXT: x'])}`;
      const check = { name: 'c', text: `CHECK: x\n${Array.from({ length: 6 }, line).join('\n')}\n` };
      const [told, expected] = [many, few].map((checkPrefixes) => {
        const messages: unknown[] = [];
        const options = { ...DEFAULT_OPTIONS, checkPrefixes, allowUnusedPrefixes: true };
        const run = runFileCheck(
          check,
          () => ({ name: 'i', text: 'x y\n'.repeat(6) }),
          options,
          (m) => messages.push(typeof m === 'string' ? m : [m.message, m.location?.offset]),
        );
        exits.add(run.exitCode);
        return [run.exitCode, messages, run.events.map((e) => [e.kind, e.start, e.end, e.location.offset])];
      });
      assert.deepEqual(told, expected, check.text);
    }
    assert.deepEqual([...exits].sort(), [0, 1, 2]);
  });

  it('reads 20,000 prefixes in a time that grows with them', () => {
    const checkPrefixes = ['CHECK', ...Array.from({ length: 20_000 }, (_, k) => `P${k}`)];
    const text = `${checkPrefixes.join()}\n${checkPrefixes.map((prefix) => `${prefix}: x\n`).join('')}`;
    let asked = 0;
    const before = process.cpuUsage();
    const run = runFileCheck(
      { name: 'c', text },
      () => ({ name: 'i', text: 'x\n'.repeat(checkPrefixes.length) }),
      { ...DEFAULT_OPTIONS, checkPrefixes },
      () => undefined,
      { checkpoint: () => asked++ },
    );
    assert.equal(run.exitCode, ExitCode.Passed);
    assert.ok(asked > checkPrefixes.length);
    // One by one it takes over 10 s.
    assert.ok(process.cpuUsage(before).user < 5_000_000);
  });

  it('ends whatever the pattern', () => {
    // Where backtracking takes exponential time, and where each place of the input would be searched to the end of the text.
    const input = `${'a'.repeat(3000)}\n`.repeat(4);
    for (const pattern of ['(a*)*b', '(a|aa)+$x', '([^b]|c)*b', '(a*)(a*)\\1x', '(.*a){8}b', '((.|.a)*|q)b', '.*a.*b'])
      for (const before of ['', '[[X:a+]]']) {
        const check = { name: 'c', text: `CHECK: ${before}{{${pattern}}}\n` };
        const run = runFileCheck(
          check,
          () => ({ name: 'i', text: input }),
          DEFAULT_OPTIONS,
          () => undefined,
        );
        assert.equal(run.exitCode, ExitCode.Failed, pattern);
      }
  });

  describe('numeric blocks of any depth', () => {
    /** Where FileCheck-22 ends: it takes 20,000 parentheses (the other forms in minutes) and crashes at 25,000. */
    const MOST = 20_000;
    const FORMS: Readonly<Record<string, (n: number) => readonly [block: string, value: string]>> = {
      parentheses: (n) => [`${'('.repeat(n)}7${')'.repeat(n)}`, '7'],
      'sums to the right': (n) => [`${'(1+'.repeat(n)}1${')'.repeat(n)}`, `${n + 1}`],
      'sums to the left': (n) => [`${'('.repeat(n)}1${'+1)'.repeat(n)}`, `${n + 1}`],
      calls: (n) => [`${'add(1,'.repeat(n)}1${')'.repeat(n)}`, `${n + 1}`],
      'calls as first arguments': (n) => [`${'max('.repeat(n)}7${',3)'.repeat(n)}`, '7'],
    };
    const run = (block: string, value: string): { exit: number; err: string } => {
      const io = fileCheckIO(`CHECK: {{^}}[[#${block}]]{{$}}\n`, `${value}\n`);
      return { exit: runFileCheckCommand(['c.txt', '--input-file=i.txt'], io), err: io.stderrBytes() };
    };

    for (const [name, form] of Object.entries(FORMS))
      it(`${name} have their value, or the limit is named`, () => {
        for (const n of [900, 3000, MOST]) {
          assert.deepEqual(run(...form(n)), { exit: 0, err: '' }, `${n}`);
          assert.equal(run(form(n)[0], '8').exit, 1, `${n}`);
        }
        for (const n of [MOST + 1, 100_000]) {
          const { exit, err } = run(...form(n));
          assert.equal(exit, 2);
          assert.match(err, /error: expression nested deeper than 20000/);
        }
      });

    it('say what FileCheck says of them where they are wrong', () => {
      for (const [block, message] of [
        ['('.repeat(3000), 'Invalid substitution block, no ]] found'],
        [`${'('.repeat(3000)}]]`, 'missing operand in expression'],
        [`${'('.repeat(3000)}1${')'.repeat(2999)}]]`, "missing ')' at end of nested expression"],
        [`${'add(1,'.repeat(3000)}1${')'.repeat(2999)}]]`, "missing ')' at end of call expression"],
        [`${'(1+'.repeat(3000)}1${')'.repeat(2999)}/2)]]`, "unsupported operation '/'"],
      ] as const) {
        const io = fileCheckIO(`CHECK: [[#${block}\n`, '1\n');
        assert.equal(runFileCheckCommand(['c.txt', '--input-file=i.txt'], io), 2);
        assert.ok(io.stderrBytes().includes(`error: ${message}`), io.stderrBytes().slice(0, 200));
      }
    });
  });
});
