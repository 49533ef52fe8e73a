/**
 * What the protocol thread and the analysis worker say to each other. Messages are plain data, processed in the order in
 * which they were posted: a request sees exactly the edits posted before it.
 *
 * Two things bypass the queue, through one shared Int32Array where the platform has shared memory: the number of messages
 * posted so far (a background task that sees a higher number than it has received gives way) and the ids of cancelled requests.
 */
import type { Diagnostic, Range } from 'vscode-languageserver-types';
import type { LateCopies, LateFinding } from '../../host/analysisHost.js';
import type { Settings } from '../../program/settings.js';
import type { TargetOptions } from '../../program/targetOfFile.js';
import type { DocumentStatus, ServerStatus } from './customRequests.js';

/** One change of `textDocument/didChange`: a range and its new text, or the whole text. */
export interface ContentChange {
  readonly range?: Range;
  readonly text: string;
}

export type ToWorker =
  | {
      readonly kind: 'start';
      readonly shared: SharedArrayBuffer | null;
      readonly settings: Settings;
      /** takes requests that may take long, and does nothing in the background */
      readonly isPatient: boolean;
    }
  | { readonly kind: 'settings'; readonly settings: Settings }
  | { readonly kind: 'open'; readonly uri: string; readonly version: number; readonly text: string }
  | {
      readonly kind: 'change';
      readonly uri: string;
      readonly version: number;
      readonly changes: readonly ContentChange[];
    }
  | { readonly kind: 'close'; readonly uri: string }
  /** which target to use for a document: a RUN line's index, a target, or null for the file's own choice */
  | { readonly kind: 'target'; readonly uri: string; readonly target: TargetOptions | number | null }
  /** what has been found out late of a version */
  | { readonly kind: 'late'; readonly uri: string; readonly version: number; readonly found: LateFinding }
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly method: string;
      readonly uri: string;
      readonly params: unknown;
    };

export type FromWorker =
  | { readonly kind: 'result'; readonly id: number; readonly version: number; readonly result: unknown }
  | { readonly kind: 'cancelled'; readonly id: number }
  /** where the work on a request is */
  | { readonly kind: 'progress'; readonly id: number; readonly message: string }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string; readonly stack: string }
  | {
      readonly kind: 'diagnostics';
      readonly uri: string;
      readonly version: number;
      readonly diagnostics: readonly Diagnostic[];
    }
  /** a change of it failed, a bug of ours: the worker needs its text */
  | { readonly kind: 'unsynchronized'; readonly uri: string }
  /** there will be none of this version: a bug of ours, which is logged too */
  | { readonly kind: 'undiagnosed'; readonly uri: string; readonly message: string }
  | { readonly kind: 'document'; readonly status: DocumentStatus }
  /** copies to scalar registers that take long to judge: those of its diagnostics are without them */
  | { readonly kind: 'lateCopies'; readonly uri: string; readonly version: number; readonly late: LateCopies }
  /** the background has found out what lenses show, and `hints`: what hints show */
  | { readonly kind: 'lenses'; readonly hints: boolean }
  | { readonly kind: 'log'; readonly level: 'error' | 'warn' | 'info'; readonly message: string }
  /** a step of background work is done: still alive */
  | { readonly kind: 'alive' }
  /** nothing left to do; `received` messages were dealt with since the start */
  | { readonly kind: 'idle'; readonly received: number };

/** Request that the worker answers itself: symbols of the open document that it names, or of `{ text }`. */
export const SCAN_METHOD = 'amdgpuMir/scanSymbols';

/** Request that the worker answers itself: what the RUN lines of a text come to. */
export const RUN_TEST_METHOD = 'amdgpuMir/runTest';
export interface RunTestParams {
  readonly text: string;
  /** null = as long as it takes */
  readonly limitMs: number | null;
}

/** Request that the worker answers itself: LateCopies to VerdictsByFunction. */
export const JUDGE_COPIES_METHOD = 'amdgpuMir/judgeCopies';

/** Request that the worker answers itself: the CHECK lines of a text made anew, as UpdatedChecks. */
export const UPDATE_CHECKS_METHOD = 'amdgpuMir/updateChecks';
export interface UpdateChecksParams {
  readonly text: string;
}

/** Request that the worker answers itself instead of a feature. */
export const STATUS_METHOD = 'amdgpuMir/status';
export type StatusResult = Omit<ServerStatus, 'restarts' | 'queue' | 'lastError'>;

/** One end of a channel to a worker, or to an analysis in the same thread. */
export interface WorkerPort<In, Out> {
  post(message: Out): void;
  onMessage(handler: (message: In) => void): void;
}

/** A worker as the protocol thread sees it. */
export interface WorkerHandle extends WorkerPort<FromWorker, ToWorker> {
  /** called once when the worker has ended by itself, with the reason */
  onEnd(handler: (reason: string) => void): void;
  /** Ends the worker; no message of it arrives afterwards. */
  terminate(): void;
}

/** Slot 0 of the shared array: messages posted to the worker. The others: ids of cancelled requests, by id modulo their number. */
const CANCEL_SLOTS = 255;

/** Browsers share memory only between pages that are isolated from those of other origins. */
function canShareMemory(): boolean {
  const { crossOriginIsolated } = globalThis as { readonly crossOriginIsolated?: boolean };
  return typeof SharedArrayBuffer !== 'undefined' && crossOriginIsolated !== false;
}

/** The protocol thread's end of the shared array. */
export class CancellationSource {
  readonly buffer: SharedArrayBuffer | null;
  private readonly cells: Int32Array | null;

  constructor() {
    this.buffer = canShareMemory() ? new SharedArrayBuffer((1 + CANCEL_SLOTS) * 4) : null;
    this.cells = this.buffer ? new Int32Array(this.buffer) : null;
  }

  /** Call before each post. */
  posted(): void {
    if (this.cells) Atomics.add(this.cells, 0, 1);
  }

  /** Returns whether the worker can see it without a message. */
  cancel(id: number): boolean {
    if (!this.cells) return false;
    Atomics.store(this.cells, 1 + (id % CANCEL_SLOTS), id);
    return true;
  }
}

/** Without shared memory background work gives way so often: a frame of the screen. */
const UNSHARED_STEP_MS = 16;

/** The worker's end of the shared array. */
export class CancellationView {
  private cells: Int32Array | null = null;
  received = 0;
  private stepBegan = 0;

  attach(buffer: SharedArrayBuffer | null): void {
    this.cells = buffer ? new Int32Array(buffer) : null;
  }

  /** Call for each message received. */
  messageReceived(): void {
    this.received++;
  }

  /** Without shared memory no word of it arrives before the request is answered. */
  isCancelled(id: number): boolean {
    return this.cells !== null && Atomics.load(this.cells, 1 + (id % CANCEL_SLOTS)) === id;
  }

  /** Background work begins; see hasWaitingMessages. */
  beginStep(): void {
    this.stepBegan = Date.now();
  }

  /** Does the worker see that a message waits? */
  get seesWaiting(): boolean {
    return this.cells !== null;
  }

  /** Are there messages that the worker has not seen yet? Without shared memory nobody knows: there may be after a while. */
  hasWaitingMessages(): boolean {
    if (this.cells === null) return Date.now() - this.stepBegan >= UNSHARED_STEP_MS;
    return Atomics.load(this.cells, 0) !== this.received;
  }
}
