/** The order of background jobs: who goes first, who waits how long, and what becomes of those that give way, fail or are out of date. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { BackgroundJobs, type JobKind, type StepEnd } from '../../../server/src/lsp/common/backgroundJobs.js';

describe('background jobs', () => {
  let said: string[] = [];
  let begun = 0;
  /** how the next steps end; `done` when there are no more */
  let ends: (StepEnd | 'throws')[] = [];
  const since = (): number => Date.now() - begun;

  const kind = (name: string, pauseMs: number, isForIdleTime = false): JobKind => ({
    pauseMs,
    isForIdleTime,
    step: (subject) => {
      const end = ends.shift() ?? 'done';
      said.push(`${since()} ${name} ${subject} ${end}`);
      if (end === 'throws') throw new Error(name);
      return end;
    },
    pauseAgain: (times) => (times > 3 ? null : 10 * times),
    ended: (subject, how) => void said.push(`${name} ${subject} ${how}`),
  });
  const first = kind('first', 10);
  const second = kind('second', 30);
  const idle = kind('idle', 5, true);
  let jobs: BackgroundJobs;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    [said, ends, begun] = [[], [], Date.now()];
    jobs = new BackgroundJobs([first, second, idle], {
      token: { isCancelled: () => false },
      guard: (step) => {
        try {
          step();
        } catch {
          said.push('reported');
        }
      },
      beginStep: () => undefined,
      endStep: (isAlive) => void (isAlive && said.push('alive')),
    });
  });
  afterEach(() => {
    jobs.stop();
    mock.timers.reset();
  });
  const after = (ms: number): string => {
    for (let k = 0; k < ms; k++) mock.timers.tick(1);
    return said.splice(0).join(', ');
  };

  it('go by kind, then in the order in which they came, each after its pause', () => {
    jobs.later(second, 'a');
    jobs.later(first, 'a', 30);
    jobs.later(first, 'b', 30);
    ends = ['more'];
    assert.equal(after(29), '');
    const firsts = '30 first a more, alive, 30 first b done, first b done, alive, 30 first a done, first a done, alive';
    assert.equal(after(1), `${firsts}, 30 second a done, second a done, alive`);
  });

  it('for idle time wait for all others, due or not, and are no progress', () => {
    jobs.later(idle, '');
    jobs.later(first, 'a', 50);
    assert.ok(jobs.isBusy);
    assert.equal(after(52), '50 first a done, first a done, alive, 50 idle  done, idle  done');
    assert.ok(!jobs.isBusy);
  });

  it('wait longer each time that they give way, until they are given up', () => {
    ends = ['gave way', 'gave way', 'more', 'gave way', 'gave way', 'gave way', 'gave way'];
    jobs.later(first, 'a');
    assert.equal(after(45), '10 first a gave way, 20 first a gave way, 40 first a more, alive, 40 first a gave way');
    assert.equal(after(100), '50 first a gave way, 70 first a gave way, 100 first a gave way, first a given up');
  });

  it('begun anew forget that, and are dropped when their subject is out of date', () => {
    ends = ['gave way', 'gave way', 'gave way'];
    jobs.later(first, 'a');
    after(25);
    jobs.later(first, 'a');
    assert.equal(after(25), '35 first a gave way, 45 first a done, first a done, alive');
    jobs.later(first, 'a');
    jobs.later(second, 'a');
    jobs.outdated('a');
    assert.equal(after(100), '');
  });

  it('that fail are reported, and end; the others go on', () => {
    ends = ['throws'];
    jobs.later(first, 'a');
    jobs.later(first, 'b');
    assert.equal(after(12), '10 first a throws, reported, first a failed, alive, 10 first b done, first b done, alive');
  });

  it('leave time for a question after an answer, though not for ever', () => {
    jobs.later(first, 'a');
    after(9);
    jobs.answered();
    assert.equal(after(9), '');
    assert.equal(after(1), '19 first a done, first a done, alive');
    jobs.later(first, 'a');
    for (let k = 0; k < 75; k++) {
      jobs.answered();
      after(1);
    }
    assert.ok(!jobs.isBusy);
  });

  it('of a kind are put off', () => {
    jobs.later(idle, '');
    after(3);
    jobs.postpone(idle, 40);
    assert.equal(after(39), '');
    assert.equal(after(1), '43 idle  done, idle  done');
  });
});
