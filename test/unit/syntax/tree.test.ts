/** Shapes of the tree: what each construct of the text becomes. */
import assert from 'node:assert/strict';
import { SourceText } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';
import {
  DocumentKind,
  dumpTree,
  MemOperandFlag,
  NO_NODE,
  parseMirFile,
  RegFlag,
  RegKind,
  SyntaxKind,
  yamlGet,
  yamlText,
  type MirFile,
} from '../../../server/src/syntax/index.js';

function parse(text: string): MirFile {
  return parseMirFile(new SourceText(text), new Interner());
}

const body = (lines: string): string => `---\nname: f\nbody: |\n  bb.0:\n${lines.replace(/^/gm, '    ')}\n...\n`;

/** Dump of the top-level nodes after `bb.0:`, without positions. */
function shape(lines: string): string {
  const dump = dumpTree(parse(body(lines))).split('\n');
  const first = dump.findIndex((l) => l.startsWith('    BlockLabel'));
  return dump
    .slice(first + 1, -1)
    .map((l) => (l.startsWith('  ! ') ? l.slice(2) : l.slice(4)).replace(/ \d+:\d+-\d+:\d+/, ''))
    .join('\n');
}

function check(lines: string, expected: string): void {
  const trimmed = expected.replace(/^\n/, '').replace(/\n\s*$/, '');
  const indent = /^ */.exec(trimmed)?.[0] ?? '';
  assert.equal(shape(lines), trimmed.replace(new RegExp(`^${indent}`, 'gm'), ''));
}

