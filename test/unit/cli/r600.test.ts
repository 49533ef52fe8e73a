/** Files of R600, the other target of LLVM's AMDGPU back end: what llc-22 answers, and what is said to be AMDGCN's alone. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../../server/src/cli/check.js';
import { runExplain } from '../../../server/src/cli/explain.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { FEATURES } from '../../../server/src/lsp/common/featureTable.js';
import { documentStatus } from '../../../server/src/lsp/common/documentStatus.js';
import { createSubtarget, listCpus, LLVM22 } from '../../../server/src/target/index.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { compareVerdicts, llcVerdict, ourVerdict } from '../../support/damageVerdict.js';
import { Random } from '../../support/damageInputs.js';
import { needsLlc } from '../../support/llc.js';

const FIXTURES = join(__dirname, '../../fixtures/r600');
const FILES = ['finalize-isel.mir', 'if-converter.mir'];
const URI = 'file:///r600.mir';

const textOf = (file: string): string => readFileSync(join(FIXTURES, file), 'utf8');
const ours = (text: string, args: readonly string[]): ReturnType<typeof ourVerdict> =>
  ourVerdict('a.mir', Buffer.from(text), [...args, '-o', '-']);

function snapshotOf(text: string): { host: AnalysisHost; snapshot: NonNullable<ReturnType<AnalysisHost['snapshot']>> } {
  const host = new AnalysisHost(false, Infinity);
  host.open(URI, 1, text);
  return { host, snapshot: host.snapshot(URI)! };
}

const ask = (
  method: keyof typeof FEATURES,
  snapshot: ReturnType<typeof snapshotOf>['snapshot'],
  params: object,
): unknown => FEATURES[method](snapshot, { textDocument: { uri: URI }, ...params } as never, NEVER_CANCELLED);

/** A function whose body is `lines`. */
const functionOf = (...lines: readonly string[]): string =>
  `---\nname: f\nbody: |\n  bb.0:\n${lines.map((l) => `    ${l}\n`).join('')}...\n`;

