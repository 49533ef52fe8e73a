/**
 * `si-insert-hard-clauses`: memory accesses of one kind in a row become a clause, which the processor does not interrupt: a bundle behind S_CLAUSE
 * (SIInsertHardClauses, LLVM 22; docs/llvm/late-passes.md, 2).
 */
import { finalizeBundle } from '../../model/edit/bundleUp.js';
import { immOperand, type FunctionEditor } from '../../model/edit/functionEditor.js';
import { InstrBuilder, NO_LOCATION } from '../../model/edit/instrBuilder.js';
import type { BlockId, InstrId, MachineFunction, OperandId } from '../../model/machineFunction.js';
import { Generation } from '../../target/api.js';
import { isFLAT, isFLATGlobal, isFLATScratch, isImage, isSMRD } from '../../target/opcodes.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { lazy } from '../../util/lazy.js';
import { lineOfLocation } from '../debugLines.js';
import { InstrQueries } from '../instrQueries.js';
import type { MachinePass } from '../machinePass.js';
import { CFG, type PassContext } from '../passContext.js';
import type { Remarks } from '../remarks.js';
import { decomposeMemAccess, identicalOperands } from '../scheduler/dag/memAccess.js';
import { moduleFactsOf } from '../scheduler/moduleFacts.js';

/** @llvm SIInsertHardClauses.cpp SIInsertHardClausesLegacy */
export const insertHardClausesPass: MachinePass = {
  name: 'si-insert-hard-clauses',
  pipelineName: 'si-insert-hard-clauses',
  className: 'SIInsertHardClausesPass',
  title: 'SI Insert Hard Clauses',
  requires: [],
  preserves: [CFG],
  run(state) {
    if (state.fn.isOptNone) return;
    const longest = Number(state.context.options.get('amdgpu-hard-clause-length-limit') ?? Infinity);
    const limit = Math.min(longestClause(state.fn), longest);
    if (limit > 0) new HardClauses(state.editor(), state.context, limit, state.remarks).run();
  },
};

const NSA_GFX10 = new OpcodePattern(/_nsa_gfx10$/);
const BVH = new OpcodePattern(/^IMAGE_BVH/);
const SAMPLER = new OpcodePattern(/^IMAGE_(?:SAMPLE|GATHER4|GET_LOD)/);

/** What is not one of a clause by its words: may stand in one, makes no code, ends one. */
const INTERNAL = 'internal';
const IGNORED = 'ignored';
const ILLEGAL = 'illegal';

/** 0 = the processor has no clauses */
function longestClause({ subtarget }: MachineFunction): number {
  if (subtarget.hasFeature('max-hard-clause-length-63')) return 63;
  return subtarget.hasFeature('max-hard-clause-length-32') ? 32 : 0;
}

interface Clause {
  readonly kind: string;
  readonly first: InstrId;
  last: InstrId;
  /** instructions up to `last`, without those that make no code */
  length: number;
  /** S_NOPs after `last` */
  trailing: number;
}

/** @llvm SIInsertHardClauses.cpp SIInsertHardClauses */
class HardClauses {
  private readonly fn: MachineFunction;
  private readonly queries: InstrQueries;
  private readonly builder: InstrBuilder;
  private readonly hasOneKind: boolean;
  private readonly clustersStores: boolean;

  constructor(
    private readonly editor: FunctionEditor,
    private readonly context: PassContext,
    private readonly limit: number,
    private readonly remarks: Remarks | null,
  ) {
    const { fn } = editor;
    const { subtarget } = fn;
    this.fn = fn;
    this.queries = new InstrQueries(fn);
    this.builder = new InstrBuilder(editor);
    this.hasOneKind = subtarget.generation === Generation.GFX10 || subtarget.hasFeature('gfx1250-insts');
    this.clustersStores = subtarget.generation >= Generation.GFX11;
  }

  private readonly aliasQueries = lazy(() => moduleFactsOf(this.context.source, this.context.ir).aliasQueries(this.fn));

  /** @llvm SIInsertHardClauses.cpp SIInsertHardClauses::run */
  run(): void {
    for (let b = 0; b < this.fn.blocks.length; b++) this.inBlock(b);
  }

