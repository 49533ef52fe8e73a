/** What completion proposes, place by place; the order is that of the list. */
import assert from 'node:assert/strict';
import { InsertTextFormat, type CompletionItem, type TextEdit } from 'vscode-languageserver-types';
import { provideCompletion } from '../../../server/src/features/completion/completion.js';
import { resolveCompletionItem } from '../../../server/src/features/completion/resolveItem.js';
import { atCursor, URI } from '../../support/cursor.js';

const RUN = '# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none -o - %s | FileCheck %s\n';
const BODY = `---
name:            f
tracksRegLiveness: true
body:             |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $sgpr4_sgpr5

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_64 = COPY $sgpr4_sgpr5
    %2:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
HERE
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc

  bb.1:
    %9:vgpr_32 = V_MOV_B32_e32 0, implicit $exec

  bb.2:
    S_ENDPGM 0
...
`;

/** Items for a line of the first block, `$0` the cursor. */
const inBody = (line: string, head = RUN): CompletionItem[] => items(head + BODY.replace('HERE', () => line));
const items = (marked: string, snippets = false): CompletionItem[] => {
  const { snapshot, position } = atCursor(marked, { snippets });
  return provideCompletion(snapshot, { textDocument: { uri: URI }, position }).items;
};
const labels = (list: readonly CompletionItem[]): string[] => list.map((i) => i.label);
const newText = (item: CompletionItem): string => (item.textEdit as TextEdit).newText;
/** The text after accepting the item called `label`. */
function accepted(marked: string, label: string, snippets = false): string {
  const { snapshot, position, text } = atCursor(marked, { snippets });
  const list = provideCompletion(snapshot, { textDocument: { uri: URI }, position }).items;
  const item = list.find((i) => i.label === label);
  assert.ok(item, `${label} is not among ${labels(list).join(', ')}`);
  const { range } = item.textEdit as TextEdit;
  return (
    text.slice(0, snapshot.text.offsetAt(range.start)) + newText(item) + text.slice(snapshot.text.offsetAt(range.end))
  );
}

