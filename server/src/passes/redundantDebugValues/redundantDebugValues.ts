/**
 * `removeredundantdebugvalues`: debug values go that another one of their variable follows at once, or that say what is known already
 * (RemoveRedundantDebugValues, LLVM 22; docs/llvm/late-passes.md, 12).
 */
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { OperandKind, type BlockId, type InstrId } from '../../model/machineFunction.js';
import type { Reg } from '../../model/register.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { InstrQueries } from '../instrQueries.js';
import { isDebugList, metadataKey } from '../debugOperands.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { fragmentOf } from '../debugInfo/expression.js';
import { DebugInfo } from '../debugInfo/scopes.js';

/** @llvm RemoveRedundantDebugValues.cpp RemoveRedundantDebugValuesLegacy */
export const redundantDebugValuesPass: MachinePass = {
  name: 'removeredundantdebugvalues',
  pipelineName: 'remove-redundant-debug-values',
  className: 'RemoveRedundantDebugValuesPass',
  title: 'Remove Redundant DEBUG_VALUE analysis',
  requires: [],
  preserves: [CFG],
  run(state) {
    const info = DebugInfo.of(state.context.ir, state.header.name);
    if (info === null) return;
    const pass = new RedundantDebugValues(state.editor(), info);
    for (let b = 0; b < state.fn.blocks.length; b++) pass.dropPassed(b);
    for (let b = 0; b < state.fn.blocks.length; b++) pass.dropKnown(b);
  },
};

/** What a variable is known to be: a register under an expression. */
interface Known {
  readonly reg: Reg;
  readonly expression: string;
}

class RedundantDebugValues {
  private readonly queries: InstrQueries;
  private readonly debugValues: ReadonlySet<number>;

  constructor(
    private readonly editor: FunctionEditor,
    private readonly info: DebugInfo,
  ) {
    this.queries = new InstrQueries(editor.fn);
    this.debugValues = opcodeSet(editor.fn.tables, 'debugValue');
  }

  /**
   * Of several of one variable, with nothing between them, the last one stays.
   * @llvm RemoveRedundantDebugValues.cpp reduceDbgValsBackwardScan
   */
  dropPassed(b: BlockId): void {
    const { editor } = this;
    const followed = new Set<string>();
    const dropped: InstrId[] = [];
    for (let i = editor.list.before(~b); i >= 0; i = editor.list.before(i)) {
      if (!this.isDebugValue(i)) {
        followed.clear();
        continue;
      }
      const variable = this.variableOf(i);
      const isFollowed = followed.has(variable);
      followed.add(variable);
      // A constant stays, and what stands before it.
      if (!isDebugList(editor.fn, i) && !this.isInRegister(i)) {
        if (isFollowed) followed.delete(variable);
      } else if (isFollowed) dropped.push(i);
    }
    for (const i of dropped) editor.erase(i);
  }

  /**
   * The same place again, which nothing has written since.
   * @llvm RemoveRedundantDebugValues.cpp reduceDbgValsForwardScan
   */
  dropKnown(b: BlockId): void {
    const { editor, queries } = this;
    const { fn } = editor;
    const known = new Map<string, Known>();
    for (let i: number = editor.list.first(b); i >= 0;) {
      const next = editor.list.after(i);
      if (this.isDebugValue(i)) {
        const variable = this.variableOf(i);
        if (isDebugList(fn, i) || !this.isInRegister(i)) known.delete(variable);
        else {
          const now = { reg: fn.opVal[fn.opBegin[i]], expression: metadataKey(fn, fn.opBegin[i] + 3) };
          const before = known.get(variable);
          if (before?.reg === now.reg && before.expression === now.expression) editor.erase(i);
          else known.set(variable, now);
        }
      } else if (!queries.isMeta(i))
        for (const [variable, { reg }] of known) if (queries.modifies(i, reg)) known.delete(variable);
      i = next;
    }
  }

  private isDebugValue(i: InstrId): boolean {
    return this.debugValues.has(this.editor.fn.opcode[i]);
  }

  private isInRegister(i: InstrId): boolean {
    const { fn } = this.editor;
    return fn.opKind[fn.opBegin[i]] === OperandKind.Register;
  }

  /** Its part, with where it was inlined. */
  private variableOf(i: InstrId): string {
    const { fn } = this.editor;
    const o = fn.opBegin[i] + (isDebugList(fn, i) ? 0 : 2);
    const location = fn.extras.get(i)?.debugLocation;
    if (location === undefined || fn.opKind[o] !== OperandKind.Metadata)
      throw new NotModelled('debug values without a location or a variable');
    const { text } = fn.payload(o + 1, OperandKind.Metadata);
    return `${metadataKey(fn, o)} ${fragmentOf(text)} ${this.info.inlinedAt(location)}`;
  }
}
