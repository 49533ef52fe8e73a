/**
 * Copies that machine-cp propagates after allocation, in kernels and device functions that clang-22 compiled and llc-22 allocated, half of them with few
 * registers, against llc-22 itself: the same instructions name the same registers, with the same flags that later passes ask for. Debug instructions, which
 * LLVM makes follow the copies, count for no numbers. `AMDGPU_MIR_RUNS=200` takes so many programs, `AMDGPU_MIR_SEED` others.
 */
import assert from 'node:assert/strict';
import { withCopiesPropagated } from '../../server/src/analysis/frame/copyPropagation.js';
import { OpcodeTrait, opcodeTraits } from '../../server/src/analysis/opcodeTraits.js';
import { OpFlag, OperandKind, type MachineFunction } from '../../server/src/model/machineFunction.js';
import { Random } from '../support/damageInputs.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { lowerMir, mirFunction } from '../support/mir.js';
import { compileOpenCl, hasClang, randomOpenCl } from '../support/randomOpenCl.js';
import { skip } from '../support/skip.js';
import { runsOr, seedOr } from '../support/switches.js';

const SEED = seedOr(1);
const RUNS = runsOr(6);

function registersOf(fn: MachineFunction): string[] {
  const traits = opcodeTraits(fn.tables);
  const lines: string[] = [];
  for (let b = 0; b < fn.blocks.length; b++)
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
      const i = fn.order[p];
      if ((traits[fn.opcode[i]] & OpcodeTrait.Debug) !== 0) continue;
      const words = [`bb.${b}`, fn.tables.opcodeName(fn.opcode[i])];
      for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
        if (fn.opKind[o] !== OperandKind.Register) continue;
        const flags = fn.opFlags[o] & (OpFlag.Renamable | OpFlag.Undef | OpFlag.Def);
        words.push(`${fn.tables.regName(fn.opVal[o])}:${flags}`);
      }
      lines.push(words.join(' '));
    }
  return lines;
}

/** How many functions of an allocated text machine-cp changes; every one is compared. Null: llc-22 does not read its own text. */
function compare(name: string, text: string, triple: string, cpu: string): number | null {
  const args = [`-mtriple=${triple}`, `-mcpu=${cpu}`, '-run-pass=machine-cp', '-o', '-'];
  const run = runLlc(['-x', 'mir', ...args], text);
  if (run.status !== 0) return null;
  const wanted = lowerMir(run.stdout, { triple, cpu, features: '' });
  let changed = 0;
  for (const [k, fn] of lowerMir(text, { triple, cpu, features: '' }).entries()) {
    const before = registersOf(fn);
    const result = withCopiesPropagated(fn);
    assert.deepEqual(registersOf(fn), before, `${name}: the input stays`);
    const want = registersOf(wanted[k]!);
    assert.deepEqual(registersOf(result), want, `${name}, ${fn.header.name}`);
    if (want.join() !== before.join()) changed++;
  }
  return changed;
}

