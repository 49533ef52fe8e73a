/** The passes that `llc` loads when it comes to one, built as dist/server/long.js: passes/longPassesElsewhere.ts takes them from there. */
export { analysedCopy, longPasses } from './passes/longPasses.js';
