/**
 * Rules of the machine verifier, each on an input of its own. The expected messages are llc-22's: where it is installed,
 * the same table is compared with what it prints, with all lines of the reports.
 */
import assert from 'node:assert';
import { printVerifierReports } from '../../../server/src/analysis/verifier/index.js';
import { needsLlc } from '../../support/llc.js';
import { llcStderr, messagesIn, verifyText, withoutAddresses } from '../../support/verify.js';

interface Rule {
  readonly name: string;
  /** default gfx900 */
  readonly cpu?: string;
  /** lines between `name:` and `body:` */
  readonly header?: string;
  /** document before the function */
  readonly ir?: string;
  /** body without the indentation of the YAML block; one block `bb.0` that ends the program if it has no label */
  readonly body: string;
  readonly messages: readonly string[];
  /** llc shows a part of an address as if it were a number: other texts from run to run */
  readonly showsAddress?: boolean;
}

function textOf({ header = '', ir = '', body }: Rule): string {
  const tracks = header.includes('tracksRegLiveness') ? '' : 'tracksRegLiveness: true\n';
  const blocks = body.includes('bb.0') ? body : `bb.0:\n${body.replaceAll(/^/gm, '  ')}\n  S_ENDPGM 0`;
  const lines = blocks.replaceAll(/^/gm, '  ');
  return `${ir}---\nname: f\n${tracks}${header === '' ? '' : `${header}\n`}body: |\n${lines}\n...\n`;
}

const UNDEFINED = 'Using an undefined physical register';
const ILLEGAL_VREG = 'Illegal virtual register for instruction';
const DOMINATE = "Virtual register defs don't dominate all uses.";
const BUS = 'VOP* instruction violates constant bus restriction';
const NO_ASM_FLAGS = ['Asm flags must be an immediate', 'Unknown asm flags'];
const stack = (bytes: number): string => `stack:\n  - { id: 0, size: ${bytes}, alignment: ${bytes} }`;
const SMALL_STACK = stack(4);
const LARGE_STACK = stack(64);
const baseIR = (convention: string, attributes: string): string =>
  `--- |\n  define ${convention} void @f() ${attributes} {\n    unreachable\n  }\n...\n`;
const TOKEN = '%1:sreg_64 = CONVERGENCECTRL_ANCHOR';
const MIXED = 'Cannot mix controlled and uncontrolled convergence in the same function.';
const CALL_FRAME = 'implicit-def dead $scc, implicit-def dead $sgpr32, implicit undef $sgpr32';

