/**
 * All that the two JavaScript engines are told, which only the time of a run depends on: data, which build.mjs reads, too. Figures are processor time of whole
 * processes; docs/startup.md has the tables that they come from.
 *
 * A run over a usual file ends before its compilers have paid for themselves: they work on other threads and take as much processor time as
 * the run itself. So a process starts with the interpreter alone (`atStart`), gets the cheap compiler when it has been at work for a while and
 * the optimizing one later (`limits`); a large input gets both at once. What a step says to the engine is its member here.
 */

/** From where the cheap compiler pays, and from where the optimizing one. */
export type Limits = readonly [cheap: number, optimizer: number];

export interface StepLimits {
  /** Processor time as a multiple of what the process took to start: that tells how fast the machine is at the moment. */
  readonly starts: Limits;
  /** Characters of an input that will take that long anyway. */
  readonly input: Limits;
}

/**
 * Characters of an input from which the optimizing compiler goes at its own pace, in both engines. Waiting for hot code spares a
 * third of the processor time at 1 and 1.7 MB and costs a fifth at 4.5 MB; nothing between was measured.
 */
export const LONG_INPUT = 2_500_000;

/**
 * Flags of V8 from the start, a constant of its own since the program holds no more of this table. Compilers off (10 to 32 % of a short run), no collection of garbage
 * before there is some, and the hash seed of Node's own start data: a new one means that all its tables are hashed again, which protects servers. The program sets them
 * itself: as words of its first line they would keep it from running under BusyBox.
 */
export const V8_AT_START = [
  '--no-opt',
  '--no-maglev',
  '--no-sparkplug',
  '--min-semi-space-size=8',
  '--no-rehash-snapshot',
];

type ByVersion = Readonly<Record<string, readonly string[]>>;
const PATIENT = ['--invocation-count-for-turbofan=30000', '--invocation-count-for-early-optimization=600'];

/** Flags of V8. */
export const V8 = {
  atStart: V8_AT_START,
  /** Measured on the corpus before the scheduler, where starting takes 30 ms. */
  limits: { starts: [3, 5], input: [24_000, 300_000] } satisfies StepLimits,
  cheap: ['--sparkplug'],
  optimizer: ['--sparkplug', '--opt'],
  /** Where it is switched on by itself: older ones have it, too. */
  fromMaglev: { version: 13, flags: ['--maglev'] },
  /**
   * Instead of `optimizer`, where a run ends soon: it waits until a function has run some 5 ms. At its own pace it is at work on code that the run is about to be done with,
   * measured on the scheduler. Flags by versions of V8, those of Node 20, 22 and 24, since another complains of a flag that it does not know and takes `optimizer`.
   */
  patient: {
    '11.3': ['--interrupt-budget=1000000'],
    '12.4': PATIENT,
    '13.6': PATIENT,
  } as ByVersion,
  /** The same for FileCheck, which is long where a few loops are: of its ten largest recorded runs compiling all that is warm took longer than the run. */
  fewLoops: {
    '11.3': ['--interrupt-budget=2000000'],
    '12.4': PATIENT,
    '13.6': PATIENT,
  } as ByVersion,
} as const;

/** Policies of JavaScriptCore: multiples of its own thresholds for compiling a function. Measured on the bench's files. */
export const JAVASCRIPTCORE = {
  /** No function is as hot: `limits` decide. */
  atStart: 1000,
  /** The multiples of the start are a guess by V8's. */
  limits: { starts: [4, 6], input: [40_000, 300_000] } satisfies StepLimits,
  cheap: 30,
  optimizer: 3,
  patient: 20,
  fewLoops: 3,
  /**
   * A run of these commands that is named files of so many bytes begins anew with options that JavaScriptCore reads once, from the environment in which the process
   * starts. That takes 8 ms and spares a quarter to a half from 200 kB on. It is decided before a bundle is loaded: when the options have been read, the same on 229 kB
   * takes 1.09 as long, since what has been loaded by then is loaded twice. Nearly all code of a run is about to be done with when it is optimized: the last
   * compiler never pays, the one before it where code is ten times as hot as it asks by itself, and the first one, which is cheap, earlier than by itself.
   * All are multiplied by the policies above.
   */
  again: {
    commands: ['llc', 'check', 'explain', 'sweep'] as readonly string[],
    from: 120_000,
    environment: {
      BUN_JSC_useFTLJIT: '0',
      BUN_JSC_thresholdForJITAfterWarmUp: '200',
      BUN_JSC_thresholdForOptimizeAfterWarmUp: '10000',
      BUN_JSC_thresholdForOptimizeAfterLongWarmUp: '10000',
      BUN_JSC_thresholdForOptimizeSoon: '10000',
    },
  },
} as const;
