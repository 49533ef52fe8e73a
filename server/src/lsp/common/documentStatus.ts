/** What the status display of an editor shows of a document: its target above all, the one that its functions really have. */
import { fileSaysOf, subtargetText, type Snapshot } from '../../features/snapshot/snapshot.js';
import { targetDoubt } from '../../features/diagnostics/targetDoubt.js';
import { modelReason } from '../../program/modelOfFile.js';
import { stageText } from '../../program/stage.js';
import { DUMP_NOTE, graphStart } from '../../program/tritonDump.js';
import { foreignText, targetLabel } from '../../program/targetOfFile.js';
import type { DocumentStatus } from './customRequests.js';

export function documentStatus(snapshot: Snapshot): DocumentStatus {
  const { uri, version, target, subtarget, model } = snapshot;
  const isForeign = target.foreign !== '';
  const own = functionTargets(snapshot);
  const doubt = isForeign ? null : targetDoubt(snapshot);
  const stage = snapshot.functions.find((view) => view.fn !== null)?.stage ?? null;
  const isOwn = own.length > 0 && !own.includes(subtargetText(subtarget));
  return {
    uri,
    version,
    target: isOwn ? own[0]! + (own.length > 1 ? ` and ${own.length - 1} more` : '') : subtargetText(subtarget),
    triple: target.triple,
    cpu: target.cpu,
    features: target.features,
    origin: isOwn ? 'function' : target.origin,
    active: isOwn ? -1 : target.commandIdx,
    targets: target.commands.map((command) => ({ label: targetLabel(command), line: command.firstLine })),
    foreign: isForeign ? foreignText(target.foreign, model.release) : '',
    problems: [...(isForeign ? [] : subtarget.problems), ...(doubt === null ? [] : [doubt])],
    functions: snapshot.functions.length,
    own: ownTargets(snapshot),
    fileSays: isForeign ? '' : fileSays(snapshot),
    llvm: subtarget.release.version,
    llvmReason: modelReason(model) + (graphStart(snapshot.file) < 0 ? '' : `; ${DUMP_NOTE}`),
    model: model.model === model.release ? '' : model.model,
    stage: stage === null ? '' : stageText(stage),
    stageBy: stage?.by ?? '',
  };
}

/** Of the first function that was compiled for another target than the one chosen. */
const fileSays = (snapshot: Snapshot): string =>
  snapshot.functions.map((view) => fileSaysOf(snapshot, view)).find((text) => text !== '') ??
  fileSaysOf(snapshot, null);

function ownTargets({ functions, subtarget, text }: Snapshot): DocumentStatus['own'] {
  const file = subtargetText(subtarget);
  return functions.flatMap(({ fn, start, end }) => {
    const target = fn ? subtargetText(fn.subtarget) : file;
    return target === file
      ? []
      : [{ firstLine: text.lineAt(start), lastLine: text.lineAt(Math.max(start, end - 1)), target }];
  });
}

/** The targets of the functions, each once, in order: attributes in the embedded IR go before RUN lines and settings. */
function functionTargets({ functions }: Snapshot): string[] {
  const targets = new Set<string>();
  for (const { fn } of functions) if (fn) targets.add(subtargetText(fn.subtarget));
  return [...targets];
}
