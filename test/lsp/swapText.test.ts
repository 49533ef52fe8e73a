/** `amdgpuMir/swapText`: what Triton reads back of a document, with what is edited; and the name by which its dumps open as MIR. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestClient } from '../support/lspClient.js';

const URI = 'file:///folder/k.txt';
const dump = (instr: string): string => `--- |
  target triple = "amdgpu11.00-amd-amdhsa"
  define amdgpu_kernel void @k() { ret void }
...
---
name:            k
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    V_CMP_EQ_U32_e32 0, %0, implicit-def $vcc_lo, implicit $exec
    ${instr}
    S_ENDPGM 0, implicit $vcc
...
`;
const GRAPH = '---\n========== SCHEDULING DAG ==========\nregion 0 0\n';

describe('a document for TRITON_SWAP_MIR, over the protocol', () => {
  let client!: TestClient;
  beforeEach(async () => {
    client = await TestClient.inMemory({});
  });
  afterEach(async () => {
    await client.shutdown();
  });
  const swap = (text: string): Promise<unknown> => {
    client.open(URI, text);
    return client.ask('amdgpuMir/swapText', { textDocument: { uri: URI } });
  };

  it('is without the graph, with $vcc where $vcc_lo is refused', async () => {
    const text = dump('S_NOP 0').replace('$vcc_lo', '$vcc');
    assert.deepEqual(await swap(dump('S_NOP 0') + GRAPH), { text, repaired: 1, problem: '' });
  });

  it('is none where its LLVM would refuse it, with the line', async () => {
    const { text, problem } = (await swap(dump('S_NIP 0') + GRAPH)) as { text: null; problem: string };
    assert.deepEqual([text, problem], [null, "line 14: unknown machine instruction name 'S_NIP'"]);
  });

  it('opens as MIR by the name of a dump: the kernel and a hash', () => {
    const manifest = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')) as {
      contributes: { languages: { id: string; filenamePatterns?: string[] }[] };
    };
    const [pattern] = manifest.contributes.languages.find(({ id }) => id === 'mir')!.filenamePatterns!;
    const named = new RegExp(`^${pattern!.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
    assert.match(`matmul_kernel_${'0a'.repeat(32)}.txt`, named);
    assert.doesNotMatch('notes_about_a0.txt', named);
  });
});
