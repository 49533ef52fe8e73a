/** Names of every kind in a function that llc takes: all their places from each of them, by a search in the text, and renames there and back. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Position, TextEdit } from 'vscode-languageserver-types';
import { provideDocumentHighlight, provideReferences } from '../../../server/src/features/navigation/references.js';
import { providePrepareRename, provideRename } from '../../../server/src/features/rename/rename.js';
import type { Snapshot } from '../../../server/src/features/snapshot/snapshot.js';
import { SEMANTIC_TOKENS_LEGEND } from '../../../server/src/features/tokens/semanticLegend.js';
import { provideSemanticTokens } from '../../../server/src/features/tokens/semanticTokens.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { answerOfOurs } from '../../support/answers.js';
import { openText, URI } from '../../support/cursor.js';

const FOLDER = join(__dirname, '..', '..', 'fixtures', 'answers');
const TEXT = readFileSync(join(FOLDER, 'names.mir'), 'utf8');
const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-run-pass=none'];

/** The list of a key of the header, whose ids are numbers of one kind. */
const idIn = (key: string, id: number): RegExp =>
  new RegExp(`(?<=^${key}:\\n(?: .*\\n)*? +- (?:\\{ )?id: )${id}\\b`, 'gm');

/** What finds all places of a name, and what it may be called instead. */
const NAMES: readonly (readonly [name: string, places: readonly RegExp[], other: string])[] = [
  ['%101', [/%101\b/g, idIn('registers', 101)], '%201'],
  ['%102', [/%102\b/g, idIn('registers', 102)], '%202'],
  ['%103', [/%103\b/g, idIn('registers', 103)], '%203'],
  ['%104', [/%104\b/g], '%204'],
  ['%107', [/%107\b/g], '%207'],
  ['%108', [/%108\b/g], '%208'],
  ['%named', [/%named\b/g], '%other'],
  ['bb.41', [/(?:%|^ *)bb\.41\b/gm], '%bb.141'],
  ['bb.42', [/(?:%|^ *)bb\.42\b/gm], '%bb.142'],
  ['bb.43', [/(?:%|^ *)bb\.43\b/gm], '%bb.143'],
  ['%stack.7', [/%stack\.7\b/g, idIn('stack', 7)], '%stack.17'],
  ['%stack.8', [/%stack\.8\b/g, idIn('stack', 8)], '%stack.18'],
  ['%fixed-stack.3', [/%fixed-stack\.3\b/g, idIn('fixedStack', 3)], '%fixed-stack.13'],
  ['%const.2', [/%const\.2\b/g, idIn('constants', 2)], '%const.12'],
  ['@glob', [/@glob\b/g], '@other'],
  ['@ext', [/@ext\b/g], '@other'],
  ['@kern', [/@kern\b/g, /(?<=^name: +)kern\b/gm], '@other'],
  ['%ir.flatp', [/%ir\.flatp\b/g, /%flatp\b/g], '%ir.other'],
  ['%ir.argp', [/%ir\.argp\b/g, /%argp\b/g], '%ir.other'],
  ['!33', [/!33\b/g], ''],
  ['#5', [/#5\b/g], ''],
  ['mark', [/<mcsymbol mark>/g], ''],
  ['&symb', [/&symb\b/g], ''],
  ['$vgpr66', [/\$vgpr66\b/g], ''],
  ['$vgpr77', [/\$vgpr77\b/g], ''],
  ['$sgpr44_sgpr45', [/\$sgpr44_sgpr45\b/g], ''],
  ['$sgpr50', [/\$sgpr50\b/g], ''],
  ['$sgpr96_sgpr97_sgpr98_sgpr99', [/\$sgpr96_sgpr97_sgpr98_sgpr99\b/g], ''],
  ['$scc', [/\$scc\b/g], ''],
];

/** Where a name's places begin, the first letter of the name itself counted. */
const placesOf = (patterns: readonly RegExp[], text: string): number[] =>
  patterns
    .flatMap((pattern) => [...text.matchAll(pattern)].map((m) => m.index + /^ */.exec(m[0])![0].length))
    .sort((a, b) => a - b);

function applied(snapshot: Snapshot, position: Position, newName: string): string {
  const edit = provideRename(snapshot, { position, newName });
  assert.ok(edit !== null && 'changes' in edit, `${newName}: ${JSON.stringify(edit)}`);
  let text = snapshot.text.text;
  for (const { range, newText } of [...(edit.changes![URI] as TextEdit[])].reverse())
    text = text.slice(0, snapshot.text.offsetAt(range.start)) + newText + text.slice(snapshot.text.offsetAt(range.end));
  return text;
}

describe('every name', () => {
  const { snapshot } = openText(TEXT);

  it('has all its places from each of them, and no others', () => {
    for (const [name, patterns] of NAMES) {
      const wanted = placesOf(patterns, TEXT);
      assert.ok(wanted.length > 0, name);
      for (const at of wanted) {
        const position = snapshot.text.positionAt(at + 1);
        const found = provideReferences(snapshot, { position }).map((l) => snapshot.text.offsetAt(l.range.start));
        const lines = (offsets: readonly number[]): string[] =>
          offsets.map(
            (o) => `${snapshot.text.lineAt(o) + 1}:${o - snapshot.text.lineStart(snapshot.text.lineAt(o)) + 1}`,
          );
        assert.deepEqual(
          lines([...new Set(found)].sort((a, b) => a - b)),
          lines(wanted),
          `${name} from ${lines([at]).join()}`,
        );
        const lit = provideDocumentHighlight(snapshot, { position }).map((h) => snapshot.text.offsetAt(h.range.start));
        assert.deepEqual(lines([...new Set(lit)].sort((a, b) => a - b)), lines(wanted), `highlights of ${name}`);
      }
    }
  });

  it('is a token of its kind, with what it is to the lanes: `names.tokens.txt`, line by line', () => {
    const { tokenTypes, tokenModifiers } = SEMANTIC_TOKENS_LEGEND;
    const lines = TEXT.split('\n');
    const found = new Map<number, string>();
    let [line, column] = [0, 0];
    const { data } = provideSemanticTokens(snapshot, null, NEVER_CANCELLED)!;
    for (let i = 0; i < data.length; i += 5) {
      line += data[i]!;
      column = data[i] === 0 ? column + data[i + 1]! : data[i + 1]!;
      const words = [tokenTypes[data[i + 3]!], ...tokenModifiers.filter((_, bit) => (data[i + 4]! & (1 << bit)) !== 0)];
      const token = `${lines[line]!.slice(column, column + data[i + 2]!)}<${words.join(' ')}>`;
      found.set(line, `${found.get(line) ?? `${line + 1}:`} ${token}`);
    }
    const wanted = readFileSync(join(FOLDER, 'names.tokens.txt'), 'utf8').trimEnd().split('\n');
    assert.deepEqual([...found.values()], wanted);
  });

  it('renamed and renamed back gives the same text, which llc takes in between', () => {
    assert.equal(answerOfOurs({ args: ARGS, input: TEXT }).exit, 0);
    for (const [name, patterns, other] of NAMES) {
      const [at = 0] = placesOf(patterns, TEXT);
      const position = snapshot.text.positionAt(at + 1);
      if (other === '') {
        if (!name.startsWith('$')) assert.equal(providePrepareRename(snapshot, { position }), null, name);
        continue;
      }
      const renamed = applied(snapshot, position, other);
      assert.notEqual(renamed, TEXT, name);
      assert.equal(placesOf(patterns, renamed).length, 0, `${name} is left`);
      const { exit, err } = answerOfOurs({ args: ARGS, input: renamed });
      assert.deepEqual([exit, err], [0, ''], name);
      const again = openText(renamed).snapshot;
      const old = name.startsWith('bb.') ? `%${name}` : name;
      assert.equal(applied(again, again.text.positionAt(at + 1), old), TEXT, name);
    }
  });
});
