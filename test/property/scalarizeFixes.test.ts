/**
 * Moves to the SALU that the light bulb offers in generated functions: llc-22 takes the edited text with its verifier and counts what the title promises, and an interpreter of
 * four lanes sees the same LDS writes. AMDGPU_MIR_RUNS=500 applies that many; AMDGPU_MIR_SEED=n replays.
 */
import assert from 'node:assert/strict';
import type { CodeAction } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../server/src/features/assists/codeAction.js';
import type { Snapshot } from '../../server/src/features/snapshot.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import { NEVER_CANCELLED } from '../../server/src/util/cancellation.js';
import { random } from '../support/corpusCase.js';
import { LANES, runLanes } from '../support/laneInterpreter.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { pressureOfLlc } from '../support/printedPressure.js';
import { runsOr, seedOr } from '../support/switches.js';

const COUNT = runsOr(8);
const SEED = seedOr(1);
const URI = 'file:///lanes.mir';
const CPUS = ['gfx900', 'gfx90a', 'gfx1030', 'gfx1100', 'gfx1200'];
const BINARY = [
  ...['ADD_U32', 'SUB_U32', 'SUBREV_U32', 'MUL_LO_U32', 'MUL_HI_U32', 'MUL_HI_I32', 'AND_B32', 'OR_B32', 'XOR_B32'],
  ...['LSHLREV_B32', 'LSHRREV_B32', 'ASHRREV_I32', 'MIN_I32', 'MAX_I32', 'MIN_U32', 'MAX_U32'],
];
const UNARY = ['MOV_B32_e32', 'NOT_B32_e32', 'BFREV_B32_e32', 'FFBL_B32_e32', 'FFBH_U32_e32'];

/** Uniform chains of VALU instructions beside divergent ones; their values are written to LDS at the end. */
function functionText(cpu: string, rnd: () => number): string {
  const below = (n: number): number => Math.floor(rnd() * n);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const lines = ['%0:vgpr_32 = COPY $vgpr0', '%1:sreg_32 = COPY $sgpr8', '%2:sreg_32 = COPY $sgpr9'];
  let n = 3;
  const vectors: string[] = [];
  const add = (text: string): string => {
    lines.push(`%${n}:vgpr_32 = ${text}`);
    return `%${n++}`;
  };
  const divergent = [add('V_ADD_U32_e64 %0, 7, 0, implicit $exec')];
  const constant = (): string => pick(['0', '1', '5', '31', '64', '-1', '-16']);
  const scalar = (): string => pick(['%1', '%2']);
  vectors.push(add('COPY %1'));
  for (let k = 6 + below(24); k > 0; k--) {
    const kind = below(10);
    if (kind < 6) {
      const op = pick(BINARY);
      const a = below(2) === 0 ? pick(vectors) : pick([scalar(), constant(), pick(vectors)]);
      const clamp = /^(?:ADD|SUB|SUBREV)_/.test(op) ? ', 0' : '';
      vectors.push(add(`V_${op}_e64 ${a}, ${pick(vectors)}${clamp}, implicit $exec`));
    } else if (kind < 8)
      vectors.push(add(`V_${pick(UNARY)} ${pick([scalar(), constant(), pick(vectors)])}, implicit $exec`));
    else if (kind < 9) divergent.push(add(`V_XOR_B32_e64 ${pick(vectors)}, ${pick(divergent)}, implicit $exec`));
    else {
      lines.push(`S_CMP_EQ_U32 ${scalar()}, ${constant()}, implicit-def $scc`);
      if (below(2) === 0) vectors.push(add(`V_NOT_B32_e32 ${pick(vectors)}, implicit $exec`));
      if (below(2) === 0) vectors.push(add(`V_AND_B32_e64 ${scalar()}, ${pick(vectors)}, implicit $exec`));
      lines.push(`%${n}:sreg_32 = S_CSELECT_B32 %1, %2, implicit killed $scc`);
      const selected = `%${n++}`;
      vectors.push(add(`COPY ${selected}`));
    }
  }
  for (const v of [...vectors.slice(-8), ...divergent])
    lines.push(`DS_WRITE_B32_gfx9 ${pick(divergent)}, ${v}, 0, 0, implicit $exec`);
  const body = lines.map((l) => `    ${l}\n`).join('');
  return `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${cpu} -run-pass=none %s
---
name: lanes
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr8, $sgpr9

${body}    S_ENDPGM 0
...
`;
}

function open(text: string): Snapshot {
  const host = new AnalysisHost(false, Infinity);
  host.open(URI, 1, text);
  return host.snapshot(URI)!;
}

/** The most VGPRs at an instruction, as llc-22 counts them; fails where it rejects the text. */
function measured(text: string, cpu: string): number {
  const args = ['-x', 'mir', '-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, '-verify-machineinstrs'];
  const run = runLlc([...args, '-run-pass=amdgpu-print-rp', '-o', '/dev/null'], text);
  assert.equal(run.status, 0, `${run.stderr.slice(0, 800)}\n${text}`);
  return Math.max(...pressureOfLlc(run.stderr, 'lanes')!.rows.map(([, vgprs]) => vgprs));
}

/** Offers on a random line of a definition, or on the name. */
function offer(snapshot: Snapshot, rnd: () => number): CodeAction | undefined {
  const view = snapshot.functions[0]!;
  const fn = view.fn!;
  const i = Math.floor(rnd() * fn.nInstrs);
  const offset = rnd() < 0.3 ? view.nameRange!.start : view.start + fn.source!.instrRange(i).start;
  const at = snapshot.text.positionAt(offset);
  const params = { range: { start: at, end: at }, context: { diagnostics: [] } };
  return provideCodeActions(snapshot, params, NEVER_CANCELLED).find((a) => / to the SALU: /.test(a.title));
}

describe('moves to the SALU', () => {
  it(`${COUNT} of them: llc-22 takes them, counts what was promised, lanes see the same`, function () {
    needsLlc(this);
    const rnd = random(SEED);
    let applied = 0;
    for (let tries = 0; applied < COUNT && tries < COUNT * 30; tries++) {
      const cpu = CPUS[tries % CPUS.length]!;
      const text = functionText(cpu, rnd);
      const snapshot = open(text);
      const view = snapshot.functions[0]!;
      assert.deepEqual(
        view.diagnostics.map((d) => d.message),
        [],
        text,
      );
      const action = offer(snapshot, rnd);
      if (!action) continue;
      let edited = text;
      for (const { range, newText } of [...action.edit!.changes![URI]!].reverse())
        edited =
          edited.slice(0, snapshot.text.offsetAt(range.start)) +
          newText +
          edited.slice(snapshot.text.offsetAt(range.end));
      const [llc, before] = [measured(edited, cpu), measured(text, cpu)];
      const promised = /VGPR (-\d+) in bb\.0(?:, SGPR ([+-]\d+))?, occupancy/.exec(action.title);
      assert.ok(promised, action.title);
      assert.equal(llc - before, Number(promised[1]), `${action.title}\n${edited}`);
      const input = (name: string): number[] =>
        name === 'vgpr0'
          ? Array.from({ length: LANES }, (_, l) => l * 77 + 3)
          : new Array<number>(LANES).fill(name === 'sgpr8' ? -123456 : 9);
      assert.deepEqual(
        runLanes(open(edited).functions[0]!.fn!, input),
        runLanes(view.fn!, input),
        `${action.title}\n${text}\n${edited}`,
      );
      applied++;
    }
    assert.equal(applied, COUNT);
  });
});
