/** Scheduling class of an instruction with variants resolved (TargetSchedModel::resolveSchedClass). */
import type { Opcode, RegClassId, SchedModel, TargetTables } from '../../target/api.js';
import { OperandKind, type InstrId, type MachineFunction } from '../../model/machineFunction.js';

/** As TargetSchedModel's predicates ask of what a COPY writes (PredIsVGPR32Copy, PredIsVGPR64Copy): they take its bytes for bits. */
function copyLike(tables: TargetTables, rc: RegClassId): RegClassId {
  const isScalar = rc < 0 || tables.isSGPRClass(rc);
  return tables.regClassByName(isScalar ? 'sreg_32' : tables.regClassSpillSize(rc) <= 32 ? 'vgpr_32' : 'vreg_512');
}

const classesByOpcode = new WeakMap<SchedModel, Uint16Array>();

/** What `opcodeClasses` holds of an opcode beside its class and FIRST_CLASS. */
export const enum OpcodeClass {
  Unknown = 0,
  /** a variant: the operands decide */
  ByOperands = 1,
  FirstClass = 2,
}

/** By opcode: an OpcodeClass, or its class in the model and FirstClass. Filled by `opcodeClass`; one array serves all functions. */
export function opcodeClasses(tables: TargetTables, model: SchedModel): Uint16Array {
  let classes = classesByOpcode.get(model);
  if (classes === undefined) classesByOpcode.set(model, (classes = new Uint16Array(tables.nOpcodes)));
  return classes;
}

/** What that array holds of an opcode. */
export function opcodeClass(tables: TargetTables, model: SchedModel, opc: Opcode): number {
  const cls = tables.opcodeSchedClass(opc);
  if (!model.isValidClass(cls)) return OpcodeClass.FirstClass;
  return model.isVariantClass(cls) ? OpcodeClass.ByOperands : OpcodeClass.FirstClass + cls;
}

/**
 * 0 = no valid class.
 * @llvm TargetSchedule.cpp TargetSchedModel::resolveSchedClass
 */
export function resolveSchedClass(fn: MachineFunction, i: InstrId): number {
  const { tables } = fn;
  const model = fn.subtarget.schedModel;
  const opc = fn.opcode[i];
  const cls = tables.opcodeSchedClass(opc);
  if (!model.isValidClass(cls)) return 0;
  if (!model.isVariantClass(cls)) return cls;
  const begin = fn.opBegin[i];
  if (tables.opcodeName(opc) === 'COPY') {
    const reg = fn.opVal[begin];
    let rc = reg < 0 ? fn.vregs.regClass[~reg] : reg > 0 ? tables.getMinimalPhysRegClass(reg) : -1;
    if (rc >= 0 && fn.opSub[begin] !== 0) rc = tables.getSubRegisterClass(rc, fn.opSub[begin]);
    return Math.max(0, model.copyClass(copyLike(tables, rc)));
  }
  const resolved = model.variantClass(opc, (k) => {
    const o = begin + k;
    return o < fn.opBegin[i + 1] && fn.opKind[o] === OperandKind.Immediate ? fn.imm(o) : 0;
  });
  return resolved < 0 ? 0 : resolved;
}
