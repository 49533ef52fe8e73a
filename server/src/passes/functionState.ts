/** A function on its way through the passes of a run: editable, with what is known of it. */
import { FunctionEditor } from '../model/edit/functionEditor.js';
import type { MachineFunctionHeader } from '../model/header.js';
import type { MachineFunction } from '../model/machineFunction.js';
import type { AnalysedFunction, Analysis, PassContext, Preserved } from './passContext.js';
import type { Remarks } from './remarks.js';

export class FunctionState implements AnalysedFunction {
  private current: MachineFunction;
  private lists: FunctionEditor | null = null;
  /** where passes write down why they do what they do; null = nobody asks */
  private reasons: Remarks | null = null;
  /** with null for those of which only what they changed is left */
  private readonly analyses = new Map<Analysis<unknown>, unknown>();

  /** those among them that were known and are no longer */
  private readonly lost = new Set<Analysis<unknown>>();

  /** `isOwn`: nobody else keeps the function, so that it may be edited itself; else a copy of it is. */
  constructor(
    fn: MachineFunction,
    readonly context: PassContext,
    private isOwn = false,
  ) {
    this.current = fn;
    if (isOwn) copyHeader(fn);
  }

  get fn(): MachineFunction {
    for (const [analysis, value] of this.analyses) if (value !== null) analysis.writeBack(value);
    return this.lists === null ? this.current : this.lists.finish();
  }

  /** What stands above the body; the body itself may be on lists. */
  get header(): MachineFunctionHeader {
    return this.current.header;
  }

  get nVRegs(): number {
    return this.current.vregs.n;
  }

  /** The function on lists. They stay, with their order of operands, until a pass puts another function here or edits the columns. */
  editor(): FunctionEditor {
    this.lists ??= new FunctionEditor(this.own());
    this.lists.onMoved = this.moved;
    return this.lists;
  }

  get remarks(): Remarks | null {
    return this.reasons;
  }

  /** From now on passes write their reasons there. */
  collectInto(remarks: Remarks | null): void {
    this.reasons = remarks;
  }

  private get moved(): FunctionEditor['onMoved'] {
    const { reasons } = this;
    return reasons === null ? null : (from, to) => reasons.noteMoved(from, to);
  }

  /** The function for a pass that edits its columns: what was known of it goes, but for what has been changed in it. */
  columns(): MachineFunction {
    const fn = this.own();
    this.replace(fn);
    return fn;
  }

  /** Another function in the place of this one, which nobody else keeps; `editor`: with it on lists. */
  replace(fn: MachineFunction, editor: FunctionEditor | null = null): void {
    this.current = fn;
    this.isOwn = true;
    this.lists = editor;
    for (const analysis of this.analyses.keys()) if (!analysis.isOfFunction) this.lose(analysis);
  }

  private own(): MachineFunction {
    const { fn } = this;
    if (this.isOwn) return fn;
    this.isOwn = true;
    this.current = fn.clone();
    copyHeader(this.current);
    return this.current;
  }

  get<T>(analysis: Analysis<T>): T {
    const known = this.known(analysis);
    if (known !== null) return known;
    const made = analysis.compute(this);
    this.analyses.set(analysis, made);
    return made;
  }

  known<T>(analysis: Analysis<T>): T | null {
    return (this.analyses.get(analysis) as T | null | undefined) ?? null;
  }

  /** What belongs to the function whatever runs, for a run that goes on with what this one leaves. */
  ofFunction(): [Analysis<unknown>, unknown][] {
    return [...this.analyses].filter(([analysis, value]) => analysis.isOfFunction && value !== null);
  }

  has(analysis: Analysis<unknown>): boolean {
    return this.analyses.has(analysis);
  }

  provide<T>(analysis: Analysis<T>, value: T): void {
    this.analyses.set(analysis, value);
    this.lost.delete(analysis);
  }

  /** What a pass before has computed is gone, though the function is as it was changed for it. */
  isLost(analysis: Analysis<unknown>): boolean {
    return this.lost.has(analysis);
  }

  private lose(analysis: Analysis<unknown>): void {
    if (this.known(analysis) !== null) this.lost.add(analysis);
    this.analyses.set(analysis, null);
  }

  /** What the analysis changes in the function is done, whoever has computed it. */
  noteComputed(analysis: Analysis<unknown>): void {
    if (!this.has(analysis)) this.analyses.set(analysis, null);
  }

  forget(analysis: Analysis<unknown>): void {
    const value = this.analyses.get(analysis);
    if (value !== undefined && value !== null) analysis.writeBack(value);
    this.analyses.delete(analysis);
    this.lost.delete(analysis);
    for (const part of analysis.holds) if (this.has(part)) this.lose(part);
  }

  /** A pass has run that preserves these alone. */
  keepOnly(preserved: Preserved): void {
    if (preserved === 'all') return;
    for (const analysis of [...this.analyses.keys()]) if (!analysis.isPreservedBy(preserved)) this.forget(analysis);
  }
}

/** Versions of a function share what the header refers to. */
function copyHeader(fn: MachineFunction): void {
  const { header } = fn;
  fn.header = {
    ...header,
    machineFunctionInfo: { ...header.machineFunctionInfo },
    frameInfo: { ...header.frameInfo },
    stack: [...header.stack],
    liveIns: header.liveIns.map((l) => ({ ...l })),
  };
}
