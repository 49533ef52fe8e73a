/** Names, intrinsics and words of the embedded IR. */
import { CompletionItemKind } from 'vscode-languageserver-types';
import { intrinsicNames } from '../../ir/intrinsics.js';
import { BasicBlock, type IRModule } from '../../ir/module.js';
import { printTypeForMessage } from '../../ir/typeText.js';
import { bodyEnd } from '../symbols/irSymbols.js';
import { EntityKind, Role } from '../symbols/symbolIndex.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { Candidate } from './candidate.js';

const INSTRUCTIONS =
  `load store call getelementptr ret br icmp select phi switch unreachable fneg add fadd sub fsub mul fmul udiv sdiv fdiv urem srem frem shl lshr ashr and or xor extractelement insertelement
  shufflevector extractvalue insertvalue alloca fence cmpxchg atomicrmw trunc zext sext fptrunc fpext fptoui fptosi
  uitofp sitofp ptrtoint inttoptr bitcast addrspacecast fcmp freeze`.split(/\s+/);

/** Those that give no value. */
const VOID = new Set(['store', 'ret', 'br', 'switch', 'unreachable', 'fence']);

const TOP_LEVEL = ['define', 'declare', 'target triple', 'target datalayout', 'attributes', 'source_filename'];

const WORDS =
  `void half bfloat float double i1 i8 i16 i32 i64 i128 ptr label metadata token amdgpu_kernel amdgpu_ps amdgpu_vs amdgpu_cs amdgpu_gs amdgpu_hs
  amdgpu_ls amdgpu_es amdgpu_gfx amdgpu_cs_chain amdgpu_cs_chain_preserve addrspace align inbounds nuw nsw exact volatile atomic syncscope
  monotonic acquire release acq_rel seq_cst noundef noalias nocapture readonly readnone writeonly inreg byref sret zeroext signext null undef
  poison zeroinitializer true false`.split(/\s+/);

/** Attributes that the AMDGPU backend reads, with a usual value. */
const ATTRIBUTES: readonly (readonly [string, string])[] = [
  ['amdgpu-waves-per-eu', '1,8'],
  ['amdgpu-flat-work-group-size', '1,256'],
  ['amdgpu-max-num-workgroups', '1,1,1'],
  ['amdgpu-num-sgpr', '32'],
  ['amdgpu-num-vgpr', '64'],
  ['amdgpu-ieee', 'true'],
  ['amdgpu-dx10-clamp', 'true'],
  ['amdgpu-lds-size', '0'],
  ['amdgpu-agpr-alloc', '0'],
  ['amdgpu-dynamic-vgpr-block-size', '16'],
  ['amdgpu-memory-bound', 'true'],
  ['amdgpu-wave-limiter', 'true'],
  ['amdgpu-sched-strategy', 'max-occupancy'],
  ['target-cpu', 'gfx942'],
  ['target-features', '+wavefrontsize64'],
  ['uniform-work-group-size', 'true'],
  ['denormal-fp-math', 'ieee,ieee'],
  ['denormal-fp-math-f32', 'preserve-sign,preserve-sign'],
];

const ATTRIBUTE_WORDS =
  `nounwind convergent noinline alwaysinline optnone optsize mustprogress willreturn nofree nosync norecurse noreturn nocallback cold hot
  returns_twice strictfp speculatable sanitize_address`.split(/\s+/);

