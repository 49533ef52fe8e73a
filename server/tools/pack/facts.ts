/** Shape of the JSON that the extractor (`server/tools/extract`) prints; its comments say what the columns are. */

/** [first, count, first, count, ...] */
export type Ranges = readonly number[];

/** [name, defs, size, scheduling class, flags, TSFlags (hex), operand list, named list, implicit uses, implicit defs] */
export type InstrRow = readonly [string, number, number, number, number, string, number, number, number, number];

/** [name, encoding, flags, units, lane list, assembler name, [index, sub-register, ...], minimal class] */
export type RegRow = readonly [string, number, number, Ranges, number, string, readonly number[], number];

export interface ClassFacts {
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
  /** [index, classes whose index-th sub-registers are all in this class] */
  readonly projections: readonly (readonly [number, Ranges])[];
  /** [index, sub-register class, sub-class with that index] */
  readonly sub_reg_classes: readonly (readonly [number, number, number])[];
}

export interface StateFacts {
  readonly cpu: string;
  readonly fs: string;
  readonly on: readonly number[];
  readonly mode_table: number;
  readonly encodings: number;
  readonly conventions: number;
  readonly orders: number;
  readonly hooks: number;
}

export type SchedClassFacts =
  null | 'variant' | readonly [number, number, readonly number[], readonly number[], readonly number[]];

export interface SchedModelFacts {
  readonly id: number;
  readonly issue_width: number;
  readonly micro_op_buffer_size: number;
  readonly load_latency: number;
  readonly high_latency: number;
  readonly mispredict_penalty: number;
  readonly post_ra: boolean;
  readonly complete: boolean;
  readonly intervals: boolean;
  readonly resources: readonly (readonly [string, number, number, number])[];
  readonly classes: readonly SchedClassFacts[];
}

export interface VariantFacts {
  readonly sched_model: number;
  readonly copy: readonly number[];
  readonly others: readonly (readonly [number, readonly number[], readonly number[]])[];
}

export interface Facts {
  readonly format: number;
  readonly llvm: string;
  readonly instrs: {
    readonly operand_names: readonly string[];
    readonly rows: readonly InstrRow[];
    /** flat, five numbers for each operand: class, flags, type, tied to, early clobber */
    readonly operand_lists: readonly (readonly number[])[];
    /** [name, operand, name, operand, ...] */
    readonly named_lists: readonly (readonly number[])[];
    readonly implicit_lists: readonly (readonly number[])[];
    readonly maps: Readonly<Record<string, readonly number[]>>;
  };
  readonly sub_reg_indices: {
    readonly rows: readonly (readonly [string, number, number, string])[];
    readonly compose: readonly (readonly number[])[];
  };
  readonly reg_units: readonly (readonly [string, number, readonly number[], readonly number[]])[];
  readonly regs: {
    readonly rows: readonly RegRow[];
    readonly lane_lists: readonly (readonly string[])[];
    readonly super_regs_unordered: readonly (readonly number[])[];
  };
  readonly reg_masks: Readonly<Record<string, Ranges>>;
  readonly pressure_sets: readonly string[];
  readonly classes: readonly ClassFacts[];
  readonly banks: readonly (readonly [string, Ranges])[];
  readonly features: readonly (readonly [string, string, readonly number[]])[];
  readonly cpus: readonly (readonly [string, readonly number[], readonly number[], number])[];
  readonly default_sched_model: number;
  readonly states: readonly StateFacts[];
  readonly mode_tables: readonly (readonly number[])[];
  readonly encoding_tables: readonly (readonly number[])[];
  readonly reg_lists: readonly Ranges[];
  readonly order_tables: readonly (readonly number[])[];
  readonly convention_tables: readonly (readonly (readonly [number, number, number])[])[];
  readonly sched_models: readonly SchedModelFacts[];
  readonly sched_variants: readonly VariantFacts[];
  readonly uniformity: {
    /** UniformityRule by opcode */
    readonly rules: readonly number[];
    readonly sources_of_divergence: readonly string[];
    readonly always_uniform: readonly string[];
    /** physical registers: copies are divergent; LLVM has no base class for it */
    readonly divergent_copies: Ranges;
    readonly no_base_class: Ranges;
    /** [processor, whether a cast from private to flat is a source of divergence] */
    readonly divergent_casts: readonly (readonly [string, boolean])[];
  };
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
