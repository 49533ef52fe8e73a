/** Registers for an operand: those that fit first, of them those that live here, of them the nearest. */
import { CompletionItemKind } from 'vscode-languageserver-types';
import { sameLLT, type LLT } from '../../model/llt.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import type { PhysReg, RegClassId, Subtarget, TargetTables } from '../../target/index.js';
import { Tok } from '../../syntax/lexer.js';
import { EntityKind, Role } from '../symbols/symbolIndex.js';
import { matchOf, type Candidate } from './candidate.js';
import type { FunctionScope, VRegHere } from './functionScope.js';
import type { InstrLine } from './instrLine.js';
import type { LineRegister } from './lineRegisters.js';
import type { OperandHistory } from './operandHistory.js';
import { PhysicalState, type PhysicalHere } from './physicalState.js';
import { POINTS } from './points.js';
import { MemoryKey } from '../snapshot/memory.js';
import { typeText } from '../words/registerNames.js';

/** What an operand takes. */
export interface WantedRegister {
  /** class of the operand, -1 = any */
  readonly regClass: RegClassId;
  /** of a generic operand, null = any */
  readonly type: LLT | null;
  /** size in bits that fits best where no class is wanted, 0 = any */
  readonly bits: number;
  /** the operand is generic: registers with types come first */
  readonly isGeneric: boolean;
  /** it is written: registers without a definition fit */
  readonly isDef: boolean;
  /** `undef` stands before it */
  readonly isUndef?: boolean;
  readonly around?: AroundRegister;
}

/** What the rest of the line and other instructions of the opcode say of an operand. */
export interface AroundRegister {
  readonly history: OperandHistory;
  readonly onLine: readonly LineRegister[];
  /** of a definition the use that is tied to it, as it is written */
  readonly tied: string;
  /** of a copy the other side: whether it is kept in scalar or vector registers */
  readonly copyBank: 'scalar' | 'vector' | '';
}

/** Points of a register, or part of one, by what stands around the operand. */
function aroundPoints(label: string, { isDef, around }: WantedRegister): number {
  if (around === undefined) return 0;
  const { history, onLine, tied } = around;
  let score = 0;
  if (label === tied) score += POINTS.isTied;
  const share = history.share(label);
  if (share > 0) score += (isDef ? POINTS.defSharesOperand : POINTS.sharesOperand) * share;
  if (label === history.above) score += isDef ? POINTS.defAsAbove : POINTS.asAbove;
  if (label === history.continued) score += isDef ? POINTS.defContinues : POINTS.continues;
  if (label === history.shifted) score += isDef ? POINTS.defShifted : POINTS.shifted;
  if (label === history.besideSame) score += isDef ? POINTS.defBesideSame : POINTS.besideSame;
  const dot = label.indexOf('.');
  const [name, part] = dot < 0 ? [label, ''] : [label.slice(0, dot), label.slice(dot + 1)];
  for (const own of onLine) {
    if (own.name === name && own.part === part) {
      if (isDef) score += own.isDef ? POINTS.definedTwice : own.isKilled ? POINTS.defOfKilled : POINTS.defOfRead;
      else score += own.isDef ? POINTS.readsOwnDef : own.isKilled ? POINTS.readsKilled : POINTS.readTwice;
    }
    if (part !== '' && own.part === part && own.name !== name) score += POINTS.samePart;
  }
  return score;
}

/** Registers with parts are looked into for the operand's class as long as there are not more of them. */
const MAX_SPLIT = 400;
/** Characters of a line, to turn distances in the text into lines. */
const LINE = 48;

const enum Fit {
  None = 0,
  /** some class is common to both: llc asks for another class of the register */
  Narrowed = 1,
  Exact = 2,
}

function fitOf(tables: TargetTables, v: VRegHere, wanted: WantedRegister): Fit {
  const { regClass, type, bits } = wanted;
  if (regClass >= 0) {
    if (v.isListedGeneric) return Fit.None;
    if (v.regClass < 0) return v.type !== null ? Fit.None : wanted.isDef ? Fit.Exact : Fit.Narrowed;
    if (tables.hasSubClassEq(regClass, v.regClass)) return Fit.Exact;
    return tables.getCommonSubClass(regClass, v.regClass) >= 0 ? Fit.Narrowed : Fit.None;
  }
  if (type !== null)
    return v.type !== null && sameLLT(type, v.type) ? Fit.Exact : v.type === null ? Fit.Narrowed : Fit.None;
  const own = bits === 0 ? 0 : bitsOf(tables, v);
  if (wanted.isGeneric) return v.type === null || own !== bits ? Fit.Narrowed : Fit.Exact;
  if (bits === 0) return Fit.Exact;
  return own === bits || (wanted.isDef && own === 0) ? Fit.Exact : Fit.Narrowed;
}

