/** Banks that GlobalISel would choose for registers without one: random generic functions through llc-22's amdgpu-regbankselect. */
import assert from 'node:assert/strict';
import { chosenBank, chosenClass } from '../../../server/src/analysis/uniformity/chosenBank.js';
import { LaneValues } from '../../../server/src/analysis/uniformity/laneValues.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { lowerMir } from '../../support/mir.js';
import { randomUniformityFunction } from '../../support/randomUniformity.js';
import { runsOr, SHOW } from '../../support/switches.js';

const COUNT = runsOr(6);

describe('banks that selection would choose', () => {
  it(`are those of amdgpu-regbankselect (${COUNT} random functions)`, function () {
    needsLlc(this);
    let compared = 0;
    for (let seed = 0; seed < COUNT; seed++) {
      const wave32 = seed % 2 === 1;
      const text = randomUniformityFunction('f', {
        seed: 7_000_000 + seed,
        blocks: 2 + (seed % 9),
        selected: false,
        wave32,
      });
      const cpu = wave32 ? 'gfx1100' : 'gfx900';
      const legal = text.replace('tracksRegLiveness: true', 'legalized: true\ntracksRegLiveness: true');
      const args = ['-x', 'mir', '-mtriple=amdgcn', `-mcpu=${cpu}`, '-run-pass=amdgpu-regbankselect', '-o', '-'];
      const { status, stdout, stderr } = runLlc(args, legal);
      assert.equal(status, 0, stderr);
      const theirs = new Map([...stdout.matchAll(/(%\w+):(sgpr|vgpr|vcc)\(/g)].map(([, name, bank]) => [name!, bank!]));
      const fn = lowerMir(text, { triple: 'amdgcn', cpu })[0]!;
      const lanes = new LaneValues(fn);
      for (let v = 0; v < fn.vregs.n; v++) {
        const bank = chosenBank(lanes, v);
        const wanted = theirs.get(`%${v}`); // llc numbers by first mention
        if (bank === null || wanted === undefined) continue;
        assert.equal(bank, wanted, `seed ${seed}: %${v}\n${stdout}`);
        assert.ok(chosenClass(lanes, v, bank) >= 0);
        compared++;
      }
    }
    if (SHOW) console.log(`${compared} registers`);
    assert.ok(compared > COUNT * 5);
  });

  const IR = `
define amdgpu_kernel void @f(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(4) %c, i32 %n, i64 %w) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i64, ptr addrspace(4) %c, i32 %n
  %a = load i64, ptr addrspace(4) %p
  %q = getelementptr i32, ptr addrspace(4) %c, i64 %a
  %b = load i32, ptr addrspace(4) %q
  %small = icmp ult i32 %id, %b
  br i1 %small, label %then, label %end
then:
  %i = phi i32 [ 0, %entry ], [ %next, %then ]
  %g = getelementptr i64, ptr addrspace(1) %in, i32 %id
  %v = load i64, ptr addrspace(1) %g
  %s = add i64 %v, %w
  %big = icmp sgt i64 %s, %a
  %x = select i1 %big, i64 %s, i64 %v
  %o = getelementptr i64, ptr addrspace(1) %out, i32 %i
  store i64 %x, ptr addrspace(1) %o
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %id
  br i1 %more, label %then, label %end
end:
  %k = phi i32 [ %b, %entry ], [ %next, %then ]
  store i32 %k, ptr addrspace(1) %out
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()`;

  it('have the classes that instruction-select gives them', function () {
    needsLlc(this);
    for (const cpu of ['gfx900', 'gfx90a', 'gfx1030', 'gfx1100']) {
      const stopped = (pass: string): string => {
        const args = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, '-global-isel', `-stop-after=${pass}`, '-o', '-'];
        const { status, stdout, stderr } = runLlc(args, IR);
        assert.equal(status, 0, stderr);
        return stdout;
      };
      const fn = lowerMir(stopped('regbankselect'), { cpu })[0]!;
      const made = [...stopped('instruction-select').matchAll(/%(\d+):([a-z_0-9]+)(?=[ ,])/g)];
      const theirs = new Map(made.map(([, number, rc]) => [Number(number), rc!]));
      const lanes = new LaneValues(fn);
      const different: string[] = [];
      let compared = 0;
      for (let v = 0; v < fn.vregs.n; v++) {
        const wanted = theirs.get(fn.vregs.sourceNumber[v]!);
        if (fn.vregs.bank[v]! < 0 || fn.vregs.regClass[v]! >= 0 || wanted === undefined) continue;
        const rc = chosenClass(lanes, v, fn.tables.regBankName(fn.vregs.bank[v]!).toLowerCase());
        const name = rc < 0 ? '' : fn.tables.regClassMirName(rc);
        if (name !== wanted) different.push(`%${fn.vregs.sourceNumber[v]!} ${name}, not ${wanted}`);
        compared++;
      }
      // Scalar addresses of global memory, and S_BFE, want classes that only the patterns of selection know.
      assert.ok(compared > 20 && different.length <= compared * 0.05, `${cpu}, ${compared}: ${different.join('; ')}`);
    }
  });
});
