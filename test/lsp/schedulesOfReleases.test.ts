/** `amdgpuMir/scheduledText` with a model: the same document as one release schedules it and as another does. */
import assert from 'node:assert/strict';
import { randomRemat } from '../support/randomRemat.js';
import { TestClient } from '../support/lspClient.js';

const URI = 'file:///folder/remat.mir';

interface Scheduled {
  readonly target: string;
  readonly text: string | null;
  readonly summary: string;
}

describe('schedules of two releases over the protocol', () => {
  let client!: TestClient;
  beforeEach(async () => {
    client = await TestClient.inMemory({});
  });
  afterEach(async () => {
    await client.shutdown();
  });
  const scheduled = (model?: string): Promise<Scheduled> => {
    const here = { textDocument: { uri: URI }, position: { line: 0, character: 0 } };
    return client.ask('amdgpuMir/scheduledText', model === undefined ? here : { ...here, model });
  };

  it("differ, each names its LLVM, and without a model it is the document's", async () => {
    client.open(URI, randomRemat(12));
    const [own, older, newer] = [await scheduled(), await scheduled('llvm-22'), await scheduled('llvm-24')];
    assert.match(older.target, /LLVM 22\.1\.8$/);
    assert.match(newer.target, /LLVM 24/);
    assert.notEqual(newer.text, older.text);
    assert.deepEqual(own, newer);
  });

  it('are none where a release refuses the file, with its message', async () => {
    client.open(URI, randomRemat(12).replace('machineFunctionInfo:', 'machineFunctionInfo:\n  minNumAGPRs: 0'));
    const older = await scheduled('llvm-22');
    assert.equal(older.text, null);
    assert.match(older.summary, /minNumAGPRs/);
    assert.notEqual((await scheduled('llvm-24')).text, null);
  });

  it('are of models that there are', async () => {
    client.open(URI, randomRemat(12));
    await assert.rejects(scheduled('llvm-19'), /model/);
  });
});
