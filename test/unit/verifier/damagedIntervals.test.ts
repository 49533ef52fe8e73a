/** What the verifier says of live intervals in which one thing is wrong; a pass leaves such ones only by a fault of its own. */
import assert from 'node:assert/strict';
import { IntervalEditor } from '../../../server/src/analysis/edit/intervalEditor.js';
import { NO_SLOT, SlotList } from '../../../server/src/analysis/edit/slotList.js';
import { Slot, SlotIndexes } from '../../../server/src/analysis/slotIndexes.js';
import { verifyFunction } from '../../../server/src/analysis/verifier/index.js';
import { FunctionEditor } from '../../../server/src/model/edit/functionEditor.js';
import { OpFlag, type MachineFunction } from '../../../server/src/model/machineFunction.js';
import { lowerMir, mirFunction } from '../../support/mir.js';

const BODY = `
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    undef %2.sub0:vreg_64 = COPY %0
    %2.sub1:vreg_64 = COPY %1
    S_NOP 0, implicit %2, implicit %0
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc

  bb.1:
    S_NOP 0, implicit %0

  bb.2:
    S_ENDPGM 0, implicit %0
`;
const [DEF_0, DEF_1, , , READ, BRANCH, , END] = [0, 1, 2, 3, 4, 5, 6, 7];

function reportsAfter(
  damage: (e: IntervalEditor, at: (instr: number, slot: Slot) => number) => void,
  body = BODY,
): string[] {
  const fn = (lowerMir(mirFunction('f', body), { cpu: 'gfx900' })[0] as MachineFunction).clone();
  const e = new IntervalEditor(new FunctionEditor(fn), new SlotIndexes(fn));
  e.computeAll();
  damage(e, (instr, slot) => SlotList.at(e.slots.ofInstr(instr), slot));
  return verifyFunction(fn, { known: { intervals: e, unitRange: () => null } }).map((r) => r.message);
}

