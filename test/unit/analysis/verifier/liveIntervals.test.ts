/**
 * What the verifier says of live intervals in which one thing is wrong: each damage to a segment, to a value or to a flag gets the messages of LLVM's
 * own verifier, in its order, with the ranges, values and places that it names.
 */
import assert from 'node:assert/strict';
import { IntervalEditor } from '../../../../server/src/analysis/edit/intervalEditor.js';
import type { LiveRange } from '../../../../server/src/analysis/edit/liveRange.js';
import { SlotList } from '../../../../server/src/analysis/edit/slotList.js';
import { ReservedRegs } from '../../../../server/src/analysis/reservedRegs.js';
import { SlotIndexes } from '../../../../server/src/analysis/slotIndexes.js';
import { verifyFunction } from '../../../../server/src/analysis/verifier/index.js';
import { FunctionEditor } from '../../../../server/src/model/edit/functionEditor.js';
import { BundleFlag, OpFlag, OperandKind } from '../../../../server/src/model/machineFunction.js';
import { UnitRanges } from '../../../../server/src/passes/regalloc/unitRanges.js';
import { CPU, editedFunction, keptAnswers } from '../../../support/intervalEdits.js';
import { lowerMir, mirFunction } from '../../../support/mir.js';
import { randomSource } from '../../../support/random.js';

const FUNCTIONS = 48;
const PARTS = 8;
const DAMAGES = 40;
/** of each of OWN */
const OWN_DAMAGES = 160;
const OWN_SEED = 900;

const halfOf = (first: number): string => Array.from({ length: 16 }, (_, k) => `sub${first + k}`).join('_');

/** What the random functions do not have. */
const OWN = [
  // PHIs that read parts, and registers of which parts are undefined; a register that nobody reads is live into the function.
  `
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr4, $sgpr5, $vgpr1

    undef %0.sub0:vreg_64 = COPY $vgpr1
    %0.sub1:vreg_64 = COPY $vgpr1
    %1:vreg_128 = IMPLICIT_DEF
    undef %2.sub0:vreg_64 = COPY $sgpr5
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc

  bb.1:
    successors: %bb.1, %bb.2

    %3:vreg_64 = PHI %0, %bb.0, %4, %bb.1
    %5:vgpr_32 = PHI %0.sub1, %bb.0, %1.sub2, %bb.1
    %6:vreg_64 = PHI undef %2, %bb.0, %4, %bb.1
    undef %4.sub1:vreg_64 = COPY %3.sub0
    %4.sub0:vreg_64 = COPY %5
    %1.sub2:vreg_128 = COPY %6.sub0
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc

  bb.2:
    %7:vreg_64 = PHI %2, %bb.0, %4, %bb.1
    S_ENDPGM 0, implicit %7, implicit %1.sub3
`,
  // Lanes in the upper half of the mask.
  `
  bb.0:
    undef %0.sub0:vreg_1024 = IMPLICIT_DEF
    %0.sub15:vreg_1024 = IMPLICIT_DEF
    %0.sub16:vreg_1024 = IMPLICIT_DEF
    early-clobber %0.sub20_sub21:vreg_1024 = IMPLICIT_DEF
    S_NOP 0, implicit %0.sub16, implicit %0.sub0
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc

  bb.1:
    %0.sub31:vreg_1024 = COPY %0.sub21
    dead %0.sub16:vreg_1024 = COPY %0.sub31

  bb.2:
    S_NOP 0, implicit %0.sub15, implicit %0.sub20
    S_ENDPGM 0
`,
  // Units: values that meet, live-ins that nobody reads, a landing pad.
  `
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr4, $vgpr1

    $sgpr5 = S_MOV_B32 1
    %0:vgpr_32 = COPY $vgpr1
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc

  bb.1:
    successors: %bb.2, %bb.3
    liveins: $sgpr5, $vgpr1

    $sgpr4 = S_MOV_B32 $sgpr5
    dead $sgpr5 = S_MOV_B32 3
    early-clobber $vgpr1 = V_MOV_B32_e32 $vgpr1, implicit $exec
    $sgpr5 = S_MOV_B32 4
    S_NOP 0, implicit $sgpr4_sgpr5
    S_CBRANCH_SCC1 %bb.3, implicit undef $scc

  bb.2:
    liveins: $sgpr5, $vgpr1

    %0:vgpr_32 = COPY $vgpr1
    S_NOP 0, implicit $sgpr5, implicit %0
    S_ENDPGM 0

  bb.3 (landing-pad):
    liveins: $sgpr5

    $sgpr4 = S_MOV_B32 $sgpr5
    S_ENDPGM 0, implicit $sgpr4
`,
  // PHIs that read a half of the mask or what the last instruction of a block defines.
  `
  bb.0:
    undef %0.${halfOf(0)}:vreg_1024 = IMPLICIT_DEF
    undef %1.${halfOf(16)}:vreg_1024 = IMPLICIT_DEF
    %2:vgpr_32 = IMPLICIT_DEF

  bb.1:
    successors: %bb.1, %bb.2

    %3:vreg_1024 = PHI %0, %bb.0, %1, %bb.1
    %4:vreg_1024 = PHI %1, %bb.0, %0, %bb.1
    %5:vgpr_32 = PHI %2, %bb.0, %5, %bb.1
    S_NOP 0, implicit %3, implicit %4, implicit %5
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc

  bb.2:
    S_ENDPGM 0
`,
  // Halves of registers; a bundle whose header has no operands; a register of which one part is defined early, one late.
  `
  bb.0:
    undef %0.lo16:vgpr_32 = IMPLICIT_DEF
    %0.hi16:vgpr_32 = IMPLICIT_DEF
    undef %1.lo16:sreg_32 = IMPLICIT_DEF
    %1.hi16:sreg_32 = IMPLICIT_DEF
    %2:vreg_64 = IMPLICIT_DEF
    %3:vreg_64 = IMPLICIT_DEF
    BUNDLE {
      S_NOP 0, implicit %0.lo16, implicit %3.sub1
      %2.sub0:vreg_64 = IMPLICIT_DEF
      S_NOP 0, implicit-def %4:vgpr_32, implicit %3.sub0
    }
    S_NOP 0, early-clobber implicit-def %2.sub0, implicit-def %2.sub1, implicit %0, implicit %1.lo16, implicit %2, implicit %4
    S_ENDPGM 0
`,
];
/** Registers that nobody mentions. */
const UNUSED = ['', 'registers:\n  - { id: 0, class: vreg_1024 }\n  - { id: 7, class: vgpr_32 }\n'];
/** By function of OWN: a value of a PHI that is dead at once, and one of the last instruction that is. */
const OWN_EDITS: readonly (readonly string[])[] = [['E 1 0 1 6 3'], [], [], ['E 2 0 0 3 3'], []];

