/** Registers that the cursor's line has besides the word that is completed. */
import { Tok } from '../../syntax/lexer.js';
import type { Opcode, TargetTables } from '../../target/index.js';
import type { InstrLine, OperandSpan } from './instrLine.js';

export interface LineRegister {
  /** with its sigil, without its part */
  readonly name: string;
  /** `sub0`, empty for the whole */
  readonly part: string;
  readonly isDef: boolean;
  readonly isKilled: boolean;
  readonly isImplicit: boolean;
}

const FLAGS: ReadonlySet<Tok> = new Set([Tok.KwDef, Tok.KwImplicitDef]);

/** O(line) */
export function lineRegisters(line: InstrLine): LineRegister[] {
  const list: LineRegister[] = [];
  line.defs.forEach((span, k) => {
    if (k !== line.defAt) list.push(...registersIn(line, span, true));
  });
  line.operands.forEach((span, k) => {
    if (k !== line.operandAt) list.push(...registersIn(line, span, false));
  });
  return list;
}

function registersIn({ tokens, text }: InstrLine, { from, to }: OperandSpan, inDefs: boolean): LineRegister[] {
  const list: LineRegister[] = [];
  let isDef = inDefs;
  let isKilled = false;
  let isImplicit = false;
  for (let i = from; i < to; i++) {
    const { tok, start, end } = tokens[i]!;
    if (FLAGS.has(tok)) isDef = true;
    if (tok === Tok.KwImplicit || tok === Tok.KwImplicitDef) isImplicit = true;
    if (tok === Tok.KwKilled) isKilled = true;
    if (tok !== Tok.VirtualRegister && tok !== Tok.NamedVirtualRegister && tok !== Tok.NamedRegister) continue;
    const [dot, sub] = [tokens[i + 1], tokens[i + 2]];
    const hasPart = dot !== undefined && dot.tok === Tok.Dot && dot.start === end && sub !== undefined && i + 2 < to;
    const part = hasPart ? text.slice(sub.start, sub.end) : '';
    list.push({ name: text.slice(start, end), part, isDef, isKilled, isImplicit });
  }
  return list;
}

/** The register that stands in operand `k` of the opcode, definitions counted; null where there is none. */
export function registerAt(line: InstrLine, k: number): LineRegister | null {
  const nDefs = line.defs.length;
  const span = k < nDefs ? line.defs[k] : line.operands[k - nDefs];
  return span === undefined ? null : (registersIn(line, span, k < nDefs)[0] ?? null);
}

/** Of definition `k` the use that is tied to it, as it is written; null where there is none. */
export function tiedUse(line: InstrLine, tables: TargetTables, opc: Opcode, k: number): LineRegister | null {
  if (opc < 0 || k >= tables.opcodeNumDefs(opc)) return null;
  const at = tables.opInfoBegin(opc);
  // Definitions that are missing have their place in the description.
  const nMissing = Math.max(0, tables.opcodeNumDefs(opc) - line.defs.length);
  for (let use = tables.opcodeNumDefs(opc); use < tables.opcodeNumOperands(opc); use++)
    if (tables.opInfoTiedTo[at + use] === k) return registerAt(line, use - nMissing);
  return null;
}
