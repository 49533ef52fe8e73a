/**
 * Live intervals after edits: segments, numbers of values, ranges of register units and flags of operands are those of LLVM's library after each of them
 * (moves, reads that go, registers that fall apart, definitions that go).
 */
import assert from 'node:assert/strict';
import { IntervalEditor } from '../../../../server/src/analysis/edit/intervalEditor.js';
import { MovedInstr } from '../../../../server/src/analysis/edit/movedInstr.js';
import { ReservedRegs } from '../../../../server/src/analysis/reservedRegs.js';
import { SlotIndexes } from '../../../../server/src/analysis/slotIndexes.js';
import { FunctionEditor } from '../../../../server/src/model/edit/functionEditor.js';
import { OpFlag, OperandKind } from '../../../../server/src/model/machineFunction.js';
import { UnitRanges } from '../../../../server/src/passes/regalloc/unitRanges.js';
import { CPU, editedFunction, keptAnswers, type EditedFunction } from '../../../support/intervalEdits.js';
import { lowerMir } from '../../../support/mir.js';

const FUNCTIONS = 120;
const WIDE = 64;
const PARTS = 8;

class Replay {
  private readonly fn;
  private readonly e: IntervalEditor;
  private readonly units: UnitRanges;
  private readonly mentioned: number[] = [];

  constructor(text: string) {
    this.fn = lowerMir(text, { cpu: CPU })[0]!.clone();
    const editor = new FunctionEditor(this.fn);
    this.e = new IntervalEditor(editor, new SlotIndexes(this.fn));
    this.e.computeAll();
    const { fn, e } = this;
    const { slots } = e;
    this.units = new UnitRanges({ fn, tables: fn.tables, slots, editor, lis: e, reserved: new ReservedRegs(fn) });
    this.units.computeLiveIns();
    const { unitBegin, unitEnd, unitList } = fn.tables;
    for (const name of ['sgpr4', 'sgpr5', 'vgpr1']) {
      const reg = fn.tables.regByName(name);
      this.mentioned.push(...unitList.subarray(unitBegin[reg], unitEnd[reg]));
    }
    for (const unit of this.mentioned) this.units.of(unit);
  }

  private place(b: number, n: number): number {
    let at = this.e.editor.list.first(b);
    for (let k = 0; k < n; k++) at = this.e.editor.list.after(at);
    return at;
  }

  edit(what: string): void {
    const { e, fn } = this;
    const { editor, slots } = e;
    const [kind, ...numbers] = what.split(' ');
    const [a, b, c] = numbers.map(Number) as [number, number, number];
    if (kind === 'm') {
      const [i, to] = [this.place(a, b), this.place(a, c)];
      const from = slots.ofInstr(i);
      slots.remove(i);
      editor.move(i, to, a);
      new MovedInstr(e, i, from, slots.insert(i, a), (unit) => this.units.known(unit)).update();
    } else if (kind === 'u') {
      const o = fn.opBegin[this.place(a, b)]! + c;
      fn.opFlags[o]! |= OpFlag.Undef;
      e.shrinkToUses(~fn.opVal[o]!);
    } else if (kind === 'd') {
      const o = fn.opBegin[this.place(a, b)]! + c;
      e.removeDef(e.interval(~fn.opVal[o]!), e.defSlot(o));
    } else e.splitComponents(a);
  }

  print(): string {
    const { e, fn } = this;
    let text = '';
    for (let v = 0; v < fn.vregs.n; v++) if (e.known(v) !== null) text += `%${v} ${e.known(v)!.print()}\n`;
    for (const unit of [...this.mentioned].sort((x, y) => x - y)) {
      const range = this.units.known(unit);
      if (range !== null && !range.isEmpty) text += `unit ${unit} ${range.print()}\n`;
    }
    for (let b = 0; b < fn.blocks.length; b++)
      for (let i = e.editor.list.first(b); i >= 0; i = e.editor.list.after(i)) {
        text += ' ';
        for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++)
          if (fn.opKind[o] === OperandKind.Register && fn.opVal[o] !== 0) text += flag(fn.opFlags[o]!);
      }
    return `${text}\n`;
  }
}

function flag(flags: number): string {
  if ((flags & OpFlag.Undef) !== 0) return 'u';
  if ((flags & OpFlag.Def) !== 0) return (flags & OpFlag.Dead) !== 0 ? 'd' : 'w';
  return (flags & OpFlag.Kill) !== 0 ? 'k' : 'r';
}

describe('live intervals after edits', () => {
  const functions = Array.from({ length: FUNCTIONS }, (_, k) => editedFunction(k + 1));
  const answers = keptAnswers('intervalEdits.br', functions);
  const wide = Array.from({ length: WIDE }, (_, k) => editedFunction(k + 1, 8 + (k % 7)));
  const wideAnswers = keptAnswers('intervalEditsOfManyBlocks.br', wide);

  const check = ({ text, edits }: EditedFunction, answer: string): void => {
    const wanted = answer.split(/^edit .*\n/m);
    const replay = new Replay(text);
    assert.equal(wanted.length, edits.length + 1);
    assert.equal(replay.print(), wanted[0], text);
    edits.forEach((edit, k) => {
      replay.edit(edit);
      assert.equal(replay.print(), wanted[k + 1], `${edits.slice(0, k + 1).join('; ')}\n${text}`);
    });
  };

  for (let part = 0; part < PARTS; part++)
    it(`are LLVM's, ${part + 1} of ${PARTS}`, () => {
      assert.equal(answers.length, FUNCTIONS);
      functions.forEach((f, k) => {
        if (k % PARTS === part) check(f, answers[k]!);
      });
    });

  for (let part = 0; part < PARTS; part++)
    it(`are LLVM's in functions of many blocks, ${part + 1} of ${PARTS}`, () => {
      assert.equal(wideAnswers.length, WIDE);
      wide.forEach((f, k) => {
        if (k % PARTS === part) check(f, wideAnswers[k]!);
      });
    });
});