  private inBlock(b: BlockId): void {
    const { list } = this.editor;
    let clause: Clause | null = null;
    const finish = (): void => {
      if (clause !== null) this.emit(clause, b);
      clause = null;
    };
    for (let i = list.first(b); i >= 0;) {
      const next = list.after(i);
      const kind = this.kindOf(i);
      const open = clause as Clause | null;
      const isWithin = kind === INTERNAL || kind === IGNORED;
      if (open !== null && (open.length === this.limit || (!isWithin && !this.fits(open, i, kind)))) {
        if (!isWithin && kind !== ILLEGAL) this.explainEnd(open, i, kind);
        finish();
      }
      const left = clause as Clause | null;
      if (left !== null) {
        if (kind === INTERNAL) left.trailing++;
        else if (kind !== IGNORED) {
          left.length += 1 + left.trailing;
          left.trailing = 0;
          left.last = i;
        }
      } else if (!isWithin && kind !== ILLEGAL) clause = { kind, first: i, last: i, length: 1, trailing: 0 };
      i = next;
    }
    finish();
  }

  /**
   * By the words that clauses differ in.
   * @llvm SIInsertHardClauses.cpp SIInsertHardClauses::getHardClauseType
   */
  private kindOf(i: InstrId): string {
    const { fn, queries } = this;
    const { tables, opcode } = fn;
    const loads = queries.mayLoad(i);
    const stores = queries.mayStore(i);
    const access = loads ? (stores ? 'atomic' : 'load') : 'store';
    const kind = (): string => {
      if (!loads && !(stores && this.clustersStores)) return '';
      const isSegment = isFLATGlobal(tables, opcode[i]) || isFLATScratch(tables, opcode[i]);
      const isMemory = queries.isBUF(i) || isImage(tables, opcode[i]) || isSegment;
      if (this.hasOneKind) {
        const isUnsafe = fn.subtarget.hasFeature('nsa-clause-bug') && queries.matches(NSA_GFX10, i);
        if (isMemory) return isUnsafe ? ILLEGAL : 'memory';
        if (queries.is(isFLAT, i)) return 'flat';
      } else {
        if (queries.is(isImage, i)) {
          if (queries.matches(BVH, i)) return 'bvh';
          return queries.matches(SAMPLER, i) ? 'sample' : `image ${access}`;
        }
        if (isMemory) return `memory ${access}`;
        if (queries.is(isFLAT, i)) return `flat ${access}`;
      }
      return queries.is(isSMRD, i) ? 'scalar' : '';
    };
    const found = kind();
    if (found === '') {
      if (queries.name(i) === 'S_NOP') return INTERNAL;
      return queries.isMeta(i) ? IGNORED : ILLEGAL;
    }
    return found === ILLEGAL || decomposeMemAccess(fn, i) === null ? ILLEGAL : found;
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::shouldClusterMemOps */
  private fits(clause: Clause, i: InstrId, kind: string): boolean {
    if (kind !== clause.kind) return false;
    const { fn } = this;
    const [a, b] = [this.base(clause.last), this.base(i)];
    if (a < 0 || b < 0) return a === b;
    // LLVM asks for two accesses of a byte each.
    if (fn.header.machineFunctionInfo.maxMemoryClusterDWords < 2) return false;
    return identicalOperands(fn, a, b) || this.haveOneObject(clause.last, i);
  }

  private explainEnd(clause: Clause, i: InstrId, kind: string): void {
    const rule = clause.length === this.limit ? 'clauseFull' : kind === clause.kind ? 'clauseBase' : 'clauseKind';
    this.remarks?.add({ kind: 'note', at: i, rule, other: clause.last });
  }

  private base(i: InstrId): OperandId {
    return decomposeMemAccess(this.fn, i)?.base[0] ?? -1;
  }

  /** @llvm SIInstrInfo.cpp memOpsHaveSameBasePtr */
  private haveOneObject(a: InstrId, b: InstrId): boolean {
    const objectOf = (i: InstrId): string | null => {
      const mem = this.fn.memOperands[i] ?? [];
      if (mem.length !== 1) return null;
      const object = this.aliasQueries()?.underlyingObject(mem[0].pointer) ?? null;
      return object === null ? null : `${mem[0].addressSpace} ${object}`;
    };
    const object = objectOf(a);
    return object !== null && object === objectOf(b);
  }

  /** @llvm SIInsertHardClauses.cpp SIInsertHardClauses::emitClause */
  private emit({ first, last, length }: Clause, b: BlockId): void {
    if (first === last) return;
    const opcode = this.fn.tables.opcodeByName('S_CLAUSE');
    const head = this.builder.build(first, NO_LOCATION, opcode, [immOperand(length - 1)]);
    const next = this.editor.list.after(last);
    const made = finalizeBundle(this.editor, head, next >= 0 ? next : ~b, lineOfLocation(this.context.debugNames));
    for (const at of [made, head]) this.remarks?.add({ kind: 'note', at, rule: 'clause', other: first });
  }
}
