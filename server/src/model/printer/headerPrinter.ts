/**
 * The header keys of a function document in printing order (MIRPrinter's conversions and the YAML mappings of
 * MachineFunction and SIMachineFunctionInfo, LLVM 22.1.8; docs/llvm/mir-format.md, 2).
 */
import {
  NO_MIN_AGPRS,
  type MachineFunctionHeader,
  type AmdgpuFunctionInfo,
  type ArgDescriptor,
  type CallSite,
  type FixedStackObject,
  type FrameInfo,
  type SaveRestorePoint,
  type StackObject,
} from '../header.js';
import type { MachineFunction } from '../machineFunction.js';
import type { Reg, VRegId } from '../register.js';
import { NO_REG, virtReg } from '../register.js';
import type { PhysReg, ReleaseRules } from '../../target/index.js';
import { TextBuilder } from '../../util/textBuilder.js';
import type { InstrPrinter } from './instrPrinter.js';
import { FlowMap, WRAP_COLUMN, flowSequence, singleQuoted, yamlKey, yamlScalar } from './yamlOutput.js';

/** Column of `{` in a list at top level: `  - {`. */
const LIST_FLOW_COLUMN = 4;
const NO_CALL_FRAME_SIZE = 4294967295;
const FULL_MASK = 0xffffffff;

/** Order of the keys of `argumentInfo`. */
const ARGUMENT_KEYS = [
  'privateSegmentBuffer',
  'dispatchPtr',
  'queuePtr',
  'kernargSegmentPtr',
  'dispatchID',
  'flatScratchInit',
  'privateSegmentSize',
  'firstKernArgPreloadReg',
  'workGroupIDX',
  'workGroupIDY',
  'workGroupIDZ',
  'workGroupInfo',
  'LDSKernelId',
  'privateSegmentWaveByteOffset',
  'implicitArgPtr',
  'implicitBufferPtr',
  'workItemIDX',
  'workItemIDY',
  'workItemIDZ',
] as const;

/** Accumulates the lines of one block mapping; `simplify` leaves out values that equal their default. */
class Mapping {
  text = '';

  constructor(
    readonly simplify: boolean,
    private readonly indent: string = '',
  ) {}

  raw(key: string, value: string): void {
    this.text += `${this.indent}${yamlKey(key)}${value}\n`;
  }

  /** a key without a value on its line */
  open(key: string): void {
    this.text += `${this.indent}${key}:\n`;
  }

  bool(key: string, value: boolean, byDefault = false): void {
    if (!this.simplify || value !== byDefault) this.raw(key, value ? 'true' : 'false');
  }

  num(key: string, value: number | bigint, byDefault: number | bigint = 0): void {
    if (!this.simplify || value !== byDefault) this.raw(key, String(value));
  }

  str(key: string, value: string, byDefault = ''): void {
    if (!this.simplify || value !== byDefault) this.raw(key, yamlScalar(value));
  }

  /** a list of flow maps or block items, each already laid out; `[]` when empty, left out when simplifying */
  list(key: string, items: readonly string[]): void {
    if (items.length === 0) {
      if (!this.simplify) this.raw(key, '[]');
      return;
    }
    this.open(key);
    for (const item of items) this.text += `${this.indent}  - ${item}\n`;
  }
}

