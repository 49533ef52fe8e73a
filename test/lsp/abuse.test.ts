/**
 * Clients that break the protocol: requests at the wrong time, parameters of any shape, changes that mean nothing. Each request gets one
 * answer with the right code and words, and the server is right afterwards.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import {
  ErrorCodes,
  LSPErrorCodes,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
  createProtocolConnection,
  type ProtocolConnection,
} from 'vscode-languageserver-protocol/node';
import { createConnection } from 'vscode-languageserver/node';
import type { ToWorker } from '../../server/src/lsp/common/messages.js';
import { startServer } from '../../server/src/lsp/common/server.js';
import { BUILT_COMMANDS } from '../support/builtCommand.js';
import { createInThreadWorker } from '../support/inThreadWorker.js';
import { TestClient } from '../support/lspClient.js';
import { randomSource } from '../support/random.js';

const SAXPY = readFileSync(join(__dirname, '..', '..', 'examples', 'saxpy.mir'), 'utf8');
const URI = 'file:///folder/a.mir';
const OP = 'V_PK_FMA_F32';

interface Failure {
  readonly code: number;
  readonly message: string;
}

/** The error that a request ends with; code 0 when it ends well. */
const failureOf = (request: Promise<unknown>): Promise<Failure> =>
  request.then(
    () => ({ code: 0, message: '' }),
    (error: unknown) => {
      if (error instanceof ResponseError) return { code: error.code, message: error.message };
      throw error;
    },
  );

/** A connection on which nothing has been said. */
function silentConnection(): ProtocolConnection {
  const up = new PassThrough();
  const down = new PassThrough();
  const server = createConnection(new StreamMessageReader(up), new StreamMessageWriter(down));
  startServer(server, { createWorker: () => createInThreadWorker() });
  const connection = createProtocolConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
  connection.listen();
  return connection;
}

const at = (line: number, character: number) => ({ line, character });
const HELLO = { processId: null, rootUri: null, capabilities: {} };

/** Parameters that are right, of every request. */
const VALID: Readonly<Record<string, Record<string, unknown>>> = (() => {
  const textDocument = { uri: URI };
  const position = at(39, 12);
  const range = { start: at(20, 0), end: at(60, 0) };
  const here = { textDocument, position };
  return {
    'textDocument/hover': here,
    'textDocument/completion': here,
    'textDocument/signatureHelp': here,
    'textDocument/formatting': { textDocument, options: { tabSize: 2, insertSpaces: true } },
    'textDocument/rangeFormatting': { textDocument, range },
    'textDocument/onTypeFormatting': { ...here, ch: ':' },
    'textDocument/linkedEditingRange': here,
    'completionItem/resolve': {
      label: 'l',
      data: { textDocument, about: { what: 'opcode', name: 'S_NOP' }, at: 0 },
    },
    'textDocument/inlayHint': { textDocument, range },
    'textDocument/codeLens': { textDocument },
    'textDocument/documentSymbol': { textDocument },
    'textDocument/definition': here,
    'textDocument/declaration': here,
    'textDocument/references': { ...here, context: { includeDeclaration: true } },
    'textDocument/documentHighlight': here,
    'textDocument/semanticTokens/full': { textDocument },
    'textDocument/semanticTokens/full/delta': { textDocument, previousResultId: '1' },
    'textDocument/semanticTokens/range': { textDocument, range },
    'textDocument/foldingRange': { textDocument },
    'textDocument/selectionRange': { textDocument, positions: [position, at(1, 1)] },
    'textDocument/documentLink': { textDocument },
    'textDocument/prepareRename': here,
    'textDocument/rename': { ...here, newName: 'x' },
    'textDocument/prepareCallHierarchy': here,
    'callHierarchy/incomingCalls': { item: { uri: URI, name: 'saxpy' } },
    'callHierarchy/outgoingCalls': { item: { uri: URI, name: 'saxpy' } },
    'textDocument/codeAction': {
      textDocument,
      range,
      context: { diagnostics: [{ range, message: 'm', code: 'c' }], only: ['quickfix'] },
    },
    'codeAction/resolve': {
      title: 't',
      data: {
        textDocument,
        rematerialize: {
          function: 'saxpy',
          effect: 'e',
          choices: [{ register: '%0', vreg: 0, groups: [0] }],
          hoist: { register: '%0', vreg: 0 },
        },
      },
    },
    'workspace/symbol': { query: 'sax' },
    'amdgpuMir/scheduledText': { ...here, scope: 'region' },
    'amdgpuMir/explainSchedule': here,
    'amdgpuMir/dependences': here,
    'amdgpuMir/details': here,
    'amdgpuMir/why': here,
    'amdgpuMir/peaks': { textDocument, fromLine: 0 },
    'amdgpuMir/pressureLines': { textDocument, range },
    'amdgpuMir/compareTargets': { textDocument, position, targets: [{ triple: '', cpu: 'gfx90a', features: '' }] },
    'amdgpuMir/pressureReport': here,
    'amdgpuMir/runLines': { textDocument },
    'amdgpuMir/swapText': { textDocument },
    'amdgpuMir/dumpGraph': { textDocument },
    'amdgpuMir/logDump': { textDocument, position },
    'amdgpuMir/logPair': { textDocument, position },
    'amdgpuMir/pressureProfile': here,
    'amdgpuMir/rematReport': here,
    'amdgpuMir/rematWhatIf': { ...here, registers: ['%0'] },
    'amdgpuMir/status': {},
  };
})();

