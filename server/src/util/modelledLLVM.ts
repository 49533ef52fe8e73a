/** The LLVM whose answers all numbers and messages are; shown wherever a number is. */
export const MODELLED_LLVM = '22.1.8';
