/** Text of the model: YAML documents, instructions, operands, memory operands, listings. */
export { printFunctionDocument, guessSuccessors, printBlockLabel } from './functionPrinter.js';
export type { PrintFunctionOptions } from './functionPrinter.js';
export { InstrPrinter, printInstr, printLaneMask, printDelayAlu, isInsideBundle } from './instrPrinter.js';
export type { DebugNames, InstrPrinterOptions } from './instrPrinter.js';
export { printMachineCode } from './machineCodePrinter.js';
export { commonAlignment, printFrameIndex, printMemOperand } from './memOperandPrinter.js';
export { escapeString, quoteNameOrNumber, quoteSymbolName } from './symbolNames.js';
export { MetadataNames } from './metadataNames.js';
