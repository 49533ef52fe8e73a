/** Results of ALU instructions that are not there yet, by register unit: how long they take, and how many instructions were issued since (docs/llvm/late-passes.md, 3). */

export const enum DelayKind {
  Valu,
  /** transcendental, and on gfx1250 matrix products */
  Trans,
  Salu,
  Other,
}

/** One more than what S_DELAY_ALU can name: VALU and transcendental instructions back, cycles of the SALU. */
export const MAX_VALU = 5;
export const MAX_TRANS = 4;
const MAX_SALU_CYCLES = 4;
/** LLVM counts cycles in a byte. */
const BYTE = 0xff;

/** @llvm AMDGPUInsertDelayAlu.cpp DelayInfo */
export class Delay {
  valuCycles = 0;
  /** VALU instructions since that one, MAX_VALU = there was none */
  valuNum = MAX_VALU;
  transCycles = 0;
  transNum = MAX_TRANS;
  /** VALU instructions since the transcendental one */
  transNumValu = MAX_VALU;
  saluCycles = 0;

  static of(kind: DelayKind, cycles: number): Delay {
    const delay = new Delay();
    if (kind === DelayKind.Valu) {
      delay.valuCycles = cycles & BYTE;
      delay.valuNum = 0;
    } else if (kind === DelayKind.Trans) {
      delay.transCycles = cycles & BYTE;
      delay.transNum = 0;
      delay.transNumValu = 0;
    } else delay.saluCycles = Math.min(cycles, MAX_SALU_CYCLES);
    return delay;
  }

  copy(): Delay {
    return Object.assign(new Delay(), this);
  }

  equals(other: Delay): boolean {
    return (
      this.valuCycles === other.valuCycles &&
      this.valuNum === other.valuNum &&
      this.transCycles === other.transCycles &&
      this.transNum === other.transNum &&
      this.transNumValu === other.transNumValu &&
      this.saluCycles === other.saluCycles
    );
  }

  /** The longer of each. */
  merge(other: Delay): void {
    this.valuCycles = Math.max(this.valuCycles, other.valuCycles);
    this.valuNum = Math.min(this.valuNum, other.valuNum);
    this.transCycles = Math.max(this.transCycles, other.transCycles);
    this.transNum = Math.min(this.transNum, other.transNum);
    this.transNumValu = Math.min(this.transNumValu, other.transNumValu);
    this.saluCycles = Math.max(this.saluCycles, other.saluCycles);
  }

  /**
   * An instruction of a kind was issued; whether nothing is left to wait for.
   * @llvm AMDGPUInsertDelayAlu.cpp DelayInfo::advance
   */
  advance(kind: DelayKind, cycles: number): boolean {
    let isOver = true;
    if (kind === DelayKind.Valu) this.valuNum++;
    if (this.valuNum >= MAX_VALU || this.valuCycles <= cycles) {
      this.valuNum = MAX_VALU;
      this.valuCycles = 0;
    } else {
      this.valuCycles -= cycles;
      isOver = false;
    }
    if (kind === DelayKind.Trans) this.transNum++;
    if (kind === DelayKind.Valu) this.transNumValu++;
    if (this.transNum >= MAX_TRANS || this.transCycles <= cycles) {
      this.transNum = MAX_TRANS;
      this.transNumValu = MAX_VALU;
      this.transCycles = 0;
    } else {
      this.transCycles -= cycles;
      isOver = false;
    }
    this.saluCycles = Math.max(0, this.saluCycles - cycles);
    return isOver && this.saluCycles === 0;
  }
}

/** @llvm AMDGPUInsertDelayAlu.cpp DelayState */
export class DelayState {
  private readonly delays = new Map<number, Delay>();

  get(unit: number): Delay | undefined {
    return this.delays.get(unit);
  }

  set(unit: number, delay: Delay): void {
    this.delays.set(unit, delay);
  }

  delete(unit: number): void {
    this.delays.delete(unit);
  }

  clear(): void {
    this.delays.clear();
  }

  merge(other: DelayState): void {
    for (const [unit, delay] of other.delays) {
      const own = this.delays.get(unit);
      if (own === undefined) this.delays.set(unit, delay.copy());
      else own.merge(delay);
    }
  }

  equals(other: DelayState): boolean {
    if (this.delays.size !== other.delays.size) return false;
    for (const [unit, delay] of this.delays) if (other.delays.get(unit)?.equals(delay) !== true) return false;
    return true;
  }

  advance(kind: DelayKind, cycles: number): void {
    for (const [unit, delay] of this.delays) if (delay.advance(kind, cycles)) this.delays.delete(unit);
  }

  /** The VALU has done what it issued `valuNum` instructions ago, and what came before. */
  settle(valuNum: number): void {
    for (const [unit, { valuNum: n, valuCycles }] of this.delays)
      if (n >= valuNum && valuCycles > 0) this.delays.delete(unit);
  }
}
