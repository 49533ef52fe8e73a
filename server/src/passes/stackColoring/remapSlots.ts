/** Whatever names a stack object that has become part of another, in instructions and in the module (StackColoring.cpp, LLVM 22). */
import { ModuleAliasQueries } from '../scheduler/dag/irAliasQueries.js';
import { Opcode, Constant, ValueAsMetadata, ValueKind, type Instruction, type IRFunction } from '../../ir/module.js';
import type { StackObject } from '../../model/header.js';
import type { MemOperand } from '../../model/memOperand.js';
import { OperandKind } from '../../model/machineFunction.js';
import { NotModelled } from '../machinePass.js';
import type { AnalysedFunction } from '../passContext.js';
import type { SlotLifetimes } from './slotLifetimes.js';

/** An object's alloca, and that which stands for it from now on. */
type Allocas = ReadonlyMap<Instruction, Instruction>;

/** @llvm StackColoring.cpp StackColoring::remapInstructions */
export function remapSlots(
  state: AnalysedFunction,
  mergedInto: ReadonlyMap<number, number>,
  lifetimes: SlotLifetimes,
): void {
  const { fn, context } = state;
  const { stack } = fn.header;
  moveDebugVariables(stack, mergedInto);
  const irFunction = context.ir?.functionByName(fn.header.name) ?? null;
  const allocas = new Map<Instruction, Instruction>();
  for (const [from, to] of mergedInto) {
    const [a, b] = [from, to].map((slot) => allocaOf(irFunction, stack[slot].name));
    if (a === null || b === null)
      throw new NotModelled('stack objects without a name that become one: llc-22 crashes here,');
    allocas.set(a, b);
  }
  if (context.ownsIR !== true) throw new NotModelled('stack objects that become one, in a module that others read,');
  replaceAllocas(irFunction!, allocas);
  const merged = new Set<string>([...allocas].flat().map((a) => a.name!));
  const queries = new ModuleAliasQueries(context.ir!, irFunction!, fn.subtarget.release.rules);
  const ids = new Set([...merged].flatMap((name) => queries.identifiedObjects({ kind: 'irValue', name }) ?? []));
  const isMerged = (m: MemOperand): boolean => {
    if (!/^(?:irValue|global|irConstant)$/.test(m.pointer.kind)) return false;
    const objects = queries.identifiedObjects(m.pointer);
    return objects === null || objects.length === 0 || objects.some((id) => ids.has(id));
  };
  const newNames = new Map([...allocas].map(([from, to]) => [from.name!, to.name!]));
  const editor = state.editor();
  const { list } = editor;
  for (const b of editor.blockOrder())
    for (let i = list.first(b); i >= 0; i = list.after(i)) {
      if (lifetimes.isMarker(i)) continue;
      for (let o = fn.opBegin[i], end = o + fn.numOperands(i); o < end; o++)
        if (fn.opKind[o] === OperandKind.FrameIndex) fn.opVal[o] = mergedInto.get(fn.opVal[o]) ?? fn.opVal[o];
      const memory = fn.memOperands[i];
      if (memory !== null)
        fn.memOperands[i] = memory
          .map((m) => withNewBase(m, mergedInto, newNames))
          .map((m) => (hasAliasInfo(m) && isMerged(m) ? withoutAliasInfo(m) : m));
    }
}

/** llc prints one behind the other what it knows of an object. */
function moveDebugVariables(stack: StackObject[], mergedInto: ReadonlyMap<number, number>): void {
  const before = [...stack];
  const withTexts = (slot: number, slots: readonly number[]): StackObject => {
    const joined = (key: 'debugVariable' | 'debugExpression' | 'debugLocation'): string =>
      slots.map((s) => before[s][key]).join('');
    return {
      ...stack[slot],
      debugVariable: joined('debugVariable'),
      debugExpression: joined('debugExpression'),
      debugLocation: joined('debugLocation'),
    };
  };
  for (const to of new Set(mergedInto.values()))
    stack[to] = withTexts(
      to,
      [...before.keys()].filter((slot) => (mergedInto.get(slot) ?? slot) === to),
    );
}

function allocaOf(irFunction: IRFunction | null, name: string): Instruction | null {
  if (irFunction === null || name === '') return null;
  for (const { instructions } of irFunction.blocks)
    for (const i of instructions) if (i.opcode === Opcode.Alloca && i.name === name) return i;
  return null;
}

/** The module says so, too: alias analysis goes by it later. */
function replaceAllocas(irFunction: IRFunction, allocas: Allocas): void {
  for (const [from, to] of allocas) {
    const { instructions } = from.parent;
    if (from.parent !== to.parent) throw new NotModelled('allocas of different blocks that become one');
    const [a, b] = [instructions.indexOf(from), instructions.indexOf(to)];
    if (a > b) continue;
    instructions.splice(b, 1);
    instructions.splice(a, 0, to);
  }
  for (const { instructions } of irFunction.blocks)
    for (const i of instructions) {
      for (const [k, value] of i.operands.entries()) i.operands[k] = allocas.get(value as Instruction) ?? value;
      i.debugRecords &&= i.debugRecords.map((record) => ({
        ...record,
        operands: record.operands.map((m) =>
          m instanceof ValueAsMetadata && allocas.has(m.value as Instruction)
            ? new ValueAsMetadata(new Constant(ValueKind.Poison, m.value.type, 0n, [], -1, 0, null))
            : m,
        ),
      }));
    }
}

function withNewBase(
  m: MemOperand,
  slots: ReadonlyMap<number, number>,
  names: ReadonlyMap<string, string>,
): MemOperand {
  const { pointer } = m;
  if (pointer.kind === 'frameIndex') {
    const index = slots.get(pointer.index);
    return index === undefined ? m : { ...m, pointer: { kind: 'frameIndex', index } };
  }
  if (pointer.kind !== 'irValue') return m;
  const name = names.get(pointer.name);
  return name === undefined ? m : { ...m, pointer: { kind: 'irValue', name } };
}

const hasAliasInfo = (m: MemOperand): boolean =>
  m.tbaa !== null || m.aliasScope !== null || m.noAlias !== null || m.noAliasAddrSpace !== null;

function withoutAliasInfo({ scopes: _, ...m }: MemOperand): MemOperand {
  return { ...m, tbaa: null, aliasScope: null, noAlias: null, noAliasAddrSpace: null };
}
