/**
 * The ready-made pipelines of IGLP_OPT: small GEMM, small GEMM for a single wave, exp interleave, simple exp interleave.
 *
 * Follows MFMASmallGemmOpt, MFMASmallGemmSingleWaveOpt, MFMAExpInterleaveOpt and MFMAExpSimpleInterleaveOpt (LLVM 22.1.8) as
 * docs/llvm/iglp.md, 9 to 11 describes them. Some of their counters live as long as the compiler process; `IglpProcessState` carries them.
 */
import { BundleFlag } from '../../../../model/machineFunction.js';
import type { OpcodeSetName } from '../../../../target/opcodeSets.js';
import { NotModelled } from '../../../machinePass.js';
import { DepKind, NONE, type SUnitId } from '../graph.js';
import type { GroupRun } from './groupRun.js';
import { GroupMask, IglpPhase, type GroupRule, type SchedGroup } from './schedGroup.js';

/** State that LLVM keeps between regions and functions of one run. */
export class IglpProcessState {
  // single-wave GEMM
  dsWrites = 0;
  dsWritesWithPerm = 0;
  dsWritesWithSharedLoads = 0;
  // exp interleave
  nTrans = 0;
  nMfma = 0;
  nAdds = 0;
  enablement = 0;
  requirement = 0;
  nChains = 0;
  hasCvt = false;
  hasGap = false;
  /** node number of a DS read that feeds the first chain; -1 until one was ever seen */
  firstDsRead = -1;
}

/**
 * Runs one strategy; one that does not apply adds no group.
 * @llvm AMDGPUIGroupLP.cpp IGroupLPDAGMutation::initIGLPOpt
 */
export function applyStrategy(
  strategy: number,
  run: GroupRun,
  phase: IglpPhase,
  state: IglpProcessState,
  setBottomUp: (bottomUp: boolean) => void,
): void {
  switch (strategy) {
    case 0:
      setBottomUp(true);
      repeatPair(run, GroupMask.DS, 2);
      break;
    case 1:
      setBottomUp(false);
      smallGemmSingleWave(run, phase, state);
      break;
    case 2: {
      if (phase === IglpPhase.PostRA) {
        // It is not analysed again: what the scheduler before allocation has counted last decides, and its chains are gone.
        if (kernelType(state) !== null) throw new NotModelled('IGLP_OPT 2 that goes on after allocation');
        setBottomUp(false);
        break;
      }
      const seeds = analyzeExp(run, state);
      if (seeds === null) break;
      setBottomUp(false);
      expInterleave(run, state, seeds);
      break;
    }
    case 3:
      setBottomUp(true);
      repeatPair(run, GroupMask.TRANS, 1);
      break;
  }
}

function countMfma(run: GroupRun): number {
  let n = 0;
  for (let k = 0; k < run.graph.nSUnits; k++) if (run.isMFMA(k)) n++;
  return n;
}

/**
 * Strategies 0 and 3: one kind of instruction between the MFMAs.
 * @llvm AMDGPUIGroupLP.cpp MFMASmallGemmOpt::applyIGLPStrategy
 * @llvm AMDGPUIGroupLP.cpp MFMAExpSimpleInterleaveOpt::applyIGLPStrategy
 */
function repeatPair(run: GroupRun, mask: GroupMask, size: number): void {
  const times = countMfma(run) * 3;
  for (let k = 0; k < times; k++) {
    run.add(0, mask, size);
    run.add(0, GroupMask.MFMA, 1);
  }
}

function predsOf(run: GroupRun, n: SUnitId): SUnitId[] {
  const { graph } = run;
  const out: SUnitId[] = [];
  for (let e = graph.firstPred[n]; e !== NONE; e = graph.nextPred[e]) out.push(graph.edgePred[e]);
  return out;
}

function succsOf(run: GroupRun, n: SUnitId): SUnitId[] {
  const { graph } = run;
  const out: SUnitId[] = [];
  for (let e = graph.firstSucc[n]; e !== NONE; e = graph.nextSucc[e]) out.push(graph.edgeSucc[e]);
  return out;
}

/** The group `distance` ids before `g` in its pipeline. */
function previousGroup(run: GroupRun, g: SchedGroup, distance: number): SchedGroup | undefined {
  return run.pipes.get(g.sync)!.find((p) => p.id === g.id - distance);
}

