/**
 * What the parameters of requests and notifications have to look like. A client that sends something else is told so in words
 * (`InvalidParams`); nothing below the protocol meets it. Fields that are not named here may be anything.
 */
import {
  COMPARE_TARGETS_REQUEST,
  DEPENDENCES_REQUEST,
  DETAILS_REQUEST,
  EXPLAIN_SCHEDULE_REQUEST,
  PEAKS_REQUEST,
  PRESSURE_LINES_REQUEST,
  PRESSURE_PROFILE_REQUEST,
  PRESSURE_REPORT_REQUEST,
  REMAT_REPORT_REQUEST,
  REMAT_WHAT_IF_REQUEST,
  SCHEDULED_TEXT_REQUEST,
  WHY_REQUEST,
} from './customRequests.js';

/** What is wrong with a value, with its path; null when nothing is. */
type Check = (value: unknown, path: string) => string | null;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const object =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value, path) => {
    if (!isObject(value)) return `${path || 'what is sent'} is no object`;
    for (const [name, check] of Object.entries(fields)) {
      const problem = check(value[name], path === '' ? name : `${path}.${name}`);
      if (problem !== null) return problem;
    }
    return null;
  };

const list =
  (check: Check): Check =>
  (value, path) => {
    if (!Array.isArray(value)) return `${path} is no list`;
    for (let k = 0; k < value.length; k++) {
      const problem = check(value[k], `${path}[${k}]`);
      if (problem !== null) return problem;
    }
    return null;
  };

const optional =
  (check: Check): Check =>
  (value, path) =>
    value === undefined || value === null ? null : check(value, path);

const text: Check = (value, path) => (typeof value === 'string' ? null : `${path} is no text`);
const anything: Check = () => null;
const index: Check = (value, path) =>
  Number.isInteger(value) && 0 <= (value as number) ? null : `${path} is no number of 0 or more`;
const oneOf =
  (...values: readonly string[]): Check =>
  (value, path) =>
    values.includes(value as string) ? null : `${path} is none of ${values.join(', ')}`;

const position = object({ line: index, character: index });
const range = object({ start: position, end: position });
const textDocument = object({ uri: text });
const diagnostic = object({ range, message: text });

const inDocument = object({ textDocument });
const atPosition = object({ textDocument, position });
const inRange = object({ textDocument, range });
const target = object({ triple: optional(text), cpu: text, features: optional(text) });

/** Data of an action that we resolve; other servers' data may be anything. */
const rematData = object({
  textDocument,
  rematerialize: object({
    function: text,
    effect: text,
    choices: list(object({ register: text, vreg: index, groups: list(index) })),
    hoist: optional(object({ register: text, vreg: index })),
  }),
});
const resolvable: Check = (value, path) =>
  isObject(value) && 'rematerialize' in value ? rematData(value, path) : null;

/** Data of a proposed item that is ours. */
const itemData = object({
  textDocument,
  about: object({ what: oneOf('opcode', 'register', 'class', 'key', 'processor'), name: text }),
  at: index,
});
const resolvableItem: Check = (value, path) => (isObject(value) && 'about' in value ? itemData(value, path) : null);

const REQUESTS: Readonly<Record<string, Check>> = {
  'textDocument/hover': atPosition,
  'textDocument/completion': atPosition,
  'textDocument/signatureHelp': atPosition,
  'textDocument/formatting': inDocument,
  'textDocument/rangeFormatting': inRange,
  'textDocument/onTypeFormatting': object({ textDocument, position, ch: text }),
  'textDocument/linkedEditingRange': atPosition,
  'completionItem/resolve': object({ label: text, data: resolvableItem }),
  'textDocument/inlayHint': inRange,
  'textDocument/codeLens': inDocument,
  'textDocument/documentSymbol': inDocument,
  'textDocument/definition': atPosition,
  'textDocument/declaration': atPosition,
  'textDocument/references': object({ textDocument, position, context: optional(object({})) }),
  'textDocument/documentHighlight': atPosition,
  'textDocument/semanticTokens/full': inDocument,
  'textDocument/semanticTokens/full/delta': object({ textDocument, previousResultId: text }),
  'textDocument/semanticTokens/range': inRange,
  'textDocument/foldingRange': inDocument,
  'textDocument/selectionRange': object({ textDocument, positions: list(position) }),
  'textDocument/documentLink': inDocument,
  'textDocument/prepareRename': atPosition,
  'textDocument/rename': object({ textDocument, position, newName: text }),
  'textDocument/diagnostic': object({ textDocument, previousResultId: optional(text) }),
  'textDocument/codeAction': object({
    textDocument,
    range,
    context: object({ diagnostics: list(diagnostic), only: optional(list(text)) }),
  }),
  'codeAction/resolve': object({ title: text, data: resolvable }),
  'workspace/symbol': object({ query: text }),
  [SCHEDULED_TEXT_REQUEST]: object({ textDocument, position, scope: optional(oneOf('function', 'region')) }),
  [EXPLAIN_SCHEDULE_REQUEST]: atPosition,
  [DEPENDENCES_REQUEST]: atPosition,
  [DETAILS_REQUEST]: atPosition,
  [WHY_REQUEST]: atPosition,
  [PEAKS_REQUEST]: object({ textDocument, fromLine: optional(index) }),
  [PRESSURE_LINES_REQUEST]: inRange,
  [COMPARE_TARGETS_REQUEST]: object({
    textDocument,
    position: optional(position),
    targets: optional(list(target)),
  }),
  [PRESSURE_REPORT_REQUEST]: atPosition,
  [PRESSURE_PROFILE_REQUEST]: atPosition,
  [REMAT_REPORT_REQUEST]: atPosition,
  [REMAT_WHAT_IF_REQUEST]: object({ textDocument, position, registers: list(text) }),
};

/** What is wrong with the parameters of a request, null when nothing is. Methods that are not known here take anything. */
export function requestProblem(method: string, params: unknown): string | null {
  const problem = REQUESTS[method]?.(params, '') ?? null;
  return problem === null ? null : `${method}: ${problem}`;
}

const opened = object({ textDocument: object({ uri: text, version: optional(anything), text }) });
const changed = object({ textDocument, contentChanges: list(anything) });
const contentChange = object({ range: optional(anything), text });

/** The same for the notifications about documents. */
export const didOpenProblem = (params: unknown): string | null => opened(params, '');
export const didCloseProblem = (params: unknown): string | null => inDocument(params, '');
export const didChangeProblem = (params: unknown): string | null => changed(params, '');

/** A change is applied whatever numbers its range has; it needs to have one, or none. */
export function contentChangeProblem(change: unknown): string | null {
  const problem = contentChange(change, 'the change');
  if (problem !== null) return problem;
  const { range: where } = change as { range?: unknown };
  return where === undefined || where === null ? null : rangeOfNumbers(where, 'its range');
}

const number: Check = (value, path) => (typeof value === 'number' ? null : `${path} is no number`);
const place = object({ line: number, character: number });
const rangeOfNumbers = object({ start: place, end: place });

export const selectTargetProblem = (params: unknown): string | null =>
  object({ uri: text, index: optional(index), target: optional(target) })(params, '');

/** A version that may be compared; documents without one count their changes. */
export const versionOr = (version: unknown, otherwise: number): number =>
  typeof version === 'number' && Number.isFinite(version) ? version : otherwise;
