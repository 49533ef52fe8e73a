/**
 * Why passes do what they do, on random instructions for all generations: nothing that a pass puts in or changes is without a reason, each names
 * instructions that have to do with it, and llc-22 waits otherwise once the access that a wait is for writes another register. `AMDGPU_MIR_RUNS=100` makes that many
 * functions for each processor, `AMDGPU_MIR_SEED` takes others.
 */
import assert from 'node:assert/strict';
import { reportOf, type PassReport } from '../../server/src/features/passes/passReport.js';
import type { MachineFunction } from '../../server/src/model/machineFunction.js';
import type { WaitCause } from '../../server/src/passes/remarks.js';
import { parseLlcOptions } from '../../server/src/program/llcOptions.js';
import { loadProgram } from '../../server/src/program/mirProgram.js';
import { runToPass, trailOfPass, type PassRun } from '../../server/src/program/passTrail.js';
import { Random } from '../support/damageInputs.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { MEMORY_INSTRS, RANDOM_CPUS, randomFunctions } from '../support/randomInstrs.js';
import { runsOr, seedOr } from '../support/switches.js';

const RUNS = runsOr(6);

interface Explained {
  readonly fn: MachineFunction;
  readonly run: PassRun;
  readonly report: PassReport;
}

const argsFor = (cpu: string, features: string): string[] => [
  '-mtriple=amdgcn-amd-amdhsa',
  `-mcpu=${cpu}`,
  `-mattr=${features}`,
];

/** Null where the pass refuses the function. */
function explain(text: string, pass: string, args: readonly string[]): Explained | null {
  const { triple, march, cpu, features, release, flags, values } = parseLlcOptions([...args, 'f.mir']);
  const program = loadProgram(text, 'f.mir', { triple, march, cpu, features, release, flags });
  const [loaded] = program.functions;
  const fn = loaded?.fn ?? null;
  const trail = trailOfPass(pass, values);
  if (fn === null || typeof trail === 'string') return null;
  const run = runToPass({ fn, ir: null, source: text }, trail, 0, () => undefined);
  if ('why' in run) return null;
  const lineOf = (i: number): number => (i < 0 || i >= fn.nInstrs ? 0 : i + 1);
  return { fn, run, report: reportOf(run, lineOf, program.debugNames) };
}

function explainAll(pass: string, k: number, more: string): { text: string; explained: Explained }[] {
  const [cpu, features] = RANDOM_CPUS[k]!;
  const texts = randomFunctions(new Random(seedOr(1) * 7919 + k), RUNS, [cpu, features], more);
  return texts.flatMap((text) => {
    const explained = explain(text, pass, argsFor(cpu, features));
    return explained === null ? [] : [{ text, explained }];
  });
}

const PASSES: readonly (readonly [string, string])[] = [
  ['si-insert-waitcnts', MEMORY_INSTRS],
  ['post-RA-hazard-rec', ''],
  ['amdgpu-wait-sgpr-hazards', ''],
  ['amdgpu-insert-delay-alu', ''],
  ['gcn-create-vopd', ''],
  ['si-insert-hard-clauses', MEMORY_INSTRS],
];

describe('nothing is put in or changed without a reason', () => {
  for (const [pass, more] of PASSES)
    it(pass, function () {
      this.timeout(RUNS * RANDOM_CPUS.length * 200 + 30_000);
      let nReasons = 0;
      for (const k of RANDOM_CPUS.keys())
        for (const { text, explained } of explainAll(pass, k, more))
          for (const { change, text: instr, reasons } of explained.report.instrs) {
            nReasons += reasons.length;
            if (change === 'kept' || change === 'erased') continue;
            const said = reasons.flatMap((reason) => reason.text);
            assert.ok(said.length > 0, `${instr} has no reason in\n${text}`);
            for (const sentence of said) assert.doesNotMatch(sentence, /undefined|NaN|null|^$/, sentence);
            // A wait that the pass has made is not for a wait that was there.
            // Pairs of gfx12 take over what stood apart.
            if (change === 'inserted' && !/_(?:LOAD|STORE)CNT_DSCNT/.test(instr))
              assert.doesNotMatch(said.join('\n'), /there before the pass asks/, `${instr} in\n${text}`);
          }
      assert.ok(nReasons > 0, `${nReasons} reasons`);
    });
});

const WITHOUT_WAITS = MEMORY_INSTRS.replaceAll(/^S_WAIT.*\n/gm, '');

type RegisterCause = Extract<WaitCause, { readonly kind: 'register' }>;

/** Waits for registers, with the instruction that waits. */
function* waitsOf({ run }: Explained): IterableIterator<{ cause: RegisterCause; waiter: number }> {
  for (const remark of run.remarks.all)
    if (remark.kind === 'wait')
      for (const need of remark.needs)
        if (need.cause.kind === 'register') yield { cause: need.cause, waiter: remark.before };
}

function mentions(fn: MachineFunction, i: number, reg: number): boolean {
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) if (fn.tables.regsOverlap(fn.opVal[o]!, reg)) return true;
  return false;
}