// -- strategy 1 -----------------------------------------------------------------------------------------------------------

/** @llvm AMDGPUIGroupLP.cpp MFMASmallGemmSingleWaveOpt::applyIGLPStrategy */
function smallGemmSingleWave(run: GroupRun, phase: IglpPhase, state: IglpProcessState): void {
  const n = run.graph.nSUnits;
  const isPerm = (k: SUnitId): boolean => run.isOneOf('iglpPerm', k);
  let mfmas = 0;
  let dsReads = 0;
  const permWrites: SUnitId[] = [];
  for (let k = 0; k < n; k++) {
    if (run.isMFMA(k)) mfmas++;
    else if (run.isDSLoad(k)) dsReads++;
    else if (run.isDSStore(k) && phase === IglpPhase.Initial) {
      state.dsWrites++;
      if (predsOf(run, k).some(isPerm)) permWrites.push(k);
    }
  }
  if (phase === IglpPhase.Initial) {
    state.dsWritesWithPerm = permWrites.length;
    countSharedLoads(run, permWrites, isPerm, state);
  }
  const W = state.dsWrites;
  const WP = state.dsWritesWithPerm;
  const WS = state.dsWritesWithSharedLoads;
  if (WP > 0) {
    for (let k = 0; k < mfmas; k++) {
      run.add(0, GroupMask.MFMA, 1);
      run.add(0, GroupMask.VALU, 2);
    }
  }
  const mfma = (): void => run.add(1, GroupMask.MFMA, 1);
  const permThenWrite = (): void => {
    run.add(1, GroupMask.VALU, 4, [permForWrite(run)]);
    run.add(1, GroupMask.DS_WRITE, 1, [afterPrevious(run)]);
  };
  const sharingLoads = (distance: number): void =>
    run.add(1, GroupMask.VMEM_READ, 4, [sharesPerm(run, distance), load128(run)]);
  run.add(1, GroupMask.DS_READ, 4, [feedsFirst4(run)]);
  mfma();
  for (let k = 4; k < dsReads; k++) {
    run.add(1, GroupMask.DS_READ, 1);
    mfma();
  }
  for (let k = WS; k < WP; k++) {
    permThenWrite();
    sharingLoads(1);
    mfma();
    sharingLoads(3);
    mfma();
  }
  for (let k = WP; k < W; k++) {
    run.add(1, GroupMask.DS_WRITE, 1);
    run.add(1, GroupMask.VMEM_READ, 4, [load128(run)]);
    mfma();
  }
  for (let k = 0; k < WS; k++) {
    permThenWrite();
    mfma();
    permThenWrite();
    mfma();
    sharingLoads(2);
    mfma();
    sharingLoads(4);
    mfma();
  }
}

/** Pairs of DS writes whose data come from the same loads through V_PERM. */
function countSharedLoads(
  run: GroupRun,
  permWrites: readonly SUnitId[],
  isPerm: (k: SUnitId) => boolean,
  state: IglpProcessState,
): void {
  const writeOfLoad = new Map<SUnitId, SUnitId>();
  const counted = new Set<SUnitId>();
  for (const w of permWrites) {
    let candidate = -1;
    let missed = false;
    for (const p of predsOf(run, w)) {
      if (!isPerm(p)) continue;
      if (candidate >= 0 && counted.has(candidate)) break;
      for (const s of succsOf(run, p)) {
        if (!run.isVMEMLoad(s)) continue;
        if (missed || writeOfLoad.size === 0) {
          missed = true;
          writeOfLoad.set(s, w);
        } else if (!writeOfLoad.has(s)) {
          writeOfLoad.set(s, w);
          missed = true;
        } else {
          candidate = writeOfLoad.get(s)!;
          if (counted.has(candidate)) {
            missed = true;
            break;
          }
        }
      }
    }
    if (!missed && candidate >= 0) {
      state.dsWritesWithSharedLoads += 2;
      counted.add(candidate);
      counted.add(w);
    }
  }
}

/** @llvm AMDGPUIGroupLP.cpp MFMASmallGemmSingleWaveOpt::EnablesInitialMFMA */
function feedsFirst4(run: GroupRun): GroupRule {
  const first: SUnitId[] = [];
  return (n) => {
    if (first.length === 0) {
      for (let k = 0; k < run.graph.nSUnits && first.length < 4; k++) if (run.isMFMA(k)) first.push(k);
    }
    return first.some((x) => run.reach(x, n));
  };
}

