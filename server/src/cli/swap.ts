/** `amdgpu-mir swap`: what TRITON_SWAP_MIR reads, of a file that TRITON_DUMP_MIR wrote. */
import { InputError, OutputError, StreamError, type CommandIO } from '../program/commandIO.js';
import { fileForSwap } from '../program/tritonDump.js';
import { SourceText } from '../text/sourceText.js';
import { visible } from '../text/visible.js';
import { parseCommandOptions } from './commandOptions.js';
import { asksForHelp, helpOf } from './help.js';

const EXIT_OK = 0;
const EXIT_ERRORS = 1;
const EXIT_USAGE = 2;

/** The exit code. A file that Triton's LLVM would refuse is not written. */
export function runSwap(args: readonly string[], io: CommandIO): number {
  if (asksForHelp(args)) {
    io.stdout(helpOf('swap'));
    return EXIT_OK;
  }
  const options = parseCommandOptions(args, { o: 'value' });
  const problem = typeof options === 'string' ? options : options.inputs.length === 1 ? '' : 'one file is wanted';
  if (typeof options === 'string' || problem !== '') {
    io.stderr(`amdgpu-mir swap: ${problem}; see 'amdgpu-mir help swap'\n`);
    return EXIT_USAGE;
  }
  const [file] = options.inputs as [string];
  const output = options.values.get('o')?.[0] ?? '-';
  try {
    const { text, repaired, errors } = fileForSwap(io.read(file));
    const source = new SourceText(text);
    for (const { start, message } of errors) {
      const { line, character } = source.positionAt(start);
      io.stderr(`${visible(file)}:${line + 1}:${character + 1}: error: ${visible(message)}\n`);
    }
    if (errors.length > 0) {
      io.stderr(`amdgpu-mir swap: ${visible(file)} is not written: Triton's LLVM would refuse it\n`);
      return EXIT_ERRORS;
    }
    if (repaired > 0) io.stderr(`amdgpu-mir swap: $vcc is written for $vcc_lo in ${repaired} operands\n`);
    if (output === '-') io.stdout(text);
    else io.openFile(output).write(text);
    return EXIT_OK;
  } catch (error) {
    if (!(error instanceof InputError) && !(error instanceof OutputError) && !(error instanceof StreamError))
      throw error;
    io.stderr(`amdgpu-mir swap: ${visible(error instanceof InputError ? file : output)}: ${error.message}\n`);
    return EXIT_ERRORS;
  }
}
