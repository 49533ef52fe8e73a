/**
 * The layers of ARCHITECTURE.md: every import of the sources obeys the rules of .dependency-cruiser.cjs, and each kind of rule notices an
 * import that breaks it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..', '..');
const CRUISER = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string; readonly severity: string };
}

/** What the rules say of the tree at `folder`. */
function violations(folder: string): { found: Violation[]; modules: number } {
  const args = [CRUISER, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'server/src', 'client'];
  const run = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
  const { summary } = JSON.parse(run.stdout) as { summary: { violations: Violation[]; totalCruised: number } };
  return { found: summary.violations, modules: summary.totalCruised };
}

describe('layering', () => {
  it('every import of the sources goes down, and there is no circle', () => {
    const { found, modules } = violations(root);
    assert.ok(modules > 300, `only ${modules} modules were read`);
    assert.deepEqual(
      found.map((v) => `${v.rule.name}: ${v.from} imports ${v.to}`),
      [],
    );
  });

  /** Sources that break one rule each; a text stands for the import of a file or package. */
  const BROKEN: Record<string, Record<string, string>> = {
    'disk-at-the-edge': { 'server/src/lsp/common/a.ts': '../../disk/b.js', 'server/src/disk/b.ts': '' },
    'util-imports-down': { 'server/src/util/a.ts': '../cli/b.js', 'server/src/cli/b.ts': '' },
    'model-imports-down': { 'server/src/model/a.ts': 'type ../analysis/b.js', 'server/src/analysis/b.ts': '' },
    'lsp-imports-down': { 'server/src/lsp/a.ts': '../cli/b.js', 'server/src/cli/b.ts': '' },
    'features-snapshot-imports-down': {
      'server/src/features/snapshot/a.ts': 'type ../tokens/b.js',
      'server/src/features/tokens/b.ts': '',
    },
    'features-lens-imports-down': {
      'server/src/features/lens/a.ts': '../format/b.js',
      'server/src/features/format/b.ts': '',
    },
    'features-in-folders': { 'server/src/host/a.ts': '../features/b.js', 'server/src/features/b.ts': '' },
    'no-circle': { 'server/src/util/a.ts': './b.js', 'server/src/util/b.ts': 'type ./a.js' },
    resolvable: { 'server/src/util/a.ts': './nowhere.js' },
    'client-shares-request-shapes': {
      'client/src/a.ts': '../../server/src/features/b.js',
      'server/src/features/b.ts': '',
    },
    'webview-without-editor': { 'client/webview/a.ts': '../src/b.js', 'client/src/b.ts': '' },
    'platform-at-the-edge': { 'server/src/lsp/common/a.ts': 'node:fs' },
    'node-connection-at-the-edge': { 'server/src/lsp/common/a.ts': 'vscode-languageserver/node' },
    'editor-in-client-only': { 'server/src/lsp/common/a.ts': 'vscode' },
    'protocol-library-in-lsp-only': { 'server/src/features/a.ts': 'vscode-languageserver' },
    'protocol-types-from-features-up': { 'server/src/model/a.ts': 'vscode-languageserver-types' },
  };

  for (const [rule, files] of Object.entries(BROKEN))
    it(`notices: ${rule}`, () => {
      const folder = mkdtempSync(join(tmpdir(), 'layering-'));
      try {
        for (const name of ['.dependency-cruiser.cjs', 'tsconfig.base.json', 'package.json'])
          cpSync(join(root, name), join(folder, name));
        symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
        for (const name of ['client/src/x.ts', 'server/src/x.ts', ...Object.keys(files)]) {
          const [, type = '', path = ''] = /^(type )?(.*)$/.exec(files[name] ?? '') ?? [];
          mkdirSync(dirname(join(folder, name)), { recursive: true });
          writeFileSync(join(folder, name), `${path && `import ${type}{ x } from '${path}';\n`}export const y = 1;\n`);
        }
        assert.ok(violations(folder).found.some((v) => v.rule.name === rule));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
});
