/** Values in physical registers that a call's register mask does not preserve, though code after the call reads them. */
import { registerRole } from '../../analysis/registerRole.js';
import { ReservedRegs } from '../../analysis/reservedRegs.js';
import type { LostValue } from '../../analysis/callClobbers.js';
import { DiagnosticOrigin, Severity, type Diagnostic } from '../../text/diagnostic.js';
import { callsOf, maskText } from '../allocation/callCrossings.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

type RelatedPlace = NonNullable<Diagnostic['related']>[number];

/** Of the machine verifier, where it notices that the register is lost. */
export const UNDEFINED_READ = 'using-an-undefined-physical-register';

/** Offsets absolute. None where the verifier has errors, which get `lossPlaces`. O(operands) for functions with calls */
export function clobberFindings(view: FunctionView, snapshot: Snapshot): Diagnostic[] {
  const { fn, start: base } = view;
  const source = fn?.source;
  if (!fn || !source || view.summary === null) return [];
  const { lost } = callsOf(view, fn);
  if (lost.length === 0) return [];
  const reserved = new ReservedRegs(fn);
  const lineOf = (i: number): number => snapshot.text.lineAt(base + source.instrRange(i).start) + 1;
  return lost.map((one): Diagnostic => {
    const { start, end } = source.operandRange(one.call, one.mask - fn.opBegin[one.call]!);
    const { kind } = registerRole(fn, reserved, one.reg);
    const role = kind === 'caller-saved' ? ', which is caller-saved' : '';
    const value = one.value < 0 ? 'the value that came in' : `the value of line ${lineOf(one.value)}`;
    return {
      start: base + start,
      end: base + end,
      severity: Severity.Warning,
      origin: DiagnosticOrigin.Ours,
      code: 'call-clobber',
      message: `${maskText(fn, one.mask)} does not preserve $${fn.tables.regName(one.reg)}${role}: ${value} is lost, and line ${lineOf(one.read)} reads it`,
      related: placesOf(view, one, one.read),
    };
  });
}

const isAt = ({ fn, start: base }: FunctionView, i: number, offset: number): boolean => {
  const { start, end } = fn!.source!.instrRange(i);
  return base + start <= offset && offset < base + end;
};

function placesOf({ fn, start: base }: FunctionView, { value }: LostValue, read: number): RelatedPlace[] {
  const place = (i: number, message: string): RelatedPlace => {
    const { start, end } = fn!.source!.instrRange(i);
    return { start: base + start, end: base + end, message };
  };
  return [...(value < 0 ? [] : [place(value, 'the value is made here')]), place(read, 'and read here')];
}

/** For a read of an undefined register: the call that takes the value, and where that is made. Absolute offsets. */
export function lossPlaces(view: FunctionView, offset: number): RelatedPlace[] {
  const { fn } = view;
  const source = fn?.source;
  if (!fn || !source) return [];
  return callsOf(view, fn)
    .lost.filter((one) => isAt(view, one.read, offset))
    .flatMap((one) => {
      const { start, end } = source.operandRange(one.call, one.mask - fn.opBegin[one.call]!);
      const message = `${maskText(fn, one.mask)} does not preserve $${fn.tables.regName(one.reg)}`;
      const call = { start: view.start + start, end: view.start + end, message };
      return [...placesOf(view, one, one.read).slice(0, -1), call];
    });
}
