/** `killed`, `dead`, `undef`, `renamable` where they are wrong or missing. */
import { aliasesIn } from '../snapshot/symbolAt.js';
import { EntityKind, Role } from '../symbols/symbolIndex.js';
import {
  blockAt,
  flagRange,
  insert,
  insertBlockLine,
  isBlockLabel,
  nameText,
  occurrenceIn,
  operandOf,
  type Assist,
  type AssistContext,
  type Proposal,
} from '../fixes/fix.js';

/** `cannot have a killed def operand`, `cannot have a dead use operand`, `isRenamable set on reserved register` */
export const removeWrongFlag: Assist = (context) => {
  const { snapshot, view, diagnostic } = context;
  const i = occurrenceIn(view, diagnostic);
  const { flag } = diagnostic.facts ?? {};
  const range = i < 0 || flag === undefined ? null : flagRange(snapshot, view, i, flag);
  return range ? [removal(`Remove '${flag!}' from ${nameText(snapshot, view, i)}`, range)] : [];
};

const removal = (title: string, { start, end }: { start: number; end: number }): Proposal => ({
  title,
  edits: [{ start, end, text: '' }],
});

/** `Using a killed virtual register`: the kill above the use in its block was not the last read. */
export const removeEarlierKill: Assist = (context) => {
  const i = occurrenceIn(context.view, context.diagnostic);
  return i < 0 ? [] : earlierFlag(context, i, 'killed', Role.Kill);
};

/** A read in another block that no definition reaches, because the one that there is is marked as never read. */
export const removeDeadOfDef: Assist = ({ snapshot, view, diagnostic }) => {
  const i = occurrenceIn(view, diagnostic);
  if (i < 0) return [];
  const { symbols } = view;
  for (const k of symbols.occurrences(symbols.entity[i]!)) {
    const range = (symbols.role[k]! & Role.Dead) !== 0 ? flagRange(snapshot, view, k, 'dead') : null;
    if (!range) continue;
    const line = snapshot.text.lineAt(range.start) + 1;
    return [removal(`Remove 'dead' from ${nameText(snapshot, view, k)} in line ${line}`, range)];
  }
  return [];
};

/** `Undef virtual register def operands require a subregister` */
export const removeUndef: Assist = ({ snapshot, view, diagnostic }) => {
  const i = occurrenceIn(view, diagnostic);
  const range = i < 0 ? null : flagRange(snapshot, view, i, 'undef');
  return range ? [removal(`Remove 'undef' from ${nameText(snapshot, view, i)}`, range)] : [];
};

/** `Virtual register killed in block, but needed live out.`: points at the kill itself. */
export const removeKill: Assist = ({ snapshot, view, diagnostic }) => {
  const i = occurrenceIn(view, diagnostic);
  const range = i < 0 ? null : flagRange(snapshot, view, i, 'killed');
  return range ? [removal(`Remove 'killed' from ${nameText(snapshot, view, i)}`, range)] : [];
};

/** Takes a flag from the occurrences of the register, or of what overlaps it, between the label of its block and occurrence `i`. */
function earlierFlag({ snapshot, view }: AssistContext, i: number, word: string, role: Role): Proposal[] {
  const { symbols } = view;
  const entity = symbols.entity[i]!;
  const same =
    symbols.kinds[entity] === EntityKind.PhysReg ? new Set(aliasesIn(view, symbols.nameOf(entity))) : new Set([entity]);
  for (let k = i - 1; k >= 0 && !isBlockLabel(view, k); k--) {
    if (!same.has(symbols.entity[k]!) || (symbols.role[k]! & role) === 0) continue;
    const range = flagRange(snapshot, view, k, word);
    if (!range) continue;
    const line = snapshot.text.lineAt(range.start) + 1;
    return [removal(`Remove '${word}' from ${nameText(snapshot, view, k)} in line ${line}`, range)];
  }
  return [];
}

/** `Using an undefined physical register`: a wrong flag above, a missing live-in, a value that does not matter. */
export const undefinedPhysical: Assist = (context) => {
  const { view, diagnostic } = context;
  const i = occurrenceIn(view, diagnostic);
  if (i < 0) return [];
  return [
    ...earlierFlag(context, i, 'killed', Role.Kill),
    ...earlierFlag(context, i, 'dead', Role.Dead),
    ...addLiveIn(context, i),
    ...addUndef(context),
  ];
};

function addLiveIn({ snapshot, view, diagnostic }: AssistContext, i: number): Proposal[] {
  const { fn } = view;
  if (!fn?.source) return [];
  const b = blockAt(fn, view, diagnostic.start);
  if (b < 0) return [];
  const name = nameText(snapshot, view, i);
  const { liveIns, sourceNumber } = fn.blocks[b]!;
  const title = `Add ${name} to the live-ins of bb.${sourceNumber}`;
  if (liveIns.length === 0) return [{ title, edits: [insertBlockLine(snapshot, view, b, `liveins: ${name}`)] }];
  const last = fn.source.liveInRange(b, liveIns.length - 1);
  return [{ title, edits: [insert(view.start + last.end, `, ${name}`)] }];
}

/** `Reading virtual register without a def` and the like: the value does not matter. */
export const addUndef: Assist = ({ snapshot, view, diagnostic }) => {
  const i = occurrenceIn(view, diagnostic);
  if (i < 0 || operandOf(view, i) === null) return [];
  if ((view.symbols.role[i]! & Role.Undef) !== 0) return [];
  return [
    {
      title: `Mark ${nameText(snapshot, view, i)} as undef here`,
      edits: [insert(view.start + view.symbols.start[i]!, 'undef ')],
    },
  ];
};

/**
 * A definition of a part of a register that nothing was in before reads the other lanes, unless it is marked `undef`. The first such
 * definition in the text is the one that begins the register.
 */
export const addUndefToPartialDef: Assist = ({ snapshot, view, diagnostic }) => {
  const { symbols } = view;
  const i = occurrenceIn(view, diagnostic);
  if (i < 0 || symbols.kinds[symbols.entity[i]!] !== EntityKind.VReg) return [];
  for (const k of symbols.occurrences(symbols.entity[i]!)) {
    const role = symbols.role[k]!;
    if ((role & Role.Def) === 0 || (role & Role.Header) !== 0) continue;
    if ((role & Role.SubReg) === 0 || (role & Role.Undef) !== 0) return [];
    const line = snapshot.text.lineAt(view.start + symbols.start[k]!) + 1;
    const title = `Mark ${nameText(snapshot, view, k)} as undef in line ${line}`;
    return [{ title, edits: [insert(view.start + symbols.start[k]!, 'undef ')] }];
  }
  return [];
};

/** `Missing earlyClobber flag` */
export const addEarlyClobber: Assist = ({ snapshot, view, diagnostic }) => {
  const i = occurrenceIn(view, diagnostic);
  if (i < 0) return [];
  const title = `Mark ${nameText(snapshot, view, i)} as early-clobber`;
  return [{ title, edits: [insert(view.start + view.symbols.start[i]!, 'early-clobber ')] }];
};
