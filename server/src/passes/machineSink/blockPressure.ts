/** machine-sink: the most registers that live in a block at once, by what the block itself says of them (docs/llvm/improving-ssa.md, 4). */
import { OpFlag, type BlockId } from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import { isAllocatable, type EditedFunction } from '../constantRegs.js';
import { allInstrs, isDebugOrProbe } from '../instrOrder.js';
import { N_PRESSURE_SETS } from '../scheduler/pressure/setLimits.js';

/** A virtual register, or a unit of a physical one. */
type Key = number;

/**
 * By set. From the end of the block up: a register lives from the last use on, one that is defined and not read behind it lives out of the block.
 * @llvm MachineSink.cpp MachineSinking::getBBRegisterPressure
 */
export function blockPressure(of: EditedFunction, b: BlockId): Int32Array {
  const { editor } = of;
  const { fn } = editor;
  const { tables } = fn;
  const now = new Int32Array(N_PRESSURE_SETS);
  const most = new Int32Array(N_PRESSURE_SETS);
  const live = new Set<Key>();
  /** `isLiveOut`: it lives behind all that was looked at. */
  const add = (key: Key, sign: 1 | -1, isLiveOut = false): void => {
    const rc = key < 0 ? fn.vregs.regClass[virtRegIndex(key)] : -1;
    const weight = key < 0 ? tables.regClassWeight[rc] : tables.regUnitWeight(key);
    for (const set of key < 0 ? tables.regClassPressureSets(rc) : tables.regUnitPressureSets(key)) {
      now[set] += sign * weight;
      most[set] = isLiveOut ? most[set] + weight : Math.max(most[set], now[set]);
    }
  };
  const addKeys = (keys: Set<Key>, reg: Reg): void => {
    if (isVirtualReg(reg)) keys.add(reg);
    else if (isAllocatable(of, reg))
      for (let k = tables.unitBegin[reg]; k < tables.unitEnd[reg]; k++) keys.add(tables.unitList[k]);
  };
  for (const i of allInstrs(editor, b).reverse()) {
    if (isDebugOrProbe(fn, i)) continue;
    const [uses, defs, dead] = [new Set<Key>(), new Set<Key>(), new Set<Key>()];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if (reg === 0) continue;
      const flags = fn.opFlags[o];
      if ((flags & OpFlag.Def) === 0) {
        if ((flags & (OpFlag.Undef | OpFlag.Internal)) === 0) addKeys(uses, reg);
        continue;
      }
      if (editor.reads(o)) addKeys(uses, reg);
      addKeys((flags & OpFlag.Dead) !== 0 ? dead : defs, reg);
    }
    for (const key of defs) dead.delete(key);
    const bumped = [...dead].filter((key) => !live.has(key));
    for (const key of bumped) add(key, 1);
    for (const key of bumped) add(key, -1);
    for (const key of defs) {
      if (!live.delete(key)) add(key, 1, true);
      add(key, -1);
    }
    for (const key of uses) {
      if (live.has(key)) continue;
      live.add(key);
      add(key, 1);
    }
  }
  return most;
}
