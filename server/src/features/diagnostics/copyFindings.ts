/** Copies from vector to scalar registers, which the hardware cannot make: what si-fix-sgpr-copies does with each, and where lanes lose their values by it. */
import { LaneValue, type LaneValues } from '../../analysis/uniformity/laneValues.js';
import { OperandKind, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import { CopyFate, judgeCopies, type CopyVerdict } from '../../passes/fixSgprCopies/fixSgprCopies.js';
import { DiagnosticOrigin, Severity, type Diagnostic } from '../../text/diagnostic.js';
import { Cancelled, NEVER_CANCELLED, type CancellationToken } from '../../util/cancellation.js';
import { MemoryKey } from '../snapshot/memory.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { nameOf } from '../words/registerNames.js';

/** Codes of the findings. */
export const COPY_CODES: readonly unknown[] = ['vector-to-scalar-copy', 'divergent-scalar'];

/** Per function; the first ones say it. */
const MAX_FINDINGS = 50;

/** Verdicts are part of the diagnostics of every edit: they get a tenth of the time that readers of a snapshot wait. */
const SHARE = 0.1;

/** 'late': the time was too short, until somebody tells (`takeVerdicts`). */
const VERDICTS = new MemoryKey<readonly CopyVerdict[] | 'late'>('verdicts on copies');

/** Verdicts by the function's index in the document. */
export type VerdictsByFunction = readonly (readonly [number, readonly CopyVerdict[]])[];

export const isLateToJudge = ({ memory }: FunctionView): boolean => memory.known(VERDICTS) === 'late';

/** What is known, null when nothing is. Computes nothing. */
export function judgedCopies({ memory }: FunctionView): readonly CopyVerdict[] | null {
  const known = memory.known(VERDICTS);
  return known === undefined || known === 'late' ? null : known;
}

/** Verdicts that were made elsewhere, or of the same text before. */
export function takeVerdicts({ memory }: FunctionView, found: readonly CopyVerdict[]): void {
  memory.keep(VERDICTS, found);
}

/**
 * Verdicts on the copies that the function spells, made once; null when cancelled, and none for a function for which they take longer than readers of the
 * snapshot wait (`isLateToJudge`). Empty for functions not in SSA form, where the pass does not run.
 */
export function copyVerdicts(
  { fn, memory }: FunctionView,
  snapshot: Pick<Snapshot, 'limited'>,
  token: CancellationToken = NEVER_CANCELLED,
): readonly CopyVerdict[] | null {
  const known = memory.known(VERDICTS);
  if (known !== undefined) return known === 'late' ? [] : known;
  const limited = snapshot.limited({ isCancelled: () => token.isCancelled() }, SHARE);
  try {
    const found = fn && isBeforePass(fn) ? judgeCopies(fn, () => checkpoint(limited)) : [];
    memory.keep(VERDICTS, found);
    return found;
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    if (limited.isLate !== true) return null;
    memory.keep(VERDICTS, 'late');
    return [];
  }
}

function checkpoint(token: CancellationToken): void {
  if (token.isCancelled()) throw new Cancelled();
}

/** Whether the function has errors: then nothing is said of its copies. */
const isBroken = (view: FunctionView): boolean => view.diagnostics.some((d) => d.severity === Severity.Error);

/** Makes the verdicts that `copyFindings` tells of. False when cancelled. */
export function judgeCopiesOf(view: FunctionView, snapshot: Snapshot, token: CancellationToken): boolean {
  return !view.fn?.source || isBroken(view) || copyVerdicts(view, snapshot, token) !== null;
}

function isScalar({ vregs, tables }: MachineFunction, reg: Reg): boolean {
  const rc = isVirtualReg(reg) ? vregs.regClass[virtRegIndex(reg)]! : tables.getMinimalPhysRegClass(reg);
  return rc >= 0 && tables.isSGPRClass(rc);
}

/** Whether the function has such a copy, and one definition for each register. O(operands) */
function isBeforePass(fn: MachineFunction): boolean {
  const copy = fn.tables.opcodeByName('COPY');
  const vreg1 = fn.tables.regClassByName('vreg_1');
  const seen = new Uint8Array(fn.vregs.n);
  let has = false;
  for (let i = 0; i < fn.nInstrs; i++) {
    const begin = fn.opBegin[i]!;
    for (let o = begin; o < fn.opBegin[i + 1]!; o++) {
      if (fn.opKind[o] !== OperandKind.Register || (fn.opFlags[o]! & 1) === 0 || !isVirtualReg(fn.opVal[o]!)) continue;
      const v = virtRegIndex(fn.opVal[o]!);
      if (seen[v] === 1) return false;
      seen[v] = 1;
    }
    if (fn.opcode[i] !== copy || !isVirtualReg(fn.opVal[begin + 1]!)) continue;
    const rc = fn.vregs.regClass[virtRegIndex(fn.opVal[begin + 1]!)]!;
    has ||= rc >= 0 && rc !== vreg1 && !isScalar(fn, fn.opVal[begin + 1]!) && isScalar(fn, fn.opVal[begin]!);
  }
  return has;
}

const plural = (n: number): string => `${n} scalar instruction${n === 1 ? '' : 's'}`;

/** What becomes of a copy, as the end of a sentence. */
function fateText({ fate, chain }: CopyVerdict): string {
  switch (fate) {
    case CopyFate.Constant:
      return 'the constant is moved again';
    case CopyFate.Stays:
      return 'the copy stays';
    case CopyFate.FirstLane:
      return chain === 0 ? 'V_READFIRSTLANE_B32' : `V_READFIRSTLANE_B32, since ${plural(chain)} hang on it`;
    case CopyFate.Vector:
      return chain === 0
        ? 'its readers take vector registers'
        : `${plural(chain)} that it reaches may move to the VALU`;
  }
}

/** Offsets absolute. */
export function copyFindings(view: FunctionView, snapshot: Snapshot): Diagnostic[] {
  const { fn, lanes, start: base } = view;
  const source = fn?.source;
  if (!fn || !source || isBroken(view)) return [];
  return (copyVerdicts(view, snapshot) ?? []).slice(0, MAX_FINDINGS).map((verdict): Diagnostic => {
    const { start, end } = source.instrRange(verdict.copy);
    const isLost = lanes !== null && losesLanes(fn, lanes, verdict.copy);
    const src = nameOf(fn, virtRegIndex(fn.opVal[fn.opBegin[verdict.copy]! + 1]!));
    const fate = `si-fix-sgpr-copies: ${fateText(verdict)}`;
    const finding = (severity: Severity, code: string, message: string): Diagnostic => {
      const origin = DiagnosticOrigin.Ours;
      return { start: base + start, end: base + end, severity, origin, code, message: `${message}; ${fate}` };
    };
    return isLost
      ? finding(Severity.Warning, 'divergent-scalar', `${src} is divergent, and the scalar register is no lane mask`)
      : finding(Severity.Information, 'vector-to-scalar-copy', 'copy from a vector to a scalar register');
  });
}

/** A value that differs between lanes goes into a register that is no mask of lanes. */
function losesLanes(fn: MachineFunction, lanes: LaneValues, copy: InstrId): boolean {
  const [dst, src] = [fn.opVal[fn.opBegin[copy]!]!, fn.opVal[fn.opBegin[copy]! + 1]!];
  if (lanes.atUse(virtRegIndex(src), fn.instrBlock[copy]!) !== LaneValue.Divergent) return false;
  return !isVirtualReg(dst) || lanes.atDef(virtRegIndex(dst)) !== LaneValue.LaneMask;
}
