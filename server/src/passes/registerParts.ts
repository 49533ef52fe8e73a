/** Parts of registers: what parts of parts are, and classes whose registers have two parts in common. */
import type { RegClassId, SubRegIdx, TargetTables } from '../target/api.js';

/** Part `b` of part `a`; both may be 0, the whole register. */
export const composed = (tables: TargetTables, a: SubRegIdx, b: SubRegIdx): SubRegIdx =>
  a === 0 ? b : b === 0 ? a : tables.composeSubRegIndices(a, b);

/**
 * The part of part `a` that is part `b` of the whole register, 0 = none.
 * @llvm TargetRegisterInfo.h TargetRegisterInfo::reverseComposeSubRegIndices
 */
export function reverseComposed(tables: TargetTables, a: SubRegIdx, b: SubRegIdx): SubRegIdx {
  for (let part = 1; part < tables.subRegSize.length; part++)
    if (tables.composeSubRegIndices(a, part) === b) return part;
  return 0;
}

/**
 * Whether registers of two classes, or parts of them, are of one kind: some register is in both.
 * @llvm TargetRegisterInfo.cpp shareSameRegisterFile
 */
export function shareRegisterFile(
  tables: TargetTables,
  rcA: RegClassId,
  subA: SubRegIdx,
  rcB: RegClassId,
  subB: SubRegIdx,
): boolean {
  if (rcA === rcB && subA === subB) return true;
  if (subA !== 0 && subB !== 0) return commonSuperClass(tables, rcA, subA, rcB, subB) !== null;
  if (subA !== 0) return tables.getMatchingSuperRegClass(rcA, rcB, subA) >= 0;
  if (subB !== 0) return tables.getMatchingSuperRegClass(rcB, rcA, subB) >= 0;
  return tables.getCommonSubClass(rcA, rcB) >= 0;
}

interface CommonSuper {
  readonly rc: RegClassId;
  readonly a: SubRegIdx;
  readonly b: SubRegIdx;
}

const knownSupers = new WeakMap<TargetTables, Map<string, CommonSuper | null>>();

/**
 * The smallest class with a part of class `rcA` and one of class `rcB` whose parts `subA` and `subB` are the same lanes.
 * @llvm TargetRegisterInfo.cpp TargetRegisterInfo::getCommonSuperRegClass
 */
export function commonSuperClass(
  tables: TargetTables,
  rcA: RegClassId,
  subA: SubRegIdx,
  rcB: RegClassId,
  subB: SubRegIdx,
): CommonSuper | null {
  let known = knownSupers.get(tables);
  if (known === undefined) knownSupers.set(tables, (known = new Map()));
  const key = `${rcA} ${subA} ${rcB} ${subB}`;
  let found = known.get(key);
  if (found === undefined) known.set(key, (found = findCommonSuper(tables, rcA, subA, rcB, subB)));
  return found;
}

function findCommonSuper(
  tables: TargetTables,
  rcA: RegClassId,
  subA: SubRegIdx,
  rcB: RegClassId,
  subB: SubRegIdx,
): CommonSuper | null {
  const { regClassBits } = tables;
  if (regClassBits[rcA] < regClassBits[rcB]) {
    const other = findCommonSuper(tables, rcB, subB, rcA, subA);
    return other && { rc: other.rc, a: other.b, b: other.a };
  }
  const projects = (rc: RegClassId, onto: RegClassId, idx: SubRegIdx): boolean =>
    idx === 0 ? tables.hasSubClassEq(onto, rc) : tables.getMatchingSuperRegClass(rc, onto, idx) === rc;
  let best: CommonSuper | null = null;
  const indicesOfB = [0, ...tables.superRegIndices(rcB)];
  for (const a of [0, ...tables.superRegIndices(rcA)]) {
    const whole = composed(tables, a, subA);
    for (const b of indicesOfB) {
      if (whole !== composed(tables, b, subB)) continue;
      let rc = 0;
      while (rc < tables.nRegClasses && !(projects(rc, rcA, a) && projects(rc, rcB, b))) rc++;
      if (rc === tables.nRegClasses || regClassBits[rc] < regClassBits[rcA]) continue;
      if (best !== null && regClassBits[rc] >= regClassBits[best.rc]) continue;
      best = { rc, a, b };
      if (regClassBits[rc] === regClassBits[rcA]) return best;
    }
  }
  return best;
}
