/**
 * Attribute lists of functions, results and parameters (llvm/IR/Attributes.h): enum, type, integer and string attributes
 * with LLVM's printing order (Attributes.inc: plain words, then typed, then integers, then ranges; strings by key).
 */
import { lazy } from '../util/lazy.js';
import { escapeIRString } from './escape.js';
import type { IRType } from './types.js';

/** All attribute words in printing order. */
export const attributeOrder = lazy<readonly string[]>(() =>
  (
    'allocalign allocptr alwaysinline builtin cold convergent coro_only_destroy_when_complete coro_elide_safe ' +
    'dead_on_return dead_on_unwind disable_sanitizer_instrumentation fn_ret_thunk_extern hot hybrid_patchable immarg ' +
    'inreg inlinehint jumptable minsize mustprogress naked nest noalias nobuiltin nocallback nocf_check ' +
    'nocreateundeforpoison nodivergencesource noduplicate noext nofree noimplicitfloat noinline nomerge noprofile ' +
    'norecurse noredzone noreturn nosanitize_bounds nosanitize_coverage nosync noundef nounwind nonlazybind nonnull ' +
    'null_pointer_is_valid optforfuzzing optdebug optsize optnone presplitcoroutine readnone readonly returned ' +
    'returns_twice signext safestack sanitize_address sanitize_alloc_token sanitize_hwaddress sanitize_memtag ' +
    'sanitize_memory sanitize_numerical_stability sanitize_realtime sanitize_realtime_blocking sanitize_thread ' +
    'sanitize_type shadowcallstack skipprofile speculatable speculative_load_hardening ssp sspreq sspstrong strictfp ' +
    'swiftasync swifterror swiftself willreturn writable writeonly zeroext ' +
    'byref byval elementtype inalloca preallocated sret ' +
    'align allockind allocsize captures denormal_fpenv dereferenceable dereferenceable_or_null memory nofpclass alignstack uwtable ' +
    'vscale_range range initializes'
  ).split(' '),
);

const orderIndex = lazy<ReadonlyMap<string, number>>(() => new Map(attributeOrder().map((word, i) => [word, i])));

/** Argument of an attribute. */
export interface AttrValue {
  /** what stands between the parentheses (after `align ` for alignments), '' for a plain word; without the type of a typed attribute */
  readonly text: string;
  /** byval, byref, sret, elementtype, inalloca, preallocated, and the type of range */
  readonly type: IRType | null;
  /** align, dereferenceable: the number; range: bounds (unsigned); null otherwise */
  readonly numbers: readonly bigint[] | null;
}

export const PLAIN_ATTRIBUTE: AttrValue = { text: '', type: null, numbers: null };

export class AttributeSet {
  private groupText: string | null = null;

  constructor(
    /** enum, typed and integer attributes by word */
    readonly values: ReadonlyMap<string, AttrValue>,
    readonly strings: ReadonlyMap<string, string>,
  ) {}

  get isEmpty(): boolean {
    return this.values.size === 0 && this.strings.size === 0;
  }

  /** Whether there is an attribute of that word or string key. */
  has(key: string): boolean {
    return this.values.has(key) || this.strings.has(key);
  }

  get(word: string): AttrValue | null {
    return this.values.get(word) ?? null;
  }

  string(key: string): string | null {
    return this.strings.get(key) ?? null;
  }

  /** First number of an integer attribute, 0n if absent. */
  number(word: string): bigint {
    return this.values.get(word)?.numbers?.[0] ?? 0n;
  }

  /** Words in printing order. */
  sortedWords(): string[] {
    const words = [...this.values.keys()];
    if (words.length > 1) words.sort((a, b) => orderIndex().get(a)! - orderIndex().get(b)!);
    return words;
  }

  /** Enum attributes as printed on arguments, results and in the comment above a function; '' if there are none. */
  printWords(printType: (t: IRType) => string): string {
    let res = '';
    for (const word of this.sortedWords()) {
      res += (res === '' ? '' : ' ') + printAttribute(word, this.values.get(word)!, printType, false);
    }
    return res;
  }

  /** All attributes as inside the braces of a group. Equal sets print equally, so this is also the key of a group. */
  printGroup(printType: (t: IRType) => string): string {
    if (this.groupText !== null) return this.groupText;
    let res = '';
    for (const word of this.sortedWords()) {
      res += (res === '' ? '' : ' ') + printAttribute(word, this.values.get(word)!, printType, true);
    }
    for (const key of [...this.strings.keys()].sort()) {
      res += (res === '' ? '' : ' ') + printStringAttribute(key, this.strings.get(key)!);
    }
    this.groupText = res;
    return res;
  }

  /** Words and strings in parameter position. */
  printParam(printType: (t: IRType) => string): string {
    let res = this.printWords(printType);
    for (const key of [...this.strings.keys()].sort()) {
      res += (res === '' ? '' : ' ') + printStringAttribute(key, this.strings.get(key)!);
    }
    return res;
  }

  /** A copy with string attributes added or replaced. */
  withStrings(more: ReadonlyMap<string, string>): AttributeSet {
    return new AttributeSet(this.values, new Map([...this.strings, ...more]));
  }
}

export const NO_ATTRIBUTES = new AttributeSet(new Map(), new Map());

function printAttribute(word: string, v: AttrValue, printType: (t: IRType) => string, inGroup: boolean): string {
  if (v.type !== null)
    return v.text === '' ? `${word}(${printType(v.type)})` : `${word}(${printType(v.type)} ${v.text})`;
  if (v.text === '') return word;
  if (word === 'align') return (inGroup ? 'align=' : 'align ') + v.text;
  if (word === 'alignstack' && inGroup) return 'alignstack=' + v.text;
  if (inGroup && (word === 'dereferenceable' || word === 'dereferenceable_or_null')) return `${word}=${v.text}`;
  return `${word}(${v.text})`;
}

function printStringAttribute(key: string, value: string): string {
  const k = `"${escapeIRString(key)}"`;
  return value === '' ? k : `${k}="${escapeIRString(value)}"`;
}
