/**
 * What LLVM's verifier finds wrong with debug info (Verifier.cpp, LLVM 22): of functions in the order of the module, then of global variables, named
 * metadata and compile units. A fault does not end the run: llc drops the debug info with a warning.
 *
 * A rule that fails ends the visit of its node; what the node refers to is visited all the same, each node once.
 */
import {
  Argument,
  GlobalValue,
  IRFunction,
  MDNode,
  Opcode,
  ValueAsMetadata,
  ValueKind,
  type BasicBlock,
  type DebugRecord,
  type Instruction,
  type IRModule,
  type MDAttachment,
  type Metadata,
  type MetadataAsValue,
} from './module.js';
import { DebugNodeRules, endOfScopes, isLocalScope, isOfClass, nodeOf, subprogramOf } from './debugNodeRules.js';
import { expressionFragment, isEntryValue, isValidExpression } from './debugExpression.js';
import { intrinsicBaseName } from './intrinsics.js';
import { MetadataSlots } from './metadataSlots.js';
import { printDebugRecord, printInstruction, printMetadata, printTypedValue } from './printer.js';
import { TypeKind } from './types.js';

/** What may stand after a message: a thing of the module on a line of its own, nothing for null, or a text. */
type Shown = Metadata | GlobalValue | string | null;

export class DebugInfoVerifier {
  private faults = '';
  private readonly visited = new Set<MDNode>();
  private readonly units: MDNode[] = [];
  private readonly attachedTo = new Map<MDNode, IRFunction>();
  private readonly rules: DebugNodeRules;
  private slots: MetadataSlots | null = null;
  private readonly reported = new Set<MDNode>();
  /** of the function that is visited: by argument, the variable that describes it */
  private readonly argVariables = new Map<bigint, Metadata>();

  constructor(private readonly module: IRModule) {
    this.rules = new DebugNodeRules(module.dialect.rules.localEntities, (message, ...shown) =>
      this.fail(message, ...shown),
    );
  }

  /** The lines of all faults; '' = none. */
  run(): string {
    for (const fn of this.module.functions) this.visitFunction(fn);
    for (const g of this.module.globals) {
      for (const a of g.attachments ?? []) {
        if (a.kind !== 'dbg') continue;
        if (isOfClass(a.node, 'DIGlobalVariableExpression')) this.rules.visitGlobalVariableExpression(a.node as MDNode);
        else this.fail('!dbg attachment of global variable must be a DIGlobalVariableExpression');
      }
    }
    for (const named of this.module.namedMetadata) this.visitNamed(named.name, named.operands);
    const listed = new Set(this.module.namedMetadata.find((n) => n.name === 'llvm.dbg.cu')?.operands ?? []);
    for (const unit of this.units) if (!listed.has(unit)) this.fail('DICompileUnit not listed in llvm.dbg.cu', unit);
    return this.faults;
  }

  private fail(message: string, ...shown: readonly Shown[]): void {
    this.faults += `${message}\n`;
    for (const s of shown) {
      if (s === null) continue;
      const line =
        typeof s === 'string' ? s : s instanceof GlobalValue ? printTypedValue(s) : printMetadata(s, this.module);
      this.faults += `${line}\n`;
    }
  }

  private visitNamed(name: string, operands: readonly MDNode[]): void {
    if (name.startsWith('llvm.dbg.') && name !== 'llvm.dbg.cu') {
      this.fail('unrecognized named metadata node in the llvm.dbg namespace', this.namedLine(name, operands));
      return;
    }
    for (const node of operands) {
      if (name === 'llvm.dbg.cu' && node.className !== 'DICompileUnit') {
        this.fail('invalid compile unit', this.namedLine(name, operands), node);
        return;
      }
      this.visitNode(node, true);
    }
  }

  private namedLine(name: string, operands: readonly MDNode[]): string {
    const slots = (this.slots ??= new MetadataSlots(this.module));
    return `!${name} = !{${operands.map((n) => `!${slots.slotOf(n)}`).join(', ')}}\n`;
  }

  // -- nodes --------------------------------------------------------------------------------------------------------

