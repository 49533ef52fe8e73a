/**
 * Reserved registers and allocation orders. The expected counts and orders were read from llc-22 22.1.8 (its allocation of
 * values that are all live at once, and MachineRegisterInfo's reserved set), for the processors and attributes named.
 */
import * as assert from 'node:assert';
import { ReservedRegs } from '../../../server/src/analysis/reservedRegs.js';
import { CallingConv } from '../../../server/src/analysis/functionLimits.js';
import { parseLlcOptions } from '../../../server/src/program/llcOptions.js';
import { loadProgram } from '../../../server/src/program/mirProgram.js';
import { emptyFunction, type EmptyFunctionOptions } from '../../support/emptyFunction.js';

const KERNEL = CallingConv.AMDGPU_KERNEL;
const GROUP64 = { 'amdgpu-flat-work-group-size': '1,64' };

function allocatable(options: EmptyFunctionOptions): string {
  const fn = emptyFunction(options);
  const regs = new ReservedRegs(fn);
  return ['vgpr_32', 'agpr_32', 'sgpr_32'].map((c) => regs.numAllocatableRegs(fn.tables.regClassByName(c))).join('/');
}

/** The order of a class as ranges of consecutive registers, e.g. `vgpr0..vgpr39 vgpr48`. */
function orderOf(callingConv: number, className: string): string {
  const fn = emptyFunction({ triple: 'amdgcn', cpu: 'gfx900', callingConv });
  const order = [...new ReservedRegs(fn).allocationOrder(fn.tables.regClassByName(className))];
  const name = (k: number): string => fn.tables.regName(order[k]);
  const index = (k: number): number => Number(/\d+$/.exec(name(k))?.[0] ?? -2);
  const parts: string[] = [];
  for (let k = 0; k < order.length;) {
    let e = k + 1;
    while (e < order.length && index(e) === index(e - 1) + 1) e++;
    parts.push(e - k === 1 ? name(k) : `${name(k)}..${name(e - 1)}`);
    k = e;
  }
  return parts.join(' ');
}

describe('reserved registers', () => {
  it('leave the budget of waves, work-group size and attributes', () => {
    const waves = (n: string): Record<string, string> => ({ 'amdgpu-waves-per-eu': n });
    const table: [string, EmptyFunctionOptions][] = [
      ['64/0/102', { triple: 'amdgcn', cpu: 'gfx900' }],
      ['63/64/102', { triple: 'amdgcn', cpu: 'gfx908' }],
      ['64/64/102', { triple: 'amdgcn', cpu: 'gfx90a' }],
      ['192/0/106', { triple: 'amdgcn', cpu: 'gfx1100' }],
      ['32/0/74', { cpu: 'gfx900', callingConv: KERNEL, attributes: waves('8') }],
      ['24/0/58', { cpu: 'gfx900', callingConv: KERNEL, attributes: waves('10') }],
      ['127/128/102', { cpu: 'gfx908', callingConv: KERNEL, attributes: { ...GROUP64, ...waves('2') } }],
      ['128/0/102', { cpu: 'gfx90a', callingConv: KERNEL, attributes: { 'amdgpu-agpr-alloc': '0' } }],
      ['256/64/102', { cpu: 'gfx90a', callingConv: KERNEL, attributes: { ...GROUP64, 'amdgpu-agpr-alloc': '8,64' } }],
      ['144/0/106', { cpu: 'gfx1100', callingConv: KERNEL, attributes: waves('10') }],
      ['128/0/106', { cpu: 'gfx1200', attributes: { 'amdgpu-dynamic-vgpr-block-size': '16' } }],
      ['192/0/106', { cpu: 'gfx1200', attributes: { 'amdgpu-dynamic-vgpr-block-size': '32' } }],
    ];
    for (const [want, options] of table) assert.equal(allocatable(options), want, JSON.stringify(options));
  });

  it('have pseudo tuples of four and eight where there are fewer SGPRs', () => {
    const scratchRSrcReg = emptyFunction().tables.regByName('sgpr0_sgpr1_sgpr2_sgpr3');
    /** Values of amdgpu-num-sgpr with which the register is reserved. */
    const budgets = (cpu: string, name: string): string =>
      Array.from({ length: 21 }, (_, n) => n)
        .filter((n) => {
          const attributes = { 'amdgpu-num-sgpr': String(n) };
          const callingConv = CallingConv.AMDGPU_CS;
          const fn = emptyFunction({ cpu, callingConv, attributes, functionInfo: { scratchRSrcReg } });
          return new ReservedRegs(fn).isReserved(fn.tables.regByName(name));
        })
        .join();
    const table: readonly (readonly [string, string, string])[] = [
      ['gfx803', '3,4,5', '3,4,5,6,7,8,9'],
      ['gfx900', '5,6,7', '5,6,7,8,9,10,11'],
      ['gfx942', '7,8,9', '7,8,9,10,11,12,13'],
      ['gfx1100', '3,4,5', '3,4,5,6,7,8,9'],
      ['gfx1200', '3,4,5', '3,4,5,6,7,8,9'],
    ];
    for (const [cpu, four, eight] of table)
      assert.deepEqual(
        ['private_rsrc_reg', 'sgpr_null128', 'sgpr_null256'].map((name) => budgets(cpu, name)),
        [four, four, eight],
        cpu,
      );
  });

  it('follow machineFunctionInfo', () => {
    const tables = emptyFunction().tables;
    const functionInfo = {
      stackPtrOffsetReg: tables.regByName('sgpr32'),
      wwmReservedRegs: [tables.regByName('vgpr3')],
    };
    const regs = new ReservedRegs(emptyFunction({ functionInfo }));
    assert.ok(regs.isReserved(tables.regByName('sgpr32')));
    assert.ok(regs.isReserved(tables.regByName('sgpr32_sgpr33')), 'tuples over a reserved register');
    assert.ok(!regs.isReserved(tables.regByName('sgpr33')));
    assert.ok(regs.isReserved(tables.regByName('vgpr2_vgpr3_vgpr4')));
    assert.ok(regs.isReserved(tables.regByName('exec_lo')));
    assert.ok(!regs.isReserved(tables.regByName('vcc')));
    assert.ok(regs.isAllocatable(tables.regByName('vcc')));
    assert.ok(!regs.isAllocatable(tables.regByName('scc')));
  });
});

