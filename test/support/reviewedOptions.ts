/**
 * Why options of source files that run here change nothing. Options of other source files belong to passes that do not run, and those in
 * no list of this file or of a notModelled.ts (commandLine, program) are an error of test/unit/commandLine/optionGroups.test.ts.
 */

/** Source files (see optionSources) of which something runs when llc reads, prints, verifies, schedules or prints pressures. */
export const RUNNING_SOURCES =
  /^(?:AsmParser\/LLParser|Analysis\/(?:AliasAnalysis|BasicAliasAnalysis|CaptureTracking|CFG|ScopedNoAliasAA|TypeBasedAliasAnalysis|MemoryBuiltins|ValueTracking|AssumptionCache|LoopInfo|TargetLibraryInfo|Loads|ProfileSummaryInfo|GlobalsModRef)|AMDGPUCodeGen\/(?:AMDGPUBarrierLatency|AMDGPUIGroupLP|AMDGPUTargetMachine|GCN\w*|SIFrameLowering|SIInstrInfo|SIMachineFunctionInfo|SIRegisterInfo|SIISelLowering|AMDGPUISelLowering)|AMDGPUDesc\/\w*|AMDGPUUtils\/\w*|CodeGen\/(?:CommandFlags|LiveIntervals|MIRPrinter|MachineBasicBlock|MachineBlockFrequencyInfo|MachineBranchProbabilityInfo|MachineDominators|MachineFunction|MachineFunctionPass|MachineInstr|MachineOperand|MachineRegisterInfo|MachineScheduler|MacroFusion|RegisterClassInfo|RegisterUsageInfo|ScheduleDAG\w*|ScoreboardHazardRecognizer|TargetInstrInfo|TargetLoweringBase|TargetPassConfig|TargetRegisterInfo|TargetSchedule)|Core\/\w*|MC\/\w*|MCParser\/\w*|Remarks\/\w*|Support\/\w*|Target\/\w*|llc)$/;

/** Options that amdgpu-mir reads. */
export const IMPLEMENTED: readonly string[] = `
mtriple march mcpu mattr o x run-pass passes p filetype verify-machineinstrs simplify-mir O denormal-fp-math denormal-fp-math-f32
frame-pointer enable-no-infs-fp-math enable-no-nans-fp-math enable-no-signed-zeros-fp-math disable-tail-calls stackrealign trap-func help
help-hidden help-list help-list-hidden h version misched enable-misched misched-dcpl misched-cluster misched-fusion misched-prera-direction
enable-aa-sched-mi verify-misched amdgpu-sched-strategy amdgpu-use-amdgpu-trackers amdgpu-disable-unclustered-high-rp-reschedule
amdgpu-disable-clustered-low-occupancy-reschedule amdgpu-schedule-relaxed-occupancy amdgpu-schedule-metric-bias
amdgpu-scheduler-pending-queue-limit amdgpu-barrier-signal-wait-latency amdgpu-igrouplp-exact-solver amdgpu-igrouplp-exact-solver-cutoff
amdgpu-igrouplp-exact-solver-max-branches amdgpu-igrouplp-exact-solver-cost-heur amdgpu-print-rp-downward enable-scoped-noalias
fast-cluster-threshold amdgpu-use-aa-in-codegen enable-amdgpu-aa use-segment-set-for-physregs schedmodel disable-basic-aa force-fast-cluster
scheditins use-dereferenceable-at-point-semantics enable-tbaa use-tbaa-in-sched-mi amdgpu-mfma-padding-ratio amdgpu-mfma-vgpr-form
misched-cyclicpath misched-regpressure stress-regalloc misched-postra disable-sched-hazard sched-model-force-enable-intervals
misched-dump-schedule-trace misched-resource-cutoff misched-limit dag-maps-huge-region dag-maps-reduction-size sched-high-latency-cycles
start-before start-after stop-before stop-after amdgpu-spill-sgpr-to-vgpr print-before print-after print-before-all print-after-all print-module-scope filter-print-funcs
`
  .trim()
  .split(/\s+/);

