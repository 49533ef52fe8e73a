/**
 * `mir-canonicalizer`: copies go, instructions stand in an order of their texts and next to their readers, and registers are named by what defines
 * them, so that two versions of a function can be compared (MIRCanonicalizer, LLVM 22; docs/llvm/small-passes.md, 14).
 */
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { ListPos } from '../../model/edit/instrList.js';
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
} from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import { InstrPrinter } from '../../model/printer/index.js';
import { McFlag } from '../../target/api.js';
import { hasOpcodeFlag } from '../../target/opcodes.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { introsort } from '../../util/introsort.js';
import { reversePostOrder } from '../../util/reversePostOrder.js';
import { allInstrs } from '../instrOrder.js';
import type { FunctionState } from '../functionState.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { VRegRenamer } from './vregRenamer.js';

/** @llvm MIRCanonicalizerPass.cpp MIRCanonicalizer */
export const mirCanonicalizerPass: MachinePass = {
  name: 'mir-canonicalizer',
  pipelineName: null,
  title: 'Rename register operands in a canonical ordering.',
  requires: [],
  preserves: [CFG],
  run(state) {
    if (state.context.options.has('canon-nth-function')) throw new NotModelled("one function of '-canon-nth-function'");
    new Canonicalizer(state).run();
  },
};

class Canonicalizer {
  private readonly editor: FunctionEditor;
  private readonly fn: MachineFunction;
  private readonly renamer: VRegRenamer;
  /** by instruction of the block, in ascending order */
  private readonly places = new Map<InstrId, number>();

  constructor(private readonly state: FunctionState) {
    this.renamer = new VRegRenamer(state);
    this.editor = state.editor();
    this.fn = this.editor.fn;
  }

  /** @llvm MIRCanonicalizerPass.cpp runOnBasicBlock */
  run(): void {
    const { fn } = this;
    if (fn.bundle.subarray(0, fn.nInstrs).some((flags) => flags !== 0)) throw new NotModelled('bundles put in order');
    reversePostOrder(fn.blocks).forEach((b, n) => {
      this.propagateCopies(b);
      this.reorder(b);
      this.renamer.rename(b, n);
      this.clearMarks(b);
    });
  }

  /** @llvm MIRCanonicalizerPass.cpp propagateLocalCopies */
  private propagateCopies(b: BlockId): void {
    const { fn, editor } = this;
    const copy = fn.tables.opcodeByName('COPY');
    for (const i of allInstrs(editor, b).filter((k) => fn.opcode[k] === copy)) {
      const o = fn.opBegin[i];
      const to = fn.opVal[o];
      const from = fn.opVal[o + 1];
      if (!isVirtualReg(to) || !isVirtualReg(from)) continue;
      const rc = fn.vregs.regClass[virtRegIndex(to)];
      if (rc < 0 || rc !== fn.vregs.regClass[virtRegIndex(from)]) continue;
      for (const use of [...editor.operandsOf(to)]) if (!editor.isDef(use)) editor.setReg(use, from);
      editor.erase(i);
    }
  }

  private isInMemory(i: InstrId): boolean {
    const { fn } = this;
    const { tables } = fn;
    const opcode = fn.opcode[i];
    if (hasOpcodeFlag(tables, opcode, McFlag.MayLoad) || hasOpcodeFlag(tables, opcode, McFlag.MayStore)) return true;
    // bits of INLINEASM: it may load, it may store
    return opcodeSet(tables, 'inlineAsm').has(opcode) && (fn.imm(fn.opBegin[i] + 1) & 24) !== 0;
  }

