/** Misspelt names: opcodes, registers, sub-registers, classes, header keys, by edit distance. */
import type { TargetTables } from '../../target/index.js';
import { editDistance } from '../words/editDistance.js';
import { HEADER_KEYS } from '../words/headerKeys.js';
import type { Assist, Proposal } from '../fixes/fix.js';
import { classOfName } from '../fixes/askedClass.js';

/** More would be a list to read, not a repair. */
const MAX_PROPOSALS = 3;

export const correctOpcode: Assist = (context) => {
  const { tables } = context.snapshot.subtarget;
  const { start, end } = context.diagnostic;
  const name = context.snapshot.text.slice(start, end);
  const forms = formsOf(tables, name);
  return proposals(context, forms.length > 0 ? forms : closest(name, opcodeNames(tables, name), 2), start, end);
};

/** `V_MOV_B32_e32` and its like for `V_MOV_B32`, which lacks the encoding: no encodings of a generation, VOP1 to VOP3 first. */
function formsOf(tables: TargetTables, name: string): string[] {
  const forms: string[] = [];
  if (!name.includes('_')) return forms;
  for (let opc = 0; opc < tables.nOpcodes; opc++) {
    const candidate = tables.opcodeName(opc);
    if (candidate.startsWith(`${name}_`) && /^(?:[A-Z]+|e32|e64|dpp|sdwa)$/.test(candidate.slice(name.length + 1)))
      forms.push(candidate);
  }
  const rank = (form: string): number => (/_e\d+$/.test(form) ? 0 : 1);
  return forms.sort((a, b) => rank(a) - rank(b) || a.length - b.length);
}

/** Opcodes are many: those that begin alike, or that have the same length give or take the distance. */
function* opcodeNames(tables: TargetTables, name: string): Iterable<string> {
  for (let opc = 0; opc < tables.nOpcodes; opc++) {
    const candidate = tables.opcodeName(opc);
    if (Math.abs(candidate.length - name.length) <= 2 && candidate !== name) yield candidate;
  }
}

export const correctRegister: Assist = (context) => {
  const { tables } = context.snapshot.subtarget;
  const { start, end } = context.diagnostic;
  const word = /^\$?([\w.-]+)/.exec(context.snapshot.text.slice(start, end))?.[1] ?? '';
  const at = start + context.snapshot.text.slice(start, end).indexOf(word);
  // A number out of range has no neighbour that was meant; a word has.
  const meant = closest(word, registerNames(tables), 2).filter((name) => numbersOf(name) === numbersOf(word));
  return proposals(context, meant, at, at + word.length);
};

const numbersOf = (name: string): string => (name.match(/\d+/g) ?? []).join();

function* registerNames(tables: TargetTables): Iterable<string> {
  for (let reg = 1; reg < tables.nRegs; reg++) yield tables.regName(reg);
}

export const correctSubRegister: Assist = (context) => {
  const { tables } = context.snapshot.subtarget;
  const word = lastWord(context);
  const names: string[] = [];
  for (let i = 1; i < tables.nSubRegIndices; i++) names.push(tables.subRegIndexName(i));
  return proposals(context, closest(word.text, names, 2), word.start, word.start + word.text.length);
};

/** The class that the instructions ask for goes before names that are spelt alike; of those only such as these instructions take. */
export const correctClass: Assist = (context) => {
  const { tables } = context.snapshot.subtarget;
  const word = lastWord(context);
  const end = word.start + word.text.length;
  const names: string[] = [];
  for (let rc = 0; rc < tables.nRegClasses; rc++)
    if (tables.isAllocatableClass(rc)) names.push(tables.regClassMirName(rc));
  for (let bank = 0; bank < tables.nRegBanks; bank++) names.push(tables.regBankName(bank).toLowerCase());
  const asked = inBank(tables, askedClass(context, word.start, end), word.text);
  const askedId = asked === null ? -1 : tables.regClassByName(asked);
  const fits = (name: string): boolean => {
    const rc = tables.regClassByName(name);
    return askedId < 0 || rc < 0 || rc === askedId || tables.getCommonSubClass(rc, askedId) >= 0;
  };
  const spelt = closest(word.text, names, 3);
  const isSlip = (name: string): boolean =>
    spelt.length === 1 && spelt[0] === name && numbersOf(name) === numbersOf(word.text);
  const all = [...new Set([...(asked === null ? [] : [asked]), ...spelt.filter(fits)])];
  return proposals(context, all, word.start, end).map((proposal, k) => ({ ...proposal, isGuess: !isSlip(all[k]!) }));
};

/** Of a class for VGPRs and AGPRs the one that the word begins like: `vreg_64_align2` for `vgpr_64` where `av_64_align2` would do. */
function inBank(tables: TargetTables, asked: string | null, word: string): string | null {
  const [, width] = /^av_(.*)$/.exec(asked ?? '') ?? [];
  if (width === undefined || word.startsWith('av')) return asked;
  const own = width === '32' ? `${word[0] === 'a' ? 'a' : 'v'}gpr_32` : `${word[0] === 'a' ? 'a' : 'v'}reg_${width}`;
  return tables.regClassByName(own) < 0 ? asked : own;
}

/** What the operands of the register ask for, as they would be read without its class; null if they say nothing. */
function askedClass({ snapshot, view }: Parameters<Assist>[0], start: number, end: number): string | null {
  const { text } = snapshot.text;
  const [, name = ''] =
    /%([\w$-][\w$.-]*)(?:\.\w+)?:$/.exec(text.slice(Math.max(view.start, start - MAX_NAME), start)) ?? [];
  if (name === '') return null;
  const after = snapshot.after([{ start: start - 1, end, text: '' }]).functions[snapshot.functions.indexOf(view)];
  const bare = name.replace(/\.\w+$/, '');
  const fn = after?.fn;
  if (!fn) return null;
  return classOfName(fn, name, !/^\d+$/.test(name)) ?? classOfName(fn, bare, !/^\d+$/.test(bare));
}

const MAX_NAME = 256;

export const correctKey: Assist = (context) => {
  const word = lastWord(context);
  const names = new Set(Object.keys(HEADER_KEYS).map((path) => path.slice(path.lastIndexOf('.') + 1)));
  return proposals(context, closest(word.text, names, 2), word.start, word.start + word.text.length);
};

function lastWord({ snapshot, diagnostic }: Parameters<Assist>[0]): { text: string; start: number } {
  const content = snapshot.text.slice(diagnostic.start, diagnostic.end);
  const match = /([\w-]+)[^\w-]*$/.exec(content);
  return match ? { text: match[1]!, start: diagnostic.start + match.index } : { text: '', start: diagnostic.start };
}

/** The nearest names within `most` edits, nearest first; those at a greater distance than the nearest are left out. */
function closest(word: string, names: Iterable<string>, most: number): string[] {
  if (word.length < 2) return [];
  let best = most;
  let found: string[] = [];
  for (const name of names) {
    const distance = editDistance(word, name, best);
    if (best < distance || distance === 0) continue;
    if (distance < best) found = [];
    best = distance;
    found.push(name);
  }
  // Letters slip more often than digits: a name with the same numbers is the one that was meant.
  const sameNumbers = found.filter((name) => numbersOf(name) === numbersOf(word));
  return sameNumbers.length > 0 ? sameNumbers : found;
}

function proposals(_context: Parameters<Assist>[0], names: readonly string[], start: number, end: number): Proposal[] {
  return names.slice(0, MAX_PROPOSALS * 2).map((name) => ({
    title: `Change to '${name}'`,
    edits: [{ start, end, text: name }],
  }));
}
