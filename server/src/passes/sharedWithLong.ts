/** What long.js takes from llc.js, by module: the build puts the list here that it finds in the imports of the long passes (server/tools/longBundle.mjs). */
export const shared = (): unknown => ({});
