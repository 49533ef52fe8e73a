/**
 * Stands for longPasses.ts in the bundle llc.js: the long passes are in one of their own, long.js, which is loaded when the first of these functions is called. It
 * has nothing twice: what llc.js has, too, it takes from there.
 */
import type * as Long from './longPasses.js';
import { shared } from './sharedWithLong.js';

/** What launch.ts and executable.ts give to a bundle. */
declare const module: { load(name: 'long', shared: unknown): typeof Long };

let loaded: typeof Long | null = null;
const long = (): typeof Long => (loaded ??= module.load('long', shared()));

export const longPasses: typeof Long.longPasses = () => long().longPasses();

export const analysedCopy: typeof Long.analysedCopy = (...args) => long().analysedCopy(...args);
