/** Descriptors, addresses and stored tuples of which a part is read that nothing has written: llc takes them, the processor reads what the register happens to hold. */
import { undefinedReads, type UndefinedRead } from '../../analysis/undefinedReads.js';
import { DiagnosticOrigin, Severity, type Diagnostic } from '../../text/diagnostic.js';
import { MemoryKey } from '../snapshot/memory.js';
import type { FunctionView } from '../snapshot/snapshot.js';
import { nameOf } from '../words/registerNames.js';

/** Kept with the function: an edit of another one asks again. */
const UNDEFINED_READS = new MemoryKey<readonly UndefinedRead[]>('parts that are read and nothing has written');

/** Per function; the first ones say it. */
const MAX_FINDINGS = 20;

/** Offsets absolute. None for a function with errors. O(operands) */
export function undefinedPartFindings(view: FunctionView): Diagnostic[] {
  const { fn, summary, start: base } = view;
  const source = fn?.source;
  if (!fn || !source || summary === null || summary.usedRegisters.kind !== 'virtual') return [];
  return view.memory
    .of(UNDEFINED_READS, () => undefinedReads(fn, summary.lis))
    .slice(0, MAX_FINDINGS)
    .map(({ instr, operand, vreg, lo, hi }) => {
      const { start, end } = source.operandRange(instr, operand - fn.opBegin[instr]!);
      const parts = partsText(lo, hi);
      return {
        ...{ start: base + start, end: base + end, severity: Severity.Warning, origin: DiagnosticOrigin.Ours },
        code: 'undefined-part',
        message: `nothing has written ${parts} of ${nameOf(fn, vreg)}, and this reads all of it; a definition of ${parts} is missing, or the operand should name the part that is meant`,
      };
    });
}

/** `sub3`, `sub2 and sub3`: two lanes are 32 bits. */
function partsText(lo: number, hi: number): string {
  const parts: string[] = [];
  for (let k = 0; k < 32; k++) {
    const word = k < 16 ? lo >>> (2 * k) : hi >>> (2 * k - 32);
    const both = word & 3;
    if (both === 3) parts.push(`sub${k}`);
    else if (both !== 0)
      parts.push(k === 0 ? (both === 1 ? 'lo16' : 'hi16') : `sub${k}_${both === 1 ? 'lo16' : 'hi16'}`);
  }
  const last = parts.pop() ?? '';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}
