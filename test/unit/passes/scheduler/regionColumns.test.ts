/** Columns of the scheduler that serve one function after another: what was in them before makes no difference. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lowerFile } from '../../../../server/src/model/lowering/lowerFile.js';
import type { MachineFunction } from '../../../../server/src/model/machineFunction.js';
import { printFunctionDocument } from '../../../../server/src/model/printer/index.js';
import { moduleFactsOf } from '../../../../server/src/passes/scheduler/moduleFacts.js';
import {
  DEFAULT_SCHEDULE_OPTIONS,
  scheduleFunction,
  SchedulerProcessState,
  type ModuleFacts,
} from '../../../../server/src/passes/scheduler/scheduleFunction.js';
import { parseMirFile } from '../../../../server/src/syntax/index.js';
import { SourceText } from '../../../../server/src/text/sourceText.js';
import { Interner } from '../../../../server/src/util/interner.js';
import { Random } from '../../../support/damageInputs.js';

const examples = join(__dirname, '../../../../examples');

interface Input {
  readonly fn: MachineFunction;
  readonly facts: ModuleFacts;
}

function inputs(): Input[] {
  const target = { triple: 'amdgcn-amd-amdhsa', cpu: 'gfx90a', features: '' };
  return readdirSync(examples, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mir'))
    .flatMap((name) => {
      const text = readFileSync(join(examples, name), 'utf8');
      const { functions, ir } = lowerFile(parseMirFile(new SourceText(text), new Interner()), target);
      const facts = moduleFactsOf(text, ir);
      return functions.flatMap(({ fn, diagnostics }) =>
        fn?.tables.isAMDGCN === true && diagnostics.length === 0 ? [{ fn, facts }] : [],
      );
    });
}

const scheduled = ({ fn, facts }: Input, state: SchedulerProcessState): string =>
  printFunctionDocument(scheduleFunction(fn, DEFAULT_SCHEDULE_OPTIONS, state, facts).fn);

describe('columns of the scheduler', () => {
  it('give the schedule of each function whatever was scheduled before', () => {
    const all = inputs();
    assert.ok(all.length >= 3);
    const alone = all.map((input) => scheduled(input, new SchedulerProcessState()));
    const random = new Random(5);
    const state = new SchedulerProcessState();
    for (let k = 0; k < 60; k++) {
      const n = random.below(all.length);
      assert.equal(scheduled(all[n]!, state), alone[n], all[n]!.fn.header.name);
    }
  });

  it('serve the next function once one is done, and none that is still at work', () => {
    const [first, second] = inputs();
    const state = new SchedulerProcessState();
    scheduled(first!, state);
    const { tables } = second!.fn;
    const columns = state.columns.take(second!.fn, new Set());
    assert.notEqual(state.columns.take(second!.fn, new Set()), columns);
    state.columns.giveBack(columns);
    assert.equal(state.columns.take(first!.fn, new Set()), columns);
    assert.equal(first!.fn.tables, tables);
  });
});
