/**
 * Tests that cannot run on every machine skip through here, and say why. On a machine of CI whatever can be installed has to be there: a test
 * that lacks it fails, and only what lies beside the repository may be missing.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** What is not in the repository and can not be installed: LLVM's own tests, the oracle. */
export const SHARED = resolve(__dirname, '..', '..', '..', 'shared');

/** Skips the running test or suite, because of something that a user's machine need not have. */
export function skip(context: Mocha.Context, why: string): never {
  if (process.env['CI'] === 'true') throw new Error(`${why}: in CI it has to be`);
  return sayAndSkip(context, why);
}

/** Skips the running test or suite when `path`, a file or folder of `SHARED`, is not there. */
export function needsShared(context: Mocha.Context, path: string): void {
  if (existsSync(path)) return;
  if (existsSync(SHARED)) skip(context, `${path} is not there`);
  sayAndSkip(context, '../shared is not there');
}

/** Skips on a machine of CI, too: for what no machine needs to have. */
export function sayAndSkip(context: Mocha.Context, why: string): never {
  console.log(`      skipped: ${why}`);
  return context.skip();
}
