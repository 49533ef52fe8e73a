/** The value of `check --target`: `gfx942`, `gfx1100:+wavefrontsize64`, `gfx90a:xnack-:sramecc+`, several with commas between them. */
import type { TargetOptions } from '../program/targetOfFile.js';
import { createSubtarget, listCpus, listFeatures } from '../target/index.js';
import { DEFAULT_SETTINGS } from '../program/settings.js';
import type { CommandOptions } from './commandOptions.js';
import { didYouMean } from './help.js';

/** Those of all `--target`s of a command line. A message when one is not known. */
export function parseTargetLists(lists: readonly string[], triple: string): TargetOptions[] | string {
  const targets: TargetOptions[] = [];
  for (const list of lists) {
    const some = parseTargets(list, triple);
    if (typeof some === 'string') return some;
    targets.push(...some);
  }
  return targets;
}

/** With an empty triple: the file's. A message when one is not known. */
function parseTargets(value: string, triple: string): TargetOptions[] | string {
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

/** `--target` of a command with llc's options, in llc's words; a message for what is no processor, or several. */
export function targetInLlcWords({ values }: CommandOptions): readonly string[] | string {
  const targets = parseTargetLists(values.get('target') ?? [], DEFAULT_SETTINGS.target.triple);
  if (typeof targets === 'string') return targets;
  if (targets.length > 1) return '--target takes one processor here';
  return targets.flatMap(({ cpu, features }) => [`-mcpu=${cpu}`, ...(features === '' ? [] : [`-mattr=${features}`])]);
}
