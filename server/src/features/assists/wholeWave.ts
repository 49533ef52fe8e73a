/** Repairs of findings about whole-wave registers: the flag WWM_REG, `wwmReservedRegs` and `sgprForEXECCopy` where they are missing or wrong. */
import { CodeActionKind, type CodeAction, type CodeActionContext, type Range } from 'vscode-languageserver-types';
import { ReservedRegs } from '../../analysis/reservedRegs.js';
import { OperandKind, type MachineFunction } from '../../model/machineFunction.js';
import { isPhysicalReg, isVirtualReg } from '../../model/register.js';
import { NO_NODE, SyntaxKind, type Node } from '../../syntax/tree.js';
import type { PhysReg } from '../../target/api.js';
import { errorsOf } from '../fixes/finding.js';
import { wholeWaveFindings, type WholeWaveFinding } from '../diagnostics/wholeWaveFindings.js';
import { toLspEdits } from '../snapshot/lspEdit.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { eol, insert, type Proposal } from '../fixes/fix.js';
import { valueOfKey } from './registersEntry.js';
import { nameOf } from '../words/registerNames.js';

interface Place {
  readonly snapshot: Snapshot;
  readonly view: FunctionView;
  readonly fn: MachineFunction;
}

const REPAIRS: Readonly<Record<string, (place: Place, finding: WholeWaveFinding) => Proposal | null>> = {
  'wwm-not-flagged': addFlag,
  'wwm-flag-on-sgpr': removeFlag,
  'wwm-per-lane': (place, { reg }) => withoutReserved(place, reg),
  'wwm-not-reserved': (place, { reg }) => withReserved(place, reg),
  'wwm-no-exec-copy': addExecCopy,
};

/** Actions for the findings on the lines of `range`. Each is offered when its finding is gone after it and nothing new is wrong. */
export function wholeWaveActions(
  snapshot: Snapshot,
  view: FunctionView,
  range: Range,
  { diagnostics }: CodeActionContext,
): CodeAction[] {
  const { fn } = view;
  if (fn === null) return [];
  const findings = wholeWaveFindings(view, snapshot);
  const actions: CodeAction[] = [];
  for (const finding of findings) {
    const line = snapshot.text.lineAt(finding.start);
    const proposal =
      line < range.start.line || range.end.line < line
        ? null
        : REPAIRS[finding.code]?.({ snapshot, view, fn }, finding);
    if (!proposal || actions.some((a) => a.title === proposal.title)) continue;
    const after = snapshot.after(proposal.edits);
    const then = after.functions[snapshot.functions.indexOf(view)];
    if (!then?.fn || errorsOf(then).length > errorsOf(view).length) continue;
    const left = wholeWaveFindings(then, after);
    if (left.length >= findings.length || left.some((f) => f.code === finding.code && f.reg === finding.reg)) continue;
    const own = diagnostics.filter((d) => d.code === finding.code && d.range.start.line === line);
    actions.push({
      title: proposal.title,
      kind: CodeActionKind.QuickFix,
      ...(own.length > 0 ? { diagnostics: own } : {}),
      isPreferred: true,
      edit: { changes: { [snapshot.uri]: toLspEdits(snapshot, proposal.edits) } },
    });
  }
  return actions;
}

// -- WWM_REG -----------------------------------------------------------------------------------------------------------

/** Text and place of a register's entry in `registers:`, null without one. */
function entryOf({ snapshot, view }: Place, v: string): { readonly start: number; readonly text: string } | null {
  const list = valueOfKey(snapshot, view, 'registers');
  if (list === NO_NODE) return null;
  const { yaml } = view.document;
  for (let c = yaml.firstChild(list); c !== NO_NODE; c = yaml.nextSibling(c, list)) {
    const start = view.start + yaml.start(c);
    const text = snapshot.text.slice(start, view.start + yaml.end(c));
    if (new RegExp(`\\bid:\\s*'?${v}'?\\s*[,}]`).test(text)) return { start, text };
  }
  return null;
}

/** The number that the text gives a register; null for one with a name, which no list can hold. */
function numberOf({ fn }: Place, reg: number): string | null {
  return isVirtualReg(reg) ? (/^%(\d+)$/.exec(nameOf(fn, ~reg))?.[1] ?? null) : null;
}

