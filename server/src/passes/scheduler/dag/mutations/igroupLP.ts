/**
 * Instruction groups: SCHED_BARRIER, SCHED_GROUP_BARRIER and IGLP_OPT as artificial edges.
 *
 * Follows IGroupLPDAGMutation, SchedGroup and PipelineSolver (AMDGPUIGroupLP, LLVM 22.1.8) as docs/llvm/iglp.md describes them;
 * the ready-made pipelines of IGLP_OPT are in iglpStrategies.ts.
 */
import { type IglpOptions, DEFAULT_IGLP_OPTIONS, GroupRun } from './groupRun.js';
import { applyStrategy, type IglpProcessState } from './iglpStrategies.js';
import type { MutationContext } from './mutation.js';
import { IglpPhase } from './schedGroup.js';

export { IglpPhase };

/** The mutation object: its direction outlives a region. */
export class IGroupLP {
  private bottomUp = true;

  constructor(
    readonly phase: IglpPhase,
    private readonly state: IglpProcessState,
    private readonly options: IglpOptions = DEFAULT_IGLP_OPTIONS,
  ) {}

  apply(ctx: MutationContext): void {
    const { graph } = ctx;
    if (graph.nSUnits === 0 || !this.concerns(ctx)) return;
    const run = new GroupRun(ctx);
    let sawBarrier = false;
    let sawOpt = false;
    let applied = false;
    for (let n = graph.nSUnits - 1; n >= 0; n--) {
      switch (run.opcodeName(n)) {
        case 'SCHED_BARRIER':
          run.addBarrier(n);
          sawBarrier = true;
          break;
        case 'SCHED_GROUP_BARRIER':
          run.addGroupBarrier(n);
          sawBarrier = true;
          break;
        case 'IGLP_OPT': {
          if (sawBarrier || sawOpt) break;
          sawOpt = true;
          const strategy = ctx.fn.imm(ctx.fn.opBegin[graph.instr[n]]);
          applied = applyStrategy(strategy, run, this.phase, this.state, (bottomUp) => {
            this.bottomUp = bottomUp;
          });
          break;
        }
      }
    }
    if (sawBarrier || applied) run.solve(this.bottomUp, this.options);
  }

  /** Whether any of the three opcodes is in the region. */
  private concerns(ctx: MutationContext): boolean {
    const { graph, fn } = ctx;
    for (let n = 0; n < graph.nSUnits; n++) {
      const name = fn.tables.opcodeName(fn.opcode[graph.instr[n]]);
      if (name === 'SCHED_BARRIER' || name === 'SCHED_GROUP_BARRIER' || name === 'IGLP_OPT') return true;
    }
    return false;
  }
}
