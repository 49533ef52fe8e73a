/** `textDocument/signatureHelp`: the operands of an opcode while they are written, by its description in the tables. */
import type { ParameterInformation, Position, SignatureHelp } from 'vscode-languageserver-types';
import { isDS, isFLAT, isMUBUF, isVOP3, McFlag, OperandType, type Opcode, type Subtarget } from '../../target/index.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { LinePlace, readInstrLine, type InstrLine } from './instrLine.js';
import { descriptorIndex, opcodeOf } from './operandItems.js';
import { goesOnInPairs, looseIndex, looseOperands } from './looseOperands.js';
import { operandLabel } from './opcodeItems.js';
import { functionAround } from '../snapshot/locate.js';

export interface SignatureHelpParams {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
}

/** Null outside of instructions, and before their opcode is known. O(line) */
export function provideSignatureHelp(snapshot: Snapshot, { position }: SignatureHelpParams): SignatureHelp | null {
  if (snapshot.target.foreign !== '') return null;
  const { text } = snapshot;
  const cursor = text.offsetAt(position);
  const view = functionAround(snapshot, cursor);
  if (!view?.body || cursor < view.start + view.body.start) return null;
  const number = text.lineAt(cursor);
  const line = readInstrLine(text.text, text.lineStart(number), text.lineEnd(number), cursor);
  if (line.place !== LinePlace.Operand && line.place !== LinePlace.Def) return null;
  const st = view.subtarget ?? snapshot.subtarget;
  const opc = opcodeOf(line, st.tables);
  if (opc < 0) return null;
  const { label, parameters, nDescribed } = signature(st, opc);
  const activeParameter = active(line, st, opc, parameters.length, nDescribed);
  return { signatures: [{ label, parameters }], activeSignature: 0, activeParameter };
}

interface Signature {
  readonly label: string;
  readonly parameters: ParameterInformation[];
  /** parameters that the descriptor has; implicit ones follow */
  readonly nDescribed: number;
}

/** `vdst:vgpr_32 = V_ADD_U32_e32 src0:vs_32, src1:vgpr_32, implicit $exec` */
function signature(st: Subtarget, opc: Opcode): Signature {
  const { tables } = st;
  const nDefs = tables.opcodeNumDefs(opc);
  const nDescribed = tables.opcodeNumOperands(opc);
  const parameters: ParameterInformation[] = [];
  let label = '';
  const add = (text: string, documentation: string): void => {
    parameters.push({ label: [label.length, label.length + text.length], documentation });
    label += text;
  };
  for (let k = 0; k < nDefs; k++) {
    if (k > 0) label += ', ';
    add(operandText(st, opc, k), operandDoc(st, opc, k));
  }
  label += `${nDefs > 0 ? ' = ' : ''}${tables.opcodeName(opc)}`;
  let separator = ' ';
  const next = (): void => {
    label += separator;
    separator = ', ';
  };
  const loose = looseOperands(tables.opcodeName(opc));
  for (let k = nDefs; k < (loose?.length ?? nDescribed); k++) {
    next();
    if (loose) add(loose[k]!.name, loose[k]!.about);
    else add(operandText(st, opc, k), operandDoc(st, opc, k));
  }
  const isVariadic = ((tables.opcodeFlagsLo(opc) >>> McFlag.Variadic) & 1) !== 0;
  if (loose === null ? isVariadic : goesOnInPairs(tables.opcodeName(opc))) label += `${separator}...`;
  for (const reg of tables.implicitDefs(opc)) {
    next();
    add(`implicit-def $${tables.regName(reg)}`, 'The opcode writes it.');
  }
  for (const reg of tables.implicitUses(opc)) {
    next();
    add(`implicit $${tables.regName(reg)}`, 'The opcode reads it.');
  }
  return { label, parameters, nDescribed: loose?.length ?? nDescribed };
}

function active(line: InstrLine, st: Subtarget, opc: Opcode, n: number, nDescribed: number): number {
  if (line.place === LinePlace.Def) return Math.max(0, line.defAt);
  const k = looseIndex(st.tables.opcodeName(opc), descriptorIndex(line, st.tables, opc));
  // Beyond the last parameter: none is shown as the present one.
  if (k < nDescribed) return k;
  return Math.min(k, n);
}

function operandText(st: Subtarget, opc: Opcode, k: number): string {
  const { tables } = st;
  const rc = st.opInfoRegClass(opc, k);
  const type = tables.opInfoType[tables.opInfoBegin(opc) + k]! as OperandType;
  const what =
    rc >= 0
      ? tables.regClassMirName(rc)
      : OperandType.FirstGeneric <= type && type <= OperandType.LastGeneric
        ? `type${type - OperandType.FirstGeneric}`
        : isBlock(st, opc, k)
          ? 'block'
          : type === OperandType.Unknown
            ? ''
            : 'imm';
  return `${operandLabel(tables, opc, k)}${what === '' ? '' : `:${what}`}`;
}

const isBlock = ({ tables }: Subtarget, opc: Opcode, k: number): boolean =>
  (tables.opInfoType[tables.opInfoBegin(opc) + k]! as OperandType) === OperandType.PCRel;

/** Integers and floats that are encoded in the instruction itself (docs/llvm/verifier.md). */
const INLINE = 'inline constants: -16 to 64; 0.5, 1.0, 2.0, 4.0 and their negatives as bits';

