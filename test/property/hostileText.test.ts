/**
 * Text of a file stays text. Names, attributes and RUN words that look like markup stand in every place that can hold one, and all
 * that a reader is shown of such files is read by the parser that VS Code shows hovers with.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentSymbol } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../server/src/features/assists/codeAction.js';
import { provideCodeLenses } from '../../server/src/features/lens/codeLens.js';
import { provideTargetComparison } from '../../server/src/features/pressure/compareTargets.js';
import { provideDocumentLinks } from '../../server/src/features/navigation/documentLink.js';
import { provideDocumentSymbols } from '../../server/src/features/navigation/documentSymbols.js';
import { provideInlayHints } from '../../server/src/features/lens/inlayHints.js';
import { providePressureProfile } from '../../server/src/features/pressure/pressureProfile.js';
import { providePressureReport } from '../../server/src/features/pressure/pressureReport.js';
import { provideRematReport } from '../../server/src/features/remat/rematReport.js';
import { provideWhyDivergent } from '../../server/src/features/uniformity/whyDivergent.js';
import { provideControlFlow } from '../../server/src/features/controlFlow/controlFlow.js';
import { COPY_CODES } from '../../server/src/features/diagnostics/copyFindings.js';
import { toLspDiagnostics } from '../../server/src/features/diagnostics/diagnostics.js';
import { provideWhatIf } from '../../server/src/features/remat/whatIf.js';
import { provideScheduleExplanation } from '../../server/src/features/schedule/schedule.js';
import { provideWhy } from '../../server/src/features/pressure/why.js';
import type { WhyResult } from '../../server/src/features/pressure/whyResult.js';
import { scanSymbols } from '../../server/src/features/navigation/workspaceSymbols.js';
import { visible } from '../../server/src/text/visible.js';
import { NEVER_CANCELLED } from '../../server/src/util/cancellation.js';
import { provideDetails } from '../../server/src/features/hover/details.js';
import { provideHover } from '../../server/src/features/hover/hover.js';
import { code, commandLink, joined, lineLink, markup, prose, rich } from '../../server/src/features/words/markdown.js';
import { DEFAULT_SETTINGS } from '../../server/src/program/settings.js';
import type { Snapshot } from '../../server/src/features/snapshot/snapshot.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import { HOSTILE, HOSTILE_LINES, hostileFiles } from '../support/hostileMir.js';
import { markdownTokens, type MarkdownToken } from '../support/markdownTokens.js';

const URI = 'file:///a%20b/t.mir';

/** Everything but paragraphs, text, emphasis of ours, code, rules between sections and links to the own document. */
const markupOf = (markdown: string): string[] =>
  markdownTokens(markdown)
    .filter((token) => !PLAIN.has(token.type) && !isOwnLink(token))
    .map((token) => `${token.type}: ${token.raw}`);

const PLAIN = new Set(['paragraph', 'text', 'escape', 'strong', 'em', 'codespan', 'br', 'space', 'hr']);

