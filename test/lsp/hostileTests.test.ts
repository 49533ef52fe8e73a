/**
 * Tests that want time, memory or files which they must not get, opened and run in the real server, with the built-in llc and with the user's own: each request
 * comes to an end, and whoever reads another file does not wait for it. AMDGPU_MIR_ONLY is one kind, AMDGPU_MIR_SHOW=1 prints the times.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NODE_COMMAND } from '../support/builtCommand.js';
import { LLC, needsLlc } from '../support/llc.js';
import { TestClient } from '../support/lspClient.js';
import { ONLY, SHOW } from '../support/switches.js';

const SAXPY = readFileSync(join(__dirname, '..', '..', 'examples', 'saxpy.mir'), 'utf8');
const OP = 'V_PK_FMA_F32';
const LLC_LINE = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s -o - | FileCheck %s\n';
const FUNCTION = '---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    S_NOP 0\n    S_ENDPGM 0\n...\n';
/** Waits that are shorter say nothing: a machine that is busy makes any hover wait so long. */
const LONG_MS = 1500;
/** What is ours, not the test's. */
const BUGS = /Maximum call stack|Invalid string length|internal error|Cannot read prop|is not a function/;

const times = (n: number, text: (k: number) => string): string => Array.from({ length: n }, (_, k) => text(k)).join('');
const run = (...lines: readonly string[]): string => lines.map((line) => `# RUN: ${line}\n`).join('') + FUNCTION;
const check = (pattern: string): string => `${LLC_LINE}${FUNCTION}# CHECK: ${pattern}\n`;
/** a search of millions of steps: a second or more */
const SLOW_SEARCH = `# CHECK: {{((a?){200}b?){50}[!?]}}\n# RUN: echo ${'a'.repeat(400)} | FileCheck %s\n${FUNCTION}`;

interface HostileTest {
  readonly text: string;
  /** what is said of the run or of the test */
  readonly says: RegExp;
}

const TESTS: Readonly<Record<string, HostileTest>> = {
  'repetition in conditions': {
    text: `# REQUIRES: {{((((a{200}){200}){200}){200})}}\n${LLC_LINE}${FUNCTION}`,
    says: /./,
  },
  'repetition of repetition in conditions': {
    text: `# REQUIRES: {{((((.+)+)+)+)+!}}\n${LLC_LINE}${FUNCTION}`,
    says: /^Missing required feature/,
  },
  'nested conditions': {
    text: `# REQUIRES: ${'('.repeat(20_000)}true${')'.repeat(20_000)}\n${LLC_LINE}${FUNCTION}`,
    says: /./,
  },
  'definitions that double': {
    text: `# DEFINE: %{a0} = xxxxxxxxxxxxxxxx\n${times(40, (k) => `# DEFINE: %{a${k + 1}} = %{a${k}}%{a${k}}\n`)}# RUN: echo %{a40}\n${FUNCTION}`,
    says: /./,
  },
  'repetition in a pattern': { text: check('{{((((a{1,255}){1,255}){1,255}){1,255})}}'), says: /more than \d+ steps/ },
  'nested groups in a pattern': { text: check(`{{${'(a'.repeat(20_000)}${')*'.repeat(20_000)}}}`), says: /./ },
  'nested numeric block': { text: check(`[[#${'('.repeat(20_000)}`), says: /./ },
  'a search of many steps': { text: SLOW_SEARCH, says: /not found in input|more than \d+ s/ },
  'files that double': {
    text: run('cat %s > %t', ...Array.from({ length: 40 }, () => 'cat %t %t > %t.2 && cp %t.2 %t')),
    says: /more than \d+ MB/,
  },
  'sed that grows its input': {
    text: run(`cat %s > %t && sed ${times(30, () => "-e 's/./&&&&&&&&/g' ")} %t > %t.2`),
    says: /more than \d+ MB|takes too long/,
  },
  'echo that grows': {
    text: run(
      `echo ${'a'.repeat(5000)} > %t`,
      ...Array.from({ length: 30 }, () => "sed -E 's/(.)/\\1\\1\\1\\1/g' %t > %t.2 && mv %t.2 %t"),
    ),
    says: /more than \d+ MB|takes too long/,
  },
  'nested not': { text: run(`${'not '.repeat(20_000)}llc %s -o /dev/null`), says: /./ },
  'nested env': { text: run(`${times(20_000, (k) => `env A${k}=1 `)}llc %s -o /dev/null`), says: /./ },
  'a device': { text: run('cat /dev/zero > %t'), says: /\/dev\/zero/ },
  'a device for llc': {
    text: run('llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none /dev/zero -o -'),
    says: /\/dev\/zero/,
  },
  'a pipe': { text: run('cat %S/pipe > %t'), says: /pipe/ },
  'a pipe for llc': { text: run('llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %S/pipe -o -'), says: /pipe/ },
  'a pipe for FileCheck': { text: `${run('FileCheck %s --input-file=%S/pipe')}# CHECK: a\n`, says: /pipe/ },
  '8,000 attributes': {
    text: `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -mattr=${times(8000, (k) => `${k > 0 ? ',' : ''}+f${k}`)} -run-pass=none %s -o - | FileCheck %s\n${FUNCTION}# CHECK: S_NOP\n`,
    says: /./,
  },
  '50,000 prefixes': {
    text: `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s -o - | FileCheck %s --check-prefixes=CHECK${times(50_000, (k) => `,P${k}`)}\n${FUNCTION}# CHECK: S_NOP\n`,
    says: /./,
  },
};

