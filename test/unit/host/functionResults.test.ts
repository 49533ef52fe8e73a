/** What an edit takes over from the version before: unchanged blocks, nothing else, and never a wrong number. */
import * as assert from 'node:assert';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PressureSummary } from '../../../server/src/analysis/summary.js';
import { unchangedBlocks } from '../../../server/src/analysis/unchangedBlocks.js';
import { verifyFunction } from '../../../server/src/analysis/verifier/index.js';
import { FunctionResults } from '../../../server/src/host/functionResults.js';
import { parseMirFile, updateMirFile, type MirFile } from '../../../server/src/syntax/index.js';
import { SourceText } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';
import { mirFunction } from '../../support/mir.js';

const TARGET = { triple: 'amdgcn-amd-amdhsa', cpu: 'gfx90a', features: '' };

const THREE_BLOCKS = mirFunction(
  'f',
  `
  bb.0:
    successors: %bb.1
    liveins: $vgpr0
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec

  bb.1:
    successors: %bb.1, %bb.2
    %2:vgpr_32 = V_ADD_U32_e32 %0, %1:vgpr_32, implicit $exec
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc

  bb.2:
    %3:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    S_NOP 0, implicit %3
    S_ENDPGM 0`,
);

class Edited {
  readonly results = new FunctionResults(false);
  private file: MirFile;

  constructor(private text: string) {
    this.file = parseMirFile(new SourceText(text), new Interner());
  }

  replace(from: string, to: string): void {
    const start = this.text.indexOf(from);
    assert.ok(start >= 0, from);
    const edit = { start, end: start + from.length, text: to };
    const text = this.file.text.apply(edit);
    this.file = updateMirFile(this.file, text, [edit]);
    this.text = text.text;
  }

  get model(): ReturnType<FunctionResults['model']> {
    return this.results.model(this.file, TARGET);
  }

  get lowered(): ReturnType<FunctionResults['model']>['functions'][number] {
    return this.model.functions[0];
  }

  summary(): PressureSummary {
    const { results, lowered } = this;
    assert.deepEqual(results.verifier(lowered), []);
    const summary = results.summary(lowered);
    assert.ok(summary);
    return summary;
  }
}

function assertSameNumbers(got: PressureSummary, want: PressureSummary): void {
  assert.deepEqual(got.up, want.up);
  assert.deepEqual(got.down, want.down);
  assert.deepEqual(got.max, want.max);
  assert.deepEqual(got.peaks, want.peaks);
}

