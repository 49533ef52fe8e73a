/** Shape of the JSON that the extractor (`server/tools/extract`) prints, as far as the packer reads it. */

/** [first, count, first, count, ...] */
export type Ranges = readonly number[];

/** [name, opcode, defs, size, sched_class, flags, ts_flags (hex), operands, implicit_uses, implicit_defs] */
export type InstrRow = readonly [string, number, number, number, number, number, string, number, number, number];

/** [name | 0, encoding, flags, first_unit | Ranges, unit_count, unit_lanes, leaves, asm_name, cost, sub_regs] */
export type RegRow = readonly [string | 0, number, number, number | Ranges, number, number, Ranges, string, number, readonly number[]];

export interface ClassFacts {
  readonly id: number;
  readonly name: string;
  readonly regs: Ranges;
  readonly bits: number;
  readonly spill_size: number;
  readonly spill_align: number;
  readonly copy_cost: number;
  readonly allocatable: boolean;
  readonly base_class: boolean;
  readonly ts_flags: number;
  readonly alloc_priority: number;
  readonly global_priority: boolean;
  readonly disjunct_sub_regs: boolean;
  readonly covered_by_sub_regs: boolean;
  readonly lanes: string;
  readonly weight: number;
  readonly weight_limit: number;
  readonly pressure_sets: readonly number[];
  readonly gcn_kind: number;
  readonly sub_classes: Ranges;
  readonly super_classes: readonly number[];
  readonly super_reg_indices: readonly number[];
  readonly types: readonly string[];
  readonly alloc_order: Ranges | null;
  /** [index, sub-register class, sub-class with that index] */
  readonly sub_reg_classes: readonly (readonly [number, number, number])[];
}

export interface Facts {
  readonly llvm: string;
  readonly features: readonly (readonly [string, string])[];
  readonly instrs: {
    readonly rows: readonly InstrRow[];
    readonly operand_names: readonly string[];
    /** flat, six numbers for each operand: class, flags, type, tied_to, early_clobber, name */
    readonly operand_lists: readonly (readonly number[])[];
    readonly implicit_lists: readonly (readonly number[])[];
  };
  readonly sub_reg_indices: {
    readonly rows: readonly (readonly [string, number, number, string])[];
    readonly compose: readonly (readonly [number, number, number])[];
  };
  readonly reg_units: { readonly rows: readonly (readonly [string, number, readonly number[], readonly number[]])[] };
  readonly regs: { readonly rows: readonly RegRow[]; readonly lane_lists: readonly (readonly string[])[] };
  readonly pressure_sets: { readonly names: readonly string[] };
  readonly classes: readonly ClassFacts[];
  readonly reg_masks: Readonly<Record<string, Ranges>>;
}

/** All members of a range list, in its order. */
export function expand(ranges: Ranges): number[] {
  const res: number[] = [];
  for (let i = 0; i < ranges.length; i += 2) for (let k = 0; k < ranges[i + 1]!; k++) res.push(ranges[i]! + k);
  return res;
}

/** Upper and lower 32 bits of a hexadecimal number. */
export function hi32(hex: string): number {
  return hex.length > 8 ? parseInt(hex.slice(0, -8), 16) : 0;
}
export function lo32(hex: string): number {
  return parseInt(hex.slice(-8), 16);
}
