/** What of a function's body may go: blocks, edges, instructions, operands, flags, memory operands; and what may be `undef` or 0. */
import { OperandKind, OpFlag, type BlockId, type InstrId, type OperandId } from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex } from '../../model/register.js';
import type { TextRange } from '../../text/diagnostic.js';
import type { TextEdit } from '../../text/sourceText.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { BodyEditor } from './bodyEditor.js';
import { partsOfEdits, type Parts, type Reduction } from './parts.js';

/** All but the entry. */
function blocks(snapshot: Snapshot, view: FunctionView): Parts | null {
  const editor = BodyEditor.of(snapshot, view);
  const count = (editor?.fn.blocks.length ?? 0) - 1;
  if (editor === null || count < 1) return null;
  return {
    count,
    without: (gone) => {
      const shape = editor.whole();
      shape.goneBlocks.set(gone, 1);
      return editor.edits(shape);
    },
  };
}

/** All successors of a block but one, or all. */
function edges(snapshot: Snapshot, view: FunctionView): Parts | null {
  const editor = BodyEditor.of(snapshot, view);
  if (editor === null) return null;
  const { fn } = editor;
  const forks = fn.blocks.flatMap(({ successors }, b) =>
    successors.length === 0
      ? []
      : [...(successors.length > 1 ? successors.map((s) => [s]) : []), []].map((kept) => ({ b, kept })),
  );
  if (forks.length === 0) return null;
  return {
    count: forks.length,
    without: (gone) => {
      const shape = editor.whole();
      forks.forEach(({ b, kept }, k) => {
        if (gone[k]) shape.successors[b] ??= kept;
      });
      return editor.edits(shape);
    },
  };
}

/** Blocks that follow their only predecessor as its only successor become a part of it. */
function merges(snapshot: Snapshot, view: FunctionView): Parts | null {
  const editor = BodyEditor.of(snapshot, view);
  if (editor === null) return null;
  const { fn } = editor;
  const seconds: BlockId[] = [];
  for (let b = 1; b < fn.blocks.length; b++) {
    const [only, ...others] = fn.blocks[b]!.predecessors;
    if (only === b - 1 && others.length === 0 && fn.blocks[b - 1]!.successors.length === 1) seconds.push(b);
  }
  if (seconds.length === 0) return null;
  return {
    count: seconds.length,
    without: (gone) =>
      merged(
        editor,
        snapshot,
        seconds.filter((_, k) => gone[k]),
      ),
  };
}

function merged(editor: BodyEditor, snapshot: Snapshot, seconds: readonly BlockId[]): TextEdit[] {
  const { fn } = editor;
  const { text } = snapshot;
  const into = new Map<BlockId, BlockId>();
  for (const b of seconds) into.set(b, into.get(b - 1) ?? b - 1);
  const edits: TextEdit[] = [];
  for (let b = 0; b < fn.blocks.length; b++) {
    const isSecond = into.has(b);
    // The successors of the last are those of all.
    let last = b;
    while (into.has(last + 1)) last++;
    if (isSecond) {
      const header = editor.headerLines(b);
      edits.push({ start: text.lineStart(text.lineAt(editor.blockAt(b).start)), end: header.end, text: '' });
    } else if (last !== b) {
      edits.push({ ...editor.headerLines(b), text: editor.headerText(b, fn.blocks[last]!.successors, () => false) });
    }
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
      const i = fn.order[p]!;
      const isLeaving = editor.isBranch(i) && into.has(b + 1);
      if (isLeaving) edits.push({ ...editor.linesOf([i]), text: '' });
      else if (isSecond && editor.isPhi(i) && fn.numOperands(i) === 3) {
        const opcode = editor.opcodeAt(i);
        const from = editor.operandAt(i, fn.opBegin[i]! + 1);
        const to = editor.operandAt(i, fn.opBegin[i]! + 2);
        edits.push({ ...opcode, text: 'COPY' }, { start: from.end, end: to.end, text: '' });
      } else editReferences(editor, i, into, edits);
    }
  }
  return edits.sort((a, b) => a.start - b.start);
}

function editReferences(editor: BodyEditor, i: InstrId, into: ReadonlyMap<BlockId, BlockId>, edits: TextEdit[]): void {
  const { fn } = editor;
  for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++) {
    const target = fn.opKind[o] === OperandKind.MBB ? into.get(fn.opVal[o]!) : undefined;
    if (target !== undefined) edits.push({ ...editor.operandAt(i, o), text: `%bb.${editor.blockNumber(target)}` });
  }
}

