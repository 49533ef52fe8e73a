/** Debug values of registers that are joined: those go that would speak of another value (RegisterCoalescer::checkMergingChangesDbgValues, LLVM 22). */
import type { LiveRange } from '../../analysis/edit/liveRange.js';
import { NO_SLOT, type SlotRef } from '../../analysis/edit/slotList.js';
import { OpcodeTrait } from '../../analysis/opcodeTraits.js';
import type { InstrId } from '../../model/machineFunction.js';
import { isVirtualReg, type Reg } from '../../model/register.js';
import { loseDebugValue } from '../debugOperands.js';
import type { AllocState } from '../regalloc/state.js';
import type { CoalescerPair } from './coalescerPair.js';
import { Resolution, type JoinVals } from './joinVals.js';

interface Place {
  readonly at: SlotRef;
  readonly instr: InstrId;
}

export class DebugValueChecks {
  /** debug values that name a register, by the slot of the instruction after them, in order */
  private readonly placesOf = new Map<Reg, Place[]>();

  /** @llvm RegisterCoalescer.cpp RegisterCoalescer::buildVRegToDbgValueMap */
  constructor(private readonly state: AllocState) {
    const { fn, slots, editor, traits } = state;
    for (let b = 0; b < fn.blocks.length; b++) {
      let waiting: InstrId[] = [];
      const close = (at: SlotRef): void => {
        for (const instr of waiting)
          for (const reg of this.registersOf(instr)) {
            const places = this.placesOf.get(reg) ?? [];
            places.push({ at, instr });
            this.placesOf.set(reg, places);
          }
        waiting = [];
      };
      for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
        const trait = traits[fn.opcode[i]];
        if ((trait & OpcodeTrait.Debug) !== 0) waiting.push(i);
        else if ((trait & OpcodeTrait.PseudoProbe) === 0) close(slots.ofInstr(i));
      }
      close(slots.endOf(b));
    }
  }

  private *registersOf(i: InstrId): IterableIterator<Reg> {
    const { fn } = this.state;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) if (isVirtualReg(fn.opVal[o])) yield fn.opVal[o];
  }

  /** @llvm RegisterCoalescer.cpp RegisterCoalescer::checkMergingChangesDbgValues */
  check(pair: CoalescerPair, left: LiveRange, mine: JoinVals, right: LiveRange, others: JoinVals): void {
    this.checkOne(pair.source, left, right, others);
    this.checkOne(pair.destination, right, left, mine);
  }

  private checkOne(reg: Reg, other: LiveRange, own: LiveRange, values: JoinVals): void {
    const { slots } = this.state;
    const places = this.placesOf.get(reg);
    if (places === undefined) return;
    let lastAt: SlotRef = NO_SLOT;
    let last = false;
    const isWrong = (at: SlotRef): boolean => {
      if (at === lastAt) return last;
      const s = own.find(at);
      if (s === own.size) return true;
      const resolution = values.resolutionOf(own.value[s]);
      last = resolution !== Resolution.Keep && resolution !== Resolution.Erase;
      lastAt = at;
      return last;
    };
    for (let k = 0, s = 0; k < places.length && s < other.size;) {
      const { at, instr } = places[k];
      if (!slots.isBefore(at, other.end[s])) {
        s++;
        continue;
      }
      if (slots.isAtOrBefore(other.start[s], at) && isWrong(at) && [...this.registersOf(instr)].includes(reg))
        loseDebugValue(this.state.editor, instr);
      k++;
    }
  }
}
