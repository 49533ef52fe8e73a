/** Memory operands: whole ones after `::`, and their parts. */
import { CompletionItemKind } from 'vscode-languageserver-types';
import { Tok } from '../../syntax/lexer.js';
import { isSMRD, McFlag, type Opcode, type Subtarget, type TargetTables } from '../../target/index.js';
import { pointerAddressSpace } from '../../ir/module.js';
import { EntityKind } from '../symbols/symbolIndex.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { snippetText, type Candidate } from './candidate.js';
import type { FunctionScope } from './functionScope.js';
import type { InstrLine } from './instrLine.js';
import { memoryAccess } from './memoryAccess.js';
import { globals, stackObjects } from './namedItems.js';
import { opcodeOf } from './operandItems.js';
import { POINTS } from './points.js';

/** LLVM's address spaces of AMDGPU. */
const ADDRESS_SPACES: readonly (readonly [number, string])[] = [
  [0, 'flat'],
  [1, 'global'],
  [2, 'region (GDS)'],
  [3, 'local (LDS)'],
  [4, 'constant'],
  [5, 'private (scratch)'],
  [6, 'constant, 32 bits'],
  [7, 'buffer fat pointer'],
  [8, 'buffer resource'],
  [9, 'buffer strided pointer'],
];

const PRIVATE = 5;

const word = (label: string, detail: string, score: number, snippet?: string): Candidate => ({
  label,
  kind: CompletionItemKind.Keyword,
  detail: ` ${detail}`,
  score,
  ...(snippet === undefined ? {} : { snippet }),
});

export function memoryCandidates(
  snapshot: Snapshot,
  line: InstrLine,
  scope: FunctionScope,
  st: Subtarget,
): Candidate[] {
  const { tokens, hole, memory, text } = line;
  let open = -1;
  let depth = 0;
  for (let i = memory + 1; i < hole; i++) {
    const { tok } = tokens[i]!;
    if (tok === Tok.LParen && depth++ === 0) open = i;
    if (tok === Tok.RParen && --depth === 0) open = -1;
  }
  if (open < 0) return whole(line, scope, st);
  const before = tokens.slice(open + 1, hole);
  const previous = before.at(-1);
  const last = previous ? text.slice(previous.start, previous.end) : '';
  const words = new Set(before.map((t) => text.slice(t.start, t.end)));
  if (last === 'align' || last === 'basealign')
    return [1, 2, 4, 8, 16, 32, 64, 128, 256].map((n) => word(String(n), 'bytes', n === 4 ? 1 : -n / 1000));
  if (last === 'addrspace') return ADDRESS_SPACES.map(([n, name]) => word(String(n), name, -n));
  if (last === 'from' || last === 'into' || last === 'on') return pointers(snapshot, line, scope, st);
  if (depth > 1) return sizes(line, scope, st);
  if (last === 'load' || last === 'store')
    return [
      ...sizes(line, scope, st).map((c) => ({ ...c, label: `(${c.label})` })),
      word('unknown-size', 'the size is not known', -5),
      word('syncscope', 'of an atomic access', -6, 'syncscope("${1:agent}")$0'),
      ...['unordered', 'monotonic', 'acquire', 'release', 'acq_rel', 'seq_cst'].map((o) =>
        word(o, 'atomic ordering', -7),
      ),
    ];
  if (!words.has('load') && !words.has('store'))
    return [
      word('load', 'reads memory', reads(st.tables, opcodeOf(line, st.tables)) ? 10 : 5),
      word('store', 'writes memory', reads(st.tables, opcodeOf(line, st.tables)) ? 4 : 10),
      word('volatile', 'the access itself counts', 1),
      word('non-temporal', 'will not be used again soon', 0),
      word('dereferenceable', 'may be done early', 2),
      word('invariant', 'the memory never changes', 2),
    ].filter((c) => !words.has(c.label));
  const hasPointer = ['from', 'into', 'on'].some((w) => words.has(w));
  const isBoth = words.has('load') && words.has('store');
  return [
    ...(hasPointer ? [] : [word(isBoth ? 'on' : words.has('load') ? 'from' : 'into', 'the address', 20)]),
    ...(words.has('load') && !words.has('store') ? [word('store', 'writes memory, too', 0)] : []),
    word('align', 'of the address, in bytes', 15, 'align ${1:4}$0'),
    word('basealign', 'of the address before the offset, in bytes', 3, 'basealign ${1:4}$0'),
    word('addrspace', 'address space', 14, 'addrspace ${1:1}$0'),
    ...['!tbaa', '!alias.scope', '!noalias', '!range'].map((w) => word(w, 'metadata', -2, `${w} !\${1:0}$0`)),
  ].filter((c) => !words.has(c.label));
}

const reads = (tables: TargetTables, opc: Opcode): boolean =>
  opc < 0 || ((tables.opcodeFlagsLo(opc) >>> McFlag.MayLoad) & 1) !== 0;

/** After the last operand: what the instruction touches in memory, with the colons. */
export const memoryTrailers = (line: InstrLine, scope: FunctionScope, st: Subtarget): Candidate[] =>
  whole(line, scope, st).map(({ label, snippet, ...rest }) => ({
    ...rest,
    label: `:: ${label}`,
    ...(snippet === undefined ? {} : { snippet: `:: ${snippet}` }),
  }));

