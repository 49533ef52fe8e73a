/** Machine dumps in logs: what is found among other text, and MIR of it beside what llc-22 writes when it stops there. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { factsOfMir, likelyTarget, mirOfDumps, NO_TARGET } from '../../../server/src/program/machineLog/dumpMir.js';
import { chosenDumps, diffOfDumps, readSelector } from '../../../server/src/program/machineLog/dumpSelector.js';
import { LogReader, type LogFacts, type MachineDump } from '../../../server/src/program/machineLog/logReader.js';
import { LogTable } from '../../../server/src/program/machineLog/logTable.js';
import { expect } from '../../support/expect.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const DUMP = `# *** IR Dump After Machine Instruction Scheduler (machine-scheduler) ***:
# Machine code for function f: NoPHIs, TracksLiveness
Frame Objects:
  fi#-1: size=4, align=16, fixed, at location [SP+8]
  fi#0: size=8, align=4, at location [SP]
  fi#1: dead
Function Live Ins: $vgpr0 in %0, $sgpr4_sgpr5 in %9

0B	bb.0.entry:
	  successors: %bb.1(0x40000000), %bb.2(0x40000000); %bb.1(50.00%), %bb.2(50.00%)
	  liveins: $vgpr0
16B	  %0:vgpr_32(s32) = COPY $vgpr0
32B	  undef %1.sub0:vreg_64_align2 = V_ADD_U32_e32 1, %0:vgpr_32(s32), implicit $exec, debug-location !7; f.cl:3:4 @[ f.cl:9:1 ]
40B	  %2:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
48B	  %2:vgpr_32 = V_FMAC_F32_e32 %0:vgpr_32, undef %5:vgpr_32, %2:vgpr_32(tied-def 0), implicit $mode, implicit $exec
64B	  DBG_VALUE %0:vgpr_32, $noreg, !"x", !DIExpression(), debug-location !7; f.cl:3:4 @[ f.cl:9:1 ] line no:2
72B	  S_CBRANCH_SCC1 %bb.2, implicit undef $scc

80B	bb.1 (%ir-block.5):
	; predecessors: %bb.0
	  successors: %bb.2(0x80000000); %bb.2(100.00%)

96B	  GLOBAL_STORE_DWORD %1:vreg_64_align2, %2:vgpr_32, 0, 0, implicit $exec :: (store (s32) into %ir.out, !tbaa !3, addrspace 1)

112B	bb.2.done:
	; predecessors: %bb.0, %bb.1

128B	  S_ENDPGM 0

# End machine code for function f.
`;

function read(text: string, pieces = text.length): { dumps: MachineDump[]; facts: LogFacts } {
  const dumps: MachineDump[] = [];
  const reader = new LogReader((dump) => {
    dumps.push(dump);
    return false;
  });
  for (let p = 0; p < text.length; p += pieces) reader.feed(text.slice(p, p + pieces));
  return { dumps, facts: reader.end() };
}

const mir = (text: string): string => mirOfDumps(read(text).dumps).text;

describe('machine logs', () => {
  it('are MIR: header, classes, ties, places and names of the IR', () => {
    expect`
      # *** IR Dump After Machine Instruction Scheduler (machine-scheduler) ***: function f, line 2 of the log
      # The module is made up: it has the names that the dump mentions, no code, attributes or types of the program.
      --- |
        define amdgpu_kernel void @f(i32 %0, i32 %1, i32 %2, i32 %3, i32 %4) {
        5:
          %out = freeze ptr addrspace(1) poison
          unreachable

        entry:
          unreachable

        done:
          unreachable
        }

        !llvm.dbg.cu = !{!12}
        !llvm.module.flags = !{!16}

        !3 = distinct !{!9, !9, i64 0}
        !7 = !DILocation(line: 3, column: 4, scope: !13, inlinedAt: !14)
        !8 = !{!"types of a dump"}
        !9 = !{!"any access", !8, i64 0}
        !10 = !DIFile(filename: "f.cl", directory: "")
        !11 = !DIFile(filename: "unknown", directory: "")
        !12 = distinct !DICompileUnit(language: DW_LANG_C99, file: !11, emissionKind: LineTablesOnly)
        !13 = distinct !DISubprogram(name: "f.cl", scope: !10, file: !10, unit: !12, spFlags: DISPFlagDefinition)
        !14 = distinct !DILocation(line: 9, column: 1, scope: !13)
        !15 = !DILocalVariable(name: "x", scope: !13, file: !10, line: 2)
        !16 = !{i32 2, !"Debug Info Version", i32 3}
      ...
      ---
      name: f
      tracksRegLiveness: true
      noPhis: true
      isSSA: false
      noVRegs: false
      liveins:
        - { reg: '$vgpr0', virtual-reg: '%0' }
        - { reg: '$sgpr4_sgpr5' }
      fixedStack:
        - { id: 0, offset: 8, size: 4, alignment: 16 }
      stack:
        - { id: 0, offset: 0, size: 8, alignment: 4 }
      machineFunctionInfo:
        isEntryFunction: true
        stackPtrOffsetReg: '$sgpr32'
      body: |
        bb.0.entry:
          successors: %bb.1(0x40000000), %bb.2(0x40000000)
          liveins: $vgpr0
          %0:vgpr_32(s32) = COPY $vgpr0
          undef %1.sub0:vreg_64_align2 = V_ADD_U32_e32 1, %0(s32), implicit $exec, debug-location !7
          %2:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
          %2:vgpr_32 = V_FMAC_F32_e32 %0, undef %5:vgpr_32, %2, implicit $mode, implicit $exec
          DBG_VALUE %0, $noreg, !15, !DIExpression(), debug-location !7
          S_CBRANCH_SCC1 %bb.2, implicit undef $scc

        bb.1 (%ir-block.5):
          successors: %bb.2(0x80000000)
          GLOBAL_STORE_DWORD %1, %2, 0, 0, implicit $exec :: (store (s32) into %ir.out, !tbaa !3, addrspace 1)

        bb.2.done:
          S_ENDPGM 0
      ...

    `.equals(mir(DUMP));
  });

  it('are the same with CRLF, colours, time stamps and other lines, in pieces of any size', () => {
    const [before] = read(DUMP).dumps;
    const noise = DUMP.replace('128B\t', 'make: Entering directory\n[2/7] Building\n128B\t');
    const stamped = DUMP.split('\n')
      .map((line, k) => `2026-11-30T10:26:${10 + k}.123Z ${line}`)
      .join('\n');
    const variants = {
      crlf: DUMP.replaceAll('\n', '\r\n'),
      colours: DUMP.replace(/^.*$/gm, '\u001b[1m\u001b[36m$&\u001b[0m'),
      noise,
      stamped,
      named: DUMP.replace(/^/gm, 'rank 3 | '),
    };
    for (const [name, text] of Object.entries(variants))
      for (const pieces of [7, 1000, text.length]) {
        const { dumps } = read(text, pieces);
        const at = dumps[0]!.line;
        assert.deepEqual({ ...dumps[0]!, lastLine: 0 }, { ...before!, lastLine: 0 }, `${name}, pieces of ${pieces}`);
        assert.equal(dumps[0]!.lastLine, before!.lastLine + (name === 'noise' ? 2 : 0), name);
        assert.equal(at, 2, name);
      }
  });

  it('may be cut off, and begin without a banner', () => {
    const cut = read(DUMP.slice(0, DUMP.indexOf('112B')));
    assert.deepEqual([cut.dumps.length, cut.dumps[0]!.isCut], [1, true]);
    const next = read(DUMP.slice(0, DUMP.indexOf('112B')) + DUMP);
    assert.deepEqual(
      next.dumps.map(({ isCut, instance }) => [isCut, instance]),
      [
        [true, 0],
        [false, 1],
      ],
    );
    const bare = read(`# After Live Variable Analysis\n${DUMP.slice(DUMP.indexOf('\n') + 1)}`).dumps[0]!;
    assert.deepEqual([bare.when, bare.pass, bare.title], ['after', '', 'Live Variable Analysis']);
    const isel = read(`# After Instruction Selection:\n${DUMP.slice(DUMP.indexOf('\n') + 1)}`).dumps[0]!;
    assert.deepEqual([isel.when, isel.title], ['after', 'Instruction Selection']);
    const newManager = read(DUMP.replace(/^.*\n/, '; *** IR Dump After MachineSchedulerPass on f ***\n')).dumps[0]!;
    assert.deepEqual([newManager.when, newManager.pass], ['after', 'MachineSchedulerPass']);
    const alone = read(DUMP.slice(DUMP.indexOf('\n') + 1)).dumps[0]!;
    assert.deepEqual([alone.when, alone.pass, alone.title], ['', '', '']);
  });

  it('leave IR out, and say what a text without machine functions is', () => {
    const ir = '*** IR Dump After Module Verifier (verify) ***\ndefine void @f() {\n  ret void\n}\n';
    const { dumps, facts } = read(ir + DUMP + ir);
    assert.deepEqual([dumps.length, facts.dumps, facts.irDumps], [1, 1, 2]);
    const contents = ['', 'a\nb\n', ir, '\t.amdgcn_target "x"\n', '\u007fELF\u0002', 'BC\u00c0\u00de\u0001', '--- |\n'];
    assert.deepEqual(
      contents.map((text) => read(text).facts.content),
      ['nothing', 'text', 'LLVM IR', 'assembly', 'object', 'bitcode', 'MIR'],
    );
  });

  it('name a processor, which counts if the code is for it', () => {
    const question = { target: { triple: '', cpu: '', features: '' }, model: 'auto', withOutcome: false } as const;
    const { facts } = read('clang -cc1 "-triple" "amdgcn-amd-amdhsa" "-target-cpu" "gfx90a"\n');
    assert.deepEqual(facts.target, { triple: 'amdgcn-amd-amdhsa', cpu: 'gfx90a' });
    const [dump] = read(DUMP.replace('V_ADD_U32_e32 1', 'V_ADD_U32_e32 1234567')).dumps;
    assert.deepEqual(likelyTarget(dump!, facts.target, question), { ...facts.target, isGuess: false });
    // gfx90a has no literals there.
    const [odd] = read(
      DUMP.replace('V_ADD_U32_e32 1, %0:vgpr_32(s32)', 'V_ADD_U32_e64 1234567, %0:vgpr_32(s32), 0'),
    ).dumps;
    assert.deepEqual(likelyTarget(odd!, { triple: '', cpu: 'gfx90a' }, question), {
      triple: '',
      cpu: 'gfx1100',
      isGuess: true,
    });
    assert.equal(
      likelyTarget(odd!, NO_TARGET, { ...question, target: { triple: '', cpu: 'gfx900', features: '' } }).cpu,
      'gfx900',
    );
  });

  it('tell what a pass changed, and rows that are equal', () => {
    const moved = DUMP.replace(/^(32B.*)\n(40B.*)$/m, '$2\n$1');
    const other = DUMP.replaceAll('function f', 'function g');
    const { dumps } = read(DUMP + other + DUMP.replace('16B', '1600B') + moved);
    expect`
      --- #2 after machine-scheduler of f
      +++ #3 after machine-scheduler of f
      @@ -7,8 +7,8 @@ bb.0.entry
         successors: %bb.1(0x40000000), %bb.2(0x40000000)
         liveins: $vgpr0
         %0:vgpr_32(s32) = COPY $vgpr0
      -  undef %1.sub0:vreg_64_align2 = V_ADD_U32_e32 1, %0:vgpr_32(s32), implicit $exec, debug-location !7; f.cl:3:4 @[ f.cl:9:1 ]
         %2:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
      +  undef %1.sub0:vreg_64_align2 = V_ADD_U32_e32 1, %0:vgpr_32(s32), implicit $exec, debug-location !7; f.cl:3:4 @[ f.cl:9:1 ]
         %2:vgpr_32 = V_FMAC_F32_e32 %0:vgpr_32, undef %5:vgpr_32, %2:vgpr_32(tied-def 0), implicit $mode, implicit $exec
         DBG_VALUE %0:vgpr_32, $noreg, !"x", !DIExpression(), debug-location !7; f.cl:3:4 @[ f.cl:9:1 ] line no:2
         S_CBRANCH_SCC1 %bb.2, implicit undef $scc

    `.equals(diffOfDumps(dumps[2]!, dumps[3]!));
    assert.match(diffOfDumps(dumps[0]!, dumps[2]!), /^#2 .*: nothing changed since #0 /);
    const question = {
      target: { triple: '', cpu: 'gfx942', features: '' },
      model: 'auto',
      withOutcome: false,
    } as const;
    const table = new LogTable(question, () => NO_TARGET);
    const rows = dumps.map((dump) => table.row(dump));
    assert.deepEqual(
      rows.map(({ functionName, isChanged, instructions, facts }) => [
        functionName,
        isChanged,
        instructions,
        facts?.errors[0] ?? facts?.registers?.vgpr,
      ]),
      [
        ['f', null, 7, 3],
        ['g', null, 7, 3],
        ['f', false, 7, 3],
        ['f', true, 7, 3],
      ],
    );
  });

  it('are asked for by number, pass and instance', () => {
    const before = DUMP.replace('After', 'Before');
    const { dumps } = read(before + DUMP + before + DUMP + DUMP.replaceAll('function f', 'function g'));
    const chosen = (text: string, fn: string | null = null): (number | string)[] => {
      const selector = readSelector(text);
      if (typeof selector === 'string') return [selector];
      const wanted = chosenDumps(selector, fn);
      for (const dump of dumps) if (wanted.take(dump)) break;
      return wanted.dumps.map(({ dump }) => dump.index);
    };
    assert.deepEqual(chosen('#2'), [2]);
    assert.deepEqual(chosen('machine-scheduler'), [1, 4]);
    assert.deepEqual(chosen('machine-scheduler,1'), [3]);
    assert.deepEqual(chosen('before:machine-scheduler,1'), [2]);
    assert.deepEqual(chosen('Machine Instruction Scheduler', 'g'), [4]);
    assert.deepEqual(chosen('greedy'), []);
    assert.match(String(chosen(',')[0]), /^--pass is #N/);
  });

  // What no dump has, or no reader needs; on both sides.
  const comparable = (text: string): string[] =>
    text
      .slice(text.search(/^body:/m))
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
      .filter((line) => line !== '' && line !== '...' && !line.startsWith(';'))
      .map((line) =>
        line
          .replace(/^((?:DBG_VALUE|DBG_VALUE_LIST)\b.*?)!\d+/, '$1!var')
          .replace(/, !\d+$/, '')
          .replace('noconvergent ', ''),
      );

  for (const [cpu, selector] of [
    ['gfx942', []],
    ['gfx1100', []],
    ['gfx90a', ['-global-isel']],
  ] as const)
    it(`of llc-22 for ${[cpu, ...selector].join(' ')} are what it writes where it stops, and it reads them back`, function () {
      needsLlc(this);
      const source = readFileSync(join(__dirname, '..', '..', 'fixtures', 'logs', 'kernel.ll'), 'utf8');
      const args = [`-mcpu=${cpu}`, ...selector, '-o', '-'];
      const log = runLlc([...args, '-print-before-all'], source);
      assert.equal(log.status, 0, log.stderr.slice(-500));
      const { dumps, facts } = read(log.stderr);
      assert.deepEqual(facts.target.cpu, cpu);
      const passes = ['finalize-isel', 'machine-scheduler', 'greedy', 'prologepilog', 'si-insert-waitcnts'];
      for (const pass of passes) {
        const stop = runLlc([...args, `-stop-before=${pass}`], source);
        for (const name of ['blend', 'half']) {
          const dump = dumps.find((own) => own.pass === pass && own.functionName === name && own.instance === 0);
          assert.ok(dump !== undefined, `${pass} ${name}`);
          const { text, notes } = mirOfDumps([dump]);
          const want = stop.stdout
            .split(/^---$/m)
            .find((document) => new RegExp(`^name: +${name}$`, 'm').test(document))!;
          const vcc = (lines: string[]): string[] =>
            lines.map((l) => l.replace(/(implicit(?:-def)?(?: \w+)*) \$vcc_lo\b/g, '$1 $vcc'));
          assert.deepEqual(vcc(comparable(text)), vcc(comparable(want)), `${pass} ${name}`);
          assert.deepEqual(notes, []);
          const back = runLlc(
            ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, '-run-pass=none', '-x', 'mir', '-o', '-'],
            text,
          );
          assert.equal(back.status, 0, `${pass} ${name}: ${back.stderr.slice(0, 1000)}`);
          const target = { triple: 'amdgcn-amd-amdhsa', cpu, features: '', isChosen: true };
          assert.deepEqual(factsOfMir(text, { target, model: 'llvm-22', withOutcome: false }).errors, []);
        }
      }
    });
});
