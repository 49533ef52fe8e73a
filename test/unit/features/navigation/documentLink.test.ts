/** Links of a document: files and parts that RUN lines name, source files of debug information. */
import assert from 'node:assert/strict';
import { provideDocumentLinks } from '../../../../server/src/features/navigation/documentLink.js';
import { DEFAULT_SETTINGS } from '../../../../server/src/program/settings.js';
import { AnalysisHost } from '../../../../server/src/host/analysisHost.js';

/** `text of the link -> target` */
function links(text: string, uri = 'file:///a/b/t.mir'): string[] {
  const host = new AnalysisHost(false, Infinity);
  host.configure(DEFAULT_SETTINGS);
  host.open(uri, 1, text);
  const snapshot = host.snapshot(uri)!;
  return provideDocumentLinks(snapshot).map(({ range, target }) => {
    const [from, to] = [snapshot.text.offsetAt(range.start), snapshot.text.offsetAt(range.end)];
    return `${text.slice(from, to)} -> ${target!.replace(uri, '')}`;
  });
}

const RUN = '# RUN: llc ';

const CASES: readonly (readonly [what: string, text: string, found: readonly string[], uri?: string])[] = [
  [
    'beside the test',
    `${RUN}%S/Inputs/x.ll %p/y.ll\n`,
    ['%S/Inputs/x.ll -> file:///a/b/Inputs/x.ll', '%p/y.ll -> file:///a/b/y.ll'],
  ],
  [
    'up and here',
    `${RUN}%S/../x.ll %S/./y/../z.ll\n`,
    ['%S/../x.ll -> file:///a/x.ll', '%S/./y/../z.ll -> file:///a/b/z.ll'],
  ],
  ['up to the root and no further', `${RUN}%S/../../../../x.ll\n`, ['%S/../../../../x.ll -> file:///x.ll']],
  [
    'up to what ends the word',
    `${RUN}"%S/x" '%S/y'; %S/z) | %S/u>%S/v&%S/w<\n`,
    [
      '%S/x -> file:///a/b/x',
      '%S/y -> file:///a/b/y',
      '%S/z -> file:///a/b/z',
      '%S/u -> file:///a/b/u',
      '%S/v -> file:///a/b/v',
      '%S/w -> file:///a/b/w',
    ],
  ],
  ['with signs that addresses have a meaning for', `${RUN}%S/a#b?c%d\n`, ['%S/a#b?c%d -> file:///a/b/a%23b%3Fc%25d']],
  ['not in other lines', '# NOTE: %S/x.ll\n# RUN %S/x.ll\n', []],
  ['wherever lit finds RUN:', '# XRUN: %S/y.ll\n', ['%S/y.ll -> file:///a/b/y.ll']],
  [
    'not to another host or drive',
    `${RUN}%S/\\server %S/c:/x
`,
    [],
  ],
  [
    'beside the test, whatever slashes',
    `${RUN}%S//server/share
`,
    ['%S//server/share -> file:///a/b/server/share'],
  ],
  ['parts, the first at the beginning', `;--- a.mir\n${RUN}%t/a.mir\n`, ['%t/a.mir -> #L1']],
  [
    'parts by their whole names',
    `${RUN}%t/a %t/b.mir %t/c\n#--- a.b\n//--- b.mir \t\n.--- c\n---  a\n ;--- x\n`,
    ['%t/a -> #L5', '%t/b.mir -> #L3', '%t/c -> #L4'],
  ],
  ['parts that are not there', `${RUN}%t/a\n#--- a b\n#---a\nx#--- a\n`, []],
  ['of an unsaved document', `${RUN}%S/x.ll %t/a\n#--- a\n`, ['%t/a -> #L2'], 'untitled:Untitled-1'],
  [
    'source files of debug information',
    '--- |\n  source_filename = "k.cl"\n  !1 = !DIFile(filename: "a.cl", directory: "/src")\n  !2 = !DIFile(filename: "/abs/a.cl", directory: "/src")\n  !3 = !DIFile(filename: "b.cl")\n  !4 = !DIFile(filename: "c.cl", directory: "")\n  !5 = !DIFile(filename: "x/../d.cl", directory: "src")\n...\n',
    [
      'k.cl -> file:///a/b/k.cl',
      'a.cl -> file:///src/a.cl',
      '/abs/a.cl -> file:///abs/a.cl',
      'b.cl -> file:///a/b/b.cl',
      'c.cl -> file:///a/b/c.cl',
      'x/../d.cl -> file:///a/b/src/d.cl',
    ],
  ],
  [
    'not a name without an ending',
    '--- |\n  source_filename = "module"\n  !1 = !DIFile(filename: "//server/a.cl", directory: "")\n...\n',
    [],
  ],
  ['not outside of the IR', '---\nname: f\n# !DIFile(filename: "a.cl", directory: "/src")\n...\n', []],
];

describe('links', () => {
  for (const [what, text, found, uri] of CASES) it(what, () => assert.deepEqual(links(text, uri), found));

  it('of the first 512 RUN lines, wherever they stand', () => {
    const line = `${RUN}%S/x.ll\n`;
    assert.equal(links('\n'.repeat(5000) + line).length, 1);
    assert.equal(links(line.repeat(600)).length, 512);
  });
});
