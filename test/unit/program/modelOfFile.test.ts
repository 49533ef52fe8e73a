/** Whose LLVM a file is for: what only one release accepts. Where llc-22 is installed, it says that of each sign. */
import { strict as assert } from 'node:assert';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { toLspDiagnostics } from '../../../server/src/features/diagnostics/diagnostics.js';
import { provideHover } from '../../../server/src/features/hover/hover.js';
import { documentStatus } from '../../../server/src/lsp/common/documentStatus.js';
import { LastParsed } from '../../../server/src/program/lastParsed.js';
import { modelOfFile, modelOfRun, modelReason, type ModelOfFile } from '../../../server/src/program/modelOfFile.js';
import { readSettings } from '../../../server/src/program/settings.js';
import { targetOfFile } from '../../../server/src/program/targetOfFile.js';
import { TestFile } from '../../../server/src/program/testFile/testFile.js';
import { parseMirFile } from '../../../server/src/syntax/index.js';
import { LLVM22, NEWEST_RELEASE, releaseOf } from '../../../server/src/target/index.js';
import { SourceText } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const URI = 'file:///a.mir';

interface Parts {
  readonly run?: string;
  readonly ir?: string;
  readonly header?: string;
  readonly body?: string;
}

const mir = ({
  run = 'llc -mtriple=amdgcn -mcpu=gfx942 -run-pass=none %s',
  ir = '',
  header = '',
  body = '',
}: Parts): string =>
  [
    `# RUN: ${run}`,
    ...(ir === '' ? [] : ['--- |', ...ir.split('\n').map((l) => `  ${l}`), '...']),
    '---',
    'name: f',
    ...(header === '' ? [] : [header]),
    'body: |',
    '  bb.0:',
    ...(body === '' ? [] : [`    ${body}`]),
    '    S_ENDPGM 0',
    '...',
    '',
  ].join('\n');

function modelOf(text: string): ModelOfFile {
  const file = parseMirFile(new SourceText(text), new Interner());
  return modelOfFile(
    file,
    targetOfFile(new TestFile(text), { triple: 'amdgcn-amd-amdhsa', cpu: '', features: '' }),
    'auto',
  );
}

const lineOf = (text: string, part: string): number => text.split('\n').findIndex((l) => l.includes(part)) + 1;

const NEW: readonly (readonly [what: string, parts: Parts])[] = [
  ['triple amdgpu9.08', { run: 'llc -mtriple=amdgpu9.08 -run-pass=none %s' }],
  ['processor gfx1310', { run: 'llc -mtriple=amdgcn -mcpu=gfx1310 -run-pass=none %s' }],
  ['option -amdgpu-stress-vgpr=8', { run: 'llc -mtriple=amdgcn -amdgpu-stress-vgpr=8 -run-pass=none %s' }],
  ['processor gfx1172', { ir: 'define void @f() #0 { ret void }\nattributes #0 = { "target-cpu"="gfx1172" }' }],
  ['constant f0x3C00', { ir: 'define half @f() { ret half f0x3C00 }' }],
  ['attribute denormal_fpenv', { ir: 'define void @f() denormal_fpenv(preservesign) { ret void }' }],
  ['key framePointerPolicy', { header: 'frameInfo:\n  framePointerPolicy: none' }],
  ['key minNumAGPRs', { header: 'machineFunctionInfo:\n  minNumAGPRs: 4' }],
  ['opcode G_CTLS', { body: '%0:_(s32) = G_CTLS %0' }],
  ['flag lr-split', { body: '%0:vgpr_32 = lr-split V_MOV_B32_e32 0, implicit $exec' }],
  ['register sgpr76_1024', { body: 'S_NOP 0, implicit undef $sgpr76_1024' }],
  ['register sgpr4_64', { body: 'S_NOP 0, implicit undef $sgpr4_64' }],
  ['mnemonic of S_WAITCNT', { body: 'S_WAITCNT .Vmcnt_0' }],
  ['mmra', { ir: 'define void @f() { ret void }\n!0 = !{!"a", !"b"}', body: 'S_NOP 0, mmra !0' }],
  [
    'BUFFER_LOAD_DWORD_LDS_OFFSET with 6 operands',
    { body: 'BUFFER_LOAD_DWORD_LDS_OFFSET $sgpr0_sgpr1_sgpr2_sgpr3, 0, 4, 0, 0, 0, implicit $exec, implicit $m0' },
  ],
  ['words of an INLINEASM operand', { body: 'INLINEASM &"", sideeffect attdialect' }],
];

