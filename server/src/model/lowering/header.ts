/**
 * The header keys of a function document: YAML mapping (yaml::MachineFunction) and the steps of
 * MIRParserImpl::initializeMachineFunction that need no body (LLVM 22; probed with llc-22).
 *
 * References to blocks stay as written (`SourceBlockRef`); lowerFunction.ts resolves them once the labels are known.
 */
import { DiagnosticOrigin, NO_PLACE } from '../../text/diagnostic.js';
import type { Interner } from '../../util/interner.js';
import { NO_NODE, SyntaxKind, type MirDocument, type Node } from '../../syntax/tree.js';
import { stackAlignment } from '../functionLimits.js';
import type { FixedStackObject, FrameInfo, FramePointerPolicy, StackObject } from '../header.js';
import { VRegTable } from '../machineFunction.js';
import { NO_REG, type Reg } from '../register.js';
import { irFunctionFacts, type IRFunction, type IRModule, type MDNode } from '../../ir/module.js';
import { parseConstantText } from './constants.js';
import type { TargetContext } from './context.js';
import { DiagnosticSink, Phase } from './diagnostics.js';
import { readFunctionInfo, type YamlFunctionInfo } from './functionInfo.js';
import { defineMachineMetadata } from './machineMetadata.js';
import {
  parseBlockRef,
  parseMetadataRef,
  parseNamedRegister,
  parseRegister,
  parseStackObjectRef,
  parseVirtualRegister,
  type MiError,
} from './miStrings.js';
import { placeIn, YamlReader, type YamlString } from './yaml.js';

/** A block as written in a header key. */
export interface SourceBlockRef {
  readonly number: number;
  readonly name: string | null;
  readonly at: YamlString;
}

/** A virtual register that the header mentions, in order of first mention. */
export interface HeaderVReg {
  /** as written */
  readonly number: number;
  /** class or bank is set only for those that have an entry */
  isDeclared: boolean;
  regClass: number;
  /** -1 = none; meaningful when `isGeneric` */
  bank: number;
  isGeneric: boolean;
  /** preferred register: physical number, or index in the list of header vregs as `~index` */
  hint: Reg;
  /** assigned-phys, NO_REG if none */
  assigned: Reg;
  /** index in the list of header vregs, -1 = none */
  splitFrom: number;
  flags: readonly string[] | null;
  /** the entry in `registers:` */
  readonly range: { readonly start: number; readonly end: number } | null;
}

export interface SourceCallSite {
  readonly bb: number;
  readonly offset: number;
  readonly fwdArgRegs: readonly { readonly arg: number; readonly reg: YamlString }[];
  readonly calleeTypeIds: readonly bigint[];
}

/** Everything the header says. Immutable once made; shared by all lowerings of documents with this header text. */
export interface HeaderModel {
  readonly name: string;
  readonly nameRange: { readonly start: number; readonly end: number };
  readonly flags: HeaderFlags;
  readonly noPhis: boolean | null;
  readonly isSSA: boolean | null;
  readonly noVRegs: boolean | null;
  readonly hasFakeUses: boolean | null;
  readonly vregs: readonly HeaderVReg[];
  /** the same registers as they stand before the body is read */
  readonly vregTable: VRegTable;
  readonly liveIns: readonly { readonly reg: Reg; readonly vreg: number }[];
  readonly calleeSavedRegisters: readonly Reg[] | null;
  readonly frameInfo: FrameInfo;
  readonly savePoint: readonly SourceSavePoint[];
  readonly restorePoint: readonly SourceSavePoint[];
  readonly fixedStack: readonly FixedStackObject[];
  readonly stack: readonly StackObject[];
  readonly stackIds: ReadonlyMap<number, number>;
  readonly fixedStackIds: ReadonlyMap<number, number>;
  readonly entryValues: readonly {
    readonly register: Reg;
    readonly variable: string;
    readonly expression: string;
    readonly location: string;
  }[];
  readonly callSites: readonly SourceCallSite[];
  readonly debugValueSubstitutions: readonly {
    readonly srcInst: number;
    readonly srcOp: number;
    readonly dstInst: number;
    readonly dstOp: number;
    readonly subReg: number;
  }[];
  readonly constants: readonly {
    readonly sourceId: number;
    readonly value: string;
    readonly alignment: number;
    readonly isTargetSpecific: boolean;
  }[];
  readonly constantIds: ReadonlyMap<number, number>;
  readonly functionInfo: YamlFunctionInfo;
  readonly jumpTable: {
    readonly kind: string;
    readonly entries: readonly { readonly sourceId: number; readonly blocks: readonly SourceBlockRef[] }[];
  } | null;
  readonly jumpTableIds: ReadonlyMap<number, number>;
  readonly machineMetadata: ReadonlyMap<number, MDNode>;
  readonly calledGlobals: readonly {
    readonly bb: number;
    readonly offset: number;
    readonly callee: string;
    readonly flags: number;
  }[];
  readonly diagnostics: DiagnosticSink;
}

export interface SourceSavePoint {
  readonly block: SourceBlockRef;
  readonly registers: readonly Reg[];
}

export interface HeaderFlags {
  readonly alignment: number;
  readonly exposesReturnsTwice: boolean;
  readonly legalized: boolean;
  readonly regBankSelected: boolean;
  readonly selected: boolean;
  readonly failedISel: boolean;
  readonly tracksRegLiveness: boolean;
  readonly hasWinCFI: boolean;
  readonly callsEHReturn: boolean;
  readonly callsUnwindInit: boolean;
  readonly hasEHContTarget: boolean;
  readonly hasEHScopes: boolean;
  readonly hasEHFunclets: boolean;
  readonly isOutlined: boolean;
  readonly debugInstrRef: boolean;
  readonly failsVerification: boolean;
  readonly tracksDebugUserValues: boolean;
}