describe('function results', () => {
  it('keep the numbers when only a comment changes, with the new places', () => {
    const file = new Edited(THREE_BLOCKS);
    const before = file.summary();
    file.replace('V_MOV_B32_e32 1, implicit $exec', 'V_MOV_B32_e32 1, implicit $exec ; one');
    const after = file.summary();
    assert.equal(after.up, before.up);
    assert.notEqual(after.fn, before.fn);
    const last = after.fn.nInstrs - 1;
    assert.equal(after.fn.source!.instrRange(last).start, before.fn.source!.instrRange(last).start + ' ; one'.length);
  });

  it('keep what is divergent when only a comment changes, and find it anew when an operand does', () => {
    const file = new Edited(THREE_BLOCKS);
    file.summary();
    const before = file.results.lanes(file.lowered)!;
    file.replace('V_MOV_B32_e32 1, implicit $exec', 'V_MOV_B32_e32 1, implicit $exec ; one');
    file.summary();
    const after = file.results.lanes(file.lowered)!;
    assert.equal(after.uniformity, before.uniformity);
    assert.equal(after.fn, file.lowered.fn);
    file.replace('S_NOP 0, implicit %3', 'S_NOP 0, implicit %2');
    file.summary();
    assert.notEqual(file.results.lanes(file.lowered)!.uniformity, before.uniformity);
  });

  it('know which blocks an edit left alone', () => {
    const file = new Edited(THREE_BLOCKS);
    const before = file.summary().fn;
    file.replace('%2:vgpr_32 = V_ADD_U32_e32 %0', '%2:vgpr_32 = V_ADD_U32_e32 %1');
    assert.deepEqual([...unchangedBlocks(before, file.lowered.fn!)!], [1, 0, 1]);
    file.replace('vgpr_32 = COPY', 'vreg_64 = COPY');
    assert.equal(unchangedBlocks(before, file.lowered.fn!), null, 'a class concerns all blocks');
  });

  it('know that instructions after a broken label, which are in no block, shift the ids of all others', () => {
    const file = new Edited(THREE_BLOCKS.replace('bb.0:', 'b?b.0:'));
    const before = file.lowered.fn!;
    assert.ok(before.blocks.length > 0);
    file.replace('bb.1:', 'S_NOP 0\n\n  bb.1:');
    const after = file.lowered.fn!;
    assert.equal(after.nInstrs, before.nInstrs + 1);
    assert.equal(unchangedBlocks(before, after), null);
  });

  it('are those of a fresh analysis although the edited block changes what is live in others', () => {
    const file = new Edited(THREE_BLOCKS);
    const first = file.summary();
    // The last use of %0 leaves bb.2: it dies in bb.1, whose code is the same.
    file.replace('%3:vgpr_32 = V_ADD_U32_e32 %0, %0', '%3:vgpr_32 = V_ADD_U32_e32 %1, %1');
    const second = file.summary();
    assertSameNumbers(second, new PressureSummary(second.fn));
    file.replace('S_NOP 0, implicit %3', 'S_NOP 0, implicit %3, implicit %2');
    const third = file.summary();
    assertSameNumbers(third, new PressureSummary(third.fn));
    assert.notDeepEqual(third.up.after, first.up.after);
  });

  it('find an error that an edit in one block makes in another', () => {
    const file = new Edited(THREE_BLOCKS);
    file.summary();
    file.replace('    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec\n', '');
    const { results, lowered } = file;
    const want = verifyFunction(lowered.fn!).map((r) => r.message);
    assert.ok(want.includes('Reading virtual register without a def'), want.join());
    assert.equal(results.verifier(lowered).length, want.length);
  });

  it('find an error in what an edit writes into the line of a block', () => {
    const file = new Edited(
      mirFunction(
        'f',
        `
  bb.0:
    successors: %bb.1
    ADJCALLSTACKUP 8, 0, implicit-def dead $scc

  bb.1 (call-frame-size 8):
    ADJCALLSTACKDOWN 8, 0, implicit-def dead $scc
    S_ENDPGM 0`,
      ).replace('body:', 'frameInfo: { adjustsStack: true }\nbody:'),
    );
    assert.deepEqual(file.results.verifier(file.lowered), []);
    file.replace('call-frame-size 8', 'call-frame-size 14');
    assert.match(file.results.verifier(file.lowered)[0]?.message ?? '', /Call frame size on entry 14 does not match/);
  });

  it('know the functions of the version that they are asked about, whoever asks first', () => {
    const caller = mirFunction(
      'g',
      '\n  bb.0:\n    $sgpr4_sgpr5 = SI_PC_ADD_REL_OFFSET @f, @f, implicit-def dead $scc',
    );
    const file = new Edited(mirFunction('f', '\n  bb.0:\n    S_ENDPGM 0') + caller);
    const messages = (): string[] => file.model.diagnostics.map((d) => d.message);
    // A version that nobody asks anything.
    assert.equal(file.model.functions.length, 2);
    file.replace('name: f', 'name: other');
    assert.deepEqual(messages(), ["use of undefined global value '@f'"]);
    file.replace('name: other', 'name: f');
    assert.deepEqual(messages(), []);
  });

  it('do not keep versions that nobody looks at, whatever was asked of them', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const file = new Edited(THREE_BLOCKS);
    file.summary();
    const versions: WeakRef<object>[] = [];
    for (let k = 0; k < 24; k++) {
      file.replace(k % 2 === 0 ? 'MOV_B32_e32 1' : 'MOV_B32_e32 2', k % 2 === 0 ? 'MOV_B32_e32 2' : 'MOV_B32_e32 1');
      const { results, lowered } = file;
      assert.deepEqual(results.verifier(lowered), []);
      if (k === 7) assert.ok(results.summary(lowered));
      versions.push(new WeakRef(lowered.fn!));
      // What a WeakRef was asked for lives to the end of the job.
      await new Promise((done) => setImmediate(done));
    }
    collect();
    const alive = versions.filter((v) => v.deref() !== undefined).length;
    assert.ok(alive <= 4, `${alive} of ${versions.length} versions are alive`);
  });
});
