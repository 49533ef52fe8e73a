/**
 * Random machine functions for differential tests of liveness and pressure: some blocks with loops, registers of several banks and
 * widths, whole and partial defs, `undef`, early clobbers. Every lane that is read is defined on all paths, because the results of a
 * release build of LLVM for other functions are accidents; or, with `undefinedPaths`, every path has a def or one of another lane with `undef`,
 * which also says what is read: nothing.
 */

import { randomSource } from './random.js';

const CLASSES: readonly (readonly [name: string, dwords: number])[] = [
  ['vgpr_32', 1],
  ['vreg_64_align2', 2],
  ['vreg_96_align2', 3],
  ['vreg_128_align2', 4],
  ['sgpr_32', 1],
  ['sgpr_64', 2],
  ['sgpr_128', 4],
  ['areg_64_align2', 2],
  ['agpr_32', 1],
  ['av_64_align2', 2],
  ['vreg_256_align2', 8],
  ['sgpr_512', 16],
  ['vgpr_16', 1],
  ['vreg_1', 1],
];

/** Longest part of a tuple that is taken, in dwords. */
const MAX_PART = 4;

interface Operand {
  readonly isDef: boolean;
  readonly reg: number;
  readonly sub: string;
  readonly lanes: number;
  undef: boolean;
  readonly earlyClobber: boolean;
}

/** Sub-register index and lanes (a bit per dword). SGPR tuples have aligned parts only. */
function subRegs(dwords: number, aligned: boolean): [string, number][] {
  const parts: [string, number][] = [];
  for (let first = 0; first < dwords; first++) {
    for (let n = 1; first + n <= dwords && n < dwords && n <= MAX_PART; n++) {
      if (aligned && n > 1 && (first % n !== 0 || n === 3)) continue;
      if (!aligned && n > 1 && first % 2 !== 0) continue;
      const name = Array.from({ length: n }, (_, k) => `sub${first + k}`).join('_');
      parts.push([name, ((1 << n) - 1) << first]);
    }
  }
  return parts;
}

