/**
 * Instructions for random functions that the analysis of uniformity judges each by a rule of its own: sources of divergence of every kind, what is always uniform, and
 * neighbours of both. `{=word}` defines a value of that type, `{word}` reads one, `{a=CLASS}` defines a register for the same text alone and `{a}` reads it.
 */

const ADDRESS_SPACES = ['', ...[0, 1, 3, 4, 5].map((space) => ` :: (load (s32), addrspace ${space})`)];
const TWO_MEM_OPERANDS = ' :: (load (s32), addrspace 1), (load (s32), addrspace 5)';

const intrinsic = (result: string, name: string, operands = '', kind = ''): string =>
  `${result} = G_INTRINSIC${kind} intrinsic(@llvm.amdgcn.${name})${operands === '' ? '' : ', '}${operands}`;
const W = '_W_SIDE_EFFECTS';
const C = '_CONVERGENT';
const CALL = '0, csr_amdgpu, implicit-def $vgpr0, implicit-def $sgpr0';

export const GENERIC_SOURCES: readonly string[] = [
  intrinsic('{=word}', 'mbcnt.lo', '{word}(s32), {word}(s32)'),
  intrinsic('{=word}', 'mbcnt.hi', '{word}(s32), {word}(s32)'),
  intrinsic('{=word}', 'readlane', '{word}(s32), {word}(s32)', C),
  intrinsic('{=word}', 'writelane', '{word}(s32), {word}(s32), {word}(s32)', C),
  intrinsic('{=offset}', 'ballot', '{bit}(s1)', C),
  intrinsic('{=bit}', 'inverse.ballot', '{offset}(s64)', C),
  intrinsic('{=word}', 'wave.reduce.umin', '{word}(s32), 0', C),
  intrinsic('{=word}', 'update.dpp', '{word}(s32), {word}(s32), 0, 0, 0, 0', C),
  intrinsic('{=word}', 'permlane16', '{word}(s32), {word}(s32), {word}(s32), {word}(s32), 0, 0', C),
  intrinsic('{=word}', 'ds.bpermute', '{word}(s32), {word}(s32)', C),
  intrinsic('{=word}', 'ds.swizzle', '{word}(s32), 7', C),
  intrinsic('{=word}', 'strict.wwm', '{word}(s32)', C),
  intrinsic('{=word}', 'workgroup.id.x'),
  intrinsic('{=word}', 's.getreg', '1', W),
  intrinsic('{=offset}', 's.memrealtime', '', W),
  intrinsic('{=bit}', 'live.mask', '', W),
  intrinsic('{=word}', 'interp.mov', '0, 0, 0, {word}(s32)'),
  intrinsic('{=word}', 'raw.buffer.atomic.add', '{word}(s32), {a}(<4 x s32>), {word}(s32), {word}(s32), 0', W).replace(
    /^/,
    '{a=_(<4 x s32>)} = G_IMPLICIT_DEF\n',
  ),
  intrinsic('{=bit}, {=offset}', 'if', '{bit}(s1)', W),
  intrinsic('{=bit}, {=offset}', 'else', '{offset}(s64)', W),
  intrinsic('{=offset}', 'if.break', '{bit}(s1), {offset}(s64)'),
  intrinsic('{=bit}', 'loop', '{offset}(s64)', W),
  'G_INTRINSIC_W_SIDE_EFFECTS intrinsic(@llvm.amdgcn.end.cf), {offset}(s64)',
  ...ADDRESS_SPACES.slice(1).map((m) => `{=word} = G_LOAD {pointer}(p1)${m}`),
  ...[0, 1, 5].flatMap((space) =>
    ['SEXT', 'ZEXT'].map((ext) => `{=word} = G_${ext}LOAD {pointer}(p1) :: (load (s8), addrspace ${space})`),
  ),
  'G_STORE {word}(s32), {pointer}(p1) :: (store (s32), addrspace 1)',
  '{=word} = G_ATOMIC_CMPXCHG {pointer}(p1), {word}, {word} :: (load store seq_cst seq_cst (s32), addrspace 1)',
  '{=word} = G_ATOMICRMW_FADD {pointer}(p1), {word} :: (load store seq_cst (s32), addrspace 3)',
  '{a=_(<2 x s32>)} = G_BUILD_VECTOR {word}(s32), {word}(s32)\n{=word} = G_AMDGPU_ATOMIC_CMPXCHG {pointer}(p1), {a} :: (load store seq_cst seq_cst (s32), addrspace 1)',
  '{a=_(p5)} = G_INTTOPTR {word}(s32)\n{b=_(p0)} = G_ADDRSPACE_CAST {a}(p5)\n{=offset} = G_PTRTOINT {b}(p0)',
  '{a=_(p3)} = G_INTTOPTR {word}(s32)\n{b=_(p0)} = G_ADDRSPACE_CAST {a}(p3)\n{=offset} = G_PTRTOINT {b}(p0)',
  '{=word}, {=word} = G_UNMERGE_VALUES {offset}(s64)',
  '{=offset} = G_MERGE_VALUES {word}(s32), {word}(s32)',
  '{=word}, {=bit} = G_UADDO {word}, {word}',
  ...['sgpr', 'vgpr', 'agpr'].map((bank) => `{a=${bank}(s32)} = COPY {word}(s32)\n{=word} = COPY {a}(s32)`),
  ...['sgpr', 'vgpr', 'vcc'].map((bank) => `{a=${bank}(s1)} = COPY {bit}(s1)\n{=bit} = COPY {a}(s1)`),
  '{a=sgpr(s32)} = G_ADD {word}, {word}\n{=word} = COPY {a}(s32)',
  '{a=sgpr(s32)} = G_FREEZE {word}\n{b=vgpr(s32)} = COPY {a}(s32)\n{=word} = G_ADD {b}, {word}',
  '{a=sreg_32(s1)} = COPY {bit}(s1)\n{=bit} = COPY {a}(s1)',
  '{a=vgpr_32(s32)} = COPY {word}(s32)\n{=word} = COPY {a}(s32)',
  '{a=sreg_32(s32)} = COPY {word}(s32)\n{=word} = COPY {a}(s32)',
  ...['vgpr1', 'sgpr1', 'agpr3', 'm0', 'vcc_lo', 'exec_hi'].map((reg) => `{=word} = COPY $${reg}`),
  ...['vcc', 'exec', 'vgpr2_vgpr3'].map((reg) => `{=offset} = COPY $${reg}`),
  'INLINEASM &"", 1, 10, def {a=vgpr_32}\n{=word} = COPY {a}',
  'INLINEASM &"", 1, 10, def {a=vgpr_32}, 9, {word}(s32)\n{=word} = COPY {a}',
  'INLINEASM &"", 1, 10, def {a=sreg_32}, 9, {word}(s32)\n{=word} = COPY {a}',
  `$sgpr30_sgpr31 = G_SI_CALL {pointer}(p1), ${CALL}\n{=word} = COPY $vgpr0`,
  `$sgpr30_sgpr31 = G_SI_CALL {pointer}(p1), ${CALL}\n{=word} = COPY $sgpr0`,
  '{=word} = G_TRUNC {offset}(s64)',
  '{a=_(s64)} = G_READCYCLECOUNTER\n{=word} = G_TRUNC {a}(s64)',
];

