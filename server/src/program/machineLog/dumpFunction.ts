/** The MIR document of one machine dump: docs/llvm/machine-dumps.md, 2 says line by line what differs. */
import { readAsmWords } from '../../model/inlineAsm.js';
import { regMaskText } from '../../model/printer/regMaskText.js';
import type { TargetTables } from '../../target/index.js';
import { fingerprint } from '../../util/fingerprint.js';
import { sourcePlaces } from '../sourcePlace.js';
import { instrText, mapOutsideQuotes, splitOutside, type InstrText } from './dumpText.js';
import { newFunctionNeeds, noteInstr, type FunctionNeeds, type ModuleNeeds } from './irNeeds.js';
import type { MachineDump } from './logReader.js';

/** What stands for the number of a debug variable until all of them are known. */
const VARIABLE_MARK = '\u0001';

export interface DumpFunction {
  readonly name: string;
  /** the document, with marks for the numbers of debug variables (`numberVariables`) */
  readonly document: string;
  readonly needs: FunctionNeeds;
  /** it ends as a kernel does; what a shader or a function ends with; '' = it does not end */
  readonly convention: 'amdgpu_kernel' | 'amdgpu_ps' | '' | null;
  readonly instructions: number;
  readonly notes: readonly string[];
}

/** Numbers in place of marks. */
export const numberVariables = (text: string, numberOf: (key: string) => number): string =>
  text.includes(VARIABLE_MARK)
    ? text.replace(/\u0001([^\u0001]*)\u0001/g, (_, key: string) => `!${numberOf(key)}`)
    : text;

/** `module`: takes what the function needs of one. O(dump) */
export function functionOfDump(dump: MachineDump, tables: TargetTables, module: ModuleNeeds): DumpFunction {
  return new DumpReader(dump, tables, module).read();
}

/** Instructions of a dump, without debug instructions. */
export function countInstructions(lines: readonly string[]): number {
  let n = 0;
  let isBody = false;
  for (const line of lines) {
    isBody ||= BLOCK_LINE.test(line);
    if (isBody && INSTRUCTION_LINE.test(line) && !NO_INSTRUCTION.test(line) && !BLOCK_LINE.test(line)) n++;
  }
  return n;
}

/** What of a line is there whatever the pass computed besides: without slot indexes and what only comments on it. Empty: nothing. */
export function lineOfCode(line: string): string {
  const own = line.replace(SLOT, '').trim();
  if (own.startsWith(';')) return '';
  return own.startsWith('successors:') ? own.replace(/;.*$/, '').trimEnd() : own;
}

/** Tells whether the code of a function is the same. O(dump) */
export const codeKey = ({ lines }: MachineDump): string =>
  fingerprint(
    lines
      .map(lineOfCode)
      .filter((line) => line !== '')
      .join('\n'),
  );

/** What was pasted may have blanks where LLVM writes a tab. */
const SLOT = /^(?:(?:\d+[Berd])?\t|\d+[Berd] +)/;
const BLOCK_LINE = /^(?:\d+B[ \t]+)?bb\.\d/;
const INSTRUCTION_LINE = /^(?:\d+B)?[ \t]+(?:[%$a-zA-Z])/;
const NO_INSTRUCTION = /^(?:\d+B)?[ \t]+(?:(?:successors|liveins): ?|DBG_|PSEUDO_PROBE|BUNDLE )/;
const REG_CLASS = /(%[\w.$-]+):([a-z_]\w*)((?:\((?:[^()]|\([^()]*\))*\))?)/g;

class DumpReader {
  private readonly needs = newFunctionNeeds();
  private readonly defined = new Set<string>();
  private readonly leftDefined = new Set<number>();
  private readonly mentioned = new Set<string>();
  /** of registers that inline assembly or an implicit operand defines, by number: MIR has no class there */
  private readonly classes = new Map<number, string>();
  private readonly notes = new Set<string>();
  private readonly masks = new Map<string, string>();
  private convention: DumpFunction['convention'] = null;
  private nInstrs = 0;
  private hasCalls = false;

