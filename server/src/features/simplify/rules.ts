/**
 * What makes a test smaller, by the rules of -simplify-mir and of LLVM's guide to MIR tests. Each rule gives edits and what has to be as before; whoever
 * offers them tries them.
 */
import type { TextEdit } from '../../text/sourceText.js';
import { EditedText } from '../../text/editedText.js';
import { removeDefaultKeys } from '../refactor/defaultKeys.js';
import { nameAllRegisters, renumberBlocks, renumberRegisters } from '../refactor/renumber.js';
import { dropRegistersList, dropUnusedEntries } from '../refactor/registersList.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { dropDebugInfo } from './debugInfo.js';
import {
  dropBlockNames,
  dropDummyIR,
  dropFunctionLiveIns,
  dropGuessableSuccessors,
  dropMemoryValues,
  dropProbabilities,
} from './guideRules.js';
import { onlyFunction } from './onlyFunction.js';
import { emptyBodies, unusedIR } from './unusedIR.js';

export interface Rule {
  readonly title: string;
  /** the command that leaves the output of the RUN lines as it is tries it; the others are there to change it */
  readonly isTried: boolean;
  /** alternatives, the boldest first; none where there is nothing to do. Of the function where it is about one. */
  edits(snapshot: Snapshot, view: FunctionView): readonly (readonly TextEdit[])[];
  /** llc reads the same functions after it */
  readonly isReadAlike?: true;
  /** other functions go */
  readonly isAlone?: true;
}

const oneOf = (edits: readonly TextEdit[]): readonly (readonly TextEdit[])[] => (edits.length === 0 ? [] : [edits]);

export const RULES: readonly Rule[] = [
  // What speaks of the IR goes before the IR does.
  {
    title: 'no values of the IR in memory operands',
    isTried: true,
    edits: (snapshot, view) => oneOf(dropMemoryValues(snapshot, view)),
  },
  {
    title: 'no names of IR blocks',
    isTried: true,
    edits: (snapshot, view) => oneOf(dropBlockNames(snapshot, view)),
  },
  { title: 'empty functions in the IR', isTried: true, edits: (snapshot) => oneOf(emptyBodies(snapshot)) },
  { title: 'no unused IR', isTried: true, edits: (snapshot) => oneOf(unusedIR(snapshot)) },
  {
    title: 'no IR of dummies',
    isTried: true,
    isReadAlike: true,
    edits: (snapshot) => oneOf(dropDummyIR(snapshot)),
  },
  {
    title: 'no default keys',
    isTried: true,
    edits: (snapshot, view) => removeDefaultKeys({ snapshot, view, offset: view.start }).map((r) => r.edits),
  },
  {
    title: 'no unused registers',
    isTried: true,
    edits: (snapshot, view) => oneOf(dropUnusedEntries({ snapshot, view, offset: view.start })?.edits ?? []),
  },
  {
    title: 'classes at the definitions',
    isTried: true,
    edits: (snapshot, view) => oneOf(dropRegistersList({ snapshot, view, offset: view.start })?.edits ?? []),
  },
  {
    title: 'compact numbers',
    isTried: true,
    edits: (snapshot, view) =>
      oneOf(
        inSteps(snapshot, [
          (now) => renumberRegisters(placeIn(now, snapshot, view))?.edits ?? [],
          (now) => renumberBlocks(placeIn(now, snapshot, view))?.edits ?? [],
        ]),
      ),
  },
  {
    title: 'no successors that llc finds',
    isTried: true,
    isReadAlike: true,
    edits: (snapshot, view) => oneOf(dropGuessableSuccessors(snapshot, view)),
  },
  {
    title: 'no branch probabilities',
    isTried: true,
    edits: (snapshot, view) => [
      ...oneOf(dropProbabilities(snapshot, view, false)),
      ...oneOf(dropProbabilities(snapshot, view, true)),
    ],
  },
  {
    title: 'no list of live-ins in the header',
    isTried: true,
    edits: (snapshot, view) => oneOf(dropFunctionLiveIns(snapshot, view)),
  },
  {
    title: 'names for the registers',
    isTried: false,
    edits: (snapshot, view) => oneOf(nameAllRegisters({ snapshot, view, offset: view.start })),
  },
  {
    title: 'no debug information',
    isTried: true,
    edits: (snapshot) => {
      const first = dropDebugInfo(snapshot);
      return first.length === 0 ? [] : [inSteps(snapshot, [() => first, unusedIR])];
    },
  },
  {
    title: 'only this function',
    isTried: false,
    isAlone: true,
    edits: (snapshot, view) => {
      const first = onlyFunction(snapshot, view);
      return first.length === 0 ? [] : [inSteps(snapshot, [() => first, unusedIR])];
    },
  },
];

const placeIn = (
  now: Snapshot,
  before: Snapshot,
  view: FunctionView,
): { snapshot: Snapshot; view: FunctionView; offset: number } => {
  const own = now.functions[before.functions.indexOf(view)]!;
  return { snapshot: now, view: own, offset: own.start };
};

/** Edits one after the other, as edits of the first text. */
export function inSteps(
  snapshot: Snapshot,
  steps: readonly ((now: Snapshot) => readonly TextEdit[])[],
): readonly TextEdit[] {
  const edited = new EditedText(snapshot.text.length);
  let now = snapshot;
  for (const step of steps) {
    const edits = step(now);
    if (edits.length === 0) continue;
    edited.apply(edits);
    now = now.after(edits);
  }
  return edited.edits;
}