const RULES: Record<string, readonly Rule[]> = {
  'control flow': [
    {
      name: 'edge lists with duplicates',
      body: 'bb.0:\n  successors: %bb.1, %bb.1\n  S_NOP 1\nbb.1:\n  S_ENDPGM 0',
      messages: [
        'MBB has duplicate entries in its successor list.',
        'MBB has duplicate entries in its predecessor list.',
      ],
    },
    {
      name: 'an instruction after two terminators: the first one is named',
      body: 'bb.0:\n  successors: %bb.1\n  S_CBRANCH_SCC1 %bb.1, implicit undef $scc\n  S_BRANCH %bb.1\n  S_NOP 0\n  S_BRANCH %bb.1\nbb.1:\n  S_ENDPGM 0',
      messages: ['Non-terminator instruction after the first terminator'],
    },
    {
      name: 'branch to a block that is no successor, successor that nothing leads to',
      body: 'bb.0:\n  successors: %bb.2\n  S_BRANCH %bb.1\nbb.1:\n  S_ENDPGM 0\nbb.2:\n  S_ENDPGM 0',
      messages: [
        "MBB exits via jump or conditional branch, but its target isn't a CFG successor!",
        'MBB has unexpected successors which are not branch targets, fallthrough, EHPads, or inlineasm_br targets.',
      ],
    },
    {
      name: 'conditional fall-through that the successor list lacks',
      body: 'bb.0:\n  successors: %bb.2\n  S_CBRANCH_VCCNZ %bb.2, implicit undef $vcc\nbb.1:\n  S_ENDPGM 0\nbb.2:\n  S_ENDPGM 0',
      messages: [
        "MBB exits via conditional branch/fall-through but the CFG successors don't match the actual successors!",
      ],
    },
    {
      name: 'falling out of the function',
      body: 'bb.0:\n  successors: %bb.0\n  S_CBRANCH_SCC0 %bb.0, implicit undef $scc',
      messages: ['MBB conditionally falls through out of function!'],
    },
    {
      name: 'both targets of a branch missing from the successors',
      body: 'bb.0:\n  successors:\n  S_CBRANCH_SCC0 %bb.1, implicit undef $scc\n  S_BRANCH %bb.2\nbb.1:\n  S_ENDPGM 0\nbb.2:\n  S_ENDPGM 0',
      messages: [
        "MBB exits via jump or conditional branch, but its target isn't a CFG successor!",
        "MBB exits via conditional branch, but its target isn't a CFG successor!",
      ],
    },
    {
      name: 'what the branch analysis does not understand may have any successors',
      body: 'bb.0:\n  successors: %bb.1, %bb.2\n  S_SETPC_B64 undef $sgpr4_sgpr5\nbb.1:\n  S_ENDPGM 0\nbb.2:\n  S_ENDPGM 0',
      messages: [],
    },
    {
      name: 'instructions after a terminator',
      body: 'bb.0:\n  S_BRANCH %bb.1\n  S_NOP 0\n  S_NOP 0\nbb.1:\n  S_ENDPGM 0',
      messages: [
        'Non-terminator instruction after the first terminator',
        'Non-terminator instruction after the first terminator',
      ],
    },
    {
      name: 'a bundle with a terminator counts as one',
      body: 'bb.0:\n  BUNDLE {\n    S_NOP 0\n    S_BRANCH %bb.1\n  }\n  S_NOP 0\nbb.1:\n  S_ENDPGM 0',
      messages: ['Non-terminator instruction after the first terminator'],
    },
    {
      name: 'members of bundles are no PHIs of the function, nor does it ask them whether ties are rewritten',
      cpu: 'gfx1250',
      body: [
        'bb.0:',
        '  %0:vgpr_32 = IMPLICIT_DEF',
        'bb.1:',
        '  BUNDLE implicit %0, implicit-def %1 {',
        '    %1:vgpr_32 = PHI %0, %bb.0',
        '    FAKE_USE %0',
        '    %2:vgpr_32 = V_SAT_PK4_U4_U8_dpp %0, %0, 256, 15, 15, 15, implicit $exec',
        '  }',
        '  %3:vgpr_32 = V_SAT_PK4_U4_U8_dpp %3, %0, 256, 15, 15, 15, implicit $exec',
        '  S_ENDPGM 0',
      ].join('\n'),
      messages: [
        'Found PHI instruction with NoPHIs property set',
        'Found PHI instruction after non-PHI',
        'Invalid dpp_ctrl value',
        'Two-address instruction operands must be identical',
        'Invalid dpp_ctrl value',
        DOMINATE,
      ],
    },
    {
      name: 'a bundle without members',
      body: 'BUNDLE {\n}\nS_NOP 0',
      messages: ['Missing BundledPred flag, BundledSucc was set on predecessor'],
    },
    {
      name: 'block address that nobody takes',
      ir: '--- |\n  define void @f() {\n  start:\n    ret void\n  }\n...\n',
      body: 'bb.0.start (ir-block-address-taken %ir-block.start):\n  S_ENDPGM 0',
      messages: ['ir-block-address-taken is associated with basic block not used by a blockaddress.'],
    },
    {
      name: 'block address that a global takes',
      ir: '--- |\n  @table = global [1 x ptr] [ptr blockaddress(@f, %next)]\n  define void @f() {\n  start:\n    br label %next\n  next:\n    ret void\n  }\n...\n',
      body: 'bb.0.start:\n  S_BRANCH %bb.1\nbb.1.next (ir-block-address-taken %ir-block.next):\n  S_ENDPGM 0',
      messages: [],
    },
    {
      name: 'live-in after the entry while there are PHIs',
      body: 'bb.0:\n  liveins: $vgpr3\n  %0:vgpr_32 = IMPLICIT_DEF\nbb.1:\n  liveins: $vgpr3, $exec\n  %1:vgpr_32 = PHI %0, %bb.0\n  S_ENDPGM 0',
      messages: ["MBB has allocatable live-in, but isn't entry, landing-pad, or inlineasm-br-indirect-target."],
    },
  ],
  'call frames and stack': [
    {
      name: 'set-up and destruction of different size',
      body: `ADJCALLSTACKUP 16, 4, ${CALL_FRAME}\nADJCALLSTACKDOWN 16, 0, ${CALL_FRAME}`,
      messages: ['FrameDestroy <n> is after FrameSetup <m>', 'A return block ends with a nonzero stack adjustment.'],
    },
    {
      name: 'second set-up, never destroyed',
      body: `ADJCALLSTACKUP 4, 0, ${CALL_FRAME}\nADJCALLSTACKUP 4, 0, ${CALL_FRAME}`,
      messages: [
        'FrameSetup is after another FrameSetup',
        'A return block ends with a FrameSetup.',
        'A return block ends with a nonzero stack adjustment.',
      ],
    },
    {
      name: 'destruction without set-up, function not SSA',
      header: 'isSSA: false',
      body: `ADJCALLSTACKDOWN 0, 0, ${CALL_FRAME}`,
      messages: [
        'FrameDestroy is not after a FrameSetup',
        'AdjustsStack not set in presence of a frame pseudo instruction.',
      ],
    },
    {
      name: 'states that differ around a loop',
      body: `bb.0:\n  S_NOP 0\nbb.1:\n  ADJCALLSTACKUP 8, 0, ${CALL_FRAME}\n  S_CBRANCH_SCC1 %bb.1, implicit undef $scc\nbb.2 (call-frame-size 8):\n  ADJCALLSTACKDOWN 8, 0, ${CALL_FRAME}\n  S_ENDPGM 0`,
      messages: [
        'The exit stack state of a predecessor is inconsistent.',
        'The entry stack state of a successor is inconsistent.',
      ],
    },
    {
      name: 'stack protector below another object',
      header:
        "frameInfo:\n  stackSize: 32\n  stackProtector: '%stack.0'\nstack:\n  - { id: 0, offset: 8, size: 4 }\n  - { id: 1, offset: 0, size: 8 }",
      body: 'S_NOP 0',
      messages: ['Stack protector is not the top-most object on the stack'],
    },
    {
      name: 'stack protector over another object',
      header:
        "frameInfo:\n  stackSize: 32\n  stackProtector: '%stack.0'\nstack:\n  - { id: 0, offset: 0, size: 8 }\n  - { id: 1, offset: 4, size: 8 }",
      body: 'S_NOP 0',
      messages: ['Stack protector overlaps with another stack object'],
    },
  ],
  'operand places': [
    {
      name: 'none given',
      body: 'S_SLEEP',
      messages: ['Too few operands', 'Expected immediate, but got non-immediate'],
    },
    {
      name: 'one too many',
      body: 'S_NOP 0, 1',
      messages: ['Extra explicit operand on non-variadic instruction'],
    },
    {
      name: 'an implicit operand that fills a missing place',
      body: '%0:vgpr_32 = V_MOV_B32_e32 implicit $exec',
      messages: [
        'Operand has incorrect register class.',
        'Explicit operand marked as implicit',
        'Illegal physical register for instruction',
      ],
    },
    {
      name: 'the mask as an explicit operand too many',
      body: '%0:vgpr_32 = V_MOV_B32_e32 0, $exec',
      messages: ['Extra explicit operand on non-variadic instruction'],
    },
    {
      name: 'a definition that is none',
      body: 'V_MOV_B32_e32 undef $vgpr0, undef $vgpr1, implicit $exec',
      messages: ['Explicit definition marked as use'],
    },
    {
      name: 'an immediate for a definition and for a register',
      body: 'S_MOV_B32 0, 1\n$vgpr0 = V_READFIRSTLANE_B32 7, implicit $exec',
      messages: [
        'Illegal immediate value for operand.',
        'Explicit definition must be a register',
        'Operand has incorrect register class.',
        'Illegal physical register for instruction',
        'Expected a register operand.',
      ],
    },
    {
      name: 'a register for an immediate',
      body: 'S_NOP undef $sgpr0',
      messages: ['Expected immediate, but got non-immediate', 'Expected a non-register operand.'],
    },
    {
      name: 'tied operand written as another register',
      body: '$vgpr0 = V_MAC_F32_e32 undef $vgpr1, undef $vgpr2, undef $vgpr3, implicit $mode, implicit $exec',
      messages: ['Tied physical registers must match.'],
    },
    {
      name: 'flags that do not belong',
      body: 'S_NOP 0, implicit debug-use undef $vgpr0\nundef %0:vgpr_32 = IMPLICIT_DEF\nS_NOP 0, implicit renamable $exec',
      messages: [
        'Register operand must not be marked debug',
        'Undef virtual register def operands require a subregister',
        'isRenamable set on reserved register',
      ],
    },
    {
      name: 'memory operands on an opcode that does not touch memory',
      body: 'S_NOP 0 :: (load store (s32))',
      messages: ['Missing mayLoad flag', 'Missing mayStore flag'],
    },
    {
      name: 'noconvergent where nothing converges',
      body: 'noconvergent S_NOP 0',
      messages: ['NoConvergent flag expected only on convergent instructions.'],
    },
    {
      name: 'inline assembly',
      body: 'INLINEASM 1, 256\nINLINEASM &"", 0, 18, implicit-def $vgpr0\nINLINEASM &"", 0, %stack.0',
      header: 'stack:\n  - { id: 0, size: 4 }',
      messages: [
        'Asm string must be an external symbol',
        'Unknown asm flags',
        'Missing operands in last group',
        'Expected implicit register after groups',
      ],
    },
    {
      name: 'flags of inline assembly that are no number, or too large a one',
      body: '%0:vgpr_32 = IMPLICIT_DEF\nINLINEASM &"", %0\nINLINEASM &"", &"x"\nINLINEASM &"", csr_amdgpu\nINLINEASM &"", 63\nINLINEASM &"", 4096\nINLINEASM &"", 4294967296',
      messages: [...NO_ASM_FLAGS, ...NO_ASM_FLAGS, ...NO_ASM_FLAGS, 'Unknown asm flags', 'Unknown asm flags'],
      showsAddress: true,
    },
    {
      name: 'REG_SEQUENCE and INSERT_SUBREG',
      body: [
        '%0:vreg_64 = REG_SEQUENCE undef %9:vgpr_32, %subreg.sub0, 3, 0',
        '%1:vreg_64 = INSERT_SUBREG undef %8:vreg_64, undef %7:vreg_64, %subreg.sub1',
      ].join('\n'),
      messages: [
        'Invalid register operand for REG_SEQUENCE',
        'Invalid subregister index operand for REG_SEQUENCE',
        'INSERT_SUBREG expected inserted value to have equal or lesser size than the subreg it was inserted into',
      ],
    },
    {
      name: 'no register in place of one: the size of the first virtual register counts',
      body: [
        '%0:vreg_64 = IMPLICIT_DEF',
        '%1:_(s64) = COPY $noreg',
        '%2:_(s32) = COPY $noreg',
        '%3:_(<3 x s32>) = COPY undef $noreg',
        '%4:vgpr_32 = COPY $noreg',
        '%5:vreg_96 = IMPLICIT_DEF',
        '%6:vreg_96 = INSERT_SUBREG %5, $noreg, %subreg.sub0',
        '%7:vreg_96 = INSERT_SUBREG %5, $noreg, %subreg.sub0_sub1',
      ].join('\n'),
      messages: [
        'Copy Instruction is illegal with mismatching sizes',
        'Copy Instruction is illegal with mismatching sizes',
        'INSERT_SUBREG expected inserted value to have equal or lesser size than the subreg it was inserted into',
      ],
    },
  ],
  'register classes': [
    {
      name: 'another bank',
      body: '%0:sreg_32 = IMPLICIT_DEF\n%1:vreg_64 = IMPLICIT_DEF\nGLOBAL_STORE_DWORD %1, %0, 0, 0, implicit $exec :: (store (s32))',
      messages: [ILLEGAL_VREG],
    },
    {
      name: 'sub-registers: one that the class lacks, one of the wrong size',
      body: '%0:vreg_96 = IMPLICIT_DEF\n%1:vgpr_32 = COPY %0.sub3\n%2:vgpr_32 = V_MOV_B32_e32 %0.sub0_sub1, implicit $exec',
      messages: ['Invalid subregister index for virtual register', 'No matching super-reg register class.'],
    },
    {
      name: 'AV class where a VGPR is asked for',
      cpu: 'gfx90a',
      body: '%0:av_32 = IMPLICIT_DEF\n%1:vgpr_32 = V_NOT_B32_e32 %0, implicit $exec',
      messages: [ILLEGAL_VREG],
    },
    {
      name: 'odd tuples where even ones are needed',
      cpu: 'gfx90a',
      body: '%0:vreg_64 = IMPLICIT_DEF\n%1:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32))',
      messages: ['Subtarget requires even aligned vector registers', ILLEGAL_VREG],
    },
    {
      name: 'lane mask of the other wave size',
      cpu: 'gfx1100',
      body: '%0:sreg_64 = V_CMP_LT_U32_e64 0, 1, implicit $exec',
      messages: [ILLEGAL_VREG],
    },
    {
      name: 'physical register outside the class',
      body: '$sgpr4 = S_MOV_B32 undef $vgpr0',
      messages: ['Operand has incorrect register class.', 'Illegal physical register for instruction'],
    },
    {
      name: 'vector register copied to a scalar one, not SSA',
      body: '%0:vgpr_32 = IMPLICIT_DEF\n%0:vgpr_32 = IMPLICIT_DEF\n%1:sreg_32 = COPY %0',
      messages: ['illegal copy from vector register to SGPR'],
    },
    {
      name: 'register of either vector bank copied to a scalar one, not SSA',
      cpu: 'gfx90a',
      body: '%0:av_64_align2 = IMPLICIT_DEF\n%0:av_64_align2 = IMPLICIT_DEF\n%1:sreg_64_xexec = COPY %0',
      messages: [],
    },
    {
      name: 'generic register in a target instruction',
      body: '%0:sgpr(s32) = G_IMPLICIT_DEF\n%1:sreg_32 = S_NOT_B32 %0, implicit-def dead $scc',
      messages: ['Virtual register does not match instruction constraint'],
    },
  ],
  liveness: [
    {
      name: 'base pointer: small stack',
      ir: baseIR('amdgpu_kernel', ''),
      header: SMALL_STACK,
      body: 'S_NOP 0, implicit $sgpr34',
      messages: [UNDEFINED],
    },
    {
      name: 'base pointer: large stack of a kernel that does not say so',
      ir: baseIR('amdgpu_kernel', ''),
      header: LARGE_STACK,
      body: 'S_NOP 0, implicit $sgpr34',
      messages: [],
    },
    {
      name: 'base pointer: large stack of an entry',
      ir: baseIR('amdgpu_kernel', ''),
      header: `${LARGE_STACK}\nmachineFunctionInfo:\n  isEntryFunction: true`,
      body: 'S_NOP 0, implicit $sgpr34',
      messages: [UNDEFINED],
    },
    {
      name: 'base pointer: large stack of a chain',
      ir: baseIR('amdgpu_cs_chain', ''),
      header: LARGE_STACK,
      body: 'S_NOP 0, implicit $sgpr34',
      messages: [UNDEFINED],
    },
    {
      name: 'base pointer: large stack that is not aligned',
      ir: baseIR('', '"no-realign-stack"'),
      header: LARGE_STACK,
      body: 'S_NOP 0, implicit $sgpr34',
      messages: [UNDEFINED],
    },
    {
      name: 'base pointer: forced by a string',
      ir: baseIR('', '"stackrealign"'),
      header: SMALL_STACK,
      body: 'S_NOP 0, implicit $sgpr34',
      messages: [],
    },
    {
      name: 'base pointer: forced by an alignment',
      ir: baseIR('', 'alignstack(4)'),
      header: SMALL_STACK,
      body: 'S_NOP 0, implicit $sgpr34',
      messages: [],
    },
    {
      name: 'base pointer: forced and forbidden',
      ir: baseIR('', '"stackrealign" "no-realign-stack"'),
      header: SMALL_STACK,
      body: 'S_NOP 0, implicit $sgpr34',
      messages: [UNDEFINED],
    },
    {
      name: 'base pointer: more than the stack is aligned to, where that is forbidden',
      ir: baseIR('', '"no-realign-stack"'),
      header: 'frameInfo:\n  maxAlignment: 32\n',
      body: 'S_NOP 0, implicit $sgpr34',
      messages: [],
    },
    {
      name: 'base pointer: no more than the stack is aligned to',
      ir: baseIR('', '"no-realign-stack" alignstack(32)'),
      header: 'frameInfo:\n  maxAlignment: 32\n',
      body: 'S_NOP 0, implicit $sgpr34',
      messages: [UNDEFINED],
    },
    { name: 'register that nothing sets', body: '$vgpr1 = COPY $vgpr0', messages: [UNDEFINED] },
    {
      name: 'parts make a tuple readable, a tuple does not make its neighbours so',
      body: '$vgpr0 = IMPLICIT_DEF\nS_NOP 0, implicit $vgpr0_vgpr1\nS_NOP 0, implicit $vgpr1_vgpr2',
      messages: [UNDEFINED],
    },
    {
      name: 'killed halves',
      body: 'bb.0:\n  liveins: $sgpr4_sgpr5\n  S_NOP 0, implicit killed $sgpr4_sgpr5\n  S_NOP 0, implicit $sgpr5\n  S_ENDPGM 0',
      messages: [UNDEFINED],
    },
    {
      name: 'a call clobbers what its mask does not keep',
      body: [
        'bb.0:',
        '  liveins: $vgpr0, $vgpr40, $sgpr4_sgpr5',
        '  dead $sgpr30_sgpr31 = SI_CALL killed $sgpr4_sgpr5, 0, csr_amdgpu',
        '  S_NOP 0, implicit $vgpr40, implicit $vgpr0',
        '  S_ENDPGM 0',
      ].join('\n'),
      messages: [UNDEFINED],
    },
    {
      name: 'reads inside a bundle see what was before it, internal ones what is in it',
      body: 'BUNDLE {\n  $vgpr0 = IMPLICIT_DEF\n  S_NOP 0, implicit internal $vgpr0\n  S_NOP 0, implicit $vgpr0\n}',
      messages: [UNDEFINED],
    },
    {
      name: 'without tracksRegLiveness nothing is checked',
      header: 'tracksRegLiveness: false',
      body: '$vgpr1 = COPY $vgpr0',
      messages: [],
    },
    {
      name: 'callee-saved registers are live where nothing saves them',
      header:
        "frameInfo:\n  isCalleeSavedInfoValid: true\nstack:\n  - { id: 0, type: spill-slot, size: 4, callee-saved-register: '$vgpr41' }",
      body: 'S_NOP 0, implicit $vgpr40, implicit $vgpr41',
      messages: [UNDEFINED],
    },
    {
      name: 'virtual registers: no definition, read after a kill',
      body: '%1:vgpr_32 = COPY %0:vgpr_32\nS_NOP 0, implicit killed %1\nS_NOP 0, implicit %1',
      messages: ['Reading virtual register without a def', 'Using a killed virtual register'],
    },
    {
      name: 'a definition on one path only',
      body: 'bb.0:\n  S_CBRANCH_SCC1 %bb.2, implicit undef $scc\nbb.1:\n  %0:vgpr_32 = IMPLICIT_DEF\nbb.2:\n  S_ENDPGM 0, implicit %0',
      messages: [DOMINATE],
    },
    {
      name: 'killed in a block that hands it on',
      body: 'bb.0:\n  %0:vgpr_32 = IMPLICIT_DEF\n  S_NOP 0, implicit killed %0\nbb.1:\n  S_ENDPGM 0, implicit %0',
      messages: ['Virtual register killed in block, but needed live out.', DOMINATE],
    },
    {
      name: 'value that reaches its use through a loop',
      body: 'bb.0:\n  %0:vgpr_32 = IMPLICIT_DEF\nbb.1:\n  S_CBRANCH_SCC1 %bb.1, implicit undef $scc\nbb.2:\n  S_ENDPGM 0, implicit %0',
      messages: [],
    },
    {
      name: '$scc that the predecessor does not hand on',
      body: 'bb.0:\n  S_NOP 0\nbb.1:\n  liveins: $scc\n  S_ENDPGM 0, implicit $scc',
      messages: ['Live in register not found to be live out from predecessor.'],
    },
  ],
  PHIs: [
    {
      name: 'inputs that do not fit the predecessors',
      body: 'bb.0:\n  %0:vgpr_32 = IMPLICIT_DEF\n  S_CBRANCH_SCC1 %bb.2, implicit undef $scc\nbb.1:\n  S_NOP 0\nbb.2:\n  %1:vgpr_32 = PHI %0, %bb.0, %0, %bb.3\n  S_NOP 0\nbb.3:\n  S_ENDPGM 0',
      messages: ['PHI operand is not in the CFG', 'PHI input is not a predecessor block', 'Missing PHI operand'],
    },
    {
      name: 'input that is not live at the end of its block',
      body: 'bb.0:\n  %0:vgpr_32 = IMPLICIT_DEF\n  S_NOP 0, implicit killed %0\nbb.1:\n  %1:vgpr_32 = PHI %0, %bb.0\n  S_ENDPGM 0',
      messages: [
        'PHI operand is not live-out from predecessor',
        'Virtual register killed in block, but needed live out.',
        DOMINATE,
      ],
    },
    {
      name: 'physical registers, of which one lives out of the predecessor',
      body: 'bb.0:\n  $vgpr0 = V_MOV_B32_e32 0, implicit $exec\nbb.1:\n  %1:vgpr_32 = PHI $vgpr0, %bb.0\n  %2:vgpr_32 = PHI $vgpr1, %bb.0\n  S_ENDPGM 0',
      messages: [
        'Using an undefined physical register',
        'Using an undefined physical register',
        'PHI operand is not live-out from predecessor',
      ],
    },
    {
      name: 'value that passes through blocks to a PHI',
      body: 'bb.0:\n  %0:vgpr_32 = IMPLICIT_DEF\nbb.1:\n  %1:vgpr_32 = PHI %0, %bb.0, %2, %bb.2\nbb.2:\n  %2:vgpr_32 = COPY %1\n  S_CBRANCH_SCC1 %bb.1, implicit undef $scc\nbb.3:\n  %3:vgpr_32 = PHI %0, %bb.2\n  S_ENDPGM 0, implicit %3',
      messages: [],
    },
    {
      name: 'after another instruction',
      body: 'bb.0:\n  %0:vgpr_32 = IMPLICIT_DEF\nbb.1:\n  S_NOP 0\n  %1:vgpr_32 = PHI %0, %bb.0\n  S_ENDPGM 0',
      messages: ['Found PHI instruction after non-PHI'],
    },
  ],
  'constant bus and literals': [
    {
      name: 'two scalar sources before gfx10',
      body: '%0:vgpr_32 = V_ADD3_U32_e64 undef $sgpr4, undef $sgpr5, 0, implicit $exec',
      messages: [BUS],
    },
    {
      name: 'the same register twice, or its parts',
      body: '%1:sreg_64 = IMPLICIT_DEF\n%0:vgpr_32 = V_ADD3_U32_e64 undef $sgpr4, undef $sgpr4, 0, implicit $exec\n%2:vgpr_32 = V_ADD3_U32_e64 %1.sub0, %1.sub1, 0, implicit $exec',
      messages: [],
    },
    {
      name: 'two on gfx10, three not',
      cpu: 'gfx1030',
      body: '%0:vgpr_32 = V_ADD3_U32_e64 undef $sgpr4, undef $sgpr5, 0, implicit $exec\n%1:vgpr_32 = V_ADD3_U32_e64 undef $sgpr4, undef $sgpr5, 1000, implicit $exec',
      messages: [BUS],
    },
    {
      name: 'implicit $vcc counts',
      body: '%0:vgpr_32 = V_CNDMASK_B32_e32 undef $sgpr4, undef $vgpr0, implicit undef $vcc, implicit $exec',
      messages: [BUS],
    },
    {
      name: 'VOP3 literal before gfx10',
      body: '%0:vgpr_32 = V_ADD3_U32_e64 1000, 0, 0, implicit $exec',
      messages: ['VOP3 instruction uses literal'],
    },
    {
      name: 'two literals',
      cpu: 'gfx1030',
      body: '%0:vgpr_32 = V_ADD3_U32_e64 1000, 1001, 0, implicit $exec\n%1:vgpr_32 = V_ADD3_U32_e64 1000, 1000, 0, implicit $exec\n%2:sreg_32 = S_ADD_U32 1000, 1001, implicit-def dead $scc',
      messages: [
        'VOP2/VOP3 instruction uses more than one literal',
        'SOP2/SOPC instruction requires too many immediate constants',
      ],
    },
    {
      name: 'inline constants of 16-bit operands',
      body: '%0:vgpr_32 = V_ADD_F16_e64 0, 15360, 0, 11878, 0, 0, implicit $mode, implicit $exec\n%1:vgpr_32 = V_ADD_F16_e64 0, 15360, 0, 12568, 0, 0, implicit $mode, implicit $exec',
      messages: ['VOP3 instruction uses literal'],
    },
    {
      name: '1/(2*pi) is inline from gfx8 on',
      cpu: 'gfx700',
      body: '%0:vgpr_32 = V_ADD_F32_e64 0, 1042479491, 0, undef $vgpr0, 0, 0, implicit $mode, implicit $exec',
      messages: ['VOP3 instruction uses literal'],
    },
    {
      name: 'accumulators take inline constants only',
      cpu: 'gfx908',
      body: '%0:areg_128 = V_MFMA_F32_4X4X1F32_e64 undef %1:vgpr_32, undef %2:vgpr_32, 1000, 0, 0, 0, implicit $mode, implicit $exec',
      messages: ['Illegal immediate value for operand.'],
    },
  ],
  'encodings of the target': [
    {
      name: 'SDWA',
      cpu: 'gfx803',
      body: '%0:vgpr_32 = V_ADD_F32_sdwa 0, undef %1:sgpr_32, 0, undef %2:vgpr_32, 0, 0, 6, 0, 6, 6, implicit $mode, implicit $exec',
      messages: ['Only VGPRs allowed as operands in SDWA instructions on VI'],
    },
    {
      name: 'SDWA selection',
      body: '%0:vgpr_32 = V_ADD_F32_sdwa 0, undef %1:sgpr_32, 0, undef %2:vgpr_32, 0, 0, 7, 0, 6, 6, implicit $mode, implicit $exec',
      messages: ['Invalid SDWA selection'],
    },
    {
      name: 'DPP controls by generation',
      cpu: 'gfx1030',
      body: '$vgpr0 = V_MOV_B32_dpp undef $vgpr0, undef $vgpr1, 322, 15, 15, 0, implicit $exec\n$vgpr0 = V_MOV_B32_dpp undef $vgpr0, undef $vgpr1, 257, 15, 15, 0, implicit $exec\n$vgpr0 = V_MOV_B32_dpp undef $vgpr0, undef $vgpr1, 368, 15, 15, 0, implicit $exec',
      messages: ['Invalid dpp_ctrl value: broadcasts are not supported on GFX10+', 'Invalid dpp_ctrl value'],
    },
    {
      name: 'image: memory operand, result size',
      body: [
        '$vgpr0 = IMAGE_LOAD_V1_V2 undef $vgpr4_vgpr5, undef $sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7, 1, 0, 0, 0, 0, 0, 0, 0, implicit $exec',
        '$vgpr0 = IMAGE_LOAD_V1_V2 undef $vgpr4_vgpr5, undef $sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7, 3, 0, 0, 0, 0, 0, 0, 0, implicit $exec :: (load (s64))',
      ].join('\n'),
      messages: [
        'missing memory operand from image instruction.',
        'Image instruction returns too many registers for dst register class',
      ],
    },
    {
      name: 'image: address size by dimension',
      cpu: 'gfx1030',
      body: '$vgpr0 = IMAGE_LOAD_V1_V2_gfx10 undef $vgpr4_vgpr5, undef $sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7, 1, 2, 0, 0, 0, 0, 0, 0, 0, implicit $exec :: (load (s32))',
      messages: ['bad vaddr size'],
    },
    {
      name: 'AGPR stores where memory takes none',
      cpu: 'gfx908',
      body: 'GLOBAL_STORE_DWORD undef %0:vreg_64, undef %1:agpr_32, 0, 0, implicit $exec :: (store (s32))',
      messages: ['Invalid register class: agpr loads and stores not supported on this GPU', ILLEGAL_VREG],
    },
    {
      name: 'S_MOVK, FLAT offsets, GDS',
      cpu: 'gfx700',
      body: '$sgpr0 = S_MOVK_I32 65535\n$vgpr0 = FLAT_LOAD_DWORD undef $vgpr2_vgpr3, 4, 0, implicit $exec, implicit undef $flat_scr :: (load (s32))',
      messages: ['invalid immediate for SOPK instruction', 'subtarget does not support offsets in flat instructions'],
    },
    {
      name: 'immediates of SOPK: unsigned in the pseudo only, and a frame index is its number',
      header:
        'stack:\n  - { id: 0, size: 4, alignment: 4 }\nfixedStack:\n  - { id: 0, size: 4, alignment: 4, offset: 0 }',
      body: [
        '%0:sreg_32 = IMPLICIT_DEF',
        'S_CMPK_GT_U32 %0, 65535, implicit-def dead $scc',
        'S_CMPK_GT_U32 %0, -1, implicit-def dead $scc',
        'S_CMPK_GT_U32_vi %0, 65535, implicit-def dead $scc',
        'S_CMPK_GT_U32_vi %0, -1, implicit-def dead $scc',
        'S_CMPK_GT_U32 %0, %stack.0, implicit-def dead $scc',
        'S_CMPK_GT_I32 %0, %fixed-stack.0, implicit-def dead $scc',
      ].join('\n'),
      messages: Array<string>(3).fill('invalid immediate for SOPK instruction'),
    },
    {
      name: 'SDWA in the encoding of one processor counts as a comparison',
      body: [
        '%0:vgpr_32 = IMPLICIT_DEF',
        '%1:vgpr_32 = V_FFBH_U32_sdwa 0, %0, 1, 1, 0, 0, implicit $exec',
        '%2:vgpr_32 = V_FFBH_U32_sdwa_gfx9 0, %0, 1, 1, 0, 0, implicit $exec',
        '%3:vgpr_32 = V_FFBH_U32_sdwa_gfx9 0, %0, 0, 1, 0, 0, implicit $exec',
        '%4:vgpr_32 = V_EXP_F32_sdwa_gfx9 0, %0, 0, 1, 1, 0, 0, implicit $mode, implicit $exec',
      ].join('\n'),
      messages: [
        'Clamp not allowed in VOPC SDWA instructions on VI',
        'OMod not allowed in VOPC SDWA instructions on VI',
      ],
    },
    {
      name: 'SDWA in the encoding of one processor counts as a comparison: VCC on VI',
      cpu: 'gfx803',
      body: [
        '%0:vgpr_32 = IMPLICIT_DEF',
        '%1:vgpr_32 = V_FFBH_U32_sdwa 0, %0, 0, 1, 0, 0, implicit $exec',
        '%2:vgpr_32 = V_FFBH_U32_sdwa_vi 0, %0, 0, 1, 0, 0, implicit $exec',
      ].join('\n'),
      messages: ['Only VCC allowed as dst in SDWA instructions on VI'],
    },
    {
      name: 'kinds of crashes are signed bytes',
      body: 'G_UBSANTRAP -128\nG_UBSANTRAP 127\nG_UBSANTRAP 128\nG_UBSANTRAP -129',
      messages: ['Crash kind must be 8 bit wide', 'Crash kind must be 8 bit wide'],
    },
    {
      name: 'DS_GWS wants even registers, DS_GWS_SEMA_V has none',
      cpu: 'gfx90a',
      body:
        '%0:vreg_64 = IMPLICIT_DEF\n%1:vgpr_32 = IMPLICIT_DEF\n$m0 = S_MOV_B32 0\nDS_GWS_INIT %0.sub1, 0, implicit $m0, implicit $exec\n' +
        'DS_GWS_SEMA_V 0, implicit $m0, implicit $exec\nDS_GWS_SEMA_BR %1, 0, implicit $m0, implicit $exec',
      messages: [
        'Subtarget requires even aligned vector registers for DS_GWS instructions',
        'No matching super-reg register class.',
        'Subtarget requires even aligned vector registers for DS_GWS instructions',
        ILLEGAL_VREG,
      ],
    },
    {
      name: 'V_DIV_SCALE sources',
      body: '%0:vgpr_32, %1:sreg_64 = V_DIV_SCALE_F32_e64 0, undef %2:vgpr_32, 0, undef %3:vgpr_32, 0, undef %4:vgpr_32, 0, 0, implicit $mode, implicit $exec',
      messages: ['v_div_scale_{f32|f64} require src0 = src1 or src2'],
    },
    {
      name: 'accvgpr_write from an SGPR',
      cpu: 'gfx908',
      body: '%0:agpr_32 = V_ACCVGPR_WRITE_B32_e64 undef %1:sgpr_32, implicit $exec',
      messages: ['Invalid register class: v_accvgpr_write with an SGPR is not supported on this GPU'],
    },
  ],
  'generic instructions': [
    {
      name: 'types that must agree',
      body: '%0:_(s32) = G_IMPLICIT_DEF\n%1:_(s64) = G_IMPLICIT_DEF\n%2:_(s32) = G_ADD %0, %1',
      messages: ['Type mismatch in generic instruction'],
    },
    {
      name: 'after selection',
      header: 'selected: true',
      body: '%0:vgpr(s32) = G_IMPLICIT_DEF',
      messages: [
        'Unexpected generic instruction in a Selected function',
        'Generic virtual register invalid in a Selected function',
      ],
    },
    {
      name: 'without bank in a bank-selected function',
      header: 'regBankSelected: true\nlegalized: true',
      body: '%0:_(s32) = G_IMPLICIT_DEF',
      messages: ['Generic virtual register must have a bank in a RegBankSelected function'],
    },
    {
      name: 'conversions',
      body: '%0:_(s32) = G_IMPLICIT_DEF\n%1:_(s16) = G_ZEXT %0\n%2:_(<2 x s64>) = G_SEXT %0\n%3:_(p3) = G_PTRTOINT %0',
      messages: [
        'Generic extend has destination type no larger than source',
        'operand types must be all-vector or all-scalar',
        'ptrtoint source type must be a pointer',
        'ptrtoint result type must not be a pointer',
      ],
    },
    {
      name: 'loads',
      body: '%0:_(p1) = G_IMPLICIT_DEF\n%1:_(s16) = G_LOAD %0 :: (load (s32))\n%2:_(s32) = G_ZEXTLOAD %0 :: (load (s32))\n%3:_(s32) = G_LOAD %0',
      messages: [
        'load memory size cannot exceed result size',
        'Generic extload must have a narrower memory type',
        'Generic instruction accessing memory must have one mem operand',
      ],
    },
    {
      name: 'range of a load',
      ir: '--- |\n  define void @f() {\n    ret void\n  }\n  !0 = !{i64 0, i64 9}\n...\n',
      body: '%0:_(p1) = G_IMPLICIT_DEF\n%1:_(s32) = G_LOAD %0 :: (load (s32), !range !0)\n%2:_(s64) = G_LOAD %0 :: (load (s64), !range !0)',
      messages: ['range is incompatible with the result type'],
    },
    {
      name: 'vectors put together and taken apart',
      body: '%0:_(s32) = G_IMPLICIT_DEF\n%1:_(<3 x s32>) = G_BUILD_VECTOR %0, %0\n%2:_(s16), %3:_(s16), %4:_(s16) = G_UNMERGE_VALUES %0\n%5:_(s64) = G_MERGE_VALUES %0, %0, %0',
      messages: [
        'G_BUILD_VECTOR must have an operand for each element',
        'G_UNMERGE_VALUES scalar source operand does not match scalar destination operands',
        'G_MERGE_VALUES result size is inconsistent',
      ],
    },
    {
      name: 'shuffles stop at the first fault',
      body: '%0:_(<2 x s32>) = G_IMPLICIT_DEF\n%1:_(<2 x s64>) = G_SHUFFLE_VECTOR %0, %0, shufflemask(0, 1, 4)\n%2:_(<2 x s32>) = G_SHUFFLE_VECTOR %0, %0, shufflemask(0, 1, 4)',
      messages: [
        'G_SHUFFLE_VECTOR cannot change element type',
        'Wrong result type for shufflemask',
        'Out of bounds shuffle index',
      ],
    },
    {
      name: 'intrinsics in the wrong form',
      body: '%0:_(s32) = G_IMPLICIT_DEF\n%1:_(s32) = G_INTRINSIC intrinsic(@llvm.amdgcn.readfirstlane), %0\n%2:_(s32) = G_INTRINSIC_CONVERGENT intrinsic(@llvm.amdgcn.sffbh), %0\nG_INTRINSIC intrinsic(@llvm.amdgcn.s.sleep), 1',
      messages: [
        'G_INTRINSIC used with a convergent intrinsic',
        'G_INTRINSIC_CONVERGENT used with a non-convergent intrinsic',
        'G_INTRINSIC used with intrinsic that accesses memory',
      ],
    },
    {
      name: 'copies between sizes',
      body: '%0:_(s64) = G_IMPLICIT_DEF\n$vgpr0 = COPY %0\n%1:_(s16) = G_TRUNC %0\n$vgpr0 = COPY %1\n%2:_(s1) = G_TRUNC %0\n$vcc = COPY %2\n$vgpr1 = COPY %2',
      messages: [
        'Copy Instruction is illegal with mismatching sizes',
        'Copy Instruction is illegal with mismatching sizes',
      ],
    },
    {
      name: 'parts and lists of the right and of a wrong size',
      body:
        '%0:_(s64) = G_IMPLICIT_DEF\n%1:_(s32), %2:_(s16) = G_UNMERGE_VALUES %0(s64)\n%3:_(<2 x s32>) = G_IMPLICIT_DEF\n' +
        '%4:_(<2 x s32>) = G_CONCAT_VECTORS %3(<2 x s32>)\n' +
        '%5:_(<2 x s32>) = G_SHUFFLE_VECTOR %3(<2 x s32>), %3, shufflemask(0, 2)\n' +
        '%6:_(<2 x s32>) = G_SHUFFLE_VECTOR %3(<2 x s32>), %3, shufflemask(0, 2, 1)',
      messages: [
        'G_UNMERGE_VALUES destination types do not match',
        'G_CONCAT_VECTOR requires at least 2 source operands',
        'Wrong result type for shufflemask',
      ],
    },
    {
      name: 'copies of parts have any size',
      body: '%0:vreg_64 = IMPLICIT_DEF\n%1:_(s32) = COPY %0.sub0\nundef %2.sub0:vreg_64 = COPY %1\n%3:_(s32) = COPY %0',
      messages: ['Copy Instruction is illegal with mismatching sizes'],
    },
  ],
  'convergence control': [
    {
      name: 'intrinsics in the wrong place',
      body: `${TOKEN}\n%2:sreg_64 = CONVERGENCECTRL_ENTRY\n%3:sreg_64 = CONVERGENCECTRL_LOOP %1\n%4:sreg_64 = CONVERGENCECTRL_LOOP undef %0:sreg_64`,
      messages: [
        'Entry intrinsic cannot be preceded by a convergent operation in the same basic block.',
        'Loop intrinsic cannot be preceded by a convergent operation in the same basic block.',
        'Loop intrinsic must have a convergencectrl token operand.',
      ],
    },
    {
      name: 'an entry that is not at the entry, an anchor that takes a token',
      body: `bb.0:\n  ${TOKEN}\n  %2:sreg_64 = CONVERGENCECTRL_ANCHOR implicit %1\nbb.1:\n  %3:sreg_64 = CONVERGENCECTRL_ENTRY\n  S_ENDPGM 0`,
      messages: [
        'Entry or anchor intrinsic cannot have a convergencectrl token operand.',
        'Entry intrinsic can occur only in the entry block.',
      ],
    },
    {
      name: 'tokens made in a wrong way',
      body: `${TOKEN} implicit-def $scc\n$sgpr0_sgpr1 = CONVERGENCECTRL_ANCHOR\n$sgpr0_sgpr1 = CONVERGENCECTRL_ANCHOR\n$sgpr2_sgpr3 = CONVERGENCECTRL_ANCHOR`,
      messages: [
        'Convergence control tokens are defined explicitly.',
        'Convergence control tokens must have unique definitions.',
        'Convergence control tokens must have unique definitions.',
      ],
    },
    {
      name: 'tokens taken by others, by several at once, and by nobody',
      body: `${TOKEN}\n%2:sreg_64 = COPY %1\nnoconvergent S_BARRIER implicit %1\nS_BARRIER implicit %1, implicit %1\nINLINEASM &"", 33 /* sideeffect isconvergent */\nS_BARRIER implicit %1\nBUNDLE implicit %1 {\n  S_BARRIER\n}`,
      messages: [
        'Convergence control tokens can only be used by convergent operations.',
        'Convergence control tokens can only be used by convergent operations.',
        'An operation can use at most one convergence control token.',
        MIXED,
        MIXED,
        MIXED,
      ],
    },
    {
      name: 'tokens after operations without',
      body: `S_BARRIER\n${TOKEN}\nS_BARRIER implicit %1`,
      messages: [MIXED, MIXED],
    },
    {
      name: 'regions that cross',
      body: `${TOKEN}\n%2:sreg_64 = CONVERGENCECTRL_ANCHOR\nS_BARRIER implicit %1\nS_BARRIER implicit %2`,
      messages: ['Convergence region is not well-nested.'],
    },
    {
      name: 'a region that one of two ways has closed',
      body: `bb.0:\n  ${TOKEN}\n  %2:sreg_64 = CONVERGENCECTRL_ANCHOR\n  %3:sreg_64 = CONVERGENCECTRL_ANCHOR\n  S_CBRANCH_SCC1 %bb.2, implicit undef $scc\nbb.1:\n  S_BARRIER implicit %2\nbb.2:\n  S_BARRIER implicit %3\n  S_BARRIER implicit %2\n  S_ENDPGM 0`,
      messages: ['Convergence region is not well-nested.'],
    },
    {
      name: 'a token that does not dominate',
      body: `bb.0:\n  S_CBRANCH_SCC1 %bb.2, implicit undef $scc\nbb.1:\n  ${TOKEN}\nbb.2:\n  S_BARRIER implicit %1\n  S_ENDPGM 0`,
      messages: ['Convergence control token must dominate all its uses.', DOMINATE],
    },
    {
      name: 'cycles that a token enters by others than loop intrinsics, or by two',
      body: `bb.0:\n  ${TOKEN}\nbb.1:\n  %2:sreg_64 = CONVERGENCECTRL_LOOP %1\nbb.2:\n  S_BARRIER implicit %2\n  S_CBRANCH_SCC1 %bb.2, implicit undef $scc\nbb.3:\n  %3:sreg_64 = CONVERGENCECTRL_LOOP %1\n  S_CBRANCH_SCC1 %bb.1, implicit undef $scc\nbb.4:\n  S_ENDPGM 0`,
      messages: [
        "Convergence token used by an instruction other than llvm.experimental.convergence.loop in a cycle that does not contain the token's definition.",
        'Cycle heart must dominate all blocks in the cycle.',
      ],
    },
    {
      name: 'two hearts in a header',
      body: `bb.0:\n  ${TOKEN}\nbb.1:\n  %2:sreg_64 = CONVERGENCECTRL_LOOP %1\n  %3:sreg_64 = CONVERGENCECTRL_LOOP %1\n  S_CBRANCH_SCC1 %bb.1, implicit undef $scc\nbb.2:\n  S_ENDPGM 0`,
      messages: [
        'Loop intrinsic cannot be preceded by a convergent operation in the same basic block.',
        "Two static convergence token uses in a cycle that does not contain either token's definition.",
      ],
    },
    {
      name: 'a cycle with two entries has no heart',
      body: `bb.0:\n  ${TOKEN}\n  S_CBRANCH_SCC1 %bb.2, implicit undef $scc\nbb.1:\n  %2:sreg_64 = CONVERGENCECTRL_LOOP %1\nbb.2:\n  S_CBRANCH_SCC1 %bb.1, implicit undef $scc\nbb.3:\n  S_ENDPGM 0`,
      messages: ['Cycle heart must dominate all blocks in the cycle.'],
    },
    {
      name: 'nested loops with their hearts, regions in regions',
      body: `bb.0:\n  %1:sreg_64 = CONVERGENCECTRL_ENTRY\nbb.1:\n  %2:sreg_64 = CONVERGENCECTRL_LOOP %1\nbb.2:\n  %3:sreg_64 = CONVERGENCECTRL_LOOP %2\n  S_CBRANCH_SCC1 %bb.2, implicit undef $scc\nbb.3:\n  S_BARRIER implicit %3\n  S_BARRIER implicit %2\n  S_CBRANCH_SCC1 %bb.1, implicit undef $scc\nbb.4:\n  S_BARRIER implicit %1\n  S_ENDPGM 0`,
      messages: [],
    },
  ],
};

for (const [group, rules] of Object.entries(RULES)) {
  describe(`verifier: ${group}`, () => {
    for (const rule of rules) {
      const cpu = rule.cpu ?? 'gfx900';
      it(rule.name, () => {
        const { reports } = verifyText(textOf(rule), cpu);
        assert.deepStrictEqual(
          reports.map((r) => r.message),
          rule.messages,
        );
      });

      it(`${rule.name}: llc-22 says the same, line by line`, function () {
        needsLlc(this);
        const { fn, reports } = verifyText(textOf(rule), cpu);
        const theirs = llcStderr(textOf(rule), cpu);
        assert.deepStrictEqual(messagesIn(theirs), rule.messages);
        if (rule.showsAddress === true) return;
        assert.strictEqual(withoutAddresses(printVerifierReports(fn, reports)), theirs);
      });
    }
  });
}
