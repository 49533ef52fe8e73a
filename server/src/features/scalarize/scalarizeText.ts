/** Words of scalarization: what moves, and what that does. */
import type { MachineFunction } from '../../model/machineFunction.js';
import type { ScalarizeEffect } from '../../passes/scalarize/scalarize.js';
import { nameOf } from '../words/registerNames.js';

const MAX_NAMES = 4;
const MAX_BLOCKS = 3;

const signed = (n: number): string => (n > 0 ? `+${n}` : String(n));

/** `%5, %6 and 2 more` */
export function movedNames(fn: MachineFunction, vregs: readonly number[]): string {
  const names = vregs.slice(0, MAX_NAMES).map((v) => nameOf(fn, v));
  const more = vregs.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}

/** `VGPR -1 in bb.0 and bb.2, SGPR +1, occupancy 7 to 8` */
export function scalarizeEffectText(fn: MachineFunction, effect: ScalarizeEffect): string {
  const { vgprByBlock, sgprPeaks, occupancyBefore, occupancyAfter } = effect;
  const changes = vgprByBlock.map(([, change]) => change);
  const [least, most] = [Math.max(...changes), Math.min(...changes)];
  const amount = least === most ? signed(least) : `${signed(least)} to ${signed(most)}`;
  const blocks =
    vgprByBlock.length > MAX_BLOCKS
      ? `${vgprByBlock.length} blocks`
      : vgprByBlock.map(([b]) => `bb.${fn.blocks[b]!.sourceNumber}`).join(', ');
  const sgprs = sgprPeaks[1] - sgprPeaks[0];
  return [
    ...(vgprByBlock.length > 0 ? [`VGPR ${amount} in ${blocks}`] : []),
    ...(sgprs === 0 ? [] : [`SGPR ${signed(sgprs)}`]),
    occupancyBefore === occupancyAfter
      ? `occupancy stays ${occupancyAfter}`
      : `occupancy ${occupancyBefore} to ${occupancyAfter}`,
  ].join(', ');
}
