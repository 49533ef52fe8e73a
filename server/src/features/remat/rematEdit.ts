/**
 * Rematerializations as edits of the text: a copy of the definition before the first user of each region, the definition
 * itself gone when nobody needs it where it was. Comments and CHECK lines stay as they are.
 *
 * The first copy keeps the register when the definition goes, every other one gets a register of its own. Debug instructions follow the
 * copy before them in their block; where the value is gone they name no register.
 */
import {
  OpFlag,
  OperandKind,
  type FunctionSource,
  type InstrId,
  type MachineFunction,
} from '../../model/machineFunction.js';
import type { RematChoice } from '../../passes/scheduler/remat/advice/analysis.js';
import type { Hoist } from '../../passes/scheduler/remat/advice/hoist.js';
import type { RematCandidate, UseGroup } from '../../passes/scheduler/remat/advice/candidates.js';
import type { TextRange } from '../../text/diagnostic.js';
import type { TextEdit } from '../../text/sourceText.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import type { VRegId } from '../../model/register.js';

export interface InsertedCopy {
  /** the copy stands before this instruction; the number of instructions = after all of them */
  readonly before: InstrId;
  /** region that it belongs to */
  readonly region: number;
}

export interface RematEdit {
  /** absolute offsets, ascending, not overlapping */
  readonly edits: readonly TextEdit[];
  /** where copies are inserted, in text order */
  readonly copies: readonly InsertedCopy[];
  /** definitions that are gone, ascending */
  readonly removed: readonly InstrId[];
}

/** Null when a register is spelled in a way that cannot be edited, or one choice reads what another one moves. */
export function rematEdit(snapshot: Snapshot, view: FunctionView, choices: readonly RematChoice[]): RematEdit | null {
  const { fn } = view;
  if (!fn?.source || choices.length === 0) return null;
  return new Editor(snapshot, view, fn, fn.source, view.remat!.candidates.regionOf).run(choices);
}

/** The edit of the way back; null when a register is spelled in a way that cannot be edited. */
export function hoistEdit(snapshot: Snapshot, view: FunctionView, hoist: Hoist): RematEdit | null {
  const { fn } = view;
  if (!fn?.source) return null;
  return new Editor(snapshot, view, fn, fn.source, view.remat!.candidates.regionOf).hoist(hoist);
}

class Editor {
  /** by start: what replaces [start, end) */
  private readonly replaced = new Map<number, { end: number; text: string }>();
  private readonly insertedBefore = new Map<InstrId, string[]>();
  private readonly removed = new Set<InstrId>();
  private readonly names: NewNames;
  private readonly entries: string[] = [];
  private readonly base: number;

  constructor(
    private readonly snapshot: Snapshot,
    view: FunctionView,
    private readonly fn: MachineFunction,
    private readonly source: FunctionSource,
    private readonly regionOf: Int32Array,
  ) {
    this.base = view.start;
    this.names = new NewNames(fn);
  }

  run(choices: readonly RematChoice[]): RematEdit | null {
    const { fn, source, base } = this;
    const byDef = [...choices].sort((a, b) => a.candidate.def - b.candidate.def);
    const moved = new Set(byDef.map((c) => ~c.candidate.vreg));
    for (const { candidate } of byDef) {
      for (let o = fn.opBegin[candidate.def]! + 1; o < fn.opBegin[candidate.def + 1]!; o++)
        if (fn.opKind[o] === OperandKind.Register && fn.opVal[o]! < 0 && moved.has(fn.opVal[o]!)) return null;
    }
    for (const choice of byDef) if (!this.rematerialize(choice)) return null;
    const edits: TextEdit[] = [...this.replaced].map(([start, { end, text }]) => ({ start, end, text }));
    const eol = this.snapshot.text.text.includes('\r\n') ? '\r\n' : '\n';
    const { text } = this.snapshot;
    const copies: InsertedCopy[] = [];
    for (const [i, lines] of this.insertedBefore) {
      const at = base + source.instrRange(i).start;
      const lineStart = text.lineStart(text.lineAt(at));
      const indent = text.slice(lineStart, at);
      edits.push({ start: lineStart, end: lineStart, text: lines.map((l) => `${indent}${l}${eol}`).join('') });
      for (const _ of lines) copies.push({ before: i, region: this.regionOf[i]! });
    }
    for (const i of this.removed) edits.push(this.removal(i));
    const declarations = this.declarations(eol);
    if (declarations) edits.push(declarations);
    edits.sort((a, b) => a.start - b.start);
    copies.sort((a, b) => a.before - b.before);
    return { edits, copies, removed: [...this.removed].sort((a, b) => a - b) };
  }

