/** Keys and values of headers as completion offers them, each put to llc's parser: which keys are booleans or words, and that what is written is taken. */
import assert from 'node:assert/strict';
import type { CompletionItem, TextEdit } from 'vscode-languageserver-types';
import { provideCompletion } from '../../../server/src/features/completion/completion.js';
import { HEADER_KEYS } from '../../../server/src/features/words/headerKeys.js';
import { answerOfOurs } from '../../support/answers.js';
import { atCursor, URI } from '../../support/cursor.js';

const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', '-run-pass=none'];
const RUN = `# RUN: llc ${ARGS.join(' ')} %s\n`;
/** What an entry has to have. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  registers: ['id: 0', 'class: vgpr_32'],
  liveins: ["reg: '$vgpr0'"],
  stack: ['id: 0', 'size: 4'],
  fixedStack: ['id: 0', 'size: 4'],
  constants: ['id: 0', "value: 'i32 1'"],
  jumpTable: ['kind: inline'],
};
const isList = (key: string): boolean => key !== 'jumpTable' && key in REQUIRED;

/** A function with a key and its value, as a text with lines of its own. */
function withKey(path: readonly string[], value: string): string {
  const [first = '', ...rest] = path;
  const others = (REQUIRED[first] ?? []).filter((o) => rest.length > 0 && !o.startsWith(`${rest[0]!}:`));
  const lines: string[] = [];
  if (rest.length === 0) lines.push(`${first}: ${value}`);
  else {
    lines.push(`${first}:`);
    const items = isList(first) ? '  - ' : '  ';
    [...others, rest.length > 1 ? `${rest[0]!}:` : `${rest[0]!}: ${value}`].forEach((text, k) =>
      lines.push(`${k === 0 ? items : ' '.repeat(items.length)}${text}`),
    );
    if (rest.length > 1) lines.push(`${' '.repeat(items.length + 2)}${rest[1]!}: ${value}`);
  }
  const name = first === 'name' ? [] : ['name: f'];
  return `${RUN}---\n${[...name, ...lines].join('\n')}\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n`;
}

const complaints = (text: string): string => answerOfOurs({ args: ARGS, input: text }).err;

function listIn(marked: string): { items: CompletionItem[]; accept(item: CompletionItem): string } {
  const { snapshot, position, text } = atCursor(marked);
  const { items } = provideCompletion(snapshot, { textDocument: { uri: URI }, position });
  const accept = (item: CompletionItem): string => {
    const { range, newText } = item.textEdit as TextEdit;
    return text.slice(0, snapshot.text.offsetAt(range.start)) + newText + text.slice(snapshot.text.offsetAt(range.end));
  };
  return { items, accept };
}

const KEYS = Object.keys(HEADER_KEYS).filter((key) => key !== 'body');

describe('completion of headers, by what llc takes', () => {
  it('true and false for booleans and for them alone, the words of those that take one of a few', () => {
    let booleans = 0;
    let worded = 0;
    for (const key of [...KEYS, 'fixedStack.type', 'fixedStack.stack-id', 'fixedStack.callee-saved-restored']) {
      const path = key.split('.');
      const said = complaints(withKey(path, 'xyz'));
      const { items, accept } = listIn(withKey(path, '$0'));
      const labels = items.map((i) => i.label);
      const isBoolean = said.includes('invalid boolean');
      const hasWords = said.includes('unknown enumerated scalar');
      assert.equal(labels.join() === 'true,false', isBoolean, `${key}: ${said}`);
      if (isBoolean) booleans++;
      if (!hasWords) continue;
      worded++;
      assert.ok(labels.length > 1, key);
      for (const item of items) assert.doesNotMatch(complaints(accept(item)), /enumerated/, `${key}: ${item.label}`);
    }
    assert.ok(booleans > 40 && worded === 5, `${booleans} booleans, ${worded} with words`);
  });

  it('keys of every mapping, which llc knows, without those that are there', () => {
    const mappings = ['', ...new Set(KEYS.filter((k) => k.includes('.')).map((k) => k.slice(0, k.lastIndexOf('.'))))];
    assert.ok(mappings.length >= 8);
    for (const mapping of mappings) {
      const path = mapping === '' ? [] : mapping.split('.');
      const marked = withKey([...path, 'qqq'], '1').replace('qqq: 1', '$0');
      const { items, accept } = listIn(marked);
      const labels = items.map((i) => i.label).filter((l) => !l.startsWith('{'));
      const own = KEYS.filter((k) => k.startsWith(mapping === '' ? '' : `${mapping}.`))
        .map((k) => k.slice(mapping === '' ? 0 : mapping.length + 1))
        .filter((k) => !k.includes('.'));
      const there = mapping === '' ? ['name'] : (REQUIRED[path[0]!] ?? []).map((o) => o.split(':')[0]!);
      for (const key of own) assert.equal(labels.includes(key), !there.includes(key), `${mapping}: ${key}`);
      assert.equal(new Set(labels).size, labels.length, mapping);
      for (const item of items)
        assert.doesNotMatch(complaints(accept(item)), /unknown key/, `${mapping}: ${item.label}`);
    }
  });

  it('the inputs of a function, which llc takes with the register that is written', () => {
    const marked = withKey(['machineFunctionInfo', 'argumentInfo', 'qqq'], '1').replace('qqq: 1', '$0');
    const { items, accept } = listIn(marked);
    assert.ok(items.length > 15);
    for (const item of items) assert.equal(complaints(accept(item)), '', item.label);
  });
});
