/** Names of the passes of longPasses.ts, which need not be loaded to be known. */
interface LongPassNames {
  readonly name: string;
  readonly pipelineName: string | null;
}

const legacyOnly = (name: string): LongPassNames => ({ name, pipelineName: null });
const bothWays = (name: string, pipelineName = name): LongPassNames => ({ name, pipelineName });

export const LONG_PASS_NAMES: readonly LongPassNames[] = [
  bothWays('machine-scheduler'),
  bothWays('amdgpu-pre-ra-optimizations'),
  bothWays('si-wqm'),
  bothWays('si-optimize-exec-masking-pre-ra'),
  bothWays('si-form-memory-clauses'),
  bothWays('amdgpu-pre-ra-long-branch-reg'),
  bothWays('greedy'),
  bothWays('virtregrewriter', 'virt-reg-rewriter'),
  bothWays('stack-slot-coloring'),
  bothWays('si-lower-sgpr-spills'),
  bothWays('si-pre-allocate-wwm-regs'),
  bothWays('si-lower-wwm-copies'),
  bothWays('amdgpu-reserve-wwm-regs'),
  bothWays('amdgpu-nsa-reassign'),
  bothWays('amdgpu-rewrite-agpr-copy-mfma'),
  bothWays('amdgpu-mark-last-scratch-load'),
  legacyOnly('liveintervals'),
  legacyOnly('livedebugvars'),
  bothWays('si-insert-hard-clauses'),
  bothWays('si-load-store-opt'),
  bothWays('si-memory-legalizer'),
  bothWays('prologepilog', 'prolog-epilog'),
  bothWays('register-coalescer'),
  bothWays('twoaddressinstruction', 'two-address-instruction'),
  bothWays('rename-independent-subregs'),
  bothWays('early-machinelicm'),
  bothWays('regallocfast'),
  legacyOnly('regallocbasic'),
  legacyOnly('mir-canonicalizer'),
  legacyOnly('mir-namer'),
  bothWays('rewrite-partial-reg-uses', 'amdgpu-rewrite-partial-reg-uses'),
  bothWays('postmisched'),
  bothWays('post-RA-sched'),
  bothWays('machine-sink'),
  bothWays('postra-machine-sink'),
  bothWays('removeredundantdebugvalues', 'remove-redundant-debug-values'),
  bothWays('livedebugvalues', 'live-debug-values'),
  bothWays('si-insert-waitcnts'),
];
