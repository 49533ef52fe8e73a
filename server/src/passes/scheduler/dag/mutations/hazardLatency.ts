/**
 * GFX11 in waves of 64: a vector instruction that reads a mask in SGPRs is to stand farther from the one that wrote it
 * (docs/llvm/schedule-dag.md, 9.7).
 */
import { Generation } from '../../../../target/api.js';
import { isVALU } from '../../../../target/opcodes.js';
import { opcodeSet } from '../../../../target/opcodeSets.js';
import type { MachineFunction } from '../../../../model/machineFunction.js';
import type { Reg } from '../../../../model/register.js';
import { DepKind, NONE } from '../graph.js';
import type { MutationContext } from './mutation.js';

const FACTOR = 3;

/** @llvm SIRegisterInfo.cpp SIRegisterInfo::isSGPRReg */
function isSGPRReg({ tables, vregs }: MachineFunction, reg: Reg): boolean {
  const rc = reg < 0 ? vregs.regClass[~reg] : tables.getMinimalPhysRegClass(reg);
  return rc >= 0 && tables.isSGPRClass(rc);
}

/**
 * LLVM changes the latency in the list of successors alone.
 * @llvm AMDGPUHazardLatency.cpp HazardLatency::apply
 */
export function addHazardLatency({ fn, graph }: MutationContext): void {
  const { subtarget, tables } = fn;
  if (subtarget.generation !== Generation.GFX11 || subtarget.wavefrontSize !== 64) return;
  const exempt = opcodeSet(tables, 'readsLane');
  for (let n = 0; n < graph.nSUnits; n++) {
    const opcode = fn.opcode[graph.instr[n]];
    if (!isVALU(tables, opcode) || exempt.has(opcode)) continue;
    for (let e = graph.firstSucc[n]; e !== NONE; e = graph.nextSucc[e]) {
      if (graph.edgeKind[e] !== DepKind.Data) continue;
      const user = graph.instr[graph.edgeSucc[e]];
      if (user < 0 || !isVALU(tables, fn.opcode[user]) || !isSGPRReg(fn, graph.edgeReg[e])) continue;
      graph.setSuccLatency(e, graph.succLatencyCycles[e] * FACTOR);
    }
  }
}