const OLD: readonly (readonly [what: string, parts: Parts])[] = [
  ['option -amdgpu-sgpr-hazard-wait=1', { run: 'llc -mtriple=amdgcn -amdgpu-sgpr-hazard-wait=1 -run-pass=none %s' }],
  [
    'DISubprogram without type',
    {
      ir: 'define void @f() !dbg !2 { ret void }\n!llvm.module.flags = !{!3}\n!0 = !DIFile(filename: "a)", directory: "")\n!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !0)\n!2 = distinct !DISubprogram(name: "f)", scope: !0, file: !0, line: 1, unit: !1, spFlags: DISPFlagDefinition)\n!3 = !{i32 2, !"Debug Info Version", i32 3}',
    },
  ],
  ['key noSignedZerosFPMath', { header: 'machineFunctionInfo:\n  noSignedZerosFPMath: false' }],
  [
    'BUFFER_LOAD_DWORD_LDS_OFFSET with 5 operands',
    { body: 'BUFFER_LOAD_DWORD_LDS_OFFSET $sgpr0_sgpr1_sgpr2_sgpr3, 0, 4, 0, 0, implicit $exec, implicit $m0' },
  ],
  ['opcode G_CTLZ_ZERO_UNDEF', { body: '%0:_(s32) = G_IMPLICIT_DEF\n    %1:_(s32) = G_CTLZ_ZERO_UNDEF %0' }],
];

