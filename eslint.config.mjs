// typescript-eslint over sources and tests. Layer rules are a test (test/unit/layering.test.ts), not a lint rule.
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import llvmIndex from './server/tools/llvmIndex/rule.mjs';

/** Of a text that is being looked into: `message` itself, a member of that name, and either cut or changed first. */
const MESSAGE = ':matches(Identifier[name="message"], MemberExpression[property.name="message"])';
const LOOK = '[property.name=/^(?:includes|startsWith|endsWith|indexOf|search|match|matchAll)$/]';
const MESSAGES = [
  `CallExpression[callee.property.name=/^(?:exec|test)$/] > ${MESSAGE}.arguments`,
  `CallExpression > MemberExpression${LOOK}.callee > ${MESSAGE}.object`,
  `CallExpression > MemberExpression${LOOK}.callee > CallExpression.object > MemberExpression.callee > ${MESSAGE}.object`,
].map((selector) => ({ selector, message: 'Messages are for reading: ask the facts of the finding.' }));
/** Where findings are shown and repaired. */
const READERS = [
  'server/src/features/**/*.ts',
  'server/src/host/**/*.ts',
  'server/src/lsp/**/*.ts',
  'server/src/program/tritonDump.ts',
];
const RELEASE_NAME = {
  selector: 'Literal[value=/^(?:llvm-[0-9]+|rocm-[0-9]+)$/]',
  message: 'A release says itself what it has (its rules, options, tables): ask that, not for its name.',
};

export default defineConfig(
  {
    ignores: [
      'dist/',
      'out/',
      'node_modules/',
      '.vscode-test/',
      'server/src/target/llvm22/',
      'server/src/target/llvm24/',
      'server/src/target/rocm10/',
      'server/src/commandLine/generated/',
      'coverage/',
      'bench-results/',
    ],
  },
  tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Shapes without a body of their own name a contract.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      // Columns are indexed in hot loops; the bounds are the loop's.
      '@typescript-eslint/no-non-null-assertion': 'off',
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
      'no-fallthrough': 'error',
      'no-unreachable': 'error',
      'no-unsafe-finally': 'error',
      'prefer-const': 'error',
    },
  },
  // Loaded when needed, so that starting the command stays cheap.
  {
    files: [
      '**/*.cjs',
      'server/src/executable.ts',
      'server/src/launch.ts',
      'server/src/cli/compilerTiers.ts',
      'server/src/cli/configFile.ts',
    ],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    ignores: ['test/support/skip.ts', 'test/vscode/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CallExpression[callee.property.name="skip"]',
          message: 'Skip through test/support/skip.ts: CI wants to know.',
        },
        { selector: 'CallExpression[callee.property.name="only"]', message: 'The other tests would not run.' },
      ],
    },
  },
  {
    // Releases say themselves what they have (`Release` in target/api.ts): nobody asks which one it is.
    files: ['server/src/**/*.ts'],
    ignores: ['server/src/target/**', 'server/src/passes/scheduler/remat/**', ...READERS],
    rules: { 'no-restricted-syntax': ['error', RELEASE_NAME] },
  },
  {
    // What is wrong is in a finding's `facts`: messages can be worded anew.
    files: READERS,
    rules: { 'no-restricted-syntax': ['error', RELEASE_NAME, ...MESSAGES] },
  },
  {
    // What is longer is a table of handlers, or several files.
    files: ['server/src/**/*.ts', 'client/**/*.ts'],
    ignores: ['**/generated/**'],
    rules: {
      'max-lines-per-function': ['error', { max: 120 }],
      'max-lines': ['error', { max: 1000 }],
      'max-depth': ['error', { max: 7 }],
    },
  },
  {
    // The index of LLVM's names (`npm run llvm-index`).
    files: ['server/src/**/*.ts'],
    plugins: { 'llvm-index': llvmIndex },
    rules: { 'llvm-index/form': 'error' },
  },
  {
    // Advice of ours, and what is no pass, are none of LLVM's.
    files: ['server/src/passes/**/*.ts'],
    ignores: ['server/src/passes/scalarize/**', 'server/src/passes/passes.ts'],
    rules: { 'llvm-index/pass': 'error' },
  },
  {
    // Readers and printers of one grammar, whose productions call each other (ARCHITECTURE.md, "Kept as it is").
    files: [
      'server/src/ir/{functionParser,valueParser,printer}.ts',
      'server/src/ir/analysis/alias.ts',
      'server/src/model/lowering/header.ts',
      'server/src/syntax/{bodyParser,yamlParser}.ts',
    ],
    rules: { 'max-lines': 'off' },
  },
  {
    // The command line and the tests speak to the terminal.
    files: ['server/src/main.ts', 'server/src/cli/**', 'server/tools/**', 'test/**', '**/*.mjs'],
    rules: { 'no-console': 'off' },
  },
);
