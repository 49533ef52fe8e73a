/**
 * After any sequence of edits an incremental host answers what a fresh one answers for the same text: diagnostics, pressure at every
 * line, occupancy, symbols, hover. And no edit makes anything throw.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { provideCodeLenses } from '../../server/src/features/lens/codeLens.js';
import { provideDocumentSymbols } from '../../server/src/features/navigation/documentSymbols.js';
import { provideHover } from '../../server/src/features/hover/hover.js';
import { provideInlayHints } from '../../server/src/features/lens/inlayHints.js';
import { provideReferences } from '../../server/src/features/navigation/references.js';
import { provideSemanticTokens, provideSemanticTokensDelta } from '../../server/src/features/tokens/semanticTokens.js';
import { DEFAULT_SETTINGS } from '../../server/src/program/settings.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import { NEVER_CANCELLED } from '../../server/src/util/cancellation.js';
import { runsOr, seedOr } from '../support/switches.js';

const examples = join(__dirname, '..', '..', 'examples');
const TEXTS = readdirSync(examples)
  .filter((f) => f.endsWith('.mir'))
  .map((f) => readFileSync(join(examples, f), 'utf8'));
const URI = 'file:///a.mir';
const SETTINGS = { ...DEFAULT_SETTINGS, inlayHints: 'all' as const };
const ALL = { start: { line: 0, character: 0 }, end: { line: 1e9, character: 0 } };
const RUNS = runsOr(30);
const EDITS_PER_RUN = 12;

/** Pieces that a person, or a slip of the hand, puts into a MIR file. */
const SNIPPETS = [
  ...[
    '',
    ' ',
    '\n',
    '\r\n',
    '\r',
    '    ',
    ';',
    '#',
    ',',
    ', ',
    '=',
    '%',
    '$',
    '{',
    '}',
    ':',
    '"',
    "'",
    '`',
    '\0',
    '\ufeff',
  ],
  ...[
    '---\n',
    '...\n',
    '--- |\n',
    'name: f\n',
    'body: |\n',
    '  bb.7:\n',
    'bb.0:',
    '    S_NOP 0\n',
    '    S_ENDPGM 0\n',
    'implicit $exec',
  ],
  ...[
    '%0:vgpr_32 = COPY $vgpr0\n',
    '%tid',
    '.sub0',
    'killed ',
    'undef ',
    'V_MOV_B32_e32',
    'successors: %bb.0\n',
    '# RUN: llc -mtriple=amdgcn -mcpu=gfx908 %s\n',
  ],
];

interface Step {
  /** where, as a fraction of the text */
  at: number;
  /** how many characters go; whole lines for the harmless kinds, which keep most functions acceptable */
  kind: number | 'drop line' | 'double line' | 'comment' | 'restore';
  text: string;
}

const step: fc.Arbitrary<Step> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('drop line' as const, 'double line' as const, 'comment' as const) },
    { weight: 2, arbitrary: fc.constant('restore' as const) },
    { weight: 2, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.nat(12) },
    fc.nat(400),
  ),
  text: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...SNIPPETS) }, fc.string({ maxLength: 6 })),
});

/** [from, to, new text] of a step. */
function changeOf({ at, kind, text: inserted }: Step, text: string, original: string): [number, number, string] {
  const from = Math.floor(at * text.length);
  if (kind === 'restore') return [0, text.length, original];
  if (typeof kind === 'number') return [from, Math.min(text.length, from + kind), inserted];
  const lineStart = text.lastIndexOf('\n', from - 1) + 1;
  const lineEnd = (text.indexOf('\n', from) + 1 || text.length) as number;
  if (kind === 'drop line') return [lineStart, lineEnd, ''];
  if (kind === 'double line') return [lineStart, lineStart, text.slice(lineStart, lineEnd)];
  return [lineStart, lineStart, '    ; a comment\n'];
}

function newHost(text: string, version: number): AnalysisHost {
  const host = new AnalysisHost(false, Infinity);
  host.configure(SETTINGS);
  host.open(URI, version, text);
  return host;
}

/** By host, the tokens that its editor has: full ones at first, then the deltas put into them. */
const tokensOf = new WeakMap<AnalysisHost, { resultId: string; data: number[] }>();

function shownTokens(host: AnalysisHost): number[] {
  const snapshot = host.snapshot(URI)!;
  const before = tokensOf.get(host);
  const answer = before
    ? provideSemanticTokensDelta(snapshot, { previousResultId: before.resultId }, NEVER_CANCELLED)!
    : provideSemanticTokens(snapshot, null, NEVER_CANCELLED)!;
  const data = 'data' in answer ? answer.data : [...before!.data];
  if ('edits' in answer) for (const e of answer.edits) data.splice(e.start, e.deleteCount, ...(e.data ?? []));
  tokensOf.set(host, { resultId: answer.resultId!, data });
  return data;
}

/** Everything that an editor shows, except numbers kept from an earlier version, which a fresh host cannot have. */
function shown(host: AnalysisHost): unknown {
  const diagnostics = host.diagnostics(URI, NEVER_CANCELLED);
  const snapshot = host.snapshot(URI)!;
  const good = snapshot.functions.map((f) => f.summary !== null);
  const isGood = (line: number): boolean => {
    const offset = snapshot.text.lineStart(line);
    return snapshot.functions.some((f, i) => good[i] && f.start <= offset && offset < f.end);
  };
  const hover = (line: number): unknown => {
    const range = provideHover(snapshot, { position: { line, character: 6 } });
    return isGood(line) ? range : (range?.range ?? null);
  };
  const lines = [3, 20, 33, 40, 57].filter((l) => l < snapshot.text.lineCount);
  return {
    diagnostics,
    hints: provideInlayHints(snapshot, { range: ALL }, NEVER_CANCELLED).filter((h) => isGood(h.position.line)),
    lenses: provideCodeLenses(snapshot, null, NEVER_CANCELLED).filter((l) => isGood(l.range.start.line)),
    symbols: provideDocumentSymbols(snapshot),
    hovers: lines.map(hover),
    tokens: shownTokens(host),
    references: lines.map((line) => provideReferences(snapshot, { position: { line, character: 5 } })),
    target: snapshot.target,
  };
}

describe('host', () => {
  it(`incremental equals fresh (${RUNS} sequences of ${EDITS_PER_RUN} edits)`, () => {
    fc.assert(
      fc.property(fc.constantFrom(...TEXTS), fc.array(step, { maxLength: EDITS_PER_RUN }), (start, steps) => {
        let text = start;
        const host = newHost(text, 1);
        shown(host);
        steps.forEach((one, i) => {
          const [from, to, inserted] = changeOf(one, text, start);
          const before = host.snapshot(URI)!.text;
          // A position cannot say the middle of a `\r\n`; it means the end of the line then.
          const range = { start: before.positionAt(from), end: before.positionAt(to) };
          const [a, b] = [before.offsetAt(range.start), before.offsetAt(range.end)];
          text = text.slice(0, a) + inserted + text.slice(b);
          // Some clients send the whole text each time.
          host.change(URI, i + 2, i % 4 === 3 ? [{ text }] : [{ range, text: inserted }]);
          assert.equal(host.snapshot(URI)!.text.text, text);
          // Not after each edit, so that caches meet texts that were never looked at.
          if (i % 3 !== 1 || i === steps.length - 1)
            assert.deepEqual(shown(host), shown(newHost(text, i + 2)), `after edit ${i}`);
        });
      }),
      { numRuns: RUNS, seed: seedOr(Date.now() % 1_000_000) },
    );
  });
});
