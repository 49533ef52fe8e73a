/** `amdgpu-mir swap`: what TRITON_SWAP_MIR reads, of a file that TRITON_DUMP_MIR wrote. */
import { InputError, type CommandIO } from '../program/commandIO.js';
import { fileForSwap } from '../program/tritonDump.js';
import { SourceText } from '../text/sourceText.js';
import { visible } from '../text/visible.js';
import { runCommand, type Invocation } from './commandRun.js';

const EXIT_OK = 0;
const EXIT_ERRORS = 1;

/** The exit code. A file that Triton's LLVM would refuse is not written. */
export const runSwap = (args: readonly string[], io: CommandIO): number => runCommand('swap', args, io, swap);

function swap({ inputs, refuse }: Invocation, io: CommandIO): number {
  const [file] = inputs;
  if (file === undefined || inputs.length !== 1) return refuse("expected one file; see 'amdgpu-mir help swap'");
  try {
    const { text, repaired, errors } = fileForSwap(io.read(file));
    const source = new SourceText(text);
    for (const { start, message } of errors) {
      const { line, character } = source.positionAt(start);
      io.stderr(`${visible(file)}:${line + 1}:${character + 1}: error: ${visible(message)}\n`);
    }
    if (errors.length > 0) {
      io.stderr(`amdgpu-mir swap: ${visible(file)} is not written: Triton's LLVM would reject it\n`);
      return EXIT_ERRORS;
    }
    if (repaired > 0) io.stderr(`amdgpu-mir swap: $vcc is written for $vcc_lo in ${repaired} operands\n`);
    io.stdout(text);
    return EXIT_OK;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return refuse(`${visible(file)}: ${error.message}`);
  }
}
