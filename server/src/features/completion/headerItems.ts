/** Keys and values of a machine function's header, by the column they stand in and the keys above. */
import { CompletionItemKind } from 'vscode-languageserver-types';
import type { RegClassId, TargetTables } from '../../target/index.js';
import { HEADER_KEYS } from '../words/headerKeys.js';
import { EntityKind, Role } from '../symbols/symbolIndex.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { snippetText, type Candidate } from './candidate.js';
import { USUAL_CLASSES } from './operandItems.js';

/** The place of the cursor in a header. */
export interface HeaderPlace {
  /** keys above, outermost first; the last one is the cursor's own when `isValue` */
  readonly path: readonly string[];
  readonly isValue: boolean;
  /** keys that the mapping has already */
  readonly siblings: ReadonlySet<string>;
  /** inside of `{ ... }` */
  readonly isFlow: boolean;
  /** where the word begins, in the text */
  readonly wordStart: number;
  /** the quote before the word, empty without one, and whether it stands after it, too */
  readonly quote: string;
  readonly isClosed: boolean;
}

const MAX_LINES_UP = 2000;
/** Characters after the cursor that are looked at for keys of its braces. */
const MAX_BEHIND = 1000;
const KEY = /^(\s*(?:- +)*)(?:(['"]?)([\w.-]+)\2\s*:(?=\s|$)\s*)?/;

/** Null where no key or value can stand. O(lines above up to the key at the first column) */
export function headerPlace(
  text: string,
  docStart: number,
  docEnd: number,
  lineStart: number,
  cursor: number,
): HeaderPlace | null {
  const typed = text.slice(lineStart, cursor);
  if (/(?:^|\s)#/.test(typed) || /^(?:---|\.\.\.)/.test(typed)) return null;
  const braces = flowPart(text, docStart, cursor);
  if (braces !== null) lineStart = Math.min(lineStart, text.lastIndexOf('\n', braces.at) + 1);
  const lead = braces === null ? typed : text.slice(lineStart, braces.at);
  const word = wordAt(text, lineStart, cursor);
  const [, indent = '', , key] = KEY.exec(lead)!;
  const column = indent.length;
  const path: string[] = [];
  const siblings = new Set<string>();
  // The keys above, from the inside out.
  let limit = column;
  let end = lineStart;
  for (let n = 0; n < MAX_LINES_UP && end > docStart && limit > 0; n++) {
    const start = text.lastIndexOf('\n', end - 2) + 1;
    const [, space = '', , above] = KEY.exec(text.slice(start, end - 1).replace(/\r$/, ''))!;
    if (above !== undefined && space.length < limit) {
      // `- id: 0` has its key at the column of those below.
      path.unshift(above);
      limit = space.replace(/- +$/, '').length < space.length ? space.indexOf('-') : space.length;
      if (space.includes('-')) path.shift();
    }
    end = start;
  }
  for (const sibling of siblingKeys(text, docStart, docEnd, lineStart, column)) siblings.add(sibling);
  if (braces !== null) {
    const inner = new Set([...braces.keys, ...keysBehind(text, cursor, docEnd)]);
    if (key !== undefined) path.push(key);
    if (braces.isValue) path.push(braces.key);
    return { path, isValue: braces.isValue, siblings: inner, isFlow: true, ...word };
  }
  if (key === undefined) return { path, isValue: false, siblings, isFlow: false, ...word };
  siblings.delete(key);
  return { path: [...path, key], isValue: true, siblings, isFlow: false, ...word };
}

function wordAt(
  text: string,
  lineStart: number,
  cursor: number,
): Pick<HeaderPlace, 'wordStart' | 'quote' | 'isClosed'> {
  const [lead, quote = ''] = /(['"]?)[\w.$%@:_-]*$/.exec(text.slice(lineStart, cursor))!;
  return { wordStart: cursor - lead.length + quote.length, quote, isClosed: quote !== '' && text[cursor] === quote };
}

/**
 * The innermost open `{` before the cursor, the keys in it, and the key whose value the cursor is in. What is in braces may go on in lines that are
 * indented, as llc prints it.
 */
function flowPart(
  text: string,
  docStart: number,
  cursor: number,
): { at: number; keys: string[]; key: string; isValue: boolean } | null {
  let depth = 0;
  let at = cursor - 1;
  for (; ; at--) {
    if (at < docStart || (text[at] === '\n' && !/[ \t]/.test(text[at + 1] ?? ''))) return null;
    if (text[at] === '}') depth++;
    else if (text[at] === '{' && depth-- === 0) break;
  }
  const pairs = text.slice(at + 1, cursor).split(',');
  const keys = pairs.map((p) => p.split(':')[0]!.trim());
  const isValue = /^\s*[\w.-]+\s*:\s/.test(pairs.at(-1)!);
  return { at, keys: isValue ? keys : keys.slice(0, -1), key: keys.at(-1)!, isValue };
}

/** Keys between the cursor's pair and the end of its braces. */
function keysBehind(text: string, cursor: number, docEnd: number): string[] {
  const rest = /^(?:[^{}\r\n]|\r?\n(?=[ \t]+[^\s-]))*/.exec(
    text.slice(cursor, Math.min(docEnd, cursor + MAX_BEHIND)),
  )![0];
  return rest
    .split(',')
    .slice(1)
    .map((p) => p.split(':')[0]!.trim());
}

/** Keys at the cursor's column around its line, as far as nothing stands further left and no other item of the list begins. */
function siblingKeys(text: string, docStart: number, docEnd: number, lineStart: number, column: number): string[] {
  const keys: string[] = [];
  /** whether the lines after it may have others; `isBelow`: the dash of a line begins another item */
  const look = (line: string, isBelow: boolean): boolean => {
    const [, space = '', , key] = KEY.exec(line)!;
    if (line.trim() === '' || /^\s*#/.test(line)) return true;
    if (space.length < column || /^(?:---|\.\.\.)/.test(line)) return false;
    const isItem = space.length === column && space.includes('-');
    if (isItem && isBelow) return false;
    if (key !== undefined && space.length === column) keys.push(key);
    return !isItem;
  };
  const below = text.slice(lineStart, Math.min(docEnd, lineStart + 100_000)).split(/\r\n|\n|\r/);
  for (let i = 1; i < below.length && i < MAX_LINES_UP; i++) if (!look(below[i]!, true)) break;
  if (KEY.exec(below[0]!)![1]!.includes('-')) return keys;
  const above = text.slice(docStart, lineStart).split(/\r\n|\n|\r/);
  for (let i = above.length - 2, n = 0; i >= 0 && n < MAX_LINES_UP; i--, n++) if (!look(above[i]!, false)) break;
  return keys;
}

/** Keys whose values are `true` or `false`. */
const BOOLEANS = new Set(
  `exposesReturnsTwice legalized regBankSelected selected failedISel tracksRegLiveness hasWinCFI noPhis isSSA noVRegs hasFakeUses
  callsEHReturn callsUnwindInit hasEHContTarget hasEHScopes hasEHFunclets isOutlined debugInstrRef failsVerification tracksDebugUserValues
  frameInfo.isFrameAddressTaken frameInfo.isReturnAddressTaken frameInfo.hasStackMap frameInfo.hasPatchPoint frameInfo.adjustsStack
  frameInfo.hasCalls frameInfo.hasOpaqueSPAdjustment frameInfo.hasVAStart frameInfo.hasMustTailInVarArgFunc frameInfo.hasTailCall
  frameInfo.isCalleeSavedInfoValid stack.callee-saved-restored fixedStack.isImmutable fixedStack.isAliased constants.isTargetSpecific
  fixedStack.callee-saved-restored machineFunctionInfo.isEntryFunction machineFunctionInfo.isChainFunction machineFunctionInfo.noSignedZerosFPMath machineFunctionInfo.memoryBound
  machineFunctionInfo.waveLimiter machineFunctionInfo.hasSpilledSGPRs machineFunctionInfo.hasSpilledVGPRs machineFunctionInfo.returnsVoid
  machineFunctionInfo.mode.ieee machineFunctionInfo.mode.dx10-clamp machineFunctionInfo.mode.fp32-input-denormals
  machineFunctionInfo.mode.fp32-output-denormals machineFunctionInfo.mode.fp64-fp16-input-denormals
  machineFunctionInfo.mode.fp64-fp16-output-denormals machineFunctionInfo.hasInitWholeWave machineFunctionInfo.isWholeWaveFunction`.split(
    /\s+/,
  ),
);

/** Values of keys that take one of a few words. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  'stack.type': ['default', 'spill-slot', 'variable-sized'],
  'fixedStack.type': ['default', 'spill-slot'],
  'stack.stack-id': ['default', 'sgpr-spill', 'scalable-vector', 'wasm-local', 'noalloc'],
  'fixedStack.stack-id': ['default', 'sgpr-spill', 'scalable-vector', 'wasm-local', 'noalloc'],
  'jumpTable.kind': [
    'block-address',
    'gp-rel64-block-address',
    'gp-rel32-block-address',
    'label-difference32',
    'inline',
    'custom32',
  ],
  'registers.flags': ['WWM_REG'],
  'machineFunctionInfo.scratchRSrcReg': [
    '$private_rsrc_reg',
    '$sgpr0_sgpr1_sgpr2_sgpr3',
    '$sgpr96_sgpr97_sgpr98_sgpr99',
  ],
  'machineFunctionInfo.frameOffsetReg': ['$fp_reg', '$sgpr33', '$sgpr101'],
  'machineFunctionInfo.stackPtrOffsetReg': ['$sp_reg', '$sgpr32', '$sgpr101'],
};

/** Keys of lists, with a first item. */
const LISTS: Readonly<Record<string, string>> = {
  registers: '\n  - { id: ${1:0}, class: ${2:vgpr_32} }',
  liveins: "\n  - { reg: '\\$${1:sgpr0}', virtual-reg: '${2}' }",
  stack: '\n  - { id: ${1:0}, type: ${2:default}, size: ${3:4}, alignment: ${4:4} }',
  fixedStack: '\n  - { id: ${1:0}, type: default, offset: ${2:0}, size: ${3:4}, alignment: ${4:4} }',
  constants: "\n  - id: ${1:0}\n    value: '${2:i32 0}'\n    alignment: ${3:4}",
};

const MAPPINGS = new Set([
  'frameInfo',
  'machineFunctionInfo',
  'machineFunctionInfo.mode',
  'machineFunctionInfo.argumentInfo',
  'jumpTable',
]);

/** Keys of `argumentInfo`, with the usual register of each. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  privateSegmentBuffer: '$sgpr0_sgpr1_sgpr2_sgpr3',
  dispatchPtr: '$sgpr4_sgpr5',
  queuePtr: '$sgpr6_sgpr7',
  kernargSegmentPtr: '$sgpr8_sgpr9',
  dispatchID: '$sgpr10_sgpr11',
  flatScratchInit: '$sgpr12_sgpr13',
  LDSKernelId: '$sgpr15',
  privateSegmentSize: '$sgpr14',
  firstKernArgPreloadReg: '$sgpr8',
  workGroupIDX: '$sgpr6',
  workGroupIDY: '$sgpr7',
  workGroupIDZ: '$sgpr8',
  workGroupInfo: '$sgpr9',
  privateSegmentWaveByteOffset: '$sgpr33',
  implicitArgPtr: '$sgpr6_sgpr7',
  implicitBufferPtr: '$sgpr0_sgpr1',
  workItemIDX: '$vgpr0',
  workItemIDY: '$vgpr1',
  workItemIDZ: '$vgpr2',
};

/** Properties that a hand-written test sets, those of each mapping most useful first. */
const USUAL = [
  'name',
  'tracksRegLiveness',
  'registers',
  'machineFunctionInfo',
  'liveins',
  'frameInfo',
  'stack',
  'body',
  ...'id class preferred-register flags'.split(' ').map((k) => `registers.${k}`),
  ...'reg virtual-reg'.split(' ').map((k) => `liveins.${k}`),
  ...'id type offset size alignment stack-id name'.split(' ').flatMap((k) => [`stack.${k}`, `fixedStack.${k}`]),
  ...'id value alignment'.split(' ').map((k) => `constants.${k}`),
  ...'maxAlignment hasCalls adjustsStack stackSize'.split(' ').map((k) => `frameInfo.${k}`),
  ...`isEntryFunction scratchRSrcReg frameOffsetReg stackPtrOffsetReg argumentInfo ldsSize occupancy mode explicitKernArgSize
  maxKernArgAlign waveLimiter memoryBound returnsVoid sgprForEXECCopy wwmReservedRegs`
    .split(/\s+/)
    .map((k) => `machineFunctionInfo.${k}`),
];

/** `tables` null: the target is another's, and only what every target has is proposed. */
export function headerCandidates(snapshot: Snapshot, place: HeaderPlace, tables: TargetTables | null): Candidate[] {
  const { path, isValue, siblings, isFlow } = place;
  if (tables === null && path[0] === 'machineFunctionInfo') return [];
  if (isValue) return quoted(values(snapshot, path, tables), place);
  const prefix = path.join('.');
  if (path[0] === 'machineFunctionInfo' && path[1] === 'argumentInfo') return argumentKeys(path, siblings);
  const own = path.length === 0 ? '' : `${prefix}.`;
  const items: Candidate[] = [];
  if (!isFlow && siblings.size === 0 && path.length === 1) items.push(...entries(snapshot, place, path[0]!));
  for (const key of Object.keys(HEADER_KEYS)) {
    if (!key.startsWith(own)) continue;
    const name = key.slice(own.length);
    if (name === '' || name.includes('.') || siblings.has(name)) continue;
    items.push(keyItem(key, name, isFlow));
  }
  // Fixed stack objects have most of the keys of the others.
  if (path[0] === 'fixedStack' && path.length === 1)
    for (const name of [
      'type',
      'offset',
      'size',
      'alignment',
      'stack-id',
      'callee-saved-register',
      'callee-saved-restored',
    ])
      if (!siblings.has(name)) items.push(keyItem(`fixedStack.${name}`, name, isFlow));
  return tables === null ? items.map(withoutTarget) : items;
}

/** Classes and registers in snippets are AMDGPU's; a generic register every target has. */
const withoutTarget = (c: Candidate): Candidate =>
  c.snippet === undefined ? c : { ...c, snippet: c.snippet.replace('vgpr_32', '_').replace('${1:sgpr0}', '${1}') };

function keyItem(path: string, name: string, isFlow: boolean): Candidate {
  const usual = USUAL.indexOf(path);
  const score = usual < 0 ? -USUAL.length : -usual;
  const shared = { label: name, kind: CompletionItemKind.Property, score, about: { what: 'key', name: path } as const };
  // llc's own files have the values of the outer keys in one column.
  const gap = isFlow || path.includes('.') ? ' ' : ' '.repeat(Math.max(1, 16 - name.length));
  if (BOOLEANS.has(path))
    return { ...shared, insert: `${name}:${gap}true`, snippet: `${name}:${gap}\${1|true,false|}$0` };
  if (LISTS[path] !== undefined && !isFlow)
    return { ...shared, insert: `${name}:`, snippet: `${name}:${LISTS[path]}$0` };
  if (MAPPINGS.has(path) && !isFlow)
    return { ...shared, insert: `${name}:`, snippet: `${name}:\n  ${path.includes('.') ? '  ' : ''}$0` };
  if (path === 'body')
    return { ...shared, insert: `${name}:             |`, snippet: `${name}:             |\n  bb.0:\n    $0` };
  return { ...shared, insert: `${name}:${gap}`, goesOn: true };
}

const ENTRY_KINDS: Readonly<Record<string, EntityKind>> = {
  registers: EntityKind.VReg,
  stack: EntityKind.Stack,
  fixedStack: EntityKind.FixedStack,
};

/** A whole entry of a list, under the first number that the body has and the list lacks, or the next one. */
function entries(snapshot: Snapshot, { wordStart }: HeaderPlace, key: string): Candidate[] {
  const kind = ENTRY_KINDS[key];
  const view = snapshot.functionAt(wordStart);
  const text = LISTS[key];
  if (kind === undefined || view === null || text === undefined) return [];
  const { symbols } = view;
  let next = 0;
  let waiting = Infinity;
  for (let e = 0; e < symbols.nEntities; e++) {
    const name = symbols.nameOf(e);
    const places = [...symbols.occurrences(e)];
    if (symbols.kinds[e] !== kind || !/^\d+$/.test(name) || places.length === 0) continue;
    next = Math.max(next, Number(name) + 1);
    if (!places.some((i) => (symbols.role[i]! & Role.Header) !== 0)) waiting = Math.min(waiting, Number(name));
  }
  const id = Math.min(waiting, next);
  const snippet = `${text.replace(/^\n {2}- /, '').replace('${1:0}', `\${1:${id}}`)}$0`;
  const label = `{ id: ${id}, ... }`;
  return [{ label, kind: CompletionItemKind.Snippet, score: 10, insert: `{ id: ${id} }`, snippet }];
}

function argumentKeys(path: readonly string[], siblings: ReadonlySet<string>): Candidate[] {
  if (path.length > 2)
    return ['reg', 'offset', 'mask']
      .filter((k) => !siblings.has(k))
      .map((label) => ({
        label,
        insert: `${label}: `,
        kind: CompletionItemKind.Property,
        score: 0,
        about: { what: 'key', name: label },
      }));
  return Object.entries(ARGUMENTS)
    .filter(([name]) => !siblings.has(name))
    .map(([label, reg], k) => ({
      label,
      kind: CompletionItemKind.Property,
      score: -k,
      insert: `${label}: { reg: '${reg}' }`,
      snippet: `${label}: { reg: '\${1:${snippetText(reg)}}' }$0`,
    }));
}

const value = (label: string, score: number, description = ''): Candidate => ({
  label,
  kind: CompletionItemKind.Value,
  score,
  description,
});

/** After a quote of the text, the values that have quotes of their own go without. */
const quoted = (items: Candidate[], { quote, isClosed }: HeaderPlace): Candidate[] =>
  quote === '' ? items : items.map((c) => ({ ...c, insert: `${c.label}${isClosed ? '' : quote}` }));

/** Keys whose values are registers. */
const REGISTER_KEY = /(?:^|\.)(?:reg|preferred-register|callee-saved-register|\w+Reg)$/;

function values(snapshot: Snapshot, path: readonly string[], tables: TargetTables | null): Candidate[] {
  const key = path.join('.');
  if (BOOLEANS.has(key)) return [value('true', 1), value('false', 0)];
  const words = WORDS[key];
  const isOfTarget = key === 'registers.class' || key === 'registers.flags' || REGISTER_KEY.test(key);
  if (tables === null && isOfTarget) return [];
  if (words) return words.map((w, k) => (w.startsWith('$') ? { ...value(w, -k), insert: `'${w}'` } : value(w, -k)));
  if (key === 'registers.class' && tables !== null) {
    const counts = new Map<number, number>();
    for (const { fn } of snapshot.functions)
      for (const rc of fn?.vregs.regClass.subarray(0, fn.vregs.n) ?? []) counts.set(rc, (counts.get(rc) ?? 0) + 1);
    const items = [value('_', 1, 'generic')];
    for (let c = 0; c < tables.nRegClasses; c++)
      items.push({
        ...value(tables.regClassMirName(c), classScore(tables, c, counts.get(c) ?? 0)),
        kind: CompletionItemKind.Class,
        detail: ` ${tables.regClassBits[c]!} bits`,
        about: { what: 'class', name: tables.regClassMirName(c) },
      });
    for (let bank = 0; bank < tables.nRegBanks; bank++)
      items.push(value(tables.regBankName(bank).toLowerCase(), -5, 'bank'));
    return items;
  }
  if (key === 'name') return unusedFunctions(snapshot);
  if (REGISTER_KEY.test(key) && tables !== null) {
    const usual = path[1] === 'argumentInfo' ? ARGUMENTS[path[2] ?? ''] : undefined;
    const items: Candidate[] = [];
    for (let reg = 1; reg < tables.nRegs; reg++)
      if (!tables.isArtificialReg(reg))
        items.push({
          ...value(`$${tables.regName(reg)}`, registerScore(tables.regName(reg), usual) - reg / 1e5),
          insert: `'$${tables.regName(reg)}'`,
        });
    return items;
  }
  if (/(?:^|\.)(?:alignment|maxAlignment|maxKernArgAlign|dynLDSAlign)$/.test(key))
    return ['1', '2', '4', '8', '16', '32', '64'].map((n, k) => value(n, -Math.abs(k - 2)));
  return [];
}

/** The register that the ABI has there, those of its width, then SGPRs and VGPRs, alone before in tuples. */
function registerScore(name: string, usual: string | undefined): number {
  const width = (of: string): number => of.split('_').length;
  if (usual === `$${name}`) return 200;
  const isGeneral = /^[sv]gpr\d+(?:_[sv]gpr\d+)*$/.test(name);
  const alike = usual !== undefined && width(name) === width(usual) && name[0] === usual[1];
  return (isGeneral ? 20 : 0) + (isGeneral && alike ? 50 : 0) - (isGeneral ? width(name) / 4 : 0);
}

function classScore(tables: TargetTables, c: RegClassId, uses: number): number {
  const usual = USUAL_CLASSES.indexOf(tables.regClassMirName(c));
  return (
    (uses > 0 ? 30 + Math.log2(uses) : 0) +
    (usual < 0 ? 0 : 20 - usual) -
    (tables.isAllocatableClass(c) ? tables.regClassName(c).length / 10 : 20)
  );
}

/** Functions of the IR that no machine function belongs to yet. */
function unusedFunctions(snapshot: Snapshot): Candidate[] {
  const taken = new Set(snapshot.functions.map((f) => f.name));
  const { module } = snapshot.functions.find((f) => f.module !== null) ?? { module: null };
  return (module?.functions ?? [])
    .filter((f) => f.name !== null && !f.name.startsWith('llvm.'))
    .map((f) => {
      if (taken.has(f.name!)) return value(f.name!, -1, 'has a body already');
      return value(f.name!, f.isDeclaration ? 0 : 1, f.isDeclaration ? 'only declared in the IR' : 'IR function');
    });
}
