/** The arguments of the language server, and its end of a socket or a pipe. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectTo, transportOf, type Transport } from '../../../server/src/lsp/node/lspTransport.js';

/** `of` where the parent process is Node, or is not. */
function withParent<T>(isNode: boolean, of: () => T): T {
  const send = Object.getOwnPropertyDescriptor(process, 'send');
  Object.defineProperty(process, 'send', {
    value: isNode ? () => true : undefined,
    configurable: true,
    writable: true,
  });
  try {
    return of();
  } finally {
    if (send) Object.defineProperty(process, 'send', send);
    else delete process.send;
  }
}

describe('arguments of the language server', () => {
  it('name one transport', () => {
    const cases: readonly (readonly [string, Transport])[] = [
      ['--stdio', { kind: 'stdio' }],
      ['--node-ipc', { kind: 'node-ipc' }],
      ['--socket=6009', { kind: 'socket', port: 6009 }],
      ['--socket 65535', { kind: 'socket', port: 65535 }],
      ['--socket=1', { kind: 'socket', port: 1 }],
      ['--pipe=/tmp/a=b', { kind: 'pipe', path: '/tmp/a=b' }],
      ['--pipe /tmp/x', { kind: 'pipe', path: '/tmp/x' }],
      ['--stdio --clientProcessId=1', { kind: 'stdio' }],
      ['--clientProcessId 4711 --stdio', { kind: 'stdio' }],
    ];
    for (const [args, transport] of cases)
      assert.deepEqual(
        withParent(true, () => transportOf(args.split(' '))),
        transport,
        args,
      );
  });

  it('are refused in words', () => {
    const port = '--socket needs a port, 1 to 65535';
    const process = '--clientProcessId needs a number';
    const cases: readonly (readonly [string, string, string?])[] = [
      ['', 'name the transport, as a rule --stdio'],
      ['--clientProcessId=3', 'name the transport, as a rule --stdio'],
      ['--stdio --pipe=x', 'one transport only, not stdio and pipe'],
      ['--socket=1 --node-ipc', 'one transport only, not socket and node-ipc'],
      ['--stdin', "unknown argument '--stdin'", '--stdin'],
      ['--stdio --std=3', "unknown argument '--std'", '--std'],
      ['file.mir', "unknown argument 'file.mir'", 'file.mir'],
      ['--stdio=yes', "option '--stdio' takes no value"],
      ['--stdio=', "option '--stdio' takes no value"],
      ['--node-ipc=yes', "option '--node-ipc' takes no value"],
      ['--socket', "option '--socket' needs a value"],
      ['--pipe=', "option '--pipe' needs a value"],
      ['--clientProcessId', "option '--clientProcessId' needs a value"],
      ['--socket=0', port],
      ['--socket=-1', port],
      ['--socket=65536', port],
      ['--socket=80.5', port],
      ['--socket=http', port],
      ['--clientProcessId=0 --stdio', process],
      ['--clientProcessId=1.5 --stdio', process],
      ['--clientProcessId=me --stdio', process],
    ];
    for (const [args, problem, unknown = ''] of cases)
      assert.deepEqual(
        withParent(true, () => transportOf(args === '' ? [] : args.split(' '))),
        { problem, unknown },
        args,
      );
    assert.deepEqual(
      withParent(false, () => transportOf(['--node-ipc'])),
      { problem: '--node-ipc is for a parent process that is Node; use --stdio', unknown: '' },
    );
  });
});

describe('a connection of the language server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-transport-'));
  after(() => rmSync(folder, { recursive: true }));

  for (const kind of ['socket', 'pipe'] as const)
    it(`over a ${kind} carries what is written, and tells its end once`, async () => {
      const path = process.platform === 'win32' ? `\\\\.\\pipe\\amdgpu-mir-${process.pid}` : join(folder, 's');
      const server = createServer((client) => client.pipe(client));
      await new Promise<void>((done) => {
        if (kind === 'pipe') server.listen(path, done);
        else server.listen(0, '127.0.0.1', done);
      });
      const transport: Transport =
        kind === 'pipe' ? { kind, path } : { kind, port: (server.address() as AddressInfo).port };
      const ends: string[] = [];
      const socket = await new Promise<Socket>((done) => {
        const made = connectTo(transport, (why) => ends.push(why))!;
        made.once('connect', () => done(made));
      });
      socket.write('hello');
      const back = await new Promise<string>((done) => socket.once('data', (data) => done(String(data))));
      assert.equal(back, 'hello');
      assert.deepEqual(ends, []);
      const closed = new Promise((done) => socket.once('close', done));
      socket.end();
      await closed;
      assert.deepEqual(ends, ['']);
      await new Promise((done) => server.close(done));
    });

  it('that fails says why', async () => {
    const why = await new Promise<string>((done) => connectTo({ kind: 'pipe', path: join(folder, 'nobody') }, done));
    assert.match(why, /ENOENT/);
  });

  it('needs no socket for the streams of the process', () => {
    for (const kind of ['stdio', 'node-ipc'] as const)
      assert.equal(
        connectTo({ kind }, () => assert.fail()),
        null,
      );
  });
});
