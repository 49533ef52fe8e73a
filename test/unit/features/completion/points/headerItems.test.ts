/** Where in a header the cursor is, and what each key and value counts there. */
import assert from 'node:assert/strict';
import type { Candidate } from '../../../../../server/src/features/completion/candidate.js';
import {
  headerCandidates,
  headerPlace,
  type HeaderPlace,
} from '../../../../../server/src/features/completion/headerItems.js';
import type { Snapshot } from '../../../../../server/src/features/snapshot.js';
import { points } from '../../../../support/completionPoints.js';
import { atBar } from '../../../../support/cursor.js';

const RUN = '# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none %s\n';
const whole = (lines: string): string =>
  `${RUN}---\nname: f\n${lines}\nbody: |\n  bb.0:\n    %0:vgpr_32 = COPY $vgpr0\n    %5:sreg_64 = IMPLICIT_DEF\n    X %stack.2\n...\n`;

interface At {
  readonly snapshot: Snapshot;
  readonly cursor: number;
  readonly place: HeaderPlace | null;
}

function at(marked: string): At {
  const { snapshot, position } = atBar(marked);
  const { text } = snapshot;
  const cursor = text.offsetAt(position);
  const view = snapshot.functions.at(-1)!;
  const lineStart = text.lineStart(text.lineAt(cursor));
  return { snapshot, cursor, place: headerPlace(text.text, view.start, view.end, lineStart, cursor) };
}

/** `path 'word'` with a colon behind the path of a value, a brace in flow, the quote; then the keys beside it. */
function shown(marked: string): string {
  const { snapshot, cursor, place } = at(marked);
  if (place === null) return 'none';
  const { path, isValue, isFlow, wordStart, quote, isClosed, siblings } = place;
  const where = `${path.join('.')}${isValue ? ':' : ''}${isFlow ? '{' : ''}`;
  const word = `${quote}'${snapshot.text.slice(wordStart, cursor)}'${isClosed ? quote : ''}`;
  return `${where} ${word} ${[...siblings].sort().join(' ')}`.trim();
}

const items = (marked: string): Candidate[] => {
  const { snapshot, place } = at(marked);
  return headerCandidates(snapshot, place!, snapshot.target.foreign === '' ? snapshot.subtarget.tables : null).sort(
    (a, b) => b.score - a.score,
  );
};

