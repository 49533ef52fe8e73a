/** Registers for an operand: those that fit first, of them those that live here, of them the nearest. */
import { CompletionItemKind } from 'vscode-languageserver-types';
import { sameLLT, type LLT } from '../../model/llt.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import type { PhysReg, RegClassId, Subtarget, TargetTables } from '../../target/index.js';
import { EntityKind, Role } from '../navigation/symbolIndex.js';
import { matchOf, type Candidate } from './candidate.js';
import { typeText, type FunctionScope, type VRegHere } from './functionScope.js';

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

/** Class or type behind a register, empty where its entry in `registers:` does not allow it. */
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
    if (v.defs === 0) return v.usesBehind > 0 ? 100 - Math.min(25, near) : 10;
    return v.usesBehind > 0 ? -near : -20 - near;
  }
  let score = v.reaches ? 20 : -25;
  if (v.defs === 0) score -= 10;
  // What nothing reads yet was made for somebody.
  if (v.uses === 0) score += 22;
  else if (v.usesBehind > 0) score += 4;
  if (v.isKilled) score -= 30;
  return score - nearness(v, lineStart);
}

/** 0 on the line before, 4 more each time the distance doubles. */
const nearness = ({ last }: VRegHere, lineStart: number): number => nearnessOf(lineStart - last, last < 0);

const nearnessOf = (distance: number, isNowhere: boolean): number =>
  isNowhere ? 40 : 5 * Math.log2(1 + Math.max(0, distance) / LINE);

/** Virtual registers of which nothing but their places is known, the nearest first. */
export const namedRegisters = (scope: FunctionScope): Candidate[] =>
  scope.vregs.map((v) => ({
    label: v.name,
    kind: CompletionItemKind.Variable,
    score: 60 + (v.defs > 0 ? 10 : 0) - nearness(v, scope.lineStart - scope.view.start),
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
    const isWrong = isSized && fits[k] === Fit.Narrowed && all[k]!.regClass >= 0;
    return isWrong ? -40 : 30 * fits[k]!;
  };
  const least = nthLargest(
    scores.map((score, k) => score + bonus(k)),
    MAX_REGISTERS,
  );
  all.forEach((v, k) => {
    if (wanted.isDef && v.partsWritten !== null) items.push(...unwrittenParts(tables, fn, v, lineStart));
    const fit = fits[k]! as Fit;
    const base = scores[k]!;
    if (base === -Infinity || (!withParts && base + bonus(k) < least)) return;
    const detail = wanted.isDef ? '' : livenessText(v, scope, lineStart);
    const { name } = v;
    const about = { what: 'register', name } as const;
    const shared = { kind: CompletionItemKind.Variable, description: typeText(fn, v), detail, about };
    // What nothing writes and nothing else reads has no value.
    const lead = wanted.isDef || wanted.isUndef === true || v.defs > 0 || v.isRead ? '' : 'undef ';
    if (fit !== Fit.None || wanted.isDef) items.push({ ...shared, label: lead + name, score: base + bonus(k) });
    if (lead !== '') return;
    if (!withParts || fit === Fit.Exact || v.regClass < 0) return;
    const parts = seen.get(v.regClass) ?? partsOf(tables, v.regClass, wanted.regClass);
    seen.set(v.regClass, parts);
    parts.forEach((part, n) =>
      items.push({
        ...shared,
        label: `${name}.${part}`,
        score: base + 34 - 2 * n - (v.partsRead?.has(part) ? 8 : 0),
      }),
    );
  });
  return items;
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
  if (regClass < 0) return bits > 0 && fit !== Fit.Exact ? -60 : 0;
  return fit === Fit.None ? -120 : fit === Fit.Narrowed ? -30 : 20;
}

/** More 32-bit parts than these no register has. */
const MAX_PARTS = 32;

/** Of a register that is written part by part: the parts that are still to come. */
function unwrittenParts(tables: TargetTables, fn: MachineFunction, v: VRegHere, lineStart: number): Candidate[] {
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
      score: 78 - near - (has(k - 1) ? 0 : 2),
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
      score: reg > 0 && !takes(reg) ? score - 60 : score,
      description: rc < 0 ? '' : `${tables.regClassBits[rc]!} bits`,
      detail,
      about: { what: 'register', name: `$${name}` },
    });
  };
  const seen = mentioned(scope, lineStart);
  for (const m of seen) {
    const reg = tables.regByName(m.name);
    if (reg <= 0 || (regClass >= 0 && !takes(reg))) continue;
    const isWaiting = m.nLiveIns > 0 && m.uses === 0;
    const near = m.last < 0 ? 20 : 4 * Math.log2(1 + Math.max(0, lineStart - m.last) / LINE);
    const known = 34 + Math.min(12, 3 * (m.uses + m.defs)) - near;
    // What is read behind the cursor before it is written waits for a definition.
    if (wanted.isDef)
      add(
        m.name,
        reg,
        (m.isReadNext && !m.isFresh && !ALWAYS_THERE.test(m.name) ? 70 : 30) + Math.min(8, 2 * m.defs) - near / 2,
        '',
      );
    else if (isWaiting) add(m.name, reg, 112 - near, ' live-in, not read yet');
    else add(m.name, reg, known + (m.isWrittenLast ? 38 : 0), '');
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
      if (reg > 0) add(next, reg, 62 - 3 * Math.log2(1 + (lineStart - last!.lastDef) / LINE), '');
    }
  }
  const isKnown = new Set(seen.map((m) => m.name));
  if (wanted.isDef)
    for (const bank of ['vgpr', 'sgpr', 'agpr']) {
      let k = 0;
      while (isKnown.has(`${bank}${k}`)) k++;
      const reg = tables.regByName(`${bank}${k}`);
      if (reg > 0 && takes(reg)) add(`${bank}${k}`, reg, bank === 'agpr' ? 20 : 44, '');
    }
  else if (regClass >= 0 && !all)
    tables
      .classRegs(regClass)
      .slice(0, 4)
      .forEach((reg, k) => {
        if (!isKnown.has(tables.regName(reg)) && !tables.isArtificialReg(reg)) add(tables.regName(reg), reg, 6 - k, '');
      });
  for (const name of SPECIAL) {
    const reg = name === 'noreg' ? 0 : tables.regByName(name);
    if (isKnown.has(name) || reg < 0) continue;
    // A copy of nothing is no instruction.
    if (reg === 0 && regClass < 0) continue;
    if (reg === 0) add(name, reg, -40, '');
    else if (takes(reg)) add(name, reg, specialScore(st, name, wanted), '');
  }
  if (!all) return items;
  if (regClass >= 0) tables.classRegs(regClass).forEach((reg, k) => add(tables.regName(reg), reg, -30 - k / 1000, ''));
  else
    for (let reg = 1; reg < tables.nRegs; reg++)
      if (!tables.isArtificialReg(reg)) add(tables.regName(reg), reg, -40 - reg / 1e5, '');
  return items;
}

/** The mask of lanes is what scalar code reads most. */
function specialScore(st: Subtarget, name: string, { isDef, bits, regClass }: WantedRegister): number {
  if (!isDef && bits === 0 && regClass < 0) return -20;
  const mask = st.wavefrontSize === 32 ? '_lo' : '';
  if (name === `exec${mask}`) return isDef ? 25 : 60;
  return name === `vcc${mask}` || name === 'm0' ? (isDef ? 24 : 44) : 10;
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
  /** behind the cursor's line it is read before it is written */
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
