/** The page of "Show Status". */
import assert from 'node:assert/strict';
import { statusText } from '../../../client/src/statusText.js';

const STATUS = {
  version: '0.1.0',
  modelledLLVM: '22.1.8',
  documents: [],
  computedFunctions: 0,
  queue: 0,
  restarts: 0,
  lastError: null,
};

describe('the page of the status', () => {
  it('says what answers, and that nothing is wrong', () => {
    const text = statusText(STATUS, () => '');
    assert.match(
      text,
      /^AMDGPU MIR 0\.1\.0 answers as LLVM 22\.1\.8\.\n\nThe server runs\.\nNothing waits for an answer\.\n/,
    );
    assert.match(text, /\nNo MIR file is open\.\n/);
    assert.doesNotMatch(text, /[{}]/);
  });

  it('lists files with functions and target', () => {
    const documents = [
      { uri: 'file:///a%20b/x%20y.mir', version: 3, functions: 2 },
      { uri: 'file:///bad%.mir', version: 1, functions: 1 },
    ];
    const text = statusText({ ...STATUS, documents }, (uri) =>
      uri.includes('x%20y') ? 'gfx90a wave64 (from the RUN line), LLVM 22.1.8' : '',
    );
    assert.match(
      text,
      /\nOpen files\n {2}x y\.mir: 2 functions; gfx90a wave64 \(from the RUN line\), LLVM 22\.1\.8\n {2}bad%\.mir: 1 function\n/,
    );
  });

  it('begins with what went wrong', () => {
    const text = statusText({ ...STATUS, restarts: 2, lastError: 'out of memory', queue: 1 }, () => '');
    assert.match(
      text,
      /\nThe last error, after which its analysis was restarted \(2 times\): out of memory\n1 request waits for an answer\.\n/,
    );
  });
});