function addFlag(place: Place, { reg }: WholeWaveFinding): Proposal | null {
  const v = numberOf(place, reg);
  if (v === null) return null;
  const { snapshot, view, fn } = place;
  const title = `Flag %${v} WWM_REG`;
  const entry = entryOf(place, v);
  if (entry !== null) {
    const list = /\bflags:\s*\[/.exec(entry.text);
    if (list !== null) return { title, edits: [insert(entry.start + list.index + list[0].length, ' WWM_REG,')] };
    const end = entry.text.lastIndexOf('}');
    return { title, edits: [insert(entry.start + entry.text.slice(0, end).trimEnd().length, ', flags: [ WWM_REG ]')] };
  }
  if (valueOfKey(snapshot, view, 'registers') !== NO_NODE || fn.vregs.regClass[~reg]! < 0 || view.nameRange === null)
    return null;
  const rc = fn.tables.regClassMirName(fn.vregs.regClass[~reg]!);
  const at = snapshot.text.lineEnd(snapshot.text.lineAt(view.nameRange.start));
  const text = `${eol(snapshot)}registers:${eol(snapshot)}  - { id: ${v}, class: ${rc}, flags: [ WWM_REG ] }`;
  return { title, edits: [insert(at, text)] };
}

function removeFlag(place: Place, { reg }: WholeWaveFinding): Proposal | null {
  const v = numberOf(place, reg);
  const entry = v === null ? null : entryOf(place, v);
  const flag = entry === null ? null : /,?\s*flags:\s*\[\s*WWM_REG\s*\]/.exec(entry.text);
  if (entry === null || flag === null) return null;
  const start = entry.start + flag.index;
  return { title: `Remove WWM_REG from %${v!}`, edits: [{ start, end: start + flag[0].length, text: '' }] };
}

// -- machineFunctionInfo -----------------------------------------------------------------------------------------------

/** The value of a key of machineFunctionInfo. */
function infoValue({ snapshot, view }: Place, wanted: string): Node {
  const info = valueOfKey(snapshot, view, 'machineFunctionInfo');
  const { yaml } = view.document;
  if (info === NO_NODE) return NO_NODE;
  for (let p = yaml.firstChild(info); p !== NO_NODE; p = yaml.nextSibling(p, info)) {
    const key = yaml.firstChild(p);
    if (key === NO_NODE || yaml.kind(key) !== SyntaxKind.YamlScalar) continue;
    if (snapshot.file.interner.text(Math.max(0, yaml.value(key))) === wanted) return yaml.nextSibling(key, p);
  }
  return NO_NODE;
}

/** A line of machineFunctionInfo, which is made where there is none. */
function infoLine(place: Place, line: string): Proposal['edits'] | null {
  const { snapshot, view } = place;
  const { text } = snapshot;
  const info = valueOfKey(snapshot, view, 'machineFunctionInfo');
  if (info === NO_NODE) {
    if (view.nameRange === null) return null;
    const at = text.lineEnd(text.lineAt(view.nameRange.start));
    return [insert(at, `${eol(snapshot)}machineFunctionInfo:${eol(snapshot)}  ${line}`)];
  }
  const { yaml } = view.document;
  const first = yaml.firstChild(info);
  const start = view.start + yaml.start(first === NO_NODE ? info : first);
  const isInline = text.slice(view.start + yaml.start(info), view.start + yaml.start(info) + 1) === '{';
  if (isInline) return [insert(view.start + yaml.start(info) + 1, first === NO_NODE ? ` ${line} ` : ` ${line},`)];
  const lineStart = text.lineStart(text.lineAt(start));
  const indent = /^ */.exec(text.slice(lineStart, start))![0];
  return [insert(lineStart, `${indent}${line}${eol(snapshot)}`)];
}

function withReserved(place: Place, reg: number): Proposal | null {
  const { snapshot, view, fn } = place;
  const name = `'$${fn.tables.regName(reg)}'`;
  const title = `Add ${name.slice(1, -1)} to wwmReservedRegs`;
  const list = infoValue(place, 'wwmReservedRegs');
  const edits =
    list === NO_NODE ? infoLine(place, `wwmReservedRegs: [ ${name} ]`) : itemAdded(snapshot, view, list, name);
  return edits === null ? null : { title, edits };
}

function itemAdded({ text }: Snapshot, view: FunctionView, list: Node, name: string): Proposal['edits'] | null {
  const { yaml } = view.document;
  const [start, end] = [view.start + yaml.start(list), view.start + yaml.end(list)];
  const whole = text.slice(start, end);
  if (!whole.startsWith('[')) return null;
  const isEmpty = yaml.firstChild(list) === NO_NODE;
  return [insert(start + 1, isEmpty ? ` ${name} ` : ` ${name},`)];
}

function withoutReserved(place: Place, reg: number): Proposal | null {
  const { snapshot, view, fn } = place;
  const list = infoValue(place, 'wwmReservedRegs');
  if (list === NO_NODE) return null;
  const { yaml } = view.document;
  const start = view.start + yaml.start(list);
  const whole = snapshot.text.slice(start, view.start + yaml.end(list));
  const name = fn.tables.regName(reg);
  const item = new RegExp(`(,\\s*)?['"]?\\$${name}['"]?(?![\\w])(\\s*,\\s*)?`).exec(whole);
  if (!whole.startsWith('[') || item === null) return null;
  const between = item[1] !== undefined && item[2] !== undefined ? ', ' : '';
  const edit = { start: start + item.index, end: start + item.index + item[0].length, text: between };
  return { title: `Remove $${name} from wwmReservedRegs`, edits: [edit] };
}

/** The highest register, or pair in waves of 64, that the function does not name. */
function addExecCopy(place: Place): Proposal | null {
  const { fn } = place;
  const { tables } = fn;
  const named = new Set<PhysReg>(fn.header.liveIns.map((l) => l.reg));
  for (let o = 0; o < fn.nOperands; o++)
    if (fn.opKind[o] === OperandKind.Register && isPhysicalReg(fn.opVal[o]!)) named.add(fn.opVal[o]!);
  for (const block of fn.blocks) for (const l of block.liveIns) named.add(l.reg);
  const rc = tables.regClassByName(fn.subtarget.wavefrontSize === 32 ? 'sgpr_32' : 'sgpr_64');
  const number = (reg: PhysReg): number => Number(/\d+/.exec(tables.regName(reg))?.[0] ?? -1);
  const free = Array.from(new ReservedRegs(fn).allocationOrder(rc))
    .filter((reg) => /^sgpr\d/.test(tables.regName(reg)) && ![...named].some((n) => tables.regsOverlap(n, reg)))
    .sort((a, b) => number(b) - number(a))[0];
  if (free === undefined) return null;
  const name = `$${tables.regName(free)}`;
  const edits = infoLine(place, `sgprForEXECCopy: '${name}'`);
  return edits === null ? null : { title: `Keep EXEC in ${name} (sgprForEXECCopy)`, edits };
}
