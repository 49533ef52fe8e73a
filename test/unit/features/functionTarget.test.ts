/** A function's own `"target-cpu"` and `"target-features"` stand on every surface that names a target. */
import assert from 'node:assert/strict';
import { provideTargetComparison } from '../../../server/src/features/pressure/compareTargets.js';
import { provideDependences } from '../../../server/src/features/schedule/dependences.js';
import { provideHover } from '../../../server/src/features/hover/hover.js';
import { providePressureProfile } from '../../../server/src/features/pressure/pressureProfile.js';
import { provideRematReport } from '../../../server/src/features/remat/rematReport.js';
import { provideScheduleExplanation, provideScheduledText } from '../../../server/src/features/schedule/schedule.js';
import { provideWhy } from '../../../server/src/features/pressure/why.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { documentStatus } from '../../../server/src/lsp/common/documentStatus.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';

const URI = 'file:///folder/own.mir';
const TEXT = `# RUN: llc -mtriple=amdgcn -run-pass=none %s
--- |
  define void @own() #0 { ret void }
  define void @plain() { ret void }
  attributes #0 = { "target-cpu"="gfx1100" "target-features"="+wavefrontsize64" }
...
---
name: own
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    S_ENDPGM 0, implicit %1
...
---
name: plain
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0
    %0:vgpr_32 = COPY $vgpr0
    S_ENDPGM 0, implicit %0
...
`;

describe('the target of a function', () => {
  const host = new AnalysisHost(false, Infinity);
  host.open(URI, 1, TEXT);
  const snapshot = host.snapshot(URI)!;
  const lineOf = (text: string): number => TEXT.split('\n').findIndex((l) => l.includes(text));
  const position = { line: lineOf('V_ADD_U32'), character: 10 };
  const params = { textDocument: { uri: URI }, position };
  const last = { ...params, position: { line: lineOf('S_ENDPGM 0, implicit %0'), character: 10 } };
  const surfaces = (at: typeof params): Record<string, unknown> => ({
    why: provideWhy(snapshot, at),
    scheduled: { ...(provideScheduledText(snapshot, at, NEVER_CANCELLED) as object), text: '' },
    explained: provideScheduleExplanation(snapshot, at, NEVER_CANCELLED),
    rematerialization: provideRematReport(snapshot, at, NEVER_CANCELLED),
    dependences: provideDependences(snapshot, at, NEVER_CANCELLED),
    // the list to choose from names the RUN lines as they are
    profile: { ...providePressureProfile(snapshot, at), targets: [] },
    targets: provideTargetComparison(snapshot, at, NEVER_CANCELLED).text,
    hover: provideHover(snapshot, at),
  });

  it('is that of its attributes on every surface', () => {
    for (const [name, answer] of Object.entries(surfaces(params))) {
      assert.match(JSON.stringify(answer), /gfx1100 wave64/, name);
      assert.doesNotMatch(JSON.stringify(answer), /generic/, name);
    }
    const status = documentStatus(snapshot);
    assert.equal(status.target, 'generic wave64');
    const { firstLine, lastLine, target } = status.own[0]!;
    assert.deepEqual([target, status.own.length], ['gfx1100 wave64', 1]);
    assert.deepEqual([firstLine, lastLine], [lineOf('name: own') - 1, lineOf('S_ENDPGM 0, implicit %1') + 1]);
  });

  it('is that of the RUN line for the function beside it', () => {
    for (const [name, answer] of Object.entries(surfaces(last)))
      assert.match(JSON.stringify(answer), /generic(?:-hsa)? wave64/, name);
  });

  it('stands after the name of the function in Explain', () => {
    const text = provideScheduleExplanation(snapshot, params, NEVER_CANCELLED) as string;
    assert.match(text, /^@own {2}gfx1100 wave64, LLVM 24\.0\.0git\n/);
  });
});
