/** Registers of a class that an instruction does not take: gives the register the class that is asked for, wherever it is spelled. */
import type { TextEdit } from '../../text/sourceText.js';
import { EntityKind } from '../symbols/symbolIndex.js';
import { classEdits } from '../fixes/classEdits.js';
import { occurrenceIn, type Assist } from '../fixes/fix.js';
import { allocatable } from '../fixes/askedClass.js';

/** `Illegal virtual register for instruction`, with the line `Expected a VGPR_32 register, but got a SReg_32 register` */
export const changeRegisterClass: Assist = ({ snapshot, view, diagnostic }) => {
  const { fn, symbols } = view;
  const i = occurrenceIn(view, diagnostic);
  const { expected } = diagnostic.facts ?? {};
  if (!fn || i < 0 || expected === undefined) return [];
  const asked = fn.tables.regClassByName(expected);
  const rc = asked < 0 ? -1 : allocatable(fn, asked);
  if (rc < 0) return [];
  const name = fn.tables.regClassMirName(rc);
  const edits = classEdits(snapshot, view, symbols.entity[i]!, () => name);
  return edits.length > 0
    ? [{ title: `Change the class of %${symbols.nameOf(symbols.entity[i]!)} to ${name}`, edits }]
    : [];
};

/** `Subtarget requires even aligned vector registers`: all registers of the instruction that have an aligned class to go to. */
export const alignRegisterClasses: Assist = ({ snapshot, view, diagnostic }) => {
  const { symbols } = view;
  const { tables } = snapshot.subtarget;
  const edits: TextEdit[] = [];
  const names: string[] = [];
  const seen = new Set<number>();
  for (let i = occurrenceIn(view, diagnostic); 0 <= i && i < symbols.n; i++) {
    if (diagnostic.end < view.start + symbols.end[i]!) break;
    const entity = symbols.entity[i]!;
    if (symbols.kinds[entity] !== EntityKind.VReg || seen.has(entity)) continue;
    seen.add(entity);
    const aligned = (now: string): string => (tables.regClassByName(`${now}_align2`) < 0 ? now : `${now}_align2`);
    const own = classEdits(snapshot, view, entity, aligned);
    if (own.length > 0) names.push(`%${symbols.nameOf(entity)}`);
    edits.push(...own);
  }
  edits.sort((a, b) => a.start - b.start);
  return edits.length > 0 ? [{ title: `Align the class of ${names.join(', ')}`, edits }] : [];
};

/** `conflicting register classes, previously: VGPR_32`: the class that stood first, unless no register can have it. */
export const firstClass: Assist = ({ snapshot, diagnostic }) => {
  const { tables } = snapshot.subtarget;
  const { expected } = diagnostic.facts ?? {};
  const rc = expected === undefined ? -1 : tables.regClassByName(expected);
  if (rc < 0 || !tables.isAllocatableClass(rc)) return [];
  const { start, end } = diagnostic;
  const text = tables.regClassMirName(rc);
  return [{ title: `Change to '${text}'`, edits: [{ start, end, text }] }];
};
