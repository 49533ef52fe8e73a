/** Inputs that no file has: functions of all the generators, what llc-22 makes of random IR, both with small changes now and then. */
import type { Question } from './answers.js';
import type { InputText, Random } from './damageInputs.js';
import { changed, fromIr, generated } from './questions.js';
import { randomAimed } from './randomAimed.js';
import { moduleText } from './randomModule.js';
import { randomOpcodes } from './randomOpcodes.js';
import { randomStage, withBundles } from './randomStages.js';

const TARGET_WORD = /^--?(?:mtriple|mcpu|mattr)=/;

function base(random: Random, seed: number): [kind: string, question: Question] {
  const kind = random.below(100);
  if (kind < 25) {
    const made = fromIr(seed);
    if (made !== null) return ['ir', made];
  }
  if (kind < 55) {
    const made = randomStage(seed);
    if (made !== null) return ['stage', made];
  }
  if (kind < 78) return ['generated', generated(random, seed)];
  if (kind < 87) return ['aimed', randomAimed(seed)];
  if (kind < 95) return ['opcodes', randomOpcodes(seed)];
  return ['module', { input: moduleText(seed), args: ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900'] }];
}

/** A fresh input; its name has the seed that makes it again. */
export function freshInput(random: Random, donors: readonly InputText[]): InputText {
  const seed = random.below(1 << 30);
  const [kind, { input, args }] = base(random, seed);
  const isBundled = random.chance(10);
  const whole = isBundled ? withBundles(input, random) : input;
  const isChanged = random.chance(25);
  const text = isChanged ? changed(whole, random.pick(donors).text, random) : whole;
  return {
    name: `fresh/${kind}-${seed}${isBundled ? '-bundled' : ''}${isChanged ? '-changed' : ''}`,
    text,
    args: args.filter((a) => TARGET_WORD.test(a)),
  };
}
