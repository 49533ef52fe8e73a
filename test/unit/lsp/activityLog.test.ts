/** What the server writes into the editor's log. */
import assert from 'node:assert/strict';
import { ActivityLog } from '../../../server/src/lsp/common/activityLog.js';
import type { DocumentStatus, VerdictStatus } from '../../../server/src/lsp/common/customRequests.js';

const URI = 'file:///w/a%20b.mir';
const STATUS: DocumentStatus = {
  uri: URI,
  version: 1,
  target: 'gfx90a wave64',
  triple: 'amdgcn',
  cpu: 'gfx90a',
  features: '',
  origin: 'run',
  active: 0,
  targets: [],
  foreign: '',
  problems: [],
  functions: 2,
  own: [],
  fileSays: '',
  llvm: '22.1.8',
  llvmReason: '',
  stage: '',
  stageBy: '',
  model: '',
};

function logged(act: (log: ActivityLog) => void): string[] {
  const lines: string[] = [];
  act(new ActivityLog((line) => lines.push(line)));
  return lines;
}

describe('the log of what the server does', () => {
  it('has files with their targets, once until something else is said of them', () => {
    const lines = logged((log) => {
      log.document(STATUS);
      log.document({ ...STATUS, version: 2 });
      log.document({ ...STATUS, target: 'gfx942 wave64', origin: 'override' });
      log.document({ ...STATUS, foreign: 'not an AMDGPU file (x86_64)' });
    });
    assert.deepEqual(lines, [
      'a b.mir: 2 functions, gfx90a wave64 (from the RUN line)',
      'a b.mir: 2 functions, gfx942 wave64 (chosen by hand)',
      'a b.mir: not an AMDGPU file (x86_64): no numbers',
    ]);
  });

  it('has the number of findings when it changes, and forgets closed files', () => {
    const lines = logged((log) => {
      log.document(STATUS);
      for (const n of [0, 0, 2, 2, 0]) log.diagnosed(URI, n);
      log.closed(URI);
      log.closed(URI);
      log.diagnosed(URI, 1);
    });
    assert.deepEqual(lines.slice(1), [
      'a b.mir: no findings',
      'a b.mir: 2 findings (before: 0)',
      'a b.mir: no findings (before: 2)',
      'a b.mir: closed',
      'a b.mir: 1 finding',
    ]);
  });

  it('has RUN lines and what took long', () => {
    const run = (verdict: VerdictStatus['runs'][number]['verdict']): VerdictStatus['runs'][number] => ({
      line: 0,
      verdict,
      title: '',
    });
    const lines = logged((log) => {
      log.ran({ uri: URI, version: 1, runs: [run('passed'), run('failed'), run('passed')], checks: [] });
      log.ran({ uri: URI, version: 2, runs: [run('passed'), run('failed'), run('passed')], checks: [] });
      log.ran({ uri: URI, version: 3, runs: [], checks: [] });
      log.answered('textDocument/hover', URI, 20);
      log.answered('amdgpuMir/scheduledText', URI, 1234);
    });
    assert.deepEqual(lines, ['a b.mir: RUN lines: 2 passed, 1 failed', 'a b.mir: amdgpuMir/scheduledText took 1.2 s']);
  });
});