  /** One definition for several: their lines go, their users name the first register, and a copy of the first stands elsewhere. */
  hoist({ defs, vregs, before, beside }: Hoist): RematEdit | null {
    const { fn, source, base, snapshot } = this;
    const { text } = snapshot;
    const stays = before === defs[0];
    const name = this.names.spelled(vregs[0]!);
    for (const [k, vreg] of vregs.entries()) {
      const own = this.names.spelled(vreg);
      for (let i = 0; i < fn.nInstrs; i++) {
        if (!defs.includes(i) && !this.renameIn(i, vreg, own, name, 'never')) return null;
      }
      if (k > 0 || !stays) this.removed.add(defs[k]!);
    }
    const edits: TextEdit[] = [...this.replaced].map(([start, edit]) => ({ start, end: edit.end, text: edit.text }));
    const copies: InsertedCopy[] = [];
    if (!stays) {
      const line = this.copyText(defs[0]!, vregs[0]!, name, true);
      if (line === null) return null;
      const eol = text.text.includes('\r\n') ? '\r\n' : '\n';
      const range = source.instrRange(beside);
      const lineStart = text.lineStart(text.lineAt(base + range.start));
      const indent = text.slice(lineStart, base + range.start);
      const isBehind = before < 0;
      const at = isBehind ? text.lineStart(text.lineAt(base + range.end) + 1) : lineStart;
      edits.push({ start: at, end: at, text: `${indent}${line}${eol}` });
      copies.push({ before: isBehind ? beside + 1 : before, region: this.regionOf[beside]! });
    }
    for (const i of this.removed) edits.push(this.removal(i));
    edits.sort((a, b) => a.start - b.start);
    return { edits, copies, removed: [...this.removed].sort((a, b) => a - b) };
  }

  private rematerialize({ candidate, groups }: RematChoice): boolean {
    const { fn } = this;
    const { vreg, def } = candidate;
    const own = this.names.spelled(vreg);
    const isRemoved = groups.length === candidate.groups.length && candidate.kept.length === 0;
    const hasKills = this.anyKill(candidate);
    const copies = groups.map((group, k) => ({ group, name: isRemoved && k === 0 ? own : this.names.fresh(vreg) }));
    for (const { group, name } of copies) {
      const line = this.copyText(def, vreg, name, name === own);
      if (line === null) return false;
      const lines = this.insertedBefore.get(group.before);
      if (lines) lines.push(line);
      else this.insertedBefore.set(group.before, [line]);
      if (name !== own) this.declare(vreg, name);
      if (name !== own || hasKills) {
        const lastUser = group.users[group.users.length - 1]!;
        const needsKill = hasKills && !this.killsIn(group, vreg);
        for (const user of group.users)
          if (!this.renameIn(user, vreg, own, name, needsKill && user === lastUser)) return false;
      }
    }
    if (isRemoved) this.removed.add(def);
    for (const i of this.debugUsers(vreg)) {
      const copy = copies.filter((c) => fn.instrBlock[c.group.before] === fn.instrBlock[i] && c.group.before < i).pop();
      if (copy ? copy.name !== own : isRemoved) {
        if (!this.renameIn(i, vreg, own, copy ? copy.name : null, false)) return false;
      }
    }
    return true;
  }

  /** The definition with another register, without what holds only at its place. */
  private copyText(def: InstrId, vreg: VRegId, name: string, isFirst: boolean): string | null {
    const { fn, source, base, snapshot } = this;
    const { start, end } = source.instrRange(def);
    let text = '';
    let at = base + start;
    const n = fn.numOperands(def);
    const own = this.names.spelled(vreg);
    for (let k = 0; k < n; k++) {
      const o = fn.opBegin[def]! + k;
      if (fn.opKind[o] !== OperandKind.Register) continue;
      const range = source.operandRange(def, k);
      let operand = snapshot.text.slice(base + range.start, base + range.end);
      if (fn.opVal[o] === ~vreg) {
        if (!operand.includes(own)) return null;
        operand = operand.replace(own, name);
        if (!isFirst && this.itemOf(vreg) === null && !/:\w/.test(operand)) operand += `:${this.className(vreg)}`;
      } else if ((fn.opFlags[o]! & OpFlag.Kill) !== 0) {
        operand = operand.replace(/\bkilled\s+/, '');
      } else continue;
      text += snapshot.text.slice(at, base + range.start) + operand;
      at = base + range.end;
    }
    text += snapshot.text.slice(at, base + end);
    if (!isFirst) text = text.replace(/,?\s*debug-instr-number \d+/, '');
    return text;
  }

  private anyKill({ vreg, groups, kept }: RematCandidate): boolean {
    return [...groups, ...kept].some((g) => this.killsIn(g, vreg));
  }

  private killsIn({ users }: UseGroup, vreg: VRegId): boolean {
    const { fn } = this;
    return users.some((u) => {
      for (let o = fn.firstReg(u); o >= 0; o = fn.nextReg(u, o))
        if (fn.opVal[o] === ~vreg && (fn.opFlags[o]! & OpFlag.Kill) !== 0) return true;
      return false;
    });
  }