/** All lines from `name:` up to, not including, `body:`. */
export function printHeader(
  fn: MachineFunction,
  printer: InstrPrinter,
  { simplify, assigned }: { readonly simplify: boolean; readonly assigned?: AssignedRegs | undefined },
): string {
  const h = fn.header;
  const m = new Mapping(simplify);
  const named = (r: Reg): string => yamlScalar(printer.printReg(r));
  const reg = (r: Reg): string => (r === NO_REG ? "''" : named(r));
  m.raw('name', yamlScalar(h.name));
  printProperties(m, h);
  const registers = printRegisters(fn, printer, simplify, assigned);
  if (registers === '') m.list('registers', []);
  else {
    m.open('registers');
    m.text += registers;
  }
  m.list(
    'liveins',
    h.liveIns.map((l) => {
      const map = new FlowMap(LIST_FLOW_COLUMN).add('reg', named(l.reg));
      // The printer of function live-ins knows no names: a named register shows as its number.
      if (l.vreg >= 0) map.add('virtual-reg', `'%${l.vreg}'`);
      else if (!simplify) map.add('virtual-reg', "''");
      return map.end();
    }),
  );
  if (h.calleeSavedRegisters !== null) {
    const key = 'calleeSavedRegisters: ';
    m.text += `${key}${flowSequence(h.calleeSavedRegisters.map(reg), key.length).text}\n`;
  }
  printFrameInfo(m, h.frameInfo, fn, reg);
  m.list(
    'fixedStack',
    h.fixedStack.map((_, n) => {
      const object = h.fixedStack[h.fixedStack.length - 1 - n];
      return printFixedStackObject(n, object, named, simplify);
    }),
  );
  m.list(
    'stack',
    h.stack.flatMap((object, n) => (object.isDead === true ? [] : [printStackObject(n, object, named, simplify)])),
  );
  m.list(
    'entry_values',
    h.entryValues.map((e) =>
      new FlowMap(LIST_FLOW_COLUMN)
        .add('entry-value-register', reg(e.register))
        .add('debug-info-variable', yamlScalar(e.variable))
        .add('debug-info-expression', yamlScalar(e.expression))
        .add('debug-info-location', yamlScalar(e.location))
        .end(),
    ),
  );
  m.list(
    'callSites',
    h.callSites.map((c) => printCallSite(c, reg)),
  );
  m.list(
    'debugValueSubstitutions',
    h.debugValueSubstitutions.map((s) =>
      new FlowMap(LIST_FLOW_COLUMN)
        .add('srcinst', String(s.srcInst))
        .add('srcop', String(s.srcOp))
        .add('dstinst', String(s.dstInst))
        .add('dstop', String(s.dstOp))
        .add('subreg', String(s.subReg))
        .end(),
    ),
  );
  m.list(
    'constants',
    h.constants.map((c, id) => {
      const item = new Mapping(simplify, '    ');
      item.raw('id', String(id));
      item.raw('value', yamlScalar(c.value));
      item.raw('alignment', String(Math.max(1, c.alignment)));
      item.bool('isTargetSpecific', c.isTargetSpecific);
      return item.text.slice(LIST_FLOW_COLUMN, -1);
    }),
  );
  if (fn.tables.isAMDGCN) {
    m.open('machineFunctionInfo');
    printFunctionInfo(m, h.machineFunctionInfo, reg, simplify, fn.subtarget.release.rules);
  } else m.raw('machineFunctionInfo', '{}');
  if (h.jumpTable !== null && h.jumpTable.entries.length !== 0) printJumpTable(m, h.jumpTable, simplify);
  if (h.machineMetadataNodes.length !== 0)
    m.list(
      'machineMetadataNodes',
      h.machineMetadataNodes.map((n) => yamlScalar(n)),
    );
  if (h.calledGlobals.length !== 0)
    m.list(
      'calledGlobals',
      h.calledGlobals.map((g) => {
        const item = new Mapping(simplify, '    ');
        item.raw('bb', String(g.bb));
        item.raw('offset', String(g.offset));
        item.raw('callee', yamlScalar(g.callee));
        item.raw('flags', String(g.flags));
        return item.text.slice(LIST_FLOW_COLUMN, -1);
      }),
    );
  return m.text;
}

