/** What si-insert-waitcnts does at the ends of a program: write back the cache of scalar stores, let go of VGPRs (SIInsertWaitcnts, LLVM 22; docs/llvm/waits.md, 3). */
import { PhysRegUse } from '../../analysis/physRegUse.js';
import { immOperand } from '../../model/edit/functionEditor.js';
import type { InstrBuilder } from '../../model/edit/instrBuilder.js';
import type { BlockId, InstrId } from '../../model/machineFunction.js';
import { isScalarStore } from '../../target/opcodes.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import type { CountedInstrs } from './countedInstrs.js';
import type { WaitReasons } from './waitReasons.js';

const END = new OpcodePattern(/^(?:S_ENDPGM|SI_RETURN_TO_EPILOG)$/);
/** message of S_SENDMSG */
const DEALLOC_VGPRS = 3;

/** Scalar stores stay in their cache unless it is written back. */
export function writeBackScalarCache(builder: InstrBuilder, instrs: CountedInstrs, reasons: WaitReasons | null): void {
  const { editor } = builder;
  const { fn } = instrs;
  const ends: BlockId[] = [];
  let hasStores = false;
  const isEnd = (i: InstrId): boolean => instrs.matches(END, i);
  for (let b = 0; b < fn.blocks.length; b++)
    for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
      hasStores ||= instrs.is(isScalarStore, i);
      if (isEnd(i)) ends.push(b);
    }
  if (!hasStores) return;
  const writeBack = fn.tables.opcodeByName('S_DCACHE_WB');
  for (const b of ends) {
    let isClean = false;
    for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
      if (fn.opcode[i] === writeBack) isClean = true;
      else if (instrs.is(isScalarStore, i)) isClean = false;
      if (isEnd(i) && !isClean) {
        const made = builder.build(i, i, writeBack, []);
        reasons?.add(made, 'scalarCache');
      }
    }
  }
}

/** At these ends. */
export function releaseVGPRs(
  builder: InstrBuilder,
  instrs: CountedInstrs,
  ends: ReadonlySet<InstrId>,
  reasons: WaitReasons | null,
): void {
  const { fn } = instrs;
  const st = fn.subtarget;
  const emit = (i: InstrId, name: string, value: number): void => {
    const made = builder.build(i, i, fn.tables.opcodeByName(name), [immOperand(value)]);
    reasons?.add(made, 'releaseVGPRs');
  };
  const { dynamicVGPRBlockSize } = fn.header.machineFunctionInfo;
  if (dynamicVGPRBlockSize !== 0) {
    for (const i of ends) emit(i, 'S_ALLOC_VGPR', 0);
    return;
  }
  if (ends.size === 0) return;
  const waves = st.occupancyWithNumVGPRs(nVGPRs(builder, instrs), 0);
  if (!fn.header.frameInfo.hasCalls && waves >= st.maxWavesPerEU) return;
  for (const i of ends) {
    if (!st.hasFeature('gfx1250-insts')) emit(i, 'S_NOP', 0);
    emit(i, 'S_SENDMSG', DEALLOC_VGPRS);
  }
}

/** @llvm SIRegisterInfo.cpp SIRegisterInfo::getNumUsedPhysRegs */
function nVGPRs(builder: InstrBuilder, instrs: CountedInstrs): number {
  const { tables } = instrs.fn;
  const use = new PhysRegUse(builder.editor);
  const vgprs = [...tables.classRegs(tables.regClassByName('vgpr_32'))].reverse();
  const last = vgprs.find((reg) => use.isUsed(reg));
  return last === undefined ? 0 : instrs.facts.hardwareIndex(last) + 1;
}
