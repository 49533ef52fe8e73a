/**
 * Runs mocha files of the build again and again in one process: modules of the project are evaluated anew for every mutant, from
 * scripts that stay compiled. Messages: `{ cover: file }`, to one that runs the build of `LOOK`, and `{ mutant, files: [{ file, tests }] }`; see
 * run.mjs for the answers.
 */
'use strict';
const childProcess = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { join, sep } = require('node:path');
const vm = require('node:vm');
const { default: Mocha } = require('mocha');

const RUN = process.argv[2];
const ANSWERS = join(RUN, '..', 'answers');

// Modules of the build: compiled once.
const scripts = new Map();
const usual = Module._extensions['.js'];
Module._extensions['.js'] = function load(module, filename) {
  if (!filename.startsWith(RUN + sep)) return usual(module, filename);
  let script = scripts.get(filename);
  if (script === undefined) {
    script = new vm.Script(Module.wrap(readFileSync(filename, 'utf8')), {
      filename,
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    scripts.set(filename, script);
  }
  const require = Module.createRequire(filename);
  const own = (request) => module.require(request);
  Object.assign(own, require);
  script.runInThisContext().call(module.exports, module.exports, own, module, filename, join(filename, '..'));
};

function forgetModules() {
  for (const name of Object.keys(require.cache)) if (name.startsWith(RUN + sep)) delete require.cache[name];
}

// LLVM's programs do not change while we do: what they answered to the same input they need not answer again.
const spawnSync = childProcess.spawnSync;
childProcess.spawnSync = function remembered(command, args, options) {
  // Not with response files (@FILE), whose contents are not looked at.
  const isFixed =
    (/^(llc|FileCheck|opt)-22$/.test(command) || command === process.env.AMDGPU_MIR_ORACLE) &&
    Array.isArray(args) &&
    !args.some((a) => a.startsWith('@'));
  if (!isFixed) return spawnSync(command, args, options);
  const contents = args.map((a) => (existsSync(a) ? readFileSync(a, 'utf8') : null));
  const key = createHash('sha1').update(
    JSON.stringify([command, args, contents, options?.input ?? null, options?.env?.LANG]),
  );
  const file = join(ANSWERS, key.digest('hex'));
  if (options?.encoding !== 'utf8') return spawnSync(command, args, options);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const { status, signal, stdout, stderr, error } = spawnSync(command, args, options);
  const answer = { status, signal, stdout, stderr };
  if (error !== undefined) return { ...answer, error };
  mkdirSync(ANSWERS, { recursive: true });
  writeFileSync(file, JSON.stringify(answer));
  return answer;
};

// Kept answers do not change either: they are unpacked once.
const zlib = require('node:zlib');
const { brotliDecompressSync } = zlib;
const parse = JSON.parse;
const texts = new Map();
const values = new Map();
zlib.brotliDecompressSync = (packed, options) => {
  const key = createHash('sha1').update(packed).digest('hex');
  let text = texts.get(key);
  if (text === undefined) {
    text = brotliDecompressSync(packed, options).toString('utf8');
    texts.set(key, text);
    values.set(text, parse(text));
  }
  return { toString: () => text };
};
JSON.parse = (text, reviver) => values.get(text) ?? parse(text, reviver);

// A time-out is the master's business, who counts processor time.
Mocha.Runnable.prototype.timeout = function timeout(ms) {
  return ms === undefined ? 0 : this;
};

class Silent {}

function eachTest(suite, visit) {
  suite.tests = suite.tests.filter(visit);
  for (const inner of suite.suites) eachTest(inner, visit);
}

function inOrder(suite, placeOf) {
  suite.tests.sort((a, b) => placeOf(a) - placeOf(b));
  for (const inner of suite.suites) inOrder(inner, placeOf);
}

/** A mocha of one file, its tests with names that are unique in it. */
function loadFile(file) {
  const mocha = new Mocha({ ui: 'bdd', reporter: Silent, bail: true });
  mocha.cleanReferencesAfterRun(false);
  const path = join(RUN, file);
  delete require.cache[path];
  mocha.addFile(path);
  mocha.loadFiles();
  const seen = new Map();
  eachTest(mocha.suite, (test) => {
    const title = test.fullTitle();
    const n = seen.get(title) ?? 0;
    seen.set(title, n + 1);
    test.key = n === 0 ? title : `${title} #${n}`;
    return true;
  });
  return mocha;
}

const runMocha = (mocha, listen) =>
  new Promise((done) => {
    const runner = mocha.run(() => done());
    listen(runner);
  });

const $mut = (globalThis.$mut = { on: -1, covered: new Uint8Array(1 << 18) });

const DIFFERS = 3;

/** The mutants that differed as a set of bits, and none from here on; those reached are added to `reached`. */
function takeDiffering(reached) {
  const bits = new Uint8Array($mut.covered.length >> 3);
  for (let i = 0; i < $mut.covered.length; i++) {
    if ($mut.covered[i] === 0) continue;
    reached[i >> 3] |= 1 << (i & 7);
    if ($mut.covered[i] === DIFFERS) bits[i >> 3] |= 1 << (i & 7);
  }
  $mut.covered.fill(0);
  return bits;
}

const textOf = (bits) => Buffer.from(bits.subarray(0, bits.findLastIndex((b) => b !== 0) + 1)).toString('base64');

/** Milliseconds of processor time, those of children that have ended with it. */
function cpuMs() {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  const children = (Number(fields[13]) + Number(fields[14])) * 10;
  return process.cpuUsage().user / 1000 + children;
}

/** Where each test of a file makes a difference; `load` is that of what runs outside of tests, `reached` what is evaluated at all. */
async function cover(file) {
  forgetModules();
  $mut.on = -1;
  $mut.covered.fill(0);
  const tests = [];
  const failed = [];
  const mocha = loadFile(file);
  mocha.suite.bail(false);
  eachTest(mocha.suite, () => true);
  (function noBail(suite) {
    suite.bail(false);
    suite.suites.forEach(noBail);
  })(mocha.suite);
  const reached = new Uint8Array($mut.covered.length >> 3);
  const load = takeDiffering(reached);
  let start = 0;
  await runMocha(mocha, (runner) => {
    runner.on('test', () => {
      takeDiffering(reached).forEach((b, i) => (load[i] |= b));
      start = cpuMs();
    });
    runner.on('test end', (test) => {
      const covered = takeDiffering(reached);
      if (test.state === 'passed') tests.push({ test: test.key, ms: cpuMs() - start, covered: textOf(covered) });
    });
    runner.on('fail', (test, error) =>
      failed.push(`${file}: ${test.fullTitle()}: ${String(error?.message).slice(0, 300)}`),
    );
  });
  return { load: textOf(load), reached: textOf(reached), tests, failed };
}

/** The first failure of some tests of a file, or null. */
async function failureOf({ file, tests }) {
  let mocha;
  try {
    mocha = loadFile(file);
  } catch (error) {
    return { file, test: '(loading)', why: String(error?.message) };
  }
  const wanted = new Map(tests.map((test, i) => [test, i]));
  eachTest(mocha.suite, (test) => wanted.has(test.key));
  inOrder(mocha.suite, (test) => wanted.get(test.key));
  let failure = null;
  await runMocha(mocha, (runner) => {
    runner.on(
      'fail',
      (test, error) => (failure ??= { file, test: test.fullTitle(), why: String(error?.message).slice(0, 500) }),
    );
  });
  return failure;
}

/**
 * The first failure that there is not without the mutant, or null; and those of tests that want others to run before them. The files of one mutant
 * share their modules, as those of one run of mocha do.
 */
async function tryMutant(mutant, files) {
  const unfit = [];
  forgetModules();
  for (const part of files) {
    $mut.on = mutant;
    process.send({ begin: part.key });
    const failure = await failureOf(part).finally(() => ($mut.on = -1));
    if (failure === null) continue;
    forgetModules();
    process.send({ begin: part.key, isReplay: true });
    const without = await failureOf(part);
    if (without === null) return { failure, unfit };
    unfit.push(without);
    forgetModules();
  }
  return { failure: null, unfit };
}

process.on('message', async (message) => {
  try {
    if (message.cover !== undefined) process.send({ done: await cover(message.cover) });
    else process.send({ done: await tryMutant(message.mutant, message.files) });
  } catch (error) {
    process.send({ error: String(error?.stack) });
  }
});
process.on('disconnect', () => process.exit());
process.send({ ready: true });