/** Class or type after a register, empty where its entry in `registers:` does not allow it. */
export const allowed = (v: VRegHere, own: string): string => (v.isListedGeneric && !own.endsWith(')') ? '' : own);

export function bitsOf(tables: TargetTables, { regClass, type }: VRegHere): number {
  if (regClass >= 0) return tables.regClassBits[regClass]!;
  return type === null ? 0 : type.bits * type.numElements;
}

/** How likely a register is read (or written) here, the fit left out. */
function livenessScore(v: VRegHere, { isDef }: WantedRegister, lineStart: number): number {
  if (isDef) {
    // What is read and never written waits for this definition.
    const near = Math.min(nearness(v, lineStart), nearnessOf(v.next - lineStart, v.next < 0));
    if (v.defs === 0)
      return v.usesBehind > 0
        ? POINTS.waitsForDef - Math.min(POINTS.waitsForDefFarthest, near)
        : v.uses > 0
          ? POINTS.readAboveOnly
          : POINTS.listedOnly;
    return (v.usesBehind > 0 ? POINTS.redefinedForReaders : POINTS.redefinedForNobody) - near;
  }
  let score: number = v.reaches ? POINTS.reaches : POINTS.doesNotReach;
  if (v.defs === 0) score += POINTS.neverDefined;
  // What nothing reads yet was made for somebody.
  score += POINTS.readOften * Math.log2(1 + v.uses);
  if (v.uses === 0) score += POINTS.unread;
  else if (v.usesBehind > 0) score += POINTS.readLater;
  else if (!v.isKilled) score += POINTS.notReadLater;
  if (v.isKilled) score += POINTS.killed;
  return score - nearness(v, lineStart);
}

/** 0 on the line before, more each time the distance doubles. */
const nearness = ({ last }: VRegHere, lineStart: number): number => nearnessOf(lineStart - last, last < 0);

const nearnessOf = (distance: number, isNowhere: boolean): number =>
  isNowhere ? POINTS.nowhere : POINTS.farther * doublings(distance);

/** How often a distance in the text doubles, beginning with a line. */
const doublings = (distance: number): number => Math.log2(1 + Math.max(0, distance) / LINE);

/** Virtual registers of which nothing but their places is known, the nearest first. */
export const namedRegisters = (scope: FunctionScope): Candidate[] =>
  scope.vregs.map((v) => ({
    label: v.name,
    kind: CompletionItemKind.Variable,
    score: POINTS.namedOnly + (v.defs > 0 ? POINTS.reaches : 0) - nearness(v, scope.lineStart - scope.view.start),
  }));

/** More registers than these are not proposed at once. */
const MAX_REGISTERS = 200;