function printProperties(m: Mapping, h: MachineFunctionHeader): void {
  m.raw('alignment', String(Math.max(1, h.alignment)));
  m.bool('exposesReturnsTwice', h.exposesReturnsTwice);
  m.bool('legalized', h.legalized);
  m.bool('regBankSelected', h.regBankSelected);
  m.bool('selected', h.selected);
  m.bool('failedISel', h.failedISel);
  m.bool('tracksRegLiveness', h.tracksRegLiveness);
  m.bool('hasWinCFI', h.hasWinCFI);
  m.raw('noPhis', String(h.noPhis));
  m.raw('isSSA', String(h.isSSA));
  m.raw('noVRegs', String(h.noVRegs));
  m.raw('hasFakeUses', String(h.hasFakeUses));
  m.bool('callsEHReturn', h.callsEHReturn);
  m.bool('callsUnwindInit', h.callsUnwindInit);
  m.bool('hasEHContTarget', h.hasEHContTarget);
  m.bool('hasEHScopes', h.hasEHScopes);
  m.bool('hasEHFunclets', h.hasEHFunclets);
  m.bool('isOutlined', h.isOutlined);
  m.bool('debugInstrRef', h.debugInstrRef);
  m.bool('failsVerification', h.failsVerification);
  m.bool('tracksDebugUserValues', h.tracksDebugUserValues);
}

function printJumpTable(
  m: Mapping,
  jumpTable: NonNullable<MachineFunctionHeader['jumpTable']>,
  simplify: boolean,
): void {
  m.open('jumpTable');
  const table = new Mapping(simplify, '  ');
  table.str('kind', jumpTable.kind);
  table.open('entries');
  jumpTable.entries.forEach((e, id) => {
    table.text += `    - ${yamlKey('id')}${id}\n`;
    if (e.blocks.length === 0 && simplify) return;
    const names = e.blocks.map((b) => `'%bb.${b}'`);
    const column = 6 + yamlKey('blocks').length;
    table.text += `      ${yamlKey('blocks')}${flowSequence(names, column).text}\n`;
  });
  m.text += table.text;
}

/** The items of `registers:`, with their line breaks; empty without any. */
/** The physical register that a pass has assigned, 0 = none, and the register that it was split from, -1 = none; null = neither is known. */
export type AssignedRegs = (v: VRegId) => { readonly phys: PhysReg; readonly splitFrom: VRegId } | null;

function printRegisters(
  fn: MachineFunction,
  printer: InstrPrinter,
  simplify: boolean,
  assigned: AssignedRegs | undefined,
): string {
  const out = new TextBuilder();
  const { vregs } = fn;
  // A rewriter that had no register for all of them has forgotten the list.
  if (fn.header.noVRegs) return '';
  // Class names are long-lived strings; quoting them once per class instead of per register matters in big functions.
  const classText: string[] = [];
  for (let v = 0; v < vregs.n; v++) {
    if (vregs.name[v] !== null) continue;
    const rc = vregs.regClass[v];
    const cls =
      rc >= 0 ? (classText[rc] ??= yamlScalar(printer.printRegClassOrBank(v))) : printer.printRegClassOrBank(v);
    const hint = vregs.hint[v];
    const flags = vregs.flags[v];
    const { phys, splitFrom } = assigned?.(v) ?? { phys: NO_REG, splitFrom: -1 };
    if (hint === NO_REG && flags === null && phys === NO_REG && splitFrom < 0) {
      if (simplify) {
        out.add(`  - { id: ${v}, class: ${cls} }\n`);
        continue;
      }
      const upToFlags = `{ id: ${v}, class: ${cls}, preferred-register: '', `;
      if (LIST_FLOW_COLUMN + upToFlags.length <= WRAP_COLUMN) {
        out.add(`  - ${upToFlags}flags: [  ] }\n`);
        continue;
      }
    }
    const map = new FlowMap(LIST_FLOW_COLUMN).add('id', String(v)).add('class', cls);
    if (hint !== NO_REG || !simplify)
      map.add('preferred-register', hint === NO_REG ? "''" : singleQuoted(printer.printReg(hint)));
    const words = flags ?? [];
    if (words.length !== 0 || !simplify) map.addNested('flags', (column) => flowSequence(words, column));
    if (splitFrom >= 0) map.add('split-from', singleQuoted(printer.printReg(virtReg(splitFrom))));
    if (phys !== NO_REG) map.add('assigned-phys', singleQuoted(printer.printReg(phys)));
    out.add(`  - ${map.end()}\n`);
  }
  return out.text();
}

