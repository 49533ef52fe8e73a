/** Pressure, instructions and spills by the lines of the source that debug locations name, each with the calls that it is inlined by. */
import type { PressureSummary } from '../analysis/summary.js';
import { newPressure, numSGPRs, numVGPRs } from '../analysis/gcnPressure.js';
import { BundleFlag, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import type { DebugNames } from '../model/printer/index.js';
import { OpcodePattern } from '../target/opcodeSets.js';
import { isRestore, isSave } from './codeCounts.js';
import { sourcePlaces } from './sourcePlace.js';

/** A line of the source, as inlined by the same calls. */
export interface SourceLine {
  /** as the metadata has it */
  readonly file: string;
  /** from 1; 0: made by the compiler */
  readonly line: number;
  /** call sites from the innermost outwards, `file:line:column`; null = it is in the function's own code */
  readonly inlinedAt: readonly string[] | null;
  /** most 32-bit registers that live at an instruction of the line, what it defines included */
  readonly maxVgpr: number;
  readonly maxSgpr: number;
  /** in the text as it stands, without debug instructions */
  readonly instructions: number;
  /** spill instructions that llc ends with; null where that is not known */
  readonly saves: number | null;
  readonly restores: number | null;
}

const UNCOUNTED = new OpcodePattern(/^(?:DBG_|PSEUDO_PROBE$)/);

type Line = { -readonly [K in keyof SourceLine]: SourceLine[K] };

const endOf = (fn: MachineFunction): number => fn.blockEnd[fn.blocks.length - 1] ?? 0;

/** The lines of a function by their keys. */
export class SourceLines {
  private readonly lines = new Map<string, Line>();
  /** by the text of the location */
  private readonly keys = new Map<string, Line | null>();

  constructor(private readonly names: DebugNames) {}

  /** Live registers as `amdgpu-print-rp -amdgpu-print-rp-downward` counts them; `seen` is told of each instruction that counts. O(instructions) */
  addPressure(
    { fn, down }: Pick<PressureSummary, 'fn' | 'down'>,
    seen: (line: SourceLine, i: InstrId) => void = () => undefined,
  ): void {
    const live = newPressure();
    for (let p = 0, end = endOf(fn); p < end; p++) {
      const i = fn.order[p]!;
      if ((fn.bundle[i]! & BundleFlag.BundledPred) !== 0 || UNCOUNTED.has(fn.tables, fn.opcode[i]!)) continue;
      const line = this.lineOf(fn, i);
      if (line === null) continue;
      down.at.forEach((column, kind) => {
        live[kind] = column[i]!;
      });
      line.maxVgpr = Math.max(line.maxVgpr, numVGPRs(live, false));
      line.maxSgpr = Math.max(line.maxSgpr, numSGPRs(live));
      line.instructions++;
      seen(line, i);
    }
  }

  /** Spills of the function as it is when its registers are allocated. O(instructions) */
  addSpills(fn: MachineFunction): void {
    for (const line of this.lines.values()) [line.saves, line.restores] = [0, 0];
    for (let p = 0, end = endOf(fn); p < end; p++) {
      const i = fn.order[p]!;
      const [saves, restores] = [isSave(fn, i), isRestore(fn, i)];
      if (!saves && !restores) continue;
      const line = this.lineOf(fn, i);
      if (line === null) continue;
      line.saves = (line.saves ?? 0) + Number(saves);
      line.restores = (line.restores ?? 0) + Number(restores);
    }
  }

  /** By file, line and calls. */
  sorted(): SourceLine[] {
    const inlined = (line: SourceLine): string => (line.inlinedAt ?? []).join('\n');
    const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
    return [...this.lines.values()].sort(
      (a, b) => compare(a.file, b.file) || a.line - b.line || compare(inlined(a), inlined(b)),
    );
  }

  private lineOf(fn: MachineFunction, i: number): Line | null {
    const text = fn.extras.get(i)?.debugLocation;
    if (text === undefined) return null;
    let line = this.keys.get(text);
    if (line === undefined) {
      line = this.lineOfText(text);
      this.keys.set(text, line);
    }
    return line;
  }

  private lineOfText(text: string): Line | null {
    const [place, ...calls] = sourcePlaces(this.names.location(text) ?? '');
    if (place === undefined) return null;
    const sites = calls.map(({ file, line, column }) => `${file}:${line}${column === 0 ? '' : `:${column}`}`);
    const { file, line } = place;
    const inlinedAt = sites.length === 0 ? null : sites;
    const key = JSON.stringify([file, line, inlinedAt]);
    let found = this.lines.get(key);
    if (found === undefined) {
      found = { file, line, inlinedAt, maxVgpr: 0, maxSgpr: 0, instructions: 0, saves: null, restores: null };
      this.lines.set(key, found);
    }
    return found;
  }
}
