/** A pressure as plain data. */
import { N_PRESSURE, type Pressure } from '../../../analysis/gcnPressure.js';
import { RegKind } from '../../../target/api.js';

/** 32-bit registers by kind, then the weights of tuples; less than none are close to 2^32, as LLVM compares them. */
export interface PressureTrace {
  readonly sgpr: number;
  readonly vgpr: number;
  readonly agpr: number;
  /** may be VGPR or AGPR, counted as VGPR */
  readonly avgpr: number;
  readonly sgprTupleWeight: number;
  readonly vgprTupleWeight: number;
  readonly agprTupleWeight: number;
  readonly avgprTupleWeight: number;
}

export function pressureTrace(p: Pressure): PressureTrace {
  const tuple = N_PRESSURE / 2;
  return {
    sgpr: p[RegKind.SGPR] >>> 0,
    vgpr: p[RegKind.VGPR] >>> 0,
    agpr: p[RegKind.AGPR] >>> 0,
    avgpr: p[RegKind.AVGPR] >>> 0,
    sgprTupleWeight: p[tuple + RegKind.SGPR] >>> 0,
    vgprTupleWeight: p[tuple + RegKind.VGPR] >>> 0,
    agprTupleWeight: p[tuple + RegKind.AGPR] >>> 0,
    avgprTupleWeight: p[tuple + RegKind.AVGPR] >>> 0,
  };
}

/** VGPRs as they count: those that may be either are VGPRs. Of 32 bits, as LLVM adds them. */
export const vectorRegisters = (p: PressureTrace): number => (p.vgpr + p.avgpr) >>> 0;

/** Whether so many are less than none: LLVM counts without a sign. */
export const isBelowNone = (n: number): boolean => n >= 2 ** 31;

/** A number for people: `below 0` for less than none. */
export const registersText = (n: number): string => (isBelowNone(n) ? 'below 0' : String(n));
