/** The index of LLVM's names: its form, what it holds, and that LLVM has what it names. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { skip } from '../../support/skip.js';

const root = join(__dirname, '..', '..', '..');
const LLVM = '/usr/lib/llvm-22';

/** Where passes, analyses and the verifier have something of their own. */
const ARCHIVES = [
  'AMDGPUCodeGen',
  'AMDGPUUtils',
  'Analysis',
  'CodeGen',
  'Core',
  'GlobalISel',
  'MC',
  'Support',
  'Target',
];

interface Name {
  readonly file: string;
  readonly name: string;
}

function indexed(): readonly Name[] {
  const printed = execFileSync(process.execPath, ['server/tools/llvmIndex/llvmIndex.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  let file = '';
  return printed
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('  ')) return [{ file, name: line.trim().split('  ')[0]! }];
      file = line;
      return [];
    });
}

/** `LiveRange::find` of `llvm::LiveRange::find(llvm::SlotIndex) const` */
function plain(symbol: string): string {
  let depth = 0;
  let text = '';
  for (const c of symbol.replace(/\(anonymous namespace\)::/g, '')) {
    if (c === '<') depth++;
    else if (c === '>') depth--;
    else if (depth === 0) text += c;
  }
  return text
    .split('(')[0]!
    .trim()
    .split(' ')
    .at(-1)!
    .replace(/llvm::/g, '');
}

/** Names by the object that has them, `RegAllocGreedy.cpp`; classes of members among them. */
function symbols(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const archive of ARCHIVES) {
    const path = join(LLVM, 'lib', `libLLVM${archive}.a`);
    const printed = execFileSync('nm', ['-C', '--defined-only', path], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let here = new Set<string>();
    for (const line of printed.split('\n')) {
      const object = /^(\w+\.cpp)\.o:$/.exec(line);
      if (object !== null) {
        here = found.get(object[1]!) ?? new Set();
        found.set(object[1]!, here);
        continue;
      }
      const symbol = /^[0-9a-f]* +[a-zA-Z] (.*)$/.exec(line);
      if (symbol === null) continue;
      for (let name = plain(symbol[1]!); name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('::'))))
        here.add(name);
    }
  }
  return found;
}

/** The text of the headers of a name. */
function headers(): Map<string, string> {
  const found = new Map<string, string>();
  for (const e of readdirSync(join(LLVM, 'include/llvm'), { recursive: true, withFileTypes: true }))
    if (e.name.endsWith('.h'))
      found.set(e.name, (found.get(e.name) ?? '') + readFileSync(join(e.parentPath, e.name), 'utf8'));
  return found;
}

describe("the index of LLVM's names", () => {
  const names = indexed();

  it("has the allocator's main functions", () => {
    const has = new Set(names.map((e) => `${e.file} ${e.name}`));
    for (const name of [
      'RegAllocGreedy.cpp RAGreedy::selectOrSplitImpl',
      'RegAllocGreedy.cpp RAGreedy::tryAssign',
      'RegAllocGreedy.cpp RAGreedy::tryEvict',
      'RegAllocGreedy.cpp RAGreedy::trySplit',
      'RegAllocGreedy.cpp RAGreedy::tryRegionSplit',
      'RegAllocGreedy.cpp RAGreedy::tryLocalSplit',
      'RegAllocGreedy.cpp RAGreedy::tryLastChanceRecoloring',
      'SplitKit.cpp SplitEditor',
      'SplitKit.cpp SplitAnalysis',
      'SpillPlacement.cpp SpillPlacement',
      'InterferenceCache.cpp InterferenceCache',
      'InlineSpiller.cpp InlineSpiller',
      'LiveRangeEdit.cpp LiveRangeEdit',
      'LiveRegMatrix.cpp LiveRegMatrix',
      'CalcSpillWeights.cpp VirtRegAuxInfo',
      'VirtRegMap.cpp VirtRegRewriter',
      'StackSlotColoring.cpp StackSlotColoring::run',
    ])
      assert.ok(has.has(name), name);
  });

  it('names what LLVM has', function () {
    if (!existsSync(join(LLVM, 'lib/libLLVMCodeGen.a'))) skip(this, 'llvm-22-dev is not there');
    this.timeout(60_000);
    // No symbol shows members that the compiler has put into their callers, headers of the target, and what LLVM 24 alone has.
    const withoutSymbol = new Set(
      readFileSync(join(root, 'test/fixtures/llvmNames.txt'), 'utf8').trimEnd().split('\n'),
    );
    const inObjects = symbols();
    const inHeaders = headers();
    const used = new Set<string>();
    const unknown = names.filter(({ file, name }) => {
      const last = name.slice(name.lastIndexOf(':') + 1);
      if (inObjects.get(file)?.has(name) === true) return false;
      if (new RegExp(String.raw`\b${last}\b`).test(inHeaders.get(file) ?? '')) return false;
      used.add(`${file} ${name}`);
      return !withoutSymbol.has(`${file} ${name}`);
    });
    assert.deepEqual(
      [...new Set(unknown.map((e) => `${e.file} ${e.name}`))],
      [],
      'LLVM has these in another file, or not; if no symbol shows them: test/fixtures/llvmNames.txt, after a look at its sources',
    );
    assert.deepEqual(
      [...withoutSymbol].filter((line) => !used.has(line)),
      [],
      'lines of test/fixtures/llvmNames.txt that nothing needs',
    );
  });
});

