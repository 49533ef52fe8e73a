/** Rules that make a test smaller: what each leaves, that llc-22 takes it, and that one command leaves the output of the RUN lines as it is. */
import assert from 'node:assert/strict';
import { CodeActionTriggerKind, type CodeAction, type TextEdit } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../../server/src/features/assists/codeAction.js';
import type { Settings } from '../../../server/src/program/settings.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { atCursor, URI } from '../../support/cursor.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const TEST = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s | FileCheck %s
--- |
  define amdgpu_kernel void @f(ptr addrspace(1) %p) #0 {
    store i32 1, ptr addrspace(1) %p, !dbg !5
    ret void
  }

  define void @g() {
    ret void
  }

  declare void @unused(i32)

  @table = addrspace(4) constant i32 0

  attributes #0 = { "amdgpu-waves-per-eu"="1,4" }
  attributes #7 = { nounwind }

  !9 = !{i32 5}
...
---
# CHECK-LABEL: name: f
# CHECK: V_ADD_U32_e32
name:            f
alignment:       1
legalized:       false
tracksRegLiveness: true
registers:
  - { id: 5, class: vgpr_32 }
  - { id: 8, class: vgpr_32 }
  - { id: 77, class: sreg_32 }
body:             |
  bb.3:
    successors: %bb.7
    liveins: $vgpr0

    %5 = COPY $vgpr0
    %8 = V_ADD_U32_e32 %5, %5, implicit $exec
    S_BRANCH %bb.7

  bb.7:
    S_ENDPGM 0, implicit %8
...
---
# CHECK-LABEL: name: g
# CHECK: SI_RETURN
name:            g
body:             |
  bb.0:
    SI_RETURN
...
`.replace(', !dbg !5', '');
/** What LLVM's guide to MIR tests leaves out. */
const LOOP = `--- |
  define void @k(ptr addrspace(1) %p) {
  entry:
    br label %loop
  loop:
    br i1 poison, label %loop, label %exit
  exit:
    ret void
  }

  !0 = distinct !{!0}
  !1 = distinct !{!1, !0}
  !2 = !{!1}
...
---
name:            k
tracksRegLiveness: true
liveins:
  - { reg: '$vgpr0_vgpr1', virtual-reg: '%0' }
body:             |
  bb.0.entry:
    successors: %bb.1(0x80000000)
    liveins: $vgpr0_vgpr1

    %0:vreg_64 = COPY $vgpr0_vgpr1

  ; CHECK: bb.1
  bb.1.loop:
    successors: %bb.1.loop(0x7c000000), %bb.2(0x04000000)

    %1:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32) from %ir.p + 4, !alias.scope !2, addrspace 1)
    S_CBRANCH_SCC1 %bb.1.loop, implicit undef $scc

  bb.2.exit:
    S_ENDPGM 0
