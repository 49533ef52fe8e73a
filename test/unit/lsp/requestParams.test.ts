/** Parameters of requests and notifications: what is taken, and what is said of each part that is missing or something else. */
import assert from 'node:assert/strict';
import * as custom from '../../../server/src/lsp/common/customRequests.js';
import {
  contentChangeProblem,
  didChangeProblem,
  didCloseProblem,
  didOpenProblem,
  selectTargetProblem,
  versionOr,
} from '../../../server/src/lsp/common/notificationParams.js';
import { requestProblem, type Method } from '../../../server/src/lsp/common/requests.js';

const textDocument = { uri: 'file:///a.mir' };
const position = { line: 1, character: 2 };
const range = { start: position, end: { line: 3, character: 4 } };
const pins = [{ before: 1, after: 2 }];
const item = { uri: 'file:///a.mir', name: 'f' };
const at = { textDocument, position };

interface Taken {
  readonly params: object;
  /** paths that need not be there; what is in them is looked at where it is */
  readonly optional?: readonly string[];
  /** paths whose value may be anything */
  readonly loose?: readonly string[];
}

const TAKEN: Readonly<Record<string, Taken>> = {
  ...Object.fromEntries(
    [
      'textDocument/hover',
      'textDocument/completion',
      'textDocument/signatureHelp',
      'textDocument/linkedEditingRange',
      'textDocument/definition',
      'textDocument/declaration',
      'textDocument/documentHighlight',
      'textDocument/prepareRename',
      'textDocument/prepareCallHierarchy',
      'textDocument/prepareTypeHierarchy',
      custom.EXPLAIN_SCHEDULE_REQUEST,
      custom.ALLOCATED_TEXT_REQUEST,
      custom.EXPLAIN_ALLOCATION_REQUEST,
      custom.PASS_LIST_REQUEST,
      custom.DEPENDENCES_REQUEST,
      custom.DETAILS_REQUEST,
      custom.WHY_REQUEST,
      custom.WHY_DIVERGENT_REQUEST,
      custom.PRESSURE_REPORT_REQUEST,
      custom.RUN_OUTPUT_REQUEST,
      custom.PRESSURE_PROFILE_REQUEST,
      custom.CONTROL_FLOW_REQUEST,
      custom.REMAT_REPORT_REQUEST,
      custom.WHY_OCCUPANCY_REQUEST,
      custom.COMPARE_RUN_REQUEST,
    ].map((m) => [m, { params: at }]),
  ),
  ...Object.fromEntries(
    [
      'textDocument/formatting',
      'textDocument/codeLens',
      'textDocument/documentSymbol',
      'textDocument/semanticTokens/full',
      'textDocument/foldingRange',
      'textDocument/documentLink',
      custom.RUN_LINES_REQUEST,
      custom.SWAP_TEXT_REQUEST,
      custom.DUMP_GRAPH_REQUEST,
    ].map((m) => [m, { params: { textDocument } }]),
  ),
  ...Object.fromEntries(
    [
      'textDocument/rangeFormatting',
      'textDocument/inlayHint',
      'textDocument/semanticTokens/range',
      custom.PRESSURE_LINES_REQUEST,
      custom.EXEC_LINES_REQUEST,
    ].map((m) => [m, { params: { textDocument, range } }]),
  ),
  'textDocument/onTypeFormatting': { params: { ...at, ch: '\n' } },
  'textDocument/references': { params: { ...at, context: {} }, optional: ['context'] },
  'textDocument/semanticTokens/full/delta': { params: { textDocument, previousResultId: '1' } },
  'textDocument/selectionRange': { params: { textDocument, positions: [position] } },
  'textDocument/rename': { params: { ...at, newName: 'x' } },
  'textDocument/codeAction': {
    params: { textDocument, range, context: { diagnostics: [{ range, message: 'm' }], only: ['quickfix'] }, pins },
    optional: ['context.only', 'pins'],
  },
  [custom.SCHEDULED_TEXT_REQUEST]: { params: { ...at, scope: 'region', pins }, optional: ['scope', 'pins'] },
  [custom.SCHEDULE_PICK_REQUEST]: {
    params: { ...at, isScheduled: true, pins },
    optional: ['isScheduled', 'pins'],
    loose: ['isScheduled'],
  },
  [custom.APPLY_LEVER_REQUEST]: {
    params: { ...at, change: { kind: 'setting', setting: { options: ['-o'], attributes: {} } } },
  },
  [custom.ENDED_TEXT_REQUEST]: {
    params: { ...at, change: { kind: 'reorder', region: 0, line: 1, strategy: 's' } },
    optional: ['change'],
  },
  [custom.SWEEP_SETTINGS_REQUEST]: {
    params: { ...at, vary: ['-o=1'], isProduct: true },
    optional: ['vary', 'isProduct'],
    loose: ['isProduct'],
  },
  [custom.SWEEP_ROW_REQUEST]: { params: { ...at, setting: { options: ['-o'], attributes: {} } } },
  [custom.COMPARE_COSTS_REQUEST]: { params: { ...at, costs: 'index' }, optional: ['costs'] },
  [custom.AFTER_PASS_REQUEST]: { params: { ...at, pass: 'si-insert-waitcnts' } },
  [custom.EXPLAIN_PASS_REQUEST]: { params: { ...at, pass: 'si-insert-waitcnts' } },
  [custom.COMPARE_VERSIONS_REQUEST]: {
    params: { textDocument, other: { name: 'HEAD', text: 't' }, settings: ['-enable-misched=0'] },
    optional: ['other', 'settings'],
  },
  [custom.PEAKS_REQUEST]: { params: { textDocument, fromLine: 1, toLine: -1.5 }, optional: ['fromLine', 'toLine'] },
  [custom.COMPARE_TARGETS_REQUEST]: {
    params: { ...at, targets: [{ triple: 'amdgcn', cpu: 'gfx90a', features: '' }] },
    optional: ['position', 'targets', 'targets.0.triple', 'targets.0.features'],
  },
  [custom.REMAT_WHAT_IF_REQUEST]: {
    params: { ...at, registers: ['%0'], withEdits: true },
    optional: ['withEdits'],
    loose: ['withEdits'],
  },
  'codeAction/resolve': {
    params: {
      title: 't',
      data: {
        textDocument,
        rematerialize: {
          function: 'f',
          effect: 'e',
          choices: [{ register: '%0', vreg: 0, groups: [1] }],
          hoist: { register: '%1', vreg: 1 },
        },
      },
    },
    optional: ['data', 'data.rematerialize', 'data.rematerialize.hoist'],
    loose: ['data'],
  },
  'completionItem/resolve': {
    params: { label: 'l', data: { textDocument, about: { what: 'opcode', name: 'S_NOP' }, at: 0 } },
    optional: ['data', 'data.about'],
    loose: ['data'],
  },
  'callHierarchy/incomingCalls': { params: { item } },
  'callHierarchy/outgoingCalls': { params: { item } },
  'typeHierarchy/supertypes': { params: { item: { ...item, detail: 'd' } }, optional: ['item.detail'] },
  'typeHierarchy/subtypes': { params: { item: { ...item, detail: 'd' } }, optional: ['item.detail'] },
  'textDocument/diagnostic': { params: { textDocument, previousResultId: '1' }, optional: ['previousResultId'] },
  [custom.RUN_TEST_REQUEST]: { params: { uri: 'u', text: 't' } },
  [custom.UPDATE_CHECKS_REQUEST]: { params: { uri: 'u', text: 't' } },
  'workspace/symbol': { params: { query: '' } },
  'workspace/executeCommand': {
    params: { command: 'c', arguments: [1] },
    optional: ['arguments'],
    loose: ['arguments.0'],
  },
};

