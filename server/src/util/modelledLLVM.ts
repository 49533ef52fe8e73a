/** The LLVM whose answers all numbers and messages are; shown wherever a number is. */
export const MODELLED_LLVM = '22.1.8';

/** All that can be asked for their answers (target/release.ts). */
export const MODELLED_LLVMS: readonly string[] = [MODELLED_LLVM, '24.0.0git'];
