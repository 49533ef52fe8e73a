/**
 * The rule of LLVM's IR verifier that MIR tests of other targets break on AMDGPU. llc runs the verifier between reading the IR and
 * reading the functions and gives up on `input module cannot be verified`; its other rules are not checked here.
 */
import { DiagnosticOrigin, Severity, type Diagnostic } from '../../text/diagnostic.js';
import { Opcode, type IRModule } from '../ir/module.js';

/** LLVMContext's address space of allocas in AMDGPU's data layout. */
const PRIVATE_ADDRESS = 5;

/** Offsets are those of the module's instructions. Reads all bodies. */
export function checkAllocas(module: IRModule): Diagnostic[] {
  const res: Diagnostic[] = [];
  for (const fn of module.functions) {
    for (const block of fn.blocks) {
      for (const i of block.instructions) {
        if (i.opcode !== Opcode.Alloca || i.type.n === PRIVATE_ADDRESS) continue;
        res.push({
          start: i.offset,
          end: i.offset,
          severity: Severity.Error,
          origin: DiagnosticOrigin.Function,
          code: 'ir-alloca-address-space',
          message: 'alloca on amdgpu must be in addrspace(5)',
        });
      }
    }
  }
  return res;
}
