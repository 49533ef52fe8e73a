/** Reports as JSON: what all of them have, and what stands for "not known". Their shapes are published in docs/schema (`npm run schemas`). */
import type { IgnoredFinding } from './checkIgnored.js';
import type { CheckBaseline, CheckFile } from './checkTypes.js';
import type {
  ExplainedAllocation,
  ExplainedCosts,
  ExplainedDivergence,
  ExplainedPass,
  ExplainedSchedule,
} from './explainTypes.js';
import type { LikelyTarget } from '../program/machineLog/dumpMir.js';
import type { DumpFacts } from '../program/machineLog/dumpMir.js';
import type { LogRow } from '../program/machineLog/logTable.js';
import type { Difference } from '../program/functionTexts.js';
import type { Outcome } from '../program/outcome.js';
import type { OutcomeDiff } from '../program/outcomeDiff.js';
import type { SweepRow } from '../program/sweep.js';
import type { WhyReport } from '../program/why.js';
import type { TestResultName } from './testResult.js';
import { VERSION } from '../util/version.js';
import { UNKNOWN_VALUES } from './unknownValues.js';

export type ReportKind = 'check' | 'diff' | 'sweep' | 'test' | 'why' | 'log' | 'explain' | 'compare';

/** What every report begins with. */
export interface ReportFrame {
  /** where the schema of this report is published */
  readonly $schema: string;
  /** of amdgpu-mir */
  readonly version: string;
  /** the LLVMs whose answers it has, e.g. `22.1.8`, each once */
  readonly llvm: readonly string[];
}

/** `amdgpu-mir check --format=json` */
export interface CheckReport extends ReportFrame {
  readonly files: readonly Omit<CheckFile, 'excerpts'>[];
  /** how many */
  readonly functions: number;
  readonly errors: number;
  readonly warnings: number;
  /** files that were left out */
  readonly skipped: number;
  /** with --fix: files that were written, and how many of their errors are repaired */
  readonly fixed?: readonly { readonly file: string; readonly repairs: number }[];
  /** findings that the configuration ignores */
  readonly ignored?: readonly IgnoredFinding[];
  /** with --baseline */
  readonly baseline?: CheckBaseline;
  /** why there is no answer; empty where there is one */
  readonly problem: string;
}

export type LabelledRow = SweepRow & {
  /** of the file, or of its RUN line: `gfx942, RUN line 3` */
  readonly target: string;
  /** the version that answers, which each RUN line may decide otherwise */
  readonly llvm: string;
};

/** `amdgpu-mir sweep --format=json` */
export interface SweepReport extends ReportFrame {
  readonly file: string;
  /** the first that was swept */
  readonly target: string;
  /** the user interrupted it */
  readonly partial?: true;
  /** settings that were not computed then */
  readonly settingsLeft?: number;
  readonly rows: readonly LabelledRow[];
}

/** One side of a comparison. */
export interface ReportedSide {
  /** as it was named, e.g. `git:HEAD:k.mir` */
  readonly file: string;
  /** `gfx942` */
  readonly target: string;
  readonly llvm: string;
  /** options and attributes that it has besides: `-amdgpu-schedule-metric-bias=50` */
  readonly options: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
}

/** `amdgpu-mir diff --format=json` */
export interface DiffReport extends ReportFrame, OutcomeDiff {
  readonly before: ReportedSide;
  readonly after: ReportedSide;
}

/** `amdgpu-mir why --format=json` */
export interface WhyFileReport extends ReportFrame {
  readonly files: readonly {
    readonly file: string;
    readonly target: string;
    readonly llvm: string;
    readonly functions: readonly (WhyReport | { readonly function: string; readonly failed: string })[];
  }[];
}

/** `amdgpu-mir test --format=json` */
export interface TestReport extends ReportFrame {
  /** the llc that ran, if it was one of the user's */
  readonly llc: string;
  readonly seconds: number;
  /** how many tests were found, and how many came to what, in the words of lit */
  readonly discovered: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly tests: readonly {
    readonly file: string;
    /** below the folder that was asked for */
    readonly name: string;
    readonly result: TestResultName;
    readonly seconds: number;
    /** what its commands told, or why it was not run */
    readonly output: string;
    /** the directives that failed, and other errors of llc and FileCheck */
    readonly findings: readonly TestFinding[];
  }[];
}