describe('places in a header', () => {
  const PLACES: readonly (readonly [lines: string, place: string])[] = [
    ['¦', "'' body name"],
    ['tr¦', "'tr' body name"],
    ['alignment: 4\n¦', "'' alignment body name"],
    ['¦\nalignment: 4', "'' alignment body name"],
    ['alignment: ¦', "alignment: '' body name"],
    ['alignment: 4¦', "alignment: '4' body name"],
    ['alignment¦:', "'alignment' body name"],
    ['# ¦', 'none'],
    ['alignment: # ¦', 'none'],
    ['stack:\n  ¦', "stack ''"],
    ['stack:\n  - ¦', "stack ''"],
    ['stack:\n  - i¦', "stack 'i'"],
    ['stack:\n  - id: 0\n    ¦', "stack '' id"],
    ['stack:\n  - id: 0\n    size: 4\n    ¦', "stack '' id size"],
    ['stack:\n  - id: ¦', "stack.id: ''"],
    ['stack:\n  - id: 0\n    size: ¦', "stack.size: '' id"],
    ['stack:\n  - id: 0\n    size: 4\n  - id: 1\n    ¦', "stack '' id"],
    ['stack:\n  - id: 0\n    ¦\n  - id: 1\n    size: 4', "stack '' id"],
    ['stack:\n  - id: 0\n    ¦\n    size: 4\n  - id: 1\n    type: x', "stack '' id size"],
    ['stack:\n  - ¦\n    size: 4\n  - id: 1', "stack '' size"],
    ['stack:\n  - { ¦ }', "stack{ ''"],
    ['stack:\n  - { id: 0, ¦ }', "stack{ '' id"],
    ['stack:\n  - { id: 0, s¦, type: x }', "stack{ 's' id type"],
    ['stack:\n  - { id: ¦, type: x }', "stack.id:{ '' id type"],
    ['stack:\n  - { id: 0, size:¦ }', "stack{ 'size:' id"],
    ['stack:\n  - { id: 0, type: def¦', "stack.type:{ 'def' id type"],
    ["stack:\n  - { id: 0, type: 'def¦", "stack.type:{ ''def' id type"],
    ["stack:\n  - { id: 0, type: '¦' }", "stack.type:{ '''' id type"],
    ['stack:\n  - { id: 0,\n      ¦ }', "stack{ '' id"],
    ['stack:\n  - { id: 0, ¦,\n      size: 4 }', "stack{ '' id size"],
    ['stack:\n  - { id: 0, type: x }\n  - { ¦ }', "stack{ ''"],
    ['stack:\n  - { id: 0, debug: { a: 1 }, ¦ }', "stack{ '' debug id"],
    ['frameInfo:\n  ¦', "frameInfo ''"],
    ['frameInfo:\n  hasCalls: true\n  ¦\n  stackSize: 4', "frameInfo '' hasCalls stackSize"],
    ['frameInfo:\n  hasCalls: ¦', "frameInfo.hasCalls: ''"],
    ['frameInfo:\n  hasCalls: tr¦\n  stackSize: 4', "frameInfo.hasCalls: 'tr' stackSize"],
    ['frameInfo:\n  hasCalls: true\n¦', "'' body frameInfo name"],
    ['frameInfo:\n\n  # x\n  ¦', "frameInfo ''"],
    ['machineFunctionInfo:\n  mode:\n    ¦', "machineFunctionInfo.mode ''"],
    ['machineFunctionInfo:\n  mode:\n    ieee: true\n  ¦', "machineFunctionInfo '' mode"],
    [
      'machineFunctionInfo:\n  argumentInfo:\n    dispatchPtr: { ¦ }',
      "machineFunctionInfo.argumentInfo.dispatchPtr{ ''",
    ],
    [
      'machineFunctionInfo:\n  argumentInfo:\n    dispatchPtr: { reg: ¦ }',
      "machineFunctionInfo.argumentInfo.dispatchPtr.reg:{ '' reg",
    ],
    ["machineFunctionInfo:\n  stackPtrOffsetReg: '$sg¦'", "machineFunctionInfo.stackPtrOffsetReg: ''$sg''"],
    ['machineFunctionInfo:\n  stackPtrOffsetReg: "$sg¦', "machineFunctionInfo.stackPtrOffsetReg: \"'$sg'"],
    ['"stack":\n  - ¦', "stack ''"],
    ["'stack' :\n  - id: 0\n    'size': ¦", "stack.size: '' id"],
    ['jumpTable:\n  kind: inline\n  entries:\n    - id: 0\n      ¦', "jumpTable.entries '' id"],
    ['x y: ¦', "'' body name"],
  ];
  for (const [lines, place] of PLACES)
    for (const end of ['\n', '\r\n'])
      it(`${JSON.stringify(lines)}${end === '\n' ? '' : ', with carriage returns'}`, () =>
        assert.equal(shown(whole(lines).replaceAll('\n', end)), place));

  it('none in the lines around a document', () => {
    assert.equal(shown(`${RUN}---¦\nname: f\n...\n`), 'none');
    assert.equal(shown(`${RUN}---\nname: f\n...¦\n`), 'none');
  });
});

