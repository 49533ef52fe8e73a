/** What lane masks are computed with, by the size of the wave. */
import type { MachineFunction } from '../model/machineFunction.js';
import type { Reg } from '../model/register.js';
import type { RegClassId } from '../target/api.js';

/** Opcodes, registers and classes of lane masks. */
export interface LaneMaskOps {
  readonly exec: Reg;
  readonly vcc: Reg;
  /** class of a mask, and of one that a V_SET_INACTIVE_B32 reads */
  readonly maskClass: RegClassId;
  readonly waveMaskClass: RegClassId;
  readonly mov: number;
  readonly movTerm: number;
  readonly or: number;
  readonly orTerm: number;
  readonly orn2: number;
  readonly xor: number;
  readonly xorTerm: number;
  readonly andn2Term: number;
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
export function laneMaskOps({ subtarget, tables }: MachineFunction): LaneMaskOps {
  const bits = subtarget.wavefrontSize;
  const suffix = bits === 32 ? '_lo' : '';
  const op = (name: string, term = ''): number => tables.opcodeByName(`${name}_B${bits}${term}`);
  return {
    exec: tables.regByName(`exec${suffix}`),
    vcc: tables.regByName(`vcc${suffix}`),
    maskClass: tables.regClassByName(`sreg_${bits}`),
    waveMaskClass: tables.regClassByName(bits === 32 ? 'sreg_32_xm0_xexec' : 'sreg_64_xexec'),
    mov: op('S_MOV'),
    movTerm: op('S_MOV', '_term'),
    or: op('S_OR'),
    orTerm: op('S_OR', '_term'),
    orn2: op('S_ORN2'),
    xor: op('S_XOR'),
    xorTerm: op('S_XOR', '_term'),
    andn2Term: op('S_ANDN2', '_term'),
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
