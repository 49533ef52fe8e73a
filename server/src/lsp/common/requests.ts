/**
 * Every request that the server answers, with the shape of its parameters: the one list from which the rest follows. A request about a document is
 * a line here and a function in featureTable.ts, and the compiler asks for the second where there is the first. A client that sends something
 * else is told so in words (`InvalidParams`); nothing below the protocol meets it.
 */
import type {
  CodeAction,
  CodeActionContext,
  CompletionItem,
  ExecuteCommandParams,
  ReferenceContext,
  WorkspaceSymbolParams,
} from 'vscode-languageserver';
import type { LeverChange } from '../../program/why.js';
import { SCHEDULER_MODELS } from '../../passes/scheduler/schedulerModel.js';
import {
  ALLOCATED_TEXT_REQUEST,
  APPLY_LEVER_REQUEST,
  COMPARE_RUN_REQUEST,
  COMPARE_TARGETS_REQUEST,
  CONTROL_FLOW_REQUEST,
  DEPENDENCES_REQUEST,
  DETAILS_REQUEST,
  DUMP_GRAPH_REQUEST,
  ENDED_TEXT_REQUEST,
  EXEC_LINES_REQUEST,
  COMPARE_COSTS_REQUEST,
  COMPARE_VERSIONS_REQUEST,
  EXPLAIN_ALLOCATION_REQUEST,
  EXPLAIN_PASS_REQUEST,
  AFTER_PASS_REQUEST,
  PASS_LIST_REQUEST,
  EXPLAIN_SCHEDULE_REQUEST,
  LOG_DUMP_REQUEST,
  LOG_GRAPH_REQUEST,
  LOG_PAIR_REQUEST,
  MIR_OF_SOURCE_REQUEST,
  PEAKS_REQUEST,
  PRESSURE_LINES_REQUEST,
  PRESSURE_PROFILE_REQUEST,
  PRESSURE_REPORT_REQUEST,
  REMAT_REPORT_REQUEST,
  REMAT_WHAT_IF_REQUEST,
  RUN_LINES_REQUEST,
  RUN_OUTPUT_REQUEST,
  RUN_TEST_REQUEST,
  SCHEDULED_TEXT_REQUEST,
  SCHEDULE_PICK_REQUEST,
  SOURCE_LINES_REQUEST,
  STATUS_REQUEST,
  SWAP_TEXT_REQUEST,
  SWEEP_ROW_REQUEST,
  SWEEP_SETTINGS_REQUEST,
  UPDATE_CHECKS_REQUEST,
  WHY_DIVERGENT_REQUEST,
  WHY_OCCUPANCY_REQUEST,
  WHY_REQUEST,
} from './customRequests.js';
import {
  anything,
  asFarAs,
  index,
  isObject,
  list,
  number,
  object,
  oneOf,
  optional,
  position,
  range,
  record,
  text,
  textDocument,
  type Good,
  type Shape,
} from './shapes.js';

const inDocument = object({ textDocument });
const atPosition = object({ textDocument, position });
const inRange = object({ textDocument, range });
export const target = object({ triple: optional(text), cpu: text, features: optional(text) });
const pin = object({ before: index, after: index });
const diagnostic = object({ range, message: text });
const setting = object({ options: list(text), attributes: record(text) });
const CHANGES: Readonly<Record<LeverChange['kind'], Shape<unknown>>> = {
  setting: object({ setting }),
  rematerialize: object({ registers: list(text) }),
  scalarize: object({ registers: list(text) }),
  reorder: object({ region: index, line: index, strategy: text }),
};
const changeKind = object({ kind: oneOf('setting', 'rematerialize', 'scalarize', 'reorder') });
const change: Shape<LeverChange> = (value, path) =>
  changeKind(value, path) ?? CHANGES[(value as LeverChange).kind](value, path);

