/** What the status display of an editor shows of a document. */
import { subtargetText, type Snapshot } from '../features/snapshot.js';
import { targetLabel } from '../features/targetOfFile.js';
import type { DocumentStatus } from './customRequests.js';

export function documentStatus(snapshot: Snapshot): DocumentStatus {
  const { uri, version, target, subtarget } = snapshot;
  return {
    uri,
    version,
    target: subtargetText(subtarget),
    triple: target.triple,
    cpu: target.cpu,
    features: target.features,
    origin: target.origin,
    active: target.commandIdx,
    targets: target.commands.map((command) => ({ label: targetLabel(command), line: command.firstLine })),
    problems: subtarget.problems,
    functions: snapshot.functions.length,
  };
}
