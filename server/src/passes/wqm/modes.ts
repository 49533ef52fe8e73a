/** The modes in which instructions run, as sets of bits, and the opcodes that switch between them. */
import type { RegClassId } from '../../target/api.js';
import type { Reg } from '../../model/register.js';
import type { AllocState } from '../regalloc/state.js';

/** Modes of EXEC. A set of them is a number. */
export const enum Mode {
  /** lanes of all quads that have a live lane; helper lanes take part in control flow */
  WQM = 1,
  /** all lanes of the wave, whatever control flow has done */
  StrictWWM = 2,
  /** all lanes of quads that have an active one, whatever control flow has done */
  StrictWQM = 4,
  /** live lanes alone */
  Exact = 8,
}

export type ModeSet = number;

export const STRICT: ModeSet = Mode.StrictWWM | Mode.StrictWQM;
/** those between which control flow goes on */
export const PLAIN: ModeSet = Mode.WQM | Mode.Exact;

/** Opcodes and registers of lane masks, by the size of the wave (AMDGPULaneMaskUtils.h). */
export interface MaskOps {
  readonly exec: Reg;
  readonly vcc: Reg;
  /** class of a mask, and of one that a V_SET_INACTIVE_B32 reads */
  readonly maskClass: RegClassId;
  readonly waveMaskClass: RegClassId;
  readonly mov: number;
  readonly and: number;
  readonly andTerm: number;
  readonly andn2: number;
  readonly andSaveExec: number;
  readonly andSaveExecTerm: number;
  readonly orSaveExec: number;
  readonly wqm: number;
  readonly bfm: number;
  readonly cmov: number;
  /** what ends a block in place of what stands inside of it */
  readonly terminatorOf: ReadonlyMap<number, number>;
}

/** @llvm AMDGPULaneMaskUtils.h AMDGPU::LaneMaskConstants */
export function maskOps({ fn, tables }: AllocState): MaskOps {
  const bits = fn.subtarget.wavefrontSize;
  const suffix = bits === 32 ? '_lo' : '';
  const op = (name: string, term = ''): number => tables.opcodeByName(`${name}_B${bits}${term}`);
  return {
    exec: tables.regByName(`exec${suffix}`),
    vcc: tables.regByName(`vcc${suffix}`),
    maskClass: tables.regClassByName(`sreg_${bits}`),
    waveMaskClass: tables.regClassByName(bits === 32 ? 'sreg_32_xm0_xexec' : 'sreg_64_xexec'),
    mov: op('S_MOV'),
    and: op('S_AND'),
    andTerm: op('S_AND', '_term'),
    andn2: op('S_ANDN2'),
    andSaveExec: op('S_AND_SAVEEXEC'),
    andSaveExecTerm: op('S_AND_SAVEEXEC', '_term'),
    orSaveExec: op('S_OR_SAVEEXEC'),
    wqm: op('S_WQM'),
    bfm: op('S_BFM'),
    cmov: op('S_CMOV'),
    terminatorOf: new Map(['S_AND', 'S_MOV', 'S_ANDN2'].map((name) => [op(name), op(name, '_term')])),
  };
}
