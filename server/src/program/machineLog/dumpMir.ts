/** MIR of machine dumps, and what is known of one: registers, errors, what llc ends with. */
import { irVerifierOptions, verifierDiagnostics, verifyFunction } from '../../analysis/verifier/index.js';
import { Bank, PressureSummary } from '../../analysis/summary.js';
import { lowerFile } from '../../model/lowering/lowerFile.js';
import { moduleFactsOf } from '../../passes/scheduler/moduleFacts.js';
import type { ModelChoice } from '../../passes/scheduler/schedulerModel.js';
import { parseMirFile } from '../../syntax/index.js';
import { AUTO_RELEASES, DEFAULT_RELEASE, releaseOf, type ReleaseName, type TargetTables } from '../../target/index.js';
import { Severity, type Diagnostic } from '../../text/diagnostic.js';
import { SourceText } from '../../text/sourceText.js';
import { Interner } from '../../util/interner.js';
import { lazy } from '../../util/lazy.js';
import { modelWithTarget } from '../modelOfFile.js';
import { FileOutcomes, type Outcome } from '../outcome.js';
import { DEFAULT_SETTINGS } from '../settings.js';
import { stageEvidence } from '../stage.js';
import { chosenTarget, targetOfFile, type FileTarget, type TargetOptions } from '../targetOfFile.js';
import { TestFile } from '../testFile/testFile.js';
import { functionOfDump } from './dumpFunction.js';
import { moduleOfDumps } from './dumpModule.js';
import { ModuleNeeds } from './irNeeds.js';
import type { LogTarget, MachineDump } from './logReader.js';

export interface DumpMir {
  readonly text: string;
  /** what could not be taken over */
  readonly notes: readonly string[];
}

/** MIR that llc reads, of dumps of different functions. `target`: its processor becomes a RUN line, before which `-mcpu` goes. O(text) */
export function mirOfDumps(
  dumps: readonly MachineDump[],
  { triple, cpu }: LogTarget = NO_TARGET,
  release?: ReleaseName,
): DumpMir {
  const tables = release === undefined ? tablesOf(dumps) : releaseOf(release).tables;
  const module = new ModuleNeeds();
  const functions = dumps.map((dump) => functionOfDump(dump, tables, module));
  const heads = dumps.map((dump) => `# ${bannerText(dump)}\n`).join('');
  const notes = functions.flatMap((fn) => fn.notes.map((note) => `${fn.name}: ${note}`));
  const words = ['llc', triple === '' ? '' : `-mtriple=${triple}`, `-mcpu=${cpu}`, '-run-pass=none -o - %s'];
  const run = cpu === '' ? '' : `# RUN: ${words.filter((word) => word !== '').join(' ')}\n`;
  return { text: run + heads + MADE_UP + moduleOfDumps(functions, module, triple), notes };
}

/** As LLVM writes it, so that the stage of the function can be read off it. */
function bannerText({ when, title, pass, functionName, line }: MachineDump): string {
  const where = `function ${functionName}, line ${line} of the log`;
  if (when === '') return `machine dump of ${where}`;
  const moment = when === 'after' ? 'After' : 'Before';
  return `*** IR Dump ${moment} ${title}${pass === title || pass === '' ? '' : ` (${pass})`} ***: ${where}`;
}

export const NO_TARGET: LogTarget = { triple: '', cpu: '' };

/** Processors that are tried where nobody names one, or one that the code is not for. */
const USUAL_PROCESSORS = ['gfx942', 'gfx1100', 'gfx1201', 'gfx90a', 'gfx1030', 'gfx900', 'gfx1250', 'gfx803', 'gfx701'];

export interface LikelyTarget extends LogTarget {
  /** nobody named the processor: it is the first of the usual ones that takes the code */
  readonly isGuess: boolean;
}

/** The processor that the log names, if LLVM's verifier takes the function for it, else the first usual one for which it does. `asked`: goes before all. */
export function likelyTarget(dump: MachineDump, said: LogTarget, { target: asked, model }: DumpQuestion): LikelyTarget {
  const triple = asked.triple || said.triple;
  if (asked.cpu !== '') return { triple, cpu: asked.cpu, isGuess: false };
  const { text } = mirOfDumps([dump], { triple, cpu: '' });
  const takes = (cpu: string): boolean => {
    const target = { triple, cpu, features: asked.features, isChosen: cpu !== '' };
    return factsOfMir(text, { target, model, withOutcome: false }).errors.length === 0;
  };
  if (said.cpu !== '' && takes(said.cpu)) return { triple, cpu: said.cpu, isGuess: false };
  const guess = USUAL_PROCESSORS.find(takes);
  return { triple, cpu: guess ?? said.cpu, isGuess: guess !== undefined };
}