/** Bodies of blocks that follow each other, by what they show; `R`: renamable. */
const BODIES: Readonly<Record<string, readonly string[]>> = {
  'a reader takes the source': [
    'liveins: $vgpr1',
    'R $vgpr2 = COPY R $vgpr1',
    'R $vgpr3 = V_ADD_U32_e32 1, killed R $vgpr2, implicit $exec',
    'S_ENDPGM 0, implicit $vgpr3',
  ],
  'a reader that may not be renamed': [
    'liveins: $vgpr1',
    'R $vgpr2 = COPY R $vgpr1',
    'R $vgpr3 = V_ADD_U32_e32 1, killed $vgpr2, implicit $exec',
    'S_ENDPGM 0, implicit $vgpr3',
  ],
  'a part of what was copied': [
    'liveins: $vgpr4_vgpr5',
    'R $vgpr2_vgpr3 = COPY R $vgpr4_vgpr5',
    'R $vgpr6 = V_ADD_U32_e32 1, killed R $vgpr3, implicit $exec',
    'S_ENDPGM 0, implicit $vgpr6',
  ],
  'the source changes before': [
    'liveins: $vgpr1',
    'R $vgpr2 = COPY R $vgpr1',
    'R $vgpr1 = V_MOV_B32_e32 7, implicit $exec',
    'R $vgpr3 = V_ADD_U32_e32 R $vgpr1, killed R $vgpr2, implicit $exec',
    'S_ENDPGM 0, implicit $vgpr3',
  ],
  'the same copy again and back': [
    'liveins: $vgpr1',
    'R $vgpr2 = COPY R $vgpr1',
    'R $vgpr2 = COPY R $vgpr1',
    'R $vgpr1 = COPY R $vgpr2',
    'S_ENDPGM 0, implicit $vgpr1, implicit $vgpr2',
  ],
  'a definition writes the result': [
    'liveins: $vgpr1',
    'R $vgpr2 = V_ADD_U32_e32 1, R $vgpr1, implicit $exec',
    'R $vgpr3 = V_ADD_U32_e32 2, R $vgpr2, implicit $exec',
    'R $vgpr4 = COPY killed R $vgpr2',
    'S_ENDPGM 0, implicit $vgpr3, implicit $vgpr4',
  ],
  'a definition whose class has no such result': [
    'liveins: $sgpr1',
    'R $sgpr2 = S_ADD_I32 1, R $sgpr1, implicit-def dead $scc',
    'R $vgpr4 = COPY killed R $sgpr2',
    'S_ENDPGM 0, implicit $vgpr4',
  ],
  'a constant operand takes no VGPR more': [
    'liveins: $sgpr1, $vgpr1',
    'R $vgpr2 = COPY R $sgpr1',
    'R $vgpr3 = V_ADD_U32_e32 R $vgpr1, R $vgpr2, implicit $exec',
    'R $vgpr4 = V_ADD_U32_e32 R $vgpr2, R $vgpr1, implicit $exec',
    'S_ENDPGM 0, implicit $vgpr3, implicit $vgpr4',
  ],
  'from one file to the other and back': [
    'liveins: $sgpr1',
    'R $vgpr2 = COPY R $sgpr1',
    'R $vgpr3 = COPY R $vgpr2',
    'R $agpr4 = COPY R $vgpr3',
    'R $agpr5 = COPY R $agpr4',
    'R $vgpr6 = COPY R $agpr5',
    'S_ENDPGM 0, implicit $vgpr6, implicit $agpr4',
  ],
  'a call between': [
    'liveins: $vgpr1, $vgpr40, $sgpr4_sgpr5',
    'R $vgpr41 = COPY R $vgpr40',
    'R $vgpr2 = COPY R $vgpr1',
    'R $vgpr3 = COPY R $vgpr40',
    'dead $sgpr30_sgpr31 = SI_CALL R $sgpr4_sgpr5, 0, csr_amdgpu, implicit $vgpr3',
    'R $vgpr5 = V_ADD_U32_e32 1, R $vgpr41, implicit $exec',
    'S_ENDPGM 0, implicit $vgpr5, implicit $vgpr41',
  ],
  'reserved registers': [
    'liveins: $sgpr1',
    '$m0 = COPY R $sgpr1',
    'R $sgpr2 = COPY $m0',
    'R $sgpr3 = COPY $exec_lo',
    'R $sgpr4 = S_ADD_I32 R $sgpr2, R $sgpr3, implicit-def dead $scc',
    'S_ENDPGM 0, implicit $sgpr4',
  ],
  'live into the next block, whole and in part': [
    'successors: %bb.1',
    'liveins: $vgpr1, $vgpr6_vgpr7',
    'R $vgpr2 = COPY R $vgpr1',
    'R $vgpr4_vgpr5 = COPY R $vgpr6_vgpr7',
    'R $vgpr8_vgpr9 = COPY R $vgpr6_vgpr7',
    'R $vgpr10 = COPY R $vgpr1',
    'bb.1:',
    'liveins: $vgpr2, $vgpr5, $vgpr8_vgpr9:0x0000000000000003',
    'S_ENDPGM 0, implicit $vgpr2, implicit $vgpr5, implicit $vgpr8',
  ],
  'an implicit reader of a larger register': [
    'liveins: $vgpr1',
    'R $vgpr2 = COPY R $vgpr1',
    'R $vgpr3 = V_MOV_B32_e32 R $vgpr2, implicit $exec, implicit $vgpr2_vgpr3',
    'S_ENDPGM 0, implicit $vgpr3',
  ],
  'assembly with classes': [
    'liveins: $vgpr1, $sgpr1',
    'R $vgpr2 = COPY R $vgpr1',
    'R $vgpr3 = COPY R $sgpr1',
    'INLINEASM &"; use $0 $1", 1, 1769481 /* reguse:VGPR_32 */, R $vgpr2, 1769481 /* reguse:VGPR_32 */, R $vgpr3',
    'S_ENDPGM 0',
  ],
  'without a value': [
    'liveins: $vgpr1',
    'R $vgpr2 = COPY undef R $vgpr1',
    'R $vgpr3 = V_ADD_U32_e32 1, R $vgpr2, implicit $exec',
    'R $vgpr2 = COPY R $vgpr1',
    'S_ENDPGM 0, implicit $vgpr3, implicit $vgpr2',
  ],
};

describe('copies after allocation', function () {
  this.timeout(0);

  for (const cpu of ['gfx908', 'gfx90a'])
    for (const [name, lines] of Object.entries(BODIES))
      it(`${cpu}: ${name}`, function () {
        needsLlc(this);
        const body = lines.map((line) =>
          line.startsWith('bb.') ? `  ${line}` : `    ${line.replaceAll('R $', 'renamable $')}`,
        );
        assert.notEqual(
          compare(name, mirFunction('f', ['  bb.0:', ...body].join('\n')), 'amdgcn-amd-amdhsa', cpu),
          null,
        );
      });

  it(`are those of llc-22: ${RUNS} programs, seed ${SEED}`, function () {
    needsLlc(this);
    if (!hasClang()) skip(this, 'clang-22 is not installed');
    let changed = 0;
    for (let n = 0, programs = 0; programs < RUNS && n < 4 * RUNS + 8; n++) {
      const random = new Random(SEED * 1_000_003 + n);
      const { triple, cpu, ...source } = randomOpenCl(random);
      const { ir } = compileOpenCl({ triple, cpu, ...source });
      const stress = random.chance(50) ? [`-stress-regalloc=${random.pick([4, 6, 8, 12, 20])}`] : [];
      if (ir === null) continue;
      const args = [`-mtriple=${triple}`, `-mcpu=${cpu}`, ...stress, '-stop-after=virtregrewriter,2', '-o', '-'];
      const allocated = runLlc(args, ir);
      const found = allocated.status === 0 ? compare(`program ${n}`, allocated.stdout, triple, cpu) : null;
      if (found === null) continue;
      programs++;
      changed += found;
    }
    assert.ok(changed > 0, 'machine-cp changes nothing');
  });
});