/** in place of a part */
const UNIT = -1;

/** A function with its intervals, to be damaged. */
class Damaged {
  readonly fn;
  readonly e: IntervalEditor;
  private readonly units: UnitRanges;
  /** those of which it is known where they live */
  private readonly livingUnits: number[] = [];
  /** the entries of the list of indexes: starts of blocks, instructions, the end */
  private readonly indexes: number[] = [];

  constructor(text: string) {
    this.fn = lowerMir(text, { cpu: CPU })[0]!.clone();
    const editor = new FunctionEditor(this.fn);
    this.e = new IntervalEditor(editor, new SlotIndexes(this.fn));
    this.e.computeAll();
    const { fn, e } = this;
    const { slots } = e;
    const reserved = new ReservedRegs(fn);
    this.units = new UnitRanges({ fn, tables: fn.tables, slots, editor, lis: e, reserved });
    this.units.computeLiveIns();
    const { unitBegin, unitEnd, unitList } = fn.tables;
    for (const name of ['sgpr4', 'sgpr5', 'vgpr1']) {
      const reg = fn.tables.regByName(name);
      for (const unit of unitList.subarray(unitBegin[reg], unitEnd[reg]))
        if (!this.units.of(unit).isEmpty) this.livingUnits.push(unit);
    }
    const nOfOwn = fn.order.filter((i) => (fn.bundle[i]! & BundleFlag.BundledPred) === 0).length;
    const n = nOfOwn + fn.blocks.length + 1;
    for (let s = slots.startOf(0); this.indexes.length < n; s = slots.nextIndex(s)) this.indexes.push(s);
  }

  /** Of a register, or of a unit. */
  range(v: number, part: number): LiveRange {
    if (part === UNIT) return this.units.of(v);
    const interval = this.e.interval(v);
    return part === 0 ? interval : interval.subRanges[part - 1]!;
  }

