/** Word tables of the IR text: calling conventions, opcodes, atomic operations, metadata kinds (LLVM 22). */
import { lazy } from '../util/lazy.js';

/** Names by LLVM's number, apart from C (0), as printed before the result type. */
export const callingConvNames = lazy<ReadonlyMap<number, string>>(
  () =>
    new Map(
      (
        '8 fastcc 9 coldcc 10 ghccc 13 anyregcc 14 preserve_mostcc 15 preserve_allcc 16 swiftcc 17 cxx_fast_tlscc ' +
        '18 tailcc 19 cfguard_checkcc 20 swifttailcc 21 preserve_nonecc 64 x86_stdcallcc 65 x86_fastcallcc 66 arm_apcscc ' +
        '67 arm_aapcscc 68 arm_aapcs_vfpcc 69 msp430_intrcc 70 x86_thiscallcc 71 ptx_kernel 72 ptx_device 75 spir_func ' +
        '76 spir_kernel 77 intel_ocl_bicc 78 x86_64_sysvcc 79 win64cc 80 x86_vectorcallcc 81 hhvmcc 82 hhvm_ccc ' +
        '83 x86_intrcc 84 avr_intrcc 85 avr_signalcc 87 amdgpu_vs 88 amdgpu_gs 89 amdgpu_ps 90 amdgpu_cs 91 amdgpu_kernel ' +
        '92 x86_regcallcc 93 amdgpu_hs 95 amdgpu_ls 96 amdgpu_es 97 aarch64_vector_pcs 98 aarch64_sve_vector_pcs ' +
        '100 amdgpu_gfx 102 aarch64_sme_preservemost_from_x0 103 aarch64_sme_preservemost_from_x2 104 amdgpu_cs_chain ' +
        '105 amdgpu_cs_chain_preserve 106 m68k_rtdcc 107 graalcc 110 riscv_vector_cc ' +
        '111 aarch64_sme_preservemost_from_x1 112 riscv_vls_cc(32) 113 riscv_vls_cc(64) 114 riscv_vls_cc(128) ' +
        '115 riscv_vls_cc(256) 116 riscv_vls_cc(512) 117 riscv_vls_cc(1024) 118 riscv_vls_cc(2048) 119 riscv_vls_cc(4096) ' +
        '120 riscv_vls_cc(8192) 121 riscv_vls_cc(16384) 122 riscv_vls_cc(32768) 123 riscv_vls_cc(65536) ' +
        '124 amdgpu_gfx_whole_wave 125 cheriot_compartmentcallcc 126 cheriot_compartmentcalleecc 127 cheriot_librarycallcc'
      )
        .split(' ')
        .reduce<[number, string][]>((pairs, word, i) => {
          if (i % 2 === 0) pairs.push([Number(word), '']);
          else pairs[pairs.length - 1][1] = word;
          return pairs;
        }, []),
    ),
);

const callingConvNumbers = lazy<ReadonlyMap<string, number>>(
  () => new Map([...[...callingConvNames()].map(([n, name]): [string, number] => [name, n]), ['ccc', 0]]),
);

/** LLVM's number of a calling convention's word, undefined for other words. */
export const callingConvNumber = (word: string): number | undefined => callingConvNumbers().get(word);

/** Words of module.ts' `Opcode`, in its order. */
export const instructionNames = lazy<readonly string[]>(() =>
  (
    'fneg add fadd sub fsub mul fmul udiv sdiv fdiv urem srem frem shl lshr ashr and or xor trunc zext sext fptrunc ' +
    'fpext uitofp sitofp fptoui fptosi ptrtoint ptrtoaddr inttoptr bitcast addrspacecast icmp fcmp phi select freeze ' +
    'alloca load store cmpxchg atomicrmw fence getelementptr extractelement insertelement shufflevector extractvalue ' +
    'insertvalue call va_arg landingpad catchpad cleanuppad ret br switch indirectbr invoke callbr resume catchswitch ' +
    'catchret cleanupret unreachable'
  ).split(' '),
);

/** Metadata attachment kinds by LLVM's fixed number; custom kinds follow in order of first mention. */
export const FIXED_MD_KINDS: readonly string[] = (
  'dbg tbaa prof fpmath range tbaa.struct invariant.load alias.scope noalias nontemporal ' +
  'llvm.mem.parallel_loop_access nonnull dereferenceable dereferenceable_or_null make.implicit unpredictable ' +
  'invariant.group align llvm.loop type section_prefix absolute_symbol associated callees irr_loop ' +
  'llvm.access.group callback llvm.preserve.access.index vcall_visibility noundef annotation nosanitize ' +
  'func_sanitize exclude memprof callsite kcfi_type pcsections DIAssignID coro.outside.frame mmra noalias.addrspace ' +
  'callee_type nofree captures alloc_token implicit.ref'
).split(' ');