describe('body tree', () => {
  it('instruction with definitions, flags, sub-register, class, type, tie', () => {
    const flags = RegFlag.LeadingDef | (RegKind.NamedVirtual << RegFlag.KindShift);
    const killed = RegFlag.Killed | (RegKind.Virtual << RegFlag.KindShift);
    const implicit = RegFlag.Implicit | (RegKind.Physical << RegFlag.KindShift);
    check(
      '%a:vgpr_32(s32) = nnan nsz V_FOO killed %1.sub0(tied-def 0), -5, implicit $exec',
      `
      Instruction flags=20 "V_FOO" aux=24
        RegisterOperand flags=${flags} "a" aux=0
          ClassOrBank "vgpr_32"
          LowLevelType 32 aux=1
        Opcode "V_FOO"
        RegisterOperand flags=${killed} 1 aux=7
          SubRegIndex "sub0"
          TiedDef
            Integer
        Immediate flags=1 -5 aux=-1
        RegisterOperand flags=${implicit} "exec" aux=9
      `,
    );
  });

  it('memory operands', () => {
    const load = MemOperandFlag.Volatile | MemOperandFlag.Load;
    const both = MemOperandFlag.Load | MemOperandFlag.Store;
    check(
      'X :: (volatile "amdgpu-noclobber" load syncscope("agent") acquire (<2 x p3>) from %ir."a b" + 4, align 8, !tbaa !5), (load store unknown-size on call-entry &f), (store 4 into `ptr poison`, addrspace 5)',
      `
      Instruction "X" aux=6
        Opcode "X"
        MemOperand flags=${load}
          String "amdgpu-noclobber"
          SyncScope "agent"
          AtomicOrdering "acquire"
          LowLevelType flags=3 3 aux=2
          IRValue "a b"
          Offset 4
          MemAlign
            Integer 8
          MemTBAA
            Metadata 5
        MemOperand flags=${both}
          UnknownSize
          CallEntry
            ExternalSymbol "f"
        MemOperand flags=${MemOperandFlag.Store}
          Integer 4
          IRConstant "ptr poison"
          MemAddrSpace
            Integer 5
      `,
    );
  });

  it('symbolic operands and their offsets', () => {
    check(
      'X @g + 4, @7, &"a\\22b" - 8, %stack.1.x, %fixed-stack.2, %const.3 + 1, %jump-table.4, %bb.5.y, %subreg.sub0, !6, target-flags(a, b) @h',
      `
      Instruction "X" aux=6
        Opcode "X"
        Global "g"
          Offset 4
        Global flags=1 7
        ExternalSymbol "a\\"b"
          Offset flags=1 -8 aux=-1
        StackObject 1 ."x"
        FixedStackObject 2 aux=-1
        ConstantPoolItem 3
          Offset 1
        JumpTableIndex 4 aux=-1
        BlockRef 5 ."y"
        SubRegIndexOperand "sub0"
        Metadata 6
        TargetFlags
          Name "a"
          Name "b"
        Global "h"
      `,
    );
  });

  it('functional operands', () => {
    check(
      'X blockaddress(@f, %ir-block.0) + 4, intrinsic(@llvm.x), intpred(eq), shufflemask(0, undef), lanemask(0x10), CustomRegMask($a,$b), liveout($a, $b), dbg-instr-ref(1, 2), target-index(t) - 4, i32 5, i1 true, float 1.0, csr_mask, .mnemonic',
      `
      Instruction "X" aux=6
        Opcode "X"
        BlockAddress
          Global "f"
          IRBlock flags=1
          Offset 4
        Intrinsic
          Global "llvm.x"
        Predicate flags=1 "eq"
        ShuffleMask
          Integer
          Undef
        LaneMask
          Integer flags=2 16
        CustomRegMask
          RegisterName "a"
          RegisterName "b"
        LiveOut
          RegisterName "a"
          RegisterName "b"
        DbgInstrRef
          Integer 1
          Integer 2
        TargetIndex
          Name "t"
          Offset flags=1 -4 aux=-1
        TypedImmediate
          Name "i32"
          Integer 5
        TypedImmediate
          Name "i1"
          Name "true"
        FPImmediate 2
          FPLiteral
        NameOperand "csr_mask"
        TargetMnemonic
      `,
    );
  });

  it('trailers, bundles, comments', () => {
    check(
      'BUNDLE 0, pre-instr-symbol <mcsymbol a>, debug-instr-number 3, debug-location !DILocation(line: 1, scope: !2) { ; c\n  S_NOP 0\n}\n; CHECK: x',
      `
      Instruction "BUNDLE" aux=6
        Opcode "BUNDLE"
        Immediate
        PreInstrSymbol
          MCSymbol "a"
        DebugInstrNumber
          Integer 3
        DebugLocation
          DILocation
            DILocationField "line"
              Integer 1
            DILocationField "scope"
              Metadata 2
        BundleOpen
      Comment
      Instruction "S_NOP" aux=6
        Opcode "S_NOP"
        Immediate
      BundleClose
      Comment
      `,
    );
  });

  it('labels and attribute lines', () => {
    check(
      'bb.1.x (align 8, landing-pad, bbsections Cold, bb_id 1 2, %ir-block.y):\nsuccessors: %bb.1(0x40000000), %bb.2.z\nliveins: $sgpr0:15, $vgpr0',
      `
      BlockLabel 1 ."x"
        AttributeAlign
          Integer 8
        AttributeLandingPad
        AttributeBBSections
          Name "Cold"
        AttributeBBId
          Integer 1
          Integer 2
        IRBlock "y"
      Successors
        Successor 1
          Integer flags=2 1073741824
        Successor 2 ."z"
      LiveIns
        LiveIn "sgpr0"
          Integer 15
        LiveIn "vgpr0"
      `,
    );
  });

  it('CFI operands and inline asm', () => {
    check(
      'CFI_INSTRUCTION offset $vgpr0, -4\nINLINEASM &"v_mov \\0A", 1 /* sideeffect attdialect */, 12 /* clobber */, implicit-def early-clobber $vgpr0',
      `
      Instruction "CFI_INSTRUCTION" aux=6
        Opcode "CFI_INSTRUCTION"
        CFIOperand 1
          RegisterName "vgpr0"
          Integer flags=1 -4 aux=-1
      Instruction "INLINEASM" aux=6
        Opcode "INLINEASM"
        ExternalSymbol "v_mov \\n"
        Immediate 1
        Immediate 12
        RegisterOperand flags=${RegFlag.ImplicitDef | RegFlag.EarlyClobber | (RegKind.Physical << RegFlag.KindShift)} "vgpr0" aux=27
      `,
    );
  });

  it('a broken line keeps what stands before the error, and the next line is whole', () => {
    check(
      'S_NOP 0, killed, 5 }\nS_NOP 1',
      `
      Instruction "S_NOP" aux=6
        Opcode "S_NOP"
        Immediate
        RegisterOperand flags=${RegFlag.Killed} 0 aux=0
          Error "expected a register after register flags" aux=0
        BundleClose
      Instruction "S_NOP" aux=6
        Opcode "S_NOP"
        Immediate 1
      ! (at 5:24) definition: extraneous closing brace ('}')
      ! (at 5:20) body: expected a register after register flags
      `,
    );
  });
});

