/** Reader of what a server's process writes. */
import type { Readable } from 'node:stream';
import { StreamMessageReader } from 'vscode-languageserver-protocol/node';

/**
 * A server that is killed in the middle of a message leaves a part of it. The reader of vscode-jsonrpc then sets its timer for "the rest is
 * late" again and again, also when its connection is disposed, and the process of the tests would never end. Without that timer.
 */
export function processReader(output: Readable): StreamMessageReader {
  const reader = new StreamMessageReader(output);
  reader.partialMessageTimeout = 0;
  return reader;
}
