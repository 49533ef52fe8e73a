/**
 * `livedebugvalues`: debug values go on into the blocks that they reach, and follow values that are spilled or copied (LiveDebugValues, its
 * implementation by places; LLVM 22; docs/llvm/debug-values.md).
 */
import { frameRegister } from '../../analysis/frame/framePointers.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { OpFlag, OperandKind, type BlockId, type InstrId } from '../../model/machineFunction.js';
import { MemFlag, type MemOperand } from '../../model/memOperand.js';
import { maskClobbers } from '../../model/regMask.js';
import { McFlag, type PhysReg } from '../../target/api.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { reversePostOrder } from '../../util/reversePostOrder.js';
import { lineOfLocation } from '../debugLines.js';
import { DebugInfo, LexicalScopes } from '../debugInfo/scopes.js';
import { InstrQueries } from '../instrQueries.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { CFG, type PassContext } from '../passContext.js';
import { EntryValues } from './entryValues.js';
import { OpenRanges } from './openRanges.js';
import { isBackup, isSamePlace, VarLocs, type Place, type VarLoc } from './varLocs.js';
import { findVariables, type Variable } from './variables.js';
import { headOf, instrsOf, nextInstr } from './walk.js';

/** @llvm LiveDebugValues.cpp LiveDebugValuesLegacy */
export const liveDebugValuesPass: MachinePass = {
  name: 'livedebugvalues',
  pipelineName: 'live-debug-values',
  className: 'LiveDebugValuesPass',
  title: 'Live DEBUG_VALUE analysis',
  requires: [],
  preserves: [CFG],
  run(state) {
    const { context, fn } = state;
    const info = DebugInfo.of(context.ir, state.header.name);
    if (info === null || info.isFunctionSkipped) return;
    const values = opcodeSet(fn.tables, 'debugInstr');
    if (!fn.layout().some((i) => values.has(fn.opcode[i]))) return;
    if (state.header.debugInstrRef || context.options.get('force-instr-ref-livedebugvalues') === true)
      throw new NotModelled('debug values by references to instructions');
    new LiveDebugValues(state.editor(), info, context).run();
  },
};

/** A debug value that has to stand after an instruction. */
interface Transfer {
  readonly after: InstrId;
  readonly loc: VarLoc;
}

/** @llvm VarLocBasedImpl.cpp VarLocBasedLDV */
class LiveDebugValues {
  private readonly queries: InstrQueries;
  private readonly debugInstrs: ReadonlySet<number>;
  private readonly copy: number;
  /** by debug value */
  private readonly ofInstr: ReadonlyMap<InstrId, Variable>;
  /** debug values outside bundles */
  private readonly nValues: number;
  private readonly locs: VarLocs;
  private readonly open: OpenRanges;
  private readonly entries: EntryValues;
  private readonly scopes: LexicalScopes;
  /** by location: the blocks that its scope reaches, null = all */
  private readonly reached = new Map<string, Uint8Array | null>();
  /** by block; places at its beginning and end, in the order of their numbers, null = not visited */
  private readonly liveIn: (readonly VarLoc[] | null)[];
  private readonly liveOut: (readonly VarLoc[] | null)[];
  private readonly transfers: Transfer[] = [];
  private readonly stackPointer: PhysReg;
  private readonly frameRegister: PhysReg;
  private readonly savedByCallee: readonly PhysReg[];

