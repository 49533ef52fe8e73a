// AMDGPU's operand names by their number in LLVM 22.1.8 (AMDGPU::OpName). The library knows only the numbers; the
// names follow from comparing which operand of which instruction a number finds. instrs.cpp checks some of them, so
// that a renumbering in another LLVM is noticed.
#pragma once
static const char *const OperandNames[] = {
    "vdst", "src0", "vdata", "vaddr", "srsrc", "soffset", "offset", "cpol", "vdata_in", "swz", "saddr", "addr",
    "data0", "gds", "addr_in", "data1", "waitvdst", "waitvsrc", "attr", "attrchan", "offset0", "offset1", "vdst_in",
    "tgt", "src1", "src2", "src3", "vm", "compr", "en", "src0_modifiers", "clamp", "omod", "op_sel", "round_mode",
    "dst", "callee", "mask", "fpdiff", "exec", "numvgprs", "fbexec", "fbcallee", "src", "idx", "val", "data",
    "orig_exec", "sdst", "simm16", "sdata", "sbase", "sdst_in", "imm", "format", "vaddr0", "vaddr1", "vaddr2",
    "vaddr3", "r128", "old", "dpp_ctrl", "row_mask", "bank_mask", "bound_ctrl", "src1_modifiers", "dst_sel",
    "dst_unused", "src0_sel", "src1_sel", "src2_modifiers", "bitop3", "byte_sel", "scale_sel", "op_sel_hi", "neg_lo",
    "neg_hi", "waitexp", "high", "cbsz", "blgp", "abid", "scale_src0", "scale_src1", "src0_out", "fi", "vdst1",
    "srcTiedDef", "index_key_16bit", "matrix_a_reuse", "matrix_b_reuse", "index_key_8bit", "index_key_32bit",
    "matrix_a_fmt", "matrix_b_fmt", "matrix_a_scale", "matrix_b_scale", "matrix_a_scale_fmt", "matrix_b_scale_fmt",
    "rsrc", "dmask", "dim", "a16", "tfe", "unorm", "lwe", "da", "vaddr4", "vaddr5", "vaddr6", "vaddr7", "vaddr8",
    "vaddr9", "vaddr10", "vaddr11", "ray_origin_out", "ray_dir_out", "ssamp", "d16", "samp", "dpp8", "vdstX", "vdstY",
    "src0X_modifiers", "src0X", "vsrc1X_modifiers", "vsrc1X", "src0Y_modifiers", "src0Y", "vsrc1Y_modifiers",
    "vsrc1Y", "vsrc2Y", "src2Y", "vsrc2Y_modifiers", "vsrc2X", "src2X", "immDeferred", "vsrc2X_modifiers"};
static const unsigned NumOperandNames = sizeof(OperandNames) / sizeof(*OperandNames);