const STACK_IDS = [
  'default',
  'sgpr-spill',
  'scalable-vector',
  'scalable-predicate-vector',
  'wasm-local',
  'noalloc',
] as const;
const SGPR_SPILL = 'sgpr-spill';
const SUPPORTED_STACK_IDS: readonly string[] = ['default', SGPR_SPILL, 'noalloc'];
const STACK_TYPES = ['default', 'spill-slot', 'variable-sized'] as const;
const FIXED_STACK_TYPES = ['default', 'spill-slot'] as const;
const JUMP_TABLE_KINDS = [
  'block-address',
  'gp-rel64-block-address',
  'gp-rel32-block-address',
  'label-difference32',
  'label-difference64',
  'inline',
  'custom32',
] as const;
const NO_CALL_FRAME_SIZE = 0xffffffff;
const FRAME_POINTER_POLICIES: readonly FramePointerPolicy[] = [
  'none',
  'non-leaf',
  'all',
  'reserved',
  'non-leaf-no-reserve',
];

/** What the attribute `frame-pointer` says. */
function framePointerPolicy(fn: IRFunction | null): FramePointerPolicy {
  const said = fn === null ? undefined : irFunctionFacts(fn).attributes.get('frame-pointer');
  return FRAME_POINTER_POLICIES.find((policy) => policy === said) ?? 'none';
}

interface YamlVReg {
  readonly id: number;
  readonly idNode: Node;
  readonly classNode: Node;
  /** NO_NODE = absent */
  readonly preferredNode: Node;
  /** NO_NODE = absent */
  readonly assignedNode: Node;
  readonly splitFromNode: Node;
  readonly flags: readonly YamlString[];
  readonly start: number;
  readonly end: number;
}

/** Interner ids of the keys of an entry, and of the empty text. */
interface VRegKeys {
  readonly id: number;
  readonly class: number;
  readonly preferred: number;
  readonly flags: number;
  readonly empty: number;
}

/** Largest register number that is looked up in an array. */
const MAX_TABLED_NUMBER = 1 << 20;

const NO_FLAGS: readonly YamlString[] = [];

interface YamlObject {
  readonly id: YamlString | null;
  readonly sourceId: number;
  readonly name: YamlString | null;
  readonly type: 'default' | 'spill-slot' | 'variable-sized';
  readonly offset: bigint;
  readonly size: bigint;
  readonly alignment: number;
  readonly stackId: string;
  readonly isImmutable: boolean;
  readonly isAliased: boolean;
  readonly calleeSavedRegister: YamlString | null;
  readonly calleeSavedRestored: boolean;
  readonly localOffset: bigint | null;
  readonly debug: readonly (YamlString | null)[];
}

/** Finds the IR function of a name; asked once the name is known. */
export type IRLookup = (name: string) => IRFunction | null;

export function lowerHeader(
  document: MirDocument,
  fileText: string,
  docStart: number,
  interner: Interner,
  context: TargetContext,
  module: IRModule | null,
  irFunctionOf: IRLookup,
  printMetadata: (number: number) => string,
): HeaderModel {
  return new HeaderLowering(document, fileText, docStart, interner, context, module, irFunctionOf, printMetadata).run();
}

interface YamlLiveIn {
  readonly reg: YamlString | null;
  readonly vreg: YamlString | null;
}

interface YamlConstant {
  readonly id: { value: number; range: YamlString } | null;
  readonly value: YamlString | null;
  readonly alignment: number;
  readonly isTargetSpecific: boolean;
  readonly node: Node;
}

interface YamlJumpTable {
  readonly kind: string;
  readonly entries: { sourceId: number; range: YamlString; blocks: SourceBlockRef[] }[];
}

class HeaderLowering {
  private readonly sink = new DiagnosticSink();
  private readonly reader: YamlReader;
  private order = 0;
  private functionName = '';
  private irFunction: IRFunction | null = null;
  private readonly vregs: HeaderVReg[] = [];
  /** index + 1 by number as written, for small numbers */
  private vregByNumber = new Int32Array(16);
  private readonly vregByLargeNumber = new Map<number, number>();
  private machineMetadata: ReadonlyMap<number, MDNode> = new Map();
  private readonly regByName: (name: string) => number;

  constructor(
    document: MirDocument,
    fileText: string,
    docStart: number,
    interner: Interner,
    private readonly context: TargetContext,
    private readonly module: IRModule | null,
    private readonly irFunctionOf: IRLookup,
    private readonly printMetadata: (number: number) => string,
  ) {
    this.reader = new YamlReader(document.yaml, fileText, docStart, document.length, interner, this.sink);
    this.regByName = (name) => context.tables.regByName(name);
  }