const ODD: readonly unknown[] = [
  null,
  undefined,
  true,
  -1,
  1.5,
  1e300,
  2 ** 31,
  '',
  'x',
  '\ud800',
  '__proto__',
  'file:///never-opened.mir',
  [],
  {},
  [null],
  [[[]]],
  { start: {} },
  { line: -1, character: -1 },
  { uri: 7 },
  'y'.repeat(100_000),
];

/** A copy of `value` with something odd in one place of it, or instead of it. */
function damaged(value: unknown, random: (n: number) => number): unknown {
  const odd = ODD[random(ODD.length)];
  if (typeof value !== 'object' || value === null || random(4) === 0) return odd;
  const keys = Object.keys(value);
  if (keys.length === 0) return odd;
  const key = keys[random(keys.length)]!;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
  copy[key] = damaged(copy[key], random);
  return copy;
}

describe('a client that breaks the protocol', () => {
  it('asks before initialize and after shutdown', async () => {
    const connection = silentConnection();
    for (const [method, params] of Object.entries(VALID))
      assert.equal(
        (await failureOf(connection.sendRequest(method, params))).code,
        ErrorCodes.ServerNotInitialized,
        method,
      );
    assert.equal((await failureOf(connection.sendRequest('no/such/method'))).code, ErrorCodes.ServerNotInitialized);
    assert.equal((await failureOf(connection.sendRequest('shutdown'))).code, ErrorCodes.ServerNotInitialized);
    // Lost, as the protocol wants it.
    await connection.sendNotification('textDocument/didOpen', { textDocument: { uri: URI, version: 1, text: SAXPY } });
    await connection.sendRequest('initialize', HELLO);
    await connection.sendNotification('initialized', {});
    assert.equal((await failureOf(connection.sendRequest('initialize', HELLO))).code, ErrorCodes.InvalidRequest);
    assert.equal(await connection.sendRequest('textDocument/hover', VALID['textDocument/hover']), null);
    assert.equal((await failureOf(connection.sendRequest('no/such/method'))).code, ErrorCodes.MethodNotFound);
    assert.equal((await failureOf(connection.sendRequest('$/no/such/method'))).code, ErrorCodes.MethodNotFound);
    await connection.sendRequest('shutdown');
    for (const [method, params] of Object.entries(VALID))
      assert.equal((await failureOf(connection.sendRequest(method, params))).code, ErrorCodes.InvalidRequest, method);
    assert.equal((await failureOf(connection.sendRequest('shutdown'))).code, ErrorCodes.InvalidRequest);
    assert.equal((await failureOf(connection.sendRequest('initialize', HELLO))).code, ErrorCodes.InvalidRequest);
    connection.dispose();
  });

  it('says hello in a strange way', async () => {
    const odd: unknown[] = [
      { ...HELLO, capabilities: { textDocument: 5, workspace: 'x', experimental: 1, window: [] } },
    ];
    for (const folders of [5, 'x', [null, 5, { uri: 7 }], {}]) odd.push({ ...HELLO, workspaceFolders: folders });
    odd.push({ ...HELLO, rootUri: 5 }, { ...HELLO, initializationOptions: [[]] });
    odd.push({ ...HELLO, capabilities: { textDocument: { codeAction: { resolveSupport: { properties: 7 } } } } });
    for (const params of odd) {
      const connection = silentConnection();
      await connection.sendRequest('initialize', params);
      await connection.sendNotification('initialized', {});
      await connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri: URI, version: 1, text: SAXPY },
      });
      assert.notEqual(await connection.sendRequest('textDocument/hover', VALID['textDocument/hover']), null);
      assert.ok(
        Array.isArray(await connection.sendRequest('textDocument/codeAction', VALID['textDocument/codeAction'])),
      );
      await connection.sendRequest('shutdown');
      connection.dispose();
    }
    const connection = silentConnection();
    for (const params of [undefined, null, 5, [], {}, { capabilities: null }])
      assert.notEqual((await failureOf(connection.sendRequest('initialize', params))).code, 0);
    await connection.sendRequest('initialize', HELLO);
    await connection.sendRequest('shutdown');
    connection.dispose();
  });

  it('asks with parameters of any shape', async () => {
    const client = await TestClient.inMemory();
    client.open(URI, SAXPY);
    const expected = await client.hover(URI, OP);
    for (const [method, params] of Object.entries(VALID)) {
      const { code, message } = await failureOf(client.ask(method, params));
      assert.ok(code === 0 || code === LSPErrorCodes.RequestFailed, `${method}: ${code} ${message}`);
      if (method === 'amdgpuMir/status') continue;
      for (const none of [undefined, null, 5, 'x', [], [1, 2], {}]) {
        const failure = await failureOf(client.connection.sendRequest(method, none as never));
        assert.equal(failure.code, ErrorCodes.InvalidParams, `${method} ${JSON.stringify(none)}`);
        assert.match(failure.message, /^\S+: \S+ is no \w+|^\S+: what is sent is no object/);
      }
    }
    const random = randomSource(20);
    const methods = Object.keys(VALID);
    const known = [0, ErrorCodes.InvalidParams, LSPErrorCodes.RequestFailed];
    let refused = 0;
    for (let k = 0; k < 3000; k++) {
      const method = methods[random(methods.length)]!;
      const params = damaged(VALID[method], random);
      const { code, message } = await failureOf(client.connection.sendRequest(method, params as never));
      assert.ok(known.includes(code), `${method} ${JSON.stringify(params)?.slice(0, 300)}: ${code} ${message}`);
      if (code === ErrorCodes.InvalidParams) refused++;
      assert.ok(message.length < 1000);
    }
    assert.ok(500 < refused && refused < 2700, `${refused} of 3000 were refused`);
    assert.equal(await client.hover(URI, OP), expected);
    const status = await client.ask<{ lastError: string | null; restarts: number }>('amdgpuMir/status', {});
    assert.deepEqual([status.lastError, status.restarts], [null, 0]);
    await client.shutdown();
  });

  it('sends changes that mean nothing: the next good ones are diagnosed', async () => {
    const client = await TestClient.inMemory();
    const notify = (method: string, params: unknown) => client.connection.sendNotification(method, params as never);
    client.open(URI, SAXPY);
    await client.diagnostics(URI);
    const random = randomSource(7);
    const good = {
      textDocument: { uri: URI, version: 2 },
      contentChanges: [{ range: { start: at(1, 0), end: at(1, 3) }, text: '# x' }, { text: SAXPY }],
    };
    for (let round = 0; round < 40; round++) {
      for (let k = 0; k < 10; k++) {
        const methods = [
          'textDocument/didChange',
          'textDocument/didChange',
          'textDocument/didOpen',
          'textDocument/didClose',
        ];
        const method = methods[random(methods.length)]!;
        const params =
          method === 'textDocument/didOpen'
            ? { textDocument: { uri: URI, version: 3, text: SAXPY, languageId: 'mir' } }
            : good;
        // A damaged address or text may be another document; a whole close or open is none of this test's.
        const odd = damaged(params, random);
        if (method === 'textDocument/didChange' || JSON.stringify(odd) !== JSON.stringify(params))
          await notify(method, odd);
        await notify('amdgpuMir/selectTarget', damaged({ uri: URI, index: 0 }, random));
      }
      // Whatever was made of that: a full text with a mistake is a full text with a mistake.
      await notify('textDocument/didOpen', {
        textDocument: { uri: URI, languageId: 'mir', version: 1000 + round, text: SAXPY },
      });
      const text = round % 2 === 0 ? SAXPY.replace(OP, 'V_PK_FMB_F32') : SAXPY;
      const version = 2000 + round;
      await notify('textDocument/didChange', { textDocument: { uri: URI, version }, contentChanges: [{ text }] });
      const { diagnostics } = await client.until(`version ${version}`, () =>
        client.published.find((p) => p.uri === URI && p.version === version),
      );
      assert.equal(diagnostics.length, round % 2 === 0 ? 1 : 0);
    }
    await client.shutdown();
  });

  it('counts its versions as it likes', async () => {
    const client = await TestClient.inMemory();
    const change = (version: unknown, text: string) =>
      client.connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: URI, version },
        contentChanges: [{ text }],
      } as never);
    client.open(URI, SAXPY, 5);
    const broken = SAXPY.replace(OP, 'V_PK_FMB_F32');
    for (const version of [4, 4, 1, -3, 0.5, 1e300, null, undefined, 'x', {}]) {
      const before = client.published.length;
      await change(version, broken);
      await client.until('an error', () => client.published.slice(before).find((p) => p.diagnostics.length === 1));
      await change(version, SAXPY);
      await client.until('none', () => (client.published.at(-1)!.diagnostics.length === 0 ? true : undefined));
    }
    await client.shutdown();
  });

  it('has RUN lines that make no sense: every other answer is as without them', async () => {
    const random = randomSource(3);
    const words = [
      'llc',
      '-mtriple=amdgcn',
      '-mtriple=',
      '-mcpu=gfx90a',
      '-mcpu',
      '-mattr=+,-,x',
      '-mattr=',
      "'",
      '"',
      '\\',
      '|',
      '<',
      '>',
      '2>&1',
      '%s',
      '%if',
      '%{',
      '%}',
      '%else',
      '-misched=',
      '-misched=x',
      '-run-pass',
      '-run-pass=,',
      '-o',
      '--',
      '-',
      '&&',
      'not',
      '--crash',
      'env',
      'A=B',
      'timeout',
      '-amdgpu-schedule-metric-bias=x',
      '-verify-misched=7',
      '@x',
      '$(x)',
      '`x`',
      '-mcpu=%cpu',
      '-mtriple=x86_64',
      'FileCheck',
      '-check-prefixes=,',
      '-mllvm',
      '=',
      '-=',
      '--=x',
    ];
    const client = await TestClient.inMemory();
    const body = SAXPY.replace(/^.*RUN:.*\n/gm, '');
    const structural = ['textDocument/documentSymbol', 'textDocument/foldingRange', 'textDocument/definition'];
    client.open(URI, `#\n${body}`);
    const expected = await Promise.all(structural.map((m) => client.ask(m, VALID[m])));
    for (let k = 0; k < 20; k++) {
      const run = Array.from({ length: 1 + random(8) }, () => words[random(words.length)]).join(' ');
      client.open(URI, `# RUN: ${run}\n${body}`, 10 + k);
      const now = await Promise.all(structural.map((m) => client.ask(m, VALID[m])));
      assert.deepEqual(now, expected, run);
      for (const [method, params] of Object.entries(VALID)) {
        const { code, message } = await failureOf(client.ask(method, params));
        assert.ok(code === 0 || code === LSPErrorCodes.RequestFailed, `${method} with ${run}: ${code} ${message}`);
      }
      await client.ask('textDocument/hover', { textDocument: { uri: URI }, position: at(0, 8) });
    }
    const status = await client.ask<{ lastError: string | null; restarts: number }>('amdgpuMir/status', {});
    assert.deepEqual([status.lastError, status.restarts], [null, 0]);
    await client.shutdown();
  });

  it('runs on a machine that was suspended: a worker that was, too, is kept', async () => {
    const held: (() => void)[] = [];
    let isHolding = false;
    const client = await TestClient.inMemory({
      hangMs: 2000,
      createWorker: () => {
        const worker = createInThreadWorker();
        return {
          ...worker,
          post: (message: ToWorker) => {
            if (isHolding) held.push(() => worker.post(message));
            else worker.post(message);
          },
        };
      },
    });
    client.open(URI, SAXPY);
    const expected = await client.hover(URI, OP);
    isHolding = true;
    const answer = client.hover(URI, OP);
    await client.read();
    // An hour later.
    const { now } = Date;
    const { performance } = globalThis;
    const monotonic = performance.now.bind(performance);
    Date.now = () => now() + 3_600_000;
    performance.now = () => monotonic() + 3_600_000;
    try {
      // The watchdog looks at least once.
      await new Promise((resolve) => setTimeout(resolve, 700));
      isHolding = false;
      for (const post of held) post();
      assert.equal(await answer, expected);
      assert.equal((await client.ask<{ restarts: number }>('amdgpuMir/status', {})).restarts, 0);
    } finally {
      Date.now = now;
      performance.now = monotonic;
    }
    await client.shutdown();
  });

  for (const { name, command, skipUnlessBuilt } of BUILT_COMMANDS)
    it(`dies without a word: its server ends, too, ${name}`, async function () {
      skipUnlessBuilt.call(this);
      // The client of the server is this process; the one that it watches is another.
      const watched = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'ignore' });
      const [program, ...args] = command;
      const server = spawn(program, [...args, 'lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
      const connection = createProtocolConnection(
        new StreamMessageReader(server.stdout),
        new StreamMessageWriter(server.stdin),
      );
      connection.listen();
      await connection.sendRequest('initialize', { ...HELLO, processId: watched.pid });
      const ended = new Promise((resolve) => server.on('exit', resolve));
      watched.kill('SIGKILL');
      assert.equal(await ended, 1);
      connection.dispose();
    });
});
