/**
 * `amdgpu-lower-vgpr-encoding`: S_SET_VGPR_MSB before instructions whose VGPRs are beyond the first 256 (AMDGPULowerVGPREncoding, LLVM 22;
 * docs/llvm/late-passes.md, 7).
 */
import { immOperand, regOperand, type FunctionEditor } from '../../model/edit/functionEditor.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { BundleFlag, OpFlag, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { McFlag, type OpName } from '../../target/api.js';
import {
  isDPP,
  isDS,
  isFLAT,
  isImage,
  isMTBUF,
  isMUBUF,
  isVOP1,
  isVOP2,
  isVOP3,
  isVOP3P,
  isVOPC,
} from '../../target/opcodes.js';
import { opcodeSet, OpcodePattern } from '../../target/opcodeSets.js';
import { InstrForms } from '../instrForms.js';
import { allInstrs } from '../instrOrder.js';
import { InstrQueries } from '../instrQueries.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { RegisterFacts } from '../registerFacts.js';

/** @llvm AMDGPULowerVGPREncoding.cpp AMDGPULowerVGPREncodingLegacy */
export const lowerVGPREncodingPass: MachinePass = {
  name: 'amdgpu-lower-vgpr-encoding',
  pipelineName: 'amdgpu-lower-vgpr-encoding',
  className: 'AMDGPULowerVGPREncodingPass',
  title: 'AMDGPU Lower VGPR Encoding',
  requires: [],
  preserves: [CFG],
  run(state) {
    if (state.fn.subtarget.hasFeature('1024-addressable-vgprs')) new VGPREncoding(state.editor()).run();
  },
};

/** Operands that the four fields of the mode are for, in their order; '' = none */
type Fields = readonly [OpName, OpName, OpName, OpName];

const VOP: Fields = ['src0', 'src1', 'src2', 'vdst'];
const VOP_MADMK: Fields = ['src0', '', 'src1', 'vdst'];
const DS: Fields = ['addr', 'data0', 'data1', 'vdst'];
const FLAT: Fields = ['vaddr', 'vdata', '', 'vdst'];
const BUFFER: Fields = ['vaddr', '', '', 'vdata'];
const IMAGE: Fields = ['vaddr0', 'vaddr1', 'vaddr2', 'vdata'];
const VOPD_X: Fields = ['src0X', 'vsrc1X', 'vsrc2X', 'vdstX'];
const VOPD_Y: Fields = ['src0Y', 'vsrc1Y', 'vsrc2Y', 'vdstY'];
const FMAMK_X: Fields = ['src0X', '', 'vsrc1X', 'vdstX'];
const FMAMK_Y: Fields = ['src0Y', '', 'vsrc1Y', 'vdstY'];

const LD_SCALE = new OpcodePattern(/^V_WMMA_LD_SCALE(?:16)?_PAIRED_B(?:32|64)/);
const FMAMK = new OpcodePattern(/^V_FMAMK_F(?:16|32|64)/);
const DUAL = new OpcodePattern(/^V_DUAL_/);
const DUAL_FMAMK_X = new OpcodePattern(/^V_DUAL_FMAMK_F32_/);
const DUAL_FMAMK_Y = new OpcodePattern(/_X_FMAMK_F32/);
const BARRIER = new OpcodePattern(
  /^(?:S_BARRIER(?:_WAIT|_SIGNAL_(?:ISFIRST_)?(?:IMM|M0)|_INIT_(?:IMM|M0)|_JOIN_IMM|_LEAVE)?|DS_GWS_(?:INIT|BARRIER))$/,
);
const END = new OpcodePattern(/^S_ENDPGM(?:_SAVED)?$/);

const BITS_PER_FIELD = 2;
const FIELD = 3;
const ALL = 0xff;
/** Bits of MODE that the four fields are, and where they begin */
const MODE_FIELDS = 0xff000;
const MODE_SHIFT = 12;
/** Fields of what S_SETREG sets */
const ID_MASK = 63;
const ID_MODE = 1;
const SIZE_SHIFT = 11;
const MOST_IN_CLAUSE = 63;

