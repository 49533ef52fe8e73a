/**
 * The stage that rewrites matrix instructions keeps every value: in random functions each operand reads, through the copies that were made, what it read
 * before; matrix instructions are in AGPR form, and nothing else names an AGPR.
 */
import assert from 'node:assert/strict';
import { OpFlag, OperandKind, type MachineFunction } from '../../../../../server/src/model/machineFunction.js';
import { Random } from '../../../../support/damageInputs.js';
import { entryFunctionFile } from '../../../../support/mir.js';
import { lowerWithRunLine, traceText } from '../../../../support/schedule.js';

const DST = 'vreg_512_align2';
/** As many tuples of 16 as are too many for the addressable VGPRs. */
const TUPLES = Array.from({ length: 18 }, (_, k) => `%${200 + k}`);
/** Those that something happens to. */
const BUSY = 5;

function functionOf(random: Random): string {
  const any = (): string => TUPLES[random.below(BUSY)]!;
  const isMac = (): boolean => random.chance(70);
  let next = 300;
  const line = (): string[] => {
    const kind = random.below(10);
    const mode = '0, 0, 0, implicit $mode, implicit $exec';
    if (kind < 4) {
      const r = any();
      if (isMac()) return [`${r}:${DST} = V_MFMA_F32_32X32X8F16_mac_vgprcd_e64 %1, %2, ${r}, ${mode}`];
      return [
        `early-clobber %${next}:${DST} = V_MFMA_F32_32X32X8F16_vgprcd_e64 %1, %2, ${random.chance(30) ? '0' : r}, ${mode}`,
        `S_NOP 3, implicit %${next++}`,
      ];
    }
    if (kind < 7)
      return [`S_NOP ${random.below(8)}, implicit ${any()}${random.chance(30) ? `, implicit ${any()}` : ''}`];
    if (kind < 8) return [`${any()}:${DST} = IMPLICIT_DEF`];
    return ['SCHED_BARRIER 0'];
  };
  const nBlocks = 2 + random.below(4);
  const hot = 1 + random.below(nBlocks);
  const blocks: string[] = [];
  for (let b = 1; b <= nBlocks; b++) {
    if (b === hot) {
      // most of the spills are here, so that copies elsewhere pay
      blocks.push(`  bb.${b}:`, `    successors: %bb.${b}(0x7c000000), %bb.${b + 1}(0x04000000)`);
      for (const r of TUPLES.slice(0, BUSY))
        blocks.push(
          `    ${r}:${DST} = V_MFMA_F32_32X32X8F16_mac_vgprcd_e64 %1, %2, ${r}, 0, 0, 0, implicit $mode, implicit $exec`,
        );
      blocks.push(`    S_CBRANCH_SCC1 %bb.${b}, implicit undef $scc`, `    S_BRANCH %bb.${b + 1}`);
      continue;
    }
    const to = [b + 1];
    if (random.chance(30)) to.push(1 + random.below(b));
    else if (b + 2 <= nBlocks && random.chance(60)) to.push(b + 2);
    blocks.push(`  bb.${b}:`, `    successors: ${[...new Set(to)].map((t) => `%bb.${t}`).join(', ')}`);
    for (let n = 1 + random.below(5); n > 0; n--) blocks.push(...line().map((l) => `    ${l}`));
    if (to.length > 1) blocks.push(`    S_CBRANCH_SCC1 %bb.${to[1]}, implicit undef $scc`);
    blocks.push(`    S_BRANCH %bb.${to[0]}`);
  }
  return entryFunctionFile(
    '-mtriple=amdgcn-amd-amdhsa -mcpu=gfx950',
    [
      '    %1:av_64_align2 = IMPLICIT_DEF',
      '    %2:av_64_align2 = IMPLICIT_DEF',
      ...TUPLES.map((r) => `    ${r}:${DST} = IMPLICIT_DEF`),
      '    S_BRANCH %bb.1',
      ...blocks,
      `  bb.${nBlocks + 1}:`,
      ...TUPLES.map((r) => `    S_NOP 0, implicit ${r}`),
      '    S_ENDPGM 0',
    ],
    '"amdgpu-waves-per-eu"="1,1" "amdgpu-flat-work-group-size"="64,64"',
  );
}

