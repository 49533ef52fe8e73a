/** What stands at each place of a text, against a search through everything. */
import assert from 'node:assert/strict';
import {
  instrAt,
  instrFrom,
  instrOnLine,
  layoutOf,
  nodesAt,
  type NodeAt,
} from '../../../server/src/features/snapshot/locate.js';
import { STRIDE, SyntaxKind } from '../../../server/src/syntax/tree.js';
import { atCursor, openText } from '../../support/cursor.js';

const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s
---
name:            first
body:             |
  bb.0:
    S_ENDPGM 0
...
---
name:            f
registers:
  - { id: 0, class: vgpr_32 }
stack:
  - id: 0
    size: 4
body:             |
  bb.0:
    successors: %bb.1

    %0 = COPY $vgpr0
    %1:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec  ; why

    BUNDLE implicit-def $vgpr1 {
      $vgpr1 = V_MOV_B32_e32 0, implicit $exec
    }

  bb.1:
    S_ENDPGM 0, implicit %1
...
---
name: bodyless
...
`;

const { snapshot } = openText(TEXT);
const { text } = snapshot;

describe('instructions by place', () => {
  const view = snapshot.functions[1]!;
  const fn = view.fn!;
  const ranges = Array.from({ length: fn.nInstrs }, (_, i) => fn.source!.instrRange(i));

  it('at each offset', () => {
    assert.equal(fn.nInstrs, 5);
    for (let at = -3; at < view.end - view.start + 3; at++) {
      const held = ranges.findIndex(({ start, end }) => start <= at && at <= end);
      const from = ranges.filter(({ start }) => start <= at).length - 1;
      assert.equal(instrFrom(fn, at), from, `from ${at}`);
      // Where a bundle's brace stands the last one begins that holds it.
      const last = ranges.reduce((found, { start, end }, i) => (start <= at && at <= end ? i : found), -1);
      assert.equal(instrAt(fn, at), held < 0 ? -1 : last === from ? last : -1, `at ${at}`);
    }
  });

  it('on each line, wherever the cursor is in it', () => {
    const lines = TEXT.split('\n');
    const wanted = new Map([
      ['COPY', 0],
      ['V_ADD', 1],
      ['BUNDLE', 2],
      ['V_MOV', 3],
      ['implicit %1', 4],
    ]);
    lines.forEach((content, line) => {
      if (line < 7) return;
      const [, i = -1] = [...wanted].find(([word]) => content.includes(word)) ?? [];
      for (const character of [0, 3, 8, content.length])
        assert.equal(instrOnLine(snapshot, view, { line, character }), i, `${line + 1}: ${content}`);
    });
  });

  it('in layout order', () => {
    assert.deepEqual([...layoutOf(fn)], [0, 1, 2, 3, 4]);
    assert.deepEqual([...layoutOf(snapshot.functions[2]!.fn!)], []);
    assert.equal(instrFrom(snapshot.functions[2]!.fn!, 5), -1);
    assert.equal(instrAt(snapshot.functions[2]!.fn!, 5), -1);
  });
});

describe('nodes by place', () => {
  const show = ({ kind, start, end }: NodeAt): string => `${kind} ${JSON.stringify(text.slice(start, end))}`;

  it('each holds the place and stands in the one before it', () => {
    for (const view of snapshot.functions)
      for (let at = view.start; at <= view.end; at++) {
        const path = nodesAt(view, at);
        path.forEach(({ start, end, tree, node, kind }, k) => {
          assert.ok(start <= at && at <= end, `${at}: ${show(path[k]!)}`);
          assert.equal(tree.kind(node), kind);
          if (k > 0) {
            assert.ok(path[k - 1]!.start <= start && end <= path[k - 1]!.end);
            assert.ok(path[k - 1]!.node + STRIDE <= node && node < path[k - 1]!.tree.next(path[k - 1]!.node));
          }
        });
        // None in the innermost one holds it.
        const last = path.at(-1);
        if (last === undefined) continue;
        const base = last.start - last.tree.start(last.node);
        for (let n = last.node + STRIDE; n < last.tree.next(last.node); n = last.tree.next(n))
          assert.ok(at < base + last.tree.start(n) || base + last.tree.end(n) < at, `${at}: ${show(last)}`);
      }
  });

  it('in bodies of many pieces', () => {
    const lines = Array.from({ length: 700 }, (_, k) => `    S_NOP ${k}\n`).join('');
    const long = atCursor(`$0---\nname: f\nbody: |\n  bb.0:\n${lines}    S_ENDPGM 0\n...\n`).snapshot;
    const view = long.functions[0]!;
    assert.ok(view.body!.chunks.length > 2, String(view.body!.chunks.length));
    for (let k = 0; k < 700; k += 7) {
      const at = long.text.text.indexOf(`S_NOP ${k}\n`) + 1;
      const path = nodesAt(view, at);
      const { start, end, kind } = path.at(-1)!;
      assert.deepEqual([long.text.slice(start, end), kind, start], ['S_NOP', SyntaxKind.Opcode, at - 1]);
      assert.equal(instrFrom(view.fn!, at - view.start), k);
    }
  });

  it('name what stands there', () => {
    const innermost = (word: string, after: string, shift = 1): string => {
      const at = TEXT.indexOf(word, TEXT.indexOf(after)) + shift;
      const view = snapshot.functionAt(at)!;
      const { start, end } = nodesAt(view, at).at(-1)!;
      return TEXT.slice(start, end);
    };
    assert.equal(innermost('V_ADD', 'name:            f\n'), 'V_ADD_U32_e32');
    assert.equal(innermost('vgpr_32 }', 'registers'), 'vgpr_32');
    assert.equal(innermost('class:', 'registers'), 'class');
    assert.equal(innermost('size', 'stack'), 'size');
    assert.equal(innermost('S_ENDPGM', 'first'), 'S_ENDPGM');
    // Where two meet, the one that begins there.
    assert.equal(innermost(', %0, implicit', 'V_ADD', 2), '%0');
    const kinds = nodesAt(snapshot.functions[1]!, TEXT.indexOf('class: vgpr')).map((n) => n.kind);
    assert.equal(kinds.filter((k) => k === SyntaxKind.YamlPair).length, 2);
  });
});