/** `typed` is what the cursor's word begins with: of many registers, only those that it may mean. O(registers) */
export function virtualRegisters(
  scope: FunctionScope,
  lineStart: number,
  wanted: WantedRegister,
  typed: string,
): Candidate[] {
  const { fn } = scope;
  const tables = fn?.tables;
  const items: Candidate[] = [];
  if (!tables) return items;
  const all =
    typed.length > 1 ? scope.vregs.filter((v) => matchOf(typed, v.name) > 0 || typed.startsWith(v.name)) : scope.vregs;
  const withParts = wanted.regClass >= 0 && !wanted.isDef && all.length <= MAX_SPLIT;
  const seen = new Map<RegClassId, readonly string[]>();
  const fits = new Uint8Array(all.length);
  const scores = new Float64Array(all.length);
  // A second definition is no choice where the header promises that there is none.
  const isSSA = fn.header.isSSA === true && wanted.isDef;
  all.forEach((v, k) => {
    const fit = fitOf(tables, v, wanted);
    fits[k] = fit;
    const isOut = (fit === Fit.None && ((!wanted.isDef && !withParts) || v.isListedGeneric)) || (isSSA && v.defs > 0);
    scores[k] = isOut ? -Infinity : livenessScore(v, wanted, lineStart);
  });
  const bonus = (k: number): number => {
    if (wanted.isDef) return defBonus(fits[k]! as Fit, wanted);
    const isSized = wanted.regClass >= 0 || wanted.bits > 0;
    if (fits[k] === Fit.Exact) return POINTS.fits;
    if (fits[k] === Fit.None) return 0;
    return isSized && all[k]!.regClass >= 0 ? POINTS.fitsWhenNarrowed : POINTS.mayFit;
  };
  const least = nthLargest(
    scores.map((score, k) => score + bonus(k)),
    MAX_REGISTERS,
  );
  all.forEach((v, k) => {
    if (wanted.isDef && v.partsWritten !== null) items.push(...unwrittenParts(tables, fn, v, lineStart, wanted));
    const fit = fits[k]! as Fit;
    const base = scores[k]!;
    if (base === -Infinity || (!withParts && base + bonus(k) < least)) return;
    const detail = wanted.isDef ? '' : livenessText(v, scope, lineStart);
    const { name } = v;
    const about = { what: 'register', name } as const;
    const shared = { kind: CompletionItemKind.Variable, description: typeText(fn, v), detail, about };
    // What nothing writes and nothing else reads has no value.
    const lead = wanted.isDef || wanted.isUndef === true || v.defs > 0 || v.isRead ? '' : 'undef ';
    if (fit !== Fit.None || wanted.isDef)
      items.push({ ...shared, label: lead + name, score: base + bonus(k) + aroundPoints(name, wanted) });
    if (lead !== '') return;
    if (!withParts || fit === Fit.Exact || v.regClass < 0) return;
    const parts = seen.get(v.regClass) ?? partsOf(tables, v.regClass, wanted.regClass);
    seen.set(v.regClass, parts);
    let nBefore = 0;
    for (const part of parts) {
      const label = `${name}.${part}`;
      const isRead = v.partsRead?.has(part) === true;
      const order = isRead ? POINTS.partReadAlready : POINTS.laterPart * nBefore++;
      items.push({ ...shared, label, score: base + POINTS.partFits + order + aroundPoints(label, wanted) });
    }
  });
  if (wanted.isDef) items.push(...tiedPart(scope, wanted));
  return items;
}

/** The part of a register that the line reads and that the definition is tied to. */
function tiedPart(scope: FunctionScope, { around }: WantedRegister): Candidate[] {
  const [, name, part] = /^(%[^.]+)\.(\w+)$/.exec(around?.tied ?? '') ?? [];
  const v = name === undefined ? null : scope.vreg(name);
  if (v === null || v.regClass < 0 || scope.fn === null) return [];
  const label = `${name}.${part}`;
  const type = typeText(scope.fn, v);
  return [
    {
      label,
      insert: `${label}:${type}`,
      kind: CompletionItemKind.Variable,
      score: POINTS.isTied,
      description: type,
      detail: ' tied to it',
      about: { what: 'register', name: name! },
    },
  ];
}

/** Why it has no value here, else how far up it was last. */
function livenessText(v: VRegHere, { snapshot: { text }, view }: FunctionScope, lineStart: number): string {
  if (v.isKilled) return ' killed before';
  if (!v.reaches) return ' not defined on all paths';
  const lines = text.lineAt(view.start + lineStart) - text.lineAt(view.start + v.last);
  return ` ${lines === 1 ? 'the line above' : `${lines} lines up`}${v.uses === 0 ? ', not read yet' : ''}`;
}

/** -Infinity where there are not so many. */
function nthLargest(values: Float64Array, n: number): number {
  return values.length <= n ? -Infinity : values.sort()[values.length - n]!;
}

function defBonus(fit: Fit, { regClass, bits }: WantedRegister): number {
  if (regClass < 0) return bits > 0 && fit !== Fit.Exact ? POINTS.defOfOtherSize : 0;
  return fit === Fit.None ? POINTS.defDoesNotFit : fit === Fit.Narrowed ? POINTS.defNarrowed : POINTS.defFits;
}

/** More 32-bit parts than these no register has. */
const MAX_PARTS = 32;

