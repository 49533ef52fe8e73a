/** What a text is that holds no machine function, and which tool makes MIR of it. */
/** What a text without machine functions seems to be. */
export type LogContent = 'nothing' | 'LLVM IR' | 'bitcode' | 'MLIR' | 'assembly' | 'object' | 'MIR' | 'text';

/** In the words of a sentence. */
export const CONTENT_WORDS = {
  'LLVM IR': 'LLVM IR',
  bitcode: 'LLVM bitcode',
  MLIR: 'MLIR',
  assembly: 'assembly',
  object: 'an object file',
  MIR: 'MIR',
  text: 'other text',
} as const;

const FROM_IR = 'llc -stop-before=machine-scheduler -o - FILE makes MIR of it, llc -print-after-all FILE 2> LOG a log';
const NO_WAY_BACK =
  'there is no way back to MIR: compile its source with -mllvm -print-after-all (clang) or -print-after-all (llc)';
/** How to come to MIR from there; '' where there is nothing to say. */
export const ADVICE: Readonly<Record<LogContent, string>> = {
  nothing: '',
  'LLVM IR': FROM_IR,
  bitcode: FROM_IR,
  MLIR: 'Triton writes MIR where TRITON_DUMP_MIR names a folder; mlir-translate --mlir-to-llvmir makes LLVM IR of the LLVM dialect, and llc MIR of that',
  assembly: NO_WAY_BACK,
  object: NO_WAY_BACK,
  MIR: 'amdgpu-mir check FILE reads it as it is',
  text: 'clang writes such a log with -mllvm -print-after-all, llc with -print-after-all',
};

/** What one line says of a text; `isFirst`: it is the first one. */
export function contentOf(line: string, isFirst: boolean): LogContent {
  if (isFirst && /^.?ELF/.test(line)) return 'object';
  if (isFirst && /^BC/.test(line) && /[\u0000-\u0008\ufffd\udc80-\udcff]/.test(line.slice(0, 8))) return 'bitcode';
  if (
    /^(?:; ModuleID = |define |declare |target (?:triple|datalayout) = |source_filename = |%[\w.]+ = type )/.test(line)
  )
    return 'LLVM IR';
  if (/^\s*\.(?:amdgcn_target|amdhsa_kernel|amdgpu_metadata|globl|section|p2align|text)\b|^\ts_endpgm\b/.test(line))
    return 'assembly';
  if (/^\s*(?:module (?:attributes .*)?\{|(?:tt|llvm|func)\.func |gpu\.module )|^#\w+ = #(?:ttg?|loc)\b/.test(line))
    return 'MLIR';
  if (/^--- \|$|^(?:body|tracksRegLiveness|machineFunctionInfo): /.test(line)) return 'MIR';
  return line.trim() === '' ? 'nothing' : 'text';
}

/** Lines of a text that are looked at. */
const LOOK_LINES = 200;

/** Why a text is no MIR file, with the way to one; null where it may be one. O(the first lines) */
export function whyNoMir(text: string): string | null {
  let from = 0;
  let content: LogContent = 'nothing';
  for (let n = 0; n < LOOK_LINES && from < text.length; n++) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end);
    from += line.length + 1;
    // A document of YAML, whatever else stands around it.
    if (/^(?:---|name:)/.test(line)) return null;
    const found = contentOf(line, n === 0);
    if (content === 'nothing' || content === 'text') content = found === 'nothing' ? content : found;
  }
  if (content === 'nothing' || content === 'text' || content === 'MIR') return null;
  return `this is ${CONTENT_WORDS[content]}; ${ADVICE[content]}`;
}
