/**
 * Arguments of the attributes `memory`, `captures`, `nofpclass` and `denormal_fpenv`: reading them and writing them in LLVM's canonical
 * form (MemoryEffects, CaptureInfo and FPClassTest of LLVM 22, DenormalFPEnv of LLVM 24).
 */
import type { IRLexer } from './lexer.js';
import { Tok } from './tokens.js';

// -- memory ----------------------------------------------------------------------------------------------------------

/** Two bits (1 = read, 2 = write) for each location, in printing order. */
const LOCATIONS = ['argmem', 'inaccessiblemem', 'errnomem', 'target_mem0', 'target_mem1', 'other'];
const N_NAMED = LOCATIONS.length - 1;
const OTHER_SHIFT = 2 * N_NAMED;
/** Of target_mem0, the first of two. */
const FIRST_TARGET = 3;
const TARGET_MEMORY = 'target_mem';
const ACCESS = ['none', 'read', 'write', 'readwrite'];

/** All locations read and written: no fact. */
export const MEMORY_UNKNOWN = (1 << (2 * LOCATIONS.length)) - 1;

function everywhere(access: number): number {
  let res = 0;
  for (let i = 0; i < LOCATIONS.length; i++) res |= access << (2 * i);
  return res;
}

/** Effects of an old function attribute such as `argmemonly`; -1 for other words. */
export function memoryFromWord(word: string): number {
  switch (word) {
    case 'readnone':
      return 0;
    case 'readonly':
      return everywhere(1);
    case 'writeonly':
      return everywhere(2);
    case 'argmemonly':
      return 3;
    case 'inaccessiblememonly':
      return 3 << 2;
    case 'inaccessiblemem_or_argmemonly':
      return 15;
    default:
      return -1;
  }
}

const accessAt = (effects: number, location: number): number => (effects >> (2 * location)) & 3;

/** What stands between the parentheses of `memory(...)`; `hasTargetMemory`: LLVM 24's word for all memory of the target. */
export function printMemory(effects: number, hasTargetMemory: boolean): string {
  const other = (effects >> OTHER_SHIFT) & 3;
  const isOneTarget = hasTargetMemory && accessAt(effects, FIRST_TARGET) === accessAt(effects, FIRST_TARGET + 1);
  const nNamed = isOneTarget ? FIRST_TARGET + 1 : N_NAMED;
  let res = other !== 0 || effects === 0 ? ACCESS[other] : '';
  for (let i = 0; i < nNamed; i++) {
    const access = accessAt(effects, i);
    const name = isOneTarget && i === FIRST_TARGET ? TARGET_MEMORY : LOCATIONS[i];
    if (access !== other) res += `${res === '' ? '' : ', '}${name}: ${ACCESS[access]}`;
  }
  return res;
}

const withAccess = (effects: number, location: number, access: number): number =>
  (effects & ~(3 << (2 * location))) | (access << (2 * location));

const withTargetMemory = (effects: number, access: number): number =>
  withAccess(withAccess(effects, FIRST_TARGET, access), FIRST_TARGET + 1, access);

/** Effects of a printed `memory(...)` argument: what printMemory wrote. */
export function memoryFromText(text: string): number {
  let effects = 0;
  for (const part of text.split(', ')) {
    const colon = part.indexOf(':');
    if (colon < 0) effects = everywhere(ACCESS.indexOf(part));
    else {
      const [name, access] = [part.slice(0, colon), ACCESS.indexOf(part.slice(colon + 2))];
      effects =
        name === TARGET_MEMORY
          ? withTargetMemory(effects, access)
          : withAccess(effects, LOCATIONS.indexOf(name), access);
    }
  }
  return effects;
}

