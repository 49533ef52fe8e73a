/**
 * References to metadata as machine functions print them (AsmWriter's writeAsOperandInternal and MachineModuleSlotTracker,
 * LLVM 22): the number in the printed module; nodes that only alias information of the function reaches get the numbers
 * after the module's; locations and expressions without a number are written out; any other such node is an address.
 */
import { MetadataSlots } from '../../ir/metadataSlots.js';
import { MDNode, MDString, ValueAsMetadata, escapeIRString, type IRModule, type Metadata } from '../../ir/module.js';
import { expressionText } from '../../ir/debugExpression.js';
import { printTypedValue } from '../../ir/printer.js';

/** Stands for the address that llc prints, which differs from run to run: tells nodes apart by their number in the text. */
const addressText = ({ number }: MDNode): string => `<0x${(number + 1).toString(16)}>`;

/** The number in the text of the node that prints as this address, -1 = none. */
export function numberOfAddress(text: string): number {
  const match = /^<0x([0-9a-f]+)>$/.exec(text);
  return match === null ? -1 : parseInt(match[1], 16) - 1;
}

/** Locations inlined into each other that are followed: a location may be inlined into itself, which ends llc. */
const MAX_CHAIN = 1000;

const LOCATION_FIELDS = ['line', 'column', 'scope', 'inlinedAt', 'isImplicitCode', 'atomGroup', 'atomRank'] as const;

/** Texts for one module; numbers the module's metadata when first asked. */
export class MetadataTexts {
  private slots: MetadataSlots | null = null;
  /** locations around the one that is printed */
  private depth = 0;
  /** numbered uniqued locations by their written-out form */
  private locations: Map<string, number> | null = null;

  constructor(private readonly module: IRModule) {}

  nodeOf(number: number): MDNode | null {
    return this.module.metadataByNumber(number);
  }

  /** A node by its number in the text. */
  ofNumber(number: number): string {
    const node = this.module.metadataByNumber(number);
    return node === null ? `!${number}` : this.ofNode(node);
  }

  /** A location written out in MIR: the number of the equal node of the module, else the text itself. */
  ofInlineLocation(text: string): string {
    if (this.locations === null) {
      this.locations = new Map();
      for (const n of this.numbering.nodes) {
        if (n.className !== 'DILocation' || n.isDistinct) continue;
        this.locations.set(this.locationText(n), this.numbering.slotOf(n));
      }
    }
    const slot = this.locations.get(text);
    return slot === undefined ? text : `!${slot}`;
  }

  /** -1 when the printed module does not number it */
  slotOf(node: MDNode): number {
    return this.numbering.slotOf(node);
  }

  /** number of nodes that the printed module numbers */
  get nSlots(): number {
    return this.numbering.nodes.length;
  }

  ofNode(node: MDNode): string {
    if (node.className === 'DIExpression') return expressionText(node);
    const slot = this.numbering.slotOf(node);
    if (slot >= 0) return `!${slot}`;
    if (node.className !== 'DILocation' || this.depth > MAX_CHAIN) return addressText(node);
    this.depth++;
    const text = this.locationText(node);
    this.depth--;
    return text;
  }

  private get numbering(): MetadataSlots {
    this.slots ??= new MetadataSlots(this.module);
    return this.slots;
  }

  private locationText(node: MDNode): string {
    return printLocation((field) => {
      const value = node.fields?.get(field);
      if (value === undefined || value === null) return undefined;
      return value instanceof MDNode ? this.ofNode(value) : String(value);
    });
  }
}

/** The same for one function, with the nodes that its memory operands bring in. */
export class FunctionMetadata {
  private readonly slots = new Map<MDNode, number>();
  /** nodes without a number in the module, by their number minus the module's count */
  private readonly nodes: MDNode[] = [];

  /** @param texts null: no IR */
  constructor(
    private readonly texts: MetadataTexts | null,
    private readonly machineNodes: ReadonlyMap<number, MDNode>,
  ) {}

  /** `number` as written */
  nodeOf(number: number): MDNode | null {
    return this.texts?.nodeOf(number) ?? this.machineNodes.get(number) ?? null;
  }

  /** `number` as written */
  text(number: number): string {
    const node = this.nodeOf(number);
    return node === null ? `!${number}` : this.ofNode(node);
  }

  /** The same for a node of alias information (`!tbaa`, `!noalias` ...), which gets a number if it has none. */
  aliasText(number: number): string {
    const node = this.nodeOf(number);
    if (node === null) return `!${number}`;
    this.add(node);
    return this.ofNode(node);
  }

  /** Bit width of the bounds of a `!range` node; 0 if it has none. */
  rangeBits(number: number): number {
    const first = this.nodeOf(number)?.operands[0];
    return first instanceof ValueAsMetadata ? first.value.type.n : 0;
  }

  locationText(text: string): string {
    return this.texts?.ofInlineLocation(text) ?? text;
  }

  /** Lines of `machineMetadataNodes:` as printed. */
  definitions(): string[] {
    const first = this.texts?.nSlots ?? 0;
    return this.nodes.map((n, i) => `!${first + i} = ${n.isDistinct ? 'distinct ' : ''}${this.tuple(n)}`);
  }

  /** Number of nodes that only this function reaches. */
  get nNodes(): number {
    return this.nodes.length;
  }

  private add(node: MDNode): void {
    if (node.className === 'DIExpression' || this.slots.has(node)) return;
    if ((this.texts?.slotOf(node) ?? -1) >= 0) return;
    this.slots.set(node, (this.texts?.nSlots ?? 0) + this.nodes.length);
    this.nodes.push(node);
    for (const op of node.operands) if (op instanceof MDNode) this.add(op);
  }

  private ofNode(node: MDNode): string {
    const slot = this.slots.get(node);
    if (slot !== undefined) return `!${slot}`;
    return this.texts?.ofNode(node) ?? addressText(node);
  }

  private tuple(node: MDNode): string {
    return `!{${node.operands.map((op) => this.operand(op)).join(', ')}}`;
  }

  private operand(op: Metadata | null): string {
    if (op === null) return 'null';
    if (op instanceof MDNode) return this.ofNode(op);
    if (op instanceof MDString) return `!"${escapeIRString(op.value)}"`;
    return printTypedValue(op.value);
  }
}

/** `!DILocation(...)` with its fields in LLVM's order; the column 0 and false flags are not shown. */
export function printLocation(field: (name: string) => string | undefined): string {
  const parts: string[] = [];
  for (const name of LOCATION_FIELDS) {
    const text = field(name);
    if (text === undefined) continue;
    if (name !== 'line' && (text === '0' || text === 'false')) continue;
    parts.push(`${name}: ${text}`);
  }
  return `!DILocation(${parts.join(', ')})`;
}
