/** Functions for the rematerialization stages, made by the number of their values. */
import { entryFunctionFile } from './mir.js';

export interface LiveThrough {
  /** so many values live from bb.0 through bb.1 into bb.2 */
  readonly n: number;
  /** the definition of `%k` */
  readonly def: (k: number) => string;
  readonly cpu?: string;
  /** lines after the reads of bb.2; the values that are free are read there alone */
  readonly users?: readonly string[] | undefined;
  /** a block after, which has none of the values */
  readonly hasBlockBehind?: boolean;
}

/** Only the last `free` of the values may be computed again. */
export function liveThrough(free: number, o: LiveThrough): string {
  const all = Array.from({ length: o.n }, (_, k) => k);
  const read = o.users === undefined ? all : all.slice(0, o.n - free);
  const behind = ['    S_BRANCH %bb.3', '  bb.3:', '    S_NOP 3', '    S_NOP 4'];
  return entryFunctionFile(`-mtriple=amdgcn -mcpu=${o.cpu ?? 'gfx908'}`, [
    ...all.map((k) => `    ${o.def(k)}${k < o.n - free ? ', implicit-def $m0' : ''}`),
    '    S_BRANCH %bb.1',
    '  bb.1:',
    '    S_NOP 1',
    '    S_NOP 2',
    '    S_BRANCH %bb.2',
    '  bb.2:',
    ...read.map((k) => `    S_NOP 0, implicit %${k}`),
    ...(o.users ?? []),
    ...(o.hasBlockBehind === true ? behind : []),
    '    S_ENDPGM 0',
  ]);
}
