/** An answer depends on the text and the settings, not on what was asked before: with and without an edit that breaks a function. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideHover } from '../../server/src/features/hover/hover.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import { answerOf } from '../../server/src/lsp/common/featureTable.js';
import { DOCUMENT_REQUESTS } from '../../server/src/lsp/common/requests.js';
import { NEVER_CANCELLED } from '../../server/src/util/cancellation.js';

const URI = 'file:///a.mir';
const EXAMPLES = join(__dirname, '..', '..', 'examples');

/** Asks for everything that a client may ask for at a line. */
function askAll(host: AnalysisHost, line: number): void {
  const snapshot = host.snapshot(URI)!;
  const position = { line, character: 6 };
  const range = { start: { line: 0, character: 0 }, end: snapshot.text.positionAt(snapshot.text.length) };
  const params = {
    textDocument: { uri: URI },
    position,
    positions: [position],
    range,
    context: { diagnostics: [] },
    previousResultId: '1',
    registers: [],
    newName: 'x',
  };
  for (const method of Object.keys(DOCUMENT_REQUESTS)) answerOf(method, snapshot, params, NEVER_CANCELLED);
}

/** As the worker does when nobody asks. */
function background(host: AnalysisHost): void {
  host.diagnostics(URI, NEVER_CANCELLED);
  while (host.allocateNext(URI, NEVER_CANCELLED, Infinity) !== null);
}

describe('what was asked before', () => {
  for (const file of ['saxpy.mir', 'targets.mir', 'block_sum.mir'])
    it(`does not change a hover: ${file}`, function () {
      this.timeout(120_000);
      const text = readFileSync(join(EXAMPLES, file), 'utf8');
      const lines = text.split('\n');
      const instructions = lines.flatMap((line, k) => (/^ {4}.* = [A-Z]\w+/.test(line) ? [k] : []));
      for (const broken of [-1, instructions[2]!, instructions.at(-1)!]) {
        const hostOf = (ask: (host: AnalysisHost) => void): AnalysisHost => {
          const host = new AnalysisHost();
          host.open(URI, 1, text);
          background(host);
          ask(host);
          if (0 <= broken) {
            const character = lines[broken]!.search(/ = [A-Z]/) + 3;
            const at = { line: broken, character };
            host.change(URI, 2, [{ range: { start: at, end: { ...at, character: character + 1 } }, text: '@' }]);
            background(host);
          }
          ask(host);
          return host;
        };
        const asked = hostOf((host) => askAll(host, instructions[3]!)).snapshot(URI)!;
        const silent = hostOf(() => undefined).snapshot(URI)!;
        let nStale = 0;
        for (const line of instructions)
          for (const character of [6, 16, 40]) {
            const position = { line, character };
            const hover = provideHover(asked, { position });
            assert.deepEqual(hover, provideHover(silent, { position }), `line ${line + 1} of ${file}`);
            if (JSON.stringify(hover)?.includes('as it was before')) nStale++;
          }
        assert.equal(nStale > 0, broken >= 0);
      }
    });
});
