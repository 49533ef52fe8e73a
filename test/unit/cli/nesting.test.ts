/** Nesting of any depth: what llc-22 takes at 400 levels is taken, and nothing overflows the stack at any depth (llc-22 itself crashes at 100,000). */
import assert from 'node:assert/strict';
import { ourVerdict } from '../../support/damageVerdict.js';
import { VERDICT_ARGS, VERDICT_NAME } from '../../support/verdictGolden.js';

const FUNCTION = '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
const ir = (line: string): string => `--- |\n  ${line}\n  define void @f() { ret void }\n...\n${FUNCTION}`;
const header = (value: string): string => `---\nname: f\nx: ${value}\n...\n`;
const location = (n: number, inner: string): string =>
  FUNCTION.replace(
    '0\n...',
    `0, debug-location ${'!DILocation(line: 1, inlinedAt: '.repeat(n)}${inner}${')'.repeat(n)}\n...`,
  );

/** Texts by depth, and what llc-22 says of them, as far as its own stack goes; null = it accepts them. */
const NESTED: readonly (readonly [name: string, text: (n: number) => string, llc: string | null])[] = [
  ['metadata', (n) => ir(`!0 = ${'!{'.repeat(n)}${'}'.repeat(n)}`), null],
  ['arrays', (n) => ir(`@g = external global ${'[1 x '.repeat(n)}i32${']'.repeat(n)}`), null],
  ['structures', (n) => ir(`@g = global ${'{ '.repeat(n)}i32${' }'.repeat(n)} undef`), null],
  ['constants', (n) => ir(`@g = global ptr ${'getelementptr (i8, ptr '.repeat(n)}@g${', i32 1)'.repeat(n)}`), null],
  ['locations', (n) => location(n, '!0'), "use of undefined metadata '!0'"],
  ['locations without end', (n) => location(n, ''), 'expected metadata node'],
  ['flow sequences', (n) => header('['.repeat(n) + ']'.repeat(n)), "unknown key 'x'"],
  ['flow mappings', (n) => header('{ a: '.repeat(n) + '}'.repeat(n)), "unknown key 'x'"],
  ['block sequences', (n) => header(`\n  ${'- '.repeat(n)}`), "unknown key 'x'"],
  ['keys', (n) => header(`\n  ${'? '.repeat(n)}`), 'Map key must be a scalar'],
];

describe('nesting', function () {
  this.timeout(120_000);

  for (const [name, text, llc] of NESTED) {
    it(name, () => {
      for (const depth of [100, 400]) {
        const { exit, err } = ourVerdict(VERDICT_NAME, Buffer.from(text(depth)), VERDICT_ARGS);
        assert.equal(exit, llc === null ? 0 : 1, err.slice(0, 300));
        if (llc !== null) assert.ok(err.includes(llc), err.slice(0, 300));
      }
      for (const depth of [2000, 10_000, 100_000]) {
        const { exit, err } = ourVerdict(VERDICT_NAME, Buffer.from(text(depth)), VERDICT_ARGS);
        assert.ok(exit === 0 || exit === 1, `${depth}: exit ${exit}: ${err.slice(0, 300)}`);
        if (exit === 1) assert.match(err, /error: /);
      }
    });
  }
});
