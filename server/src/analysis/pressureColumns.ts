/** Live registers along a function, by instruction. */

/** Live registers at every instruction: for each RegKind an Int32Array(nInstrs) by InstrId. Bundle members have their header's numbers. */
export interface PressureColumns {
  /** just before the instruction */
  readonly before: readonly Int32Array[];
  /** at the instruction: its uses and defs, early clobbers and dead defs included */
  readonly at: readonly Int32Array[];
  /** just after the instruction */
  readonly after: readonly Int32Array[];
}
