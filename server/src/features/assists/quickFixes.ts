/**
 * Quick fixes: each diagnostic code has its repairs (assists/); what they propose is tried on the text, and offered only when the diagnostic is gone afterwards
 * and nothing else in the function became worse.
 */
import {
  CodeActionKind,
  type CodeAction,
  type CodeActionContext,
  type Diagnostic as LspDiagnostic,
  type Range,
} from 'vscode-languageserver-types';
import { verifierCode } from '../../analysis/verifier/reports.js';
import { DiagnosticOrigin, type Diagnostic } from '../../text/diagnostic.js';
import { type CancellationToken } from '../../util/cancellation.js';
import type { Assist, Proposal } from '../fixes/fix.js';
import { createBlock } from './createBlock.js';
import { alignRegisterClasses, changeRegisterClass, firstClass } from './changeClass.js';
import { removeLiveIn } from './liveIns.js';
import { addMissingImplicit } from './missingImplicit.js';
import { removeKeyOfRelease } from './otherRelease.js';
import { addRegisterClass } from './registerClass.js';
import { addRegistersEntry } from './registersEntry.js';
import {
  addEarlyClobber,
  addUndef,
  addUndefToPartialDef,
  removeDeadOfDef,
  removeEarlierKill,
  removeKill,
  removeUndef,
  removeWrongFlag,
  undefinedPhysical,
} from './registerFlags.js';
import { sgprCopyActions } from './sgprCopies.js';
import { correctClass, correctKey, correctOpcode, correctRegister, correctSubRegister } from './spelling.js';
import { addSuccessor, removeSuccessor } from './successors.js';
import { addTracksRegLiveness } from './trackLiveness.js';
import { wholeWaveActions } from './wholeWave.js';
import { toLspEdits } from '../snapshot/lspEdit.js';
import { scalarizeActions } from '../scalarize/scalarizeActions.js';
import { vectorizeActions } from '../scalarize/vectorizeActions.js';
import { rematActions } from '../remat/rematActions.js';
import { errorsOf, findingsAcross, holdsText, onTargets, type OnTarget } from '../fixes/finding.js';
import { runLineFindings } from '../diagnostics/runLineFindings.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

/** Repairs by diagnostic code. A new one is a file in assists/ and a line here. */
const ASSISTS: Readonly<Record<string, readonly Assist[]>> = {
  'missing-implicit': [addMissingImplicit],
  'unknown-opcode': [correctOpcode],
  'unknown-register': [correctRegister],
  'unknown-subregister': [correctSubRegister],
  'unknown-class': [correctClass],
  'undefined-class': [correctClass],
  'unknown-key': [removeKeyOfRelease, correctKey],
  'undefined-block': [createBlock],
  'class-conflict': [firstClass],
  'bad-register-flag': [removeWrongFlag],
  'no-class': [addRegisterClass, addRegistersEntry],
  [verifierCode('isRenamable set on reserved register')]: [removeWrongFlag],
  [verifierCode('Illegal virtual register for instruction')]: [changeRegisterClass],
  [verifierCode('Subtarget requires even aligned vector registers')]: [alignRegisterClasses],
  [verifierCode('Missing earlyClobber flag')]: [addEarlyClobber],
  [verifierCode('Using a killed virtual register')]: [removeEarlierKill],
  [verifierCode('Virtual register killed in block, but needed live out.')]: [
    removeKill,
    removeDeadOfDef,
    addUndefToPartialDef,
  ],
  [verifierCode('Using an undefined physical register')]: [undefinedPhysical],
  [verifierCode('Reading virtual register without a def')]: [removeDeadOfDef, addUndefToPartialDef, addUndef],
  [verifierCode("Virtual register defs don't dominate all uses.")]: [removeDeadOfDef, addUndefToPartialDef, addUndef],
  [verifierCode('Undef virtual register def operands require a subregister')]: [removeUndef],
  [verifierCode('VALU instruction does not implicitly read exec mask')]: [addMissingImplicit],
  [verifierCode('Live in register not found to be live out from predecessor.')]: [removeLiveIn],
  [verifierCode("MBB has allocatable live-in, but isn't entry, landing-pad, or inlineasm-br-indirect-target.")]: [
    removeLiveIn,
  ],
  [verifierCode("MBB exits via jump or conditional branch, but its target isn't a CFG successor!")]: [addSuccessor],
  [verifierCode("MBB exits via conditional branch, but its target isn't a CFG successor!")]: [addSuccessor],
  [verifierCode(
    "MBB exits via conditional branch/fall-through but the CFG successors don't match the actual successors!",
  )]: [addSuccessor],
  [verifierCode(
    'MBB has unexpected successors which are not branch targets, fallthrough, EHPads, or inlineasm_br targets.',
  )]: [removeSuccessor],
  [verifierCode('MBB has duplicate entries in its successor list.')]: [removeSuccessor],
};

