/** What LLVM's IR verifier says of convergence control tokens and of operand bundles; where llc-22 is installed, it says the same. */
import assert from 'node:assert/strict';
import { Random } from '../../support/damageInputs.js';
import { llcVersion, MODELLED_LLC, needsLlc, runLlc } from '../../support/llc.js';
import { runLlcOnText } from '../../support/schedule.js';

const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-run-pass=none', '-o', '-'];

const ENTRY = 'call token @llvm.experimental.convergence.entry()';
const ANCHOR = 'call token @llvm.experimental.convergence.anchor()';
const LOOP = 'call token @llvm.experimental.convergence.loop()';
const ctrl = (token: string): string => ` [ "convergencectrl"(token ${token}) ]`;
const G = 'call void @g()';

const DECLARATIONS = [
  'declare void @g() convergent',
  'declare void @plain()',
  'declare i32 @number()',
  'declare token @token()',
  'declare void @taker(token)',
  'declare token @llvm.experimental.convergence.entry()',
  'declare token @llvm.experimental.convergence.anchor()',
  'declare token @llvm.experimental.convergence.loop()',
];

function textOf(body: readonly string[], attributes = 'convergent'): string {
  const declared = DECLARATIONS.filter((d) => body.some((line) => line.includes(/@[\w.]+/.exec(d)![0])));
  const lines = [`define void @f(i1 %c, i1 %d, ptr %p, i32 %i) ${attributes} {`, ...body, '}', ...declared];
  return `--- |\n${lines.map((l) => `  ${l}\n`).join('')}...\n---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n`;
}

function compared(text: string): string {
  const own = runLlcOnText(ARGS, text);
  if (llcVersion() === MODELLED_LLC)
    assert.equal(own.stderr, runLlc(['-x', 'mir', ...ARGS], text).stderr.replaceAll('llc-22', 'llc'), text);
  return own.stderr;
}

/** `; ` ends a line; what LLVM says first, null: it is accepted. */
const FUNCTIONS: readonly (readonly [body: string, message: string | null])[] = [
  [`%t = ${ENTRY}; ${G}${ctrl('%t')}; ret void`, null],
  [`%a = ${ANCHOR}; call void @plain()${ctrl('%a')}; ret void`, null],
  [`br label %b; b:; %t = ${ENTRY}; ret void`, 'Entry intrinsic can occur only in the entry block.'],
  [`%a = ${ANCHOR}; %t = ${ENTRY}${ctrl('%a')}; ret void`, 'Entry intrinsic cannot be preceded by a convergent operation'],
  [`%a = ${ANCHOR}; %t = ${ANCHOR}${ctrl('%a')}; ret void`, 'Entry or anchor intrinsic cannot have a convergencectrl'],
  [`%t = ${LOOP}; ret void`, 'Loop intrinsic must have a convergencectrl token operand.'],
  [`%a = ${ANCHOR}; ${G} [ "convergencectrl"(token %a), "convergencectrl"(token %a) ]; ret void`, "The 'convergencectrl' bundle can occur"],
  [`${G} [ "convergencectrl"() ]; ret void`, "The 'convergencectrl' bundle requires exactly one token use."],
  [`${G} [ "convergencectrl"(i32 1) ]; ret void`, "The 'convergencectrl' bundle requires exactly one token use."],
  [`${G}${ctrl('none')}; ret void`, 'Convergence control tokens can only be produced by calls to the'],
  [`%t = call token @token(); ${G}${ctrl('%t')}; ret void`, 'Convergence control tokens can only be produced by calls to the'],
  [`%a = ${ANCHOR}; ${G}${ctrl('%a')}; ${G}; ret void`, 'Cannot mix controlled and uncontrolled convergence'],
  [`%a = ${ANCHOR}; call void asm sideeffect "x", ""() convergent; ret void`, 'Cannot mix controlled and uncontrolled convergence'],
  [`%a = ${ANCHOR}; br label %l; l:; br label %m; m:; %h = ${LOOP}${ctrl('%a')}; br i1 %c, label %l, label %e; e:; ret void`, 'Cycle heart must dominate all blocks in the cycle.'],
  [`%a = ${ANCHOR}; br i1 %c, label %l, label %m; l:; %h = ${LOOP}${ctrl('%a')}; br label %m; m:; br i1 %d, label %l, label %e; e:; ret void`, 'Cycle heart must dominate all blocks in the cycle.'],
  [`%a = ${ANCHOR}; br label %"a b"; "a b":; ${G}${ctrl('%a')}; br i1 %c, label %"a b", label %e; e:; ret void`, 'Convergence token used by an instruction other than'],
  [`%a = ${ANCHOR}; br label %1; 1:; ${G}${ctrl('%a')}; br i1 %c, label %1, label %2; 2:; ret void`, 'Convergence token used by an instruction other than'],
  [`%a = ${ANCHOR}; br label %l; l:; %h = ${LOOP}${ctrl('%a')}; br i1 %c, label %m, label %e; m:; %i2 = ${LOOP}${ctrl('%a')}; br label %l; e:; ret void`, 'Cycle heart must dominate all blocks in the cycle.'],
  [`%a = ${ANCHOR}; %b = ${ANCHOR}; ${G}${ctrl('%a')}; ${G}${ctrl('%b')}; ret void`, 'Convergence region is not well-nested.'],
  [`br i1 %c, label %u, label %v; u:; %t = ${ANCHOR}; br label %v; v:; ${G}${ctrl('%t')}; ret void`, 'Instruction does not dominate all uses!'],
  [`${G}${ctrl('%t')}; %t = ${ANCHOR}; ret void`, 'Instruction does not dominate all uses!'],
  [`br label %v; u:; %t = ${ANCHOR}; br label %v; v:; ${G}${ctrl('%t')}; ret void`, 'Instruction does not dominate all uses!'],
  [`%a = ${ANCHOR}; br i1 %c, label %l, label %m; l:; br label %m; m:; %p2 = phi token [ %a, %0 ], [ %a, %l ]; ret void`, 'PHI nodes cannot have token type!'],
  [`%a = ${ANCHOR}; call void @taker(token %a); ret void`, "Function has token parameter but isn't an intrinsic"],
  [`%a = call token %p(); ret void`, 'Return type cannot be token for indirect call!'],
  ['call void @plain() [ "deopt"(), "deopt"() ]; ret void', 'Multiple deopt operand bundles'],
  ['call void @plain() [ "gc-transition"(), "gc-transition"() ]; ret void', 'Multiple gc-transition operand bundles'],
  ['call void @plain() [ "gc-live"(), "gc-live"() ]; ret void', 'Multiple gc-live operand bundles'],
  ['call void @plain() [ "funclet"() ]; ret void', 'Expected exactly one funclet bundle operand'],
  ['call void @plain() [ "funclet"(token none) ]; ret void', 'Funclet bundle operands should correspond to a FuncletPadInst'],
  ['call void @plain() [ "cfguardtarget"() ]; ret void', 'Expected exactly one cfguardtarget bundle operand'],
  ['call void @plain() [ "cfguardtarget"(ptr null), "cfguardtarget"(ptr null) ]; ret void', 'Multiple CFGuardTarget operand bundles'],
  ['call void %p() [ "ptrauth"() ]; ret void', 'Expected exactly two ptrauth bundle operands'],
  ['call void %p() [ "ptrauth"(i32 %i, i64 2) ]; ret void', 'Ptrauth bundle key operand must be an i32 constant'],
  ['call void %p() [ "ptrauth"(i32 1, i32 2) ]; ret void', 'Ptrauth bundle discriminator operand must be an i64'],
  ['call void %p() [ "ptrauth"(i32 1, i64 2) ]; ret void', null],
  ['call void @plain() [ "ptrauth"(i32 1, i64 2) ]; ret void', 'Direct call cannot have a ptrauth bundle'],
  ['call void @plain() [ "kcfi"() ]; ret void', 'Expected exactly one kcfi bundle operand'],
  ['call void @plain() [ "kcfi"(i64 1) ]; ret void', 'Kcfi bundle operand must be an i32 constant'],
  ['call void @plain() [ "deopt"(), "kcfi"(i32 1), "kcfi"(i32 1), "deopt"() ]; ret void', 'Multiple kcfi operand bundles'],
  ['call void @plain() [ "any"(), "any"(i32 1, ptr null) ]; ret void', null],
  ['%r = call i32 @number() [ "deopt"(i32 %r) ]; ret void', 'Only PHI nodes may reference their own value!'],
  ['call void @plain() [ "deopt"(ptr @llvm.experimental.convergence.loop) ]; ret void', 'Cannot take the address of an intrinsic!'],
]; // prettier-ignore

