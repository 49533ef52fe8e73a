/**
 * What the functions of a module need together with all that they call: the numbers in the comments of llc's assembly. Follows AMDGPUResourceUsageAnalysis and
 * AMDGPUMCResourceInfo of LLVM 22.1.8.
 */
import { isEntryFunctionCC } from '../../model/functionLimits.js';
import { OperandKind, type MachineFunction } from '../../model/machineFunction.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { stronglyConnected } from '../stronglyConnected.js';
import { totalsOf, type OwnUse, type TotalUse } from '../allocatedUse.js';

export interface ModuleUse extends TotalUse {
  /** with the callees' */
  readonly use: OwnUse;
  /** the function itself, or one that it calls, calls what the module does not define or what is not known */
  readonly hasIndirectCall: boolean;
}

interface Member {
  readonly fn: MachineFunction;
  readonly own: OwnUse;
}

interface Calls {
  /** numbers of functions that the module defines */
  readonly callees: readonly number[];
  readonly isIndirect: boolean;
}

/** By name, for each function of `members`, which is all that the module defines. O(operands of calls + calls) */
export function moduleUse(members: readonly Member[]): Map<string, ModuleUse> {
  const number = new Map(members.map((m, k) => [m.fn.header.name, k]));
  const calls = members.map((m) => callsIn(m.fn, number));
  const most = mostOfCallable(members);
  const all: OwnUse[] = members.map((m) => m.own);
  for (const group of stronglyConnected(calls.map((c) => c.callees))) {
    // Functions that call each other in a circle need the same registers; of memory each is told what lies outside of the circle.
    const inside = new Set(group);
    const outside = (k: number): OwnUse[] => calls[k].callees.filter((c) => !inside.has(c)).map((c) => all[c]);
    const needs = group.map((k) => {
      const { fn, own } = members[k];
      const called = togetherWith(own, outside(k));
      if (!calls[k].isIndirect) return called;
      const usesFlatScratch = own.usesFlatScratch || fn.subtarget.hasFeature('flat-address-space');
      return { ...togetherWith(own, [most]), usesVCC: true, usesFlatScratch, scratchBytes: called.scratchBytes };
    });
    group.forEach((k, n) => (all[k] = { ...togetherWith(needs[n], needs), scratchBytes: needs[n].scratchBytes }));
  }
  return new Map(
    members.map(({ fn }, k) => [
      fn.header.name,
      { use: all[k], hasIndirectCall: calls[k].isIndirect, ...totalsOf(fn, all[k]) },
    ]),
  );
}

/** Registers of all of them, and the memory of `own` on top of the most that another takes. */
function togetherWith(own: OwnUse, others: readonly OwnUse[]): OwnUse {
  const all = [own, ...others];
  return {
    vgpr: Math.max(...all.map((u) => u.vgpr)),
    agpr: Math.max(...all.map((u) => u.agpr)),
    sgpr: Math.max(...all.map((u) => u.sgpr)),
    usesVCC: all.some((u) => u.usesVCC),
    usesFlatScratch: all.some((u) => u.usesFlatScratch),
    scratchBytes: own.scratchBytes + Math.max(0, ...others.map((u) => u.scratchBytes)),
  };
}

/** The most that a function needs which may be called: so much is assumed of one that is not known. */
function mostOfCallable(members: readonly Member[]): OwnUse {
  const callable = members.filter((m) => !isEntryFunctionCC(m.fn.header.irFunction.callingConv)).map((m) => m.own);
  return {
    vgpr: Math.max(0, ...callable.map((u) => u.vgpr)),
    agpr: Math.max(0, ...callable.map((u) => u.agpr)),
    sgpr: Math.max(0, ...callable.map((u) => u.sgpr)),
    usesVCC: false,
    usesFlatScratch: false,
    scratchBytes: 0,
  };
}

function callsIn(fn: MachineFunction, defined: ReadonlyMap<string, number>): Calls {
  const callees = new Set<number>();
  let isIndirect = false;
  for (const name of calleeNames(fn)) {
    const callee = name === null ? undefined : defined.get(name);
    if (callee === undefined) isIndirect = true;
    else if (name !== fn.header.name) callees.add(callee);
  }
  return { callees: [...callees], isIndirect };
}

/** Of each call in layout order; null = through a pointer. O(instructions) of a function with calls. */
export function calleeNames(fn: MachineFunction): (string | null)[] {
  const { tables, header } = fn;
  if (!header.frameInfo.hasCalls && !header.frameInfo.hasTailCall) return [];
  const calls = opcodeSet(tables, 'callOfFunction');
  return [...fn.layout()].flatMap((i) => {
    if (!calls.has(fn.opcode[i])) return [];
    const o = fn.opBegin[i] + tables.getNamedOperandIdx(fn.opcode[i], 'callee');
    return [fn.opKind[o] === OperandKind.GlobalAddress ? fn.payload(o, OperandKind.GlobalAddress).name : null];
  });
}
