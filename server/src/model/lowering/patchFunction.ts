/**
 * Lowering after a small edit: chunks that were replaced by others of the same shape are put into the columns of the version before, and
 * everything that they leave as it was is shared with it. What cannot be proven to come out the same is left to lowerFunction.ts, so
 * that both ways give the same function.
 */
import { McFlag, type TargetTables } from '../../target/index.js';
import { BundleFlag, MachineFunction, type OperandPayload } from '../machineFunction.js';
import type { MemOperand } from '../memOperand.js';
import type { SpecialOpcodes } from './chunkScratch.js';
import type { FunctionInput } from './functionInput.js';
import {
  LineKind,
  VRegKind,
  VRegSummary,
  type BlockReference,
  type BodyLine,
  type LabelInfo,
  type LiveInsInfo,
  type PackedChunk,
  type SuccessorsInfo,
} from './packedChunk.js';
import { LoweredSource, type BlockPlace } from './source.js';

/** What a lowered function without complaints leaves for its next version. Never changed. */
export interface LoweredVersion {
  readonly chunks: readonly PackedChunk[];
  readonly fn: MachineFunction;
  /** by chunk, and one more: its first instruction and operand, and the first virtual register that it mentions before all others */
  readonly firstInstr: Int32Array;
  readonly firstOperand: Int32Array;
  readonly firstVReg: Int32Array;
  /** virtual register by number (-1 = none), by larger number, by interned name */
  readonly indexByNumber: Int32Array;
  readonly indexByLargeNumber: ReadonlyMap<number, number>;
  readonly indexByName: ReadonlyMap<number, number>;
  /** by virtual register: VRegKind, as the header says and in the end; definitions as in PackedChunk */
  readonly headerKind: Uint8Array;
  readonly vregKind: Uint8Array;
  readonly vregDefs: Uint8Array;
}

/** More changed chunks are not an edit at one place. */
const MAX_CHANGED = 8;

/** The function of `input`, which has the same header as `before`; null when it must be lowered as a whole. */
export function patchFunction(input: FunctionInput, before: LoweredVersion): LoweredVersion | null {
  const { chunks, context } = input;
  if (chunks.length !== before.chunks.length || context.metadata.nNodes > 0) return null;
  const changed: number[] = [];
  for (let c = 0; c < chunks.length; c++) {
    if (chunks[c] === before.chunks[c]) continue;
    if (changed.length === MAX_CHANGED || !hasSameShape(before.chunks[c], chunks[c], input.special, context.tables))
      return null;
    changed.push(c);
  }
  const vregDefs = patchedDefs(input, before, changed);
  return vregDefs === null ? null : new Patch(input, before, changed, vregDefs).run();
}

// -- shape ---------------------------------------------------------------------------------------------------------

/** Blocks, edges, counts: all but what single operands and instructions say. */
function hasSameShape(a: PackedChunk, b: PackedChunk, special: SpecialOpcodes, tables: TargetTables): boolean {
  if (b.diagnostics.length > 0 || a.nInstrs !== b.nInstrs || a.nOperands !== b.nOperands) return false;
  if (a.hasPhi !== b.hasPhi || a.hasFakeUse !== b.hasFakeUse || a.payloads.length !== b.payloads.length) return false;
  if (a.extras.length + b.extras.length > 0) return false;
  for (let i = 0; i <= a.nInstrs; i++) if (a.opBegin[i] !== b.opBegin[i]) return false;
  for (let i = 0; i < a.nInstrs; i++)
    if (a.opcode[i] !== b.opcode[i] && !guessesAlike(a.opcode[i], b.opcode[i], special, tables)) return false;
  return (
    a.blockReferences.length === b.blockReferences.length &&
    a.blockReferences.every((r, k) => isSameReference(r, b.blockReferences[k])) &&
    a.lines.length === b.lines.length &&
    a.lines.every((line, k) => isSameLine(line, b.lines[k]))
  );
}

