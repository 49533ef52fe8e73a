/**
 * Damaged files of R600: llc-22 and ours agree on whether they are accepted, and on the messages. Opcodes, registers, classes and sub-register indices
 * are renamed (also to AMDGCN's), operands and lines are dropped, doubled and swapped. AMDGPU_MIR_ALL=1 takes the corpus's files, too
 * (610 files have been compared).
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { createSubtarget, LLVM22, type TargetTables } from '../../server/src/target/index.js';
import { Random } from '../support/damageInputs.js';
import { compareVerdicts, llcVerdict, ourVerdict } from '../support/damageVerdict.js';
import { needsLlc } from '../support/llc.js';
import { ALL, placeOr, runsOr, seedOr, SHOW } from '../support/switches.js';

const RUNS = runsOr(15);
const SEED = seedOr(1);
/** llc-22 runs in circles on some of these. */
const LLC_SECONDS = 5;
const ROOT = join(__dirname, '..', '..');
const FIXTURES = join(ROOT, 'test/fixtures/r600');
const CORPUS = join(placeOr('CORPUS', join(ROOT, '..', 'shared', 'corpus')), 'uniformity');

const r600 = createSubtarget('r600--', '', '').tables;

function casesOf(file: string): string[] {
  const text = brotliDecompressSync(readFileSync(join(CORPUS, file))).toString('utf8');
  return (JSON.parse(text) as { cases: { input: string }[] }).cases.map((c) => c.input);
}

function inputs(): string[] {
  const own = readdirSync(FIXTURES).filter((f) => f.endsWith('.mir'));
  const theirs =
    ALL && existsSync(CORPUS)
      ? readdirSync(CORPUS)
          .filter((f) => f.endsWith('.br'))
          .flatMap(casesOf)
      : [];
  return [
    ...own.map((f) => readFileSync(join(FIXTURES, f), 'utf8')),
    ...theirs.filter((text) => text.includes('target triple = "r600')),
  ];
}

type Replace = readonly [pattern: RegExp, word: (random: Random) => string];

const anyOf = (tables: TargetTables, random: Random, n: number, name: (k: number) => string): string =>
  name(random.below(n)) || name(tables === r600 ? 1 : 2);

const tablesOf = (random: Random): TargetTables => (random.chance(85) ? r600 : LLVM22.tables);

/** What a word of a body becomes. */
const REPLACEMENTS: readonly Replace[] = [
  [
    /(?<== |^    )[A-Z]\w+/gm,
    (r) => {
      const t = tablesOf(r);
      return anyOf(t, r, t.nOpcodes, (k) => t.opcodeName(k));
    },
  ],
  [
    /\$\w+/g,
    (r) => {
      const t = tablesOf(r);
      return `$${anyOf(t, r, t.nRegs, (k) => t.regName(k))}`;
    },
  ],
  [
    /(?<=:)r600_\w+/g,
    (r) => {
      const t = tablesOf(r);
      return anyOf(t, r, t.nRegClasses, (k) => t.regClassMirName(k));
    },
  ],
  [
    /(?<=\.)sub\d+/g,
    (r) => {
      const t = tablesOf(r);
      return anyOf(t, r, t.nSubRegIndices, (k) => t.subRegIndexName(k));
    },
  ],
  [/(?<= )%\d+/g, (r) => `%${r.below(60)}`],
  [/(?<= )-?\d+(?=,)/g, (r) => r.pick(['%0', '$t0_x', '7', '%bb.1', '-9223372036854775808', 'undef $t1_w'])],
  [
    /killed |renamable |undef |implicit |dead /g,
    (r) => r.pick(['', 'killed ', 'undef ', 'dead ', 'implicit ', 'implicit-def ']),
  ],
  [/%bb\.\d+/g, (r) => `%bb.${r.below(6)}`],
  [/, [^,\n]+/g, () => ''],
  [/, [^,\n]+/g, (r) => r.pick([', 0, 1', ', $t0_xyzw', ', %3', ', implicit $ar_x', ', implicit-def $alu_const'])],
  [/(?<=tracksRegLiveness: |isSSA: *|noVRegs: *)(?:true|false)/g, (r) => r.pick(['true', 'false'])],
  [
    /machineFunctionInfo: \{\}/g,
    (r) => r.pick(['machineFunctionInfo: { ldsSize: 4 }', 'machineFunctionInfo: 1', 'machineFunctionInfo: []']),
  ],
  [/"target-cpu"="\w+"/g, (r) => `"target-cpu"="${r.pick(['r600', 'rv710', 'gfx900', 'cayman', ''])}"`],
  [
    /liveins: .*/g,
    (r) => `liveins: ${r.pick(['$kc0_1_x', '$t3_xyzw', '$t0_x, $oqap', '$lds_direct_a', '$alu_param', '$t1_x:0x2'])}`,
  ],
];

function replaceOne(text: string, random: Random): string {
  const [pattern, word] = random.pick(REPLACEMENTS);
  const places = [...text.matchAll(pattern)].filter((m) => m.index > text.indexOf('\n---\n'));
  if (places.length === 0) return text;
  const place = random.pick(places);
  return text.slice(0, place.index) + word(random) + text.slice(place.index + place[0].length);
}

/** Drops, doubles or moves a line of an instruction. */
function changeLine(text: string, random: Random): string {
  const lines = text.split('\n');
  const instructions = lines.flatMap((l, i) => (/^ {4}\S/.test(l) && i > lines.indexOf('---') ? [i] : []));
  if (instructions.length === 0) return text;
  const at = random.pick(instructions);
  const kind = random.below(3);
  const [line] = kind === 2 ? lines.splice(at, 1) : [lines[at]!];
  if (kind === 0) lines.splice(at, 1);
  else lines.splice(random.pick(instructions), 0, line!);
  return lines.join('\n');
}

describe('damaged files of R600', function () {
  this.timeout(0);
  const folder = mkdtempSync(join(tmpdir(), 'r600-'));
  before(function () {
    needsLlc(this);
  });
  after(() => rmSync(folder, { recursive: true }));

  it(`are judged as llc-22 judges them (${RUNS} files)`, async () => {
    const texts = inputs();
    const random = new Random(SEED);
    const counts = new Map<string, number>();
    const differences: string[] = [];
    for (let n = 0; n < RUNS; n++) {
      let text = texts[n % texts.length]!;
      const changes = random.below(3);
      for (let k = 0; k <= changes; k++) text = random.chance(80) ? replaceOne(text, random) : changeLine(text, random);
      const args = [random.chance(50) ? '-run-pass=none' : '-run-pass=print-machine-uniformity', '-o', '-'];
      const bytes = Buffer.from(text);
      const theirs = await llcVerdict(folder, 'a.mir', bytes, args, LLC_SECONDS);
      const ours = ourVerdict('a.mir', bytes, args);
      const difference = compareVerdicts(theirs, ours);
      const key = theirs.exit === null ? difference : `${theirs.exit}: ${difference}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      assert.notEqual(ours.exit, 70, ours.err);
      if (difference === 'none' || difference === 'llc crashed') continue;
      differences.push(`${n}: ${difference}\n${theirs.err.slice(0, 1500)}\n----\n${ours.err.slice(0, 1500)}`);
    }
    const summary = [...counts].map(([k, v]) => `${k} ${v}`).join(', ');
    if (SHOW > 0) console.log(summary, ...differences.slice(0, SHOW));
    assert.deepEqual(differences, [], summary);
  });
});