describe('header tree', () => {
  const text =
    '# RUN: x\n--- |\n  define void @f() { ret void }\n...\n---\nname: f\nregisters:\n  - { id: 0, class: vgpr_32 }\n' +
    "stack:\n- { id: 0, name: 'a''b', size: 4 }\nconstants:\n  - id: 0\n    value: \"x\\ty\"\nbody: |\n  bb.0:\n...\n";
  const file = parse(text);

  it('finds the documents', () => {
    assert.deepEqual(
      file.documents.map((d) => d.kind),
      [DocumentKind.IR, DocumentKind.Function],
    );
    const ir = file.documents[0];
    assert.equal(text.slice(ir.irStart, ir.irEnd), '  define void @f() { ret void }\n');
    assert.equal(file.docStarts[1], text.indexOf('---\nname'));
  });

  it('gives keys and decoded values', () => {
    const { yaml } = file.documents[1];
    const get = (map: number, key: string): number => yamlGet(yaml, map, file.interner.internString(key));
    const textOf = (n: number): string => yamlText(yaml, n, text, file.docStarts[1], file.interner);
    assert.equal(textOf(get(0, 'name')), 'f');
    const register = yaml.firstChild(get(0, 'registers'));
    assert.equal(textOf(get(register, 'id')), '0');
    assert.equal(textOf(get(register, 'class')), 'vgpr_32');
    assert.equal(get(register, 'preferred-register'), NO_NODE);
    assert.equal(textOf(get(yaml.firstChild(get(0, 'stack')), 'name')), "a'b");
    assert.equal(textOf(get(yaml.firstChild(get(0, 'constants')), 'value')), 'x\ty');
    assert.equal(yaml.kind(get(0, 'body')), SyntaxKind.YamlBlockScalar);
  });

  it('finds the body whatever its line ends', () => {
    for (const eol of ['\n', '\r\n', '\r']) {
      const f = parse(text.replaceAll('\n', eol));
      const b = f.documents[1].body;
      assert.ok(b !== null);
      const start = f.docStarts[1] + b.start;
      assert.equal(f.text.slice(start, start + b.length), '  bb.0:' + eol);
    }
  });

  it('reads documents without markers as LLVM does', () => {
    const kinds = (s: string): DocumentKind[] => parse(s).documents.map((d) => d.kind);
    assert.deepEqual(kinds('name: f\n'), [DocumentKind.Function]);
    assert.deepEqual(kinds('--- |\n  x\nname: f\n'), [DocumentKind.IR, DocumentKind.Function]);
    assert.deepEqual(kinds('---\n name: f\nbody: |\n  bb.0:\n'), [DocumentKind.Function, DocumentKind.Function]);
    assert.deepEqual(kinds(''), [DocumentKind.Empty]);
    assert.deepEqual(kinds('# c\n'), [DocumentKind.Empty]);
    assert.deepEqual(kinds('---\n...\n'), [DocumentKind.Empty]);
    assert.deepEqual(kinds('--- x\n'), [DocumentKind.Other]);
  });

  it('an error in one document leaves the others whole', () => {
    const f = parse("---\nname: 'f\nx: [\n---\nname: g\nbody: |\n  bb.0:\n    S_NOP 0\n...\n".replace("'f", '@f'));
    assert.deepEqual(
      f.documents.map((d) => [d.kind, d.diagnostics.length > 0]),
      [
        [DocumentKind.Function, true],
        [DocumentKind.Function, false],
      ],
    );
    assert.equal(f.documents[1].body?.chunks[0].nInstrs, 1);
  });
});

describe('hostile input', () => {
  const size = 1_000_000;
  const head = '---\nname: f\nbody: |\n  bb.0:\n';
  const fill = (s: string): string => s.repeat(Math.floor(size / s.length));
  const cases: Record<string, string> = {
    'an endless instruction': `${head}    S_NOP ${fill('0, ')}`,
    'an endless word': fill('x'),
    'an endless number': `${head}    S_NOP ${fill('9')}`,
    'NUL bytes': fill('\0'),
    'NUL bytes in a body': head + fill('    S_NOP \0\n'),
    'open brackets': fill('['),
    'nested flow maps': fill('{a: '),
    'open comments': `${head}    S_NOP 0 ${fill('/*')}`,
    'open braces': head + fill('    S_NOP 0 {\n'),
    'many documents': fill('---\n'),
    'many keys': Array.from({ length: size / 12 }, (_, i) => `key${i}: 1\n`).join(''),
    'lone carriage returns': fill('\r'),
    'byte order marks': fill('\ufeff'),
  };
  for (const [name, text] of Object.entries(cases))
    it(name, () => {
      // Anything but linear does not end.
      const file = parse(text);
      assert.equal(file.docStarts[file.documents.length], text.length);
    });
});