/** Do successors that are guessed from the instructions stay when one opcode takes the place of the other? */
function guessesAlike(a: number, b: number, special: SpecialOpcodes, tables: TargetTables): boolean {
  const isBarrier = (opcode: number): boolean => (tables.opcodeFlagsLo(opcode) & (1 << McFlag.Barrier)) !== 0;
  const isPhi = (opcode: number): boolean => opcode === special.phi || opcode === special.gPhi;
  return isBarrier(a) === isBarrier(b) && isPhi(a) === isPhi(b) && special.debug.has(a) === special.debug.has(b);
}

const isSameReference = (a: BlockReference, b: BlockReference): boolean =>
  a.operand === b.operand && a.number === b.number && a.name === b.name;

function isSameLine(a: BodyLine, b: BodyLine): boolean {
  if (a.kind !== b.kind || a.instrsBefore !== b.instrsBefore) return false;
  switch (a.kind) {
    case LineKind.Label:
      return isSameLabel(a.info as LabelInfo, b.info as LabelInfo);
    case LineKind.Successors: {
      const x = (a.info as SuccessorsInfo).successors;
      const y = (b.info as SuccessorsInfo).successors;
      return (
        x.length === y.length &&
        x.every((s, k) => s.number === y[k].number && s.name === y[k].name && s.weight === y[k].weight)
      );
    }
    case LineKind.LiveIns: {
      const x = (a.info as LiveInsInfo).liveIns;
      const y = (b.info as LiveInsInfo).liveIns;
      return (
        x.length === y.length &&
        x.every((l, k) => l.reg === y[k].reg && l.laneLo === y[k].laneLo && l.laneHi === y[k].laneHi)
      );
    }
    case LineKind.BundleOpen:
    case LineKind.BundleClose:
      return true;
    case LineKind.BadInstruction:
      return false;
  }
}

function isSameLabel(a: LabelInfo, b: LabelInfo): boolean {
  const keys = Object.keys(a) as (keyof LabelInfo)[];
  return keys.every((key) => key === 'node' || a[key] === b[key]);
}

// -- virtual registers ---------------------------------------------------------------------------------------------

/** Index of register j of a chunk, -1 = none. */
function vregOf(p: PackedChunk, j: number, version: LoweredVersion): number {
  const key = p.vregKey[j];
  if (p.vregIsNamed[j] !== 0) return version.indexByName.get(key) ?? -1;
  if (key >= 0 && key < version.indexByNumber.length) return version.indexByNumber[key];
  return version.indexByLargeNumber.get(key) ?? -1;
}

/** Registers are numbered as they are first mentioned; does a chunk still bring the same new ones in the same order? */
function bringsSameRegisters(p: PackedChunk, c: number, before: LoweredVersion): boolean {
  let next = before.firstVReg[c];
  const end = before.firstVReg[c + 1];
  for (let j = 0; j < p.nVRegs; j++) {
    const v = vregOf(p, j, before);
    if (v < 0 || v >= end) return false;
    if (v >= before.firstVReg[c] && v !== next++) return false;
  }
  return next === end;
}

