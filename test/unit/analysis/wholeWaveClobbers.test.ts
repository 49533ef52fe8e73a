/** Writes of all lanes over values that lanes wait for, against a search that goes instruction by instruction. */
import assert from 'node:assert/strict';
import { LaneValues } from '../../../server/src/analysis/uniformity/laneValues.js';
import { mayWriteWholeWaves, wholeWaveClobbers } from '../../../server/src/analysis/uniformity/wholeWaveClobbers.js';
import type { MachineFunction } from '../../../server/src/model/machineFunction.js';
import { lowerMir, mirFunction } from '../../support/mir.js';
import { randomSource } from '../../support/random.js';

/** What an instruction does: with EXEC, and with $vgpr6 and $vgpr7 (as sets of their numbers). */
interface Line {
  readonly text: string;
  readonly exec?: 'narrow' | 'restore' | 'enter' | 'exit';
  readonly writes?: readonly number[];
  readonly reads?: readonly number[];
  /** writes lanes of its own choice */
  readonly isLaneWrite?: boolean;
  readonly isUndefined?: boolean;
  readonly isFrame?: boolean;
}

const SCC = 'implicit-def $scc';
const SAVES = `implicit-def $exec, ${SCC}, implicit $exec`;
const forReg = (r: number): Line[] => [
  { text: `$vgpr${r} = V_MOV_B32_e32 1, implicit $exec`, writes: [r] },
  { text: `$vgpr${r} = V_MOV_B32_e32 1, implicit $exec`, writes: [r] },
  { text: `$vgpr${r} = frame-setup V_MOV_B32_e32 1, implicit $exec`, writes: [r], isFrame: true },
  { text: `$vgpr${r} = frame-destroy V_MOV_B32_e32 1, implicit $exec`, writes: [r], isFrame: true },
  { text: `$vgpr${r} = V_WRITELANE_B32 $sgpr4, 3, $vgpr${r}`, writes: [r], isLaneWrite: true },
  { text: `$vgpr${r} = SI_SPILL_S32_TO_VGPR $sgpr4, 3, $vgpr${r}`, writes: [r], isLaneWrite: true },
  { text: `$vgpr${r} = WWM_COPY $vgpr5`, writes: [r], isLaneWrite: true },
  {
    text: `$vgpr${r} = SI_SPILL_WWM_V32_RESTORE 0, $sgpr32, 0, implicit $exec`,
    writes: [r],
    isLaneWrite: true,
  },
  { text: `SI_SPILL_WWM_V32_SAVE $vgpr${r}, 0, $sgpr32, 0, implicit $exec` },
  { text: `S_NOP 0, implicit-def $sgpr6, implicit-def $vgpr${r}`, writes: [r] },
  { text: `S_NOP 0, implicit $noreg, implicit-def $sgpr6, implicit $vgpr${r}`, reads: [r] },
  { text: `$vgpr${r} = IMPLICIT_DEF`, writes: [r], isUndefined: true },
  { text: `S_NOP 0, implicit $vgpr${r}`, reads: [r] },
  { text: `S_NOP 0, implicit undef $vgpr${r}` },
  { text: `$vgpr5 = V_ADD_U32_e32 $vgpr${r}, $vgpr5, implicit $exec`, reads: [r] },
  { text: `$sgpr5 = V_READLANE_B32 $vgpr${r}, 3` },
  { text: `$sgpr5 = SI_RESTORE_S32_FROM_VGPR $vgpr${r}, 3` },
];
const LINES: readonly Line[] = [
  ...forReg(6),
  ...forReg(7),
  { text: 'S_NOP 0, implicit $vgpr6_vgpr7', reads: [6, 7] },
  { text: '$vgpr6_vgpr7 = V_MOV_B64_PSEUDO 0, implicit $exec', writes: [6, 7] },
  { text: '$sgpr12 = S_MOV_B32 0' },
  ...Array.from({ length: 3 }, (): Line[] => [
    { text: `$exec = S_AND_B64 $exec, $vcc, ${SCC}`, exec: 'narrow' },
    { text: `$sgpr10_sgpr11 = S_AND_SAVEEXEC_B64 $vcc, ${SAVES}`, exec: 'narrow' },
    { text: `$exec = S_OR_B64 $exec, $sgpr10_sgpr11, ${SCC}`, exec: 'restore' },
    { text: '$exec = S_MOV_B64 $sgpr10_sgpr11', exec: 'restore' },
    { text: `$sgpr8_sgpr9 = ENTER_STRICT_WWM -1, ${SAVES}`, exec: 'enter' },
    { text: `$sgpr8_sgpr9 = S_OR_SAVEEXEC_B64 -1, ${SAVES}`, exec: 'enter' },
    { text: '$exec = S_MOV_B64 -1', exec: 'enter' },
    { text: '$exec = EXIT_STRICT_WWM $sgpr8_sgpr9', exec: 'exit' },
  ]).flat(),
];

