/** Register allocation with its decisions and with the life of each register, on functions whose result llc-22 printed (`.out` beside each fixture). */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { OpFlag, OperandKind, type MachineFunction } from '../../../server/src/model/machineFunction.js';
import { isVirtualReg } from '../../../server/src/model/register.js';
import { printFunctionDocument } from '../../../server/src/model/printer/index.js';
import type { AllocatedFunction } from '../../../server/src/passes/regalloc/trace/collector.js';
import { printAllocationTrace } from '../../../server/src/passes/regalloc/trace/traceText.js';
import { allocateAsItStands, allocationSettingOf } from '../../../server/src/program/allocation.js';
import { TestFile } from '../../../server/src/program/testFile/testFile.js';
import { parseLlcOptions } from '../../../server/src/program/llcOptions.js';
import { loadProgram } from '../../../server/src/program/mirProgram.js';
import { DEFAULT_SETTINGS } from '../../../server/src/program/settings.js';
import { targetOfFile } from '../../../server/src/program/targetOfFile.js';
import { schedulerSetting } from '../../../server/src/passes/scheduler/llcOptions.js';
import { moduleFactsOf } from '../../../server/src/passes/scheduler/moduleFacts.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { randomAllocation } from '../../support/randomAllocation.js';
import { withoutAddresses } from '../../support/verify.js';

const folder = join(__dirname, '..', '..', 'fixtures', 'regalloc');

interface Case {
  readonly name: string;
  readonly fn: MachineFunction;
  readonly allocated: AllocatedFunction;
  readonly expected: string;
}

