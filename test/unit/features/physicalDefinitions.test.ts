/** Definitions and declarations of physical registers in random functions, against a search through their lines; and the words about keys of headers. */
import assert from 'node:assert/strict';
import { provideDeclaration, provideDefinition } from '../../../server/src/features/navigation/definition.js';
import { HEADER_KEYS } from '../../../server/src/features/words/headerKeys.js';
import { mirFunction } from '../../support/mir.js';
import { openText } from '../../support/cursor.js';
import { randomSource } from '../../support/random.js';

const RUN = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s\n';
const NAMES = ['$vgpr0', '$vgpr1', '$vgpr2', '$vgpr3', '$vgpr0_vgpr1', '$vgpr2_vgpr3'];
const parts = (name: string): string[] => [...name.matchAll(/\d+/g)].map((m) => m[0]);
const overlaps = (a: string, b: string): boolean => parts(a).some((p) => parts(b).includes(p));

interface Mention {
  readonly line: number;
  readonly column: number;
  readonly name: string;
  readonly isDef: boolean;
}

/** Lines of blocks with live-ins, instructions of one and of two results, reads and implicit operands. */
function randomFunction(rnd: (n: number) => number): string {
  const one = (): string => NAMES[rnd(4)]!;
  const two = (): string => NAMES[4 + rnd(2)]!;
  const lines: string[] = [];
  for (let b = 0; b < 3; b++) {
    lines.push(`  bb.${b}:`);
    if (rnd(2) === 0) lines.push(`    liveins: ${rnd(2) === 0 ? one() : two()}`);
    for (let k = rnd(5); k >= 0; k--)
      lines.push(
        [
          () => `    ${one()} = V_MOV_B32_e32 undef ${one()}, implicit $exec`,
          () => `    ${one()} = V_ADD_U32_e32 undef ${one()}, undef ${one()}, implicit $exec`,
          () => `    ${two()} = V_LSHLREV_B64_e64 1, undef ${two()}, implicit $exec`,
          () => `    S_NOP 0, implicit undef ${two()}, implicit-def ${one()}`,
          () => `    S_NOP 0, implicit undef ${one()}`,
        ][rnd(5)]!(),
      );
  }
  return mirFunction('f', `\n${lines.join('\n')}\n    S_ENDPGM 0`);
}

function mentionsOf(lines: readonly string[]): Mention[] {
  return lines.flatMap((text, line) =>
    [...text.matchAll(/(liveins: |implicit-def |^ {4})?(\$vgpr[\w]+)/g)].map((m) => ({
      line,
      column: m.index + (m[1]?.length ?? 0),
      name: m[2]!,
      isDef: m[1] !== undefined,
    })),
  );
}

/** The write that a mention shows: itself, the last one on a line above it in its block, else all of the function. */
function writesOf(all: readonly Mention[], lines: readonly string[], of: Mention): readonly Mention[] {
  const writes = all.filter((m) => m.isDef && overlaps(m.name, of.name));
  if (of.isDef) return [of];
  let label = of.line;
  while (!lines[label]!.startsWith('  bb.')) label--;
  const above = writes.filter((m) => label < m.line && m.line < of.line).at(-1);
  return above ? [above] : writes;
}

describe('definitions of physical registers', () => {
  it('are the last write above in the block, else every write', () => {
    const rnd = randomSource(27);
    let asked = 0;
    for (let k = 0; k < 60; k++) {
      const { snapshot, text } = openText(RUN + randomFunction(rnd));
      const lines = text.split('\n');
      const all = mentionsOf(lines);
      for (const of of all)
        for (const provide of [provideDefinition, provideDeclaration]) {
          const found = provide(snapshot, { position: { line: of.line, character: of.column + 1 } });
          const shown = found.map(({ range: { start, end } }) => `${start.line}:${start.character}-${end.character}`);
          const wanted = writesOf(all, lines, of).map((m) => `${m.line}:${m.column}-${m.column + m.name.length}`);
          assert.deepEqual(shown, wanted, `${of.name} in line ${of.line}:${of.column} of\n${text}`);
          asked++;
        }
    }
    assert.ok(asked > 1500, String(asked));
  });
});

describe('keys of a header', () => {
  it('are each told in a sentence of its own', () => {
    for (const [key, words] of Object.entries(HEADER_KEYS)) assert.match(words, /^\S.{8,}[.)`]$/s, key);
    assert.ok(Object.keys(HEADER_KEYS).length > 100);
  });
});
