/** The pipelines of llc over machine functions, with optimization and without, as data: what `llc-22 -debug-pass=Arguments` shows of it, without analyses. */
import type { OptionValue } from '../commandLine/optionSpec.js';
import { lazy } from '../util/lazy.js';

/** A pass in the pipeline. */
export interface PipelineStep {
  /** name for -run-pass */
  readonly name: string;
  /** as `PassUse` has them */
  readonly parameters: string;
  /** Passes that are inserted after this one (TargetPassConfig::insertPass): they are there only where this one is. */
  readonly inserted: readonly PipelineStep[];
}

/**
 * A line per pass: `>` = inserted after the last line without it, `+` = not with -O1; the name with its parameters; then an option: `=NAME` switches the pass
 * off with `-NAME=0`, and with `-NAME` on whatever the level is, `!NAME` off when it is given, `?NAME` on when it is given.
 */
const LINES = `
si-fix-sgpr-copies
si-i1-copies
finalize-isel
early-tailduplication !disable-early-taildup
opt-phis
stack-coloring
localstackalloc
dead-mi-elimination !disable-machine-dce
early-ifcvt ?amdgpu-early-ifcvt
early-machinelicm !disable-machine-licm
machine-cse !disable-machine-cse
machine-sink !disable-machine-sink
peephole-opt
dead-mi-elimination !disable-machine-dce
si-fold-operands
gcn-dpp-combine =amdgpu-dpp-combine
si-load-store-opt
+ si-peephole-sdwa =amdgpu-sdwa-peephole
+ early-machinelicm =amdgpu-sdwa-peephole !disable-machine-licm
+ machine-cse =amdgpu-sdwa-peephole !disable-machine-cse
+ si-fold-operands =amdgpu-sdwa-peephole
dead-mi-elimination !disable-machine-dce
si-shrink-instructions
reg-usage-propagation
amdgpu-prepare-agpr-alloc
detect-dead-lanes
> dead-mi-elimination =amdgpu-dce-in-ra
init-undef
processimpdefs
unreachable-mbb-elimination
livevars
> si-opt-vgpr-liverange =amdgpu-opt-vgpr-liverange
phi-node-elimination
> si-lower-control-flow
twoaddressinstruction
register-coalescer
rename-independent-subregs
> rewrite-partial-reg-uses =amdgpu-enable-rewrite-partial-reg-uses
machine-scheduler
> + amdgpu-pre-ra-optimizations =amdgpu-enable-pre-ra-optimizations
> si-wqm
> si-optimize-exec-masking-pre-ra =amdgpu-opt-exec-mask-pre-ra
> + si-form-memory-clauses
amdgpu-pre-ra-long-branch-reg
greedy<sgpr>
virtregrewriter<no-clear-vregs>
stack-slot-coloring !disable-ssc
si-lower-sgpr-spills
si-pre-allocate-wwm-regs
greedy<wwm>
si-lower-wwm-copies
virtregrewriter<no-clear-vregs>
amdgpu-reserve-wwm-regs
greedy<vgpr>
amdgpu-nsa-reassign =amdgpu-reassign-regs
amdgpu-rewrite-agpr-copy-mfma
virtregrewriter
amdgpu-mark-last-scratch-load
stack-slot-coloring !disable-ssc
machine-cp !disable-copyprop
machinelicm !disable-postra-machine-licm
si-fix-vgpr-copies
si-optimize-exec-masking
removeredundantdebugvalues
fixup-statepoint-caller-saved
postra-machine-sink
shrink-wrap
prologepilog
machine-latecleanup
branch-folder !disable-branch-fold
tailduplication !disable-tail-duplicate
machine-cp !disable-copyprop
postrapseudos
si-shrink-instructions
si-post-ra-bundler
postmisched !disable-post-ra
block-placement !disable-block-placement
fentry-insert
xray-instrumentation
gcn-create-vopd =amdgpu-enable-vopd
si-memory-legalizer
si-insert-waitcnts
si-mode-register
si-insert-hard-clauses
si-late-branch-lowering
si-pre-emit-peephole
post-RA-hazard-rec
amdgpu-wait-sgpr-hazards
amdgpu-lower-vgpr-encoding
amdgpu-insert-delay-alu =amdgpu-enable-delay-alu
branch-relaxation
RegUsageInfoCollector
remove-loads-into-fake-uses
livedebugvalues
machine-sanmd
amdgpu-preload-kern-arg-prolog
`;

