/**
 * Whole-wave and reserved registers used against their purpose (docs/llvm/allocation-pipeline.md, 3): llc takes all of this without a word, and the code is wrong.
 */
import { registerRole } from '../../analysis/registerRole.js';
import { ReservedRegs } from '../../analysis/reservedRegs.js';
import {
  mayWriteWholeWaves,
  wholeWaveClobbers,
  type WholeWaveClobber,
} from '../../analysis/uniformity/wholeWaveClobbers.js';
import { OpFlag, OperandKind, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isPhysicalReg, isVirtualReg, NO_REG, type Reg } from '../../model/register.js';
import { DiagnosticOrigin, Severity, type Diagnostic } from '../../text/diagnostic.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { nameOf } from '../words/registerNames.js';

export interface WholeWaveFinding extends Diagnostic {
  /** what it is about, NO_REG = no register */
  readonly reg: Reg;
}

/** Offsets absolute. O(operands) for functions with whole-wave instructions or registers, O(registers) for others. */
export function wholeWaveFindings(view: FunctionView, snapshot: Snapshot): WholeWaveFinding[] {
  const { fn } = view;
  const source = fn?.source ?? null;
  if (fn === null || source === null || view.summary === null) return [];
  const found: WholeWaveFinding[] = [];
  const finding: Finding = (i, code, message, reg = NO_REG) => {
    const { start, end } = source.instrRange(i);
    const place = { start: view.start + start, end: view.start + end };
    found.push({ ...place, code, message, reg, severity: Severity.Warning, origin: DiagnosticOrigin.Function });
  };
  flaggedScalars(fn, finding);
  unendedRegions(fn, finding);
  writesOfReserved(fn, finding);
  const line = (i: InstrId): number => snapshot.text.lineAt(view.start + source.instrRange(i).start) + 1;
  for (const { reg, clobber, value, read } of clobbersOf(view)) {
    const name = `$${fn.tables.regName(reg)}`;
    const what = `lanes that are switched off here have their value of line ${line(value)} in ${name}`;
    finding(clobber, 'wwm-clobber', `${what}, which line ${line(read)} reads: this writes all lanes`, reg);
  }
  const { tables, subtarget } = fn;
  const info = fn.header.machineFunctionInfo;
  const strictAtStart = mayBeStrictAtStart(fn);
  const isAllocated = fn.vregs.n === 0 && fn.header.frameInfo.stackSize === 0n;
  for (let b = 0; b < fn.blocks.length; b++) {
    let isStrict = strictAtStart[b] === 1;
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
      const i = fn.order[p]!;
      const name = tables.opcodeName(fn.opcode[i]!);
      isStrict = strictBehind(name) ?? isStrict;
      if (/^(?:WWM_COPY|SI_SPILL_WWM_\w+)$/.test(name) && info.sgprForEXECCopy <= 0)
        finding(
          i,
          'wwm-no-exec-copy',
          `${name} needs sgprForEXECCopy in machineFunctionInfo: llc writes $noreg without it`,
        );
      if (name === 'SI_SPILL_S32_TO_VGPR' || name === 'SI_RESTORE_S32_FROM_VGPR') {
        const o = fn.opBegin[i]! + 2;
        const lane = fn.opKind[o] === OperandKind.Immediate ? fn.opVal[o]! : 0;
        if (lane < 0 || subtarget.wavefrontSize <= lane)
          finding(i, 'wwm-lane-range', `lane ${lane} of a wave with ${subtarget.wavefrontSize} lanes`);
        const reg = fn.opVal[fn.opBegin[i]! + (name === 'SI_SPILL_S32_TO_VGPR' ? 0 : 1)]!;
        if (isVirtualReg(reg) && fn.vregs.flags[~reg]?.includes('WWM_REG') !== true)
          finding(
            i,
            'wwm-not-flagged',
            `${nameOf(fn, ~reg)} holds lanes of SGPRs, but is not flagged WWM_REG: llc gives it a per-lane register`,
            reg,
          );
        if (isPhysicalReg(reg) && isAllocated && !info.wwmReservedRegs.some((r) => tables.regsOverlap(r, reg)))
          finding(
            i,
            'wwm-not-reserved',
            `$${tables.regName(reg)} holds lanes of SGPRs, but is not in wwmReservedRegs: nothing saves its inactive lanes`,
            reg,
          );
        continue;
      }
      if (isStrict || info.wwmReservedRegs.length === 0 || isLaneWise(name)) continue;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        const reg = fn.opVal[o]!;
        if (!isPhysicalReg(reg) || (fn.opFlags[o]! & OpFlag.Def) === 0) continue;
        const whole = info.wwmReservedRegs.find((r) => tables.regsOverlap(r, reg));
        if (whole === undefined || fn.header.frameInfo.stackSize > 0n) continue;
        const both = `$${tables.regName(whole)}`;
        finding(
          i,
          'wwm-per-lane',
          `${both} is whole-wave (wwmReservedRegs): this writes its active lanes as if it were per-lane`,
          whole,
        );
        break;
      }
    }
  }
  return found;
}

