/**
 * Pipelines of `-passes`: names joined by commas, pipelines of a level in parentheses. Follows PassBuilder's parsePipelineText and
 * parsePassPipeline, LLVM 22, as far as passes of this program go: a name that is none of theirs is unknown at its level.
 */

/** A name with the pipeline in its parentheses; null = no parentheses. */
interface Element {
  readonly name: string;
  readonly inner: Element[] | null;
}

/** LLVM's words for a pipeline that it refuses. */
export class PipelineError extends Error {}

/** The elements, or null where parentheses or commas do not fit. */
function readElements(text: string): Element[] | null {
  const root: Element[] = [];
  const open: Element[][] = [root];
  let at = 0;
  for (;;) {
    const list = open.at(-1) as Element[];
    const length = text.slice(at).search(/[,()]/);
    const name = length < 0 ? text.slice(at) : text.slice(at, at + length);
    if (length < 0) {
      list.push({ name, inner: null });
      break;
    }
    const separator = text.charAt(at + length);
    at += length + 1;
    if (separator === '(') {
      const inner: Element[] = [];
      list.push({ name, inner });
      open.push(inner);
      continue;
    }
    list.push({ name, inner: null });
    if (separator === ',') continue;
    do {
      if (open.length === 1) return null;
      open.pop();
    } while (text.charAt(at) === ')' && ++at > 0);
    if (at === text.length) break;
    if (text.charAt(at++) !== ',') return null;
  }
  return open.length > 1 ? null : root;
}

type Level = 'module' | 'cgscc' | 'function' | 'loop' | 'machine';

/** What may stand in the parentheses after a name, by the level of the name. */
const PIPELINES: Readonly<Record<Level, Readonly<Record<string, Level>>>> = {
  module: { module: 'module', cgscc: 'cgscc', function: 'function' },
  cgscc: { cgscc: 'cgscc', function: 'function' },
  function: { function: 'function', loop: 'loop', 'loop-mssa': 'loop', 'machine-function': 'machine' },
  loop: { loop: 'loop', 'loop-mssa': 'loop' },
  machine: {},
};

/** The machine passes in their order; `passOf`: what a name means, null for unknown ones. Throws PipelineError. */
export function readPipeline<Pass>(text: string, passOf: (name: string) => Pass | null): Pass[] {
  let level: Level = 'module';
  const elements = readElements(text);
  if (elements === null) throw new PipelineError(`invalid pipeline '${text}'`);
  const [{ name, inner }] = elements as [Element];
  if (!(name in PIPELINES.module)) {
    if (name in PIPELINES.function) level = 'function';
    else if (passOf(name) !== null) level = 'machine';
    else throw new PipelineError(`unknown ${inner === null ? 'pass' : 'pipeline'} name '${name}'`);
  }
  const passes: Pass[] = [];
  const walk = (list: readonly Element[], at: Level): void => {
    for (const e of list) {
      if (e.inner !== null) {
        if (at === 'machine') throw new PipelineError('invalid pipeline');
        const next = PIPELINES[at][e.name];
        if (next === undefined) throw new PipelineError(`invalid use of '${e.name}' pass as ${at} pipeline`);
        walk(e.inner, next);
        continue;
      }
      const pass = at === 'machine' ? passOf(e.name) : null;
      if (pass === null) throw new PipelineError(`unknown ${at} pass '${e.name}'`);
      passes.push(pass);
    }
  };
  walk(elements, level);
  return passes;
}