  /** Null where segments would overlap or be none. */
  random(below: (n: number) => number): string | null {
    const { fn, e } = this;
    if (below(8) === 0) {
      const b = below(fn.blocks.length);
      const p = below(fn.blockEnd[b]! - fn.blockBegin[b]!);
      const i = fn.order[fn.blockBegin[b]! + p]!;
      const o = fn.opBegin[i]! + below(fn.opBegin[i + 1]! - fn.opBegin[i]!);
      // A bundle would count as one instruction.
      if (fn.opKind[o] !== OperandKind.Register || fn.bundle.some((flags) => flags !== 0)) return null;
      const isDef = (fn.opFlags[o]! & OpFlag.Def) !== 0;
      if ((fn.opFlags[o]! & (OpFlag.Dead | OpFlag.Undef)) !== 0) return null;
      return `${isDef ? 'D' : 'K'} ${b} ${p} ${o - fn.opBegin[i]!}`;
    }
    const at = below(fn.vregs.n + this.livingUnits.length);
    const v = at < fn.vregs.n ? at : this.livingUnits[at - fn.vregs.n]!;
    if (at < fn.vregs.n && e.known(v) === null) return null;
    const part = at < fn.vregs.n ? below(1 + e.interval(v).subRanges.length) : UNIT;
    const range = this.range(v, part);
    const segment = below(range.size);
    if (below(6) === 0) return `R ${v} ${part} ${segment}`;
    const { slots } = e;
    const kind = 'SEV'[below(3)]!;
    const [start, end] = [range.start[segment]!, range.end[segment]!];
    const near = this.indexes.indexOf(SlotList.base(kind === 'E' ? end : start));
    const index =
      below(2) === 0 ? below(this.indexes.length) : Math.max(0, Math.min(this.indexes.length - 1, near - 1 + below(3)));
    const slot = below(4);
    const to = SlotList.at(this.indexes[index]!, slot);
    const [before, behind] = [range.end[segment - 1], range.start[segment + 1]];
    if (kind === 'S' && !(slots.isBefore(to, end) && (before === undefined || slots.isAtOrBefore(before, to))))
      return null;
    if (kind === 'E' && !(slots.isBefore(start, to) && (behind === undefined || slots.isAtOrBefore(to, behind))))
      return null;
    // The last index is no place for a definition, nor are joins defined inside of a block.
    if (kind !== 'E' && index === this.indexes.length - 1) return null;
    if (kind === 'V' && slot === 0 && slots.instrOf(to) >= 0) return null;
    return `${kind} ${v} ${part} ${segment} ${index} ${slot}`;
  }

  messages(damage: string): string[] {
    const { fn, e } = this;
    const [kind, ...numbers] = damage.split(' ');
    const [a, b, c, index, slot] = numbers.map(Number) as [number, number, number, number, number];
    const verify = (): string[] =>
      verifyFunction(fn, { known: { intervals: e, unitRange: (unit) => this.units.known(unit) } }).flatMap((r) => [
        r.message,
        ...r.extra.map((line) => `  ${line}`),
      ]);
    if (kind === 'N') return verify();
    if (kind === 'K' || kind === 'D') {
      const o = fn.opBegin[fn.order[fn.blockBegin[a]! + b]!]! + c;
      const was = fn.opFlags[o]!;
      fn.opFlags[o]! |= kind === 'K' ? OpFlag.Kill : OpFlag.Dead;
      const found = verify();
      fn.opFlags[o] = was;
      return found;
    }
    if (kind === 'P' || kind === 'W') {
      const interval = e.interval(a);
      interval.subRanges = [];
      if (kind === 'W') interval.clear();
      const found = verify();
      e.recompute(a);
      return found;
    }
    const range = this.range(a, b);
    const was = { start: range.start, end: range.end, value: range.value, valueDef: range.valueDef };
    Object.assign(range, {
      start: [...was.start],
      end: [...was.end],
      value: [...was.value],
      valueDef: [...was.valueDef],
    });
    const to = kind === 'R' ? 0 : SlotList.at(this.indexes[index]!, slot);
    if (kind === 'S') range.start[c] = to;
    else if (kind === 'E') range.end[c] = to;
    else if (kind === 'V') range.valueDef[range.value[c]!] = to;
    else range.removeAt(c, 1);
    const found = verify();
    Object.assign(range, was);
    return found;
  }
}

describe('the verifier with live intervals', () => {
  const texts = [
    ...OWN.map((body, k) => mirFunction(`own${k}`, body).replace('body:', `${UNUSED[k] ?? ''}body:`)),
    ...Array.from({ length: FUNCTIONS }, (_, k) => editedFunction(5000 + k).text),
  ];
  const functions = texts.map((text, k) => {
    const below = randomSource(k < OWN.length ? OWN_SEED + k : k - OWN.length);
    const damaged = new Damaged(text);
    const edits = ['N', ...(OWN_EDITS[k] ?? [])];
    const nRegs = damaged.fn.vregs.n;
    for (let n = k < OWN.length ? OWN_DAMAGES : DAMAGES; n > 0; n--) {
      const damage = damaged.random(below);
      if (damage !== null) edits.push(damage);
    }
    if (k < OWN.length) for (let v = 0; v < nRegs; v++) if (damaged.e.known(v) !== null) edits.push(`P ${v}`, `W ${v}`);
    return { text, edits, damaged };
  });
  const answers = keptAnswers('damagedIntervals.br', functions);

  for (let part = 0; part < PARTS; part++)
    it(`complains as LLVM's does, ${part + 1} of ${PARTS}`, () => {
      assert.equal(answers.length, functions.length);
      functions.forEach(({ text, edits, damaged }, k) => {
        if (k % PARTS !== part) return;
        const wanted = answers[k]!.split(/^edit .*\n/m).slice(1);
        assert.equal(wanted.length, edits.length);
        edits.forEach((damage, n) => {
          const found = damaged.messages(damage).map((m) => `${m}\n`);
          assert.equal(found.join(''), wanted[n], `${damage}\n${text}`);
        });
      });
    });
});
