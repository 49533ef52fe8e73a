/** From MIR text to verifier reports, as llc would see the first function, and what llc-22 itself says. */
import { irVerifierOptions, verifyFunction, type VerifierReport } from '../../server/src/analysis/verifier/index.js';
import { lowerFile } from '../../server/src/model/lowering/lowerFile.js';
import type { MachineFunction } from '../../server/src/model/machineFunction.js';
import { parseMirFile } from '../../server/src/syntax/index.js';
import { SourceText } from '../../server/src/text/sourceText.js';
import { Interner } from '../../server/src/util/interner.js';
import { runLlc } from './llc.js';

const TRIPLE = 'amdgcn-amd-amdhsa';

export interface Verified {
  readonly fn: MachineFunction;
  readonly reports: readonly VerifierReport[];
  /** offset of the function's document in the text: ranges of `fn.source` are relative to it */
  readonly start: number;
}

/** Verifies the first function of the text that has reports, else the last one. Fails if the text does not parse. */
export function verifyText(text: string, cpu: string): Verified {
  const file = parseMirFile(new SourceText(text), new Interner());
  const model = lowerFile(file, { triple: TRIPLE, cpu, features: '' });
  const errors = model.diagnostics.map((d) => d.message);
  if (errors.length > 0) throw new Error(`does not parse: ${errors.join('; ')}`);
  let result: Verified | null = null;
  model.functions.forEach(({ fn }, i) => {
    if (fn === null || (result !== null && result.reports.length > 0)) return;
    const reports = verifyFunction(fn, irVerifierOptions(model.ir, fn));
    result = { fn, reports, start: model.functionStarts[i] };
  });
  if (result === null) throw new Error('no function');
  return result;
}

/** stderr of llc-22 on the text, up to and with the count of errors; empty if it accepts. Addresses are made equal. */
export function llcStderr(text: string, cpu: string): string {
  const run = runLlc(
    ['-x=mir', '-disable-symbolication', `-mtriple=${TRIPLE}`, `-mcpu=${cpu}`, '-run-pass=none', '-o', '/dev/null'],
    text,
  );
  const end = run.stderr.indexOf(' machine code errors.\n');
  if (end < 0 && run.status !== 0) throw new Error(`llc rejects the text otherwise: ${run.stderr.slice(0, 300)}`);
  return end < 0 ? '' : withoutAddresses(run.stderr.slice(0, end + ' machine code errors.\n'.length));
}

/** Addresses of blocks and of unnumbered metadata differ from run to run. */
export const withoutAddresses = (text: string): string =>
  text.replaceAll(/\(0x[0-9a-f]+\)/g, '(0x)').replaceAll(/<0x[0-9a-f]+>/g, '<0x>');

export const messagesIn = (stderr: string): string[] =>
  [...stderr.matchAll(/^\*\*\* Bad machine code: (.*) \*\*\*$/gm)].map((m) => m[1]);
