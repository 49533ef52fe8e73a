/** What a register is to the allocator, and which rule reserves it. */
import { strict as assert } from 'node:assert';
import { CallingConv } from '../../../server/src/analysis/functionLimits.js';
import { registerRole } from '../../../server/src/analysis/registerRole.js';
import { ReservedRegs } from '../../../server/src/analysis/reservedRegs.js';
import { emptyFunction, type EmptyFunctionOptions } from '../../support/emptyFunction.js';

const { tables } = emptyFunction();
const reg = (name: string): number => tables.regByName(name);

function roleOf(options: EmptyFunctionOptions, name: string, maxAlignment = 1): string {
  const fn = emptyFunction(options);
  Object.assign(fn.header.frameInfo, { maxAlignment });
  const role = registerRole(fn, new ReservedRegs(fn), reg(name));
  return role.kind === 'reserved' ? role.why : role.kind;
}

const KERNEL = { callingConv: CallingConv.AMDGPU_KERNEL };
const INFO: EmptyFunctionOptions = {
  functionInfo: {
    scratchRSrcReg: reg('sgpr0_sgpr1_sgpr2_sgpr3'),
    stackPtrOffsetReg: reg('sgpr32'),
    frameOffsetReg: reg('sgpr33'),
    longBranchReservedReg: reg('sgpr6_sgpr7'),
    sgprForEXECCopy: reg('sgpr8_sgpr9'),
    vgprForAGPRCopy: reg('vgpr9'),
    wwmReservedRegs: [reg('vgpr3')],
  },
};
const FIELDS = ['scratchRSrcReg', 'stackPtrOffsetReg', 'frameOffsetReg', 'longBranchReservedReg', 'sgprForEXECCopy'];
const SPECIAL = 'special register, never allocated';

const ROWS: [options: EmptyFunctionOptions, name: string, wanted: string][] = [
  [{}, 'vgpr0', 'caller-saved'],
  [{}, 'vgpr40', 'callee-saved'],
  [{}, 'vgpr39_vgpr40', 'callee-saved'],
  [{}, 'sgpr30_sgpr31', 'callee-saved'],
  [{}, 'sgpr29', 'caller-saved'],
  [{}, 'scc', 'none'],
  [{}, 'exec', SPECIAL],
  [{}, 'exec_lo', SPECIAL],
  [{}, 'm0', SPECIAL],
  [{}, 'mode', SPECIAL],
  [KERNEL, 'vgpr40', 'caller-saved'],
  [INFO, 'sgpr2', FIELDS[0]!],
  [INFO, 'sgpr32', FIELDS[1]!],
  [INFO, 'sgpr32_sgpr33', FIELDS[1]!],
  [INFO, 'sgpr33', FIELDS[2]!],
  [INFO, 'sgpr7', FIELDS[3]!],
  [INFO, 'sgpr8_sgpr9_sgpr10_sgpr11', FIELDS[4]!],
  [INFO, 'vgpr3', 'wwmReservedRegs: whole-wave values are in it'],
  [INFO, 'vgpr9', 'caller-saved'],
  [{ cpu: 'gfx908', ...INFO }, 'vgpr9', 'vgprForAGPRCopy'],
  [{ triple: 'amdgcn', cpu: 'gfx900' }, 'vgpr64', 'above the budget of 64 VGPRs (default work-group size)'],
  [{ triple: 'amdgcn', cpu: 'gfx900' }, 'vgpr63', 'callee-saved'],
  [{ triple: 'amdgcn', cpu: 'gfx900' }, 'sgpr102', 'above the budget of 102 SGPRs (default work-group size)'],
  [{ triple: 'amdgcn', cpu: 'gfx908' }, 'vgpr63', 'kept for copies between AGPRs (gfx908)'],
  [{ triple: 'amdgcn', cpu: 'gfx908' }, 'agpr64', 'above the budget of 64 AGPRs (default work-group size)'],
  [
    { triple: 'amdgcn', ...KERNEL, attributes: { 'amdgpu-waves-per-eu': '8' } },
    'vgpr32',
    'above the budget of 32 VGPRs ("amdgpu-waves-per-eu"="8")',
  ],
  [
    { triple: 'amdgcn', ...KERNEL, attributes: { 'amdgpu-num-vgpr': '20', 'amdgpu-waves-per-eu': '2' } },
    'vgpr20',
    'above the budget of 20 VGPRs ("amdgpu-num-vgpr"="20")',
  ],
  [
    { cpu: 'gfx1100', ...KERNEL, attributes: { 'amdgpu-num-sgpr': '40', 'amdgpu-num-vgpr': '20' } },
    'sgpr60',
    'above the budget of 38 SGPRs ("amdgpu-num-sgpr"="40")',
  ],
  [
    { cpu: 'gfx90a', ...KERNEL, attributes: { 'amdgpu-agpr-alloc': '0' } },
    'agpr5',
    'above the budget of 0 AGPRs ("amdgpu-agpr-alloc"="0")',
  ],
];

describe('the role of a register', () => {
  for (const [options, name, wanted] of ROWS)
    it(`${name}: ${wanted}`, () => assert.equal(roleOf(options, name), wanted, JSON.stringify(options)));

  it('is base pointer of a stack that is realigned', () => {
    assert.equal(roleOf({}, 'sgpr34', 64), 'base pointer of a realigned stack');
    assert.equal(roleOf({}, 'sgpr34_sgpr35', 64), 'base pointer of a realigned stack');
    assert.equal(roleOf({}, 'sgpr35', 64), 'callee-saved');
    assert.equal(roleOf({}, 'sgpr34', 16), 'callee-saved');
  });
});
