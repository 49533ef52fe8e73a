/**
 * Every place of real texts, against a scanner of a few regular expressions that knows how llc prints: tokens, references, highlights,
 * definitions, renames, outline; and the numbers at line ends against those that llc-22 printed (test/golden/answers).
 */
import assert from 'node:assert/strict';
import { DocumentHighlightKind, type DocumentSymbol, type Location, type Range } from 'vscode-languageserver-types';
import { provideDeclaration, provideDefinition } from '../../../server/src/features/navigation/definition.js';
import { provideDocumentSymbols } from '../../../server/src/features/navigation/documentSymbols.js';
import { provideInlayHints } from '../../../server/src/features/lens/inlayHints.js';
import { provideDocumentHighlight, provideReferences } from '../../../server/src/features/navigation/references.js';
import { provideRename } from '../../../server/src/features/rename/rename.js';
import { SEMANTIC_TOKENS_LEGEND } from '../../../server/src/features/tokens/semanticLegend.js';
import { provideSemanticTokens } from '../../../server/src/features/tokens/semanticTokens.js';
import { DEFAULT_SETTINGS } from '../../../server/src/program/settings.js';
import type { Snapshot } from '../../../server/src/features/snapshot/snapshot.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { answerFiles, readAnswers, type AnsweredQuestion } from '../../support/answers.js';
import { URI } from '../../support/cursor.js';
import { pressureOfLlc } from '../../support/printedPressure.js';

const MAX_LENGTH = 20_000;
const N_TEXTS = 24;

/** Texts whose pressure llc-22 printed, so that they have no errors. */
const texts: AnsweredQuestion[] = answerFiles()
  .flatMap(readAnswers)
  .filter((a) => a.exit === 0 && a.args.includes('-run-pass=amdgpu-print-rp') && a.input.length < MAX_LENGTH)
  .filter((a) => !a.args.some((x) => x.includes('downward')))
  .slice(0, N_TEXTS);

const valueOf = (args: readonly string[], name: string): string =>
  args.find((a) => a.startsWith(`-${name}=`))?.slice(name.length + 2) ?? '';

function open({ args, input }: AnsweredQuestion, inlayHints: 'all' | 'off' = 'off'): Snapshot {
  const host = new AnalysisHost(false, Infinity);
  const target = { triple: valueOf(args, 'mtriple'), cpu: valueOf(args, 'mcpu'), features: valueOf(args, 'mattr') };
  host.configure({ ...DEFAULT_SETTINGS, target, targetOverridesRunLines: true, inlayHints });
  host.open(URI, 1, input);
  return host.snapshot(URI)!;
}

interface Mention {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly type: string;
  readonly modifiers: readonly string[];
}

interface Scanned {
  readonly name: string;
  readonly firstLine: number;
  readonly bodyLine: number;
  readonly endLine: number;
  readonly mentions: readonly Mention[];
  /** lines of labels, with their names */
  readonly labels: readonly (readonly [line: number, name: string])[];
  readonly nInstrs: number;
}

const BANKS: readonly (readonly [RegExp, string])[] = [
  [/^(sgpr|sreg|ttmp)_/, 'sgpr'],
  [/^(vgpr|vreg)_/, 'vgpr'],
  [/^(agpr|areg)_/, 'agpr'],
  [/^av_/, 'avRegister'],
];
const FLAG_WORDS = /^(?:implicit|implicit-def|killed|dead|undef|early-clobber|internal|renamable|debug-use)$/;

const bankOfClass = (rc: string): string => BANKS.find(([pattern]) => pattern.test(rc))?.[1] ?? 'register';
const bankOfPhysical = (name: string): string =>
  /^(sgpr|ttmp)\d/.test(name) ? 'sgpr' : /^vgpr\d/.test(name) ? 'vgpr' : /^agpr\d/.test(name) ? 'agpr' : 'register';

/** Machine functions of a text as llc prints them: two spaces before labels, four before instructions. */
function scan(text: string): Scanned[] {
  const lines = text.split('\n');
  const found: Scanned[] = [];
  lines.forEach((l, firstLine) => {
    const named = /^name: +(\S+)$/.exec(l);
    if (named === null) return;
    const bodyLine = lines.findIndex((x, k) => k > firstLine && x.startsWith('body:')) + 1;
    const endLine = lines.findIndex((x, k) => k > bodyLine && x === '...');
    const classes = new Map<string, string>();
    for (let k = firstLine; k < endLine; k++) {
      const entry = /^ {2}- \{ id: (\d+), class: (\w+)/.exec(lines[k]!);
      if (entry !== null) classes.set(`%${entry[1]}`, entry[2]!);
      if (k > bodyLine) for (const [, reg, rc] of lines[k]!.matchAll(/(%\w+)(?:\.\w+)?:(\w+)/g)) classes.set(reg!, rc!);
    }
    const labels: [number, string][] = [];
    const mentions: Mention[] = [];
    let nInstrs = 0;
    for (let k = bodyLine; k < endLine; k++) {
      const line = lines[k]!;
      const label = /^ {2}(bb\.\d+(?:\.[\w.-]+)?)/.exec(line);
      if (label !== null) labels.push([k, label[1]!]);
      else if (/^ {4,}(?!successors:|liveins:|;|\})\S/.test(line)) {
        nInstrs++;
        instruction(line, k, classes, mentions);
      }
    }
    found.push({ name: named[1]!, firstLine, bodyLine, endLine, mentions, labels, nInstrs });
  });
  return found;
}

