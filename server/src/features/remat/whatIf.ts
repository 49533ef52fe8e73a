/**
 * "What if": the registers of a function that may be rematerialized, and what a set of them would do. The client asks anew each time
 * the user ticks a register, and for the edit at the end.
 */
import type { Position, TextEdit } from 'vscode-languageserver-types';
import type { RematChoice } from '../../passes/scheduler/remat/advice/analysis.js';
import type { RematCandidate } from '../../passes/scheduler/remat/advice/candidates.js';
import { toLspEdits } from '../snapshot/lspEdit.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { effectText } from './rematEffect.js';
import { resolvePlan } from './rematPlans.js';
import { lineOfInstr } from './rematReport.js';
import { placesText, reasonWhy } from '../words/rematWords.js';
import { nameOf } from '../words/registerNames.js';

export interface WhatIfParams {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
  /** names of the registers that are ticked, e.g. `%12` */
  readonly registers: readonly string[];
  /** the edit is wanted too */
  readonly withEdits?: boolean;
}

export interface WhatIfRegister {
  readonly register: string;
  /** `line 9, before bb.2, bb.4` */
  readonly place: string;
  /** what it does alone: `VGPR -1 in 3 regions, occupancy 7 to 8` */
  readonly alone: string;
  /** why it is legal */
  readonly why: string;
  /** it reads a ticked register, or a ticked one reads it: both cannot be rematerialized at once */
  readonly conflict: string;
}

export interface WhatIf {
  readonly function: string;
  /** what the ticked registers do together */
  readonly effect: string;
  readonly occupancyBefore: number;
  readonly occupancyAfter: number;
  readonly registers: readonly WhatIfRegister[];
  /** ticked registers that do not count, as one of them reads another that does */
  readonly leftOut: readonly string[];
  /** null unless asked for, or when no edit can be made */
  readonly edits: readonly TextEdit[] | null;
}

/** `amdgpuMir/rematWhatIf`; null without a function to analyse. */
export function provideWhatIf(snapshot: Snapshot, params: WhatIfParams): WhatIf | null {
  const view = snapshot.functionAt(snapshot.text.offsetAt(params.position)) ?? snapshot.functions[0] ?? null;
  const remat = view?.remat;
  const fn = view?.fn;
  if (!remat || !fn) return null;
  const wanted = new Set(params.registers);
  const chosen: RematCandidate[] = [];
  const offered = remat.candidates.candidates.filter((c) => remat.choiceOf(c).groups.length > 0);
  for (const candidate of offered) {
    if (wanted.has(nameOf(fn, candidate.vreg)) && conflictOf(view, candidate, chosen) === null) chosen.push(candidate);
  }
  const choices: RematChoice[] = chosen.map((candidate) => remat.choiceOf(candidate));
  const effect = remat.effectOfAll(choices);
  const text = effectText(effect);
  const resolved = params.withEdits && choices.length > 0 ? resolvePlan(snapshot, view, choices, text) : null;
  return {
    function: view.name,
    effect: text,
    occupancyBefore: effect.occupancyBefore,
    occupancyAfter: effect.occupancyAfter,
    registers: offered.map((candidate) => {
      const others = chosen.filter((c) => c !== candidate);
      const conflict = conflictOf(view, candidate, others);
      return {
        register: nameOf(fn, candidate.vreg),
        place: `line ${lineOfInstr(snapshot, view, candidate.def)}, before ${placesText(fn, remat.choiceOf(candidate).groups)}`,
        alone: effectText(remat.effectOf(candidate)),
        why: reasonWhy(fn, remat.readBy(candidate)),
        conflict: conflict === null ? '' : `${nameOf(fn, conflict.vreg)} is rematerialized`,
      };
    }),
    leftOut: offered.flatMap((c) => {
      const name = nameOf(fn, c.vreg);
      return wanted.has(name) && !chosen.includes(c) ? [name] : [];
    }),
    edits: resolved && toLspEdits(snapshot, resolved.edits),
  };
}

/** One of `others` that reads the register of the candidate or is read by its definition. */
function conflictOf(
  { remat }: FunctionView,
  candidate: RematCandidate,
  others: readonly RematCandidate[],
): RematCandidate | null {
  const reads = remat!.readBy(candidate);
  return others.find((c) => reads.has(c.vreg) || remat!.readBy(c).has(candidate.vreg)) ?? null;
}