  run(): HeaderModel {
    const { reader } = this;
    const m = reader.mapping(0);

    // -- YAML mapping, in the order of yaml::MachineFunction --------------------------------------------------
    const name = m.requiredString('name');
    const alignment = m.alignment('alignment', 0, true);
    const exposesReturnsTwice = m.bool('exposesReturnsTwice', false);
    const legalized = m.bool('legalized', false);
    const regBankSelected = m.bool('regBankSelected', false);
    const selected = m.bool('selected', false);
    const failedISel = m.bool('failedISel', false);
    const tracksRegLiveness = m.bool('tracksRegLiveness', false);
    const hasWinCFI = m.bool('hasWinCFI', false);
    const noPhis = m.optionalBool('noPhis');
    const isSSA = m.optionalBool('isSSA');
    const noVRegs = m.optionalBool('noVRegs');
    const hasFakeUses = m.optionalBool('hasFakeUses');
    const flags: HeaderFlags = {
      alignment,
      exposesReturnsTwice,
      legalized,
      regBankSelected,
      selected,
      failedISel,
      tracksRegLiveness,
      hasWinCFI,
      callsEHReturn: m.bool('callsEHReturn', false),
      callsUnwindInit: m.bool('callsUnwindInit', false),
      hasEHContTarget: m.bool('hasEHContTarget', false),
      hasEHScopes: m.bool('hasEHScopes', false),
      hasEHFunclets: m.bool('hasEHFunclets', false),
      isOutlined: m.bool('isOutlined', false),
      debugInstrRef: m.bool('debugInstrRef', false),
      failsVerification: m.bool('failsVerification', false),
      tracksDebugUserValues: m.bool('tracksDebugUserValues', false),
    };
    const yamlVRegs = this.readVRegs(m.items('registers'));
    const yamlLiveIns = m.items('liveins').map((n) => this.readLiveIn(n));
    const csrNode = m.optional('calleeSavedRegisters');
    const csr = csrNode === NO_NODE ? null : reader.items(csrNode).map((n) => reader.scalar(n));
    const frame = this.readFrameInfo(m.optional('frameInfo'));
    const yamlFixed = m.items('fixedStack').map((n) => this.readObject(n, true));
    const yamlStack = m.items('stack').map((n) => this.readObject(n, false));
    const yamlEntryValues = m.items('entry_values').map((n) => this.readEntryValue(n));
    const callSites = m.items('callSites').map((n) => this.readCallSite(n));
    const debugValueSubstitutions = m.items('debugValueSubstitutions').map((n) => this.readSubstitution(n));
    const yamlConstants = m.items('constants').map((n) => this.readConstant(n));
    const functionInfo = readFunctionInfo(
      reader,
      m.optional('machineFunctionInfo'),
      this.context.tables.isAMDGCN,
      this.context.subtarget.release.rules,
    );
    const jumpTable = this.readJumpTable(m.optional('jumpTable'));
    const yamlMetadata = m.strings('machineMetadataNodes');
    const calledGlobals = m.items('calledGlobals').map((n) => this.readCalledGlobal(n));
    const bodyNode = m.optional('body');
    if (bodyNode !== NO_NODE && !reader.isScalar(bodyNode)) reader.error(bodyNode, 'unexpected scalar');
    m.finish();

    // -- initializeMachineFunction ----------------------------------------------------------------------------
    this.functionName = name?.text ?? '';
    this.irFunction = name === null ? null : this.irFunctionOf(name.text);
    this.addFramePointerPolicy(frame.info);
    this.declareVRegs(yamlVRegs);
    const liveIns = yamlLiveIns.flatMap((l) => this.lowerLiveIn(l) ?? []);
    const calleeSavedRegisters = csr === null ? null : upToNoReg(this.namedRegisters(csr, Phase.Registers));
    const { constants, constantIds } = this.lowerConstants(yamlConstants);
    const metadata = defineMachineMetadata(yamlMetadata, this.module);
    for (const e of metadata.errors) this.miError(Phase.MachineMetadata, e.at, e.error);
    this.machineMetadata = metadata.nodes;

    const fixed = this.lowerFixedObjects(yamlFixed);
    const stack = this.lowerObjects(yamlStack, frame.info);
    const entryValues = yamlEntryValues.map((e) => ({
      register: e.register === null ? NO_REG : this.entryValueRegister(e.register),
      variable: this.metadataText(e.variable),
      expression: this.metadataText(e.expression),
      location: this.metadataText(e.location),
    }));
    countObjects(frame.info, [...fixed.objects, ...stack.objects]);
    // `alignstack` aligns the frame, too.
    frame.info.maxAlignment = Math.max(frame.info.maxAlignment, this.ownAlignment());
    frame.info.stackProtector = this.stackReference(frame.stackProtector, stack.ids);
    frame.info.functionContext = this.stackReference(frame.functionContext, stack.ids);
    const jumpTableIds = this.jumpTableIds(jumpTable);

    return {
      name: name?.text ?? '',
      nameRange: { start: name?.start ?? 0, end: name?.end ?? 0 },
      flags,
      noPhis,
      isSSA,
      noVRegs,
      hasFakeUses,
      vregs: this.vregs,
      vregTable: makeVRegTable(this.vregs),
      liveIns,
      calleeSavedRegisters,
      frameInfo: frame.info,
      savePoint: frame.savePoint,
      restorePoint: frame.restorePoint,
      fixedStack: fixed.objects,
      stack: stack.objects,
      stackIds: stack.ids,
      fixedStackIds: fixed.ids,
      entryValues: entryValues.filter((e) => `${e.variable}${e.expression}${e.location}` !== ''),
      callSites,
      debugValueSubstitutions,
      constants,
      constantIds,
      functionInfo,
      jumpTable,
      jumpTableIds,
      machineMetadata: this.machineMetadata,
      calledGlobals,
      diagnostics: this.sink,
    };
  }

  // -- parts of the mapping, each read whole -----------------------------------------------------------------------

  private readLiveIn(n: Node): YamlLiveIn {
    const l = this.reader.mapping(n);
    const reg = l.requiredString('reg');
    const vreg = l.string('virtual-reg');
    l.finish();
    return { reg, vreg };
  }

  private readEntryValue(n: Node): Record<'register' | 'variable' | 'expression' | 'location', YamlString | null> {
    const e = this.reader.mapping(n);
    const res = {
      register: e.requiredString('entry-value-register'),
      variable: e.requiredString('debug-info-variable'),
      expression: e.requiredString('debug-info-expression'),
      location: e.requiredString('debug-info-location'),
    };
    e.finish();
    return res;
  }