/** Definitions of each register in the function. Null unless every register keeps its number, class, bank, type and kind. */
function patchedDefs(input: FunctionInput, before: LoweredVersion, changed: readonly number[]): Uint8Array | null {
  const { chunks, header } = input;
  const { regClass, bank, type, n } = before.fn.vregs;
  const { vregKind, headerKind } = before;
  const isConcerned = new Uint8Array(n);
  for (const c of changed) {
    if (!bringsSameRegisters(chunks[c], c, before)) return null;
    for (const p of [before.chunks[c], chunks[c]])
      for (let j = 0; j < p.nVRegs; j++) isConcerned[vregOf(p, j, before)] = 1;
  }
  const defs = before.vregDefs.slice();
  const kinds = vregKind.slice();
  const isTyped = new Uint8Array(n);
  for (let v = 0; v < n; v++) {
    if (isConcerned[v] === 0) continue;
    defs[v] = 0;
    kinds[v] = v < headerKind.length ? headerKind[v] : VRegKind.Unknown;
    if (v < header.vregTable.n && header.vregTable.type[v] !== null) isTyped[v] = 1;
  }
  for (const p of chunks)
    for (let j = 0; j < p.nVRegs; j++) {
      const v = vregOf(p, j, before);
      if (isConcerned[v] === 0) continue;
      const kind = p.vregKind[j] as VRegKind;
      if (kind !== VRegKind.Unknown) {
        if (kind !== vregKind[v]) return null;
        if (kind === VRegKind.Normal && p.vregId[j] !== regClass[v]) return null;
        if (kind === VRegKind.Bank && p.vregId[j] !== bank[v]) return null;
        kinds[v] = kind;
      }
      if (p.vregType[j] !== null) {
        if (p.vregType[j] !== type[v]) return null;
        isTyped[v] = 1;
      }
      const summary = p.vregSummary[j];
      if (summary !== 0 && ((summary & VRegSummary.Conflict) !== 0 || vregKind[v] >= VRegKind.Generic)) return null;
      defs[v] = mergedDefs(defs[v], p.vregDefs[j]);
    }
  for (let v = 0; v < n; v++)
    if (isConcerned[v] === 1 && (kinds[v] !== vregKind[v] || (type[v] !== null && isTyped[v] === 0))) return null;
  return isSSA(defs) === isSSA(before.vregDefs) ? defs : null;
}

/** Definitions in two parts of a body, both as in PackedChunk. */
export function mergedDefs(a: number, b: number): number {
  return ((a | b) & 4) | Math.min(2, (a & 3) + (b & 3));
}

/** One definition of each register, of the whole of it. */
export function isSSA(defs: Uint8Array): boolean {
  for (const d of defs) if ((d & 3) > 1 || (d & 4) !== 0) return false;
  return true;
}

// -- columns -------------------------------------------------------------------------------------------------------

class Patch {
  constructor(
    private readonly input: FunctionInput,
    private readonly before: LoweredVersion,
    private readonly changed: readonly number[],
    private readonly vregDefs: Uint8Array,
  ) {}

  run(): LoweredVersion {
    const { before, changed } = this;
    const { document, header, body, chunks, context } = this.input;
    const old = before.fn;
    const fn = new MachineFunction(old.header, old.subtarget, old);
    const byInstr = <T extends Column>(column: T, of: (p: PackedChunk) => ArrayLike<number>): T =>
      this.patched(column, before.firstInstr, of);
    const byOperand = <T extends Column>(column: T, of: (p: PackedChunk) => ArrayLike<number>): T =>
      this.patched(column, before.firstOperand, of);
    fn.opcode = byInstr(old.opcode, (p) => p.opcode);
    fn.instrFlags = byInstr(old.instrFlags, (p) => p.instrFlags);
    fn.memOperands = this.patchedMemOperands(old.memOperands);
    fn.opKind = byOperand(old.opKind, (p) => p.opKind);
    fn.opFlags = byOperand(old.opFlags, (p) => p.opFlags);
    fn.opExt = byOperand(old.opExt, (p) => p.opExt);
    fn.opSub = byOperand(old.opSub, (p) => p.opSub);
    fn.opTied = byOperand(old.opTied, (p) => p.opTied);
    fn.opTargetFlags = byOperand(old.opTargetFlags, (p) => p.opTargetFlags);
    const firstPayload = this.firstPayloads();
    fn.payloads = this.patchedPayloads(old.payloads, firstPayload);
    for (const c of changed) {
      const values = this.valuesOf(c, firstPayload[c]);
      fn.opVal = withPart(fn.opVal, old.opVal, values, before.firstOperand[c], chunks[c].nOperands);
    }
    const { firstInstr } = before;
    fn.source = new LoweredSource(document, header, body, chunks, firstInstr, placesOf(chunks), context.names);
    return { ...before, chunks, fn, vregDefs: this.vregDefs };
  }