...
`;
const ARGS = ['-x', 'mir', '-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=none', '-o', '-'];

function ask(
  marked: string,
  only: string,
  settings: Partial<Settings> = {},
): Map<string, { action: CodeAction; after: string }> {
  const { snapshot, position, text } = atCursor(marked, settings);
  const context = { diagnostics: [], only: [only], triggerKind: CodeActionTriggerKind.Invoked };
  const actions = provideCodeActions(snapshot, { range: { start: position, end: position }, context }, NEVER_CANCELLED);
  const apply = (edits: readonly TextEdit[]): string => {
    let result = text;
    for (const { range, newText } of [...edits].reverse())
      result =
        result.slice(0, snapshot.text.offsetAt(range.start)) +
        newText +
        result.slice(snapshot.text.offsetAt(range.end));
    return result;
  };
  return new Map(actions.map((action) => [action.title, { action, after: apply(action.edit?.changes?.[URI] ?? []) }]));
}

const at = (word: string, text = TEST): string => text.replace(word, () => `${word}$0`);

describe('simplify', () => {
  const rules = ask(at('name:            f'), 'refactor.rewrite.simplify');
  const after = (title: string): string => {
    const found = rules.get(`Simplify: ${title}`);
    assert.ok(found, `${title} is not among ${[...rules.keys()].join(', ')}`);
    return found.after;
  };

  it('has an action for each rule', () => {
    assert.deepEqual(
      [...rules.keys()].map((t) => t.replace('Simplify: ', '')),
      [
        'empty functions in the IR',
        'no unused IR',
        'no default keys',
        'no unused registers',
        'classes at the definitions',
        'compact numbers',
        'no successors that llc finds',
        'only this function',
      ],
    );
    assert.match(after('empty functions in the IR'), /#0 \{\n {4}unreachable\n {2}\}\n/);
    const ir = after('no unused IR');
    assert.ok(!/@unused|@table|#7|!9/.test(ir) && /@f\(.*#0/.test(ir) && /attributes #0/.test(ir) && /@g/.test(ir), ir);
    assert.ok(!/alignment|legalized/.test(after('no default keys')));
    assert.ok(!after('no unused registers').includes('77'));
    assert.match(after('classes at the definitions'), /%5:vgpr_32 = COPY/);
    assert.match(
      after('compact numbers'),
      /id: 0, class[\s\S]*id: 1, class[\s\S]*%1 = V_ADD_U32_e32 %0, %0[\s\S]*bb\.1:/,
    );
    assert.doesNotMatch(after('no successors that llc finds'), /successors/);
    const alone = after('only this function');
    assert.ok(
      !/@g|name: g|name: +g|@unused/.test(alone) && alone.includes('RUN:') && alone.includes('CHECK-LABEL: name: f'),
      alone,
    );
  });

  it("has those of LLVM's guide", function () {
    const of = (marked: string): Map<string, string> =>
      new Map([...ask(marked, 'refactor.rewrite.simplify')].map(([title, found]) => [title.slice(10), found.after]));
    const loop = of(at('name:            k', LOOP));
    const has = (title: string, gone: RegExp, stays: RegExp, found = loop): void => {
      const text = found.get(title);
      assert.ok(text !== undefined, `${title} is not among ${[...found.keys()].join(', ')}`);
      assert.doesNotMatch(text, gone, title);
      assert.match(text, stays, title);
    };
    has('no values of the IR in memory operands', /%ir\.p|alias\.scope/, /:: \(load \(s32\), addrspace 1\)\n/);
    has('no names of IR blocks', /bb\.\d\.\w/, /; CHECK: bb\.1\n {2}bb\.1:\n {4}successors: %bb\.1\(/);
    has('no branch probabilities', /\(0x/, /successors: %bb\.1\.loop, %bb\.2\n/);
    has('no list of live-ins in the header', /virtual-reg/, /liveins: \$vgpr0_vgpr1\n/);
    assert.match(loop.get('no successors that llc finds')!, /bb\.0\.entry:\n {4}liveins/);
    assert.match(loop.get('no successors that llc finds')!, /bb\.1\.loop:\n {4}successors/);
    const dummy =
      '--- |\n  define void @a() {\n  entry:\n    ret void\n  }\n\n  define void @b() { unreachable }\n...\n';
    const small = (ir: string): string =>
      `${ir}---\nname:            a\nbody:             |\n  bb.0:\n    S_ENDPGM 0\n...\n`;
    has('no IR of dummies', /define/, /^---\nname/, of(at('name:            a', small(dummy))));
    for (const ir of [dummy.replace('void @a', 'amdgpu_kernel void @a'), dummy.replace('@b() {', '@b() nounwind {')])
      assert.ok(!of(at('name:            a', small(ir))).has('no IR of dummies'), ir);
    needsLlc(this);
    // llc prints such nodes in the order of its heap.
    const comparable = (output: string): string => output.replace(/^machineMetadataNodes:\n(?: {2}- .*\n)*/m, '');
    const printed = runLlc(ARGS, LOOP);
    assert.equal(printed.status, 0, printed.stderr);
    for (const [title, text] of loop) {
      const run = runLlc(ARGS, text);
      assert.equal(run.status, 0, `${title}\n${run.stderr}\n${text}`);
      if (/successors/.test(title)) assert.equal(comparable(run.stdout), comparable(printed.stdout));
    }
  });

  it('names and debug information', () => {
    const named = ask(
      at(
        'name:            f',
        TEST.replace(/registers:\n(?: {2}-.*\n)*/, '')
          .replace('%5 =', '%5:vgpr_32 =')
          .replace('%8 =', '%8:vgpr_32 ='),
      ),
      'refactor.rewrite.simplify',
    );
    assert.match(named.get('Simplify: names for the registers')!.after, /%add:vgpr_32 = V_ADD_U32_e32 %copy, %copy/);
    const debug = `--- |
  define void @f() !dbg !4 {
    ret void, !dbg !7
  }

  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!3}

  !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
  !1 = !DIFile(filename: "a.cl", directory: "/")
  !3 = !{i32 2, !"Debug Info Version", i32 3}
  !4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !5, unit: !0)
  !5 = !DISubroutineType(types: !6)
  !6 = !{}
  !7 = !DILocation(line: 2, scope: !4)
...
---
name:            f
body:             |
  bb.0:
    S_NOP 0, debug-location !7
    DBG_VALUE 0, $noreg, !DIExpression(), !DIExpression(), debug-location !7
    S_ENDPGM 0, debug-location !7
...
`;
    const without = ask(at('name:            f', debug), 'refactor.rewrite.simplify').get(
      'Simplify: no debug information',
    );
    assert.ok(without && !/debug-location|DBG_|DISub|dbg/.test(without.after), without?.after);
  });

  it('cuts a function down to a region, under the same pressure', () => {
    const big = `---
