/** A pressure as plain data. */
import { N_PRESSURE, type Pressure } from '../../../analysis/gcnPressure.js';
import { RegKind } from '../../../target/api.js';

/** 32-bit registers by kind, then the weights of tuples. */
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
    sgpr: p[RegKind.SGPR],
    vgpr: p[RegKind.VGPR],
    agpr: p[RegKind.AGPR],
    avgpr: p[RegKind.AVGPR],
    sgprTupleWeight: p[tuple + RegKind.SGPR],
    vgprTupleWeight: p[tuple + RegKind.VGPR],
    agprTupleWeight: p[tuple + RegKind.AGPR],
    avgprTupleWeight: p[tuple + RegKind.AVGPR],
  };
}
