/** machine-sink: debug values of what goes down, which go along or say that nothing is known (docs/llvm/improving-ssa.md, 4). */
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { OperandKind, type BlockId, type InstrId } from '../../model/machineFunction.js';
import { isVirtualReg, NO_REG, type Reg } from '../../model/register.js';
import { fragmentOf } from '../debugInfo/expression.js';
import type { DebugInfo } from '../debugInfo/scopes.js';
import { NotModelled } from '../machinePass.js';
import { debugOperands, isDebugList, loseDebugValue, renameOperands, metadataKey } from '../debugOperands.js';

/** A debug value below in the block; `isPassed`: another one of the variable follows it. */
interface DebugUser {
  readonly instr: InstrId;
  readonly isPassed: boolean;
}

interface Sinking {
  readonly instr: InstrId;
  readonly reg: Reg;
}

export class SunkDebugValues {
  private readonly users = new Map<Reg, DebugUser[]>();
  private readonly variables = new Set<string>();

  /** `info`: of the function, null without */
  constructor(
    private readonly editor: FunctionEditor,
    private readonly info: DebugInfo | null,
  ) {}

  beginBlock(): void {
    this.users.clear();
    this.variables.clear();
  }

  /**
   * A debug value that the walk up the block has come to.
   * @llvm MachineSink.cpp MachineSinking::ProcessDbgInst
   */
  note(i: InstrId): void {
    const { fn } = this.editor;
    const location = fn.extras.get(i)?.debugLocation;
    const variable = fn.opBegin[i] + (isDebugList(fn, i) ? 0 : 2);
    const named = new Set(debugOperands(fn, i, NO_REG).map((o) => fn.opVal[o]));
    if (location === undefined || this.info === null || fn.opKind[variable] !== OperandKind.Metadata) {
      if ([...named].some(isVirtualReg)) throw new NotModelled('debug values without a location or a variable');
      return;
    }
    const expression = fn.payload(variable + 1, OperandKind.Metadata).text;
    const key = `${metadataKey(fn, variable)} ${fragmentOf(expression)} ${this.info.inlinedAt(location)}`;
    const isPassed = this.variables.has(key);
    for (const o of debugOperands(fn, i, NO_REG)) {
      const reg = fn.opVal[o];
      if (!isVirtualReg(reg)) continue;
      const users = this.users.get(reg);
      if (users === undefined) this.users.set(reg, [{ instr: i, isPassed }]);
      else users.push({ instr: i, isPassed });
    }
    this.variables.add(key);
  }

  /** What goes along with `i`, and what is changed where it stays. `isBelow`: whether a block is dominated by the one that `i` goes to. */
  prepare(i: InstrId, isBelow: (b: BlockId) => boolean): readonly Sinking[] {
    const { editor } = this;
    const { fn } = editor;
    const going: Sinking[] = [];
    const defs: Reg[] = [];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (editor.isDef(o) && isVirtualReg(fn.opVal[o])) defs.push(fn.opVal[o]);
    for (const reg of defs)
      for (const { instr, isPassed } of this.users.get(reg) ?? []) {
        if (!isPassed) going.push({ instr, reg });
        else if (!this.readThrough(i, instr, reg)) loseDebugValue(this.editor, instr);
      }
    if (this.info !== null && this.isCopy(i)) for (const reg of defs) this.salvage(i, reg, isBelow);
    return going;
  }

  /** After `i` has moved before `at`. */
  finish(i: InstrId, going: readonly Sinking[], at: ListPos, block: BlockId): void {
    for (const { instr, reg } of going) {
      this.editor.insertCopy(at, block, instr);
      if (debugOperands(this.editor.fn, instr, reg).length > 0 && !this.readThrough(i, instr, reg))
        loseDebugValue(this.editor, instr);
    }
  }

  private isCopy(i: InstrId): boolean {
    const { fn } = this.editor;
    return fn.opcode[i] === fn.tables.opcodeByName('COPY');
  }

  /**
   * The debug value names what was copied.
   * @llvm MachineSink.cpp attemptDebugCopyProp
   */
  private readThrough(copy: InstrId, value: InstrId, reg: Reg): boolean {
    const { editor } = this;
    const { fn } = editor;
    if (!this.isCopy(copy)) return false;
    const [to, from] = [fn.opBegin[copy], fn.opBegin[copy] + 1];
    if (!isVirtualReg(fn.opVal[from])) return false;
    const operands = debugOperands(fn, value, reg);
    if (operands.some((o) => fn.opSub[o] !== fn.opSub[from] || fn.opSub[o] !== fn.opSub[to])) return false;
    renameOperands(editor, operands, from);
    return true;
  }

  /**
   * Debug values in other blocks that are not below where a copy goes name what it copies.
   * @llvm MachineSink.cpp MachineSinking::SalvageUnsunkDebugUsersOfCopy
   */
  private salvage(copy: InstrId, reg: Reg, isBelow: (b: BlockId) => boolean): void {
    const { editor } = this;
    const { fn } = editor;
    const values = [...editor.operandsOf(reg)].filter((o) => editor.isDebug(o)).map((o) => editor.instrOf(o));
    for (const value of values)
      if (fn.instrBlock[value] !== fn.instrBlock[copy] && !isBelow(fn.instrBlock[value]))
        renameOperands(editor, debugOperands(fn, value, reg), fn.opBegin[copy] + 1);
  }
}
