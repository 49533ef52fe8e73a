/**
 * The long passes as a bundle of their own (dist/server/long.js), which takes from llc.js what that has anyway: of a module that is in both there is one, so that
 * a run may begin in llc.js and go on in long.js. Which names that are is found in the imports of the sources.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const IMPORT = /^(import|export)\s+(type\s+)?(?:(\{[^}]*\}|\*(?: as \w+)?)\s+from\s+)?'(\.[^']+)\.js';$/gm;
const DECLARED = /^export (?:abstract )?(?:const enum|const|let|function\*?|class|enum) (\w+)/gm;
const ENUM = /^export const enum (\w+) \{[^}]*\}$/gm;
const SHARED = /[/\\]passes[/\\]sharedWithLong\.ts$/;

/** What a module imports, hands on and declares, types left out. */
function read(path) {
  const source = readFileSync(path, 'utf8');
  const module = { imports: [], handsOn: new Map(), handsOnAll: [], declared: new Set(), enums: new Map() };
  for (const [, name] of source.matchAll(DECLARED)) module.declared.add(name);
  for (const [text, name] of source.matchAll(ENUM)) module.enums.set(name, text);
  for (const [, how, isType, names = '{}', from] of source.matchAll(IMPORT)) {
    if (isType !== undefined) continue;
    const target = join(dirname(path), `${from}.ts`);
    if (names.startsWith('*')) {
      if (how === 'import' || names !== '*') throw new Error(`${path} imports ${from} as a whole`);
      module.handsOnAll.push(target);
      continue;
    }
    const words = names
      .slice(1, -1)
      .split(',')
      .map((name) => name.trim().split(' as '));
    const own = words.filter(([name]) => name !== '' && !name.startsWith('type '));
    module.imports.push({ target, names: how === 'import' ? own.map(([name]) => name) : [] });
    if (how === 'export') for (const [name, as = name] of own) module.handsOn.set(as, { target, name });
  }
  return module;
}

/**
 * By path of each module of `short`: the names that `entry`, and what it needs besides those, takes of it, and the constant enumerations among these, which esbuild puts
 * into the code that uses them.
 */
export function findShared(entry, short) {
  const modules = new Map();
  const known = (path) => modules.get(path) ?? modules.set(path, read(path)).get(path);
  const taken = new Map();
  const declares = (path, name) => {
    const { declared, handsOn, handsOnAll } = known(path);
    return declared.has(name) || handsOn.has(name) || handsOnAll.some((target) => declares(target, name));
  };
  const take = (path, name) => {
    const { declared, handsOn, handsOnAll, enums } = known(path);
    if (declared.has(name)) {
      if (!short.has(path)) return;
      const own = taken.get(path) ?? { names: new Set(), enums: new Set() };
      taken.set(path, own);
      if (enums.has(name)) own.enums.add(enums.get(name));
      else own.names.add(name);
      return;
    }
    const through = handsOn.get(name);
    if (through) return take(through.target, through.name);
    const target = handsOnAll.find((other) => declares(other, name));
    // Else it is a type, or esbuild will say that it is not there.
    if (target !== undefined) take(target, name);
  };
  const seen = new Set([entry]);
  for (const path of seen) {
    const { imports, handsOn, handsOnAll } = known(path);
    for (const { target, names } of imports) {
      for (const name of names) take(target, name);
      if (!short.has(target)) seen.add(target);
    }
    for (const { target, name } of path === entry ? handsOn.values() : []) take(target, name);
    for (const target of handsOnAll) if (!short.has(target)) seen.add(target);
  }
  const of = (path) => ({
    names: [...(taken.get(path)?.names ?? [])].sort(),
    enums: [...(taken.get(path)?.enums ?? [])],
  });
  return new Map([...short].sort().map((path) => [path, of(path)]));
}

/** For llc.js: the function that hands them over. */
export function handsOver(root, shared) {
  const entries = [...shared].filter(([, { names }]) => names.length > 0);
  const imports = entries.map(([path, { names }], k) => {
    const own = names.map((name) => `${name} as ${name}_${k}`);
    return `import { ${own.join(', ')} } from ${JSON.stringify(`../${nameOf(root, path)}`)};\n`;
  });
  const members = entries.map(([path, { names }], k) => {
    const own = names.map((name) => `${name}: ${name}_${k}`);
    return `${JSON.stringify(nameOf(root, path))}: { ${own.join(', ')} },\n`;
  });
  const contents = `${imports.join('')}export const shared = () => ({\n${members.join('')}});\n`;
  return {
    name: 'hands-over',
    setup(build) {
      build.onLoad({ filter: SHARED }, () => ({ contents, loader: 'ts' }));
    },
  };
}

/** For long.js: `module` is what launch.ts gives to a bundle. */
export function takesOver(root, shared) {
  return {
    name: 'takes-over',
    setup(build) {
      build.onResolve({ filter: /^\..*\.js$/ }, ({ path, resolveDir, kind }) => {
        const target = join(resolveDir, path.replace(/\.js$/, '.ts'));
        return kind !== 'entry-point' && shared.has(target)
          ? { path: nameOf(root, target), namespace: 'shared' }
          : undefined;
      });
      build.onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => {
        const { names, enums } = shared.get(join(root, 'server/src', path));
        const own =
          names.length === 0 ? '' : `export const { ${names.join(', ')} } = module.shared[${JSON.stringify(path)}];\n`;
        return { contents: `${own}${enums.join('\n')}\nexport {};\n`, loader: 'ts' };
      });
    },
  };
}

const nameOf = (root, path) => relative(join(root, 'server/src'), path).replaceAll('\\', '/');
