/**
 * Instruction groups: SCHED_BARRIER, SCHED_GROUP_BARRIER and IGLP_OPT as artificial edges.
 *
 * Follows IGroupLPDAGMutation, SchedGroup and PipelineSolver (AMDGPUIGroupLP, LLVM 22.1.8) as docs/llvm/iglp.md describes them;
 * the ready-made pipelines of IGLP_OPT are in iglpStrategies.ts.
 */
import { opcodeSet } from '../../../../target/opcodeSets.js';
import { type IglpOptions, DEFAULT_IGLP_OPTIONS, GroupRun } from './groupRun.js';
import { applyStrategy, type IglpProcessState } from './iglpStrategies.js';
import type { MutationContext } from './mutation.js';
import { IglpPhase } from './schedGroup.js';

export { IglpPhase };

/**
 * The mutation object: its direction outlives a region.
 * @llvm AMDGPUIGroupLP.cpp IGroupLPDAGMutation
 */
export class IGroupLP {
  private bottomUp = true;

  constructor(
    readonly phase: IglpPhase,
    private readonly state: IglpProcessState,
    private readonly options: IglpOptions = DEFAULT_IGLP_OPTIONS,
  ) {}

  /** @llvm AMDGPUIGroupLP.cpp IGroupLPDAGMutation::apply */
  apply(ctx: MutationContext): void {
    const { graph } = ctx;
    if (graph.nSUnits === 0 || !this.concerns(ctx)) return;
    const run = new GroupRun(ctx);
    let sawBarrier = false;
    let sawOpt = false;
    for (let n = graph.nSUnits - 1; n >= 0; n--) {
      if (run.isOneOf('schedBarrier', n)) {
        run.addBarrier(n);
        sawBarrier = true;
      } else if (run.isOneOf('schedGroupBarrier', n)) {
        run.addGroupBarrier(n);
        sawBarrier = true;
      } else if (run.isOneOf('iglpOpt', n)) {
        if (sawBarrier || sawOpt) continue;
        sawOpt = true;
        const strategy = ctx.fn.imm(ctx.fn.opBegin[graph.instr[n]]);
        applyStrategy(strategy, run, this.phase, this.state, (bottomUp) => {
          this.bottomUp = bottomUp;
        });
      }
    }
    run.solve(this.bottomUp, this.options);
  }

  /** Whether any of the three opcodes is in the region. */
  private concerns({ graph, fn }: MutationContext): boolean {
    const directives = opcodeSet(fn.tables, 'schedDirective');
    for (let n = 0; n < graph.nSUnits; n++) if (directives.has(fn.opcode[graph.instr[n]])) return true;
    return false;
  }
}
