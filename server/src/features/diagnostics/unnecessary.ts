/** Hints for those who ask for them (`amdgpu-mir.diagnostics.unnecessary`): what a function could do without. The light bulb takes it out. */
import { DiagnosticOrigin, Severity, type Diagnostic } from '../../text/diagnostic.js';
import { idleInstrs, shorterEncoding, unreachableBlocks } from '../refactor/cleanup.js';
import type { FunctionView } from '../snapshot/snapshot.js';

/** Per function and kind; the first ones say it. */
const MAX_HINTS = 50;

/** Codes whose text an editor may fade. */
export const FADED: ReadonlySet<string> = new Set(['unreachable-block', 'unused-register']);

/** Offsets absolute. None for a function with errors. O(operands) */
export function unnecessaryFindings(view: FunctionView): Diagnostic[] {
  const { fn, start: base } = view;
  const source = fn?.source;
  if (!fn || !source || view.diagnostics.some((d) => d.severity === Severity.Error)) return [];
  const finding = (range: { start: number; end: number }, code: string, message: string): Diagnostic => ({
    start: base + range.start,
    end: base + range.end,
    severity: Severity.Hint,
    origin: DiagnosticOrigin.Ours,
    code,
    message,
  });
  const found = unreachableBlocks(fn)
    .slice(0, MAX_HINTS)
    .map((b) => {
      const message = `nothing reaches bb.${fn.blocks[b]!.sourceNumber}`;
      return finding(source.blockLabelRange(b), 'unreachable-block', message);
    });
  for (const i of idleInstrs(fn).slice(0, MAX_HINTS))
    found.push(finding(source.instrRange(i), 'unused-register', 'nothing reads what this instruction writes'));
  let nShorter = 0;
  for (let i = 0; i < fn.nInstrs && nShorter < MAX_HINTS; i++) {
    const shorter = shorterEncoding(fn, i);
    if (shorter === null) continue;
    nShorter++;
    const message = `${fn.tables.opcodeName(shorter.opcode)} does the same in ${shorter.to} bytes instead of ${shorter.from}`;
    found.push(finding(source.opcodeRange(i), 'shorter-encoding', message));
  }
  return found;
}