describe('completion of opcodes', () => {
  it('takes those whose definition has the class, the ones in use first', () => {
    const list = labels(inBody('    %3:vgpr_32 = V_ADD$0'));
    assert.equal(list[0], 'V_ADD_U32_e32');
    assert.ok(!list.includes('V_ADD_U32_e32_gfx9'), 'encodings are not written');
  });

  it('the usual ones where nothing is in use, and with their definition', () => {
    const alone = `---\nname: f\nbody: |\n  bb.0:\n    $0\n    S_ENDPGM 0\n...\n`;
    const typed = (word: string): string => RUN + alone.replace('$0', `${word}$0`);
    assert.equal(labels(items(typed('V_M')))[0], 'V_MOV_B32_e32');
    assert.equal(labels(items(typed('v_add_f')))[0], 'V_ADD_F32_e32');
    assert.match(accepted(typed('V_MO'), 'V_MOV_B32_e32'), /^ {4}%0:vgpr_32 = V_MOV_B32_e32$/m);
    assert.match(
      accepted(typed('V_MO'), 'V_MOV_B32_e32', true),
      /^ {4}\$\{1:%0:vgpr_32\} = V_MOV_B32_e32 \$\{2:src0\}/m,
    );
    assert.match(accepted(typed('PH'), 'PHI', true), /= PHI \$\{2:value\}, \$\{3:block\}/);
  });

  it('generic ones with the types that they define, and what is neither register nor number', () => {
    const generic = (line: string): string => RUN + `---\nname: f\nbody: |\n  bb.0:\n    ${line}\n...\n`;
    assert.equal(labels(items(generic('G_ADD$0')))[0], 'G_ADD');
    assert.match(
      accepted(generic('G_ADD$0'), 'G_ADD', true),
      / \$\{1:%0:_\(s32\)\} = G_ADD \$\{2:op1\}, \$\{3:op2\}\$0/,
    );
    assert.match(accepted(generic('G_ICM$0'), 'G_ICMP', true), /%0:_\(s1\)\} = G_ICMP \$\{2:intpred\(eq\)\}/);
    assert.match(accepted(generic('%1:_(s64) = G_FCON$0'), 'G_FCONSTANT', true), /\$\{1:double 0\.000000e\+00\}/);
    assert.match(accepted(generic('G_BRC$0'), 'G_BRCOND', true), /G_BRCOND \$\{1:op0\}, \$\{2:block\}/);
  });

  it('flags of instructions where they begin like the word', () => {
    const list = inBody('    nof$0');
    assert.equal(list[0]!.label, 'nofpexcept');
    assert.ok(!list[0]!.labelDetails!.detail!.includes('not here'));
  });

  it('after nofpexcept those that may raise such an exception', () => {
    const list = labels(inBody('    %3:vgpr_32 = nofpexcept $0'));
    for (const label of list.slice(0, 5)) assert.match(label, /^V_\w+_F\d+_/);
    assert.ok(list.indexOf('V_ADD_F32_e32') < 5, list.slice(0, 8).join(', '));
  });

  it('after nofpexcept whose definition is still to come the usual and the used ones', () => {
    const usual = labels(inBody('    nofpexcept $0'));
    assert.ok(usual.indexOf('V_ADD_F32_e32') < 3, usual.slice(0, 8).join(', '));
    const used = '    %3:vgpr_32 = nofpexcept V_SUB_F32_e32 %0, %0, implicit $mode, implicit $exec\n';
    assert.equal(labels(inBody(`${used}    nofpexcept $0`))[0], 'V_SUB_F32_e32');
  });

  it('before memory operands and a brace only BUNDLE, whose members load and store', () => {
    const store =
      '      GLOBAL_STORE_DWORD undef %5:vreg_64, %0, 0, 0, implicit $exec :: (store (s32), addrspace 1)\n    }';
    const [first] = inBody(`    $0 implicit %0, implicit $exec :: (store (s32), addrspace 1) {\n${store}`);
    assert.equal(first!.label, 'BUNDLE');
    assert.equal(first!.labelDetails?.detail?.includes('not here') ?? false, false);
  });

  it('leaves out what the target does not have', () => {
    assert.ok(!labels(inBody('    %3:vgpr_32 = V_FMAC_F32$0')).includes('V_FMAC_F32_e64_gfx11'));
    assert.ok(!labels(inBody('    S_BARRIER_SIG$0')).includes('S_BARRIER_SIGNAL_IMM'));
    const gfx12 = RUN.replace('gfx900', 'gfx1200');
    assert.ok(labels(inBody('    S_BARRIER_SIG$0', gfx12)).includes('S_BARRIER_SIGNAL_IMM'));
  });

  it('says which other target of the file lacks it', () => {
    const two = RUN + RUN.replace('gfx900', 'gfx1100');
    const item = inBody('    %3:vgpr_32 = V_MAD_F16_e64$0', two).find((i) => i.label === 'V_MAD_F16_e64');
    assert.match(item?.labelDetails?.description ?? '', /not on gfx1100/);
  });

  it('fits the operands that are there', () => {
    const list = labels(inBody('    %3:sreg_32 = $0 %1.sub0, 5, implicit-def $scc'));
    assert.ok(
      list.slice(0, 30).every((l) => l.startsWith('S_') || l.startsWith('SI_')),
      list.slice(0, 30).join(' '),
    );
    assert.equal(labels(inBody('    %3:vgpr_32 = $0 %0, %2, implicit $exec'))[0], 'V_ADD_U32_e32');
  });

  it('writes typed operands and implicit ones as a snippet', () => {
    const [item] = items(RUN + BODY.replace('HERE', '    %3:vgpr_32 = V_MUL_F32_e32$0'), true);
    assert.equal(item!.insertTextFormat, InsertTextFormat.Snippet);
    assert.equal(newText(item!), 'V_MUL_F32_e32 ${1:src0}, ${2:src1}, implicit \\$mode, implicit \\$exec$0');
  });

  it('writes the definition where none is', () => {
    const text = accepted(RUN + BODY.replace('HERE', '    V_MUL_F32_e32$0'), 'V_MUL_F32_e32', true);
    assert.match(text, /\n {4}\$\{1:%10:vgpr_32\} = V_MUL_F32_e32 \$\{2:src0\}/);
  });

  it('proposes branches at the end of a block and PHIs at its start', () => {
    const end = labels(
      items(RUN + BODY.replace('HERE\n', '').replace('implicit undef $scc\n', 'implicit undef $scc\n    $0\n')),
    );
    assert.ok(end.slice(0, 3).includes('S_BRANCH'), end.slice(0, 5).join(' '));
    const returns = labels(items(RUN + BODY.replace('HERE\n', '').replace('S_ENDPGM 0', 'S_END$0')));
    assert.equal(returns[0], 'S_ENDPGM');
  });

  it('is documented when resolved', () => {
    const { snapshot, position } = atCursor(RUN + BODY.replace('HERE', '    %3:vgpr_32 = V_ADD_U32_e32$0'));
    const [item] = provideCompletion(snapshot, { textDocument: { uri: URI }, position }).items;
    const { value } = resolveCompletionItem(snapshot, item!).documentation as { value: string };
    assert.match(value, /src1 vgpr_32/);
    assert.match(value, /reads \$exec/);
    assert.match(value, /V_ADD_U32_e32_gfx9/);
  });
});