  private readSubstitution(n: Node): HeaderModel['debugValueSubstitutions'][number] {
    const s = this.reader.mapping(n);
    const res = {
      srcInst: s.requiredUint32('srcinst') ?? 0,
      srcOp: s.requiredUint32('srcop') ?? 0,
      dstInst: s.requiredUint32('dstinst') ?? 0,
      dstOp: s.requiredUint32('dstop') ?? 0,
      subReg: s.requiredUint32('subreg') ?? 0,
    };
    s.finish();
    return res;
  }

  private readConstant(n: Node): YamlConstant {
    const c = this.reader.mapping(n);
    const idNode = c.required('id');
    const id = this.numberWithRange(idNode);
    const value = c.string('value');
    const alignment = c.alignment('alignment', 0, true);
    const isTargetSpecific = c.bool('isTargetSpecific', false);
    c.finish();
    return { id, value, alignment, isTargetSpecific, node: n };
  }

  private readCalledGlobal(n: Node): HeaderModel['calledGlobals'][number] {
    const g = this.reader.mapping(n);
    const res = {
      bb: g.requiredUint32('bb') ?? 0,
      offset: g.requiredUint32('offset') ?? 0,
      callee: g.requiredString('callee')?.text ?? '',
      flags: g.requiredUint32('flags') ?? 0,
    };
    g.finish();
    return res;
  }

  // -- what becomes of them ------------------------------------------------------------------------------------------

  private lowerLiveIn(l: YamlLiveIn): HeaderModel['liveIns'][number] | null {
    const reg = l.reg === null ? null : this.namedRegister(l.reg, Phase.Registers);
    let vreg = -1;
    if (l.vreg !== null && l.vreg.text !== '') {
      const v = parseVirtualRegister(l.vreg.text);
      if ('value' in v) vreg = this.vregIndex(v.value);
      else this.miError(Phase.Registers, l.vreg, v.error);
    }
    return reg === null ? null : { reg, vreg };
  }

  /** Index of each entry by its number in the text. */
  private jumpTableIds(table: YamlJumpTable | null): Map<number, number> {
    const ids = new Map<number, number>();
    table?.entries.forEach((e, i) => {
      const message = `redefinition of jump table entry '%jump-table.${e.sourceId}'`;
      if (ids.has(e.sourceId)) this.complain(Phase.JumpTable, e.range, message, 'redefinition');
      else ids.set(e.sourceId, i);
    });
    return ids;
  }

  // -- complaints --------------------------------------------------------------------------------------------------

  private complain(phase: Phase, s: YamlString, message: string, code: string, at = s.start): void {
    this.sink.add(phase, this.order++, s.start, s.end, DiagnosticOrigin.Text, code, message, at);
  }

  private miError(phase: Phase, s: YamlString, e: MiError): void {
    this.complain(phase, s, e.message, 'bad-reference', placeIn(s, e.at));
  }

  // -- YAML --------------------------------------------------------------------------------------------------------

  /** A required unsigned number together with its place. */
  private numberWithRange(node: Node): { value: number; range: YamlString } | null {
    if (node === NO_NODE) return null;
    const value = this.reader.integer(node, 0n, 0xffffffffn);
    if (value === null) return null;
    const { tree } = this.reader;
    const start = tree.start(node);
    return { value: Number(value), range: { text: '', start, end: tree.end(node), valueStart: start } };
  }

  private readVRegs(nodes: readonly Node[]): YamlVReg[] {
    const { reader } = this;
    const { tree } = reader;
    const res: YamlVReg[] = [];
    const { interner } = this.context.names;
    const keys: VRegKeys = {
      id: interner.internString('id'),
      class: interner.internString('class'),
      preferred: interner.internString('preferred-register'),
      flags: interner.internString('flags'),
      empty: interner.internString(''),
    };
    for (const n of nodes) {
      const plain = this.plainVReg(n, keys);
      if (plain !== null) {
        res.push(plain);
        continue;
      }
      const r = reader.mapping(n);
      const idNode = r.required('id');
      const id = this.numberWithRange(idNode);
      const classNode = r.required('class');
      const cls = classNode === NO_NODE ? null : reader.scalar(classNode);
      const preferredNode = r.optional('preferred-register');
      const preferred = preferredNode === NO_NODE ? null : reader.scalar(preferredNode);
      const flags = r.strings('flags');
      const { hasAssignedPhys } = this.context.subtarget.release.rules;
      const assignedNode = hasAssignedPhys ? r.optional('assigned-phys') : NO_NODE;
      const assigned = assignedNode === NO_NODE ? null : reader.scalar(assignedNode);
      const splitFromNode = hasAssignedPhys ? r.optional('split-from') : NO_NODE;
      const splitFrom = splitFromNode === NO_NODE ? null : reader.scalar(splitFromNode);
      r.finish();
      if (id === null || cls === null) continue;
      res.push({
        id: id.value,
        idNode,
        classNode,
        preferredNode: preferred === null ? NO_NODE : preferredNode,
        assignedNode: assigned === null ? NO_NODE : assignedNode,
        splitFromNode: splitFrom === null ? NO_NODE : splitFromNode,
        flags,
        start: tree.start(n),
        end: tree.end(n),
      });
    }
    return res;
  }