const PAIR = '{a=vreg_64_align2} = REG_SEQUENCE {vgpr}, %subreg.sub0, {sgpr}, %subreg.sub1\n';
const SCALAR_PAIR = '{a=sreg_64_xexec_xnull} = REG_SEQUENCE {sgpr}, %subreg.sub0, {sgpr}, %subreg.sub1\n';
const RESOURCE = '{r=sgpr_128} = IMPLICIT_DEF\n';
const EXEC = 'implicit $exec';

export const SELECTED_SOURCES: readonly string[] = [
  ...[...ADDRESS_SPACES, TWO_MEM_OPERANDS].flatMap((m) => [
    `${PAIR}{=vgpr} = FLAT_LOAD_DWORD {a}, 0, 0, ${EXEC}, implicit $flat_scr${m}`,
    `${PAIR}{=vgpr} = GLOBAL_LOAD_DWORD {a}, 0, 0, ${EXEC}${m}`,
    `${SCALAR_PAIR}{=vgpr} = GLOBAL_LOAD_DWORD_SADDR {a}, {vgpr}, 0, 0, ${EXEC}${m}`,
    `{s=sreg_32_xexec_hi} = COPY {sgpr}\n{=vgpr} = SCRATCH_LOAD_DWORD_SADDR {s}, 0, 0, ${EXEC}, implicit $flat_scr${m}`,
    `{=vgpr} = SCRATCH_LOAD_DWORD_ST 0, 0, ${EXEC}, implicit $flat_scr${m}`,
    `${RESOURCE}{=vgpr} = BUFFER_LOAD_DWORD_OFFSET {r}, {sgpr}, 0, 0, 0, ${EXEC}${m}`,
  ]),
  `${RESOURCE}{=vgpr} = BUFFER_LOAD_DWORD_OFFEN {vgpr}, {r}, {sgpr}, 0, 0, 0, ${EXEC}`,
  `{=vgpr} = DS_READ_B32_gfx9 {vgpr}, 0, 0, ${EXEC}`,
  `${SCALAR_PAIR}{s=sreg_32_xm0_xexec} = S_LOAD_DWORD_IMM {a}, 0, 0\n{=sgpr} = COPY {s}`,
  `${PAIR}{=vgpr} = GLOBAL_ATOMIC_ADD_RTN {a}, {vgpr}, 0, 1, ${EXEC}`,
  `${PAIR}FLAT_ATOMIC_ADD {a}, {vgpr}, 0, 0, ${EXEC}, implicit $flat_scr`,
  `{=vgpr} = DS_ADD_RTN_U32_gfx9 {vgpr}, {vgpr}, 0, 0, ${EXEC}`,
  `${RESOURCE}{=vgpr} = BUFFER_ATOMIC_ADD_OFFSET_RTN {vgpr}, {r}, {sgpr}, 0, 1, ${EXEC}`,
  '{=sgpr} = V_READLANE_B32 {vgpr}, {sgpr}',
  '{=vgpr} = V_WRITELANE_B32 {sgpr}, 1, {vgpr}(tied-def 0)',
  `{=vgpr} = V_MOV_B32_dpp {vgpr}(tied-def 0), {vgpr}, 0, 15, 15, 0, ${EXEC}`,
  `{=vgpr} = V_INTERP_MOV_F32 0, 0, 0, implicit $mode, implicit $m0, ${EXEC}`,
  `{=vgpr} = V_MOV_B32_e32 $vgpr1, ${EXEC}`,
  `{=vgpr} = V_MOV_B32_e32 $sgpr1, ${EXEC}`,
  `{=vgpr} = V_MOV_B32_e32 undef {vgpr}, ${EXEC}`,
  `{=vgpr} = V_ADD_U32_e32 {sgpr}, undef {vgpr}, ${EXEC}`,
  `V_CMP_EQ_U32_e32 {sgpr}, {vgpr}, implicit-def $vcc, ${EXEC}\n{=vgpr} = V_CNDMASK_B32_e32 1, {vgpr}, implicit $vcc, ${EXEC}`,
  `{=vgpr}, {=mask} = V_ADD_CO_U32_e64 {sgpr}, 1, 0, ${EXEC}`,
  ...['agpr1', 'vgpr1', 'sgpr1'].map((reg) => `{=vgpr} = COPY $${reg}`),
  ...['vgpr1', 'm0', 'vcc_hi', 'exec_lo', 'scc'].map((reg) => `{=sgpr} = COPY $${reg}`),
  `${PAIR}{=vgpr} = COPY {a}.sub1`,
  `${PAIR}{=sgpr} = COPY {a}.sub0`,
  `${SCALAR_PAIR}{=vgpr} = COPY {a}.sub1`,
  `{a=agpr_32} = V_ACCVGPR_WRITE_B32_e64 {vgpr}, ${EXEC}\n{=vgpr} = V_ACCVGPR_READ_B32_e64 {a}, ${EXEC}`,
  '{a=agpr_32} = COPY {sgpr}\n{=vgpr} = COPY {a}',
  '{a=av_32} = COPY {sgpr}\n{=vgpr} = COPY {a}',
  '{a=vreg_1} = COPY {mask}\n{=mask} = COPY {a}',
  `{=vgpr} = STRICT_WWM {vgpr}, ${EXEC}`,
  `{=vgpr} = WWM_COPY {sgpr}`,
  '{=vgpr} = SI_SPILL_S32_TO_VGPR {sgpr}, 0, {vgpr}(tied-def 0)',
  '{=sgpr} = SI_RESTORE_S32_FROM_VGPR {vgpr}, 0',
  'INLINEASM &"", 1, 10, def {=vgpr}',
  'INLINEASM &"", 1, 10, def {=vgpr}, 9, {sgpr}',
  'INLINEASM &"", 1, 10, def {=vgpr}, 9, {vgpr}',
  'INLINEASM &"", 1, 10, def {=sgpr}, 10, implicit-def $vgpr5',
  `${SCALAR_PAIR}$sgpr30_sgpr31 = SI_CALL {a}, ${CALL}\n{=vgpr} = COPY $vgpr0`,
  `${SCALAR_PAIR}$sgpr30_sgpr31 = SI_CALL {a}, ${CALL}\n{=sgpr} = COPY $sgpr0`,
  '{=vgpr} = IMPLICIT_DEF',
  '{=sgpr} = IMPLICIT_DEF',
  '{=sgpr} = S_GETREG_B32 1, implicit $mode',
  '{=sgpr} = S_CSELECT_B32 {sgpr}, {sgpr}, implicit undef $scc',
  '{=mask} = SI_IF_BREAK {mask}, {mask}, implicit-def dead $scc',
  `SI_END_CF {mask}, implicit-def dead $exec, implicit-def dead $scc, ${EXEC}`,
  `BUNDLE implicit-def $vgpr6, implicit {vgpr}, ${EXEC} {\n  $vgpr6 = V_MOV_B32_e32 {vgpr}, ${EXEC}\n}`,
  `BUNDLE implicit {sgpr}, ${EXEC} {\n  {=vgpr} = V_MOV_B32_e32 {sgpr}, ${EXEC}\n}`,
];

/** Branches to `{to}`, to be followed by others. */
export const GENERIC_BRANCHES: readonly string[] = [
  'G_BRCOND {bit}(s1), {to}',
  `{b=_(s1)}, {=offset} = G_INTRINSIC${W} intrinsic(@llvm.amdgcn.if), {bit}(s1)\nG_BRCOND {b}(s1), {to}`,
  `{b=_(s1)} = G_INTRINSIC${W} intrinsic(@llvm.amdgcn.loop), {offset}(s64)\nG_BRCOND {b}(s1), {to}`,
];

const CONTROL = `implicit-def dead $exec, implicit-def dead $scc, ${EXEC}`;
export const SELECTED_BRANCHES: readonly string[] = [
  `{m=mask} = SI_ELSE {mask}, {to}, ${CONTROL}`,
  `{m=mask} = SI_IF {mask}, {to}, ${CONTROL}`,
  `SI_LOOP {mask}, {to}, ${CONTROL}`,
  `S_CBRANCH_EXECZ {to}, ${EXEC}`,
  'S_CBRANCH_VCCZ {to}, implicit undef $vcc',
];
