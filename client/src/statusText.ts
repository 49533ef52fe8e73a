/** The page of "Show Status". Knows no editor. */
import type { ServerStatus } from '../../server/src/lsp/common/customRequests.js';

const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

/** The last part of an address, as it is written. */
function nameOf(uri: string): string {
  // A view has its source after its own name.
  const [path = ''] = uri.split('?');
  const name = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** `targetOf`: what is said of a document's target, by its address; empty = nothing. */
export function statusText(status: ServerStatus, targetOf: (uri: string) => string): string {
  const { version, modelledLLVM, documents, computedFunctions, queue, restarts, lastError } = status;
  const files = documents.map(({ uri, functions }) => {
    const facts = [plural(functions, 'function'), targetOf(uri)].filter((f) => f !== '');
    return `  ${nameOf(uri)}: ${facts.join('; ')}`;
  });
  return [
    `AMDGPU MIR ${version} answers as LLVM ${modelledLLVM}.`,
    '',
    lastError === null
      ? `The server runs${restarts === 0 ? '' : `; its analysis was restarted ${plural(restarts, 'time')}`}.`
      : `The last error, after which its analysis was restarted (${plural(restarts, 'time')}): ${lastError}`,
    queue === 0
      ? 'Nothing waits for an answer.'
      : `${plural(queue, 'request')} wait${queue === 1 ? 's' : ''} for an answer.`,
    `${plural(computedFunctions, 'function')} computed since the start; an edit computes its own function only.`,
    '',
    files.length === 0 ? 'No MIR file is open.' : 'Open files',
    ...files,
    '',
    'For a bug report: this page, and what "AMDGPU MIR: Show Output" shows.',
    '',
  ].join('\n');
}
