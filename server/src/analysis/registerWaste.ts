/** Why an allocated function reaches higher registers than it has values at once: what lies unused below the highest, by what it is to the allocator. */
import { OpFlag, type MachineFunction } from '../model/machineFunction.js';
import { isPhysicalReg } from '../model/register.js';
import type { PhysReg } from '../target/api.js';
import { OpcodeTrait, opcodeTraits } from './opcodeTraits.js';
import { registerRole } from './registerRole.js';
import { ReservedRegs } from './reservedRegs.js';

export type RegisterFile = 'vgpr' | 'agpr' | 'sgpr';

export interface FileWaste {
  readonly file: RegisterFile;
  /** the highest register that code names and that is not reserved, plus one */
  readonly reach: number;
  /** most registers of the file that hold a value at one time */
  readonly live: number;
  /** below the highest, never used, ascending */
  readonly calleeSaved: readonly PhysReg[];
  readonly callerSaved: readonly PhysReg[];
  readonly reserved: readonly PhysReg[];
  /** below the highest and used, but free where most are live */
  readonly freeThere: number;
}

const FILES: readonly RegisterFile[] = ['vgpr', 'agpr', 'sgpr'];
const NO_FILE = 255;

/** `reach` = `live` + unused ones + `freeThere`. Files that code does not use are left out; `liveins` of blocks must be right. O(operands + registers) */
export function registerWaste(fn: MachineFunction): FileWaste[] {
  const reserved = new ReservedRegs(fn);
  const counts = new LiveCounts(fn, reserved);
  counts.run();
  return FILES.flatMap((file, f): FileWaste[] => {
    const regs = Array.from(fn.tables.numberedRegs(file));
    const reach = regs.reduce((most, reg, n) => (counts.isUsed(reg) ? n + 1 : most), 0);
    if (reach === 0) return [];
    const unused = regs.slice(0, reach).filter((reg) => !counts.isUsed(reg));
    const ofKind = (...kinds: readonly string[]): PhysReg[] =>
      unused.filter((reg) => kinds.includes(registerRole(fn, reserved, reg).kind));
    const live = counts.most[f];
    const freeThere = reach - unused.length - live;
    return [
      {
        file,
        reach,
        live,
        calleeSaved: ofKind('callee-saved'),
        callerSaved: ofKind('caller-saved'),
        reserved: ofKind('reserved', 'none'),
        freeThere,
      },
    ];
  });
}

class LiveCounts {
  /** by file */
  readonly most = [0, 0, 0];
  private readonly now = [0, 0, 0];
  /** file of the register that a unit belongs to, and the register's index in one list of all */
  private readonly fileOf: Uint8Array;
  private readonly indexOf: Uint16Array;
  /** by index: units that are live, and whether code names it */
  private readonly units: Uint8Array;
  private readonly used: Uint8Array;
  private readonly liveUnits: Uint8Array;
  private readonly indexOfReg = new Map<PhysReg, number>();

  constructor(
    private readonly fn: MachineFunction,
    reserved: ReservedRegs,
  ) {
    const { tables } = fn;
    this.fileOf = new Uint8Array(tables.nRegUnits).fill(NO_FILE);
    this.indexOf = new Uint16Array(tables.nRegUnits);
    this.liveUnits = new Uint8Array(tables.nRegUnits);
    FILES.forEach((file, f) => {
      for (const reg of tables.numberedRegs(file)) {
        this.indexOfReg.set(reg, this.indexOfReg.size);
        // What is reserved holds nothing that was allocated.
        if (reserved.isReserved(reg)) continue;
        for (let k = tables.unitBegin[reg]; k < tables.unitEnd[reg]; k++) {
          this.fileOf[tables.unitList[k]] = f;
          this.indexOf[tables.unitList[k]] = this.indexOfReg.get(reg)!;
        }
      }
    });
    this.units = new Uint8Array(this.indexOfReg.size);
    this.used = new Uint8Array(this.indexOfReg.size);
  }

  isUsed(reg: PhysReg): boolean {
    return this.used[this.indexOfReg.get(reg)!] === 1;
  }

  run(): void {
    const { fn } = this;
    const traits = opcodeTraits(fn.tables);
    for (let b = 0; b < fn.blocks.length; b++) {
      this.liveUnits.fill(0);
      this.units.fill(0);
      this.now.fill(0);
      for (const s of fn.blocks[b].successors) for (const { reg } of fn.blocks[s].liveIns) this.set(reg, 1);
      this.look();
      for (let p = fn.blockEnd[b] - 1; p >= fn.blockBegin[b]; p--) {
        const i = fn.order[p];
        if ((traits[fn.opcode[i]] & OpcodeTrait.NoSlotIndex) !== 0) continue;
        // Results live in their registers even where nobody reads them.
        for (const to of [1, 0] as const) {
          for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
            if ((fn.opFlags[o] & OpFlag.Def) !== 0 && isPhysicalReg(fn.opVal[o])) this.set(fn.opVal[o], to);
          if (to === 1) this.look();
        }
        for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
          if (!isPhysicalReg(fn.opVal[o]) || (fn.opFlags[o] & OpFlag.Def) !== 0) continue;
          if ((fn.opFlags[o] & (OpFlag.Undef | OpFlag.Internal)) === 0) this.set(fn.opVal[o], 1);
          else this.use(fn.opVal[o]);
        }
        this.look();
      }
    }
  }

  private look(): void {
    for (let f = 0; f < this.most.length; f++) this.most[f] = Math.max(this.most[f], this.now[f]);
  }

  private use(reg: PhysReg): void {
    const { unitBegin, unitEnd, unitList } = this.fn.tables;
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++)
      if (this.fileOf[unitList[k]] !== NO_FILE) this.used[this.indexOf[unitList[k]]] = 1;
  }

  private set(reg: PhysReg, to: 0 | 1): void {
    const { unitBegin, unitEnd, unitList } = this.fn.tables;
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
      const u = unitList[k];
      const f = this.fileOf[u];
      if (f === NO_FILE) continue;
      const n = this.indexOf[u];
      this.used[n] = 1;
      if (this.liveUnits[u] === to) continue;
      this.liveUnits[u] = to;
      const before = this.units[n];
      this.units[n] = to === 1 ? before + 1 : before - 1;
      if (before === 0) this.now[f]++;
      else if (this.units[n] === 0) this.now[f]--;
    }
  }
}
