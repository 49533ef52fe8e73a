/** What the parameters of notifications about documents have to look like; what is wrong with them, null when nothing is. */
import { target } from './requests.js';
import { anything, index, list, number, object, optional, text, textDocument } from './shapes.js';

const opened = object({ textDocument: object({ uri: text, version: optional(anything), text }) });
const closed = object({ textDocument });
const changed = object({ textDocument, contentChanges: list(anything) });
const contentChange = object({ range: optional(anything), text });
const place = object({ line: number, character: number });
const rangeOfNumbers = object({ start: place, end: place });
const selectTarget = object({ uri: text, index: optional(index), target: optional(target) });

export const didOpenProblem = (params: unknown): string | null => opened(params, '');
export const didCloseProblem = (params: unknown): string | null => closed(params, '');
export const didChangeProblem = (params: unknown): string | null => changed(params, '');
export const selectTargetProblem = (params: unknown): string | null => selectTarget(params, '');

/** A change is applied whatever numbers its range has; it needs to have one, or none. */
export function contentChangeProblem(change: unknown): string | null {
  const problem = contentChange(change, 'the change');
  if (problem !== null) return problem;
  const { range: where } = change as { range?: unknown };
  return where === undefined || where === null ? null : rangeOfNumbers(where, 'its range');
}

/** A version that may be compared; documents without one count their changes. */
export const versionOr = (version: unknown, otherwise: number): number =>
  typeof version === 'number' && Number.isFinite(version) ? version : otherwise;