describe('keys and values of a header', () => {
  /** the first items, `label points`; how many there are, where that is told */
  const LISTS: readonly (readonly [lines: string, n: number, list: string])[] = [
    ['¦', 6, 'tracksRegLiveness -1, registers -2, machineFunctionInfo -3, liveins -4, frameInfo -5, stack -6'],
    ['stack: []\nliveins: []\n¦', 4, 'tracksRegLiveness -1, registers -2, machineFunctionInfo -3, frameInfo -5'],
    ['tracksRegLiveness: ¦', 9, 'true 1, false 0'],
    ['frameInfo:\n  hasCalls: ¦', 9, 'true 1, false 0'],
    ['machineFunctionInfo:\n  mode:\n    ieee: ¦', 9, 'true 1, false 0'],
    ['stack:\n  - { id: 0, type: ¦', 9, 'default 0, spill-slot -1, variable-sized -2'],
    ['fixedStack:\n  - { id: 0, type: ¦', 9, 'default 0, spill-slot -1'],
    ['stack:\n  - { id: 0, stack-id: ¦', 9, 'default 0, sgpr-spill -1, scalable-vector -2, wasm-local -3, noalloc -4'],
    [
      'fixedStack:\n  - { id: 0, stack-id: ¦',
      9,
      'default 0, sgpr-spill -1, scalable-vector -2, wasm-local -3, noalloc -4',
    ],
    ['registers:\n  - { id: 0, flags: ¦', 9, 'WWM_REG 0'],
    [
      'jumpTable:\n  kind: ¦',
      9,
      'block-address 0, gp-rel64-block-address -1, gp-rel32-block-address -2, label-difference32 -3, inline -4, custom32 -5',
    ],
    ['machineFunctionInfo:\n  stackPtrOffsetReg: ¦', 9, '$sp_reg 0, $sgpr32 -1, $sgpr101 -2'],
    ['machineFunctionInfo:\n  frameOffsetReg: ¦', 9, '$fp_reg 0, $sgpr33 -1, $sgpr101 -2'],
    [
      'machineFunctionInfo:\n  scratchRSrcReg: ¦',
      9,
      '$private_rsrc_reg 0, $sgpr0_sgpr1_sgpr2_sgpr3 -1, $sgpr96_sgpr97_sgpr98_sgpr99 -2',
    ],
    ['alignment: ¦', 9, '4 0, 2 -1, 8 -1, 1 -2, 16 -2, 32 -3, 64 -4'],
    ['frameInfo:\n  maxAlignment: ¦', 1, '4 0'],
    ['machineFunctionInfo:\n  maxKernArgAlign: ¦', 1, '4 0'],
    ['machineFunctionInfo:\n  dynLDSAlign: ¦', 1, '4 0'],
    ['machineFunctionInfo:\n  ldsSize: ¦', 9, ''],
    ['stack:\n  - { id: 0, size: ¦', 9, ''],
    // A whole entry under the number that waits, or the next one; then its keys.
    ['registers:\n  - ¦', 3, '{ id: 0, ... } 10, id -8, class -9'],
    ['registers:\n  - { id: 0 }\n  - ¦', 1, '{ id: 5, ... } 10'],
    ['registers:\n  - { id: 0 }\n  - { id: 5 }\n  - ¦', 1, '{ id: 6, ... } 10'],
    ['stack:\n  - ¦', 1, '{ id: 2, ... } 10'],
    ['stack:\n  - { id: 2 }\n  - ¦', 1, '{ id: 3, ... } 10'],
    ['fixedStack:\n  - ¦', 1, '{ id: 0, ... } 10'],
    ['constants:\n  - ¦', 1, 'id -28'],
    ['registers:\n  - { ¦', 4, 'id -8, class -9, preferred-register -10, flags -11'],
    ['registers:\n  - id: 0\n    ¦', 3, 'class -9, preferred-register -10, flags -11'],
    ['liveins:\n  - { ¦', 9, 'reg -12, virtual-reg -13'],
    ['fixedStack:\n  - { id: 0, ¦', 5, 'type -17, offset -19, size -21, alignment -23, stack-id -25'],
    ['frameInfo:\n  ¦', 4, 'maxAlignment -31, hasCalls -32, adjustsStack -33, stackSize -34'],
    ['machineFunctionInfo:\n  ¦', 3, 'isEntryFunction -35, scratchRSrcReg -36, frameOffsetReg -37'],
    // Arguments with the register that the ABI has there.
    ['machineFunctionInfo:\n  argumentInfo:\n    ¦', 3, 'privateSegmentBuffer 0, dispatchPtr -1, queuePtr -2'],
    [
      'machineFunctionInfo:\n  argumentInfo:\n    dispatchPtr: { reg: x }\n    ¦',
      2,
      'privateSegmentBuffer 0, queuePtr -1',
    ],
    ['machineFunctionInfo:\n  argumentInfo:\n    dispatchPtr: { ¦', 9, 'reg 0, offset 0, mask 0'],
    ['machineFunctionInfo:\n  argumentInfo:\n    dispatchPtr: { reg: x, ¦', 9, 'offset 0, mask 0'],
  ];
  for (const [lines, n, list] of LISTS)
    it(JSON.stringify(lines), () =>
      assert.equal(
        items(whole(lines))
          .slice(0, n)
          .map((c) => `${c.label} ${points(c.score)}`)
          .join(', '),
        list,
      ),
    );

  /** What is written for a key: plainly, and as a snippet */
  const WRITTEN: readonly (readonly [lines: string, key: string, insert: string, snippet?: string])[] = [
    ['¦', 'alignment', 'alignment:       '],
    ['¦', 'legalized', 'legalized:       true', 'legalized:       ${1|true,false|}$0'],
    ['¦', 'tracksRegLiveness', 'tracksRegLiveness: true', 'tracksRegLiveness: ${1|true,false|}$0'],
    ['¦', 'registers', 'registers:', 'registers:\n  - { id: ${1:0}, class: ${2:vgpr_32} }$0'],
    ['¦', 'liveins', 'liveins:', "liveins:\n  - { reg: '\\$${1:sgpr0}', virtual-reg: '${2}' }$0"],
    ['¦', 'constants', 'constants:', "constants:\n  - id: ${1:0}\n    value: '${2:i32 0}'\n    alignment: ${3:4}$0"],
    ['¦', 'frameInfo', 'frameInfo:', 'frameInfo:\n  $0'],
    ['¦', 'machineFunctionInfo', 'machineFunctionInfo:', 'machineFunctionInfo:\n  $0'],
    ['machineFunctionInfo:\n  ¦', 'mode', 'mode:', 'mode:\n    $0'],
    ['machineFunctionInfo:\n  ¦', 'argumentInfo', 'argumentInfo:', 'argumentInfo:\n    $0'],
    ['machineFunctionInfo:\n  ¦', 'ldsSize', 'ldsSize: '],
    ['frameInfo:\n  ¦', 'hasCalls', 'hasCalls: true', 'hasCalls: ${1|true,false|}$0'],
    ['stack:\n  - { ¦', 'size', 'size: '],
    [
      'stack:\n  - { ¦',
      'callee-saved-restored',
      'callee-saved-restored: true',
      'callee-saved-restored: ${1|true,false|}$0',
    ],
    ['registers:\n  - ¦', '{ id: 0, ... }', '{ id: 0 }', '{ id: ${1:0}, class: ${2:vgpr_32} }$0'],
    [
      'stack:\n  - ¦',
      '{ id: 2, ... }',
      '{ id: 2 }',
      '{ id: ${1:2}, type: ${2:default}, size: ${3:4}, alignment: ${4:4} }$0',
    ],
    [
      'machineFunctionInfo:\n  argumentInfo:\n    ¦',
      'workItemIDX',
      "workItemIDX: { reg: '$vgpr0' }",
      "workItemIDX: { reg: '${1:\\$vgpr0}' }$0",
    ],
    ['machineFunctionInfo:\n  argumentInfo:\n    dispatchPtr: { ¦', 'mask', 'mask: '],
    // Registers in quotes, unless they stand there.
    ['machineFunctionInfo:\n  stackPtrOffsetReg: ¦', '$sgpr32', "'$sgpr32'"],
    ["machineFunctionInfo:\n  stackPtrOffsetReg: '¦", '$sgpr32', "$sgpr32'"],
    ["machineFunctionInfo:\n  stackPtrOffsetReg: '¦'", '$sgpr32', '$sgpr32'],
    ['machineFunctionInfo:\n  stackPtrOffsetReg: "¦', '$sgpr32', '$sgpr32"'],
    ['liveins:\n  - { reg: ¦', '$vgpr7', "'$vgpr7'"],
  ];
  for (const [lines, key, insert, snippet] of WRITTEN)
    it(`${JSON.stringify(lines)}: ${key}`, () => {
      const found = items(whole(lines)).find((c) => c.label === key);
      assert.ok(found !== undefined);
      assert.deepEqual([found.insert, found.snippet], [insert, snippet]);
    });

  it('the body where none is', () => {
    const found = items(`${RUN}---\nname: f\n¦\n...\n`).find((c) => c.label === 'body')!;
    assert.deepEqual([found.insert, found.snippet], ['body:             |', 'body:             |\n  bb.0:\n    $0']);
  });

  it('classes: those of the file, the usual ones, those that can be allocated', () => {
    const found = items(whole('registers:\n  - { id: 9, class: vgpr_32 }\n  - { id: 0, class: ¦'));
    const of = (label: string): string => points(found.find((c) => c.label === label)!.score);
    // Used once 30, first of the usual ones 20, a tenth for each letter.
    assert.equal(of('vgpr_32'), String(30 + 20 - 0.7));
    assert.equal(of('sreg_64'), String(18 - 0.7));
    assert.equal(of('sreg_32'), String(19 - 0.7));
    assert.equal(of('sgpr_96'), String(-0.7));
    assert.equal(of('vs_32'), '-20');
    assert.equal(of('_'), '1');
    assert.equal(of('vgpr'), '-5');
    const { detail, about, description } = found.find((c) => c.label === 'sreg_64')!;
    assert.deepEqual([detail, about, description], [' 64 bits', { what: 'class', name: 'sreg_64' }, '']);
    assert.equal(found.find((c) => c.label === '_')?.description, 'generic');
    assert.equal(found.find((c) => c.label === 'vcc')?.description, 'bank');
  });

  it('registers: that of the ABI, those of its width, then general ones', () => {
    const of = (lines: string, name: string): number => {
      const { snapshot } = at(whole(lines));
      const reg = snapshot.subtarget.tables.regByName(name);
      const found = items(whole(lines)).find((c) => c.label === `$${name}`)!;
      return Number(points(found.score + reg / 1e5));
    };
    const ptr = 'machineFunctionInfo:\n  argumentInfo:\n    dispatchPtr: { reg: ¦';
    assert.equal(of(ptr, 'sgpr4_sgpr5'), 200);
    assert.equal(of(ptr, 'sgpr6_sgpr7'), 69.5);
    assert.equal(of(ptr, 'vgpr6_vgpr7'), 19.5);
    assert.equal(of(ptr, 'sgpr6'), 19.75);
    assert.equal(of(ptr, 'agpr6'), 0);
    assert.equal(of(ptr, 'exec'), 0);
    const live = 'liveins:\n  - { reg: ¦';
    assert.equal(of(live, 'sgpr6'), 19.75);
    assert.equal(of(live, 'vgpr0_vgpr1_vgpr2'), 19.25);
    assert.equal(of(live, 'm0'), 0);
    assert.equal(of('registers:\n  - { preferred-register: ¦', 'vgpr0'), 19.75);
    assert.equal(of('stack:\n  - { callee-saved-register: ¦', 'vgpr0'), 19.75);
  });

  it('names: functions of the IR that have no body yet first', () => {
    const ir =
      '--- |\n  define void @f() { ret void }\n  define void @g() { ret void }\n  declare void @d()\n  declare void @llvm.trap()\n...\n';
    const found = items(`${RUN}${ir}---\nname: f\n...\n---\nname: ¦\n...\n`);
    assert.deepEqual(
      found.map((c) => `${c.label} ${c.score} ${c.description}`),
      ['g 1 IR function', 'd 0 only declared in the IR', 'f -1 has a body already'],
    );
  });

  it('of another target what every target has', () => {
    const foreign = (lines: string): Candidate[] =>
      items(whole(lines).replace('amdgcn-amd-amdhsa -mcpu=gfx900', 'x86_64--'));
    assert.deepEqual(foreign('machineFunctionInfo:\n  ¦'), []);
    assert.deepEqual(foreign('registers:\n  - { class: ¦'), []);
    assert.deepEqual(foreign('liveins:\n  - { reg: ¦'), []);
    assert.deepEqual(foreign('registers:\n  - { flags: ¦'), []);
    assert.deepEqual(
      foreign('stack:\n  - { type: ¦').map((c) => c.label),
      ['default', 'spill-slot', 'variable-sized'],
    );
    const of = (key: string): string | undefined => foreign('¦').find((c) => c.label === key)?.snippet;
    assert.equal(of('registers'), 'registers:\n  - { id: ${1:0}, class: ${2:_} }$0');
    assert.equal(of('liveins'), "liveins:\n  - { reg: '\\$${1}', virtual-reg: '${2}' }$0");
  });
});
