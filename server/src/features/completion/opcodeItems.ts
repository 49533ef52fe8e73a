/**
 * Opcodes that the target has, ranked by what stands around the cursor: the class that the definition asks for, the operands that are
 * there already, and what this file uses.
 */
import { CompletionItemKind } from 'vscode-languageserver-types';
import { Tok } from '../../syntax/lexer.js';
import {
  isDPP,
  isImage,
  isSDWA,
  lacksOpcode,
  McFlag,
  OperandType,
  type Opcode,
  type RegClassId,
  type Subtarget,
  type TargetTables,
} from '../../target/index.js';
import { printLLT } from '../../model/llt.js';
import { matchOf, snippetText, type Candidate } from './candidate.js';
import type { FunctionScope, OpcodeUse } from './functionScope.js';
import type { InstrLine, OperandSpan } from './instrLine.js';
import { looseOperands } from './looseOperands.js';
import { expanded } from './trial.js';
import { MemoryKey, type Memory } from '../snapshot/memory.js';
import { POINTS } from './points.js';
import { usualScore } from './usualOpcodes.js';

interface LegalOpcodes {
  readonly opcodes: Int32Array;
  readonly names: readonly string[];
  readonly lowerNames: readonly string[];
  /** how much rarer than others each is written by hand */
  readonly oddity: Float64Array;
}

/** The opcodes that code for this processor is written with: pseudos and image instructions that it can encode. */
const LEGAL = new MemoryKey<LegalOpcodes>('legal opcodes');

function legalOpcodes(st: Subtarget): LegalOpcodes {
  const { tables } = st;
  const list: Opcode[] = [];
  for (let opc = 0; opc < tables.nOpcodes; opc++) if (isLegal(st, opc)) list.push(opc);
  const names = list.map((opc) => tables.opcodeName(opc));
  const oddity = Float64Array.from(list, (opc) => oddityOf(tables, opc));
  // From gfx9 on what has a form of gfx9 is written in that form: it needs no M0, or keeps the upper half.
  if (st.hasFeature('gfx9-insts')) {
    const ofGFX9 = new Set(names.filter((name) => /_gfx9(?:_|$)/.test(name)).map(plainName));
    names.forEach((name, k) => {
      if (ofGFX9.has(name)) oddity[k]! -= POINTS.olderForm;
    });
  }
  return { opcodes: Int32Array.from(list), names, lowerNames: names.map((name) => name.toLowerCase()), oddity };
}

/** Whether instructions of a function have this opcode, rather than what they are encoded as. Images have no pseudos. */
const isWritten = (tables: TargetTables, opc: Opcode): boolean =>
  !tables.isAMDGCN || ((tables.opcodeFlagsLo(opc) >>> McFlag.Pseudo) & 1) !== 0 || isImage(tables, opc);

/** An operand of the line as far as ranking wants to know it. */
interface Given {
  readonly kind: 'register' | 'immediate' | 'block' | 'intrinsic' | 'mask' | 'other' | 'empty';
  /** class of a virtual register, -1 = not known */
  readonly regClass: RegClassId;
  readonly isGeneric: boolean;
  /** of a generic register: `s32`; empty = not known */
  readonly type: string;
  /** physical register, 0 = none */
  readonly phys: number;
  /** `.sub0` and the like follows: the class is of the whole register */
  readonly subReg: number;
}

/** The instruction above is of the cursor's block and has the flag. */
function isBehind(flag: McFlag, scope: FunctionScope, tables: TargetTables): boolean {
  let is = false;
  const here = scope.blockHere();
  scope.eachAbove(1, (i) => {
    const { fn } = scope;
    is = fn!.instrBlock[i] === here && ((tables.opcodeFlagsLo(fn!.opcode[i]!) >>> flag) & 1) !== 0;
  });
  return is;
}

/** Nothing falls through from the instruction above. */
export const isBehindBarrier = (scope: FunctionScope, tables: TargetTables): boolean =>
  isBehind(McFlag.Barrier, scope, tables);