describe('documentation of what is selected', () => {
  /** Markdown without links, of the item `label` at the cursor; the item comes back as it was where there is none. */
  const documented = (marked: string, label: string): string => {
    const { snapshot, position } = atCursor(marked);
    const list = provideCompletion(snapshot, { textDocument: { uri: URI }, position }).items;
    const item = list.find((i) => i.label === label);
    assert.ok(item, `${label} is not among ${labels(list).join(', ')}`);
    const resolved = resolveCompletionItem(snapshot, item);
    if (resolved.documentation === undefined) assert.equal(resolved, item);
    return (resolved.documentation as { value: string } | undefined)?.value ?? '';
  };
  const small = `${RUN}---\nname: f\nbody: |\n  bb.0:\n    liveins: $vgpr0\n    %0:vgpr_32 = COPY $vgpr0\n    HERE\n    S_ENDPGM 0\n...\n`;
  const at = (line: string): string => small.replace('HERE', line);

  it('registers, classes, keys of the header', () => {
    assert.equal(documented(at('$vgpr1 = COPY $0'), '%0'), '**`%0`**: vgpr_32, 1 VGPR (32 bits)');
    assert.equal(documented(at('$vgpr1 = COPY $vg$0'), '$vgpr0'), '**`$vgpr0`**, 32 bits, `v0` in assembly');
    assert.equal(documented(at('%1:v$0'), 'vgpr_32'), '**VGPR_32**: 32 bits, 1024 registers, vgpr0 to vgpr1023');
    assert.match(documented(at('%1:v$0'), 'vs_32'), /^\*\*VS_32\*\*: 32 bits, .* {2}\nnot allocatable$/);
    assert.match(documented(`${RUN}---\ntr$0\nname: f\n...\n`, 'tracksRegLiveness'), /^Live-ins of blocks /);
    assert.equal(documented(at('S_BRANCH $0'), '%bb.0'), '');
  });

  it('processors', () => {
    const processor = (options: string, label: string): string =>
      documented(`# RUN: llc ${options}$0 %s\n${at('')}`.replace(RUN, ''), label);
    assert.equal(processor('-mcpu=gfx90', 'gfx90a'), '**gfx90a wave64**: 8 waves per EU, 256 VGPRs, 64 KiB of LDS');
    assert.equal(processor('-mcpu=gfx12', 'gfx1200'), '**gfx1200 wave32**: 16 waves per EU, 256 VGPRs, 64 KiB of LDS');
    assert.equal(processor('-mcpu=tah', 'tahiti'), '**tahiti wave64**: 10 waves per EU, 256 VGPRs, 32 KiB of LDS');
    assert.equal(processor('-mtriple=r600 -mcpu=ced', 'cedar'), '**cedar**: R600');
  });
});