/** Operands whose values mean something of their own, by name. */
const VALUES: Readonly<Record<string, string>> = {
  clamp: '0 or 1: 1 clamps the result.',
  omod: 'Output modifier, 0 to 3: 0 none, 1 times 2, 2 times 4, 3 divided by 2.',
  cpol: 'Cache policy bits: 1 glc (sc0), 2 slc (nt), 4 dlc, 16 scc (sc1); from gfx12 on 0 to 7 the temporal hint, 8 and 16 the scope.',
  offset: 'Bytes, added to the address.',
  offset0: 'Added to the address.',
  offset1: 'Added to the address.',
  gds: '0 or 1: 1 accesses GDS instead of LDS.',
  swz: '0 or 1: 1 for swizzled buffers.',
  tfe: '0 or 1: 1 returns the status of a sparse texture, too.',
  op_sel: 'A bit for each operand: takes the upper half.',
  op_sel_hi: 'A bit for each operand: what the upper half of the result takes.',
  neg_lo: 'A bit for each operand: negates the lower half.',
  neg_hi: 'A bit for each operand: negates the upper half.',
  dmask: 'A bit for each component, 0 to 15.',
  unorm: '0 or 1: 1 for coordinates in texels.',
  row_mask: 'A bit for each row of 16 lanes, 0 to 15.',
  bank_mask: 'A bit for each bank of 4 lanes, 0 to 15.',
  bound_ctrl: '0 or 1: 1 reads 0 from lanes that are off.',
  dpp_ctrl: 'How lanes are permuted.',
  simm16: '16 bits: 0 to 65535, or -32768 to 32767.',
  format: 'Format of the data.',
};

function operandDoc(st: Subtarget, opc: Opcode, k: number): string {
  const { tables } = st;
  const at = tables.opInfoBegin(opc) + k;
  const rc = st.opInfoRegClass(opc, k);
  const type = tables.opInfoType[at]! as OperandType;
  const parts: string[] = [];
  if (rc >= 0) parts.push(`${tables.regClassMirName(rc)}, ${tables.regClassBits[rc]!} bits`);
  const takesLiteral = !isVOP3(tables, opc) || st.hasFeature('vop3-literal');
  const constant = constantDoc(type, takesLiteral);
  if (constant !== '') parts.push(constant);
  const tied = tables.opInfoTiedTo[at]!;
  if (tied >= 0) parts.push(`tied to ${operandLabel(tables, opc, tied)}: allocated to the same register`);
  if (tables.opInfoEarlyClobber[at]! !== 0) parts.push('early-clobber: written before the operands are read');
  if (isBlock(st, opc, k)) parts.push('a block, such as %bb.1');
  if (OperandType.FirstGeneric <= type && type <= OperandType.LastGeneric)
    parts.push('a generic register; operands with the same type number have the same type');
  const meaning = rc < 0 && !isBlock(st, opc, k) ? meaningOf(st, opc, tables.operandName(opc, k)) : undefined;
  return `${parts.join('; ')}${meaning === undefined ? '' : `${parts.length > 0 ? '. ' : ''}${meaning}`}`;
}

function meaningOf(st: Subtarget, opc: Opcode, name: string): string | undefined {
  const range = name.startsWith('offset') ? offsetRange(st, opc, name) : null;
  const meaning = VALUES[name];
  return range === null ? meaning : `${meaning ?? ''} ${range}`.trim();
}

/** What the encoding has room for (AMDGPU's ISA documents; llc's verifier does not ask); null where the operand is no address offset. */
function offsetRange(st: Subtarget, opc: Opcode, name: string): string | null {
  const { tables } = st;
  const signed = (bits: number): string => `-${2 ** (bits - 1)} to ${2 ** (bits - 1) - 1}`;
  const has = (feature: string): boolean => st.hasFeature(feature);
  if (isDS(tables, opc)) return name === 'offset' ? '0 to 65535.' : 'In units of the element, 0 to 255.';
  if (isFLAT(tables, opc)) {
    if (!has('flat-inst-offsets')) return 'Only 0: the target has no offsets here.';
    const bits = has('gfx12-insts') ? 24 : has('gfx10-insts') && !has('gfx11-insts') ? 12 : 13;
    const isSegment = /^(?:GLOBAL|SCRATCH)_/.test(tables.opcodeName(opc));
    return has('gfx12-insts') || isSegment ? `${signed(bits)}.` : `0 to ${2 ** (bits - 1) - 1}.`;
  }
  if (isMUBUF(tables, opc)) return has('gfx12-insts') ? '0 to 8388607.' : '0 to 4095.';
  return null;
}

function constantDoc(type: OperandType, takesLiteral: boolean): string {
  switch (type) {
    case OperandType.InputMods:
      return 'modifiers of the operand after it: 1 negates, 2 takes the absolute value, 0 nothing';
    case OperandType.KImm16:
      return 'a constant of 16 bits';
    case OperandType.KImm32:
      return 'a constant of 32 bits';
    case OperandType.KImm64:
      return 'a constant of 64 bits';
    case OperandType.Immediate:
    case OperandType.GenericImm:
      return 'a number';
  }
  if (takesLiteral && OperandType.RegImmInt32 <= type && type <= OperandType.RegImmV2FP32)
    return `or a constant: any of its width takes a literal; ${INLINE}`;
  const isInline = OperandType.RegImmInt32 <= type && type <= OperandType.InlineSplitBarrierInt32;
  const isAccumulator = OperandType.InlineACInt32 <= type && type <= OperandType.InlineACFP64;
  return isInline || isAccumulator ? `or one of the ${INLINE}` : '';
}
