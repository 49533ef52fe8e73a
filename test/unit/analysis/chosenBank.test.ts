/** Banks that GlobalISel would choose for registers without one: random generic functions through llc-22's amdgpu-regbankselect. */
import assert from 'node:assert/strict';
import { chosenBank, chosenClass, selectionDAGClass } from '../../../server/src/analysis/uniformity/chosenBank.js';
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

  it('are none where there is a bank, a class or no type', () => {
    const body = [
      '%0:sgpr(s32) = G_CONSTANT i32 1',
      '%1:vgpr(s32) = COPY %0(s32)',
      '%2:vgpr_32(s32) = COPY %1(s32)',
      '%3:_(s32) = COPY %0(s32)',
      '%4:_(s32) = COPY %1(s32)',
      '%5:vgpr_32 = V_MOV_B32_e32 %2(s32), implicit $exec',
      '%6:vgpr_32 = V_MBCNT_LO_U32_B32_e64 %5, 0, implicit $exec',
      '%7:_(s32) = COPY %6',
      '%8:_(s1) = G_ICMP intpred(eq), %7(s32), %3',
    ];
    const text = `---\nname: f\nlegalized: true\nbody: |\n  bb.0:\n    ${body.join('\n    ')}\n    S_ENDPGM 0\n...\n`;
    const lanes = new LaneValues(lowerMir(text, { triple: 'amdgcn', cpu: 'gfx900' })[0]!);
    const banks = body.map((_, v) => chosenBank(lanes, v));
    assert.deepEqual(banks, [null, null, null, 'sgpr', 'sgpr', null, null, 'vgpr', 'vcc']);
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

  const TYPES = ['i1', 'i16', 'i32', 'i64', 'ptr addrspace(1)', 'ptr addrspace(3)', '<2 x i16>'];
  const someOf = (text: (type: string, k: number) => string, between = ''): string => TYPES.map(text).join(between);
  const meeting = (convention: string, name: string): string => `
define ${convention} void @${name}(ptr addrspace(1) %out, i32 %n, ${someOf((t, k) => `${t} %x${k}`, ', ')}) {
entry:
  %c = icmp eq i32 %n, 5
  br i1 %c, label %then, label %end
then:
  br label %end
end:
${someOf((t, k) => `  %p${k} = phi ${t} [ %x${k}, %entry ], [ ${/[p<]/.test(t) ? 'zeroinitializer' : '1'}, %then ]\n`)}
${someOf((t, k) => `  store volatile ${t} %p${k}, ptr addrspace(1) %out\n`)}  ret void
}
`;
  const LOOPS = `
define amdgpu_ps void @loops(i32 %n, ptr addrspace(1) %out, i32 inreg %u) {
entry:
  %s = call i32 asm "", "=s,v"(i32 %n)
  %v = call i32 asm "", "=v,s"(i32 %u)
  br label %outer
outer:
  %j = phi i32 [ 0, %entry ], [ %j2, %latch ]
  %a = phi i32 [ %s, %entry ], [ %a, %latch ]
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %next, %cont ]
  %c0 = icmp sgt i32 %i, %n
  br i1 %c0, label %leave, label %cont
cont:
  %next = add i32 %i, 1
  %d = icmp eq i32 %next, %u
  br i1 %d, label %latch, label %inner
leave:
  store volatile i32 %i, ptr addrspace(1) %out
  br label %latch
latch:
  %k = phi i32 [ %v, %cont ], [ %a, %leave ]
  store volatile i32 %k, ptr addrspace(1) %out
  %j2 = add i32 %j, 1
  %c2 = icmp slt i32 %j2, %n
  br i1 %c2, label %outer, label %exit
exit:
  store volatile i32 %j2, ptr addrspace(1) %out
  ret void
}
`;

  /** PHIs by name of their block, what `%1:WHAT = PHI` says of each. */
  function phisOf(text: string): Map<string, string[]> {
    const found = new Map<string, string[]>();
    let block = '';
    for (const line of text.slice(text.lastIndexOf('\nbody:')).split('\n')) {
      block = /^ {2}bb\.\d+\.(\w+)/.exec(line)?.[1] ?? block;
      const [, what] = /^ +(%\d+:[^=]+) = (?:G_)?PHI/.exec(line) ?? [];
      if (what !== undefined) found.set(block, [...(found.get(block) ?? []), what]);
    }
    return found;
  }

  it('have beside them the class that SelectionDAG gives PHIs', function () {
    needsLlc(this);
    let [compared, equal, masks] = [0, 0, 0];
    for (const ir of [meeting('amdgpu_kernel', 'kernel'), meeting('', 'callable'), LOOPS])
      for (const cpu of ['gfx900', 'gfx90a', 'gfx1030', 'gfx1100']) {
        const stopped = (...args: string[]): string => {
          const { status, stdout, stderr } = runLlc(['-mtriple=amdgcn', `-mcpu=${cpu}`, ...args, '-o', '-'], ir);
          assert.equal(status, 0, stderr);
          return stdout;
        };
        const generic = stopped('-global-isel', '-stop-after=irtranslator');
        const theirs = phisOf(stopped('-stop-after=amdgpu-isel'));
        const fn = lowerMir(generic, { cpu })[0]!;
        const lanes = new LaneValues(fn);
        for (const [block, names] of phisOf(generic)) {
          const wanted = theirs.get(block) ?? [];
          assert.equal(names.length, wanted.length, `${cpu} ${block}`);
          names.forEach((name, k) => {
            const v = fn.vregs.sourceNumber.indexOf(Number(/\d+/.exec(name)![0]));
            const rc = selectionDAGClass(lanes, v);
            const { tables } = fn;
            const taken = wanted[k]!.replace(/^.*:/, '').trim();
            // A reader may have narrowed it.
            const common = rc < 0 ? -1 : tables.getCommonSubClass(rc, tables.regClassByName(taken));
            const isSame = common >= 0 && tables.regClassMirName(common) === taken;
            assert.ok(isSame, `${cpu} ${block} ${name}: ${rc < 0 ? 'none' : tables.regClassMirName(rc)}, not ${taken}`);
            if (common === rc) equal++;
            compared++;
            if (lanes.uniformity.isDivergent[v] === 1 && /:sreg/.test(wanted[k]!)) masks++;
          });
        }
      }
    if (SHOW) console.log(`${compared} PHIs, ${equal} of the same class, ${masks} divergent ones in scalar registers`);
    assert.ok(equal > compared * 0.9 && masks >= 8, `${equal} and ${masks} of ${compared}`);
  });

  it('are vectors where inline assembly writes them, as SelectionDAG has them', function () {
    needsLlc(this);
    const ir = `
define amdgpu_kernel void @asm(i32 %u, ptr addrspace(1) %out) {
entry:
  %v = call i32 asm "", "=v"()
  %s = call i32 asm "", "=s"()
  %w = call i64 asm "", "=v"()
  %c = icmp eq i32 %u, 5
  br i1 %c, label %then, label %end
then:
  store volatile i32 %v, ptr addrspace(1) %out
  store volatile i32 %s, ptr addrspace(1) %out
  store volatile i64 %w, ptr addrspace(1) %out
  br label %end
end:
  ret void
}
`;
    /** Registers that take a result of inline assembly, with their classes or types. */
    const copiesOf = (text: string): { name: string; what: string }[] =>
      [...text.matchAll(/INLINEASM .* def (%\d+)\n +(%\d+):(\S+) = COPY \1\n/g)].map(([, , name, what]) => ({
        name: name!,
        what: what!,
      }));
    for (const cpu of ['gfx900', 'gfx90a', 'gfx1100']) {
      const stopped = (...args: string[]): string => {
        const { status, stdout, stderr } = runLlc(['-mtriple=amdgcn', `-mcpu=${cpu}`, ...args, '-o', '-'], ir);
        assert.equal(status, 0, stderr);
        return stdout;
      };
      const generic = stopped('-global-isel', '-stop-after=irtranslator');
      const theirs = copiesOf(stopped('-stop-after=amdgpu-isel'));
      const fn = lowerMir(generic, { cpu })[0]!;
      const lanes = new LaneValues(fn);
      const ours = copiesOf(generic).map(({ name }) =>
        fn.tables.regClassMirName(selectionDAGClass(lanes, fn.vregs.sourceNumber.indexOf(Number(name.slice(1))))),
      );
      assert.equal(ours.length, 3);
      assert.deepEqual(
        ours,
        theirs.map(({ what }) => what),
        cpu,
      );
    }
  });

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