function instructions(snapshot: Snapshot, view: FunctionView): Parts | null {
  const editor = BodyEditor.of(snapshot, view);
  const units = editor?.units() ?? [];
  if (editor === null || units.length === 0) return null;
  return {
    count: units.length,
    without: (gone) => {
      const shape = editor.whole();
      units.forEach(({ members }, k) => {
        if (gone[k]) for (const i of members) shape.goneInstrs[i] = 1;
      });
      return editor.edits(shape);
    },
  };
}

/** Instructions that make one register of another one of the same class: what reads the first reads the second instead, so that as much is alive as before. */
function bypasses(snapshot: Snapshot, view: FunctionView): Parts | null {
  const editor = BodyEditor.of(snapshot, view);
  if (editor === null) return null;
  const { fn } = editor;
  const nDefs = new Uint32Array(fn.vregs.n);
  for (let o = 0; o < fn.nOperands; o++)
    if (fn.opKind[o] === OperandKind.Register && isVirtualReg(fn.opVal[o]!) && (fn.opFlags[o]! & OpFlag.Def) !== 0)
      nDefs[virtRegIndex(fn.opVal[o]!)]!++;
  const isWhole = (o: OperandId): boolean =>
    isVirtualReg(fn.opVal[o]!) && fn.opSub[o] === 0 && nDefs[virtRegIndex(fn.opVal[o]!)] === 1;
  const found: { readonly i: InstrId; readonly made: number; readonly from: number }[] = [];
  for (const { members } of editor.units()) {
    const [i] = members as [InstrId];
    const first = fn.firstReg(i);
    if (members.length > 1 || editor.isPhi(i) || first !== fn.opBegin[i] || !isWhole(first)) continue;
    if ((fn.opFlags[first]! & OpFlag.Def) === 0) continue;
    const made = virtRegIndex(fn.opVal[first]!);
    for (let o = fn.nextReg(i, first); o >= 0; o = fn.nextReg(i, o)) {
      if (!editor.readsRegister(o) || !isWhole(o)) continue;
      const from = virtRegIndex(fn.opVal[o]!);
      if (from === made || fn.regClassOf(from) !== fn.regClassOf(made) || fn.regClassOf(made) < 0) continue;
      found.push({ i, made, from });
      break;
    }
  }
  if (found.length === 0) return null;
  return {
    count: found.length,
    without: (gone) => {
      const shape = editor.whole();
      const instead = new Map<number, number>();
      found.forEach(({ i, made, from }, k) => {
        if (!gone[k]) return;
        shape.goneInstrs[i] = 1;
        instead.set(made, from);
      });
      return editor.edits(shape, instead);
    },
  };
}

/** Live-ins of blocks. */
function liveIns(snapshot: Snapshot, view: FunctionView): Parts | null {
  const editor = BodyEditor.of(snapshot, view);
  if (editor === null) return null;
  const all = editor.fn.blocks.flatMap(({ liveIns: own }, b) => own.map((_, index) => ({ b, index })));
  if (all.length === 0) return null;
  return {
    count: all.length,
    without: (gone) =>
      editor.fn.blocks.flatMap((block, b) => {
        const lost = new Set(all.flatMap((own, k) => (own.b === b && gone[k] ? [own.index] : [])));
        if (lost.size === 0) return [];
        const successors = block.explicitSuccessors ? block.successors : [];
        return [{ ...editor.headerLines(b), text: editor.headerText(b, successors, (index) => lost.has(index)) }];
      }),
  };
}

/** Edits that a function makes of each instruction. */
function ofInstrs(
  snapshot: Snapshot,
  view: FunctionView,
  editsOf: (editor: BodyEditor, i: InstrId) => readonly (readonly TextEdit[])[],
): Parts | null {
  const editor = BodyEditor.of(snapshot, view);
  if (editor === null) return null;
  const all: (readonly TextEdit[])[] = [];
  for (let i = 0; i < editor.fn.nInstrs; i++) all.push(...editsOf(editor, i));
  return partsOfEdits(all);
}

const gap = (range: TextRange): TextEdit => ({ ...range, text: '' });

/** Without it the reader knows as much, or less. */
const FREE_FLAGS = /\b(?:killed|dead|renamable) /g;

const flags = (snapshot: Snapshot, view: FunctionView): Parts | null =>
  ofInstrs(snapshot, view, (editor, i) => {
    const { fn } = editor;
    const edits: TextEdit[][] = [];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if ((fn.opFlags[o]! & (OpFlag.Kill | OpFlag.Dead | OpFlag.Renamable)) === 0) continue;
      const { start } = editor.operandAt(i, o);
      const words = editor.operandText(i, o);
      for (const { index, 0: word } of words.matchAll(FREE_FLAGS))
        edits.push([{ start: start + index, end: start + index + word.length, text: '' }]);
    }
    return edits;
  });