/** Those that this function has for the opcode, then what its data and address space ask for. */
function whole(line: InstrLine, scope: FunctionScope, st: Subtarget): Candidate[] {
  const { tables } = st;
  const opc = opcodeOf(line, tables);
  const { view } = scope;
  const counts = new Map<string, number>();
  if (opc >= 0)
    scope.eachWith(opc, (fn, i) => {
      if (fn !== view.fn || !fn.source || (fn.memOperands[i]?.length ?? 0) === 0) return;
      const { start, end } = fn.source.memOperandRange(i, 0);
      const text = scope.slice(start, end);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    });
  const items: Candidate[] = [...counts].map(([label, n]) => ({
    label,
    kind: CompletionItemKind.Snippet,
    score: 20 + n,
    description: `used ${n} x here`,
  }));
  const { type, addressSpace: space } = memoryAccess(line, scope, st, opc);
  const suffix = space === 0 ? '' : `, addrspace ${space}`;
  const flags = opc >= 0 && isSMRD(tables, opc) ? 'dereferenceable invariant ' : '';
  const kinds =
    opc < 0 ? ['load', 'store'] : [...(reads(tables, opc) ? ['load'] : []), ...(writes(tables, opc) ? ['store'] : [])];
  for (const kind of kinds.length === 2 && opc >= 0 ? ['load store'] : kinds) {
    const label = `(${flags}${kind} (${type})${suffix})`;
    const stop = `(${flags}${kind} (\${1:${snippetText(type)}})${suffix === '' ? '' : `, addrspace \${2:${space}}`})$0`;
    items.push({ label, kind: CompletionItemKind.Snippet, score: 10, snippet: stop });
  }
  return items;
}

const writes = (tables: TargetTables, opc: Opcode): boolean =>
  opc < 0 || ((tables.opcodeFlagsLo(opc) >>> McFlag.MayStore) & 1) !== 0;

function sizes(line: InstrLine, scope: FunctionScope, st: Subtarget): Candidate[] {
  const own = memoryAccess(line, scope, st, opcodeOf(line, st.tables)).type;
  const usual = [
    's8',
    's16',
    's32',
    's64',
    's96',
    's128',
    '<2 x s32>',
    '<4 x s32>',
    '<8 x s32>',
    '<16 x s32>',
    'p0',
    'p1',
    'p3',
  ];
  return [...new Set([own, ...usual])].map((label, k) => ({
    label,
    kind: CompletionItemKind.TypeParameter,
    score: -k,
  }));
}

/** Addresses: IR values of the function, globals, stack objects, and the places that have names of their own. */
function pointers(snapshot: Snapshot, line: InstrLine, scope: FunctionScope, st: Subtarget): Candidate[] {
  const items: Candidate[] = [];
  const labels: string[] = [];
  const seen = new Set<string>();
  for (const { kind, name, fn } of snapshot.irSymbols?.symbols.occurrences ?? []) {
    if (kind !== EntityKind.IRLocal || fn !== scope.view.name || seen.has(name)) continue;
    seen.add(name);
    const value = scope.view.module?.functionByName(fn)?.valueByName(name) ?? null;
    // llc takes pointers only, and a block is none.
    if (value !== null && pointerAddressSpace(value) < 0) continue;
    labels.push(`%ir.${/^[\w.$-]+$/.test(name) ? name : JSON.stringify(name)}`);
  }
  const { used, last } = pointersOfBody(scope);
  const next = labels.indexOf(last) + 1;
  labels.forEach((label, k) => {
    const far = POINTS.irPointerFarther * Math.log2(1 + Math.abs(k - next));
    const score = POINTS.irPointer - far + (used.has(label) ? 0 : POINTS.irPointerUnused) - k / 1000;
    items.push({ label, kind: CompletionItemKind.Reference, score, detail: ' IR value' });
  });
  items.push(...globals(snapshot).map((c) => ({ ...c, score: POINTS.globalPointer })));
  const own = line.tokens.slice(0, line.memory).map((t) => line.text.slice(t.start, t.end));
  const isPrivate = memoryAccess(line, scope, st, opcodeOf(line, st.tables)).addressSpace === PRIVATE;
  const isObject = ({ label }: Candidate): boolean => /^%(?:fixed-)?stack\./.test(label);
  const objectPoints = (label: string): number =>
    own.includes(label) ? POINTS.objectOfLine : isPrivate ? POINTS.objectOfPrivate : 0;
  const objects = stackObjects(scope, POINTS.globalPointer).filter(isObject);
  items.push(...objects.map((c) => ({ ...c, score: c.score + objectPoints(c.label) })));
  items.push(
    word('unknown-address', 'nothing is known of it', 2),
    word('constant-pool', 'the constant pool', 0),
    word('stack', 'the stack', 1),
    word('got', 'the global offset table', 0),
    word('jump-table', 'a jump table', 0),
    word('custom', "the target's own kind of memory", 1, 'custom "${1:BufferResource}"$0'),
    word('call-entry', 'the address of a function', 0, 'call-entry @${1}$0'),
  );
  return items;
}

const POINTER = /%ir\.(?:[\w.$-]+|"[^"\n]*")/g;

/** Pointers of the IR that the body has, and the last of them above the cursor's line. */
function pointersOfBody({ view, snapshot, lineStart, lineEnd }: FunctionScope): { used: Set<string>; last: string } {
  const used = new Set<string>();
  let last = '';
  if (view.body === null) return { used, last };
  const from = view.start + view.body.start;
  for (const { 0: label, index } of snapshot.text.slice(from, from + view.body.length).matchAll(POINTER)) {
    if (from + index < lineStart) last = label;
    if (from + index < lineStart || lineEnd < from + index) used.add(label);
  }
  return { used, last };
}