/**
 * Other passes that llc adds on its way to `si-fix-sgpr-copies`, from which level of optimization on. Found by asking llc-22 to stop at each of its passes.
 */
const BEFORE_MACHINE_PASSES = {
  0: `amdgpu-always-inline amdgpu-annotate-uniform amdgpu-export-kernel-runtime-handles amdgpu-isel
    amdgpu-lower-buffer-fat-pointers amdgpu-lower-ctor-dtor amdgpu-lower-exec-sync amdgpu-lower-intrinsics
    amdgpu-lower-kernel-arguments amdgpu-lower-module-lds amdgpu-printf-runtime-binding
    amdgpu-remove-incompatible-functions amdgpu-rewrite-undef-for-phi amdgpu-sw-lower-lds
    amdgpu-uniform-intrinsic-combine amdgpu-unify-divergent-exit-nodes atomic-expand callbrprepare expand-ir-insts
    expand-reductions fix-irreducible lcssa lowerinvoke lowerswitch post-inline-ee-instrument pre-isel-intrinsic-lowering
    safe-stack scalarize-masked-mem-intrin si-annotate-control-flow stack-protector structurizecfg unify-loop-exits
    unreachableblockelim verify`,
  1: `amdgpu-aa amdgpu-atomic-optimizer amdgpu-codegenprepare amdgpu-late-codegenprepare amdgpu-preload-kernel-arguments
    amdgpu-promote-alloca basic-aa canon-freeze codegenprepare consthoist expand-memcmp external-aa flattencfg loop-reduce
    machine-loops mergeicmps objc-arc-contract partially-inline-libcalls replace-with-veclib scoped-noalias-aa sink tbaa`,
  2: `amdgpu-image-intrinsic-opt amdgpu-perf-hint early-cse licm load-store-vectorizer nary-reassociate
    separate-const-offset-from-gep slsr`,
} as const;

/** The same with -O0. */
const UNOPTIMIZED = `
si-fix-sgpr-copies
si-i1-copies
finalize-isel
localstackalloc
reg-usage-propagation
phi-node-elimination
> si-lower-control-flow
twoaddressinstruction
> si-wqm
amdgpu-pre-ra-long-branch-reg
regallocfast<filter=sgpr;no-clear-vregs>
si-lower-sgpr-spills
si-pre-allocate-wwm-regs
regallocfast<filter=wwm;no-clear-vregs>
si-lower-wwm-copies
amdgpu-reserve-wwm-regs
regallocfast<filter=vgpr>
si-fix-vgpr-copies
removeredundantdebugvalues
fixup-statepoint-caller-saved
prologepilog
postrapseudos
si-post-ra-bundler
fentry-insert
xray-instrumentation
si-memory-legalizer
si-insert-waitcnts
si-mode-register
si-late-branch-lowering
post-RA-hazard-rec
amdgpu-wait-sgpr-hazards
amdgpu-lower-vgpr-encoding
branch-relaxation
RegUsageInfoCollector
remove-loads-into-fake-uses
livedebugvalues
machine-sanmd
amdgpu-preload-kern-arg-prolog
`;

interface Line extends PipelineStep {
  readonly inserted: Line[];
  readonly needsO2: boolean;
  /** `=`, `!` or `?` and the option's name */
  readonly switches: readonly string[];
}

/** All passes that the pipeline may have. */
const allLines = lazy(() => linesOf(LINES));
const unoptimizedLines = lazy(() => linesOf(UNOPTIMIZED));