/** What a clobber is made of; other lines stand between. */
const CORE: readonly Line[] = LINES.filter(
  ({ text, exec, isFrame, isUndefined }) =>
    (text.includes('vgpr7') && isFrame !== true && isUndefined !== true && !/READLANE|RESTORE|undef/.test(text)) ||
    (exec !== undefined && !text.includes('-1')),
);

interface Place extends Line {
  readonly isWhole: boolean;
  /** places that follow */
  next: number[];
}

class Program {
  readonly places: Place[] = [];
  readonly text: string;

  constructor(seed: number) {
    const below = randomSource(seed);
    const nBlocks = 2 + below(5);
    const isLikely = below(4) > 0;
    const first: number[] = [];
    const last: number[] = [];
    const successors: number[][] = [];
    let text = '';
    for (let b = 0; b < nBlocks; b++) {
      let isWhole = false;
      first.push(this.places.length);
      const targets = new Set<number>();
      if (b + 1 < nBlocks && below(5) > 0) targets.add(b + 1);
      while (b > 0 && targets.size < 2 && below(3) > 0) targets.add(1 + below(nBlocks - 1));
      if (b === 0) targets.add(1).add(isLikely ? nBlocks - 1 : 1);
      const lines = Array.from({ length: 1 + below(4) }, () => {
        const list = below(4) === 0 ? LINES : CORE;
        return list[below(list.length)]!;
      });
      // In most functions the first block has a value and parts the lanes, the last one joins them and reads it.
      const line = (start: string): Line => LINES.find((l) => l.text.startsWith(start))!;
      if (isLikely && b === 0) lines.push(line('$vgpr7 = V_MOV'), line('$sgpr10_sgpr11'));
      else if (isLikely && b === nBlocks - 1) lines.push(line('$exec = S_OR'), line('S_NOP 0, implicit $vgpr7'));
      else if (isLikely) lines.splice(below(2), 0, line('$vgpr7 = V_WRITELANE'));
      // Else the parser lets it fall through.
      if (targets.size === 0) lines.push({ text: 'S_ENDPGM 0' });
      for (const line of lines) {
        if (line.exec !== undefined) isWhole = line.exec === 'enter';
        this.places.push({ ...line, isWhole, next: [] });
        if (this.places.length - 1 > first[b]!) this.places.at(-2)!.next = [this.places.length - 1];
      }
      last.push(this.places.length - 1);
      successors.push([...targets]);
      const list = [...targets].map((t) => `%bb.${t}`).join(', ');
      text += `\n  bb.${b}:\n${list === '' ? '' : `    successors: ${list}\n`}${lines.map((l) => `    ${l.text}\n`).join('')}`;
    }
    successors.forEach((list, b) => (this.places[last[b]!]!.next = list.map((s) => first[s]!)));
    this.text = mirFunction('f', text);
  }

  /** The register of which a place writes lanes that do not run. */
  whole(p: number): number {
    const { writes, isWhole, isLaneWrite, isFrame } = this.places[p]!;
    return writes === undefined || isFrame === true || (!isWhole && isLaneWrite !== true) ? -1 : writes[0]!;
  }

