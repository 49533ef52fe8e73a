/** What debug values are about: variables and their parts, each at a place of inlining. */
import type { IRModule } from '../../ir/module.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import {
  BundleFlag,
  OperandKind,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { fragmentOf, fragmentsOverlap } from '../debugInfo/expression.js';
import { isParameter, type DebugInfo } from '../debugInfo/scopes.js';
import { isDebugList, metadataKey } from '../debugOperands.js';
import { NotModelled } from '../machinePass.js';
import { instrsOf } from './walk.js';

/** A variable, or a part of it, at one place of inlining. */
export interface Variable {
  readonly key: string;
  readonly isParameter: boolean;
  readonly isInlined: boolean;
  /** other parts of it, at the same place, that have bits in common with this one */
  readonly overlaps: Variable[];
}

interface Part {
  /** the variable, wherever it is inlined, with its fragment */
  readonly name: string;
  readonly expression: string;
  readonly variable: Variable;
}

interface Found {
  readonly ofInstr: ReadonlyMap<InstrId, Variable>;
  /** debug values that are in no bundle */
  readonly nOutside: number;
}

/**
 * Variables by debug value. That parts overlap is known of those alone that a debug value outside bundles is about.
 * @llvm VarLocBasedImpl.cpp VarLocBasedLDV::accumulateFragmentMap
 */
export function findVariables(editor: FunctionEditor, info: DebugInfo, ir: IRModule | null): Found {
  const { fn } = editor;
  const values = opcodeSet(fn.tables, 'debugValue');
  const ofInstr = new Map<InstrId, Variable>();
  const variables = new Map<string, Variable>();
  /** by variable and place of inlining */
  const parts = new Map<string, Part[]>();
  const outside = new Set<string>();
  let nOutside = 0;
  for (let b = 0; b < fn.blocks.length; b++) {
    for (const i of instrsOf(editor, b)) {
      if (!values.has(fn.opcode[i])) continue;
      const { name, variableOperand, expression, location } = debugFields(fn, i);
      const fragment = fragmentOf(expression);
      if ((fn.bundle[i] & BundleFlag.BundledPred) === 0) {
        nOutside++;
        outside.add(`${name} ${fragment}`);
      }
      const inlinedAt = info.inlinedAt(location);
      const key = `${name} ${inlinedAt} ${fragment}`;
      let variable = variables.get(key);
      if (variable === undefined) {
        const isArgument = isParameter(ir, fn.payload(variableOperand, OperandKind.Metadata));
        variable = { key, isParameter: isArgument, isInlined: inlinedAt !== '', overlaps: [] };
        variables.set(key, variable);
        const part = { name: `${name} ${fragment}`, expression, variable };
        const whole = `${name} ${inlinedAt}`;
        const others = parts.get(whole);
        if (others === undefined) parts.set(whole, [part]);
        else others.push(part);
      }
      ofInstr.set(i, variable);
    }
  }
  for (const all of parts.values()) {
    const known = all.filter(({ name }) => outside.has(name));
    for (const { variable, expression } of known)
      for (const other of known)
        if (other.variable !== variable && fragmentsOverlap(expression, other.expression))
          variable.overlaps.push(other.variable);
  }
  return { ofInstr, nOutside };
}

interface DebugFields {
  /** equal for the same variable */
  readonly name: string;
  readonly variableOperand: OperandId;
  readonly expression: string;
  readonly location: string;
}

/** Throws NotModelled where something is missing that LLVM takes for granted. */
export function debugFields(fn: MachineFunction, i: InstrId): DebugFields {
  const variableOperand = fn.opBegin[i] + (isDebugList(fn, i) ? 0 : 2);
  const location = fn.extras.get(i)?.debugLocation;
  const isMetadata = (o: OperandId): boolean => o < fn.opBegin[i + 1] && fn.opKind[o] === OperandKind.Metadata;
  if (location === undefined || !isMetadata(variableOperand) || !isMetadata(variableOperand + 1))
    throw new NotModelled('debug values without a location or a variable');
  const expression = fn.payload(variableOperand + 1, OperandKind.Metadata).text;
  return { name: metadataKey(fn, variableOperand), variableOperand, expression, location };
}
