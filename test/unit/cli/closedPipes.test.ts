/** Commands whose reader is gone (`| head -1`) end quietly, and a process that is killed leaves nothing in the temporary folder. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUILT_COMMANDS } from '../../support/builtCommand.js';

const FILE = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o %t %s
# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s | FileCheck %s
# CHECK: S_NOP 1
--- |
  define amdgpu_kernel void @f() { ret void }
...
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    S_ENDPGM 0, implicit %0
...
`;
const MANY = 30;

for (const { name, command, skipUnlessBuilt } of BUILT_COMMANDS)
  describe(`a closed pipe, ${name}`, () => {
    before(skipUnlessBuilt);
    let folder = '';
    let temporary = '';
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'closed-pipes-'));
      temporary = join(folder, 'tmp');
      mkdirSync(temporary);
      mkdirSync(join(folder, 'tests'));
      for (let k = 0; k < MANY; k++) writeFileSync(join(folder, 'tests', `${k}.mir`), FILE);
      writeFileSync(join(folder, 'tests', 'loop.mir'), FILE.replace('CHECK: S_NOP 1', 'CHECK: S_ENDPGM'));
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    interface Ended {
      readonly stderr: string;
      readonly code: number | null;
      readonly signal: string | null;
    }

    /** At the first output the reader closes its end, or the process gets the signal. */
    const run = (args: readonly string[], signal: NodeJS.Signals | null): Promise<Ended> =>
      new Promise((resolve, reject) => {
        const [program, ...first] = command;
        const env = { ...process.env, TMPDIR: temporary };
        const child = spawn(program, [...first, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
        let stderr = '';
        child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
        child.stdout.once('data', () => {
          if (signal === null) child.stdout.destroy();
          else child.kill(signal);
        });
        child.on('error', reject);
        child.on('close', (code, by) => resolve({ stderr, code, signal: by }));
      });
    const tests = (): string => join(folder, 'tests');

    /** What is left is removed by another process: it may take a moment. */
    const untilEmpty = async (): Promise<void> => {
      for (let k = 0; k < 600 && readdirSync(temporary).length > 0; k++) await new Promise((r) => setTimeout(r, 50));
      assert.deepEqual(readdirSync(temporary), []);
    };

    for (const what of ['test', 'check', 'check --json', 'test -v -j2', 'check --jobs 3', 'test -j1'])
      it(`${what} ends quietly`, async () => {
        const { stderr, signal } = await run([...what.split(' '), tests()], null);
        assert.equal(stderr, '');
        assert.equal(signal, null);
        await untilEmpty();
      });

    for (const what of ['llc -run-pass=none -mtriple=amdgcn -o -', 'explain'])
      it(`${what} ends quietly`, async () => {
        const { stderr } = await run([...what.split(' '), join(tests(), '0.mir')], null);
        assert.equal(stderr, '');
      });

    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)
      for (const jobs of ['-j2', '-j1'])
        it(`${signal} with ${jobs} leaves nothing`, async () => {
          const ended = await run(['test', jobs, tests()], signal);
          assert.equal(ended.signal, signal);
          await untilEmpty();
        });
  });
