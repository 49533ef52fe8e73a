/** Sources in an editor: MIR of a file by a clang of the user, and numbers by lines of the source with the places of their instructions. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CancellationToken, CancellationTokenSource } from 'vscode-languageserver';
import type { LinesOfSource, MirOfSource } from '../../server/src/lsp/common/customRequests.js';
import { ownTools } from '../../server/src/lsp/node/ownTools.js';
import { expect } from '../support/expect.js';
import { TestClient } from '../support/lspClient.js';
import { hasClang } from '../support/randomOpenCl.js';
import { skip } from '../support/skip.js';
import { placeOr } from '../support/switches.js';

const CL = `static float twice(float x) {
  return x + x;
}
kernel void f(global float *p) {
  size_t i = get_global_id(0);
  p[i] = twice(p[i]);
}
`;
const MIR = '--- |\n  define void @f() { ret void }\n...\n---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
const ANY = { triple: '', cpu: '', features: '', stopBefore: '' };

describe('sources in an editor', () => {
  const folder = mkdtempSync(join(tmpdir(), 'source-mir-'));
  after(() => rmSync(folder, { recursive: true }));

  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return pathToFileURL(join(folder, name)).href;
  };
  const program = (name: string, script: string): string => {
    const path = join(folder, name);
    const version = 'if [ "$1" = --version ]; then echo "clang version 22.1.8"; exit 0; fi';
    writeFileSync(path, `#!/bin/sh\n${version}\nprintf '%s\\n' "$@" > '${path}.words'\n${script}\n`, { mode: 0o755 });
    return path;
  };
  const wordsOf = (path: string): string[] => readFileSync(`${path}.words`, 'utf8').trim().split('\n');
  const make = (
    uri: string,
    clang: string,
    asked: Partial<typeof ANY> = {},
    token = CancellationToken.None,
  ): Promise<MirOfSource | null> =>
    ownTools().mirOfSource(uri, { clang, llc: '', args: ['-g'] }, { ...ANY, ...asked }, token);

  it('are compiled up to a pass, and the tool is told with its version', async () => {
    const clang = program('clang', `cat '${join(folder, 'made.mir')}'`);
    file('made.mir', MIR);
    const made = await make(file('k.cl', CL), clang, { cpu: 'gfx942', stopBefore: 'greedy' });
    assert.equal(made!.told, `MIR by ${clang} (LLVM 22.1.8), before greedy`);
    assert.ok(made!.text!.endsWith(MIR) && made!.text!.startsWith('# *** IR Dump Before greedy (greedy) ***'));
    const words = wordsOf(clang);
    assert.ok(
      ['-mcpu=gfx942', '-stop-before=greedy', '-g'].every((word) => words.includes(word)),
      words.join(' '),
    );
  });

  it('that make no MIR say why: no processor, no tool, what the tool says, no file, cancelled', async () => {
    const k = file('k.cl', CL);
    const bad = program('bad', 'echo "k.cl:1:1: error: no" >&2; exit 1');
    const without = await make(k, bad);
    assert.ok(without!.needsProcessor && without!.text === null && without!.problem.includes('the processor'));
    const asked = { cpu: 'gfx942' };
    assert.match((await make(k, bad, asked))!.problem, /^\S+bad \(LLVM 22\.1\.8\) ends with 1: k\.cl:1:1: error: no$/);
    assert.match((await make(k, join(folder, 'none'), asked))!.problem, /none cannot be run: No such file/);
    assert.match((await make('untitled:k.cl', bad, asked))!.problem, /^a tool reads files of the disk/);
    assert.match((await make(file('k.txt', CL), bad, asked))!.problem, /^k\.txt is no source/);
    const old = process.env['PATH'];
    process.env['PATH'] = folder + '/nothing';
    try {
      const { problem } = (await make(k, '', asked))!;
      assert.match(
        problem,
        /^k\.cl needs clang, which was not found \(looked for .*\)\. Name it .* the setting amdgpu-mir\.tools\.clang$/,
      );
    } finally {
      process.env['PATH'] = old;
    }
    const source = new CancellationTokenSource();
    const slow = make(k, program('slow', 'sleep 30'), asked, source.token);
    setTimeout(() => source.cancel(), 100);
    assert.equal(await slow, null);
  });

  it('lead to lines of MIR, over the protocol', async function () {
    if (!hasClang()) return skip(this, 'clang-22 is not installed');
    this.timeout(30_000);
    const settings = { target: { cpu: 'gfx942' }, tools: { clang: placeOr('CLANG', 'clang-22'), arguments: ['-g'] } };
    const client = await TestClient.inMemory({ tools: ownTools(), settings });
    try {
      const made = await client.ask<MirOfSource>('amdgpuMir/mirOfSource', { uri: file('k.cl', CL) });
      assert.equal(made.problem, '');
      const uri = 'file:///made.mir';
      client.open(uri, made.text!);
      const { lines } = await client.ask<LinesOfSource>('amdgpuMir/sourceLines', { textDocument: { uri } });
      const rows = made.text!.split('\n');
      const shown = lines
        .filter(({ line }) => line > 0)
        .map(
          ({ file: name, line, inlinedAt, mirLines, instructions, maxVgpr, isPeak, function: of }) =>
            `${of} ${name.split('/').at(-1)}:${line}${inlinedAt === null ? '' : ' inlined'}: ${instructions}, VGPR ${maxVgpr}${isPeak ? ', peak' : ''}: ` +
            mirLines.map((l) => / ([A-Z]\w+)/.exec(rows[l]!)?.[1]).join(' '),
        );
      expect`
        f k.cl:2 inlined: 1, VGPR 4, peak: V_ADD_F32_e32
        f k.cl:5 inlined: 18, VGPR 2: S_LOAD_DWORDX2_IMM S_ADD_U32 S_ADDC_U32 ADJCALLSTACKUP SI_PC_ADD_REL_OFFSET COPY COPY COPY COPY COPY COPY COPY COPY AV_MOV_B32_IMM_PSEUDO SI_CALL ADJCALLSTACKDOWN COPY COPY
        f k.cl:6 inlined: 3, VGPR 4, peak: V_LSHL_ADD_U64_e64 GLOBAL_LOAD_DWORD GLOBAL_STORE_DWORD
        f k.cl:7: 1, VGPR 0: S_ENDPGM
        __clang_ocl_kern_imp_f k.cl:2 inlined: 1, VGPR 4: V_ADD_F32_e32
        __clang_ocl_kern_imp_f k.cl:5: 16, VGPR 4: ADJCALLSTACKUP SI_PC_ADD_REL_OFFSET COPY COPY COPY COPY COPY COPY COPY COPY COPY AV_MOV_B32_IMM_PSEUDO SI_CALL ADJCALLSTACKDOWN COPY COPY
        __clang_ocl_kern_imp_f k.cl:6: 3, VGPR 6, peak: V_LSHL_ADD_U64_e64 GLOBAL_LOAD_DWORD GLOBAL_STORE_DWORD
        __clang_ocl_kern_imp_f k.cl:7: 1, VGPR 0: SI_RETURN
      `.equals(shown.join('\n'));
      assert.ok(lines.every(({ folder: of, file: name }) => of !== '' || name.startsWith('/')));
      assert.equal(await client.ask('amdgpuMir/sourceLines', { textDocument: { uri: 'file:///none.mir' } }), null);
    } finally {
      await client.shutdown();
    }
  });

  it('are nothing where no program can be started', async () => {
    const client = await TestClient.inMemory({});
    const made = await client.ask<MirOfSource>('amdgpuMir/mirOfSource', { uri: file('k.cl', CL) });
    assert.equal(made.problem, 'programs of the user cannot be run where the server runs');
    await client.shutdown();
  });
});
