/**
 * Scheduling models (MCSchedModel) and what variant scheduling classes resolve to (TargetSchedModel).
 *
 * LLVM decides variants by code; the tables hold its answers: copies by the class of the destination, other opcodes
 * by the values of a few immediate operands (cbsz, blgp, matrix formats).
 */
import { listAt, PackReader, type IntLists } from './packed.js';
import type { TableTexts } from './tableTexts.js';
import type { Opcode, ProcResource, RegClassId, SchedClassDesc, SchedModel, WriteProcRes } from './api.js';

/** Values that a deciding operand can take in the tables; larger ones count as 0. */
const VALUES = 8;

class Model implements SchedModel {
  readonly microOpBufferSize: number;
  readonly loadLatency: number;
  readonly resources: readonly ProcResource[];
  private readonly kind: Int32Array;
  private readonly microOps: Int32Array;
  private readonly writes: IntLists;
  private readonly latencies: IntLists;
  private readonly readAdvance: IntLists;
  private readonly descs: (SchedClassDesc | undefined)[] = [];
  private readonly copyResult: ReadonlyMap<number, number>;
  private readonly ruleOf: ReadonlyMap<number, number>;
  private readonly ruleOperands: IntLists;
  private readonly ruleClasses: IntLists;

  constructor(r: PackReader) {
    const head = r.ints();
    this.microOpBufferSize = head[2]!;
    this.loadLatency = head[3]!;
    const names = r.strings();
    // Units and super-resources, which nothing here asks about.
    r.ints();
    r.ints();
    const buffer = r.ints();
    this.resources = names.map((name, i) => ({ name, bufferSize: buffer[i]! }));
    this.kind = r.ints();
    this.microOps = r.ints();
    // Dispatch groups and early retirement, the same.
    r.ints();
    this.writes = r.lists();
    this.latencies = r.lists();
    this.readAdvance = r.lists();
    const copyFrom = r.ints();
    const copyTo = r.ints();
    const opcodes = r.ints();
    const rules = r.ints();
    this.copyResult = new Map(Array.from(copyFrom, (rc, i) => [rc, copyTo[i]!]));
    this.ruleOf = new Map(Array.from(opcodes, (opc, i) => [opc, rules[i]!]));
    this.ruleOperands = r.lists();
    this.ruleClasses = r.lists();
  }

  get hasInstrSchedModel(): boolean {
    return this.kind.length > 0;
  }
  isValidClass(id: number): boolean {
    return (this.kind[id] ?? 0) !== 0;
  }
  isVariantClass(id: number): boolean {
    return this.kind[id] === 1;
  }

  schedClass(id: number): SchedClassDesc {
    const known = this.descs[id];
    if (known !== undefined) return known;
    if (id < 0 || id >= this.kind.length) return INVALID_CLASS;
    const writes = listAt(this.writes, id);
    const latencies = listAt(this.latencies, id);
    const advance = listAt(this.readAdvance, id);
    const writeProcRes: WriteProcRes[] = [];
    for (let i = 0; i < writes.length; i += 3)
      writeProcRes.push({ resource: writes[i]!, releaseAtCycle: writes[i + 1]!, acquireAtCycle: writes[i + 2]! });
    const writeLatencyCycles: number[] = [];
    const writeIds: number[] = [];
    for (let i = 0; i < latencies.length; i += 2) {
      writeLatencyCycles.push(latencies[i]!);
      writeIds.push(latencies[i + 1]!);
    }
    const readAdvance: (readonly [number, number, number])[] = [];
    for (let i = 0; i < advance.length; i += 3) readAdvance.push([advance[i]!, advance[i + 1]!, advance[i + 2]!]);
    const desc: SchedClassDesc = {
      numMicroOps: this.microOps[id]!,
      writeLatencyCycles,
      writeIds,
      writeProcRes,
      readAdvance,
    };
    return (this.descs[id] = desc);
  }

  copyClass(rc: RegClassId): number {
    return this.copyResult.get(rc) ?? -1;
  }

  variantClass(opc: Opcode, immOf: (opIdx: number) => number): number {
    const rule = this.ruleOf.get(opc);
    if (rule === undefined) return -1;
    const operands = listAt(this.ruleOperands, rule);
    const classes = listAt(this.ruleClasses, rule);
    let at = 0;
    for (let i = operands.length - 1; i >= 0; i--) {
      const v = immOf(operands[i]!);
      at = at * VALUES + (v >= 0 && v < VALUES ? v : 0);
    }
    return classes[at]!;
  }
}

const INVALID_CLASS: SchedClassDesc = {
  numMicroOps: 0,
  writeLatencyCycles: [],
  writeIds: [],
  writeProcRes: [],
  readAdvance: [],
};

/**
 * The models of a release by number, each read when first asked for.
 * @llvm MCSchedule.h MCSchedModel::ProcID
 */
export class SchedModels {
  private readonly models = new Map<number, SchedModel>();

  constructor(private readonly texts: TableTexts) {}

  get(id: number): SchedModel {
    let model = this.models.get(id);
    if (model === undefined) {
      const r = this.texts.reader('SCHED_MODELS');
      const ids = r.ints();
      const lengths = r.ints();
      for (let i = 0; i < ids.length && ids[i] !== id; i++) r.pos += lengths[i]!;
      model = new Model(r);
      this.models.set(id, model);
    }
    return model;
  }
}