const MADE_UP =
  '# The module is made up: it has the names that the dump mentions, no code, attributes or types of the program.\n';

/** A release that knows opcodes that no other has, else the first. */
function tablesOf(dumps: readonly MachineDump[]): TargetTables {
  for (const release of AUTO_RELEASES) {
    const only = releaseOf(release).onlyOpcodes();
    for (const { lines } of dumps)
      for (const line of lines) {
        const opcode = /^(?:\d+B)?[ \t]+(?:[^=]* = )?(?:[a-z][\w-]* )*([A-Z]\w+)/.exec(line)?.[1];
        if (opcode !== undefined && only.has(opcode)) return releaseOf(release).tables;
      }
  }
  return releaseOf(DEFAULT_RELEASE).tables;
}

/** Numbers of 32-bit registers. */
export interface DumpRegisters {
  /** most that live at once, or, where they are allocated, those that are used */
  readonly isAllocated: boolean;
  readonly vgpr: number;
  readonly agpr: number;
  readonly sgpr: number;
  readonly waves: number | null;
}

export interface DumpFacts {
  /** null: it has errors, or generic registers */
  readonly registers: DumpRegisters | null;
  /** LLVM's messages, of its parser and its verifier */
  readonly errors: readonly string[];
  /** null unless asked for, and where it is not known */
  readonly outcome: Outcome | null;
  readonly noOutcome: string;
}

export interface DumpQuestion {
  readonly target: TargetOptions;
  readonly model: ModelChoice;
  readonly withOutcome: boolean;
}

export const ANY_TARGET: TargetOptions = { triple: '', cpu: '', features: '' };

/** Of a MIR file with one function. */
export function factsOfMir(source: string, { target: chosen, model: choice, withOutcome }: DumpQuestion): DumpFacts {
  const file = parseMirFile(new SourceText(source), new Interner());
  const test = new TestFile(source);
  const targetFor = (release: ReleaseName): FileTarget =>
    chosenTarget(targetOfFile(test, DEFAULT_SETTINGS.target, undefined, release), chosen);
  const { model, target } = modelWithTarget(file, targetFor, choice);
  const { triple, cpu, features, isChosen = false } = target;
  const lowered = lowerFile(file, { triple, cpu, features, isChosen, release: model.release, readsDumps: true });
  const found: Diagnostic[] = [...lowered.irDiagnostics, ...lowered.functionDiagnostics(0)];
  const fn = lowered.functions[0]?.fn ?? null;
  const isError = (d: Diagnostic): boolean => d.severity === Severity.Error;
  if (fn !== null && !found.some(isError)) {
    const reports = verifyFunction(fn, irVerifierOptions(lowered.ir, fn));
    found.push(...verifierDiagnostics(fn, reports));
  }
  const errors = found.filter(isError).map(({ message }) => message);
  const nothing = { errors, registers: null, outcome: null, noOutcome: '' };
  if (fn === null || !fn.tables.isAMDGCN || errors.length > 0) return nothing;
  const summary = new PressureSummary(fn);
  const registers = registersOf(summary);
  if (!withOutcome) return { ...nothing, registers };
  const outcomes = new FileOutcomes(
    target,
    model.model,
    lazy(() => moduleFactsOf(source, lowered.ir)),
    lowered.ir,
    stageEvidence(file, target),
  );
  const { failed } = outcomes.add(fn, summary.usedRegisters, lowered.functionStarts[0] ?? 0);
  const outcome = outcomes.result().get(fn.header.name)?.outcome ?? null;
  return { ...nothing, registers, outcome, noOutcome: failed };
}

function registersOf(summary: PressureSummary): DumpRegisters | null {
  const { usedRegisters: used, peaks, occupancy } = summary;
  if (used.kind === 'virtual') {
    const peak = (bank: Bank): number => peaks[bank]!.value;
    const [vgpr, agpr, sgpr] = [peak(Bank.VGPR), peak(Bank.AGPR), peak(Bank.SGPR)];
    return { isAllocated: false, vgpr, agpr, sgpr, waves: occupancy.occupancy };
  }
  if (used.kind !== 'allocated') return null;
  const { vgpr, agpr, sgpr } = used.use;
  return { isAllocated: true, vgpr, agpr, sgpr, waves: null };
}
