/**
 * Every request of the editor on damaged files, at random places: it answers, and with ranges that lie in the text.
 * `AMDGPU_MIR_SEED` replays a run.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Position, Range } from 'vscode-languageserver-types';
import type { Snapshot } from '../../server/src/features/snapshot/snapshot.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import { FEATURES } from '../../server/src/lsp/common/featureTable.js';
import { NEVER_CANCELLED } from '../../server/src/util/cancellation.js';
import { damage, DAMAGE_KINDS } from '../support/damage.js';
import { allInputs, Random } from '../support/damageInputs.js';
import { runsOr, seedOr } from '../support/switches.js';

const SEED = seedOr(Date.now() % 1_000_000);
const FILES = runsOr(20);
const MAX_LENGTH = 12_000;
const PLACES = 6;
const URI = 'file:///damaged.mir';

/** All ranges in an answer, wherever they stand. */
function* rangesIn(answer: unknown): Iterable<Range> {
  if (typeof answer !== 'object' || answer === null) return;
  const { start, end } = answer as Partial<Range>;
  if (start !== null && typeof start === 'object' && end !== null && typeof end === 'object') yield { start, end };
  for (const value of Object.values(answer)) if (typeof value === 'object') yield* rangesIn(value);
}

const isBefore = (a: Position, b: Position): boolean =>
  a.line < b.line || (a.line === b.line && a.character <= b.character);

/**
 * An action with its edit, also if that comes only when it is chosen; what was offered is not refused, but for new CHECK lines: only then llc
 * is asked, which may not take the file.
 */
function resolve(snapshot: Snapshot, action: object): object {
  const resolved = FEATURES['codeAction/resolve'](snapshot, action as never) as object;
  const asksLlc = 'data' in action && typeof action.data === 'object' && 'updateChecks' in (action.data ?? {});
  if (asksLlc && 'refused' in resolved) assert.match(String(resolved.refused), /^CHECK lines are not updated: /);
  else assert.ok(!('refused' in resolved), JSON.stringify(action));
  return resolved;
}

describe('editor requests on damaged files', () => {
  it(`${FILES} files, seed ${SEED}`, () => {
    const inputs = allInputs(join(__dirname, '..', '..'), MAX_LENGTH);
    let answered = 0;
    for (let n = 0; n < FILES; n++) {
      const random = new Random(SEED * 7919 + n);
      let { text } = random.pick(inputs);
      for (let times = random.below(3); times > 0; times--)
        text = damage(text, random.pick(DAMAGE_KINDS), random.pick(inputs).text, random);
      const host = new AnalysisHost(false, Infinity);
      host.open(URI, 1, text);
      const snapshot = host.snapshot(URI)!;
      const end = snapshot.text.positionAt(snapshot.text.length);
      for (let k = 0; k < PLACES; k++) {
        const position = snapshot.text.positionAt(random.below(snapshot.text.length + 1));
        const range = {
          start: position,
          end: snapshot.text.positionAt(snapshot.text.offsetAt(position) + random.below(200)),
        };
        const params = {
          textDocument: { uri: URI },
          position,
          positions: [position],
          range,
          context: { diagnostics: [], includeDeclaration: true },
          newName: random.chance(50) ? 'fresh' : '77',
          previousResultId: '1',
          registers: ['%0', '%1'],
          withEdits: true,
        };
        for (const [method, provide] of Object.entries(FEATURES)) {
          // Custom requests have tests of their own.
          if (!method.startsWith('textDocument/') && !method.startsWith('amdgpuMir/remat')) continue;
          const where = `${method} at ${position.line}:${position.character}, seed ${SEED}, file ${n}`;
          let answer: unknown;
          try {
            answer = provide(snapshot, params as never, NEVER_CANCELLED);
            if (method === 'textDocument/codeAction') answer = (answer as object[]).map((a) => resolve(snapshot, a));
          } catch (error) {
            assert.fail(`${where}: ${(error as Error).stack}`);
          }
          for (const r of rangesIn(answer)) {
            answered++;
            assert.ok(isBefore(r.start, r.end) && isBefore(r.end, end), `${where}: ${JSON.stringify(r)}`);
          }
        }
      }
    }
    assert.ok(answered > FILES, 'some requests found something');
  });
});