  constructor(
    private readonly dump: MachineDump,
    private readonly tables: TargetTables,
    private readonly module: ModuleNeeds,
  ) {}

  read(): DumpFunction {
    const { lines, functionName: name } = this.dump;
    const first = lines.findIndex((line) => BLOCK_LINE.test(line));
    const body = first < 0 ? [] : lines.slice(first);
    const instrs = body.map((line) => this.parse(line));
    for (const instr of instrs) if (typeof instr !== 'string' && instr !== null) this.noteDefs(instr.text);
    const text: string[] = [];
    for (const instr of instrs) {
      if (instr === null) continue;
      if (typeof instr === 'string') {
        if (instr.startsWith('bb.') && text.length > 0) text.push('');
        text.push(instr);
      } else text.push(`${instr.indent}${this.instr(instr.text)}`);
    }
    // It never ends, and only who has a stack pointer calls others.
    if (this.hasCalls) this.convention ??= '';
    const header = this.header(first < 0 ? lines : lines.slice(0, first), text);
    const document = `---\n${header}body: |\n${text.map((line) => (line === '' ? '\n' : `  ${line}\n`)).join('')}...\n`;
    const { needs, convention, nInstrs: instructions, notes } = this;
    return { name, document, needs, convention, instructions, notes: [...notes] };
  }