  /** An entry without surprises, as nearly all of big functions are; null for all others. */
  private plainVReg(n: Node, keys: VRegKeys): YamlVReg | null {
    const { tree } = this.reader;
    if (tree.kind(n) !== SyntaxKind.YamlMapping) return null;
    let idNode = NO_NODE;
    let classNode = NO_NODE;
    let preferredNode = NO_NODE;
    let seen = 0;
    const end = tree.next(n);
    for (let p = tree.firstChild(n); p !== NO_NODE && p < end; p = tree.next(p)) {
      const key = tree.firstChild(p);
      if (key === NO_NODE || tree.kind(key) !== SyntaxKind.YamlScalar) return null;
      const value = tree.nextSibling(key, p);
      if (value === NO_NODE) return null;
      const name = tree.value(key);
      if (name === keys.flags) {
        if (tree.kind(value) !== SyntaxKind.YamlSequence || tree.hasChildren(value)) return null;
        continue;
      }
      if (tree.kind(value) !== SyntaxKind.YamlScalar) return null;
      if (name === keys.id) {
        idNode = value;
        seen |= 1;
      } else if (name === keys.class) {
        classNode = value;
        seen |= 2;
      } else if (name === keys.preferred) {
        preferredNode = value;
      } else return null;
    }
    if ((seen & 3) !== 3) return null;
    const id = this.reader.plainNumber(idNode);
    if (id < 0) return null;
    if (preferredNode !== NO_NODE && tree.value(preferredNode) === keys.empty) preferredNode = NO_NODE;
    const place = { start: tree.start(n), end: tree.end(n) };
    return {
      id,
      idNode,
      classNode,
      preferredNode,
      assignedNode: NO_NODE,
      splitFromNode: NO_NODE,
      flags: NO_FLAGS,
      ...place,
    };
  }

  private readFrameInfo(node: Node): {
    info: FrameInfo;
    stackProtector: YamlString | null;
    functionContext: YamlString | null;
    savePoint: SourceSavePoint[];
    restorePoint: SourceSavePoint[];
  } {
    const info: FrameInfo = {
      isFrameAddressTaken: false,
      isReturnAddressTaken: false,
      hasStackMap: false,
      hasPatchPoint: false,
      stackSize: 0n,
      offsetAdjustment: 0,
      maxAlignment: 0,
      adjustsStack: false,
      hasCalls: false,
      framePointerPolicy: null,
      stackProtector: '',
      functionContext: '',
      maxCallFrameSize: NO_CALL_FRAME_SIZE,
      cvBytesOfCalleeSavedRegisters: 0,
      hasOpaqueSPAdjustment: false,
      hasVAStart: false,
      hasMustTailInVarArgFunc: false,
      hasTailCall: false,
      isCalleeSavedInfoValid: false,
      localFrameSize: 0,
      savePoint: [],
      restorePoint: [],
    };
    if (node === NO_NODE) return { info, stackProtector: null, functionContext: null, savePoint: [], restorePoint: [] };
    const f = this.reader.mapping(node);
    info.isFrameAddressTaken = f.bool('isFrameAddressTaken', false);
    info.isReturnAddressTaken = f.bool('isReturnAddressTaken', false);
    info.hasStackMap = f.bool('hasStackMap', false);
    info.hasPatchPoint = f.bool('hasPatchPoint', false);
    info.stackSize = f.uint64('stackSize', 0n);
    info.offsetAdjustment = f.int32('offsetAdjustment', 0);
    info.maxAlignment = f.uint32('maxAlignment', 0);
    info.adjustsStack = f.bool('adjustsStack', false);
    info.hasCalls = f.bool('hasCalls', false);
    if (this.context.subtarget.release.rules.hasFramePointerPolicy && f.has('framePointerPolicy'))
      info.framePointerPolicy = f.enumeration('framePointerPolicy', FRAME_POINTER_POLICIES, 'none');
    const stackProtector = f.string('stackProtector');
    const functionContext = f.string('functionContext');
    info.maxCallFrameSize = f.uint32('maxCallFrameSize', NO_CALL_FRAME_SIZE);
    info.cvBytesOfCalleeSavedRegisters = f.uint32('cvBytesOfCalleeSavedRegisters', 0);
    info.hasOpaqueSPAdjustment = f.bool('hasOpaqueSPAdjustment', false);
    info.hasVAStart = f.bool('hasVAStart', false);
    info.hasMustTailInVarArgFunc = f.bool('hasMustTailInVarArgFunc', false);
    info.hasTailCall = f.bool('hasTailCall', false);
    info.isCalleeSavedInfoValid = f.bool('isCalleeSavedInfoValid', false);
    info.localFrameSize = f.uint32('localFrameSize', 0);
    const points = (key: string): { point: YamlString | null; registers: YamlString[] }[] =>
      f.items(key).map((n) => {
        const p = this.reader.mapping(n);
        const res = { point: p.requiredString('point'), registers: p.strings('registers') };
        p.finish();
        return res;
      });
    const yamlSave = points('savePoint');
    const yamlRestore = points('restorePoint');
    f.finish();
    return {
      info,
      stackProtector,
      functionContext,
      savePoint: this.lowerSavePoints(yamlSave),
      restorePoint: this.lowerSavePoints(yamlRestore),
    };
  }

  /** What no key says is as the attribute has it. */
  private addFramePointerPolicy(info: FrameInfo): void {
    if (this.context.subtarget.release.rules.hasFramePointerPolicy)
      info.framePointerPolicy ??= framePointerPolicy(this.irFunction);
  }

  private lowerSavePoints(
    points: readonly { readonly point: YamlString | null; readonly registers: readonly YamlString[] }[],
  ): SourceSavePoint[] {
    const res: SourceSavePoint[] = [];
    for (const p of points) {
      const block = p.point === null ? null : this.blockRef(p.point, Phase.SavePoints);
      const registers = this.namedRegisters(p.registers, Phase.SavePoints).filter((r) => r !== NO_REG);
      if (block !== null) res.push({ block, registers });
    }
    return res;
  }

  private blockRef(s: YamlString, phase: Phase): SourceBlockRef | null {
    const r = parseBlockRef(s.text);
    if ('value' in r) return { number: r.value.number, name: r.value.name, at: s };
    // LLVM hands on the text of the reference without its place.
    this.complain(phase, s, r.error.message, 'bad-reference', NO_PLACE);
    return null;
  }

