/** Times of each pass from instruction selection to llc's end, for passes.mjs: one warm process, functions parsed and lowered before the clock starts. */
import { readCommandLine } from '../../server/src/commandLine/commandLine.js';
import { ANY_LLC_TABLE } from '../../server/src/commandLine/optionTable.js';
import { MetadataNames } from '../../server/src/model/printer/index.js';
import { stepsBetweenCuts } from '../../server/src/passes/cuts.js';
import { FunctionState } from '../../server/src/passes/functionState.js';
import { preparePasses, runPasses } from '../../server/src/passes/passManager.js';
import { passByName } from '../../server/src/passes/passes.js';
import { parseLlcOptions } from '../../server/src/program/llcOptions.js';
import { loadProgram } from '../../server/src/program/mirProgram.js';

export interface PassTimes {
  readonly instructions: number;
  /** milliseconds by the name that llc's -time-passes has, the least of the warm rounds, with the analyses that a pass asks for. By the clock: asking for
   * processor time takes longer than many passes. */
  readonly passes: ReadonlyMap<string, number>;
}

/** V8 compiles for some rounds. */
const COLD_ROUNDS = 4;
const ROUNDS = 5;

export function timesOfPasses(text: string, args: readonly string[]): PassTimes {
  const { triple, march, cpu, features, release, flags } = parseLlcOptions([...args, 'f.mir']);
  const { values: options } = readCommandLine([...args], [], 'llc', ANY_LLC_TABLE);
  const calls = (stepsBetweenCuts(options) ?? []).flatMap(({ name, parameters }) => {
    const pass = passByName(name);
    return pass === null ? [] : [{ pass, parameters }];
  });
  const samples = new Map<string, number[]>();
  let instructions = 0;
  for (let round = 0; round < COLD_ROUNDS + ROUNDS; round++) {
    const program = loadProgram(text, 'f.mir', { triple, march, cpu, features, release, flags });
    instructions = 0;
    const sums = new Map<string, number>();
    for (const { fn } of program.functions) {
      if (fn === null) continue;
      instructions += fn.nInstrs;
      const context = {
        options,
        debugNames: new MetadataNames(null),
        source: text,
        ir: null,
        stderr: () => undefined,
        error: () => undefined,
      };
      preparePasses(calls, context);
      let start = performance.now();
      runPasses(new FunctionState(fn, context, true), calls, {
        isPipeline: false,
        isCut: true,
        verify: null,
        printed: null,
        watch: {
          before() {
            start = performance.now();
          },
          after(k) {
            const time = performance.now() - start;
            const { pass } = calls[k]!;
            const name = pass.title ?? pass.name;
            sums.set(name, (sums.get(name) ?? 0) + time);
          },
        },
      });
    }
    if (round >= COLD_ROUNDS) for (const [name, sum] of sums) samples.set(name, [...(samples.get(name) ?? []), sum]);
  }
  return { instructions, passes: new Map([...samples].map(([name, times]) => [name, Math.min(...times)])) };
}