  /** @llvm MIRCanonicalizerPass.cpp rescheduleCanonically */
  private reorder(b: BlockId): void {
    const { fn, editor } = this;
    const { list } = editor;
    const instrs = allInstrs(editor, b);
    const written = this.physicalDefs(instrs);
    const free: InstrId[] = [];
    this.number(b);
    /** readers in the order in which they were found, some more than once */
    const readers: InstrId[] = [];
    const defsOf = new Map<InstrId, InstrId[]>();
    for (const i of instrs) {
      const first = fn.opBegin[i];
      if (fn.numOperands(i) === 0 || this.isInMemory(i)) continue;
      if (fn.opKind[first] !== OperandKind.Register || !isVirtualReg(fn.opVal[first]) || !editor.isDef(first)) continue;
      if (this.dependsOnNothing(i, written)) {
        free.push(i);
        continue;
      }
      const reader = this.nearestReader(i, readers);
      if (reader < 0) continue;
      const defs = defsOf.get(reader);
      if (defs === undefined) defsOf.set(reader, [i]);
      else defs.push(i);
      this.moveBefore(reader, i);
    }
    for (const reader of readers) this.sortBefore(() => reader, defsOf.get(reader) ?? []);
    this.sortBefore(() => list.first(b), free);
  }

  private number(b: BlockId): void {
    const { list } = this.editor;
    this.places.clear();
    for (let i = list.first(b); i >= 0; i = list.after(i)) this.places.set(i, this.places.size);
  }

  private moveBefore(at: InstrId, i: InstrId): void {
    const { editor, fn, places } = this;
    const { list } = editor;
    if (!list.moveBefore(at, i)) return;
    const high = places.get(at) ?? 0;
    const low = places.get(list.before(i)) ?? -1;
    const middle = (low + high) / 2;
    if (middle > low && middle < high) places.set(i, middle);
    else this.number(fn.instrBlock[at]);
  }

  /** Physical registers that instructions define beside their first operand. */
  private physicalDefs(instrs: readonly InstrId[]): Set<Reg> {
    const { fn, editor } = this;
    const found = new Set<Reg>();
    for (const i of instrs)
      for (let o = fn.opBegin[i] + 1; o < fn.opBegin[i + 1]; o++)
        if (fn.opKind[o] === OperandKind.Register && !isVirtualReg(fn.opVal[o]) && editor.isDef(o))
          found.add(fn.opVal[o]);
    return found;
  }

  /** After its first operand it has nothing but immediates, and physical registers that the block does not write. */
  private dependsOnNothing(i: InstrId, written: ReadonlySet<Reg>): boolean {
    const { fn } = this;
    for (let o = fn.opBegin[i] + 1; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] === OperandKind.Immediate) continue;
      if (fn.opKind[o] !== OperandKind.Register || isVirtualReg(fn.opVal[o]) || written.has(fn.opVal[o])) return false;
    }
    return true;
  }

  /** The reader of the block that comes first after an instruction, -1 = none. Each that is nearer than those before goes to `readers`. */
  private nearestReader(i: InstrId, readers: InstrId[]): InstrId {
    const { fn, editor, places } = this;
    const from = places.get(i) ?? 0;
    let nearest = -1;
    let least = Infinity;
    for (const o of editor.usesOf(fn.opVal[fn.opBegin[i]])) {
      const reader = editor.instrOf(o);
      const at = places.get(reader);
      if (at === undefined || from >= at || at >= least) continue;
      least = at;
      nearest = reader;
      readers.push(reader);
    }
    return nearest;
  }

  /**
   * Puts instructions before a place, in the order of their texts from the equals sign on.
   * @llvm MIRCanonicalizerPass.cpp rescheduleLexographically
   */
  private sortBefore(place: () => ListPos, instrs: readonly InstrId[]): void {
    if (instrs.length === 0) return;
    const { fn, editor, state } = this;
    const printer = new InstrPrinter(fn, { standalone: true, debugNames: state.context.debugNames });
    const texts = instrs.map((instr) => {
      const text = `${printer.printInstr(instr)}\n`;
      const at = text.indexOf('=');
      return { text: at < 0 ? text : text.slice(at), instr };
    });
    introsort(texts, (x, y) => x.text < y.text);
    for (const { instr } of texts) editor.list.moveBefore(place(), instr);
  }

  /** @llvm MIRCanonicalizerPass.cpp doDefKillClear */
  private clearMarks(b: BlockId): void {
    const { fn, editor } = this;
    for (const i of allInstrs(editor, b)) {
      if ((fn.bundle[i] & BundleFlag.BundledPred) !== 0) continue;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
        fn.opFlags[o] &= editor.isDef(o) ? ~OpFlag.Dead : ~OpFlag.Kill;
    }
  }
}
