/** The text that `llc -run-pass=print-machine-uniformity` writes to stderr (LLVM 22; docs/llvm/uniformity.md, section 5). */
import { printBlock, printCycle } from '../../analysis/uniformity/cycleText.js';
import { BundleFlag, OpFlag, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import { quoteSymbolName } from '../../model/printer/index.js';
import { TextBuilder } from '../../util/textBuilder.js';
import { opcodeTraits, OpcodeTrait } from '../../analysis/opcodeTraits.js';
import { Uniformity } from '../../analysis/uniformity/uniformity.js';

/** How instructions and registers are written: InstrPrinter in its stand-alone form. */
export interface UniformityPrinter {
  printInstr(i: InstrId): string;
  printReg(reg: Reg): string;
}

const DIVERGENT = '  DIVERGENT: ';
const ALL_UNIFORM = 'ALL VALUES UNIFORM\n';
const UNIFORM = ' '.repeat(DIVERGENT.length);

/**
 * The report of one function, with null for one of which only a single lane runs. O(its text)
 * @llvm GenericUniformityImpl.h GenericUniformityAnalysisImpl::print
 */
export function printUniformity(
  uniformity: Uniformity | null,
  fn: MachineFunction,
  printer: UniformityPrinter,
): string {
  const out = new TextBuilder();
  out.add(`MachineUniformityInfo for function: @${quoteSymbolName(fn.header.name)}\n`);
  const isUniform = uniformity === null || !uniformity.hasDivergence;
  if (isUniform && (uniformity === null || !fn.subtarget.release.rules.listsUniformFunctions)) {
    out.add(ALL_UNIFORM);
    return out.text();
  }
  addCycles(out, fn, uniformity, 'CYCLES ASSUMED DIVERGENT', uniformity.assumedDivergent);
  addCycles(out, fn, uniformity, 'CYCLES WITH DIVERGENT EXIT', uniformity.divergentExitCycles);
  const defs = new DefinitionTexts(fn, printer);
  if (uniformity.temporalUses.length > 0) {
    out.add('\nTEMPORAL DIVERGENCE LIST:\n');
    for (const { vreg, user, cycle } of uniformity.temporalUses) {
      out.add(`Value         :${defs.text(~vreg)}`);
      out.add(`Used by       :${printer.printInstr(user)}\n`);
      out.add(`Outside cycle :${printCycle(fn, uniformity.cycles, cycle)}\n\n`);
    }
  }
  for (let b = 0; b < fn.blocks.length; b++) addBlock(out, fn, uniformity, printer, defs, b);
  if (isUniform) out.add(ALL_UNIFORM);
  return out.text();
}

function addCycles(
  out: TextBuilder,
  fn: MachineFunction,
  uniformity: Uniformity,
  title: string,
  cycles: readonly number[],
): void {
  if (cycles.length === 0) return;
  out.add(`${title}:\n`);
  for (const c of cycles) out.add(`  ${printCycle(fn, uniformity.cycles, c)}\n`);
}

function addBlock(
  out: TextBuilder,
  fn: MachineFunction,
  uniformity: Uniformity,
  printer: UniformityPrinter,
  defs: DefinitionTexts,
  b: BlockId,
): void {
  out.add(`\nBLOCK ${printBlock(fn, b)}\nDEFINITIONS\n`);
  for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
    const i = fn.order[p];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if ((fn.opFlags[o] & OpFlag.Def) === 0) continue;
      const reg = fn.opVal[o];
      out.add(isVirtualReg(reg) && uniformity.isDivergent[~reg] === 1 ? DIVERGENT : UNIFORM);
      out.add(defs.text(reg));
    }
  }
  out.add('TERMINATORS\n');
  const lead = uniformity.hasDivergentTerminator[b] === 1 ? DIVERGENT : UNIFORM;
  for (let p = firstTerminator(uniformity, b); p < fn.blockEnd[b]; p++) {
    if ((fn.bundle[fn.order[p]] & BundleFlag.BundledPred) === 0) out.add(`${lead}${printer.printInstr(fn.order[p])}\n`);
  }
  out.add('END BLOCK\n');
}

/** Position of the first of the terminators at a block's end, between which debug instructions may stand; the block's end if there is none. */
function firstTerminator(uniformity: Uniformity, b: BlockId): number {
  const { fn } = uniformity;
  const traits = opcodeTraits(fn.tables);
  let first = fn.blockEnd[b];
  for (let p = fn.blockEnd[b] - 1; p >= fn.blockBegin[b]; p--) {
    const i = fn.order[p];
    if ((fn.bundle[i] & BundleFlag.BundledPred) !== 0) continue;
    if (uniformity.isTerminator(i)) first = p;
    else if ((traits[fn.opcode[i]] & OpcodeTrait.Debug) === 0) break;
  }
  return first;
}

/** A register with the instruction that defines it and a line break; the name alone, without one, where that is not a single instruction. */
class DefinitionTexts {
  private readonly vregDef: Int32Array;
  private readonly physDef = new Map<Reg, InstrId>();

  constructor(
    fn: MachineFunction,
    private readonly printer: UniformityPrinter,
  ) {
    this.vregDef = new Int32Array(fn.vregs.n).fill(NOWHERE);
    for (let b = 0; b < fn.blocks.length; b++) {
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
        const i = fn.order[p];
        for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
          if ((fn.opFlags[o] & OpFlag.Def) !== 0) this.enter(fn.opVal[o], i);
      }
    }
  }

  private enter(reg: Reg, i: InstrId): void {
    const known = this.defOf(reg);
    const def = known === NOWHERE || known === i ? i : SEVERAL;
    if (isVirtualReg(reg)) this.vregDef[virtRegIndex(reg)] = def;
    else this.physDef.set(reg, def);
  }

  private defOf(reg: Reg): InstrId {
    return isVirtualReg(reg) ? this.vregDef[virtRegIndex(reg)] : (this.physDef.get(reg) ?? NOWHERE);
  }

  text(reg: Reg): string {
    const name = this.printer.printReg(reg);
    const def = reg === 0 ? NOWHERE : this.defOf(reg);
    return def < 0 ? name : `${name}: ${this.printer.printInstr(def)}\n`;
  }
}

const NOWHERE = -1;
const SEVERAL = -2;