type PrintReg = (r: Reg) => string;

function printFrameInfo(m: Mapping, f: FrameInfo, fn: MachineFunction, reg: PrintReg): void {
  m.open('frameInfo');
  const i = new Mapping(m.simplify, '  ');
  i.bool('isFrameAddressTaken', f.isFrameAddressTaken);
  i.bool('isReturnAddressTaken', f.isReturnAddressTaken);
  i.bool('hasStackMap', f.hasStackMap);
  i.bool('hasPatchPoint', f.hasPatchPoint);
  i.num('stackSize', f.stackSize, 0n);
  i.num('offsetAdjustment', f.offsetAdjustment);
  i.raw('maxAlignment', String(Math.max(1, f.maxAlignment)));
  i.bool('adjustsStack', f.adjustsStack);
  i.bool('hasCalls', f.hasCalls);
  // Without a default of its own: it stands in simplified functions, too.
  if (f.framePointerPolicy !== null) i.raw('framePointerPolicy', f.framePointerPolicy);
  i.str('stackProtector', stackReference(f.stackProtector, fn));
  i.str('functionContext', stackReference(f.functionContext, fn));
  i.num('maxCallFrameSize', f.maxCallFrameSize, NO_CALL_FRAME_SIZE);
  i.num('cvBytesOfCalleeSavedRegisters', f.cvBytesOfCalleeSavedRegisters);
  i.bool('hasOpaqueSPAdjustment', f.hasOpaqueSPAdjustment);
  i.bool('hasVAStart', f.hasVAStart);
  i.bool('hasMustTailInVarArgFunc', f.hasMustTailInVarArgFunc);
  i.bool('hasTailCall', f.hasTailCall);
  i.bool('isCalleeSavedInfoValid', f.isCalleeSavedInfoValid);
  i.num('localFrameSize', f.localFrameSize);
  printSavePoints(i, 'savePoint', f.savePoint, reg);
  printSavePoints(i, 'restorePoint', f.restorePoint, reg);
  m.text += i.text;
}

/** A reference to a stack object by its source id (`%stack.3`) as the printer writes it (`%stack.0.name`). */
function stackReference(text: string, fn: MachineFunction): string {
  const match = /^%stack\.(\d+)/.exec(text);
  if (match === null) return text;
  const id = Number(match[1]);
  const index = fn.header.stack.findIndex((s) => s.sourceId === id);
  if (index < 0) return text;
  const name = fn.header.stack[index].name;
  return `%stack.${index}${name === '' ? '' : `.${name}`}`;
}

function printSavePoints(m: Mapping, key: string, points: readonly SaveRestorePoint[], reg: PrintReg): void {
  if (points.length === 0) return;
  m.open(`  ${key}`.slice(2));
  for (const p of [...points].sort((a, b) => a.block - b.block)) {
    m.text += `    - ${yamlKey('point')}'%bb.${p.block}'\n`;
    if (p.registers.length !== 0) {
      m.text += '      registers:\n';
      for (const r of p.registers) m.text += `        - ${reg(r)}\n`;
    } else if (!m.simplify) m.text += `      ${yamlKey('registers')}[]\n`;
  }
}

function printStackObject(id: number, o: StackObject, reg: PrintReg, simplify: boolean): string {
  const map = new FlowMap(LIST_FLOW_COLUMN).add('id', String(id));
  if (!simplify || o.name !== '') map.add('name', yamlScalar(o.name));
  if (!simplify || o.type !== 'default') map.add('type', o.type);
  if (!simplify || o.offset !== 0n) map.add('offset', String(o.offset));
  if (o.type !== 'variable-sized') map.add('size', String(o.size));
  map.add('alignment', String(Math.max(1, o.alignment)));
  addStackId(map, o.stackId, simplify);
  addCalleeSaved(map, o, reg, simplify);
  if (o.localOffset !== null) map.add('local-offset', String(o.localOffset));
  addDebugInfo(map, o, simplify);
  return map.end();
}

