/** `Cannot determine class/bank of virtual register`: gives it the class that its definition or its uses ask for. */
import { virtReg } from '../../model/register.js';
import { EntityKind, Role } from '../symbols/symbolIndex.js';
import { classFor, classOfName, vectorName, vregIndex } from '../fixes/askedClass.js';
import { insert, occurrenceIn, type Assist } from '../fixes/fix.js';

export const addRegisterClass: Assist = ({ snapshot, view, diagnostic }) => {
  const { fn, symbols } = view;
  const i = occurrenceIn(view, diagnostic);
  if (!fn || i < 0 || symbols.kinds[symbols.entity[i]!] !== EntityKind.VReg) return [];
  const name = symbols.nameOf(symbols.entity[i]!);
  const isNamed = symbols.isNamed(symbols.entity[i]!);
  const className = classOfName(fn, name, isNamed);
  if (className === null) return [];
  // An entry in registers: is where the mistake is.
  if ([...symbols.occurrences(symbols.entity[i]!)].some((o) => (symbols.role[o]! & Role.Declaration) !== 0)) return [];
  // The first definition says it, as llc prints it.
  const all = [...symbols.occurrences(symbols.entity[i]!)].filter((o) => (symbols.role[o]! & Role.Header) === 0);
  const target = all.find((o) => (symbols.role[o]! & Role.Def) !== 0) ?? all[0];
  if (target === undefined) return [];
  const { text } = snapshot.text;
  let at = view.start + symbols.end[target]!;
  const subReg = /^\.[\w]+/.exec(text.slice(at, at + 40));
  if (subReg) at += subReg[0].length;
  const own = fn.tables.regClassByName(className);
  // What only a copy of an SGPR tells about may be a VGPR: whichever leaves fewer errors comes first.
  const isCopied = classFor(fn, virtReg(vregIndex(fn, name, isNamed)), false) < 0;
  const other = isCopied && fn.tables.isSGPRClass(own) ? fn.tables.regClassByName(vectorName(fn, own, 'v')) : -1;
  const names = other < 0 ? [className] : [className, fn.tables.regClassMirName(other)];
  return names.map((c) => ({ title: `Give %${name} the class ${c}`, edits: [insert(at, `:${c}`)] }));
};
