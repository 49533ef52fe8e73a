/**
 * What llc keeps in memory, at its definition, for those who ask for it (`amdgpu-mir.diagnostics.pressure`); and where a save, a reload or a copy moves fewer
 * lanes than somebody reads. Known when the background has allocated the function.
 */
import { execRegions } from '../../analysis/uniformity/execRegions.js';
import { ExecChange } from '../../analysis/uniformity/execChanges.js';
import { computeFunctionLimits } from '../../model/functionLimits.js';
import { OpFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import type { VRegId } from '../../model/register.js';
import type { AllocatedFunction } from '../../passes/regalloc/trace/collector.js';
import { spilledValues, type SpilledValue } from '../../program/spilledValues.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { DiagnosticOrigin, Severity, type Diagnostic } from '../../text/diagnostic.js';
import { MemoryKey } from '../snapshot/memory.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { plural } from '../words/numbers.js';
import { nameOf } from '../words/registerNames.js';

/** Per function; those with most reloads in loops first. */
const MAX_FINDINGS = 20;
const MAX_RELATED = 4;

const known = ({ knownAllocation: found }: FunctionView): AllocatedFunction | null =>
  found === null || typeof found === 'string' || found.errors.length > 0 ? null : found;

/** Offsets absolute; none as long as nobody has allocated the function. */
export function spillFindings(view: FunctionView, snapshot: Snapshot): Diagnostic[] {
  const { fn } = view;
  const allocated = known(view);
  if (fn === null || !fn.source || allocated === null) return [];
  const spilled = spilledValues(fn, allocated).sort((a, b) => b.inLoops - a.inLoops || b.reloads - a.reloads);
  return spilled.slice(0, MAX_FINDINGS).flatMap((value): Diagnostic[] => {
    const at = value.definition >= 0 ? value.definition : (value.reloadsBefore.find((i) => i >= 0) ?? -1);
    if (at < 0) return [];
    const reloads = [...new Set(value.reloadsBefore)].filter((i) => 0 <= i && i < fn.nInstrs).slice(0, MAX_RELATED);
    return [
      {
        ...rangeOf(view, fn, at),
        severity: Severity.Warning,
        origin: DiagnosticOrigin.Ours,
        code: 'spilled',
        message: `${spillText(fn, value)}; ${helpText(view, fn, snapshot, value)}`,
        related: reloads.map((i) => ({ ...rangeOf(view, fn, i), message: 'reloaded before this' })),
      },
    ];
  });
}

function rangeOf({ start: base }: FunctionView, fn: MachineFunction, i: InstrId): { start: number; end: number } {
  const { start, end } = fn.source!.instrRange(i);
  return { start: base + start, end: base + end };
}

/** `llc spills %12 (4 registers): 1 save, 3 reloads, 3 of them in 2 loops` */
function spillText(fn: MachineFunction, value: SpilledValue): string {
  const { vreg, registers, saves, reloads, inLoops, loopDepth, isScalar } = value;
  const wide = registers === 1 ? '' : ` (${registers} registers)`;
  const where =
    loopDepth === 0 ? '' : `, ${inLoops} of them in ${loopDepth === 1 ? 'a loop' : `loops, at most ${loopDepth} deep`}`;
  const moves = `${plural(saves, 'save')}, ${plural(reloads, 'reload')}${where}`;
  return `llc spills ${nameOf(fn, vreg)}${wide}${isScalar ? ' to lanes of a VGPR or to memory' : ''}: ${saves + reloads === 0 ? 'saves and reloads were merged or are gone' : moves}`;
}

/** What would help, as far as it can be told without computing it. */
function helpText(
  view: FunctionView,
  fn: MachineFunction,
  snapshot: Snapshot,
  { vreg, isScalar }: SpilledValue,
): string {
  const can =
    snapshot.settings.rematDiagnostics || fn.nInstrs <= MAX_REMAT_INSTRS ? view.remat?.candidates.of(vreg) : undefined;
  if (can !== undefined && can.candidate !== null) return 'it can be rematerialized instead (light bulb)';
  const budget = isScalar ? null : budgetText(fn);
  return budget ?? `"Why" (amdgpu-mir why) computes which option, attribute or edit helps`;
}

const MAX_REMAT_INSTRS = 5000;

/** Null where the processor has no more registers for the function. */
function budgetText(fn: MachineFunction): string | null {
  const limits = computeFunctionLimits(fn);
  const { maxNumVGPRs, flatWorkGroupSizes, subtarget, dynamicVGPRBlockSize } = limits;
  const most = subtarget.addressableNumVGPRs(dynamicVGPRBlockSize);
  if (maxNumVGPRs >= most) return null;
  const { attributes } = fn.header.irFunction;
  const by = ['amdgpu-num-vgpr', 'amdgpu-waves-per-eu'].find((name) => attributes.has(name));
  if (by !== undefined)
    return `"${by}"="${attributes.get(by)}" leaves the function ${maxNumVGPRs} VGPRs of ${most}: another value gives it more`;
  return `work groups of up to ${flatWorkGroupSizes[1]} leave the function ${maxNumVGPRs} VGPRs of ${most}: a smaller "amdgpu-flat-work-group-size" gives it more`;
}

// -- lanes ----------------------------------------------------------------------------------------------------------

/** They read what other lanes have, whether or not these run. */
const READS_OTHER_LANES = new OpcodePattern(
  /^(?:V_READLANE_|V_PERMLANE|DS_(?:B?PERMUTE|SWIZZLE|BPERMUTE_FI)_|V_\w+_dpp)/,
);

const LOSSES = new MemoryKey<readonly LaneLoss[]>('lanes that spills and copies leave out');

interface LaneLoss {
  readonly vreg: VRegId;
  readonly kind: 'save' | 'reload' | 'copy';
  /** instruction of the source beside the one that was inserted */
  readonly at: InstrId;
  readonly reader: InstrId;
}

/** Always told: such code computes something else than its author means. Offsets absolute. */
export function laneLossFindings(view: FunctionView, snapshot: Snapshot): Diagnostic[] {
  const { fn } = view;
  const allocated = known(view);
  if (fn === null || !fn.source || allocated === null) return [];
  const losses = view.memory.of(LOSSES, () => laneLosses(view, fn, allocated));
  const words = { save: 'is saved', reload: 'is reloaded', copy: 'is copied' };
  return losses.slice(0, MAX_FINDINGS).map(({ vreg, kind, at, reader }) => {
    const line = snapshot.text.lineAt(view.start + fn.source!.instrRange(reader).start) + 1;
    return {
      ...rangeOf(view, fn, at),
      severity: Severity.Warning,
      origin: DiagnosticOrigin.Ours,
      code: 'spill-loses-lanes',
      message: `${nameOf(fn, vreg)} ${words[kind]} by llc beside this, where some lanes may be switched off (all of them, if nothing branches around it), and line ${line} reads it from other lanes: theirs are not moved; a whole-wave register (WWM_REG), or a read before EXEC is narrowed, keeps them`,
      related: [{ ...rangeOf(view, fn, reader), message: 'it is read from other lanes here' }],
    };
  });
}

/** O(instructions + inserted instructions * regions of EXEC) */
function laneLosses(view: FunctionView, fn: MachineFunction, { inserted }: AllocatedFunction): LaneLoss[] {
  const readers = new Map<VRegId, InstrId>();
  for (let b = 0; b < fn.blocks.length; b++)
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
      const i = fn.order[p]!;
      if (!READS_OTHER_LANES.has(fn.tables, fn.opcode[i]!)) continue;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
        if (fn.opVal[o]! < 0 && (fn.opFlags[o]! & (OpFlag.Def | OpFlag.Undef)) === 0 && isVector(fn, ~fn.opVal[o]!))
          readers.set(~fn.opVal[o]!, i);
    }
  const moved = inserted.filter(({ vreg, kind }) => kind !== 'rematerialized' && readers.has(vreg));
  if (moved.length === 0 || view.lanes === null) return [];
  const narrowed = execRegions(view.lanes).filter(({ change }) => change === ExecChange.Narrowed);
  const place = new Int32Array(fn.nInstrs);
  for (let b = 0; b < fn.blocks.length; b++)
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) place[fn.order[p]!] = p;
  const isIn = (region: (typeof narrowed)[number], p: number): boolean =>
    region.spans.some(([from, to]) => from <= p && p < to);
  const found: LaneLoss[] = [];
  for (const { vreg, kind, after, before } of moved) {
    const at = kind === 'save' ? after : before;
    const near = at >= 0 && at < fn.nInstrs ? at : kind === 'save' ? before : after;
    if (near < 0 || near >= fn.nInstrs || fn.vregs.flags[vreg]?.includes('WWM_REG') === true) continue;
    const reader = readers.get(vreg)!;
    // Lanes that do not run where it is read either are nobody's.
    const loses = narrowed.some((region) => isIn(region, place[near]!) && !isIn(region, place[reader]!));
    if (loses && kind !== 'rematerialized' && found.every((other) => other.vreg !== vreg))
      found.push({ vreg, kind, at: near, reader });
  }
  return found;
}

function isVector({ vregs, tables }: MachineFunction, v: VRegId): boolean {
  const rc = vregs.regClass[v] ?? -1;
  return rc >= 0 && !tables.isSGPRClass(rc);
}