/** What stands around the opcode. */
interface Around {
  readonly defs: readonly Given[];
  /** explicit operands, as far as they are written */
  readonly operands: readonly Given[];
  readonly implicitUses: ReadonlySet<number>;
  readonly implicitDefs: ReadonlySet<number>;
  readonly hasMemory: boolean;
  /** the words `load` and `store` in the memory operands */
  readonly loads: boolean;
  readonly stores: boolean;
  /** nothing is written after the opcode */
  readonly isOpen: boolean;
  /** nor before it, but for a part of its name: accepting it writes the definition */
  readonly isAlone: boolean;
  /** `{` ends the line */
  readonly opensBundle: boolean;
  /** `nofpexcept` stands before it */
  readonly raisesNothing: boolean;
  readonly isFirstOfBlock: boolean;
  readonly isLastOfBlock: boolean;
  /** the cursor's block has successors */
  readonly goesOn: boolean;
  /** a terminator stands above */
  readonly isBehindTerminator: boolean;
  /** the function is generic */
  readonly isGeneric: boolean;
  /** opcodes that define whatever the line does */
  readonly anyDefs: readonly Opcode[];
  /** those of a register whose value does not matter */
  readonly idioms: readonly Opcode[];
}

function aroundOf(line: InstrLine, scope: FunctionScope, st: Subtarget): Around {
  const { tables } = st;
  const given = (span: OperandSpan): Given => givenOf(line, span, scope, st);
  const words = new Set(line.tokens.slice(Math.max(0, line.memory)).map((t) => line.text.slice(t.start, t.end)));
  const implicitUses = new Set<number>();
  const implicitDefs = new Set<number>();
  const operands: Given[] = [];
  for (const span of line.operands) {
    const first = line.tokens[span.from]?.tok;
    if (first === Tok.KwImplicit || first === Tok.KwImplicitDef) {
      const { phys } = given(span);
      if (phys > 0) (first === Tok.KwImplicit ? implicitUses : implicitDefs).add(phys);
    } else if (span.to > span.from) {
      const operand = given(span);
      // The registers that a call preserves stand among its implicit operands.
      if (operand.kind !== 'mask') operands.push(operand);
    }
  }
  const isOpen = line.operands.every((o) => o.from === o.to) && line.memory < 0;
  return {
    defs: line.defs.map(given),
    operands,
    implicitUses,
    implicitDefs,
    hasMemory: line.memory >= 0,
    loads: line.memory >= 0 && words.has('load'),
    stores: line.memory >= 0 && words.has('store'),
    opensBundle: line.tokens.at(-1)?.tok === Tok.LBrace,
    raisesNothing: line.tokens.slice(0, line.hole).some((t) => line.text.slice(t.start, t.end) === 'nofpexcept'),
    isOpen,
    isAlone: isOpen && line.equal < 0 && line.hole === 0 && line.wordStart < line.cursor,
    isFirstOfBlock: scope.isFirstOfBlock,
    isLastOfBlock: scope.isLastOfBlock,
    goesOn: scope.successorsHere().length > 0,
    isBehindTerminator: isBehind(McFlag.Terminator, scope, tables),
    isGeneric: scope.genericShare > 0.5,
    anyDefs: ['COPY', 'IMPLICIT_DEF', 'PHI', 'REG_SEQUENCE'].map((name) => tables.opcodeByName(name)),
    idioms: ['IMPLICIT_DEF', 'G_IMPLICIT_DEF'].map((name) => tables.opcodeByName(name)),
  };
}

function givenOf({ text, tokens }: InstrLine, { from, to }: OperandSpan, scope: FunctionScope, st: Subtarget): Given {
  const { tables } = st;
  let kind: Given['kind'] = from === to ? 'empty' : 'other';
  let regClass = -1;
  let phys = 0;
  let isGeneric = false;
  let type = '';
  let subReg = 0;
  for (let i = from; i < to; i++) {
    const { tok, start, end } = tokens[i]!;
    const word = text.slice(start, end);
    if (tok === Tok.VirtualRegister || tok === Tok.NamedVirtualRegister) {
      kind = 'register';
      const v = scope.vreg(word);
      if (v) {
        regClass = v.regClass;
        if (v.type !== null) type = printLLT(v.type);
        isGeneric = v.regClass < 0 && v.type !== null;
      }
    } else if (tok === Tok.NamedRegister) {
      kind = 'register';
      phys = Math.max(0, tables.regByName(word.slice(1)));
    } else if (tok === Tok.Dot && tokens[i + 1]) {
      subReg = Math.max(0, tables.subRegIndexByName(text.slice(tokens[i + 1]!.start, tokens[i + 1]!.end)));
    } else if (tok === Tok.Colon && tokens[i + 1]) {
      const name = text.slice(tokens[i + 1]!.start, tokens[i + 1]!.end);
      regClass = tables.regClassByName(name);
      if (regClass < 0) isGeneric = true;
    } else if (tok === Tok.Integer || tok === Tok.Hex) {
      if (kind === 'other') kind = 'immediate';
    } else if (i === from && /^(?:half|bfloat|float|double)$/.test(word)) kind = 'immediate';
    else if (tok === Tok.BlockRef) kind = 'block';
    else if (tok === Tok.KwIntrinsic) kind = 'intrinsic';
    else if (tok === Tok.Identifier && to === from + 1 && tables.regMaskByName(word) >= 0) kind = 'mask';
  }
  const own = /\((.*)\)$/.exec(to > from ? text.slice(tokens[from]!.start, tokens[to - 1]!.end) : '')?.[1];
  return { kind, regClass, phys, isGeneric, type: kind === 'register' ? (own ?? type) : '', subReg };
}

