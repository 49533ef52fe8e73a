/**
 * No request throws, whatever the file: functions without blocks, without name, with bodies that are torn off. Every request that requests.ts lists
 * for the worker, at places all over the text, before and after each line was typed anew; and every one that refers to an answer before.
 */
import assert from 'node:assert/strict';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { documentStatus } from '../../../server/src/lsp/common/documentStatus.js';
import { answerOf, FEATURES } from '../../../server/src/lsp/common/featureTable.js';
import { requestProblem, type FeatureMethod } from '../../../server/src/lsp/common/requests.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';

const RUN = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s\n';
const IR = '--- |\n  define amdgpu_kernel void @f() { ret void }\n...\n';
const BODY = `body: |
  bb.0:
    liveins: $vgpr0
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    S_CBRANCH_VCCNZ %bb.1, implicit $vcc
  bb.1:
    S_ENDPGM 0, implicit %1
`;

const FILES: Readonly<Record<string, string>> = {
  'an empty file': '',
  'a blank': ' ',
  'a line break': '\n',
  'a comment': '# nothing',
  'a RUN line alone': RUN,
  'a document that begins': '---',
  'documents without contents': '---\n---\n...\n---\n...\n',
  'a scalar': '--- foo\n...\n',
  'a sequence': '---\n- name: f\n- body: g\n...\n',
  'a null value': '---\nname:\nbody:\n...\n',
  'no body': '---\nname: f\n...\n',
  'no name': `---\n${BODY}...\n`,
  'an empty name': `---\nname: ''\n${BODY}...\n`,
  'a name of line breaks': `---\nname: "\\n\\n"\n${BODY}...\n`,
  'the name after the body': `---\n${BODY}name: f\n...\n`,
  'a name alone': 'name: f',
  'an empty body': '---\nname: f\nbody: |\n...\n',
  'a body of blank lines': '---\nname: f\nbody: |\n\n\n   \n...\n',
  'a body of comments': '---\nname: f\nbody: |\n  ; a\n  ; b\n...\n',
  'a body in its line': '---\nname: f\nbody: S_ENDPGM 0\n...\n',
  'a folded body': `---\nname: f\n${BODY.replace('|', '>')}...\n`,
  'a quoted body': '---\nname: f\nbody: "bb.0:\\n  S_ENDPGM 0\\n"\n...\n',
  'a body that is a list': '---\nname: f\nbody:\n  - bb.0\n  - bb.1\n...\n',
  'instructions without a block': 'name: f\nbody: |\n    S_ENDPGM 0\n',
  'a block without instructions': '---\nname: f\nbody: |\n  bb.0:\n...\n',
  'blocks without instructions': '---\nname: f\nbody: |\n  bb.0:\n  bb.1:\n  bb.2:\n...\n',
  'a block that is torn off': '---\nname: f\nbody: |\n  bb.0',
  'a block list that is torn off': '---\nname: f\nbody: |\n  bb.0:\n    successors: %bb.',
  'live-ins that are torn off': '---\nname: f\nbody: |\n  bb.0:\n    liveins: $',
  'a body torn off in a register': `---\nname: f\n${BODY.slice(0, BODY.indexOf('vgpr_32 = V_'))}`,
  'a body torn off in an opcode': `---\nname: f\n${BODY.slice(0, BODY.indexOf('_U32_e32'))}`,
  'a body torn off in an operand': `---\nname: f\n${BODY.slice(0, BODY.indexOf('%0, implicit'))}`,
  'a body torn off in a branch': `---\nname: f\n${BODY.slice(0, BODY.indexOf('.1, implicit'))}`,
  'a block twice': '---\nname: f\nbody: |\n  bb.0:\n    S_NOP 0\n  bb.0:\n    S_ENDPGM 0\n...\n',
  'a block that is a successor of itself': '---\nname: f\nbody: |\n  bb.0:\n    S_BRANCH %bb.0\n...\n',
  'a block that is missing': '---\nname: f\nbody: |\n  bb.0:\n    S_BRANCH %bb.7\n...\n',
  'an end out of which control falls': '---\nname: f\nbody: |\n  bb.0:\n    S_NOP 0\n...\n',
  'a register without definition': '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0, implicit %0:vgpr_32\n...\n',
  'a register without class': '---\nname: f\nbody: |\n  bb.0:\n    %0:_ = COPY %1\n...\n',
  'two functions of one name': `---\nname: f\n${BODY}...\n---\nname: f\n${BODY}...\n`,
  'a function without its IR': `${IR}---\nname: g\n${BODY}...\n`,
  'IR without a function': `${IR}`,
  'IR that is torn off': '--- |\n  define amdgpu_kernel void @f() { ret',
  'IR that is torn off, with a function': `--- |\n  define void @f() { ret\n...\n---\nname: f\n${BODY}...\n`,
  'IR after the function': `---\nname: f\n${BODY}...\n${IR}`,
  'a bundle that does not end': '---\nname: f\nbody: |\n  bb.0:\n    BUNDLE {\n      S_NOP 0\n',
  'a bundle that does not begin': '---\nname: f\nbody: |\n  bb.0:\n      S_NOP 0\n    }\n    S_ENDPGM 0\n...\n',
  'physical registers alone': '---\nname: f\nbody: |\n  bb.0:\n    $vgpr0 = V_MOV_B32_e32 $vgpr1, implicit $exec\n',
  'another target': `# RUN: llc -mtriple=x86_64 %s\n---\nname: f\n${BODY}...\n`,
  R600: `# RUN: llc -mtriple=r600-- -mcpu=redwood %s\n---\nname: f\nbody: |\n  bb.0:\n...\n`,
  'a processor that does not exist': `# RUN: llc -mtriple=amdgcn -mcpu=gfx1 %s\n---\nname: f\n${BODY}...\n`,
  'carriage returns': `---\rname: f\rbody: |\r  bb.0:\r    S_ENDPGM 0\r...\r`,
  'a null character': '---\nname: f\nbody: |\n  bb.0:\n    S_NOP \0\n...\n',
  'a byte order mark': `\ufeff---\nname: f\n${BODY}...\n`,
  'header lists that are torn off': '---\nname: f\nregisters:\n  - { id: 0, class: ',
  'header values of the wrong kind':
    '---\nname: f\nregisters: 3\nstack: { }\nliveins: [ [ ] ]\nmachineFunctionInfo: |\n  a\nbody: |\n  bb.0:\n...\n',
  'frame objects that nothing uses': `---\nname: f\nstack:\n  - { id: 0, size: 4 }\n  - { id: 0, size: -1 }\n${BODY}...\n`,
  'CHECK lines alone': `${RUN}# CHECK: foo\n# CHECK-NEXT:\n`,
  'a RUN line that goes on and on': '# RUN: llc \\\n# RUN:   \\\n# RUN: | FileCheck %s \\',
};

