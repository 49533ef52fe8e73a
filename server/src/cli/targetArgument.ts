/** The value of `check --target`: `gfx942`, `gfx1100:+wavefrontsize64`, `gfx90a:xnack-:sramecc+`, several with commas between them. */
import type { TargetOptions } from '../program/targetOfFile.js';
import { createSubtarget, listCpus, listFeatures } from '../target/index.js';
import { didYouMean } from './help.js';

/** With an empty triple: the file's. A message when one is not known. */
export function parseTargets(value: string, triple: string): TargetOptions[] | string {
  const targets: TargetOptions[] = [];
  for (const word of value.split(',')) {
    const [cpu = '', ...own] = word.split(':');
    if (!listCpus().includes(cpu)) return `--target: no processor '${cpu}'${didYouMean(cpu, listCpus())}`;
    const features: string[] = [];
    for (const feature of own) {
      const [, before = '', name = '', behind = ''] = /^([-+]?)(.*?)([-+]?)$/s.exec(feature) ?? [];
      const names = listFeatures().map((f) => f.name);
      if (before !== '' && behind !== '') return `--target: a feature is '+${name}' or '${name}+', not '${feature}'`;
      if (!names.includes(name)) return `--target: no feature '${name}'${didYouMean(name, names)}`;
      features.push(`${before || behind || '+'}${name}`);
    }
    const target = { triple: '', cpu, features: features.join(',') };
    const [problem] = createSubtarget(triple, cpu, target.features).problems;
    if (problem !== undefined) return `--target: ${problem}`;
    targets.push(target);
  }
  return targets;
}
