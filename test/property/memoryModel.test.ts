/** si-memory-legalizer on random accesses of all orders, scopes and memories, single, in bundles and as fences: llc-22, LLVM 24 and amdgpu-mir print the same. */
import { itRunsAsLlc24OnRandomInstrs, itRunsAsLlcOnRandomInstrs } from '../support/randomRuns.js';

const SCOPES = ['', 'agent', 'workgroup', 'wavefront', 'singlethread', 'cluster'].flatMap((scope) => [
  scope === '' ? '' : `syncscope("${scope}") `,
  `syncscope("${scope === '' ? '' : `${scope}-`}one-as") `,
]);
const FLAGS = ['', 'volatile ', 'non-temporal ', 'invariant ', 'volatile invariant '];

const plain = (kind: string, space: number): string[] =>
  FLAGS.map((flags) => `:: (${flags}${kind} (s32), addrspace ${space})`);
const atomic = (kind: string, orders: readonly string[], space: number): string[] =>
  orders.flatMap((order) => SCOPES.map((scope) => `:: (${kind} ${scope}${order} (s32), addrspace ${space})`));

const READS = ['unordered', 'monotonic', 'acquire', 'seq_cst'];
const WRITES = ['unordered', 'monotonic', 'release', 'seq_cst'];
const BOTH = ['monotonic', 'acquire', 'release', 'acq_rel', 'seq_cst', 'acq_rel acquire', 'monotonic seq_cst'];
const TWO_SPACES =
  ':: (load syncscope("agent") seq_cst (s32), addrspace 1), (load syncscope("workgroup") acquire (s32), addrspace 3)';

const lines = (text: string, accesses: readonly string[]): string[] => accesses.map((access) => `${text} ${access}`);
const every = (text: string, kind: string, orders: readonly string[], ...spaces: readonly number[]): string[] =>
  spaces.flatMap((space) =>
    lines(text, [...(kind === 'load store' ? [] : plain(kind, space)), ...atomic(kind, orders, space)]),
  );

/** Fences by the numbers of scopes: those of the file come first, in the order of their mention, which here is none. */
const FENCES = [1, 2, 4, 5, 6, 7].flatMap((order) =>
  Array.from({ length: 10 }, (_, scope) => `ATOMIC_FENCE ${order}, ${scope}`),
);

const OLD = [
  ...every('V1 = FLAT_LOAD_DWORD V2, 0, 0, implicit $exec, implicit $flat_scr', 'load', READS, 0, 1, 3, 5),
  ...every('FLAT_STORE_DWORD V2, V1, 0, 0, implicit $exec, implicit $flat_scr', 'store', WRITES, 0, 1, 3, 5),
  ...every('FLAT_ATOMIC_ADD V2, V1, 0, 0, implicit $exec, implicit $flat_scr', 'load store', BOTH, 0, 1, 3),
  ...every('V1 = FLAT_ATOMIC_SWAP_RTN V2, V1, 0, 1, implicit $exec, implicit $flat_scr', 'load store', BOTH, 0, 1),
  ...every('V1 = BUFFER_LOAD_DWORD_OFFEN V1, S4, S1, 0, 0, 0, implicit $exec', 'load', READS, 5, 8),
  ...every('BUFFER_STORE_DWORD_OFFEN V1, V1, S4, S1, 0, 0, 0, implicit $exec', 'store', WRITES, 5, 1),
  ...every('V1 = DS_READ_B32_gfx9 V1, 0, 0, implicit $exec', 'load', READS, 3, 2),
  ...every('DS_WRITE_B32_gfx9 V1, V1, 0, 0, implicit $exec', 'store', WRITES, 3, 2),
  ...every('V1 = DS_ADD_RTN_U32_gfx9 V1, V1, 0, 0, implicit $exec', 'load store', BOTH, 3, 2),
  `V1 = FLAT_LOAD_DWORD V2, 0, 0, implicit $exec, implicit $flat_scr ${TWO_SPACES}`,
  'V1 = FLAT_LOAD_DWORD V2, 0, 0, implicit $exec, implicit $flat_scr',
  'FLAT_STORE_DWORD V2, V1, 0, 0, implicit $exec, implicit $flat_scr',
  'V1 = FLAT_ATOMIC_SWAP_RTN V2, V1, 0, 1, implicit $exec, implicit $flat_scr',
  'BUFFER_ATOMIC_ADD_OFFSET V1, S4, S1, 0, 0, implicit $exec',
  'BUFFER_ATOMIC_ADD_OFFSET V1, S4, S1, 0, 0, implicit $exec :: (load store (s32), addrspace 8)',
  'BUFFER_LOAD_DWORD_LDS_OFFEN V1, S4, 0, 0, 0, 0, implicit $exec, implicit $m0',
  ...lines(
    'BUFFER_LOAD_DWORD_LDS_OFFEN V1, S4, 0, 0, 0, 0, implicit $exec, implicit $m0',
    FLAGS.map((f) => `:: (${f}load (s32), addrspace 8), (${f}store (s32), addrspace 3)`),
  ),
  ...[...FENCES, ...FENCES, ...FENCES],
];
const SCRATCH = [
  ...every('V1 = SCRATCH_LOAD_DWORD_SADDR S1, 0, 0, implicit $exec, implicit $flat_scr', 'load', READS, 5),
  ...every('SCRATCH_STORE_DWORD_SADDR V1, S1, 0, 0, implicit $exec, implicit $flat_scr', 'store', WRITES, 5),
  ...every('V1 = GLOBAL_LOAD_DWORD V2, 0, 0, implicit $exec', 'load', READS, 1),
  ...every('GLOBAL_STORE_DWORD V2, V1, 0, 0, implicit $exec', 'store', WRITES, 1),
  ...every('GLOBAL_ATOMIC_ADD V2, V1, 0, 0, implicit $exec', 'load store', BOTH, 1),
  ...lines(
    'V1 = GLOBAL_LOAD_DWORD V2, 0, 0, implicit $exec',
    ['', 'volatile '].map((f) => `:: (${f}"amdgpu-last-use" load (s32), addrspace 1)`),
  ),
  'V1 = GLOBAL_LOAD_DWORD V2, 0, 0, implicit $exec :: ("amdgpu-cooperative" load syncscope("workgroup") monotonic (s32), addrspace 1)',
  'GLOBAL_STORE_DWORD V2, V1, 0, 0, implicit $exec :: ("amdgpu-cooperative" store syncscope("agent") release (s32), addrspace 1)',
];
const ACCESSES = `\n${[...OLD, ...SCRATCH].join('\n')}\n`;

describe('the memory model, as llc-22', () => itRunsAsLlcOnRandomInstrs('si-memory-legalizer', 30, ACCESSES));

describe('the memory model', () => itRunsAsLlc24OnRandomInstrs('si-memory-legalizer', 8, ACCESSES));