const clobbersOf = ({ fn, lanes }: FunctionView): WholeWaveClobber[] =>
  fn === null || !mayWriteWholeWaves(fn) || lanes === null ? [] : wholeWaveClobbers(lanes);

/** Whether whole lanes run after the instruction; null when it changes nothing. */
function strictBehind(name: string): boolean | null {
  if (name.startsWith('ENTER_STRICT_')) return true;
  return name.startsWith('EXIT_STRICT_') ? false : null;
}

/** 1 for each block that some path reaches with whole lanes running. O(instructions + edges) */
function mayBeStrictAtStart(fn: MachineFunction): Uint8Array {
  const n = fn.blocks.length;
  const atStart = new Uint8Array(n);
  // By its last switch; null: what comes in goes out.
  const own = fn.blocks.map((_, b): boolean | null => {
    for (let p = fn.blockEnd[b]! - 1; p >= fn.blockBegin[b]!; p--) {
      const strict = strictBehind(fn.tables.opcodeName(fn.opcode[fn.order[p]!]!));
      if (strict !== null) return strict;
    }
    return null;
  });
  const leaving = own.flatMap((strict, b) => (strict === true ? [b] : []));
  for (let b = leaving.pop(); b !== undefined; b = leaving.pop())
    for (const s of fn.blocks[b]!.successors) {
      if (atStart[s] === 1) continue;
      atStart[s] = 1;
      if (own[s] === null) leaving.push(s);
    }
  return atStart;
}

/** Instructions that are made for whole-wave registers, or that write no lane. */
const isLaneWise = (name: string): boolean =>
  /^(?:V_WRITELANE_B32|V_SET_INACTIVE_B32|WWM_COPY|SI_SPILL_WWM_|IMPLICIT_DEF|KILL|COPY|INLINEASM|SI_CALL|SI_TCRETURN)/.test(
    name,
  );

/** The flag WWM_REG on a register of a scalar class, at its first definition. */
function flaggedScalars(fn: MachineFunction, finding: Finding): void {
  const { vregs, tables } = fn;
  const wrong = new Set<number>();
  for (let v = 0; v < vregs.n; v++)
    if (
      vregs.flags[v]?.includes('WWM_REG') === true &&
      0 <= vregs.regClass[v]! &&
      tables.isSGPRClass(vregs.regClass[v]!)
    )
      wrong.add(v);
  if (wrong.size === 0) return;
  for (let i = 0; i < fn.nInstrs; i++)
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o]!;
      if (!isVirtualReg(reg) || !wrong.delete(~reg)) continue;
      const name = nameOf(fn, ~reg);
      finding(
        i,
        'wwm-flag-on-sgpr',
        `${name} is flagged WWM_REG, but ${tables.regClassMirName(vregs.regClass[~reg]!)} is scalar: the whole-wave run skips it`,
        reg,
      );
    }
}

type Finding = (i: InstrId, code: string, message: string, reg?: Reg) => void;

