/**
 * What of each physical register is known at the cursor's line from the text of its block: whether something lives in it, whether that has been read,
 * and what happens to it next. Counted by register unit, since a tuple and its parts share what they hold.
 */
import type { PhysReg, TargetTables } from '../../target/index.js';
import { EntityKind, Role } from '../symbols/symbolIndex.js';
import type { FunctionScope } from './functionScope.js';

export interface PhysicalHere {
  /** all of it has been written, or comes into the block */
  readonly isLive: boolean;
  /** a part of it was killed, or written for nobody */
  readonly isDead: boolean;
  /** it lives, and nothing has read any of it since */
  readonly isUnread: boolean;
  /** what comes next of it in the block, or after its end */
  readonly next: 'read' | 'write' | 'nothing';
  /** it is read next, and is not read again */
  readonly isKilledNext: boolean;
  /** offset of what comes next, -1 without one */
  readonly nextAt: number;
}

const enum State {
  Unknown = 0,
  Live = 1,
  Dead = 2,
}
const enum Next {
  Nothing = 0,
  Read = 1,
  Write = 2,
}

export class PhysicalState {
  /** some read of the block says that it is the last: where a value lives and nothing reads it, a reader is missing */
  readonly hasKills: boolean;
  private readonly state: Uint8Array;
  private readonly wasRead: Uint8Array;
  private readonly next: Uint8Array;
  private readonly nextAt: Int32Array;
  private readonly isLast: Uint8Array;

  /** O(occurrences in the block) */
  constructor(
    private readonly tables: TargetTables,
    scope: FunctionScope,
  ) {
    const { nRegUnits } = tables;
    this.state = new Uint8Array(nRegUnits);
    this.wasRead = new Uint8Array(nRegUnits);
    this.next = new Uint8Array(nRegUnits);
    this.nextAt = new Int32Array(nRegUnits).fill(-1);
    this.isLast = new Uint8Array(nRegUnits);
    this.hasKills = this.read(scope);
  }

  /** Whether anything is known of it here. */
  isTold(reg: PhysReg): boolean {
    const unit = this.tables.unitList[this.tables.unitBegin[reg]!]!;
    return this.state[unit] === State.Live || this.next[unit] === Next.Read;
  }

  at(reg: PhysReg): PhysicalHere {
    const { unitBegin, unitEnd, unitList } = this.tables;
    let isLive = true;
    let isDead = false;
    let isUnread = true;
    let isRead = false;
    let isWritten = true;
    let isKilledNext = true;
    let nextAt = -1;
    for (let k = unitBegin[reg]!; k < unitEnd[reg]!; k++) {
      const unit = unitList[k]!;
      if (this.state[unit] !== State.Live) isLive = false;
      if (this.state[unit] === State.Dead) isDead = true;
      if (this.wasRead[unit] !== 0) isUnread = false;
      if (this.next[unit] === Next.Read) isRead = true;
      if (this.next[unit] !== Next.Write) isWritten = false;
      if (this.isLast[unit] === 0) isKilledNext = false;
      const at = this.nextAt[unit]!;
      if (at >= 0 && (nextAt < 0 || at < nextAt)) nextAt = at;
    }
    return {
      isLive,
      isDead,
      isUnread: isLive && isUnread,
      next: isRead ? 'read' : isWritten ? 'write' : 'nothing',
      isKilledNext: isRead && isKilledNext,
      nextAt,
    };
  }

  /** Whether anything was killed. */
  private read(scope: FunctionScope): boolean {
    const { fn, view, lineStart, lineEnd } = scope;
    const { symbols } = view;
    const { text } = scope.snapshot.text;
    const here = scope.blockHere();
    const source = fn?.source ?? null;
    const range = here >= 0 && source !== null ? source.blockRange(here) : null;
    const from = range?.start ?? 0;
    const to = range?.end ?? view.end - view.start;
    const [lineFrom, lineTo] = [lineStart - view.start, lineEnd - view.start];
    const regs = new Map<number, PhysReg>();
    const regOf = (entity: number): PhysReg => {
      let reg = regs.get(entity);
      if (reg === undefined) regs.set(entity, (reg = Math.max(0, this.tables.regByName(symbols.nameOf(entity)))));
      return reg;
    };
    let hasKills = false;
    // An instruction reads before it writes.
    let written: number[] = [];
    let end = from;
    const flush = (): void => {
      for (const i of written) this.write(regOf(symbols.entity[i]!), symbols.start[i]!, symbols.role[i]!, lineFrom);
      written = [];
    };
    for (let i = Math.max(0, symbols.lastFrom(from)); i < symbols.n; i++) {
      const at = symbols.start[i]!;
      if (at >= to) break;
      const role = symbols.role[i]!;
      if (at < from || symbols.kinds[symbols.entity[i]!] !== EntityKind.PhysReg) continue;
      if ((lineFrom <= at && at <= lineTo) || (role & (Role.Debug | Role.Header)) !== 0) continue;
      const newline = text.indexOf('\n', view.start + end);
      if (newline >= 0 && newline < view.start + at) flush();
      end = symbols.end[i]!;
      if ((role & (Role.Def | Role.LiveIn)) !== 0) {
        written.push(i);
        continue;
      }
      if ((role & Role.Undef) !== 0) continue;
      if ((role & Role.Kill) !== 0) hasKills = true;
      this.readAt(regOf(symbols.entity[i]!), at, role, lineFrom);
    }
    flush();
    if (fn !== null && here >= 0)
      for (const s of fn.blocks[here]!.successors)
        for (const { reg } of fn.blocks[s]!.liveIns) this.readAt(reg, to, 0, lineFrom);
    return hasKills;
  }

  private readAt(reg: PhysReg, at: number, role: number, lineFrom: number): void {
    const { unitBegin, unitEnd, unitList } = this.tables;
    const isKill = (role & Role.Kill) !== 0;
    for (let k = unitBegin[reg]!; k < unitEnd[reg]!; k++) {
      const unit = unitList[k]!;
      if (at < lineFrom) {
        this.wasRead[unit] = 1;
        if (isKill) this.state[unit] = State.Dead;
      } else if (this.next[unit] === Next.Nothing) {
        this.next[unit] = Next.Read;
        this.nextAt[unit] = at;
        this.isLast[unit] = isKill ? 1 : 0;
      }
    }
  }

  private write(reg: PhysReg, at: number, role: number, lineFrom: number): void {
    const { unitBegin, unitEnd, unitList } = this.tables;
    for (let k = unitBegin[reg]!; k < unitEnd[reg]!; k++) {
      const unit = unitList[k]!;
      if (at < lineFrom) {
        this.wasRead[unit] = 0;
        this.state[unit] = (role & Role.Dead) !== 0 ? State.Dead : State.Live;
      } else if (this.next[unit] === Next.Nothing) {
        this.next[unit] = Next.Write;
        this.nextAt[unit] = at;
      }
    }
  }
}