function isOwnLink({ type, href = '' }: MarkdownToken): boolean {
  if (type !== 'link') return false;
  if (/^#L\d+$/.test(href.replace(URI, ''))) return href.startsWith(URI);
  const command =
    /^command:amdgpu-mir\.(?:whyPressure|whyDivergent|goTo|explainSchedule|explainAllocation|showDetails)\?(.*)$/.exec(
      href,
    );
  if (!command) return false;
  const args = JSON.parse(decodeURIComponent(command[1]!)) as unknown[];
  return args.length === 3 && args[0] === URI && args.slice(1).every(Number.isInteger);
}

/** What a reader sees. marked's lexer escapes for HTML. */
const shownText = (markdown: string): string =>
  markdownTokens(markdown)
    .filter(({ tokens, type }) => !tokens && type !== 'hr')
    .map(({ text }) => text ?? '')
    .join('')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const linksOf = (markdown: string): string[] =>
  markdownTokens(markdown).flatMap(({ type, href = '' }) => (type === 'link' ? [href] : []));

function snapshotOf(text: string, uri = URI): Snapshot {
  const host = new AnalysisHost(false, Infinity);
  host.configure({ ...DEFAULT_SETTINGS, commandLinks: true });
  host.open(uri, 1, text);
  return host.snapshot(uri)!;
}

/** The hover at every word. */
function* hoversOf(snapshot: Snapshot, text: string): Generator<string> {
  const seen = new Set<string>();
  for (const [line, content] of text.split('\n').entries()) {
    for (const word of content.matchAll(/[\w%$@"-]+/g)) {
      const hover = provideHover(snapshot, { position: { line, character: word.index + 1 } });
      const value = (hover?.contents as { value: string } | undefined)?.value;
      if (value === undefined || seen.has(value)) continue;
      seen.add(value);
      yield value;
    }
  }
}

/** Places that change no number, hence no number of lines of a report. */
const KEEPS_NUMBERS = new Set([
  'fn',
  'irBlock',
  'irValue',
  'global',
  'attribute',
  'metadata',
  'source',
  'stack',
  'symbol',
  'asm',
  'comment',
]);

const lineCount = (text: string): number => text.split('\n').length;

interface Shown {
  /** each is one line on screen: what it is, and its text */
  readonly lines: readonly (readonly [string, string])[];
  /** texts of several lines */
  readonly reports: ReadonlyMap<string, string>;
}

/** Everything but hovers that a reader sees. Scheduled texts and the report of amdgpu-print-rp are llc's, byte for byte. */
function shownOf(snapshot: Snapshot): Shown {
  const lines: (readonly [string, string])[] = [];
  const reports = new Map<string, string>();
  const token = NEVER_CANCELLED;
  const last = { line: snapshot.text.lineCount - 3, character: 6 };
  for (const { command } of provideCodeLenses(snapshot, {}, token)) lines.push(['lens', command!.title]);
  const symbolLines = (symbols: readonly DocumentSymbol[]): void => {
    for (const { name, children = [] } of symbols) {
      assert.ok(name !== '');
      lines.push(['symbol', name]);
      symbolLines(children);
    }
  };
  symbolLines(provideDocumentSymbols(snapshot));
  const range = { start: { line: 0, character: 0 }, end: snapshot.text.positionAt(snapshot.text.length) };
  const { diagnostics } = snapshot.functions[0] ?? { diagnostics: [] };
  for (const d of diagnostics) {
    const at = snapshot.rangeOf(d.start, d.end);
    const context = { diagnostics: [{ range: at, message: d.message, code: d.code }] };
    for (const { title } of provideCodeActions(snapshot, { range: at, context } as never, token))
      lines.push(['action', title]);
  }
  for (const { title } of provideCodeActions(snapshot, { range, context: { diagnostics: [] } } as never, token))
    lines.push(['action', title]);
  for (const { label } of provideInlayHints(snapshot, { range }, token) ?? [])
    lines.push(['hint', JSON.stringify(label)]);
  for (const { name } of scanSymbols(snapshot.text.text)) lines.push(['workspace symbol', name]);
  const position = last;
  const textDocument = { uri: URI };
  const compared = provideTargetComparison(snapshot, {}, token);
  for (const f of compared.functions)
    for (const { label, target, problem } of f.rows)
      lines.push(['label', label], ['target', target], ['problem', problem]);
  reports.set('comparison', compared.text);
  reports.set('why', (provideWhy(snapshot, { textDocument, position }) as WhyResult).report);
  // Messages in LLVM's words have the file's text as it is.
  for (const { code: of, message } of toLspDiagnostics(snapshot))
    if (COPY_CODES.includes(of)) lines.push(['finding', message as string]);
  // A register, the instruction that copies it, a line without instruction: the three kinds of the report.
  const copyLine = snapshot.text.text.slice(0, snapshot.text.text.indexOf('%5:sreg_32')).split('\n').length - 1;
  for (const [what, position] of [
    ['register', { line: copyLine, character: 22 }],
    ['instruction', { line: copyLine, character: 0 }],
    ['function', { line: copyLine - 9, character: 0 }],
  ] as const)
    reports.set(`why divergent, of the ${what}`, String(provideWhyDivergent(snapshot, { position })));
  const flow = provideControlFlow(snapshot, { position })!;
  reports.set('control flow', flow.text);
  for (const text of [flow.headline, flow.problem, ...flow.blocks.flatMap((b) => Object.values(b) as unknown[])])
    if (typeof text === 'string') lines.push(['control flow', text]);
  reports.set('details', provideDetails(snapshot, { textDocument, position }));
  reports.set('profile', providePressureProfile(snapshot, { position })!.text);
  reports.set('explanation', String(provideScheduleExplanation(snapshot, { textDocument, position }, token)));
  reports.set('rematerialization', provideRematReport(snapshot, { textDocument, position }, token)!);
  const whatIf = provideWhatIf(snapshot, { textDocument, position, registers: [] });
  for (const { register, place, alone, why } of whatIf?.registers ?? [])
    for (const text of [register, place, alone, why]) lines.push(['what if', text]);
  lines.push(['report problem', providePressureReport(snapshot, { position } as never)!.problem]);
  for (const link of provideDocumentLinks(snapshot)) lines.push(['link', link.target!]);
  return { lines, reports };
}

describe('text of a file stays text', () => {
  it('the check finds markup', () => {
    assert.equal(markupOf('[x](command:a) ![i](https://e) <b>').length, 3);
    assert.deepEqual(markupOf(`**a** \`b\` [1](${URI}#L1)`), []);
  });

  for (const hostile of [...HOSTILE, ...HOSTILE_LINES]) {
    it(`in hovers: ${JSON.stringify(hostile)}`, () => {
      for (const { place, text } of hostileFiles(hostile)) {
        let n = 0;
        for (const value of hoversOf(snapshotOf(text), text)) {
          n++;
          assert.deepEqual(markupOf(value), [], `${place} in\n${value}`);
          for (const section of value.split('\n\n---\n\n'))
            assert.ok(!/\n\n|^---$/m.test(section), `${place} breaks lines:\n${value}`);
        }
        assert.ok(n > 2, `no hovers: ${place}`);
      }
    });
  }

  it('in titles, names and reports: on its line', () => {
    for (const hostile of [...HOSTILE_LINES, '\u202egnp.exe', 'a\u2028b', '\ud800']) {
      for (const { place, text, harmless } of hostileFiles(hostile)) {
        const snapshot = snapshotOf(text);
        const shown = shownOf(snapshot);
        const isSame = KEEPS_NUMBERS.has(place) && snapshot.functions[0]?.summary;
        for (const [what, line] of shown.lines)
          assert.equal(line, visible(line), `${what} of a file with ${place} ${JSON.stringify(hostile)}`);
        const usual = shownOf(snapshotOf(harmless));
        for (const [what, report] of shown.reports) {
          assert.equal(report, report.split('\n').map(visible).join('\n'), `${what}: ${place}`);
          if (isSame) assert.equal(lineCount(report), lineCount(usual.reports.get(what)!), `${what}: ${place}`);
        }
      }
    }
  });

  it('what is shown of a text is that text', () => {
    for (const hostile of HOSTILE) {
      if (/\u202e/.test(hostile)) continue;
      const line = markup([[rich`a ${hostile} b`]]).value;
      assert.deepEqual(markupOf(line), [], line);
      assert.equal(shownText(line), `a ${hostile} b`);
      const start = markup([[rich`${hostile} b`]]).value;
      assert.deepEqual(markupOf(start), [], start);
      assert.equal(shownText(start).trim(), `${hostile} b`);
      assert.equal(shownText(markup([[rich`a ${code(hostile)} b`]]).value), `a ${hostile} b`);
      assert.deepEqual(markupOf(markup([[rich`**${code(hostile)}** b`]]).value), []);
      assert.deepEqual(markupOf(markup([[prose(hostile)]]).value), [], hostile);
      assert.deepEqual(markupOf(markup([[joined([hostile, hostile], ', ')]]).value), [], hostile);
    }
  });

  it('links stay what they are, whatever the document is called', () => {
    for (const hostile of HOSTILE) {
      const uri = `file:///x/${hostile}.mir`;
      const link = markup([[rich`a ${lineLink(hostile, uri, 4)} ${hostile}`]]).value;
      const [target, ...more] = linksOf(link);
      assert.deepEqual(more, [], link);
      assert.match(target!, /^file:\/\/\/x\/[^\s()<>]*\.mir#L5$/);
      const args = [uri, 1, 2];
      const [command] = linksOf(markup([[commandLink('why...', 'a.b', args)]]).value);
      if (!/\u202e/.test(hostile))
        assert.deepEqual(JSON.parse(decodeURIComponent(command!.slice('command:a.b?'.length))), args);
    }
  });

  it('no feature makes Markdown by hand', () => {
    const folder = join(__dirname, '..', '..', 'server', 'src', 'features');
    for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!entry.endsWith('.ts') || entry === join('words', 'markdown.ts')) continue;
      const source = readFileSync(join(folder, entry), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      assert.ok(!/MarkupKind|MarkedString|'markdown'/.test(source), `${entry}: hovers are made by markup()`);
      assert.ok(!/command:[\w.]|\]\(\$\{/.test(source), `${entry}: links are made by lineLink() and commandLink()`);
    }
  });
});
