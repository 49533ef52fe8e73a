/**
 * Numbers of metadata nodes as LLVM prints them (AsmWriter's SlotTracker, LLVM 22): attachments of global variables,
 * operands of named metadata, then function by function attachments, metadata operands, debug records and attachments of
 * instructions; each node before its operands. MIR bodies use the same numbers.
 *
 * Nodes that are not distinct and equal in content are one node in LLVM; here they share a representative.
 */
import {
  Constant,
  IRModule,
  MDNode,
  MDString,
  MetadataAsValue,
  Value,
  ValueAsMetadata,
  IRFunction,
  Opcode,
  ValueKind,
  type CallInfo,
  type Instruction,
  type MDAttachment,
  type Metadata,
} from './module.js';
import { FIXED_MD_KINDS } from './names.js';

const FIXED_KIND_NUMBER: ReadonlyMap<string, number> = new Map(FIXED_MD_KINDS.map((k, i) => [k, i]));

/** Of its own type: LLVM takes others for calls of an address. */
function isIntrinsicCall({ opcode, operands }: Instruction, { fnType }: CallInfo): boolean {
  const callee = operands[operands.length - 1];
  return opcode === Opcode.Call && callee instanceof IRFunction && callee.isIntrinsic && callee.fnType === fnType;
}

export class MetadataSlots {
  /** numbered nodes in order */
  readonly nodes: MDNode[] = [];
  private readonly slots = new Map<MDNode, number>();
  private readonly representatives = new Map<MDNode, MDNode>();
  private readonly byKey = new Map<string, MDNode>();
  private readonly ids = new Map<object, number>();
  private readonly active = new Set<MDNode>();
  private readonly customKinds: ReadonlyMap<string, number>;

  /** Parses all bodies that are still pending. */
  constructor(readonly module: IRModule) {
    this.customKinds = new Map(module.customMDKinds.map((k, i) => [k, FIXED_MD_KINDS.length + i]));
    for (const g of module.globals) this.addAttachments(g.attachments);
    for (const n of module.namedMetadata) for (const op of n.operands) this.add(op);
    for (const f of module.functions) this.addFunction(f);
  }

  /** Number of a node, -1 if it has none (inline nodes such as DIExpression, nodes that nothing reaches). */
  slotOf(node: MDNode): number {
    return this.slots.get(this.representative(node)) ?? -1;
  }

  /** Attachments in LLVM's order of kinds. */
  sorted(list: readonly MDAttachment[]): readonly MDAttachment[] {
    if (list.length < 2) return list;
    return list.slice().sort((a, b) => this.kindNumber(a.kind) - this.kindNumber(b.kind));
  }

  private kindNumber(kind: string): number {
    return FIXED_KIND_NUMBER.get(kind) ?? this.customKinds.get(kind) ?? Number.MAX_SAFE_INTEGER;
  }

  private addFunction(f: IRFunction): void {
    this.addAttachments(f.attachments);
    for (const b of f.blocks) {
      for (const i of b.instructions) {
        if (i.debugRecords !== null) {
          for (const r of i.debugRecords) {
            const ops = r.operands;
            if (r.kind === 'label') this.addIfNode(ops[0]);
            else {
              // An address that is no value is an empty node.
              this.addIfNode(ops[0]);
              this.addIfNode(ops[1]);
              if (r.kind === 'assign') {
                this.addIfNode(ops[3]);
                this.addIfNode(ops[4]);
              }
            }
            this.addIfNode(ops[ops.length - 1]);
          }
        }
        if (i.call !== null && isIntrinsicCall(i, i.call)) {
          for (const op of i.operands)
            if (op.kind === ValueKind.MetadataAsValue) this.addIfNode((op as MetadataAsValue).metadata);
        }
        this.addAttachments(i.attachments);
      }
    }
  }

  private addIfNode(m: Metadata | null): void {
    if (m instanceof MDNode) this.add(m);
  }

