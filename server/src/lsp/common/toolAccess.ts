/** Programs of the user that a server may start; there are none in a browser. */
import type { Token } from './workerSession.js';
import type { TestVerdict } from '../../features/checks/verdict.js';

export interface ToolPaths {
  readonly llc: string;
  /** empty = ours */
  readonly fileCheck: string;
}

export interface ToolAccess {
  /**
   * Runs the RUN lines of a text, which need not be that of its file on the disk. Null when cancelled. Never rejects for what a program does: one that
   * is not there, hangs, or writes without end is a verdict with the reason.
   */
  runTest(uri: string, text: string, tools: ToolPaths, token: Token): Promise<TestVerdict | null>;
  /** What a user should know of a program before it is used, such as another version of LLVM; empty = nothing. */
  doubt(path: string): Promise<string>;
}
