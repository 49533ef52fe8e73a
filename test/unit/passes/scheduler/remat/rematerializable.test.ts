/** What keeps a definition from being computed again, instruction by instruction, as SIInstrInfo and TargetInstrInfo have it; and why a register is no candidate. */
import assert from 'node:assert/strict';
import { computeLiveIntervals } from '../../../../../server/src/analysis/liveIntervals.js';
import { RematCandidates } from '../../../../../server/src/passes/scheduler/remat/advice/candidates.js';
import { rematObstacle } from '../../../../../server/src/passes/scheduler/remat/rematerializable.js';
import { SchedContext } from '../../../../../server/src/passes/scheduler/context.js';
import { resolveSchedClass } from '../../../../../server/src/passes/scheduler/schedClass.js';
import { lowerMir } from '../../../../support/mir.js';

const EXEC = 'implicit $exec';
const [ALU, EXTRA, NEVER, FP, PHYSICAL] = [
  null,
  'extra implicit operands',
  'not rematerializable',
  'may raise FP exceptions',
  'reads a physical register',
] as const;
const INVARIANT = ':: (invariant load (s32), addrspace 4)';
const BOTH = ':: (dereferenceable invariant load (s32), addrspace 4)';

/** Definitions of `%9` that read `%0` (VGPR), `%1` (SGPR), `%2` (SGPR pair); null = it can be computed again. Last: where the function defines exec and mode. */
const DEFINITIONS: readonly (readonly [why: string | null, text: string, whyWithExec?: string])[] = [
  [ALU, `%9:vgpr_32 = V_MOV_B32_e32 1, ${EXEC}`],
  [ALU, `%9:vgpr_32 = V_MOV_B32_e32 %0, ${EXEC}`],
  [ALU, `%9:vgpr_32 = V_ADD_U32_e32 %0, %0, ${EXEC}`],
  [ALU, `%9:vgpr_32 = V_LSHL_ADD_U32_e64 %0, 1, %0, ${EXEC}`],
  [ALU, '%9:sreg_32 = S_MOV_B32 1'],
  [ALU, '%9:sreg_64 = S_MOV_B64 1'],
  [ALU, '%9:sreg_32 = S_BREV_B32 %1'],
  [ALU, '%9:vgpr_32 = IMPLICIT_DEF'],
  [ALU, `undef %9.sub0:vreg_64 = V_MOV_B32_e32 1, ${EXEC}`],
  [NEVER, '%9:vgpr_32 = IMPLICIT_DEF implicit-def $m0'],
  [NEVER, '%9:vgpr_32 = COPY %0'],
  [NEVER, `%9:vgpr_32 = GLOBAL_LOAD_DWORD_SADDR %2, %0, 0, 0, ${EXEC} :: (dereferenceable invariant load (s32), addrspace 1)`],
  // not by the rule of the target, but by that of all targets, which lets virtual operands pass
  [null, `%9:vgpr_32 = V_MOV_B32_e32 %0, ${EXEC}, implicit %1`, EXTRA],
  [null, `%9:vgpr_32 = V_MOV_B32_e32 1, ${EXEC}, implicit %1`, EXTRA],
  [EXTRA, `%9:vgpr_32 = V_MOV_B32_e32 1, ${EXEC}, implicit-def $m0`],
  [EXTRA, `%9:vgpr_32 = V_MOV_B32_e32 1, ${EXEC}, implicit $m0`],
  [EXTRA, '%9:sreg_32 = S_MOV_B32 1, implicit $m0'],
  [null, `%9:sreg_32 = S_MOV_B32 1, ${EXEC}`, EXTRA],
  [EXTRA, '%9:sreg_32 = S_MOV_B32 1, implicit-def $scc'],
  [null, '%9:sreg_32 = S_MOV_B32 1, implicit-def %9'],
  [EXTRA, '%9:sreg_32 = S_MOV_B32 1, implicit-def %8:sreg_32'],
  [null, '%9:sreg_32 = S_MOV_B32 1, implicit $noreg'],
  ['implicit definition', '%9:sreg_64 = SI_IF_BREAK %2, %2, implicit-def $scc'],
  [null, '%9:sreg_32 = nofpexcept S_CEIL_F32 5, implicit $mode, implicit $sgpr_null', EXTRA],
  [EXTRA, '%9:sreg_32 = S_CEIL_F32 5, implicit $mode, implicit $sgpr_null'],
  // a register that nothing defines and nobody allocates is as constant as a number; the halves of an allocatable one are not
  [null, '%9:sreg_32 = S_MOV_B32 1, implicit $sgpr_null'],
  [EXTRA, '%9:sreg_32 = S_MOV_B32 1, implicit $sgpr20_hi16'],
  [EXTRA, '%9:sreg_32 = S_MOV_B32 1, implicit $vgpr20_hi16'],
  [EXTRA, '%9:sreg_32 = S_MOV_B32 1, implicit $sgpr20'],
  [EXTRA, '%9:sreg_32 = S_MOV_B32 1, implicit $sgpr20_sgpr21'],
  [PHYSICAL, `%9:vgpr_32 = V_MOV_B32_e32 $vgpr0, ${EXEC}`],
  [PHYSICAL, `%9:vgpr_32 = V_MOV_B32_e32 $m0, ${EXEC}`],
  [null, '%9:sreg_32 = S_MOV_B32 $exec_lo', PHYSICAL],
  [null, '%9:sreg_64 = S_MOV_B64 $exec', PHYSICAL],
  [null, `%9:vgpr_32 = V_MOV_B32_e32 $exec_lo, ${EXEC}`, PHYSICAL],
  [null, `%9:vgpr_32 = V_MOV_B32_e32 $exec_hi, ${EXEC}`, PHYSICAL],
  [null, '%9:sreg_32 = S_MOV_B32 $sgpr_null'],
  [FP, `%9:vgpr_32 = V_ADD_F32_e32 %0, %0, implicit $mode, ${EXEC}`],
  [null, `%9:vgpr_32 = nofpexcept V_ADD_F32_e32 %0, %0, implicit $mode, ${EXEC}`, PHYSICAL],
  [NEVER, `%9:sreg_32 = S_LOAD_DWORD_IMM %2, 0, 0`],
  [NEVER, '%9:sreg_32 = S_LOAD_DWORD_IMM %2, 0, 0 :: (load (s32), addrspace 4)'],
  [NEVER, '%9:sreg_32 = S_LOAD_DWORD_IMM %2, 0, 0 :: (dereferenceable load (s32), addrspace 4)'],
  [ALU, `%9:sreg_32 = S_LOAD_DWORD_IMM %2, 0, 0 ${INVARIANT}`],
  [ALU, `%9:sreg_32 = S_LOAD_DWORD_IMM %2, 0, 0 ${BOTH}`],
  [ALU, `%9:sreg_32 = S_LOAD_DWORD_IMM %2, 0, 0 ${INVARIANT}, (invariant load (s32), addrspace 4)`],
  [NEVER, `%9:sreg_32 = S_LOAD_DWORD_IMM %2, 0, 0 ${INVARIANT}, (load (s32), addrspace 4)`],
  [NEVER, '%9:sreg_32 = S_LOAD_DWORD_IMM %2, 0, 0 :: (invariant store (s32), addrspace 4)'],
  [PHYSICAL, `%9:sreg_32 = S_LOAD_DWORD_IMM $sgpr20_sgpr21, 0, 0 ${INVARIANT}`],
  [null, `%9:sreg_32 = S_LOAD_DWORD_IMM $sgpr_null64, 0, 0 ${INVARIANT}`],
  // with an operand too many the rule of all targets decides: it wants loads that may be made anywhere
  [EXTRA, `%9:sreg_32 = S_LOAD_DWORD_IMM $sgpr_null64, 0, 0, implicit $sgpr_null ${INVARIANT}`],
  [null, `%9:sreg_32 = S_LOAD_DWORD_IMM $sgpr_null64, 0, 0, implicit $sgpr_null ${BOTH}`],
  [EXTRA, `%9:sreg_32 = S_LOAD_DWORD_IMM $sgpr_null64, 0, 0, implicit $sgpr_null ${BOTH}, (invariant load (s32), addrspace 4)`],
  [EXTRA, `%9:sreg_32 = S_LOAD_DWORD_IMM $sgpr_null64, 0, 0, implicit $m0 ${BOTH}`],
  [null, `%9:sreg_32 = S_LOAD_DWORD_IMM %2, 0, 0, implicit $sgpr_null ${BOTH}`],
  [EXTRA, '%9.sub1:sreg_64 = S_MOV_B32 1, implicit $sgpr_null'],
  [null, 'undef %9.sub1:sreg_64 = S_MOV_B32 1, implicit $sgpr_null'],
]; // prettier-ignore

