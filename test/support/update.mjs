#!/usr/bin/env node
// `npm run test:update [-- NAME...]`: makes the golden files anew with the installed LLVM, by running the tests that read them (those whose path
// contains a NAME) with AMDGPU_MIR_UPDATE. What is made is to be looked at before it is committed.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
const names = process.argv.slice(2);
const tests = readdirSync(join(root, 'test/unit'), { recursive: true })
  .map((path) => join('test/unit', path))
  .filter((path) => path.endsWith('.test.ts') && (names.length === 0 || names.some((name) => path.includes(name))))
  .filter((path) =>
    /\bUPDATE\b|support\/(?:expect|golden|completionPlaces|completionLists|wholeAnswers)/.test(
      readFileSync(join(root, path), 'utf8'),
    ),
  )
  .sort();
if (tests.length === 0) {
  console.error(`no test with golden files is called ${names.join(' or ')}`);
  process.exit(2);
}
const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
const run = spawnSync(process.execPath, [mocha, '--config', '.mocharc.json', ...tests], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, AMDGPU_MIR_UPDATE: '1' },
});
process.exit(run.status ?? 1);