/** An S_SET_VGPR_MSB to come, before `at` or behind it. */
interface NewMode {
  readonly at: ListPos;
  readonly isBehind: boolean;
  readonly block: BlockId;
  value: number;
}

/** @llvm AMDGPULowerVGPREncoding.cpp AMDGPULowerVGPREncoding */
class VGPREncoding {
  private readonly fn: MachineFunction;
  private readonly queries: InstrQueries;
  private readonly facts: RegisterFacts;
  private readonly forms: InstrForms;
  private readonly modes: NewMode[] = [];
  private readonly gone = new Set<number>();
  /** what has been set last in the block, to which bits may come */
  private last: NewMode | { readonly setreg: InstrId } | null = null;
  private mode = 0;
  /** bits that instructions since then go by */
  private mask = 0;
  private clause: InstrId = -1;
  private clauseLength = 0;
  private clauseLeft = 0;
  private clauseBreaks = 0;
  private all: readonly InstrId[] = [];

  constructor(private readonly editor: FunctionEditor) {
    this.fn = editor.fn;
    this.queries = new InstrQueries(editor.fn);
    this.facts = new RegisterFacts(editor.fn);
    this.forms = new InstrForms(editor);
  }

  /** @llvm AMDGPULowerVGPREncoding.cpp AMDGPULowerVGPREncoding::run */
  run(): void {
    const { fn, editor } = this;
    for (let b = 0; b < fn.blocks.length; b++) {
      this.last = null;
      this.all = allInstrs(editor, b);
      for (const [k, i] of this.all.entries()) this.visit(b, i, k);
      this.set(b, 0, ALL, ~b, this.all.length);
    }
    if (this.modes.length > 0 && fn.subtarget.release.rules.commutesForVGPRModes)
      throw new NotModelled('VGPRs beyond the first 256, for which this release exchanges operands');
    this.insertModes();
  }

  private visit(b: BlockId, i: InstrId, k: number): void {
    const { fn, queries } = this;
    if (queries.isMeta(i)) return;
    if (queries.has(i, McFlag.Terminator) || queries.has(i, McFlag.Call)) {
      if (queries.matches(END, i)) this.mode = 0;
      else this.set(b, 0, ALL, i, k);
      return;
    }
    if (opcodeSet(fn.tables, 'inlineAsm').has(fn.opcode[i])) {
      if (queries.regOperands(i).some((o) => !queries.isImplicit(o) && this.facts.isVGPR(fn.opVal[o])))
        this.set(b, 0, ALL, i, k);
      return;
    }
    const name = queries.name(i);
    if (name === 'S_CLAUSE') {
      const value = fn.imm(fn.opBegin[i]);
      this.clause = i;
      this.clauseBreaks = (value >> 8) & 15;
      this.clauseLength = this.clauseLeft = (value & 63) + 1;
      return;
    }
    if (name === 'S_SETREG_IMM32_B32' && fn.subtarget.hasFeature('setreg-vgpr-msb-fixup')) {
      this.keepAcross(b, i);
      return;
    }
    const fields = this.fieldsOf(i);
    if (fields !== null) this.look(b, i, k, fields);
    if (this.clauseLeft > 0) this.clauseLeft--;
  }

