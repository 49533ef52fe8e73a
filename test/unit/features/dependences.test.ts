/** Predecessors and successors of an instruction: the edges of the graph that the scheduler starts from. */
import { strict as assert } from 'node:assert';
import {
  provideDependences,
  type DependenceInfo,
  type DependencesResult,
} from '../../../server/src/features/schedule/dependences.js';
import { provideHover } from '../../../server/src/features/hover/hover.js';
import type { Snapshot } from '../../../server/src/features/snapshot/snapshot.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { FunctionDependences, type InstrDependences } from '../../../server/src/passes/scheduler/dependences.js';
import { DepKind } from '../../../server/src/passes/scheduler/dag/graph.js';
import {
  DEFAULT_SCHEDULE_OPTIONS,
  scheduleFunction,
  SchedulerProcessState,
} from '../../../server/src/passes/scheduler/scheduleFunction.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { randomSchedule } from '../../support/randomSchedule.js';
import { lowerWithRunLine } from '../../support/schedule.js';

const URI = 'file:///folder/d.mir';
const INPUT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $vgpr1
    %at:vgpr_32 = COPY $vgpr0
    %5:vgpr_32 = COPY $vgpr1
    %x_y:vgpr_32 = DS_READ_B32_gfx9 %at, 0, 0, implicit $exec :: (load (s32), addrspace 3)
    DS_WRITE_B32_gfx9 %at, %5, 0, 0, implicit $exec :: (store (s32), addrspace 3)
    V_CMP_EQ_U32_e32 %x_y, %5, implicit-def $vcc, implicit $exec
    %sum:vgpr_32 = V_CNDMASK_B32_e32 %x_y, %5, implicit $vcc, implicit $exec
    V_CMP_NE_U32_e32 %sum, %5, implicit-def $vcc, implicit $exec
    %end:vgpr_32 = V_CNDMASK_B32_e32 %sum, %5, implicit $vcc, implicit $exec
    S_ENDPGM 0, implicit %end