const TAKES_INTRINSIC = /^G_INTRINSIC(?:_CONVERGENT)?(?:_W_SIDE_EFFECTS)?$/;

const isGenericType = (type: OperandType): boolean =>
  OperandType.FirstGeneric <= type && type <= OperandType.LastGeneric;

/** Operands that a constant may stand in place of a register for. */
export const takesImmediate = (type: OperandType): boolean =>
  (OperandType.RegImmInt32 <= type && type <= OperandType.InlineSplitBarrierInt32) ||
  (OperandType.InlineACInt32 <= type && type <= OperandType.InlineACFP64);

/** They take registers, which the tables do not say. */
const MOVES: ReadonlySet<string> = new Set(['COPY', 'PHI', 'REG_SEQUENCE']);

/** Points for one operand; below zero: it does not fit. */
function operandScore(st: Subtarget, opc: Opcode, k: number, given: Given): number {
  const { tables } = st;
  const at = tables.opInfoBegin(opc) + k;
  const rc = st.opInfoRegClass(opc, k);
  const type = tables.opInfoType[at]! as OperandType;
  switch (given.kind) {
    case 'register':
      if (isGenericType(type)) {
        if (given.isGeneric) return POINTS.typedForTyped;
        return given.phys > 0 ? POINTS.operandIsWrong : given.regClass < 0 ? 0 : POINTS.typedForClass;
      }
      if (rc < 0) return type === OperandType.Unknown && isLoose(tables, opc) ? 1 : POINTS.operandIsWrong;
      if (given.isGeneric) return POINTS.typedForClass;
      if (given.phys > 0) return tables.classContains(rc, given.phys) ? POINTS.typedForTyped : POINTS.operandIsWrong;
      if (given.regClass < 0) return 0;
      return classScore(tables, rc, given);
    case 'immediate':
      if (rc >= 0) return takesImmediate(type) ? POINTS.constantForEither : POINTS.constantForRegisterOnly;
      if (MOVES.has(tables.opcodeName(opc)) || isGenericType(type)) return POINTS.operandIsWrong;
      return POINTS.constantForConstant;
    case 'block':
      return type === OperandType.PCRel ? POINTS.blockForBranch : rc < 0 ? 0 : POINTS.operandIsWrong;
    case 'intrinsic':
      return TAKES_INTRINSIC.test(tables.opcodeName(opc)) ? POINTS.intrinsicForIts : POINTS.operandIsWrong;
    default:
      return 0;
  }
}

function classScore(tables: TargetTables, rc: RegClassId, { regClass, subReg }: Given): number {
  const own = subReg > 0 ? tables.getSubRegisterClass(regClass, subReg) : regClass;
  if (own < 0) return POINTS.classHasNoPart;
  if (own === rc) return POINTS.sameClass;
  if (tables.hasSubClassEq(rc, own)) return POINTS.subclass;
  if (tables.getCommonSubClass(rc, own) >= 0) return POINTS.narrowedClass;
  return tables.regClassBits[rc] === tables.regClassBits[own] ? POINTS.foreignClass : POINTS.classOfOtherSize;
}

/** COPY, PHI and their like: operands without a description. */
const isLoose = (tables: TargetTables, opc: Opcode): boolean =>
  tables.opInfoRegClass[tables.opInfoBegin(opc)]! < 0 &&
  tables.opInfoType[tables.opInfoBegin(opc)] === OperandType.Unknown;

