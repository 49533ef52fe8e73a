/**
 * Moves to the SALU that the light bulb offers in generated functions: llc-22 takes the edited text with its verifier and counts what the title promises, and an interpreter of
 * four lanes sees the same LDS writes. AMDGPU_MIR_RUNS=500 applies that many; AMDGPU_MIR_SEED=n replays.
 */
import assert from 'node:assert/strict';
import type { CodeAction } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../server/src/features/assists/codeAction.js';
import type { MachineFunction } from '../../server/src/model/machineFunction.js';
import type { Snapshot } from '../../server/src/features/snapshot/snapshot.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import { NEVER_CANCELLED } from '../../server/src/util/cancellation.js';
import { random } from '../support/corpusCase.js';
import { LANES, runLanes } from '../support/laneInterpreter.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { pressureOfLlc } from '../support/printedPressure.js';
import { runsOr, seedOr, SHOW } from '../support/switches.js';

const COUNT = runsOr(8);
const SEED = seedOr(1);
const URI = 'file:///lanes.mir';
const CPUS = ['gfx900', 'gfx90a', 'gfx1030', 'gfx1100', 'gfx1200'];
const BINARY = [
  ...['ADD_U32', 'SUB_U32', 'SUBREV_U32', 'MUL_LO_U32', 'MUL_HI_U32', 'MUL_HI_I32', 'AND_B32', 'OR_B32', 'XOR_B32'],
  ...['LSHLREV_B32', 'LSHRREV_B32', 'ASHRREV_I32', 'MIN_I32', 'MAX_I32', 'MIN_U32', 'MAX_U32'],
];
const UNARY = ['MOV_B32_e32', 'NOT_B32_e32', 'BFREV_B32_e32', 'FFBL_B32_e32', 'FFBH_U32_e32'];

const SHAPES = ['straight', 'uniform loop', 'divergent loop', 'uniform branch', 'divergent branch'] as const;

/** Uniform chains of VALU instructions beside divergent ones, around control flow of one shape; their values are written to LDS at the end. */
class FunctionText {
  private lines: string[] = [];
  private readonly blocks: string[] = [];
  private n = 3;
  private vectors: string[] = [];
  /** of 64 bits */
  private wide: string[] = [];
  private readonly divergent: string[] = [];

  constructor(
    private readonly cpu: string,
    private readonly rnd: () => number,
  ) {}

