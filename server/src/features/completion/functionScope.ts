/**
 * What completion knows of the function around the cursor: its virtual registers with class, definitions and uses before and after the
 * cursor; its blocks; which opcodes it and its neighbours use. From the syntax tree and the lowered function, both of which hold
 * while a line is half typed.
 */
import { DominatorTree } from '../../analysis/dominators.js';
import { pointerBits, scalarLLT, type LLT } from '../../model/llt.js';
import { OperandKind, OpFlag, type MachineFunction } from '../../model/machineFunction.js';
import type { Opcode, RegClassId } from '../../target/index.js';
import { EntityKind, Role, type SymbolIndex } from '../symbols/symbolIndex.js';
import { Memory } from '../snapshot/memory.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

export interface VRegHere {
  /** with its sigil; made when asked for */
  readonly name: string;
  /** -1 for a named register */
  readonly number: number;
  /** class id, -1 = none */
  readonly regClass: RegClassId;
  readonly bank: number;
  readonly type: LLT | null;
  /** `registers:` says `class: _`: llc takes no class for it */
  readonly isListedGeneric: boolean;
  readonly defs: number;
  readonly uses: number;
  /** reads after the cursor's line, those of `undef` operands left out */
  readonly usesBehind: number;
  /** something reads its value */
  readonly isRead: boolean;
  /** offset of its last definition before the cursor's line, -1 without one */
  readonly lastDef: number;
  /** offset of the last place before the cursor's line where it stands, -1 without one */
  readonly last: number;
  /** offset of the first place after the cursor's line where it stands, -1 without one */
  readonly next: number;
  /** killed at the last */
  readonly isKilled: boolean;
  /** its definition reaches the cursor as far as the blocks tell */
  readonly reaches: boolean;
  /** sub-registers that are written one by one; null when none is */
  readonly partsWritten: ReadonlySet<string> | null;
  /** sub-registers that are read one by one; null when none is */
  readonly partsRead: ReadonlySet<string> | null;
}

/** What follows the number of a register in its entry. */
const GENERIC_ENTRY = /^['"]?,?\s+class:\s*['"]?_['",\s}]/;

/** Thousands of them are looked at for each letter: names are made of those that are shown. */
class Register implements VRegHere {
  constructor(
    private readonly symbols: SymbolIndex,
    private readonly entity: number,
    readonly number: number,
    readonly regClass: RegClassId,
    readonly bank: number,
    readonly type: LLT | null,
    readonly isListedGeneric: boolean,
    readonly defs: number,
    readonly uses: number,
    readonly usesBehind: number,
    readonly isRead: boolean,
    readonly lastDef: number,
    readonly last: number,
    readonly next: number,
    readonly isKilled: boolean,
    readonly reaches: boolean,
    readonly partsWritten: ReadonlySet<string> | null,
    readonly partsRead: ReadonlySet<string> | null,
  ) {}

  get name(): string {
    return `%${this.symbols.nameOf(this.entity)}`;
  }
}

/** Instructions of which opcodes are counted; functions beyond are left out. */
const MAX_COUNTED = 20_000;

export class FunctionScope {
  /** what is kept for the lists that are made of it */
  readonly memory = new Memory();
  private vregList: VRegHere[] | null = null;
  /** index in the list by entity, -1 = not there */
  private placeOf = new Int32Array(0);
  private hereId: number | null = null;

  constructor(
    readonly snapshot: Snapshot,
    readonly view: FunctionView,
    /** absolute offsets of the cursor's line */
    readonly lineStart: number,
    readonly lineEnd: number,
  ) {}

  get fn(): MachineFunction | null {
    return this.view.fn;
  }

  /** Without virtual registers because none are left, not because none are there yet: its code writes physical ones. O(operands) */
  get isAllocated(): boolean {
    const { fn } = this;
    if (fn?.header.noVRegs !== true) return false;
    for (let o = 0; o < fn.nOperands; o++)
      if (fn.opKind[o] === OperandKind.Register && (fn.opFlags[o]! & (OpFlag.Def | OpFlag.Implicit)) === OpFlag.Def)
        return true;
    return false;
  }

  /** Every virtual register that stands outside of the cursor's line, in no order. O(occurrences), once. */
  get vregs(): readonly VRegHere[] {
    return (this.vregList ??= this.readVRegs());
  }

  vreg(name: string): VRegHere | null {
    const { vregs } = this;
    const entity = this.view.symbols.table.find(EntityKind.VReg, name.slice(1));
    return vregs[this.placeOf[entity] ?? -1] ?? null;
  }