/** @llvm AMDGPUIGroupLP.cpp MFMASmallGemmSingleWaveOpt::IsPermForDSW */
function permForWrite(run: GroupRun): GroupRule {
  const remembered: SUnitId[] = [];
  return (n, g) => {
    if (!run.isOneOf('iglpPerm', n)) return false;
    const succs = succsOf(run, n);
    if (g.members.length > 0) return succs.some((s) => remembered.includes(s));
    const writes = succs.filter((s) => run.isDSStore(s));
    remembered.push(...writes);
    return writes.length > 0;
  };
}

/** @llvm AMDGPUIGroupLP.cpp MFMASmallGemmSingleWaveOpt::IsSuccOfPrevGroup */
function afterPrevious(run: GroupRun): GroupRule {
  return (n, g) => {
    const previous = previousGroup(run, g, 1);
    if (previous === undefined) return false;
    if (previous.members.length === 0) return true;
    return previous.members.some((m) => succsOf(run, m).includes(n));
  };
}

function operand0Bits(run: GroupRun, n: SUnitId): number {
  const { fn } = run;
  const o = fn.opBegin[run.graph.instr[n]];
  if (fn.opSub[o] !== 0) return fn.tables.subRegSize[fn.opSub[o]];
  const reg = fn.opVal[o];
  const rc = reg < 0 ? fn.vregs.regClass[~reg] : fn.tables.getMinimalPhysRegClass(reg);
  return rc < 0 ? 0 : fn.tables.regClassBits[rc];
}

/** @llvm AMDGPUIGroupLP.cpp MFMASmallGemmSingleWaveOpt::VMEMSize */
function load128(run: GroupRun): GroupRule {
  return (n, g) => {
    if ((run.fn.bundle[run.graph.instr[n]] & BundleFlag.BundledSucc) !== 0) return false;
    if (g.members.length === 0) return true;
    let bits = 0;
    for (const m of g.members) bits += operand0Bits(run, m);
    return bits < 128 && bits + operand0Bits(run, n) <= 128;
  };
}

/** @llvm AMDGPUIGroupLP.cpp MFMASmallGemmSingleWaveOpt::SharesPredWithPrevNthGroup */
function sharesPerm(run: GroupRun, distance: number): GroupRule {
  let remembered: SUnitId[] | null = null;
  return (n, g) => {
    if (remembered === null) {
      const previous = previousGroup(run, g, distance);
      if (previous === undefined) return false;
      if (previous.members.length === 0) return true;
      const perms: SUnitId[] = [];
      for (const m of previous.members) perms.push(...predsOf(run, m).filter((p) => run.isOneOf('iglpPerm', p)));
      if (perms.length === 0) return false;
      remembered = perms;
    }
    return remembered.some((x) => run.reach(n, x));
  };
}

// -- strategy 2 -----------------------------------------------------------------------------------------------------------

/** Successor edges from which on a TRANS counts as feeding many. */
const MANY_SUCCESSORS = 7;

/**
 * Analyses the region; the MFMAs that start a chain, or null when the strategy does not apply.
 * @llvm AMDGPUIGroupLP.cpp MFMAExpInterleaveOpt::analyzeDAG
 */
