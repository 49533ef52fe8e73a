/**
 * The user's configuration: `amdgpu-mir.toml`, or the key `amdgpu-mir` of a package.json, found upwards from the first file of a command. It gives options that the
 * command line does not, and names findings to ignore, each with its reason.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type * as SmolToml from 'smol-toml' with { 'resolution-mode': 'import' };
import { isModelChoice, MODEL_CHOICES } from '../passes/scheduler/schedulerModel.js';
import { systemMessage } from '../program/commandIO.js';
import { DEFAULT_SETTINGS } from '../program/settings.js';
import { didYouMean } from './help.js';
import { parseTargetLists } from './targetArgument.js';

const CONFIG_FILE = 'amdgpu-mir.toml';
const PACKAGE_FILE = 'package.json';
const PACKAGE_KEY = 'amdgpu-mir';

/** Findings that are known and stay. */
export interface IgnoredFindings {
  readonly code: string;
  /** patterns of paths below the folder of the configuration; empty = all files */
  readonly files: readonly string[];
  readonly reason: string;
}

export interface Config {
  readonly path: string;
  /** values of options, by name, in the order in which they are written */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** programs of the user, by the name of their options */
  readonly tools: ReadonlyMap<string, readonly string[]>;
  readonly ignore: readonly IgnoredFindings[];
}

/** The configuration for a file, `-` or a name that is none: that of the present folder. Null: there is none; a text: what is wrong with it, with its place. */
export function findConfig(input: string): Config | string | null {
  let folder = input === '-' || input.startsWith('git:') ? resolve('.') : dirname(resolve(input));
  for (;;) {
    for (const name of [CONFIG_FILE, PACKAGE_FILE]) {
      const config = readConfig(join(folder, name));
      if (config !== null) return config;
    }
    const above = dirname(folder);
    if (above === folder) return null;
    folder = above;
  }
}

/** That of `--config=PATH`, which has to be there. */
export function configAt(path: string): Config | string {
  return readConfig(path) ?? `${path}: it has no configuration (in a ${PACKAGE_FILE} it is the key ${PACKAGE_KEY})`;
}

/** Loaded where there is a file for it. */
const toml = (): typeof SmolToml => require('smol-toml') as typeof SmolToml;

/** Null: there is no such file, or a package.json says nothing of us. */
function readConfig(path: string): Config | string | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as { code?: string };
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : `${path}: ${systemMessage(error)}`;
  }
  const isPackage = basename(path) === PACKAGE_FILE;
  if (isPackage && !text.includes(`"${PACKAGE_KEY}"`)) return null;
  let data: unknown;
  try {
    data = isPackage ? (JSON.parse(text) as Record<string, unknown> | null)?.[PACKAGE_KEY] : toml().parse(text);
  } catch (error) {
    // A package.json that is broken, or of another kind, is no business of ours.
    if (isPackage) return null;
    if (!(error instanceof toml().TomlError)) throw error;
    const [what = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n', 1);
    return `${path}:${error.line}:${error.column}: ${what}`;
  }
  if (isPackage && data === undefined) return null;
  return new ConfigReader(path, text).read(data);
}

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Keys, and the options that they are. */
const KEYS = { targets: 'target', model: 'model' } as const;
const TOOLS = {
  llc: 'llc',
  clang: 'clang',
  filecheck: 'filecheck',
  'compile-commands': 'compile-commands',
  'tool-args': 'tool-arg',
} as const;
/** They are paths from the folder of the configuration where they have a slash. */
const PATHS: ReadonlySet<string> = new Set(['llc', 'clang', 'filecheck', 'compile-commands']);
const IGNORE_KEYS = ['code', 'files', 'reason'];

/** What is wrong, with its place. */
class ConfigProblem extends Error {}

class ConfigReader {
  private readonly lines: readonly string[];

  constructor(
    private readonly path: string,
    text: string,
  ) {
    this.lines = text.split('\n');
  }

  read(data: unknown): Config | string {
    try {
      return this.config(data);
    } catch (error) {
      if (!(error instanceof ConfigProblem)) throw error;
      return error.message;
    }
  }

  private config(data: unknown): Config {
    const table = this.table(data, '', [...Object.keys(KEYS), 'tools', 'ignore']);
    const values = new Map<string, readonly string[]>();
    const targets = this.strings(table, 'targets');
    const wrong = parseTargetLists(targets, DEFAULT_SETTINGS.target.triple);
    if (typeof wrong === 'string') this.fail('targets', wrong.replace('--target: ', ''));
    if (targets.length > 0) values.set(KEYS.targets, targets);
    const model = this.string(table, 'model');
    if (model !== null) {
      if (!isModelChoice(model)) this.fail('model', `model is one of ${MODEL_CHOICES.join(', ')}`);
      values.set(KEYS.model, [model]);
    }
    return { path: this.path, values, tools: this.tools(table['tools']), ignore: this.ignored(table['ignore']) };
  }