describe('damaged live intervals', () => {
  it('as they are computed nothing is wrong', () => {
    assert.deepEqual(
      reportsAfter(() => undefined),
      [],
    );
  });

  it('without one for a register that debug info alone mentions', () => {
    const body = BODY.replace('S_ENDPGM', 'DBG_VALUE %3:vgpr_32, $noreg\n    S_ENDPGM');
    let isKnown = true;
    const reports = reportsAfter((e) => (isKnown = e.known(3) !== null), body);
    assert.ok(!isKnown);
    assert.deepEqual(reports, []);
  });

  it('with a value that is defined nowhere any more', () => {
    assert.deepEqual(
      reportsAfter((e, at) => {
        const interval = e.interval(0);
        interval.valueDef[interval.newValue(at(READ, Slot.Register))] = NO_SLOT;
        interval.newValue(at(END, Slot.Register));
      }),
      ['Value not live at VNInfo def and not marked unused'],
    );
  });

  it('without the interval of a register', () => {
    assert.deepEqual(
      reportsAfter((e) => e.remove(0)),
      ['Missing live interval for virtual register'],
    );
  });

  it('that end too early, too late, at a wrong slot or at what does not read', () => {
    const endAt = (instr: number, slot: Slot, v = 0): string[] =>
      reportsAfter((e, at) => (e.interval(v).end[0] = at(instr, slot)));
    assert.deepEqual(
      reportsAfter((e) => (e.interval(0).end[0] = e.slots.startOf(2))),
      ['No live segment at use'],
    );
    assert.deepEqual(endAt(END, Slot.Block), [
      'No live segment at use',
      "Live segment doesn't end at a valid instruction",
    ]);
    assert.deepEqual(endAt(END, Slot.Dead), [
      'Live segment ending at dead slot spans instructions',
      'Instruction ending live segment on dead slot has no dead flag',
    ]);
    assert.deepEqual(endAt(READ, Slot.Register, 1), ["Instruction ending live segment doesn't read the register"]);
    assert.deepEqual(endAt(READ, Slot.EarlyClobber, 1), ["Instruction ending live segment doesn't read the register"]);
    assert.deepEqual(endAt(BRANCH, Slot.Register, 1), ["Instruction ending live segment doesn't read the register"]);
  });

  it('whose value is defined elsewhere, or at a wrong slot', () => {
    assert.deepEqual(
      reportsAfter((e, at) => (e.interval(0).valueDef[0] = at(DEF_1, Slot.Register))),
      [
        'Inconsistent valno->def',
        'Defining instruction does not modify register',
        'Live segment must begin at MBB entry or valno def',
      ],
    );
    const beginAt = (slot: Slot): string[] =>
      reportsAfter((e, at) => {
        const interval = e.interval(0);
        interval.start[0] = interval.valueDef[0] = at(DEF_0, slot);
      });
    assert.deepEqual(beginAt(Slot.Register), []);
    assert.deepEqual(beginAt(Slot.Block), ['Inconsistent valno->def', 'PHIDef VNInfo is not defined at MBB start']);
    assert.deepEqual(beginAt(Slot.EarlyClobber), [
      'Inconsistent valno->def',
      'Non-PHI, non-early clobber def must be at a register slot',
    ]);
    assert.deepEqual(
      reportsAfter((e, at) => (e.interval(0).valueDef[0] = at(DEF_0, Slot.Block))),
      [
        'Inconsistent valno->def',
        'Value not live at VNInfo def and not marked unused',
        'Live segment must begin at MBB entry or valno def',
      ],
    );
  });

  it('with parts that are empty or reach further than the whole', () => {
    for (const part of [0, 1]) {
      assert.deepEqual(
        reportsAfter((e) => {
          e.interval(2).subRanges[part]!.clear();
        }),
        ['No live segment at def', 'Subrange must not be empty'],
      );
      assert.deepEqual(
        reportsAfter((e, at) => (e.interval(2).subRanges[part]!.end[0] = at(BRANCH, Slot.Register))),
        ["Instruction ending live segment doesn't read the register", 'A Subrange is not covered by the main range'],
      );
    }
    assert.deepEqual(
      reportsAfter((e) => {
        for (const sub of e.interval(2).subRanges) sub.clear();
      }),
      [
        'No live segment at def',
        'No live segment at def',
        'No live subrange at use',
        'Subrange must not be empty',
        'Subrange must not be empty',
      ],
    );
    assert.deepEqual(
      reportsAfter((e) => (e.interval(2).subRanges = [])),
      Array<string>(2).fill('Live interval for subreg operand has no subranges'),
    );
  });

  it('that a predecessor does not bring, or brings otherwise', () => {
    assert.deepEqual(
      reportsAfter((e, at) => {
        const interval = e.interval(0);
        const end = interval.end[0]!;
        interval.end[0] = at(READ, Slot.Register);
        interval.push(e.slots.startOf(1), end, 0);
      }),
      ['Register not marked live out of predecessor', 'Register not marked live out of predecessor'],
    );
    assert.deepEqual(
      reportsAfter((e) => {
        const interval = e.interval(0);
        const end = interval.end[0]!;
        interval.end[0] = e.slots.startOf(1);
        interval.push(e.slots.startOf(1), end, interval.newValue(e.slots.startOf(1)));
      }),
      ['Different value live out of predecessor'],
    );
  });

  it('beside flags that say otherwise', () => {
    const flagged = (v: number, flag: OpFlag, isDef: boolean): string[] =>
      reportsAfter((e) => {
        const { editor } = e;
        for (let o = editor.firstOperand(~v); o >= 0; o = editor.nextOperand(o))
          if (editor.isDef(o) === isDef) {
            editor.fn.opFlags[o]! |= flag;
            return;
          }
      });
    assert.deepEqual(flagged(1, OpFlag.Dead, true), ['Live range continues after dead def flag']);
    assert.deepEqual(flagged(1, OpFlag.Kill, false), []);
  });
});