  private readObject(node: Node, isFixed: boolean): YamlObject {
    const o = this.reader.mapping(node);
    const id = this.numberWithRange(o.required('id'));
    const name = isFixed ? null : o.string('name');
    const type: YamlObject['type'] = o.enumeration('type', isFixed ? FIXED_STACK_TYPES : STACK_TYPES, 'default');
    const offset = o.int64('offset', 0n);
    let size = 0n;
    if (isFixed) size = o.uint64('size', 0n);
    else if (type !== 'variable-sized') {
      const n = o.required('size');
      if (n !== NO_NODE) size = this.reader.integer(n, 0n, 0xffffffffffffffffn) ?? 0n;
    }
    const alignment = o.alignment('alignment', 0, true);
    const stackId = o.enumeration('stack-id', STACK_IDS, 'default');
    const hasAccess = isFixed && type !== 'spill-slot';
    const isImmutable = hasAccess && o.bool('isImmutable', false);
    const isAliased = hasAccess && o.bool('isAliased', false);
    const calleeSavedRegister = o.string('callee-saved-register');
    const calleeSavedRestored = o.bool('callee-saved-restored', true);
    const localOffsetNode = isFixed ? NO_NODE : o.optional('local-offset');
    const localOffset =
      localOffsetNode === NO_NODE ? null : this.reader.integer(localOffsetNode, -(1n << 63n), (1n << 63n) - 1n);
    const debug = [o.string('debug-info-variable'), o.string('debug-info-expression'), o.string('debug-info-location')];
    o.finish();
    return {
      id: id?.range ?? null,
      sourceId: id?.value ?? -1,
      name,
      type,
      offset,
      size,
      alignment,
      stackId,
      isImmutable,
      isAliased,
      calleeSavedRegister,
      calleeSavedRestored,
      localOffset,
      debug,
    };
  }

  private readCallSite(node: Node): SourceCallSite {
    const { reader } = this;
    const c = reader.mapping(node);
    const bb = c.requiredUint32('bb') ?? 0;
    const offset = c.requiredUint32('offset') ?? 0;
    const fwdArgRegs: { arg: number; reg: YamlString }[] = [];
    for (const n of c.items('fwdArgRegs')) {
      const a = reader.mapping(n);
      const arg = Number(a.requiredUint32('arg') ?? 0);
      const reg = a.requiredString('reg');
      a.finish();
      if (reg !== null) fwdArgRegs.push({ arg, reg });
    }
    const calleeTypeIds: bigint[] = [];
    for (const n of c.items('calleeTypeIds')) {
      const v = reader.integer(n, 0n, 0xffffffffffffffffn);
      if (v !== null) calleeTypeIds.push(v);
    }
    c.finish();
    return { bb, offset, fwdArgRegs, calleeTypeIds };
  }

  private readJumpTable(node: Node): YamlJumpTable | null {
    if (node === NO_NODE) return null;
    const t = this.reader.mapping(node);
    const kindNode = t.required('kind');
    const kind = kindNode === NO_NODE ? null : this.reader.enumeration(kindNode, JUMP_TABLE_KINDS);
    const entries = t.items('entries').map((n) => {
      const e = this.reader.mapping(n);
      const id = this.numberWithRange(e.required('id'));
      const blocks = e.strings('blocks');
      e.finish();
      return { id, blocks };
    });
    t.finish();
    const res: { sourceId: number; range: YamlString; blocks: SourceBlockRef[] }[] = [];
    for (const e of entries) {
      const blocks: SourceBlockRef[] = [];
      for (const s of e.blocks) {
        const b = this.blockRef(s, Phase.JumpTable);
        if (b !== null) blocks.push(b);
      }
      if (e.id !== null) res.push({ sourceId: e.id.value, range: e.id.range, blocks });
    }
    return kind === null ? null : { kind, entries: res };
  }

  // -- registers ---------------------------------------------------------------------------------------------------

  /** Index in the header's list; a register not mentioned before is added. */
  private vregIndex(number: number, range: HeaderVReg['range'] = null): number {
    const known = this.indexOfNumber(number);
    if (known >= 0) return known;
    const i = this.vregs.length;
    this.vregs.push({
      number,
      isDeclared: false,
      regClass: -1,
      bank: -1,
      isGeneric: false,
      hint: NO_REG,
      assigned: NO_REG,
      splitFrom: -1,
      flags: null,
      range,
    });
    if (number < this.vregByNumber.length) this.vregByNumber[number] = i + 1;
    else this.vregByLargeNumber.set(number, i);
    return i;
  }

  private indexOfNumber(number: number): number {
    if (number < this.vregByNumber.length) return this.vregByNumber[number] - 1;
    if (number > MAX_TABLED_NUMBER) return this.vregByLargeNumber.get(number) ?? -1;
    const larger = new Int32Array(Math.max(number + 1, this.vregByNumber.length * 2));
    larger.set(this.vregByNumber);
    this.vregByNumber = larger;
    return -1;
  }

