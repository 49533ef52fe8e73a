/** Registers and memory of functions together with what they call, against llc-22's assembly. */
import assert from 'node:assert/strict';
import { allocatedUse } from '../../../server/src/analysis/allocatedUse.js';
import { moduleUse } from '../../../server/src/analysis/frame/moduleUse.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { lowerMir } from '../../support/mir.js';

const TRIPLE = 'amdgcn-amd-amdhsa';

const ENTRY_ARGUMENTS = [
  '  argumentInfo:',
  "    privateSegmentBuffer: { reg: '$sgpr0_sgpr1_sgpr2_sgpr3' }",
  "    flatScratchInit: { reg: '$sgpr6_sgpr7' }",
  "    privateSegmentWaveByteOffset: { reg: '$sgpr9' }",
];

interface Part {
  readonly name: string;
  readonly convention?: string;
  readonly calls: readonly string[];
  readonly vgpr: number;
  readonly bytes: number;
}

/** A file whose functions write `vgpr`, have an object of `bytes` and call each other; what is called and not among them is declared. */
function moduleOf(parts: readonly Part[]): string {
  const names = new Set(parts.map((p) => p.name));
  const declared = new Set(parts.flatMap((p) => p.calls).filter((c) => !names.has(c)));
  const ir = [
    ...parts.map((p) => `  define ${p.convention ?? ''} void @${p.name}() norecurse { ret void }`),
    ...[...declared].map((name) => `  declare void @${name}()`),
  ];
  const bodies = parts.map((p) => {
    const isEntry = p.convention === 'amdgpu_kernel';
    return [
      '---',
      `name: ${p.name}`,
      'tracksRegLiveness: true',
      'frameInfo:',
      '  maxAlignment: 4',
      ...(p.calls.length > 0 ? ['  hasCalls: true', '  adjustsStack: true'] : []),
      ...(p.bytes > 0 ? ['stack:', `  - { id: 0, size: ${p.bytes}, alignment: 4 }`] : []),
      'machineFunctionInfo:',
      `  isEntryFunction: ${isEntry}`,
      "  stackPtrOffsetReg: '$sgpr32'",
      "  frameOffsetReg: '$sgpr33'",
      `  scratchRSrcReg: '${isEntry ? '$sgpr96_sgpr97_sgpr98_sgpr99' : '$sgpr0_sgpr1_sgpr2_sgpr3'}'`,
      ...(isEntry ? ENTRY_ARGUMENTS : []),
      'body: |',
      '  bb.0:',
      `    S_NOP 0, implicit-def $vgpr${p.vgpr}`,
      ...p.calls.map((c) => `    dead $sgpr30_sgpr31 = SI_CALL undef $sgpr4_sgpr5, @${c}, csr_amdgpu`),
      isEntry ? '    S_ENDPGM 0' : '    SI_RETURN',
      '...',
      '',
    ].join('\n');
  });
  return ['--- |', ...ir, '...', ...bodies].join('\n');
}

/** Values of the symbols of an assembly text, whose expressions are sums, `max` and `or`. */
function symbolsOf(asm: string): (name: string) => number {
  const texts = new Map([...asm.matchAll(/^\s*\.set ([\w.]+), (.*)$/gm)].map((m) => [m[1], m[2]]));
  const valueOf = (name: string): number => sum(texts.get(name)!);
  const sum = (text: string): number => {
    const call = /^(?:(\d+)\+)?(max|or)\((.*)\)$/.exec(text);
    if (call === null) return /^\d+$/.test(text) ? Number(text) : valueOf(text);
    const values = call[3].split(', ').map(sum);
    const all = call[2] === 'max' ? Math.max(...values) : values.reduce((a, b) => a | b, 0);
    return Number(call[1] ?? 0) + all;
  };
  return valueOf;
}

const CASES: readonly (readonly [string, readonly Part[]])[] = [
  [
    'a chain of calls',
    [
      { name: 'leaf', calls: [], vgpr: 70, bytes: 16 },
      { name: 'middle', calls: ['leaf'], vgpr: 20, bytes: 32 },
      { name: 'kernel', convention: 'amdgpu_kernel', calls: ['middle'], vgpr: 3, bytes: 8 },
    ],
  ],
  [
    'a function that two call',
    [
      { name: 'leaf', calls: [], vgpr: 9, bytes: 400 },
      { name: 'left', calls: ['leaf'], vgpr: 35, bytes: 0 },
      { name: 'right', calls: ['leaf'], vgpr: 12, bytes: 64 },
      { name: 'kernel', convention: 'amdgpu_kernel', calls: ['left', 'right'], vgpr: 3, bytes: 0 },
    ],
  ],
  [
    'a declared function, which may need what the most demanding one does',
    [
      { name: 'other', calls: [], vgpr: 120, bytes: 1000 },
      { name: 'near', calls: [], vgpr: 33, bytes: 100 },
      { name: 'kernel', convention: 'amdgpu_kernel', calls: ['near', 'far'], vgpr: 3, bytes: 4 },
    ],
  ],
  [
    'kernels, of which no other knows',
    [
      { name: 'big', convention: 'amdgpu_kernel', calls: [], vgpr: 200, bytes: 0 },
      { name: 'small', convention: 'amdgpu_kernel', calls: ['far'], vgpr: 3, bytes: 0 },
    ],
  ],
];

describe('functions together with what they call', () => {
  for (const cpu of ['gfx803', 'gfx90a', 'gfx1030'])
    for (const [title, parts] of CASES)
      it(`need what llc-22 says on ${cpu}: ${title}`, function () {
        needsLlc(this);
        const text = moduleOf(parts);
        const args = [`-mtriple=${TRIPLE}`, `-mcpu=${cpu}`];
        const llc = runLlc(['-x', 'mir', ...args, '-start-after=virtregrewriter,2', '-o', '-'], text);
        assert.equal(llc.status, 0, llc.stderr);
        const symbol = symbolsOf(llc.stdout);
        const uses = moduleUse(
          lowerMir(text, { triple: TRIPLE, cpu }).map((fn) => ({ fn, own: allocatedUse(fn).own })),
        );
        assert.equal(uses.size, parts.length);
        for (const [name, { use, hasIndirectCall }] of uses) {
          const wanted = ['num_vgpr', 'num_agpr', 'numbered_sgpr', 'private_seg_size', 'uses_vcc'].map((key) =>
            symbol(`${name}.${key}`),
          );
          assert.deepEqual([use.vgpr, use.agpr, use.sgpr, use.scratchBytes, Number(use.usesVCC)], wanted, name);
          assert.equal(hasIndirectCall, parts.find((p) => p.name === name)!.calls.includes('far'));
        }
      });

  it('may call each other in a circle', () => {
    const text = moduleOf([
      { name: 'a', calls: ['b'], vgpr: 50, bytes: 8 },
      { name: 'b', calls: ['a', 'leaf'], vgpr: 10, bytes: 0 },
      { name: 'leaf', calls: [], vgpr: 99, bytes: 0 },
    ]);
    const fns = lowerMir(text, { triple: TRIPLE, cpu: 'gfx90a' });
    const uses = moduleUse(fns.map((fn) => ({ fn, own: allocatedUse(fn).own })));
    assert.deepEqual(
      [...uses.values()].map((u) => u.use.vgpr),
      [100, 100, 100],
    );
  });
});
