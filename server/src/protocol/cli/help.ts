/** Texts of `amdgpu-mir help` and `--version`. */
import { VERSION } from '../version.js';

export const VERSION_LINE = `amdgpu-mir ${VERSION} (models LLVM 22.1.8)\n`;

export const HELP = `amdgpu-mir ${VERSION}: LLVM MIR of the AMDGPU target, as LLVM 22.1.8 sees it

usage: amdgpu-mir check [options] FILE...   diagnostics and register pressure of every function (files, folders, -)
       amdgpu-mir explain [options] FILE    how the machine scheduler came to its order: stages, reverts, every pick
       amdgpu-mir llc [options] FILE        what llc does, with llc's options (-mtriple, -mcpu, -run-pass, -o, ...)
       amdgpu-mir batch                     many llc runs in one process: one JSON object a line on standard input
       amdgpu-mir lsp --stdio               language server for any editor
       amdgpu-mir help | licenses | --version

check: --json                               every number as JSON
       --schedule                           and what the machine scheduler would do: occupancy, regions, stages, reverts
       --remat                              and what rematerialization could do: sets for more waves, each register, why not
       --mtriple=T --mcpu=C --mattr=F       target of files whose RUN lines name none
       --model=llvm-22|llvm-main|llvm-main-2026-07  whose rematerialization stage (also for explain and llc)
       --color=auto|always|never  --jobs=N
explain: --function=F  --region=N  --json  and llc's target and scheduler options (-misched=..., -amdgpu-...)
llc:   passes: -run-pass=none | amdgpu-print-rp (-amdgpu-print-rp-downward)
batch: {"args": [llc options and input], "stdout": PATH, "stderr": PATH}, answered by {"exit": N, "ms": T}
`;
