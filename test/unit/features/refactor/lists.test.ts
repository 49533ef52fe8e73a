/** Rewrites on the name of a function and on its registers: the list of classes, numbers, names, keys that say what llc assumes anyway, copies. */
import assert from 'node:assert/strict';
import { actionsAt } from '../../../support/editing.js';

const RUN = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s\n';
const doc = (keys: string, body: string): string =>
  `${RUN}---\nname: f\n${keys}tracksRegLiveness: true\nbody: |\n  bb.0:\n${body}...\n`;
const onName = (text: string): string => text.replace(/^name: f/m, 'name: f$0');

/** The text after the action whose title begins so; empty where it is not offered. */
const after = (marked: string, title: string): string =>
  [...actionsAt(marked)].find(([t]) => t.startsWith(title))?.[1] ?? '';
const titles = (marked: string): string[] => [...actionsAt(marked).keys()];

const body = (classOf: (v: string) => string): string => `    liveins: $vgpr0

    %0${classOf('vgpr_32')} = COPY $vgpr0
    undef %5.sub0${classOf('vreg_64')} = COPY %0
    %5.sub1${classOf('').replace(':', '')} = COPY %0
    S_NOP 0, implicit undef %7${classOf('sreg_32')}, implicit %5
    %named:vgpr_32 = COPY %5.sub1
    S_ENDPGM 0, implicit %named
`;
const LIST =
  'registers:\n  - { id: 0, class: vgpr_32 }\n  - { id: 5, class: vreg_64 }\n  - { id: 7, class: sreg_32 }\n';
const BARE = doc(
  '',
  body((c) => (c ? `:${c}` : '')),
);
const LISTED = doc(
  LIST,
  body(() => ''),
);

describe('classes of registers', () => {
  it('are written into a list, or at the definitions', () => {
    const written = after(onName(BARE), 'Write the classes into registers:');
    assert.equal(
      written,
      doc(
        LIST,
        body((c) => (c ? `:${c}` : '')),
      ),
    );
    assert.equal(after(onName(LISTED), 'Write the classes at the definitions'), BARE);
    assert.equal(after(onName(written), 'Write the classes at the definitions'), BARE);
    assert.equal(
      after(onName(BARE.replace('tracks', 'registers: []\ntracks')), 'Write the classes into registers:'),
      written,
    );
    assert.equal(
      after(onName(BARE.replace('tracks', 'registers:\ntracks')), 'Write the classes into registers:'),
      written,
    );
  });

  it('not where there is a list, or none to write', () => {
    assert.ok(!titles(onName(LISTED)).some((t) => t.includes('into registers:')));
    assert.ok(!titles(onName(BARE)).some((t) => t.includes('at the definitions')));
    assert.ok(!titles(onName(doc('', '    S_ENDPGM 0\n'))).some((t) => t.includes('registers:')));
    const generic = doc('', '    %0:_(s32) = G_IMPLICIT_DEF\n    %1:sreg_32 = IMPLICIT_DEF\n    S_ENDPGM 0\n');
    assert.ok(!titles(onName(generic)).some((t) => t.includes('into registers:')));
    assert.ok(!titles(BARE.replace('%0:', '%0$0:')).some((t) => t.includes('into registers:')));
  });
});

describe('numbers', () => {
  it('of registers begin with 0, in the order of the text', () => {
    const wanted = BARE.replaceAll(/%[57]\b/g, (r) => (r === '%5' ? '%1' : '%2'));
    assert.equal(after(onName(BARE), 'Renumber registers'), wanted);
    assert.equal(after(BARE.replace('%5.sub1', '%5$0.sub1'), 'Renumber registers'), wanted);
    assert.ok(!titles(onName(wanted)).some((t) => t.startsWith('Renumber')));
    const listed = doc(
      LIST.replace(/.*id: 0.*\n/, ''),
      body(() => '')
        .replaceAll('%0', '%9')
        .replace('%9', '%9:vgpr_32'),
    );
    assert.equal(
      after(onName(listed), 'Renumber registers'),
      listed
        .replace('id: 5', 'id: 0')
        .replace('id: 7', 'id: 1')
        .replaceAll('%9', '%2')
        .replaceAll('%5', '%0')
        .replaceAll('%7', '%1'),
    );
  });

  it('of blocks begin with 0, in the order of the labels', () => {
    const blocks = (a: number, b: number, c: number): string =>
      `${RUN}---\nname: f\nbody: |\n  bb.${a}:\n    successors: %bb.${c}, %bb.${b}\n\n    S_CBRANCH_SCC1 %bb.${c}, implicit undef $scc\n\n` +
      `  bb.${b}:\n    successors: %bb.${c}\n\n    S_BRANCH %bb.${c}\n\n  bb.${c}:\n    S_ENDPGM 0\n...\n`;
    assert.equal(after(onName(blocks(2, 10, 1)), 'Renumber blocks'), blocks(0, 1, 2));
    assert.equal(after(blocks(2, 10, 1).replace('S_BRANCH %bb', 'S_BRANCH %b$0b'), 'Renumber blocks'), blocks(0, 1, 2));
    assert.ok(!titles(onName(blocks(0, 1, 2))).some((t) => t.startsWith('Renumber')));
    assert.ok(!titles(blocks(2, 10, 1).replace('S_ENDPGM', 'S_END$0PGM')).some((t) => t.startsWith('Renumber')));
  });
});