  private addAttachments(list: readonly MDAttachment[] | null): void {
    if (list === null) return;
    for (const a of this.sorted(list)) this.addIfNode(a.node);
  }

  /** Numbers a node and what it refers to, without recursion: modules have long chains of nodes. */
  private add(first: MDNode): void {
    const stack: { node: MDNode; next: number }[] = [];
    const enter = (node: MDNode): void => {
      if (node.className === 'DIExpression' || node.className === 'DIArgList') return;
      const n = this.representative(node);
      if (this.slots.has(n)) return;
      this.slots.set(n, this.nodes.length);
      this.nodes.push(n);
      stack.push({ node: n, next: 0 });
    };
    enter(first);
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      if (top.next >= top.node.operands.length) {
        stack.pop();
        continue;
      }
      const op = top.node.operands[top.next++];
      if (op instanceof MDNode) enter(op);
    }
  }

  /** The one node that stands for all equal ones. */
  representative(node: MDNode): MDNode {
    if (node.isDistinct) return node;
    const known = this.representatives.get(node);
    if (known !== undefined) return known;
    // Operands first, on a stack of our own: chains of nodes may be as long as the module.
    const stack: MDNode[] = [node];
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      if (this.representatives.has(top)) {
        stack.pop();
        continue;
      }
      if (!this.active.has(top)) {
        this.active.add(top);
        const before = stack.length;
        for (const op of referencedNodes(top)) {
          // A node that is met again while it is open lies on a cycle and is only equal to itself.
          if (!op.isDistinct && !this.representatives.has(op) && !this.active.has(op)) stack.push(op);
        }
        if (stack.length > before) continue;
      }
      stack.pop();
      this.active.delete(top);
      const key = this.keyOf(top);
      let rep = this.byKey.get(key);
      if (rep === undefined) this.byKey.set(key, (rep = top));
      this.representatives.set(top, rep);
    }
    return this.representatives.get(node)!;
  }

  private keyOf(node: MDNode): string {
    let key = node.className;
    if (node.fields !== null) {
      // The order of fields in the text does not matter.
      const parts: string[] = [];
      for (const [name, v] of node.fields) {
        if (v === null || v === 0n || v === false) continue;
        const isMetadata = v instanceof MDNode || v instanceof MDString || v instanceof ValueAsMetadata;
        parts.push(`${name}=${isMetadata ? this.metadataKey(v) : String(v)}`);
      }
      return key + '(' + parts.sort().join() + ')';
    }
    for (const op of node.operands) key += '|' + (op === null ? 'n' : this.metadataKey(op));
    if (node.elements !== null) {
      for (const e of node.elements) key += '|' + (typeof e === 'object' ? this.metadataKey(e) : String(e));
    }
    return key;
  }

  private metadataKey(m: Metadata): string {
    if (m instanceof MDString) return JSON.stringify(m.value);
    if (m instanceof ValueAsMetadata) return 'v' + this.valueKey(m.value);
    return '#' + this.id(this.representatives.get(m) ?? m);
  }

  private valueKey(v: Value): string {
    if (v instanceof Constant && v.operands.length > 0) {
      return `${v.kind}.${v.opcode}.${v.flags}.${this.id(v.type)}(${v.operands.map((o) => this.valueKey(o)).join()})`;
    }
    return String(this.id(v));
  }

  private id(o: object): number {
    let id = this.ids.get(o);
    if (id === undefined) this.ids.set(o, (id = this.ids.size));
    return id;
  }
}

/** Nodes that a node names in its operands, fields and elements. */
function* referencedNodes(node: MDNode): Generator<MDNode> {
  for (const op of node.operands) if (op instanceof MDNode) yield op;
  if (node.fields !== null) for (const v of node.fields.values()) if (v instanceof MDNode) yield v;
  if (node.elements !== null) for (const e of node.elements) if (e instanceof MDNode) yield e;
}
