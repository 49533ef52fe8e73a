/** Commands of our VS Code client that lenses and links of hovers run: (URI, 0-based line, character). Other editors show titles only. */
export const GO_TO = 'amdgpu-mir.goTo';
export const WHY_COMMAND = 'amdgpu-mir.whyPressure';
export const WHY_OCCUPANCY_COMMAND = 'amdgpu-mir.whyOccupancy';
export const EXPLAIN_COMMAND = 'amdgpu-mir.explainSchedule';
export const EXPLAIN_ALLOCATION_COMMAND = 'amdgpu-mir.explainAllocation';
export const SHOW_ALLOCATED_COMMAND = 'amdgpu-mir.showAllocated';
export const WHY_DIVERGENT_COMMAND = 'amdgpu-mir.whyDivergent';
export const DETAILS_COMMAND = 'amdgpu-mir.showDetails';
export const CHECK_RUN_LINES_COMMAND = 'amdgpu-mir.checkRunLines';
export const UPDATE_CHECKS_COMMAND = 'amdgpu-mir.updateChecks';
export const COMPARE_RUN_COMMAND = 'amdgpu-mir.compareRun';
export const RUN_OUTPUT_COMMAND = 'amdgpu-mir.showRunOutput';
/** Of logs: the dump at a line as MIR, and beside the one of the same function before it. */
export const OPEN_DUMP_COMMAND = 'amdgpu-mir.openDumpAsMir';
export const COMPARE_DUMP_COMMAND = 'amdgpu-mir.compareDump';
