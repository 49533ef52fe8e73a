/** MIR files on the disk: which are listed, and which are read. */
import assert from 'node:assert/strict';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MAX_FILE_BYTES } from '../../../server/src/lsp/common/fileAccess.js';
import { diskFiles } from '../../../server/src/lsp/node/diskFiles.js';

describe('files on the disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-disk-'));
  after(() => rmSync(folder, { recursive: true }));
  const uri = (...path: string[]): string => pathToFileURL(join(folder, ...path)).href;

  before(() => {
    for (const name of ['a/b', 'a/.git', 'a/node_modules', 'other', 'a/folder.mir'])
      mkdirSync(join(folder, name), { recursive: true });
    const files = ['a/one.mir', 'a/b/a b#.mir', 'a/b/two.mir.txt', 'a/.git/no.mir', 'a/node_modules/no.mir'];
    for (const name of [...files, 'other/three.mir', 'a/folder.mir/in.mir', 'a/.hidden.mir'])
      writeFileSync(join(folder, name), `# ${name}`);
    symlinkSync(join(folder, 'other'), join(folder, 'a', 'circle'));
  });

  it('are listed with all folders below, but for hidden ones and packages; links are not followed', async () => {
    const found = async (...folders: string[]): Promise<string[]> => [...(await diskFiles.list(folders))].sort();
    const inA = [
      uri('a', '.hidden.mir'),
      uri('a', 'b', 'a b#.mir'),
      uri('a', 'folder.mir', 'in.mir'),
      uri('a', 'one.mir'),
    ];
    assert.deepEqual(await found(uri('a')), inA.sort());
    assert.deepEqual(await found(uri('a'), uri('other')), [...inA, uri('other', 'three.mir')].sort());
    assert.deepEqual(await found(uri('nowhere'), 'memfs:/a', uri('other')), [uri('other', 'three.mir')]);
    assert.deepEqual(await found(), []);
  });

  it('are read up to a size, and else are none', async () => {
    assert.equal(await diskFiles.read(uri('a', 'b', 'a b#.mir')), '# a/b/a b#.mir');
    assert.equal(await diskFiles.read(uri('nowhere.mir')), null);
    assert.equal(await diskFiles.read(uri('a')), null);
    assert.equal(await diskFiles.read('memfs:/a/one.mir'), null);
    const sized = (bytes: number): void => {
      const file = openSync(join(folder, 'large.mir'), 'w');
      ftruncateSync(file, bytes);
      closeSync(file);
    };
    sized(MAX_FILE_BYTES);
    assert.equal((await diskFiles.read(uri('large.mir')))?.length, MAX_FILE_BYTES);
    sized(MAX_FILE_BYTES + 1);
    assert.equal(await diskFiles.read(uri('large.mir')), null);
  });
});
