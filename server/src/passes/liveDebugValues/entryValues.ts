/**
 * Parameters that nobody has changed have the value that their register held when the function was entered, wherever else they are (the option
 * -debug-entry-values; the target itself does not ask for it).
 */
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { OperandKind, type InstrId } from '../../model/machineFunction.js';
import type { PhysReg } from '../../target/api.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { asEntryValue, isEmpty, isPlain } from '../debugInfo/expression.js';
import type { OpenRanges } from './openRanges.js';
import { EntryKind, placeOperands, type VarLoc, type VarLocs } from './varLocs.js';
import { debugFields, type Variable } from './variables.js';

/** More than these are killed in the order of their numbers. */
const SMALL_SET = 32;

export class EntryValues {
  /** nothing but debug instructions stands above in the block */
  isAtStart = true;
  private isOn = false;
  /** by register: what wrote it last in the block */
  private readonly lastDef = new Map<PhysReg, InstrId>();
  private readonly written: { readonly after: InstrId; readonly loc: VarLoc }[] = [];

  constructor(
    private readonly editor: FunctionEditor,
    private readonly locs: VarLocs,
    private readonly open: OpenRanges,
    /** registers of the frame, in which no parameter is */
    private readonly ofFrame: readonly PhysReg[],
    private readonly variableOf: (i: InstrId) => Variable,
  ) {}

  /** Debug values that say so. */
  get transfers(): readonly { readonly after: InstrId; readonly loc: VarLoc }[] {
    return this.written;
  }

  /**
   * Finds the parameters that are in a register when the function is entered.
   * @llvm VarLocBasedImpl.cpp VarLocBasedLDV::recordEntryValue
   */
  record(): void {
    this.isOn = true;
    const { fn, list } = this.editor;
    const values = opcodeSet(fn.tables, 'debugValue');
    const defined: PhysReg[] = [];
    for (let i: number = list.first(0); i >= 0; i = list.after(i)) {
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
        if (this.editor.isDef(o) && fn.opVal[o] > 0) defined.push(fn.opVal[o]);
      if (!values.has(fn.opcode[i]) || !this.isCandidate(i, defined)) continue;
      const variable = this.variableOf(i);
      if (this.open.backupOf(variable) !== null) continue;
      const expression = asEntryValue(debugFields(fn, i).expression);
      const reg = fn.opVal[placeOperands(fn, i)[0]];
      this.open.insert(this.locs.ofEntry({ variable, origin: i }, EntryKind.Backup, expression, reg));
    }
  }

  /** @llvm VarLocBasedImpl.cpp VarLocBasedLDV::isEntryValueCandidate */
  private isCandidate(i: InstrId, defined: readonly PhysReg[]): boolean {
    const { fn } = this.editor;
    const variable = this.variableOf(i);
    if (!variable.isParameter || variable.isInlined) return false;
    const [o] = placeOperands(fn, i);
    if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] <= 0 || this.ofFrame.includes(fn.opVal[o])) return false;
    if (defined.some((reg) => fn.tables.regsOverlap(reg, fn.opVal[o]))) return false;
    return isPlain(debugFields(fn, i).expression);
  }

  beginBlock(): void {
    this.isAtStart = true;
    this.lastDef.clear();
  }

  noteDef(reg: PhysReg, i: InstrId): void {
    if (this.isOn) this.lastDef.set(reg, i);
  }

  /** A parameter that something else is said of now is changed, unless that is a copy of it. */
  passDebugValue(i: InstrId, variable: Variable, isInEntryBlock: boolean): void {
    const backup = this.open.backupOf(variable);
    if (variable.isParameter && backup !== null) this.drop(i, backup, isInEntryBlock);
  }

  /** @llvm VarLocBasedImpl.cpp VarLocBasedLDV::removeEntryValue */
  private drop(i: InstrId, backup: VarLoc, isInEntryBlock: boolean): void {
    const { fn } = this.editor;
    const [o] = placeOperands(fn, i);
    if (i === backup.origin || fn.opKind[o] !== OperandKind.Register) return;
    const reg = fn.opVal[o];
    const def = this.lastDef.get(reg);
    if (def === undefined && this.isAtStart && isInEntryBlock) return;
    if (def !== undefined && isEmpty(debugFields(fn, i).expression) && this.isCopyOfEntry(def, reg)) return;
    const registerOf = ({ places: [place] }: VarLoc): number => (place.kind === 'register' ? place.reg : -1);
    const written = this.written.find(
      ({ after, loc }) =>
        after === def &&
        loc.variable === backup.variable &&
        loc.expression === backup.expression &&
        registerOf(loc) === registerOf(backup),
    );
    if (written !== undefined) {
      this.open.eraseVariable(written.loc.variable, false);
      for (let k = this.written.length - 1; k >= 0; k--) if (this.written[k].after === def) this.written.splice(k, 1);
    }
    this.open.eraseVariable(backup.variable, true);
  }

  private isCopyOfEntry(def: InstrId, reg: PhysReg): boolean {
    const { fn } = this.editor;
    if (fn.tables.opcodeName(fn.opcode[def]) !== 'COPY' || fn.opVal[fn.opBegin[def]] !== reg) return false;
    const source = fn.opVal[fn.opBegin[def] + 1];
    return this.open
      .allBackups()
      .some(
        ({ entry, places: [place], origin }) =>
          entry === EntryKind.CopyBackup &&
          place.kind === 'register' &&
          place.reg === reg &&
          fn.opVal[placeOperands(fn, origin)[0]] === source,
      );
  }

  /**
   * Variables that are nowhere any more after an instruction are what they were at entry.
   * @llvm VarLocBasedImpl.cpp VarLocBasedLDV::emitEntryValues
   */
  useInstead(i: InstrId, killed: VarLoc[]): void {
    if (!this.isOn) return;
    if (killed.length > SMALL_SET) killed.sort((a, b) => a.id - b.id);
    for (const { variable } of killed) {
      const backup = variable.isParameter ? this.open.backupOf(variable) : null;
      const [place] = backup?.places ?? [];
      if (backup === null || place?.kind !== 'register') continue;
      const loc = this.locs.ofEntry(backup, EntryKind.Value, backup.expression, place.reg);
      this.written.push({ after: i, loc });
      this.open.insert(loc);
    }
  }

  /** A register has a copy of it, in which a later debug value may find it. */
  passCopy(to: PhysReg, from: PhysReg): void {
    if (this.ofFrame.includes(to)) return;
    const backup = this.open
      .allBackups()
      .find(
        ({ entry, places: [place] }) => entry === EntryKind.Backup && place.kind === 'register' && place.reg === from,
      );
    if (backup === undefined) return;
    this.open.eraseVariable(backup.variable, true);
    this.open.insert(this.locs.ofEntry(backup, EntryKind.CopyBackup, backup.expression, to));
  }
}
