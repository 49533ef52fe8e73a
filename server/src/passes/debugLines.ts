/** Lines of debug locations, for what asks whether an instruction has one. */
import type { InstrId, MachineFunction } from '../model/machineFunction.js';
import type { DebugNames } from '../model/printer/index.js';
import { NotModelled } from './machinePass.js';

/** Of a location as an instruction has it; 0 = code that no line is the cause of. It ends in `FILE:LINE:COLUMN @[ ... ]`. */
export const lineOfLocation =
  (names: DebugNames) =>
  (location: string): number =>
    Number(/:(\d+)(?::\d+)?(?: @\[|$)/.exec(names.location(location) ?? '')?.[1] ?? 0);

/** Gives an instruction a location, or none. */
export function setLocation(fn: MachineFunction, i: InstrId, location: string | undefined): void {
  const { debugLocation, ...others } = fn.extras.get(i) ?? {};
  if (debugLocation === location) return;
  fn.extras.set(i, location === undefined ? others : { ...others, debugLocation: location });
}

/**
 * The location of one instruction in the place of several. Throws NotModelled where they are of several files.
 * @llvm DebugInfoMetadata.cpp DILocation::getMergedLocations
 */
export function mergedLocation(
  names: DebugNames,
  [first, ...others]: readonly (string | undefined)[],
): string | undefined {
  let merged = first;
  for (const other of others) {
    if (merged === undefined || other === undefined) return undefined;
    const both = names.mergedLocation(merged, other);
    if (both === null) throw new NotModelled('one debug location for code of several files');
    merged = both;
  }
  return merged;
}
