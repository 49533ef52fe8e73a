/** What LLVM's IR verifier says of inline assembly, `callbr`, atomics and lists of metadata; where llc-22 is installed, it says the same. */
import assert from 'node:assert/strict';
import { llcVersion, MODELLED_LLC, runLlc } from '../../support/llc.js';
import { runLlcOnText } from '../../support/schedule.js';

const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-run-pass=none', '-o', '-'];
const KILL = 'callbr void @llvm.amdgcn.kill(i1 %c)';
const ASM_GOTO = (constraints: string, args: string, labels: string): string =>
  `callbr void asm "", "${constraints}"(${args}) to label %a [${labels}]; a:; ret void; b:; ret void`;
const LOOP = 'br label %l; l:; br i1 %c, label %l, label %e, !llvm.loop !0; e:; ret void; }; !0 = !{!0, !1}; !1 = !';
const FLAGS = 'ret void; }; !llvm.module.flags = !{!0}; !0 = !';
const GLOBAL = 'ret void; }; @g = global i32 0, !associated !0; !0 = !';

/** A body, `; ` for line ends; what the first line of the answer begins with, for `;` within what is printed */
const FUNCTIONS: readonly (readonly [body: string, says: string])[] = [
  ['call void asm "", "*m"(i32 %i); ret void', 'Operand for indirect constraint must have pointer type'],
  ['call void asm "", "r,*m"(i32 %i, ptr %p); ret void', 'Operand for indirect constraint must have elementtype'],
  ['call void asm "", "=*m,r"(ptr elementtype(i32) %p, i32 %i); ret void', '--- |'],
  ['%r = call i32 asm "", "=r,r"(ptr elementtype(i32) %p); ret void', 'Elementtype attribute can only be applied for'],
  ['call void asm "", "!i"(); ret void', 'Label constraints can only be used with callbr'],
  ['call void asm "", "=&*m"(ptr %p); ret void', 'error: <stdin>:3:15: failed to parse constraints'],
  ['call void asm "", "~v0"(); ret void', 'error: <stdin>:3:15: failed to parse constraints'],
  ['call void asm "", "{v0"(i32 %i); ret void', 'error: <stdin>:3:15: failed to parse constraints'],
  ['%r = call i32 asm "", "=r,1"(i32 %i); ret void', 'error: <stdin>:3:19: failed to parse constraints'],
  ['%r = call i32 asm "", "=r,0,0"(i32 %i, i32 %i); ret void', 'error: <stdin>:3:19: failed to parse constraints'],
  ['%r = call i32 asm "", "=&r,%0"(i32 %i); ret void', '--- |'],
  [ASM_GOTO('!i', '', 'label %b'), '--- |'],
  [ASM_GOTO('!i', '', 'label %b, label %b'), 'Number of label constraints does not match number of callbr dests'],
  [ASM_GOTO('*m,!i', 'ptr %p', 'label %b'), 'Operand for indirect constraint must have elementtype attribute'],
  ['callbr void asm unwind "", "!i"() to label %a [label %b]; a:; ret void; b:; ret void', 'Unwinding from Callbr is not'],
  ['callbr void %p() to label %a [label %b]; a:; ret void; b:; ret void', 'Callbr: indirect function / invalid signature'],
  ['callbr void @llvm.amdgcn.s.barrier() to label %a [label %b]; a:; ret void; b:; ret void', 'Callbr currently only supports'],
  [`${KILL} to label %a [label %b]; a:; ret void; b:; ret void`, 'Callbr amdgcn_kill indirect dest needs to be unreachable'],
  [`${KILL} to label %a [label %b]; a:; ret void; b:; unreachable`, '--- |'],
  [`${KILL} to label %a [label %b, label %b]; a:; ret void; b:; unreachable`, 'Callbr amdgcn_kill only supports one indirect'],
  [`${KILL} [ "x"() ] to label %a [label %b]; a:; ret void; b:; unreachable`, "Callbr for intrinsics currently doesn't support"],
  ['%r = atomicrmw add ptr %p, i7 1 monotonic; ret void', "atomic memory access' size must be byte-sized"],
  ['%r = cmpxchg ptr %p, i24 1, i24 2 monotonic monotonic; ret void', "atomic memory access' operand must have a power-of-two"],
  ['%r = cmpxchg ptr %p, <3 x i8> poison, <3 x i8> poison monotonic monotonic; ret void', 'cmpxchg operand must have integer or'],
  ['%r = cmpxchg ptr %p, i32 1, i32 2 unordered monotonic; ret void', 'error: <stdin>:4:5: invalid cmpxchg success ordering'],
  ['%r = cmpxchg ptr %p, i32 1, i32 2 acquire release; ret void', 'error: <stdin>:4:5: invalid cmpxchg failure ordering'],
  ['fence monotonic; ret void', 'error: <stdin>:4:5: fence cannot be monotonic'],
  ['%r = atomicrmw add ptr %p, i32 1 unordered, align 4; ret void', 'error: <stdin>:4:5: atomicrmw cannot be unordered'],
  ['%e = alloca swifterror i64, addrspace(5); ret void', 'swifterror alloca must have pointer type'],
  ['%e = alloca swifterror ptr, i32 2, addrspace(5); ret void', 'swifterror alloca must not be array allocation'],
  [`${LOOP}{!"llvm.loop.estimated_trip_count"}`, 'Expected two operands'],
  [`${LOOP}{!"llvm.loop.estimated_trip_count", i64 1}`, 'Expected second operand to be an integer constant of type i32 or'],
  [`${LOOP}{!"llvm.loop.estimated_trip_count", i16 1}`, '--- |'],
  [`${FLAGS}{i32 1, !"branch-target-enforcement", i32 1}`, '--- |'],
  [`${FLAGS}{i32 1, !"Linker Options", !{}}`, "'Linker Options' named metadata no longer supported"],
  [`${FLAGS}{i32 5, !"CG Profile", !{!{ptr @f, ptr @f}}}`, 'expected a MDNode triple'],
  [`${GLOBAL}{}`, 'associated metadata must have one operand'],
  [`${GLOBAL}{null}`, 'associated metadata must have a global value'],
  [`${GLOBAL}{!"x"}`, 'associated metadata must be ValueAsMetadata'],
  [`${GLOBAL}{i32 1}`, 'associated value must be pointer typed'],
  [`${GLOBAL}{ptr @g}`, 'global values should not associate to themselves'],
  [`${GLOBAL}{ptr @f}`, '--- |'],
  ['ret void; }; !llvm.ident = !{!0}; !0 = !{!"a", !"b"}', 'incorrect number of operands in llvm.ident metadata'],
  ['ret void; }; !llvm.ident = !{!0}; !0 = !{null}', 'invalid value for llvm.ident metadata entry operand'],
  ['ret void; }; !llvm.commandline = !{!0, !0}; !0 = !{i32 1}', 'invalid value for llvm.commandline metadata entry operand'],
  ['ret void; }; @g = dllimport global i32 0', 'Global is marked as dllimport, but not external'],
  ['ret void; }; $g = comdat any; @g = external global i32, comdat', 'Declaration may not be in a Comdat!'],
  ['ret void; }; @g = global i32 0, code_model "x"', 'error: <stdin>:5:33: expected global code model string'],
  ['ret void; }; @g = global target("amdgcn.named.barrier", 0) zeroinitializer', 'error: <stdin>:5:49: invalid type for null'],
  ['ret void; }; @a = alias i32, ptr @g; @g = global i32 0', '--- |'],
  ['ret void; }; @a = alias i32, ptr @b; @b = alias i32, ptr @a', 'Aliases cannot form a cycle'],
  ['ret void; }; @a = alias i32, ptr @g; @g = external global i32', 'Alias must point to a definition'],
  ['ret void; }; @a = alias i32, ptr null', 'Aliasee should be either GlobalValue or ConstantExpr'],
  ['ret void; }; @a = alias i32, ptr @b; @b = weak alias i32, ptr @g; @g = global i32 0', 'Alias cannot point to an interposable'],
  ['ret void; }; @a = available_externally alias i32, ptr @g; @g = global i32 0', 'available_externally alias must point to'],
  ['ret void; }; @i = ifunc void (), ptr @r; declare ptr @r()', 'IFunc resolver must be a definition'],
  ['ret void; }; @i = ifunc void (), ptr @f', 'IFunc resolver must return a pointer'],
  ['ret void; }; @i = ifunc void (), ptr null', 'IFunc must have a Function resolver'],
  ['ret void; }; declare void @h() personality ptr @f', "Function declaration shouldn't have a personality routine"],
]; // prettier-ignore

describe('assembly, callbr, atomics and lists of metadata in the eyes of the IR verifier', () => {
  for (const [body, says] of FUNCTIONS)
    it(`${body.slice(0, 100)}: ${says}`, () => {
      const lines = body.split('; ').map((l) => (/^[}@!$]|^\w+:$|^declare/.test(l) ? l : `  ${l}`));
      if (!lines.includes('}')) lines.push('}');
      const ir = ['define void @f(ptr %p, i32 %i, i1 %c) {', ...lines];
      for (const name of ['llvm.amdgcn.kill(i1)', 'llvm.amdgcn.s.barrier()'])
        if (body.includes(name.slice(0, name.indexOf('(')))) ir.push(`declare void @${name}`);
      const text = `--- |\n${ir.map((l) => `  ${l}\n`).join('')}...\n---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n`;
      const own = runLlcOnText(ARGS, text);
      const answer = own.stderr + own.stdout;
      assert.equal(answer.slice(0, says.length), says);
      if (llcVersion() !== MODELLED_LLC) return;
      const llc = runLlc(['-x', 'mir', ...ARGS], text);
      assert.equal(answer, llc.stderr.replaceAll('llc-22', 'llc') + llc.stdout, text);
    });
});
