// The built server as a process over stdio with an editor for one document, as the benchmarks of the server use it.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} = require('vscode-languageserver-protocol/node');

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
const server = join(root, 'dist', 'server', 'lsp.js');
const URI = 'file:///bench/big.mir';

/** A server with its editor: the version of the document, and what is published. */
export class Session {
  version = 0;
  #waiting = null;
  #judged = null;

  /** Says hello; `initializationOptions` are settings. */
  static async start(initializationOptions, capabilities = {}) {
    const session = new Session();
    await session.connection.sendRequest('initialize', {
      processId: null,
      rootUri: null,
      capabilities,
      initializationOptions,
    });
    await session.connection.sendNotification('initialized', {});
    return session;
  }

  constructor() {
    this.child = spawn(process.execPath, [server, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.connection = createProtocolConnection(
      new StreamMessageReader(this.child.stdout),
      new StreamMessageWriter(this.child.stdin),
    );
    this.connection.onNotification('textDocument/publishDiagnostics', (p) => {
      if (p.version !== this.#waiting?.version) return;
      this.#waiting.done(p.diagnostics);
      this.#waiting = null;
    });
    this.connection.onNotification('amdgpuMir/verdict', (p) => {
      if (p.version !== this.#judged?.version) return;
      this.#judged.done(p.runs);
      this.#judged = null;
    });
    this.connection.onNotification(() => undefined);
    this.connection.listen();
  }

  /** Resolves with the diagnostics of a version that the server has not published yet. */
  diagnosticsOf(version) {
    return new Promise((done) => (this.#waiting = { version, done }));
  }

  /** Resolves with what the RUN lines of a version came to that the server has not told yet. */
  verdictsOf(version) {
    return new Promise((done) => (this.#judged = { version, done }));
  }

  /** Resolves with the diagnostics of the text. */
  open(text) {
    const published = this.diagnosticsOf(++this.version);
    void this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri: URI, languageId: 'mir', version: this.version, text },
    });
    return published;
  }

  /** Replaces the characters [start, end) of a line. */
  edit(line, start, end, text) {
    const range = { start: { line, character: start }, end: { line, character: end } };
    void this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: URI, version: ++this.version },
      contentChanges: [{ range, text }],
    });
  }

  ask(method, params) {
    return this.connection.sendRequest(method, { textDocument: { uri: URI }, ...params });
  }

  /** Milliseconds that all threads of the server have computed so far; NaN where Linux's /proc is not there. */
  cpuMs() {
    try {
      const tasks = `/proc/${this.child.pid}/task`;
      const ns = (task) => Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]);
      return readdirSync(tasks).reduce((sum, task) => sum + ns(task), 0) / 1e6;
    } catch {
      return NaN;
    }
  }

  async end() {
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
  }
}

/** Quantile of some values. */
export const quantile = (values, q) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))];