describe('the model that a file says', () => {
  it('is the newest release where nothing says which', () => {
    const { model, sign, against } = modelOf(mir({}));
    assert.deepEqual([model, sign, against], [NEWEST_RELEASE, null, null]);
  });

  for (const [list, release] of [
    [NEW, 'llvm-24'],
    [OLD, 'llvm-22'],
  ] as const)
    for (const [what, parts] of list) {
      it(`is ${release} by ${what}`, () => {
        const found = modelOf(mir(parts));
        assert.deepEqual([found.model, found.release, found.sign?.what], [release, release, what]);
        assert.equal(found.against, null);
      });
    }

  for (const [version, release] of [
    ['17.0.6', 'llvm-22'],
    ['22.1.8 (++20260801)', 'llvm-22'],
    ['23.0.0git', 'llvm-24'],
    ['25.0.0', 'llvm-24'],
  ] as const)
    it(`is ${release} where clang ${version} compiled the module, and nothing else decides`, () => {
      const ir = `define void @f() { ret void }\n!llvm.ident = !{!0}\n!0 = !{!"AMD clang version ${version}"}`;
      const found = modelOf(mir({ ir }));
      assert.deepEqual([found.model, found.sign?.isHint, found.against], [release, true, null]);
      assert.match(modelReason(found), /^compiled by clang version \d+ in line \d+$/);
      const other = release === 'llvm-22' ? NEW : OLD;
      const [what, parts] = other.find((o) => o[1].ir === undefined && o[1].body !== undefined)!;
      const decided = modelOf(mir({ ...parts, ir }));
      assert.deepEqual([decided.sign?.what, decided.sign?.isHint, decided.against], [what, undefined, null]);
    });

  it('goes by what llc-22 refuses, or takes', function () {
    needsLlc(this);
    for (const [list, isTaken] of [
      [NEW, false],
      [OLD, true],
    ] as const)
      for (const [what, parts] of list) {
        const text = mir(parts);
        const words = /llc (.*) %s/.exec(text)![1]!.split(' ');
        const { status, stderr } = runLlc([...words, '-x', 'mir', '-o', '/dev/null'], text);
        // Of processors llc only says that it does not know them.
        const takes = status === 0 && !stderr.includes('is not a recognized processor');
        assert.equal(takes, isTaken, `${what}: ${stderr}`);
      }
  });

  it('knows every opcode that only one release has', () => {
    const [old, now] = [LLVM22.tables, releaseOf('llvm-24').tables];
    const namesOf = (t: typeof old): string[] => Array.from({ length: t.nOpcodes }, (_, opc) => t.opcodeName(opc));
    const said = (names: readonly string[]): (string | undefined)[] => {
      // A function each, so that no sign hides another.
      const file = parseMirFile(new SourceText(''), new Interner());
      return names.map((name) => {
        const text = mir({ body: name });
        const own = parseMirFile(new SourceText(text), file.interner);
        return modelOfFile(own, targetOfFile(new TestFile(''), { triple: 'amdgcn', cpu: '', features: '' }), 'auto')
          .sign?.release;
      });
    };
    const gone = namesOf(old).filter((name) => now.opcodeByName(name) < 0);
    assert.ok(gone.length > 50);
    assert.deepEqual([...new Set(said(gone))], ['llvm-22']);
    const some = (names: readonly string[]): string[] => names.filter((_, k) => k % 16 === 5);
    const added = some(namesOf(now)).filter((name) => old.opcodeByName(name) < 0);
    assert.ok(added.length > 300);
    assert.deepEqual([...new Set(said(added))], ['llvm-24']);
    const both = some(namesOf(old)).filter((name) => now.opcodeByName(name) >= 0);
    assert.deepEqual([...new Set(said(both))], [undefined]);
  });

  it('of a mixed file is the one that comes further, and both lines are named', () => {
    const old = 'machineFunctionInfo:\n  noSignedZerosFPMath: false';
    const text = mir({ header: old, body: '%0:_(s32) = G_CTLS %0' });
    const found = modelOf(text);
    assert.equal(found.model, 'llvm-22');
    assert.deepEqual([found.sign?.what, found.against?.what], ['key noSignedZerosFPMath', 'opcode G_CTLS']);
    assert.deepEqual(
      [found.sign?.line, found.against?.line].map((l) => l! + 1),
      [lineOf(text, 'noSignedZeros'), lineOf(text, 'G_CTLS')],
    );
    // llc reads its command line first.
    const later = modelOf(mir({ header: old, run: 'llc -mtriple=amdgpu9.08 -run-pass=none %s' }));
    assert.deepEqual([later.model, later.against?.what], ['llvm-24', 'key noSignedZerosFPMath']);
  });

  it('is what somebody chose, whatever the file says', () => {
    const text = mir({ body: '%0:_(s32) = G_CTLS %0' });
    const file = parseMirFile(new SourceText(text), new Interner());
    const target = targetOfFile(new TestFile(text), { triple: 'amdgcn', cpu: '', features: '' });
    const found = modelOfFile(file, target, 'llvm-22');
    assert.deepEqual([found.model, found.sign, found.isChosen], ['llvm-22', null, true]);
    assert.match(modelReason(found), /chosen/);
  });

  it('of a run goes by its words before the text, and by the test where it reads another file', () => {
    const plain = mir({});
    const test = mir({ run: 'llc -mtriple=amdgpu9.08 -run-pass=none %t' });
    assert.equal(modelOfRun(plain, ['-mtriple=amdgcn']), NEWEST_RELEASE);
    assert.equal(modelOfRun(plain, ['-mtriple=amdgpu9.08']), 'llvm-24');
    assert.equal(modelOfRun(plain, ['-mtriple=amdgcn'], test), 'llvm-24');
    assert.equal(
      modelOfRun(
        mir({ header: OLD.find(([, parts]) => parts.header !== undefined)![1].header! }),
        ['-mtriple=amdgcn'],
        test,
      ),
      'llvm-22',
    );

    // The file is the run's, too: it is parsed once.
    const asked: string[] = [];
    class Watched extends LastParsed {
      override of(source: string): ReturnType<LastParsed['of']> {
        asked.push(source);
        return super.of(source);
      }
    }
    const parsed = new Watched();
    modelOfRun(plain, ['-mtriple=amdgcn'], '', parsed);
    assert.deepEqual(asked, [plain]);
    assert.equal(parsed.of(plain), parsed.of(plain));
  });
});