const isVariadic = (tables: TargetTables, opc: Opcode): boolean =>
  ((tables.opcodeFlagsLo(opc) >>> McFlag.Variadic) & 1) !== 0;

/** Below zero: operands that have to be of one type are of several. */
function typesScore(tables: TargetTables, opc: Opcode, defs: readonly Given[], operands: readonly Given[]): number {
  const nDefs = tables.opcodeNumDefs(opc);
  const known = new Map<OperandType, string>();
  for (let k = 0; k < tables.opcodeNumOperands(opc); k++) {
    const kind = tables.opInfoType[tables.opInfoBegin(opc) + k]! as OperandType;
    const type = (k < nDefs ? defs[k] : operands[k - nDefs])?.type ?? '';
    if (type === '' || !isGenericType(kind)) continue;
    if ((known.get(kind) ?? type) !== type) return POINTS.typesDisagree;
    known.set(kind, type);
  }
  return 0;
}

/** How well an opcode suits the line. */
function aroundScore(st: Subtarget, opc: Opcode, around: Around): number {
  const { tables } = st;
  const nDefs = tables.opcodeNumDefs(opc);
  const nOperands = tables.opcodeNumOperands(opc);
  const variadic = isVariadic(tables, opc);
  let score = 0;
  const { defs, operands, implicitUses, implicitDefs } = around;
  // Nearly all that raise exceptions define something: what follows the word without a definition is one whose definition is still to come.
  const isDefMissing = around.raisesNothing && defs.length === 0 && around.isOpen;
  if (defs.length !== nDefs && !(variadic && defs.length > nDefs))
    score += around.isAlone || isDefMissing ? 0 : defs.length === 0 ? POINTS.defNotWritten : POINTS.otherNumberOfDefs;
  const isBundle = tables.opcodeName(opc) === 'BUNDLE';
  if (around.opensBundle && isBundle) score += POINTS.bundleBeforeBrace;
  if (nDefs === 0 && defs.length > 0 && !TAKES_INTRINSIC.test(tables.opcodeName(opc))) score += POINTS.definesNothing;
  for (let k = 0; k < Math.min(defs.length, nDefs); k++)
    score += isLoose(tables, opc)
      ? around.anyDefs.includes(opc)
        ? POINTS.definesAnything
        : 0
      : 2 * operandScore(st, opc, k, defs[k]!);
  const flags = tables.opcodeFlagsLo(opc);
  // What raises no exception anyway is not said to raise none.
  if (around.raisesNothing)
    score += ((flags >>> McFlag.MayRaiseFPException) & 1) !== 0 ? POINTS.mayRaise : -POINTS.mayRaise;
  if (around.isOpen) return score + (around.idioms.includes(opc) ? POINTS.valueDoesNotMatter : 0);
  const expected = nOperands - nDefs;
  if (operands.length !== expected && !(variadic && operands.length > expected)) score += POINTS.otherNumberOfOperands;
  for (let k = 0; k < Math.min(operands.length, expected); k++) score += operandScore(st, opc, nDefs + k, operands[k]!);
  if (operands.some((o) => o.kind === 'intrinsic') !== TAKES_INTRINSIC.test(tables.opcodeName(opc)))
    score += POINTS.rejected;
  score += typesScore(tables, opc, defs, operands);
  score +=
    implicitScore(tables.implicitUses(opc), implicitUses) + implicitScore(tables.implicitDefs(opc), implicitDefs);
  // Memory operands before `{` are those of a BUNDLE, whose members load and store.
  if (around.opensBundle && around.hasMemory) return isBundle ? score : score + POINTS.rejected;
  const loads = ((flags >>> McFlag.MayLoad) & 1) !== 0;
  const stores = ((flags >>> McFlag.MayStore) & 1) !== 0;
  const isMemory = loads || stores;
  // llc rejects a memory operand that the opcode does not account for.
  if ((around.loads && !loads) || (around.stores && !stores)) score += POINTS.rejected;
  else if (around.hasMemory !== isMemory) score += around.hasMemory ? POINTS.touchesNoMemory : POINTS.memoryUnsaid;
  else if (around.hasMemory && (loads !== around.loads || stores !== around.stores)) score += POINTS.touchesMore;
  return score;
}