/** Regions of whole lanes that some path leaves by the end of the function. O(regions x blocks) */
function unendedRegions(fn: MachineFunction, finding: Finding): void {
  const { tables } = fn;
  const switchFrom = (b: BlockId, place: number): boolean | null => {
    for (let p = place; p < fn.blockEnd[b]!; p++) {
      const strict = strictBehind(tables.opcodeName(fn.opcode[fn.order[p]!]!));
      if (strict !== null) return strict;
    }
    return null;
  };
  for (let b = 0; b < fn.blocks.length; b++)
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
      const i = fn.order[p]!;
      const name = tables.opcodeName(fn.opcode[i]!);
      if (strictBehind(name) !== true) continue;
      const seen = new Set<BlockId>();
      const work: [BlockId, number][] = [[b, p + 1]];
      for (let next = work.pop(); next !== undefined; next = work.pop()) {
        const [at, place] = next;
        if (switchFrom(at, place) !== null) continue;
        const { successors } = fn.blocks[at]!;
        if (successors.length === 0) {
          finding(
            i,
            'wwm-no-exit',
            `a path leads to the end of the function with whole lanes: no ${name.replace('ENTER', 'EXIT')} on it`,
          );
          break;
        }
        for (const s of successors) {
          if (seen.has(s)) continue;
          seen.add(s);
          work.push([s, fn.blockBegin[s]!]);
        }
      }
    }
}

/** `frame-setup`, and that or `frame-destroy`, among an instruction's flags */
const FRAME_SETUP = 1;
const FRAME = 3;

interface Misuse {
  readonly code: string;
  readonly message: string;
}

/**
 * Registers that an attribute or machineFunctionInfo keeps free, written before allocation; callee-saved ones that the prologue does not save, written
 * after it. What is reserved in each function (EXEC, M0, the registers of the stack) is written rightly. O(operands)
 */
function writesOfReserved(fn: MachineFunction, finding: Finding): void {
  const { tables, header } = fn;
  const isBefore = fn.vregs.n > 0;
  const saved: number[] = [];
  let hasPrologue = false;
  if (!isBefore)
    for (let i = 0; i < fn.nInstrs; i++) {
      if ((fn.instrFlags[i]! & FRAME_SETUP) === 0) continue;
      hasPrologue = true;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
        if ((fn.opFlags[o]! & OpFlag.Def) === 0 && isPhysicalReg(fn.opVal[o]!)) saved.push(fn.opVal[o]!);
    }
  if (!isBefore && (!hasPrologue || header.machineFunctionInfo.isEntryFunction)) return;
  const known = new Map<number, Misuse | null>();
  let reserved: ReservedRegs | null = null;
  const whatOf = (reg: number): Misuse | null => {
    const name = `$${tables.regName(reg)}`;
    const role = registerRole(fn, (reserved ??= new ReservedRegs(fn)), reg);
    if (
      isBefore &&
      role.kind === 'reserved' &&
      (header.machineFunctionInfo.isEntryFunction
        ? /^(?:longBranch|vgprForAGPR|above the budget.*\("amdgpu)/
        : /^(?:longBranch|vgprForAGPR)/
      ).test(role.why)
    )
      return { code: 'reserved-register', message: `${name} is reserved here: ${role.why}` };
    if (!isBefore && role.kind === 'callee-saved' && !saved.some((r) => tables.regsOverlap(r, reg)))
      return {
        code: 'callee-saved-register',
        message: `${name} is callee-saved, and no frame-setup instruction saves it`,
      };
    return null;
  };
  for (let b = 0; b < fn.blocks.length; b++)
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
      const i = fn.order[p]!;
      // A copy puts a value where a convention wants it.
      if ((fn.instrFlags[i]! & FRAME) !== 0 || tables.opcodeName(fn.opcode[i]!) === 'COPY') continue;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        const reg = fn.opVal[o]!;
        if ((fn.opFlags[o]! & (OpFlag.Def | OpFlag.Implicit)) !== OpFlag.Def || !isPhysicalReg(reg)) continue;
        let what = known.get(reg);
        if (what === undefined) known.set(reg, (what = whatOf(reg)));
        if (what !== null) finding(i, what.code, what.message);
      }
    }
}
