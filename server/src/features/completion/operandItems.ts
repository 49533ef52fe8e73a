/** What fits into one operand of an instruction: registers, constants, blocks, stack objects, what the opcode reads and writes implicitly. */
import { CompletionItemKind } from 'vscode-languageserver-types';
import { OpFlag, OperandKind } from '../../model/machineFunction.js';
import { printLLT, scalarLLT, sizeInBits, type LLT } from '../../model/llt.js';
import { intrinsicEffects, intrinsicNames } from '../../ir/intrinsics.js';
import { Tok } from '../../syntax/lexer.js';
import {
  isSALU,
  McFlag,
  OperandType,
  type Opcode,
  type RegClassId,
  type Subtarget,
  type TargetTables,
} from '../../target/index.js';
import { EntityKind } from '../symbols/symbolIndex.js';
import type { Candidate } from './candidate.js';
import { constants, immediates, sameName, shareOf, typedConstants, usedBefore } from './constantItems.js';
import { ADDRESS, metadata, NO_REGISTER } from './debugItems.js';
import { typeOfText, type FunctionScope, type VRegHere } from './functionScope.js';
import type { InstrLine, OperandSpan } from './instrLine.js';
import { lineRegisters, tiedUse } from './lineRegisters.js';
import { isCondition, neededType } from './neededType.js';
import { blocks, globals, stackObjects } from './namedItems.js';
import { operandHistory } from './operandHistory.js';
import { POINTS } from './points.js';
import { predicates } from './predicates.js';
import { isMaskNext, registerMasks } from './registerMaskItems.js';
import { operandLabel, takesImmediate, usualType } from './opcodeItems.js';
import {
  ALWAYS_THERE,
  allowed,
  bitsOf,
  physicalRegisters,
  subRegisters,
  virtualRegisters,
  type AroundRegister,
  type WantedRegister,
} from './registerItems.js';
import { MemoryKey } from '../snapshot/memory.js';
import { typeText } from '../words/registerNames.js';

export const ANY_REGISTER: WantedRegister = { regClass: -1, type: null, bits: 0, isGeneric: false, isDef: false };

/** Candidates for the operand under the cursor. `typed` is what stands of it. */
export function operandCandidates(line: InstrLine, scope: FunctionScope, st: Subtarget, typed: string): Candidate[] {
  const { tables } = st;
  const opc = opcodeOf(line, tables);
  const span = line.operands[line.operandAt];
  const flags = span ? flagsBefore(line, span) : [];
  if (flags.includes(Tok.KwImplicit) || flags.includes(Tok.KwImplicitDef))
    return implicitRegisters(line, scope, st, opc, typed, flags.includes(Tok.KwImplicitDef));
  // `@symbol + `: a number.
  if (line.tokens[line.hole - 1]?.tok === Tok.Plus) return [];
  // What the linker resolves is a symbol.
  if (span && line.tokens.slice(span.from, line.hole).some((t) => t.tok === Tok.KwTargetFlags))
    return [...symbolsAbove(line, span, scope), ...globals(scope.snapshot)];
  const k = descriptorIndex(line, tables, opc);
  const items: Candidate[] = [];
  const isUndef = flags.includes(Tok.KwUndef);
  if (isUndef) return registers(line, scope, st, { ...wantedBy(st, opc, k), isUndef }, typed);
  if (opc < 0) items.push(...registers(line, scope, st, ANY_REGISTER, typed));
  else if (k < tables.opcodeNumOperands(opc)) items.push(...described(line, scope, st, opc, k, typed));
  else {
    const own = loose(line, scope, st, opc, k, typed);
    // Where an operand is still to come, none that is implicit does.
    const name = tables.opcodeName(opc);
    const isOpen = own.length > 0 && (IN_PAIRS.has(name) || name === 'DBG_VALUE') && !/^[a-z]/.test(typed);
    if (isOpen) return own;
    const more = missingImplicit(line, scope, st, opc, typed);
    items.push(
      ...own,
      ...(own.length > 0 ? more.map((c) => ({ ...c, score: c.score + POINTS.implicitBeforeLast })) : more),
    );
  }
  if (flags.length === 0) items.push(...flagWords(typed));
  // Generic instructions have no physical registers, not even implicit ones.
  const isGeneric = opc >= 0 && ((tables.opcodeFlagsLo(opc) >>> McFlag.PreISelOpcode) & 1) !== 0;
  return isGeneric ? items.filter((c) => !c.label.includes('$')) : items;
}

