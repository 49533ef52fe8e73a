/** The user's settings as the features see them, and their reading from what an editor sends. */
import { AUTO_MODEL, isModelChoice, type ModelChoice } from '../passes/scheduler/schedulerModel.js';
import { isStage, type Stage } from './stageNames.js';
import type { TargetOptions } from './targetOfFile.js';

export type InlayHintMode = 'off' | 'peaks' | 'changes' | 'all';

export interface Settings {
  /** for files without a RUN line */
  readonly target: TargetOptions;
  /** `target` goes before RUN lines, too */
  readonly targetOverridesRunLines: boolean;
  /** processors that "Compare targets" shows besides those of the RUN lines */
  readonly compareWith: readonly string[];
  /** whose LLVM, or that each file says which */
  readonly model: ModelChoice;
  /** where functions stand, whatever files say; null = files say it */
  readonly stage: Stage | null;
  readonly inlayHints: InlayHintMode;
  /** saves, reloads and copies that the register allocator inserts, at the ends of lines */
  readonly allocationHints: boolean;
  readonly codeLens: boolean;
  /** a lens above each scheduling region; schedules every function that is shown */
  readonly regionLens: boolean;
  /** findings about regions that limit the occupancy and functions that would spill */
  readonly pressureDiagnostics: boolean;
  /** hints on what a function could do without */
  readonly unnecessaryHints: boolean;
  /** findings about copies from vector to scalar registers */
  readonly copyDiagnostics: boolean;
  /** findings of all targets that RUN lines name, not only of the active one */
  readonly allTargets: boolean;
  /** all MIR files of the workspace are listed in the background */
  readonly workspaceSymbols: boolean;
  /** hints on definitions whose rematerialization frees registers */
  readonly rematDiagnostics: boolean;
  /** RUN lines run after a pause in typing */
  readonly verdicts: boolean;
  /** the user's own programs, empty = none: RUN lines run with them when a document is saved, and on request */
  readonly llcPath: string;
  readonly fileCheckPath: string;
  /** what makes MIR of sources, empty = looked for; `toolArgs`: words for either */
  readonly clangPath: string;
  readonly sourceLlcPath: string;
  readonly toolArgs: readonly string[];
  /** the pass in front of which they stop */
  readonly stopBefore: string;
  /** address of the page with an anchor per diagnostic code; set by the server, empty = no links */
  readonly documentation: string;
  /** a lens above each block */
  readonly blockLens: boolean;
  /** registers of open files are allocated in the background, for the lens */
  readonly allocationLens: boolean;
  /** the client runs the commands of links in hovers; set by the server */
  readonly commandLinks: boolean;
  /** the client makes files; set by the server */
  readonly createsFiles: boolean;
  /** the client takes texts with stops; set by the server */
  readonly snippets: boolean;
  /** the client asks its user whether the rest of a word goes; set by the server */
  readonly replacesWords: boolean;
}

export const DEFAULT_SETTINGS: Settings = {
  target: { triple: 'amdgcn-amd-amdhsa', cpu: '', features: '' },
  targetOverridesRunLines: false,
  compareWith: [],
  model: AUTO_MODEL,
  stage: null,
  inlayHints: 'changes',
  allocationHints: true,
  codeLens: true,
  regionLens: false,
  pressureDiagnostics: false,
  unnecessaryHints: false,
  copyDiagnostics: true,
  allTargets: true,
  workspaceSymbols: true,
  rematDiagnostics: false,
  verdicts: true,
  llcPath: '',
  fileCheckPath: '',
  clangPath: '',
  sourceLlcPath: '',
  toolArgs: [],
  stopBefore: 'machine-scheduler',
  documentation: '',
  blockLens: false,
  allocationLens: true,
  commandLinks: false,
  createsFiles: false,
  snippets: false,
  replacesWords: false,
};

const HINT_MODES: readonly string[] = ['off', 'peaks', 'changes', 'all'];

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value.trim() : otherwise);

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((c): c is string => typeof c === 'string' && c !== '') : [];

