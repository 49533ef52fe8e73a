/**
 * `post-RA-hazard-rec`: no-ops and waits where the processor does not wait by itself (PostRAHazardRecognizer and GCNHazardRecognizer, LLVM 22;
 * docs/llvm/hazards.md).
 */
import type { OptionValue } from '../../commandLine/optionSpec.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { BundleFlag, type InstrId } from '../../model/machineFunction.js';
import type { MachinePass } from '../machinePass.js';
import type { Remarks } from '../remarks.js';
import { EmittedInstrs, lookAheadOf } from './emittedInstrs.js';
import { HazardFixes } from './hazardFixes.js';
import { HazardInstrs } from './hazardInstrs.js';
import { NoopRules } from './noopRules.js';

type Options = ReadonlyMap<string, OptionValue>;

/** @llvm PostRAHazardRecognizer.cpp PostRAHazardRecognizerLegacy */
export const hazardRecognizerPass: MachinePass = {
  name: 'post-RA-hazard-rec',
  pipelineName: 'post-RA-hazard-rec',
  className: 'PostRAHazardRecognizerPass',
  title: 'Post RA hazard recognizer',
  isRequired: true,
  requires: [],
  preserves: [],
  run: (state) => new HazardRecognizer(state.editor(), state.context.options, state.remarks).run(),
};

/** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer */
class HazardRecognizer {
  private readonly instrs: HazardInstrs;
  private readonly rules: NoopRules;
  private readonly fixes: HazardFixes;
  private readonly padding: number;
  private readonly emitted: EmittedInstrs;

  constructor(
    private readonly editor: FunctionEditor,
    options: Options,
    remarks: Remarks | null,
  ) {
    this.instrs = new HazardInstrs(editor);
    this.rules = new NoopRules(this.instrs, Number(options.get('amdgpu-mfma-padding-ratio') ?? 0));
    this.fixes = new HazardFixes(this.instrs, (i) => this.runOn(i), remarks);
    this.emitted = new EmittedInstrs(this.instrs, lookAheadOf(editor));
    this.padding = Number(options.get('amdgpu-snop-padding') ?? 0);
  }

  /** @llvm PostRAHazardRecognizer.cpp PostRAHazardRecognizer::run */
  run(): void {
    const { fn, list } = this.editor;
    for (let b = 0; b < fn.blocks.length; b++) {
      for (let i = list.first(b); i >= 0;) {
        const last = this.runOn(i);
        i = list.after(last);
      }
    }
  }

  /** Returns the header, or the instruction itself. */
  private runOn(i: InstrId): InstrId {
    const { fixes, instrs } = this;
    const outer = fixes.current;
    fixes.current = i;
    const states = Math.max(this.rules.before(i, this.emitted.list), 0);
    const why = fixes.noopReason();
    fixes.fix();
    const nops = Math.max(states, this.padding);
    this.emitted.noops(nops);
    fixes.insertNops(nops, nops > states ? null : why);
    if (instrs.isBundle(fixes.current)) this.runOnMembers();
    else this.emitted.issue(fixes.current);
    let head = fixes.current;
    while ((instrs.fn.bundle[head] & BundleFlag.BundledPred) !== 0) head--;
    fixes.current = fixes.idNow(outer);
    return head;
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::processBundle */
  private runOnMembers(): void {
    const { fixes, rules } = this;
    const { fn } = this.editor;
    while ((fn.bundle[fixes.current] & BundleFlag.BundledSucc) !== 0) {
      fixes.current++;
      const states = Math.max(rules.before(fixes.current, this.emitted.list), 0);
      const why = fixes.noopReason();
      fixes.fix();
      fixes.insertNops(states, why);
      this.emitted.issueMember(fixes.current, states);
    }
  }
}