/** Symbols with the offset that they have elsewhere after the same target flag. */
function symbolsAbove({ text, tokens, hole }: InstrLine, span: OperandSpan, scope: FunctionScope): Candidate[] {
  const from = text.slice(tokens[span.from]!.start, tokens[hole - 1]!.end);
  const { body, start } = scope.view;
  if (body === null || !from.endsWith(')')) return [];
  const all = text.slice(start + body.start, start + body.start + body.length);
  const labels = new Set<string>();
  for (let at = all.indexOf(from); at >= 0; at = all.indexOf(from, at + 1)) {
    const [, symbol] =
      /^ (@(?:[\w.$-]+|"[^"\n]*")(?: [+-] \d+)?)/.exec(all.slice(at + from.length, at + from.length + 300)) ?? [];
    if (symbol !== undefined) labels.add(symbol);
  }
  return [...labels].map((label) => ({ label, kind: CompletionItemKind.Reference, score: POINTS.symbolWithOffset }));
}

/** Which operand of the descriptor the cursor is in, definitions counted. */
export function descriptorIndex(line: InstrLine, tables: TargetTables, opc: Opcode): number {
  const before = line.operands.slice(0, Math.max(0, line.operandAt));
  const nImplicit = before.filter((span) => isImplicit(line, span)).length;
  const nDefs = line.defs.length > 0 || opc < 0 ? line.defs.length : tables.opcodeNumDefs(opc);
  if (nImplicit === 0 || opc < 0) return nDefs + before.length;
  // Implicit operands end the explicit ones, or stand before those that are still to come.
  const isVariadic = ((tables.opcodeFlagsLo(opc) >>> McFlag.Variadic) & 1) !== 0;
  const next = nDefs + before.length - nImplicit;
  if (!isVariadic && next < tables.opcodeNumOperands(opc)) return next;
  return Math.max(nDefs + before.length, tables.opcodeNumOperands(opc));
}

/** What the tables say of a register there. */
function wantedBy(st: Subtarget, opc: Opcode, k: number): WantedRegister {
  const isDescribed = opc >= 0 && k < st.tables.opcodeNumOperands(opc);
  return { ...ANY_REGISTER, regClass: isDescribed ? st.opInfoRegClass(opc, k) : -1 };
}

export function opcodeOf(line: InstrLine, tables: TargetTables): Opcode {
  const token = line.tokens[line.opcode];
  return token ? tables.opcodeByName(line.text.slice(token.start, token.end)) : -1;
}

const isImplicit = (line: InstrLine, { from }: OperandSpan): boolean => {
  const tok = line.tokens[from]?.tok;
  return tok === Tok.KwImplicit || tok === Tok.KwImplicitDef;
};

function flagsBefore({ tokens, hole }: InstrLine, { from }: OperandSpan): Tok[] {
  const flags: Tok[] = [];
  for (let i = from; i < hole; i++) {
    const { tok } = tokens[i]!;
    if (Tok.KwImplicit <= tok && tok <= Tok.KwRenamable) flags.push(tok);
  }
  return flags;
}

function registers(
  line: InstrLine,
  scope: FunctionScope,
  st: Subtarget,
  own: WantedRegister,
  typed: string,
): Candidate[] {
  const lineStart = scope.lineStart - scope.view.start;
  const wanted = { ...own, around: aroundOf(line, scope, st) };
  const all = typed.startsWith('$');
  return [
    ...(all ? [] : virtualRegisters(scope, lineStart, wanted, typed)),
    // Generic operands have types, which physical registers have not.
    ...(typed.startsWith('%') || (wanted.isGeneric && !all)
      ? []
      : physicalRegisters(scope, st, lineStart, wanted, all)),
  ];
}

const AROUNDS = new MemoryKey<Map<InstrLine, AroundRegister>>('what stands around an operand');

/** What stands around the cursor's operand or definition. */
function aroundOf(line: InstrLine, scope: FunctionScope, st: Subtarget): AroundRegister {
  const { tables } = st;
  const arounds = scope.memory.of(AROUNDS, () => new Map<InstrLine, AroundRegister>());
  let around = arounds.get(line);
  if (around === undefined) {
    const opc = opcodeOf(line, tables);
    const isDef = line.operandAt < 0;
    const at = Math.max(0, line.defAt);
    const tied = isDef ? tiedUse(line, tables, opc, at) : null;
    around = {
      history: operandHistory(line, scope, opc, isDef ? at : descriptorIndex(line, tables, opc)),
      onLine: lineRegisters(line),
      tied: tied === null ? '' : tied.part === '' ? tied.name : `${tied.name}.${tied.part}`,
      copyBank:
        opc >= 0 && COPIES.has(tables.opcodeName(opc))
          ? registerIn(line, isDef ? line.operands[0] : line.defs[0], scope, st).bank
          : '',
    };
    arounds.set(line, around);
  }
  return around;
}

function described(
  line: InstrLine,
  scope: FunctionScope,
  st: Subtarget,
  opc: Opcode,
  k: number,
  typed: string,
): Candidate[] {
  const { tables } = st;
  const at = tables.opInfoBegin(opc) + k;
  const rc = st.opInfoRegClass(opc, k);
  const type = tables.opInfoType[at]! as OperandType;
  if (type === OperandType.PCRel || (rc < 0 && type === OperandType.Unknown && isBranchLike(tables, opc)))
    return blocks(scope, line);
  const label = operandLabel(tables, opc, k);
  const items = usedBefore(scope, opc, k, label);
  if (rc < 0 && !(OperandType.FirstGeneric <= type && type <= OperandType.LastGeneric)) {
    const special = loose(line, scope, st, opc, k, typed);
    // Constants say their size, and elsewhere it may be another.
    const size = /^i\d+ /.exec(special[0]?.label ?? '')?.[0];
    const used = size === undefined ? items : items.filter((c) => c.label.startsWith(size));
    if (special.length > 0) return [...special, ...used];
  }
  if (rc >= 0) {
    const tied = tiedRegister(line, scope, tables, at);
    items.push(...registers(line, scope, st, { ...ANY_REGISTER, regClass: rc }, typed));
    const mask = st.wavefrontSize === 32 ? '_lo' : '';
    // Masks of lanes are computed from the lanes that are on.
    if (isSALU(tables, opc) && /_(?:AND|OR|XOR|ANDN2|ORN2|SAVEEXEC)/.test(tables.opcodeName(opc)))
      items.push(
        ...items.filter((c) => c.label === `$exec${mask}`).map((c) => ({ ...c, score: c.score + POINTS.execInMask })),
      );
    if (tied !== null) items.push({ ...tied, score: POINTS.repeatsTiedDef });
    if (takesImmediate(type)) items.push(...immediates(scope, st, opc, k, label));
    const stackShare = shareOf(scope, opc, k, OperandKind.FrameIndex, 0);
    items.push(...stackObjects(scope, POINTS.stackInPlaceOfRegister + POINTS.stackShare * stackShare));
  } else if (OperandType.FirstGeneric <= type && type <= OperandType.LastGeneric) {
    const bits = isCondition(tables.opcodeName(opc), k) ? 1 : 0;
    const wanted = { ...ANY_REGISTER, bits, type: genericType(line, scope, st, opc, type), isGeneric: true };
    items.push(...registers(line, scope, st, wanted, typed));
  } else {
    items.push(...constants(label, POINTS.usualConstant), ...sameName(scope, st, opc, k, label));
    if (tables.opcodeName(opc).startsWith('SI_SPILL_')) items.push(...stackObjects(scope, POINTS.stackOfSpill));
    if (type === OperandType.Unknown)
      items.push(...registers(line, scope, st, ANY_REGISTER, typed), ...globals(scope.snapshot));
  }
  return items;
}

/** Such as SI_IF and SI_LOOP, whose targets the tables do not tell from other things. */
const isBranchLike = (tables: TargetTables, opc: Opcode): boolean => {
  const flags = tables.opcodeFlagsLo(opc);
  const has = (flag: McFlag): boolean => ((flags >>> flag) & 1) !== 0;
  return has(McFlag.Terminator) && !has(McFlag.Call) && !has(McFlag.Return);
};

/** In allocated code a tied operand repeats the definition. */
function tiedRegister(line: InstrLine, scope: FunctionScope, tables: TargetTables, at: number): Candidate | null {
  const tied = tables.opInfoTiedTo[at]!;
  const def = tied < 0 ? undefined : line.defs[tied];
  if (!def) return null;
  for (let i = def.from; i < def.to; i++) {
    const { tok, start, end } = line.tokens[i]!;
    const name = line.text.slice(start, end);
    if (tok === Tok.NamedRegister || (tok === Tok.VirtualRegister && (scope.vreg(name)?.defs ?? 0) > 0))
      return { label: name, kind: CompletionItemKind.Variable, score: 0, detail: ' tied to the definition' };
  }
  return null;
}

/** COPY, PHI, REG_SEQUENCE and their like, whose operands the tables do not describe. */
function loose(
  line: InstrLine,
  scope: FunctionScope,
  st: Subtarget,
  opc: Opcode,
  k: number,
  typed: string,
): Candidate[] {
  const { tables } = st;
  const name = tables.opcodeName(opc);
  const def = registerIn(line, line.defs[0], scope, st);
  const { regClass: rcOfDef, bits: bitsOfDef, type: typeOfDef } = def;
  const like: WantedRegister = { ...ANY_REGISTER, regClass: rcOfDef, bits: bitsOfDef, type: typeOfDef };
  const isIntrinsic = name.startsWith('G_INTRINSIC');
  const nth = k - (isIntrinsic ? line.defs.length : Math.max(1, line.defs.length));
  switch (name) {
    case 'COPY':
    case 'SCOPY':
    case 'PRED_COPY':
    case 'WWM_COPY':
      if (nth > 0) return [];
      return withoutReadingLanes(
        registers(line, scope, st, { ...like, regClass: -1 }, typed).concat(copyParts(line, scope, st, like, typed)),
        def,
        false,
        scope,
        tables,
      );
    case 'PHI':
    case 'G_PHI': {
      if (nth % 2 !== 0) return blocks(scope, line);
      const wanted = { ...like, isGeneric: name === 'G_PHI' };
      return virtualRegisters(
        scope,
        scope.lineStart - scope.view.start,
        { ...wanted, around: aroundOf(line, scope, st) },
        typed,
      );
    }
    case 'REG_SEQUENCE':
      return nth % 2 === 0
        ? registers(line, scope, st, ANY_REGISTER, typed)
        : nextParts(line, subRegisters(tables, like.regClass, '%subreg.'));
    case 'INSERT_SUBREG':
      return nth === 2
        ? subRegisters(tables, like.regClass, '%subreg.')
        : registers(line, scope, st, nth === 0 ? like : ANY_REGISTER, typed);
    case 'EXTRACT_SUBREG':
      return nth === 1 ? subRegisters(tables, -1, '%subreg.') : registers(line, scope, st, ANY_REGISTER, typed);
    case 'G_CONSTANT':
      return typedConstants(like.bits || 32);
    case 'G_FCONSTANT':
      return ['0.000000e+00', '1.000000e+00', '-1.000000e+00', '2.000000e+00'].map((n, i) => ({
        label: `${like.bits === 64 ? 'double' : like.bits === 16 ? 'half' : 'float'} ${n}`,
        kind: CompletionItemKind.Value,
        score: -i,
      }));
    case 'G_INTRINSIC':
    case 'G_INTRINSIC_W_SIDE_EFFECTS':
    case 'G_INTRINSIC_CONVERGENT':
    case 'G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS':
      return nth === 0
        ? intrinsics(scope, opc, k)
        : [
            ...registers(line, scope, st, { ...ANY_REGISTER, isGeneric: true }, typed),
            ...constants('', POINTS.constantForRegister),
          ];
    case 'INLINEASM':
    case 'INLINEASM_BR':
      return k === 0 ? [] : k === 1 ? constants('flags', 0) : asmGroups(line, scope);
    case 'G_BR':
      return blocks(scope, line);
    case 'G_BRCOND':
      return k === 0
        ? registers(line, scope, st, { ...ANY_REGISTER, bits: 1, isGeneric: true }, typed)
        : blocks(scope, line);
    case 'G_UNMERGE_VALUES':
    case 'G_MERGE_VALUES':
    case 'G_BUILD_VECTOR':
    case 'G_CONCAT_VECTORS':
      return registers(line, scope, st, { ...ANY_REGISTER, isGeneric: true }, typed);
    case 'DBG_VALUE':
      if (k === 0)
        return [
          ...registers(line, scope, st, ANY_REGISTER, typed),
          ...usedBefore(scope, opc, k, 'value'),
          {
            ...NO_REGISTER,
            score: POINTS.debugOfNothing + POINTS.sharesOperand * aroundOf(line, scope, st).history.share('$noreg'),
          },
        ];
      return k === 1 ? [NO_REGISTER, ADDRESS] : metadata(scope, k);
    case 'LIFETIME_START':
    case 'LIFETIME_END':
      return stackObjects(scope);
    case 'G_ICMP':
    case 'G_FCMP':
      return nth === 0 ? predicates(name === 'G_ICMP') : [];
    case 'G_GLOBAL_VALUE':
    case 'SI_PC_ADD_REL_OFFSET':
      return globals(scope.snapshot);
    case 'G_FRAME_INDEX':
      return stackObjects(scope);
    default:
      return isMaskNext(line, tables, opc, k) ? registerMasks(scope, st) : [];
  }
}

/** Kinds of operand groups of inline assembly (InlineAsm::Kind), and what says that a group has one register. */
const ASM_USE = 1;
const ASM_DEF = 2;
const ASM_CLOBBER = 4;
const ONE_REGISTER = 1 << 3;

/** The number before the operand after the cursor: kind of group, number of registers, class; then those of the line. */
function asmGroups({ tokens, text, operands, operandAt }: InstrLine, scope: FunctionScope): Candidate[] {
  const above = operands[operandAt - 1];
  // After the number of a group comes its register; the first two numbers are those of the whole.
  if (operandAt > 2 && above && above.to === above.from + 1 && tokens[above.from]!.tok === Tok.Integer) return [];
  const { from, to } = operands[operandAt + 1] ?? { from: 0, to: 0 };
  const behind = tokens.slice(from, to);
  const register = behind.find((t) => t.tok === Tok.VirtualRegister || t.tok === Tok.NamedVirtualRegister);
  const rc = register ? (scope.vreg(text.slice(register.start, register.end))?.regClass ?? -1) : -1;
  const first = behind[0]?.tok;
  const kind = first === Tok.KwImplicitDef ? ASM_CLOBBER : first === Tok.KwDef ? ASM_DEF : ASM_USE;
  const own = (kind === ASM_CLOBBER ? ASM_CLOBBER : kind | ((rc + 1) << 16)) | ONE_REGISTER;
  const numbers = tokens.filter((t) => t.tok === Tok.Integer).map((t) => text.slice(t.start, t.end));
  return [...new Set([...(behind.length > 0 ? [String(own)] : []), ...numbers])].map((label, k) => ({
    label,
    kind: CompletionItemKind.Value,
    score: -k,
  }));
}

/** Those of the file first. */
function intrinsics(scope: FunctionScope, opc: Opcode, k: number): Candidate[] {
  const used = new Map<string, number>();
  for (const { kind, name } of scope.snapshot.irSymbols?.symbols.occurrences ?? [])
    if (kind === EntityKind.Global && name.startsWith('llvm.')) used.set(name, 1);
  scope.eachWith(opc, (fn, i) => {
    const o = fn.opBegin[i]! + k;
    if (fn.opKind[o] !== OperandKind.IntrinsicID) return;
    const { name } = fn.payload(o, OperandKind.IntrinsicID);
    used.set(name, (used.get(name) ?? 0) + 1);
  });
  for (const name of intrinsicNames()) if (!used.has(`llvm.${name}`)) used.set(`llvm.${name}`, 0);
  const opcode = scope.fn?.tables.opcodeName(opc) ?? '';
  return [...used]
    .filter(([name]) => takesIntrinsic(opcode, name))
    .map(([name, n]) => ({
      label: `intrinsic(@${name})`,
      kind: CompletionItemKind.Function,
      score: n + (name.startsWith('llvm.amdgcn.') ? POINTS.ownIntrinsic : 0),
      description: n > 0 ? `used ${n} x here` : '',
    }));
}

/** Which of the four opcodes an intrinsic belongs to. */
function takesIntrinsic(opcode: string, name: string): boolean {
  const effects = intrinsicEffects(name);
  if (effects === null) return true;
  const { accessesMemory, isConvergent } = effects;
  return (
    accessesMemory === opcode.endsWith('_W_SIDE_EFFECTS') &&
    isConvergent === opcode.startsWith('G_INTRINSIC_CONVERGENT')
  );
}

interface GivenRegister extends Pick<WantedRegister, 'regClass' | 'bits' | 'type'> {
  /** where its lanes are kept */
  readonly bank: 'scalar' | 'vector' | '';
}

/** The class, type and size of a register that is written; those of its part where it is a part. */
function registerIn(
  { tokens, text }: InstrLine,
  span: OperandSpan | undefined,
  scope: FunctionScope,
  { tables }: Subtarget,
): GivenRegister {
  let regClass = -1;
  let bits = 0;
  let type: LLT | null = null;
  let sub = 0;
  let phys = -1;
  for (let i = span?.from ?? 0; i < (span?.to ?? 0); i++) {
    const { tok, start, end } = tokens[i]!;
    const word = text.slice(start, end);
    const next = tokens[i + 1];
    const nextWord = next ? text.slice(next.start, next.end) : '';
    if (tok === Tok.VirtualRegister || tok === Tok.NamedVirtualRegister) {
      const v = scope.vreg(word);
      if (v) {
        ({ regClass, type } = v);
        bits = bitsOf(tables, v);
      }
    } else if (tok === Tok.NamedRegister) {
      const reg = tables.regByName(word.slice(1));
      phys = reg > 0 ? tables.getMinimalPhysRegClass(reg) : -1;
      if (phys >= 0) bits = tables.regClassBits[phys]!;
    } else if (tok === Tok.Dot) sub = Math.max(0, tables.subRegIndexByName(nextWord));
    else if (tok === Tok.Colon && tables.regClassByName(nextWord) >= 0) {
      regClass = tables.regClassByName(nextWord);
      bits = tables.regClassBits[regClass]!;
    } else if (tok === Tok.LParen) {
      // `%3:_(s64)`, `%3(s64)`: only here when the line is the only one that has the register.
      type = typeOfText(text.slice(end, tokens[span!.to - 1]!.start)) ?? type;
      if (type !== null) bits = sizeInBits(type);
    }
  }
  const bank = bankOf(tables, Math.max(regClass, phys));
  if (sub > 0) {
    regClass = -1;
    bits = tables.subRegSize[sub]!;
  }
  return { regClass, bits, type, bank };
}

function bankOf(tables: TargetTables, rc: RegClassId): GivenRegister['bank'] {
  if (rc < 0) return '';
  if (tables.isSGPRClass(rc)) return 'scalar';
  return tables.hasSGPRs(rc) ? '' : 'vector';
}

/** Copies go from scalar to vector registers, not back. */
function withoutReadingLanes(
  items: Candidate[],
  { bank }: GivenRegister,
  isDef: boolean,
  scope: FunctionScope,
  tables: TargetTables,
): Candidate[] {
  if (bank !== (isDef ? 'vector' : 'scalar')) return items;
  const wrong = isDef ? 'scalar' : 'vector';
  const bankOfLabel = (label: string): GivenRegister['bank'] => {
    const [, name] = /^(?:undef )?(%[\w-]+)/.exec(label) ?? [];
    if (name !== undefined) return bankOf(tables, scope.vreg(name)?.regClass ?? -1);
    const reg = tables.regByName(label.slice(1));
    return reg > 0 ? bankOf(tables, tables.getMinimalPhysRegClass(reg)) : '';
  };
  return items.map((c) => (bankOfLabel(c.label) === wrong ? { ...c, score: c.score + POINTS.readsLanes } : c));
}

/** Parts of wider registers, for a copy: of the size that is defined. */
function copyParts(
  line: InstrLine,
  scope: FunctionScope,
  st: Subtarget,
  { regClass, bits }: WantedRegister,
  typed: string,
): Candidate[] {
  if (bits === 0 || bits > 64 || typed.startsWith('$')) return [];
  const { tables } = st;
  // Any class of that size will do to find the parts: copies go between banks.
  const rc = regClass >= 0 ? regClass : tables.regClassByName(bits === 32 ? 'vgpr_32' : 'vreg_64');
  const banks = bits === 32 ? ['vgpr_32', 'sgpr_32', 'agpr_32'] : ['vreg_64', 'sgpr_64', 'areg_64'];
  const classes = new Set([rc, ...banks.map((b) => tables.regClassByName(b))]);
  const items: Candidate[] = [];
  for (const each of classes)
    for (const c of registers(line, scope, st, { ...ANY_REGISTER, regClass: each }, '%'))
      if (c.label.includes('.')) items.push({ ...c, score: c.score + POINTS.partOfCopy });
  return items;
}

/** Those that the sequence has not yet, in order. */
function nextParts({ tokens, text }: InstrLine, parts: Candidate[]): Candidate[] {
  const used = new Set(tokens.filter((t) => t.tok === Tok.SubRegIndex).map((t) => text.slice(t.start, t.end)));
  return parts.map((p) => (used.has(p.label) ? { ...p, score: p.score + POINTS.partTaken } : p));
}

/** The type of the other operands with the same generic type, where one is known. */
function genericType(line: InstrLine, scope: FunctionScope, st: Subtarget, opc: Opcode, type: OperandType): LLT | null {
  const { tables } = st;
  const at = tables.opInfoBegin(opc);
  const typeAt = (span: OperandSpan | undefined): LLT | null => registerIn(line, span, scope, st).type;
  const nDefs = tables.opcodeNumDefs(opc);
  for (let k = 0; k < tables.opcodeNumOperands(opc); k++) {
    if (tables.opInfoType[at + k] !== type) continue;
    const own =
      k < nDefs ? typeAt(line.defs[k]) : k - nDefs === line.operandAt ? null : typeAt(line.operands[k - nDefs]);
    if (own !== null) return own;
  }
  return null;
}

/** Registers that the opcode reads and writes by its description and that the line lacks, as whole operands. */
function missingImplicit(
  line: InstrLine,
  scope: FunctionScope,
  st: Subtarget,
  opc: Opcode,
  typed: string,
): Candidate[] {
  const { tables } = st;
  const given = (tok: Tok): Set<string> => {
    const names = new Set<string>();
    for (const span of line.operands)
      if (line.tokens[span.from]?.tok === tok)
        for (let i = span.from; i < span.to; i++)
          if (line.tokens[i]!.tok === Tok.NamedRegister)
            names.add(line.text.slice(line.tokens[i]!.start, line.tokens[i]!.end));
    return names;
  };
  const written = given(Tok.KwImplicitDef);
  const read = given(Tok.KwImplicit);
  const items: Candidate[] = [];
  for (const name of ['$exec', '$mode'])
    items.push({
      label: `implicit ${name}`,
      kind: CompletionItemKind.Constant,
      score: read.has(name) ? POINTS.implicitModeAgain : POINTS.implicitMode,
    });
  for (const [label, share] of implicitElsewhere(line, scope, opc))
    items.push({ label, kind: CompletionItemKind.Constant, score: POINTS.implicitShare * share });
  const lacks = [
    ...tables.implicitDefs(opc).map((reg) => ['implicit-def', `$${tables.regName(reg)}`, written] as const),
    ...tables.implicitUses(opc).map((reg) => ['implicit', `$${tables.regName(reg)}`, read] as const),
  ].filter(([, name, names]) => !names.has(name));
  lacks.forEach(([word, name], k) =>
    items.push({
      label: `${word} ${name}`,
      kind: CompletionItemKind.Constant,
      score: POINTS.implicitOfOpcode - k,
      detail: word === 'implicit' ? ' the opcode reads it' : ' the opcode writes it',
    }),
  );
  // Nobody may have written it here, and nobody has to.
  lacks
    .filter(([word, name]) => word === 'implicit' && !ALWAYS_THERE.test(name.slice(1)))
    .forEach(([word, name], k) =>
      items.push({
        label: `${word} undef ${name}`,
        kind: CompletionItemKind.Constant,
        score: POINTS.implicitUndef - k,
        detail: ' whatever it holds',
      }),
    );
  if (lacks.length > 1) {
    const label = lacks.map(([word, name]) => `${word} ${name}`).join(', ');
    items.push({
      label,
      kind: CompletionItemKind.Constant,
      score: POINTS.implicitOfOpcode - 0.5,
      detail: ' all that are missing',
    });
  }
  if (typed.startsWith('$') || typed.startsWith('%'))
    return [...items, ...registers(line, scope, st, ANY_REGISTER, typed)];
  // A list of implicit operands goes on as it has begun.
  const above = line.operands[line.operandAt - 1];
  const goesOnWriting = above !== undefined && line.tokens[above.from]?.tok === Tok.KwImplicitDef;
  const isVariadic = ((tables.opcodeFlagsLo(opc) >>> McFlag.Variadic) & 1) !== 0;
  const onLine = lineRegisters(line)
    .filter((r) => r.name.startsWith('$'))
    .map((r) => ({ isDef: r.isDef, reg: Math.max(0, tables.regByName(r.name.slice(1))) }));
  // Tuples that are copied part by part, and masks that are read and written.
  const overlap = (label: string, isDef: boolean): number => {
    const reg = label.startsWith('$') ? tables.regByName(label.slice(1)) : 0;
    if (reg <= 0) return 0;
    let score = 0;
    for (const own of onLine)
      if (own.reg === reg) score += own.isDef === isDef ? POINTS.implicitTwice : POINTS.implicitOther;
      else if (own.reg > 0 && own.isDef === isDef && tables.isSubRegister(reg, own.reg)) score += POINTS.implicitWhole;
    return score;
  };
  for (const c of registers(line, scope, st, ANY_REGISTER, typed)) {
    const own = goesOnWriting ? POINTS.implicitAfterDefs : POINTS.implicitRead;
    items.push({ ...c, label: `implicit ${c.label}`, score: c.score + own + overlap(c.label, false) });
    if (isVariadic) items.push({ ...c, score: c.score + POINTS.explicitOfVariadic });
  }
  for (const c of registers(line, scope, st, { ...ANY_REGISTER, isDef: true }, typed)) {
    const v = c.label.startsWith('%') ? scope.vreg(c.label) : null;
    const type = isUnknown(v) ? allowed(v!, typeOfNew(scope, v!, -1, '')) : '';
    const label = `implicit-def ${c.label}`;
    const isWaiting = v !== null && v.defs === 0 && v.usesBehind > 0;
    const score = c.score + (goesOnWriting || isWaiting ? 0 : POINTS.implicitDef) + overlap(c.label, true);
    items.push({ ...c, label, score, ...(type === '' ? {} : { insert: `${label}:${type}` }) });
  }
  return items;
}

/** Implicit operands beyond those of the description that others of the opcode have, and in which share of them. */
function implicitElsewhere(line: InstrLine, scope: FunctionScope, opc: Opcode): Map<string, number> {
  const counts = new Map<string, number>();
  let n = 1;
  scope.eachWith(opc, (fn, i) => {
    n++;
    const seen = new Set<string>();
    for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++) {
      if (fn.opKind[o] !== OperandKind.Register || (fn.opFlags[o]! & OpFlag.Implicit) === 0 || fn.opVal[o]! <= 0)
        continue;
      const isDef = (fn.opFlags[o]! & OpFlag.Def) !== 0;
      seen.add(`${isDef ? 'implicit-def' : 'implicit'} $${fn.tables.regName(fn.opVal[o]!)}`);
    }
    for (const label of seen) counts.set(label, (counts.get(label) ?? 0) + 1);
  });
  const own = line.operands.map(({ from, to }) =>
    from < to
      ? line.text.slice(line.tokens[from]!.start, line.tokens[to - 1]!.end).replace(/ (?:killed|dead|undef) /, ' ')
      : '',
  );
  for (const [label, count] of counts) counts.set(label, count / n);
  for (const label of own) counts.delete(label);
  return counts;
}

