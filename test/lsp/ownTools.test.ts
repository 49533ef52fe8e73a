/** Tests by the user's own llc and FileCheck: verdicts of the corpus, and programs that crash, hang, write without end, or are not there. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CancellationToken, CancellationTokenSource } from 'vscode-languageserver';
import type { TestVerdict } from '../../server/src/features/snapshot/verdict.js';
import { ownTools } from '../../server/src/lsp/node/ownTools.js';
import { FILECHECK, needsFileCheck } from '../support/fileCheck.js';
import { LLC, needsLlc } from '../support/llc.js';
import { TestClient } from '../support/lspClient.js';
import { needsShared, SHARED } from '../support/skip.js';

const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=si-insert-waitcnts -o - %s | FileCheck %s
---
name:            f
body:             |
  bb.0:
    ; CHECK: S_NOP 1
    S_NOP 0
    S_ENDPGM 0
...
`;

describe("the user's own tools", () => {
  const folder = mkdtempSync(join(tmpdir(), 'own-tools-'));
  after(() => rmSync(folder, { recursive: true }));

  const program = (name: string, script: string): string => {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return path;
  };
  const run = (llc: string, text = TEXT, token = CancellationToken.None): Promise<TestVerdict | null> =>
    ownTools({ ms: 2000, bytes: 1 << 20 }).runTest('file:///test.mir', text, { llc, fileCheck: '' }, token);
  const told = async (llc: string, text?: string): Promise<string> => {
    const [first] = (await run(llc, text))!.runs;
    return `${first?.verdict}: ${first?.detail.split('\n')[0]}`;
  };

  it("give the verdicts of lit's tests", async function () {
    needsLlc(this);
    needsFileCheck(this);
    const lit = join(SHARED, 'corpus', 'lit');
    needsShared(this, lit);
    const manifest = JSON.parse(readFileSync(join(lit, 'manifest.json'), 'utf8')) as {
      input: string;
      runs: { run: string; status: string }[];
    }[];
    let compared = 0;
    for (const { input, runs } of manifest) {
      const path = join(lit, input);
      const uri = pathToFileURL(path).href;
      const result = await ownTools().runTest(
        uri,
        readFileSync(path, 'utf8'),
        { llc: LLC, fileCheck: FILECHECK },
        CancellationToken.None,
      );
      for (const [k, { status }] of runs.entries()) {
        const verdict = result!.runs[k]?.verdict;
        if (verdict === undefined) assert.notEqual(result!.problem, '', input);
        else assert.equal(verdict === 'passed', status === 'pass', `${input} ${k}: ${verdict}, ${status}`);
        compared++;
      }
    }
    assert.ok(compared >= 20 && readdirSync(join(lit, 'tests')).length > 0);
  });

  it('that cannot be used say why, and block nothing', async () => {
    const dump = program('prints', "printf 'name: f\\n    S_NOP 1\\n'");
    assert.match(await told(dump), /^passed: /);
    assert.match(
      await told(join(folder, 'nowhere')),
      /^unsupported: .*nowhere cannot be run: No such file or directory/,
    );
    assert.match(await told(program('hangs', 'exec sleep 100')), /^unsupported: .*hangs does not end within 2 s/);
    assert.match(await told(program('floods', 'exec yes')), /^unsupported: .*floods writes more than 1 MB/);
    // Scripts around a program go with it.
    assert.match(await told(program('waits-for', 'sleep 1000; true')), /^unsupported: .*does not end within 2 s/);
    assert.match(await told(program('pours', 'yes; true')), /^unsupported: .*pours writes more than 1 MB/);
    assert.match(await told(program('crashes', 'kill -SEGV $$')), /^failed: .*crashes was ended by SIGSEGV/);
    assert.match(await told(program('fails', 'echo "llc: no" >&2; exit 1')), /^failed: llc: no/);
    // Words are words, whatever a shell would make of them.
    const args = program('args', 'for a in "$@"; do echo "S_NOP 1 $a"; done');
    const text = TEXT.replace('-mtriple=amdgcn', "'-x=$(touch no);a b'").replace(
      'S_NOP 1',
      'S_NOP 1 -x=$(touch no);a b',
    );
    assert.match(await told(args, text), /^passed: /);
    assert.match(
      await ownTools().doubt(program('old', 'echo "  LLVM version 18.1.3"')),
      /is of LLVM 18\.1\.3, amdgpu-mir/,
    );
  });

  it('fail for files that are not there, whatever the test is called', async () => {
    const verdicts = async (lines: string, uri = 'file:///test.mir'): Promise<string[]> => {
      const tools = { llc: program('quiet', 'exit 0'), fileCheck: '' };
      const text = TEXT.replace(/^# RUN:.*\n/, lines);
      const { runs, problem } = (await ownTools().runTest(uri, text, tools, CancellationToken.None))!;
      return problem === '' ? runs.map((r) => `${r.verdict}: ${r.detail.replaceAll(/'.*'/g, '')}`) : [problem];
    };
    const missing = '# RUN: echo x | FileCheck %S/nowhere/x\n# RUN: FileCheck %s --input-file=%t\n';
    assert.deepEqual(await verdicts(missing), [
      'failed: Could not open check file : No such file or directory',
      'failed: Could not open input file : No such file or directory',
    ]);
    assert.deepEqual(await verdicts('# RUN: echo x > %t/nowhere/x\n'), ['failed: echo: No such file or directory']);
    assert.deepEqual(await verdicts('# RUN: llc %s\n', 'file:///Output'), ['passed: ']);
    assert.match((await verdicts('# RUN: llc a\0b %s\n'))[0]!, /^unsupported: .*quiet cannot be run: /);
    assert.notEqual((await verdicts('# RUN: llc %s\n', 'file:///a%2Fb.mir'))[0], 'passed: ');
  });

  it('leave no folder after, and say when there can be none', async () => {
    const usual = process.env['TMPDIR'];
    const temporary = join(folder, 'temporary');
    mkdirSync(temporary);
    try {
      process.env['TMPDIR'] = temporary;
      assert.equal(await told(program('fine', "printf '    S_NOP 1\\n'")), 'passed: ');
      assert.match(await told(join(folder, 'nowhere')), /^unsupported: /);
      const source = new CancellationTokenSource();
      source.cancel();
      assert.equal(await run(program('fine', 'exit 0'), TEXT, source.token), null);
      assert.deepEqual(readdirSync(temporary), []);
      process.env['TMPDIR'] = join(folder, 'none');
      const none = (await run(program('fine', 'exit 0')))!;
      assert.deepEqual(none, {
        runs: [],
        problem: 'No such file or directory',
        isExpectedToFail: false,
        outdated: [],
      });
    } finally {
      if (usual === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = usual;
    }
  });

  it('make CHECK lines anew, or say why not', async () => {
    const note = '# NOTE: Assertions have been autogenerated by utils/update_mir_test_checks.py\n';
    const update = (llc: string, text = note + TEXT, token = CancellationToken.None) =>
      ownTools({ ms: 2000, bytes: 1 << 20 }).updateChecks(text, { llc, fileCheck: '' }, token);
    const output = program('output', "printf -- '---\\nname: f\\nbody: |\\n  bb.0:\\n    S_NOP 3\\n...\\n'");
    const made = (await update(output))!;
    assert.match(made.edits.map((e) => e.newText).join(''), /CHECK-NEXT: S_NOP 3|CHECK: S_NOP 3/);
    assert.deepEqual((await update(output, TEXT))!.edits, []);
    assert.match((await update(join(folder, 'nowhere')))!.why, /nowhere cannot be run/);
    assert.equal((await update(program('refuses', 'echo "llc: no" >&2; echo more >&2; exit 1')))!.why, 'llc: no');
    assert.match((await update(program('quits', 'exit 3')))!.why, /quits ends with exit code 3/);
    const source = new CancellationTokenSource();
    source.cancel();
    assert.equal(await update(output, note + TEXT, source.token), null);
  });

  it('are doubted where their LLVM is another or unknown', async () => {
    const doubt = (script: string): Promise<string> => ownTools().doubt(program('asked', script));
    assert.equal(await doubt('echo "  LLVM version 22.1.8"'), '');
    assert.match(await doubt('echo "something"'), /asked does not say which LLVM it is of$/);
    assert.match(await ownTools().doubt(join(folder, 'nowhere')), /nowhere cannot be run/);
  });

  it('write files in the temporary folder alone', async () => {
    const [own, other] = [join(folder, 'own'), join(folder, 'other')];
    mkdirSync(own);
    mkdirSync(other);
    symlinkSync(other, join(own, 'link'));
    symlinkSync(join(other, 'dangling'), join(own, 'dangling'));
    const uri = pathToFileURL(join(own, 'a.mir')).href;
    const verdict = async (line: string): Promise<string> => {
      const tools = { llc: program('silent', 'exit 0'), fileCheck: '' };
      const text = `# RUN: ${line}\n${TEXT.replace(/^# RUN:.*\n/, '--- part\n')}`;
      const { runs } = (await ownTools().runTest(uri, text, tools, CancellationToken.None))!;
      return `${runs[0]?.verdict}: ${runs[0]?.detail}`;
    };
    const written = 'echo x > %t && cat %t && echo x > y && cat y && split-file %s %t.d && cat %t.d/part';
    assert.equal(await verdict(written), 'passed: ');
    assert.equal(await verdict('llc %s > /dev/null 2> %t'), 'passed: ');
    const refused = [
      `echo x > ${other}/x`,
      'echo x >> %S/x',
      'echo x >> %S/../other/x',
      'echo x > %S/link/x',
      'echo x > %S/dangling',
      'llc %s 2> %S/link/new/x',
      `split-file %s ${other}/d`,
    ];
    for (const line of refused)
      assert.match(
        await verdict(line),
        /^unsupported: writes .*, which is not a temporary file of the test \(%t\)$/,
        line,
      );
    assert.deepEqual(readdirSync(other), []);
    assert.deepEqual(readdirSync(own).sort(), ['dangling', 'link']);
  });

  it('end when cancelled', async () => {
    const source = new CancellationTokenSource();
    const answer = ownTools().runTest(
      'file:///t.mir',
      TEXT,
      { llc: program('waits', 'exec sleep 1000'), fileCheck: '' },
      source.token,
    );
    setTimeout(() => source.cancel(), 100);
    assert.equal(await answer, null);
  });

  it('run when a document is saved, what the engine cannot run, too', async () => {
    const fake = program('saved', "printf 'S_NOP 0\\n'");
    const client = await TestClient.inMemory({
      settings: { llc: { path: fake }, checks: { whileTyping: false } },
      tools: ownTools(),
    });
    const uri = 'file:///saved.mir';
    client.open(uri, TEXT);
    await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    const found = await client.until('a verdict', () =>
      client.published.flatMap((p) => p.diagnostics).find((d) => d.source === 'FileCheck'),
    );
    assert.equal(found.range.start.line, 5);
    assert.match(found.message as string, /^CHECK: expected string not found in input/);
    const warned = await client.until('a warning of the version', () =>
      client.notifications.find((n) => n.method === 'window/showMessage'),
    );
    assert.match((warned.params as { message: string }).message, /does not say which LLVM it is of/);
    await client.shutdown();
  });

  it('update CHECK lines, and are compared with the engine', async () => {
    const output = '---\\nname: f\\nbody: |\\n  bb.0:\\n    S_NOP 7\\n...\\n';
    const fake = program('writes', `printf '%b' '${output}'`);
    const note =
      '# NOTE: Assertions have been autogenerated by utils/update_mir_test_checks.py UTC_ARGS: --version 6\n';
    const text = note + TEXT.replace('si-insert-waitcnts', 'none');
    const client = await TestClient.inMemory({ settings: { llc: { path: fake } }, tools: ownTools() });
    const uri = 'file:///updated.mir';
    client.open(uri, text);
    const ask = (of: string): Promise<{ edits: { newText: string }[]; why: string }> =>
      client.ask('amdgpuMir/updateChecks', { uri, text: of });
    const { edits, why } = await ask(text);
    assert.deepEqual([why, edits.map((e) => e.newText)], ['', ['    ; CHECK-LABEL: name: f\n    ; CHECK: S_NOP 7\n']]);
    assert.deepEqual(await ask(text.replace(note, '')), { edits: [], why: 'it is not autogenerated' });

    await client.until('a verdict', () => client.notifications.find((n) => n.method === 'amdgpuMir/verdict'));
    const lenses = await client.lenses(uri);
    for (const title of ['update CHECK lines', 'compare with llc'])
      assert.ok(lenses.includes(`1: ${title}`), lenses.join('; '));
    const compared = await client.ask<{ ours: string; theirs: string; why: string }>('amdgpuMir/compareRun', {
      textDocument: { uri },
      position: { line: 1, character: 0 },
    });
    assert.equal(compared.why, '');
    assert.match(compared.ours, /^ {4}S_NOP 0$/m);
    assert.match(compared.theirs, /^ {4}S_NOP 7$/m);
    const nothing = await client.ask<{ ours: null; why: string }>('amdgpuMir/compareRun', {
      textDocument: { uri },
      position: { line: 5, character: 0 },
    });
    assert.deepEqual([nothing.ours, nothing.why], [null, 'there is no RUN line in line 6']);

    const scheduled = await client.ask<{ ours: string; theirs: string; why: string }>('amdgpuMir/compareRun', {
      textDocument: { uri },
      position: { line: 5, character: 0 },
      schedules: true,
    });
    assert.equal(scheduled.why, '');
    assert.match(scheduled.ours, /^ {4}S_NOP 0$/m);
    assert.match(scheduled.theirs, /^ {4}S_NOP 7$/m);

    const broken = await TestClient.inMemory({
      settings: { llc: { path: program('refuses', 'echo "llc: no" >&2; exit 1') } },
      tools: ownTools(),
    });
    assert.deepEqual(await broken.ask('amdgpuMir/updateChecks', { uri, text }), { edits: [], why: 'llc: no' });
    await Promise.all([client.shutdown(), broken.shutdown()]);
  });
});
