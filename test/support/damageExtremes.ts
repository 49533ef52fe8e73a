/** Files of extreme shapes, by size: what nobody writes, but programs and accidents do. The same text for the same size. */

export interface Extreme {
  readonly name: string;
  /** size for the long run; in bytes, lines, functions or whatever `text` counts */
  readonly size: number;
  /** size in the property test, when a small part of `size` would not show anything */
  readonly testSize?: number;
  /** what the command has to say about it; null = the file is accepted */
  readonly message: RegExp | null;
  text(n: number): string;
}

const HEAD = '---\nname: f\ntracksRegLiveness: true\nbody: |\n';
const TAIL = '...\n';
const lines = (n: number, line: (i: number) => string): string => Array.from({ length: n }, (_, i) => line(i)).join('');

/** Bytes as a broken download has them, decoded as the command decodes a file. */
function noise(n: number): string {
  const bytes = Buffer.alloc(n);
  for (let i = 0, state = 1; i < n; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes.toString('utf8');
}

/** A chain of blocks; a register that lives through all of them, one that lives over one border each. */
function manyBlocks(n: number): string {
  const block = (i: number): string =>
    `  bb.${i}:\n${i + 1 < n ? `    successors: %bb.${i + 1}\n` : ''}` +
    (i === 0 ? '    liveins: $vgpr0\n    %0:vgpr_32 = COPY $vgpr0\n' : '') +
    `    %${i + 1}:vgpr_32 = V_ADD_U32_e32 %${i}, %0, implicit $exec\n` +
    (i + 1 < n ? '' : '    S_ENDPGM 0\n');
  return HEAD + lines(n, block) + TAIL;
}

/** Blocks that each branch to the next and back to the first. */
function manyLoops(n: number): string {
  const block = (i: number): string =>
    i + 1 === n
      ? `  bb.${i}:\n    S_ENDPGM 0\n`
      : `  bb.${i}:\n    successors: %bb.${i + 1}, %bb.${i === 0 ? 0 : i}\n` +
        (i === 0 ? '    liveins: $vgpr0, $scc\n    %0:vgpr_32 = COPY $vgpr0\n' : '    liveins: $scc\n') +
        `    %${i + 1}:vgpr_32 = V_MOV_B32_e32 %0, implicit $exec\n` +
        `    S_CBRANCH_SCC1 %bb.${i}, implicit $scc\n`;
  return HEAD + lines(n, block) + TAIL;
}

function oneBlock(n: number): string {
  const instr = (i: number): string =>
    `    %${i + 1}:vgpr_32 = V_ADD_U32_e32 %${i}, %${Math.max(0, i - 64)}, implicit $exec\n`;
  return `${HEAD}  bb.0:\n    liveins: $vgpr0\n    %0:vgpr_32 = COPY $vgpr0\n${lines(n, instr)}    S_ENDPGM 0\n${TAIL}`;
}

/** Many registers that are all alive at once. */
function allAlive(n: number): string {
  const defs = lines(n, (i) => `    %${i}:vgpr_32 = V_MOV_B32_e32 ${i % 60}, implicit $exec\n`);
  const uses = lines(n, (i) => `    S_NOP 0, implicit %${i}\n`);
  return `${HEAD}  bb.0:\n${defs}${uses}    S_ENDPGM 0\n${TAIL}`;
}

const smallFunction = (i: number): string =>
  `---\nname: f${i}\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    liveins: $vgpr0\n    %0:vgpr_32 = COPY $vgpr0\n` +
  `    %1:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec\n    S_ENDPGM 0\n...\n`;

const irFunction = (n: number): string =>
  `--- |\n  define void @f(i32 %a) {\n${lines(n, (i) => `    %v${i} = add i32 %${i === 0 ? 'a' : `v${i - 1}`}, ${i}\n`)}` +
  `    ret void\n  }\n...\n${HEAD}  bb.0:\n    S_ENDPGM 0\n${TAIL}`;

export const EXTREMES: readonly Extreme[] = [
  { name: 'empty file', size: 0, message: null, text: () => '' },
  { name: 'one endless line', size: 100e6, message: /./, text: (n) => 'x'.repeat(n) },
  {
    name: 'endless line in a body',
    size: 20e6,
    message: /./,
    text: (n) => `${HEAD}  bb.0:\n    S_NOP 0${', %1'.repeat(n / 4)}\n${TAIL}`,
  },
  {
    name: 'endless word in a body',
    size: 50e6,
    message: /./,
    text: (n) => `${HEAD}  bb.0:\n    S_NOP ${'x'.repeat(n)}\n${TAIL}`,
  },
  { name: 'binary file', size: 50e6, message: /./, text: noise },
  { name: 'NULs', size: 100e6, message: /./, text: (n) => '\0'.repeat(n) },
  { name: 'empty lines', size: 50e6, message: null, text: (n) => '\n'.repeat(n) },
  { name: 'carriage returns', size: 20e6, message: null, text: (n) => '\r'.repeat(n) },
  {
    name: 'comments',
    size: 100e6,
    message: null,
    text: (n) => '# a comment of the usual length, thirty-nine\n'.repeat(n / 45),
  },
  { name: 'document markers', size: 20e6, testSize: 400040, message: /more than/, text: (n) => '---\n'.repeat(n / 4) },
  { name: 'open brackets', size: 10e6, message: /./, text: (n) => '['.repeat(n) },
  { name: 'open braces in a key', size: 10e6, message: /./, text: (n) => `---\nname: ${'{a: '.repeat(n / 4)}` },
  { name: 'dashes', size: 10e6, message: /./, text: (n) => `---\n${'- '.repeat(n / 2)}` },
  { name: 'open string', size: 50e6, message: /./, text: (n) => `---\nname: "${'a\\n '.repeat(n / 4)}` },
  {
    name: 'open IR parentheses',
    size: 5e6,
    message: /./,
    text: (n) => `--- |\n  @g = global i32 ${'add ('.repeat(n / 5)}\n...\n`,
  },
  {
    name: 'IR types in each other',
    size: 5e6,
    message: /./,
    text: (n) => `--- |\n  @g = global ${'{'.repeat(n)}\n...\n`,
  },
  {
    name: '100 MB of functions',
    size: 100e6,
    message: null,
    text: (n) => lines(n / 60_000, (i) => oneBlock(1000).replace('name: f', `name: f${i}`)),
  },
  { name: 'functions', size: 100_000, message: null, text: (n) => lines(n - 1, smallFunction) },
  {
    name: 'functions of one name',
    size: 50_000,
    message: /redefinition/,
    text: (n) => lines(n, () => smallFunction(0)),
  },
  { name: 'blocks', size: 100_000, message: null, text: manyBlocks },
  { name: 'loops', size: 100_000, message: null, text: manyLoops },
  { name: 'instructions in a block', size: 200_000, message: null, text: oneBlock },
  { name: 'registers alive at once', size: 100_000, message: null, text: allAlive },
  {
    name: 'registers declared',
    size: 200_000,
    message: null,
    text: (n) =>
      `---\nname: f\nregisters:\n${lines(n, (i) => `  - { id: ${i}, class: vgpr_32 }\n`)}body: |\n  bb.0:\n    S_ENDPGM 0\n${TAIL}`,
  },
  {
    name: 'stack objects',
    size: 100_000,
    message: null,
    text: (n) =>
      `---\nname: f\nstack:\n${lines(n, (i) => `  - { id: ${i}, size: 4 }\n`)}body: |\n  bb.0:\n    S_ENDPGM 0\n${TAIL}`,
  },
  {
    name: 'errors, one per line',
    size: 100_000,
    message: /./,
    text: (n) => `${HEAD}  bb.0:\n${lines(n, (i) => `    NO_SUCH_OPCODE ${i}\n`)}${TAIL}`,
  },
  {
    name: 'verifier errors, one per line',
    size: 20_000,
    message: /Bad machine code|undefined physical/,
    text: (n) => `${HEAD}  bb.0:\n${lines(n, () => '    $vgpr0 = COPY $vgpr1\n')}    S_ENDPGM 0\n${TAIL}`,
  },
  {
    name: 'operands of an instruction',
    size: 60_000,
    message: null,
    text: (n) =>
      `${HEAD}  bb.0:\n    liveins: $vgpr0\n    S_NOP 0${', implicit $vgpr0'.repeat(n)}\n    S_ENDPGM 0\n${TAIL}`,
  },
  {
    name: 'undefined operands of an instruction',
    size: 10_000,
    message: /Using an undefined physical register/,
    text: (n) =>
      `${HEAD}  bb.0:\n    S_NOP 0${', implicit $vgpr0, implicit $vgpr1'.repeat(n / 2)}\n    S_ENDPGM 0\n${TAIL}`,
  },
  {
    name: 'wrong operands of an instruction',
    size: 10_000,
    message: /Bad machine code|xtra/,
    text: (n) =>
      `${HEAD}  bb.0:\n    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec\n    S_NOP 0${', %0'.repeat(n)}\n    S_ENDPGM 0\n${TAIL}`,
  },
  {
    name: 'keys of a mapping, all the same',
    size: 300_000,
    testSize: 140000,
    message: /duplicated mapping key/,
    text: (n) => `---\nname: f\nregisters:\n  - { id: 0${', class: vgpr_32'.repeat(n)} }\nbody: |\n${TAIL}`,
  },
  {
    name: 'fields of an IR type',
    size: 300_000,
    testSize: 140000,
    message: null,
    text: (n) => `--- |\n  %t = type { i32${', i32'.repeat(n)} }\n  @g = external global %t\n...\n`,
  },
  {
    name: 'IR declarations, one of them removed',
    size: 150_000,
    testSize: 140000,
    message: null,
    text: (n) =>
      `--- |\n${lines(n, (i) => `  declare void @f${i}()\n`)}  declare void @llvm.dbg.value(metadata, metadata, metadata)\n...\n`,
  },
  { name: 'lines of IR', size: 200_000, message: null, text: irFunction },
  {
    name: 'IR functions',
    size: 50_000,
    message: null,
    text: (n) => `--- |\n${lines(n, (i) => `  define void @f${i}() {\n    ret void\n  }\n`)}...\n`,
  },
  {
    name: 'metadata',
    size: 100_000,
    message: null,
    text: (n) => `--- |\n${lines(n, (i) => `  !${i} = !{!${(i + 1) % n}}\n`)}...\n`,
  },
];
