/** Numbers of functions that llc-22 allocated, beside those of its assembly. */
import { allocatedUse } from '../../server/src/analysis/allocatedUse.js';
import { moduleUse } from '../../server/src/analysis/frame/moduleUse.js';
import { runLlc } from './llc.js';
import { lowerMir } from './mir.js';

/** By function: VGPRs, AGPRs, SGPRs and bytes of scratch of its own code, whether that uses VCC, then the SGPRs, VGPRs and waves that count, where they are numbers. */
function numbersOfAsm(asm: string): Map<string, readonly (number | null)[]> {
  const names = [...asm.matchAll(/^\s*\.type\s+(\S+),@function/gm)].map((m) => m[1]);
  const parts = asm.split(/^\s*\.type\s+\S+,@function.*$/m).slice(1);
  return new Map(
    names.map((name, k) => {
      const number = (pattern: string): number | null => {
        const found = new RegExp(pattern, 'm').exec(parts[k]);
        return found === null ? null : Number(found[1]);
      };
      const symbol = (key: string): number | null => number(`^\\s*\\.set ${name}\\.${key}, (?:max\\()?(\\d+)`);
      const comment = (key: string): number | null => number(`^; ${key}: (\\d+)$`);
      return [
        name,
        [
          ...['num_vgpr', 'num_agpr', 'numbered_sgpr', 'private_seg_size', 'uses_vcc'].map(symbol),
          ...[comment('TotalNumSgprs'), comment('TotalNumVgprs') ?? comment('NumVgprs'), comment('Occupancy')],
        ],
      ];
    }),
  );
}

export interface NumbersOfFunction {
  readonly name: string;
  /** as `numbersOfAsm` has them, and null where that has none */
  readonly ours: string;
  readonly llc: string;
}

/** Of each function of an allocated text; null: llc-22 makes no assembly of it. */
export function allocatedNumbers(text: string, triple: string, cpu: string): NumbersOfFunction[] | null {
  const args = ['-x', 'mir', `-mtriple=${triple}`, `-mcpu=${cpu}`, '-start-after=virtregrewriter,2', '-o', '-'];
  const asm = runLlc(args, text);
  if (asm.status !== 0) return null;
  const members = lowerMir(text, { triple, cpu, features: '' }).map((fn) => {
    const use = allocatedUse(fn);
    return { fn, use, own: use.own };
  });
  const wanted = numbersOfAsm(asm.stdout);
  const totals = moduleUse(members);
  return members.map(({ fn, use }) => {
    const { name } = fn.header;
    const { totalSGPR, totalVGPR, occupancy } = totals.get(name)!;
    const own = [use.framedVGPR, use.framedAGPR, use.framedSGPR, use.scratchBytes, Number(use.own.usesVCC)];
    const known = wanted.get(name)!;
    const ours = [...own, totalSGPR, totalVGPR, occupancy].map((x, k) => (known[k] === null ? null : x));
    return { name, ours: ours.join(), llc: known.join() };
  });
}