const uri = 'file:///folder/degenerate.mir';
const textDocument = { uri };

interface Position {
  readonly line: number;
  readonly character: number;
}

/** Parameters of a request about a place, those of its kind that a client may send. */
function paramsOf(method: FeatureMethod, position: Position, last: Position): object[] {
  const whole = { start: { line: 0, character: 0 }, end: last };
  const here = { start: position, end: position };
  const base = { textDocument, position };
  switch (method) {
    case 'textDocument/onTypeFormatting':
      return [{ ...base, ch: '\n' }];
    case 'textDocument/semanticTokens/full/delta':
      return [{ textDocument, previousResultId: '1' }];
    case 'textDocument/selectionRange':
      return [{ textDocument, positions: [position, last] }];
    case 'textDocument/rename':
      return [{ ...base, newName: 'other' }];
    case 'textDocument/references':
      return [{ ...base, context: { includeDeclaration: true } }];
    case 'textDocument/codeAction':
      return [here, whole].map((range) => ({ textDocument, range, context: { diagnostics: [] } }));
    case 'codeAction/resolve': {
      const rematerialize = { function: 'f', effect: '', choices: [{ register: '%0', vreg: 0, groups: [0] }] };
      return [
        { title: 'a', data: { textDocument, rematerialize } },
        { title: 'a', data: { textDocument, rematerialize: { ...rematerialize, function: '', choices: [] } } },
        { title: 'a', data: { textDocument, updateChecks: { function: 'f' } } },
        { title: 'a', data: { textDocument, updateChecks: {} } },
      ];
    }
    case 'completionItem/resolve':
      return ['opcode', 'register', 'class', 'key', 'processor'].map((what) => ({
        label: 'a',
        data: { textDocument, about: { what, name: 'S_NOP' }, at: position.line },
      }));
    case 'callHierarchy/incomingCalls':
    case 'callHierarchy/outgoingCalls':
      return ['f', ''].map((name) => ({ item: { uri, name } }));
    case 'typeHierarchy/supertypes':
    case 'typeHierarchy/subtypes':
      return ['bb.0', 'bb.1', ''].map((name) => ({ item: { uri, name, detail: 'f' } }));
    case 'amdgpuMir/rematWhatIf':
      return [[], ['%0'], ['%nothing']].map((registers) => ({ ...base, registers, withEdits: true }));
    case 'amdgpuMir/scheduledText':
      return ['function', 'region'].map((scope) => ({ ...base, scope, pins: [{ before: 0, after: 1 }] }));
    case 'amdgpuMir/applyLever':
    case 'amdgpuMir/endedText':
      return [
        { kind: 'setting', setting: { options: ['-enable-misched=0'], attributes: {} } },
        { kind: 'setting', setting: { options: [], attributes: { 'amdgpu-waves-per-eu': '2,2' } } },
        { kind: 'rematerialize', registers: ['%0'] },
        { kind: 'reorder', region: 0, line: 1, strategy: 'max-ilp' },
      ].map((change) => ({ ...base, change }));
    case 'amdgpuMir/sweepRow':
      return [{ ...base, setting: { options: ['-enable-misched=0'], attributes: { 'amdgpu-waves-per-eu': '2,2' } } }];
    case 'amdgpuMir/sweepSettings':
      return [base, { ...base, vary: ['attr:amdgpu-waves-per-eu=2,2|x', '-no-such'], isProduct: true }];
    case 'amdgpuMir/afterPass':
    case 'amdgpuMir/explainPass':
      return ['si-insert-waitcnts', 'none', 'no-such'].map((pass) => ({ ...base, pass }));
    case 'amdgpuMir/compareCosts':
      return [{ ...base, costs: '' }, base];
    case 'amdgpuMir/compareVersions':
      return [
        { textDocument, other: { name: 'empty', text: '' } },
        { textDocument, settings: ['-x'] },
        { textDocument },
      ];
    default:
      return [{ ...base, range: whole }, ...(position.line > 0 ? [{ ...base, range: here }] : [])];
  }
}