/** Settings from the `amdgpu-mir` section, of whatever shape: what is missing or of the wrong type keeps its default. */
export function readSettings(section: unknown): Settings {
  const target = field(section, 'target');
  const mode = field(field(section, 'inlayHints'), 'mode');
  const allocated = field(field(section, 'inlayHints'), 'allocation');
  const lens = field(field(section, 'codeLens'), 'enabled');
  const blocks = field(field(section, 'codeLens'), 'blocks');
  const regions = field(field(section, 'codeLens'), 'regions');
  const allocation = field(field(section, 'codeLens'), 'allocation');
  const overrides = field(target, 'overrideRunLines');
  const compare = field(target, 'compare');
  const model = textOr(field(section, 'model'), '');
  const stage = textOr(field(section, 'stage'), '');
  const symbols = field(field(section, 'workspaceSymbols'), 'enabled');
  const pressure = field(field(section, 'diagnostics'), 'pressure');
  const verdicts = field(field(section, 'checks'), 'whileTyping');
  const remat = field(field(section, 'diagnostics'), 'rematerialization');
  const unnecessary = field(field(section, 'diagnostics'), 'unnecessary');
  const copies = field(field(section, 'diagnostics'), 'copies');
  const allTargets = field(field(section, 'diagnostics'), 'allTargets');
  return {
    target: {
      triple: textOr(field(target, 'triple'), '') || DEFAULT_SETTINGS.target.triple,
      cpu: textOr(field(target, 'cpu'), ''),
      features: textOr(field(target, 'features'), ''),
    },
    targetOverridesRunLines: typeof overrides === 'boolean' ? overrides : DEFAULT_SETTINGS.targetOverridesRunLines,
    compareWith: textsOf(compare),
    model: isModelChoice(model) ? model : AUTO_MODEL,
    stage: isStage(stage) ? stage : null,
    inlayHints: HINT_MODES.includes(mode as string) ? (mode as InlayHintMode) : DEFAULT_SETTINGS.inlayHints,
    allocationHints: typeof allocated === 'boolean' ? allocated : DEFAULT_SETTINGS.allocationHints,
    codeLens: typeof lens === 'boolean' ? lens : DEFAULT_SETTINGS.codeLens,
    regionLens: typeof regions === 'boolean' ? regions : DEFAULT_SETTINGS.regionLens,
    pressureDiagnostics: typeof pressure === 'boolean' ? pressure : DEFAULT_SETTINGS.pressureDiagnostics,
    copyDiagnostics: typeof copies === 'boolean' ? copies : DEFAULT_SETTINGS.copyDiagnostics,
    unnecessaryHints: typeof unnecessary === 'boolean' ? unnecessary : DEFAULT_SETTINGS.unnecessaryHints,
    allTargets: typeof allTargets === 'boolean' ? allTargets : DEFAULT_SETTINGS.allTargets,
    workspaceSymbols: typeof symbols === 'boolean' ? symbols : DEFAULT_SETTINGS.workspaceSymbols,
    rematDiagnostics: typeof remat === 'boolean' ? remat : DEFAULT_SETTINGS.rematDiagnostics,
    verdicts: typeof verdicts === 'boolean' ? verdicts : DEFAULT_SETTINGS.verdicts,
    llcPath: textOr(field(field(section, 'llc'), 'path'), ''),
    fileCheckPath: textOr(field(field(section, 'filecheck'), 'path'), ''),
    clangPath: textOr(field(field(section, 'tools'), 'clang'), ''),
    sourceLlcPath: textOr(field(field(section, 'tools'), 'llc'), ''),
    toolArgs: textsOf(field(field(section, 'tools'), 'arguments')),
    stopBefore: textOr(field(field(section, 'tools'), 'stopBefore'), '') || DEFAULT_SETTINGS.stopBefore,
    documentation: '',
    blockLens: typeof blocks === 'boolean' ? blocks : DEFAULT_SETTINGS.blockLens,
    allocationLens: typeof allocation === 'boolean' ? allocation : DEFAULT_SETTINGS.allocationLens,
    commandLinks: false,
    createsFiles: false,
    snippets: false,
    replacesWords: false,
  };
}