/** What a register is called after the instruction that writes it. */
const NAMES: readonly (readonly [code: string, name: string])[] = [
  ['%5:vgpr_32 = V_LSHL_ADD_U32_e64 undef %1:vgpr_32, 1, undef %1, implicit $exec', 'lshl_add'],
  ['%5:vgpr_32 = V_ADD_U32_e32 undef %1:vgpr_32, undef %1, implicit $exec', 'add'],
  ['%5:vgpr_32 = V_ADD_F32_e32 undef %1:vgpr_32, undef %1, implicit $mode, implicit $exec', 'add'],
  ['%5:vgpr_32 = GLOBAL_LOAD_DWORD undef %1:vreg_64, 0, 0, implicit $exec', 'load'],
  ['%5:vreg_128 = GLOBAL_LOAD_DWORDX4 undef %1:vreg_64, 0, 0, implicit $exec', 'load'],
  ['%5:vgpr_32 = GLOBAL_LOAD_UBYTE undef %1:vreg_64, 0, 0, implicit $exec', 'load'],
  ['%5:vgpr_32 = GLOBAL_LOAD_SSHORT undef %1:vreg_64, 0, 0, implicit $exec', 'load'],
  ['%5:vgpr_32 = BUFFER_LOAD_DWORD_OFFSET undef %1:sgpr_128, 0, 0, 0, 0, implicit $exec', 'load'],
  ['%5:vgpr_32 = DS_READ_B32_gfx9 undef %1:vgpr_32, 0, 0, implicit $exec', 'read'],
  ['%5:vgpr_32 = V_MOV_B32_e32 0, implicit $exec', 'mov'],
  ['%5:sreg_32 = S_MOV_B32 0', 'mov'],
  ['%5:sreg_64 = S_LOAD_DWORDX2_IMM undef %1:sreg_64, 0, 0', 'load'],
  ['%5:vgpr_32 = COPY undef %1:vgpr_32', 'copy'],
  ['%5:vgpr_32 = IMPLICIT_DEF', 'implicit_def'],
  ['%5:vreg_64 = REG_SEQUENCE undef %1:vgpr_32, %subreg.sub0, undef %1, %subreg.sub1', 'reg_sequence'],
  ['%5:_(s32) = G_CONSTANT i32 1', 'constant'],
  ['%5:vgpr_32, %6:sreg_64 = V_ADD_CO_U32_e64 undef %1:vgpr_32, undef %1, 0, implicit $exec', 'add'],
  ['%5:sreg_32 = S_AND_B32_term undef %1:sreg_32, 1, implicit-def $scc', 'and'],
];

describe('a name for a register', () => {
  for (const [code, name] of NAMES)
    it(code, () => {
      const text = doc('', `    ${code}\n    S_ENDPGM 0, implicit %5\n`);
      const named = text.replaceAll('%5', `%${name}`);
      assert.equal(after(text.replace('%5', '%5$0'), `Name %5 %${name}`), named);
      assert.equal(after(text.replace('implicit %5', 'implicit %$05'), `Name %5 %${name}`), named);
      // One that is taken gets a number.
      const taken = text.replace(
        'bb.0:\n',
        `bb.0:\n    %${name}:sreg_32 = IMPLICIT_DEF\n    %${name}_1:sreg_32 = IMPLICIT_DEF\n`,
      );
      assert.equal(after(taken.replace('%5', '%5$0'), `Name %5 %${name}_2`), taken.replaceAll('%5', `%${name}_2`));
    });

  it('not for one that has an entry, a name, or no definition', () => {
    const isNamed = (marked: string): boolean => titles(marked).some((t) => t.startsWith('Name'));
    assert.ok(!isNamed(LISTED.replace('%0 =', '%$00 =')));
    assert.ok(!isNamed(BARE.replace('%named', '%nam$0ed')));
    assert.ok(!isNamed(BARE.replace('%7', '%$07')));
    assert.ok(isNamed(BARE.replace('%0:', '%$00:')));
    assert.ok(!isNamed(BARE.replace('$vgpr0\n    undef', '$vg$0pr0\n    undef')));
  });
});

