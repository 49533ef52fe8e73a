/** Names, places and reasons of rematerialization in words: the same in light bulbs, hovers, hints, reports and on the command line. */
import type { InstrId, MachineFunction } from '../../model/machineFunction.js';
import type {
  GroupObstacle,
  RegisterObstacle,
  RematVerdict,
  UseGroup,
} from '../../passes/scheduler/remat/advice/candidates.js';
import { placeOf } from './pressureText.js';
import { nameOf, namesText } from './registerNames.js';

const MAX_PLACES = 3;

/** Line of an instruction, from 1; 0 where it has none. Reports say it beside the block. */
export type LineOf = (instr: InstrId) => number;

const lineText = (lineOf: LineOf | null, i: InstrId): string => {
  const line = lineOf?.(i) ?? 0;
  return line === 0 ? '' : ` (line ${line})`;
};

/** `bb.4`, `bb.2, bb.4 (line 31)`, `2 places in bb.4`, `5 places in 4 blocks`; the line is that of the first copy in the block. */
export function placesText(fn: MachineFunction, groups: readonly UseGroup[], lineOf: LineOf | null = null): string {
  const firsts = new Map<number, InstrId>();
  for (const { block, before } of groups) if (!firsts.has(block)) firsts.set(block, before);
  const blocks = [...firsts].map(([b, i]) => `bb.${fn.blocks[b]!.sourceNumber}${lineText(lineOf, i)}`);
  if (blocks.length > MAX_PLACES) return `${groups.length} places in ${blocks.length} blocks`;
  const places = blocks.length < groups.length ? `${groups.length} places in ` : '';
  return places + blocks.join(', ');
}

/** Why a candidate may be computed again: `reads no register but exec`, `%2 has the same value there`. */
export function reasonWhy(fn: MachineFunction, reads: ReadonlySet<number>): string {
  if (reads.size === 0) return 'reads no virtual register';
  const names = namesText(fn, [...reads]);
  return `${names} ${reads.size === 1 ? 'is live there with the same value' : 'are live there with the same values'}`;
}

const OBSTACLES: Readonly<Record<RegisterObstacle, string>> = {
  'not rematerializable': 'the instruction cannot be rematerialized',
  'implicit definition': 'the opcode writes a register implicitly',
  'extra implicit operands': 'the instruction has implicit operands beyond those of its opcode',
  'may raise FP exceptions': 'the instruction may raise FP exceptions (no nofpexcept)',
  'reads a physical register': 'it reads a physical register that is not constant',
  'several definitions': 'it has several definitions',
  'no definition': 'it has no definition',
  'never used': 'it is never used',
  'inside a bundle': 'it is defined in a bundle',
  'in no region': 'it is defined in no scheduling region',
  'used in its own region only': 'it is used only in the region of its definition',
  'no legal place': 'there is no legal place for a copy',
};

/** Why a copy may not stand before some users: `operand %17 is not available at bb.3:4 (line 52)`. */
export function groupReason(fn: MachineFunction, { obstacle, before }: UseGroup, lineOf: LineOf | null = null): string {
  const at = `${placeOf(fn, before)}${lineText(lineOf, before)}`;
  return obstacle ? obstacleText(fn, obstacle, at) : `a copy may stand at ${at}`;
}

function obstacleText(fn: MachineFunction, obstacle: GroupObstacle, at: string): string {
  switch (obstacle.kind) {
    case 'operand not available':
      return `operand ${nameOf(fn, obstacle.operand)} is not available at ${at}`;
    case 'used by a PHI':
      return `the user at ${at} is a PHI`;
    case 'after a terminator':
      return `the user at ${at} stands after a terminator`;
    case 'same region':
      return `the user at ${at} is in the region of the definition`;
  }
}

/** Why a register, defined by `def` (-1 = none), is no candidate. */
export function obstacleReason(
  fn: MachineFunction,
  verdict: Extract<RematVerdict, { candidate: null }>,
  def: InstrId,
  lineOf: LineOf | null = null,
): string {
  const first = verdict.groups.find((g) => g.obstacle?.kind !== 'same region');
  if (verdict.obstacle === 'no legal place' && first) return groupReason(fn, first, lineOf);
  if (verdict.obstacle === 'not rematerializable' && def >= 0)
    return `${fn.tables.opcodeName(fn.opcode[def]!)} cannot be rematerialized`;
  return OBSTACLES[verdict.obstacle];
}