  private readVRegs(): VRegHere[] {
    const { symbols, start: base } = this.view;
    const from = this.lineStart - base;
    const to = this.lineEnd - base;
    const { nEntities, kinds } = symbols;
    const lastDef = new Int32Array(nEntities).fill(-1);
    const firstDef = new Int32Array(nEntities).fill(-1);
    const last = new Int32Array(nEntities).fill(-1);
    const next = new Int32Array(nEntities).fill(-1);
    const defs = new Int32Array(nEntities);
    const uses = new Int32Array(nEntities);
    const usesBehind = new Int32Array(nEntities);
    const isHere = new Uint8Array(nEntities);
    const isRead = new Uint8Array(nEntities);
    const killed = new Uint8Array(nEntities);
    const listed = new Int32Array(nEntities).fill(-1);
    const written = new Map<number, Set<string>>();
    const read = new Map<number, Set<string>>();
    const { n, start, end, entity, role } = symbols;
    for (let i = 0; i < n; i++) {
      const e = entity[i]!;
      const at = start[i]!;
      if (kinds[e] !== EntityKind.VReg || (from <= at && at <= to)) continue;
      isHere[e] = 1;
      if ((role[i]! & Role.Declaration) !== 0) listed[e] = end[i]!;
      if ((role[i]! & (Role.Header | Role.Debug)) !== 0) continue;
      const isDef = (role[i]! & Role.Def) !== 0;
      if ((role[i]! & Role.SubReg) !== 0) {
        const part = /^\w+/.exec(this.slice(end[i]! + 1, end[i]! + 40))?.[0] ?? '';
        const parts = isDef ? written : read;
        const known = parts.get(e);
        if (known) known.add(part);
        else parts.set(e, new Set([part]));
      }
      if (isDef) {
        defs[e]!++;
        if (firstDef[e]! < 0) firstDef[e] = at;
        if (at < from) lastDef[e] = at;
      } else {
        uses[e]!++;
        if ((role[i]! & Role.Undef) === 0) {
          isRead[e] = 1;
          if (at > to) usesBehind[e]!++;
        }
      }
      if (at > to && next[e]! < 0) next[e] = at;
      if (at < from) {
        last[e] = at;
        killed[e] = (role[i]! & Role.Kill) !== 0 ? 1 : 0;
      }
    }
    const known = this.indices(nEntities);
    const reach = this.reach();
    const list: VRegHere[] = [];
    const vregs = this.fn?.vregs ?? null;
    this.placeOf = new Int32Array(nEntities).fill(-1);
    for (let e = 0; e < nEntities; e++) {
      if (isHere[e] === 0) continue;
      const v = known[e]!;
      const isUntold = v < 0 || (vregs!.regClass[v]! < 0 && vregs!.bank[v]! < 0);
      this.placeOf[e] = list.length;
      list.push(
        new Register(
          symbols,
          e,
          symbols.isNamed(e) ? -1 : symbols.table.valueOf(e),
          v < 0 ? -1 : vregs!.regClass[v]!,
          v < 0 ? -1 : vregs!.bank[v]!,
          v < 0 ? null : (vregs!.type[v] ?? null),
          isUntold && listed[e]! >= 0 && GENERIC_ENTRY.test(this.slice(listed[e]!, listed[e]! + 40)),
          defs[e]!,
          uses[e]!,
          usesBehind[e]!,
          isRead[e] !== 0,
          lastDef[e]!,
          last[e]!,
          next[e]!,
          killed[e] !== 0,
          lastDef[e]! >= 0 && reach(firstDef[e]!),
          written.get(e) ?? null,
          read.get(e) ?? null,
        ),
      );
    }
    return list;
  }

  /** Index of each register in the function's table by its entity, -1 = it is not there. */
  private indices(nEntities: number): Int32Array {
    const indices = new Int32Array(nEntities).fill(-1);
    const { fn, view } = this;
    const { table } = view.symbols;
    for (let v = 0; fn !== null && v < fn.vregs.n; v++) {
      const name = fn.vregs.name[v] ?? null;
      const entity = name === null ? table.vregOf(fn.vregs.sourceNumber[v]! >>> 0) : table.find(EntityKind.VReg, name);
      if (0 <= entity && entity < nEntities) indices[entity] = v;
    }
    return indices;
  }

