/** A file as the editor's features see it, for commands that tell what they find. */
import { Memory } from '../features/snapshot/memory.js';
import { DocumentSnapshot } from '../host/documentSnapshot.js';
import { FunctionResults } from '../host/functionResults.js';
import { LastGood } from '../host/lastGood.js';
import { releaseOfModel, type SchedulerModel } from '../passes/scheduler/schedulerModel.js';
import { DEFAULT_SETTINGS, type Settings } from '../program/settings.js';
import type { FileTarget } from '../program/targetOfFile.js';
import { TestFile } from '../program/testFile/testFile.js';
import { parseMirFile } from '../syntax/index.js';
import { SourceText } from '../text/sourceText.js';
import { Interner } from '../util/interner.js';

/** Whatever is asked of it takes its time. `target`: with the RUN line whose options count */
export function snapshotOfFile(
  source: string,
  target: FileTarget,
  model: SchedulerModel,
  settings: Partial<Settings> = {},
): DocumentSnapshot {
  return new DocumentSnapshot({
    ...{ uri: 'file:///input.mir', version: 1, verdict: null },
    file: parseMirFile(new SourceText(source), new Interner()),
    test: new TestFile(source),
    target,
    model: { model, release: releaseOfModel(model), sign: null, against: null, isChosen: true },
    settings: { ...DEFAULT_SETTINGS, ...settings },
    results: new FunctionResults(true),
    lastGood: new LastGood(),
    memory: new Memory(),
  });
}
