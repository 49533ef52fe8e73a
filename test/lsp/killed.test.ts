/**
 * A server that is killed at any moment of a run of edits: the editor starts another, opens the file again, and everything is as if nothing
 * had happened. The same with the analysis worker inside of a server. AMDGPU_MIR_SEED replays; AMDGPU_MIR_RUNS is the number of edits.
 */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  StreamMessageWriter,
  createMessageConnection,
  type MessageConnection,
} from 'vscode-languageserver-protocol/node';
import type { Diagnostic, DocumentSymbol, PublishDiagnosticsParams } from 'vscode-languageserver-protocol';
import { TextDocument, type TextDocumentContentChangeEvent } from 'vscode-languageserver-textdocument';
import { provideDocumentSymbols } from '../../server/src/features/navigation/documentSymbols.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import { NEVER_CANCELLED } from '../../server/src/util/cancellation.js';
import { Random } from '../support/damageInputs.js';
import { EDIT_KINDS, differenceEdit, randomEdit } from '../support/edits.js';
import { createInThreadWorker } from '../support/inThreadWorker.js';
import { TestClient } from '../support/lspClient.js';
import { processReader } from '../support/processReader.js';
import { skip } from '../support/skip.js';
import { runsOr, seedOr } from '../support/switches.js';

const root = join(__dirname, '..', '..');
const BUNDLE = join(root, 'dist', 'server', 'lsp.js');
const SEED = seedOr(Date.now() % 1_000_000);
const EDITS = runsOr(2000);
const KILLS = 24;
const URI = 'file:///folder/edited.mir';
/** A text that random edits have blown up is set back. */
const MAX_LENGTH = 20_000;

const START = readFileSync(join(root, 'examples', 'saxpy.mir'), 'utf8');
const DONOR = readFileSync(join(root, 'examples', 'block_sum.mir'), 'utf8');

/** The edits of a run, the same for every run of a seed: each a change of the text that the one before left. */
function* script(n: number): Iterable<TextDocumentContentChangeEvent> {
  const random = new Random(SEED);
  let document = TextDocument.create(URI, 'mir', 0, START);
  let last = START;
  for (let k = 0; k < n; k++) {
    const text = document.getText();
    // Mistakes are taken back more often than not, so that there is a function to analyse.
    const isBack = random.chance(55);
    const edits =
      MAX_LENGTH < text.length
        ? differenceEdit(text, START)
        : isBack
          ? differenceEdit(text, last)
          : randomEdit(text, random.pick(EDIT_KINDS), DONOR, random);
    last = isBack ? START : text;
    const [edit] = edits;
    const [start, end] = edit ? [edit.start, edit.end] : [0, 0];
    const change = {
      range: { start: document.positionAt(start), end: document.positionAt(end) },
      // Half a character does not survive the way to another process.
      text: Buffer.from(edit?.text ?? '', 'utf8').toString('utf8'),
    };
    document = TextDocument.update(document, [change], k + 1);
    yield change;
  }
}

interface Outcome {
  readonly text: string;
  readonly diagnostics: Diagnostic[];
  readonly symbols: DocumentSymbol[];
}

/** The same edits without disturbance. */
function undisturbed(n: number): Outcome {
  const host = new AnalysisHost(false, Infinity);
  host.open(URI, 0, START);
  let version = 0;
  for (const change of script(n)) host.change(URI, ++version, [change as { range: never; text: string }]);
  const snapshot = host.snapshot(URI)!;
  const diagnostics = host.diagnostics(URI, NEVER_CANCELLED)!;
  return { text: snapshot.text.text, diagnostics, symbols: provideDocumentSymbols(snapshot) };
}

/** JSON has no undefined. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** An editor that does what VS Code's client does: it starts a server that died again and opens its document. */
class Editor {
  private child!: ChildProcess;
  private connection!: MessageConnection;
  private document = TextDocument.create(URI, 'mir', 0, START);
  private published: PublishDiagnosticsParams | null = null;
  private isOpen = false;
  private isDone = false;
  /** from the moment of the kill until another server has been started */
  isKilled = true;
  starts = 0;

