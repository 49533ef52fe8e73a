/** Tests whose RUN and CHECK lines want memory, time or files that they must not get, each of a kind at random. */
import { Random } from './damageInputs.js';

export interface HostileTest {
  readonly kind: string;
  readonly text: string;
}

/** Where a RUN line must not write, and a pipe that nobody writes. */
export interface HostilePlaces {
  readonly outside: string;
  readonly pipe: string;
}

const LLC = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s -o - | FileCheck %s\n';
const FUNCTION = '---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    S_NOP 0\n    S_ENDPGM 0\n...\n';

const times = (n: number, text: (k: number) => string): string => Array.from({ length: n }, (_, k) => text(k)).join('');
const check = (pattern: string): string => `${LLC}${FUNCTION}# CHECK: ${pattern}\n`;
const run = (...lines: string[]): string => lines.map((line) => `# RUN: ${line}\n`).join('') + FUNCTION;

/** From tens to thousands, as often this as that. */
const size = (random: Random, most = 20_000): number => Math.min(most, 10 ** (1 + random.below(34) / 10)) | 0;

type Kind = (random: Random, places: HostilePlaces) => string;

const KINDS: Readonly<Record<string, Kind>> = {
  conditions: (random) => {
    const n = size(random);
    const condition = random.pick([
      `{{${'('.repeat(1 + (n % 30))}.+${')+'.repeat(1 + (n % 30))}!}}`,
      `${'('.repeat(n)}true${')'.repeat(n)}`,
      `${'!'.repeat(n)}true`,
      times(n, () => 'a && (b || ') + 'c',
      `{{${times(n % 60, () => '(a|aa)*')}b}}`,
      `{{${'a{1,255}'.repeat(1 + (n % 9))}}}`,
      `{{((((a{1,200}){1,200}){1,200}){1,200})}}`,
      `{{((((a{200}){200}){${1 + (n % 200)}}){200})}}`,
      times(n, () => '{{a'),
      times(n, (k) => `{{x${k}}},`),
    ]);
    return `# ${random.pick(['REQUIRES', 'UNSUPPORTED', 'XFAIL'])}: ${condition}\n${LLC}${FUNCTION}`;
  },
  definitions: (random) => {
    const n = random.below(60) + 2;
    const factor = random.below(9) + 2;
    const chain = `# DEFINE: %{a0} = xxxxxxxxxxxxxxxx\n${times(n, (k) => `# DEFINE: %{a${k + 1}} = ${`%{a${k}}`.repeat(factor)}\n`)}`;
    return random.pick([
      `${chain}# RUN: echo %{a${n}}\n${FUNCTION}`,
      `${times(size(random), (k) => `# DEFINE: %{b${k}} = %{b${k + 1}}\n`)}# RUN: echo %{b0}\n${FUNCTION}`,
      `# DEFINE: %{c} = ${times(size(random), () => '\\\n# DEFINE: c ')}\n# RUN: echo %{c} ${times(size(random), () => '\\\n# RUN: d ')}\n${FUNCTION}`,
      `# DEFINE: %{d} = %%%{d}\n${times(size(random), () => '# REDEFINE: %{d} = %{d}%{d}\n')}# RUN: echo %{d}\n${FUNCTION}`,
    ]);
  },
  choices: (random) => {
    const n = size(random);
    return run(
      random.pick([
        `${times(n, () => '%if true %{ ')}echo${' %}'.repeat(n)}`,
        `echo ${times(n, () => '%if nothing %{ a %} %else %{ b %} ')}`,
        `${times(n, () => '%if ')}`,
      ]),
    );
  },
  prefixes: (random) => {
    const n = size(random);
    return run(
      `${random.pick([times(n, () => 'not '), times(n, (k) => `env A${k}=${k} `), times(n, () => 'not env A=1 '), times(n, () => '! ')])}llc %s -o /dev/null`,
      `env ${times(n, (k) => `A${k}=1 `)} llc %s -o /dev/null`,
    );
  },
  growth: (random) => {
    const n = random.below(30) + 2;
    const copies = times(random.below(30) + 2, () => '%t ');
    return run(
      'cat %s > %t',
      ...random.pick([
        Array.from({ length: n }, () => `cat ${copies}> %t.2 && cp %t.2 %t`),
        [`sed ${times(n, () => "-e 's/.*/&&&&&&&&/' ")} %t > %t.2`],
        [`sed -E ${times(n, () => "-e 's/(.)/\\1\\1\\1\\1/g' ")} %t > %t.2`],
        Array.from({ length: n }, () => `cat %t | tee -a %t %t.3 | tee -a %t > /dev/null`),
        [
          `echo -n '${'a'.repeat(size(random))}' > %t`,
          ...Array.from({ length: n }, () => 'sed s/a/aaaaaaaa/g %t > %t.2 && mv %t.2 %t'),
        ],
        [`split-file %s %t.d --leading-lines`, ...Array.from({ length: n }, () => `sort %t %t > /dev/null`)],
      ]),
    );
  },
  expressions: (random) => {
    const n = random.below(40) + 3;
    const nested = `${'('.repeat(n)}a*${')*'.repeat(n)}b`;
    const pattern = random.pick([
      nested,
      `(a|aa)*\\1b`,
      `((a*)*)*\\2\\2b`,
      `${'a?'.repeat(n)}${'a'.repeat(n)}b`,
      '((a{1,200}){1,200}){1,200}b',
    ]);
    return run(
      `echo ${'a'.repeat(size(random, 5000))} > %t`,
      random.pick([
        `grep -E '${pattern}' %t`,
        `sed -E 's/${pattern}/x/g' %t`,
        `grep -c -E '${pattern}' %t`,
        `sed -E '/${pattern}/d' %t`,
      ]),
    );
  },
  patterns: (random) => {
    const n = size(random);
    const inside = random.pick([
      `${'('.repeat(n)}a${')'.repeat(n)}`,
      `${'('.repeat(n)}`,
      `${'(a'.repeat(n)}${')'.repeat(n)}`,
      `${'('.repeat(n)}a${')*'.repeat(n)}`,
      `${'(a|'.repeat(n)}b${')'.repeat(n)}`,
      `((((a{1,${1 + (n % 255)}}){1,255}){1,255}){1,255})`,
      `((a{1,200}){1,200}){1,${1 + (n % 20)}}`,
      `(a*)*\\1${'b?'.repeat(n % 500)}`,
      `${'.*S'.repeat(n % 300)}x`,
      `${'[^x]*'.repeat(n % 400)}!`,
      `(${times(n, (k) => `a${k}|`)}b)`,
    ]);
    return check(
      random.pick([`{{${inside}}}`, `[[X:${inside}]] [[X]]`, `S_NOP{{.*}}{{${inside}}}`, `{{${inside}}}{{${inside}}}`]),
    );
  },
  numbers: (random) => {
    const n = size(random);
    return check(
      random.pick([
        `[[#${'('.repeat(n)}`,
        `[[#${'('.repeat(n)}1${')'.repeat(n)}]]`,
        `[[#${'1+'.repeat(n)}1]]`,
        `[[#${'(1+'.repeat(n)}1${')'.repeat(n)}]]`,
        `[[#${'add(1,'.repeat(n)}1${')'.repeat(n)}]]`,
        `[[#X:]] [[#${'X+'.repeat(n)}X]]`,
        `[[#${'9'.repeat(n)}]]`,
        `[[#${times(n % 400, () => 'mul(99999999,')}1${')'.repeat(n % 400)}]]`,
        '[['.repeat(n),
        `${'{{'.repeat(n)}`,
        `[[X:${'['.repeat(n)}]]`,
      ]),
    );
  },
  many: (random) => {
    const n = size(random, 5000);
    return random.pick([
      times(n, () => '# RUN: true\n') + FUNCTION,
      run(times(n, () => 'true | ') + 'true'),
      run(times(n, () => 'true ; ') + 'true'),
      LLC + FUNCTION + times(n, (k) => `# CHECK-NOT: {{(x|y)*z${k}$}}\n`),
      LLC + FUNCTION + times(n, (k) => `# CHECK-DAG: {{[A-Z]*_${k}?}}\n`),
      times(n, (k) => `# REQUIRES: {{a${k}.*}} || true,\n`) + LLC + FUNCTION,
      `# RUN: echo ${'\r'.repeat(n)}x${'\r'.repeat(n)}y\n${FUNCTION}`,
    ]);
  },
  reading: (random, { pipe }) => {
    const what = random.pick(['/dev/zero', '/dev/urandom', pipe, '/dev/stdin', '/dev/tty', '/proc/kmsg']);
    return run(
      random.pick([
        `cat ${what}`,
        `cat < ${what}`,
        `cp ${what} %t`,
        `grep a ${what}`,
        `sed s/a/b/ ${what}`,
        `diff %s ${what}`,
        `split-file ${what} %t.d`,
        `llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none ${what} -o -`,
        `llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - < ${what}`,
        `FileCheck %s --input-file=${what}`,
        `FileCheck ${what} --input-file=%s`,
        `FileCheck @${what} %s`,
        `llc @${what} %s -o /dev/null`,
      ]),
    );
  },
  writing: (random, { outside }) => {
    const name = `${outside}/x${random.below(1000)}`;
    return random.pick([
      ...[`touch ${name}`, `cat %s | tee ${name}`, `cp %s ${name}`, `mv %s ${name}`, `echo x > ${name}`].map((line) =>
        run(line),
      ),
      ...[`echo x >> ${name}`, `not cat nothing 2> ${name}`, `not cat nothing &> ${name}`, `mkdir -p ${name}/y`].map(
        (line) => run(line),
      ),
      ...[
        `rm -rf ${outside}`,
        `sed s/a/b/ %s > ${name}`,
        `touch %S/../x`,
        `echo > %t/../../../../../../../..${name}`,
      ].map((line) => run(line)),
      ...['none', 'machine-scheduler'].map((pass) =>
        run(`llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=${pass} -o ${name} %s`),
      ),
      `# RUN: split-file %s ${name}\n#--- part\nx\n`,
      `# RUN: split-file %s %t\n#--- ../../../../../../../..${name}\nx\n`,
      `# NOTE: Assertions have been autogenerated by utils/update_mir_test_checks.py UTC_ARGS: --version 6\n${run(`llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o ${name} %s | FileCheck %s`)}`,
    ]);
  },
  code: (random, { outside }) => {
    const variable = random.pick([
      'LD_PRELOAD',
      'PATH',
      'LD_LIBRARY_PATH',
      'LD_AUDIT',
      'GCONV_PATH',
      'LLVM_PROFILE_FILE',
      'TMPDIR',
      'HOME',
    ]);
    return run(
      random.pick([
        `env ${variable}=${outside}/evil.so llc -mtriple=amdgcn -run-pass=none %s -o -`,
        `export ${variable}=${outside}/evil.so`,
        `llc -load=${outside}/evil.so -mtriple=amdgcn -run-pass=none %s -o -`,
        `llc --load-pass-plugin ${outside}/evil.so -mtriple=amdgcn -run-pass=none %s -o -`,
        `llc -exec-on-ir-change=${outside}/evil -mtriple=amdgcn -run-pass=none %s -o -`,
        `llc -stats -info-output-file=${outside}/x -mtriple=amdgcn -run-pass=none %s -o -`,
        `${outside}/llc -mtriple=amdgcn -run-pass=none %s -o -`,
      ]),
      'llc -mtriple=amdgcn -run-pass=none %s -o -',
    );
  },
};