/** Of a register that is written part by part: the parts that are still to come. */
function unwrittenParts(
  tables: TargetTables,
  fn: MachineFunction,
  v: VRegHere,
  lineStart: number,
  wanted: WantedRegister,
): Candidate[] {
  if (v.regClass < 0) return [];
  const items: Candidate[] = [];
  const has = (k: number): boolean => v.partsWritten?.has(`sub${k}`) === true;
  const near = Math.min(nearness(v, lineStart), nearnessOf(v.next - lineStart, v.next < 0));
  for (let k = 0; k < Math.min(MAX_PARTS, tables.regClassBits[v.regClass]! / 32); k++) {
    // Parts are written one after the other: the gap beside one that is written comes first.
    if (has(k) || (k > 0 && !has(k - 1) && !has(k + 1))) continue;
    const label = `${v.name}.sub${k}`;
    items.push({
      label,
      // The first part that is written reads nothing of the others.
      insert: `${v.lastDef < 0 ? 'undef ' : ''}${label}:${typeText(fn, v)}`,
      kind: CompletionItemKind.Variable,
      score: POINTS.partUnwritten - near + (has(k - 1) ? 0 : POINTS.partBeforeWritten) + aroundPoints(label, wanted),
      description: typeText(fn, v),
      detail: ' not written yet',
      about: { what: 'register', name: v.name },
    });
  }
  return items;
}

/** Sub-register indices of a class whose parts are of the other class, lowest first. */
function partsOf(tables: TargetTables, regClass: RegClassId, wanted: RegClassId): string[] {
  const bits = tables.regClassBits[wanted]!;
  const parts: { name: string; at: number }[] = [];
  for (let idx = 1; idx < tables.nSubRegIndices; idx++) {
    if (tables.subRegSize[idx] !== bits) continue;
    const part = tables.getSubRegisterClass(regClass, idx);
    if (part >= 0 && tables.getCommonSubClass(wanted, part) >= 0)
      parts.push({ name: tables.subRegIndexName(idx), at: tables.subRegOffset[idx]! });
  }
  // Parts that are no multiples of their size from the start are rare.
  return parts.sort((a, b) => (a.at % bits) - (b.at % bits) || a.at - b.at).map(({ name }) => name);
}

/** Sub-register indices that a class has, in the order of their places. */
export function subRegisters(tables: TargetTables, regClass: RegClassId, lead: string): Candidate[] {
  const items: Candidate[] = [];
  for (let idx = 1; idx < tables.nSubRegIndices; idx++) {
    if (regClass >= 0 && tables.getSubClassWithSubReg(regClass, idx) !== regClass) continue;
    const part = regClass < 0 ? -1 : tables.getSubRegisterClass(regClass, idx);
    items.push({
      label: `${lead}${tables.subRegIndexName(idx)}`,
      kind: CompletionItemKind.Field,
      score: -tables.subRegOffset[idx]! - Math.abs(tables.subRegSize[idx]! - 32) * 4,
      description: part < 0 ? '' : tables.regClassMirName(part),
      detail: ` bits ${tables.subRegOffset[idx]!} to ${tables.subRegOffset[idx]! + tables.subRegSize[idx]! - 1}`,
    });
  }
  return items;
}

/** Live-ins of a block: the list goes on with the next number and has each register once. */
export function liveIns({ tokens, text, hole }: InstrLine, items: readonly Candidate[], st: Subtarget): Candidate[] {
  const names = tokens.filter((t) => t.tok === Tok.NamedRegister).map((t) => text.slice(t.start, t.end));
  const before = tokens
    .slice(0, hole)
    .reverse()
    .find((t) => t.tok === Tok.NamedRegister);
  const [, bank = '', number = ''] = /^\$([a-z]+)(\d+)$/.exec(before ? text.slice(before.start, before.end) : '') ?? [];
  const next = `${bank}${Number(number) + 1}`;
  const label = bank !== '' && st.tables.regByName(next) > 0 ? `$${next}` : '';
  const list = items
    .filter((c) => c.label !== label)
    .map((c) => (names.includes(c.label) ? { ...c, score: c.score + POINTS.liveInTwice } : c));
  if (label === '' || names.includes(label)) return list;
  const known = items.find((c) => c.label === label);
  const own: Candidate = known ?? {
    label,
    kind: CompletionItemKind.Constant,
    score: 0,
    about: { what: 'register', name: label },
  };
  return [{ ...own, score: POINTS.nextLiveIn }, ...list];
}

/** Nobody has to write them before they are read. */
export const ALWAYS_THERE = /^(?:exec|mode|flat_scr|null|src_)/;

/** Registers that are always proposed when the operand takes them. */
const SPECIAL = ['exec', 'exec_lo', 'vcc', 'vcc_lo', 'm0', 'noreg'];

