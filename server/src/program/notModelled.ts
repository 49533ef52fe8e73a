/** Options of llc that change what a run reads, prints or runs, and that nothing here models. */
import type { Occurrence } from '../commandLine/commandLine.js';
import { reasonIn, whyNumbersDiffer } from '../commandLine/notModelled.js';

/** As the table of commandLine/notModelled.ts. */
const CHANGES_OUTPUT = String.raw`
amdgpu-print-max-reg-pressure-regusage-before-scheduler;false;prints pressures, and llc-22 crashes on some functions
amdgpu-print-max-reg-pressure-regusage-after-scheduler;false;prints pressures, and llc-22 crashes on some functions
mir-debug-loc;true;changes how functions are printed
print-slotindexes;true;changes how reports are printed
print-mi-addrs;false;changes how instructions are printed
print-regmask-num-regs;32;changes how instructions are printed
print-inst-addrs;false;changes how the module is printed
print-inst-debug-locs;false;changes how the module is printed
print-addrspace-name;false;changes how the module is printed
print-prof-data;false;changes how the module is printed
preserve-ll-uselistorder;false;changes how the module is printed
basic-block-sections;none;changes how functions are printed
basic-block-address-map;false;changes how functions are printed
align-all-functions;0;changes how functions are printed
use-constant-int-for-fixed-length-splat;false;changes how the module is read
use-constant-fp-for-fixed-length-splat;false;changes how the module is read
use-constant-int-for-scalable-splat;false;changes how the module is read
use-constant-fp-for-scalable-splat;false;changes how the module is read
allow-incomplete-ir;false;changes how the module is read
disable-auto-upgrade-debug-info;false;changes how the module is read
disable-i2p-p2i-opt;false;changes how the module is read
non-global-value-max-name-size;1024;changes how the module is read
discard-value-names;false;makes llc refuse every MIR file
verify-noalias-scope-decl-dom;false;makes the verifier stricter
disable-verify;false;switches the verifiers off
code-model;small|medium|large;makes llc refuse this target
mxcoff-roptr;false;makes llc refuse this target
binutils-version;|none;is checked by llc alone
sve-tail-folding;(?!);is checked by llc alone
x86-align-branch;;is checked by llc alone
pass-remarks;[\w .*-]*;is checked by llc alone
pass-remarks-missed;[\w .*-]*;is checked by llc alone
pass-remarks-analysis;[\w .*-]*;is checked by llc alone
pass-remarks-format;yaml;is checked by llc alone
pass-remarks-output;;writes a file
split-dwarf-output;;writes a file
time-trace;false;writes a file
save-stats;(?!);writes a file
mc-relax-all;(?!);prints a warning
load;(?!);loads a plug-in
load-pass-plugin;(?!);loads a plug-in
enable-new-pm;false;runs other passes
debugify-and-strip-all-safe;false;runs other passes
debugify-check-and-strip-all-safe;false;runs other passes
opt-bisect;;leaves passes out
opt-bisect-limit;2147483647|-1;leaves passes out
opt-disable;;leaves passes out
compile-twice;false;runs everything twice
time-compilations;1;runs everything several times
debug-counter;si-insert-waitcnts-force\w+(?:-count=\d+|=[\d:-]+);leaves changes out
print-debug-counter;false;prints a report
print-mir2vec;false;prints a report
print-mir2vec-vocab;false;prints a report
print-after-isel;false;prints functions
print-isel-input;false;prints functions
print-changed;(?!);prints functions
print-machine-bfi;false;prints a report
print-bfi;false;prints a report
print-bpi;false;prints a report
print-regusage;false;prints a report
debug-pass;Disabled;prints a report
time-passes;false;prints a report
time-passes-per-run;(?!);prints a report
print-options;false;prints a report
print-all-options;false;prints a report
color;false;colours messages
aa-trace;false;prints a report
amdgpu-enable-object-linking;false;changes how functions are lowered
amdgpu-spill-cfi-saved-regs;(?!);changes which registers are saved
amdgpu-xnack;(?!);changes the target
amdgpu-sramecc;(?!);changes the target
`;

/** Says that and why amdgpu-mir cannot do as llc with this option, null where it can. */
export const whyNotModelled = (given: Occurrence): string | null =>
  whyNumbersDiffer(given) ?? reasonIn(CHANGES_OUTPUT, given);