  constructor(
    private readonly editor: FunctionEditor,
    info: DebugInfo,
    private readonly context: PassContext,
  ) {
    const { fn } = editor;
    const { tables, header } = fn;
    this.queries = new InstrQueries(fn);
    this.debugInstrs = opcodeSet(tables, 'debugInstr');
    const { ofInstr, nOutside } = findVariables(editor, info, context.ir);
    this.ofInstr = ofInstr;
    this.nValues = nOutside;
    this.copy = tables.opcodeByName('COPY');
    const variableOf = (i: InstrId): Variable => this.ofInstr.get(i)!;
    this.locs = new VarLocs(editor, variableOf);
    this.open = new OpenRanges(tables);
    this.scopes = new LexicalScopes(editor, info);
    this.liveIn = Array.from({ length: fn.blocks.length }, () => null);
    this.liveOut = Array.from({ length: fn.blocks.length }, () => null);
    this.stackPointer = tables.regByName('sgpr32');
    this.frameRegister = frameRegister(header);
    this.savedByCallee = header.frameInfo.isCalleeSavedInfoValid
      ? [...header.fixedStack, ...header.stack].flatMap((o) => o.calleeSavedRegister ?? [])
      : [];
    this.entries = new EntryValues(editor, this.locs, this.open, [this.stackPointer, this.frameRegister], variableOf);
  }

  run(): void {
    const order = reversePostOrder(this.editor.fn.blocks);
    if (order.length > this.limit('bb', 10000) && this.nValues > this.limit('dbg-value', 50000)) return;
    const hasEntryValues = this.context.options.get('debug-entry-values') === true;
    if (hasEntryValues) this.entries.record();
    this.solve(order);
    for (const { after, loc } of this.transfers) this.writeAfter(after, loc);
    for (const { after, loc } of this.entries.transfers) this.writeAfter(after, loc);
    this.liveIn.forEach((locs, b) => {
      for (const loc of locs ?? []) if (!isBackup(loc)) this.locs.write(loc, b, this.editor.list.first(b));
    });
  }

  private limit(what: 'bb' | 'dbg-value', usual: number): number {
    const given = this.context.options.get(`livedebugvalues-input-${what}-limit`);
    return given === undefined ? usual : Number(given);
  }

  private writeAfter(i: InstrId, loc: VarLoc): void {
    const { fn, list } = this.editor;
    this.locs.write(loc, fn.instrBlock[i], list.after(headOf(this.editor, i)));
  }

  private isDebugValue(i: InstrId): boolean {
    return this.ofInstr.has(i);
  }

  // -- blocks --------------------------------------------------------------------------------------------------------

  /**
   * Blocks in their order, until nothing changes any more.
   * @llvm VarLocBasedImpl.cpp VarLocBasedLDV::ExtendRanges
   */
  private solve(order: readonly BlockId[]): void {
    const { blocks } = this.editor.fn;
    const place = new Int32Array(blocks.length);
    order.forEach((b, k) => (place[b] = k));
    let work = order.map((_, k) => k);
    while (work.length > 0) {
      const next = new Set<number>();
      for (const k of work) {
        const b = order[k];
        const isFirst = this.liveOut[b] === null;
        if ((this.join(b) || isFirst) && this.visit(b)) for (const s of blocks[b].successors) next.add(place[s]);
      }
      work = [...next].sort((x, y) => x - y);
    }
  }

  /**
   * What all blocks before this one that were visited agree on, as far as it is in scope. Whether that is new.
   * @llvm VarLocBasedImpl.cpp VarLocBasedLDV::join
   */
  private join(b: BlockId): boolean {
    let common: readonly VarLoc[] | null = null;
    for (const p of this.editor.fn.blocks[b].predecessors) {
      const out = this.liveOut[p];
      if (out !== null) common = common === null ? out : intersection(common, out);
    }
    const isArtificial = this.isArtificial(b);
    const locs = (common ?? []).filter((loc) => isArtificial || this.reaches(loc, b));
    const isNew = !isEqual(this.liveIn[b] ?? [], locs);
    this.liveIn[b] = locs;
    return isNew;
  }

  private readonly artificial = new Map<BlockId, boolean>();

