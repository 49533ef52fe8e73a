/** What is proposed in the embedded IR, with what each counts. */
import assert from 'node:assert/strict';
import type { Candidate } from '../../../../../server/src/features/completion/candidate.js';
import { irCandidates } from '../../../../../server/src/features/completion/irItems.js';
import { cost, points } from '../../../../support/completionPoints.js';
import { atBar } from '../../../../support/cursor.js';

const text = (line: string): string => `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none %s
--- |
  @g = addrspace(1) global i32 0
  define void @f(ptr addrspace(1) %p, i32 %"a b") #0 {
  entry:
    %x = load i32, ptr addrspace(1) %p, !tbaa !4
${line}
    %z = add i32 %x, 1
    br label %out
  out:
    ret void
  }
  declare i32 @h(i32 %q)
  define void @other(ptr %r) { ret void }
  attributes #0 = { nounwind }
  attributes #1 = { cold }
  !4 = !{}
...
---
name: f
body: |
  bb.0:
...
`;

interface Found {
  readonly c: Candidate;
  /** without what its distance costs */
  readonly own: number;
}

function itemsAt(line: string): Found[] {
  const { snapshot, position, text: own } = atBar(text(line));
  const cursor = snapshot.text.offsetAt(position);
  const lead = own.slice(own.lastIndexOf('\n', cursor - 1) + 1, cursor);
  const word = /[%@#!"]?[\w.$-]*$/.exec(lead)![0];
  return irCandidates(snapshot, cursor, word, lead.slice(0, lead.length - word.length)).map((c) => {
    const name = c.label.replace(/^[%@]/, '');
    const places = [...own.matchAll(/[%@]?(?:"[^"]*"|[\w.$-]+)/g)]
      .filter(
        (m) =>
          m.index < own.indexOf('\n...\n') &&
          m[0].replace(/^[%@]/, '') === name &&
          (m[0] === c.label || own[m.index + m[0].length] === ':'),
      )
      .map((m) => m.index)
      .filter((at) => at + c.label.length < cursor || cursor < at);
    const above = places.filter((p) => p < cursor).at(-1);
    const at = above ?? places[0];
    const distance = at === undefined ? 0 : (Math.abs(cursor - at) * 48) / 40;
    return {
      c,
      own: /^[%@]/.test(c.label) && !c.label.startsWith('@llvm.') ? c.score + cost(distance, 3, 0) : c.score,
    };
  });
}

const namesAt = (line: string): string =>
  itemsAt(line)
    .filter(({ c }) => /^[%@]/.test(c.label) && !c.label.startsWith('@llvm.'))
    .sort((a, b) => (a.c.label < b.c.label ? -1 : 1))
    .map(({ c, own }) => [`${c.label} ${points(own)}`, ...(c.description ? [c.description] : [])].join(' '))
    .join(', ');

describe('names of the IR', () => {
  // Types are known as far as the module parses.
  const P = '%p 30 ptr addrspace(1), %x 30, %z 0';
  const AB = '%"a b" 30 i32';
  const CASES: readonly (readonly [line: string, list: string])[] = [
    // Above the line 30; of this function only; no blocks where none can stand.
    ['    store i32 %¦', `${AB}, ${P}`],
    ['    store i32 %x, ptr addrspace(1) %p¦', `${AB}, %p 30 ptr addrspace(1), %x 30 i32, %z 0 i32`],
    ['    %y = add i32 %¦', `${AB}, ${P}`],
    // What the line itself defines is not read by it.
    ['    %x = add i32 %¦', `${AB}, %p 30 ptr addrspace(1), %z 0`],
    ['    br label %¦', '%entry 30, %out 0'],
    ['    br label  %¦', '%entry 30, %out 0'],
    ['    br i1 %x, label %¦', '%entry 30, %out 0'],
    ['    call void @¦', '@f 30 void (ptr addrspace(1), i32), @g 30, @h 0 i32 (i32), @other 0 void (ptr)'],
    // Where neither sigil stands, all of them for 15 less.
    [
      '    store i32 ¦',
      '%"a b" 15 i32, %p 15 ptr addrspace(1), %x 15, %z -15, @f 15 void (ptr addrspace(1), i32), @g 15, @h -15 i32 (i32), @other -15 void (ptr)',
    ],
    ['    ¦', ''],
    ['    %y = ¦', ''],
    ['    ad¦', ''],
    ['    store i32 ad¦', ''],
    ['    call void @f() #¦', ''],
    ['    store i32 0, ptr %p, !x !¦', ''],
  ];
  for (const [line, list] of CASES) it(line, () => assert.equal(namesAt(line), list));

  const words = (line: string): Map<string, number> => new Map(itemsAt(line).map(({ c }) => [c.label, c.score]));
  const WORDS: readonly (readonly [line: string, word: string, score: number | undefined])[] = [
    // Instructions where a line or a value begins 10, elsewhere -10; types and the like -5 and 2.
    ['    ¦', 'ret', 10],
    ['    r¦', 'ret', 10],
    ['    %y = ¦', 'ret', undefined],
    ['    ¦', 'i32', -5],
    ['    store ¦', 'i32', 2],
    ['    store i¦', 'i32', 2],
    ['    ¦', 'define', undefined],
    ['    store i32 %¦', 'i32', undefined],
    ['    call void @¦', '@llvm.amdgcn.workitem.id.x', -20],
    ['    store i32 %¦', '@llvm.amdgcn.workitem.id.x', undefined],
    ['    call void @f() #¦', '#0', 0],
    ['    call void @f() #¦', '#1', 0],
    ['    call void @f() #¦', '!4', undefined],
    ['    store i32 0, ptr %p, !x !¦', '!4', 0],
    ['    store i32 0, ptr %p, !x !¦', '#0', undefined],
    ['    call void @f() "¦', '"amdgpu-waves-per-eu"', 5],
    ['    call void @f() "¦', '"amdgpu-flat-work-group-size"', 4.99],
    ['    call void @f() "¦', 'nounwind', undefined],
    ['  attributes #2 = { ¦', '"amdgpu-waves-per-eu"', 5],
    ['  attributes #2 = { ¦', 'nounwind', 0],
    ['  attributes #2 = { nounwind c¦', 'convergent', -0.01],
    ['  attributes #2 = { ¦', 'ret', undefined],
  ];
  for (const [line, word, score] of WORDS)
    it(`${line.trim()}: ${word} ${score ?? 'not'}`, () => {
      const found = words(line).get(word);
      if (word === 'ret' && score !== undefined) assert.ok(found! > score - 1 && found! <= score);
      else assert.equal(found === undefined ? undefined : found + 0, score);
    });

  it('attributes are written with a usual value', () => {
    const { c } = itemsAt('  attributes #2 = { ¦').find((f) => f.c.label === '"amdgpu-num-vgpr"')!;
    assert.deepEqual([c.insert, c.snippet], ['"amdgpu-num-vgpr"="64"', '"amdgpu-num-vgpr"="${1:64}"$0']);
  });

  it('outside of functions what a module is made of', () => {
    const { snapshot } = atBar('¦# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n--- |\n  \n  @g = global i32 0\n...\n');
    const found = irCandidates(snapshot, snapshot.text.text.indexOf('--- |') + 8, '', '  ');
    const score = (label: string): number | undefined => found.find((c) => c.label === label)?.score;
    assert.deepEqual(['define', 'declare', 'ret', 'i32'].map(score), [10, 10, undefined, 2]);
  });

  /** Words that begin something: of a module 10 outside of functions, of a function inside. */
  const INSIDE: readonly (readonly [ir: string, isInside: boolean])[] = [
    ['¦', false],
    ['define void @f() {\n  ¦', true],
    ['define void @f(i32 %a) {\n  ¦', true],
    ['define void @f() {\n  call void @g()\n  ¦', true],
    ['define void @f() {\n  store i32 0, ptr @g, !tbaa !4\n  ¦', true],
    ['define void @f() {\n  ret void\n}\n¦', false],
    ['define void @f() {\n  ret void\n  }\n¦', false],
    ['define void @f(i32 %a) { ret void }\n¦', false],
    ['define void @f() { ret void } ; x\n¦', false],
    ['define void @f() { ¦', true],
    ['define void @f() {\n  ret void\n}\ndefine void @g() {\n  ¦', true],
    ['declare void @f(i32 %a)\n¦', false],
    ['declare void @f()\n¦', false],
    ['@g = global i32 0\n¦', false],
    ['define void @f() {\n  ret void\n}\n!0 = !{}\n¦', false],
    ['define void @f(i32 %a,\n    i32 %b)\n{\n  ¦', true],
  ];
  for (const [ir, isInside] of INSIDE)
    for (const end of ['\n', '\r\n'])
      it(`${JSON.stringify(ir)} is ${isInside ? 'in a function' : 'outside'}${end === '\n' ? '' : ', with carriage returns'}`, () => {
        const { snapshot, position } = atBar(
          `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n--- |\n${ir.replace(/^/gm, '  ')}\n...\n`.replaceAll('\n', end),
        );
        const labels = irCandidates(snapshot, snapshot.text.offsetAt(position), '', '').map((c) => c.label);
        assert.deepEqual([labels.includes('ret'), labels.includes('define')], [isInside, !isInside]);
      });
});