/** Those that say much of a whole function or file, wherever in it they are asked. */
const OF_FUNCTION: ReadonlySet<string> = new Set([
  'amdgpuMir/compareTargets',
  'amdgpuMir/whyOccupancy',
  'amdgpuMir/applyLever',
  'amdgpuMir/endedText',
  'amdgpuMir/sweepRow',
  'amdgpuMir/sweepSettings',
  'amdgpuMir/afterPass',
  'amdgpuMir/explainPass',
  'amdgpuMir/passList',
  'amdgpuMir/compareCosts',
  'amdgpuMir/compareVersions',
  'amdgpuMir/rematReport',
  'amdgpuMir/rematWhatIf',
  'amdgpuMir/explainSchedule',
  'amdgpuMir/explainAllocation',
  'amdgpuMir/allocatedText',
  'amdgpuMir/scheduledText',
  'amdgpuMir/pressureReport',
  'amdgpuMir/controlFlow',
  'amdgpuMir/pressureProfile',
  'textDocument/codeLens',
  'textDocument/codeAction',
  'textDocument/documentSymbol',
  'textDocument/formatting',
  'textDocument/inlayHint',
  'textDocument/foldingRange',
  'textDocument/documentLink',
  'textDocument/semanticTokens/full',
  'textDocument/semanticTokens/full/delta',
  'textDocument/semanticTokens/range',
  'codeAction/resolve',
]);

function askEverything(host: AnalysisHost, where: string): number {
  let n = 0;
  const attempt = <T>(what: string, run: () => T): T | null => {
    try {
      n++;
      return run();
    } catch (error) {
      assert.fail(`${where}: ${what} throws ${error instanceof Error ? error.stack : String(error)}`);
    }
  };
  const snapshot = host.snapshot(uri)!;
  attempt('diagnostics', () => host.diagnostics(uri, NEVER_CANCELLED));
  attempt('allocation', () => {
    while (host.allocateNext(uri, NEVER_CANCELLED, Infinity) !== null);
  });
  attempt('late copies', () => host.judgeCopies(uri, host.lateCopies(uri), NEVER_CANCELLED));
  attempt('status', () => documentStatus(snapshot));
  attempt('statistics', () => host.statistics());
  attempt('test', () => host.runTest(snapshot.text.text, NEVER_CANCELLED));
  attempt('updated checks', () => host.updateChecks(snapshot.text.text, NEVER_CANCELLED));
  const last = snapshot.text.positionAt(snapshot.text.text.length);
  const places: Position[] = [];
  for (let line = 0; line <= last.line; line++) {
    const length = snapshot.text.lineEnd(line) - snapshot.text.lineStart(line);
    places.push({ line, character: line % 2 === 0 ? Math.floor(length / 2) : length });
  }
  const few = [places[0]!, places[places.length >> 1]!, last, { line: last.line + 3, character: 5 }];
  for (const method of Object.keys(FEATURES) as FeatureMethod[])
    for (const position of OF_FUNCTION.has(method) ? few : [...places, ...few])
      for (const params of paramsOf(method, position, last)) {
        assert.equal(requestProblem(method, params), null);
        attempt(`${method} ${JSON.stringify(params)}`, () => answerOf(method, snapshot, params, NEVER_CANCELLED));
      }
  return n;
}

describe('degenerate files', () => {
  for (const [name, text] of Object.entries(FILES))
    it(name, () => {
      const host = new AnalysisHost(true, Infinity);
      host.open(uri, 1, text);
      assert.ok(askEverything(host, name) > 50);
      // The same after an edit of a sound version of it.
      host.open(uri, 1, `${RUN}---\nname: f\n${BODY}...\n`);
      host.diagnostics(uri, NEVER_CANCELLED);
      host.change(uri, 2, [{ text }]);
      askEverything(host, `${name}, edited`);
    });
});
