/** Operation names of `!DIExpression` (llvm/BinaryFormat/Dwarf.def, LLVM 22). */

/** without `DW_OP_` */
const OPERATIONS: ReadonlySet<string> = new Set(
  (
    'addr deref const1u const1s const2u const2s const4u const4s const8u const8s constu consts dup drop over ' +
    'pick swap rot xderef abs and div minus mod mul neg not or plus plus_uconst shl shr shra xor bra eq ge gt ' +
    'le lt ne skip regx fbreg bregx piece deref_size xderef_size nop push_object_address call2 call4 call_ref ' +
    'form_tls_address call_frame_cfa bit_piece implicit_value stack_value implicit_pointer addrx constx ' +
    'entry_value const_type regval_type deref_type xderef_type convert reinterpret GNU_push_tls_address ' +
    'HP_unknown HP_is_value HP_fltconst4 HP_fltconst8 HP_mod_range HP_unmod_range HP_tls INTEL_bit_piece ' +
    'WASM_location WASM_location_int APPLE_uninit GNU_implicit_pointer GNU_entry_value PGI_omp_thread_num ' +
    'GNU_addr_index GNU_const_index LLVM_user LLVM_fragment LLVM_convert LLVM_tag_offset LLVM_entry_value ' +
    'LLVM_implicit_pointer LLVM_arg LLVM_extract_bits_sext LLVM_extract_bits_zext '
  )
    .trim()
    .split(' '),
);

/** Whether `word` is an operation or, as the operand of a conversion, a type encoding. */
export function isExpressionWord(word: string): boolean {
  if (word.startsWith('DW_ATE_')) return true;
  if (!word.startsWith('DW_OP_')) return false;
  const name = word.slice('DW_OP_'.length);
  return OPERATIONS.has(name) || /^(?:lit|reg|breg)(?:[0-9]|[12][0-9]|3[01])$/.test(name);
}
