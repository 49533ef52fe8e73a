/** The occupancy that scheduling writes into headers of each shape: llc reads it there, and everything else as before. */
import assert from 'node:assert/strict';
import { scheduleEdits } from '../../../server/src/features/schedule/scheduleEdits.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { answerOfOurs } from '../../support/answers.js';
import { openText } from '../../support/cursor.js';

const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', '-run-pass=none'];
const text = (header: string): string =>
  `# RUN: llc ${ARGS.join(' ')} %s\n---\nname: first\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n---\nname: f\ntracksRegLiveness: true\n${header}body: |\n  bb.0:\n    %0:vreg_1024_align2 = IMPLICIT_DEF\n    %1:vreg_1024_align2 = IMPLICIT_DEF\n    %2:vreg_1024_align2 = IMPLICIT_DEF\n    S_NOP 0, implicit %0, implicit %1, implicit %2\n    S_ENDPGM 0\n...\n`;

/** What is before the body, and what stands there afterwards. */
const HEADERS: readonly (readonly [string, string])[] = [
  ['', 'machineFunctionInfo:\n  occupancy: 5\n'],
  ['frameInfo:\n  hasCalls: false\n', 'frameInfo:\n  hasCalls: false\nmachineFunctionInfo:\n  occupancy: 5\n'],
  ['machineFunctionInfo:\n', 'machineFunctionInfo:\n  occupancy: 5\n'],
  ['machineFunctionInfo:\n  waveLimiter: true\n', 'machineFunctionInfo:\n  occupancy: 5\n  waveLimiter: true\n'],
  [
    'machineFunctionInfo:\n    waveLimiter: true\n    memoryBound: true\n',
    'machineFunctionInfo:\n    occupancy: 5\n    waveLimiter: true\n    memoryBound: true\n',
  ],
  ['machineFunctionInfo: {}\n', 'machineFunctionInfo: { occupancy: 5 }\n'],
  ['machineFunctionInfo: { waveLimiter: true }\n', 'machineFunctionInfo: { occupancy: 5, waveLimiter: true }\n'],
  [
    'machineFunctionInfo:\n  occupancy: 6\n  waveLimiter: true\n',
    'machineFunctionInfo:\n  occupancy: 5\n  waveLimiter: true\n',
  ],
  [
    'machineFunctionInfo: { waveLimiter: true, occupancy: 7 }\n',
    'machineFunctionInfo: { waveLimiter: true, occupancy: 5 }\n',
  ],
  ['machineFunctionInfo:\n  occupancy: 5\n', 'machineFunctionInfo:\n  occupancy: 5\n'],
  // What a scheduling before has left is the most that there may be.
  ['machineFunctionInfo:\n  occupancy: 3\n', 'machineFunctionInfo:\n  occupancy: 3\n'],
];

function scheduled(input: string): string {
  const { snapshot } = openText(input);
  const view = snapshot.functions[1]!;
  const state = view.schedule(NEVER_CANCELLED);
  assert.ok(state.kind === 'ready');
  let result = input;
  for (const { start, end, newText } of [...scheduleEdits(view, state.schedule, input)].reverse())
    result = result.slice(0, start) + newText + result.slice(end);
  return result;
}

describe('the occupancy of a scheduled function', () => {
  it('stands in its header, whatever that has', () => {
    for (const [header, wanted] of HEADERS)
      for (const eol of ['\n', '\r\n']) {
        const lines = (s: string): string => s.replaceAll('\n', eol);
        const after = scheduled(lines(text(header)));
        assert.equal(after, lines(text(wanted)), header);
        const { err, exit } = answerOfOurs({ args: ARGS, input: after });
        assert.deepEqual([exit, err], [0, ''], header);
        assert.equal(
          openText(after).snapshot.functions[1]!.fn!.header.machineFunctionInfo.occupancy,
          Number(/occupancy: (\d)/.exec(wanted)![1]),
        );
        assert.equal(scheduled(after), after, 'once is enough');
      }
  });
});