  async start(): Promise<void> {
    this.starts++;
    this.isOpen = false;
    this.published = null;
    const child = spawn(process.execPath, [BUNDLE, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const connection = createMessageConnection(processReader(child.stdout), new StreamMessageWriter(child.stdin));
    this.child = child;
    this.isKilled = false;
    this.connection = connection;
    child.stdin.on('error', () => undefined);
    connection.onError(() => undefined);
    connection.onNotification('textDocument/publishDiagnostics', (p: PublishDiagnosticsParams) => {
      this.published = p;
    });
    connection.onNotification(() => undefined);
    connection.listen();
    child.once('exit', () => {
      connection.dispose();
      if (!this.isDone) void this.start();
    });
    const capabilities = { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } };
    await this.send(() => connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities }));
    await this.send(() => connection.sendNotification('initialized', {}));
    if (connection !== this.connection) return;
    const text = this.document.getText();
    const { version } = this.document;
    this.isOpen = true;
    await this.send(() =>
      connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri: URI, languageId: 'mir', version, text },
      }),
    );
  }

  /** What a dying server does not take is lost; the next one gets the text. */
  private async send(message: () => Promise<unknown>): Promise<unknown> {
    try {
      return await message();
    } catch {
      return null;
    }
  }

  edit(change: TextDocumentContentChangeEvent): void {
    const version = this.document.version + 1;
    this.document = TextDocument.update(this.document, [change], version);
    if (!this.isOpen) return;
    const { connection } = this;
    const params = { textDocument: { uri: URI, version }, contentChanges: [change] };
    void this.send(() => connection.sendNotification('textDocument/didChange', params));
  }

  ask(method: string, params: object): Promise<unknown> {
    const { connection } = this;
    return this.send(() => connection.sendRequest(method, { textDocument: { uri: URI }, ...params }));
  }

  kill(): void {
    this.isKilled = true;
    this.child.kill('SIGKILL');
  }

  async outcome(): Promise<Outcome> {
    const { version } = this.document;
    while (this.published?.version !== version) await pause(5);
    const symbols = (await this.ask('textDocument/documentSymbol', {})) as DocumentSymbol[];
    return { text: this.document.getText(), diagnostics: this.published.diagnostics, symbols };
  }

  async end(): Promise<void> {
    this.isDone = true;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.kill();
    await ended;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe(`killed while ${EDITS} edits are made, seed ${SEED}`, () => {
  let expected: Outcome;
  before(() => {
    expected = plain(undisturbed(EDITS));
  });

  it('a server comes back with the same text and diagnostics', async function () {
    if (!existsSync(BUNDLE)) skip(this, 'dist/server/lsp.js is not built (npm run build)');
    const random = new Random(SEED + 1);
    const editor = new Editor();
    void editor.start();
    // Kills are spread over the run and come at any moment: while a server starts, reads, computes, answers.
    let k = 0;
    let due = 0;
    let wait = 0;
    for (const change of script(EDITS)) {
      editor.edit(change);
      if (k % 7 === 0) void editor.ask('textDocument/hover', { position: { line: random.below(60), character: 12 } });
      if (k % Math.ceil(EDITS / KILLS) === 0) due++;
      k++;
      if (due > 0 && !editor.isKilled && wait-- <= 0) {
        editor.kill();
        due--;
        wait = random.below(60);
      }
      if (random.chance(40)) await pause(random.below(12));
    }
    for (; due > 0; due--) {
      while (editor.isKilled) await pause(5);
      await pause(random.below(400));
      editor.kill();
    }
    while (editor.isKilled) await pause(5);
    assert.ok(editor.starts > KILLS, `${editor.starts} starts`);
    const outcome = plain(await editor.outcome());
    await editor.end();
    assert.equal(outcome.text, expected.text);
    assert.deepEqual(outcome.diagnostics, expected.diagnostics);
    assert.deepEqual(outcome.symbols, expected.symbols);
  });

  it('an analysis worker is replaced with the same text and diagnostics', async () => {
    const random = new Random(SEED + 2);
    let workers = 0;
    let kills = 0;
    // As many as have been killed by now; how many messages a worker gets to see depends on the machine.
    let due = 0;
    const client = await TestClient.inMemory({
      createWorker: () => {
        workers++;
        return createInThreadWorker({
          toWorker: (_message, end) => {
            if (due <= kills || !random.chance(20)) return true;
            kills++;
            end('killed on purpose');
            // Some die before they have read the message, some after it.
            return random.chance(50);
          },
        });
      },
    });
    client.open(URI, START, 0);
    let document = TextDocument.create(URI, 'mir', 0, START);
    let k = 0;
    for (const change of script(EDITS)) {
      due = (++k * KILLS) / EDITS;
      const { range, text } = change as { range: Parameters<TextDocument['getText']>[0] & object; text: string };
      const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
      client.edit(URI, start, end, text);
      document = TextDocument.update(document, [change], document.version + 1);
      if (random.chance(10)) await pause(random.below(3));
    }
    // From here on nobody is killed: a question to a worker that ends is answered with an error.
    due = 0;
    // One that has been given up comes back with the next edit.
    client.edit(URI, 0, 0, '');
    assert.deepEqual(plain(await client.diagnostics(URI)), expected.diagnostics);
    assert.deepEqual(plain(await client.symbols(URI)), expected.symbols);
    assert.equal(client.text(URI), expected.text);
    assert.ok(workers > KILLS / 2, `${workers} workers`);
    await client.shutdown();
  });
});
