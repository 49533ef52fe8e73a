/** String attributes of the functions that an embedded module defines, set in its text. */

/** `"name"="value"`, one after the other */
const wordsOf = (attributes: ReadonlyMap<string, string>): string =>
  [...attributes].map(([name, value]) => `"${name}"="${value}"`).join(' ');

/**
 * The IR with `"name"="value"` in every attribute group that a definition uses; where none uses one, beside the parameters of all. Lines stay as many as they
 * were. O(text)
 */
export function withAttributes(ir: string, attributes: ReadonlyMap<string, string>): string {
  if (attributes.size === 0) return ir;
  const words = wordsOf(attributes);
  const groups = new Set<string>();
  for (const { group } of definitionsIn(ir)) if (group !== '') groups.add(group);
  const own = groups.size === 0 ? ` ${words}` : '';
  const defined = ir.replace(DEFINITIONS, (line) => {
    const end = endOfParameters(line);
    return line.slice(0, end) + own + without(line.slice(end), attributes);
  });
  return inGroups(defined, groups, attributes);
}

/**
 * The same for one definition, `name` as it is without its quotes: in a group that it has alone, or whose value would win over its own, else beside its
 * parameters.
 */
export function withOwnAttributes(ir: string, attributes: ReadonlyMap<string, string>, name: string): string {
  const all = definitionsIn(ir);
  const own = all.find((definition) => definition.name === name);
  if (own === undefined || attributes.size === 0) return ir;
  const { group, line } = own;
  const body = group === '' ? '' : (new RegExp(`^[ \\t]*attributes ${group} = \\{(.*)\\}`, 'm').exec(ir)?.[1] ?? '');
  const isAlone = all.filter((definition) => definition.group === group).length === 1;
  if (group !== '' && (isAlone || without(body, attributes) !== body))
    return inGroups(ir, new Set([group]), attributes);
  const end = endOfParameters(line);
  return ir.replace(line, () => `${line.slice(0, end)} ${wordsOf(attributes)}${without(line.slice(end), attributes)}`);
}

const DEFINITIONS = /^[ \t]*define\b.*$/gm;

/** `group`: `#0`, empty without one */
function definitionsIn(ir: string): { readonly line: string; readonly name: string; readonly group: string }[] {
  return [...ir.matchAll(DEFINITIONS)].map(([line]) => ({
    line,
    name: /@(?:"([^"]*)"|([-\w.$]+))\(/.exec(line)?.slice(1).join('') ?? '',
    group: /\s(#\d+)/.exec(line.slice(endOfParameters(line)))?.[1] ?? '',
  }));
}

const inGroups = (ir: string, groups: ReadonlySet<string>, attributes: ReadonlyMap<string, string>): string =>
  ir.replace(/^([ \t]*attributes (#\d+) = \{)(.*)\}[ \t]*$/gm, (line, head: string, group: string, body: string) =>
    groups.has(group) ? `${head}${without(body, attributes)}${wordsOf(attributes)} }` : line,
  );

/** Behind the bracket that closes the parameters of a definition. */
function endOfParameters(line: string): number {
  const name = /@(?:"[^"]*"|[-\w.$]+)\(/.exec(line);
  if (name === null) return line.length;
  let depth = 0;
  let isQuoted = false;
  for (let k = name.index + name[0].length - 1; k < line.length; k++) {
    const c = line[k];
    if (c === '"') isQuoted = !isQuoted;
    else if (!isQuoted && c === '(') depth++;
    else if (!isQuoted && c === ')' && --depth === 0) return k + 1;
  }
  return line.length;
}

const without = (text: string, attributes: ReadonlyMap<string, string>): string =>
  text.replace(/"([^"]*)"(?:="[^"]*")?\s?/g, (word, name: string) => (attributes.has(name) ? '' : word));