describe("the lint rules of the index of LLVM's names", () => {
  let rules: NonNullable<Linter.Config['plugins']>[string];
  before(async () => {
    rules = ((await import('../../../server/tools/llvmIndex/rule.mjs' as string)) as { default: typeof rules }).default;
  });

  const ids = (text: string, rule: string): (string | undefined)[] =>
    new Linter()
      .verify(text, {
        languageOptions: { parser: tseslint.parser as Linter.Parser },
        plugins: { index: rules },
        rules: { [`index/${rule}`]: 'error' },
      })
      .map((m) => m.messageId ?? m.message);

  it('take the form alone', () => {
    const withLine = (line: string): string => `/**\n * Does it.\n * ${line}\n */\nfunction f() {}\n`;
    assert.deepEqual(ids(withLine('@llvm SplitKit.cpp SplitEditor::finish'), 'form'), []);
    assert.deepEqual(ids(withLine('@llvm GCNRegPressure.h max'), 'form'), []);
    for (const line of [
      '@llvm SplitEditor::finish',
      '@llvm SplitKit SplitEditor::finish',
      '@llvm lib/CodeGen/SplitKit.cpp SplitEditor::finish',
      '@llvm SplitKit.cpp llvm::SplitEditor::finish()',
      '@llvm SplitKit.cpp SplitEditor.finish',
      'See @llvm SplitKit.cpp SplitEditor::finish',
    ])
      assert.deepEqual(ids(withLine(line), 'form'), ['form'], line);
  });

  it('want it before a declaration', () => {
    const doc = '/** @llvm SplitKit.cpp SplitEditor::finish */\n';
    assert.deepEqual(ids(`${doc}export class C {\n ${doc} m(): void {}\n}\n${doc}const k = () => 1;\n`, 'form'), []);
    assert.deepEqual(ids(`function f() {\n  ${doc}  return 1;\n}\n`, 'form'), ['place']);
    assert.deepEqual(ids(`// @llvm SplitKit.cpp SplitEditor::finish\nfunction f() {}\n`, 'form'), ['place']);
  });

  it('want one for each pass', () => {
    const doc = '/** @llvm SplitKit.cpp SplitEditor::finish */\n';
    assert.deepEqual(ids(`export const p: MachinePass = {};\n`, 'pass'), ['pass']);
    assert.deepEqual(ids(`/** Words. */\nexport const p = allocationPass({});\n`, 'pass'), ['pass']);
    assert.deepEqual(
      ids(
        `${doc}export const p = allocationPass({});\n${doc}export const q: MachinePass = {};\nexport const n = 1;\n`,
        'pass',
      ),
      [],
    );
  });
});
