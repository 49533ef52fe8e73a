/**
 * Collects the findings of lowering one function document together with the moment at which llc would meet them.
 *
 * llc stops at the first error of a function; the editor shows all. Every finding therefore carries a `phase` (the step of
 * MIRParserImpl::initializeMachineFunction, LLVM 22) and, within a phase, an order; `sorted()` puts them in llc's order.
 * Offsets are relative to the start of the YAML document.
 */
import { DiagnosticOrigin, Severity, type Diagnostic, type Facts, type TextRange } from '../../text/diagnostic.js';
import { ownString } from '../../util/ownString.js';

/** Steps in which llc reads a function document. */
export const enum Phase {
  YamlSyntax = 0,
  YamlMapping,
  Function,
  Registers,
  Constants,
  MachineMetadata,
  /** block labels, braces and lexical errors of the whole body */
  DefinitionScan,
  /** save and restore points come first of the frame */
  SavePoints,
  FrameInfo,
  JumpTable,
  Body,
  RegisterInfo,
  FunctionInfo,
  Properties,
  CallSites,
  DebugValues,
}

interface Entry {
  readonly phase: Phase;
  /** ascending within the phase */
  readonly order: number;
  readonly serial: number;
  readonly diagnostic: Diagnostic;
}

export class DiagnosticSink {
  private readonly entries: Entry[] = [];

  /**
   * @param order place within the phase: the offset at which llc detects the error. Equal orders keep the order of calls.
   * @param llcOffset offset that llc reports, where it is not `start`
   */
  add(
    phase: Phase,
    order: number,
    start: number,
    end: number,
    origin: DiagnosticOrigin,
    code: string,
    message: string,
    llcOffset = start,
    isFollowUp = false,
    facts: Facts | null = null,
  ): void {
    const severity = Severity.Error;
    // They stay with the function in later versions of the file.
    const base = { start, end: Math.max(start, end), severity, origin, code, message: ownString(message) };
    const diagnostic: Diagnostic = {
      ...base,
      ...(facts === null ? {} : { facts }),
      ...(llcOffset === start ? {} : { llcOffset }),
      ...(isFollowUp ? { isFollowUp: true as const } : {}),
    };
    this.entries.push({ phase, order, serial: this.entries.length, diagnostic });
  }

  /** An error of yaml::Input about a node. See `Diagnostic` for the last two. */
  addYaml(order: number, range: TextRange, code: string, message: string, llcEnd: number, isFollowUp: boolean): void {
    const { start, end } = range;
    const origin = DiagnosticOrigin.Yaml;
    const base = { start, end, severity: Severity.Error, origin, code, message: ownString(message) };
    const diagnostic = {
      ...base,
      ...(llcEnd === end ? {} : { llcEnd }),
      ...(isFollowUp ? { isFollowUp: true as const } : {}),
    };
    this.entries.push({ phase: Phase.YamlMapping, order, serial: this.entries.length, diagnostic });
  }

  addAll(other: DiagnosticSink): void {
    for (const e of other.entries) this.entries.push({ ...e, serial: this.entries.length });
  }

  /** Findings in the order in which llc would meet them. */
  sorted(): Diagnostic[] {
    return this.entries
      .slice()
      .sort((a, b) => a.phase - b.phase || a.order - b.order || a.serial - b.serial)
      .map(({ phase, diagnostic }) =>
        phase < Phase.FunctionInfo
          ? diagnostic
          : { ...diagnostic, behindBody: phase === Phase.FunctionInfo ? 'functionInfo' : 'properties' },
      );
  }
}