  /** A line of the body: an instruction, the text of another line, or nothing. */
  private parse(line: string): { readonly indent: string; readonly text: InstrText } | string | null {
    const own = line.replace(SLOT, '');
    const trimmed = own.trim();
    if (trimmed === '' || trimmed.startsWith(';')) return null;
    if (/^bb\.\d/.test(own)) {
      for (const [, name] of own.matchAll(/%ir-block\.("[^"]*"|[\w.$-]+)/g)) this.needs.blocks.add(name!);
      const named = /^bb\.\d+\.("[^"]*"|[\w.$-]+)/.exec(own);
      if (named !== null) this.needs.blocks.add(named[1]!);
      return trimmed;
    }
    if (trimmed.startsWith('successors:')) return `  ${trimmed.replace(/;.*$/, '').trimEnd()}`;
    if (trimmed.startsWith('liveins:')) return `  ${trimmed}`;
    if (trimmed === '}') return '  }';
    const text = instrText(trimmed);
    if (text === null) {
      this.notes.add(`a line is left out, it is no instruction: ${trimmed.slice(0, 80)}`);
      return null;
    }
    return { indent: /^ {4}/.test(own) ? '    ' : '  ', text };
  }

  private noteDefs({ defs, operands }: InstrText): void {
    if (operands.includes('def %'))
      for (const [, reg, rc] of operands.matchAll(/\bdef (?:[a-z-]+ )*%(\d+)(?:\.\w+)?:([a-z]\w*)/g))
        if (!this.classes.has(Number(reg))) this.classes.set(Number(reg), rc!);
    for (const [reg] of `${defs} ${operands}`.matchAll(/%[\w$-]+/g)) this.mentioned.add(reg);
    for (const [reg] of defs.matchAll(/%[\w$-]+/g)) {
      this.defined.add(reg);
      this.leftDefined.add(Number(reg.slice(1)));
    }
    if (!operands.includes('def ')) return;
    for (const [, reg] of operands.matchAll(/\b(?:implicit-def|def) (?:[a-z-]+ )*(%[\w$-]+)/g)) this.defined.add(reg!);
  }

  private instr(text: InstrText): string {
    const { opcode, head, memory, tail } = text;
    if (/^(?:DBG_|PSEUDO_PROBE)/.test(opcode) === false && opcode !== 'BUNDLE') this.nInstrs++;
    this.noteOpcode(opcode);
    let { operands } = text;
    if (opcode.startsWith('INLINEASM')) operands = this.inlineAsm(operands);
    if (operands.includes('(tied-def')) operands = this.withoutOwnTies(text, operands);
    operands = mapOutsideQuotes(operands, (part) => this.uses(part));
    if (operands.includes('<regmask')) operands = operands.replace(/<regmask[^>]*>/g, (mask) => this.regMask(mask));
    if (operands.includes('$vcc_lo')) operands = this.implicitVcc(opcode, operands);
    const place = /debug-location !(\d+)/.exec(operands);
    const places = place === null || text.comment === '' ? [] : sourcePlaces(text.comment);
    if (place !== null) this.module.debug.locations.set(Number(place[1]), places);
    if (opcode.startsWith('DBG_')) operands = this.debugVariable(text, operands, places[0]?.file ?? '');
    noteInstr(opcode, operands, memory, this.needs, this.module);
    const defs = text.defs === '' ? '' : `${text.defs} = `;
    return `${defs}${head}${operands}${memory}${tail}`;
  }

  private noteOpcode(opcode: string): void {
    if (/^S_ENDPGM/.test(opcode)) this.convention ??= 'amdgpu_kernel';
    else if (/^(?:SI_RETURN|S_SETPC_B64_return)$/.test(opcode)) this.convention = '';
    else if (opcode === 'SI_RETURN_TO_EPILOG') this.convention = 'amdgpu_ps';
    else if (/^(?:G_)?SI_CALL/.test(opcode)) this.hasCalls = true;
  }

  /** Classes stand at definitions, and at uses of what nothing defines. */
  private uses(part: string): string {
    if (!part.includes(':')) return part;
    return part.replace(REG_CLASS, (all: string, reg: string, rc: string, type: string) => {
      const base = reg.replace(/\.[^.]*$/, '');
      if (this.defined.has(base) || this.defined.has(reg)) return `${reg}${type}`;
      return rc === '' ? reg : all;
    });
  }

  /** LLVM writes ties, all of them, where one is not what the opcode says. */
  private withoutOwnTies({ opcode, defs }: InstrText, operands: string): string {
    const opc = this.tables.opcodeByName(opcode);
    if (opc < 0) return operands;
    const begin = this.tables.opInfoBegin(opc);
    const n = this.tables.opcodeNumOperands(opc);
    let k = defs === '' ? 0 : splitOutside(defs).length;
    for (const operand of splitOutside(operands)) {
      if (/^(?:debug-location|mmra|pcsections) /.test(operand)) continue;
      const tied = /\(tied-def (\d+)\)/.exec(operand);
      const own = k < n ? this.tables.opInfoTiedTo[begin + k]! : -1;
      if ((tied === null ? -1 : Number(tied[1])) !== own && (tied !== null || /[%$]/.test(operand))) return operands;
      k++;
    }
    return operands.replace(/ ?\(tied-def \d+\)/g, '');
  }

  private regMask(text: string): string {
    const known = this.masks.get(text);
    if (known !== undefined) return known;
    const { tables } = this;
    let name = '';
    for (let mask = 0; mask < tables.nRegMasks && name === ''; mask++)
      if (regMaskText(tables, tables.regMaskBits(mask)) === text) name = tables.regMaskName(mask).toLowerCase();
    if (name === '') {
      const regs = [...text.matchAll(/\$\w+/g)].map(([reg]) => reg);
      name = `CustomRegMask(${regs.join(',')})`;
      const more = / and (\d+) more/.exec(text);
      if (more !== null)
        this.notes.add(`a register mask is none of LLVM's own: ${more[1]} of its registers are not in the dump`);
    }
    this.masks.set(text, name);
    return name;
  }

  /** In waves of 32 LLVM prints `$vcc_lo` for the `$vcc` of an opcode, and reads `$vcc` only (SIInstrInfo::fixImplicitOperands). */
  private implicitVcc(opcode: string, operands: string): string {
    const opc = this.tables.opcodeByName(opcode);
    if (opc < 0) return operands;
    const isVcc = (reg: number): boolean => this.tables.regName(reg).toLowerCase() === 'vcc';
    let text = operands;
    const mend = (word: string): void => {
      const own = new RegExp(`\\b${word}((?: (?:dead|killed|undef|renamable))*) \\$vcc_lo\\b`);
      text = text.replace(own, `${word}$1 $vcc`);
    };
    if (this.tables.implicitDefs(opc).some(isVcc)) mend('implicit-def');
    if (this.tables.implicitUses(opc).some(isVcc)) mend('implicit');
    return text;
  }

  /** `[sideeffect]` and `$0:[regdef:VGPR_32]` as numbers. */
  private inlineAsm(operands: string): string {
    const parts = splitOutside(operands);
    const words = [...(parts[0] ?? '').matchAll(/\[([\w-]+)\]/g)].map(([, word]) => word!);
    const text = (parts[0] ?? '').replace(/ \[[\w-]+\]/g, '');
    const numbered = (list: string, count: number): string => {
      const number = readAsmWords(list.replace(/ foldable$/, ''), this.tables);
      if (typeof number !== 'number') {
        this.notes.add(`inline assembly with unknown words: ${list}`);
        return `0 /* ${list} */`;
      }
      const isReg = count > 0 && (number & 7) < 4;
      const sized = isReg || (number & 7) === 6 ? (number & ~(0x1fff << 3)) | (count << 3) : number;
      const foldable = list.endsWith(' foldable') ? sized | (1 << 30) : sized;
      return `${foldable | 0} /* ${list} */`;
    };
    const out = [text, numbered(words.join(' ') || 'attdialect', 0)];
    const groups = parts.slice(1).map((part) => /^\$\d+:\[(.*)\]$/.exec(part)?.[1] ?? null);
    parts.slice(1).forEach((part, k) => {
      const group = groups[k]!;
      if (group === null) return void out.push(part);
      let count = 0;
      while (
        k + 1 + count < groups.length &&
        groups[k + 1 + count] === null &&
        !/^(?:!|implicit |debug-location )/.test(parts[k + 2 + count]!)
      )
        count++;
      return void out.push(numbered(group, count));
    });
    return ` ${out.join(', ')}`;
  }

  /** A debug variable is named and placed in a dump, and has a number in MIR. */
  private debugVariable({ opcode, comment }: InstrText, operands: string, file: string): string {
    const line = Number(/ line no:(\d+)$/.exec(comment)?.[1] ?? 0);
    return operands.replace(/!?"((?:[^"\\]|\\.)*)"/, (_, name: string) => {
      const key = this.module.debug.variable(name, line, file, opcode === 'DBG_LABEL');
      return `${VARIABLE_MARK}${key}${VARIABLE_MARK}`;
    });
  }

  // -- what stands above the body --------------------------------------------------------------------------------------------

  private header(lines: readonly string[], body: readonly string[]): string {
    const { functionName, properties } = this.dump;
    const has = (word: string): boolean => new RegExp(`\\b${word}\\b`).test(properties);
    const name = /^[\w$-][\w.$-]*$/.test(functionName) ? functionName : `'${functionName.replaceAll("'", "''")}'`;
    let out = `name: ${name}\n`;
    for (const [word, key] of PROPERTIES) if (has(word)) out += `${key}: true\n`;
    // Else LLVM reads these out of the instructions.
    if (properties !== '') for (const [word, key] of STATED) out += `${key}: ${has(word)}\n`;
    for (const reg of this.leftDefined) this.classes.delete(reg);
    const classes = [...this.classes].sort(([a], [b]) => a - b);
    if (classes.length > 0)
      out += `registers:\n${classes.map(([id, rc]) => `  - { id: ${id}, class: ${rc} }\n`).join('')}`;
    const frame = new Frame();
    const liveIns: string[] = [];
    const jumpTables: string[] = [];
    const constants: string[] = [];
    let section = '';
    for (const line of lines) {
      const own = line.trim();
      if (/^[A-Z][\w ]*:/.test(own)) section = own.replace(/:.*$/, '');
      if (own.startsWith('Function Live Ins:')) liveIns.push(...splitOutside(own.slice('Function Live Ins:'.length)));
      else if (own.startsWith('fi#')) frame.add(own);
      else if (own.startsWith('%jump-table.')) jumpTables.push(own);
      else if (section === 'Constant Pool' && own.startsWith('cp#')) constants.push(own);
    }
    if (liveIns.length > 0) out += `liveins:\n${liveIns.map((text) => liveInLine(text, this.mentioned)).join('')}`;
    if (this.hasCalls) out += 'frameInfo:\n  adjustsStack: true\n  hasCalls: true\n';
    out += frame.text(body, this.needs.allocas);
    if (constants.length > 0) out += `constants:\n${constants.map(constantLines).join('')}`;
    if (jumpTables.length > 0)
      out += `jumpTable:\n  kind: label-difference32\n  entries:\n${jumpTables.map(jumpTableLine).join('')}`;
    return out + this.functionInfo(body);
  }

  /** What instruction selection puts there, as far as the instructions show that it has run. */
  private functionInfo(body: readonly string[]): string {
    if (this.convention === null) return '';
    const isEntry = this.convention !== '';
    const keys = [`isEntryFunction: ${isEntry}`];
    const isLowered = !body.some((line) => line.includes('$sp_reg'));
    if (isLowered) {
      if (!isEntry) keys.push("frameOffsetReg: '$sgpr33'");
      keys.push("stackPtrOffsetReg: '$sgpr32'");
      const buffer = scratchBuffer(body, isEntry);
      if (buffer !== '') keys.push(`scratchRSrcReg: '${buffer}'`);
    }
    return `machineFunctionInfo:\n${keys.map((key) => `  ${key}\n`).join('')}`;
  }
}