function analyzeExp(run: GroupRun, state: IglpProcessState): SUnitId[] | null {
  const n = run.graph.nSUnits;
  const trans: SUnitId[] = [];
  const mfmas: SUnitId[] = [];
  const packs: SUnitId[] = [];
  const cvts: SUnitId[] = [];
  state.nAdds = 0;
  for (let k = 0; k < n; k++) {
    if (run.isTrans(k)) {
      if (succsOf(run, k).length < MANY_SUCCESSORS) trans.push(k);
      continue;
    }
    if (run.isMFMA(k)) mfmas.push(k);
    if (run.isOneOf('iglpPack', k)) packs.push(k);
    if (run.isOneOf('iglpConvert', k)) cvts.push(k);
    if (run.isOneOf('iglpAdd', k)) state.nAdds++;
  }
  if (packs.length === 0) return null;
  state.nTrans = 0;
  const used: SUnitId[] = [];
  let firstTrans = -1;
  let firstMfma = -1;
  for (const x of trans) {
    const f = mfmas.find((m) => run.reach(m, x));
    if (f === undefined) continue;
    state.nTrans++;
    used.push(f);
    if (firstTrans < 0) {
      firstTrans = x;
      firstMfma = f;
    }
  }
  if (state.nTrans === 0) return null;
  state.hasGap = !succsOf(run, firstTrans).some((s) => s < n && run.isOneOf('iglpConvert', s));
  for (const f of mfmas) if (!used.includes(f) && trans.some((x) => run.reach(f, x))) used.push(f);
  state.nMfma = used.length;
  const v = cvts.find((c) => run.reach(c, firstTrans));
  state.hasCvt = v !== undefined && used.some((u) => run.reach(u, v));
  const seeds: SUnitId[] = [];
  for (const u of used) if (!seeds.includes(u) && !predsOf(run, u).some((p) => run.isMFMA(p))) seeds.push(u);
  state.nChains = seeds.length;
  if (seeds.length === 0) return null;
  for (const p of predsOf(run, seeds[0])) if (run.isDSLoad(p)) state.firstDsRead = p;
  const packPreds = predsOf(run, firstMfma).filter((p) => run.isOneOf('iglpPack', p));
  if (packPreds.length === 0) return null;
  const k0 = packPreds[0];
  const reachedPacks = packs.filter((k) => run.reach(k, firstTrans)).length;
  state.enablement = reachedPacks * succsOf(run, k0).filter((s) => run.isMFMA(s)).length;
  state.requirement = packPreds.length * trans.filter((x) => run.reach(k0, x)).length;
  return seeds;
}

/** Makes the rules of strategy 2 over one region. */
class ExpRules {
  private readonly firstTrans: SUnitId;

  constructor(
    private readonly run: GroupRun,
    private readonly state: IglpProcessState,
  ) {
    let first = -1;
    for (let k = 0; k < run.graph.nSUnits && first < 0; k++) if (run.isTrans(k)) first = k;
    this.firstTrans = first;
  }

  /** k steps along the chain of MFMAs from the seed; -1 when it ends before. */
  private chainNode(k: number, seed: SUnitId): SUnitId {
    let y = seed;
    for (let step = 0; step < k; step++) {
      const next = succsOf(this.run, y).find((s) => this.run.isMFMA(s));
      if (next === undefined) return -1;
      y = next;
    }
    return y;
  }

  /** @llvm AMDGPUIGroupLP.cpp MFMAExpInterleaveOpt::EnablesNthMFMAInChain */
  inChain(k: number, seed: SUnitId): GroupRule {
    let y = -1;
    return (n) => {
      if (y < 0) y = this.chainNode(k, seed);
      return y >= 0 && this.run.reach(y, n);
    };
  }

  /** @llvm AMDGPUIGroupLP.cpp MFMAExpInterleaveOpt::IsExactMFMA */
  exactly(k: number, seed: SUnitId): GroupRule {
    let y = -1;
    return (n) => {
      if (y < 0) y = this.chainNode(k, seed);
      return y === n;
    };
  }

  op(set: OpcodeSetName): GroupRule {
    return (n) => this.run.isOneOf(set, n);
  }

  from(first: SUnitId): GroupRule {
    return (n) => n >= first;
  }

  afterTrans(): GroupRule {
    return (n) => this.firstTrans >= 0 && n > this.firstTrans;
  }

  /** @llvm AMDGPUIGroupLP.cpp MFMAExpInterleaveOpt::EnablesNthMFMA */
  feedsMFMA(): GroupRule {
    return (n) => {
      for (let y = 0; y < this.run.graph.nSUnits; y++) if (this.run.isMFMA(y) && this.run.reach(y, n)) return true;
      return false;
    };
  }

  private nDataSuccs(n: SUnitId): number {
    const { graph } = this.run;
    let count = 0;
    for (let e = graph.firstSucc[n]; e !== NONE; e = graph.nextSucc[e]) if (graph.edgeKind[e] === DepKind.Data) count++;
    return count;
  }

  private feedsMany(n: SUnitId): boolean {
    if (this.nDataSuccs(n) >= 8) return true;
    return this.state.hasGap && succsOf(this.run, n).some((s) => this.nDataSuccs(s) >= 8);
  }

  /** @llvm AMDGPUIGroupLP.cpp MFMAExpInterleaveOpt::LessThanNSuccs */
  few(): GroupRule {
    return (n) => !this.feedsMany(n);
  }

