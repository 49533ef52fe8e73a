/** Documentation of what is selected in a list. */
import assert from 'node:assert/strict';
import type { CompletionItem, MarkupContent } from 'vscode-languageserver-types';
import { resolveCompletionItem } from '../../../../server/src/features/completion/resolveItem.js';
import { HEADER_KEYS } from '../../../../server/src/features/words/headerKeys.js';
import { atCursor, URI } from '../../../support/cursor.js';

const TEXT = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0
    %0:vgpr_32 = COPY $vgpr0
    $0
    S_ENDPGM 0, implicit %0
...
`;
const { snapshot, position } = atCursor(TEXT);
const here = snapshot.text.offsetAt(position);

const itemOf = (what: string, name: string, at = here): CompletionItem => ({
  label: name,
  data: { textDocument: { uri: URI }, about: { what, name }, at },
});

/** Without what only Markdown wants. */
function said(item: CompletionItem): string {
  const { documentation } = resolveCompletionItem(snapshot, item);
  return documentation === undefined ? '' : (documentation as MarkupContent).value.replaceAll(/[*`\\]/g, '').trim();
}

describe('documentation of an item', () => {
  const KNOWN: readonly (readonly [what: string, name: string, said: string | RegExp])[] = [
    ['register', '$vgpr3', '$vgpr3, 32 bits, v3 in assembly'],
    ['register', '$sgpr4_sgpr5', '$sgpr4_sgpr5, 64 bits, s[4:5] in assembly'],
    ['register', '$vcc', '$vcc, 64 bits, vcc in assembly'],
    ['register', '%0', /vgpr_32/],
    ['class', 'vgpr_32', /^VGPR_32: 32 bits, \d+ registers, vgpr0 to vgpr\d+$/],
    ['class', 'sgpr_64', /^SGPR_64: 64 bits, \d+ registers, sgpr0_sgpr1 to sgpr\d+_sgpr\d+$/],
    ['class', 'vs_32', /^VS_32: 32 bits, \d+ registers, .*not allocatable$/s],
    ['key', 'alignment', HEADER_KEYS.alignment!.replaceAll('`', '')],
    ['processor', 'gfx900', /gfx900.*: 10 waves per EU, 256 VGPRs, 64 KiB of LDS$/],
    ['processor', 'gfx90a', /gfx90a.*: 8 waves per EU, 256 VGPRs, 64 KiB of LDS$/],
    ['processor', 'gfx950', /gfx950.*: 8 waves per EU, 256 VGPRs, 160 KiB of LDS$/],
    ['processor', 'gfx1030', /gfx1030.*: 16 waves per EU, 256 VGPRs, \d+ KiB of LDS$/],
    ['opcode', 'V_ADD_U32_e32', /V_ADD_U32_e32/],
    ['opcode', 'S_NOP', /S_NOP/],
  ];
  for (const [what, name, wanted] of KNOWN)
    it(`${what} ${name}`, () => {
      const own = said(itemOf(what, name));
      if (typeof wanted === 'string') assert.equal(own, wanted);
      else assert.match(own, wanted);
    });

  it('stays away where nothing is known, and the item is as it came', () => {
    for (const item of [
      itemOf('opcode', 'NOTHING'),
      itemOf('register', '$nothing'),
      itemOf('register', '$noreg'),
      itemOf('register', '%7'),
      itemOf('class', 'nothing'),
      itemOf('key', 'nothing'),
      itemOf('key', 'toString'),
      { label: 'of somebody else' },
      { label: 'of somebody else', data: { about: { what: 'opcode', name: 'S_NOP' } } },
      { label: 'of somebody else', data: { at: here } },
      { label: 'of somebody else', data: null },
    ])
      assert.equal(resolveCompletionItem(snapshot, item), item, JSON.stringify(item));
  });
});