/** Definitions of virtual registers by which an instruction is reached, by its reads in order; what copies made later pass on counts as what they read. */
function valuesOf(fn: MachineFunction, nOld: number, clones: ReadonlyMap<number, number>): Map<number, string[]> {
  const operands = (i: number, isDef: boolean): number[] => {
    const out: number[] = [];
    for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++)
      if (fn.opKind[o] === OperandKind.Register && fn.opVal[o]! < 0 && ((fn.opFlags[o]! & OpFlag.Def) !== 0) === isDef)
        out.push(~fn.opVal[o]!);
    return out;
  };
  type State = Map<number, Set<number>>;
  const after: State[] = fn.blocks.map(() => new Map());
  const result = new Map<number, string[]>();
  const walk = (b: number, keep: boolean): State => {
    const state: State = new Map();
    for (const p of fn.blocks[b]!.predecessors)
      for (const [v, defs] of after[p]!) state.set(v, new Set([...(state.get(v) ?? []), ...defs]));
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
      const i = fn.order[p]!;
      const reads = operands(i, false).map((v) => state.get(v) ?? new Set<number>());
      if (keep)
        result.set(
          i,
          reads.map((s) => [...s].sort((x, y) => x - y).join()),
        );
      for (const v of operands(i, true))
        state.set(v, i >= nOld && !clones.has(i) ? reads[0]! : new Set([clones.get(i) ?? i]));
    }
    return state;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (let b = 0; b < fn.blocks.length; b++) {
      const state = walk(b, false);
      const size = (s: State): number => [...s.values()].reduce((n, x) => n + x.size, s.size);
      if (size(state) !== size(after[b]!)) changed = true;
      after[b] = state;
    }
  }
  for (let b = 0; b < fn.blocks.length; b++) walk(b, true);
  return result;
}

/** False where nothing was rewritten. */
function check(text: string): boolean {
  const [original] = lowerWithRunLine(text).fns;
  const [{ fn, trace }] = traceText(text, { model: 'llvm-main-2026-01', rewriteMfmaForm: true }) as [
    ReturnType<typeof traceText>[0],
  ];
  const { mfmaRewrite } = trace;
  if (mfmaRewrite?.rewritten !== true) return false;
  const nOld = original!.nInstrs;
  // a later stage may have moved what computes a value
  const clones = new Map(trace.rematerialized.map((r) => [r.clone, r.def]));
  const [was, is] = [valuesOf(original!, nOld, clones), valuesOf(fn, nOld, clones)];
  for (const [i, reads] of was)
    if (is.has(i) || !trace.rematerialized.some((r) => r.def === i))
      assert.deepEqual(is.get(i), reads, `instruction ${i}\n${text}`);
  const names = (i: number): string => fn.tables.opcodeName(fn.opcode[i]!);
  const made = [...is.keys()].filter((i) => i >= nOld && !clones.has(i));
  assert.ok(made.every((i) => names(i) === 'COPY'));
  // what the costs count once for a block is there for each user beside the matrix instruction
  assert.ok(made.length >= mfmaRewrite.copies);
  const matrix = [...was.keys()].filter((i) => original!.tables.opcodeName(original!.opcode[i]!).includes('_vgprcd'));
  assert.deepEqual(
    [...mfmaRewrite.candidates].sort((x, y) => x - y),
    matrix.sort((x, y) => x - y),
  );
  const isAGPR = (o: number): boolean =>
    fn.opKind[o] === OperandKind.Register &&
    fn.opVal[o]! < 0 &&
    fn.tables.regClassName(fn.vregs.regClass[~fn.opVal[o]!]!) === 'AReg_512_Align2';
  for (const i of is.keys()) {
    if (clones.has(i)) continue;
    const before = i < nOld ? original!.tables.opcodeName(original!.opcode[i]!) : 'COPY';
    assert.equal(names(i), before.replace('_vgprcd', ''));
    const places: number[] = [];
    for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++) if (isAGPR(o)) places.push(o - fn.opBegin[i]!);
    if (matrix.includes(i))
      assert.deepEqual(places, fn.opKind[fn.opBegin[i]! + 3] === OperandKind.Register ? [0, 3] : [0]);
    else if (i < nOld && !names(i).includes('IMPLICIT_DEF')) assert.deepEqual(places, [], `${names(i)}\n${text}`);
  }
  return true;
}

describe('values of functions whose matrix instructions are rewritten', () => {
  for (let seed = 1; seed <= 24; seed++) {
    it(`seed ${seed}`, () => assert.ok(check(functionOf(new Random(seed))), 'not rewritten'));
  }
});
