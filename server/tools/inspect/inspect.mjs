// Bundles inspect.ts and runs it, with the names of the kinds that constant enumerations lose.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));

/** Names by value: members have their numbers, one per line. */
function namesOf(file, name) {
  const text = readFileSync(join(here, '..', '..', 'src', file), 'utf8');
  const body = text.slice(text.indexOf(`enum ${name} {`));
  const names = [];
  for (const [, member, value] of body.slice(0, body.indexOf('\n}')).matchAll(/^ {2}(\w+) = (\d+),/gm))
    names[Number(value)] = member;
  return JSON.stringify(names);
}

const { outputFiles } = esbuild.buildSync({
  entryPoints: [join(here, 'inspect.ts')],
  bundle: true,
  write: false,
  platform: 'node',
  format: 'cjs',
  define: {
    SYNTAX_KINDS: namesOf('syntax/tree.ts', 'SyntaxKind'),
    DEP_KINDS: namesOf('passes/scheduler/dag/graph.ts', 'DepKind'),
  },
});
new Function('require', outputFiles[0].text)(createRequire(import.meta.url));
