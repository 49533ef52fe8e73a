/** Definition, declaration, references and highlight, for each kind of name. */
import assert from 'node:assert/strict';
import { DocumentHighlightKind, type Location } from 'vscode-languageserver-types';
import { provideDeclaration, provideDefinition } from '../../../server/src/features/navigation/definition.js';
import { provideDocumentHighlight, provideReferences } from '../../../server/src/features/navigation/references.js';
import { atCursor, cursorIn } from '../../support/cursor.js';

const MIR = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
--- |
  @lds = addrspace(3) global [4 x i32] undef
  define void @main(ptr %in, i32 %0) {
  entry:
    %sum = add i32 %0, 1
    br label %tail
  tail:
    ret void
  }
  declare void @callee(i32 %x)
...
---
name:            main
tracksRegLiveness: true
registers:
  - { id: 0, class: vgpr_32 }
  - { id: 1, class: sreg_64 }
liveins:
  - { reg: '$vgpr0', virtual-reg: '%0' }
stack:
  - { id: 0, size: 4, alignment: 4 }
constants:
  - id: 0
    value: 'i32 7'
body:             |
  bb.0.entry:
    successors: %bb.1
    liveins: $vgpr0, $sgpr4_sgpr5

    %0 = COPY $vgpr0
    %1 = COPY $sgpr4_sgpr5
    %named:vgpr_32 = V_MOV_B32_e32 %stack.0, implicit $exec
    %named:vgpr_32 = V_ADD_U32_e32 killed %0, %named, implicit $exec
    $vgpr2_vgpr3 = IMPLICIT_DEF
    %5:sreg_32 = S_MOV_B32 @lds
    S_BRANCH %bb.1

  bb.1.tail:
    %6:sreg_64 = COPY %1.sub0
    FLAT_STORE_DWORD $vgpr2_vgpr3, %named, 0, 0, implicit $exec, implicit $flat_scr :: (store (s32) into %ir.in)
    %7:vgpr_32 = COPY $vgpr3
    %8:vgpr_32 = V_MOV_B32_e32 %const.0, implicit $exec
    S_ENDPGM 0
...
`;

type Provider = (s: never, p: never) => Location[];

function places(provide: Provider, at: string): string[] {
  const { snapshot, position, show } = atCursor(cursorIn(MIR, at));
  return provide(snapshot as never, { position } as never).map((l) => show(l.range));
}

const definition = (at: string): string[] => places(provideDefinition as Provider, at);
const declaration = (at: string): string[] => places(provideDeclaration as Provider, at);
const references = (at: string): string[] => places(provideReferences as Provider, at);

describe('definition and declaration', () => {
  it('virtual registers: every definition, the entry of registers: as declaration', () => {
    assert.deepEqual(definition('killed $0%0'), ['31:5 %0']);
    assert.deepEqual(declaration('killed $0%0'), ['17:11 0']);
    assert.deepEqual(definition('$vgpr2_vgpr3, $0%named'), ['33:5 %named', '34:5 %named']);
    assert.deepEqual(declaration('$vgpr2_vgpr3, $0%named'), ['33:5 %named']);
    assert.deepEqual(definition('$0%1.sub0'), ['32:5 %1']);
  });

  it('physical registers: the nearest write above in the block, through aliases, else the live-in', () => {
    assert.deepEqual(definition('COPY $0$vgpr0'), ['29:14 $vgpr0']);
    assert.deepEqual(definition('FLAT_STORE_DWORD $0$vgpr2_vgpr3'), ['35:5 $vgpr2_vgpr3']);
    assert.deepEqual(definition('$0$vgpr3'), ['35:5 $vgpr2_vgpr3']);
  });

  it('blocks, stack objects, constants', () => {
    assert.deepEqual(definition('S_BRANCH $0%bb.1'), ['39:3 bb.1.tail']);
    assert.deepEqual(definition('$0%stack.0'), ['22:11 0']);
    assert.deepEqual(definition('$0%const.0'), ['24:9 0']);
  });

  it('IR values, globals and functions', () => {
    assert.deepEqual(definition('$0%ir.in'), ['4:25 %in']);
    assert.deepEqual(definition('S_MOV_B32 $0@lds'), ['3:3 @lds']);
    assert.deepEqual(definition(' $0main'), ['4:15 @main', '14:18 main']);
    assert.deepEqual(definition('$0%tail'), ['8:3 tail']);
    assert.deepEqual(definition('add i32 $0%0'), ['4:34 %0']);
  });

  it('nothing on an opcode or in a comment', () => {
    assert.deepEqual(definition('$0V_ADD_U32_e32'), []);
    assert.deepEqual(definition('$0RUN'), []);
  });
});

describe('references', () => {
  it('virtual registers with the header', () => {
    assert.deepEqual(references('killed $0%0'), ['17:11 0', '20:36 %0', '31:5 %0', '34:43 %0']);
  });

  it('physical registers with everything that overlaps', () => {
    assert.deepEqual(references('$0$vgpr3'), ['35:5 $vgpr2_vgpr3', '41:22 $vgpr2_vgpr3', '42:23 $vgpr3']);
  });

  it('blocks and IR values across IR and MIR', () => {
    assert.deepEqual(references('S_BRANCH $0%bb.1'), ['28:17 %bb.1', '37:14 %bb.1', '39:3 bb.1.tail']);
    assert.deepEqual(references('$0%in'), ['4:25 %in', '41:106 %ir.in']);
    assert.deepEqual(references('$0@lds'), ['3:3 @lds', '36:28 @lds']);
  });

  it('without the declaration when asked', () => {
    const { snapshot, position, show } = atCursor(cursorIn(MIR, 'killed $0%0'));
    const found = provideReferences(snapshot, { position, context: { includeDeclaration: false } });
    assert.deepEqual(
      found.map((l) => show(l.range)),
      ['20:36 %0', '31:5 %0', '34:43 %0'],
    );
  });

  it('hold while a line is broken', () => {
    const { snapshot, position, show } = atCursor(
      cursorIn(MIR.replace('V_ADD_U32_e32', 'V_ADD_'), '$vgpr2_vgpr3, $0%named'),
    );
    assert.deepEqual(
      provideReferences(snapshot, { position }).map((l) => show(l.range)),
      ['33:5 %named', '34:5 %named', '34:40 %named', '41:36 %named'],
    );
  });
});

describe('highlight', () => {
  it('tells writes from reads', () => {
    const { snapshot, position, show } = atCursor(cursorIn(MIR, '$vgpr2_vgpr3, $0%named'));
    const found = provideDocumentHighlight(snapshot, { position });
    assert.deepEqual(
      found.map((h) => `${show(h.range)} ${h.kind === DocumentHighlightKind.Write ? 'write' : 'read'}`),
      ['33:5 %named write', '34:5 %named write', '34:47 %named read', '41:36 %named read'],
    );
  });
});