const PROPERTIES = [
  ['Legalized', 'legalized'],
  ['RegBankSelected', 'regBankSelected'],
  ['Selected', 'selected'],
  ['FailedISel', 'failedISel'],
  ['TracksLiveness', 'tracksRegLiveness'],
  ['FailsVerification', 'failsVerification'],
  ['TracksDebugUserValues', 'tracksDebugUserValues'],
] as const;

const STATED = [
  ['NoPHIs', 'noPhis'],
  ['IsSSA', 'isSSA'],
  ['NoVRegs', 'noVRegs'],
] as const;

/** A virtual register that is in no instruction any more would have no class. */
function liveInLine(text: string, mentioned: ReadonlySet<string>): string {
  const [, reg = '', vreg] = /^(\$[\w.]+)(?: in (%[\w.$-]+))?/.exec(text) ?? [];
  return vreg === undefined || !mentioned.has(vreg)
    ? `  - { reg: '${reg}' }\n`
    : `  - { reg: '${reg}', virtual-reg: '${vreg}' }\n`;
}

function jumpTableLine(text: string): string {
  const [, id = '0', blocks = ''] = /^%jump-table\.(\d+): ?(.*)$/.exec(text) ?? [];
  return `    - id: ${id}\n      blocks: [ ${blocks
    .trim()
    .split(/\s+/)
    .map((b) => `'${b}'`)
    .join(', ')} ]\n`;
}

