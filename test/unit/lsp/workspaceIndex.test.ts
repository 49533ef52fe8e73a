/** The symbols of a workspace's files: what is read, what is forgotten, what is shown meanwhile. */
import assert from 'node:assert/strict';
import type { FileSymbol } from '../../../server/src/features/navigation/workspaceSymbols.js';
import { WorkspaceIndex, type IndexProgress } from '../../../server/src/lsp/common/workspaceIndex.js';

const symbolsOf = (text: string): FileSymbol[] => [{ name: text } as FileSymbol];

describe('the index of a workspace', () => {
  let files: Record<string, string>;
  let events: string[];
  let index: WorkspaceIndex;
  /** called with each address before it is read */
  let reading: (uri: string) => void;
  const progress: IndexProgress = {
    report: (done, all) => void events.push(`${done}/${all}`),
    done: () => void events.push('done'),
  };
  const names = (): Record<string, string> =>
    Object.fromEntries([...index.symbols].map(([uri, symbols]) => [uri, symbols.map((s) => s.name).join()]));

  beforeEach(() => {
    files = { a: 'one', b: 'two', c: 'three' };
    events = [];
    reading = () => undefined;
    index = new WorkspaceIndex(
      {
        list: (folders) =>
          Promise.resolve(Object.keys(files).filter((uri) => folders.includes(uri) || folders[0] === '*')),
        read: (uri) => {
          reading(uri);
          return Promise.resolve(files[uri] ?? null);
        },
      },
      (text) => Promise.resolve(text === 'broken' ? null : symbolsOf(text)),
      () => {
        events.push('begin');
        return Promise.resolve(progress);
      },
    );
  });

  it('reads all files of the folders with progress, and forgets those that are gone', async () => {
    await index.readFolders(['*']);
    assert.deepEqual(names(), { a: 'one', b: 'two', c: 'three' });
    assert.deepEqual(events, ['begin', '1/3', '2/3', '3/3', 'done']);
    await index.readFolders(['a', 'b']);
    assert.deepEqual(names(), { a: 'one', b: 'two' });
  });

  it('shows no progress for one file, and reads it again', async () => {
    files = { a: 'one' };
    await index.readFolders(['*']);
    files['a'] = 'other';
    await index.changed('a');
    assert.deepEqual(names(), { a: 'other' });
    assert.deepEqual(events, []);
    await index.changed('new');
    assert.deepEqual(names(), { a: 'other' });
  });

  it('has no symbols of a file that cannot be read, gives no answer or was deleted', async () => {
    await index.readFolders(['*']);
    files['a'] = 'broken';
    await index.changed('a');
    delete files['b'];
    await index.changed('b');
    index.deleted('c');
    assert.deepEqual(names(), {});
  });

  it('takes in what changes while it reads, and leaves out what is deleted', async () => {
    let late: Promise<void> | null = null;
    reading = (uri) => {
      if (uri !== 'a') return;
      files['d'] = 'four';
      late = index.changed('d');
      index.deleted('b');
    };
    await index.readFolders(['*']);
    await late;
    assert.deepEqual(names(), { a: 'one', c: 'three', d: 'four' });
    assert.deepEqual(events, ['begin', '1/3', '2/3', '3/3', 'done']);
  });

  it('leaves out what goes while it is read or waits, by itself or with its folder', async () => {
    reading = (uri) => {
      if (uri === 'a') index.deleted('a');
    };
    await index.readFolders(['*']);
    assert.deepEqual(names(), { b: 'two', c: 'three' });
    let fewer: Promise<void> | null = null;
    reading = (uri) => {
      if (uri === 'a') fewer = index.readFolders(['c']);
    };
    await index.readFolders(['*']);
    await fewer;
    assert.deepEqual(names(), { c: 'three' });
  });

  it('goes by the folders of now, whichever list comes first', async () => {
    const lists: ((uris: string[]) => void)[] = [];
    const slow = new WorkspaceIndex(
      {
        list: () => new Promise((resolve) => lists.push(resolve)),
        read: (uri) => Promise.resolve(files[uri] ?? null),
      },
      (text) => Promise.resolve(symbolsOf(text)),
      () => Promise.resolve(progress),
    );
    const both = [slow.readFolders(['a']), slow.readFolders(['b'])];
    lists[1]!(['b']);
    await both[1];
    lists[0]!(['a']);
    await both[0];
    assert.deepEqual([...slow.symbols.keys()], ['b']);
  });

  it('ends when it is disposed of', async () => {
    const read: string[] = [];
    reading = (uri) => {
      read.push(uri);
      index.dispose();
    };
    await index.readFolders(['*']);
    assert.deepEqual(read, ['a']);
    await index.changed('b');
    assert.deepEqual(read, ['a']);
    assert.deepEqual(events, ['begin', '1/1', 'done']);
  });

  it('ends its progress when reading fails, and can be asked again', async () => {
    reading = () => assert.fail('no disk');
    await assert.rejects(index.readFolders(['*']), /no disk/);
    assert.deepEqual(events, ['begin', 'done']);
    reading = () => undefined;
    await index.readFolders(['*']);
    assert.deepEqual(names(), { a: 'one', b: 'two', c: 'three' });
  });
});
