/** A worker whose answers a test makes by hand. */
import type { FromWorker, ToWorker, WorkerHandle } from '../../server/src/lsp/common/messages.js';

export class FakeWorker implements WorkerHandle {
  readonly got: ToWorker[] = [];
  isTerminated = false;
  say: (message: FromWorker) => void = () => undefined;
  end: (reason: string) => void = () => undefined;

  post(message: ToWorker): void {
    this.got.push(message);
  }
  onMessage(handler: (message: FromWorker) => void): void {
    this.say = handler;
  }
  onEnd(handler: (reason: string) => void): void {
    this.end = handler;
  }
  terminate(): void {
    this.isTerminated = true;
  }
  get requests(): Extract<ToWorker, { kind: 'request' }>[] {
    return this.got.filter((m) => m.kind === 'request');
  }
  /** kinds of what it was told, in order */
  get kinds(): string {
    return this.got.map((m) => m.kind).join(' ');
  }
}
