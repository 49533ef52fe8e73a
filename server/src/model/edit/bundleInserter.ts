/** Puts instructions before and after others, within bundles, too, whose members get other ids by that. */
import { BundleFlag, type InstrId } from '../machineFunction.js';
import type { NewOperand } from './functionEditor.js';
import type { InstrBuilder } from './instrBuilder.js';

export class BundleInserter {
  private readonly movedTo = new Map<InstrId, InstrId>();

  constructor(private readonly builder: InstrBuilder) {}

  /** What an instruction is called after insertions into its bundle. */
  idNow(i: InstrId): InstrId {
    let now = i;
    for (let to = this.movedTo.get(now); to !== undefined; to = this.movedTo.get(now)) now = to;
    return now;
  }

  /** The header, or the first member without one; an instruction by itself. */
  firstOf(i: InstrId): InstrId {
    let first = i;
    while ((this.builder.fn.bundle[first] & BundleFlag.BundledPred) !== 0) first--;
    return first;
  }

  /** Returns the new instruction, with the debug location of `by`, which may have another id then. O(operands), or O(size of the bundle) */
  insert(by: InstrId, where: 'before' | 'after', opcode: number, operands: readonly NewOperand[]): InstrId {
    const { builder } = this;
    const { fn, editor } = builder;
    const { bundle } = fn;
    const glue = where === 'before' ? BundleFlag.BundledPred : BundleFlag.BundledSucc;
    if ((bundle[by] & glue) === 0) {
      const after = editor.list.after(this.firstOf(by));
      const place = where === 'before' ? by : after >= 0 ? after : ~fn.instrBlock[by];
      return builder.build(place, by, opcode, operands);
    }
    const all = builder.complete(opcode, operands);
    const first = this.firstOf(by);
    const moved = editor.insertInBundle(by, where, opcode, all, fn.extras.get(by)?.debugLocation);
    const isBefore = where === 'before';
    const distance = moved - by;
    for (let i = first; i === first || (bundle[i] & BundleFlag.BundledPred) !== 0; i++)
      this.movedTo.set(i, i + distance + (isBefore && i < by ? -1 : !isBefore && i > by ? 1 : 0));
    const made = isBefore ? moved - 1 : moved + 1;
    fn.tieByOpcode(made);
    return made;
  }
}
