/** Whose LLVM is modelled: a release, or the default's with the rematerialization stage that LLVM main had at a time. */
import type { RematPolicy } from '../../target/api.js';
import {
  AUTO_RELEASES,
  DEFAULT_RELEASE,
  isReleaseName,
  RELEASE_NAMES,
  releaseText,
  versionOf,
  type ReleaseName,
} from '../../target/releases.js';

/** LLVM main at a time: what a user reads of it, and what it does that the default release does not. */
const MAINS = {
  'llvm-main-2026-01': { text: 'LLVM main of early 2026', rematerialization: 'scores' },
  'llvm-main-2026-07': { text: 'LLVM main of July 2026', rematerialization: 'scoresSeveralUsers' },
} as const;

/** Value of the option `--model` and of the setting `amdgpu-mir.model`. */
export type SchedulerModel = ReleaseName | keyof typeof MAINS;

export const DEFAULT_MODEL: SchedulerModel = DEFAULT_RELEASE;

/** The models that can run. */
export const SCHEDULER_MODELS: readonly SchedulerModel[] = [
  ...RELEASE_NAMES,
  ...(Object.keys(MAINS) as readonly (keyof typeof MAINS)[]),
];

/** Null for a release, which has the policy among its rules. */
export const rematerializationOfMain = (model: SchedulerModel): RematPolicy | null =>
  isReleaseName(model) ? null : MAINS[model].rematerialization;

/** The release whose tables and rules a model has. */
export const releaseOfModel = (model: SchedulerModel): ReleaseName => (isReleaseName(model) ? model : DEFAULT_RELEASE);

/** Value of the option `--model` and of the setting `amdgpu-mir.model`: a model, or that the file says which (program/modelOfFile.ts). */
export type ModelChoice = SchedulerModel | 'auto';
export const AUTO_MODEL = 'auto';
export const MODEL_CHOICES: readonly ModelChoice[] = [AUTO_MODEL, ...SCHEDULER_MODELS];
export const isModelChoice = (name: string): name is ModelChoice => name === AUTO_MODEL || isSchedulerModel(name);

/** Versions that may answer, oldest first. */
export const llvmsOfChoice = (choice: ModelChoice): readonly string[] =>
  (choice === AUTO_MODEL ? AUTO_RELEASES : [releaseOfModel(choice)]).map(versionOf);

export const isSchedulerModel = (name: string): name is SchedulerModel =>
  (SCHEDULER_MODELS as readonly string[]).includes(name);

/** For the line that names the LLVM of a schedule: what differs from it; '' for a release, which is named beside it anyway. */
export const modelNote = (model: SchedulerModel): string =>
  isReleaseName(model) ? '' : `, rematerialization of ${modelText(model)}`;

/** How a model is called where a user reads it. */
export const modelText = (model: SchedulerModel): string =>
  isReleaseName(model) ? releaseText(model) : MAINS[model].text;
