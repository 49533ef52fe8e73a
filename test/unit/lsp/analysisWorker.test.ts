/** The worker's side of the analysis with a clock made by hand: what it answers, when its background goes on, and what it gives way to. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { runAnalysisWorker } from '../../../server/src/lsp/common/analysisWorker.js';
import {
  CancellationSource,
  JUDGE_COPIES_METHOD,
  RUN_TEST_METHOD,
  SCAN_METHOD,
  STATUS_METHOD,
  UPDATE_CHECKS_METHOD,
  type FromWorker,
  type ToWorker,
} from '../../../server/src/lsp/common/messages.js';
import type { IdleWork } from '../../../server/src/lsp/common/warmUp.js';
import { DEFAULT_SETTINGS } from '../../../server/src/program/settings.js';
import { mirFunction } from '../../support/mir.js';

const RUN = '# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none %s\n';
const F = mirFunction('f', '\n  bb.0:\n    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec\n    S_ENDPGM 0, implicit %0');
const WRONG = mirFunction(
  'g',
  '\n  bb.0:\n    %0:vgpr_32 = V_MOV_B32_e33 0, implicit $exec\n    S_ENDPGM 0, implicit %0',
);
const TEST = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=machine-scheduler -o - %s | FileCheck %s\n# CHECK: S_ENDPGM 0\n${F}`;

const LONG = `
  bb.0:
${Array.from({ length: 20 }, (_, k) => `    %${k}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec\n`).join('')}    S_ENDPGM 0`;

describe('the worker of the analysis', () => {
  let source: CancellationSource;
  let out: FromWorker[];
  let worker: { stop(): void };
  let deliver: (message: ToWorker) => void;

  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 }));
  afterEach(() => {
    worker.stop();
    mock.timers.reset();
  });

  function start({
    isPatient = false,
    shared = true,
    settings = DEFAULT_SETTINGS,
    warmUp = null as ((canGiveWay: boolean) => IdleWork) | null,
  } = {}): void {
    source = new CancellationSource();
    out = [];
    const port = {
      post: (message: FromWorker) => void out.push(message),
      onMessage: (handler: (message: ToWorker) => void) => void (deliver = handler),
    };
    worker = runAnalysisWorker(port, Infinity, warmUp);
    send({ kind: 'start', shared: shared ? source.buffer : null, settings, isPatient });
    assert.deepEqual(heard(), ['idle 1']);
  }
  function send(message: ToWorker): void {
    source.posted();
    deliver(message);
  }
  const open = (uri: string, text = RUN + F, version = 1): void => send({ kind: 'open', uri, version, text });
  const append = (uri: string, version: number, text = '# more\n'): void =>
    send({
      kind: 'change',
      uri,
      version,
      changes: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text }],
    });
  const ask = (id: number, method: string, uri: string, params: unknown = null): void =>
    send({ kind: 'request', id, method, uri, params });
  /** what was said since the last time: kinds, with what tells them apart */
  function heard(): string[] {
    return out.splice(0).map((m) => {
      if (m.kind === 'diagnostics') return `diagnostics ${m.uri} ${m.version}: ${m.diagnostics.length}`;
      if (m.kind === 'idle') return `idle ${m.received}`;
      if (m.kind === 'result' || m.kind === 'cancelled' || m.kind === 'failed') return `${m.kind} ${m.id}`;
      if (m.kind === 'document') return `document ${m.status.uri}`;
      return m.kind;
    });
  }
  /** each millisecond in which something was said, with it */
  function during(ms: number): string[] {
    const found: string[] = [];
    for (let at = 1; at <= ms; at++) {
      mock.timers.tick(1);
      const said = heard();
      if (said.length > 0) found.push(`${at}: ${said.join(', ')}`);
    }
    return found;
  }

  it('looks through what is opened at once, allocates its registers after a pause, and says when nothing is left', () => {
    start();
    open('a');
    assert.deepEqual(heard(), []);
    assert.deepEqual(during(500), ['1: diagnostics a 1: 0, document a, alive', '150: lenses, alive, alive, idle 2']);
    open('b', RUN + F + WRONG);
    assert.deepEqual(during(500), ['1: diagnostics b 1: 1, document b, alive', '150: lenses, alive, alive, idle 3']);
  });

  it('waits for the end of a word before it looks, and longer before it allocates', () => {
    start();
    open('a');
    during(500);
    append('a', 2);
    assert.deepEqual(during(30), []);
    append('a', 3);
    assert.deepEqual(during(30), []);
    append('a', 4);
    assert.deepEqual(during(500), ['40: diagnostics a 4: 0, document a, alive', '150: lenses, alive, alive, idle 5']);
    // Each document has its own pause; the one that is due is not kept waiting by another.
    append('a', 5);
    open('b');
    assert.deepEqual(during(140), [
      '1: diagnostics b 1: 0, document b, alive',
      '40: diagnostics a 5: 0, document a, alive',
    ]);
    assert.deepEqual(during(500), ['10: lenses, alive, lenses, alive, alive, alive, idle 7']);
  });

  it('lets an editor that asks again and again ask, but not for ever', () => {
    start();
    open('a');
    during(500);
    append('a', 2);
    assert.deepEqual(during(35), []);
    ask(1, 'amdgpuMir/none', 'other');
    assert.deepEqual(heard(), ['result 1']);
    assert.deepEqual(during(20), ['10: diagnostics a 2: 0, document a, alive']);
    during(500);
    append('a', 3);
    const asked: string[] = [];
    for (let k = 0; k < 50; k++) {
      ask(k, 'amdgpuMir/none', 'other');
      out.length = 0;
      asked.push(...during(5).map((said) => `${k * 5} + ${said}`));
    }
    assert.match(asked[0]!, /^95 \+ 5: diagnostics a 3/);
    assert.match(asked[1]!, /^205 \+ 5: lenses/);
  });

  it('says that a request failed, and why; that a change failed, and whose text it needs; and serves on', () => {
    start();
    open('a');
    during(500);
    ask(0, JUDGE_COPIES_METHOD, 'a', null);
    const [failed] = out;
    assert.equal(failed?.kind, 'failed');
    assert.ok(failed.kind === 'failed' && failed.id === 0);
    assert.match(failed.message, /null/);
    assert.match(failed.stack, /judgeCopies|analysisHost/);
    assert.deepEqual(heard(), ['failed 0', 'idle 3']);
    send({ kind: 'change', uri: 'a', version: 2, changes: null as never });
    const [lost, log] = out;
    assert.deepEqual(lost, { kind: 'unsynchronized', uri: 'a' });
    assert.ok(log?.kind === 'log' && log.level === 'error');
    assert.match(log.message, /not iterable.*\n\s+at /s);
    assert.deepEqual(heard(), ['unsynchronized', 'log', 'idle 4']);
    append('a', 3);
    assert.deepEqual(during(60), ['40: diagnostics a 3: 0, document a, alive']);
  });

  it('forgets what is closed', () => {
    start();
    open('a');
    open('b');
    send({ kind: 'close', uri: 'a' });
    assert.deepEqual(during(500), ['1: diagnostics b 1: 0, document b, alive', '150: lenses, alive, alive, idle 4']);
    send({ kind: 'close', uri: 'b' });
    assert.deepEqual(heard(), ['idle 5']);
    open('a');
    worker.stop();
    assert.deepEqual(during(500), []);
    append('a', 2);
    assert.deepEqual(during(500), []);
  });

  it('looks again when settings, the target or a verdict change', () => {
    start();
    open('a');
    open('b');
    during(500);
    send({ kind: 'target', uri: 'b', target: 0 });
    assert.deepEqual(during(20), ['1: diagnostics b 1: 0, document b, alive']);
    const verdict = { runs: [], problem: '', isExpectedToFail: false, outdated: [] };
    send({ kind: 'late', uri: 'a', version: 1, found: { kind: 'verdict', verdict } });
    assert.deepEqual(during(20), ['1: diagnostics a 1: 0, document a, alive']);
    send({ kind: 'settings', settings: DEFAULT_SETTINGS });
    assert.deepEqual(during(20), ['1: diagnostics a 1: 0, document a, alive, diagnostics b 1: 0, document b, alive']);
    send({ kind: 'late', uri: 'b', version: 1, found: { kind: 'copies', target: '', verdicts: [] } });
    assert.deepEqual(during(20), ['1: diagnostics b 1: 0, document b, alive']);
  });

  it('does nothing in the background where it takes requests that take long', () => {
    start({ isPatient: true });
    open('a', RUN + WRONG);
    append('a', 2);
    send({ kind: 'settings', settings: DEFAULT_SETTINGS });
    assert.deepEqual(heard(), ['idle 2', 'idle 3', 'idle 4']);
    assert.deepEqual(during(3000), []);
  });

  it('answers a request that is cancelled with that, whatever it is', () => {
    start();
    open('a', TEST);
    during(500);
    const methods = ['textDocument/hover', RUN_TEST_METHOD, UPDATE_CHECKS_METHOD, JUDGE_COPIES_METHOD];
    const paramsOf = (method: string): unknown => {
      if (method === JUDGE_COPIES_METHOD) return { target: '', functions: [{ name: 'f', text: '' }] };
      return { text: TEST, limitMs: null, textDocument: { uri: 'a' }, position: { line: 5, character: 4 } };
    };
    methods.forEach((method, k) => {
      source.cancel(k);
      ask(k, method, 'a', paramsOf(method));
    });
    assert.deepEqual(
      heard().filter((said) => !said.startsWith('idle')),
      ['cancelled 0', 'cancelled 1', 'cancelled 2', 'cancelled 3'],
    );
  });

  it('answers what it knows itself: its state, the symbols of a text, what RUN lines come to', () => {
    start();
    open('a', TEST);
    during(500);
    const result = (method: string, uri: string, params: unknown): unknown => {
      out.length = 0;
      ask(7, method, uri, params);
      const [answer] = out;
      assert.ok(answer?.kind === 'result' && answer.id === 7, JSON.stringify(answer));
      return answer.result;
    };
    const status = result(STATUS_METHOD, '', null) as { documents: unknown; modelledLLVM: string };
    assert.deepEqual(status.documents, [{ uri: 'a', version: 1, functions: 1 }]);
    const names = (uri: string, params: unknown) => JSON.stringify(result(SCAN_METHOD, uri, params));
    assert.match(names('a', null), /"f"/);
    assert.match(names('none', { text: RUN + WRONG }), /"g"/);
    assert.doesNotMatch(names('a', { text: RUN + WRONG }), /"g"/);
    assert.doesNotMatch(names('none', null), /"name"/);
    assert.doesNotMatch(names('none', {}), /"name"/);
    const run = (limitMs: number | null, text = TEST) =>
      result(RUN_TEST_METHOD, '', { text, limitMs }) as { runs: { kind?: string }[]; problem: string };
    assert.deepEqual([run(null).problem, run(null).runs.length], ['', 1]);
    assert.deepEqual([run(1000).problem, run(1000).runs.length], ['', 1]);
    assert.deepEqual(run(-2000, TEST + mirFunction('h', LONG)), {
      runs: [],
      problem: 'more than -2 s: the RUN lines run only when that is asked for',
      isExpectedToFail: false,
      outdated: [],
    });
  });

  it('gives way to a message that waits, and goes on when it has come', () => {
    start();
    const text = RUN + Array.from({ length: 3 }, (_, k) => F.replace('name: f', `name: f${k}`)).join('');
    open('a', text);
    // Posted, not yet received.
    source.posted();
    // A function at least is looked through each time.
    assert.deepEqual(during(3), ['1: alive, alive, alive, diagnostics a 1: 0, document a, alive']);
    deliver({ kind: 'close', uri: 'none' });
    assert.deepEqual(during(140), []);
    source.posted();
    // It is tried again after pauses that get longer, in silence: who waits has to be answered first.
    assert.deepEqual(during(200), []);
    deliver({ kind: 'close', uri: 'none' });
    assert.deepEqual(heard(), []);
    const said = during(400);
    assert.ok(said.length > 0 && /lenses/.test(said[0]!), said.join('; '));
    assert.match(said.at(-1)!, /idle 4$/);
  });

  it('gets on without shared memory, where nobody can tell that a message waits', () => {
    start({ shared: false });
    open('a', RUN + F + WRONG);
    assert.deepEqual(during(500), ['1: diagnostics a 1: 1, document a, alive', '150: lenses, alive, alive, idle 2']);
    source.cancel(5);
    ask(5, 'amdgpuMir/none', 'a');
    assert.equal(heard()[0], 'result 5');
  });

  describe('warms up', () => {
    /** what happened: steps, and whether a message waited at their end */
    let steps: string[];
    /** called in each step */
    let inStep: () => void;
    const work =
      (n: number) =>
      (canGiveWay: boolean): IdleWork => {
        let left = n;
        return {
          get isDone() {
            return left === 0;
          },
          step: (token) => {
            inStep();
            const gaveWay = canGiveWay && token.isCancelled();
            steps.push(gaveWay ? 'gave way' : `step ${left}`);
            if (!gaveWay) left--;
            return !gaveWay;
          },
        };
      };
    beforeEach(() => {
      steps = [];
      inStep = () => undefined;
    });

    it('in parts, when there was nothing to do for a while, and only after all other work', () => {
      start({ warmUp: work(2) });
      during(200);
      open('a');
      assert.deepEqual(steps, []);
      during(249);
      assert.deepEqual(steps, []);
      during(10);
      assert.deepEqual(steps, ['step 2', 'step 1']);
      during(5000);
      assert.equal(steps.length, 2);
      assert.equal(heard().length, 0);
    });

    it('but gives way to messages, for longer each time, and not too often', () => {
      let waits = 3;
      inStep = () => {
        if (waits-- > 0) source.posted();
      };
      start({ warmUp: work(1) });
      /** the message that the step saw */
      const arrive = (): void => deliver({ kind: 'close', uri: 'none' });
      for (const pause of [250, 500, 1000]) {
        during(pause - 1);
        const before = steps.length;
        during(1);
        assert.deepEqual(steps.slice(before), ['gave way'], `${pause}`);
        arrive();
      }
      during(1999);
      assert.equal(steps.length, 3);
      during(1);
      assert.equal(steps[3], 'step 1');
      waits = 100;
      steps = [];
      worker.stop();
      start({ warmUp: work(1) });
      for (let k = 0; k < 20; k++) {
        during(20_000);
        arrive();
      }
      assert.equal(steps.length, 6);
    });

    it('not in the patient lane, nor where nobody wants lenses, and survives an error', () => {
      for (const options of [
        { isPatient: true },
        { settings: { ...DEFAULT_SETTINGS, allocationLens: false } },
        { settings: { ...DEFAULT_SETTINGS, codeLens: false } },
      ]) {
        start({ ...options, warmUp: work(1) });
        during(1000);
        assert.deepEqual(steps, []);
        worker.stop();
      }
      inStep = () => {
        throw new Error('broken');
      };
      start({ warmUp: work(1) });
      assert.match(during(1000).join(), /^250: log/);
    });

    it('in steps that nothing ends where no memory is shared', () => {
      start({ shared: false, warmUp: work(2) });
      during(260);
      assert.deepEqual(steps, ['step 2', 'step 1']);
    });
  });
});
