/**
 * The JSON Schemas of the reports, docs/schema/KIND.schema.json: `npm run schemas`. Made of the types in server/src/cli/report.ts with their comments, and of
 * the list of what stands for "not known" inside (unknownValues.ts), which is null in JSON. With `--check` nothing is written, and files that would differ are named.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGenerator } from 'ts-json-schema-generator';
import { format } from 'prettier';
import { tsImport } from 'tsx/esm/api';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const FOLDER = join(ROOT, 'docs', 'schema');
const { UNKNOWN_VALUES } = await tsImport('../../src/cli/unknownValues.ts', import.meta.url);
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** By command, the type of its report. */
const REPORTS = {
  check: 'CheckReport',
  diff: 'DiffReport',
  sweep: 'SweepReport',
  test: 'TestReport',
  why: 'WhyFileReport',
  log: 'LogJsonReport',
  explain: 'ExplainReport',
  compare: 'CompareReport',
};

const generator = createGenerator({
  path: join(ROOT, 'server', 'src', 'cli', 'report.ts'),
  tsconfig: join(ROOT, 'server', 'src', 'cli', 'tsconfig.json'),
  type: '*',
  topRef: false,
  additionalProperties: false,
  skipTypeCheck: true,
});
const isCheck = process.argv.includes('--check');
const differing = [];
for (const [kind, type] of Object.entries(REPORTS)) {
  const made = generator.createSchema(type);
  const schema = {
    $schema: made.$schema,
    $id: `https://unpkg.com/amdgpu-mir@${version}/docs/schema/${kind}.schema.json`,
    title: `amdgpu-mir ${kind} --format=json`,
    ...withNulls(plainNames(made)),
  };
  const path = join(FOLDER, `${kind}.schema.json`);
  const text = await format(JSON.stringify(schema), { parser: 'json', printWidth: 120 });
  if (isCheck) {
    if (readOr(path) !== text) differing.push(path);
  } else {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path, text);
  }
}
for (const path of differing) console.error(`${path} is not what npm run schemas makes`);
process.exitCode = differing.length === 0 ? 0 : 1;

function readOr(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Definitions by short names: those of types without one are whole types, written out. */
function plainNames(schema) {
  const names = Object.keys(schema.definitions ?? {});
  const plain = new Map(names.map((name, k) => [name, /^\w+$/.test(name) ? name : `Part${k}`]));
  const walk = (value) => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, own]) => {
        if (key === '$ref' && typeof own === 'string') {
          const name = decodeURIComponent(own.replace('#/definitions/', ''));
          return [key, `#/definitions/${plain.get(name)}`];
        }
        if (key === 'definitions')
          return [key, Object.fromEntries(Object.entries(own).map(([n, d]) => [plain.get(n), walk(d)]))];
        return [key, walk(own)];
      }),
    );
  };
  return walk(schema);
}

/** Members that may be null in JSON. */
function withNulls(value, key = '') {
  if (Array.isArray(value)) return value.map((own) => withNulls(own));
  if (typeof value !== 'object' || value === null) return value;
  const isProperties = key === 'properties';
  return Object.fromEntries(
    Object.entries(value).map(([name, own]) => {
      // Line 0 of a source is an answer (report.ts).
      if (name === 'SourceLine') return [name, own];
      const inner = withNulls(own, name);
      if (!isProperties || !Object.hasOwn(UNKNOWN_VALUES, name)) return [name, inner];
      return [name, saysNull(orNull(inner, UNKNOWN_VALUES[name]))];
    }),
  );
}

/** Strings or numbers, as the unknown value is; others stay. */
function orNull(schema, unknown) {
  const types = [schema.type ?? []].flat();
  const isAlike = typeof unknown === 'string' ? types.includes('string') : types.includes('number');
  const isConst = schema.const === unknown || (schema.enum ?? []).includes(unknown);
  if (schema.const !== undefined && isConst) return { ...schema, const: undefined, type: 'null' };
  if (schema.enum !== undefined && isConst) {
    const others = schema.enum.filter((own) => own !== unknown);
    return { ...schema, enum: [...others, null], type: [...new Set([...types, 'null'])] };
  }
  if (schema.$ref !== undefined) return { anyOf: [schema, { type: 'null' }] };
  return isAlike && schema.const === undefined && schema.enum === undefined
    ? { ...schema, type: [...new Set([...types, 'null'])] }
    : schema;
}

/** Comments say which value stands for "none" inside. */
function saysNull(schema) {
  const { description } = schema;
  if (description === undefined) return schema;
  return {
    ...schema,
    description: description.replace(/(?<![-\w.])(?:0|-1|empty|'')(?= (?:if|when|where|=|for)|:|;|$)/g, 'null'),
  };
}
