/** Reports for other programs: JSON by the schemas in docs/schema, SARIF by the official schema, the others by their rules. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { spawnSync } from 'node:child_process';
import { Ajv, type ValidateFunction } from 'ajv';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../../server/src/cli/check.js';
import { runCompare } from '../../../server/src/cli/compare.js';
import { runDiff } from '../../../server/src/cli/diff.js';
import { runExplain } from '../../../server/src/cli/explain.js';
import { runLog } from '../../../server/src/cli/log.js';
import { runSweep } from '../../../server/src/cli/sweep.js';
import { runTests } from '../../../server/src/cli/test.js';
import { UNKNOWN_VALUES } from '../../../server/src/cli/unknownValues.js';
import { runWhy } from '../../../server/src/cli/why.js';
import { SHARED, skip } from '../../support/skip.js';

const ROOT = resolve(__dirname, '..', '..', '..');
const EXAMPLES = join(ROOT, 'examples');
const SCHEMAS = join(ROOT, 'docs', 'schema');
const BROKEN = '---\nname: f\nbody: |\n  bb.0:\n    S_FROB 0\n    $sgpr0 = S_MOV_B32\n...\n';
const RUN = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s | FileCheck %s\n';
/** Every option of check that adds to its report. */
const ALL_OF_CHECK = ['--schedule', '--allocate', '--findings', '--scalarize', '--source-lines', '--remat'];

type Run = (args: readonly string[], io: BufferedIO) => number | Promise<number>;

interface Case {
  readonly kind: string;
  readonly run: Run;
  readonly args: readonly string[];
}