/** `SOURCE | WHAT THEY ARE FOR | OPTIONS` */
export const HARMLESS = `
AMDGPUCodeGen/AMDGPUISelLowering | instruction selection | amdgpu-bypass-slow-div
AMDGPUCodeGen/AMDGPUTargetMachine | which passes the pipeline has; -run-pass builds none, passes/codegenPipeline.ts has those that bear on the passes that run here, and passes/regalloc refuses other allocators | amdgpu-atomic-optimizer-strategy amdgpu-attributor-enable amdgpu-dce-in-ra amdgpu-dpp-combine amdgpu-early-ifcvt amdgpu-early-inline-all amdgpu-enable-delay-alu amdgpu-enable-hipstdpar amdgpu-enable-image-intrinsic-optimizer amdgpu-enable-lower-exec-sync amdgpu-enable-lower-module-lds amdgpu-enable-pre-ra-optimizations amdgpu-enable-promote-kernel-arguments amdgpu-enable-remove-incompatible-functions amdgpu-enable-rewrite-partial-reg-uses amdgpu-enable-sw-lower-lds amdgpu-enable-uniform-intrinsic-combine amdgpu-enable-vopd amdgpu-internalize-symbols amdgpu-ir-lower-kernel-arguments amdgpu-link-time-closed-world amdgpu-load-store-vectorizer amdgpu-loop-prefetch amdgpu-lower-global-ctor-dtor amdgpu-mode-register amdgpu-opt-exec-mask-pre-ra amdgpu-opt-vgpr-liverange amdgpu-reassign-regs amdgpu-scalar-ir-passes amdgpu-scalarize-global-loads amdgpu-sdwa-peephole amdgpu-set-wave-priority amdgpu-simplify-libcall new-reg-bank-select sgpr-regalloc vgpr-regalloc wwm-regalloc
AMDGPUCodeGen/GCNHazardRecognizer | the hazard recognizer after register allocation | amdgpu-snop-padding
AMDGPUCodeGen/GCNPreRALongBranchReg | its pass does not run | amdgpu-long-branch-factor
AMDGPUCodeGen/GCNSubtarget | instruction selection and shrinking of image instructions | amdgpu-nsa-threshold amdgpu-vgpr-index-mode
AMDGPUCodeGen/SIFrameLowering | frame lowering | amdgpu-spill-vgpr-to-agpr
AMDGPUCodeGen/SIISelLowering | instruction selection and block placement | amdgpu-disable-loop-alignment amdgpu-use-divergent-register-indexing
AMDGPUCodeGen/SIInstrInfo | copies of physical registers and branch relaxation | amdgpu-fix-16-bit-physreg-copies amdgpu-s-branch-bits
AMDGPUDesc/AMDGPUTargetStreamer | object files | amdgpu-force-generic-version
Analysis/AssumptionCache | an assertion | verify-assumption-cache
Analysis/GlobalsModRef | not among the alias analyses of code generation | enable-unsafe-globalsmodref-alias-results
Analysis/Loads | transformations of IR | available-load-scan-limit
Analysis/LoopInfo | an assertion | verify-loop-info
Analysis/ProfileSummaryInfo | profiles, which nothing here asks for | partial-profile partial-sample-profile-working-set-size-scale-factor scale-partial-sample-profile-working-set-size
Analysis/ValueTracking | transformations of IR | dom-conditions-max-uses
CodeGen/CommandFlags | TargetOptions that only instruction selection, frame lowering and the assembly printer read | addrsig align-loops call-graph-section data-sections debug-entry-values debugger-tune emit-call-site-info emulated-tls enable-jmc-instrument enable-no-trapping-fp-math enable-sign-dependent-rounding-fp-math enable-tlsdesc exception-model float-abi force-dwarf-frame-section fp-contract function-sections ignore-xcoff-visibility large-data-threshold meabi no-integrated-as nozero-initialized-in-bss partition-static-data-sections relocation-model separate-named-sections split-machine-functions stack-size-section stack-symbol-ordering strict-dwarf swift-async-fp tailcallopt thread-model tls-size unique-basic-block-section-names unique-section-names use-ctors vec-extabi vector-library xcoff-traceback-table xray-function-index
CodeGen/MachineBlockFrequencyInfo | opens a viewer in a build with assertions | view-block-layout-with-bfi view-machine-block-freq-propagation-dags
CodeGen/MachineBranchProbabilityInfo | block placement | profile-likely-prob static-likely-prob
CodeGen/MachineDominators | an assertion | verify-machine-dom-info
CodeGen/MachineFunctionPass | the new pass manager | dropped-variable-stats-mir
CodeGen/MachineScheduler | the scheduler after register allocation, and how a trace is printed that is off | enable-post-misched misched-dump-schedule-trace-col-header-width misched-dump-schedule-trace-col-width misched-postra-direction misched-sort-resources-in-trace
CodeGen/ScheduleDAGInstrs | debug output | sched-print-cycles
CodeGen/TargetInstrInfo | the machine combiner | acc-max-width acc-min-depth acc-reassoc
CodeGen/TargetLoweringBase | instruction selection | disable-strictnode-mutation jump-is-expensive jump-table-density max-jump-table-size max-store-memcpy max-store-memmove max-store-memset min-bit-test-cmps min-jump-table-entries optsize-jump-table-density
CodeGen/TargetPassConfig | which passes the pipeline has; -run-pass builds none, passes/codegenPipeline.ts has those that bear on the passes that run here, and passes/regalloc refuses other allocators | basic-block-section-match-infer disable-atexit-based-global-dtor-lowering disable-block-placement disable-branch-fold disable-cfi-fixup disable-cgp disable-constant-hoisting disable-copyprop disable-early-ifcvt disable-early-taildup disable-expand-reductions disable-layout-fsprofile-loader disable-lsr disable-machine-cse disable-machine-dce disable-machine-licm disable-machine-sink disable-mergeicmps disable-partial-libcall-inlining disable-post-ra disable-postra-machine-licm disable-postra-machine-sink disable-ra-fsprofile-loader disable-replace-with-vec-lib disable-select-optimize disable-ssc disable-tail-duplicate early-live-intervals emit-bb-hash enable-block-placement-stats enable-global-merge-func enable-implicit-null-checks enable-ipra enable-machine-outliner enable-split-machine-functions fast-isel fs-profile-file fs-remapping-file gc-empty-basic-blocks global-isel global-isel-abort optimize-regalloc regalloc split-static-data
CodeGen/TargetRegisterInfo | the register allocator | huge-size-for-split
Core/DebugInfoMetadata | transformations of IR | enable-fs-discriminator pick-merged-source-locations
Core/Dominators | an assertion | verify-dom-info
Core/Instruction | transformations of IR | profcheck-disable-metadata-fixes
Core/ModuleSummaryIndex | link-time optimization | import-constants-with-refs propagate-attrs
Core/OptBisect | how much -opt-bisect-limit says | opt-bisect-verbose opt-disable-enable-verbosity
Core/PrintPasses | how -print-after and its like print | filter-passes print-changed-diff-path print-loop-func-scope
Core/ProfDataUtils | transformations of IR | elide-all-zero-branch-weights
Core/SafepointIRVerifier | its pass does not run | safepoint-ir-verifier-print-only
MC/MCAsmInfo | the assembly printer | dwarf-extended-loc use-leb128-directives
MC/MCTargetOptionsCommandFlags | the assembler and the assembly printer | W as-secure-log-file asm-show-inst crel dwarf-version dwarf64 emit-compact-unwind-non-canonical emit-dwarf-unwind fatal-warnings fdpic gsframe implicit-mapsyms incremental-linker-compatible no-deprecated-warn no-type-check no-warn save-temp-labels target-abi x86-relax-relocations x86-sse2avx
MCParser/MCAsmParser | the assembler | asm-macro-max-nesting-depth
Remarks/RemarkStreamer | object files | remarks-section
Support/DebugCounter | how counters behave that -debug-counter sets | debug-counter-break-on-last print-debug-counter-queries
Support/RandomNumberGenerator | no pass here asks for random numbers | rng-seed
Support/Signals | the report of a crash | crash-diagnostics-dir disable-symbolication
Support/Statistic | statistics are not compiled in | stats stats-json
Support/Timer | how timers report that are off | info-output-file sort-timers track-memory
Target/TargetMachine | link-time optimization | no-kernel-info-end-lto
llc | the assembly printer, remarks and passes that do not run | I M asm-verbose debug-pass-manager disable-simplify-libcalls dwarf-directory output-asm-variant pass-remarks-filter pass-remarks-hotness-threshold pass-remarks-with-hotness pgo-kind preserve-as-comments regalloc-npm show-mc-encoding split-dwarf-file time-trace-file time-trace-granularity verify-each
`;