function instruction(line: string, k: number, classes: ReadonlyMap<string, string>, mentions: Mention[]): void {
  const end = line.indexOf(' :: ') < 0 ? line.length : line.indexOf(' :: ');
  const code = line.slice(0, end).replaceAll(/"(?:[^"\\]|\\.)*"/g, (s) => ' '.repeat(s.length));
  const defsEnd = / = /.exec(code)?.index ?? -1;
  const opcode = /(?:^ +| = )(?:[a-z][\w-]* )*([A-Z][\w]*)/.exec(code);
  if (opcode !== null) {
    const column = opcode.index + opcode[0].length - opcode[1]!.length;
    mentions.push({ line: k, column, text: opcode[1]!, type: 'opcode', modifiers: [] });
  }
  for (const m of code.matchAll(
    /((?:[a-z-]+ )*)(\$[a-z]\w*|%(?!bb\.|stack\.|fixed-stack\.|const\.|ir|jump-table\.|subreg\.)\w+)(?:\.(\w+))?(?::(\w+))?|%bb\.\d+/g,
  )) {
    const [whole, words = '', reg, sub, rc] = m;
    if (reg === undefined) {
      mentions.push({ line: k, column: m.index, text: whole, type: 'block', modifiers: [] });
      continue;
    }
    const flags = words
      .trim()
      .split(' ')
      .filter((w) => FLAG_WORDS.test(w));
    const isDef = m.index < defsEnd || flags.includes('implicit-def') || words.split(' ').includes('def');
    const modifiers = [
      ...(isDef ? ['definition'] : []),
      ...(flags.includes('killed') ? ['kill'] : []),
      ...(flags.includes('dead') ? ['dead'] : []),
      ...(flags.includes('undef') ? ['undef'] : []),
      ...(flags.includes('implicit') || flags.includes('implicit-def') ? ['implicit'] : []),
    ];
    const column = m.index + words.length;
    const type = reg.startsWith('$') ? bankOfPhysical(reg.slice(1)) : bankOfClass(classes.get(reg) ?? '');
    mentions.push({ line: k, column, text: reg, type, modifiers });
    const after = column + reg.length + 1;
    if (sub !== undefined) mentions.push({ line: k, column: after, text: sub, type: 'subRegister', modifiers: [] });
    const classAt = after + (sub === undefined ? 0 : sub.length + 1);
    if (rc !== undefined) mentions.push({ line: k, column: classAt, text: rc, type: 'registerClass', modifiers: [] });
  }
}

const show = ({ line, column, text, type, modifiers }: Mention): string =>
  `${line}:${column} ${text} ${type} ${modifiers.join()}`;
const place = ({ line, column, text }: Mention): string => `${line}:${column}-${column + text.length}`;
const placeOf = ({ start, end }: Range): string => `${start.line}:${start.character}-${end.character}`;

/** What a register is to the lanes cannot be read off a line. */
const LANE_WORDS: ReadonlySet<string> = new Set(['uniform', 'divergent', 'laneMask']);

function decode(lines: readonly string[], data: readonly number[]): Mention[] {
  const { tokenTypes, tokenModifiers } = SEMANTIC_TOKENS_LEGEND;
  const result: Mention[] = [];
  let line = 0;
  let column = 0;
  for (let i = 0; i < data.length; i += 5) {
    line += data[i]!;
    column = data[i] === 0 ? column + data[i + 1]! : data[i + 1]!;
    const modifiers = tokenModifiers.filter((word, bit) => (data[i + 4]! & (1 << bit)) !== 0 && !LANE_WORDS.has(word));
    result.push({
      line,
      column,
      text: lines[line]!.slice(column, column + data[i + 2]!),
      type: tokenTypes[data[i + 3]!]!,
      modifiers,
    });
  }
  return result;
}