describe('completion of operands', () => {
  it('registers: those that fit, then those that live here, then the nearest', () => {
    const list = labels(inBody('    %3:vgpr_32 = V_ADD_U32_e32 %2, $0'));
    // The line reads %2 already.
    assert.deepEqual(list.slice(0, 2), ['%0', '%2']);
    assert.ok(list.indexOf('%2') < list.indexOf('%9'), 'what is defined later comes later');
    assert.ok(!list.includes('%1'), 'a pair of SGPRs does not fit');
  });

  it('their parts where they are wider', () => {
    assert.deepEqual(labels(inBody('    %3:sreg_32 = S_ADD_I32 %1.sub$0')).slice(0, 2), ['sub0', 'sub1']);
    assert.ok(!labels(inBody('    %3:sreg_32 = S_ADD_I32 %1.sub$0')).includes('sub2'), 'a pair has two');
    assert.ok(labels(inBody('    %3:sreg_32 = S_ADD_I32 $0')).includes('%1.sub0'));
  });

  it('live-ins that nothing has copied yet', () => {
    const head =
      RUN + BODY.replace('    %0:vgpr_32 = COPY $vgpr0\n', '    %0:vgpr_32 = COPY $0\n').replace('HERE\n', '');
    assert.equal(labels(items(head))[0], '$vgpr0');
  });

  it('physical registers of the class', () => {
    const list = inBody('    %3:vgpr_32 = V_ADD_U32_e32 %0, $$0');
    assert.ok(list.length > 50);
    assert.ok(
      list.every((i) => i.label.startsWith('$vgpr')),
      labels(list).join(' '),
    );
  });

  it('what the opcode reads and writes implicitly', () => {
    const list = labels(inBody('    %3:vgpr_32 = V_ADD_CO_U32_e32 %0, %2, $0'));
    assert.deepEqual(list.slice(0, 3), ['implicit-def $vcc', 'implicit-def $vcc, implicit $exec', 'implicit $exec']);
    assert.equal(labels(inBody('    %3:vgpr_32 = V_ADD_U32_e32 %0, %2, implicit $0'))[0], '$exec');
  });

  it('say how far up they were last, and whether anything has read them', () => {
    const details = inBody('    %3:vgpr_32 = V_ADD_U32_e32 %0, $0').map(
      (i) => `${i.label}${i.labelDetails?.detail ?? ''}`,
    );
    assert.deepEqual(details.slice(0, 2).sort(), ['%0 the line above', '%2 the line above, not read yet']);
    assert.ok(details.includes('%9 not defined on all paths'));
  });

  it('pointers of the IR in memory operands, and nothing else of it', () => {
    const ir =
      '--- |\n  define void @f(ptr addrspace(1) %p) {\n  entry:\n    %x = load i32, ptr addrspace(1) %p\n    ret void\n  }\n...\n';
    const load =
      '    %3:vgpr_32 = GLOBAL_LOAD_DWORD undef %4:vreg_64, 0, 0, implicit $exec :: (load (s32) from %ir.$0)';
    assert.deepEqual(labels(inBody(load, RUN + ir)), ['%ir.p']);
  });

  it('constants where the operand is one', () => {
    assert.equal(labels(inBody('    S_NOP $0'))[0], '0');
    const list = labels(inBody('    %3:vgpr_32 = V_ADD_U32_e64 %0, %2, $0'));
    assert.equal(list[0], '0');
    assert.ok(!list.includes('%0'));
  });

  it('blocks, successors first', () => {
    assert.deepEqual(labels(inBody('    S_BRANCH $0')).sort(), ['%bb.0', '%bb.1', '%bb.2']);
    assert.deepEqual(labels(inBody('    S_BRANCH %bb.$0')).slice(0, 2).sort(), ['%bb.1', '%bb.2']);
  });

  it('alternates registers and indices in a REG_SEQUENCE', () => {
    assert.equal(labels(inBody('    %3:vreg_64 = REG_SEQUENCE %0, $0'))[0], '%subreg.sub0');
    assert.equal(labels(inBody('    %3:vreg_64 = REG_SEQUENCE %0, %subreg.sub0, %2, $0'))[0], '%subreg.sub1');
    assert.match(labels(inBody('    %3:vreg_64 = REG_SEQUENCE $0'))[0]!, /^%[02]$/);
  });

  it('the definition that is missing', () => {
    const list = labels(
      items(RUN + BODY.replace('HERE', '    $0 = V_MOV_B32_e32 1, implicit $exec\n    $vgpr0 = COPY %5')),
    );
    assert.equal(list[0], '%5');
    assert.ok(list.includes('%10:vgpr_32'), 'a new register with its class');
  });

  it('no register that registers: makes generic where the opcode writes a class', () => {
    const list = 'registers:\n  - { id: 7, class: _ }\n  - { id: 8, class: vgpr_32 }\nbody:';
    const marked = (line: string): string => (RUN + BODY.replace('HERE', line)).replace('body:', list);
    const written = items(marked('    $0 = V_MOV_B32_e32 0, implicit $exec')).map(newText);
    assert.deepEqual(
      written.filter((t) => /^%[78]\b/.test(t)),
      ['%8'],
    );
    const generic = items(marked('    $0 = G_IMPLICIT_DEF')).map(newText);
    assert.ok(generic.includes('%7:_(s32)'), generic.join(', '));
  });

  it('a new number that the line does not have yet', () => {
    const list = labels(inBody('    %10:vgpr_32, $0 = V_ADD_CO_U32_e64 %0, %0, 0, implicit $exec'));
    assert.ok(
      list.some((l) => l.startsWith('%11')),
      list.join(', '),
    );
    assert.ok(!list.some((l) => l.startsWith('%10')), list.join(', '));
  });

  it('classes and banks', () => {
    assert.equal(labels(inBody('    %3:$0 = V_MOV_B32_e32 1, implicit $exec'))[0], 'vgpr_32');
    assert.ok(labels(inBody('    %3:sreg_6$0')).includes('sreg_64'));
    assert.ok(labels(inBody('    %3:v$0')).includes('vgpr'));
    assert.ok(labels(inBody('    %3:_($0')).includes('s32'));
  });

  it('memory operands', () => {
    const load = '    %3:vgpr_32 = GLOBAL_LOAD_DWORD %1, 0, 0, implicit $exec :: ';
    assert.equal(labels(inBody(`${load}$0`))[0], '(load (s32), addrspace 1)');
    assert.deepEqual(labels(inBody(`${load}($0`)).slice(0, 1), ['load']);
    assert.equal(labels(inBody(`${load}(load $0`))[0], '(s32)');
    assert.ok(labels(inBody(`${load}(load (s32) $0`)).includes('from'));
    assert.ok(labels(inBody(`${load}(load (s32) from $0`)).includes('unknown-address'));
    assert.equal(inBody(`${load}(load (s32), addrspace $0`)[1]!.labelDetails?.detail, ' global');
  });

  it('flags, target flags, predicates', () => {
    assert.ok(labels(inBody('    nof$0')).includes('nofpexcept'));
    assert.ok(labels(inBody('    %3:sreg_64 = SI_PC_ADD_REL_OFFSET target-flags($0')).includes('amdgpu-rel32-lo'));
    assert.deepEqual(labels(inBody('    %3:_(s1) = G_ICMP $0'))[0], 'intpred(eq)');
    assert.ok(labels(inBody('    %3:vgpr_32 = V_ADD_U32_e32 kil$0')).includes('killed'));
  });

  it('live-ins and successors', () => {
    assert.ok(
      labels(items(RUN + BODY.replace('HERE\n', '').replace('$sgpr4_sgpr5\n', '$sgpr4_sgpr5, $vgpr1$0\n'))).includes(
        '$vgpr1',
      ),
    );
    assert.ok(labels(items(RUN + BODY.replace('HERE\n', '').replace('%bb.1, %bb.2', '%bb.1, $0'))).includes('%bb.2'));
  });
});