  /** Whether the block of an offset dominates the cursor's. */
  private reach(): (offset: number) => boolean {
    const { fn } = this;
    const source = fn?.source ?? null;
    if (fn === null || source === null || fn.blocks.length < 2) return () => true;
    const starts = fn.blocks.map((_, b) => source.blockLabelRange(b).start);
    const blockOf = (offset: number): number => {
      let lo = 0;
      let hi = starts.length - 1;
      while (lo < hi) {
        const mid = (lo + hi + 1) >> 1;
        if (starts[mid]! <= offset) lo = mid;
        else hi = mid - 1;
      }
      return lo;
    };
    const here = blockOf(this.lineStart - this.view.start);
    const tree = new DominatorTree(fn.blocks);
    const isReached = fn.blocks.map((_, b) => tree.treeIn[here] === -1 || tree.dominates(b, here));
    return (offset) => isReached[blockOf(offset)]!;
  }

  /** What stands on the next line with anything but a comment: an instruction, or the end of the block or body. */
  get isLastOfBlock(): boolean {
    const { text } = this.snapshot.text;
    const { body, start } = this.view;
    const end = body === null ? text.length : start + body.start + body.length;
    for (let at = this.lineEnd; at < end;) {
      const from = at + (text.startsWith('\r\n', at) ? 2 : 1);
      const next = /[\r\n]/g;
      next.lastIndex = from;
      const to = Math.min(end, next.exec(text)?.index ?? end);
      const line = text.slice(from, to).trim();
      if (line !== '' && !line.startsWith(';')) return /^bb\.\d/.test(line);
      at = Math.max(to, from);
    }
    return true;
  }

  /** The same for the line above: nothing but PHIs and live-ins stand before the cursor's line in its block. */
  get isFirstOfBlock(): boolean {
    const { text } = this.snapshot.text;
    for (let at = this.lineStart - 1; at > this.view.start;) {
      const from = text.lastIndexOf('\n', at - 1) + 1;
      const line = text.slice(from, at).trim();
      at = from - 1;
      if (line !== '' && !/^;|^successors:|^liveins:/.test(line))
        return /^bb\.\d/.test(line) || / = (?:G_)?PHI /.test(line);
    }
    return true;
  }

  /** Text of the document by its own offsets. */
  slice(start: number, end: number): string {
    return this.snapshot.text.slice(this.view.start + start, this.view.start + end);
  }

  /** `%bb.N` of the successors that the cursor's block has by its line. */
  successorsHere(): string[] {
    const { fn } = this;
    const here = this.blockHere();
    if (fn === null || here < 0) return [];
    return fn.blocks[here]!.successors.map((b) => `%bb.${fn.blocks[b]!.sourceNumber}`);
  }

  /** Block of the cursor's line, -1 where that is not known. */
  blockHere(): number {
    const source = this.fn?.source ?? null;
    if (this.fn === null || source === null) return -1;
    let lo = 0;
    let hi = this.fn.blocks.length - 1;
    while (lo < hi) {
      const mid = (lo + hi + 1) >> 1;
      if (source.blockLabelRange(mid).start + this.view.start <= this.lineStart) lo = mid;
      else hi = mid - 1;
    }
    return hi < 0 ? -1 : lo;
  }

  /** A number that is missing after the last register that is written above; -1 when none is. */
  get gap(): number {
    let last: VRegHere | null = null;
    for (const v of this.vregs) if (v.lastDef >= 0 && v.lastDef > (last?.lastDef ?? -1)) last = v;
    if (last === null || last.number < 0) return -1;
    return this.vreg(`%${last.number + 1}`) === null ? last.number + 1 : -1;
  }

  /** Share of registers that have types rather than classes. */
  get genericShare(): number {
    const { vregs } = this;
    return vregs.length === 0 ? 0 : vregs.filter((v) => v.regClass < 0 && v.type !== null).length / vregs.length;
  }

  /** The smallest number that no virtual register has after all that exist. */
  get nextVReg(): number {
    let next = 0;
    for (const { number } of this.vregs) next = Math.max(next, number + 1);
    return next;
  }

  /** Functions of the file from this one outwards, as many as are worth counting. */
  private neighbours(): MachineFunction[] {
    const { functions } = this.snapshot;
    const at = functions.indexOf(this.view);
    const list: MachineFunction[] = [];
    let n = 0;
    for (let d = 0; d < functions.length && n < MAX_COUNTED; d++)
      for (const k of d === 0 ? [at] : [at - d, at + d]) {
        const fn = functions[k]?.fn;
        if (!fn) continue;
        list.push(fn);
        n += fn.nInstrs;
      }
    return list;
  }

  /** The instruction of the cursor's line, -1 without one. */
  private get instrHere(): number {
    if (this.hereId !== null) return this.hereId;
    const { fn, view } = this;
    const at = fn?.source ? lastBefore(fn, this.lineEnd - view.start + 1) : -1;
    const isHere = at >= 0 && this.isOnLine(fn!.source!.instrRange(at).start);
    return (this.hereId = isHere ? at : -1);
  }

