/** Register classes by their names in `registers:`, the longest too. */
import assert from 'node:assert/strict';
import { LLVM22 } from '../../../server/src/target/index.js';
import { lowerMir } from '../../support/mir.js';

describe('names of register classes', () => {
  it('are all known where registers are declared', () => {
    const tables = LLVM22.tables;
    const allocatable = Array.from({ length: tables.nRegClasses }, (_, rc) => rc).filter((rc) =>
      tables.isAllocatableClass(rc),
    );
    const classes = allocatable.map((rc) => tables.regClassMirName(rc));
    assert.ok(classes.some((name) => name.length > 64));
    const registers = classes.map((name, id) => `  - { id: ${id}, class: ${name}, \n      preferred-register: '' }`);
    const text = ['---', 'name: f', 'registers:', ...registers, 'body: |', '  bb.0:', '    S_ENDPGM 0', '...', ''];
    const [fn] = lowerMir(text.join('\n'), { triple: 'amdgcn', cpu: 'gfx1250', features: '' });
    assert.deepEqual(
      classes.map((_, v) => fn!.vregs.regClass[v]),
      allocatable,
    );
  });
});