const WORDS: Readonly<Record<string, string>> = {
  scope: 'function, region',
  'change.kind': 'setting, rematerialize, scalarize, reorder',
  'data.about.what': 'opcode, register, class, key, processor',
};

/** All paths of a value with what stands there, outermost first. */
function* pathsOf(value: unknown, path: readonly string[] = []): Generator<readonly [string[], unknown]> {
  if (path.length > 0) yield [[...path], value];
  if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* pathsOf(inner, [...path, key]);
}

/** A copy with another value at the path, without it where that is undefined. */
function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((v, k) => (String(k) === key ? replaced(v, rest, by) : v));
  const others = Object.fromEntries(Object.entries(value as object).filter(([k]) => k !== key));
  if (rest.length === 0 && by === undefined) return others;
  return { ...others, [key]: replaced((value as Record<string, unknown>)[key], rest, by) };
}

/** `a.0.b` as messages have it. */
const written = (path: readonly string[]): string => path.join('.').replaceAll(/\.(\d+)/g, '[$1]');

function expectedFor(path: readonly string[], good: unknown): string {
  const words = WORDS[path.join('.')];
  if (words !== undefined) return `${written(path)} is none of ${words}`;
  if (typeof good === 'string') return `${written(path)} is no text`;
  if (Array.isArray(good)) return `${written(path)} is no list`;
  if (typeof good === 'object') return `${written(path)} is no object`;
  return Number.isInteger(good) ? `${written(path)} is no number of 0 or more` : `${written(path)} is no number`;
}

