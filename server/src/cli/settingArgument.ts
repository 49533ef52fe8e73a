/** Settings of `sweep --vary` and `diff --with`: options of llc and attributes of functions. */
import { SWEPT_ATTRIBUTES, type SweepSetting } from '../program/sweep.js';
import { visible } from '../text/visible.js';
import { didYouMean } from './help.js';

/** Of `-option=a,b`, `-flag` or `attr:NAME=a|b`. */
export function variedBy(text: string): SweepSetting[] {
  const [, attribute, list = ''] = /^attr:([^=]+)=([^]*)$/.exec(text) ?? [];
  if (attribute !== undefined)
    return list.split('|').map((value) => ({ options: [], attributes: { [attribute]: value } }));
  const [, given = '', values] = /^([^=]*)(?:=([^]*))?$/.exec(text) ?? [];
  const name = given.startsWith('-') ? given : `-${given}`;
  const options = values === undefined ? [name] : values.split(',').map((one) => `${name}=${one}`);
  return options.map((option) => ({ options: [option], attributes: {} }));
}

/** Nobody at LLVM says that an attribute is unknown: it would make no difference. */
export function attributeNameProblem({ attributes }: SweepSetting): string {
  const name = Object.keys(attributes).find((own) => own.startsWith('amdgpu-') && !SWEPT_ATTRIBUTES.includes(own));
  if (name === undefined) return '';
  const near = didYouMean(name, SWEPT_ATTRIBUTES);
  return `llc asks for no attribute '${visible(name)}' from the machine scheduler on${near}`;
}