/** `typed` is the word with its sigil, `lineLead` what stands before it on the line. */
export function irCandidates(snapshot: Snapshot, offset: number, typed: string, lineLead: string): Candidate[] {
  const sigil = typed[0] ?? '';
  const items: Candidate[] = [];
  const add = (label: string, kind: CompletionItemKind, score: number, detail = ''): void =>
    void items.push({ label, kind, score, detail });
  const fn = functionAt(snapshot, offset);
  // A line begins with a word, or with a name that is new; so does what is after the `=`.
  const isStart = /^\s*(?:%[\w.$-]+\s*=\s*)?$/.test(lineLead);
  if (/^\s*attributes\s+#\d+\s*=\s*\{/.test(lineLead)) return attributes(sigil);
  const isName = sigil === '%' || sigil === '@' || (sigil === '' && !isStart);
  if (isName) names(snapshot, fn, offset, sigil, lineLead, items);
  if (sigil === '@')
    for (const name of intrinsicNames()) add(`@llvm.${name}`, CompletionItemKind.Function, -20, ' intrinsic');
  if (sigil === '#' || sigil === '!') {
    const kind = sigil === '#' ? EntityKind.AttributeGroup : EntityKind.Metadata;
    for (const label of namesOf(snapshot, kind, '')) add(`${sigil}${label}`, CompletionItemKind.Reference, 0);
  }
  if (sigil === '"') return attributes(sigil);
  if (sigil === '' || /[a-z]/i.test(sigil)) {
    if (fn === '') for (const word of TOP_LEVEL) add(word, CompletionItemKind.Keyword, 10);
    else
      for (const [k, word] of INSTRUCTIONS.entries())
        if (!lineLead.includes('=') || !VOID.has(word))
          add(word, CompletionItemKind.Keyword, (isStart ? 10 : -10) - k / 100);
    for (const word of WORDS) add(word, CompletionItemKind.Keyword, isStart && fn !== '' ? -5 : 2);
  }
  return items;
}

/** Those with values, then LLVM's own words. */
function attributes(sigil: string): Candidate[] {
  const items: Candidate[] = ATTRIBUTES.map(([name, value], k) => ({
    label: `"${name}"`,
    insert: `"${name}"="${value}"`,
    snippet: `"${name}"="\${1:${value}}"$0`,
    kind: CompletionItemKind.Property,
    score: 5 - k / 100,
  }));
  if (sigil === '"') return items;
  return [
    ...items,
    ...ATTRIBUTE_WORDS.map((label, k) => ({ label, kind: CompletionItemKind.Keyword, score: -k / 100 })),
  ];
}

/** The IR function whose header or body an offset is in: the last that was begun or has a name before it, unless it has ended since. */
function functionAt({ irSymbols, text }: Snapshot, offset: number): string {
  if (irSymbols === null) return '';
  let fn = '';
  let at = irSymbols.start;
  const lineOf = (start: number): string => text.slice(text.lineStart(text.lineAt(start)), offset);
  for (const o of irSymbols.symbols.occurrences) {
    const start = irSymbols.start + o.start;
    if (start > offset) break;
    const isBegun = o.kind === EntityKind.Global && (o.role & Role.Def) !== 0 && /^[ \t]*define\b/.test(lineOf(start));
    if (o.fn === '' && !isBegun) continue;
    fn = isBegun ? o.name : o.fn;
    at = start;
  }
  const [own = '', ...below] = lineOf(at).split(/\r?\n/);
  const endsInLine = /^[ \t]*declare\b/.test(own) || (/^[ \t]*define\b/.test(own) && bodyEnd(own) >= 0);
  const isOver = (endsInLine && below.length > 0) || below.some((line) => /^[ \t]*\}/.test(line));
  return isOver ? '' : fn;
}

function namesOf({ irSymbols }: Snapshot, kind: EntityKind, fn: string): string[] {
  const found = new Set<string>();
  for (const o of irSymbols?.symbols.occurrences ?? []) if (o.kind === kind && o.fn === fn) found.add(o.name);
  return [...found];
}

/** After `label` only blocks can stand, elsewhere they cannot; nor can what the line itself defines. */
function names(
  snapshot: Snapshot,
  fn: string,
  offset: number,
  sigil: string,
  lineLead: string,
  items: Candidate[],
): void {
  const { irSymbols } = snapshot;
  const module = snapshot.functions.find((f) => f.module !== null)?.module ?? null;
  const last = new Map<string, number>();
  const areLabels = /\blabel\s+$/.test(lineLead);
  const own = /^\s*(%\S+)\s*=/.exec(lineLead)?.[1];
  const labels = new Set<string>();
  for (const o of irSymbols?.symbols.occurrences ?? []) {
    const isLocal = o.kind === EntityKind.IRLocal && o.fn === fn && fn !== '';
    if (!isLocal && o.kind !== EntityKind.Global) continue;
    const label = `${isLocal ? '%' : '@'}${/^[\w.$-]+$/.test(o.name) ? o.name : JSON.stringify(o.name)}`;
    const at = irSymbols!.start + o.start;
    if (isLocal && snapshot.text.slice(irSymbols!.start + o.end, irSymbols!.start + o.end + 1) === ':')
      labels.add(label);
    // The word under the cursor is no name yet.
    if (at <= offset && offset <= irSymbols!.start + o.end) continue;
    if (at < offset || !last.has(label)) last.set(label, at);
  }
  for (const [label, at] of last) {
    const known = typeOf(module, fn, label);
    if (!label.startsWith(sigil) || label === own) continue;
    if (areLabels !== (known === 'label' || labels.has(label))) continue;
    items.push({
      label,
      kind: label.startsWith('%') ? CompletionItemKind.Variable : CompletionItemKind.Function,
      score: (at < offset ? 30 : 0) - 3 * Math.log2(1 + Math.abs(offset - at) / 40) - (sigil === '' ? 15 : 0),
      description: known,
    });
  }
}

/** Type of a name as the IR writes it, '' where the module does not have it (it does not parse, or the line is new). */
function typeOf(module: IRModule | null, fn: string, label: string): string {
  const name = label.slice(1).replace(/^"|"$/g, '');
  if (label.startsWith('@')) {
    const value = module?.functionByName(name);
    return value ? printTypeForMessage(value.fnType) : '';
  }
  const value = module?.functionByName(fn)?.valueByName(name);
  return value ? (value instanceof BasicBlock ? 'label' : printTypeForMessage(value.type)) : '';
}
