/** What LLVM says of something that the target does not support. */
import { printTypeForMessage } from '../ir/typeText.js';
import type { InstrId } from '../model/machineFunction.js';
import type { FunctionState } from './functionState.js';
import { DebugInfo } from './debugInfo/scopes.js';

/** An error with which llc goes on. */
export function reportUnsupported(state: FunctionState, instr: InstrId, message: string): void {
  state.context.error(`${placeOf(state, instr)}: in function ${nameAndType(state)}: ${message}\n`);
}

/** @llvm DiagnosticInfo.h DiagnosticInfoUnsupported */
function placeOf({ fn, header, context }: FunctionState, instr: InstrId): string {
  const location = fn.extras.get(instr)?.debugLocation;
  const info = location === undefined ? null : DebugInfo.of(context.ir, header.name);
  return location === undefined || info === null ? '<unknown>:0:0' : info.sourcePlace(location);
}

function nameAndType({ header, context }: FunctionState): string {
  const type = context.ir?.functionByName(header.name)?.fnType;
  return `${header.name} ${type === undefined ? 'void ()' : printTypeForMessage(type)}`;
}