/** About a document that is open: the analysis worker answers. */
export const DOCUMENT_REQUESTS = {
  'textDocument/hover': atPosition,
  'textDocument/completion': atPosition,
  'textDocument/signatureHelp': atPosition,
  'textDocument/formatting': inDocument,
  'textDocument/rangeFormatting': inRange,
  'textDocument/onTypeFormatting': object({ textDocument, position, ch: text }),
  'textDocument/linkedEditingRange': atPosition,
  'textDocument/inlayHint': inRange,
  'textDocument/codeLens': inDocument,
  'textDocument/documentSymbol': inDocument,
  'textDocument/definition': atPosition,
  'textDocument/declaration': atPosition,
  'textDocument/references': object({
    textDocument,
    position,
    context: optional(asFarAs<ReferenceContext>(object({}))),
  }),
  'textDocument/documentHighlight': atPosition,
  'textDocument/semanticTokens/full': inDocument,
  'textDocument/semanticTokens/full/delta': object({ textDocument, previousResultId: text }),
  'textDocument/semanticTokens/range': inRange,
  'textDocument/foldingRange': inDocument,
  'textDocument/selectionRange': object({ textDocument, positions: list(position) }),
  'textDocument/documentLink': inDocument,
  'textDocument/prepareRename': atPosition,
  'textDocument/rename': object({ textDocument, position, newName: text }),
  'textDocument/prepareCallHierarchy': atPosition,
  'textDocument/prepareTypeHierarchy': atPosition,
  'textDocument/codeAction': object({
    textDocument,
    range,
    context: asFarAs<CodeActionContext>(object({ diagnostics: list(diagnostic), only: optional(list(text)) })),
    pins: optional(list(pin)),
  }),
  [SCHEDULED_TEXT_REQUEST]: object({
    textDocument,
    position,
    scope: optional(oneOf('function', 'region')),
    pins: optional(list(pin)),
    model: optional(oneOf(...SCHEDULER_MODELS)),
  }),
  [SCHEDULE_PICK_REQUEST]: object({
    textDocument,
    position,
    isScheduled: optional(anything as Shape<boolean>),
    pins: optional(list(pin)),
  }),
  [EXPLAIN_SCHEDULE_REQUEST]: atPosition,
  [ALLOCATED_TEXT_REQUEST]: atPosition,
  [EXPLAIN_ALLOCATION_REQUEST]: atPosition,
  [WHY_OCCUPANCY_REQUEST]: atPosition,
  [APPLY_LEVER_REQUEST]: object({ textDocument, position, change }),
  [SWEEP_SETTINGS_REQUEST]: object({
    textDocument,
    position,
    vary: optional(list(text)),
    isProduct: optional(anything as Shape<boolean>),
  }),
  [SWEEP_ROW_REQUEST]: object({ textDocument, position, setting }),
  [ENDED_TEXT_REQUEST]: object({ textDocument, position, change: optional(change) }),
  [PASS_LIST_REQUEST]: atPosition,
  [AFTER_PASS_REQUEST]: object({ textDocument, position, pass: text }),
  [EXPLAIN_PASS_REQUEST]: object({ textDocument, position, pass: text }),
  [COMPARE_COSTS_REQUEST]: object({ textDocument, position, costs: optional(text) }),
  [COMPARE_VERSIONS_REQUEST]: object({
    textDocument,
    other: optional(object({ name: text, text })),
    settings: optional(list(text)),
  }),
  [DEPENDENCES_REQUEST]: atPosition,
  [DETAILS_REQUEST]: atPosition,
  [WHY_REQUEST]: atPosition,
  [WHY_DIVERGENT_REQUEST]: atPosition,
  [PEAKS_REQUEST]: object({ textDocument, fromLine: optional(index), toLine: optional(number) }),
  [PRESSURE_LINES_REQUEST]: inRange,
  [EXEC_LINES_REQUEST]: inRange,
  [COMPARE_TARGETS_REQUEST]: object({
    textDocument,
    position: optional(position),
    targets: optional(list(target)),
  }),
  [PRESSURE_REPORT_REQUEST]: atPosition,
  [RUN_LINES_REQUEST]: inDocument,
  [SWAP_TEXT_REQUEST]: inDocument,
  [DUMP_GRAPH_REQUEST]: inDocument,
  [SOURCE_LINES_REQUEST]: inDocument,
  [LOG_DUMP_REQUEST]: atPosition,
  [LOG_PAIR_REQUEST]: atPosition,
  [LOG_GRAPH_REQUEST]: atPosition,
  [RUN_OUTPUT_REQUEST]: atPosition,
  [PRESSURE_PROFILE_REQUEST]: atPosition,
  [CONTROL_FLOW_REQUEST]: atPosition,
  [REMAT_REPORT_REQUEST]: atPosition,
  [REMAT_WHAT_IF_REQUEST]: object({
    textDocument,
    position,
    registers: list(text),
    withEdits: optional(anything as Shape<boolean>),
  }),
};

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
/** Data of a proposed item that is ours. */
const itemData = object({
  textDocument,
  about: object({ what: oneOf('opcode', 'register', 'class', 'key', 'processor'), name: text }),
  at: index,
});
const updateData = object({ textDocument, updateChecks: object({ function: optional(text) }) });
const oursOf =
  (shapes: Readonly<Record<string, Shape<unknown>>>): Shape<unknown> =>
  (value, path) => {
    for (const [key, shape] of Object.entries(shapes)) {
      const problem = ifOurs(key, shape)(value, path);
      if (problem !== null) return problem;
    }
    return null;
  };