/**
 * Physical registers: those that the function mentions, live-ins that nothing has read first. `all`: with every other of the class, or of the
 * target.
 */
export function physicalRegisters(
  scope: FunctionScope | null,
  st: Subtarget,
  lineStart: number,
  wanted: WantedRegister,
  all: boolean,
): Candidate[] {
  const { tables } = st;
  const { regClass } = wanted;
  const takes = (reg: PhysReg): boolean =>
    regClass >= 0 ? tables.classContains(regClass, reg) : wanted.bits === 0 || bitsOfReg(tables, reg) === wanted.bits;
  const items: Candidate[] = [];
  const add = (name: string, reg: PhysReg, score: number, detail: string): void => {
    const rc = reg > 0 ? tables.getMinimalPhysRegClass(reg) : -1;
    items.push({
      label: `$${name}`,
      kind: CompletionItemKind.Constant,
      score: score + (reg > 0 ? givenPoints(reg, takes(reg)) : 0) + aroundPoints(`$${name}`, wanted),
      description: rc < 0 ? '' : `${tables.regClassBits[rc]!} bits`,
      detail,
      about: { what: 'register', name: `$${name}` },
    });
  };
  // Parts of what the line reads or writes implicitly, as tuples are copied.
  const wholes = (wanted.around?.onLine ?? [])
    .filter((r) => r.isImplicit && r.isDef === wanted.isDef && r.name.startsWith('$'))
    .map((r) => tables.regByName(r.name.slice(1)));
  const copyBank = wanted.around?.copyBank ?? '';
  const givenPoints = (reg: PhysReg, isTaken: boolean): number => {
    let score = isTaken ? 0 : POINTS.physicalOfOtherSize;
    if (wholes.some((whole) => whole > 0 && tables.isSubRegister(whole, reg))) score += POINTS.partOfImplicit;
    if (copyBank !== '') {
      const rc = tables.getMinimalPhysRegClass(reg);
      if (rc >= 0 && tables.isSGPRClass(rc) === (copyBank === 'scalar')) score += POINTS.copyInBank;
    }
    return score;
  };
  const { seen, state } = physicalOf(scope, tables, lineStart);
  for (const m of seen) {
    const reg = tables.regByName(m.name);
    if (reg <= 0 || (regClass >= 0 && !takes(reg))) continue;
    const here = state!.at(reg);
    const score = wanted.isDef ? writtenScore(m, here, lineStart) : readScore(m, here, state!.hasKills, lineStart);
    add(m.name, reg, score, !wanted.isDef && isWaiting(m) ? ' live-in, not read yet' : '');
  }
  const isKnown = new Set(seen.map((m) => m.name));
  // Tuples whose parts were written, parts of tuples that were: nothing has their names yet.
  for (const rc of state === null ? [] : classesOf(tables, wanted))
    for (const reg of tables.classRegs(rc)) {
      if (!state!.isTold(reg) || isKnown.has(tables.regName(reg))) continue;
      const here = state!.at(reg);
      const isHere = wanted.isDef ? !here.isLive && here.next === 'read' : here.isLive && here.next !== 'read';
      if (!isHere || here.isDead || tables.isArtificialReg(reg)) continue;
      isKnown.add(tables.regName(reg));
      const score = wanted.isDef
        ? writtenScore(UNNAMED, here, lineStart)
        : readScore(UNNAMED, here, state!.hasKills, lineStart);
      add(tables.regName(reg), reg, score + POINTS.unnamed, '');
    }
  // What other instructions of the opcode suggest, and the definition's tied use.
  const { history, tied } = wanted.around ?? {};
  for (const label of new Set([history?.above, history?.continued, history?.shifted, history?.besideSame, tied])) {
    const name = label?.startsWith('$') ? label.slice(1) : '';
    const reg = name === '' || isKnown.has(name) ? -1 : tables.regByName(name);
    if (reg <= 0 || !takes(reg)) continue;
    isKnown.add(name);
    add(name, reg, wanted.isDef ? POINTS.freshRegister : POINTS.unmentioned, '');
  }
  if (wanted.isDef) {
    // Copies in a row go on with the next register.
    const last = seen.reduce<Mentioned | null>(
      (a, m) => (m.lastDef >= 0 && m.lastDef > (a?.lastDef ?? -1) ? m : a),
      null,
    );
    const number = last === null ? null : /^([a-z]+)(\d+)$/.exec(last.name);
    if (number) {
      const next = `${number[1]!}${Number(number[2]) + 1}`;
      const reg = tables.regByName(next);
      const far = POINTS.nextNumberFarther * doublings(lineStart - last!.lastDef);
      if (reg > 0) add(next, reg, POINTS.nextNumber - far, '');
    }
    for (const bank of ['vgpr', 'sgpr', 'agpr']) {
      let k = 0;
      while (isKnown.has(`${bank}${k}`)) k++;
      const reg = tables.regByName(`${bank}${k}`);
      if (reg > 0 && takes(reg)) add(`${bank}${k}`, reg, bank === 'agpr' ? POINTS.firstAGPR : POINTS.firstOfBank, '');
    }
  } else if (regClass >= 0 && !all)
    tables
      .classRegs(regClass)
      .slice(0, 4)
      .forEach((reg, k) => {
        if (!isKnown.has(tables.regName(reg)) && !tables.isArtificialReg(reg))
          add(tables.regName(reg), reg, POINTS.firstOfClass - k, '');
      });
  else if (!all)
    for (const name of ['vgpr0', 'sgpr0']) {
      const reg = tables.regByName(name);
      if (reg > 0 && !isKnown.has(name)) add(name, reg, POINTS.firstOfClass, '');
    }
  for (const name of SPECIAL) {
    const reg = name === 'noreg' ? 0 : tables.regByName(name);
    if (isKnown.has(name) || reg < 0) continue;
    // A copy of nothing is no instruction.
    if (reg === 0 && regClass < 0) continue;
    if (reg === 0) add(name, reg, POINTS.noRegister, '');
    else if (takes(reg)) add(name, reg, specialScore(st, name, wanted), '');
  }
  if (!all) return items;
  if (regClass >= 0)
    tables.classRegs(regClass).forEach((reg, k) => add(tables.regName(reg), reg, POINTS.unmentioned - k / 1000, ''));
  else
    for (let reg = 1; reg < tables.nRegs; reg++)
      if (!tables.isArtificialReg(reg)) add(tables.regName(reg), reg, POINTS.unmentioned - reg / 1e5, '');
  return items;
}

