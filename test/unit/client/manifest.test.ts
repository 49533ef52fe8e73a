/** What package.json tells VS Code: settings in groups, commands, keys, languages. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { RELEASE_NAMES, releaseOf } from '../../../server/src/target/index.js';
import { loadGrammar, tokenize } from '../../support/grammar.js';

const ROOT = join(__dirname, '..', '..', '..');

interface Setting {
  readonly scope: string;
  readonly order: number;
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly items?: { readonly enum: readonly string[] };
}
interface Command {
  readonly command: string;
  readonly title: string;
  readonly category: string;
}
interface Use {
  readonly command?: string;
  readonly submenu?: string;
}
interface Manifest {
  readonly repository: { readonly url: string };
  readonly contributes: {
    readonly configuration: readonly {
      readonly title: string;
      readonly order: number;
      readonly properties: Readonly<Record<string, Setting>>;
    }[];
    readonly commands: readonly Command[];
    readonly menus: Readonly<Record<string, readonly Use[]>>;
    readonly submenus: readonly { readonly id: string }[];
    readonly keybindings: readonly { readonly command: string; readonly key: string; readonly when: string }[];
    readonly viewsWelcome: readonly { readonly contents: string }[];
    readonly grammars: readonly {
      readonly path: string;
      readonly embeddedLanguages?: Readonly<Record<string, string>>;
    }[];
    readonly languages: readonly { readonly id: string; readonly configuration?: string }[];
  };
}

const { contributes, repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
const commands = new Map(contributes.commands.map((command) => [command.command, command]));

describe('what the extension tells VS Code', () => {
  it('lets a folder have its own value of a setting only where the value of the folder is read', () => {
    // The server has one configuration for the window; these the client reads for a document.
    const ofDocuments = ['checks.gutter', 'gutter.exec', 'gutter.heat', 'inlayHints.source', 'overviewRuler.peaks'];
    const scopes = contributes.configuration.flatMap(({ properties }) =>
      Object.entries(properties).map(([name, { scope }]) => [name.replace('amdgpu-mir.', ''), scope] as const),
    );
    const having = (wanted: string): string[] => scopes.flatMap(([name, scope]) => (scope === wanted ? [name] : []));
    assert.deepEqual(having('resource').sort(), ofDocuments);
    assert.deepEqual(having('machine-overridable').sort(), [
      ...['filecheck.path', 'llc.path', 'tools.arguments', 'tools.clang', 'tools.llc'],
    ]);
    assert.equal(having('window').length, scopes.length - 10);
  });

  it('has settings in groups, in an order, each with words for each value', () => {
    contributes.configuration.forEach(({ title, order, properties }, i) => {
      assert.equal(order, i + 1, title);
      Object.entries(properties).forEach(([name, setting], k) => {
        assert.equal(setting.order, k + 1, name);
        assert.ok(setting.description ?? setting.markdownDescription, name);
        const words = setting.enumDescriptions ?? setting.markdownEnumDescriptions;
        if (words) assert.equal(words.length, setting.enum?.length, name);
      });
    });
  });

  it('offers the processors that llc of any release lists', () => {
    const names = RELEASE_NAMES.flatMap((release) => [...releaseOf(release).processors.cpus.names]);
    const known = [...new Set(names)].sort();
    const { properties } = contributes.configuration[0]!;
    const { enum: cpus = [] } = properties['amdgpu-mir.target.cpu']!;
    assert.deepEqual([...cpus].sort(), ['', ...known].sort());
    assert.deepEqual([...properties['amdgpu-mir.target.compare']!.items!.enum].sort(), known);
  });

  it('has each key once, of which JSON would keep the last alone', () => {
    const file = ts.parseJsonText('package.json', readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const twice: string[] = [];
    const look = (node: ts.Node): void => {
      if (ts.isObjectLiteralExpression(node)) {
        const names = node.properties.map((own) => own.name!.getText(file));
        twice.push(...names.filter((name, k) => names.indexOf(name) !== k));
      }
      ts.forEachChild(node, look);
    };
    look(file);
    assert.deepEqual(twice, []);
  });

  it('has a category and a title of its own for each command', () => {
    assert.deepEqual([...new Set(contributes.commands.map(({ category }) => category))], ['AMDGPU MIR']);
    assert.equal(new Set(contributes.commands.map(({ title }) => title)).size, commands.size);
  });

  it('has commands that exist in menus, keys, walkthroughs and empty views', () => {
    const submenus = new Set(contributes.submenus.map(({ id }) => id));
    for (const [menu, uses] of Object.entries(contributes.menus))
      for (const { command, submenu } of uses)
        assert.ok(commands.has(command ?? '') || submenus.has(submenu ?? ''), `${menu}: ${command ?? submenu}`);
    for (const { command, when } of contributes.keybindings) {
      assert.ok(commands.has(command), command);
      assert.match(when, /editorLangId == mir/);
    }
    const keys = contributes.keybindings.map(({ key }) => key);
    assert.equal(new Set(keys).size, keys.length);
    for (const { contents } of contributes.viewsWelcome)
      for (const [, command = ''] of contents.matchAll(/\(command:([\w.-]+)\)/g))
        assert.ok(commands.has(command), command);
  });

  it('has the address of its repository', () => assert.match(repository.url, /^git\+https:\/\/[^ ]+\.git$/));
});

describe('the comment of a line', () => {
  /** By VS Code's rule: the language of the scope at the first character of the line, else that of the file. */
  const commentOf = (scopes: readonly string[]): string => {
    const { embeddedLanguages = {} } = contributes.grammars[0]!;
    const id = [...scopes].reverse().flatMap((scope) => embeddedLanguages[scope] ?? [])[0] ?? 'mir';
    const { configuration } = contributes.languages.find((language) => language.id === id)!;
    const text = readFileSync(join(ROOT, configuration!), 'utf8');
    return (JSON.parse(text) as { comments: { lineComment: string } }).comments.lineComment;
  };

  it('is # in YAML, and ; in instructions and IR', async () => {
    const lines = readFileSync(join(ROOT, 'examples', 'saxpy.mir'), 'utf8').split('\n');
    const tokens = tokenize(await loadGrammar(), lines);
    const at = (pattern: RegExp): string => {
      const i = lines.findIndex((line) => pattern.test(line));
      const column = lines[i]!.search(/\S/);
      return commentOf(tokens[i]!.find(({ endIndex }) => endIndex > column)!.scopes);
    };
    assert.equal(at(/^# RUN/), '#');
    assert.equal(at(/^tracksRegLiveness|^name:/), '#');
    assert.equal(at(/^ +define |^ +ret void/), ';');
    assert.equal(at(/^ +.*= COPY /), ';');
    assert.equal(at(/^ +S_ENDPGM/), ';');
  });
});

describe('MIR in Markdown', () => {
  it('is coloured in fences named mir, and only there', async () => {
    const lines = ['```mir', '    %0:vgpr_32 = COPY $vgpr0', '```', 'text %0:vgpr_32', '```cpp', 'int x;', '```'];
    const tokens = tokenize(await loadGrammar('markdown.mir.codeblock'), lines);
    const isMir = tokens.map((line) => line.some(({ scopes }) => scopes.includes('meta.embedded.block.mir')));
    assert.deepEqual(isMir, [false, true, false, false, false, false, false]);
    assert.ok(
      tokens[1]!.some(({ scopes }) => scopes.some((scope) => scope.startsWith('variable.other.virtual-register'))),
    );
    assert.ok(contributes.grammars.every(({ path }) => existsSync(join(ROOT, path))));
  });
});
