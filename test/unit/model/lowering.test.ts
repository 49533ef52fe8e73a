/** Lowering: llc's first error and its place, recovery, numbering, identity of what an edit leaves alone, places in the text. */
import assert from 'node:assert';
import { lowerFile, LoweringCache, type ModelFile } from '../../../server/src/model/lowering/lowerFile.js';
import { printFunctionDocument } from '../../../server/src/model/printer/functionPrinter.js';
import { parseMirFile, updateMirFile, type MirFile } from '../../../server/src/syntax/index.js';
import { DiagnosticOrigin, NO_PLACE, Severity } from '../../../server/src/text/diagnostic.js';
import { SourceText } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { BODY_ERRORS } from './bodyErrors.js';
import { HEADER_ERRORS, TWO_BLOCKS } from './headerErrors.js';
import { IR_BODIES, IR_DOCUMENT } from './irBodies.js';

const OPTIONS = { triple: 'amdgcn', cpu: 'gfx900', features: '' };
const interner = new Interner();
const cache = new LoweringCache();

function parse(text: string): MirFile {
  return parseMirFile(new SourceText(text), interner);
}

function lower(text: string, options = OPTIONS): ModelFile {
  return lowerFile(parse(text), options, cache);
}

/** The first error as the tables spell it. */
function firstError(text: string, options = OPTIONS): string {
  const model = lower(text, options);
  const d = model.diagnostics.find((x) => x.severity === Severity.Error);
  if (d === undefined) return 'OK';
  if (d.origin === DiagnosticOrigin.Function) return `F: ${d.message}`;
  if (d.llcOffset === NO_PLACE) return `?: ${d.message}`;
  const p = model.file.text.positionAt(d.llcOffset ?? d.start);
  return `${p.line + 1}:${p.character + 1}: ${d.message}`;
}

function bodyText(lines: string): string {
  const body = lines
    .split('|')
    .map((l) => `    ${l}\n`)
    .join('');
  return `---\nname: f\nbody: |\n  bb.0:\n${body}...\n`;
}