  private below(n: number): number {
    return Math.floor(this.rnd() * n);
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  private add(text: string, rc = 'vgpr_32'): string {
    this.lines.push(`%${this.n}:${rc} = ${text}`);
    return `%${this.n++}`;
  }

  private chain(length: number): void {
    const { vectors, divergent } = this;
    const constant = (): string => this.pick(['0', '1', '5', '31', '64', '-1', '-16']);
    const scalar = (): string => this.pick(['%1', '%2']);
    const any = (): string => this.pick([scalar(), constant(), this.pick(vectors)]);
    for (let k = length; k > 0; k--) {
      const kind = this.below(10);
      if (kind < 6) {
        const op = this.pick(BINARY);
        const clamp = /^(?:ADD|SUB|SUBREV)_/.test(op) ? ', 0' : '';
        const a = this.below(2) === 0 ? this.pick(vectors) : any();
        vectors.push(this.add(`V_${op}_e64 ${a}, ${this.pick(vectors)}${clamp}, implicit $exec`));
      } else if (kind < 8) vectors.push(this.add(`V_${this.pick(UNARY)} ${any()}, implicit $exec`));
      else if (this.below(3) === 0) this.wideStep(any);
      else if (kind < 9)
        divergent.push(this.add(`V_XOR_B32_e64 ${this.pick(vectors)}, ${this.pick(divergent)}, implicit $exec`));
      else {
        this.lines.push(`S_CMP_EQ_U32 ${scalar()}, ${constant()}, implicit-def $scc`);
        if (this.below(2) === 0) vectors.push(this.add(`V_NOT_B32_e32 ${this.pick(vectors)}, implicit $exec`));
        if (this.below(2) === 0)
          vectors.push(this.add(`V_AND_B32_e64 ${scalar()}, ${this.pick(vectors)}, implicit $exec`));
        vectors.push(this.add(`COPY ${this.add('S_CSELECT_B32 %1, %2, implicit killed $scc', 'sreg_32')}`));
      }
    }
  }

  /** An instruction of 64 bits, the halves of a sum or of logic, or a half of such a value. */
  private wideStep(any: () => string): void {
    const { vectors } = this;
    const rc = this.cpu === 'gfx90a' ? 'vreg_64_align2' : 'vreg_64';
    const mask = /gfx9/.test(this.cpu) ? 'sreg_64_xexec' : 'sreg_32_xm0_xexec';
    const wide = (): string => {
      if (this.wide.length > 0 && this.below(4) > 0) return this.pick(this.wide);
      const made = this.add(
        `REG_SEQUENCE ${this.pick(vectors)}, %subreg.sub0, ${this.pick(vectors)}, %subreg.sub1`,
        rc,
      );
      this.wide.push(made);
      return made;
    };
    const [x, y] = [wide(), wide()];
    const kind = this.below(6);
    if (kind === 0) vectors.push(this.add(`COPY ${x}.sub${this.below(2)}`));
    else if (kind === 1) {
      const shift = this.pick(['V_LSHRREV_B64_e64', 'V_ASHRREV_I64_e64']);
      this.wide.push(this.add(`${shift} ${any()}, ${x}, implicit $exec`, rc));
    } else if (kind < 4) {
      const [low, high] = [this.n, this.n + 2];
      const [first, second] = this.pick([
        ['ADD_CO_U32', 'ADDC_U32'],
        ['SUB_CO_U32', 'SUBB_U32'],
      ]);
      this.n += 4;
      this.lines.push(
        `%${low}:vgpr_32, %${low + 1}:${mask} = V_${first!}_e64 ${x}.sub0, ${y}.sub0, 0, implicit $exec`,
        `%${high}:vgpr_32, dead %${high + 1}:${mask} = V_${second!}_e64 ${x}.sub1, ${y}.sub1, killed %${low + 1}, 0, implicit $exec`,
      );
      this.wide.push(this.add(`REG_SEQUENCE %${low}, %subreg.sub0, %${high}, %subreg.sub1`, rc));
    } else {
      const op = this.pick(['AND', 'OR', 'XOR']);
      const halves = [0, 1].map((k) => this.add(`V_${op}_B32_e64 ${x}.sub${k}, ${y}.sub${k}, implicit $exec`));
      this.wide.push(this.add(`REG_SEQUENCE ${halves[0]!}, %subreg.sub0, ${halves[1]!}, %subreg.sub1`, rc));
      if (this.below(3) === 0) vectors.push(halves[1]!);
    }
  }

  private block(successors: readonly number[]): void {
    const head = successors.length === 0 ? [] : [`successors: ${successors.map((s) => `%bb.${s}`).join(', ')}`];
    if (this.blocks.length === 0) head.push('liveins: $vgpr0, $sgpr8, $sgpr9');
    const rows = [...head, ...(head.length > 0 ? [''] : []), ...this.lines].map((l) => (l === '' ? '' : `    ${l}`));
    this.blocks.push(`  bb.${this.blocks.length}:\n${rows.join('\n')}\n`);
    this.lines = [];
  }

  text(): string {
    const { rnd } = this;
    const shape = rnd() < 0.3 ? 'straight' : this.pick(SHAPES);
    const is64 = /gfx9/.test(this.cpu);
    const mask = is64 ? 'sreg_64' : 'sreg_32';
    const control = 'implicit-def dead $exec, implicit-def dead $scc, implicit $exec';
    this.lines.push('%0:vgpr_32 = COPY $vgpr0', '%1:sreg_32 = COPY $sgpr8', '%2:sreg_32 = COPY $sgpr9');
    this.divergent.push(this.add('V_ADD_U32_e64 %0, 7, 0, implicit $exec'));
    this.vectors.push(this.add('COPY %1'));
    this.chain(4 + this.below(shape === 'straight' ? 26 : 8));
    const before = [...this.vectors];
    let end = '';
    if (shape.endsWith('loop')) {
      const few = this.add('V_AND_B32_e64 3, %0, implicit $exec');
      const zero = this.add('S_MOV_B32 0', 'sreg_32');
      const nobody = this.add(`S_MOV_B${is64 ? 64 : 32} 0`, mask);
      const counts = this.add('COPY %1');
      this.block([1]);
      // Registers that are made after their PHIs: numbers first.
      const phis = Array.from({ length: 1 + this.below(3) }, () => [`%${this.n++}`, this.pick(before)] as const);
      const [count, left] = [`%${this.n++}`, `%${this.n++}`];
      const at = this.lines.length;
      this.vectors = [...before, ...phis.map(([phi]) => phi), ...phis.map(([phi]) => phi)];
      this.chain(2 + this.below(8));
      const made = this.vectors.slice(-6);
      const phiLines = phis.map(
        ([phi, init]) =>
          `${phi}:vgpr_32 = PHI ${init}, %bb.0, ${this.pick(rnd() < 0.8 ? made : this.divergent)}, %bb.1`,
      );
      if (shape === 'uniform loop') {
        const next = this.add(`S_ADD_I32 ${count}, 1, implicit-def dead $scc`, 'sreg_32');
        phiLines.push(`${count}:sreg_32 = PHI ${zero}, %bb.0, ${next}, %bb.1`);
        this.lines.push(`S_CMP_LT_U32 ${next}, ${1 + this.below(4)}, implicit-def $scc`);
        this.lines.push('S_CBRANCH_SCC1 %bb.1, implicit killed $scc', 'S_BRANCH %bb.2');
      } else {
        const next = this.add(`V_ADD_U32_e64 ${count}, 1, 0, implicit $exec`);
        const done = this.add(`V_CMP_GE_U32_e64 ${next}, ${few}, implicit $exec`, mask);
        const broken = this.add(`SI_IF_BREAK ${done}, ${left}, implicit-def dead $scc`, mask);
        const first = this.add(`V_SUB_U32_e64 ${counts}, ${counts}, 0, implicit $exec`);
        // before the loop: the counter's first value
        const init = this.lines.pop()!;
        this.blocks[0] = `${this.blocks[0]!}    ${init}\n`;
        phiLines.push(`${count}:vgpr_32 = PHI ${first}, %bb.0, ${next}, %bb.1`);
        phiLines.push(`${left}:${mask} = PHI ${nobody}, %bb.0, ${broken}, %bb.1`);
        this.lines.push(`SI_LOOP ${broken}, %bb.1, ${control}`, 'S_BRANCH %bb.2');
        end = `SI_END_CF ${broken}, ${control}`;
      }
      this.lines.splice(at, 0, ...phiLines);
      this.block([1, 2]);
    } else if (shape.endsWith('branch')) {
      if (shape === 'uniform branch')
        this.lines.push(
          `S_CMP_EQ_U32 ${this.pick(['%1', '%2'])}, ${this.pick(['9', '3'])}, implicit-def $scc`,
          'S_CBRANCH_SCC1 %bb.2, implicit killed $scc',
          'S_BRANCH %bb.1',
        );
      else {
        const condition = this.add(`V_CMP_LT_U32_e64 ${this.pick(this.divergent)}, 64, implicit $exec`, mask);
        const saved = this.add(`SI_IF ${condition}, %bb.2, ${control}`, mask);
        end = `SI_END_CF ${saved}, ${control}`;
      }
      this.block([1, 2]);
      this.chain(2 + this.below(6));
      this.block([2]);
      const phis = Array.from({ length: 1 + this.below(3) }, () =>
        this.add(`PHI ${this.pick(before)}, %bb.0, ${this.pick(this.vectors.slice(-4))}, %bb.1`),
      );
      this.vectors = [...before, ...phis, ...phis];
      const reached = new Set(this.blocks[0]!.match(/%\d+(?=:v(?:gpr|reg))/g));
      this.divergent.splice(0, this.divergent.length, ...this.divergent.filter((d) => reached.has(d)));
      this.wide = this.wide.filter((w) => reached.has(w));
    }
    if (end !== '') this.lines.push(end);
    if (shape !== 'straight') this.chain(1 + this.below(6));
    for (const x of this.wide.slice(-3))
      this.lines.push(`DS_WRITE_B64_gfx9 ${this.pick(this.divergent)}, ${x}, 0, 0, implicit $exec`);
    for (const v of [...this.vectors.slice(-8), ...this.divergent])
      this.lines.push(`DS_WRITE_B32_gfx9 ${this.pick(this.divergent)}, ${v}, 0, 0, implicit $exec`);
    this.lines.push('S_ENDPGM 0');
    this.block([]);
    return `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${this.cpu} -run-pass=none %s
---
name: lanes
tracksRegLiveness: true
body: |
${this.blocks.join('\n')}...
`;
  }
}

function open(text: string): Snapshot {
  const host = new AnalysisHost(false, Infinity);
  host.open(URI, 1, text);
  return host.snapshot(URI)!;
}

/** The most VGPRs at an instruction of each block, as llc-22 counts them; fails where it rejects the text. */
function measured(text: string, cpu: string, fn: MachineFunction): number[] {
  const args = ['-x', 'mir', '-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, '-verify-machineinstrs'];
  const run = runLlc([...args, '-run-pass=amdgpu-print-rp', '-o', '/dev/null'], text);
  assert.equal(run.status, 0, `${run.stderr.slice(0, 800)}\n${text}`);
  const { rows } = pressureOfLlc(run.stderr, 'lanes')!;
  assert.equal(rows.length, fn.blockEnd[fn.blocks.length - 1], text);
  return fn.blocks.map((_, b) => Math.max(...rows.slice(fn.blockBegin[b], fn.blockEnd[b]).map(([, vgprs]) => vgprs)));
}

/** What the title says of the VGPRs of each block: the least and the most that it changes by. */
function promisedBy(title: string, nBlocks: number): (readonly [number, number])[] {
  const [, least, most, blocks] = /VGPR (-\d+)(?: to (-\d+))? in ((?:bb\.\d+(?:, )?)+), (?:SGPR|occ)/.exec(title) ?? [];
  assert.ok(least !== undefined && blocks !== undefined, title);
  const named = new Set(blocks.match(/\d+/g)!.map(Number));
  return Array.from({ length: nBlocks }, (_, b) => (named.has(b) ? [Number(least), Number(most ?? least)] : [0, 0]));
}

const phisInVectors = (text: string): number => text.match(/:vgpr_32 = PHI/g)?.length ?? 0;
const changesPhi = (before: string, after: string): boolean => phisInVectors(after) < phisInVectors(before);

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
    this.timeout(0);
    needsLlc(this);
    const rnd = random(SEED);
    let [applied, withFlow, phis, wide] = [0, 0, 0, 0];
    for (let tries = 0; applied < COUNT && tries < COUNT * 30; tries++) {
      const cpu = CPUS[tries % CPUS.length]!;
      const text = new FunctionText(cpu, rnd).text();
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
      const made = open(edited).functions[0]!.fn!;
      const [llc, before] = [measured(edited, cpu, made), measured(text, cpu, view.fn!)];
      const changes = llc.map((after, block) => after - before[block]!);
      promisedBy(action.title, changes.length).forEach(([least, most], block) => {
        const change = changes[block]!;
        assert.ok(most <= change && change <= least, `bb.${block}: ${change}, ${action.title}\n${text}\n${edited}`);
      });
      const input = (name: string): number[] =>
        name === 'vgpr0'
          ? Array.from({ length: LANES }, (_, l) => l * 77 + 3)
          : new Array<number>(LANES).fill(name === 'sgpr8' ? -123456 : 9);
      assert.deepEqual(runLanes(made, input), runLanes(view.fn!, input), `${action.title}\n${text}\n${edited}`);
      applied++;
      if (/^  bb\.2:/m.test(text)) withFlow++;
      if (changesPhi(text, edited)) phis++;
      if (/ = S_(?:\w+[BIU]64|ADDC|SUBB)/.test(edited.replaceAll('S_MOV_B64', ''))) wide++;
    }
    if (SHOW) console.log(`${applied}, ${withFlow} with control flow, ${phis} that move PHIs, ${wide} of 64 bits`);
    assert.equal(applied, COUNT);
  });
});