function implicitRegisters(
  line: InstrLine,
  scope: FunctionScope,
  st: Subtarget,
  opc: Opcode,
  typed: string,
  isDef: boolean,
): Candidate[] {
  const { tables } = st;
  const own = opc < 0 ? [] : isDef ? tables.implicitDefs(opc) : tables.implicitUses(opc);
  return [
    ...own.map((reg, k) => ({
      label: `$${tables.regName(reg)}`,
      kind: CompletionItemKind.Constant,
      score: POINTS.implicitOfOpcode - k,
      detail: isDef ? ' the opcode writes it' : ' the opcode reads it',
    })),
    ...registers(line, scope, st, { ...ANY_REGISTER, isDef }, typed),
  ];
}

const FLAG_WORDS: readonly (readonly [string, string])[] = [
  ['implicit', 'read, though the text of the instruction does not show it'],
  ['implicit-def', 'written, though the text of the instruction does not show it'],
  ['killed', 'the value is not read again'],
  ['undef', 'the value does not matter'],
  ['dead', 'nothing reads what is written'],
  ['renamable', 'allocated code: another register would do'],
  ['early-clobber', 'written before the operands are read'],
  ['internal', 'defined in the same bundle'],
  ['target-flags', 'how the linker resolves the symbol'],
];

const flagWords = (typed: string): Candidate[] =>
  typed === '' || /^[$%\d-]/.test(typed)
    ? []
    : FLAG_WORDS.map(([label, meaning]) => ({
        label,
        kind: CompletionItemKind.Keyword,
        score: POINTS.flagWord,
        detail: ` ${meaning}`,
        ...(label === 'target-flags' ? { snippet: 'target-flags(${1})$0' } : {}),
      }));

