/** Files of TRITON_DUMP_MIR: read as they are, and written as TRITON_SWAP_MIR takes them. Those of Triton itself where they lie beside the repository. */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCompare } from '../../../server/src/cli/compare.js';
import { runCheck } from '../../../server/src/cli/check.js';
import { runLlc } from '../../../server/src/cli/llc.js';
import { runSwap } from '../../../server/src/cli/swap.js';
import { toLspDiagnostics } from '../../../server/src/features/diagnostics/diagnostics.js';
import { provideHover } from '../../../server/src/features/hover/hover.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { documentStatus } from '../../../server/src/lsp/common/documentStatus.js';
import { fileForSwap } from '../../../server/src/program/tritonDump.js';
import { skip } from '../../support/skip.js';

const MIR = `--- |
  source_filename = "LLVMDialectModule"
  target triple = "amdgpu11.00-amd-amdhsa"
  define amdgpu_kernel void @k() { ret void }
...
---
name:            k
tracksRegLiveness: true
machineFunctionInfo:
  minNumAGPRs:     0
body:             |
  bb.0:
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    V_CMP_EQ_U32_e32 0, %0, implicit-def $vcc_lo, implicit $exec
    %1:vgpr_32 = V_CNDMASK_B32_e32 %0, %0, implicit killed $vcc_lo, implicit $exec
    S_NOP 0, implicit %1
    S_ENDPGM 0
...
`;
const GRAPH = `---
========== SCHEDULING DAG ==========
region 0 0
node 0 %0 COPY
node 1 - V_CMP_EQ_U32_e32
edge 0 1 Data 1 %0
`;
const READABLE = MIR.replace('implicit-def $vcc_lo', 'implicit-def $vcc').replace('killed $vcc_lo', 'killed $vcc');

const DUMPS = join(__dirname, '..', '..', '..', '..', 'shared', 'corpus24', 'triton-dumps');
const dumpNames = (): string[] => (existsSync(DUMPS) ? readdirSync(DUMPS).filter((name) => name.endsWith('.xz')) : []);
const dump = (name: string): string =>
  execFileSync('xz', ['-dc', join(DUMPS, name)], { encoding: 'utf8', maxBuffer: 1 << 28 });