/** Keys with whether they say what llc assumes anyway. */
const KEYS: readonly (readonly [key: string, isDefault: boolean])[] = [
  ['alignment: 1\n', true],
  ['alignment: 4\n', false],
  ['legalized: false\n', true],
  ['legalized: true\n', false],
  ['noPhis: false\n', false],
  ['liveins: []\n', true],
  ['liveins: [ ]\n', true],
  ['stack:\n', true],
  ['frameInfo:\n  maxAlignment: 1\n', true],
  ['frameInfo:\n  hasCalls: true\n', false],
  ['failedISel: false\n', true],
  ['constants: []\n', true],
  ['callSites: []\n', true],
];

describe('default keys', () => {
  for (const [key, isDefault] of KEYS)
    it(`${key.trim()}: ${isDefault ? 'removed' : 'kept'}`, () => {
      const text = doc(key, '    S_ENDPGM 0\n');
      const word = key.split(':')[0]!;
      assert.equal(after(onName(text), 'Remove the default key'), isDefault ? text.replace(key, '') : '');
      if (isDefault) assert.ok(titles(onName(text)).includes(`Remove the default key ${word}`));
    });

  it('go together, and what is kept does not keep the others', () => {
    const text = doc('alignment: 1\nlegalized: true\nliveins: []\n', '    S_ENDPGM 0\n');
    assert.equal(
      after(onName(text), 'Remove 2 default keys'),
      text.replace('alignment: 1\n', '').replace('liveins: []\n', ''),
    );
    const none = doc('machineFunctionInfo: {}\nregisters: []\n', '    S_ENDPGM 0\n').replace(
      'Liveness: true',
      'Liveness: false',
    );
    assert.ok(!titles(onName(none)).some((t) => t.startsWith('Remove')), titles(onName(none)).join());
  });
});

describe('a function duplicated', () => {
  const own = (name: string): string =>
    `---\n# CHECK-LABEL: name: ${name}\n# CHECK: @f, f, name: ${name}\nname: ${name}\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n`;
  const check = RUN.trimEnd() + ' | FileCheck %s\n';

  it('has its CHECK lines and the next free name', () => {
    assert.equal(after(onName(check + own('f')), 'Duplicate function as f_2'), check + own('f') + own('f_2'));
    const three = check + own('f') + own('f_2') + own('f_3');
    assert.equal(
      after(onName(three), 'Duplicate function as f_4'),
      check + own('f') + own('f_4') + own('f_2') + own('f_3'),
    );
  });

  it('has its IR', () => {
    const ir = (name: string): string =>
      `  define void @${name}() {\n    call void @${name === 'f_2' ? 'f' : name}()\n    ret void\n  }\n`;
    const other = '  define void @g() {\n    ret void\n  }\n';
    const module = (...parts: string[]): string => `${check}--- |\n${parts.join('')}...\n`;
    const made = after(onName(module(ir('f'), other) + own('f')), 'Duplicate function as f_2');
    assert.equal(made, module(ir('f'), '\n', ir('f_2'), other) + own('f') + own('f_2'));
    // A name that only the IR has is taken, too.
    assert.ok(titles(onName(module(ir('f'), ir('f_2')) + own('f'))).includes('Duplicate function as f_3'));
  });

  it('not with a name that has to be quoted', () => {
    assert.ok(
      !titles(`${check}${own("'a b'").replace("name: 'a b'\nbody", "name: '$0a b'\nbody")}`).some((t) =>
        t.startsWith('Dup'),
      ),
    );
    const quoted = `${check}---\nname: 'f'\nbody: |\n  bb.0:\n    S_ENDPGM 0\n`;
    assert.equal(
      after(quoted.replace("'f'", "'f$0'"), 'Duplicate function as f_2'),
      `${quoted}---\nname: 'f_2'\nbody: |\n  bb.0:\n    S_ENDPGM 0\n`,
    );
  });
});