/** Registers before `=`: what waits for a definition first, then a new one. */
export function defCandidates(line: InstrLine, scope: FunctionScope, st: Subtarget, typed: string): Candidate[] {
  const items = typedDefs(line, scope, st, typed);
  // After the cursor stands what it is declared as.
  if (line.text[line.wordEnd] !== ':') return items;
  return items
    .filter(({ label }) => label.startsWith('%'))
    .map((c) => ({ ...c, label: bare(c.label), ...(c.insert === undefined ? {} : { insert: bare(c.insert) }) }));
}

const bare = (text: string): string => text.replace(/:.*/, '');

function typedDefs(line: InstrLine, scope: FunctionScope, st: Subtarget, typed: string): Candidate[] {
  const { tables } = st;
  const opc = opcodeOf(line, tables);
  const k = Math.max(0, line.defAt);
  const rc = opc >= 0 && k < tables.opcodeNumDefs(opc) ? st.opInfoRegClass(opc, k) : -1;
  const source = opc >= 0 && COPIES.has(tables.opcodeName(opc)) ? registerIn(line, line.operands[0], scope, st) : null;
  const around = aroundOf(line, scope, st);
  const wanted: WantedRegister = { ...ANY_REGISTER, regClass: rc, bits: source?.bits ?? 0, isDef: true, around };
  const own = definedType(line, scope, st, opc, k);
  const lineStart = scope.lineStart - scope.view.start;
  const all = typed.startsWith('$');
  const items: Candidate[] = [];
  if (!all)
    for (const c of virtualRegisters(scope, lineStart, wanted, typed)) {
      const v = scope.vreg(c.label);
      // A generic register has its type at each definition.
      const isGeneric = v !== null && v.regClass < 0 && v.type !== null;
      const type = isGeneric
        ? typeText(scope.fn, v)
        : isUnknown(v)
          ? allowed(v!, typeOfNew(scope, v!, rc, own, source?.bits))
          : '';
      items.push(type === '' ? c : { ...c, insert: `${c.label}:${type}` });
    }
  const isGeneric = opc >= 0 && tables.opcodeName(opc).startsWith('G_');
  if (!typed.startsWith('%') && (!isGeneric || all))
    items.push(...physicalRegisters(scope, st, lineStart, wanted, all));
  if (source !== null) items.splice(0, items.length, ...withoutReadingLanes(items, source, true, scope, tables));
  // The other definitions of the line have theirs.
  const taken = new Set(
    line.tokens
      .filter((t) => t.tok === Tok.VirtualRegister && t.start !== line.wordStart)
      .map((t) => line.text.slice(t.start, t.end)),
  );
  let next = scope.nextVReg;
  while (taken.has(`%${next}`)) next++;
  const gap = taken.has(`%${scope.gap}`) ? -1 : scope.gap;
  if (!all && !scope.isAllocated)
    for (const [number, score] of [
      [next, scope.vregs.length === 0 ? POINTS.firstRegister : POINTS.newRegister] as const,
      ...(gap < 0 ? [] : [[gap, POINTS.gapInNumbers] as const]),
    ])
      items.push({
        label: `%${number}${own === '' ? '' : `:${own}`}`,
        kind: CompletionItemKind.Variable,
        score,
        detail: ' new register',
      });
  return items;
}

