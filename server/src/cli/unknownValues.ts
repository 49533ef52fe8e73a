/**
 * Members of reports by name, and the value with which our own data says that there is none: JSON has null there, so that '' and 0 are never "unknown".
 * The schemas (server/tools/schemas) are made with this list, too.
 */
export const UNKNOWN_VALUES: Readonly<Record<string, string | number>> = {
  // places: no line, no column
  ...{ line: 0, column: 0, endLine: 0, endColumn: 0, firstLine: 0, lastLine: 0 },
  // instructions that stand on no line, or beside which none stands
  ...{ afterLine: 0, beforeLine: 0, defLine: 0, useLine: 0 },
  // a region that ends with its block
  boundary: -1,
  // cycles of a region that no stage scheduled
  ...{ lengthBefore: 0, lengthAfter: 0 },
  // a block or an instruction that is not there
  ...{ block: -1, instr: -1 },
  // whose numbers, and for what
  ...{ llvm: '', triple: '', cpu: '', decidedBy: '', madeBy: '', fileSays: '', llc: '' },
  // why there is none of something, where there is one
  ...{ skipped: '', registers: '', noOutcome: '', noFinal: '', failed: '', problem: '', noSet: '' },
  // nothing limits; a guess; one file of registers for each bank
  ...{ limitedBy: '', by: '', unifiedFile: 0 },
};
