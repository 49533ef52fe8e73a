/** The target layer's public face. */
export * from './api.js';
export { targetTables } from './tables.js';