/** At the start of a block, with pairs of registers and blocks. */
const phiScore = ({ isFirstOfBlock, isOpen, operands }: Around): number =>
  (isFirstOfBlock ? 0 : POINTS.phiInBlock) + (!isOpen && operands.length % 2 !== 0 ? POINTS.phiWithoutPairs : 0);

/** Terminators end blocks. */
function placeScore(tables: TargetTables, opc: Opcode, around: Around): number {
  const flags = tables.opcodeFlagsLo(opc);
  const isTerminator = ((flags >>> McFlag.Terminator) & 1) !== 0;
  const isReturn = ((flags >>> McFlag.Return) & 1) !== 0;
  const isPreISel = ((flags >>> McFlag.PreISelOpcode) & 1) !== 0;
  let score = 0;
  if (around.isGeneric ? !isPreISel && !isLoose(tables, opc) && !isReturn : isPreISel) score += POINTS.otherLevel;
  if (!isTerminator) return score + (around.isLastOfBlock && around.defs.length === 0 ? POINTS.endsNothing : 0);
  if (!around.isLastOfBlock) return score + POINTS.terminatorInBlock;
  // After a conditional branch comes the other way.
  if (around.isBehindTerminator) score += ((flags >>> McFlag.Barrier) & 1) !== 0 ? POINTS.otherWay : -POINTS.otherWay;
  if (isReturn === !around.goesOn) return score + POINTS.endsAsSuccessorsSay;
  return score + (isReturn ? POINTS.returnsWithSuccessors : POINTS.branchesWithout);
}

function implicitScore(own: readonly number[], given: ReadonlySet<number>): number {
  let score = 0;
  for (const reg of own) score += given.has(reg) ? POINTS.implicitIsThere : POINTS.implicitIsMissing;
  if (given.size > own.length) score += POINTS.implicitTooMany * (given.size - own.length);
  return score;
}

function useScore({ count, follows, precedes }: OpcodeUse, opc: Opcode): number {
  const n = count.get(opc) ?? 0;
  if (n === 0) return 0;
  return (
    POINTS.opcodeUsed +
    POINTS.opcodeUsedAgain * Math.log2(n) +
    POINTS.opcodeFollows * Math.log2(1 + (follows.get(opc) ?? 0)) +
    POINTS.opcodePrecedes * Math.log2(1 + (precedes.get(opc) ?? 0))
  );
}

/** Opcodes for other targets, other tools and passes of their own, which no test of the scheduler or the selector writes. */
const UNUSUAL =
  /^(?:PATCHABLE_|STATEPOINT|STACKMAP|PATCHPOINT|FENTRY_CALL|ICALL_BRANCH|SI_BR_UNDEF|CONVERGENCECTRL_|FAKE_USE|RELOC_NONE|JUMP_TABLE_|PSEUDO_PROBE|LOCAL_ESCAPE|LOAD_STACK_|PREALLOCATED_|MEMBARRIER|ARITH_FENCE|INIT_UNDEF|GC_LABEL|EH_LABEL|ANNOTATION_|CFI_|LIFETIME_|FAULTING_|COPY_TO_REG|COPY_LANEMASK|V_CMPSX_.*_nosdst_)|_pad_s_nop$/;

/** Without what tells the forms of generations apart. */
const plainName = (name: string): string => name.replace(/_(?:gfx9|t16|fake16)(?=_|$)/, '');

function oddityOf(tables: TargetTables, opc: Opcode): number {
  const own = tables.opcodeName(opc);
  const name = plainName(own);
  const variant = isSDWA(tables, opc) || isDPP(tables, opc) ? POINTS.variant : 0;
  const rare = /^S_[A-Z]+K_|^V_CMPX?_[FT]_|^V_CMPSX?_|_D16(?:_|$)/.test(own) ? POINTS.rareOpcode : 0;
  return name.length / 20 - variant - rare - (UNUSUAL.test(name) ? POINTS.writtenByNobody : 0) - usualScore(name);
}

/** Candidates that are looked at more closely. */
const MAX_CLOSER = 150;