interface PhysicalOfFunction {
  readonly seen: readonly Mentioned[];
  /** null where none is mentioned */
  readonly state: PhysicalState | null;
}

const PHYSICAL = new MemoryKey<PhysicalOfFunction>('physical registers');

/** Physical registers around the cursor, read once for all lists that are made of them. */
function physicalOf(scope: FunctionScope | null, tables: TargetTables, lineStart: number): PhysicalOfFunction {
  if (scope === null) return { seen: [], state: null };
  return scope.memory.of(PHYSICAL, () => {
    const seen = mentioned(scope, lineStart);
    return { seen, state: seen.length === 0 ? null : new PhysicalState(tables, scope) };
  });
}

/** A register that no text has. */
const UNNAMED: Mentioned = {
  name: '',
  nLiveIns: 0,
  uses: 0,
  defs: 0,
  last: -1,
  lastDef: -1,
  isWrittenLast: false,
  isReadNext: false,
  isFresh: false,
};

/** The class that is wanted, or those of the size. */
function classesOf(tables: TargetTables, { regClass, bits }: WantedRegister): RegClassId[] {
  if (regClass >= 0) return [regClass];
  if (bits < 32) return [];
  const names = bits === 32 ? ['vgpr_32', 'sgpr_32', 'agpr_32'] : [`vreg_${bits}`, `sgpr_${bits}`, `areg_${bits}`];
  return names.map((name) => tables.regClassByName(name)).filter((rc) => rc >= 0);
}

const isWaiting = ({ nLiveIns, uses }: Mentioned): boolean => nLiveIns > 0 && uses === 0;

/** How likely a physical register is read here. */
function readScore(m: Mentioned, here: PhysicalHere, hasKills: boolean, lineStart: number): number {
  const far = m.last < 0 ? POINTS.physicalNowhere : POINTS.physicalFarther * doublings(lineStart - m.last);
  let score = POINTS.mentionedAgain * Math.min(4, m.uses + m.defs) - far;
  if (isWaiting(m)) score += POINTS.liveInWaits;
  if (m.isWrittenLast) score += POINTS.writtenLast;
  if (here.isLive) {
    score += POINTS.lives;
    if (here.isUnread) score += POINTS.unreadHere;
    // Somebody has to be the last who reads it.
    if (here.next !== 'read' && hasKills) score += here.isUnread ? POINTS.onlyReader : POINTS.lastReader;
    if (here.isKilledNext) score += POINTS.killedLater;
  }
  if (here.isDead) score += POINTS.isDead;
  return score;
}

