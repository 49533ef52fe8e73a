/**
 * A function for all targets of the file's RUN lines: what is wrong with it on which. A finding that the targets share is one finding; one that only
 * some have says so. Each target keeps its results per function (`Snapshot.withTarget`), so that an edit costs one function for each.
 */
import { Severity, type Diagnostic } from '../../text/diagnostic.js';
import { isSameTarget, targetLabel, type TargetOptions } from '../../program/targetOfFile.js';
import { isUnmodelled } from '../../program/targetTriple.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

/** The file for one of its targets. */
export interface OnTarget {
  readonly label: string;
  readonly snapshot: Snapshot;
}

export interface Finding {
  readonly diagnostic: Diagnostic;
  /** those that have it, the active one first; never empty */
  readonly on: readonly OnTarget[];
  /** the targets that were asked */
  readonly nTargets: number;
}

/** Tests have up to sixty RUN lines; what differs between targets differs between the first of them. */
const MAX_TARGETS = 16;

/**
 * The file for the active target and for those of the other RUN lines that llc is to succeed with, each once. The active one alone where the user has
 * chosen a target that no RUN line has, or wants no others.
 */
export function onTargets(snapshot: Snapshot): OnTarget[] {
  const { target, settings } = snapshot;
  const targets: TargetOptions[] = [target];
  if (settings.allTargets && target.commandIdx >= 0)
    for (const { triple, cpu, features, isNegated } of target.commands) {
      const own = { triple: triple || target.triple, cpu, features, release: target.release };
      if (isNegated || isUnmodelled(own) || targets.length === MAX_TARGETS) continue;
      if (!targets.some((t) => isSameTarget(t, own))) targets.push(own);
    }
  const labels = targets.map(targetLabel);
  return targets.map((t, k) => ({
    label: labels.indexOf(labels[k]!) === labels.lastIndexOf(labels[k]!) ? labels[k]! : `${t.triple} ${labels[k]!}`,
    snapshot: k === 0 ? snapshot : snapshot.withTarget(t),
  }));
}

/** All findings of the function with that number: those of the active target in its order, then those that only others have. */
export function findingsAcross(targets: readonly OnTarget[], k: number): Finding[] {
  const found = new Map<string, { diagnostic: Diagnostic; on: OnTarget[] }>();
  for (const target of targets)
    for (const diagnostic of target.snapshot.functions[k]?.diagnostics ?? []) {
      const key = `${diagnostic.start}:${diagnostic.end}:${diagnostic.message}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, { diagnostic, on: [target] });
      else if (known.on.at(-1) !== target) known.on.push(target);
    }
  return [...found.values()].map((f) => ({ ...f, nTargets: targets.length }));
}

/** More names than these say less than their number. */
const MAX_NAMED = 4;

const named = (targets: readonly OnTarget[]): string => {
  const rest = targets.length - MAX_NAMED;
  const names = targets.slice(0, MAX_NAMED).map((t) => t.label);
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ');
};

/** The finding with where it holds before its message, where that is not everywhere. */
export function told({ diagnostic, on, nTargets }: Finding): Diagnostic {
  return on.length === nTargets
    ? diagnostic
    : { ...diagnostic, message: `only on ${named(on)}: ${diagnostic.message}` };
}

/** What a title says of the targets for which an edit holds; empty where the file has one target. */
export function holdsText(holds: readonly OnTarget[], nTargets: number): string {
  if (nTargets === 1) return '';
  return holds.length === nTargets ? ` (all ${nTargets} targets)` : ` (only for ${named(holds)})`;
}

export const errorsOf = (view: FunctionView): Diagnostic[] =>
  view.diagnostics.filter((d) => d.severity === Severity.Error);