function linesOf(texts: string): readonly Line[] {
  const lines: Line[] = [];
  for (const text of texts.trim().split('\n')) {
    const [, isInserted, isO2, name = '', parameters = '', switches = ''] =
      /^(> )?(\+ )?([\w-]+)(?:<(.*)>)?(.*)$/.exec(text) ?? [];
    const line: Line = {
      name,
      parameters,
      inserted: [],
      needsO2: isO2 !== undefined,
      switches: switches.split(' ').filter((word) => word !== ''),
    };
    (isInserted === undefined ? lines : lines.at(-1)!.inserted).push(line);
  }
  return lines;
}

type Options = ReadonlyMap<string, OptionValue>;

function isOn({ needsO2, switches }: Line, options: Options): boolean {
  let isIn = !needsO2 || String(options.get('O')) !== '1';
  for (const word of switches) {
    const given = options.get(word.slice(1));
    if (word.startsWith('=')) {
      if (given !== undefined) isIn = given !== false;
    } else if (word.startsWith('!')) isIn &&= given !== true;
    else isIn = given === true;
  }
  return isIn;
}

/** The passes of the pipeline with these options. */
export function codegenPipeline(options: Options): readonly PipelineStep[] {
  const on = (lines: readonly Line[]): PipelineStep[] =>
    lines
      .filter((line) => isOn(line, options))
      .map(({ name, parameters, inserted }) => ({ name, parameters, inserted: on(inserted) }));
  return on(String(options.get('O')) === '0' ? unoptimizedLines() : allLines());
}

/** Steps with those inserted after them, in the order in which they run. */
export const inOrder = (steps: readonly PipelineStep[]): PipelineStep[] =>
  steps.flatMap((step) => [step, ...inOrder(step.inserted)]);

/** One of the passes of a name, by how many of that name stand before it in the whole pipeline. */
export interface PlacedPass {
  readonly name: string;
  readonly instance: number;
}

interface PlacedLine extends PlacedPass {
  readonly line: Line;
  /** what it is inserted after; null: it is not */
  readonly owner: Line | null;
}

/** Whatever the options are, with what is off by default. */
const placedLines = lazy((): readonly PlacedLine[] => {
  const met = new Map<string, number>();
  const place = (line: Line, owner: Line | null): PlacedLine[] => {
    const instance = met.get(line.name) ?? 0;
    met.set(line.name, instance + 1);
    return [{ name: line.name, instance, line, owner }, ...line.inserted.flatMap((own) => place(own, line))];
  };
  return allLines().flatMap((line) => place(line, null));
});

export const placedPasses = (): readonly PlacedPass[] => placedLines();

/** From this pass of the whole pipeline to its end, those that are there with these options. */
export function stepsFrom(first: PlacedPass, options: Options): readonly PipelineStep[] {
  const isFirst = ({ name, instance }: PlacedPass): boolean => name === first.name && instance === first.instance;
  return placedLines()
    .slice(placedLines().findIndex(isFirst))
    .filter(({ line, owner }) => isOn(line, options) && (owner === null || isOn(owner, options)))
    .map(({ line }) => ({ name: line.name, parameters: line.parameters, inserted: [] }));
}

/** Whether llc comes by the pass before the first one of `codegenPipeline`. */
export function isBeforeMachinePasses(name: string, options: Options): boolean {
  const level = Number(options.get('O') ?? 2);
  return Object.entries(BEFORE_MACHINE_PASSES).some(
    ([from, names]) => Number(from) <= level && names.split(/\s+/).includes(name),
  );
}

/** From the machine scheduler to the last rewriter, whatever the options are. */
export const passesOfAllocation = lazy((): readonly PipelineStep[] => {
  const steps = inOrder(allLines());
  const first = steps.findIndex(({ name }) => name === 'machine-scheduler');
  const last = steps.findIndex(({ name, parameters }) => name === 'virtregrewriter' && parameters === '');
  return steps.slice(first, last + 1);
});

/** Names of those that the pipeline does without with these options. */
export function passesLeftOut(options: Options): string[] {
  const names = new Set(inOrder(codegenPipeline(options)).map(({ name }) => name));
  return passesOfAllocation()
    .map(({ name }) => name)
    .filter((name) => !names.has(name));
}