/** How likely it is written here. */
function writtenScore(m: Mentioned, here: PhysicalHere, lineStart: number): number {
  const far = m.last < 0 ? POINTS.physicalNowhere : POINTS.physicalFarther * doublings(lineStart - m.last);
  let score = POINTS.writtenAgain * Math.min(4, m.defs) - far / 2;
  // What is read after the cursor before it is written waits for a definition.
  if (m.isReadNext && !m.isFresh && !ALWAYS_THERE.test(m.name)) score += POINTS.readNext;
  if (here.next === 'read') {
    score += POINTS.readNextHere - POINTS.readNextFarther * doublings(here.nextAt - lineStart);
    if (!here.isLive) score += POINTS.readNextUndefined;
  }
  if (here.isLive) score += here.isUnread ? POINTS.overwritesUnread : POINTS.overwritesLive;
  return score;
}

/** The mask of lanes is what scalar code reads most. */
function specialScore(st: Subtarget, name: string, { isDef, bits, regClass }: WantedRegister): number {
  if (!isDef && bits === 0 && regClass < 0) return POINTS.specialAnywhere;
  const mask = st.wavefrontSize === 32 ? '_lo' : '';
  if (name === `exec${mask}`) return isDef ? POINTS.writesSpecial : POINTS.readsExec;
  if (name === `vcc${mask}` || name === 'm0') return isDef ? POINTS.writesSpecial : POINTS.readsSpecial;
  return POINTS.otherSpecial;
}

function bitsOfReg(tables: TargetTables, reg: PhysReg): number {
  const rc = tables.getMinimalPhysRegClass(reg);
  return rc < 0 ? 0 : tables.regClassBits[rc]!;
}

interface Mentioned {
  readonly name: string;
  readonly nLiveIns: number;
  readonly uses: number;
  readonly defs: number;
  /** offset of its last place before the cursor's line, -1 without one */
  readonly last: number;
  /** of its last definition before the cursor's line */
  readonly lastDef: number;
  /** nothing has read it since it was written before the cursor's line */
  readonly isWrittenLast: boolean;
  /** after the cursor's line it is read before it is written */
  readonly isReadNext: boolean;
  /** before the cursor's line it is a live-in and nothing else */
  readonly isFresh: boolean;
}

/** Physical registers of the function outside of the cursor's line, those that it reads only implicitly before it left out. */
function mentioned(scope: FunctionScope | null, lineStart: number): Mentioned[] {
  if (scope === null) return [];
  const { symbols } = scope.view;
  const list: Mentioned[] = [];
  for (let e = 0; e < symbols.nEntities; e++) {
    if (symbols.kinds[e] !== EntityKind.PhysReg) continue;
    let nLiveIns = 0;
    let uses = 0;
    let defs = 0;
    let last = -1;
    let lastDef = -1;
    let isWrittenLast = false;
    let isReadNext = false;
    let isNext = true;
    let isFresh = false;
    for (const i of symbols.occurrences(e)) {
      const role = symbols.role[i]!;
      const at = symbols.start[i]!;
      if (scope.isOnLine(at)) continue;
      const isDef = (role & Role.Def) !== 0;
      const isImplicit = (role & Role.Implicit) !== 0;
      if (at < lineStart) isFresh = (role & Role.LiveIn) !== 0;
      if ((role & Role.LiveIn) !== 0) nLiveIns++;
      else {
        if (!isImplicit && isDef) defs++;
        else if (!isImplicit) uses++;
        if (at < lineStart) isWrittenLast = isDef && !isImplicit;
        else if (isNext) {
          isReadNext = !isDef;
          isNext = false;
        }
        if (isImplicit) continue;
      }
      if (at < lineStart) {
        last = at;
        if (isDef && (role & Role.LiveIn) === 0) lastDef = at;
      }
    }
    if (nLiveIns + uses + defs > 0 || isReadNext)
      list.push({ name: symbols.nameOf(e), nLiveIns, uses, defs, last, lastDef, isWrittenLast, isReadNext, isFresh });
  }
  return list;
}
