// Preloaded into a server and its threads, which then share no memory, as in a browser whose page is not isolated.
globalThis.crossOriginIsolated = false;
