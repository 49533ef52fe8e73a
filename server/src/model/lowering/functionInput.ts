/** What a function is lowered from. */
import type { IRFunctionFacts } from '../../ir/module.js';
import type { Body, MirDocument } from '../../syntax/tree.js';
import type { SpecialOpcodes } from './chunkScratch.js';
import type { FunctionContext } from './context.js';
import type { HeaderModel } from './header.js';
import type { PackedChunk } from './packedChunk.js';

export interface FunctionInput {
  readonly document: MirDocument;
  readonly header: HeaderModel;
  readonly context: FunctionContext;
  readonly facts: IRFunctionFacts;
  /** null: no body */
  readonly body: Body | null;
  readonly chunks: readonly PackedChunk[];
  readonly special: SpecialOpcodes;
  readonly fileText: string;
  readonly docStart: number;
  /** virtual registers that the version before had; 0 = not known */
  readonly expectedVRegs: number;
}