/** `nofpexcept`, `nsw` and their like. */
const instrFlags = (snapshot: Snapshot, view: FunctionView): Parts | null =>
  ofInstrs(snapshot, view, (editor, i) => {
    if (editor.fn.instrFlags[i] === 0) return [];
    const opcode = editor.opcodeAt(i);
    const { start } = editor.instrAt(i);
    const lead = snapshot.text.slice(start, opcode.start);
    const words = /(?:[a-z][\w-]* +)+$/.exec(lead);
    if (words === null) return [];
    return [...words[0].matchAll(/[a-z][\w-]* +/g)].map(({ index, 0: word }) => {
      const at = start + words.index + index;
      return [{ start: at, end: at + word.length, text: '' }];
    });
  });

/** Implicit operands; those that the opcode asks for stay, since llc misses them. */
const implicits = (snapshot: Snapshot, view: FunctionView): Parts | null =>
  ofInstrs(snapshot, view, (editor, i) => {
    const { fn } = editor;
    const edits: TextEdit[][] = [];
    for (let o = fn.opBegin[i]! + 1; o < fn.opBegin[i + 1]!; o++) {
      if (fn.opKind[o] !== OperandKind.Register || (fn.opFlags[o]! & OpFlag.Implicit) === 0) continue;
      const before = editor.operandAt(i, o - 1);
      const { end } = editor.operandAt(i, o);
      // The first stands after the opcode without a comma, and one before `=` is written otherwise.
      if (/^\s*,/.test(snapshot.text.slice(before.end, end))) edits.push([gap({ start: before.end, end })]);
    }
    return edits;
  });

/** Registers that are read become `undef`. */
const reads = (snapshot: Snapshot, view: FunctionView): Parts | null =>
  ofInstrs(snapshot, view, (editor, i) => {
    const { fn } = editor;
    const edits: TextEdit[][] = [];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (!editor.readsRegister(o) || (fn.opVal[o]! > 0 && (fn.opFlags[o]! & OpFlag.Implicit) !== 0)) continue;
      const { start } = editor.operandAt(i, o);
      edits.push([{ start, end: start, text: 'undef ' }]);
    }
    return edits;
  });

const memoryOperands = (snapshot: Snapshot, view: FunctionView): Parts | null =>
  ofInstrs(snapshot, view, (editor, i) => {
    if (!editor.fn.memOperands[i]?.length) return [];
    const { start, end } = editor.instrAt(i);
    const at = snapshot.text.slice(start, end).lastIndexOf(' :: ');
    const brace = /\s*\{$/.exec(snapshot.text.slice(start, end))?.index ?? end - start;
    return at < 0 ? [] : [[gap({ start: start + at, end: start + brace })]];
  });

/** `debug-location`, symbols and their like, which stand after the operands. */
const trailers = (snapshot: Snapshot, view: FunctionView): Parts | null =>
  ofInstrs(snapshot, view, (editor, i) => {
    if (!editor.fn.extras.has(i)) return [];
    const { start, end } = editor.instrAt(i);
    const text = snapshot.text.slice(start, end);
    return [...text.matchAll(TRAILER)].map(({ index, 0: word }) => [
      gap({ start: start + index, end: start + index + word.length }),
    ]);
  });

const TRAILER =
  /,? *\b(?:debug-location (?:![0-9]+|!DILocation\([^)]*\))|debug-instr-number [0-9]+|(?:pre|post)-instr-symbol <mcsymbol [^>]*>|(?:heap-alloc-marker|pcsections|mmra) ![0-9]+|cfi-type [0-9]+)/g;

const immediates = (snapshot: Snapshot, view: FunctionView): Parts | null =>
  ofInstrs(snapshot, view, (editor, i) => {
    const { fn } = editor;
    const edits: TextEdit[][] = [];
    for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++)
      if (fn.opKind[o] === OperandKind.Immediate && /^-?[0-9]+$/.test(editor.operandText(i, o)) && fn.imm(o) !== 0)
        edits.push([{ ...editor.operandAt(i, o), text: '0' }]);
    return edits;
  });

/** The structure first; what only makes the lines shorter last. */
export const STRUCTURE: readonly Reduction[] = [
  { name: 'flags', parts: flags },
  { name: 'blocks', parts: blocks },
  { name: 'edges', parts: edges },
  { name: 'merged blocks', parts: merges },
  { name: 'instructions', parts: instructions },
  { name: 'bypassed instructions', parts: bypasses },
];

export const OPERANDS: readonly Reduction[] = [
  { name: 'registers read', parts: reads },
  { name: 'live-ins', parts: liveIns },
  { name: 'implicit operands', parts: implicits },
  { name: 'memory operands', parts: memoryOperands },
  { name: 'trailers of instructions', parts: trailers },
  { name: 'flags of instructions', parts: instrFlags },
  { name: 'immediates', parts: immediates },
];
