/** Which LLVM's rematerialization stage runs; everything around it is that of LLVM 22.1.8. */

import { DEFAULT_RELEASE, type ReleaseName } from '../../target/index.js';

/** Value of the option `--model` and of the setting `amdgpu-mir.model`. */
export type SchedulerModel = 'llvm-22' | 'llvm-24' | 'llvm-main' | 'llvm-main-2026-07';

export const DEFAULT_MODEL: SchedulerModel = 'llvm-22';

/** The models that can run. */
export const SCHEDULER_MODELS: readonly SchedulerModel[] = ['llvm-22', 'llvm-24', 'llvm-main', 'llvm-main-2026-07'];

/** The release whose tables and rules a model has: those of LLVM main differ from 22 in the rematerialization stage alone. */
export const releaseOfModel = (model: SchedulerModel): ReleaseName => (model === 'llvm-24' ? model : DEFAULT_RELEASE);

/** Value of the option `--model` and of the setting `amdgpu-mir.model`: a model, or that the file says which (program/modelOfFile.ts). */
export type ModelChoice = SchedulerModel | 'auto';
export const AUTO_MODEL = 'auto';
export const MODEL_CHOICES: readonly ModelChoice[] = [AUTO_MODEL, ...SCHEDULER_MODELS];
export const isModelChoice = (name: string): name is ModelChoice => name === AUTO_MODEL || isSchedulerModel(name);

export const isSchedulerModel = (name: string): name is SchedulerModel =>
  (SCHEDULER_MODELS as readonly string[]).includes(name);

/** A model that is all of a release's LLVM, which is named beside it anyway. */
export const isRelease = (model: SchedulerModel): boolean => model === releaseOfModel(model);

/** For the line that names the LLVM of a schedule: what differs from it; '' for the default. */
export const modelNote = (model: SchedulerModel): string =>
  isRelease(model) ? '' : `, rematerialization of ${modelText(model)}`;

/** How a model is called where a user reads it. */
export function modelText(model: SchedulerModel): string {
  switch (model) {
    case 'llvm-22':
      return 'LLVM 22.1.8';
    case 'llvm-24':
      return 'LLVM 24';
    case 'llvm-main':
      return 'LLVM main of early 2026';
    case 'llvm-main-2026-07':
      return 'LLVM main of July 2026';
  }
}