describe('parameters of requests', () => {
  for (const [method, { params, optional = [], loose = [] }] of Object.entries(TAKEN))
    it(method, () => {
      const problem = (p: unknown): string | null => requestProblem(method as Method, p);
      assert.equal(problem(params), null);
      assert.equal(problem({ ...params, more: 1 }), null, 'what nobody knows may be there');
      assert.equal(problem(null), `${method}: what is sent is no object`);
      assert.equal(problem([params]), `${method}: what is sent is no object`);
      for (const [path, good] of pathsOf(params)) {
        const at = path.join('.');
        const said = loose.includes(at) ? null : `${method}: ${expectedFor(path, good)}`;
        assert.equal(problem(replaced(params, path, Symbol.iterator)), said, `something else at ${at}`);
        if (/^\d+$/.test(path.at(-1)!)) continue;
        const missing = optional.includes(at) || loose.includes(at) ? null : said;
        assert.equal(problem(replaced(params, path, undefined)), missing, `nothing at ${at}`);
        if (optional.includes(at) && at !== 'data.rematerialize' && at !== 'data.about')
          assert.equal(problem(replaced(params, path, null)), null, `null at ${at}`);
        if (!Number.isInteger(good)) continue;
        for (const wrong of [-1, 0.5, NaN])
          assert.equal(problem(replaced(params, path, wrong)), said, `${wrong} at ${at}`);
        assert.equal(problem(replaced(params, path, 0)), null);
      }
    });

  it('of the status nothing is asked', () => {
    assert.equal(requestProblem(custom.STATUS_REQUEST, undefined), null);
  });

  it('data of another server passes', () => {
    for (const data of [undefined, null, 5, [], { theirs: 1 }])
      assert.deepEqual(
        [
          requestProblem('codeAction/resolve', { title: 't', data }),
          requestProblem('completionItem/resolve', { label: 'l', data }),
        ],
        [null, null],
      );
    const data = { textDocument, updateChecks: { function: 'f' } };
    const of = (own: unknown): string | null => requestProblem('codeAction/resolve', { title: 't', data: own });
    assert.equal(of(data), null);
    assert.equal(of({ textDocument, updateChecks: {} }), null);
    assert.equal(of({ updateChecks: {} }), 'codeAction/resolve: data.textDocument is no object');
    assert.equal(of({ textDocument, updateChecks: 1 }), 'codeAction/resolve: data.updateChecks is no object');
    assert.match(of({ ...data, updateChecks: { function: 1 } })!, /: data\.updateChecks\.function is no text$/);
  });
});

describe('parameters of notifications', () => {
  it('about documents', () => {
    assert.equal(didOpenProblem({ textDocument: { ...textDocument, version: 'any', text: '' } }), null);
    assert.equal(didOpenProblem({ textDocument: { ...textDocument, text: '' } }), null);
    assert.equal(didOpenProblem({ textDocument }), 'textDocument.text is no text');
    assert.equal(didOpenProblem({ textDocument: { text: '' } }), 'textDocument.uri is no text');
    assert.equal(didOpenProblem({}), 'textDocument is no object');
    assert.equal(didCloseProblem({ textDocument }), null);
    assert.equal(didCloseProblem({ textDocument: {} }), 'textDocument.uri is no text');
    assert.equal(didChangeProblem({ textDocument, contentChanges: [1, 'any'] }), null);
    assert.equal(didChangeProblem({ textDocument }), 'contentChanges is no list');
    assert.equal(didChangeProblem({ contentChanges: [] }), 'textDocument is no object');
  });

  it('changes, whatever the numbers of their range', () => {
    const odd = { start: { line: -1, character: 0.5 }, end: { line: NaN, character: 1e12 } };
    assert.equal(contentChangeProblem({ text: '' }), null);
    assert.equal(contentChangeProblem({ text: '', range: null }), null);
    assert.equal(contentChangeProblem({ text: '', range: odd }), null);
    assert.equal(contentChangeProblem({ range: odd }), 'the change.text is no text');
    assert.equal(contentChangeProblem(1), 'the change is no object');
    assert.equal(contentChangeProblem({ text: '', range: 1 }), 'its range is no object');
    assert.equal(contentChangeProblem({ text: '', range: { end: odd.end } }), 'its range.start is no object');
    assert.equal(contentChangeProblem({ text: '', range: { start: odd.start } }), 'its range.end is no object');
    assert.equal(
      contentChangeProblem({ text: '', range: { ...odd, end: { line: 1 } } }),
      'its range.end.character is no number',
    );
    assert.equal(
      contentChangeProblem({ text: '', range: { ...odd, start: { character: 1 } } }),
      'its range.start.line is no number',
    );
  });

  it('the choice of a target', () => {
    assert.equal(selectTargetProblem({ uri: 'u' }), null);
    assert.equal(selectTargetProblem({ uri: 'u', index: 0, target: { cpu: 'gfx90a' } }), null);
    assert.equal(selectTargetProblem({ index: 0 }), 'uri is no text');
    assert.equal(selectTargetProblem({ uri: 'u', index: -1 }), 'index is no number of 0 or more');
    assert.equal(selectTargetProblem({ uri: 'u', target: {} }), 'target.cpu is no text');
    assert.equal(selectTargetProblem({ uri: 'u', target: { cpu: '', triple: 1 } }), 'target.triple is no text');
    assert.equal(selectTargetProblem({ uri: 'u', target: { cpu: '', features: 1 } }), 'target.features is no text');
  });

  it('versions that can be compared', () => {
    assert.deepEqual(
      [3, 0, -1, NaN, Infinity, '4', null, undefined].map((v) => versionOr(v, 7)),
      [3, 0, -1, 7, 7, 7, 7, 7],
    );
  });
});
