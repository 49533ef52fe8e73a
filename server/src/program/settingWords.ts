/** Options of llc and attributes of functions as somebody writes them: `-amdgpu-schedule-metric-bias=50`, `attr:amdgpu-waves-per-eu=8,8`. */
import { readCommandLine } from '../commandLine/commandLine.js';
import { releaseOf, type ReleaseName } from '../target/index.js';
import { visible } from '../text/visible.js';
import { AS_IN_FILE, SWEPT_ATTRIBUTES, type SweepSetting } from './sweep.js';

/** The product of some options. */
const MAX_SETTINGS = 10_000;

/** One setting at a time, or with `isProduct` all combinations; a text: what is wrong. `near`: what an unknown name may have meant. */
export function readVaried(
  varied: readonly string[],
  isProduct: boolean,
  near: (name: string) => string = () => '',
): SweepSetting[] | string {
  const each = varied.map(variedBy);
  for (const setting of each.flat()) {
    const problem = attributeNameProblem(setting, near);
    if (problem !== '') return problem;
  }
  return isProduct ? productOf(each) : each.flat();
}

/** Of `-option=a,b`, `-flag` or `attr:NAME=a|b`. */
function variedBy(text: string): SweepSetting[] {
  const [, attribute, list = ''] = /^attr:([^=]+)=([^]*)$/.exec(text) ?? [];
  if (attribute !== undefined)
    return list.split('|').map((value) => ({ options: [], attributes: { [attribute]: value } }));
  const [, given = '', values] = /^([^=]*)(?:=([^]*))?$/.exec(text) ?? [];
  const name = given.startsWith('-') ? given : `-${given}`;
  const options = values === undefined ? [name] : values.split(',').map((one) => `${name}=${one}`);
  return options.map((option) => ({ options: [option], attributes: {} }));
}

/** Each value of each with each of the others, and with none; those that vary the same are values of one. */
function productOf(varied: readonly (readonly SweepSetting[])[]): SweepSetting[] | string {
  const byName = new Map<string, SweepSetting[]>();
  for (const setting of varied.flat()) {
    const name = Object.keys(setting.attributes)[0] ?? setting.options[0]!.split('=')[0]!;
    const own = byName.get(name);
    if (own === undefined) byName.set(name, [setting]);
    else own.push(setting);
  }
  const count = [...byName.values()].reduce((n, own) => n * (own.length + 1), 1);
  if (count > MAX_SETTINGS) return `--product: ${count} settings are more than the ${MAX_SETTINGS} that are computed`;
  let all: SweepSetting[] = [AS_IN_FILE];
  for (const own of byName.values())
    all = all.flatMap((before) => [
      before,
      ...own.map((more) => ({
        options: [...before.options, ...more.options],
        attributes: { ...before.attributes, ...more.attributes },
      })),
    ]);
  return all.slice(1);
}

/** Nobody at LLVM says that an attribute is unknown: it would make no difference. `near`: as of `readVaried`. */
export function attributeNameProblem({ attributes }: SweepSetting, near: (name: string) => string): string {
  const name = Object.keys(attributes).find((own) => own.startsWith('amdgpu-') && !SWEPT_ATTRIBUTES.includes(own));
  return name === undefined
    ? ''
    : `llc asks for no attribute '${visible(name)}' from the machine scheduler on${near(name)}`;
}

/** Of `-option=VALUE` and `attr:NAME=VALUE`, all together. */
export function settingOf(words: readonly string[]): SweepSetting {
  const options: string[] = [];
  const attributes: Record<string, string> = {};
  for (const word of words) {
    const [, name, value = ''] = /^attr:([^=]+)=([^]*)$/.exec(word) ?? [];
    if (name !== undefined) attributes[name] = value;
    else options.push(word.startsWith('-') ? word : `-${word}`);
  }
  return { options, attributes };
}

/** What that release's llc says of options that it does not take, '' when it takes them. */
export function optionProblem(options: readonly string[], release: ReleaseName): string {
  const [error] = readCommandLine(options, [], 'llc', releaseOf(release).options).errors;
  return error === undefined ? '' : error.text.trimEnd().replace(/^llc: /, '');
}