  private declareVRegs(entries: readonly YamlVReg[]): void {
    const { names } = this.context;
    const { reader } = this;
    const { tree } = reader;
    const underscore = names.interner.internString('_');
    for (const e of entries) {
      const i = this.vregIndex(e.id, e);
      const v = this.vregs[i];
      if (v.isDeclared) {
        const at = reader.scalar(e.idNode)!;
        this.complain(Phase.Registers, at, `redefinition of virtual register '%${e.id}'`, 'redefinition');
        continue;
      }
      v.isDeclared = true;
      const classId = tree.value(e.classNode);
      if (classId === underscore) v.isGeneric = true;
      else {
        // Some classes have names that are too long to be interned.
        v.regClass =
          classId < 0 ? names.regClassByText(reader.scalar(e.classNode)?.text ?? '') : names.regClass(classId);
        if (v.regClass < 0) {
          v.bank = classId < 0 ? -1 : names.bank(classId);
          if (v.bank >= 0) v.isGeneric = true;
          else {
            const cls = reader.scalar(e.classNode)!;
            const message = `use of undefined register class or register bank '${cls.text}'`;
            this.complain(Phase.Registers, cls, message, 'undefined-class');
          }
        }
      }
      const preferred = e.preferredNode === NO_NODE ? null : reader.scalar(e.preferredNode);
      if (preferred !== null && preferred.text !== '') {
        if (v.isGeneric) {
          const message = 'preferred register can only be set for normal vregs';
          this.complain(Phase.Registers, reader.scalar(e.classNode)!, message, 'preferred-register');
        } else {
          const r = parseRegister(preferred.text, this.regByName);
          if ('error' in r) this.miError(Phase.Registers, preferred, r.error);
          else v.hint = 'physical' in r.value ? r.value.physical : ~this.vregIndex(r.value.virtual);
        }
      }
      const assigned = e.assignedNode === NO_NODE ? null : reader.scalar(e.assignedNode);
      if (assigned !== null && assigned.text !== '') {
        const r = parseRegister(assigned.text, this.regByName);
        const message = `'assigned-phys' must be a physical register, got '${assigned.text}'`;
        if ('error' in r) this.miError(Phase.Registers, assigned, r.error);
        else if ('physical' in r.value) v.assigned = r.value.physical;
        else this.complain(Phase.Registers, assigned, message, 'assigned-phys');
      }
      const splitFrom = e.splitFromNode === NO_NODE ? null : reader.scalar(e.splitFromNode);
      if (splitFrom !== null && splitFrom.text !== '') {
        const r = parseVirtualRegister(splitFrom.text);
        if ('value' in r) v.splitFrom = this.vregIndex(r.value);
        else this.miError(Phase.Registers, splitFrom, r.error);
      }
      for (const f of e.flags) {
        if (f.text === 'WWM_REG') v.flags = [...(v.flags ?? []), f.text];
        else {
          const message = `use of undefined register flag '${f.text}'`;
          this.complain(Phase.Registers, f, message, 'undefined-flag', f.valueStart);
        }
      }
    }
  }

  private namedRegister(s: YamlString, phase: Phase): Reg | null {
    const r = parseNamedRegister(s.text, this.regByName);
    if ('value' in r) return r.value;
    this.miError(phase, s, r.error);
    return null;
  }

  private entryValueRegister(s: YamlString): Reg {
    const reg = this.namedRegister(s, Phase.FrameInfo);
    if (reg === NO_REG) {
      const message = 'Expected physical register for entry value field';
      this.complain(Phase.FrameInfo, s, message, 'bad-reference');
    }
    return reg ?? NO_REG;
  }

  private namedRegisters(list: readonly (YamlString | null)[], phase: Phase): Reg[] {
    const regs: Reg[] = [];
    for (const s of list) {
      const reg = s === null ? null : this.namedRegister(s, phase);
      if (reg !== null) regs.push(reg);
    }
    return regs;
  }

  // -- constants, frame --------------------------------------------------------------------------------------------

  private lowerConstants(list: readonly YamlConstant[]): {
    constants: HeaderModel['constants'];
    constantIds: Map<number, number>;
  } {
    const constants: { sourceId: number; value: string; alignment: number; isTargetSpecific: boolean }[] = [];
    const constantIds = new Map<number, number>();
    for (const c of list) {
      if (c.id === null) continue;
      const { tree } = this.reader;
      const at = c.value ?? {
        text: '',
        start: tree.start(c.node),
        end: tree.end(c.node),
        valueStart: tree.start(c.node),
      };
      if (c.isTargetSpecific) {
        const message = "Can't parse target-specific constant pool entries yet";
        const where = c.value === null ? NO_PLACE : at.start;
        this.complain(Phase.Constants, at, message, 'target-specific-constant', where);
        continue;
      }
      const r = parseConstantText(at.text, this.module);
      if ('error' in r) {
        const where = c.value === null ? NO_PLACE : placeIn(at, r.error.at);
        this.complain(Phase.Constants, at, r.error.message, 'bad-reference', where);
        continue;
      }
      if (constantIds.has(c.id.value)) {
        const message = `redefinition of constant pool item '%const.${c.id.value}'`;
        this.complain(Phase.Constants, c.id.range, message, 'redefinition');
        continue;
      }
      constantIds.set(c.id.value, constants.length);
      const alignment = c.alignment > 0 ? c.alignment : r.value.alignment;
      constants.push({ sourceId: c.id.value, value: r.value.text, alignment, isTargetSpecific: false });
    }
    return { constants, constantIds };
  }

  private checkStackId(o: YamlObject): void {
    const { isAMDGCN } = this.context.tables;
    const isSupported = SUPPORTED_STACK_IDS.includes(o.stackId) && (isAMDGCN || o.stackId !== SGPR_SPILL);
    if (isSupported || o.id === null) return;
    this.complain(Phase.FrameInfo, o.id, 'StackID is not supported by target', 'stack-id');
  }

  private calleeSaved(o: YamlObject): Reg | null {
    const s = o.calleeSavedRegister;
    return s === null || s.text === '' ? null : this.namedRegister(s, Phase.FrameInfo);
  }

