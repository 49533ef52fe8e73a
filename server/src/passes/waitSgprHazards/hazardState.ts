/** What is known, at a place, of SGPRs that the VALU has read and of writes to them that may not be there yet. */

/** Who wrote VCC, bits. */
export const enum Writer {
  Salu = 1,
  Valu = 2,
}

/** SGPRs by number */
const N_REGS = 128;
const PAIRS = 0;
const BY_SALU = PAIRS + N_REGS / 64;
const BY_VALU = BY_SALU + N_REGS / 32;
const REST = BY_VALU + N_REGS / 32;
const WORDS = REST + 1;
/** bits of the last word: the writers of VCC, and: */
const FLAT_IS_ACTIVE = 4;

export class HazardState {
  private readonly words: Uint32Array;

  constructor(from: HazardState | null = null) {
    this.words = from === null ? new Uint32Array(WORDS) : from.words.slice();
  }

  equals({ words }: HazardState): boolean {
    return this.words.every((word, k) => word === words[k]);
  }

  assign({ words }: HazardState): void {
    this.words.set(words);
  }

  /** Adds what another way brings; whether that was something new. */
  merge({ words }: HazardState): boolean {
    let isNew = false;
    for (let k = 0; k < WORDS; k++) {
      if ((words[k] & ~this.words[k]) === 0) continue;
      this.words[k] |= words[k];
      isNew = true;
    }
    return isNew;
  }

  /** Pairs of SGPRs, by half the number of their first, that some VALU instruction has read. */
  isTracked(pair: number): boolean {
    return (this.words[PAIRS + (pair >> 5)] & (1 << (pair & 31))) !== 0;
  }

  track(pair: number): void {
    this.words[PAIRS + (pair >> 5)] |= 1 << (pair & 31);
  }

  trackAll(): void {
    this.words.fill(0xffffffff, PAIRS, BY_SALU);
  }

  trackNone(): void {
    this.words.fill(0, PAIRS, BY_SALU);
  }

  get nTracked(): number {
    let n = 0;
    for (let pair = 0; pair < N_REGS / 2; pair++) if (this.isTracked(pair)) n++;
    return n;
  }

  private base(by: Writer): number {
    return by === Writer.Salu ? BY_SALU : BY_VALU;
  }

  /** The registers `first` to `first + n - 1` were written. */
  write(by: Writer, first: number, n: number): void {
    for (let reg = first; reg < Math.min(first + n, N_REGS); reg++)
      this.words[this.base(by) + (reg >> 5)] |= 1 << (reg & 31);
  }

  isWritten(by: Writer, first: number, n: number): boolean {
    for (let reg = first; reg < Math.min(first + n, N_REGS); reg++)
      if ((this.words[this.base(by) + (reg >> 5)] & (1 << (reg & 31))) !== 0) return true;
    return false;
  }

  isAnyWritten(by: Writer): boolean {
    return this.isWritten(by, 0, N_REGS);
  }

  /** All writes of SGPRs but VCC are there. */
  settle(by: Writer): void {
    const base = this.base(by);
    this.words.fill(0, base, base + N_REGS / 32);
  }

  get vccWriters(): number {
    return this.words[REST] & (Writer.Salu | Writer.Valu);
  }

  set vccWriters(writers: number) {
    this.words[REST] = (this.words[REST] & FLAT_IS_ACTIVE) | writers;
  }

  get isFlatActive(): boolean {
    return (this.words[REST] & FLAT_IS_ACTIVE) !== 0;
  }

  set isFlatActive(value: boolean) {
    this.words[REST] = this.vccWriters | (value ? FLAT_IS_ACTIVE : 0);
  }
}