/** `memory`: of the processor. `others`: the targets of the file's other RUN lines, with what they are called. */
export function opcodeCandidates(
  line: InstrLine,
  scope: FunctionScope,
  st: Subtarget,
  memory: Memory,
  typed: string,
  others: readonly { readonly name: string; readonly st: Subtarget }[],
): Candidate[] {
  const { tables } = st;
  const around = aroundOf(line, scope, st);
  const use = scope.opcodeUse();
  const scored: { opc: Opcode; name: string; score: number; match: number }[] = [];
  const phis = [tables.opcodeByName('PHI'), tables.opcodeByName('G_PHI')];
  const consider = (opc: Opcode, name: string, lower: string, oddity: number): void => {
    const match = matchOf(typed, name, lower);
    if (match === 0) return;
    const odd = use.count.has(opc) ? Math.min(oddity, 30) : oddity;
    const place = phis.includes(opc) ? phiScore(around) : placeScore(tables, opc, around);
    scored.push({ opc, name, score: aroundScore(st, opc, around) + place + useScore(use, opc) - odd, match });
  };
  const { opcodes, names, lowerNames, oddity } = memory.of(LEGAL, () => legalOpcodes(st));
  for (let k = 0; k < opcodes.length; k++) consider(opcodes[k]!, names[k]!, lowerNames[k]!, oddity[k]!);
  for (const opc of use.count.keys())
    if (!isLegal(st, opc)) {
      const name = tables.opcodeName(opc);
      consider(opc, name, name.toLowerCase(), oddityOf(tables, opc));
    }
  scored.sort((a, b) => b.match - a.match || b.score - a.score);
  return scored.slice(0, MAX_CLOSER).map(({ opc, name, score }) => {
    const n = use.count.get(opc) ?? 0;
    const missing = others.filter((o) => lacksOpcode(o.st, opc)).map((o) => o.name);
    const notes = [
      ...(lacksOpcode(st, opc) ? [`not on ${st.cpu}`] : []),
      ...(missing.length > 0 ? [`not on ${missing.join(', ')}`] : []),
      ...(n > 0 ? [`used ${n} x here`] : []),
    ];
    return {
      label: name,
      kind: CompletionItemKind.Function,
      score,
      detail: ` ${signatureOf(st, opc)}`,
      description: notes.join(', '),
      ...textOf(line, scope, st, opc, around),
      about: { what: 'opcode', name },
    };
  });
}

const isLegal = (st: Subtarget, opc: Opcode): boolean => isWritten(st.tables, opc) && !lacksOpcode(st, opc);

/** `vgpr_32 = src0, src1` */
function signatureOf(st: Subtarget, opc: Opcode): string {
  const { tables } = st;
  const nDefs = tables.opcodeNumDefs(opc);
  const defs = Array.from({ length: nDefs }, (_, k) => {
    const rc = st.opInfoRegClass(opc, k);
    return rc < 0 ? tables.operandName(opc, k) || 'def' : tables.regClassMirName(rc);
  });
  const uses = Array.from({ length: tables.opcodeNumOperands(opc) - nDefs }, (_, k) =>
    operandLabel(tables, opc, nDefs + k),
  );
  return `${defs.length > 0 ? `${defs.join(', ')} = ` : ''}${uses.join(', ')}`;
}

/** What an operand is called: by its name in the tables, or its place. */
export const operandLabel = (tables: TargetTables, opc: Opcode, k: number): string =>
  tables.operandName(opc, k) || (looseOperands(tables.opcodeName(opc))?.[k]?.name ?? `op${k}`);

/** Stands for the class of a definition that nothing says. */
export const CLASS_WORD = 'class';