  private patched<T extends Column>(column: T, first: Int32Array, of: (p: PackedChunk) => ArrayLike<number>): T {
    let result = column;
    for (const c of this.changed)
      result = withPart(result, column, of(this.input.chunks[c]), first[c], first[c + 1] - first[c]);
    return result;
  }

  private firstPayloads(): Int32Array {
    const { chunks } = this.before;
    const first = new Int32Array(chunks.length + 1);
    for (let c = 0; c < chunks.length; c++) first[c + 1] = first[c] + chunks[c].payloads.length;
    return first;
  }

  /** `opVal` of a chunk with the function's numbers. */
  private valuesOf(c: number, firstPayload: number): Int32Array {
    const { before } = this;
    const p = this.input.chunks[c];
    const values = p.opVal.slice(0, p.nOperands);
    for (const o of p.vregOperands) values[o] = ~vregOf(p, ~values[o], before);
    for (const o of p.payloadOperands) values[o] += firstPayload;
    // The same bundles and blocks as before.
    const { bundle } = before.fn;
    for (const { instr, operand } of p.conditionOperands)
      if ((bundle[before.firstInstr[c] + instr] & BundleFlag.BundledPred) === 0)
        values[operand] = this.input.context.names.vccLo;
    for (const { operand } of p.blockReferences) values[operand] = before.fn.opVal[before.firstOperand[c] + operand];
    return values;
  }

  private patchedPayloads(old: OperandPayload[], first: Int32Array): OperandPayload[] {
    let result = old;
    for (const c of this.changed) {
      const { payloads } = this.input.chunks[c];
      if (payloads.length === 0) continue;
      if (result === old) result = old.slice();
      for (let k = 0; k < payloads.length; k++) result[first[c] + k] = payloads[k];
    }
    return result;
  }

  private patchedMemOperands(old: (readonly MemOperand[] | null)[]): (readonly MemOperand[] | null)[] {
    let result = old;
    for (const c of this.changed) {
      const first = this.before.firstInstr[c];
      const { memOperands, nInstrs } = this.input.chunks[c];
      for (let i = 0; i < nInstrs; i++) {
        if (result[first + i] === memOperands[i]) continue;
        if (result === old) result = old.slice();
        result[first + i] = memOperands[i];
      }
    }
    return result;
  }
}

type Column =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>;

/** `column` with the first `n` entries of `part` at `at`: itself when it holds them already, a copy when it is `shared`. */
function withPart<T extends Column>(column: T, shared: T, part: ArrayLike<number>, at: number, n: number): T {
  let k = 0;
  while (k < n && column[at + k] === part[k]) k++;
  if (k === n) return column;
  const result = column === shared ? (column.slice() as T) : column;
  for (; k < n; k++) result[at + k] = part[k];
  return result;
}

/** Where the parts of each block stand, in a body without complaints. */
function placesOf(chunks: readonly PackedChunk[]): BlockPlace[] {
  const places: BlockPlace[] = [];
  for (let chunk = 0; chunk < chunks.length; chunk++)
    for (const { kind, node, info } of chunks[chunk].lines) {
      if (kind === LineKind.Label) {
        places.push({ chunk, label: node, successors: -1, successorsChunk: -1, liveIns: [] });
        continue;
      }
      const place = places[places.length - 1];
      if (kind === LineKind.Successors) {
        place.successors = (info as SuccessorsInfo).node;
        place.successorsChunk = chunk;
      } else if (kind === LineKind.LiveIns) {
        for (const n of (info as LiveInsInfo).nodes) place.liveIns.push({ chunk, node: n });
      }
    }
  return places;
}