describe('reports for other programs', function () {
  this.timeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-reports-'));
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const broken = write('broken, file.mir', BROKEN);
  const other = write('other.mir', '# RUN: llc -mtriple=aarch64 -run-pass=none %s\n---\nname: f\n...\n');
  write('tests, pass.mir', `${RUN}# CHECK: name: f\n---\nname: f\n...\n`);
  write('fail.mir', `${RUN}# CHECK: nobody\n---\nname: f\n...\n`);
  const examples = readdirSync(EXAMPLES)
    .filter((name) => name.endsWith('.mir'))
    .map((name) => join(EXAMPLES, name));
  const dump = write(
    'a.log',
    '# *** IR Dump After greedy ***:\n# Machine code for function f: NoPHIs\nbb.0:\n  S_ENDPGM 0\n\n# End machine code for function f.\n# *** IR Dump After frob ***:\n# Machine code for function f: NoPHIs\nbb.0:\n  S_FR',
  );
  /** Says that it is LLVM 22, and prints a function that nobody has. */
  const differentLlc = write(
    'llc',
    '#!/bin/sh\nif [ "$1" = --version ]; then echo "  LLVM version 22.1.8"; exit 0; fi\ncat >/dev/null\nprintf -- "---\\nname: saxpy\\n...\\n"\n',
  );
  chmodSync(differentLlc, 0o755);
  after(() => rmSync(folder, { recursive: true, force: true }));

  const report = async (run: Run, ...args: string[]): Promise<string> => {
    const io = new BufferedIO();
    await run(args, io);
    return io.out();
  };

  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
  const validators = new Map<string, ValidateFunction>();
  const validator = (kind: string): ValidateFunction => {
    const known = validators.get(kind);
    if (known !== undefined) return known;
    const made = ajv.compile(JSON.parse(readFileSync(join(SCHEMAS, `${kind}.schema.json`), 'utf8')) as object);
    validators.set(kind, made);
    return made;
  };

  /** The report, which is valid and says nowhere with '' or 0 that a thing is not known. */
  function checked(kind: string, text: string): Record<string, unknown> {
    const json = JSON.parse(text) as Record<string, unknown>;
    const validate = validator(kind);
    validate(json);
    assert.deepEqual((validate.errors ?? []).slice(0, 5), [], kind);
    JSON.stringify(json, (key, value: unknown) => {
      if (Object.hasOwn(UNKNOWN_VALUES, key)) assert.notEqual(value, UNKNOWN_VALUES[key], `${kind} ${key}`);
      return value;
    });
    assert.match(json['$schema'] as string, new RegExp(`/docs/schema/${kind}\\.schema\\.json$`));
    assert.equal(typeof json['version'], 'string');
    return json;
  }

  const bias = '--with=-amdgpu-schedule-metric-bias=5';
  const cases: readonly Case[] = [
    { kind: 'check', run: runCheck, args: [...examples, broken, other, join(folder, 'nowhere.mir')] },
    { kind: 'check', run: runCheck, args: [...ALL_OF_CHECK, ...examples.slice(0, 3), broken] },
    { kind: 'check', run: runCheck, args: ['--as-written', '--target=gfx90a,gfx1100', ...examples] },
    { kind: 'check', run: runCheck, args: ['--model=llvm-22,llvm-24', examples[0]!] },
    ...examples.map((file) => ({ kind: 'diff', run: runDiff, args: [bias, file] })),
    { kind: 'diff', run: runDiff, args: [examples[0]!, examples[1]!] },
    { kind: 'diff', run: runDiff, args: [examples[0]!, broken] },
    { kind: 'sweep', run: runSweep as Run, args: ['--vary=-amdgpu-schedule-metric-bias=5,50', examples[0]!] },
    { kind: 'sweep', run: runSweep as Run, args: [broken] },
    { kind: 'why', run: runWhy, args: [examples[0]!] },
    { kind: 'why', run: runWhy, args: [broken] },
    { kind: 'log', run: runLog, args: [dump] },
    { kind: 'log', run: runLog, args: ['--outcome', '--target=gfx942', dump] },
    ...examples.map((file) => ({ kind: 'explain', run: runExplain, args: [file] })),
    ...examples.map((file) => ({ kind: 'explain', run: runExplain, args: ['--allocation', file] })),
    ...examples.map((file) => ({ kind: 'explain', run: runExplain, args: ['--divergence', file] })),
    { kind: 'explain', run: runExplain, args: ['--allocation', '--costs=all', examples[0]!] },
    { kind: 'explain', run: runExplain, args: ['-misched=gcn-iterative-ilp', examples[1]!] },
    { kind: 'explain', run: runExplain, args: ['-amdgpu-sched-strategy=max-ilp', examples[1]!] },
    { kind: 'explain', run: runExplain, args: ['--model=llvm-main-2026-01', examples[3]!] },
    { kind: 'explain', run: runExplain, args: [broken] },
    { kind: 'test', run: runTests, args: [folder] },
    { kind: 'compare', run: runCompare, args: [`--llc=${differentLlc}`, ...examples.slice(0, 2), broken] },
    { kind: 'test', run: runTests, args: [...examples, '--num-shards=2', '--run-shard=1'] },
  ];
  for (const { kind, run, args } of cases)
    it(`JSON of ${kind} ${args.map((arg) => arg.replace(/^.*\//, '')).join(' ')}`, async () => {
      checked(kind, await report(run, '--format=json', ...args));
    });

  it('JSON of check is valid for files of LLVM', async function () {
    const corpus = join(SHARED, 'corpus');
    let inputs: string[];
    try {
      inputs = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.mir'))
        .sort();
    } catch {
      skip(this, 'the corpus is not there');
    }
    const some = inputs.filter((_, k) => k % 8 === 1).map((name) => join(corpus, name));
    assert.ok(some.length > 5, String(inputs.length));
    const json = checked('check', await report(runCheck, '--json', '--max-size=200K', ...some));
    assert.ok((json['functions'] as number) > some.length);
    for (const input of some.slice(0, 12))
      for (const args of [[], ['--allocation']]) checked('explain', await report(runExplain, '--json', ...args, input));
  });

  it('what is wrong by the schema is noticed', () => {
    const validate = validator('test');
    assert.equal(
      validate({ $schema: '', version: '', llvm: [], llc: null, seconds: '1', discovered: 0, counts: {}, tests: [] }),
      false,
    );
    assert.equal(
      validate({ $schema: '', version: '', llvm: [], llc: null, seconds: 1, discovered: 0, counts: {}, tests: [] }),
      true,
    );
  });

  it('schemas are those that the types make', function () {
    const made = spawnSync(process.execPath, [join(ROOT, 'server', 'tools', 'schemas', 'makeSchemas.mjs'), '--check'], {
      encoding: 'utf8',
      timeout: 300_000,
    });
    if (made.stderr.includes("Cannot find package 'ts-json-schema-generator'"))
      skip(this, 'ts-json-schema-generator is not installed');
    assert.deepEqual([made.status, made.stderr], [0, '']);
  });

  const reports: readonly (readonly [string, Run, readonly string[]])[] = [
    ['check', runCheck, [examples[0]!, broken, other]],
    ['check --findings', runCheck, ['--findings', ...examples.slice(0, 2)]],
    ['diff', runDiff, ['--target=gfx90a,gfx1100', examples[0]!]],
    ['sweep', runSweep as Run, ['--vary=-amdgpu-schedule-metric-bias=5', broken]],
    ['test', runTests, [folder]],
  ];
  for (const [name, run, args] of reports) {
    it(`SARIF of ${name}`, async () => {
      const path = require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
      const schema = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
      // It is written in draft 4, whose keywords it uses as draft 7 has them.
      delete schema['$schema'];
      delete schema['id'];
      const validate = new Ajv({
        allErrors: true,
        strict: false,
        validateFormats: false,
        unicodeRegExp: false,
      }).compile(schema);
      const log = JSON.parse(await report(run, '--format=sarif', ...args)) as { runs: { results: object[] }[] };
      validate(log);
      assert.deepEqual(validate.errors ?? [], []);
      assert.ok(log.runs[0]!.results.length > 0 || name === 'check --findings');
      assert.equal(validate({ ...log, version: '3' }), false);
    });

    it(`annotations of ${name} are a line each`, async () => {
      const lines = (await report(run, '--format=github', ...args)).split('\n').filter((line) => line.startsWith('::'));
      assert.ok(lines.length > 0 || name === 'check --findings');
      for (const line of lines) assert.match(line, /^::(?:error|warning|notice) file=[^:,]*(?:,\w+=[^:,]+)*::./);
    });

    it(`CSV of ${name} has as many cells in each row`, async () => {
      const rows = csvRows(await report(run, '--format=csv', ...args));
      assert.ok(rows.length > 1);
      for (const row of rows) assert.equal(row.length, rows[0]!.length, row.join());
    });

    it(`Markdown of ${name} has a table`, async () => {
      const lines = (await report(run, '--format=markdown', ...args)).split('\n');
      const at = lines.findIndex((line) => /^\|(?: ?-+:? ?\|)+$/.test(line));
      assert.ok(at > 0, lines.join('\n'));
      const bars = (line: string): number => line.replaceAll('\\|', '').split('|').length;
      for (let k = at - 1; lines[k]!.startsWith('|'); k++) assert.equal(bars(lines[k]!), bars(lines[at]!));
    });
  }
});

/** Cells by the rules of RFC 4180. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (end === '\n') rows.push([]);
  }
  return rows.slice(0, -1);
}