describe('the access that a wait is for', () => {
  it('uses the register, as the instruction that waits does', function () {
    this.timeout(RUNS * RANDOM_CPUS.length * 200 + 30_000);
    let n = 0;
    for (const k of RANDOM_CPUS.keys())
      for (const { explained } of explainAll('si-insert-waitcnts', k, MEMORY_INSTRS))
        for (const { cause, waiter } of waitsOf(explained)) {
          n++;
          assert.ok(mentions(explained.run.before, explained.run.remarks.idBefore(cause.by), cause.reg));
          assert.ok(waiter < 0 || mentions(explained.run.before, explained.run.remarks.idBefore(waiter), cause.reg));
        }
    assert.ok(n > RUNS * 10, `${n} waits`);
  });

  it('is what llc-22 waits for: with another register there it waits otherwise', function () {
    needsLlc(this);
    this.timeout(RUNS * RANDOM_CPUS.length * 400 + 60_000);
    let [nAsked, nSame] = [0, 0];
    for (const [k, [cpu, features]] of RANDOM_CPUS.entries()) {
      const args = [...argsFor(cpu, features), '-run-pass=si-insert-waitcnts', '-simplify-mir', '-x', 'mir', '-o', '-'];
      const asked: { readonly waiter: number; readonly texts: readonly [string, string] }[] = [];
      for (const { text, explained } of explainAll('si-insert-waitcnts', k, WITHOUT_WAITS)) {
        const name = /name:\s*(\S+)/.exec(text)![1]!;
        for (const { cause, waiter } of waitsOf(explained)) {
          if (cause.isUnordered || cause.isSource || waiter < 0 || !mayAsk(explained.fn, waiter)) continue;
          const other = withOtherResult(text, explained.fn, cause.by);
          if (other === null) continue;
          const named = (body: string, suffix: string): string =>
            body.replace(/^name:.*$/m, `name: ${name}x${asked.length}${suffix}`);
          asked.push({ waiter: placeAmongOwn(explained.fn, waiter), texts: [named(text, 'a'), named(other, 'b')] });
          break;
        }
      }
      const taken = asked.filter(({ texts }) => runLlc(args, texts.join('')).status === 0);
      if (taken.length === 0) continue;
      const printed = runLlc(args, taken.flatMap(({ texts }) => texts).join(''))
        .stdout.split(/^---$/m)
        .slice(-2 * taken.length);
      for (const [n, { waiter }] of taken.entries()) {
        nAsked++;
        if (waitsBefore(printed[2 * n]!, waiter) === waitsBefore(printed[2 * n + 1]!, waiter)) {
          nSame++;
        }
      }
    }
    assert.ok(nAsked > RANDOM_CPUS.length, `${nAsked} waits are asked for`);
    // Round a loop another access to the register may come as late.
    assert.ok(nSame <= nAsked * 0.05, `${nSame} of ${nAsked} waits are as before`);
  });
});

/** It is no member of a bundle, and neither a wait of the text nor the entry of the function stands before it, which would wait whatever the register is. */
function mayAsk(fn: MachineFunction, waiter: number): boolean {
  const at = fn.order.indexOf(waiter);
  return fn.bundle[waiter] === 0 && at > 0 && !isWait(fn, fn.order[at - 1]!);
}

const isWait = (fn: MachineFunction, i: number): boolean => fn.tables.opcodeName(fn.opcode[i]!).startsWith('S_WAIT');

/** The text with the result of an instruction in registers that nothing else uses; null where that cannot be told. */
function withOtherResult(text: string, fn: MachineFunction, i: number): string | null {
  const range = fn.source?.instrRange(i);
  if (range === undefined) return null;
  const own = text.slice(range.start, range.end);
  const [result, ...rest] = own.split(' = ');
  if (rest.length === 0 || !/^(?:early-clobber )?\$[vs]gpr[\d_vsgpr]+$/.test(result!)) return null;
  const shift = result!.includes('vgpr') ? 200 : 64;
  const other = result!.replaceAll(/gpr(\d+)/g, (_, n: string) => `gpr${Number(n) + shift}`);
  if (rest.join('').includes('tied-def')) return null;
  return `${text.slice(0, range.start)}${[other, ...rest].join(' = ')}${text.slice(range.end)}`;
}

const WAIT = /^\s*S_WAIT/;

/** How many instructions that are no waits stand before it. */
function placeAmongOwn(fn: MachineFunction, waiter: number): number {
  let n = 0;
  for (const i of fn.order) {
    if (i === waiter) return n;
    if (!isWait(fn, i)) n++;
  }
  return -1;
}

/** The waits directly before the instruction that so many others that are no waits stand before. */
function waitsBefore(printed: string, place: number): string {
  const lines = printed
    .slice(printed.indexOf('body:'))
    .split('\n')
    .filter((line) => /^ {4,}[A-Z$]|^ {4,}(?:renamable|early-clobber|dead|undef)/.test(line));
  const at = lines.findIndex(
    (line, k) => !WAIT.test(line) && lines.slice(0, k).filter((l) => !WAIT.test(l)).length === place,
  );
  let from = at;
  while (from > 0 && WAIT.test(lines[from - 1]!)) from--;
  return lines.slice(from, at).join('\n');
}