describe("Triton's dumps", () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-triton-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are MIR of LLVM 24 for the target of their triple, in check and in the editor', async () => {
    const path = join(folder, 'k_1f.txt');
    writeFileSync(path, READABLE + GRAPH);
    const io = new BufferedIO();
    assert.equal(await runCheck([path], io), 0, io.out());
    assert.match(io.out(), /LLVM 24\.0\.0git: triple amdgpu11\.00-amd-amdhsa in line 3\n {2}k {2}gfx1100 wave32/);
    const host = new AnalysisHost();
    host.open('file:///k.txt', 1, READABLE + GRAPH);
    const snapshot = host.snapshot('file:///k.txt')!;
    assert.deepEqual(toLspDiagnostics(snapshot), []);
    assert.equal(documentStatus(snapshot).target, 'gfx1100 wave32');
    assert.equal(snapshot.functions.length, 1);
  });

  it('say whose numbers they are, at the graph and in the status', () => {
    const host = new AnalysisHost();
    host.open('file:///k.txt', 1, READABLE + GRAPH);
    const dump = host.snapshot('file:///k.txt')!;
    const first = READABLE.split('\n').length - 1;
    const hoverAt = (line: number): string =>
      JSON.stringify(provideHover(dump, { position: { line, character: 4 } })?.contents ?? null);
    for (const line of [first, first + 1])
      assert.match(hoverAt(line), /The graph that Triton's scheduler starts from[^]*another LLVM in its wheel/);
    assert.equal(hoverAt(first + 2), 'null');
    assert.match(documentStatus(dump).llvmReason, /of this release alone; numbers of a dump are of the LLVM/);
    host.open('file:///k.mir', 1, READABLE);
    assert.doesNotMatch(documentStatus(host.snapshot('file:///k.mir')!).llvmReason, /dump/);
  });

  it('are refused by llc, as by the llc of LLVM 24', () => {
    const io = new BufferedIO(() => READABLE + GRAPH);
    assert.equal(runLlc(['--model=llvm-24', '-run-pass=none', '-o', '-', '-'], io), 1);
    assert.match(io.err(), /not a mapping/);
  });

  it('lose their graph and nothing else', () => {
    assert.deepEqual(fileForSwap(READABLE + GRAPH), { text: READABLE, repaired: 0, errors: [] });
    assert.deepEqual(fileForSwap(READABLE), { text: READABLE, repaired: 0, errors: [] });
    const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
    assert.equal(fileForSwap(crlf(READABLE + GRAPH)).text, crlf(READABLE));
    const edited = READABLE.replace('S_NOP 0', 'S_NOP 1');
    assert.equal(fileForSwap(edited + GRAPH).text, edited);
  });

  it('have $vcc where LLVM prints $vcc_lo and reads $vcc', () => {
    assert.deepEqual(fileForSwap(MIR + GRAPH), { text: READABLE, repaired: 2, errors: [] });
    // Named by somebody, not by the opcode.
    const own = READABLE.replace('S_NOP 0', 'S_NOP 0, implicit $vcc_lo');
    assert.equal(fileForSwap(own).text, own);
  });

  it('with errors are not written', () => {
    const path = join(folder, 'bad.txt');
    writeFileSync(path, READABLE.replace('S_NOP 0', 'S_NOPE 0') + GRAPH);
    const io = new BufferedIO();
    assert.equal(runSwap(['-o', join(folder, 'out.txt'), path], io), 1);
    assert.match(io.err(), /bad\.txt:18:5: error: unknown machine instruction name 'S_NOPE'/);
    assert.ok(!existsSync(join(folder, 'out.txt')));
    assert.equal(runSwap([], new BufferedIO()), 2);
    assert.equal(runSwap([join(folder, 'none.txt')], new BufferedIO()), 2);
  });

  it('as Triton writes them are read without an error, and written without one', function () {
    const names = dumpNames();
    if (names.length === 0) return skip(this, 'there are no dumps of Triton beside the repository');
    let repaired = 0;
    for (const name of names) {
      const source = dump(name);
      const swapped = fileForSwap(source);
      assert.deepEqual(swapped.errors, [], name);
      repaired += swapped.repaired;
      const mir = source.slice(0, source.indexOf('---\n========== SCHEDULING DAG'));
      // Equal but for the repairs, which take three letters each.
      assert.equal(swapped.text.length, mir.length - 3 * swapped.repaired, name);
      if (swapped.repaired === 0) assert.equal(swapped.text, mir, name);
      else assert.equal(swapped.text.replaceAll('$vcc_lo', '$vcc'), mir.replaceAll('$vcc_lo', '$vcc'), name);
    }
    assert.ok(repaired > 0);
    return undefined;
  });

  describe('with a graph', () => {
    const compare = (text: string, ...options: string[]): { exit: number; out: string; err: string } => {
      const path = join(folder, 'k_2f.txt');
      writeFileSync(path, text);
      const io = new BufferedIO();
      const exit = runCompare([...(options.length > 0 ? options : ['--graph']), path], io);
      return { exit, out: io.out(), err: io.err() };
    };
    const lines = `---
========== SCHEDULING DAG ==========
region 0 0
node 0 %0 COPY
node 1 $vcc_lo V_CMP_EQ_U32_e32
node 2 %1 V_CNDMASK_B32_e32
node 3 - S_NOP
edge 0 2 Data 1 %0
edge 0 1 Data 1 %0
edge 1 2 Data 5 $vcc_lo
edge 2 3 Data 5 %1
`;

    it('say that it is ours, whatever the order of its lines and the numbers of its registers', () => {
      const own = MIR + compare(MIR + lines, '--print-graph').out.replace(/^/, '---\n');
      assert.deepEqual(compare(own), {
        exit: 0,
        out: 'k: the graphs are equal: 1 regions, 4 nodes, 4 edges\n',
        err: '',
      });
      const [head = '', ...rest] = own.split('region 0 0\n');
      const other = `${head}region 0 0\n${rest.join('').trimEnd().split('\n').reverse().join('\n')}\n`;
      assert.equal(compare(other).exit, 0);
      assert.equal(compare(own.replace(/(?<=SCHEDULING DAG)[^]*/, (graph) => graph.replaceAll('%1', '%7'))).exit, 0);
    });

    it('or where it differs', () => {
      const own = MIR + compare(MIR + lines, '--print-graph').out.replace(/^/, '---\n');
      const { exit, out } = compare(own.replace(/edge 2 3 Data \d+/, 'edge 2 3 Data 17'));
      assert.equal(exit, 1);
      assert.match(
        out,
        /^k: 1 of 1 regions differ, the first is region 0 of bb\.0\n {2}amdgpu-mir {2}edge 2 3 Data \d %1\n {2}file {8}edge 2 3 Data 17 %1\n$/,
      );
      assert.equal(compare(own.replace(/^edge 0 1 .*\n/m, '')).exit, 1);
      assert.equal(compare(`${own}region 7 0\nnode 0 - S_NOP\n`).exit, 1);
    });

    it('or that there is none', () => {
      assert.match(compare(MIR).err, /it is no dump of TRITON_DUMP_MIR/);
      assert.match(compare(MIR + lines.split('region')[0]!).err, /Triton has written none/);
      assert.match(compare(MIR.replace('S_NOP 0,', 'S_NOPE 0,') + lines).err, /unknown machine instruction name/);
      assert.match(compare(MIR + lines, '--graph', '--llc=x').err, /--graph takes one file and no other options/);
    });

    it('of Triton itself are equal', function () {
      const names = dumpNames();
      if (names.length === 0) return skip(this, 'no dumps of Triton beside the repository');
      const graphs = names.map((name) => ({ name, text: dump(name) })).filter(({ text }) => /^region /m.test(text));
      for (const { name, text } of graphs.filter((g) => g.text.length < 1_500_000))
        assert.equal(compare(text).exit, 0, name);
      return undefined;
    });
  });
});
