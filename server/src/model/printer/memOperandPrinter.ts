/**
 * Text of machine memory operands (MachineMemOperand::print, LLVM 22.1.8): `(load (s32) from %ir.p + 4, addrspace 1)`.
 */
import { printLLT, sizeInBits } from '../llt.js';
import type { MachineFunctionHeader } from '../header.js';
import { MemFlag, NO_BITS_ALIGN } from '../memOperand.js';
import type { MemOperand, MemPointer } from '../memOperand.js';
import { quoteNameOrNumber, quoteSymbolName, escapeString } from './symbolNames.js';

/** Words of the flags in printing order. */
const FLAG_WORDS: readonly (readonly [number, string])[] = [
  [MemFlag.Volatile, 'volatile '],
  [MemFlag.NonTemporal, 'non-temporal '],
  [MemFlag.Dereferenceable, 'dereferenceable '],
  [MemFlag.Invariant, 'invariant '],
  [MemFlag.NoClobber, '"amdgpu-noclobber" '],
  [MemFlag.LastUse, '"amdgpu-last-use" '],
  [MemFlag.Cooperative, '"amdgpu-cooperative" '],
  [MemFlag.ThreadPrivate, '"amdgpu-thread-private" '],
];
const WORD_FLAGS =
  MemFlag.Volatile |
  MemFlag.NonTemporal |
  MemFlag.Dereferenceable |
  MemFlag.Invariant |
  MemFlag.NoClobber |
  MemFlag.LastUse |
  MemFlag.Cooperative |
  MemFlag.ThreadPrivate;

const SMALLEST = -(2n ** 63n);

/** The memory operand in parentheses; frame indices are renumbered by `header`. */
export function printMemOperand(m: MemOperand, header: MachineFunctionHeader): string {
  let out = '(';
  if (m.flags & WORD_FLAGS) for (const [flag, word] of FLAG_WORDS) if (m.flags & flag) out += word;
  const isLoad = (m.flags & MemFlag.Load) !== 0;
  const isStore = (m.flags & MemFlag.Store) !== 0;
  if (isLoad) out += 'load ';
  if (isStore) out += 'store ';
  if (m.syncScope !== '') out += `syncscope("${escapeString(m.syncScope)}") `;
  if (m.ordering !== '') out += `${m.ordering} `;
  if (m.failureOrdering !== '') out += `${m.failureOrdering} `;
  out += m.type === null ? 'unknown-size' : `(${printLLT(m.type)})`;

  const word = isLoad ? (isStore ? ' on ' : ' from ') : ' into ';
  if (m.pointer.kind !== 'none') out += word + printMemPointer(m.pointer, header);
  else if (m.offset !== 0) out += `${word}unknown-address`;
  const { wideOffset } = m;
  // The negative of the smallest number is itself.
  if (wideOffset === SMALLEST) out += ` - ${SMALLEST}`;
  else if (wideOffset !== undefined) out += wideOffset < 0n ? ` - ${-wideOffset}` : ` + ${wideOffset}`;
  else if (m.offset !== 0) out += m.offset < 0 ? ` - ${-m.offset}` : ` + ${m.offset}`;

  // A factor of the exact offset that is no larger than alignments are.
  const align = commonAlignment(
    m.baseAlign,
    wideOffset === undefined ? m.offset : Number(BigInt.asIntN(53, wideOffset)),
  );
  // Of an access of no bits the alignment is not said.
  const bytes = m.type === null ? -1 : Math.ceil(sizeInBits(m.type) / 8);
  if (bytes !== 0 && align !== bytes) out += `, align ${BigInt(align)}`;
  // LLVM prints 1 << 255 as a shift of 64 bits, and compares it with what is left of it.
  if (m.baseAlign === NO_BITS_ALIGN) out += `, basealign ${2n ** 63n}`;
  else if (align !== m.baseAlign) out += `, basealign ${BigInt(m.baseAlign)}`;
  if (m.tbaa !== null) out += `, !tbaa ${m.tbaa}`;
  if (m.aliasScope !== null) out += `, !alias.scope ${m.aliasScope}`;
  if (m.noAlias !== null) out += `, !noalias ${m.noAlias}`;
  if (m.noAliasAddrSpace !== null) out += `, !noalias.addrspace ${m.noAliasAddrSpace}`;
  if (m.range !== null) out += `, !range ${m.range}`;
  if (m.addressSpace !== 0) out += `, addrspace ${m.addressSpace}`;
  return `${out})`;
}

/** Largest power of two that divides both `base` and `offset` (bytes). */
function commonAlignment(base: number, offset: number): number {
  if (offset === 0) return base;
  let align = base;
  while (align > 1 && offset % align !== 0) align /= 2;
  return align;
}

function printMemPointer(p: MemPointer, header: MachineFunctionHeader): string {
  switch (p.kind) {
    case 'none':
      return '';
    case 'irValue':
      return `%ir.${quoteNameOrNumber(p.name)}`;
    case 'global':
      return `@${quoteNameOrNumber(p.name)}`;
    case 'irConstant':
      return `\`${p.text}\``;
    case 'stack':
      return 'stack';
    case 'got':
      return 'got';
    case 'jumpTable':
      return 'jump-table';
    case 'constantPool':
      return 'constant-pool';
    case 'frameIndex':
      return printFrameIndex(p.index, header);
    case 'callEntry':
      return `call-entry ${p.isExternal ? `&${quoteSymbolName(p.name)}` : `@${quoteNameOrNumber(p.name)}`}`;
    case 'custom':
      return `custom "${escapeString(p.name)}"`;
  }
}

/**
 * `%stack.N[.name]` or `%fixed-stack.N`. Frame index as in OperandKind.FrameIndex. Fixed objects are numbered from the
 * one created last, as MachineFrameInfo keeps them.
 */
export function printFrameIndex(index: number, header: MachineFunctionHeader): string {
  if (index < 0) return `%fixed-stack.${header.fixedStack.length - 1 - ~index}`;
  const name = header.stack[index]?.name;
  return name ? `%stack.${index}.${name}` : `%stack.${index}`;
}