  /** No line of the source is the cause of anything in it. */
  private isArtificial(b: BlockId): boolean {
    let answer = this.artificial.get(b);
    if (answer === undefined) {
      const { fn } = this.editor;
      const lineOf = lineOfLocation(this.context.debugNames);
      answer = true;
      const hasLine = (i: InstrId): boolean => {
        const location = fn.extras.get(i)?.debugLocation;
        return location !== undefined && lineOf(location) !== 0;
      };
      for (const i of instrsOf(this.editor, b)) if (answer && hasLine(i)) answer = false;
      this.artificial.set(b, answer);
    }
    return answer;
  }

  private reaches(loc: VarLoc, b: BlockId): boolean {
    const location = this.editor.fn.extras.get(loc.origin)?.debugLocation ?? '';
    let blocks = this.reached.get(location);
    if (blocks === undefined) this.reached.set(location, (blocks = this.scopes.blocksAt(location)));
    return blocks === null || blocks[b] === 1;
  }

  /** Whether other places hold at the end of the block than did before. */
  private visit(b: BlockId): boolean {
    const { editor, open, entries } = this;
    for (const loc of this.liveIn[b] ?? []) open.insert(loc);
    entries.beginBlock();
    for (const i of instrsOf(editor, b)) this.pass(i, b);
    const before = this.liveOut[b] ?? [];
    const now = open.sorted();
    this.liveOut[b] = now;
    open.clear();
    return !isEqual(before, now);
  }

  // -- instructions --------------------------------------------------------------------------------------------------

  /** @llvm VarLocBasedImpl.cpp VarLocBasedLDV::process */
  private pass(i: InstrId, b: BlockId): void {
    const { fn } = this.editor;
    if (!this.debugInstrs.has(fn.opcode[i])) this.entries.isAtStart = false;
    if (this.isDebugValue(i)) this.passDebugValue(i, b);
    if (!this.queries.isMeta(i)) this.passDefs(i);
    if (fn.opcode[i] === this.copy) this.passCopy(i);
    this.passSpill(i);
  }

  /** @llvm VarLocBasedImpl.cpp VarLocBasedLDV::transferDebugValue */
  private passDebugValue(i: InstrId, b: BlockId): void {
    const variable = this.ofInstr.get(i)!;
    this.entries.passDebugValue(i, variable, b === 0);
    const loc = this.locs.of(i);
    this.open.eraseVariable(variable, false);
    if (loc !== null) this.open.insert(loc);
  }