function casesOf(file: string): Case[] {
  const text = readFileSync(join(folder, file), 'utf8');
  const args = (/^# RUN: llc (.*)$/m.exec(text)?.[1] ?? '').split(' ');
  const llc = parseLlcOptions([...args, file]);
  const program = loadProgram(text, file, llc);
  const setting = allocationSettingOf(targetOfFile(new TestFile(''), DEFAULT_SETTINGS.target), llc.values);
  const expected = readFileSync(join(folder, file.replace(/mir$/, 'out')), 'utf8');
  return [...program.functions].map(({ name, fn }) => {
    assert(fn !== null);
    const collect = { withDecisions: true, checkpoint: () => undefined };
    const allocated = allocateAsItStands(fn, program.ir, setting, collect);
    assert(typeof allocated !== 'string', `${name}: ${String(allocated)}`);
    return { name, fn, allocated, expected };
  });
}

const FILES = readdirSync(folder).filter((name) => {
  const run = /^# RUN: llc (.*)$/m.exec(readFileSync(join(folder, name), 'utf8'))?.[1] ?? '';
  return (
    name.endsWith('.mir') && run.includes('-start-before=greedy,0') && run.includes('-stop-after=virtregrewriter,2')
  );
});

describe('the trace of register allocation', () => {
  it('tells the first of hundreds of thousands of steps, and how many there are', () => {
    const [{ allocated }] = casesOf(FILES[0]!) as [Case];
    const [run] = allocated.runs;
    const [pick] = run!.picks;
    const steps = Array.from({ length: 300_000 }, () => ({ kind: 'recolor', reg: 1, vreg: pick!.vreg, owners: [] }));
    const long = { ...allocated, runs: [{ ...run!, picks: [{ ...pick!, steps }] }] } as unknown as AllocatedFunction;
    const labels = { line: (i: number) => i + 1, vreg: (v: number) => `%${v}` };
    const text = printAllocationTrace(long, { vreg: null, labels });
    assert.equal(text.match(/last chance/g)?.length, 200);
    assert.match(text, /\n {4}and 299800 steps more\n/);
  });

  it('has functions to look at', () => assert(FILES.length >= 3, FILES.join()));

  for (const file of FILES) {
    it(`watches without changing anything: ${file}`, () => {
      for (const { allocated, expected } of casesOf(file)) {
        const own = withoutAddresses(printFunctionDocument(allocated.fn));
        const found = withoutAddresses(expected).includes(own.slice(own.indexOf('name:')));
        assert(found, `not in llc's output:\n${own.slice(0, 2000)}`);
      }
    });

    it(`says where each register is: ${file}`, () => {
      let checked = 0;
      for (const { fn, allocated } of casesOf(file)) checked += checkPlaces(fn, allocated);
      assert(checked > 0);
    });

    it(`tells every decision as text: ${file}`, () => {
      for (const { allocated } of casesOf(file)) {
        const labels = { line: (i: number) => i + 1, vreg: (v: number) => `%${v}` };
        const text = printAllocationTrace(allocated, { vreg: null, labels });
        const picks = allocated.runs.reduce((n, run) => n + run.picks.length, 0);
        assert(picks > 0);
        assert.equal(text.match(/^ {2}%/gm)?.length, picks + allocated.runs.reduce((n, r) => n + r.moves.length, 0));
      }
    });
  }

  it('is that of llc-22 in one process where the scheduler goes before', function () {
    needsLlc(this);
    for (let seed = 1; seed <= 12; seed++) {
      const { args, text } = randomAllocation(seed);
      const all = [...args.filter((a) => !a.startsWith('-start')), '-start-before=machine-scheduler'];
      const llc = parseLlcOptions([...all, 'f.mir']);
      const program = loadProgram(text, 'f.mir', llc);
      const setting = allocationSettingOf(targetOfFile(new TestFile(''), DEFAULT_SETTINGS.target), llc.values);
      const options = schedulerSetting([], llc.values);
      assert(setting.isBeforeScheduler && typeof options !== 'string');
      const [{ fn }] = [...program.functions];
      assert(fn !== null);
      const collect = { withDecisions: seed % 2 === 0, checkpoint: () => undefined };
      const allocated = allocateAsItStands(fn, program.ir, setting, collect, {
        options,
        facts: moduleFactsOf(text, program.ir),
      });
      assert(typeof allocated !== 'string', String(allocated));
      const { stdout } = runLlc(['-x', 'mir', ...all, '-o', '-'], text);
      const [own, expected] = [printFunctionDocument(allocated.fn), stdout].map((t) => t.slice(t.indexOf('\nname:')));
      assert.equal(own, expected, `seed ${seed}`);
    }
  });
});

/** Each virtual operand of an instruction that is left has become the register of a part that lives there. */
function checkPlaces(fn: MachineFunction, { fn: after, parts }: AllocatedFunction): number {
  const { tables } = fn;
  let checked = 0;
  const positions = new Map<number, number>();
  for (let b = 0, n = 0; b < fn.blocks.length; b++)
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) positions.set(fn.order[p]!, n++);
  for (let b = 0; b < after.blocks.length; b++) {
    for (let p = after.blockBegin[b]!; p < after.blockEnd[b]!; p++) {
      const i = after.order[p]!;
      if (i >= fn.nInstrs || fn.opcode[i] !== after.opcode[i]) continue;
      for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++) {
        if (fn.opKind[o] !== OperandKind.Register || !isVirtualReg(fn.opVal[o]!)) continue;
        // What is read undefined need not live anywhere.
        if ((fn.opFlags[o]! & (OpFlag.Def | OpFlag.Undef)) === OpFlag.Undef) continue;
        const reg = after.opVal[o]!;
        const at = positions.get(i)!;
        const v = ~fn.opVal[o]!;
        const lives = parts.filter(
          (part) =>
            part.vreg === v && part.spans.some((s) => positions.get(s.from)! <= at && at <= positions.get(s.to)!),
        );
        // Whole-wave values get theirs before the runs (si-pre-allocate-wwm-regs), of which nothing is told.
        if (!parts.some((part) => part.vreg === v)) continue;
        checked++;
        const has = lives.some((part) => part.reg > 0 && tables.regsOverlap(part.reg, reg));
        // What is reloaded or made anew for one instruction lives between inserted ones and it.
        const short = parts.some((part) => part.vreg === v && part.reg > 0 && tables.regsOverlap(part.reg, reg));
        assert(has || short, `%${v} at instruction ${i} is $${tables.regName(reg)}`);
      }
    }
  }
  return checked;
}
