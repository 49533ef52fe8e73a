/** Registers that prologepilog and what follows take or leave: numbers of single functions against llc-22's assembly. */
import assert from 'node:assert/strict';
import { allocatedUse } from '../../../server/src/analysis/allocatedUse.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { lowerMir } from '../../support/mir.js';

const TRIPLE = 'amdgcn-amd-amdhsa';
const WRITE = '$agpr1 = V_ACCVGPR_WRITE_B32_e64 $vgpr2, implicit $exec';
const SLOT = '%stack.0, $sgpr32, 0, implicit $exec :: (store (s32) into %stack.0, addrspace 5)';
const RELOAD = SLOT.replace('store', 'load').replace('into', 'from');
const COPY_REGISTER = "vgprForAGPRCopy: '$vgpr63'";

interface Form {
  readonly cpu: string;
  readonly info: readonly string[];
  readonly lines: readonly string[];
}

/** VGPRs that are named, and free afterwards. */
const NAMED = Array.from({ length: 10 }, (_, k) => `$vgpr${k}`);
const OTHERS = [
  ...NAMED.map((reg) => `${reg} = V_MOV_B32_e32 7, implicit $exec`),
  `S_NOP 0, ${NAMED.map((reg) => `implicit ${reg}`).join(', ')}`,
];

/** With a reader of what the last copy writes, which would go otherwise. */
const agpr = (...lines: string[]): Form => {
  const written = /^(\S+) = COPY/.exec(lines.at(-1)!)?.[1];
  const read = written === undefined ? [] : [`S_NOP 0, implicit ${written}`];
  return { cpu: 'gfx908', info: [COPY_REGISTER], lines: [...OTHERS, ...lines, ...read] };
};
const carry = (...lines: string[]): Form => ({ cpu: 'gfx601', info: [], lines });
const add = (a: string, b: string): string => `$vgpr5, dead $vcc = V_ADD_CO_U32_e64 ${a}, ${b}, 0, implicit $exec`;

const FORMS: Readonly<Record<string, Form>> = {
  agprOfThree: agpr('$agpr3 = COPY $agpr1'),
  agprBesides: agpr('$agpr4 = COPY $agpr1'),
  agprFromScalar: agpr('$agpr3 = COPY $sgpr9'),
  agprFromScalarBesides: agpr('$agpr5 = COPY $sgpr9'),
  agprsWide: agpr('$agpr4_agpr5_agpr6_agpr7 = COPY $agpr0_agpr1_agpr2_agpr3'),
  agprsWideBesides: agpr('$agpr4_agpr5 = COPY $agpr0_agpr1'),
  agprWritten: agpr(WRITE, '$agpr3 = COPY $agpr1'),
  agprWrittenTwice: agpr(WRITE, '$agpr2 = COPY $agpr1', '$agpr3 = COPY $agpr2'),
  agprFromVGPR: agpr('$agpr1 = COPY $vgpr2', '$agpr3 = COPY $agpr1'),
  agprValueGone: agpr(WRITE, '$vgpr2 = V_MOV_B32_e32 1, implicit $exec', '$agpr3 = COPY $agpr1'),
  agprValueAgain: agpr('$vgpr2 = COPY $sgpr9', WRITE, '$vgpr2 = COPY $sgpr9', '$agpr3 = COPY $agpr1'),
  agprToMemory: agpr(`SI_SPILL_A32_SAVE $agpr4, ${SLOT}`),
  wholeWaveSpill: {
    cpu: 'gfx908',
    info: ["sgprForEXECCopy: '$sgpr40_sgpr41'", 'hasSpilledVGPRs: true', "wwmReservedRegs: [ '$vgpr8' ]"],
    lines: [`SI_SPILL_WWM_V32_SAVE $vgpr8, ${SLOT}`, `$vgpr8 = SI_SPILL_WWM_V32_RESTORE ${RELOAD}`],
  },
  carryOfNothing: carry(add('%stack.0', '$vgpr0')),
  carryOfConstants: carry(add('%stack.1', '4')),
  carryOfAddress: carry(add('%stack.1', '$vgpr0')),
  carryRead: carry(add('%stack.0', '$vgpr0').replace('dead ', ''), 'S_NOP 0, implicit $vcc'),
};

function textOf(forms: readonly (readonly [string, Form])[]): string {
  const functions = forms.map(([name, { info, lines }]) =>
    [
      ...['---', `name: ${name}`, 'tracksRegLiveness: true', 'stack:'],
      ...[0, 1].map((id) => `  - { id: ${id}, size: 4, alignment: 4 }`),
      ...['machineFunctionInfo:', '  isEntryFunction: true', "  scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3'"],
      "  argumentInfo: { privateSegmentBuffer: { reg: '$sgpr0_sgpr1_sgpr2_sgpr3' }, privateSegmentWaveByteOffset: { reg: '$sgpr12' } }",
      ...["  stackPtrOffsetReg: '$sgpr32'", ...info.map((line) => `  ${line}`), 'body: |', '  bb.0:'],
      '    liveins: $vgpr0, $vgpr2, $vgpr8, $sgpr9, $agpr0_agpr1_agpr2_agpr3, $agpr4',
      ...[...lines, 'S_ENDPGM 0'].map((line) => `    ${line}`),
      ...['...', ''],
    ].join('\n'),
  );
  const names = forms.map(([name]) => `  define amdgpu_kernel void @${name}() { ret void }`);
  return ['--- |', ...names, '...', ...functions].join('\n');
}

describe('registers of frames', () => {
  for (const cpu of ['gfx908', 'gfx601'])
    it(`are those of llc-22's assembly on ${cpu}`, function () {
      needsLlc(this);
      const forms = Object.entries(FORMS).filter(([, form]) => form.cpu === cpu);
      const text = textOf(forms);
      const args = ['-x', 'mir', `-mtriple=${TRIPLE}`, `-mcpu=${cpu}`, '-start-after=virtregrewriter,2', '-o', '-'];
      const asm = runLlc(args, text);
      assert.equal(asm.status, 0, asm.stderr);
      for (const fn of lowerMir(text, { triple: TRIPLE, cpu, features: '' })) {
        const { name } = fn!.header;
        const symbol = (key: string): number =>
          Number(new RegExp(`\\.set ${name}\\.${key}, (\\d+)`).exec(asm.stdout)![1]);
        const use = allocatedUse(fn!);
        assert.deepEqual(
          [use.framedVGPR, use.framedSGPR, Number(use.own.usesVCC)],
          [symbol('num_vgpr'), symbol('numbered_sgpr'), symbol('uses_vcc')],
          name,
        );
      }
    });
});
