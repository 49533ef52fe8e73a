#!/usr/bin/env node
// `npm run test:update [-- NAME...]`: makes the golden files anew with the installed LLVM, and expected texts from our own output, by running the tests
// that read them (those whose path contains a NAME) with AMDGPU_MIR_UPDATE. What is made is to be looked at before it is committed.
//
// `npm run answers [-- NAME...]` (`--llvm`): only what LLVM answers, and that wholly: each kept question is asked again, and what changed is listed. A NAME
// is part of the path of a kept file below test/golden, or of a test.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
const words = process.argv.slice(2);
const names = words.filter((word) => word !== '--llvm');
const isLlvmOnly = names.length < words.length;
const OURS = /support\/(?:expect|completionPlaces|completionLists|wholeAnswers)/;
const LLVMS = /\bUPDATE\b|support\/(?:golden|intervalEdits)/;

const tests = readdirSync(join(root, 'test/unit'), { recursive: true })
  .map((path) => join('test/unit', path))
  .filter((path) => path.endsWith('.test.ts') && (names.length === 0 || names.some((name) => path.includes(name))))
  .filter((path) => {
    const source = readFileSync(join(root, path), 'utf8');
    return isLlvmOnly ? LLVMS.test(source) && !OURS.test(source) : LLVMS.test(source) || OURS.test(source);
  })
  .sort();
const run = (...args) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, AMDGPU_MIR_UPDATE: '1' } })
    .status ?? 1;

const asked = isLlvmOnly ? run('--import', 'tsx', 'test/support/askAgain.ts', ...names) : 0;
if (asked > 1) process.exit(asked);
if (tests.length === 0 && (!isLlvmOnly || asked === 1)) {
  console.error(`nothing that is kept is called ${names.join(' or ')}`);
  process.exit(2);
}
const status = tests.length === 0 ? 0 : run('node_modules/mocha/bin/mocha.js', '--config', '.mocharc.json', ...tests);
if (isLlvmOnly) {
  if (process.env.AMDGPU_MIR_ORACLE === undefined)
    console.log('not asked: the oracle, whose place AMDGPU_MIR_ORACLE names (test/golden/schedule, schedulerFacts)');
  const changed = spawnSync('git', ['status', '--short', 'test/golden', 'test/fixtures'], {
    cwd: root,
    encoding: 'utf8',
  });
  console.log(changed.stdout === '' ? 'nothing changed' : `changed:\n${changed.stdout}`);
}
process.exit(status);