/** One file of several: their lines around one function. */
function together(texts: readonly string[]): string {
  const lines = texts.map((text) => text.replace(FUNCTION, '').replace(/(?<!\n)$/, '\n'));
  return lines.slice(1).join('') + FUNCTION + lines[0]!;
}

const CHECKS = ['CHECK:', 'CHECK-DAG:', 'CHECK-NOT:', 'CHECK-LABEL:', 'CHECK-COUNT-2:', 'CHECK-NEXT:'];

/** Several of a kind in one file, and several kinds. */
const MIXTURES: Readonly<Record<string, Kind>> = {
  several: (random, places) => {
    const kind = random.pick(Object.keys(KINDS));
    return together(Array.from({ length: 2 + random.below(9) }, () => KINDS[kind]!(random, places)));
  },
  'several patterns': (random, places) => {
    const kind = random.pick(['patterns', 'patterns', 'numbers']);
    const checks = Array.from({ length: 2 + random.below(9) }, () =>
      KINDS[kind]!(random, places)
        .slice((LLC + FUNCTION).length)
        .replace('CHECK:', random.pick(CHECKS)),
    );
    return LLC + FUNCTION + checks.join('');
  },
  'large patterns': (random) => {
    const n = (2000 * 60 ** (random.below(100) / 100)) | 0;
    const item = random.pick([
      ...['(a)*', '(ab)*', '(ab|c)?', '.*[^x]+', 'S?', '(S|N)+', '[a-z]{0,3}', '(a*b)?', '.*', '(a)', '[ab][^cd]?'],
      `(${'x*'.repeat(5)})*`,
    ]);
    const check = random.pick(CHECKS);
    const checks = times(2 + random.below(9), (k) => `# ${check} {{${item.repeat(n + k)}}}\n`);
    return LLC + FUNCTION + checks;
  },
  kinds: (random, places) =>
    together(
      Array.from({ length: 2 + random.below(5) }, () => KINDS[random.pick(Object.keys(KINDS))]!(random, places)),
    ),
};

const ALL: Readonly<Record<string, Kind>> = { ...KINDS, ...MIXTURES };

export const HOSTILE_KINDS: readonly string[] = Object.keys(ALL);

export function hostileTest(kind: string, seed: number, places: HostilePlaces): HostileTest {
  return { kind, text: ALL[kind]!(new Random(seed), places) };
}