  private lowerFixedObjects(list: readonly YamlObject[]): { objects: FixedStackObject[]; ids: Map<number, number> } {
    const objects: FixedStackObject[] = [];
    const ids = new Map<number, number>();
    for (const o of list) {
      if (o.id === null) continue;
      this.checkStackId(o);
      const isKnown = ids.has(o.sourceId);
      if (isKnown) {
        const message = `redefinition of fixed stack object '%fixed-stack.${o.sourceId}'`;
        this.complain(Phase.FrameInfo, o.id, message, 'redefinition');
      } else ids.set(o.sourceId, objects.length);
      objects.push({
        sourceId: o.sourceId,
        type: o.type as FixedStackObject['type'],
        offset: o.offset,
        size: o.size,
        alignment: Math.max(1, o.alignment),
        stackId: o.stackId,
        calleeSavedRegister: this.calleeSaved(o),
        calleeSavedRestored: o.calleeSavedRestored,
        debugVariable: this.metadataText(o.debug[0]),
        debugExpression: this.metadataText(o.debug[1]),
        debugLocation: this.metadataText(o.debug[2]),
        isImmutable: o.isImmutable,
        isAliased: o.isAliased,
      });
    }
    return { objects, ids };
  }

  /** `alignstack(N)` of the function, bytes; 0 = not given */
  private ownAlignment(): number {
    return Number(this.irFunction?.fnAttrs?.get('alignstack')?.text ?? 0);
  }

  private lowerObjects(
    list: readonly YamlObject[],
    frame: FrameInfo,
  ): { objects: StackObject[]; ids: Map<number, number> } {
    const objects: StackObject[] = [];
    const ids = new Map<number, number>();
    // A stack that must not be realigned holds nothing that would need it (MachineFrameInfo, clampStackAlignment).
    const limit =
      this.irFunction?.fnAttrs?.has('no-realign-stack') === true ? stackAlignment(this.ownAlignment()) : Infinity;
    for (const o of list) {
      if (o.id === null) continue;
      if (o.name !== null && o.name.text !== '' && (this.irFunction?.allocaByName(o.name.text) ?? null) === null) {
        const message = `alloca instruction named '${o.name.text}' isn't defined in the function '${this.functionName}'`;
        this.complain(Phase.FrameInfo, o.name, message, 'undefined-alloca', o.name.start);
      }
      this.checkStackId(o);
      if (ids.has(o.sourceId)) {
        const message = `redefinition of stack object '%stack.${o.sourceId}'`;
        this.complain(Phase.FrameInfo, o.id, message, 'redefinition');
      } else ids.set(o.sourceId, objects.length);
      if (o.type === 'variable-sized') frame.maxAlignment = Math.max(frame.maxAlignment, 1);
      objects.push({
        sourceId: o.sourceId,
        name: o.name?.text ?? '',
        type: o.type,
        offset: o.offset,
        size: o.size,
        alignment: Math.min(limit, Math.max(1, o.alignment)),
        // LLVM makes objects of variable size without.
        stackId: o.type === 'variable-sized' ? 'default' : o.stackId,
        calleeSavedRegister: this.calleeSaved(o),
        calleeSavedRestored: o.calleeSavedRestored,
        localOffset: o.localOffset,
        debugVariable: this.metadataText(o.debug[0]),
        debugExpression: this.metadataText(o.debug[1]),
        debugLocation: this.metadataText(o.debug[2]),
      });
    }
    return { objects, ids };
  }

  private stackReference(s: YamlString | null, ids: ReadonlyMap<number, number>): string {
    if (s === null || s.text === '') return '';
    const r = parseStackObjectRef(s.text);
    if ('error' in r) {
      this.miError(Phase.FrameInfo, s, r.error);
      return '';
    }
    if (!ids.has(r.value.number)) {
      const message = `use of undefined stack object '%stack.${r.value.number}'`;
      this.miError(Phase.FrameInfo, s, { message, at: 0 });
      return '';
    }
    return s.text;
  }

  /** Checks that a metadata reference exists; answers it as printed. */
  private metadataText(s: YamlString | null): string {
    if (s === null || s.text === '') return '';
    const r = parseMetadataRef(s.text);
    if ('error' in r) {
      this.miError(Phase.FrameInfo, s, r.error);
      return '';
    }
    if ('number' in r.value) {
      const { number } = r.value;
      if (!this.machineMetadata.has(number) && (this.module?.metadataByNumber(number) ?? null) === null) {
        this.miError(Phase.FrameInfo, s, { message: `use of undefined metadata '!${number}'`, at: 0 });
        return '';
      }
      return this.printMetadata(number);
    }
    return s.text;
  }
}

/** LLVM keeps the callee-saved registers of a function as a list that ends with a zero. */
function upToNoReg(regs: readonly Reg[]): readonly Reg[] {
  const end = regs.indexOf(NO_REG);
  return end < 0 ? regs : regs.slice(0, end);
}

/** What the objects of a frame say of it as a whole. */
function countObjects(info: FrameInfo, objects: readonly (FixedStackObject | StackObject)[]): void {
  let { maxAlignment } = info;
  if (maxAlignment > 0) maxAlignment = 2 ** Math.floor(Math.log2(maxAlignment));
  for (const o of objects) {
    // Objects elsewhere than on the stack itself do not align the frame.
    if (o.stackId === 'default') maxAlignment = Math.max(maxAlignment, o.alignment);
    if (o.calleeSavedRegister !== null) info.isCalleeSavedInfoValid = true;
  }
  info.maxAlignment = Math.max(1, maxAlignment);
}

function makeVRegTable(vregs: readonly HeaderVReg[]): VRegTable {
  const table = new VRegTable();
  for (const h of vregs) {
    const v = table.add(h.number, null);
    table.regClass[v] = h.regClass;
    table.bank[v] = h.bank;
    table.hint[v] = h.hint;
    if (h.assigned !== NO_REG) table.assigned.set(v, h.assigned);
    if (h.splitFrom >= 0) table.splitFrom.set(v, h.splitFrom);
    table.flags[v] = h.flags;
  }
  return table;
}
