/** "Update this line": constants as llc prints them. "Loosen this line": registers of a CHECK line as variables and patterns. "Make it CHECK-DAG". */
import { CodeActionKind, type CodeAction, type CodeActionContext, type Range } from 'vscode-languageserver-types';
import type { TextEdit } from '../../text/sourceText.js';
import { toLspEdits } from '../snapshot/lspEdit.js';
import { checkLinesOf, type CheckLine } from './checkLines.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { CHECK_FAILED } from './verdictDiagnostics.js';
import { matchesAfter } from './tryLine.js';

const UPDATE_LINE = 'Update this line: ';

export const isLineUpdate = ({ title }: CodeAction): boolean => title.startsWith(UPDATE_LINE);

export function lineActions(snapshot: Snapshot, range: Range, context: CodeActionContext): CodeAction[] {
  const { text, uri } = snapshot;
  const { line } = range.start;
  const checks = checkLinesOf(snapshot);
  const here = checks.find((c) => text.lineAt(c.start) === line);
  if (!here || text.slice(here.start, here.contentStart).includes('{LITERAL}')) return [];
  const diagnostics = context.diagnostics.filter((d) => d.code === CHECK_FAILED && d.range.start.line === line);
  const act = (title: string, edits: readonly TextEdit[]): CodeAction => ({
    title,
    kind: diagnostics.length > 0 ? CodeActionKind.QuickFix : CodeActionKind.RefactorRewrite,
    ...(diagnostics.length > 0 ? { diagnostics } : {}),
    edit: { changes: { [uri]: toLspEdits(snapshot, edits) } },
  });
  // A repair is one: a line that fails and goes on failing is not repaired.
  const helps = (edits: readonly TextEdit[]): boolean =>
    diagnostics.length === 0 || matchesAfter(snapshot, edits, line);
  const actions: CodeAction[] = [];
  const updated = withConstantsOf(snapshot, here, diagnostics);
  if (updated !== null && helps([updated.edit])) actions.push(act(updated.title, [updated.edit]));
  const loose = loosened(snapshot, checks, here);
  if (loose !== null && helps([loose])) actions.push(act('Loosen this line: any register', [loose]));
  if (here.suffix === '' || here.suffix === '-NEXT') {
    const edit = { start: here.start, end: here.contentStart - 1, text: `${here.prefix}-DAG` };
    if (helps([edit])) actions.push(act(`Make it ${here.prefix}-DAG`, [edit]));
  }
  return actions;
}

/** Patterns and variables, or an integer that stands by itself. */
const CONSTANTS = /\{\{.*?\}\}|\[\[.*?\]\]|(?<![\w%$@.#-])-?\d+(?![\w.])/g;

const isConstant = (part: string): boolean => /^-?\d/.test(part);

/** The line with the constants of the one that FileCheck takes for what was meant; null where more than constants differs. */
function withConstantsOf(
  { text }: Snapshot,
  here: CheckLine,
  diagnostics: readonly { readonly message: unknown }[],
): { readonly title: string; readonly edit: TextEdit } | null {
  const content = text.slice(here.contentStart, here.end);
  const parts = [...content.matchAll(CONSTANTS)].map(([part]) => part);
  const words = content.split(CONSTANTS).map((piece) => piece.trim());
  for (const { message } of diagnostics) {
    const [, meant] = /^possible intended match here \(line \d+\): (.*)$/m.exec(String(message)) ?? [];
    const found = meant === undefined ? null : constantsIn(meant, parts, words);
    if (found === null) continue;
    let k = 0;
    const changes: string[] = [];
    const now = content.replace(CONSTANTS, (part) => {
      const wanted = found[k++]!;
      if (wanted === part) return part;
      changes.push(`${wanted} for ${part}`);
      return wanted;
    });
    const edit = { start: here.contentStart, end: here.end, text: now };
    if (changes.length > 0) return { title: `${UPDATE_LINE}${changes.join(', ')}`, edit };
  }
  return null;
}

/** What stands in `line` for each part; `words` are what stands around them. Patterns stand for themselves. */
function constantsIn(line: string, parts: readonly string[], words: readonly string[]): string[] | null {
  const first = words[0]!;
  let at = line.indexOf(first);
  if (at < 0) return null;
  at += first.length;
  const found: string[] = [];
  for (const [k, part] of parts.entries()) {
    const [wanted, next] = [/^\s*(-?\d+)\s*/.exec(line.slice(at)), words[k + 1]!];
    if (isConstant(part)) {
      if (!wanted || !line.startsWith(next, at + wanted[0].length)) return null;
      found.push(wanted[1]!);
      at += wanted[0].length + next.length;
    } else {
      const from = line.indexOf(next, at);
      if (from < 0) return null;
      found.push(part);
      at = from + next.length;
    }
  }
  return found;
}

/** Patterns and variables, which stay, or a register with its name. */
const PARTS = /\{\{.*?\}\}|\[\[.*?\]\]|(?<![\w%])%(\d+)(?![\w.])|\$([sv]|a)gpr\d+(?:_(?:lo16|hi16|[sva]gpr\d+))*/g;

/** Null when no register is left to be loosened. */
function loosened(snapshot: Snapshot, checks: readonly CheckLine[], here: CheckLine): TextEdit | null {
  const { text } = snapshot;
  const content = text.slice(here.contentStart, here.end);
  const set = new Set([...text.text.matchAll(/\[\[([A-Za-z_$][\w]*)(?::|\]\])/g)].map((m) => m[1]!));
  const known = knownVariables(snapshot, checks, here);
  const loose = content.replace(PARTS, (part, vreg?: string, bank?: string) => {
    if (bank !== undefined) return `{{\\$${bank}gpr[0-9a-z_]+}}`;
    if (vreg === undefined) return part;
    const name = known.get(part);
    if (name !== undefined) return `[[${name}]]`;
    let fresh = `R${vreg}`;
    while (set.has(fresh)) fresh += '_';
    set.add(fresh);
    known.set(part, fresh);
    return `[[${fresh}:%[0-9]+]]`;
  });
  return loose === content ? null : { start: here.contentStart, end: here.end, text: loose };
}

/** Variables that lines before this one have set, by their value, as the last verdict has it. */
function knownVariables(
  { text, verdict }: Snapshot,
  checks: readonly CheckLine[],
  here: CheckLine,
): Map<string, string> {
  const known = new Map<string, string>();
  if (!verdict) return known;
  for (const other of checks) {
    if (other.start >= here.start) break;
    if (other.prefix !== here.prefix || other.fn !== here.fn) continue;
    for (const { check } of verdict.checksAt(text.lineAt(other.start)))
      for (const variable of check.variables) {
        const [, name = '', value = ''] = /^(\w+) = (%\d+)$/.exec(variable) ?? [];
        if (name !== '') known.set(value, name);
      }
  }
  return known;
}
