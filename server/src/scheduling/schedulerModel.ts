/** Which LLVM's rematerialization stage runs; everything around it is that of LLVM 22.1.8. */

/** Value of the option `--model` and of the setting `amdgpu-mir.model`. */
export type SchedulerModel = 'llvm-22' | 'llvm-main' | 'llvm-main-2026-07';

export const DEFAULT_MODEL: SchedulerModel = 'llvm-22';

/** How a model is called where a user reads it. */
export function modelText(model: SchedulerModel): string {
  switch (model) {
    case 'llvm-22':
      return 'LLVM 22.1.8';
    case 'llvm-main':
      return 'LLVM main of early 2026';
    case 'llvm-main-2026-07':
      return 'LLVM main of July 2026';
  }
}