  /** @llvm AMDGPUIGroupLP.cpp MFMAExpInterleaveOpt::GreaterThanOrEqualToNSuccs */
  many(): GroupRule {
    return (n) => this.feedsMany(n);
  }

  cvtOf(distance: number): GroupRule {
    return (n, g) => {
      const previous = previousGroup(this.run, g, distance);
      if (previous === undefined) return false;
      if (previous.members.length === 0) return true;
      if (this.state.hasGap) return previous.members.some((m) => this.run.reach(n, m));
      const { graph } = this.run;
      for (const m of previous.members) {
        for (let e = graph.firstSucc[m]; e !== NONE; e = graph.nextSucc[e]) {
          if (graph.edgeSucc[e] === n && graph.edgeKind[e] === DepKind.Data) return true;
        }
      }
      return false;
    };
  }
}

/** The two shapes of kernels that strategy 2 is for; null = neither. */
function kernelType({ enablement, requirement, nTrans }: IglpProcessState): 'small' | 'large' | null {
  if (enablement === 2 && requirement === 4 && nTrans === 32) return 'small';
  return enablement === 4 && requirement === 4 && nTrans === 64 ? 'large' : null;
}

/** @llvm AMDGPUIGroupLP.cpp MFMAExpInterleaveOpt::applyIGLPStrategy */
function expInterleave(run: GroupRun, state: IglpProcessState, seeds: readonly SUnitId[]): void {
  const { enablement: E, requirement: Q, nTrans: T, nMfma: N, nAdds: A, nChains: H } = state;
  const type = kernelType(state);
  if (type === null) return;
  const usesDs = type === 'large' && state.firstDsRead >= 0;
  const usesCvt = state.hasCvt;
  const usesAdd = type === 'small';
  const va = usesAdd ? 1 : 0;
  const rules = new ExpRules(run, state);
  let t = 0;
  let m = 0;
  const chain = (at: number): GroupRule => rules.inChain(Math.floor(at / H), seeds[at % H]);
  const fmaGroup = (size: number, which: GroupRule): void =>
    run.add(0, GroupMask.VALU, size, [which, rules.op('iglpFma')]);
  const transGroup = (size: number, which: GroupRule): void =>
    run.add(0, GroupMask.TRANS, size, [which, rules.feedsMFMA(), rules.few()]);
  const cvtGroup = (distance: number): void =>
    run.add(0, GroupMask.VALU, 1, [rules.op('iglpConvert'), rules.cvtOf(distance)]);
  const dsGroup = (): void => run.add(0, GroupMask.DS_READ, 2, [rules.from(state.firstDsRead)]);

  fmaGroup(Q, chain(t));
  fmaGroup(Q, chain(t + E));
  if (usesDs) dsGroup();
  transGroup(Q, chain(t));
  t += E;
  for (let i = 0; i < Q; i++) {
    if (usesCvt) cvtGroup(1 + 3 * i);
    fmaGroup(1, chain(t + E));
    transGroup(1, chain(t));
  }
  run.add(0, GroupMask.TRANS, 1, [rules.feedsMFMA(), rules.many()]);
  // E is at most Q: for each MFMA so many exponentials
  const re = Q / E;
  const loops = Math.min((T - 2 * Q) / re, Math.max(0, N - 2 * E));
  const nAdd = A < N ? 1 : Math.floor(A / N);
  const X = ((1 + va) * Q) / re;
  for (let i = 0; i < loops; i++) {
    if ((i * re) % Q === 0) t += E;
    run.add(0, GroupMask.MFMA, 1, [rules.exactly(Math.floor(m / H), seeds[m % H])]);
    m++;
    if (usesAdd) run.add(0, GroupMask.VALU, nAdd, [rules.op('iglpAdd')]);
    if (usesDs && i % 4 === 0) dsGroup();
    for (let j = 0; j < re; j++) {
      const at = i * re + j;
      if (usesCvt) {
        const ds = usesDs ? Math.min(Math.floor(X / 4), Math.floor(i / 4) + 1) : 0;
        cvtGroup(ds + Math.min(X, (1 + va) * (i + 1)) + 3 * (Q - 1) + 1 + (at >= Q ? 0 : 1));
      }
      fmaGroup(1, chain(t + E));
      transGroup(1, chain(t));
    }
  }
  run.add(0, GroupMask.MFMA, 2 * E, [rules.afterTrans()]);
}
