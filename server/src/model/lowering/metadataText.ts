/**
 * References to metadata as machine functions print them (AsmWriter's writeAsOperandInternal, LLVM 22): the number in the printed
 * module; a location that the module does not reach is written out; any other such node is an address.
 */
import { MetadataSlots } from '../ir/metadataSlots.js';
import { MDNode, type IRModule } from '../ir/module.js';

/** Stands for the address that llc prints, which differs from run to run. */
const UNNUMBERED = '<0x0>';

const LOCATION_FIELDS = ['line', 'column', 'scope', 'inlinedAt', 'isImplicitCode', 'atomGroup', 'atomRank'] as const;

/** Texts for one module; numbers the module's metadata when first asked. */
export class MetadataTexts {
  private slots: MetadataSlots | null = null;
  /** numbered uniqued locations by their written-out form */
  private locations: Map<string, number> | null = null;

  constructor(private readonly module: IRModule) {}

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
        if (n.className === 'DILocation' && !n.isDistinct)
          this.locations.set(this.locationText(n), this.numbering.slotOf(n));
      }
    }
    const slot = this.locations.get(text);
    return slot === undefined ? text : `!${slot}`;
  }

  private get numbering(): MetadataSlots {
    this.slots ??= new MetadataSlots(this.module);
    return this.slots;
  }

  private ofNode(node: MDNode): string {
    const slot = this.numbering.slotOf(node);
    if (slot >= 0) return `!${slot}`;
    return node.className === 'DILocation' ? this.locationText(node) : UNNUMBERED;
  }

  private locationText(node: MDNode): string {
    return printLocation((field) => {
      const value = node.fields?.get(field);
      if (value === undefined || value === null) return undefined;
      return value instanceof MDNode ? this.ofNode(value) : String(value);
    });
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