describe('completion outside of bodies', () => {
  const header = (lines: string): string =>
    `${RUN}---\nname:            f\n${lines}\nbody:             |\n  bb.0:\n    S_ENDPGM 0\n...\n`;

  it('keys that are not there yet', () => {
    const list = labels(items(header('tr$0')));
    assert.ok(list.includes('tracksRegLiveness'));
    assert.ok(!list.includes('name'));
    assert.ok(labels(items(header('machineFunctionInfo:\n  occ$0'))).includes('occupancy'));
    assert.ok(labels(items(header('machineFunctionInfo:\n  mode:\n    $0'))).includes('ieee'));
    const entry = labels(items(header('registers:\n  - { id: 0, $0 }')));
    assert.deepEqual(entry.sort(), ['class', 'flags', 'preferred-register']);
    assert.ok(labels(items(header('stack:\n  - id: 0\n    $0'))).includes('stack-id'));
    assert.ok(labels(items(header('machineFunctionInfo:\n  argumentInfo:\n    workI$0'))).includes('workItemIDX'));
  });

  it('those that tests write most come first', () => {
    assert.equal(labels(items(header('machineFunctionInfo:\n  $0')))[0], 'isEntryFunction');
    assert.deepEqual(labels(items(header('stack:\n  - { id: 0, $0 }'))).slice(0, 4), [
      'type',
      'offset',
      'size',
      'alignment',
    ]);
    assert.equal(labels(items(header('registers:\n  - { id: 0, class: $0 }')))[0], 'vgpr_32');
  });

  it('RUN lines that go on', () => {
    const goesOn = (rest: string): string[] =>
      labels(
        items(`# RUN: llc -mtriple=amdgcn -mcpu=gfx900 \\\n# RUN:   -verify-machineinstrs \\\n# RUN:   ${rest}$0\n`),
      );
    assert.equal(goesOn('-mat')[0], '-mattr=');
    assert.ok(!goesOn('-mcp').includes('-mcpu='), 'it is given above');
    assert.ok(goesOn('-mattr=+wavefrontsize3').includes('+wavefrontsize32'));
    assert.ok(goesOn('-passes=mach').includes('machine-scheduler'));
    assert.ok(goesOn('%s | FileCheck -check-p').includes('-check-prefix='));
  });

  it('their values', () => {
    assert.deepEqual(labels(items(header('tracksRegLiveness: $0'))), ['true', 'false']);
    assert.ok(labels(items(header('registers:\n  - { id: 0, class: vgpr$0 }'))).includes('vgpr_32'));
    assert.deepEqual(labels(items(header('stack:\n  - { id: 0, type: $0'))), [
      'default',
      'spill-slot',
      'variable-sized',
    ]);
    const text = accepted(header('machineFunctionInfo:\n  scratchRSrcReg: $pri$0'), '$private_rsrc_reg');
    assert.match(text, /scratchRSrcReg: '\$private_rsrc_reg'/);
  });

  it('the IR: names, intrinsics, words', () => {
    const ir = (line: string): string =>
      `--- |\n  define amdgpu_kernel void @f(ptr addrspace(1) %out) #0 {\n    %x = load i32, ptr addrspace(1) %out\n    ${line}\n    ret void\n  }\n  attributes #0 = { "target-cpu"="gfx900" }\n...\n---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n`;
    assert.deepEqual(labels(items(ir('store i32 %$0'))).sort(), ['%out', '%x']);
    assert.ok(labels(items(ir('call void @llvm.amdgcn.s.bar$0'))).includes('@llvm.amdgcn.s.barrier'));
    assert.ok(labels(items(ir('sto$0'))).includes('store'));
    assert.ok(labels(items(ir('call void @f() #$0'))).includes('#0'));
  });

  it('the IR: blocks after label, attributes in a group, no name of the line itself', () => {
    const ir = (line: string, group = ''): string[] =>
      labels(
        items(
          `${RUN}--- |\n  define void @f(ptr %p) {\n  entry:\n    %x = load i32, ptr %p\n${line}\n    br label %out\n  out:\n    ret void\n  }\n  attributes #0 = { ${group} }\n...\n${BODY.replace('HERE', '')}`,
        ),
      );
    assert.deepEqual(ir('    br label %$0').sort(), ['%entry', '%out']);
    const values = ir('    %y = add i32 %$0');
    assert.deepEqual(values.sort(), ['%p', '%x']);
    assert.equal(ir('    %y = $0')[0], 'load');
    assert.ok(!ir('    %y = $0').includes('store'));
    const group = ir('', '$0');
    assert.ok(group[0] === '"amdgpu-waves-per-eu"' && group.includes('nounwind') && !group.includes('define'));
  });

  it('entries of lists under their next number, and registers that the ABI has there first', () => {
    const header = (lines: string): string[] =>
      labels(items(RUN + BODY.replace('HERE', '').replace('tracks', `${lines}\ntracks`)));
    assert.equal(header('registers:\n  - $0')[0], '{ id: 0, ... }');
    assert.equal(header('registers:\n  - { id: 0, class: vgpr_32 }\n  - $0')[0], '{ id: 1, ... }');
    assert.equal(header('machineFunctionInfo:\n  argumentInfo:\n    dispatchPtr: { reg: $0 }')[0], '$sgpr4_sgpr5');
    assert.equal(header('liveins:\n  - { reg: $0 }')[0], '$sgpr0');
  });

  it('whole tests and functions where none is', () => {
    assert.deepEqual(labels(items('$0', true)), ['test', 'function']);
    assert.equal(labels(items(`${RUN}${BODY.replace('HERE\n', '')}fun$0`, true))[0], 'function');
    assert.deepEqual(items('$0'), [], 'nothing without stops');
  });

  it('the next block after a branch', () => {
    const marked = RUN + BODY.replace('HERE\n', '').replace('    S_ENDPGM 0\n', '    S_ENDPGM 0\n  $0\n');
    assert.equal(labels(items(marked))[0], 'bb.3:');
  });

  it('RUN lines: programs, options, values', () => {
    const run = (line: string): string[] =>
      labels(items(`# RUN: ${line}\n---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n`));
    assert.ok(run('ll$0').includes('llc'));
    assert.equal(run('llc -mtriple=amdgcn -mc$0')[0], '-mcpu=');
    assert.ok(run('llc -mtriple=amdgcn -mcpu=gfx9$0').includes('gfx942'));
    assert.ok(run('llc -mcpu=gfx1100 -mattr=+wave$0').includes('+wavefrontsize64'));
    assert.ok(run('llc -run-pass=machine-sch$0').includes('machine-scheduler'));
    assert.ok(
      run('llc -run-pass=none -amdgpu-schedule-met$0').some((l) => l.startsWith('-amdgpu-schedule-metric-bias')),
    );
    assert.ok(run('llc -verify-machineinstrs=$0').includes('true'));
    assert.ok(run('llc %s | FileCheck -check-pre$0').includes('-check-prefix='));
  });

  it('RUN: in the first sixty lines of a file', () => {
    const offered = (before: number): boolean => {
      const { snapshot, position } = atCursor(
        `${'#\n'.repeat(before)}# $0\n---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n`,
      );
      return provideCompletion(snapshot, { textDocument: { uri: URI }, position }).items.some(
        (i) => i.label === 'RUN:',
      );
    };
    assert.deepEqual([0, 30, 59, 60, 61].map(offered), [true, true, true, false, false]);
  });

  it('CHECK lines: directives of the prefixes, variables', () => {
    const check = (line: string): string[] =>
      labels(
        items(
          `# RUN: llc %s | FileCheck -check-prefixes=GCN,GFX9 %s\n# GCN-LABEL: name: f\n# GCN: [[X:%[0-9]+]]:vgpr_32\n${line}\n---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n`,
        ),
      );
    assert.equal(check('# $0')[0], 'GCN-NEXT:');
    assert.ok(check('# GFX$0').includes('GFX9-NOT:'));
    assert.deepEqual(check('# GCN-NEXT: [[$0'), ['X']);
  });
});