/** What is written for the opcode: with its operands where none are there, with a definition where it needs one. */
function textOf(
  line: InstrLine,
  scope: FunctionScope,
  st: Subtarget,
  opc: Opcode,
  around: Around,
): { insert: string; snippet?: string; goesOn?: boolean } {
  const name = st.tables.opcodeName(opc);
  if (!around.isOpen) return { insert: name };
  const loose = looseOperands(name);
  const { tables } = st;
  const nDefs = tables.opcodeNumDefs(opc);
  let stop = 1;
  let lead = '';
  if (nDefs > 0 && line.equal < 0 && line.hole === 0) {
    const defs: string[] = [];
    let next = scope.nextVReg;
    for (let k = 0; k < nDefs; k++) {
      const rc = st.opInfoRegClass(opc, k);
      const isGeneric = isGenericType(tables.opInfoType[tables.opInfoBegin(opc) + k]! as OperandType);
      const type = isGeneric ? `_(${snippetText(usualType(name, k))})` : rc < 0 ? '' : tables.regClassMirName(rc);
      defs.push(rc < 0 && !isGeneric ? `%${next++}:\${${stop++}:${CLASS_WORD}}` : `\${${stop++}:%${next++}:${type}}`);
    }
    lead = `${defs.join(', ')} = `;
  }
  const parts: string[] = [];
  for (const { name: operand } of loose?.slice(1) ?? [])
    parts.push(`\${${stop++}:${operand === 'subreg' ? '%subreg.sub0' : operand}}`);
  for (let k = nDefs; k < tables.opcodeNumOperands(opc) && loose === null; k++) {
    const placeholder = placeholderOf(st, opc, k, around.defs[0]?.type ?? '');
    parts.push(`\${${stop++}:${snippetText(placeholder)}}`);
  }
  for (const reg of tables.implicitDefs(opc)) parts.push(`implicit-def \\$${tables.regName(reg)}`);
  for (const reg of tables.implicitUses(opc)) parts.push(`implicit \\$${tables.regName(reg)}`);
  // Without stops a definition is written as far as its class is known.
  const plain = lead.includes(`:${CLASS_WORD}`) ? '' : expanded(lead).text;
  const snippet = `${lead}${name}${parts.length > 0 ? ` ${parts.join(', ')}` : ''}`;
  return { insert: `${plain}${name}`, snippet: `${snippet}$0`, goesOn: parts.length > 0 };
}

const FLOATS: Readonly<Record<string, string>> = {
  s16: 'half 0xH0000',
  s32: 'float 0.000000e+00',
  s64: 'double 0.000000e+00',
};

/** What generic opcodes define, where it is not 32 bits. */
const TYPES_OF: Readonly<Record<string, string>> = {
  G_ICMP: 's1',
  G_FCMP: 's1',
  G_FRAME_INDEX: 'p5',
  G_GLOBAL_VALUE: 'p1',
  G_PTR_ADD: 'p1',
  G_PTRMASK: 'p1',
  G_INTTOPTR: 'p1',
  G_ADDRSPACE_CAST: 'p0',
  G_BUILD_VECTOR: '<2 x s32>',
  G_BUILD_VECTOR_TRUNC: '<2 x s16>',
  G_CONCAT_VECTORS: '<4 x s16>',
  G_SHUFFLE_VECTOR: '<2 x s32>',
  G_ANYEXT: 's64',
  G_ZEXT: 's64',
  G_SEXT: 's64',
  G_MERGE_VALUES: 's64',
};

/** Type of what a generic opcode defines as its `k`th, where nothing says it; a second one says whether something overflowed. */
export const usualType = (name: string, k: number): string => (k > 0 ? 's1' : (TYPES_OF[name] ?? 's32'));

/** Operands of generic opcodes that are neither registers nor numbers: which one, and what it looks like. */
const WORDS_OF: Readonly<Record<string, readonly [number, string]>> = {
  G_ICMP: [1, 'intpred(eq)'],
  G_FCMP: [1, 'floatpred(oeq)'],
  G_SHUFFLE_VECTOR: [3, 'shufflemask(0, 1)'],
  G_FRAME_INDEX: [1, '%stack.0'],
  G_GLOBAL_VALUE: [1, '@global'],
  G_JUMP_TABLE: [1, '%jump-table.0'],
  G_BR: [0, 'block'],
  G_BRCOND: [1, 'block'],
};

/** Registers by their names, which nothing takes for a register; other operands by their usual value. */
function placeholderOf(st: Subtarget, opc: Opcode, k: number, defined: string): string {
  const { tables } = st;
  const at = tables.opInfoBegin(opc) + k;
  const type = tables.opInfoType[at]! as OperandType;
  const name = tables.opcodeName(opc);
  if (name === 'G_CONSTANT') return `i${/^s(\d+)$/.exec(defined)?.[1] ?? '32'} 0`;
  if (name === 'G_FCONSTANT') return FLOATS[defined] ?? FLOATS.s32!;
  if (TAKES_INTRINSIC.test(name)) return 'intrinsic(@llvm)';
  if (WORDS_OF[name]?.[0] === k) return WORDS_OF[name][1];
  if (st.opInfoRegClass(opc, k) >= 0 || type === OperandType.PCRel || isGenericType(type) || isLoose(tables, opc))
    return operandLabel(tables, opc, k);
  return '0';
}