/** Codes whose repair is another word. */
const SPELLING: ReadonlySet<string> = new Set([
  'unknown-opcode',
  'unknown-register',
  'unknown-subregister',
  'unknown-class',
  'undefined-class',
  'unknown-key',
]);

/** A light bulb answers at once: no more proposals than this are tried for one request. */
const MAX_TRIED = 12;
const MAX_OFFERED_PER_DIAGNOSTIC = 3;

export function quickFixes(
  snapshot: Snapshot,
  { range, context }: { range: Range; context: CodeActionContext },
  token: CancellationToken,
): CodeAction[] {
  const from = snapshot.text.offsetAt(range.start);
  const to = snapshot.text.offsetAt(range.end);
  const view = snapshot.functionAt(from);
  if (!view) return [];
  const actions: CodeAction[] = [];
  let tried = 0;
  const targets = onTargets(snapshot);
  for (const { diagnostic, on } of findingsAcross(targets, snapshot.functions.indexOf(view))) {
    if (diagnostic.end < from || to < diagnostic.start || !touchesLine(snapshot, diagnostic, from, to)) continue;
    const good: Repair[] = [];
    const { snapshot: home } = on[0]!;
    const homeView = sameView(snapshot, view, home);
    for (const proposal of proposalsFor(home, homeView, diagnostic)) {
      if (token.isCancelled() || MAX_TRIED <= tried++ || MAX_OFFERED_PER_DIAGNOSTIC <= good.length) break;
      const left = errorsLeft(home, homeView, diagnostic, proposal);
      if (left >= 0) good.push({ proposal, left, holds: holdsOn(snapshot, view, proposal, targets, on, diagnostic) });
    }
    // What holds on more targets and repairs more comes first; else the order of sense stays.
    good.sort((a, b) => b.holds.length - a.holds.length || byEffort(a, b));
    const copies = matching(snapshot, diagnostic, context);
    good.forEach(({ proposal, holds }, k) => {
      const title = `${proposal.title}${holdsText(holds, targets.length)}`;
      addAction(actions, toAction(snapshot, { ...proposal, title }, copies, k === 0));
    });
  }
  const { nameRange } = view;
  if (nameRange && nameRange.start <= to && from <= nameRange.end) {
    const proposal = addTracksRegLiveness(snapshot, view);
    if (proposal && targets.every((t) => doesNoHarm(t.snapshot, sameView(snapshot, view, t.snapshot), proposal)))
      actions.push(toAction(snapshot, proposal, [], false));
  }
  actions.push(...wholeWaveActions(snapshot, view, range, context));
  actions.push(...sgprCopyActions(snapshot, view, range, context.diagnostics));
  actions.push(...rematActions(snapshot, view, range, context, token));
  actions.push(
    ...scalarizeActions(snapshot, view, range, context, token),
    ...vectorizeActions(snapshot, view, range, context, token),
  );
  return actions;
}

/** A proposal that works, and the errors that it leaves. */
interface Repair {
  readonly proposal: Proposal;
  readonly left: number;
  /** targets of the RUN lines for which it is a repair, or does no harm where nothing was wrong */
  readonly holds: readonly OnTarget[];
}

/** What leaves fewer errors comes first, then what changes less. */
const byEffort = (a: Repair, b: Repair): number => a.left - b.left || a.proposal.edits.length - b.proposal.edits.length;