  /** Opcodes in use, how often each stands after `before`, how often each stands before `after`, and the cursor's own left out. */
  opcodeUse(): OpcodeUse {
    const { fn, view } = this;
    const source = fn?.source ?? null;
    let before: Opcode = -1;
    let behind: Opcode = -1;
    if (fn !== null && source !== null) {
      const at = lastBefore(fn, this.lineStart - view.start);
      if (at >= 0) before = fn.opcode[at]!;
      for (let next = at + 1; next < fn.nInstrs; next++)
        if (source.instrRange(next).start > this.lineEnd - view.start) {
          behind = fn.opcode[next]!;
          break;
        }
    }
    const here = this.instrHere;
    const count = new Map<Opcode, number>();
    const follows = new Map<Opcode, number>();
    const precedes = new Map<Opcode, number>();
    const add = (map: Map<Opcode, number>, opc: Opcode): void => void map.set(opc, (map.get(opc) ?? 0) + 1);
    for (const each of this.neighbours())
      for (let i = 0; i < each.nInstrs; i++) {
        const opc = each.opcode[i]!;
        if (each === fn && i === here) continue;
        add(count, opc);
        if (i > 0 && each.opcode[i - 1] === before) add(follows, opc);
        if (i + 1 < each.nInstrs && each.opcode[i + 1] === behind) add(precedes, opc);
      }
    return { count, follows, precedes };
  }

  /** Whether an offset of the document lies in the cursor's line. */
  isOnLine(offset: number): boolean {
    const at = offset + this.view.start;
    return this.lineStart <= at && at <= this.lineEnd;
  }

  /** Calls `visit` for the last `most` instructions before the cursor's line, the nearest first. */
  eachAbove(most: number, visit: (i: number) => void): void {
    const { fn } = this;
    if (!fn?.source) return;
    const last = lastBefore(fn, this.lineStart - this.view.start);
    for (let i = last; i >= 0 && i > last - most; i--) visit(i);
  }

  /** Calls `visit` for the instructions of this function with that opcode, `most` at the most, the cursor's left out. */
  eachOf(opc: Opcode, most: number, visit: (i: number) => void): void {
    const { fn, instrHere } = this;
    for (let i = 0, n = 0; fn !== null && i < fn.nInstrs && n < most; i++)
      if (fn.opcode[i] === opc && i !== instrHere) {
        n++;
        visit(i);
      }
  }

  /** The nearest instructions of that opcode above the cursor's line, `most` at the most, the nearest first. */
  nearestOf(opc: Opcode, most: number): number[] {
    const list: number[] = [];
    const { fn } = this;
    if (!fn?.source) return list;
    for (let i = lastBefore(fn, this.lineStart - this.view.start); i >= 0 && list.length < most; i--)
      if (fn.opcode[i] === opc) list.push(i);
    return list;
  }

  /** Calls `visit` for every instruction of the counted functions with that opcode, the cursor's left out. */
  eachWith(opc: Opcode, visit: (fn: MachineFunction, i: number) => void): void {
    for (const each of this.neighbours())
      for (let i = 0; i < each.nInstrs; i++)
        if (each.opcode[i] === opc && !(each === this.fn && i === this.instrHere)) visit(each, i);
  }
}

export interface OpcodeUse {
  readonly count: ReadonlyMap<Opcode, number>;
  readonly follows: ReadonlyMap<Opcode, number>;
  readonly precedes: ReadonlyMap<Opcode, number>;
}

/** The last instruction that begins before `offset` of the document, -1 without one. */
function lastBefore(fn: MachineFunction, offset: number): number {
  const { source } = fn;
  let lo = -1;
  let hi = fn.nInstrs - 1;
  while (lo < hi) {
    const mid = (lo + hi + 1) >> 1;
    if (source!.instrRange(mid).start < offset) lo = mid;
    else hi = mid - 1;
  }
  return lo;
}

/** `s32`, `p1`, `<2 x s16>`; null where it is no type. */
export function typeOfText(text: string): LLT | null {
  const [, n, kind, size] = /^(?:<(\d+) x )?([sp])(\d+)>?$/.exec(text) ?? [];
  if (kind === undefined) return null;
  const isPointer = kind === 'p';
  const element: LLT = {
    ...scalarLLT(isPointer ? pointerBits(Number(size)) : Number(size)),
    kind: n !== undefined ? 'vector' : isPointer ? 'pointer' : 'scalar',
    addressSpace: isPointer ? Number(size) : -1,
  };
  return n === undefined ? element : { ...element, numElements: Number(n) };
}
