/** `si-post-ra-bundler`: memory accesses of one kind in a row become a bundle, so that they stay together (SIPostRABundler, LLVM 22; docs/llvm/small-passes.md, 8). */
import { finalizeBundle } from '../../model/edit/bundleUp.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { OpFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import type { DebugNames } from '../../model/printer/index.js';
import { McFlag, type PhysReg } from '../../target/api.js';
import { hasOpcodeFlag, memoryEncoding } from '../../target/opcodes.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { lineOfLocation } from '../debugLines.js';
import type { MachinePass } from '../machinePass.js';

/** @llvm SIPostRABundler.cpp SIPostRABundlerLegacy */
export const postRABundlerPass: MachinePass = {
  name: 'si-post-ra-bundler',
  pipelineName: 'si-post-ra-bundler',
  className: 'SIPostRABundlerPass',
  title: 'SI post-RA bundler',
  requires: [],
  preserves: 'all',
  run(state) {
    if (!state.fn.isOptNone) new Bundler(state.editor(), state.context.debugNames).run();
  },
};

/** @llvm SIPostRABundler.cpp SIPostRABundler */
class Bundler {
  private readonly fn: MachineFunction;
  private readonly kill: number;
  private readonly barrier: number;

  constructor(
    private readonly editor: FunctionEditor,
    private readonly names: DebugNames,
  ) {
    this.fn = editor.fn;
    this.kill = this.fn.tables.opcodeByName('KILL');
    this.barrier = this.fn.tables.opcodeByName('SCHED_BARRIER');
  }

  /** @llvm SIPostRABundler.cpp SIPostRABundler::run */
  run(): void {
    const { fn, editor } = this;
    const { list } = editor;
    const grouped = opcodeSet(fn.tables, 'regionHasIGLP');
    for (let b = 0; b < fn.blocks.length; b++) {
      let hasGroups = false;
      for (let i = list.first(b); i >= 0 && !hasGroups; i = list.after(i)) hasGroups = grouped.has(fn.opcode[i]);
      if (hasGroups) continue;
      for (let i = list.first(b); i >= 0;) {
        if (!this.isAccess(i)) {
          i = list.after(i);
          continue;
        }
        const last = this.lastOfRow(i);
        if (last !== i) this.eraseKills(i, last);
        const next = list.after(last);
        if (last !== i) finalizeBundle(editor, i, next >= 0 ? next : ~b, lineOfLocation(this.names));
        i = next;
      }
    }
  }

  private has(i: InstrId, flag: McFlag): boolean {
    return hasOpcodeFlag(this.fn.tables, this.fn.opcode[i], flag);
  }

  private isAccess(i: InstrId): boolean {
    const { fn } = this;
    const touches = this.has(i, McFlag.MayLoad) || this.has(i, McFlag.MayStore);
    return fn.bundle[i] === 0 && touches && memoryEncoding(fn.tables, fn.opcode[i]) !== 0;
  }

  /** The last access of a row that does the same as the one before it and reads nothing that the row loads; what makes no code may stand between, but for SCHED_BARRIER. */
  private lastOfRow(first: InstrId): InstrId {
    const { fn } = this;
    const { list } = this.editor;
    const { tables, opcode } = fn;
    const loaded: PhysReg[] = [];
    const note = (i: InstrId): void => {
      if (tables.opcodeNumDefs(opcode[i]) > 0) loaded.push(fn.opVal[fn.opBegin[i]]);
    };
    note(first);
    let last = first;
    for (let i = list.after(first); i >= 0; i = list.after(i)) {
      const isAlike =
        fn.bundle[i] === 0 &&
        this.has(i, McFlag.MayLoad) === this.has(last, McFlag.MayLoad) &&
        this.has(i, McFlag.MayStore) === this.has(last, McFlag.MayStore) &&
        memoryEncoding(tables, opcode[i]) === memoryEncoding(tables, opcode[last]);
      if (isAlike && !this.dependsOn(i, loaded)) {
        last = i;
        note(i);
      } else if (!this.has(i, McFlag.Meta) || opcode[i] === this.barrier) break;
    }
    return last;
  }

  /** @llvm SIPostRABundler.cpp SIPostRABundler::isDependentLoad */
  private dependsOn(i: InstrId, loaded: readonly PhysReg[]): boolean {
    const { fn } = this;
    if (!this.has(i, McFlag.MayLoad)) return false;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if ((fn.opFlags[o] & OpFlag.Implicit) !== 0 || reg <= 0) continue;
      if (loaded.some((other) => other > 0 && fn.tables.regsOverlap(reg, other))) return true;
    }
    return false;
  }

  /** KILLs after a row that name nothing but what it reads have served allocation. */
  private eraseKills(first: InstrId, last: InstrId): void {
    const { fn, editor } = this;
    const { list } = editor;
    const read = new Set<number>();
    for (let i = first; i >= 0; i = i === last ? -1 : list.after(i)) for (const u of this.unitsRead(i)) read.add(u);
    for (let i = list.after(last); i >= 0 && fn.opcode[i] === this.kill;) {
      if (this.unitsRead(i).some((u) => !read.has(u))) return;
      const next = list.after(i);
      editor.erase(i);
      i = next;
    }
  }

  /** @llvm SIPostRABundler.cpp SIPostRABundler::collectUsedRegUnits */
  private unitsRead(i: InstrId): number[] {
    const { fn, editor } = this;
    const { unitBegin, unitEnd, unitList } = fn.tables;
    const units: number[] = [];
    if (opcodeSet(fn.tables, 'debugInstr').has(fn.opcode[i])) return units;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if (reg > 0 && editor.reads(o)) for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) units.push(unitList[u]);
    }
    return units;
  }
}