describe('completion after the operands', () => {
  const store = '    GLOBAL_STORE_DWORD undef %4:vreg_64, %0, 0, 0, implicit $exec $0';

  it('what the instruction touches in memory', () => {
    assert.deepEqual(labels(inBody(store)), [':: (store (s32), addrspace 1)']);
    assert.deepEqual(labels(inBody(store.replace('$0', ':: (store (s32)) $0'))).includes(':: (store (s32))'), false);
    assert.ok(labels(inBody(store.replace('$0', 'debug-l$0'))).includes('debug-location'));
    // No operand can begin there.
    assert.deepEqual(labels(inBody('    %3:vgpr_32 = V_ADD_U32_e32 %2 $0')), []);
    assert.ok(labels(inBody('    %3:vgpr_32 = V_ADD_U32_e32 %2, $0')).includes('%0'));
  });
});

describe('completion in bad input', () => {
  it('labels go to their column', () => {
    const marked = RUN + BODY.replace('HERE', '    loo$0');
    const { snapshot, position } = atCursor(marked, { snippets: true });
    const list = provideCompletion(snapshot, { textDocument: { uri: URI }, position }).items;
    const loop = list.find((i) => i.label === 'loop')!;
    assert.deepEqual(loop.additionalTextEdits, [
      { range: { start: { ...position, character: 2 }, end: { ...position, character: 4 } }, newText: '' },
    ]);
    assert.equal(loop.labelDetails?.detail, ' a counted loop');
    assert.equal(inBody('  bb$0').find((i) => i.label === 'bb.3:')!.additionalTextEdits, undefined);
  });

  it('carriage returns and tabs', () => {
    const marked = (RUN + BODY.replace('HERE', '\t%3:vgpr_32 = V_ADD_U32_e32 %2, $0')).replaceAll('\n', '\r\n');
    assert.deepEqual(labels(items(marked)).slice(0, 2), ['%0', '%2']);
  });

  it('the end of the file', () => {
    assert.ok(
      labels(items(`${RUN}---\nname: f\nbody: |\n  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    S_NO$0`)).includes(
        'S_NOP',
      ),
    );
    assert.ok(labels(items(`${RUN}---\nname: f\nbody: |\n  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    $0`)).length > 10);
    assert.ok(labels(items(`${RUN}---\nname: f\ntracks$0`)).includes('tracksRegLiveness'));
  });

  it('a function without a name, a file with errors elsewhere', () => {
    const nameless = BODY.replace('name:            f\n', '').replace('HERE', '    %3:vgpr_32 = V_ADD$0');
    assert.ok(labels(items(RUN + nameless)).includes('V_ADD_U32_e32'));
    const broken = BODY.replace('name:            f', 'name:            g').replace('HERE', '    %77:nothing = X )))');
    const whole = labels(items(RUN + broken + BODY.replace('HERE', '    %3:vgpr_32 = V_ADD_U32_e32 %2, $0')));
    assert.deepEqual(whole.slice(0, 2), ['%0', '%2']);
  });

  it('every place of a text', () => {
    const text =
      RUN +
      BODY.replace(
        'HERE',
        '    %3:vgpr_32 = GLOBAL_LOAD_DWORD %1, 0, 0, implicit $exec :: (load (s32), addrspace 1) ; why',
      );
    for (let at = 0; at <= text.length; at += 3) {
      const { snapshot, position } = atCursor(`${text.slice(0, at)}$0${text.slice(at)}`, { snippets: true });
      const { items: list } = provideCompletion(snapshot, { textDocument: { uri: URI }, position });
      for (const { textEdit } of list) {
        const { range } = textEdit as TextEdit;
        assert.ok(range.start.line === position.line && range.start.character <= position.character);
        assert.deepEqual(range.end, position);
      }
    }
  });

  it('in a file of another target what needs no target', () => {
    const foreign = (header: string, line: string): string[] =>
      labels(
        items(
          `# RUN: llc -mtriple=aarch64 %s\n---\nname: f\n${header}body: |\n  bb.0:\n    %0:gpr32 = COPY $w0\n${line}\n\n  bb.1:\n    RET undef $lr\n...\n`,
        ),
      );
    assert.deepEqual(foreign('', '    RE$0'), []);
    assert.deepEqual(foreign('', '    $w0 = COPY $0'), ['%0', '%bb.1', '%bb.0', '@f']);
    assert.ok(foreign('tr$0\n', '').includes('tracksRegLiveness'));
    assert.ok(foreign('frameInfo:\n  $0\n', '').includes('hasCalls'));
    assert.deepEqual(foreign('machineFunctionInfo:\n  $0\n', ''), []);
    assert.deepEqual(foreign('registers:\n  - { id: 0, class: $0 }\n', ''), []);
  });

  it('a pointer where its reader wants one, and no physical registers in generic instructions', () => {
    const generic = (line: string, rest: string): string =>
      `${RUN}---\nname: f\nbody: |\n  bb.0:\n    liveins: $vgpr0_vgpr1\n${line}\n${rest}    S_ENDPGM 0\n...\n`;
    const text = accepted(generic('    $0 = COPY $vgpr0_vgpr1', '    %1:_(s64) = G_PTRTOINT %0\n'), '%0');
    assert.match(text, /%0:_\(p0\) = COPY/);
    const list = labels(
      items(generic('    %2:_(s32) = IMPLICIT_DEF', '    %3:_(<2 x s32>) = G_BUILD_VECTOR %2, $0\n')),
    );
    assert.ok(list.includes('%2'));
    assert.deepEqual(
      list.filter((l) => l.includes('$')),
      [],
    );
  });

  it('in a bracket that is still open nothing is called wrong', () => {
    const store = '    GLOBAL_STORE_DWORD undef %4:vreg_64, %0, 0, 0, implicit $exec :: (store $0';
    const list = inBody(store);
    assert.equal(list[0]!.label, '(s32)');
    assert.deepEqual(
      list.filter((i) => i.labelDetails?.detail?.includes('not here')),
      [],
    );
  });
});
