/** Text of the model: YAML documents, instructions, operands, memory operands, listings. */
export { printFunctionDocument } from './functionPrinter.js';
export { InstrPrinter, printInstr, printDelayAlu } from './instrPrinter.js';
export type { DebugNames } from './instrPrinter.js';
export { printMachineCode } from './machineCodePrinter.js';
export { printMemOperand } from './memOperandPrinter.js';
export { sourceNames } from './sourceNames.js';
export { quoteSymbolName } from './symbolNames.js';
export { MetadataNames } from './metadataNames.js';
