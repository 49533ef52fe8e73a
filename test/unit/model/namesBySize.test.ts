/** Register tuples by their size, as tests of LLVM main have them since summer 2026; the names themselves are those of ../shared/corpus/upstream. */
import assert from 'node:assert/strict';
import { isNameBySize, nameBySize } from '../../../server/src/model/namesBySize.js';
import { releaseOf } from '../../../server/src/target/index.js';
import { runLlcOnText } from '../../support/schedule.js';

const TEXT = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $sgpr4_64, $vgpr0_96
    S_NOP 0, implicit $sgpr4_64, implicit $vgpr0_vgpr1, implicit undef $agpr0_1024
    S_ENDPGM 0
...
`;
const ARGS = ['-mtriple=amdgcn', '-mcpu=gfx942', '-run-pass=none', '-o', '-'];

describe('names of registers by size', () => {
  it('name each tuple of LLVM 24 that has consecutive registers, and no other', () => {
    const { tables } = releaseOf('llvm-24');
    let n = 0;
    for (let reg = 1; reg < tables.nRegs; reg++) {
      const name = tables.regName(reg);
      const bySize = nameBySize(name);
      assert.equal(isNameBySize(bySize, tables), bySize !== name, name);
      if (bySize === name) continue;
      n++;
      assert.equal(tables.regByName(bySize), reg, bySize);
      assert.equal(releaseOf('llvm-22').tables.regByName(bySize), -1, bySize);
    }
    assert.ok(n > 5000, String(n));
    assert.equal(nameBySize('sgpr4_sgpr5'), 'sgpr4_64');
    assert.equal(nameBySize('vgpr0_vgpr1_vgpr2'), 'vgpr0_96');
    for (const wrong of ['sgpr4_33', 'sgpr4_32', 'sgpr4_0', 'sgpr4_99999', 'vcc_64', 'sgpr9999_64'])
      assert.equal(tables.regByName(wrong), -1, wrong);
  });

  it('stand in what is printed of a file that has one', () => {
    const { status, stdout } = runLlcOnText(['--model=auto', ...ARGS], TEXT);
    assert.equal(status, 0);
    assert.match(stdout, /liveins: \$sgpr4_64, \$vgpr0_96\n/);
    assert.match(stdout, /S_NOP 0, implicit \$sgpr4_64, implicit \$vgpr0_64, implicit undef \$agpr0_1024\n/);
    const old = TEXT.replace('$sgpr4_64', '$sgpr4_sgpr5').replace('$sgpr4_64', '$sgpr4_sgpr5');
    const other = runLlcOnText(
      ['--model=llvm-24', ...ARGS],
      old.replace('vgpr0_96', 'vgpr0_vgpr1_vgpr2').replace('agpr0_1024', 'agpr0'),
    );
    assert.match(other.stdout, /implicit \$sgpr4_sgpr5, implicit \$vgpr0_vgpr1, implicit undef \$agpr0\n/);
  });

  it('are unknown to LLVM 22, whose message names the register', () => {
    const { status, stderr } = runLlcOnText(['--model=llvm-22', ...ARGS], TEXT);
    assert.equal(status, 1);
    assert.match(stderr, /unknown register name 'sgpr4_64'/);
  });
});
