/**
 * Whole-wave registers used against their purpose (docs/llvm/allocation-pipeline.md, 3): llc takes all of this without a word, and the code is wrong. Only what is wrong
 * on every path is found.
 */
import { OpFlag, OperandKind, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isPhysicalReg, isVirtualReg } from '../../model/register.js';
import { DiagnosticOrigin, Severity, type Diagnostic } from '../../text/diagnostic.js';
import { nameOf } from '../remat/rematWords.js';
import type { FunctionView } from '../snapshot.js';

/** Offsets absolute. O(operands) for functions with whole-wave instructions or registers, O(registers) for others. */
export function wholeWaveFindings(view: FunctionView): Diagnostic[] {
  const { fn } = view;
  const source = fn?.source ?? null;
  if (fn === null || source === null || view.summary === null) return [];
  const found: Diagnostic[] = [];
  const finding = (i: InstrId, code: string, message: string): void => {
    const { start, end } = source.instrRange(i);
    const place = { start: view.start + start, end: view.start + end };
    found.push({ ...place, code, message, severity: Severity.Warning, origin: DiagnosticOrigin.Function });
  };
  flaggedScalars(fn, finding);
  const { tables, subtarget } = fn;
  const info = fn.header.machineFunctionInfo;
  const strictAtStart = mayBeStrictAtStart(fn);
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
        );
        break;
      }
    }
  }
  return found;
}

/** Whether whole lanes run behind the instruction; null when it changes nothing. */
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
function flaggedScalars(fn: MachineFunction, finding: (i: InstrId, code: string, message: string) => void): void {
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
      );
    }
}