...
`;

function snapshotOf(text: string): Snapshot {
  const host = new AnalysisHost(false, Infinity);
  host.open(URI, 1, text);
  const snapshot = host.snapshot(URI);
  assert.ok(snapshot);
  return snapshot;
}

/** Of a finished question. */
function edgesOf(dependences: FunctionDependences, i: number): InstrDependences | null {
  const found = dependences.of(i, NEVER_CANCELLED);
  assert.notEqual(found, 'cancelled');
  return found === 'cancelled' ? null : found;
}

const lineOf = (text: string): number => INPUT.split('\n').findIndex((l) => l.includes(text));

function at(text: string, snapshot = snapshotOf(INPUT)): DependencesResult {
  const params = { textDocument: { uri: URI }, position: { line: lineOf(text), character: 0 } };
  return provideDependences(snapshot, params, NEVER_CANCELLED) as DependencesResult;
}

/** `10 Data %5`: line counted from 0 */
const edges = (list: readonly DependenceInfo[]): string[] =>
  list.map((d) => `${d.range?.start.line} ${d.kind}${d.register && ` ${d.register}`}`).sort();

describe('dependences', () => {
  it('names kind, register as the text spells it, and place', () => {
    const r = at('%sum:vgpr_32');
    assert.equal(r.function, 'f');
    assert.equal(r.range?.start.line, lineOf('%sum:vgpr_32'));
    assert.deepEqual(edges(r.predecessors), [
      `${lineOf('V_CMP_EQ')} Data $vcc`,
      `${lineOf('%5:vgpr_32')} Data %5`,
      `${lineOf('%x_y:vgpr_32')} Data %x_y`,
    ]);
    // the second comparison writes $vcc again and reads the sum
    assert.deepEqual(
      edges(r.successors).filter((e) => e.startsWith(String(lineOf('V_CMP_NE')))),
      [`${lineOf('V_CMP_NE')} Anti $vcc`, `${lineOf('V_CMP_NE')} Data %sum`],
    );
  });

  it('knows order in memory and output dependences', () => {
    assert.deepEqual(
      edges(at('DS_WRITE').predecessors).filter((e) => e.includes('Mem')),
      [`${lineOf('%x_y:vgpr_32')} MayAliasMem`],
    );
    assert.ok(edges(at('V_CMP_NE').predecessors).includes(`${lineOf('V_CMP_EQ')} Output $vcc`));
  });

  it('has the latency of a load on the edge to its reader', () => {
    const load = at('%x_y:vgpr_32');
    const [edge] = load.successors.filter((d) => d.range?.start.line === lineOf('V_CMP_EQ'));
    assert.equal(edge?.kind, 'Data');
    assert.equal(edge.latency, load.latency);
    assert.ok(load.latency > at('%sum:vgpr_32').latency, 'a load takes longer than an addition');
  });

  it('says why there are none', () => {
    assert.match(at('S_ENDPGM').why, /^in no scheduling region/);
    assert.equal(at('tracksRegLiveness').why, 'no instruction here');
    const broken = INPUT.replace('V_CMP_NE_U32_e32', 'V_CMP_NE_U32_e33');
    assert.match(at('%sum:vgpr_32', snapshotOf(broken)).why, /^not scheduled: unknown machine instruction name/);
  });

  it('stands in the hover, longest latency first, as links to the lines', () => {
    const line = lineOf('%sum:vgpr_32');
    const hover = provideHover(snapshotOf(INPUT), {
      position: { line, character: INPUT.split('\n')[line]!.indexOf('V_CNDMASK') },
    });
    const text = (hover?.contents as { value: string }).value;
    const load = lineOf('%x_y:vgpr_32') + 1;
    assert.match(
      text,
      new RegExp(`waits for \\[line ${load}\\]\\(file:///folder/d\\.mir#L${load}\\) \\(Data \`%x_y\` \\d+\\)`),
    );
    assert.match(text, /waited for by .*Anti `\$vcc` /);
  });

  it('has regions of one instruction under the schedulers by lists, which the iterative ones leave out', () => {
    const { fns, facts } = lowerWithRunLine(
      INPUT.replace('    %x_y:', '    SCHED_BARRIER 0\n    %x_y:').replace(
        '    DS_WRITE',
        '    SCHED_BARRIER 0\n    DS_WRITE',
      ),
    );
    const fn = fns[0]!;
    const named = (name: string): number =>
      [...fn.order].findIndex((i) => fn.tables.opcodeName(fn.opcode[i]!) === name);
    const [alone, other] = ['DS_READ_B32_gfx9', 'DS_WRITE_B32_gfx9'].map((name) => fn.order[named(name)]!);
    for (const [misched, isThere] of [
      ['', true],
      ['gcn-max-ilp', true],
      ['gcn-iterative-ilp', false],
      ['gcn-iterative-minreg', false],
      ['converge', false],
    ] as const) {
      const dependences = new FunctionDependences(fn, { ...DEFAULT_SCHEDULE_OPTIONS, misched }, facts);
      assert.equal(dependences.regionSize(alone!), isThere ? 1 : 0, misched);
      assert.equal(edgesOf(dependences, alone!) !== null, isThere, misched);
      assert.equal(dependences.regionSize(other!), 5, misched);
      assert.ok(edgesOf(dependences, other!) !== null, misched);
    }
  });

  it('is the graph of the scheduler, seen from both ends', () => {
    for (const seed of [1, 2, 3]) {
      const { fns, facts } = lowerWithRunLine(randomSchedule(seed, { size: 60, blocks: 2 }));
      const [fn] = fns;
      assert.ok(fn);
      // the first graph of each region is the one in source order
      const wanted = new Map<number, string[]>();
      scheduleFunction(
        fn,
        {
          ...DEFAULT_SCHEDULE_OPTIONS,
          onGraph: (g) => {
            for (let n = 0; n < g.nSUnits; n++) {
              const i = g.instr[n]!;
              if (wanted.has(i)) continue;
              const list: string[] = [];
              for (let e = g.firstPred[n]!; e >= 0; e = g.nextPred[e]!)
                list.push(`${g.instr[g.edgePred[e]!]} ${g.edgeKind[e]} ${g.edgeLatencyCycles[e]} ${g.edgeReg[e]}`);
              wanted.set(i, list);
            }
          },
        },
        new SchedulerProcessState(),
        facts,
      );
      const dependences = new FunctionDependences(fn, DEFAULT_SCHEDULE_OPTIONS, facts);
      let nEdges = 0;
      for (const [i, list] of wanted) {
        const found = edgesOf(dependences, i);
        assert.ok(found);
        assert.deepEqual(
          found.predecessors.map((d) => `${d.instr} ${d.kind} ${d.latencyCycles} ${d.reg}`),
          list,
        );
        for (const p of found.predecessors) {
          const back = edgesOf(dependences, p.instr)?.successors ?? [];
          assert.ok(back.some((s) => s.instr === i && s.kind === p.kind && s.latencyCycles === p.latencyCycles));
          nEdges++;
        }
      }
      assert.ok(nEdges > 50);
    }
  });

  it('is given up when cancelled, and found at the next question', () => {
    const { fns, facts } = lowerWithRunLine(INPUT);
    const dependences = new FunctionDependences(fns[0]!, DEFAULT_SCHEDULE_OPTIONS, facts);
    assert.equal(dependences.of(3, { isCancelled: () => true }), 'cancelled');
    assert.ok(edgesOf(dependences, 3)?.predecessors.some((d) => (d.kind as DepKind) === DepKind.MayAliasMem));
  });
});