describe('what keeps a definition from being computed again', () => {
  for (const definesExec of [false, true])
    it(`by instruction, exec and mode ${definesExec ? 'defined' : 'as they came'}`, () => {
      const body = DEFINITIONS.map(([, text], k) => `    ${text.replace(/%9/g, `%${100 + k}`)}`);
      const text = [
        '---',
        'name: f',
        'tracksRegLiveness: true',
        'body: |',
        '  bb.0:',
        '    liveins: $vgpr0, $sgpr20_sgpr21, $m0, $sgpr2_sgpr3',
        '    %0:vgpr_32 = COPY $vgpr0',
        '    %1:sreg_32 = COPY $sgpr2',
        '    %2:sreg_64_xexec = COPY $sgpr2_sgpr3',
        ...body,
        ...(definesExec ? ['    $exec = S_MOV_B64 -1', '    S_ROUND_MODE 0, implicit-def $mode, implicit $mode'] : []),
        '    S_ENDPGM 0',
        '...',
        '',
      ].join('\n');
      const [fn] = lowerMir(text, { cpu: 'gfx1030' });
      const ctx = new SchedContext(fn!, resolveSchedClass);
      DEFINITIONS.forEach(([why, line, withExec = why], k) => {
        const i = ctx.fn.order[ctx.fn.blockBegin[0]! + 3 + k]!;
        assert.equal(rematObstacle(ctx, i), definesExec ? withExec : why, line);
      });
    });

  it('by register: where its users are', () => {
    const fn = lowerMir(`---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %2:vgpr_32 = V_MOV_B32_e32 2, implicit $exec
    %2:vgpr_32 = V_MOV_B32_e32 3, implicit $exec
    %3:vgpr_32 = V_MOV_B32_e32 4, implicit $exec
    %4:vgpr_32 = V_MOV_B32_e32 5, implicit $exec
    S_NOP 0, implicit %4
    %5:vgpr_32 = V_ADD_U32_e32 1, %6, implicit $exec
    %6:vgpr_32 = V_ADD_U32_e32 1, %0, implicit $exec
    %7:vgpr_32 = V_MOV_B32_e32 6, implicit $exec
    %8:vgpr_32 = V_MOV_B32_e32 7, implicit $exec
    %9:vgpr_32, %10:sreg_64 = V_ADD_CO_U32_e64 %0, 1, 0, implicit $exec
    BUNDLE implicit-def %11:vgpr_32, implicit $exec {
      %11:vgpr_32 = V_MOV_B32_e32 8, implicit $exec
      %12:vgpr_32 = V_MOV_B32_e32 9, implicit $exec
    }
    %13:vgpr_32 = V_ADD_U32_e32 1, %0, implicit $exec
    %14:vgpr_32 = V_MOV_B32_e32 10, implicit $exec
    DBG_VALUE %3, $noreg
    S_CBRANCH_SCC0 %bb.2, implicit undef $scc
    S_BRANCH %bb.1, implicit %8
  bb.1:
    successors: %bb.2
    S_NOP 1, implicit %1, implicit %2, implicit %5, implicit %9, implicit %11, implicit %12
    S_NOP 2, implicit %1, implicit %13, implicit undef %15:vgpr_32
    %16:vgpr_32, %17:vgpr_32 = V_MOV_B32_e32 12, implicit $exec
    SCHED_BARRIER 0
    S_NOP 3, implicit %1, implicit %0
    %0:vgpr_32 = V_MOV_B32_e32 11, implicit $exec
    SCHED_BARRIER 0, implicit %14
    BUNDLE implicit %7, implicit %4 {
      S_NOP 4, implicit %7
      S_NOP 5, implicit %4
    }
    S_NOP 6, implicit %7, implicit %13, implicit %16
  bb.2:
    S_ENDPGM 0, implicit %6
...
`)[0]!;
    const all = new RematCandidates(fn, computeLiveIntervals(fn, { edit: false }));
    const said = (v: number): string => {
      const verdict = all.of(v);
      const { candidate } = verdict;
      const groups = candidate === null ? verdict.groups : [...candidate.groups, ...candidate.kept];
      const places = groups.map((g) => {
        const users = g.users.map((u) => fn.imm(fn.opBegin[u]!)).join('+');
        const why = g.obstacle === null ? '' : ` ${g.obstacle.kind}`;
        return `${g.region}:${g.users.length > 1 ? users : fn.opcode[g.users[0]!] === fn.opcode[g.before] ? users : 'header'}${why}`;
      });
      return [candidate === null ? verdict.obstacle : 'candidate', ...places].join('; ');
    };
    const regionOf = (v: number): number => all.regionOf[all.defOf(v)]!;
    const [a, b, c] = [all.of(1).candidate!.groups[0]!.region, all.of(1).candidate!.groups[1]!.region, regionOf(0)];
    assert.equal(new Set([a, b, c]).size, 3);
    assert.equal(said(1), `candidate; ${a}:1+2; ${b}:3`);
    assert.equal(said(0), 'several definitions');
    assert.equal(said(2), 'several definitions');
    assert.equal(said(3), 'never used');
    assert.equal(all.of(4).candidate?.kept[0]?.obstacle?.kind, 'same region');
    assert.equal(said(9), 'not rematerializable');
    assert.equal(said(10), 'not rematerializable');
    // more than the verifier lets pass
    assert.equal(said(16), 'not rematerializable');
    assert.equal(said(11), 'several definitions');
    assert.equal(said(12), 'inside a bundle');
    assert.equal(said(15), 'no definition');
    assert.equal(said(999), 'no definition');
    assert.match(said(8), /^no legal place; -?\d+:\S+ after a terminator$/);
    assert.equal(said(14).replace(/\d+:\S+/, ''), 'candidate; ');
    // %0 is another one after bb.1's second part
    const split = all.of(13).candidate!;
    assert.deepEqual(
      split.groups.map((g) => g.region),
      [a],
    );
    assert.deepEqual(
      split.kept.map((g) => g.obstacle),
      [{ kind: 'operand not available', operand: 0 }],
    );
    // before the bundle, not inside
    const [group] = all.of(7).candidate!.groups;
    assert.equal(fn.tables.opcodeName(fn.opcode[group!.before]!), 'BUNDLE');
    assert.deepEqual(
      group!.users.map((u) => fn.tables.opcodeName(fn.opcode[u]!)),
      ['BUNDLE', 'S_NOP', 'S_NOP'],
    );
    for (const [v, can] of [
      [1, true],
      [3, false],
      [8, true],
      [11, false],
      [15, false],
      [13, true],
    ] as const)
      assert.equal(all.isRematerializable(v), can, `%${v}`);
    assert.deepEqual(all.usersOf(3), []);
    assert.deepEqual(all.usersOf(999), []);
    assert.equal(all.defOf(15), -1);
    const order = all.candidates.map((k) => all.position[k.def]!);
    assert.deepEqual(
      order,
      [...order].sort((x, y) => x - y),
    );
  });
});