function printFixedStackObject(id: number, o: FixedStackObject, reg: PrintReg, simplify: boolean): string {
  const map = new FlowMap(LIST_FLOW_COLUMN).add('id', String(id));
  if (!simplify || o.type !== 'default') map.add('type', o.type);
  if (!simplify || o.offset !== 0n) map.add('offset', String(o.offset));
  if (!simplify || o.size !== 0n) map.add('size', String(o.size));
  map.add('alignment', String(Math.max(1, o.alignment)));
  addStackId(map, o.stackId, simplify);
  if (o.type !== 'spill-slot') {
    if (!simplify || o.isImmutable) map.add('isImmutable', String(o.isImmutable));
    if (!simplify || o.isAliased) map.add('isAliased', String(o.isAliased));
  }
  addCalleeSaved(map, o, reg, simplify);
  addDebugInfo(map, o, simplify);
  return map.end();
}

function addStackId(map: FlowMap, id: string, simplify: boolean): void {
  if (!simplify || id !== 'default') map.add('stack-id', id);
}

function addCalleeSaved(
  map: FlowMap,
  o: Pick<StackObject, 'calleeSavedRegister' | 'calleeSavedRestored'>,
  reg: PrintReg,
  simplify: boolean,
): void {
  const saved = o.calleeSavedRegister;
  if (!simplify || saved !== null) map.add('callee-saved-register', saved === null ? "''" : reg(saved));
  if (!simplify || !o.calleeSavedRestored) map.add('callee-saved-restored', String(o.calleeSavedRestored));
}

function addDebugInfo(
  map: FlowMap,
  o: Pick<StackObject, 'debugVariable' | 'debugExpression' | 'debugLocation'>,
  simplify: boolean,
): void {
  if (!simplify || o.debugVariable !== '') map.add('debug-info-variable', yamlScalar(o.debugVariable));
  if (!simplify || o.debugExpression !== '') map.add('debug-info-expression', yamlScalar(o.debugExpression));
  if (!simplify || o.debugLocation !== '') map.add('debug-info-location', yamlScalar(o.debugLocation));
}

function printCallSite(c: CallSite, reg: PrintReg): string {
  const map = new FlowMap(LIST_FLOW_COLUMN).add('bb', String(c.bb)).add('offset', String(c.offset));
  const args = c.fwdArgRegs.map((a) => `\n      - { arg: ${a.arg}, reg: ${reg(a.reg)} }`).join('');
  map.add('fwdArgRegs', args === '' ? '[]' : args);
  if (c.calleeTypeIds.length !== 0)
    map.addNested('calleeTypeIds', (column) => flowSequence(c.calleeTypeIds.map(String), column));
  return map.end();
}

