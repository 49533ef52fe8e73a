/** Settings of `sweep --vary` and `diff --with` on the command line. */
import { SWEPT_ATTRIBUTES } from '../program/sweep.js';
import { didYouMean } from './help.js';

/** What an attribute may have been meant for. */
export const nearAttribute = (name: string): string => didYouMean(name, SWEPT_ATTRIBUTES);
