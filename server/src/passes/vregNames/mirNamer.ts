/** `mir-namer`: virtual registers get names that say what defines them (MIRNamer, LLVM 22; docs/llvm/small-passes.md, 13). */
import { reversePostOrder } from '../../util/reversePostOrder.js';
import type { MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { VRegRenamer } from './vregRenamer.js';

/** @llvm MIRNamerPass.cpp MIRNamer */
export const mirNamerPass: MachinePass = {
  name: 'mir-namer',
  pipelineName: null,
  title: 'Rename virtual register operands',
  requires: [],
  preserves: [CFG],
  run(state) {
    const renamer = new VRegRenamer(state);
    reversePostOrder(state.fn.blocks).forEach((b, n) => {
      renamer.rename(b, n);
    });
  },
};
