/** What the lowering of chunks keeps from one chunk to the next: growing columns, and opcodes that it asks for. */

/** Opcodes whose register uses are debug uses, and a few others that lowering asks for; made once per table set. */
export interface SpecialOpcodes {
  readonly debug: ReadonlySet<number>;
  readonly inlineAsm: ReadonlySet<number>;
  readonly phi: number;
  readonly gPhi: number;
  readonly fakeUse: number;
  readonly delayAlu: number;
}

export function specialOpcodes(opcodeByName: (name: string) => number): SpecialOpcodes {
  const set = (names: string[]): Set<number> => new Set(names.map(opcodeByName).filter((o) => o >= 0));
  return {
    debug: set(['DBG_VALUE', 'DBG_VALUE_LIST', 'DBG_INSTR_REF', 'DBG_PHI', 'DBG_LABEL']),
    inlineAsm: set(['INLINEASM', 'INLINEASM_BR']),
    phi: opcodeByName('PHI'),
    gPhi: opcodeByName('G_PHI'),
    fakeUse: opcodeByName('FAKE_USE'),
    delayAlu: opcodeByName('S_DELAY_ALU'),
  };
}

/** Scratch columns that grow and are reused from chunk to chunk; owned by the lowering cache. */
export class ChunkScratch {
  opcode = new Uint16Array(256);
  opBegin = new Int32Array(257);
  instrFlags = new Uint32Array(256);
  instrNode = new Int32Array(256);
  kind = new Uint8Array(1024);
  flags = new Uint16Array(1024);
  val = new Int32Array(1024);
  ext = new Int32Array(1024);
  sub = new Uint16Array(1024);
  tied = new Int16Array(1024);
  targetFlags = new Uint8Array(1024);
  node = new Int32Array(1024);
  /** requested `tied-def` index or -1, parallel to the operands of the current instruction as parsed */
  tie = new Int32Array(1024);
  vregOperands = new Int32Array(1024);
  /** generation that last met a vreg number, and its local index */
  stamp = new Int32Array(1024);
  index = new Int32Array(1024);
  generation = 0;
  vregKey = new Int32Array(256);
  vregIsNamed = new Uint8Array(256);
  vregKind = new Uint8Array(256);
  vregId = new Int16Array(256);
  vregSummary = new Uint8Array(256);
  vregDefs = new Uint8Array(256);
  vregFirst = new Int32Array(256);
  /** VRegEvent records */
  events = new Int32Array(1024);

  ensure(nInstrs: number, nOperands: number): void {
    if (nInstrs >= this.opcode.length) {
      const n = nInstrs * 2;
      this.opcode = new Uint16Array(n);
      this.opBegin = new Int32Array(n + 1);
      this.instrFlags = new Uint32Array(n);
      this.instrNode = new Int32Array(n);
    }
    if (nOperands >= this.kind.length) {
      const n = nOperands * 2;
      this.kind = new Uint8Array(n);
      this.flags = new Uint16Array(n);
      this.val = new Int32Array(n);
      this.ext = new Int32Array(n);
      this.sub = new Uint16Array(n);
      this.tied = new Int16Array(n);
      this.targetFlags = new Uint8Array(n);
      this.node = new Int32Array(n);
      this.tie = new Int32Array(n);
      this.vregOperands = new Int32Array(n);
    }
    if (nOperands >= this.vregKey.length) {
      const n = nOperands * 2;
      this.vregKey = new Int32Array(n);
      this.vregIsNamed = new Uint8Array(n);
      this.vregKind = new Uint8Array(n);
      this.vregId = new Int16Array(n);
      this.vregSummary = new Uint8Array(n);
      this.vregDefs = new Uint8Array(n);
      this.vregFirst = new Int32Array(n);
    }
  }
}
