/** The operand that signature help points at, and what it says of it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideSignatureHelp } from '../../../server/src/features/completion/signatureHelp.js';
import { atCursor, URI } from '../../support/cursor.js';

function help(line: string): { label: string; active: string; doc: string } | null {
  const marked = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n---\nname: f\nbody: |\n  bb.0:\n    ${line}\n...\n`;
  const { snapshot, position } = atCursor(marked);
  const found = provideSignatureHelp(snapshot, { textDocument: { uri: URI }, position });
  if (!found) return null;
  const { label, parameters = [] } = found.signatures[0]!;
  const parameter = parameters[found.activeParameter!];
  const [from, to] = (parameter?.label ?? [0, 0]) as [number, number];
  return { label, active: label.slice(from, to), doc: String(parameter?.documentation ?? '') };
}

describe('signature help', () => {
  it('follows the cursor', () => {
    assert.equal(help('%0:vgpr_32 = V_ADD_CO_U32_e32 $0')?.active, 'src0:vs_32');
    assert.equal(help('%0:vgpr_32 = V_ADD_CO_U32_e32 %1, $0')?.active, 'src1:vgpr_32');
    assert.equal(help('%0:vgpr_32 = V_ADD_CO_U32_e32 %1$0, %2')?.active, 'src0:vs_32');
    assert.equal(help('%0:vgpr_32 = V_ADD_CO_U32_e32 %1, %2, $0')?.active, 'implicit-def $vcc');
    assert.equal(help('%0:vgpr_32 = V_ADD_CO_U32_e32 %1, %2, implicit-def $vcc, $0')?.active, 'implicit $exec');
    assert.equal(help('%0$0:vgpr_32 = V_ADD_CO_U32_e32 %1, %2')?.active, 'vdst:vgpr_32');
    assert.equal(help('%0:vgpr_32 = V_ADD_CO_U32_e32 %1, %2, implicit-def $vcc, implicit $exec, $0')?.active, '');
    assert.equal(help('S_CBRANCH_SCC1 $0')?.active, 'simm16:block');
  });

  it('says what is tied, which constants there are, what modifiers mean', () => {
    assert.match(help('%0:vgpr_32 = V_FMAC_F32_e32 %1, %2, $0')!.doc, /tied to vdst/);
    assert.match(help('%0:vgpr_32 = V_ADD_U32_e32 $0')!.doc, /vs_32, 32 bits; or a constant/);
    assert.match(help('%0:vgpr_32 = V_MUL_F32_e64 $0')!.doc, /1 negates/);
    assert.match(help('%0:vgpr_32 = V_MUL_F32_e64 0, %1, 0, %2, 0, $0')!.doc, /Output modifier/);
    assert.match(help('%0:_(s32) = G_ADD $0')!.doc, /generic register/);
  });

  it('names the operands that the tables do not describe', () => {
    assert.equal(help('%0:vgpr_32 = COPY $0')?.label, 'dst = COPY src');
    assert.equal(help('%0:vgpr_32 = COPY $0')?.active, 'src');
    assert.equal(help('%0:vgpr_32 = PHI $0')?.label, 'dst = PHI value, block, ...');
    assert.equal(help('%0:vgpr_32 = PHI %1, $0')?.active, 'block');
    assert.equal(help('%0:vgpr_32 = PHI %1, %bb.0, $0')?.active, 'value');
    assert.equal(help('%0:vgpr_32 = PHI %1, %bb.0, %2, $0')?.active, 'block');
    assert.equal(help('%0:vreg_64 = REG_SEQUENCE %1, %subreg.sub0, %2, $0')?.active, 'subreg');
    assert.match(help('%0:vreg_64 = INSERT_SUBREG %1, %2, $0')!.doc, /%subreg\.sub0/);
  });

  it('is silent where no opcode is', () => {
    assert.equal(help('$0'), null);
    assert.equal(help('%0:vgpr_32 = NO_SUCH $0'), null);
    assert.equal(help('; V_ADD_U32_e32 $0'), null);
    assert.equal(help('liveins: $0'), null);
  });

  describe('of opcodes of each kind, with what is said of each operand', () => {
    const file = join(__dirname, '..', '..', 'fixtures', 'completion', 'signatures.txt');
    for (const part of readFileSync(file, 'utf8').split(/^== /m).slice(1)) {
      const [place = '', ...expected] = part.trimEnd().split('\n');
      it(place, () => {
        const [, cpu, line] = /^(\S+) (.*)$/.exec(place)!;
        const { snapshot, position } = atCursor(
          `# RUN: llc -mtriple=amdgcn -mcpu=${cpu} -run-pass=none %s\n---\nname: f\nbody: |\n  bb.0:\n    ${line}\n    S_ENDPGM 0\n...\n`,
        );
        const found = provideSignatureHelp(snapshot, { textDocument: { uri: URI }, position });
        const { label = '', parameters = [] } = found?.signatures[0] ?? {};
        const shown = parameters.map(({ label: [from, to] = [0, 0], documentation }) =>
          `  ${label.slice(Number(from), Number(to))} | ${String(documentation)}`.replace(/ \| $/, ''),
        );
        assert.deepEqual(found ? [label, `at ${found.activeParameter}`, ...shown] : ['none'], expected);
      });
    }
  });
});