  /**
   * Operands of an instruction that the fields are for; of two in one, those of the second where the first has no VGPR.
   * @llvm AMDGPUBaseInfo.cpp AMDGPU::getVGPRLoweringOperandTables
   */
  private fieldsOf(i: InstrId): readonly [Fields, Fields | null] | null {
    const { tables, opcode } = this.fn;
    const opc = opcode[i];
    if ([isVOP1, isVOP2, isVOP3, isVOP3P, isVOPC, isDPP].some((is) => is(tables, opc))) {
      if (LD_SCALE.has(tables, opc)) return null;
      return [FMAMK.has(tables, opc) ? VOP_MADMK : VOP, null];
    }
    if (isDS(tables, opc)) return [DS, null];
    if (isFLAT(tables, opc)) return [FLAT, null];
    if (isMUBUF(tables, opc) || isMTBUF(tables, opc)) return [BUFFER, null];
    if (isImage(tables, opc)) return [IMAGE, null];
    if (!DUAL.has(tables, opc)) return null;
    return [DUAL_FMAMK_X.has(tables, opc) ? FMAMK_X : VOPD_X, DUAL_FMAMK_Y.has(tables, opc) ? FMAMK_Y : VOPD_Y];
  }

  /** High bits of a named VGPR, -1 = it is none. */
  private highBits(o: number): number {
    const { fn, queries, facts } = this;
    if (o < 0 || !queries.isReg(o) || fn.opVal[o] <= 0 || !facts.isVGPRClass(facts.baseClassOf(fn.opVal[o]))) return -1;
    return facts.hardwareIndex(fn.opVal[o]) >> 8;
  }

  /** @llvm AMDGPULowerVGPREncoding.cpp AMDGPULowerVGPREncoding::computeMode */
  private look(b: BlockId, i: InstrId, k: number, [first, second]: readonly [Fields, Fields | null]): void {
    const { fn, queries } = this;
    let mode = 0;
    let mask = 0;
    for (const [f, name] of first.entries()) {
      let o = name === '' ? -1 : queries.named(i, name);
      let bits = this.highBits(o);
      if (bits < 0 && second !== null) {
        o = second[f] === '' ? -1 : queries.named(i, second[f]);
        bits = this.highBits(o);
      }
      if (bits < 0) continue;
      const opc = fn.opcode[i];
      const isShort = isVOP2(fn.tables, opc) || (isVOP3(fn.tables, opc) && this.forms.hasShortForm(opc));
      if (name === 'src2' && !queries.isDef(o) && fn.opTied[o] >= 0 && isShort) continue;
      mode |= bits << (f * BITS_PER_FIELD);
      mask |= FIELD << (f * BITS_PER_FIELD);
    }
    this.set(b, mode, mask, i, k);
  }

  /** @llvm AMDGPULowerVGPREncoding.cpp AMDGPULowerVGPREncoding::setMode */
  private set(block: BlockId, mode: number, mask: number, at: ListPos, k: number): void {
    const changed = (mode ^ this.mode) & mask;
    if (changed === 0) {
      this.mask |= mask;
      return;
    }
    if (this.last !== null && (changed & this.mask) === 0) {
      this.mode |= mode;
      this.mask |= mask;
      if ('setreg' in this.last) this.putFields(this.last.setreg);
      else this.last.value = (this.last.value & ~ALL) | this.mode;
      return;
    }
    const made = { at: this.placeFor(at, k), isBehind: false, block, value: mode | (this.mode << 8) };
    this.last = made;
    this.modes.push(made);
    this.mode = mode;
    this.mask = mask;
  }

  /**
   * A clause cannot begin with a mode, one with breaks goes, any other grows. Before what changes the state of the program.
   * @llvm AMDGPULowerVGPREncoding.cpp AMDGPULowerVGPREncoding::handleClause
   */
  private placeFor(at: ListPos, k: number): ListPos {
    const { fn } = this;
    if (this.clauseLeft === 0) return this.beforeState(at, k);
    if (this.clauseLeft === this.clauseLength) {
      const header = this.clause - 1;
      return this.beforeState(header, this.all.indexOf(header));
    }
    if (this.clauseBreaks !== 0) {
      this.gone.add(this.clause);
      this.clauseLeft = 0;
      return this.beforeState(at, k);
    }
    if (this.clauseLength < MOST_IN_CLAUSE) fn.opVal[fn.opBegin[this.clause]] = this.clauseLength;
    this.clauseLength++;
    return this.beforeState(at, k);
  }

