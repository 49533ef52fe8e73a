/** `si-load-store-opt`: neighbouring accesses of memory become one wider access (SILoadStoreOptimizer, LLVM 22; docs/llvm/memory-accesses.md, 1). */
import { mergedAccesses } from '../../model/edit/bundleUp.js';
import {
  immOperand,
  operandOf,
  regOperand,
  type FunctionEditor,
  type NewOperand,
} from '../../model/edit/functionEditor.js';
import { NO_LOCATION } from '../../model/edit/instrBuilder.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { scalarLLT, sizeInBits } from '../../model/llt.js';
import {
  OperandKind,
  OpFlag,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { PLAIN_ACCESS, type MemOperand } from '../../model/memOperand.js';
import { isVirtualReg, type Reg } from '../../model/register.js';
import { Generation, type RegClassId } from '../../target/api.js';
import { isFLATGlobal } from '../../target/opcodes.js';
import { addNoCarry } from '../addNoCarry.js';
import { InstrForms } from '../instrForms.js';
import type { MachinePass } from '../machinePass.js';
import { CFG, ALIAS_ANALYSIS, type PassContext } from '../passContext.js';
import { Unmodelled } from '../registerFacts.js';
import type { AliasFacts } from '../scheduler/dag/aliasFacts.js';
import { aliasFactsOf } from '../scheduler/moduleFacts.js';
import { AccessShapes, type AccessShape } from './accessShapes.js';
import { BasePromotion } from './basePromotion.js';
import { bufferFormat, formatWith, type BufferFormat } from './bufferFormats.js';
import { pairOffsets, type OffsetPair } from './ldsOffsets.js';

/** @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizerLegacy */
export const loadStoreOptimizerPass: MachinePass = {
  name: 'si-load-store-opt',
  pipelineName: 'si-load-store-opt',
  className: 'SILoadStoreOptimizerPass',
  title: 'SI Load Store Optimizer',
  requires: [ALIAS_ANALYSIS],
  preserves: [CFG],
  run(state) {
    const { fn } = state;
    if (fn.isOptNone || !fn.subtarget.hasFeature('load-store-opt')) return;
    new LoadStoreOptimizer(state.editor(), state.context).run();
  },
};

const FLAT_ADDRESS_SPACE = 0;
/** What a read of many words is made wider for, and one of lanes. */
const MOST_SCALAR_WORDS = 8;
const MOST_WORDS = 4;
/** CPol::SCAL: the offset in a register counts elements. */
const SCALES_OFFSET = 1 << 11;
const SCALAR_CLASSES: Readonly<Record<number, string>> = {
  2: 'sreg_64_xexec',
  3: 'sgpr_96',
  4: 'sgpr_128',
  8: 'sgpr_256',
};
/** What two images must have in common besides their address. */
const IMAGE_OPERANDS = ['cpol', 'd16', 'unorm', 'da', 'r128', 'a16'];
const RESULTS = ['vdst', 'vdata', 'data0', 'sdst', 'sdata'];

/** One access of a list. */
interface Access {
  readonly i: InstrId;
  readonly shape: AccessShape;
  readonly width: number;
  /** bytes of an element, or what offsets count: those of scalar reads may count words */
  readonly element: number;
  /** as LLVM's unsigned number */
  readonly offset: number;
  readonly cachePolicy: number;
  /** of an image */
  readonly mask: number;
  readonly format: BufferFormat | null;
  /** place among the accesses of the section */
  readonly order: number;
}

/** What an access is among those that it is merged with: by its offset, or its mask. */
const rank = ({ shape, mask, offset }: Access): number => (shape.family === 'image' ? mask : offset);

const bitCount = (bits: number): number => {
  let n = 0;
  for (let left = bits; left !== 0; left &= left - 1) n++;
  return n;
};

/** @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer */
class LoadStoreOptimizer {
  private readonly fn: MachineFunction;
  private readonly forms: InstrForms;
  private readonly shapes: AccessShapes;
  private readonly bases: BasePromotion;
  private readonly memory: AliasFacts;

  constructor(
    private readonly editor: FunctionEditor,
    private readonly context: PassContext,
  ) {
    const { fn } = editor;
    this.fn = fn;
    this.forms = new InstrForms(editor);
    this.shapes = new AccessShapes(fn.tables);
    this.bases = new BasePromotion(editor, this.forms);
    this.memory = aliasFactsOf(fn, context, true);
  }

  /** @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::run */
  run(): void {
    for (let b = 0; b < this.fn.blocks.length; b++) {
      this.bases.beginBlock();
      for (let at: ListPos = this.editor.list.first(b); at >= 0;) at = this.section(b, at);
    }
  }

  /**
   * Accesses from `begin` up to the next that no other may pass. Returns where the section after it begins.
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::collectMergeableInsts
   */
  private section(b: BlockId, begin: InstrId): ListPos {
    const { editor, memory, fn } = this;
    const lists = new Map<string, Access[]>();
    let order = 0;
    let i: ListPos = begin;
    for (; i >= 0; i = editor.list.after(i)) {
      if (this.bases.promote(i)) memory.beginRegion();
      if (memory.hasOrderedMemoryRef(i) || memory.hasUnmodeledSideEffects(i)) break;
      const shape = this.shapes.of(fn.opcode[i]);
      if (shape === null || this.forms.isSet(i, 'swz')) continue;
      const access = this.accessOf(i, shape, order);
      if (access === null) continue;
      order++;
      const address = this.addressOf(i, shape);
      if (address === null) continue;
      const key = `${shape.group} ${address}`;
      const list = lists.get(key);
      if (list === undefined) lists.set(key, [access]);
      else list.push(access);
    }
    const end = i >= 0 ? editor.list.after(i) : ~b;
    for (const list of lists.values()) {
      list.sort((x, y) => x.offset - y.offset);
      for (let left = list; left.length > 1;) left = this.mergeList(left);
    }
    return end;
  }

  /** @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::CombineInfo::setMI */
  private accessOf(i: InstrId, shape: AccessShape, order: number): Access | null {
    const { fn, forms } = this;
    const { generation } = fn.subtarget;
    const value = (name: string): number => {
      const o = forms.named(i, name);
      return o < 0 ? 0 : fn.opVal[o];
    };
    const isTyped = shape.family === 'typedBuffer';
    const format = isTyped ? bufferFormat(value('format'), generation) : null;
    if (isTyped && format === null) return null;
    let element = 4;
    if (format !== null) element = format.bitsPerComponent / 8;
    else if (shape.family === 'lds') element = shape.width * 4;
    else if (shape.family === 'scalar' && generation < Generation.VOLCANIC_ISLANDS) element = 1;
    const isImage = shape.family === 'image';
    const mask = value('dmask');
    return {
      ...{ i, shape, element, format, order },
      mask,
      width: isImage ? bitCount(mask) : shape.width,
      offset: isImage ? 0 : shape.family === 'lds' ? value('offset') & 0xffff : value('offset') >>> 0,
      cachePolicy: value('cpol'),
    };
  }

  /**
   * The address as a key; null where no other access can have it.
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::CombineInfo::hasMergeableAddress
   */
  private addressOf(i: InstrId, { address }: AccessShape): string | null {
    const { fn, forms, editor } = this;
    const parts: string[] = [];
    for (const name of address) {
      const o = forms.named(i, name);
      if (fn.opKind[o] === OperandKind.Immediate) parts.push(`#${fn.opExt[o]}:${fn.opVal[o]}`);
      else if (fn.opKind[o] !== OperandKind.Register || !isVirtualReg(fn.opVal[o])) return null;
      else if (editor.onlyUse(fn.opVal[o]) >= 0) return null;
      else parts.push(`${fn.opVal[o]}.${fn.opSub[o]}`);
    }
    return parts.join(' ');
  }

  // -- pairs ---------------------------------------------------------------------------------------------------------

  /**
   * Merges neighbours of a list, sorted by their offsets. Returns what may be merged further, in another round; nothing where nothing may be.
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::optimizeInstsWithSameBaseAddr
   */
  private mergeList(list: readonly Access[]): Access[] {
    const left: Access[] = [];
    let mayGrow = false;
    let last = list[0];
    for (const access of list.slice(1)) {
      const [first, second] = last.order > access.order ? [access, last] : [last, access];
      const merged = this.tryToMerge(first, second);
      if (merged === null) {
        left.push(last);
        last = access;
        continue;
      }
      const width = first.width + second.width;
      const { family } = first.shape;
      if (family !== 'lds') mayGrow ||= width < (family === 'scalar' ? MOST_SCALAR_WORDS : MOST_WORDS);
      last = merged;
    }
    return mayGrow ? [...left, last] : [];
  }

  /** `first` comes first in the block. */
  private tryToMerge(first: Access, second: Access): Access | null {
    if (first.shape.kind !== second.shape.kind) return null;
    let offsets: OffsetPair | null = null;
    if (first.shape.family === 'image') {
      if (!this.haveApartMasks(first, second)) return null;
    } else {
      if (!this.fitsWidth(first, second)) return null;
      offsets = this.offsetsOf(first, second);
      if (offsets === null) return null;
    }
    if (!this.canMeet(first, second)) return null;
    if (first.shape.family === 'lds' && first.shape.isStore && !this.constrainData(first, second, offsets!))
      return null;
    const where = first.shape.isStore ? second : first;
    const like = this.locationOf(first, second);
    const made =
      first.shape.family === 'lds'
        ? this.mergeLDS(first, second, where.i, like, offsets!)
        : this.merge(first, second, where.i, like);
    const shape = this.shapes.of(this.fn.opcode[made]);
    for (const { i } of [first, second]) this.editor.erase(i);
    this.memory.beginRegion();
    // A pair of LDS accesses is no access that could be merged again.
    if (shape === null) return { ...first, shape: { ...first.shape, kind: '' }, order: where.order };
    return this.accessOf(made, shape, where.order);
  }

  /** @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::dmasksCanBeCombined */
  private haveApartMasks(first: Access, second: Access): boolean {
    const { fn, forms } = this;
    if (forms.isSet(first.i, 'tfe') || forms.isSet(first.i, 'lwe')) return false;
    for (const name of IMAGE_OPERANDS) {
      const [a, b] = [forms.named(first.i, name), forms.named(second.i, name)];
      if (a < 0 !== b < 0) return false;
      if (a < 0) continue;
      if (a - fn.opBegin[first.i] !== b - fn.opBegin[second.i] || fn.opVal[a] !== fn.opVal[b]) return false;
    }
    const most = Math.max(first.mask, second.mask);
    const least = Math.min(first.mask, second.mask);
    return most !== 0 && (most & -most) > least;
  }

  /** @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::widthsFit */
  private fitsWidth(first: Access, second: Access): boolean {
    const { subtarget } = this.fn;
    const width = first.width + second.width;
    if (first.shape.family !== 'scalar')
      return width <= MOST_WORDS && (width !== 3 || subtarget.hasFeature('ci-insts'));
    return width === 3 ? subtarget.hasFeature('scalar-dwordx3-loads') : Object.hasOwn(SCALAR_CLASSES, width);
  }

  /** @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::offsetsCanBeCombined */
  private offsetsOf(first: Access, second: Access): OffsetPair | null {
    const { element } = first;
    if (first.offset === second.offset || first.offset % element !== 0 || second.offset % element !== 0) return null;
    const [a, b] = [first.offset / element, second.offset / element];
    if (first.shape.family === 'lds') return pairOffsets(a, b, element);
    const pair = { first: a, second: b, isStride64: false, base: 0 };
    if (first.shape.family === 'typedBuffer') return this.fitsFormat(first, second) ? pair : null;
    if (a + first.width !== b && b + second.width !== a) return null;
    if (first.cachePolicy !== second.cachePolicy || (first.cachePolicy & SCALES_OFFSET) !== 0) return null;
    // A wide half must not come after a narrow one: scalar registers are aligned.
    const isNarrowFirst = first.width < second.width === first.offset < second.offset;
    if (first.shape.family === 'scalar' && first.width !== second.width && isNarrowFirst) return null;
    return pair;
  }

  private fitsFormat(first: Access, second: Access): boolean {
    const [a, b] = [first.format!, second.format!];
    if (a.bitsPerComponent !== b.bitsPerComponent || a.numbers !== b.numbers) return false;
    if (this.mergedFormat(first, second) < 0) return false;
    const [from, to] = [first.offset / first.element, second.offset / second.element];
    if (from + first.width !== to && to + second.width !== from) return false;
    const bytes = first.element * this.mergedComponents(first, second);
    return Math.min(first.offset, second.offset) % Math.min(bytes, 4) === 0;
  }

  /** No format has three small components; the fourth is not read. */
  private mergedComponents(first: Access, second: Access): number {
    const n = first.width + second.width;
    return n === 3 && first.element <= 2 ? 4 : n;
  }

  private mergedFormat(first: Access, second: Access): number {
    return formatWith(first.format!, this.mergedComponents(first, second), this.fn.subtarget.generation);
  }

  /**
   * Whether the later of two reads can go up to the earlier, or the earlier of two writes down to the later.
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::checkAndPrepareMerge
   */
  private canMeet(first: Access, second: Access): boolean {
    const { editor, fn } = this;
    const moved = first.shape.isStore ? first.i : second.i;
    const written = new Set<Reg>();
    const read = new Set<Reg>();
    for (let o = fn.firstReg(moved); o >= 0; o = fn.nextReg(moved, o)) {
      if (editor.isDef(o)) written.add(fn.opVal[o]);
      if (editor.reads(o)) read.add(fn.opVal[o]);
    }
    if (first.shape.isStore) {
      for (let i = editor.list.after(first.i); i !== second.i; i = editor.list.after(i))
        if (!this.canSwap(moved, i, written, read)) return false;
    } else
      for (let i = editor.list.before(second.i); i !== first.i; i = editor.list.before(i))
        if (!this.canSwap(moved, i, written, read)) return false;
    return true;
  }

  /** @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::canSwapInstructions */
  private canSwap(moved: InstrId, i: InstrId, written: ReadonlySet<Reg>, read: ReadonlySet<Reg>): boolean {
    const { editor, fn, memory } = this;
    if (memory.mayAlias(moved, i)) return false;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const isDef = editor.isDef(o);
      if (isDef && read.has(fn.opVal[o])) return false;
      if ((isDef || editor.reads(o)) && written.has(fn.opVal[o])) return false;
    }
    return true;
  }

  /** Both halves that LDS is written from are VGPRs. */
  private constrainData(first: Access, second: Access, { isStride64 }: OffsetPair): boolean {
    const { fn, forms, editor } = this;
    const { tables, subtarget } = fn;
    const opcode = this.pairOpcode(first, isStride64);
    const constrain = ({ i }: Access, name: string): boolean => {
      const o = forms.named(i, 'data0');
      let rc = subtarget.opInfoRegClass(opcode, tables.getNamedOperandIdx(opcode, name));
      if (fn.opSub[o] !== 0) rc = tables.getMatchingSuperRegClass(forms.facts.classOf(fn.opVal[o]), rc, fn.opSub[o]);
      if (!isVirtualReg(fn.opVal[o])) throw new Unmodelled('a physical register that is written to LDS');
      return rc >= 0 && editor.constrainClass(fn.opVal[o], rc);
    };
    return constrain(first, 'data0') && constrain(second, 'data1');
  }

  private pairOpcode({ shape, element }: Access, isStride64: boolean): number {
    const { fn, forms } = this;
    const encoding = fn.subtarget.generation >= Generation.GFX9 ? '_gfx9' : '';
    return forms.opcode(`${shape.group}2${isStride64 ? 'ST64' : ''}_B${element * 8}${encoding}`);
  }

  // -- what is made --------------------------------------------------------------------------------------------------

  /**
   * Gives the first the location that what is made of both has; returns what to take it from.
   */
  private locationOf(first: Access, second: Access): InstrId {
    const { extras } = this.fn;
    const [a, b] = [first, second].map(({ i }) => extras.get(i)?.debugLocation);
    if (a === b) return first.i;
    if (a === undefined || b === undefined) return NO_LOCATION;
    const merged = this.context.debugNames.mergedLocation(a, b);
    if (merged === null) throw new Unmodelled('the debug location of two accesses of different files');
    extras.set(first.i, { ...extras.get(first.i), debugLocation: merged });
    return first.i;
  }

  /** @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::getDataRegClass */
  private dataClass(i: InstrId): RegClassId {
    const { fn, forms } = this;
    const name = RESULTS.find((n) => forms.named(i, n) >= 0);
    return name === undefined ? -1 : forms.facts.classOf(fn.opVal[forms.named(i, name)]);
  }

  /** @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::getTargetRegisterClass */
  private wideClass(first: Access, second: Access): RegClassId {
    const { fn, forms } = this;
    const { tables, subtarget } = fn;
    const width = first.width + second.width;
    if (first.shape.family === 'scalar') return tables.regClassByName(SCALAR_CLASSES[width]);
    const file = forms.facts.isAGPRClass(this.dataClass(first.i)) ? 'areg' : 'vreg';
    return tables.regClassByName(`${file}_${width * 32}${subtarget.needsAlignedVGPRs ? '_align2' : ''}`);
  }

  /** @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::getSubRegIdxs */
  private parts(first: Access, second: Access): [number, number] {
    const { tables } = this.fn;
    const part = (from: number, width: number): number =>
      tables.subRegIndexByName(Array.from({ length: width }, (_, k) => `sub${from + k}`).join('_'));
    if (rank(second) < rank(first)) return [part(second.width, first.width), part(0, second.width)];
    return [part(0, first.width), part(first.width, second.width)];
  }

  /** @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::copyToDestRegs */
  private copyResults(first: Access, second: Access, at: InstrId, like: InstrId, name: string, from: Reg): void {
    const { fn, forms } = this;
    const [part0, part1] = this.parts(first, second);
    const copy = ({ i }: Access, flags: number, sub: number): void => {
      const result = operandOf(fn, forms.named(i, name));
      const dst = { ...result, flags: (result.flags ?? 0) & ~OpFlag.EarlyClobber };
      forms.builder.build(at, like, forms.opcode('COPY'), [dst, regOperand(from, flags, sub)]);
    };
    copy(first, 0, part0);
    copy(second, OpFlag.Kill, part1);
  }

  /** @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::copyFromSrcRegs */
  private gatherData(first: Access, second: Access, at: InstrId, like: InstrId): Reg {
    const { fn, forms } = this;
    const [part0, part1] = this.parts(first, second);
    const whole = forms.builder.newVReg(this.wideClass(first, second));
    const data = ({ i }: Access): NewOperand => operandOf(fn, forms.named(i, 'vdata'));
    forms.builder.build(at, like, forms.opcode('REG_SEQUENCE'), [
      regOperand(whole, OpFlag.Def),
      ...[data(first), immOperand(part0), data(second), immOperand(part1)],
    ]);
    return whole;
  }

  /**
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::mergeRead2Pair
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::mergeWrite2Pair
   */
  private mergeLDS(first: Access, second: Access, at: InstrId, like: InstrId, offsets: OffsetPair): InstrId {
    const { fn, forms } = this;
    const { builder } = forms;
    const { isStore } = first.shape;
    const opcode = this.pairOpcode(first, offsets.isStride64);
    const result = isStore ? 0 : builder.newVReg(this.wideClass(first, second));
    const ordered = offsets.first > offsets.second ? [second, first] : [first, second];
    const address = forms.named(first.i, 'addr');
    const base =
      offsets.base === 0
        ? regOperand(fn.opVal[address], 0, fn.opSub[address])
        : this.addConstant(address, offsets.base, at, like);
    const operands = [
      ...(isStore ? [] : [regOperand(result, OpFlag.Def)]),
      base,
      ...(isStore ? ordered.map(({ i }) => operandOf(fn, forms.named(i, 'data0'))) : []),
      ...[Math.min(offsets.first, offsets.second), Math.max(offsets.first, offsets.second), 0].map(immOperand),
    ];
    const made = builder.build(at, like, opcode, operands);
    fn.memOperands[made] = mergedAccesses([fn.memOperands[first.i] ?? [], fn.memOperands[second.i] ?? []]);
    if (!isStore) this.copyResults(first, second, at, like, 'vdst', result);
    return made;
  }

  private addConstant(address: OperandId, bytes: number, at: InstrId, like: InstrId): NewOperand {
    const { fn, forms } = this;
    const { builder } = forms;
    const rc = (name: string): RegClassId => fn.tables.regClassByName(name);
    const constant = builder.newVReg(rc('sreg_32'));
    builder.build(at, like, forms.opcode('S_MOV_B32'), [regOperand(constant, OpFlag.Def), immOperand(bytes)]);
    const sum = builder.newVReg(rc('vgpr_32'));
    const base = regOperand(fn.opVal[address], 0, fn.opSub[address]);
    addNoCarry(builder, { at, like }, sum, [regOperand(constant), base]);
    return regOperand(sum, OpFlag.Kill);
  }

  /**
   * All but those of LDS.
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::mergeSMemLoadImmPair
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::mergeBufferLoadPair
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::mergeBufferStorePair
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::mergeTBufferLoadPair
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::mergeTBufferStorePair
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::mergeFlatLoadPair
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::mergeFlatStorePair
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::mergeImagePair
   */
  private merge(first: Access, second: Access, at: InstrId, like: InstrId): InstrId {
    const { fn, forms } = this;
    const { tables } = fn;
    const { shape } = first;
    const opcode = this.wideOpcode(first, second);
    const data = shape.isStore
      ? regOperand(this.gatherData(first, second, at, like), OpFlag.Kill)
      : regOperand(forms.builder.newVReg(this.wideClass(first, second)), OpFlag.Def | this.earlyClobber(opcode));
    const isImage = shape.family === 'image';
    const values: Record<string, () => number> = {
      offset: () => Math.min(first.offset, second.offset),
      cpol: () => first.cachePolicy,
      swz: () => 0,
      format: () => this.mergedFormat(first, second),
      dmask: () => first.mask | second.mask,
    };
    const operands: NewOperand[] = [];
    let result = '';
    for (let k = 0; k < tables.opcodeNumOperands(opcode); k++) {
      const name = tables.operandName(opcode, k);
      const own = forms.named(first.i, name);
      if (name === 'vdata' || name === 'vdst' || name === 'sdst') {
        operands.push(data);
        result = name;
      } else if (Object.hasOwn(values, name) && (!isImage || name === 'dmask'))
        operands.push(immOperand(values[name]()));
      else operands.push(operandOf(fn, own));
    }
    // LLVM adds the operands of an image that it has by itself once more.
    const more = isImage ? this.implicitOperands(first.i) : [];
    const made = forms.builder.build(at, like, opcode, operands, more);
    fn.memOperands[made] = [this.wideAccess(first, second)];
    if (!shape.isStore) this.copyResults(first, second, at, like, result, data.val);
    return made;
  }

  private implicitOperands(i: InstrId): NewOperand[] {
    const { fn } = this;
    const operands: NewOperand[] = [];
    for (let o = fn.opBegin[i] + fn.tables.opcodeNumOperands(fn.opcode[i]); o < fn.opBegin[i + 1]; o++)
      operands.push(operandOf(fn, o));
    return operands;
  }

  private earlyClobber(opcode: number): number {
    const { tables } = this.fn;
    return tables.opInfoEarlyClobber[tables.opInfoBegin(opcode)] !== 0 ? OpFlag.EarlyClobber : 0;
  }

  /**
   * Where reads are tried again, a scalar one that is not aligned must not write what it reads its address from.
   * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::getNewOpcode
   */
  private wideOpcode(first: Access, second: Access): number {
    const { fn, forms } = this;
    const { tables, subtarget } = fn;
    const width = first.width + second.width;
    const isGlobal = [first, second].every(({ i }) => isFLATGlobal(tables, fn.opcode[i]));
    let name = first.shape.widened(width, isGlobal);
    if (first.shape.family === 'scalar' && subtarget.xnackEnabled) {
      const mem = fn.memOperands[first.i] ?? [];
      if (mem.length !== 1 || alignOf(mem[0]) < width * 4) name += '_ec';
    }
    return forms.opcode(name);
  }

  /** @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::combineKnownAdjacentMMOs */
  private wideAccess(first: Access, second: Access): MemOperand {
    const { fn } = this;
    const [a, b] = [first, second].map(({ i }) => (fn.memOperands[i] ?? [])[0]);
    if (a.type === null || b.type === null) throw new Unmodelled('an access of unknown size');
    const [low, high] = rank(second) < rank(first) ? [b, a] : [a, b];
    const { flags, pointer, offset, wideOffset, baseAlign, addressSpace, syncScope, ordering, failureOrdering } = low;
    return {
      ...PLAIN_ACCESS,
      ...{ flags, pointer, offset, baseAlign, syncScope, ordering, failureOrdering },
      ...(wideOffset === undefined ? {} : { wideOffset }),
      type: scalarLLT(sizeInBits(a.type) + sizeInBits(b.type)),
      addressSpace: high.addressSpace === FLAT_ADDRESS_SPACE ? FLAT_ADDRESS_SPACE : addressSpace,
    };
  }
}

/**
 * Bytes that the address itself is a multiple of.
 * @llvm MachineOperand.cpp MachineMemOperand::getAlign
 */
function alignOf({ baseAlign, offset }: MemOperand): number {
  let align = baseAlign;
  while (offset % align !== 0) align /= 2;
  return align;
}