name:            h
tracksRegLiveness: true
body:             |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $sgpr4_sgpr5

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_64 = COPY $sgpr4_sgpr5
    %2:vreg_64 = IMPLICIT_DEF

  bb.1:
    successors: %bb.2

    %3:vgpr_32 = V_ADD_U32_e32 %0, %2.sub1, implicit $exec
    %4:vgpr_32 = V_LSHLREV_B32_e32 3, %3, implicit $exec
    S_BARRIER
    %5:vgpr_32 = V_NOT_B32_e32 %4, implicit $exec
    %6:vgpr_32 = V_XOR_B32_e32 %5, %2.sub0, implicit $exec

  bb.2:
    S_ENDPGM 0, implicit %6, implicit %1, implicit %4
...
`;
    const [title, { after: cut }] = [...ask(at('%4:vgpr_32', big), 'refactor.rewrite.simplify')][0]!;
    assert.match(
      title,
      /^Simplify: only this region \(2|^Simplify: only this region \(3|^Simplify: only this region \(5/,
    );
    assert.match(
      cut,
      /bb\.0:\n[\s\S]*%0:vgpr_32 = IMPLICIT_DEF\n[\s\S]*bb\.1:\n[\s\S]*%4:vgpr_32 = V_LSH[\s\S]*bb\.2:\n/,
    );
    assert.ok(ask(at('%4:vgpr_32', cut), 'refactor.rewrite.simplify').size <= 1);
    // What lives in at its beginning and out at its end; of a register of which a part does, the part.
    const linesOf = (word: string): string[] => {
      const found = [...ask(at(word, big.replace('S_BARRIER', 'SCHED_BARRIER 0')), 'refactor.rewrite.simplify')].find(
        ([t]) => t.startsWith('Simplify: only this region'),
      );
      assert.ok(found, word);
      return found[1].after
        .split('\n')
        .filter((l) => /IMPLICIT_DEF|0, implicit %/.test(l))
        .map((l) => l.trim())
        .sort();
    };
    assert.deepEqual(linesOf('%4:vgpr_32'), [
      '%0:vgpr_32 = IMPLICIT_DEF',
      '%1:sreg_64 = IMPLICIT_DEF',
      '%2:vreg_64 = IMPLICIT_DEF',
      'S_NOP 0, implicit %1, implicit %2.sub0, implicit %4',
    ]);
    assert.deepEqual(linesOf('%5:vgpr_32'), [
      '%1:sreg_64 = IMPLICIT_DEF',
      '%4:vgpr_32 = IMPLICIT_DEF',
      'S_NOP 0, implicit %1, implicit %4, implicit %6',
      'undef %2.sub0:vreg_64 = IMPLICIT_DEF',
    ]);
  });

  const all = [...ask(at('name:            f'), 'source.simplify.amdgpu-mir')];

  it('does at once what leaves the output of the RUN lines', () => {
    assert.equal(all.length, 1);
    const [title, { after: small }] = all[0]!;
    assert.match(title, /^Simplify the test: empty functions in the IR, no unused IR, no default keys/);
    assert.ok(!/@unused|alignment|legalized/.test(small), small);
    assert.equal(ask(`$0${small}`, 'source.simplify.amdgpu-mir').size, 0, 'not twice');
    assert.equal(ask(`$0${small}`, 'source').has(title), false);
  });

  it('llc-22 takes what comes of each rule, and writes the same functions after the command', function () {
    needsLlc(this);
    const functions = (text: string): string => text.replace(/^--- \|[\s\S]*?^\.\.\.$/m, '');
    const printed = runLlc(ARGS, TEST);
    assert.equal(printed.status, 0, printed.stderr);
    for (const [title, { after: text }] of rules) {
      const run = runLlc(ARGS, text);
      assert.equal(run.status, 0, `${title}\n${run.stderr}\n${text}`);
    }
    assert.equal(functions(runLlc(ARGS, all[0]![1].after).stdout), functions(printed.stdout));
  });

  it('moves a function to a file of its own where the client makes files', () => {
    const asked = ask(at('name:            f'), 'refactor.extract', { createsFiles: true });
    const { action } = asked.get('Extract function to f.mir')!;
    const changes = action.edit!.documentChanges!;
    assert.equal(changes.length, 3);
    assert.deepEqual(changes[0], {
      kind: 'create',
      uri: 'file:///f.mir',
      options: { overwrite: false, ignoreIfExists: false },
    });
    assert.match(JSON.stringify(changes[1]), /RUN: llc.*name: +f/);
    assert.doesNotMatch(JSON.stringify(changes[1]), /@g|SI_RETURN/);
    assert.equal(ask(at('name:            f'), 'refactor.extract').size, 0);
  });
});