describe('an open document', () => {
  const open = (text: string, settings: unknown = {}): AnalysisHost => {
    const host = new AnalysisHost(false, Infinity);
    host.configure(readSettings(settings));
    host.open(URI, 1, text);
    return host;
  };
  const llvmOf = (host: AnalysisHost): string => documentStatus(host.snapshot(URI)!).llvm;

  it('is read with the LLVM that it says, and with another after an edit', () => {
    // What 24 alone accepts, in a module that says of itself that it is older.
    const ir = 'define void @f() { ret void }\n!llvm.ident = !{!0}\n!0 = !{!"clang version 22.1.8"}';
    const text = mir({ ir, body: 'S_WAITCNT .Vmcnt_0' });
    const host = open(text);
    assert.equal(llvmOf(host), '24.0.0git');
    assert.deepEqual(host.snapshot(URI)!.functions[0]!.diagnostics, []);
    assert.match(
      documentStatus(host.snapshot(URI)!).llvmReason,
      /mnemonic of S_WAITCNT in line \d+ is of this release/,
    );
    const hover = provideHover(host.snapshot(URI)!, {
      position: { line: 0, character: 10 },
    });
    assert.match(JSON.stringify(hover), /LLVM 24\.0\.0git: mnemonic of S_WAITCNT in line \d+ is of this release alone/);
    const at = text.split('\n').findIndex((l) => l.includes('S_WAITCNT'));
    const range = { start: { line: at, character: 14 }, end: { line: at, character: 22 } };
    host.change(URI, 2, [{ range, text: '0' }]);
    assert.equal(llvmOf(host), LLVM22.version);
    assert.deepEqual(host.snapshot(URI)!.functions[0]!.diagnostics, []);
  });

  it('is read with the LLVM of the setting', () => {
    const text = mir({ body: 'S_WAITCNT 0' });
    assert.equal(llvmOf(open(text, { model: 'llvm-24' })), '24.0.0git');
    const old = open(mir({ body: 'S_WAITCNT .Vmcnt_0' }), { model: 'llvm-22' });
    assert.equal(llvmOf(old), LLVM22.version);
    assert.equal(old.snapshot(URI)!.functions[0]!.diagnostics.length, 1);
  });

  it('says of mixed lines which belongs to which', () => {
    const mixed = open(
      mir({ header: 'machineFunctionInfo:\n  noSignedZerosFPMath: false', body: '%0:_(s32) = G_CTLS %0' }),
    );
    const found = toLspDiagnostics(mixed.snapshot(URI)!).filter((d) => d.code === 'mixed-releases');
    assert.equal(found.length, 1);
    assert.match(
      String(found[0]!.message),
      /LLVM 22\.1\.8 \(key noSignedZerosFPMath in line \d+\), but opcode G_CTLS in line \d+ is of LLVM 24 alone/,
    );
    assert.deepEqual(
      toLspDiagnostics(open(mir({ body: '%0:_(s32) = G_CTLS %0' })).snapshot(URI)!).filter(
        (d) => d.code === 'mixed-releases',
      ),
      [],
    );
  });
});