/** The function of the same number in another snapshot of the same text. */
const sameView = (snapshot: Snapshot, view: FunctionView, other: Snapshot): FunctionView =>
  other === snapshot ? view : other.functions[snapshot.functions.indexOf(view)]!;

/** The targets on which the finding is gone after the edit, or nothing is worse where it was not. */
function holdsOn(
  snapshot: Snapshot,
  view: FunctionView,
  proposal: Proposal,
  targets: readonly OnTarget[],
  on: readonly OnTarget[],
  diagnostic: Diagnostic,
): OnTarget[] {
  return targets.filter((t) => {
    const own = sameView(snapshot, view, t.snapshot);
    return on.includes(t)
      ? errorsLeft(t.snapshot, own, diagnostic, proposal) >= 0
      : doesNoHarm(t.snapshot, own, proposal);
  });
}

/**
 * The one sensible repair of a diagnostic: the first in the order of sense that works. Null where none does, or where several
 * spellings lie equally near and only a human knows which was meant.
 */
export function repairOf(snapshot: Snapshot, view: FunctionView, diagnostic: Diagnostic): Proposal | null {
  const good: Repair[] = [];
  const targets = onTargets(snapshot);
  const on = targets.slice(0, 1);
  for (const proposal of proposalsFor(snapshot, view, diagnostic)) {
    const left = errorsLeft(snapshot, view, diagnostic, proposal);
    const holds = left < 0 ? [] : holdsOn(snapshot, view, proposal, targets, on, diagnostic);
    // Of its own accord nothing is changed that harms on another target.
    if (left >= 0 && holds.length === targets.length) good.push({ proposal, left, holds });
    if (MAX_OFFERED_PER_DIAGNOSTIC <= good.length) break;
  }
  good.sort(byEffort);
  const [first, second] = good;
  if (!first) return null;
  const isEqual = SPELLING.has(diagnostic.code) && second !== undefined && byEffort(first, second) === 0;
  return isEqual || first.proposal.isGuess === true ? null : first.proposal;
}

/** One repair of two diagnostics is one action. */
function addAction(actions: CodeAction[], action: CodeAction): void {
  const edit = JSON.stringify(action.edit);
  const same = actions.findIndex((a) => JSON.stringify(a.edit) === edit);
  if (same < 0) actions.push(action);
  else if (action.diagnostics)
    actions[same] = { ...actions[same]!, diagnostics: [...(actions[same]!.diagnostics ?? []), ...action.diagnostics] };
}

/** A finding about a whole instruction or block counts on every line of it only where the cursor really is. */
function touchesLine(snapshot: Snapshot, { start, end }: Diagnostic, from: number, to: number): boolean {
  return start <= to && from <= Math.max(end, snapshot.text.lineEnd(snapshot.text.lineAt(start)));
}

/** All repairs that there might be, in the order of sense; not tried yet. */
function proposalsFor(snapshot: Snapshot, view: FunctionView, diagnostic: Diagnostic): Proposal[] {
  const proposals = (ASSISTS[diagnostic.code] ?? []).flatMap((assist) => assist({ snapshot, view, diagnostic }));
  return diagnostic.code === 'unknown-opcode'
    ? proposals.map((p) => withImplicits(snapshot, view, diagnostic, p))
    : proposals;
}

/** llc looks for implicit operands when it knows the opcode: those that the line then lacks come along, if that is all. */
function withImplicits(snapshot: Snapshot, view: FunctionView, diagnostic: Diagnostic, proposal: Proposal): Proposal {
  const [edit, ...others] = proposal.edits;
  if (edit === undefined || others.length > 0) return proposal;
  const there = snapshot.after(proposal.edits);
  const after = there.functions[snapshot.functions.indexOf(view)];
  const isHidden = hiddenBy(snapshot, diagnostic);
  const missing = after?.diagnostics.find(isHidden);
  const more =
    after && missing ? addMissingImplicit({ snapshot: there, view: after, diagnostic: missing })[0] : undefined;
  if (!more?.edits.every((e) => e.start === e.end && e.start >= edit.start + edit.text.length)) return proposal;
  const moved = edit.text.length - (edit.end - edit.start);
  const edits = more.edits.map((e) => ({ ...e, start: e.start - moved, end: e.end - moved }));
  const title = `${proposal.title}, ${more.title.replace(/^Add/, 'add')}`;
  return { ...proposal, title, edits: [edit, ...edits] };
}