export interface TestFinding {
  /** from 1 */
  readonly line: number;
  readonly column: number | null;
  readonly message: string;
}

/** Why there is no trace of a function; without a name: of the file. */
export interface Problem {
  readonly function: string;
  /** llc's text */
  readonly message: string;
}

export type ExplainedFunction =
  ExplainedSchedule | ExplainedAllocation | ExplainedCosts | ExplainedPass | ExplainedDivergence;

/** `amdgpu-mir explain --format=json`; what a function holds depends on `--allocation`, `--costs`, `--divergence` and `--pass`. */
export interface ExplainReport extends ReportFrame {
  readonly file: string;
  readonly functions: readonly ExplainedFunction[];
  readonly problems: readonly Problem[];
}

/** `amdgpu-mir compare --format=json` */
export interface CompareReport extends ReportFrame {
  /** the user's */
  readonly llc: string;
  /** its version */
  readonly comparedWith: string;
  readonly files: readonly ComparedFile[];
  /** how many functions were compared */
  readonly functions: number;
  /** how many of them are equal */
  readonly equal: number;
  /** files that both refuse, with the same exit code and the same first message */
  readonly refusedAlike: number;
  /** files that one of both refuses, or both with other messages */
  readonly failed: number;
}

export interface ComparedFile {
  readonly file: string;
  readonly functions: readonly {
    readonly name: string;
    /** null: they are equal */
    readonly difference: Difference | null;
  }[];
  /** null: both took the file */
  readonly ends: { readonly amdgpuMir: ProgramEnd; readonly llc: ProgramEnd } | null;
}

/** How a program ended. */
export interface ProgramEnd {
  readonly exit: number | null;
  /** the first line of what it told */
  readonly message: string;
}

/** `amdgpu-mir log --format=json` */
export interface LogJsonReport extends ReportFrame {
  readonly file: string;
  /** how many */
  readonly lines: number;
  /** dumps of LLVM IR, which are left out */
  readonly irDumps: number;
  /** what the numbers are for, last */
  readonly target: LikelyTarget;
  readonly dumps: readonly LoggedDump[];
}

export type LoggedDump = Omit<LogRow, 'functionName' | 'isChanged' | 'isCut' | 'facts' | 'lastLine'> & {
  readonly function: string;
  /** null: it is the first dump of its function */
  readonly changed: boolean | null;
  /** the log ends in it */
  readonly cut: boolean;
  readonly registers: DumpFacts['registers'];
  readonly errors: DumpFacts['errors'] | null;
  readonly outcome: Outcome | null;
  readonly noOutcome: string;
};

/** Each version of the package has its own. */
const schemaOf = (kind: ReportKind): string =>
  `https://unpkg.com/amdgpu-mir@${VERSION}/docs/schema/${kind}.schema.json`;

/** A report with its frame as text, one value a line. `T`: its shape, of which `body` is all but the frame. */
export function reportJson<T extends ReportFrame>(
  kind: ReportKind,
  llvm: readonly string[],
  body: Omit<T, keyof ReportFrame>,
): string {
  const frame: ReportFrame = {
    $schema: schemaOf(kind),
    version: VERSION,
    llvm: [...new Set(llvm)].filter((version) => version !== ''),
  };
  return `${JSON.stringify({ ...frame, ...body }, nullUnknown(), 2)}\n`;
}

/** For JSON.stringify: null in the place of what says inside that a thing is not known. */
function nullUnknown(): (this: unknown, key: string, value: unknown) => unknown {
  // Line 0 is the code of no line, as debug info has it: an answer.
  const ofSource = new Set<unknown>();
  return function (key, value) {
    if (key === 'sourceLines' && Array.isArray(value)) for (const line of value) ofSource.add(line);
    if (ofSource.has(this)) return value;
    return Object.hasOwn(UNKNOWN_VALUES, key) && UNKNOWN_VALUES[key] === value ? null : value;
  };
}