describe('allocation order', () => {
  it('takes caller-saved registers first', () => {
    const C = 0;
    const saved = 'vgpr0..vgpr39 vgpr48..vgpr55 vgpr40..vgpr47 vgpr56..vgpr63';
    assert.equal(orderOf(KERNEL, 'vgpr_32'), 'vgpr0..vgpr63');
    assert.equal(orderOf(C, 'vgpr_32'), saved);
    assert.equal(orderOf(CallingConv.AMDGPU_Gfx, 'vgpr_32'), saved);
    assert.equal(
      orderOf(C, 'sreg_32'),
      'sgpr0..sgpr29 sgpr40..sgpr47 sgpr56..sgpr63 sgpr72..sgpr79 sgpr88..sgpr95 ' +
        'vcc_lo vcc_hi sgpr30..sgpr39 sgpr48..sgpr55 sgpr64..sgpr71 sgpr80..sgpr87 sgpr96..sgpr101',
    );
    assert.equal(
      orderOf(CallingConv.AMDGPU_Gfx, 'sreg_32'),
      'sgpr0..sgpr3 sgpr32..sgpr63 vcc_lo vcc_hi sgpr4..sgpr31 sgpr64..sgpr101',
    );
  });

  it('has as many registers as are counted without it, for any class and budget', () => {
    for (const cpu of ['gfx900', 'gfx908', 'gfx1100'])
      for (const [vgprs, sgprs] of [
        [5, 5],
        [24, 9],
        [33, 40],
      ]) {
        const attributes = { 'amdgpu-num-vgpr': String(vgprs), 'amdgpu-num-sgpr': String(sgprs) };
        const fn = emptyFunction({ cpu, callingConv: CallingConv.AMDGPU_CS, attributes });
        const regs = new ReservedRegs(fn);
        for (let rc = 0; rc < fn.tables.nRegClasses; rc++)
          assert.equal(
            regs.numAllocatableRegs(rc),
            regs.allocationOrder(rc).length,
            `${cpu} ${vgprs} ${sgprs} ${fn.tables.regClassName(rc)}`,
          );
      }
  });

  it('leave the inputs that the text names, not those that a calling convention brings', () => {
    const text = (info: string): string => `--- |
  define fastcc void @f() "amdgpu-num-sgpr"="3" {
    unreachable
  }
...
---
name: f
machineFunctionInfo:
  isEntryFunction: false
${info}body: |
  bb.0:
    S_ENDPGM 0
...
`;
    const order = (info: string): string[] => {
      const program = loadProgram(text(info), 'f.mir', parseLlcOptions(['-mtriple=amdgcn', '-mcpu=gfx1013', 'f.mir']));
      const [loaded] = program.functions;
      const fn = loaded?.fn;
      assert.ok(fn);
      return [...new ReservedRegs(fn).allocationOrder(fn.tables.regClassByName('sreg_64'))].map((r) =>
        fn.tables.regName(r),
      );
    };
    // As LLVM's RegisterClassInfo has it.
    assert.deepEqual(order(''), ['vcc']);
    const given = "  argumentInfo:\n    dispatchPtr: { reg: '$sgpr4_sgpr5' }\n    queuePtr: { reg: '$sgpr6_sgpr7' }\n";
    assert.deepEqual(order(given), ['sgpr0_sgpr1', 'vcc']);
  });
});
