/** What `amdgpu-mir check` finds out about a file: plain data, sent between threads and printed by --json as it is. */
import type { TargetOptions } from '../../features/targetOfFile.js';

export interface CheckDiagnostic {
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  /** stable identifier */
  readonly code: string;
  readonly message: string;
  /** 1-based; columns in UTF-16 units. 0 when the finding has no place */
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface CheckPeak {
  /** 32-bit registers */
  readonly value: number;
  /** 1-based line of the instruction with the peak, 0 if there is none */
  readonly line: number;
  /** block number in layout order and instruction within it, -1 if there is none */
  readonly block: number;
  readonly instr: number;
}

/** Distance to the next higher occupancy in one bank; null when the bank does not limit it. */
export interface CheckNextWave {
  readonly bank: 'SGPR' | 'VGPR';
  /** registers that are too many */
  readonly excess: number;
  /** waves per EU that would be reached */
  readonly waves: number;
  /** largest number of registers for that many waves */
  readonly limit: number;
}

export interface CheckFunction {
  readonly name: string;
  /** 1-based line of the function's document */
  readonly line: number;
  readonly cpu: string;
  readonly wavefrontSize: number;
  readonly instructions: number;
  readonly blocks: number;
  /** null when the function has errors */
  readonly pressure: CheckPressure | null;
}

export interface CheckPressure {
  readonly occupancy: number;
  readonly maxOccupancy: number;
  /** what keeps the occupancy from its maximum, '' if nothing does */
  readonly limitedBy: string;
  readonly sgpr: CheckPeak;
  readonly vgpr: CheckPeak;
  readonly agpr: CheckPeak;
  /** most registers that the present occupancy allows, by bank */
  readonly sgprLimit: number;
  readonly vgprLimit: number;
  /** VGPRs and AGPRs share one file of that size; 0 = they do not */
  readonly unifiedFile: number;
  readonly unifiedPeak: number;
  readonly nextWave: readonly CheckNextWave[];
  readonly ldsBytes: number;
  readonly workGroupSizes: readonly [number, number];
  /** most waves per EU that LDS and work-group sizes allow */
  readonly ldsOccupancy: number;
  readonly liveIns: number;
  readonly liveOuts: number;
}

export interface CheckFile {
  readonly file: string;
  readonly target: TargetOptions;
  readonly functions: readonly CheckFunction[];
  readonly diagnostics: readonly CheckDiagnostic[];
}

export interface CheckOptions {
  /** for files whose RUN lines name no target */
  readonly target: TargetOptions;
}

export interface CheckJob {
  readonly file: string;
  readonly options: CheckOptions;
}
