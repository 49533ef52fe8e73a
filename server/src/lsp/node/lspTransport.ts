/** The arguments of the language server: which transport its client speaks over. */
import { createConnection, type Socket } from 'node:net';

const OPTIONS = ['--stdio', '--node-ipc', '--socket', '--pipe', '--clientProcessId'] as const;
const MAX_PORT = 65535;

export type Transport =
  | { readonly kind: 'stdio' }
  | { readonly kind: 'node-ipc' }
  | { readonly kind: 'socket'; readonly port: number }
  | { readonly kind: 'pipe'; readonly path: string };

/** A message when the arguments are wrong; `unknown` is the one that is not known, else empty. */
export interface TransportProblem {
  readonly problem: string;
  readonly unknown: string;
}

export const TRANSPORT_OPTIONS: readonly string[] = OPTIONS;

export function transportOf(args: readonly string[]): Transport | TransportProblem {
  const wrong = (problem: string, unknown = ''): TransportProblem => ({ problem, unknown });
  const transports: Transport[] = [];
  for (let i = 0; i < args.length; i++) {
    const [, name = '', glued] = /^([^=]*)(?:=([^]*))?$/.exec(args[i]!) ?? [];
    if (!OPTIONS.some((o) => o === name)) return wrong(`unknown argument '${name}'`, name);
    if (name === '--stdio' || name === '--node-ipc') {
      if (glued !== undefined) return wrong(`option '${name}' takes no value`);
      if (name === '--node-ipc' && process.send === undefined)
        return wrong('--node-ipc is for a parent process that is Node; use --stdio');
      transports.push({ kind: name === '--stdio' ? 'stdio' : 'node-ipc' });
      continue;
    }
    const value = glued ?? args[++i];
    if (value === undefined || value === '') return wrong(`option '${name}' needs a value`);
    const n = Number(value);
    if (name === '--clientProcessId') {
      if (!(Number.isInteger(n) && 0 < n)) return wrong('--clientProcessId needs a number');
    } else if (name === '--pipe') transports.push({ kind: 'pipe', path: value });
    else if (!(Number.isInteger(n) && 0 < n && n <= MAX_PORT)) return wrong(`--socket needs a port, 1 to ${MAX_PORT}`);
    else transports.push({ kind: 'socket', port: n });
  }
  const [only, second] = transports;
  if (!only) return wrong('name the transport, as a rule --stdio');
  return second ? wrong(`one transport only, not ${only.kind} and ${second.kind}`) : only;
}

/** Connects; `onEnd` is called once, when that fails or the other end has closed. */
export function connectTo(transport: Transport, onEnd: (why: string) => void): Socket | null {
  if (transport.kind === 'stdio' || transport.kind === 'node-ipc') return null;
  const socket =
    transport.kind === 'pipe' ? createConnection(transport.path) : createConnection(transport.port, '127.0.0.1');
  let why = '';
  socket.on('error', (error) => (why = error.message));
  socket.on('close', () => onEnd(why));
  return socket;
}