function constantLines(text: string): string {
  const [, id = '0', value = '', align = '1'] = /^cp#(\d+): (.*?)(?:, align=(\d+))?$/.exec(text) ?? [];
  return `  - id: ${id}\n    value: '${value.replaceAll("'", "''")}'\n    alignment: ${align}\n`;
}

const CALLEE_BUFFER = '$sgpr0_sgpr1_sgpr2_sgpr3';
const BUFFER_OF_CALL = /\bSI_(?:CALL|TCRETURN)\w* .*\bimplicit \$sgpr0_sgpr1_sgpr2_sgpr3\b/;
/** Where it is not allocated, which is where nothing defines it. */
const BUFFER_USE = /(?<!renamable |killed |def |dead )\$sgpr0_sgpr1_sgpr2_sgpr3\b(?! =)/;

/** The registers that are reserved for the descriptor of scratch memory: in functions the first four; kernels copy theirs there for a call, unless they are these, too. */
function scratchBuffer(body: readonly string[], isEntry: boolean): string {
  const isOwn = (line: string): boolean => !line.startsWith('  liveins:') && BUFFER_USE.test(line);
  const firstUse = body.findIndex(isOwn);
  if (firstUse < 0) return '';
  const given = `${CALLEE_BUFFER} = COPY $`;
  for (const line of isEntry ? body : []) {
    const at = line.indexOf(given);
    const found = at < 0 ? null : /^\$sgpr\d+_sgpr\d+_sgpr\d+_sgpr\d+/.exec(line.slice(at + given.length - 1));
    if (found !== null) return found[0];
  }
  if (body.some((line) => BUFFER_OF_CALL.test(line))) return CALLEE_BUFFER;
  const isDefined = body.slice(0, firstUse).some((line) => line.includes(`${CALLEE_BUFFER} = `));
  const isLiveIn = body.some((line) => /^ {2}liveins: .*\$sgpr[0-3](?!\d)/.test(line));
  return isDefined || isLiveIn ? '' : CALLEE_BUFFER;
}

