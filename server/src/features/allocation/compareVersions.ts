/** What llc ends with of a document beside another version of it, or beside itself under other options and attributes, as text. */
import { diffOutcomes, type DiffSide } from '../../program/outcomeDiff.js';
import { outcomeDiffText } from '../../program/outcomeDiffText.js';
import { optionProblem, settingOf } from '../../program/settingWords.js';
import { AS_IN_FILE, settingText, Sweep, SWEPT_ATTRIBUTES } from '../../program/sweep.js';
import { whyUncounted } from '../../program/targetOfFile.js';
import { oneLine } from '../../text/visible.js';
import { Cancelled, type ProgressToken } from '../../util/cancellation.js';
import { ELSEWHERE, llvmText, targetText, type Elsewhere, type Snapshot } from '../snapshot/snapshot.js';

/** One of both; without them there is nothing to compare. */
export interface CompareVersionsParams {
  readonly textDocument: { readonly uri: string };
  /** the version before, and what it is called: `git HEAD` */
  readonly other?: { readonly name: string; readonly text: string } | undefined;
  /** `-option=VALUE` and `attr:NAME=VALUE`, all together */
  readonly settings?: readonly string[] | undefined;
}

/** `amdgpuMir/compareVersions` */
export function provideVersionComparison(
  snapshot: Snapshot,
  { other, settings = [] }: CompareVersionsParams,
  token: ProgressToken,
): string | Elsewhere | null {
  const { target } = snapshot;
  const { model, release } = snapshot.model;
  if (whyUncounted(target) !== '') return `not compared: ${whyUncounted(target)}\n`;
  const { stage } = snapshot.settings;
  const own: DiffSide = { source: snapshot.text.text, target, model, setting: AS_IN_FILE, stage };
  const setting = settingOf(settings);
  if (other === undefined && settings.length === 0) return 'not compared: there is nothing to compare it with\n';
  const problem = settings.length === 0 ? '' : problemOf(own, setting) || optionProblem(setting.options, release);
  if (problem !== '') return `not compared: ${oneLine(problem)}\n`;
  const before = other === undefined ? own : { ...own, source: other.text };
  const limited = snapshot.limited(token);
  const checkpoint = (): void => {
    if (limited.isCancelled()) throw new Cancelled();
  };
  const name = nameOf(snapshot.uri);
  const here = `${targetText(snapshot, null)}, ${llvmText(snapshot)}`;
  try {
    const diff = diffOutcomes(before, { ...own, setting }, null, checkpoint);
    return outcomeDiffText(diff, {
      before: oneLine(other?.name ?? name),
      after: settings.length === 0 ? name : `${other === undefined ? 'the same' : name} with ${settingText(setting)}`,
      targetBefore: here,
      targetAfter: here,
    });
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    return limited.isLate === true ? ELSEWHERE : null;
  }
}

function problemOf({ source, target, model }: DiffSide, { attributes }: DiffSide['setting']): string {
  const names = Object.keys(attributes);
  if (names.length === 0) return '';
  const unknown = names.find((name) => name.startsWith('amdgpu-') && !SWEPT_ATTRIBUTES.includes(name));
  if (unknown !== undefined) return `llc asks for no attribute '${unknown}' from the machine scheduler on`;
  const sweep = new Sweep(source, target, model);
  return sweep.hasModule
    ? sweep.problemOf(attributes)
    : 'there is no embedded module, whose functions could have other attributes';
}

/** The last part of a URI's path. */
function nameOf(uri: string): string {
  const part = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return oneLine(decodeURIComponent(part));
  } catch {
    return oneLine(part);
  }
}