const ifOurs =
  (key: string, shape: Shape<unknown>): Shape<unknown> =>
  (value, path) =>
    isObject(value) && key in value ? shape(value, path) : null;

/** About a part of an earlier answer, whose data names the document: the analysis worker answers. */
export const RESOLVE_REQUESTS = {
  'codeAction/resolve': asFarAs<CodeAction>(
    object({ title: text, data: oursOf({ rematerialize: rematData, updateChecks: updateData }) }),
  ),
  'completionItem/resolve': asFarAs<CompletionItem>(object({ label: text, data: ifOurs('about', itemData) })),
};

const ofItem = object({ item: object({ uri: text, name: text }) });
const ofBlock = object({ item: object({ uri: text, name: text, detail: optional(text) }) });

/** About an item that names the document: the analysis worker answers. */
export const ITEM_REQUESTS = {
  'callHierarchy/incomingCalls': ofItem,
  'callHierarchy/outgoingCalls': ofItem,
  'typeHierarchy/supertypes': ofBlock,
  'typeHierarchy/subtypes': ofBlock,
};

/** The protocol thread answers these itself. */
const OWN_REQUESTS = {
  'textDocument/diagnostic': object({ textDocument, previousResultId: optional(text) }),
  [RUN_TEST_REQUEST]: object({ uri: text, text }),
  [UPDATE_CHECKS_REQUEST]: object({ uri: text, text }),
  [MIR_OF_SOURCE_REQUEST]: object({ uri: text, cpu: optional(text), stopBefore: optional(text) }),
  [COMPARE_RUN_REQUEST]: object({ textDocument, position, schedules: optional(anything as Shape<boolean>) }),
  'workspace/symbol': asFarAs<WorkspaceSymbolParams>(object({ query: text })),
  'workspace/executeCommand': asFarAs<ExecuteCommandParams>(
    object({ command: text, arguments: optional(list(anything)) }),
  ),
  [STATUS_REQUEST]: anything,
};

export type DocumentMethod = keyof typeof DOCUMENT_REQUESTS;
export type ResolveMethod = keyof typeof RESOLVE_REQUESTS;
/** Methods that the worker answers. */
export type FeatureMethod = DocumentMethod | ResolveMethod | keyof typeof ITEM_REQUESTS;

const REQUESTS = { ...DOCUMENT_REQUESTS, ...RESOLVE_REQUESTS, ...ITEM_REQUESTS, ...OWN_REQUESTS };
export type Method = keyof typeof REQUESTS;
export type ParamsOf<M extends Method> = Good<(typeof REQUESTS)[M]>;

/** What is wrong with the parameters of a request, null when nothing is. */
export function requestProblem(method: Method, params: unknown): string | null {
  const problem = REQUESTS[method](params, '');
  return problem === null ? null : `${method}: ${problem}`;
}
