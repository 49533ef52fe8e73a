/**
 * The embedded IR at its boundary: text in, module, diagnostics and printed text out. The `.want` files of
 * test/fixtures/ir are what `llc-22 -mtriple=amdgcn--amdhsa -mcpu=gfx900 -mattr=+xnack -run-pass=none FILE` prints as
 * its IR document; where llc-22 is installed they are made again and compared.
 */
import assert from 'node:assert/strict';
import { splitCursor } from '../../support/cursor.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { intrinsicBaseName, isUnknownIntrinsic } from '../../../server/src/ir/intrinsics.js';
import {
  GlobalVariable,
  Instruction,
  Opcode,
  irFunctionFacts,
  pointerAddressSpace,
  type IRModule,
} from '../../../server/src/ir/module.js';
import { MetadataSlots } from '../../../server/src/ir/metadataSlots.js';
import { parseIR } from '../../../server/src/ir/parser.js';
import { printFP, printIRDocument, printModule, printTypedValue } from '../../../server/src/ir/printer.js';
import { normalizeTriple } from '../../../server/src/ir/triple.js';
import { LLC, needsLlc } from '../../support/llc.js';
import { spawnSync } from 'node:child_process';

const FIXTURES = join(__dirname, '../../fixtures/ir');
const NAMES = ['basics', 'constants', 'debug', 'upgrades', 'older', 'debugNodes'];
const OPTIONS = { triple: 'amdgcn--amdhsa', cpu: 'gfx900', features: '+xnack' };

const readFixture = (name: string): string => readFileSync(join(FIXTURES, name), 'utf8');

function parseDocument(text: string, lazyBodies = false): ReturnType<typeof parseIR> {
  return parseIR(text, { start: text.indexOf('\n') + 1, end: text.lastIndexOf('...'), lazyBodies });
}

function parse(text: string): IRModule {
  const res = parseIR(text);
  assert.deepEqual(res.diagnostics, []);
  return res.module;
}

describe('embedded IR: printing', () => {
  for (const name of NAMES) {
    it(`prints ${name} as llc does`, () => {
      const { module, diagnostics } = parseDocument(readFixture(`${name}.mir`));
      assert.deepEqual(diagnostics, []);
      assert.equal(printIRDocument(module, { moduleId: `${name}.mir`, ...OPTIONS }), readFixture(`${name}.want`));
    });

    it(`prints ${name} again unchanged`, () => {
      const want = readFixture(`${name}.want`);
      const { module } = parseDocument(want);
      // The features are appended at every run of llc, so the second time there are none to append.
      const again = printIRDocument(module, { moduleId: `${name}.mir`, triple: OPTIONS.triple, cpu: OPTIONS.cpu });
      const strip = (s: string): string => s.replaceAll(/ "target-features"="[^"]*"/g, '');
      assert.equal(strip(again), strip(want));
    });

    it(`has an answer of llc-22 for ${name} that still holds`, function () {
      needsLlc(this);
      const args = [
        '-mtriple=amdgcn--amdhsa',
        '-mcpu=gfx900',
        '-mattr=+xnack',
        '-run-pass=none',
        `${name}.mir`,
        '-o',
        '-',
      ];
      const run = spawnSync(LLC, args, { cwd: FIXTURES, encoding: 'utf8' });
      assert.equal(run.status, 0, run.stderr);
      assert.equal(run.stdout.split('\n---\n')[0]!.trimEnd(), readFixture(`${name}.want`).trimEnd());
    });
  }

  it('reads bodies on demand with the same result', () => {
    const text = readFixture('basics.mir');
    const res = parseDocument(text, true);
    assert.deepEqual(res.loadAll(), []);
    assert.equal(printIRDocument(res.module, { moduleId: 'basics.mir', ...OPTIONS }), readFixture('basics.want'));
  });

  it('writes decimals only when six digits read back', () => {
    // What `opt-22 -S` prints for these bits; 0.075 misses because LLVM cuts digits before it rounds.
    const cases: [string, string][] = [
      ['double 0x3FF0000000000000', '1.000000e+00'],
      ['double 0x3FB3333333333333', '0x3FB3333333333333'],
      ['double 0x3FB999999999999A', '1.000000e-01'],
      ['double 0x412E848000000000', '1.000000e+06'],
      ['double 0x412FFFFE00000000', '0x412FFFFE00000000'],
      ['double 0x0000000000000001', '4.940660e-324'],
      ['double 0x0DDC50FB2A6E4BD6', '0xDDC50FB2A6E4BD6'],
      ['float 0x3FB99999A0000000', '0x3FB99999A0000000'],
      ['float -0.0', '-0.000000e+00'],
      ['float 0x7FF0000000000000', '0x7FF0000000000000'],
      ['half 0xH3C00', '0xH3C00'],
    ];
    for (const [text, want] of cases) {
      const g = parse(`@g = global ${text}\n`).globals[0]!;
      assert.equal(printFP(g.initializer as Parameters<typeof printFP>[0]), want, text);
    }
  });

  it('normalises triples as Triple::normalize', () => {
    assert.equal(normalizeTriple('amdgcn--amdhsa'), 'amdgcn-unknown-amdhsa');
    assert.equal(normalizeTriple('amdgcn-amdhsa'), 'amdgcn-unknown-amdhsa');
    assert.equal(normalizeTriple('amdgcn--'), 'amdgcn-unknown-unknown');
    assert.equal(normalizeTriple('amdgcn-amdpal-amd'), 'amdgcn-amd-amdpal');
    assert.equal(normalizeTriple('amdgcn---amdgiz'), 'amdgcn-unknown-unknown-amdgiz');
    assert.equal(normalizeTriple('amdgcn'), 'amdgcn');
    assert.equal(normalizeTriple(''), '');
  });
});