  /** A node and all that it refers to, each once. `allowsLocations`: whether a DILocation may be among them. */
  private visitNode(first: MDNode, allowsLocations: boolean): void {
    const stack: { readonly node: MDNode; next: number }[] = [];
    const enter = (node: MDNode): void => {
      if (this.visited.has(node)) return;
      this.visited.add(node);
      if (!this.isTwin(node) && this.rules.visit(node) && node.className === 'DICompileUnit') this.units.push(node);
      stack.push({ node, next: 0 });
    };
    enter(first);
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      if (top.next >= top.node.operands.length) {
        stack.pop();
        continue;
      }
      const op = top.node.operands[top.next++];
      if (!(op instanceof MDNode)) continue;
      if (op.className === 'DILocation' && !allowsLocations) {
        this.fail('DILocation not allowed within this metadata node', top.node, op);
        stack.pop();
      } else enter(op);
    }
  }

  /** Nodes that are written twice are one in LLVM: only asked once there is a fault. */
  private isTwin(node: MDNode): boolean {
    if (node.isDistinct || this.faults === '') return false;
    this.slots ??= new MetadataSlots(this.module);
    const one = this.slots.representative(node);
    if (this.reported.has(one)) return true;
    this.reported.add(one);
    return false;
  }

  // -- functions ----------------------------------------------------------------------------------------------------

  private visitFunction(fn: IRFunction): void {
    const attachments = fn.attachments ?? [];
    if (fn.isDeclaration) {
      for (const { kind, node } of attachments) {
        if (!(node instanceof MDNode)) continue;
        if (kind === 'dbg' && node.isDistinct) {
          this.fail('function declaration may only have a unique !dbg attachment', fn);
          return;
        }
        this.visitNode(node, true);
      }
      return;
    }
    if (this.visitAttachments(fn, attachments)) this.visitLocations(fn);
    this.argVariables.clear();
    for (const block of fn.blocks) {
      for (const i of block.instructions) {
        for (const record of i.debugRecords ?? []) this.visitRecord(record, block, fn);
        this.visitInstruction(i, fn);
      }
    }
  }

  /** False when a rule ends the visit of the function itself. */
  private visitAttachments(fn: IRFunction, attachments: readonly MDAttachment[]): boolean {
    let nDebug = 0;
    for (const { kind, node } of attachments) {
      if (!(node instanceof MDNode)) continue;
      if (kind === 'dbg') {
        if (++nDebug > 1) return this.end('function must have a single !dbg attachment', fn, node);
        if (node.className !== 'DISubprogram')
          return this.end('function !dbg attachment must be a subprogram', fn, node);
        if (!node.isDistinct) return this.end('function definition may only have a distinct !dbg attachment', fn);
        const other = this.attachedTo.get(node);
        if (other !== undefined && other !== fn)
          return this.end('DISubprogram attached to more than one function', node, fn);
        this.attachedTo.set(node, fn);
      }
      this.visitNode(node, kind === 'dbg');
    }
    return true;
  }

  private end(message: string, ...shown: readonly Shown[]): false {
    this.fail(message, ...shown);
    return false;
  }

  /** All locations lead back to the function's subprogram. */
  private visitLocations(fn: IRFunction): void {
    const subprogram = subprogramAttached(fn);
    if (subprogram === null) return;
    const seen = new Set<MDNode>();
    for (const block of fn.blocks) {
      for (const i of block.instructions) {
        const dbg = i.attachments?.find((a) => a.kind === 'dbg')?.node;
        if (dbg instanceof MDNode) this.visitLocation(fn, i, subprogram, dbg, seen);
        const loop = i.attachments?.find((a) => a.kind === 'llvm.loop')?.node;
        if (loop instanceof MDNode)
          for (const op of loop.operands.slice(1))
            if (op instanceof MDNode) this.visitLocation(fn, i, subprogram, op, seen);
        if (this.faults !== '') return;
      }
    }
  }

  private visitLocation(fn: IRFunction, i: Instruction, subprogram: MDNode, location: MDNode, seen: Set<MDNode>): void {
    if (location.className !== 'DILocation' || seen.has(location)) return;
    seen.add(location);
    const parent = nodeOf(location, 'scope');
    const lines: readonly Shown[] = [subprogram, fn, printInstruction(i, fn, this.module), location];
    if (!isLocalScope(parent)) {
      this.fail("DILocation's scope must be a DILocalScope", ...lines, parent);
      return;
    }
    let outer = location;
    for (let at = nodeOf(outer, 'inlinedAt'); at instanceof MDNode; at = nodeOf(outer, 'inlinedAt')) outer = at;
    const scope = nodeOf(outer, 'scope');
    if (!(scope instanceof MDNode) || seen.has(scope)) return;
    seen.add(scope);
    // LLVM takes what the chain of blocks ends at for a subprogram.
    const sp = endOfScopes(scope);
    if (sp === null || (sp !== scope && seen.has(sp))) return;
    seen.add(sp);
    if (sp !== subprogram) this.fail('!dbg attachment points at wrong subprogram for function', ...lines, scope, sp);
  }

  // -- instructions -------------------------------------------------------------------------------------------------

  private visitInstruction(i: Instruction, fn: IRFunction): void {
    const { attachments } = i;
    const dbg = attachments?.find((a) => a.kind === 'dbg')?.node ?? null;
    if (i.call !== null && this.lacksLocation(i, fn, dbg)) return;
    if (i.opcode === Opcode.Call && isIntrinsic(i))
      for (const op of i.operands) if (op.kind === ValueKind.MetadataAsValue) this.visitOperand(op as MetadataAsValue);
    if (dbg instanceof MDNode) {
      if (dbg.className !== 'DILocation') {
        this.fail('invalid !dbg metadata attachment', printInstruction(i, fn, this.module), dbg);
        return;
      }
      this.visitNode(dbg, true);
    }
    for (const { kind, node } of attachments ?? [])
      if (node instanceof MDNode && kind !== 'dbg') this.visitNode(node, kind === 'llvm.loop');
  }

  private visitOperand({ metadata }: MetadataAsValue): void {
    if (metadata instanceof MDNode) this.visitNode(metadata, false);
  }

  /** Code that may be inlined needs a place to be inlined at. */
  private lacksLocation(i: Instruction, fn: IRFunction, dbg: Metadata | null): boolean {
    const callee = i.operands[i.operands.length - 1];
    if (dbg !== null || !(callee instanceof IRFunction) || callee.isDeclaration) return false;
    if (isInterposable(callee) || subprogramAttached(callee) === null || subprogramAttached(fn) === null) return false;
    const message = 'inlinable function call in a function with debug info must have a !dbg location';
    this.fail(message, printInstruction(i, fn, this.module));
    return true;
  }

  // -- records ------------------------------------------------------------------------------------------------------

  private visitRecord(record: DebugRecord, block: BasicBlock, fn: IRFunction): void {
    const location = locationOf(record);
    if (location?.className === 'DILocation') this.visitNode(location, true);
    if (record.kind === 'label') this.visitLabel(record, location, block, fn);
    else {
      this.visitVariable(record, location, block, fn);
      this.visitFragment(record, fn);
      this.visitEntryValue(record, fn);
    }
  }

  private visitVariable(record: DebugRecord, location: MDNode | null, block: BasicBlock, fn: IRFunction): void {
    const text = (): string => printDebugRecord(record, fn, this.module);
    const where = (): string => printTypedValue(block, fn);
    const [address, variable, expression] = record.operands;
    const isEmpty = (m: Metadata | null): boolean =>
      m instanceof MDNode && m.className === '' && m.operands.length === 0;
    const isList = address instanceof MDNode && address.className === 'DIArgList';
    if (!(address instanceof ValueAsMetadata) && !isList && !isEmpty(address)) {
      this.fail('invalid #dbg record address/value', text(), address, where(), fn);
      return;
    }
    if (record.kind === 'declare' && address instanceof ValueAsMetadata) {
      const { kind } = address.value.type;
      if (kind !== TypeKind.Pointer && kind !== TypeKind.Integer) {
        this.fail('location of #dbg_declare must be a pointer or int', text(), address, where(), fn);
        return;
      }
    }
    if (!isOfClass(variable, 'DILocalVariable')) {
      this.fail('invalid #dbg record variable', text(), variable, where(), fn);
      return;
    }
    this.visitNode(variable, false);
    if (!isOfClass(expression, 'DIExpression')) {
      this.fail('invalid #dbg record expression', text(), expression, where(), fn);
      return;
    }
    this.visitNode(expression, false);
    if (record.kind === 'assign' && !this.visitAssignment(record, text, where, fn)) return;
    const type = nodeOf(variable, 'type');
    if (!this.rules.isType(type)) {
      this.fail('invalid type ref', variable, type, where(), fn);
      return;
    }
    if (location?.className !== 'DILocation') {
      this.fail('invalid #dbg record DILocation', text(), location, where(), fn);
      return;
    }
    const ofVariable = subprogramOf(nodeOf(variable, 'scope'));
    const ofLocation = subprogramOf(nodeOf(location, 'scope'));
    if (ofVariable === null || ofLocation === null) return;
    if (ofVariable !== ofLocation) {
      const message = 'mismatched subprogram between #dbg record variable and DILocation';
      this.fail(message, text(), where(), fn, variable, ofVariable, location, ofLocation, where(), fn);
      return;
    }
    this.visitArgument(variable, location, text, fn);
  }

  /** Operands of an assignment besides those of a value: identity, address and its expression. */
  private visitAssignment(record: DebugRecord, text: () => string, where: () => string, fn: IRFunction): boolean {
    const [, , , id, address, expression] = record.operands;
    if (!isOfClass(id, 'DIAssignID')) return this.end('invalid #dbg_assign DIAssignID', text(), id, where(), fn);
    this.visitNode(id, false);
    const isEmpty = address instanceof MDNode && address.operands.length === 0;
    if (!(address instanceof ValueAsMetadata) && !isEmpty)
      return this.end('invalid #dbg_assign address', text(), address, where(), fn);
    if (!isOfClass(expression, 'DIExpression'))
      return this.end('invalid #dbg_assign address expression', text(), expression, where(), fn);
    this.visitNode(expression, false);
    return true;
  }

  /** An argument has one variable, where the function has debug info and nothing is inlined. */
  private visitArgument(variable: MDNode, location: MDNode, text: () => string, fn: IRFunction): void {
    const arg = variable.fields?.get('arg');
    if (typeof arg !== 'bigint' || arg === 0n) return;
    if (subprogramAttached(fn) === null || nodeOf(location, 'inlinedAt') !== null) return;
    const before = this.argVariables.get(arg);
    this.argVariables.set(arg, variable);
    if (before !== undefined && before !== variable)
      this.fail('conflicting debug info for argument', text(), before, variable);
  }

  private visitFragment(record: DebugRecord, fn: IRFunction): void {
    const [, variable, expression] = record.operands;
    if (!isOfClass(variable, 'DILocalVariable') || !isOfClass(expression, 'DIExpression')) return;
    if (!isValidExpression(expression)) return;
    const fragment = expressionFragment(expression);
    if (fragment === null || this.rules.hasFlag(variable, 'DIFlagArtificial')) return;
    this.rules.visitFragment(variable, fragment, () => printDebugRecord(record, fn, this.module));
  }

  private visitEntryValue(record: DebugRecord, fn: IRFunction): void {
    const [address, , expression] = record.operands;
    if (!isOfClass(expression, 'DIExpression') || !isValidExpression(expression)) return;
    if (address instanceof ValueAsMetadata) {
      const { value } = address;
      if (value.kind === ValueKind.Undef || value.kind === ValueKind.Poison) return;
      if (value instanceof Argument && (value.attributes?.get('swiftasync') ?? null) !== null) return;
    }
    if (isEntryValue(expression)) {
      const message = 'Entry values are only allowed in MIR unless they target a swiftasync Argument';
      this.fail(message, printDebugRecord(record, fn, this.module));
    }
  }

  private visitLabel(record: DebugRecord, location: MDNode | null, block: BasicBlock, fn: IRFunction): void {
    const [label] = record.operands;
    const text = (): string => printDebugRecord(record, fn, this.module);
    if (!isOfClass(label, 'DILabel')) {
      this.fail('invalid #dbg_label intrinsic variable', text(), label);
      return;
    }
    if (location === null) {
      this.fail('invalid #dbg_label DILocation', text(), printTypedValue(block, fn), fn);
      return;
    }
    if (location.className !== 'DILocation') return;
    const ofLabel = subprogramOf(nodeOf(label, 'scope'));
    const ofLocation = subprogramOf(nodeOf(location, 'scope'));
    if (ofLabel === null || ofLocation === null || ofLabel === ofLocation) return;
    const message = 'mismatched subprogram between #dbg_label label and !dbg attachment';
    this.fail(message, text(), printTypedValue(block, fn), fn, label, ofLabel, location, ofLocation);
  }
}

/** The location of a record; null where one is missing. */
function locationOf({ kind, operands }: DebugRecord): MDNode | null {
  const n = kind === 'assign' ? 7 : kind === 'label' ? 2 : 4;
  const last = operands.length === n ? operands[n - 1] : null;
  return last instanceof MDNode ? last : null;
}

function subprogramAttached(fn: IRFunction): MDNode | null {
  const node = fn.attachments?.find((a) => a.kind === 'dbg')?.node;
  return isOfClass(node ?? null, 'DISubprogram') ? (node as MDNode) : null;
}

function isIntrinsic(i: Instruction): boolean {
  const name = i.operands[i.operands.length - 1].name;
  return name !== null && name.startsWith('llvm.') && intrinsicBaseName(name) !== null;
}

/** @llvm Globals.cpp GlobalValue::isInterposable */
const isInterposable = ({ linkage }: IRFunction): boolean =>
  ['weak', 'linkonce', 'common', 'extern_weak'].includes(linkage);