  /** Renames the register in an instruction (null = `$noreg`), and marks its last read as a kill or takes such a mark away. */
  private renameIn(i: InstrId, vreg: VRegId, own: string, name: string | null, kill: boolean | 'never'): boolean {
    const { fn, source, base, snapshot } = this;
    let marked = kill !== true;
    for (let k = fn.numOperands(i) - 1; k >= 0; k--) {
      const o = fn.opBegin[i]! + k;
      if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] !== ~vreg) continue;
      const range = source.operandRange(i, k);
      const was = snapshot.text.slice(base + range.start, base + range.end);
      const at = was.indexOf(own);
      if (at < 0) return false;
      let text = name === null ? '$noreg' : was.slice(0, at) + name + was.slice(at + own.length);
      if (kill === 'never') text = text.replace(/\bkilled\s+/, '');
      const isPlain = fn.opSub[o] === 0 && (fn.opFlags[o]! & (OpFlag.Undef | OpFlag.Implicit)) === 0 && at === 0;
      if (!marked && isPlain && fn.opTied[o]! < 0) {
        text = `killed ${text}`;
        marked = true;
      }
      if (text !== was) this.replaced.set(base + range.start, { end: base + range.end, text });
    }
    return true;
  }

  /** Debug instructions that name the register. */
  private debugUsers(vreg: VRegId): readonly InstrId[] {
    return (this.debug ??= debugUsersOf(this.fn)).get(vreg) ?? [];
  }
  private debug: ReadonlyMap<number, readonly InstrId[]> | null = null;

  /** The line of an instruction; a comment after it stays on its line. */
  private removal(i: InstrId): TextEdit {
    const { text } = this.snapshot;
    const range = this.source.instrRange(i);
    const start = this.base + range.start;
    const line = text.lineAt(start);
    const rest = text.slice(start, text.lineEnd(text.lineAt(this.base + range.end)));
    const comment = /\s(;.*)$/.exec(rest);
    if (comment) return { start, end: start + rest.length - comment[1]!.length, text: '' };
    return { start: text.lineStart(line), end: text.lineStart(text.lineAt(this.base + range.end) + 1), text: '' };
  }

  private className(vreg: VRegId): string {
    return this.fn.tables.regClassMirName(this.fn.vregs.regClass[vreg]!);
  }

  /** Absolute offsets of the register's item in `registers:`; null where it has none on lines of its own. */
  private itemOf(vreg: VRegId): TextRange | null {
    const range = this.source.vregDeclRange(vreg);
    if (!range) return null;
    const { text } = this.snapshot;
    const start = text.lineStart(text.lineAt(this.base + range.start));
    const end = this.base + range.end;
    const isBlock =
      /^\s*-\s/.test(text.slice(start, end)) && text.slice(end, text.lineEnd(text.lineAt(end))).trim() === '';
    return isBlock ? { start, end } : null;
  }

  /** Where `registers:` has the register, it gets an entry for the new one too. */
  private declare(vreg: VRegId, name: string): void {
    const item = this.itemOf(vreg);
    if (!item) return;
    const entry = this.snapshot.text
      .slice(item.start, item.end)
      .replace(/\bid:(\s*)\d+/, (_, blank: string) => `id:${blank}${name.slice(1)}`);
    this.entries.push(entry);
  }

  private declarations(eol: string): TextEdit | null {
    if (this.entries.length === 0) return null;
    let end = 0;
    for (let v = 0; v < this.fn.vregs.n; v++) end = Math.max(end, this.source.vregDeclRange(v)?.end ?? 0);
    const at = this.snapshot.text.lineEnd(this.snapshot.text.lineAt(this.base + end));
    return { start: at, end: at, text: this.entries.map((e) => `${eol}${e}`).join('') };
  }
}

function debugUsersOf(fn: MachineFunction): ReadonlyMap<number, readonly InstrId[]> {
  const found = new Map<number, InstrId[]>();
  for (let i = 0; i < fn.nInstrs; i++) {
    if (!/^DBG_/.test(fn.tables.opcodeName(fn.opcode[i]!))) continue;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o]! >= 0) continue;
      const list = found.get(~fn.opVal[o]!);
      if (list === undefined) found.set(~fn.opVal[o]!, [i]);
      else if (list[list.length - 1] !== i) list.push(i);
    }
  }
  return found;
}

/** Names of registers as the text spells them, and new ones. */
class NewNames {
  private nextNumber = -1;
  private readonly taken = new Set<string>();

  constructor(private readonly fn: MachineFunction) {}

  spelled(vreg: VRegId): string {
    const { vregs } = this.fn;
    return `%${vregs.name[vreg] ?? String(vregs.sourceNumber[vreg]! >>> 0)}`;
  }

  /** A register that the function does not have; named like the one that it copies, or numbered. */
  fresh(vreg: VRegId): string {
    const { vregs } = this.fn;
    if (this.nextNumber < 0) {
      for (let v = 0; v < vregs.n; v++) {
        this.nextNumber = Math.max(this.nextNumber, vregs.sourceNumber[v]!);
        this.taken.add(vregs.name[v] ?? '');
      }
      this.nextNumber++;
    }
    const name = vregs.name[vreg] ?? null;
    if (name === null) return `%${this.nextNumber++}`;
    for (let k = 1; ; k++) {
      const own = `${name}_${k}`;
      if (this.taken.has(own)) continue;
      this.taken.add(own);
      return `%${own}`;
    }
  }
}
