/**
 * Rules of LLVM's IR verifier that files break which llc's parser takes: attributes and calling conventions (`irAttributeRules.ts`), allocas in
 * the wrong address space. llc runs the verifier between reading the IR and reading the functions, prints all that it finds and
 * gives up. Its other rules (dominance, intrinsics, metadata) are not checked here.
 */
import { DiagnosticOrigin, Severity, type Diagnostic } from '../../text/diagnostic.js';
import { Opcode, type IRModule } from '../../ir/module.js';
import { printInstruction } from '../../ir/printer.js';
import { verifySignature } from './irAttributeRules.js';

/** LLVMContext's address space of allocas in AMDGPU's data layout. */
const PRIVATE_ADDRESS = 5;

/** `code` of what stops llc here. */
export const IR_VERIFIER = 'ir-verifier';

/** The rule that LLVM knows only once the module has its triple. */
export const ALLOCA_RULE = 'alloca on amdgpu must be in addrspace(5)';

/** Offsets are those of the module. Reads all bodies. */
export function verifyIR(module: IRModule): Diagnostic[] {
  const res: Diagnostic[] = [];
  const report = (message: string, offset: number, value: string): void => {
    const at = Math.max(0, offset);
    const severity = Severity.Error;
    const origin = DiagnosticOrigin.Function;
    res.push({ start: at, end: at, severity, origin, code: 'ir-verifier', message, llcValue: value });
  };
  for (const fn of module.functions) {
    verifySignature(fn, (message, ...values) => report(message, fn.bodyStart, values.map((v) => `${v}\n`).join('')));
    for (const block of fn.blocks) {
      for (const i of block.instructions) {
        if (i.opcode !== Opcode.Alloca || i.type.n === PRIVATE_ADDRESS) continue;
        report(ALLOCA_RULE, i.offset, `${printInstruction(i, fn, module)}\n`);
      }
    }
  }
  return res;
}