  /**
   * What is in a register that is written is there no longer.
   * @llvm VarLocBasedImpl.cpp VarLocBasedLDV::transferRegisterDef
   */
  private passDefs(i: InstrId): void {
    const { fn } = this.editor;
    const { open, queries, entries } = this;
    const gone = new Set<PhysReg>();
    const isCall = queries.anyHas(i, McFlag.Call);
    const masks: number[] = [];
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] === OperandKind.RegisterMask) masks.push(o);
      if (fn.opKind[o] !== OperandKind.Register || !queries.isDef(o) || fn.opVal[o] <= 0) continue;
      if (isCall && fn.opVal[o] === this.stackPointer) continue;
      open.registersOver(fn.opVal[o], gone);
      entries.noteDef(fn.opVal[o], i);
    }
    if (masks.length > 0)
      for (const reg of open.usedRegisters()) {
        if (reg === this.stackPointer || !masks.some((o) => maskClobbers(fn, o, reg))) continue;
        gone.add(reg);
        entries.noteDef(reg, i);
      }
    const killed = new Set<VarLoc>();
    for (const reg of [...gone].sort((x, y) => x - y)) for (const loc of open.at(reg)) killed.add(loc);
    for (const loc of killed) open.erase(loc);
    if (!queries.anyHas(i, McFlag.Terminator)) entries.useInstead(i, [...killed]);
  }

  /**
   * A value that moves into a register that the function saves for its caller stays known there.
   * @llvm VarLocBasedImpl.cpp VarLocBasedLDV::transferRegisterCopy
   */
  private passCopy(i: InstrId): void {
    const { fn } = this.editor;
    const { open, queries } = this;
    const to = fn.opBegin[i];
    const from = to + 1;
    const [reg, source] = [fn.opVal[to], fn.opVal[from]];
    if (!queries.isDef(to) || !this.savedByCallee.some((saved) => queries.overlaps(saved, reg))) return;
    this.entries.passCopy(reg, source);
    if ((fn.opFlags[from] & OpFlag.Kill) === 0 || source <= 0) return;
    const [loc] = open.at(source);
    if (loc !== undefined) this.move(i, loc, { kind: 'register', reg: source }, { kind: 'register', reg });
  }

  /** @llvm VarLocBasedImpl.cpp VarLocBasedLDV::insertTransferDebugPair */
  private move(i: InstrId, loc: VarLoc, from: Place, to: Place): void {
    const moved = this.locs.moved(loc, from, to);
    this.open.eraseVariable(loc.variable, false);
    this.open.insert(moved);
    this.transfers.push({ after: i, loc: moved });
  }

  /**
   * A value that is stored into a slot and dies in its register is in the slot; what was there before is no more.
   * @llvm VarLocBasedImpl.cpp VarLocBasedLDV::transferSpillOrRestoreInst
   */
  private passSpill(i: InstrId): void {
    const { locs, open } = this;
    const slot = this.storedSlot(i);
    if (slot === null) return;
    const isThere = (place: Place): boolean => isSamePlace(place, slot);
    for (const loc of open.spilled()) {
      if (!loc.places.some(isThere)) continue;
      this.transfers.push({ after: i, loc: locs.moved(loc, slot, { kind: 'register', reg: 0 }) });
      open.erase(loc);
    }
    const reg = this.spilledRegister(i);
    if (reg <= 0) return;
    const [loc] = open.at(reg);
    if (loc !== undefined) this.move(i, loc, { kind: 'register', reg }, slot);
  }

  /**
   * The slot that an instruction stores to with its only access; null = none.
   * @llvm VarLocBasedImpl.cpp VarLocBasedLDV::isSpillInstruction
   */
  private storedSlot(i: InstrId): Place | null {
    const { memOperands, header } = this.editor.fn;
    const memory = memOperands[i] as readonly MemOperand[] | null | undefined;
    if (memory?.length !== 1 || (memory[0].flags & MemFlag.Store) === 0) return null;
    const { pointer } = memory[0];
    if (pointer.kind !== 'frameIndex') return null;
    const { index } = pointer;
    const { offset } = index < 0 ? header.fixedStack[~index] : header.stack[index];
    return { kind: 'slot', base: this.frameRegister, offset: Number(offset) };
  }

  /**
   * The first register that is read and dies here or in the next instruction; 0 = none.
   * @llvm VarLocBasedImpl.cpp VarLocBasedLDV::isLocationSpill
   */
  private spilledRegister(i: InstrId): PhysReg {
    const { fn } = this.editor;
    const next = nextInstr(this.editor, i);
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (this.queries.isDef(o)) continue;
      const reg = fn.opVal[o];
      if ((fn.opFlags[o] & OpFlag.Kill) !== 0 || (reg !== 0 && next >= 0 && this.kills(next, reg))) return reg;
    }
    return 0;
  }

  private kills(i: InstrId, reg: PhysReg): boolean {
    const { fn } = this.editor;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (fn.opVal[o] === reg && !this.queries.isDef(o) && (fn.opFlags[o] & OpFlag.Kill) !== 0) return true;
    return false;
  }
}

/** Both in the order of their numbers. */
function intersection(a: readonly VarLoc[], b: readonly VarLoc[]): VarLoc[] {
  const found: VarLoc[] = [];
  for (let i = 0, k = 0; i < a.length && k < b.length;) {
    if (a[i] === b[k]) found.push(a[i]);
    if (a[i].id <= b[k].id) i++;
    else k++;
  }
  return found;
}

const isEqual = (a: readonly VarLoc[], b: readonly VarLoc[]): boolean =>
  a.length === b.length && a.every((loc, k) => loc === b[k]);