/** Blocks that go anywhere, with the intrinsics and calls of random tokens, most of which are defined above. */
function randomTokens(random: Random): string {
  const n = 2 + random.below(6);
  const lines: string[] = [];
  const tokens: string[] = [];
  const anyToken = (): string => ctrl(random.pick(tokens));
  for (let b = 0; b < n; b++) {
    if (b > 0) lines.push(`b${b}:`);
    if (b === 0) {
      tokens.push('%t0');
      lines.push(`%t0 = ${random.pick([ENTRY, ANCHOR])}`);
    } else if (random.chance(40)) {
      lines.push(`%t${b} = ${random.chance(75) ? LOOP + anyToken() : ANCHOR}`);
      tokens.push(`%t${b}`);
    }
    for (let k = random.below(3); k > 0; k--) lines.push(G + (random.chance(97) ? anyToken() : ''));
    const target = (): string => `label %b${1 + random.below(n - 1)}`;
    const shape = random.below(10);
    if (b === n - 1 || shape === 0) lines.push('ret void');
    else if (shape < 4) lines.push(`br ${target()}`);
    else if (shape < 9) lines.push(`br i1 %c, label %b${b + 1}, ${target()}`);
    else lines.push(`switch i32 %i, ${target()} [ i32 1, ${target()} i32 2, label %b${b + 1} i32 3, ${target()} ]`);
  }
  return textOf(lines);
}

describe('convergence control and operand bundles in the eyes of the IR verifier', () => {
  for (const [body, message] of FUNCTIONS)
    it(`${body.slice(0, 120)}: ${message ?? 'accepted'}`, () => {
      assert.equal(compared(textOf(body.split('; '))).slice(0, message?.length ?? 1), message ?? '');
    });

  it('an entry token in a function that is not convergent', () => {
    assert.match(
      compared(textOf([`%t = ${ENTRY}`, 'ret void'], '')),
      /^Entry intrinsic can occur only in a convergent/,
    );
  });

  it('tokens in random flow', function () {
    this.timeout(60_000);
    needsLlc(this);
    const kinds = new Set<string>();
    for (let n = 0; n < 150; n++) kinds.add(compared(randomTokens(new Random(n))).split('\n', 1)[0]);
    assert.ok(kinds.size > 5, [...kinds].join('\n'));
  });
});
