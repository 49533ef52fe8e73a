/** "Why divergent": the chain back to the source, what a first lane on the way would make uniform (llc-22 has the last word), and where EXEC is changed. */
import type { ExplainedDivergence } from '../../../server/src/cli/explainTypes.js';
import type { ExplainReport } from '../../../server/src/cli/report.js';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runExplain } from '../../../server/src/cli/explain.js';
import { provideExecLines } from '../../../server/src/features/uniformity/execLines.js';
import { provideWhyDivergent } from '../../../server/src/features/uniformity/whyDivergent.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { atCursor, cursorIn, openText } from '../../support/cursor.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const LOOP = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name:            loop
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body:             |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $sgpr0

    %id:_(s32) = COPY $vgpr0
    %zero:_(s32) = G_CONSTANT i32 0
    %one:_(s32) = G_CONSTANT i32 1
    G_BR %bb.1

  bb.1:
    successors: %bb.1, %bb.2

    %i:_(s32) = G_PHI %zero(s32), %bb.0, %next(s32), %bb.1
    %next:_(s32) = G_ADD %i, %one
    %more:_(s1) = G_ICMP intpred(ult), %next(s32), %id
    G_BRCOND %more(s1), %bb.1
    G_BR %bb.2

  bb.2:
    %out:_(s32) = G_ADD %next, %one
    S_ENDPGM 0, implicit %out
...
`;

const BRANCH = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name:            branch
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body:             |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $sgpr0

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32_xm0 = COPY $sgpr0
    %2:vgpr_32 = V_ADD_U32_e64 %0, %0, 0, implicit $exec
    %3:sreg_64 = V_CMP_EQ_U32_e64 %2, %1, implicit $exec
    %4:sreg_64 = SI_IF %3, %bb.2, implicit-def dead $exec, implicit-def dead $scc, implicit $exec

  bb.1:
    successors: %bb.2

    %5:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %6:sreg_64 = ENTER_STRICT_WWM -1, implicit-def $exec, implicit-def $scc, implicit $exec
    %7:vgpr_32 = V_MOV_B32_e32 2, implicit $exec
    $exec = EXIT_STRICT_WWM %6

  bb.2:
    %8:vgpr_32 = PHI undef %0, %bb.0, %5, %bb.1
    SI_END_CF %4, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_ENDPGM 0, implicit %8
...
`;

function report(text: string, at: string): string {
  const { snapshot, position } = atCursor(cursorIn(text, at));
  const found = provideWhyDivergent(snapshot, { position });
  assert.ok(typeof found === 'string');
  return found;
}

describe('why divergent', () => {
  it('what it says of a first lane is what llc-22 says of the edited text', function () {
    needsLlc(this);
    const divergent = (text: string): string[] => {
      const args = [
        '-x',
        'mir',
        '-mtriple=amdgcn',
        '-mcpu=gfx900',
        '-run-pass=print-machine-uniformity',
        '-o',
        '/dev/null',
      ];
      const { status, stderr } = runLlc(args, text);
      assert.equal(status, 0, stderr);
      return ['%more', '%out'].filter((v) => new RegExp(`DIVERGENT: +${v}:`).test(stderr));
    };
    assert.deepEqual(divergent(LOOP), ['%more', '%out']);
    const read = '    %first:_(s32) = G_INTRINSIC_CONVERGENT intrinsic(@llvm.amdgcn.readfirstlane), %id(s32)\n';
    const ofId = LOOP.replace(/(.* = COPY \$vgpr0\n)/, `$1${read}`).replace('%next(s32), %id', '%next(s32), %first');
    assert.deepEqual(divergent(ofId), []);
    assert.match(report(ofId, '$0%out'), /^%out, from line 28: uniform$/m);
  });

  it('tells of the function where nothing else stands, and on the command line', () => {
    assert.match(report(LOOP, 'G_BR %$0bb.1'), /registers: 4 uniform, 3 divergent/);
    const io = new BufferedIO();
    const file = join(__dirname, '..', '..', 'fixtures', 'regalloc', 'local.mir');
    assert.equal(runExplain(['--divergence', file], io), 0);
    assert.match(io.out(), /^@local, gfx900 wave64, LLVM 24\.0\.0git\n\nregisters: /);
    assert.equal(runExplain(['--divergence', '--register=%77', file], io), 2);
    assert.match(io.err(), /@local has no register %77/);
    assert.equal(runExplain(['--divergence', '--allocation', file], io), 2);
    assert.equal(runExplain(['--divergence', '--function=none', file], io), 2);
  });

  it('has the same as JSON, with each step back to the source', () => {
    const io = new BufferedIO(() => LOOP);
    assert.equal(runExplain(['--divergence', '--json', '-'], io), 0);
    const text = new BufferedIO(() => LOOP);
    runExplain(['--divergence', '-'], text);
    const [fn] = (JSON.parse(io.out()) as ExplainReport).functions as ExplainedDivergence[];
    const counted = new Map<string | null, number>();
    for (const { lanes } of fn!.registers) counted.set(lanes, (counted.get(lanes) ?? 0) + 1);
    assert.match(
      text.out(),
      new RegExp(`registers: ${counted.get('uniform')} uniform, ${counted.get('divergent')} divergent`),
    );
    const lines = [...text.out().matchAll(/^the branch at the end of .*, line (\d+): divergent$/gm)].map((m) =>
      Number(m[1]),
    );
    assert.ok(lines.length > 0);
    assert.deepEqual(
      fn!.branches.map(({ line }) => line),
      lines,
    );
    const last = fn!.branches[0]!.why.at(-1)!;
    assert.deepEqual([last.kind, LOOP.split('\n')[last.line - 1]!.includes('$vgpr0')], ['source', true]);
  });
});

describe('lines that a change of EXEC governs', () => {
  const lines = (text: string): string[] => {
    const { snapshot } = openText(text);
    const range = { start: { line: 0, character: 0 }, end: { line: 200, character: 0 } };
    const { line, narrowed, whole } = provideExecLines(snapshot, { textDocument: { uri: '' }, range }, NEVER_CANCELLED);
    return line.map((l, k) => `${l + 1}:${narrowed[k]!}${whole[k] === 1 ? ' whole' : ''}`);
  };

  it('after control flow was lowered', () => {
    const lowered = BRANCH.replace(
      /%4:sreg_64 = SI_IF.*\n/,
      [
        '%10:sreg_64 = COPY $exec, implicit-def $exec',
        '%11:sreg_64 = S_AND_B64 %10, %3, implicit-def dead $scc',
        '%4:sreg_64 = S_XOR_B64 %11, %10, implicit-def dead $scc',
        '$exec = S_MOV_B64_term %11',
        'S_CBRANCH_EXECZ %bb.2, implicit $exec\n',
      ].join('\n    '),
    ).replace(/SI_END_CF %4.*/, '$exec = S_OR_B64 $exec, %4, implicit-def $scc');
    assert.deepEqual(lines(lowered), ['20:1', '25:1', '26:1', '27:1 whole', '28:1', '31:1']);
  });
});
