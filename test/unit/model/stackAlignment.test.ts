/** Attributes that align the frame or cap the alignment of its objects; the numbers are those that llc-22 prints. */
import assert from 'node:assert/strict';
import { runLlcOnText } from '../../support/schedule.js';

const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', '-run-pass=none', '-o', '-'];

const textOf = (attributes: string): string => `--- |
  define void @f() ${attributes} { ret void }
...
---
name: f
fixedStack:
  - { id: 0, size: 64, alignment: 2, offset: 0 }
stack:
  - { id: 0, size: 64, alignment: 8 }
  - { id: 1, type: variable-sized, alignment: 64 }
body: |
  bb.0:
    S_ENDPGM 0
...
`;

describe('stack alignment', () => {
  const table: readonly (readonly [attributes: string, max: string, objects: readonly string[]])[] = [
    ['', '64', ['2', '8', '64']],
    ['alignstack(128)', '128', ['2', '8', '64']],
    ['alignstack(16)', '64', ['2', '8', '64']],
    ['"no-realign-stack"', '16', ['2', '8', '16']],
    ['"no-realign-stack" alignstack(32)', '32', ['2', '8', '32']],
    ['"no-realign-stack" alignstack(4)', '4', ['2', '4', '4']],
  ];
  for (const [attributes, max, objects] of table)
    it(attributes === '' ? 'of no attribute' : attributes, () => {
      const { stdout } = runLlcOnText(ARGS, textOf(attributes));
      assert.equal(/maxAlignment: +(\d+)/.exec(stdout)?.[1], max);
      const found = [...stdout.matchAll(/^ {2}- \{.*?\balignment: (\d+)/gm)].map((m) => m[1]);
      assert.deepEqual(found, objects);
    });
});

describe('-stackrealign', () => {
  const text = `--- |
  define void @f() { ret void }
...
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    S_NOP 0, implicit $sgpr34
    S_ENDPGM 0
...
`;
  const verify = [...ARGS, '-verify-machineinstrs'];
  // A reserved register may be read undefined: llc-22 accepts the second only.
  const exitOf = (options: readonly string[]): number | null => runLlcOnText([...verify, ...options], text).status;

  it('reserves the base pointer, as the attribute does', () =>
    assert.deepEqual([exitOf([]), exitOf(['-stackrealign'])], [134, 0]));
});