/** Reads from `(` to `)`. */
export function parseMemory(lx: IRLexer, hasTargetMemory: boolean): number {
  if (!lx.is(Tok.LParen)) lx.fail("expected '('");
  let effects = 0;
  let seenLocation = false;
  let seenTarget = false;
  do {
    lx.next();
    let location = -1;
    let isTarget = false;
    const word = lx.raw;
    if (word.endsWith(':')) {
      isTarget = hasTargetMemory && word === `${TARGET_MEMORY}:`;
      location = isTarget ? FIRST_TARGET : LOCATIONS.slice(0, N_NAMED).indexOf(word.slice(0, -1));
    }
    if (location >= 0) {
      lx.next();
    }
    const access = lx.is(Tok.Word) || lx.kind >= Tok.KFneg ? ACCESS.indexOf(lx.raw) : -1;
    if (access < 0) {
      if (location < 0)
        lx.fail(
          'expected memory location (argmem, inaccessiblemem, errnomem) or access kind (none, read, write, readwrite)',
        );
      lx.fail('expected access kind (none, read, write, readwrite)');
    }
    lx.next();
    if (location >= 0) {
      seenLocation = true;
      if (isTarget && seenTarget) lx.fail('target memory default access kind must be specified first');
      seenTarget ||= !isTarget && location >= FIRST_TARGET;
      effects = isTarget ? withTargetMemory(effects, access) : withAccess(effects, location, access);
    } else {
      if (seenLocation) lx.fail('default access kind must be specified first');
      effects = everywhere(access);
    }
    if (lx.is(Tok.RParen)) {
      lx.next();
      return effects;
    }
  } while (lx.is(Tok.Comma));
  return lx.fail('unterminated memory attribute');
}

// -- captures --------------------------------------------------------------------------------------------------------

/** address_is_null 1, address 3 (it includes the former), read_provenance 4, provenance 12 */
const COMPONENTS: readonly (readonly [string, number])[] = [
  ['none', 0],
  ['address_is_null', 1],
  ['address', 3],
  ['read_provenance', 4],
  ['provenance', 12],
];

function printComponents(c: number): string {
  if (c === 0) return 'none';
  const words: string[] = [];
  if ((c & 3) !== 0) words.push((c & 2) !== 0 ? 'address' : 'address_is_null');
  if ((c & 12) !== 0) words.push((c & 8) !== 0 ? 'provenance' : 'read_provenance');
  return words.join(', ');
}

export interface CaptureInfo {
  /** components captured by other means than the return value: bits as in COMPONENTS */
  readonly other: number;
  readonly ret: number;
}

const CAPTURE_ALL = 15;
/** reading or writing provenance */
export const CAPTURE_PROVENANCE = 12;

/** Components of a printed `captures(...)` argument. */
export function capturesFromText(text: string): CaptureInfo {
  let other = 0;
  let ret = -1;
  let inRet = false;
  for (let part of text.split(', ')) {
    if (part.startsWith('ret: ')) {
      inRet = true;
      ret = 0;
      part = part.slice(5);
    }
    const bits = COMPONENTS.find(([word]) => word === part)?.[1] ?? CAPTURE_ALL;
    if (inRet) ret |= bits;
    else other |= bits;
  }
  return { other, ret: ret < 0 ? other : ret };
}

/** Reads `(...)` and returns the argument in canonical form. */
export function parseCaptures(lx: IRLexer): string {
  if (!lx.is(Tok.LParen)) lx.fail("expected '('");
  lx.next();
  let other = -1;
  let ret = -1;
  let inRet = false;
  let seen = 0;
  let seenNone = false;
  for (;;) {
    if (lx.is(Tok.LabelStr) && lx.raw === 'ret:' && !inRet) {
      lx.next();
      inRet = true;
      seen = 0;
      seenNone = false;
    }
    const word = lx.is(Tok.Word) || lx.kind >= Tok.KFneg ? lx.raw : '';
    const component = COMPONENTS.find(([w]) => w === word);
    if (component === undefined) {
      lx.fail("expected one of 'none', 'address', 'address_is_null', 'provenance' or 'read_provenance'");
    }
    const isNone = component[1] === 0;
    if (seenNone || (isNone && seen > 0)) lx.fail("cannot use 'none' with other component");
    seenNone = isNone;
    seen++;
    if (inRet) ret = (ret < 0 ? 0 : ret) | component[1];
    else other = (other < 0 ? 0 : other) | component[1];
    lx.next();
    if (lx.is(Tok.RParen)) break;
    if (!lx.is(Tok.Comma)) lx.fail("expected ',' or ')'");
    lx.next();
  }
  lx.next();
  if (other < 0) other = 0;
  if (ret < 0) ret = other;
  ret |= other;
  if (ret === other) return printComponents(other);
  return (other === 0 ? '' : printComponents(other) + ', ') + 'ret: ' + printComponents(ret);
}

// -- nofpclass -------------------------------------------------------------------------------------------------------

const FP_CLASSES: readonly (readonly [string, number])[] = [
  ['all', 0x3ff],
  ['nan', 3],
  ['snan', 1],
  ['qnan', 2],
  ['inf', 0x204],
  ['ninf', 4],
  ['pinf', 0x200],
  ['zero', 0x60],
  ['nzero', 0x20],
  ['pzero', 0x40],
  ['sub', 0x90],
  ['nsub', 0x10],
  ['psub', 0x80],
  ['norm', 0x108],
  ['nnorm', 8],
  ['pnorm', 0x100],
];