function printFunctionInfo(
  m: Mapping,
  f: AmdgpuFunctionInfo,
  reg: PrintReg,
  simplify: boolean,
  rules: ReleaseRules,
): void {
  const i = new Mapping(simplify, '  ');
  i.num('explicitKernArgSize', f.explicitKernArgSize, 0n);
  i.raw('maxKernArgAlign', String(Math.max(1, f.maxKernArgAlign)));
  i.num('ldsSize', f.ldsSize);
  i.num('gdsSize', f.gdsSize);
  i.num('dynLDSAlign', f.dynLDSAlign, 1);
  i.bool('isEntryFunction', f.isEntryFunction);
  i.bool('isChainFunction', f.isChainFunction);
  if (rules.hasNoSignedZeros) i.bool('noSignedZerosFPMath', f.noSignedZerosFPMath);
  i.bool('memoryBound', f.memoryBound);
  i.bool('waveLimiter', f.waveLimiter);
  i.bool('hasSpilledSGPRs', f.hasSpilledSGPRs);
  i.bool('hasSpilledVGPRs', f.hasSpilledVGPRs);
  i.num('numWaveDispatchSGPRs', f.numWaveDispatchSGPRs);
  i.num('numWaveDispatchVGPRs', f.numWaveDispatchVGPRs);
  const special = (key: string, value: Reg, byDefault: string): void => {
    const text = reg(value);
    if (!simplify || text !== byDefault) i.raw(key, text);
  };
  special('scratchRSrcReg', f.scratchRSrcReg, "'$private_rsrc_reg'");
  special('frameOffsetReg', f.frameOffsetReg, "'$fp_reg'");
  special('stackPtrOffsetReg', f.stackPtrOffsetReg, "'$sp_reg'");
  i.num('bytesInStackArgArea', f.bytesInStackArgArea);
  i.bool('returnsVoid', f.returnsVoid, true);
  if (f.argumentInfo !== null) {
    i.open('argumentInfo');
    const args = new Mapping(simplify, '    ');
    for (const key of ARGUMENT_KEYS) {
      const a = f.argumentInfo.get(key);
      if (a !== undefined) args.raw(key, printArgument(a, reg));
    }
    i.text += args.text;
  }
  i.num('psInputAddr', f.psInputAddr);
  i.num('psInputEnable', f.psInputEnable);
  i.num('maxMemoryClusterDWords', f.maxMemoryClusterDWords, 8);
  const mode = new Mapping(simplify, '    ');
  mode.bool('ieee', f.mode.ieee, true);
  mode.bool('dx10-clamp', f.mode.dx10Clamp, true);
  mode.bool('fp32-input-denormals', f.mode.fp32InputDenormals, true);
  mode.bool('fp32-output-denormals', f.mode.fp32OutputDenormals, true);
  mode.bool('fp64-fp16-input-denormals', f.mode.fp64fp16InputDenormals, true);
  mode.bool('fp64-fp16-output-denormals', f.mode.fp64fp16OutputDenormals, true);
  if (mode.text !== '') {
    i.open('mode');
    i.text += mode.text;
  }
  i.num('highBitsOf32BitAddress', f.highBitsOf32BitAddress);
  i.num('occupancy', f.occupancy);
  const regList = (key: string, regs: readonly Reg[]): void => {
    if (regs.length === 0) return;
    i.open(key);
    for (const r of regs) i.text += `    - ${reg(r)}\n`;
  };
  regList('spillPhysVGPRs', f.spillPhysVGPRs);
  regList('wwmReservedRegs', f.wwmReservedRegs);
  if (f.scavengeFI !== '') i.raw('scavengeFI', yamlScalar(f.scavengeFI));
  special('vgprForAGPRCopy', f.vgprForAGPRCopy, "''");
  special('sgprForEXECCopy', f.sgprForEXECCopy, "''");
  special('longBranchReservedReg', f.longBranchReservedReg, "''");
  i.bool('hasInitWholeWave', f.hasInitWholeWave);
  if (rules.hasOptionalBlockSize) i.raw('dynamicVGPRBlockSize', String(f.dynamicVGPRBlockSize));
  else i.num('dynamicVGPRBlockSize', f.dynamicVGPRBlockSize);
  i.num('scratchReservedForDynamicVGPRs', f.scratchReservedForDynamicVGPRs);
  i.num('numKernargPreloadSGPRs', f.numKernargPreloadSGPRs);
  i.bool('isWholeWaveFunction', f.isWholeWaveFunction);
  if (rules.hasMinNumAGPRs) i.num('minNumAGPRs', f.minNumAGPRs, NO_MIN_AGPRS);
  m.text += i.text;
}

function printArgument(a: ArgDescriptor, reg: PrintReg): string {
  const where = a.stackOffset >= 0 ? `offset: ${a.stackOffset}` : `reg: ${reg(a.reg)}`;
  return a.mask >>> 0 === FULL_MASK ? `{ ${where} }` : `{ ${where}, mask: ${a.mask >>> 0} }`;
}