const isVerifiers = (d: Diagnostic): boolean => d.origin === DiagnosticOrigin.Verifier;

/**
 * Errors of the function after the edits, or -1 when the diagnostic is not gone or something new came. The verifier looks only at
 * functions that the parser accepts, so its findings after the repair of the last syntax error are not held against the repair.
 */
function errorsLeft(snapshot: Snapshot, view: FunctionView, diagnostic: Diagnostic, proposal: Proposal): number {
  const after = viewAfter(snapshot, view, proposal);
  if (!after) return -1;
  const before = errorsOf(view);
  const now = errorsOf(after);
  const isHidden = hiddenBy(snapshot, diagnostic);
  const parsers = now.filter((d) => !isVerifiers(d) && !isHidden(d)).length;
  if (isVerifiers(diagnostic)) return parsers === 0 && now.length < before.length ? now.length : -1;
  return parsers < before.filter((d) => !isVerifiers(d)).length ? now.length : -1;
}

/** llc does not look for missing implicit operands before it knows the opcode: what it then misses in that line is no harm done. */
function hiddenBy({ text }: Snapshot, { code, start }: Diagnostic): (d: Diagnostic) => boolean {
  if (code !== 'unknown-opcode') return () => false;
  const line = text.lineAt(start);
  const [from, to] = [text.lineStart(line), text.lineEnd(line)];
  return (d) => d.code === 'missing-implicit' && from <= d.start && d.start <= to;
}

function doesNoHarm(snapshot: Snapshot, view: FunctionView, proposal: Proposal): boolean {
  const after = viewAfter(snapshot, view, proposal);
  return after !== null && errorsOf(after).length <= errorsOf(view).length;
}

/** The function with the edits; edits lie in its document, so it keeps its place in the list. */
function viewAfter(snapshot: Snapshot, view: FunctionView, { edits }: Proposal): FunctionView | null {
  return snapshot.after(edits).functions[snapshot.functions.indexOf(view)] ?? null;
}

function toAction(
  snapshot: Snapshot,
  { title, edits }: Proposal,
  diagnostics: LspDiagnostic[],
  isPreferred: boolean,
): CodeAction {
  return {
    title,
    kind: CodeActionKind.QuickFix,
    ...(diagnostics.length > 0 ? { diagnostics } : {}),
    ...(isPreferred ? { isPreferred } : {}),
    edit: { changes: { [snapshot.uri]: toLspEdits(snapshot, edits) } },
  };
}

/** The client's own copies of a diagnostic. */
function matching(
  snapshot: Snapshot,
  { start, code }: Diagnostic,
  { diagnostics }: CodeActionContext,
): LspDiagnostic[] {
  const at = snapshot.text.positionAt(start);
  return diagnostics.filter(
    (d) => d.code === code && d.range.start.line === at.line && d.range.start.character === at.character,
  );
}

/** Other words for those of RUN and CHECK lines that are wrong. */
export function runLineFixes(
  snapshot: Snapshot,
  { range, context }: { range: Range; context: CodeActionContext },
): CodeAction[] {
  const from = snapshot.text.offsetAt(range.start);
  const to = snapshot.text.offsetAt(range.end);
  return runLineFindings(snapshot).flatMap((finding) => {
    const { start, end, code, replacements, fixes } = finding;
    if (end < from || to < start) return [];
    const at = snapshot.text.positionAt(start);
    const copies = context.diagnostics.filter(
      (d) => d.code === code && d.range.start.line === at.line && d.range.start.character === at.character,
    );
    const changes = replacements.map((text) => ({ title: `Change to '${text}'`, edits: [{ start, end, text }] }));
    return [...changes, ...(fixes?.() ?? [])].map((fix, k) => toAction(snapshot, fix, copies, k === 0));
  });
}