describe('embedded IR: queries', () => {
  const module = parse(`
@g = addrspace(3) global i32 1
@0 = global i32 1
define amdgpu_kernel void @f(ptr addrspace(1) %p, i32, ptr) #1 {
  %9 = alloca i32, addrspace(5)
  %q = getelementptr i8, ptr addrspace(1) %p, i32 %0
  br label %12
12:
  %s = alloca i64, addrspace(5)
  %15 = load i32, ptr addrspace(1) %q, !tbaa !3
  ret void
}
attributes #1 = { nounwind "amdgpu-waves-per-eu"="2,4" }
!x = !{!3}
!3 = !{!"a"}
`);
  const fn = module.functionByName('f')!;

  it('numbers unnamed values without gaps', () => {
    assert.equal(fn.valueBySlot(0), fn.args[1]);
    assert.equal(fn.valueBySlot(1), fn.args[2]);
    assert.equal(fn.blockBySlot(2), fn.blocks[0]);
    assert.equal((fn.valueBySlot(3) as Instruction).opcode, Opcode.Alloca);
    assert.equal(fn.blockBySlot(4), fn.blocks[1]);
    assert.equal((fn.valueBySlot(5) as Instruction).opcode, Opcode.Load);
    assert.equal(fn.valueBySlot(9), null);
    assert.equal(fn.blockBySlot(5), null);
  });

  it('finds names, spaces, allocas, globals, nodes', () => {
    assert.equal(pointerAddressSpace(fn.valueByName('q')!), 1);
    assert.equal(pointerAddressSpace(fn.valueBySlot(0)!), -1);
    assert.equal(fn.valueByName('zz'), null);
    assert.notEqual(fn.allocaByName('s'), null);
    assert.equal(fn.allocaByName('q'), null);
    assert.equal(module.globalByName('g')!.addressSpace, 3);
    assert.ok(module.globalByNumber(0) instanceof GlobalVariable);
    assert.equal(new MetadataSlots(module).slotOf(module.metadataByNumber(3)!), 0);
    assert.equal(module.metadataByNumber(4), null);
    assert.equal(printTypedValue(module.globalByName('g')!), 'ptr addrspace(3) @g');
  });

  it('gives calling convention and attributes', () => {
    const facts = irFunctionFacts(fn);
    assert.equal(facts.callingConv, 91);
    assert.equal(facts.attributes.get('amdgpu-waves-per-eu'), '2,4');
    assert.ok(facts.enumAttributes.has('nounwind'));
    assert.ok(irFunctionFacts(null).isDummy);
  });

  it('knows intrinsics by name', () => {
    assert.equal(intrinsicBaseName('llvm.amdgcn.raw.buffer.load.f32'), 'llvm.amdgcn.raw.buffer.load');
    assert.equal(intrinsicBaseName('llvm.amdgcn.workitem.id.x'), 'llvm.amdgcn.workitem.id.x');
    // Not overloaded, so no suffix is allowed.
    assert.equal(intrinsicBaseName('llvm.amdgcn.workitem.id.x.i32'), null);
    assert.equal(intrinsicBaseName('llvm.amdgcn.nope'), null);
    assert.equal(intrinsicBaseName('memcpy'), null);
    assert.ok(isUnknownIntrinsic('llvm.amdgcn.nope'));
    assert.ok(!isUnknownIntrinsic('llvm.x86.sse2.pause'));
  });

  it('keeps bytes of quoted names', () => {
    const m = parse('define void @"a\\5Cb é"(i32 %"x y") { ret void }\n');
    assert.ok(printModule(m, { moduleId: 'x' }).includes('define void @"a\\\\b \\C3\\A9"(i32 %"x y") {'));
  });
});