/** The MIR document of a function, or null when the seed gives unreachable blocks. */
export function randomFunction(
  seed: number,
  name: string,
  { maxBlocks = 6, undefinedPaths = false }: { maxBlocks?: number; undefinedPaths?: boolean } = {},
): string | null {
  const below = randomSource(seed);
  const nBlocks = 1 + below(maxBlocks);
  const regs = Array.from({ length: 2 + below(5) }, () => CLASSES[below(CLASSES.length)]);
  const full = (r: number): number => (1 << regs[r][1]) - 1;
  const blocks: { instrs: Operand[][]; successors: number[] }[] = [];
  for (let b = 0; b < nBlocks; b++) {
    const instrs: Operand[][] = [];
    if (b === 0) {
      regs.forEach(([, dwords], r) => {
        if (dwords === 1 || below(3) > 0) {
          instrs.push([{ isDef: true, reg: r, sub: '', lanes: full(r), undef: false, earlyClobber: false }]);
          return;
        }
        for (let k = 0; k < dwords; k++) {
          instrs.push([{ isDef: true, reg: r, sub: `sub${k}`, lanes: 1 << k, undef: k === 0, earlyClobber: false }]);
        }
      });
    }
    for (let n = below(9); n > 0; n--) {
      const operands: Operand[] = [];
      for (let d = below(3); d > 0; d--) {
        const reg = below(regs.length);
        if (operands.some((o) => o.reg === reg)) continue;
        const earlyClobber = below(8) === 0;
        if (regs[reg][1] > 1 && below(2) > 0) {
          const parts = subRegs(regs[reg][1], regs[reg][0].startsWith('s'));
          const [sub, lanes] = parts[below(parts.length)];
          operands.push({ isDef: true, reg, sub, lanes, undef: below(3) === 0, earlyClobber });
        } else {
          operands.push({ isDef: true, reg, sub: '', lanes: full(reg), undef: false, earlyClobber });
        }
      }
      for (let u = below(4); u > 0; u--) {
        const reg = below(regs.length);
        // Reading what the same instruction clobbers early has no meaning.
        if (operands.some((o) => o.reg === reg && o.earlyClobber)) continue;
        const parts = regs[reg][1] > 1 && below(2) > 0 ? subRegs(regs[reg][1], regs[reg][0].startsWith('s')) : [];
        const [sub, lanes] = parts.length > 0 ? parts[below(parts.length)] : ['', full(reg)];
        operands.push({ isDef: false, reg, sub, lanes, undef: below(12) === 0, earlyClobber: false });
      }
      if (operands.length > 0) instrs.push(operands);
    }
    let successors: number[] = [];
    if (b < nBlocks - 1) {
      const target = below(4) === 0 ? b + 1 : 1 + below(nBlocks - 1);
      successors = target === b + 1 ? [b + 1] : [target, b + 1];
    }
    blocks.push({ instrs, successors });
  }

  // Lanes that are defined on all paths (on some, with `undefinedPaths`), as a forward data flow; reads of others are taken out again.
  const out = blocks.map(() => regs.map((_, r) => (undefinedPaths ? 0 : full(r))));
  const preds = blocks.map((_, b) => blocks.flatMap((x, k) => (x.successors.includes(b) ? [k] : [])));
  const transfer = (b: number, repair: boolean): number[] => {
    const atEntry = (r: number): number =>
      undefinedPaths
        ? preds[b].reduce((lanes, p) => lanes | out[p][r], 0)
        : preds[b].reduce((lanes, p) => lanes & out[p][r], full(r));
    let defined = regs.map((_, r) => (b === 0 ? 0 : atEntry(r)));
    for (const operands of blocks[b].instrs) {
      if (repair) {
        for (let k = operands.length - 1; k >= 0; k--) {
          const o = operands[k];
          if (!o.isDef && !o.undef && (o.lanes & ~defined[o.reg]) !== 0) operands.splice(k, 1);
        }
      }
      const after = [...defined];
      for (const o of operands) {
        if (!o.isDef) continue;
        if (repair && o.sub !== '' && defined[o.reg] === 0) o.undef = true;
        after[o.reg] = o.undef && o.sub !== '' ? o.lanes : after[o.reg] | o.lanes;
      }
      defined = after;
    }
    return defined;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (let b = 0; b < nBlocks; b++) {
      const now = transfer(b, false);
      if (now.some((lanes, r) => lanes !== out[b][r])) {
        out[b] = now;
        changed = true;
      }
    }
  }
  for (let b = 0; b < nBlocks; b++) transfer(b, true);

  const reached = new Set([0]);
  const work = [0];
  while (work.length > 0) {
    for (const s of blocks[work.pop()!].successors) {
      if (reached.has(s)) continue;
      reached.add(s);
      work.push(s);
    }
  }
  if (reached.size !== nBlocks) return null;

  const lines = ['---', `name: ${name}`, 'tracksRegLiveness: true', 'registers:'];
  regs.forEach(([rc], r) => lines.push(`  - { id: ${r}, class: ${rc} }`));
  lines.push('body: |');
  blocks.forEach(({ instrs, successors }, b) => {
    lines.push(`  bb.${b}:`);
    if (successors.length > 0) lines.push(`    successors: ${successors.map((s) => `%bb.${s}`).join(', ')}`);
    for (const operands of instrs) {
      if (operands.length === 0) continue;
      const texts = operands.map((o) => {
        const undef = o.undef && (o.sub !== '' || !o.isDef) ? 'undef ' : '';
        const reg = `%${o.reg}${o.sub === '' ? '' : `.${o.sub}`}`;
        return o.isDef
          ? `implicit-def ${o.earlyClobber ? 'early-clobber ' : ''}${undef}${reg}`
          : `implicit ${undef}${reg}`;
      });
      lines.push(`    INLINEASM &"", 0, ${texts.join(', ')}`);
    }
    if (successors.length === 2) lines.push(`    S_CBRANCH_SCC0 %bb.${successors[0]}, implicit undef $scc`);
    if (b === nBlocks - 1) lines.push('    S_ENDPGM 0');
  });
  lines.push('...', '');
  return lines.join('\n');
}