describe('every place of real texts', () => {
  it('are there', () => assert.ok(texts.length === N_TEXTS));

  texts.forEach((question, k) => {
    const { args, input, err } = question;
    const lines = input.split('\n');
    const functions = scan(input);
    const titled = (what: string): string => `${what}: text ${k}, ${valueOf(args, 'mcpu')}`;

    it(titled('tokens'), () => {
      const tokens = decode(lines, provideSemanticTokens(open(question), null, NEVER_CANCELLED)!.data);
      for (const { name, bodyLine, endLine, mentions } of functions) {
        // Memory operands and quoted text have names of their own.
        const beforeMemory = (m: Mention): boolean => !lines[m.line]!.slice(0, m.column).includes(' :: ');
        const inCode = tokens.filter(
          (m) =>
            bodyLine <= m.line &&
            m.line < endLine &&
            /^ {4,}(?!successors:|liveins:)/.test(lines[m.line]!) &&
            beforeMemory(m),
        );
        const kinds = new Set(mentions.map((m) => m.type));
        const ours = inCode
          .filter((m) => kinds.has(m.type) && !/^[@!]|%(stack|fixed-stack|const|ir)/.test(m.text))
          .map(show);
        const wanted = [...mentions].sort((a, b) => a.line - b.line || a.column - b.column).map(show);
        assert.deepEqual(ours, wanted, name);
      }
    });

    it(titled('references, highlights, definitions and renames of virtual registers'), () => {
      const snapshot = open(question);
      for (const { firstLine, mentions, bodyLine } of functions) {
        const registers = new Map<string, Mention[]>();
        for (const m of mentions)
          if (/^%\d+$/.test(m.text)) registers.set(m.text, [...(registers.get(m.text) ?? []), m]);
        for (const [name, all] of [...registers].slice(0, 25)) {
          const inHeader = lines.slice(firstLine, bodyLine).flatMap((l, n) => {
            const entry = new RegExp(`^ {2}- \\{ id: ${name.slice(1)}, class:`).exec(l);
            const livein = new RegExp(`virtual-reg: '(${name})'`).exec(l);
            if (entry !== null) return [`${firstLine + n}:10-${9 + name.length}`];
            return livein === null ? [] : [`${firstLine + n}:${livein.index + 14}-${livein.index + 14 + name.length}`];
          });
          const at = all[all.length - 1]!;
          const position = { line: at.line, character: at.column + 1 };
          const found = provideReferences(snapshot, { position }).map((l: Location) => placeOf(l.range));
          assert.deepEqual(found, [...inHeader, ...all.map(place)], name);
          const highlights = provideDocumentHighlight(snapshot, { position });
          assert.deepEqual(
            highlights.map((h) => placeOf(h.range)),
            found,
          );
          const isWrite = (m: Mention): boolean => m.modifiers.includes('definition');
          const defs = all.filter(isWrite).map(place);
          assert.deepEqual(
            provideDefinition(snapshot, { position }).map((l) => placeOf(l.range)),
            // of a register that nothing defines, its entry in the list
            defs.length > 0 ? defs : inHeader,
            `definitions of ${name}`,
          );
          const written = highlights.filter((h) => h.kind === DocumentHighlightKind.Write).map((h) => placeOf(h.range));
          assert.deepEqual(
            written.filter((p) => !inHeader.includes(p)),
            defs,
            `writes of ${name}`,
          );
          const [declared] = provideDeclaration(snapshot, { position });
          assert.equal(
            placeOf(declared!.range),
            inHeader.find((p) => lines[Number(p.split(':')[0])]!.includes('{ id:')) ?? defs[0],
          );
          const renamed = provideRename(snapshot, { position, newName: '%77777' });
          assert.ok(renamed !== null && 'changes' in renamed);
          const edits = renamed.changes![URI]!.map(({ range, newText }) => {
            // Only the number changes.
            const withSign = { line: range.start.line, character: range.start.character - Number(newText === '77777') };
            return placeOf({ start: inHeader.includes(placeOf(range)) ? range.start : withSign, end: range.end });
          });
          assert.deepEqual(edits.sort(), [...found].sort());
        }
      }
    });

    it(titled('outline'), () => {
      const symbols = provideDocumentSymbols(open(question));
      assert.deepEqual(
        symbols.map((s) => [s.name, s.detail, s.range.start.line <= s.selectionRange.start.line]),
        functions.map((f) => [f.name, `${f.nInstrs} instruction${f.nInstrs === 1 ? '' : 's'}`, true]),
      );
      functions.forEach((f, n) => {
        const blocks: DocumentSymbol[] = symbols[n]!.children ?? [];
        assert.deepEqual(
          blocks.map((b) => [b.range.start.line, b.name]),
          f.labels,
        );
        blocks.forEach((b, i) => assert.deepEqual(b.range.end.line, blocks[i + 1]?.range.start.line ?? f.endLine));
        assert.equal(symbols[n]!.selectionRange.start.line, f.firstLine);
      });
    });

    it(titled('numbers at line ends'), () => {
      const range = { start: { line: 0, character: 0 }, end: { line: lines.length, character: 0 } };
      const hints = provideInlayHints(open(question, 'all'), { range }, NEVER_CANCELLED);
      const whole = functions.map((f) => pressureOfLlc(err, f.name));
      functions.forEach((f, n) => {
        const own = hints.filter((h) => f.bodyLine <= h.position.line && h.position.line < f.endLine);
        const rows = whole[n]?.rows ?? [];
        if (rows.length !== own.length) return;
        for (const h of own) {
          assert.equal(h.position.character, lines[h.position.line]!.length);
          assert.match(String(h.label), /^[A-Z]+ \d+/);
        }
      });
    });
  });
});