/** Reads `(...)` and returns the argument in canonical form. */
export function parseNoFPClass(lx: IRLexer): string {
  if (!lx.is(Tok.LParen)) lx.fail("expected '('");
  lx.next();
  let mask = 0;
  if (lx.is(Tok.Int)) {
    mask = Number(lx.raw);
    lx.next();
    if (!(mask > 0 && mask <= 0x3ff)) lx.fail("invalid mask value for 'nofpclass'");
    if (!lx.is(Tok.RParen)) lx.fail("expected ')'");
  } else {
    do {
      const word = lx.is(Tok.Word) || lx.kind >= Tok.KFneg ? lx.raw : '';
      const entry = FP_CLASSES.find(([w]) => w === word);
      if (entry === undefined) lx.fail('expected nofpclass test mask');
      mask |= entry[1];
      lx.next();
    } while (!lx.is(Tok.RParen));
  }
  lx.next();
  const words: string[] = [];
  for (const [word, bits] of FP_CLASSES) {
    if ((mask & bits) !== bits) continue;
    words.push(word);
    mask &= ~bits;
    if (mask === 0) break;
  }
  return words.join(' ');
}

// -- denormal_fpenv --------------------------------------------------------------------------------------------------

const DENORMAL_KINDS = ['ieee', 'preservesign', 'positivezero', 'dynamic'];

/** What becomes of denormal results and of denormal operands, each one of DENORMAL_KINDS. */
interface DenormalMode {
  readonly output: string;
  readonly input: string;
}

const IEEE: DenormalMode = { output: 'ieee', input: 'ieee' };

const isSameMode = (a: DenormalMode, b: DenormalMode): boolean => a.output === b.output && a.input === b.input;

const printMode = ({ output, input }: DenormalMode): string => (output === input ? output : `${output}|${input}`);

const isTypeKeyword = (kind: number): boolean => kind === Tok.IntType || (kind >= Tok.KVoid && kind <= Tok.KPtr);

function parseDenormalKind(lx: IRLexer): string {
  const kind = lx.raw;
  if (!DENORMAL_KINDS.includes(kind)) lx.fail(`expected denormal behavior kind (${DENORMAL_KINDS.join(', ')})`);
  lx.next();
  return kind;
}

function parseDenormalMode(lx: IRLexer): DenormalMode {
  const output = parseDenormalKind(lx);
  if (!lx.is(Tok.Bar)) return { output, input: output };
  lx.next();
  return { output, input: parseDenormalKind(lx) };
}

/**
 * Reads `(MODE)`, `(float: MODE)` or `(MODE, float: MODE)` and returns the argument in canonical form. The word before has been read with
 * `colonsApart`, which ends here.
 */
export function parseDenormalEnvironment(lx: IRLexer): string {
  if (!lx.is(Tok.LParen)) lx.fail("expected '('");
  lx.next();
  let all = IEEE;
  if (!isTypeKeyword(lx.kind)) {
    all = parseDenormalMode(lx);
    if (lx.is(Tok.Comma)) lx.next();
    else if (isTypeKeyword(lx.kind)) lx.fail("expected ',' before float:");
  }
  let float = all;
  if (isTypeKeyword(lx.kind)) {
    const isFloat = lx.is(Tok.KFloat);
    lx.next();
    if (!isFloat) lx.fail('expected float:');
    if (!lx.is(Tok.Colon)) lx.fail("expected ':' before float denormal_fpenv");
    lx.next();
    float = parseDenormalMode(lx);
  }
  if (!lx.is(Tok.RParen)) lx.fail('unterminated denormal_fpenv');
  lx.colonsApart = false;
  lx.next();
  if (isSameMode(all, float)) return printMode(all);
  return (isSameMode(all, IEEE) ? '' : `${printMode(all)}, `) + `float: ${printMode(float)}`;
}

/** The modes of a printed argument, '' being none: of float, and of all other types. */
export function denormalModesOf(text: string): { readonly float: DenormalMode; readonly other: DenormalMode } {
  const read = (part: string): DenormalMode => {
    const [output, input = output] = part.split('|');
    return { output, input };
  };
  const [rest, float] = text.startsWith('float: ') ? ['', text.slice(7)] : text.split(', float: ');
  const other = rest === '' ? IEEE : read(rest);
  return { other, float: float === undefined ? other : read(float) };
}