interface RunLines {
  readonly runs: readonly { readonly verdict: string; readonly detail: string }[];
  readonly problem: string;
}

interface Measured {
  /** of the request */
  readonly ms: number;
  /** of the hovers in the other file meanwhile */
  readonly hovers: readonly number[];
}

describe('hostile tests in the server', function () {
  this.timeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), 'hostile-lsp-'));
  const quiet = pathToFileURL(join(folder, 'quiet.mir')).href;
  const path = join(folder, 'hostile.mir');
  const uri = pathToFileURL(path).href;
  const script = join(folder, 'llc.sh');
  before(function () {
    NODE_COMMAND.skipUnlessBuilt.call(this);
    writeFileSync(script, "#!/bin/sh\nprintf 'name: f\\n    S_NOP 0\\n'\n", { mode: 0o755 });
    assert.equal(spawnSync('mkfifo', [join(folder, 'pipe')]).status, 0);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const start = async (llc: string): Promise<TestClient> => {
    const client = await TestClient.spawn([...NODE_COMMAND.command, 'lsp', '--stdio'], {
      settings: { llc: { path: llc }, checks: { whileTyping: false } },
    });
    client.open(quiet, SAXPY);
    for (let k = 0; k < 10; k++) assert.match(await client.hover(quiet, OP), /VGPR/);
    return client;
  };
  const hover = async (client: TestClient): Promise<number> => {
    const before = Date.now();
    assert.match(await client.hover(quiet, OP), /VGPR/);
    return Date.now() - before;
  };
  /** Waits for a request, and hovers in the other file all the time. */
  const beside = async <T>(client: TestClient, request: Promise<T>): Promise<Measured & { result: T }> => {
    const before = Date.now();
    let isDone = false;
    const ended = request.finally(() => (isDone = true));
    // What it ends with is the caller's business.
    ended.catch(() => undefined);
    const hovers: number[] = [];
    while (!isDone) {
      hovers.push(await hover(client));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const result = await ended;
    return { result, ms: Date.now() - before, hovers };
  };
  const shown = (what: string, { ms, hovers }: Measured): { median: number; most: number } => {
    const sorted = [...hovers].sort((a, b) => a - b);
    const [median = 0, most = 0] = [sorted[sorted.length >> 1], sorted[sorted.length - 1]];
    if (SHOW > 0) console.log(`      ${what}: ${ms} ms; ${hovers.length} hovers, median ${median}, most ${most} ms`);
    return { median, most };
  };
  /** Readers wait for the processor at most: a small part of what the test takes. */
  const nobodyWaits = (what: string, measured: Measured): void => {
    const { median, most } = shown(what, measured);
    const { ms, hovers } = measured;
    if (ms < LONG_MS) return;
    assert.ok(hovers.length >= 5, `${what}: ${hovers.length} hovers in ${ms} ms`);
    assert.ok(median < ms / 4, `${what}: half of the hovers take ${median} of ${ms} ms`);
    // A single one may have met another program of the machine.
    assert.ok(most < ms / 2 || ms < 3 * LONG_MS, `${what}: a hover takes ${most} of ${ms} ms`);
  };

  for (const [name, llc, kinds] of [
    ['the built-in llc', '', /./],
    ['a script', script, /./],
    // Where it makes a difference what llc does.
    ['llc-22', LLC, /llc|attributes/],
  ] as const)
    describe(`with ${name}`, () => {
      let client: TestClient;
      before(async function () {
        if (llc === LLC) needsLlc(this);
        client = await start(llc);
      });
      after(() => client?.shutdown());

      for (const [kind, { text, says }] of Object.entries(TESTS)) {
        if (!kinds.test(kind) || (ONLY !== undefined && ONLY !== kind)) continue;
        it(`${kind}: the test ends, and nobody waits for it`, async () => {
          writeFileSync(path, text);
          client.open(uri, text);
          shown(`${name}, ${kind}, opened`, await beside(client, client.diagnostics(uri)));
          const ran = await beside(client, client.ask<RunLines>('amdgpuMir/runLines', { textDocument: { uri } }));
          nobodyWaits(`${name}, ${kind}`, ran);
          const { runs, problem } = ran.result;
          const told = [problem, ...runs.map(({ verdict, detail }) => `${verdict} ${detail}`)].join('\n');
          assert.ok(problem !== '' || runs.length > 0, 'neither a verdict nor a reason');
          assert.match(told, says);
          assert.doesNotMatch(told, BUGS);
          client.close(uri);
          assert.deepEqual(readdirSync(folder).sort(), ['hostile.mir', 'llc.sh', 'pipe']);
        });
      }
    });

  it('are ended by an edit in the midst of a search', async () => {
    const client = await start('');
    client.open(uri, SLOW_SEARCH);
    const ask = (): Promise<unknown> => client.ask('amdgpuMir/runLines', { textDocument: { uri } });
    const whole = await beside(client, ask());
    const ended = ask().then(
      () => 'answered',
      () => 'ended',
    );
    await new Promise((resolve) => setTimeout(resolve, whole.ms / 8));
    const before = Date.now();
    client.replace(uri, 'name: f', 'name: g');
    assert.equal(await ended, 'ended');
    const ms = Date.now() - before;
    if (SHOW > 0) console.log(`      a whole search: ${whole.ms} ms; after an edit it ends in ${ms} ms`);
    assert.ok(ms < whole.ms / 2, `ends ${ms} ms after the edit, of ${whole.ms} ms`);
    await client.shutdown();
  });
});