describe('embedded IR: errors', () => {
  /** `$0` in the text stands where LLVM puts its column; the message is LLVM's (opt-22 -S). */
  function check(marked: string, message: string): void {
    const { text, offset } = splitCursor(marked);
    for (const lazyBodies of [false, true]) {
      const diagnostics = parseIR(text, { lazyBodies }).loadAll();
      assert.deepEqual(
        diagnostics.map((d) => [d.start, d.message]),
        [[offset, message]],
        text,
      );
    }
  }

  it('reports the first error of the text', () => {
    check('$0foo\n', 'expected top-level entity');
    check('define void @f() {\n  ret void\n}\n$0} define', 'expected top-level entity');
    check('define i32 @f() {\n  ret $0void\n}\n!0 = !!', "value doesn't match function result type 'i32'");
    check('define void @f() { $0foo }', 'expected instruction opcode');
    check('define void @f() {$0}', 'function body requires at least one basic block');
    check('define void @f() {\n  %a = add i32 1, 2\n$0', 'found end of file when expecting more instructions');
    check('define void @f() { br label $0%b }', "use of undefined value '%b'");
    check(
      'define void @f(i64 %x) { %y = add i32 $0%x, 1 ret void }',
      "'%x' defined with type 'i64' but expected 'i32'",
    );
    check('declare void @f()\ndeclare void $0@f()\n', "invalid redefinition of function 'f'");
    check('@a = global ptr $0@b\n', "use of undefined value '@b'");
    check('@a = global i32 1$0e10\n', 'expected top-level entity');
  });

  it('checks types and constants', () => {
    check('@a = global float $00.1\n', 'floating point constant invalid for type');
    check('@a = global i32 $0null\n', 'null must be a pointer type');
    check('@a = global ptr $00\n', 'integer constant must have integer type');
    check('@a = global i32 $0mul (i32 1, i32 2)\n', 'mul constexprs are no longer supported');
    check('@a = global i32 0, align $03\n', 'alignment is not a power of two');
    check('@a = global ptr$0* null\n', 'ptr* is invalid - use ptr instead');
    check('!0 = !{!$03}\n', "use of undefined metadata '!3'");
    // The first mention in the text, though bodies are read last.
    check('define void @f() {\n  ret void, !foo !$03\n}\n!0 = !{!3}\n', "use of undefined metadata '!3'");
    check(
      'define void @f() {\n  store i32 0, ptr $0@b\n  ret void\n}\n@a = global ptr @b\n',
      "use of undefined value '@b'",
    );
    check(
      'define void @f() {\n  store i32 0, ptr $0@7\n  ret void\n}\n@a = global ptr @7\n',
      "use of undefined value '@7'",
    );
    check('!0 = !{}\n!0 = !{}\n$0', 'Metadata id is already used');
    check('!0 = $0!DIFoo()\n', 'expected metadata type');
    check('!0 = !DILocation(line: 1$0)\n', "missing required field 'scope'");
  });

  it('never throws on damaged text', () => {
    const text = readFixture('debug.mir');
    let seed = 7;
    const random = (n: number): number => {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
      return (seed >> 8) % n;
    };
    for (let i = 0; i < 400; i++) {
      const at = random(text.length);
      const damaged =
        text.slice(0, at) + ['"', '{', '\0', '%', '!', ')', '\n', ''][random(8)]! + text.slice(at + random(9));
      const res = parseIR(damaged, { start: damaged.indexOf('\n') + 1 });
      if (res.diagnostics.length === 0) printModule(res.module, { moduleId: 'x' });
      for (const d of res.diagnostics) assert.ok(d.start >= 0 && d.end >= d.start && d.end <= damaged.length);
    }
  });
});