  /**
   * Behind barriers: before what stands in front of them.
   * @llvm AMDGPULowerVGPREncoding.cpp AMDGPULowerVGPREncoding::handleCoissue
   */
  private beforeState(at: ListPos, k: number): ListPos {
    if (at < 0 || k === 0 || !this.isBarrier(this.all[k - 1])) return at;
    let place = k - 1;
    while (place > 0 && this.isBarrier(this.all[place])) place--;
    return this.all[place];
  }

  /** @llvm SIInstrInfo.h SIInstrInfo::isBarrier */
  private isBarrier(i: InstrId): boolean {
    return this.queries.matches(BARRIER, i);
  }

  /**
   * S_SETREG_IMM32_B32 of MODE writes the fields, too.
   * @llvm AMDGPULowerVGPREncoding.cpp AMDGPULowerVGPREncoding::handleSetregMode
   */
  private keepAcross(block: BlockId, i: InstrId): void {
    const { fn } = this;
    const where = fn.imm(fn.opBegin[i] + 1);
    if ((where & ID_MASK) !== ID_MODE) return;
    if (((where >> SIZE_SHIFT) & 31) + 1 <= MODE_SHIFT) {
      this.last = { setreg: i };
      this.putFields(i);
      return;
    }
    this.last = null;
    if ((fn.opVal[fn.opBegin[i]] & MODE_FIELDS) >> MODE_SHIFT === this.fields) return;
    const made = { at: i, isBehind: true, block, value: this.mode };
    this.last = made;
    this.modes.push(made);
  }

  /** The mode as MODE has it: the result's field comes first. */
  private get fields(): number {
    return ((this.mode << BITS_PER_FIELD) | (this.mode >> (3 * BITS_PER_FIELD))) & ALL;
  }

  /** @llvm AMDGPULowerVGPREncoding.cpp AMDGPULowerVGPREncoding::updateSetregModeImm */
  private putFields(i: InstrId): void {
    const { fn } = this;
    const o = fn.opBegin[i];
    fn.opVal[o] = (fn.opVal[o] & ~MODE_FIELDS) | (this.fields << MODE_SHIFT);
  }

  // -- what has been found ------------------------------------------------------------------------------------------------------

  private insertModes(): void {
    const { fn, editor, modes, gone } = this;
    const opcode = fn.tables.opcodeByName('S_SET_VGPR_MSB');
    const inBundles = new Map<InstrId, NewMode[]>();
    const operandsOf = ({ value }: NewMode): ReturnType<typeof immOperand>[] => [
      immOperand(value),
      regOperand(fn.tables.regByName('mode'), OpFlag.Implicit | OpFlag.Def),
    ];
    for (const mode of modes) {
      const { at, isBehind, block } = mode;
      if (at >= 0 && (fn.bundle[at] & BundleFlag.BundledPred) !== 0) {
        let head = at;
        while ((fn.bundle[head] & BundleFlag.BundledPred) !== 0) head--;
        inBundles.set(head, [...(inBundles.get(head) ?? []), mode]);
      } else editor.insert(isBehind ? editor.list.after(at) : at, block, opcode, operandsOf(mode));
    }
    for (const [first, inside] of inBundles) {
      let head = first;
      // From the end on, so that members before keep their distance from the header.
      for (const mode of inside.reverse()) {
        const member = head + (mode.at - first);
        const where = mode.isBehind ? 'after' : 'before';
        const moved = editor.insertInBundle(member, where, opcode, operandsOf(mode));
        head = moved - (mode.at - first) - (mode.isBehind ? 0 : 1);
      }
      if (gone.delete(first + 1)) editor.eraseFromBundles(new Set([head + 1]));
    }
    if (gone.size > 0) editor.eraseFromBundles(gone);
  }
}