/** `Frame Objects:` */
class Frame {
  private readonly objects: { readonly id: number; readonly text: string }[] = [];

  add(line: string): void {
    const found = /^fi#(-?\d+): (.*)$/.exec(line);
    if (found !== null && !/\bdead$/.test(found[2]!)) this.objects.push({ id: Number(found[1]), text: found[2]! });
  }

  /** `body`: tells what is there for spilled registers. */
  text(body: readonly string[], names: ReadonlyMap<number, string>): string {
    const fixed = this.objects.filter(({ id }) => id < 0);
    const own = this.objects.filter(({ id }) => id >= 0);
    const nFixed = Math.max(0, ...fixed.map(({ id }) => -id));
    const accesses = own.length === 0 ? '' : body.filter((line) => line.includes('%stack.')).join('\n');
    let out = '';
    if (fixed.length > 0)
      out += `fixedStack:\n${fixed
        .map(({ id, text }) => `  - { id: ${nFixed + id}, ${objectKeys(text, false)} }\n`)
        .join('')}`;
    if (own.length > 0)
      out += `stack:\n${own
        .map(({ id, text }) => {
          const name = names.get(id)?.replace(/^"(.*)"$/, '$1');
          const named = name === undefined ? '' : `name: '${name.replaceAll("'", "''")}', `;
          return `  - { id: ${id}, ${named}${objectKeys(text, isSpillSlot(accesses, id))} }\n`;
        })
        .join('')}`;
    return out;
  }
}

/** All that reads or writes it are spills and reloads. */
function isSpillSlot(accesses: string, id: number): boolean {
  const lines = accesses.split('\n').filter((line) => new RegExp(`%stack\\.${id}(?!\\d)`).test(line));
  return lines.length > 0 && lines.every((line) => /\bSI_(?:SPILL|BLOCK_SPILL)_\w+_(?:SAVE|RESTORE)\b/.test(line));
}

const STACK_IDS: Readonly<Record<string, string>> = { '1': 'sgpr-spill', '2': 'scalable-vector', '255': 'noalloc' };

function objectKeys(text: string, isSpill: boolean): string {
  const value = (key: string): string => new RegExp(`\\b${key}=(\\d+)`).exec(text)?.[1] ?? '';
  const id = value('id');
  const location = /at location \[SP([+-]\d+)?\]/.exec(text);
  const keys: string[] = [];
  if (text.includes('variable sized')) keys.push('type: variable-sized');
  else if (isSpill || id === '1') keys.push('type: spill-slot');
  keys.push(`offset: ${Number(location?.[1] ?? 0)}`);
  if (!text.includes('variable sized')) keys.push(`size: ${value('size') || '0'}`);
  keys.push(`alignment: ${value('align') || '1'}`);
  if (id !== '') keys.push(`stack-id: ${STACK_IDS[id] ?? 'default'}`);
  return keys.join(', ');
}