describe('R600', function () {
  this.timeout(0);

  describe('as llc-22 has it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'r600-'));
    before(function () {
      needsLlc(this);
    });
    after(() => rmSync(folder, { recursive: true }));

    const equal = async (text: string, args: readonly string[]): Promise<void> => {
      const bytes = Buffer.from(text);
      const theirs = await llcVerdict(folder, 'a.mir', bytes, [...args, '-o', '-']);
      const own = ours(text, args);
      assert.equal(compareVerdicts(theirs, own), 'none', `${args.join(' ')}\n${theirs.err}\n----\n${own.err}`);
    };

    for (const file of FILES)
      for (const args of [
        ['-run-pass=none', '-verify-machineinstrs'],
        ['-run-pass=none', '-simplify-mir'],
        ['-run-pass=print-machine-uniformity'],
        ['-passes=print<machine-uniformity>'],
      ])
        it(`${file} ${args.join(' ')}`, () => equal(textOf(file), args));

    it('processors, features and architectures', async () => {
      const text = functionOf('RETURN');
      for (const args of [
        ['-march=r600'],
        ['-mtriple=r600', '-mcpu=cayman'],
        ['-mtriple=r600--', '-mcpu=gfx900'],
        ['-mtriple=r600', '-mattr=+fp64,-fetch8,+xnack'],
        ['-mtriple=r600', '-mcpu=nothing', '-mattr=+nothing'],
        ['-mtriple=amdgcn', '-march=r600', '-mcpu=rv710'],
        ['-mtriple=r600', '-march=amdgcn', '-mcpu=gfx900'],
        ['-mtriple=r600', '-mcpu=help'],
        ['-mtriple=amdgcn', '-mcpu=redwood'],
      ])
        await equal(text, [...args, '-run-pass=none']);
    });

    it('what AMDGCN has and R600 has not', async () => {
      for (const text of [
        functionOf('V_NOP_e32'),
        functionOf('$vgpr0 = MOV 1'),
        functionOf('%0:sgpr(s32) = G_IMPLICIT_DEF'),
        functionOf('%0:_(p1) = G_GLOBAL_VALUE target-flags(amdgpu-gotprel) @f'),
        functionOf('%0:_(p1) = G_GLOBAL_VALUE @f', '%1:_(s32) = G_LOAD %0 :: ("amdgpu-noclobber" load (s32))'),
        functionOf('KILL target-index(amdgpu-constdata-start)'),
        functionOf('RETURN').replace('body:', 'machineFunctionInfo: { ldsSize: 4 }\nbody:'),
        functionOf('RETURN').replace('body:', 'machineFunctionInfo: 5\nbody:'),
        functionOf('RETURN').replace('body:', 'stack:\n  - { id: 0, size: 4, stack-id: sgpr-spill }\nbody:'),
        functionOf('%0:_(p1) = G_GLOBAL_VALUE @f', '%1:_(s64) = G_CONSTANT i64 4', '%2:_(p1) = G_PTR_ADD %0, %1(s64)'),
      ])
        await equal(text, ['-mtriple=r600', '-mcpu=redwood', '-run-pass=none']);
    });

    it('ends of blocks', async () => {
      const blocks = (...last: string[]): string =>
        `---\nname: f\nbody: |\n  bb.0:\n    successors: %bb.1, %bb.2\n    $t0_x = IMPLICIT_DEF\n${last
          .map((l) => `    ${l}\n`)
          .join('')}\n  bb.1:\n    RETURN\n\n  bb.2:\n    RETURN\n...\n`;
      const set = '$predicate_bit = PRED_X $t0_x, 554, 16';
      for (const text of [
        blocks('JUMP %bb.1'),
        blocks('JUMP %bb.2', 'JUMP %bb.1'),
        blocks(set, 'JUMP_COND %bb.1, $predicate_bit'),
        blocks(set, 'JUMP_COND %bb.2, $predicate_bit'),
        blocks(set, 'JUMP_COND %bb.2, $predicate_bit', 'JUMP %bb.1'),
        blocks('BRANCH %bb.1'),
        blocks('RETURN'),
        blocks(),
      ])
        await equal(text, ['-mtriple=r600', '-mcpu=redwood', '-run-pass=none']);
    });

    it('reserves the registers that the stack is in', async () => {
      for (const [size, align, reg] of [
        [4, 4, 't3_x'],
        [4, 4, 't4_x'],
        [6, 16, 't6_x'],
        [6, 16, 't7_x'],
        [4, 4, 't3_y'],
      ] as const) {
        const text = functionOf(`KILL $${reg}`, 'RETURN').replace(
          'body:',
          `tracksRegLiveness: true\nstack:\n  - { id: 0, size: ${size}, alignment: ${align} }\nbody:`,
        );
        await equal(text, ['-mtriple=r600', '-run-pass=none']);
      }
    });
  });

  it('has the passes that it is modelled for, and says so of the others', () => {
    for (const pass of ['amdgpu-print-rp', 'machine-scheduler', 'si-fix-sgpr-copies']) {
      const { exit, err } = ours(textOf(FILES[0]!), [`-run-pass=${pass}`]);
      assert.equal(exit, 1);
      assert.match(err, /^llc: error: amdgpu-mir models the pass '[\w,-]+' for AMDGCN only$/m, pass);
    }
  });

  it('has processors of its own', () => {
    assert.ok(listCpus('r600--').includes('redwood') && !listCpus('r600--').includes('gfx900'));
    const { tables, cpu } = createSubtarget('r600', '', '');
    assert.equal(cpu, 'r600');
    assert.ok(!tables.isAMDGCN && LLVM22.tables.isAMDGCN);
    assert.ok(createSubtarget('r600', 'cayman', '').hasFeature('caymanISA'));
  });

  it('is checked without numbers', async () => {
    const io = new BufferedIO();
    assert.equal(await runCheck([join(FIXTURES, FILES[0]!)], io), 0);
    assert.match(io.out(), /R600, not counted/);
    assert.doesNotMatch(io.out(), /occupancy|VGPR|SGPR/);
    const explained = new BufferedIO();
    assert.notEqual(runExplain([join(FIXTURES, FILES[0]!)], explained), 0);
    assert.match(
      explained.err(),
      /a file for R600: pressure, occupancy, schedules and allocation are modelled for AMDGCN/,
    );
  });

  it('is a file of ours in the editor: names, findings, symbols, and no numbers', () => {
    const { host, snapshot } = snapshotOf(textOf(FILES[0]!));
    assert.equal(documentStatus(snapshot).foreign, '');
    assert.deepEqual(host.diagnostics(URI, NEVER_CANCELLED), []);
    const text = snapshot.text.text;
    const hoverAt = (word: string): string => {
      const position = snapshot.text.positionAt(text.lastIndexOf(word) + 1);
      const answer = ask('textDocument/hover', snapshot, { position });
      return JSON.stringify(answer);
    };
    assert.match(hoverAt('EG_ExportSwz'), /EG_ExportSwz.*r600_reg128/);
    assert.match(hoverAt('$pred_sel_off'), /reserved: never allocated/);
    assert.match(hoverAt('$t0_xyzw'), /4 registers \(128 bits\)/);
    for (const word of ['EG_ExportSwz', '$t0_xyzw'])
      assert.doesNotMatch(hoverAt(word), /pressure|occupancy|latency|wave/);
    const whole = { range: snapshot.rangeOf(0, text.length) };
    assert.deepEqual(ask('textDocument/inlayHint', snapshot, whole), []);
    assert.doesNotMatch(JSON.stringify(ask('textDocument/codeLens', snapshot, whole)), /occupancy|VGPR|pressure/);
    assert.equal((ask('textDocument/documentSymbol', snapshot, whole) as object[]).length, 3);
    const at = snapshot.text.positionAt(text.lastIndexOf('EG_ExportSwz') + 5);
    const proposed = JSON.stringify(ask('textDocument/completion', snapshot, { position: at }));
    assert.match(proposed, /"EG_ExportBuf"/);
    assert.doesNotMatch(proposed, /V_ADD/);
  });

  it('shows what llc rejects, and answers every request everywhere', () => {
    const broken = textOf(FILES[1]!)
      .replace('= MOV 1,', '= V_MOV 1,')
      .replace('$t0_w = SETGT_INT', '$t0_xyzw = SETGT_INT');
    const { host, snapshot } = snapshotOf(broken);
    const found = host.diagnostics(URI, NEVER_CANCELLED) ?? [];
    assert.ok(found.some((d) => String(d.message).startsWith("unknown machine instruction name 'V_MOV'")));
    const random = new Random(3);
    for (const text of [broken, ...FILES.map(textOf)]) {
      const own = text === broken ? snapshot : snapshotOf(text).snapshot;
      for (let k = 0; k < 40; k++) {
        const position = own.text.positionAt(random.below(text.length));
        const params = {
          textDocument: { uri: URI },
          position,
          positions: [position],
          range: { start: position, end: position },
          context: { diagnostics: [], includeDeclaration: true },
          newName: '$t3_x',
        };
        for (const [method, provide] of Object.entries(FEATURES))
          if (method.startsWith('textDocument/') || method.startsWith('amdgpuMir/'))
            assert.doesNotThrow(() => provide(own, params as never, NEVER_CANCELLED), `${method} at ${position.line}`);
      }
    }
  });

  it('becomes AMDGCN and R600 again without a trace', () => {
    const host = new AnalysisHost(false, Infinity);
    const r600 = textOf(FILES[1]!);
    host.open(URI, 1, r600);
    const before = JSON.stringify(host.diagnostics(URI, NEVER_CANCELLED));
    host.selectTarget(URI, { triple: 'amdgcn', cpu: 'gfx900', features: '' });
    assert.notEqual(JSON.stringify(host.diagnostics(URI, NEVER_CANCELLED)), before);
    host.selectTarget(URI, null);
    assert.equal(JSON.stringify(host.diagnostics(URI, NEVER_CANCELLED)), before);
  });
});
