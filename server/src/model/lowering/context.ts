/** What lowering one function may depend on besides its own text. Same identity = same answers. */
import type { Subtarget, TargetTables } from '../../target/index.js';
import type { IRFunction, IRModule, MDNode } from '../../ir/module.js';
import type { FunctionMetadata } from './metadataText.js';
import type { NameTables } from './names.js';

export interface TargetContext {
  readonly subtarget: Subtarget;
  readonly tables: TargetTables;
  readonly names: NameTables;
}

export interface FunctionContext extends TargetContext {
  readonly functionName: string;
  /** null: no IR document; then llc makes up `define void @f() { entry: unreachable }` */
  readonly module: IRModule | null;
  readonly irFunction: IRFunction | null;
  /** frame index by id as written, see OperandKind.FrameIndex */
  readonly stackIds: ReadonlyMap<number, number>;
  readonly stackNames: readonly string[];
  readonly fixedStackIds: ReadonlyMap<number, number>;
  readonly constantIds: ReadonlyMap<number, number>;
  readonly jumpTableIds: ReadonlyMap<number, number>;
  /** without IR: the functions that llc has made up so far, this one included */
  isDummyFunction(name: string): boolean;
  /** nodes defined by `machineMetadataNodes` */
  readonly machineMetadata: ReadonlyMap<number, MDNode>;
  /** how references to metadata print */
  readonly metadata: FunctionMetadata;
}

/** Name of the only block of the function that llc makes up when there is no IR. */
export const DUMMY_ENTRY_BLOCK = 'entry';
