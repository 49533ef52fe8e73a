/**
 * `amdgpu-preload-kern-arg-prolog`: kernels whose arguments the hardware loads into registers do it themselves where its firmware does not know how
 * (AMDGPUPreloadKernArgProlog, LLVM 22; docs/llvm/late-passes.md, 8).
 */
import { immOperand, regOperand, type FunctionEditor } from '../../model/edit/functionEditor.js';
import { InstrBuilder, NO_LOCATION } from '../../model/edit/instrBuilder.js';
import { OpFlag, OperandKind, type BlockId, type MachineFunction } from '../../model/machineFunction.js';
import { PROBABILITY_ONE } from '../../model/probability.js';
import { maskOf, waitcntFields } from '../../model/waitFields.js';
import { Generation, type PhysReg } from '../../target/api.js';
import { NotModelled, type MachinePass } from '../machinePass.js';

/** @llvm AMDGPUPreloadKernArgProlog.cpp AMDGPUPreloadKernArgPrologLegacy */
export const preloadKernArgPrologPass: MachinePass = {
  name: 'amdgpu-preload-kern-arg-prolog',
  pipelineName: 'amdgpu-preload-kern-arg-prolog',
  className: 'AMDGPUPreloadKernArgPrologPass',
  title: 'AMDGPU Preload Kernel Arguments Prolog',
  isRequired: true,
  requires: [],
  preserves: [],
  run(state) {
    const { subtarget, header } = state.fn;
    const isNeeded = subtarget.hasFeature('kernarg-preload') && subtarget.generation < Generation.GFX10;
    if (isNeeded && header.machineFunctionInfo.numKernargPreloadSGPRs > 0) new KernArgProlog(state.editor()).build();
  },
};

/** The firmware that knows how begins so many bytes behind the entry. */
const SKIPPED_BYTES = 256;
/** Words that a load can have, from the most on, with the registers for them. */
const LOADS = [
  { words: 8, opcode: 'S_LOAD_DWORDX8_IMM', registers: 'sreg_256' },
  { words: 4, opcode: 'S_LOAD_DWORDX4_IMM', registers: 'sreg_128' },
  { words: 2, opcode: 'S_LOAD_DWORDX2_IMM', registers: 'sreg_64' },
];

/** @llvm AMDGPUPreloadKernArgProlog.cpp AMDGPUPreloadKernArgProlog */
class KernArgProlog {
  private readonly fn: MachineFunction;
  private readonly builder: InstrBuilder;

  constructor(private readonly editor: FunctionEditor) {
    this.fn = editor.fn;
    this.builder = new InstrBuilder(editor);
  }

  /** Two blocks come before all others: one that loads, and the rest of what the firmware skips. */
  build(): void {
    const { fn, editor } = this;
    const [entry] = editor.blockOrder();
    const segment = this.argument('kernargSegmentPtr');
    const first = this.argument('firstKernArgPreloadReg');
    const loading = editor.insertBlock(-1);
    const padding = editor.insertBlock(loading);
    fn.blocks[loading].liveIns = [{ reg: segment, laneLo: -1, laneHi: -1 }];
    fn.blocks[padding].alignment = SKIPPED_BYTES;
    for (const block of [loading, padding]) {
      fn.blocks[block].successors = [entry];
      fn.blocks[block].probabilities = [PROBABILITY_ONE];
      fn.blocks[entry].predecessors = [...fn.blocks[entry].predecessors, block];
    }
    this.load(loading, segment, first);
    const { vmcnt, expcnt } = waitcntFields(fn.subtarget.generation);
    this.append(loading, 'S_WAITCNT', immOperand(maskOf(vmcnt) | maskOf(expcnt)));
    this.append(loading, 'S_BRANCH', { kind: OperandKind.MBB, val: entry });
  }

  private argument(key: string): PhysReg {
    const found = this.fn.header.machineFunctionInfo.argumentInfo?.get(key)?.reg ?? 0;
    if (found <= 0) throw new NotModelled(`preloaded arguments without ${key}`);
    return found;
  }

  /** @llvm AMDGPUPreloadKernArgProlog.cpp AMDGPUPreloadKernArgProlog::addBackCompatLoads */
  private load(block: BlockId, segment: PhysReg, first: PhysReg): void {
    const { tables, header } = this.fn;
    const scalars = tables.numberedRegs('sgpr');
    const begin = scalars.indexOf(first);
    const n = header.machineFunctionInfo.numKernargPreloadSGPRs;
    if (begin < 0 || begin + n > scalars.length) throw new NotModelled('preloaded arguments that are no row of SGPRs');
    for (let k = 0; k < n;) {
      const { words, opcode, reg } = this.widest(scalars[begin + k], n - k);
      const offset = immOperand(k * 4);
      this.append(block, opcode, regOperand(reg, OpFlag.Def), regOperand(segment), offset, immOperand(0));
      k += words;
    }
  }

  /** @llvm AMDGPUPreloadKernArgProlog.cpp getLoadParameters */
  private widest(first: PhysReg, most: number): { words: number; opcode: string; reg: PhysReg } {
    const { tables } = this.fn;
    for (const { words, opcode, registers } of LOADS) {
      if (words > most) continue;
      const sub0 = tables.subRegIndexByName('sub0');
      const reg = tables.getMatchingSuperReg(first, sub0, tables.regClassByName(registers));
      if (reg > 0) return { words, opcode, reg };
    }
    return { words: 1, opcode: 'S_LOAD_DWORD_IMM', reg: first };
  }

  private append(block: BlockId, name: string, ...operands: readonly ReturnType<typeof regOperand>[]): void {
    this.builder.build(~block, NO_LOCATION, this.fn.tables.opcodeByName(name), operands);
  }
}
