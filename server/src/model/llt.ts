/** Low-level types of generic virtual registers and memory operands (LLVM's LLT). Values are immutable. */

export interface LLT {
  readonly kind: 'scalar' | 'pointer' | 'vector';
  /** bits of a scalar, a pointer or a vector element; a pointer's size comes from the data layout */
  readonly bits: number;
  /** -1 unless a pointer or a vector of pointers */
  readonly addressSpace: number;
  /** 1 for non-vectors */
  readonly numElements: number;
  readonly scalable: boolean;
}

export function printLLT(t: LLT): string {
  const element = t.addressSpace >= 0 ? `p${t.addressSpace}` : `s${t.bits}`;
  return t.kind === 'vector' ? `<${t.scalable ? 'vscale x ' : ''}${t.numElements} x ${element}>` : element;
}

/** Size in bits; of the minimum for scalable vectors. */
export function sizeInBits(t: LLT): number {
  return t.bits * t.numElements;
}

export function sameLLT(a: LLT, b: LLT): boolean {
  return (
    a.kind === b.kind &&
    a.bits === b.bits &&
    a.addressSpace === b.addressSpace &&
    a.numElements === b.numElements &&
    a.scalable === b.scalable
  );
}

export function scalarLLT(bits: number): LLT {
  return { kind: 'scalar', bits, addressSpace: -1, numElements: 1, scalable: false };
}

/** Pointer width in bits of an address space under the data layout of AMDGPU (spec embedded-ir.md, A.2). */
export function pointerBits(addressSpace: number): number {
  switch (addressSpace) {
    case 2:
    case 3:
    case 5:
    case 6:
      return 32;
    case 7:
      return 160;
    case 8:
      return 128;
    case 9:
      return 192;
    default:
      return 64;
  }
}

/** Result of parseLLT: `type` is null on failure, then `message` is LLVM's and `at` the offset it points to. */
export interface LLTResult {
  readonly type: LLT | null;
  /** offset behind the type */
  readonly end: number;
  readonly message: string;
  readonly at: number;
}

const LLT_EXPECTED_TYPE =
  'expected sN, pA, <M x sN>, <M x pA>, <vscale x M x sN>, or <vscale x M x pA> for GlobalISel type';
const LLT_EXPECTED_INTEGERS = "expected integers after 's'/'p' type character";

const MAX_SCALAR_BITS = 65535;
const MAX_ELEMENTS = 65535;
const MAX_ADDRESS_SPACE = (1 << 24) - 1;

/**
 * Parses the type that starts at `start` of `text` (blanks before and between tokens are skipped), as
 * MIParser::parseLowLevelType does. Messages and their places were probed with llc-22.
 */
export function parseLLT(text: string, start: number): LLTResult {
  const parser = new LLTParser(text, start);
  return parser.parse();
}

class LLTParser {
  private token = '';
  private at: number;
  private end: number;

  constructor(
    private readonly text: string,
    start: number,
  ) {
    this.at = start;
    this.end = start;
    this.next();
  }

  /** Moves to the next token: a word, a number, or one character. */
  private next(): void {
    const { text } = this;
    let p = this.end;
    while (text[p] === ' ' || text[p] === '\t') p++;
    this.at = p;
    const m = /^(?:[A-Za-z_][A-Za-z0-9_.$-]*|-?[0-9]+|[^\r\n])/.exec(text.slice(p, p + 64));
    this.token = m === null ? '' : m[0];
    this.end = p + this.token.length;
  }

  private fail(message: string, at = this.at): LLTResult {
    return { type: null, end: this.at, message, at };
  }

  parse(): LLTResult {
    if (/^[sp]/.test(this.token)) {
      const r = this.parseElement(true);
      return typeof r === 'string' ? this.fail(r) : { type: r, end: this.end, message: '', at: this.at };
    }
    const open = this.at;
    if (this.token !== '<') return this.fail(LLT_EXPECTED_TYPE);
    this.next();
    let scalable = false;
    if (this.token === 'vscale') {
      scalable = true;
      this.next();
      if (this.token !== 'x') return this.fail('expected <vscale x M x sN> or <vscale x M x pA>');
      this.next();
    }
    const shape = scalable
      ? 'expected <vscale x M x sN> or <vscale M x pA> for vector type'
      : 'expected <M x sN> or <M x pA> for vector type';
    if (!/^-?[0-9]/.test(this.token)) return this.fail(shape, open);
    const n = Math.abs(Number(this.token));
    if (n === 0 || n > MAX_ELEMENTS) return this.fail('invalid number of vector elements');
    this.next();
    if (this.token !== 'x') return this.fail(shape, open);
    this.next();
    if (!/^[sp]/.test(this.token)) return this.fail(shape, open);
    const element = this.parseElement(false);
    if (typeof element === 'string') return this.fail(element);
    this.next();
    if (this.token !== '>') return this.fail(shape, open);
    const type: LLT = { ...element, kind: 'vector', numElements: n, scalable };
    return { type, end: this.end, message: '', at: this.at };
  }

  /** `sN` or `pA`; the message on failure. Leaves the token current. */
  private parseElement(isScalar: boolean): LLT | string {
    const digits = this.token.slice(1);
    if (!/^[0-9]+$/.test(digits)) return LLT_EXPECTED_INTEGERS;
    const n = Number(digits);
    if (this.token[0] === 'p') {
      if (n > MAX_ADDRESS_SPACE) return 'invalid address space number';
      return { kind: 'pointer', bits: pointerBits(n), addressSpace: n, numElements: 1, scalable: false };
    }
    if (isScalar) return n > MAX_SCALAR_BITS ? 'invalid size for scalar type' : scalarLLT(n);
    return n === 0 || n > MAX_SCALAR_BITS ? 'invalid size for scalar element in vector' : scalarLLT(n);
  }
}
