/** `amdgpuMir/pressureReport`: text for text what llc-22 prints; the problem matcher of the extension on what llc-22 complains. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { needsLlc, runLlc } from '../support/llc.js';
import { TestClient } from '../support/lspClient.js';

const ROOT = join(__dirname, '..', '..');
const TEXT = readFileSync(join(ROOT, 'examples', 'saxpy.mir'), 'utf8');
const URI = 'file:///folder/saxpy.mir';
const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', '-x', 'mir'];

interface Report {
  readonly function: string;
  readonly text: string | null;
  readonly problem: string;
}

describe('pressure report over the protocol', () => {
  let client!: TestClient;
  beforeEach(async () => {
    client = await TestClient.inMemory({});
  });
  afterEach(async () => {
    await client.shutdown();
  });
  const report = (text: string, word: string): Promise<Report> => {
    client.open(URI, text);
    const line = text.slice(0, text.indexOf(word)).split('\n').length - 1;
    return client.ask('amdgpuMir/pressureReport', { textDocument: { uri: URI }, position: { line, character: 0 } });
  };

  it('is what llc prints', async function () {
    needsLlc(this);
    const got = await report(TEXT, 'bb.0');
    const llc = runLlc([...ARGS, '-run-pass=amdgpu-print-rp', '-o', '/dev/null'], TEXT);
    assert.equal(llc.status, 0, llc.stderr.slice(0, 500));
    assert.equal(got.text, llc.stderr);
    assert.equal(got.problem, '');
  });

  it('says why there is none', async () => {
    const got = await report(TEXT.replace('S_ENDPGM', 'S_ENDPGN'), 'bb.0');
    assert.equal(got.text, null);
    assert.equal(got.problem, "unknown machine instruction name 'S_ENDPGN'");
  });
});

describe('problem matcher', () => {
  const { contributes } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    contributes: { problemMatchers: { pattern: Record<string, number> & { regexp: string } }[] };
  };

  it('finds the place in what llc-22 writes', function () {
    needsLlc(this);
    const { pattern } = contributes.problemMatchers[0]!;
    const text = TEXT.replace('S_ENDPGM', 'S_ENDPGN');
    const line = text.slice(0, text.indexOf('S_ENDPGN')).split('\n').length;
    const { stderr } = runLlc([...ARGS, '-run-pass=none', '-o', '/dev/null'], text);
    const match = new RegExp(pattern.regexp).exec(stderr.split('\n')[0]!);
    assert.ok(match, stderr);
    const part = (name: string): string => match[pattern[name]!]!;
    assert.deepEqual(
      [part('severity'), part('file'), part('line'), part('message')],
      ['error', '<stdin>', String(line), "unknown machine instruction name 'S_ENDPGN'"],
    );
  });
});
