/** MIR files with hostile text in every place that can hold a name, for tests of what readers of them are shown. */

/** What would be markup, an address or a line of its own if it were not text. */
export const HOSTILE: readonly string[] = [
  '[c](command:amdgpu-mir.goTo?%5B%22file%3A%2F%2F%2Fetc%2Fpasswd%22%2C0%2C0%5D)',
  '![i](https://evil.example/x.png)',
  '<img src=https://evil.example/x.png onerror=alert(1)>',
  '<https://evil.example>',
  'https://evil.example/a',
  'www.evil.example',
  'a@evil.example',
  '**b** _i_ ~~s~~ `c`',
  '`',
  '``',
  '`` ` [x](https://evil.example) ` ``',
  '` [x](https://evil.example) `',
  '\\`[x](https://evil.example)\\`',
  '\\',
  '\\[x](y)',
  '# head',
  '---',
  '> quote',
  '- item',
  '1. item',
  '| a | b |',
  '[ref]: https://evil.example',
  '&lt;img&gt; &#91;x&#93;(y)',
  '$(warning) $(x',
  '\u202egnp.exe',
  '__proto__',
  'constructor',
  '${x} %s %0',
  ']( [',
  ')',
  '*/ --> ]]>',
];

/** The same with line breaks, for places that are spelled with escapes. */
export const HOSTILE_LINES: readonly string[] = [
  'a\n\n[c](command:amdgpu-mir.goTo)\n\nb',
  'a\r\n# head\r\nb',
  'a\n---\nb',
  'a  \n![i](https://evil.example/x.png)',
  'a\tb\u0007\u001b[31m',
];

export interface HostileFile {
  /** the place that holds the text, for messages */
  readonly place: string;
  readonly text: string;
  /** the same file with a harmless word in that place */
  readonly harmless: string;
}

interface Words {
  fn: string;
  irBlock: string;
  irValue: string;
  global: string;
  cpu: string;
  features: string;
  attribute: string;
  metadata: string;
  source: string;
  triple: string;
  stack: string;
  runCpu: string;
  runAttr: string;
  runTriple: string;
  runOption: string;
  runPass: string;
  prefix: string;
  symbol: string;
  opcode: string;
  argument: string;
  key: string;
  comment: string;
  regClass: string;
  asm: string;
}

const HARMLESS: Words = {
  fn: 'f',
  irBlock: 'entry',
  irValue: 'p',
  global: 'g',
  cpu: 'gfx90a',
  features: '+xnack',
  attribute: 'key',
  metadata: 'm',
  source: 'a.cl',
  triple: 'amdgcn-amd-amdhsa',
  stack: 's',
  runCpu: 'gfx90a',
  runAttr: '+xnack',
  runTriple: 'amdgcn-amd-amdhsa',
  runOption: '-x=1',
  runPass: 'machine-scheduler',
  prefix: 'CHECK',
  symbol: 'sym',
  opcode: 'V_ADD_U32_e32',
  argument: 'workGroupIDX',
  key: 'alignment',
  comment: 'a comment',
  regClass: 'vgpr_32',
  asm: 's_nop 0',
};

/** LLVM's spelling of a string in double quotes. */
const llvm = (s: string): string =>
  `"${[...s].map((c) => (/["\\]/.test(c) || c < ' ' ? `\\${c.charCodeAt(0).toString(16).padStart(2, '0')}` : c)).join('')}"`;

const yaml = (s: string): string =>
  `"${[...s].map((c) => (/["\\]/.test(c) ? `\\${c}` : c < ' ' ? `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}` : c)).join('')}"`;

/** A word of a shell command. */
const shell = (s: string): string => `'${s.replaceAll(/['\r\n]/g, '')}'`;

const bare = (s: string): string => s.replaceAll(/[\r\n]/g, ' ');

const fileOf = (
  w: Words,
): string => `# RUN: llc ${shell(`-mtriple=${w.runTriple}`)} ${shell(`-mcpu=${w.runCpu}`)} ${shell(`-mattr=${w.runAttr}`)} ${shell(w.runOption)} ${shell(`-run-pass=${w.runPass}`)} -o - %s | FileCheck -check-prefixes=${bare(w.prefix).replaceAll(' ', '')} %s
# RUN: llc -mtriple=amdgcn -mcpu=gfx1100 ${shell(w.runOption)} -run-pass=none %s
# ${bare(w.prefix)}-NEXT: ${bare(w.comment)}
# CHECK: ${bare(w.comment)}
--- |
  source_filename = ${llvm(w.source)}
  target triple = ${llvm(w.triple)}
  @${llvm(w.global)} = addrspace(3) global i32 poison
  define amdgpu_kernel void @${llvm(w.fn)}(ptr addrspace(1) %${llvm(w.irValue)}) #0 {
  ${llvm(w.irBlock)}:
    ret void
  }
  attributes #0 = { "target-cpu"=${llvm(w.cpu)} "target-features"=${llvm(w.features)} ${llvm(w.attribute)}=${llvm(w.metadata)} }
  !0 = !{!${llvm(w.metadata)}}
  !1 = !DIFile(filename: ${llvm(w.source)}, directory: ${llvm(w.metadata)})
...
---
name:            ${yaml(w.fn)}
${bare(w.key)}: 4
tracksRegLiveness: true
stack:
  - { id: 0, name: ${yaml(w.stack)}, size: 4, alignment: 4 }
machineFunctionInfo:
  isEntryFunction: true
  argumentInfo:
    ${yaml(w.argument)}:    { reg: '$sgpr6' }
body:             |
  bb.0.${/^\w+$/.test(w.irBlock) ? w.irBlock : llvm(w.irBlock)}:
    liveins: $vgpr0, $sgpr6, $vgpr2_vgpr3

    %0:${bare(w.regClass)} = COPY $vgpr0
    %ptr:vreg_64 = COPY $vgpr2_vgpr3
    %1:vgpr_32 = ${bare(w.opcode)} %0, %0, implicit $exec ; ${bare(w.comment)}
    %2:vgpr_32 = GLOBAL_LOAD_DWORD %ptr, 0, 0, implicit $exec :: (load (s32) from %ir.${/^\w+$/.test(w.irValue) ? w.irValue : llvm(w.irValue)}, addrspace 1)
    %3:vgpr_32 = V_ADD_U32_e32 %1, %2, implicit $exec
    %5:sreg_32 = COPY %1
    INLINEASM &${llvm(w.asm)}, 1
    %4:sreg_64 = SI_PC_ADD_REL_OFFSET @${llvm(w.global)} + 4, 0, implicit-def dead $scc
    S_NOP 0, implicit %4, implicit %5, pre-instr-symbol <mcsymbol ${/^\w+$/.test(w.symbol) ? w.symbol : llvm(w.symbol)}>
    S_ENDPGM 0, implicit %3
...
`;

/** Every place with the text, one file each. */
export function hostileFiles(hostile: string): HostileFile[] {
  const places = Object.keys(HARMLESS) as (keyof Words)[];
  return places.map((place) => ({
    place,
    text: fileOf({ ...HARMLESS, [place]: hostile }),
    harmless: fileOf(HARMLESS),
  }));
}