  private tools(data: unknown): Config['tools'] {
    const tools = new Map<string, readonly string[]>();
    if (data === undefined) return tools;
    const table = this.table(data, 'tools', Object.keys(TOOLS));
    for (const [key, option] of Object.entries(TOOLS)) {
      const words = key === 'tool-args' ? this.strings(table, key) : [this.string(table, key)];
      const found = words.flatMap((word) => (word === null ? [] : [PATHS.has(key) ? this.fromHere(word) : word]));
      if (found.length > 0) tools.set(option, found);
    }
    return tools;
  }

  private ignored(data: unknown): IgnoredFindings[] {
    if (data === undefined) return [];
    if (!Array.isArray(data)) this.fail('ignore', 'ignore is a list of tables ([[ignore]])');
    return (data as readonly unknown[]).map((entry, n) => {
      const table = this.table(entry, 'ignore', IGNORE_KEYS, n);
      const code = this.string(table, 'code', n);
      const reason = this.string(table, 'reason', n);
      if (code === null) return this.fail('ignore', 'what is ignored needs a code, such as "limits-occupancy"', n);
      if (reason === null || reason.trim() === '') return this.fail('code', `ignoring ${code} needs a reason`, n);
      return { code, reason, files: this.strings(table, 'files', n) };
    });
  }

  private table(data: unknown, name: string, known: readonly string[], n = 0): Readonly<Record<string, unknown>> {
    if (!isTable(data)) return this.fail(name, `${name === '' ? 'the configuration' : name} is a table`, n);
    for (const key of Object.keys(data))
      if (!known.includes(key)) {
        const near = didYouMean(key, known) || `; known are ${known.join(', ')}`;
        this.fail(key, `unknown key '${key}'${name === '' ? '' : ` in ${name}`}${near}`);
      }
    return data;
  }

  private string(table: Readonly<Record<string, unknown>>, key: string, n = 0): string | null {
    const value = table[key];
    if (value === undefined) return null;
    return typeof value === 'string' ? value : this.fail(key, `${key} is a text`, n);
  }

  /** A text is a list of one. */
  private strings(table: Readonly<Record<string, unknown>>, key: string, n = 0): readonly string[] {
    const value = table[key];
    if (value === undefined) return [];
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (!list.every((word) => typeof word === 'string')) this.fail(key, `${key} is a text, or a list of them`, n);
    return list as readonly string[];
  }

  private fromHere(path: string): string {
    return path.includes('/') || path.includes(sep) ? resolve(dirname(this.path), path) : path;
  }

  /** `n`: which of several of that name is meant. */
  private fail(key: string, message: string, n = 0): never {
    throw new ConfigProblem(`${this.path}:${this.lineOf(key, n)}: ${message}`);
  }

  /** Where a key stands, from 1: parsers tell places of errors alone. */
  private lineOf(key: string, n: number): number {
    const name = key.replace(/[^\w-]/g, '\\$&');
    const pattern =
      key === ''
        ? /./
        : new RegExp(`^\\s*(?:\\[+\\s*)?["']?${name}["']?\\s*(?:=|\\]|:|\\.)|[{,]\\s*["']?${name}["']?\\s*[=:]`);
    const at = this.lines.flatMap((line, k) => (pattern.test(line) ? [k + 1] : []));
    return at[n] ?? at.at(-1) ?? 1;
  }
}

/** Which of the ignored findings one is; null: none. */
export function ignoredBy(config: Config, file: string, code: string): IgnoredFindings | null {
  const path = relative(dirname(resolve(config.path)), resolve(file)).replaceAll(sep, '/');
  return (
    config.ignore.find(
      (entry) =>
        entry.code === code &&
        (entry.files.length === 0 || entry.files.some((pattern) => patternOf(pattern).test(path))),
    ) ?? null
  );
}

/** `*` within a folder, `**` over folders, `?` one character; a pattern without a slash is of names in any folder. */
function patternOf(pattern: string): RegExp {
  const whole = pattern.includes('/') ? pattern.replace(/^\.?\//, '') : `**/${pattern}`;
  const source = whole.replace(/\*\*\/|\*\*|\*|\?|[.+^${}()|[\]\\]/g, (c) => {
    if (c === '**/') return '(?:.*/)?';
    if (c === '**') return '.*';
    if (c === '*') return '[^/]*';
    return c === '?' ? '[^/]' : `\\${c}`;
  });
  return new RegExp(`^${source}$`);
}
