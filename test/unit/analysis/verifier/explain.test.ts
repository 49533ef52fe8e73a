/** Places for reports that name only a register, against a search through all operands and paths. */
import assert from 'node:assert/strict';
import { Places, type Place } from '../../../../server/src/analysis/verifier/explain.js';
import { OpFlag, OperandKind, type MachineFunction } from '../../../../server/src/model/machineFunction.js';
import { lowerMir, mirFunction } from '../../../support/mir.js';
import { randomSource } from '../../../support/random.js';

/** Registers that are defined on some paths or nowhere; immediates whose numbers would be registers; debug instructions. */
function randomText(seed: number): string {
  const below = randomSource(seed);
  const n = 1 + below(7);
  const reg = (): string => `%${below(5)}`;
  const line = (): string => {
    switch (below(9)) {
      case 0:
      case 1:
        return `${reg()}:vgpr_32 = IMPLICIT_DEF`;
      case 2:
        return `dead ${reg()}:vgpr_32 = IMPLICIT_DEF`;
      case 3:
        return `S_NOP 0, implicit killed ${reg()}, implicit ${reg()}`;
      case 4:
        return `S_NOP 0, implicit undef ${reg()}`;
      case 5:
        return `DBG_VALUE ${reg()}, $noreg`;
      case 6:
        return `S_NOP -${1 + below(5)}, implicit $vgpr0, implicit ${reg()}`;
      case 7:
        return `S_NOP 0, implicit-def ${reg()}, implicit killed ${reg()}, implicit killed ${reg()}`;
      default:
        return `S_NOP 0, implicit ${reg()}`;
    }
  };
  const blocks = Array.from({ length: n }, (_, b) => {
    const next = new Set<number>();
    for (let k = below(3); k > 0; k--) if (n > 1) next.add(1 + below(n - 1));
    if (b + 1 < n && below(4) > 0) next.add(b + 1);
    const list = [...next].map((s) => `%bb.${s}`).join(', ');
    const phi =
      b > 0 && below(4) === 0 ? `    ${reg()}:vgpr_32 = PHI ${reg()}, %bb.${below(n)}, ${reg()}, %bb.0\n` : '';
    const edges = list === '' ? '' : `    successors: ${list}\n`;
    const lines = Array.from({ length: below(5) }, () => `    ${line()}\n`).join('');
    return `  bb.${b}:\n${edges}${phi}${lines}`;
  });
  const registers = [0, 1, 2, 3, 4].map((v) => `  - { id: ${v}, class: vgpr_32 }\n`).join('');
  return mirFunction('f', blocks.join('\n')).replace('body:', `registers:\n${registers}body:`);
}

interface Mention extends Place {
  readonly flags: number;
  readonly isPhi: boolean;
}

/** Mentions of a register in a block, in the order of the text. */
function mentions(fn: MachineFunction, b: number, v: number): Mention[] {
  const found: Mention[] = [];
  for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
    const instr = fn.order[p]!;
    for (let o = fn.opBegin[instr]!; o < fn.opBegin[instr + 1]!; o++)
      if (fn.opKind[o] === OperandKind.Register && fn.opVal[o] === ~v) {
        const isPhi = fn.tables.opcodeName(fn.opcode[instr]!) === 'PHI';
        found.push({ instr, operand: o - fn.opBegin[instr]!, flags: fn.opFlags[o]!, isPhi });
      }
  }
  return found;
}

const isDef = (m: Mention): boolean => (m.flags & OpFlag.Def) !== 0;
const isRead = (m: Mention): boolean => (m.flags & (OpFlag.Def | OpFlag.Undef | OpFlag.Debug)) === 0;
const placeOf = (m: Mention | undefined): Place | null =>
  m === undefined ? null : { instr: m.instr, operand: m.operand };

/** Steps from the entry to each block on ways on which nothing defines the register; the blocks in the order in which a search comes to them. */
function undefinedAt(fn: MachineFunction, v: number): number[] {
  const order = [0];
  for (const b of order) {
    if (mentions(fn, b, v).some((m) => isDef(m) && (m.flags & OpFlag.Dead) === 0)) continue;
    for (const s of fn.blocks[b]!.successors) if (!order.includes(s)) order.push(s);
  }
  return order;
}

describe('places of a register', () => {
  const functions = Array.from({ length: 150 }, (_, k) => lowerMir(randomText(k + 1))[0]!);

  it('are its first definition and the last kill of each block', () => {
    for (const fn of functions) {
      const places = new Places(fn);
      for (let v = 0; v < fn.vregs.n; v++) {
        const all = fn.blocks.flatMap((_, b) => mentions(fn, b, v));
        assert.deepEqual(places.firstDef(v), placeOf(all.find(isDef)));
        fn.blocks.forEach((_, b) => {
          const kills = mentions(fn, b, v).filter((m) => (m.flags & OpFlag.Kill) !== 0);
          assert.deepEqual(places.kill(b, v), placeOf(kills.at(-1)));
        });
      }
    }
  });

  it('are the read nearest to the entry that nothing defines it for', () => {
    for (const fn of functions) {
      const places = new Places(fn);
      for (let v = 0; v < fn.vregs.n; v++) {
        const reads = undefinedAt(fn, v).flatMap((b) => {
          const own = mentions(fn, b, v);
          // What an instruction defines is defined after the instruction.
          const def = own.find((m) => isDef(m) && (m.flags & OpFlag.Dead) === 0);
          return own
            .filter((m) => isRead(m) && (def === undefined || m.instr <= def.instr))
            .map((m) => ({ m, isSure: b !== 0 && !m.isPhi }));
        });
        const wanted = reads.find((r) => r.isSure) ?? reads[0];
        assert.deepEqual(places.undominatedUse(v), placeOf(wanted?.m));
      }
    }
  });

  it('are the first read of the text after fifty searches', () => {
    for (const fn of functions.slice(0, 60)) {
      const places = new Places(fn);
      for (let k = 0; k < 50; k++) places.undominatedUse(0);
      for (let v = 0; v < fn.vregs.n; v++) {
        const all = fn.blocks.flatMap((_, b) => mentions(fn, b, v));
        assert.deepEqual(places.undominatedUse(v), placeOf(all.find(isRead)));
      }
    }
  });
});