  /** All places with a state that a way from after `from` brings there; null from `step` ends it. */
  private follow(from: number, step: (p: number, state: boolean) => boolean | null): void {
    const seen = new Set<string>();
    const visit = (p: number, state: boolean): void => {
      if (seen.has(`${p} ${state}`)) return;
      seen.add(`${p} ${state}`);
      const after = step(p, state);
      if (after !== null) for (const n of this.places[p]!.next) visit(n, after);
    };
    for (const n of this.places[from]!.next) visit(n, false);
  }

  private overlaps(list: readonly number[] | undefined, regs: readonly number[]): boolean {
    return list?.some((r) => regs.includes(r)) === true;
  }

  /** Reads of lanes that get what `from` has written: not in a whole wave, nor where the running lanes were written anew. */
  reads(from: number, regs: readonly number[]): Set<number> {
    const found = new Set<number>();
    this.follow(from, (p, isCovered) => {
      const { exec, isWhole, reads, writes } = this.places[p]!;
      if (!isCovered && !isWhole && this.overlaps(reads, regs)) found.add(p);
      if (exec === 'restore') return false;
      if (!this.overlaps(writes, regs)) return isCovered;
      return this.whole(p) >= 0 ? null : true;
    });
    return found;
  }

  reachesNarrowed(from: number, to: number, regs: readonly number[]): boolean {
    let isReached = false;
    this.follow(from, (p, isNarrow) => {
      const { exec, writes } = this.places[p]!;
      if (p === to) isReached ||= isNarrow;
      if (this.whole(p) >= 0 && this.overlaps(writes, regs)) return null;
      return exec === 'narrow' ? true : exec === 'restore' ? false : isNarrow;
    });
    return isReached;
  }

  /** By clobber: the first value that some lanes wait for, and all reads of it. */
  clobbers(): Map<number, { value: number; reads: Set<number> }> {
    const found = new Map<number, { value: number; reads: Set<number> }>();
    this.places.forEach((place, clobber) => {
      if (this.whole(clobber) < 0) return;
      // Of a pair the whole of it is looked at.
      const regs = place.writes!;
      const behind = this.reads(clobber, regs);
      const value = this.places.findIndex(({ writes, isUndefined }, p) => {
        if (!this.overlaps(writes, regs) || isUndefined === true || this.whole(p) >= 0) return false;
        return this.reachesNarrowed(p, clobber, regs) && [...this.reads(p, regs)].some((r) => behind.has(r));
      });
      if (value < 0) return;
      const reads = new Set([...this.reads(value, regs)].filter((r) => behind.has(r)));
      found.set(clobber, { value, reads });
    });
    return found;
  }
}

describe('writes of all lanes', () => {
  it('overwrite what waits for lanes to come back', () => {
    let count = 0;
    for (let seed = 1; seed <= 300; seed++) {
      const program = new Program(seed);
      const fn = lowerMir(program.text, { cpu: 'gfx900' })[0] as MachineFunction;
      const wanted = program.clobbers();
      const found = wholeWaveClobbers(new LaneValues(fn));
      count += found.length;
      assert.deepEqual(
        found.map((c) => [c.clobber, c.value]),
        [...wanted].map(([clobber, { value }]) => [clobber, value]),
        program.text,
      );
      for (const { clobber, read, reg } of found) {
        assert.ok(wanted.get(clobber)!.reads.has(read), program.text);
        const regs = program.places[clobber]!.writes!;
        assert.equal(fn.tables.regName(reg), regs.length > 1 ? 'vgpr6_vgpr7' : `vgpr${regs[0]}`);
      }
      const may = program.places.some(
        (p) => p.isLaneWrite === true || p.exec === 'enter' || /\$exec = S_MOV/.test(p.text),
      );
      assert.equal(mayWriteWholeWaves(fn), may, program.text);
    }
    assert.ok(count > 30, `${count} found`);
  });
});
