/** What llc ends with, of the functions of a document, as far as the background has allocated them. */
import { outcomesOf, type EndedFunction, type ModuleMember } from '../../program/outcome.js';
import { whyNoWayFrom } from '../../program/stage.js';
import { lazy } from '../../util/lazy.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

/** Of one version. A function that calls others needs all of them. */
export class FileEnds {
  private readonly all: () => ReadonlyMap<string, EndedFunction>;

  constructor(snapshot: Snapshot) {
    this.all = lazy(() => outcomesOf(snapshot.functions.map(memberOf)));
  }

  /** Null: it is not known, or not yet. */
  of(view: FunctionView): EndedFunction | null {
    const member = memberOf(view);
    if (member === null) return null;
    const { hasCalls, hasTailCall } = member.fn.header.frameInfo;
    const ends = hasCalls || hasTailCall ? this.all() : outcomesOf([member]);
    return ends.get(member.fn.header.name) ?? null;
  }
}

function memberOf(view: FunctionView): ModuleMember {
  const { summary, stage, knownEnd: known } = view;
  if (summary === null || stage === null) return null;
  const used = summary.usedRegisters;
  if (used.kind === 'allocated') return { fn: summary.fn, framed: summary.fn, own: used.use.own };
  if (whyNoWayFrom(stage) !== '' || known === null || typeof known === 'string' || known.errors.length > 0) return null;
  return { fn: known.fn, framed: known.framed, own: known.use.own };
}