describe('model/lowering', () => {
  it("reports llc's first error in a body", () => {
    for (const [lines, expected] of BODY_ERRORS) assert.strictEqual(firstError(bodyText(lines)), expected, lines);
  });

  it("reports llc's first error in a header", () => {
    const options = { ...OPTIONS, cpu: '' };
    for (const [header, hasBody, expected] of HEADER_ERRORS) {
      const actual = firstError(`---\nname: f\n${header}${hasBody ? TWO_BLOCKS : ''}...\n`, options);
      assert.strictEqual(actual, expected, header);
    }
  });

  it('reads and prints bodies over IR as llc does', () => {
    for (const [header, body, expected] of IR_BODIES) {
      const text = `${IR_DOCUMENT}---\nname: f\n${header}body: |\n${body}...\n`;
      const error = firstError(text);
      if (error !== 'OK' || expected === 'OK' || /^(?:F|[0-9]+:[0-9]+): /.test(expected)) {
        assert.strictEqual(error, expected, body);
        continue;
      }
      const printed = printFunctionDocument(lower(text).functions[0].fn!).replace(/<0x[0-9a-f]+>/g, '<0x>');
      const lines = printed
        .slice(printed.indexOf('\nbody:') + 1, -'\n...\n'.length)
        .split('\n')
        .slice(1);
      assert.strictEqual(lines.map((l) => l.slice(2)).join('\n'), expected, body);
    }
  });

  it('agrees with llc-22 on a sample of the table', function () {
    needsLlc(this);
    for (let i = 0; i < BODY_ERRORS.length; i += 9) {
      const [lines, expected] = BODY_ERRORS[i];
      const run = runLlc(
        ['-mtriple=amdgcn', '-mcpu=gfx900', '-x', 'mir', '-run-pass=none', '-o', '-'],
        bodyText(lines),
      );
      const m =
        /^error: (?:YAML|<stdin>):(\d+:\d+: .*)$/m.exec(run.stderr) ?? /^error: <stdin>: (.*)$/m.exec(run.stderr);
      const actual = m === null ? 'OK' : /^\d/.test(m[1]) ? m[1] : `F: ${m[1]}`;
      assert.strictEqual(actual, expected, lines);
    }
  });

  it('fills in machineFunctionInfo as llc-22 does', function () {
    needsLlc(this);
    const cases: [cpu: string, callingConv: string][] = [
      ['gfx600', 'amdgpu_gs'],
      ['gfx900', ''],
      ['gfx900', 'amdgpu_hs'],
      ['gfx908', 'amdgpu_kernel'],
      ['gfx90a', 'amdgpu_gfx'],
      ['gfx942', 'amdgpu_gfx'],
      ['gfx1030', 'amdgpu_cs_chain'],
      ['gfx1100', 'amdgpu_gs'],
      ['gfx1200', 'amdgpu_ps'],
      ['gfx1250', 'spir_func'],
    ];
    const attributes =
      '"amdgpu-flat-work-group-size"="64,512" "amdgpu-num-vgpr"="50" "amdgpu-dynamic-vgpr-block-size"="16"';
    for (const [cpu, callingConv] of cases) {
      const text =
        `--- |\n  define ${callingConv} void @f() #0 {\n    ret void\n  }\n  attributes #0 = { ${attributes} }\n...\n` +
        '---\nname: f\nmachineFunctionInfo:\n  ldsSize: 5000\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
      const run = runLlc(['-mtriple=amdgcn', `-mcpu=${cpu}`, '-x', 'mir', '-run-pass=none', '-o', '-'], text);
      const printed = printFunctionDocument(lower(text, { ...OPTIONS, cpu }).functions[0].fn!);
      assert.strictEqual(printed, run.stdout.slice(run.stdout.indexOf('---\nname:')), `${cpu} ${callingConv}`);
    }
  });

  it('reports one error a line and keeps the other lines', () => {
    const model = lower(bodyText('S_FOO 0|S_NOP 1|S_NOP %stack.0, $nothing|S_ENDPGM 0'));
    assert.deepStrictEqual(
      model.diagnostics.map((d) => d.message),
      ["unknown machine instruction name 'S_FOO'", "use of undefined stack object '%stack.0'"],
    );
    const { fn, isComplete } = model.functions[0];
    assert.ok(fn !== null && !isComplete);
    assert.deepStrictEqual(
      Array.from(fn.opcode.subarray(0, fn.nInstrs), (o) => fn.tables.opcodeName(o)),
      ['S_NOP', 'S_ENDPGM'],
    );
  });

  it("sorts the errors of a function in llc's order of detection", () => {
    // Labels of the whole body come before its instructions, and registers before both.
    const text =
      '---\nname: f\nregisters:\n  - { id: 0, class: nothing }\nbody: |\n  bb.0:\n    S_FOO 0\n  bb.0:\n    S_NOP 0\n...\n';
    assert.deepStrictEqual(
      lower(text).diagnostics.map((d) => d.message),
      [
        "use of undefined register class or register bank 'nothing'",
        'redefinition of machine basic block with id #0',
        "unknown machine instruction name 'S_FOO'",
        "Cannot determine class/bank of virtual register 0 in function 'f'",
      ],
    );
  });

  it('keeps functions apart', () => {
    const model = lower(
      '---\nname: a\nbody: |\n  bb.0:\n    S_FOO 0\n...\n---\nname: b\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n---\nname: b\n...\n',
    );
    assert.deepStrictEqual(
      model.functions.map((f) => [f.name, f.isComplete]),
      [
        ['a', false],
        ['b', true],
        ['b', true],
      ],
    );
    assert.deepStrictEqual(
      model.functionDiagnostics(2).map((d) => d.message),
      ["redefinition of machine function 'b'"],
    );
  });

  it('numbers virtual registers by first mention', () => {
    // Spec mir-format 7, confirmed with llc-22.
    const text =
      '---\nname: f\nregisters:\n  - { id: 9, class: vgpr_32 }\n  - { id: 3, class: vgpr_32 }\n  - { id: 4, class: vgpr_32 }\n' +
      'body: |\n  bb.0:\n    %7:vgpr_32 = IMPLICIT_DEF\n    %foo:vgpr_32 = IMPLICIT_DEF\n    %3 = COPY %7\n    S_ENDPGM 0\n...\n';
    const printed = printFunctionDocument(lower(text).functions[0].fn!);
    assert.ok(
      printed.includes('    %3:vgpr_32 = IMPLICIT_DEF\n    %foo:vgpr_32 = IMPLICIT_DEF\n    %1:vgpr_32 = COPY %3\n'),
    );
  });

  it('puts explicit operands before implicit ones and rewrites vcc on wave32', () => {
    const text = bodyText('V_CMP_EQ_U32_e32 0, implicit-def $vcc, $vgpr0, implicit $exec|S_ENDPGM 0');
    const printed = printFunctionDocument(lower(text, { ...OPTIONS, cpu: 'gfx1030' }).functions[0].fn!);
    assert.ok(printed.includes('    V_CMP_EQ_U32_e32 0, $vgpr0, implicit-def $vcc_lo, implicit $exec\n'));
  });

  it('normalizes and guesses successors', () => {
    const text =
      '---\nname: f\nbody: |\n  bb.5:\n    successors: %bb.7(7), %bb.8(7), %bb.5(1)\n    S_NOP 0\n  bb.7:\n' +
      '    S_CBRANCH_SCC0 %bb.5, implicit $scc\n  bb.8:\n    S_ENDPGM 0\n...\n';
    const fn = lower(text).functions[0].fn!;
    assert.deepStrictEqual(fn.blocks[0].probabilities, [0x3bbbbbbc, 0x3bbbbbbc, 0x08888889]);
    assert.deepStrictEqual(fn.blocks[1].successors, [0, 2]);
    assert.deepStrictEqual(fn.blocks[2].predecessors, [0, 1]);
    assert.deepStrictEqual(fn.blocks[2].successors, []);
  });

  it('glues bundles', () => {
    const fn = lower(bodyText('S_NOP 0|BUNDLE {|S_NOP 1|S_NOP 2|}|S_ENDPGM 0')).functions[0].fn!;
    assert.deepStrictEqual(Array.from(fn.bundle.subarray(0, fn.nInstrs)), [0, 2, 3, 1, 0]);
  });

  it('keeps the function of an unchanged document, wherever it moves', () => {
    const own = new LoweringCache();
    const a = '---\nname: a\nbody: |\n  bb.0:\n    S_NOP 0\n...\n';
    const b = '---\nname: b\nbody: |\n  bb.0:\n    S_FOO 1\n    S_ENDPGM 0\n...\n';
    const before = parse(a + b);
    const first = lowerFile(before, OPTIONS, own);
    const at = a.indexOf('S_NOP 0') + 'S_NOP '.length;
    const edit = { start: at, end: at + 1, text: '123' };
    const second = lowerFile(updateMirFile(before, before.text.apply(edit), [edit]), OPTIONS, own);
    assert.strictEqual(second.functions[1], first.functions[1]);
    assert.notStrictEqual(second.functions[0], first.functions[0]);
    assert.strictEqual(second.functionDiagnostics(1)[0].start, first.functionDiagnostics(1)[0].start + 2);
    assert.notStrictEqual(lowerFile(before, { ...OPTIONS, cpu: 'gfx1100' }, own).functions[1], first.functions[1]);
  });

  it('answers after edits what a fresh lowering answers', () => {
    const own = new LoweringCache();
    const line = (i: number): string => `    %${i + 1}:vgpr_32 = V_ADD_U32_e32 %${i}, $vgpr${i % 8}, implicit $exec\n`;
    const body = Array.from({ length: 300 }, (_, i) => line(i)).join('');
    let file = parse(`---\nname: f\nbody: |\n  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n${body}    S_ENDPGM 0\n...\n`);
    void lowerFile(file, OPTIONS, own).functions[0].fn;
    const edits: [find: string, text: string][] = [
      ['%150:vgpr_32', '%foo:vgpr_32'],
      ['%foo:vgpr_32', '%9999:sgpr_32'],
      ['%20, $vgpr4', '%20, $vgpr99999'],
      ['$vgpr99999', '%stack.0'],
      ['%stack.0', '%77:agpr_32'],
      ['%77:agpr_32', '$vgpr4'],
      ['  bb.0:\n', '  bb.0:\n    %500:vgpr_32 = IMPLICIT_DEF\n'],
      // Not at the start of the line, then after no blank of YAML's: not the end of a document any more.
      ['...\n', '\t...\n'],
      ['\t...\n', '\u2028...\n'],
    ];
    for (const [find, text] of edits) {
      const start = file.text.text.indexOf(find);
      assert.ok(start >= 0, find);
      const edit = { start, end: start + find.length, text };
      file = updateMirFile(file, file.text.apply(edit), [edit]);
      const warm = lowerFile(file, OPTIONS, own);
      const cold = lowerFile(parse(file.text.text), OPTIONS, new LoweringCache());
      assert.deepStrictEqual(warm.diagnostics, cold.diagnostics, text);
      assert.strictEqual(
        printFunctionDocument(warm.functions[0].fn!),
        printFunctionDocument(cold.functions[0].fn!),
        text,
      );
    }
  });

  it('knows where things stand', () => {
    const text =
      '---\nname: f\nregisters:\n  - { id: 1, class: vgpr_32 }\nmachineFunctionInfo:\n  occupancy: 5\nbody: |\n  bb.0:\n    liveins: $vgpr0, $vgpr1\n' +
      '    successors: %bb.1\n    %1 = V_ADD_U32_e32 killed $vgpr0, undef %2:vgpr_32, implicit $exec\n  bb.1:\n' +
      '    $vgpr0 = DS_READ_B32 killed %1, 0, 0, implicit $m0, implicit $exec :: (load (s32) from stack)\n...\n';
    const model = lower(`# a comment\n${text}`);
    assert.deepStrictEqual(model.diagnostics, []);
    const fn = model.functions[0].fn!;
    const source = fn.source!;
    const at = (r: { start: number; end: number } | null): string =>
      r === null ? '' : model.file.text.slice(r.start + model.functionStarts[0], r.end + model.functionStarts[0]);
    assert.strictEqual(at(source.name), 'f');
    assert.strictEqual(at(source.instrRange(0)), '%1 = V_ADD_U32_e32 killed $vgpr0, undef %2:vgpr_32, implicit $exec');
    assert.strictEqual(at(source.opcodeRange(0)), 'V_ADD_U32_e32');
    assert.strictEqual(at(source.operandRange(0, 1)), 'killed $vgpr0');
    assert.strictEqual(at(source.operandRange(0, 3)), 'implicit $exec');
    assert.strictEqual(at(source.memOperandRange(1, 0)), '(load (s32) from stack)');
    assert.strictEqual(at(source.blockLabelRange(1)), 'bb.1:');
    assert.strictEqual(at(source.successorsRange(0)), 'successors: %bb.1');
    assert.strictEqual(source.successorsRange(1), null);
    assert.strictEqual(at(source.liveInRange(0, 1)), '$vgpr1');
    assert.strictEqual(at(source.vregDeclRange(0)), '{ id: 1, class: vgpr_32 }');
    assert.strictEqual(source.vregDeclRange(1), null);
    assert.strictEqual(at(source.headerRange('machineFunctionInfo.occupancy')), '5');
    assert.strictEqual(source.headerRange('machineFunctionInfo.nothing'), null);
  });

  it('takes the processor of the function before that of the options', () => {
    const text =
      '--- |\n  define void @f() #0 {\n    ret void\n  }\n  attributes #0 = { "target-cpu"="gfx1100" }\n...\n' +
      '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
    assert.strictEqual(lower(text).functions[0].fn!.subtarget.cpu, 'gfx1100');
  });

  it('survives anything', () => {
    const whole = bodyText(
      '%0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec :: (load (s32) from %ir.x, align 4) {|}|S_ENDPGM 0',
    );
    for (let i = 0; i < whole.length; i++) {
      for (const text of [
        whole.slice(0, i),
        whole.slice(0, i) + whole.slice(i + 1),
        `${whole.slice(0, i)}\0${whole.slice(i)}`,
      ]) {
        const model = lower(text);
        for (const d of model.diagnostics) assert.ok(d.start <= d.end && d.end <= text.length + 1, d.message);
        for (const f of model.functions) if (f.fn !== null) printFunctionDocument(f.fn);
      }
    }
  });
});
