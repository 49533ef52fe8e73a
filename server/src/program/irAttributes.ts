/** String attributes of the functions that an embedded module defines, set in its text. */

/**
 * The IR with `"name"="value"` in every attribute group that a definition uses; where none uses one, beside the parameters of all. Lines stay as many as they
 * were. O(text)
 */
export function withAttributes(ir: string, attributes: ReadonlyMap<string, string>): string {
  if (attributes.size === 0) return ir;
  const words = [...attributes].map(([name, value]) => `"${name}"="${value}"`).join(' ');
  const groups = new Set<string>();
  const definitions = /^[ \t]*define\b.*$/gm;
  for (const [line] of ir.matchAll(definitions)) {
    const own = /\s(#\d+)/.exec(line.slice(endOfParameters(line)))?.[1];
    if (own !== undefined) groups.add(own);
  }
  const own = groups.size === 0 ? ` ${words}` : '';
  const defined = ir.replace(definitions, (line) => {
    const end = endOfParameters(line);
    return line.slice(0, end) + own + without(line.slice(end), attributes);
  });
  return defined.replace(
    /^([ \t]*attributes (#\d+) = \{)(.*)\}[ \t]*$/gm,
    (line, head: string, group: string, body: string) =>
      groups.has(group) ? `${head}${without(body, attributes)}${words} }` : line,
  );
}

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