const IN_PAIRS: ReadonlySet<string> = new Set(
  'PHI G_PHI REG_SEQUENCE INSERT_SUBREG EXTRACT_SUBREG INLINEASM INLINEASM_BR'.split(' '),
);
const COPIES: ReadonlySet<string> = new Set(['COPY', 'SCOPY', 'PRED_COPY', 'WWM_COPY']);

/** Nothing says what it is: its definition has to. */
const isUnknown = (v: VRegHere | null): boolean => v !== null && v.regClass < 0 && v.type === null && v.bank < 0;

/** Of a register that waits for its definition: what its readers ask for, as far as the operand (class `rc`, written `own`) allows. */
function typeOfNew({ fn }: FunctionScope, v: VRegHere, rc: RegClassId, own: string, bits = 0): string {
  if (fn === null) return own;
  const bank = fn.header.regBankSelected === true ? fn.tables.regBankByName('vgpr') : -1;
  const needed = neededType(fn, v.name.slice(1), v.number < 0, { bank, bits });
  const neededClass = fn.tables.regClassByName(needed);
  if (rc < 0 && neededClass >= 0 && own.endsWith(')'))
    return own.replace(/\(.*/, `(s${fn.tables.regClassBits[neededClass]!})`);
  if (rc < 0 || neededClass < 0) return needed === '' || rc >= 0 ? own : needed;
  const common = fn.tables.getCommonSubClass(rc, neededClass);
  return common >= 0 && fn.tables.isAllocatableClass(common) ? fn.tables.regClassMirName(common) : own;
}

/** Class or type of what an opcode defines, as it is written after the register; empty where that is open. */
function definedType(line: InstrLine, scope: FunctionScope, st: Subtarget, opc: Opcode, k: number): string {
  const { tables } = st;
  if (opc < 0) return '';
  if (k < tables.opcodeNumDefs(opc)) {
    const rc = st.opInfoRegClass(opc, k);
    if (rc >= 0) return tables.regClassMirName(rc);
    const type = tables.opInfoType[tables.opInfoBegin(opc) + k]! as OperandType;
    if (OperandType.FirstGeneric <= type && type <= OperandType.LastGeneric) {
      const known =
        genericType(line, scope, st, opc, type) ?? constantType(line) ?? resized(line, scope, tables.opcodeName(opc));
      const own = known === null ? usualType(tables.opcodeName(opc), k) : printLLT(known);
      return `${genericBank(scope, own)}(${own})`;
    }
  }
  // A copy is of the class of its source, the parts of a value are alike.
  const source = tables.opcodeName(opc) === 'G_UNMERGE_VALUES' ? line.defs[0] : line.operands[0];
  for (let i = source?.from ?? 0; i < (source?.to ?? 0); i++) {
    const { tok, start, end } = line.tokens[i]!;
    const word = line.text.slice(start, end);
    const v = tok === Tok.VirtualRegister ? scope.vreg(word) : null;
    if (v !== null) {
      const [dot, sub] = line.tokens.slice(i + 1, source!.to);
      const isPart = dot?.tok === Tok.Dot && sub !== undefined && v.regClass >= 0;
      return isPart ? partType(tables, v.regClass, line.text.slice(sub.start, sub.end)) : typeText(scope.fn, v);
    }
    if (tok === Tok.NamedRegister) return physicalType(scope, tables, word.slice(1));
    // After the colon of a register that only this line has.
    if (tok === Tok.Colon) return line.text.slice(end, line.tokens[source!.to - 1]!.end);
  }
  return tables.opcodeName(opc).startsWith('G_') ? `${genericBank(scope, 's32')}(s32)` : '';
}

/** The class that code mostly uses for part `sub` of a class, empty where it has none. */
function partType(tables: TargetTables, regClass: RegClassId, sub: string): string {
  const idx = tables.subRegIndexByName(sub);
  const part = idx > 0 ? tables.getSubRegisterClass(regClass, idx) : -1;
  return part < 0 ? '' : usualClass(tables, part);
}

const FLOAT_BITS: ReadonlyMap<string, number> = new Map([
  ['half', 16],
  ['bfloat', 16],
  ['float', 32],
  ['double', 64],
]);

/** `i64 1` and `double 1.0` say their size. */
function constantType({ operands, tokens, text }: InstrLine): LLT | null {
  const token = tokens[operands[0]?.from ?? -1];
  const word = token ? text.slice(token.start, token.end) : '';
  const bits = FLOAT_BITS.get(word) ?? Number(/^i(\d+)$/.exec(word)?.[1] ?? 0);
  return bits > 0 ? scalarLLT(bits) : null;
}

/** What an extension or a truncation makes of its operand, when nothing else says how wide it is to be. */
function resized({ operands, tokens, text }: InstrLine, scope: FunctionScope, name: string): LLT | null {
  const factor = name === 'G_TRUNC' ? 0.5 : name === 'G_PTRTOINT' ? 1 : /^G_(?:ANY|S|Z)EXT$/.test(name) ? 2 : 0;
  const token = tokens[operands[0]?.from ?? -1];
  const type = factor === 0 || !token ? null : (scope.vreg(text.slice(token.start, token.end))?.type ?? null);
  if (type === null || type.bits === 1) return null;
  return type.kind === 'pointer' ? scalarLLT(type.bits) : { ...type, bits: type.bits * factor };
}

/** What stands before the type of a new generic register: after the selection of banks none may be without one. Masks of lanes have their own. */
const genericBank = ({ fn }: FunctionScope, type: string): string =>
  fn?.header.regBankSelected !== true ? '_' : type === 's1' ? 'vcc' : 'vgpr';

/** What a copy of a physical register is declared as: the class that the function has most for registers like it. */
function physicalType(scope: FunctionScope, tables: TargetTables, name: string): string {
  const reg = tables.regByName(name);
  const own = reg > 0 ? tables.getMinimalPhysRegClass(reg) : -1;
  if (own < 0) return '';
  const bits = tables.regClassBits[own]!;
  if (scope.genericShare > 0.5) {
    const isSelected = scope.fn?.header.regBankSelected === true;
    return `${!isSelected ? '_' : tables.isSGPRClass(own) ? 'sgpr' : tables.hasAGPRs(own) ? 'agpr' : 'vgpr'}(s${bits})`;
  }
  const counts = new Map<number, number>();
  for (const { regClass } of scope.vregs)
    if (regClass >= 0 && tables.classContains(regClass, reg)) counts.set(regClass, (counts.get(regClass) ?? 0) + 1);
  const [best] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [-1];
  if (best >= 0) return tables.regClassMirName(best);
  return usualClass(tables, own);
}

/** The class of the same width and bank that code mostly uses. What no register can be of, such as SCC, is kept in scalar ones. */
function usualClass(tables: TargetTables, rc: RegClassId): string {
  const bits = tables.regClassBits[rc]!;
  const lead = tables.isSGPRClass(rc) ? 'sreg' : tables.hasAGPRs(rc) ? 'areg' : 'vreg';
  const usual = [`${lead}_${bits}`, `${lead.replace('reg', 'gpr')}_${bits}`].find((c) => tables.regClassByName(c) >= 0);
  return usual ?? (tables.isAllocatableClass(rc) ? tables.regClassMirName(rc) : 'sreg_32');
}

/** Classes that tests write most. */
export const USUAL_CLASSES: readonly string[] =
  'vgpr_32 sreg_32 sreg_64 vreg_64 sgpr_32 sgpr_64 vreg_128 sgpr_128 vreg_64_align2 av_32'.split(' ');

/** Words that describe a physical or virtual register's class after `:`. */
export function classes(st: Subtarget, scope: FunctionScope, line: InstrLine): Candidate[] {
  const { tables } = st;
  const opc = opcodeOf(line, tables);
  const inDefs = line.equal < 0 || line.hole <= line.equal;
  const k = inDefs ? Math.max(0, line.defAt) : descriptorIndex(line, tables, opc);
  const rc = opc >= 0 && k < tables.opcodeNumOperands(opc) ? st.opInfoRegClass(opc, k) : -1;
  const isCopy = inDefs && opc >= 0 && COPIES.has(tables.opcodeName(opc));
  const bits = isCopy ? registerIn(line, line.operands[0], scope, st).bits : 0;
  const counts = new Map<number, number>();
  for (const v of scope.vregs) counts.set(v.regClass, (counts.get(v.regClass) ?? 0) + 1);
  const known = scope.vreg(registerBefore(line))?.regClass ?? -1;
  const items: Candidate[] = [];
  for (let c = 0; c < tables.nRegClasses; c++) {
    const used = counts.get(c) ?? 0;
    const isUsual = USUAL_CLASSES.includes(tables.regClassMirName(c));
    const fit =
      rc < 0
        ? (bits === tables.regClassBits[c] ? POINTS.classOfSize : 0) + (isUsual ? POINTS.usualClass : 0)
        : c === rc
          ? POINTS.classOfOperand
          : tables.hasSubClassEq(rc, c)
            ? POINTS.subclassOfOperand
            : POINTS.otherClass;
    items.push({
      label: tables.regClassMirName(c),
      kind: CompletionItemKind.Class,
      score:
        fit +
        (c === known ? POINTS.classOfRegister : 0) +
        POINTS.classUsedAgain * Math.log2(1 + used) +
        (tables.isAllocatableClass(c) ? 0 : POINTS.notAllocatable) -
        tables.regClassName(c).length / 20,
      description: used > 0 ? `used ${used} x here` : '',
      detail: ` ${tables.regClassBits[c]!} bits`,
      about: { what: 'class', name: tables.regClassMirName(c) },
    });
  }
  const isSelected = scope.fn?.header.regBankSelected === true;
  const type = declaredType(line, scope, st, opc, inDefs ? k : -1);
  const withType = (label: string): Pick<Candidate, 'label' | 'snippet'> =>
    line.text[line.wordEnd] === '('
      ? { label }
      : { label, snippet: `${label}(\${1:${label === 'vcc' ? 's1' : type}})$0` };
  for (let bank = 0; bank < tables.nRegBanks; bank++) {
    const label = tables.regBankName(bank).toLowerCase();
    const used = scope.vregs.filter((v) => v.bank === bank).length;
    items.push({
      ...withType(label),
      kind: CompletionItemKind.Enum,
      score: isSelected ? POINTS.bankWhereSelected + used : POINTS.bankElsewhere,
      detail: ' register bank',
    });
  }
  items.push({
    ...withType('_'),
    kind: CompletionItemKind.Class,
    score: scope.genericShare > 0.5 ? POINTS.genericAmongGeneric : POINTS.genericElsewhere,
    detail: ' generic register',
  });
  return items;
}

/** The register before the colon that the cursor is after, its part left out. */
function registerBefore({ tokens, hole, text }: InstrLine): string {
  for (let i = hole - 2; i >= Math.max(0, hole - 4); i--) {
    const { tok, start, end } = tokens[i]!;
    if (tok === Tok.VirtualRegister || tok === Tok.NamedVirtualRegister) return text.slice(start, end);
  }
  return '';
}

/** The type that the register before the colon has elsewhere, else what the opcode defines as the `k`th. */
function declaredType(line: InstrLine, scope: FunctionScope, st: Subtarget, opc: Opcode, k: number): string {
  const { start, end } = line.tokens[line.hole - 2]!;
  const type = scope.vreg(line.text.slice(start, end))?.type ?? null;
  if (type !== null) return printLLT(type);
  return (k < 0 ? null : /\((.*)\)$/.exec(definedType(line, scope, st, opc, k))?.[1]) ?? 's32';
}

export const hasMemory = (tables: TargetTables, opc: Opcode): boolean =>
  opc >= 0 &&
  (((tables.opcodeFlagsLo(opc) >>> McFlag.MayLoad) & 1) !== 0 ||
    ((tables.opcodeFlagsLo(opc) >>> McFlag.MayStore) & 1) !== 0);
