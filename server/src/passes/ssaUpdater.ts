/**
 * One value with several definitions in SSA form again: PHIs where different definitions meet (MachineSSAUpdater, LLVM 22). The blocks between the definitions
 * and a question are numbered once per question; dominators among them by the iteration of Cooper, Harvey and Kennedy.
 */
import { regOperand } from '../model/edit/functionEditor.js';
import { NO_LOCATION, type InstrBuilder } from '../model/edit/instrBuilder.js';
import { OpFlag, type BlockId, type InstrId, type OperandId } from '../model/machineFunction.js';
import { NO_REG, type Reg } from '../model/register.js';
import { opcodeSet } from '../target/opcodeSets.js';
import { firstNonPhi, firstTerminator } from './instrOrder.js';
import { ValuePlacer } from './valuePlacer.js';

/** A block on a way from a definition to the block that is asked for. */
class Node {
  readonly preds: Node[] = [];
  /** whose value arrives at the end: itself where it defines one or has a PHI */
  source: Node | null;
  dominator: Node | null = null;
  /** in postorder; 0 = no definition reaches it */
  number = 0;
  /** a PHI of the block that may stand for the one it needs, -1 = none */
  candidate: InstrId = -1;

  /** `value`: at the end of the block, NO_REG where it is not known */
  constructor(
    readonly block: BlockId,
    public value: Reg,
  ) {
    this.source = value === NO_REG ? null : this;
  }
}

/** Numbers of nodes before they have one: on the stack, and with what follows on the stack. */
const WAITS = -1;
const OPEN = -2;

/** @llvm MachineSSAUpdater.cpp MachineSSAUpdater */
export class SSAUpdater extends ValuePlacer {
  private readonly phis: ReadonlySet<number>;

  constructor(builder: InstrBuilder) {
    super(builder);
    this.phis = opcodeSet(this.fn.tables, 'phi');
  }

  override settle(): void {
    // Each question finds its way by itself.
  }

  /**
   * The value at the end of a block. O(blocks on the ways to the definitions)
   * @llvm MachineSSAUpdater.cpp MachineSSAUpdater::GetValueAtEndOfBlock
   */
  private atEndOf(b: BlockId): Reg {
    return this.values.get(b) ?? this.find(b);
  }

  /** @llvm MachineSSAUpdater.cpp MachineSSAUpdater::GetValueInMiddleOfBlock */
  override inMiddleOf(b: BlockId): Reg {
    const { fn, editor } = this;
    if (!this.values.has(b)) return this.atEndOf(b);
    const preds = fn.blocks[b].predecessors;
    if (preds.length === 0) return this.undefinedAt(firstTerminator(editor, b));
    const arriving = preds.map((p) => this.atEndOf(p));
    if (arriving.every((reg) => reg === arriving[0])) return arriving[0];
    const known = this.phiWith(b, new Map(preds.map((p, k) => [p, arriving[k]])));
    if (known !== NO_REG) return known;
    const made = this.builder.newVReg(this.rc);
    this.buildPhi(b, made, preds, arriving);
    return made;
  }

  /**
   * The value where a block begins, as far as that is known without new instructions; else NO_REG.
   * @llvm MachineSSAUpdater.cpp MachineSSAUpdater::GetValueInMiddleOfBlock
   */
  knownInMiddleOf(b: BlockId): Reg {
    if (!this.values.has(b)) return NO_REG;
    const preds = this.fn.blocks[b].predecessors;
    const arriving = preds.map((p) => this.values.get(p) ?? NO_REG);
    if (preds.length === 0 || arriving.every((reg) => reg === arriving[0])) return arriving[0] ?? NO_REG;
    return this.phiWith(b, new Map(preds.map((p, k) => [p, arriving[k]])));
  }

  /**
   * A use outside the blocks of the definitions, or of a PHI, reads what arrives there.
   * @llvm MachineSSAUpdater.cpp MachineSSAUpdater::RewriteUse
   */
  rewriteUse(o: OperandId): void {
    const { fn, editor } = this;
    const i = editor.instrOf(o);
    const b = fn.instrBlock[i];
    let value = this.phis.has(fn.opcode[i]) ? this.atEndOf(fn.opVal[o + 1]) : this.inMiddleOf(b);
    if (!editor.constrainClass(value, this.rc)) {
      const own = this.builder.newVReg(this.rc);
      const operands = [regOperand(own, OpFlag.Def), regOperand(value)];
      this.builder.build(firstNonPhi(editor, b), NO_LOCATION, fn.tables.opcodeByName('COPY'), operands);
      value = own;
    }
    editor.setReg(o, value);
  }

  private *phisOf(b: BlockId): IterableIterator<InstrId> {
    const { list } = this.editor;
    for (let i = list.first(b); i >= 0 && this.phis.has(this.fn.opcode[i]); i = list.after(i)) yield i;
  }

  /** Values of a PHI with the blocks that they come from. */
  private *sourcesOf(phi: InstrId): IterableIterator<readonly [Reg, BlockId]> {
    const { opBegin, opVal } = this.fn;
    for (let o = opBegin[phi] + 1; o + 1 < opBegin[phi + 1]; o += 2) yield [opVal[o], opVal[o + 1]];
  }

  /** A PHI of the block that has these values already. */
  private phiWith(b: BlockId, values: ReadonlyMap<BlockId, Reg>): Reg {
    for (const phi of this.phisOf(b))
      if ([...this.sourcesOf(phi)].every(([reg, from]) => values.get(from) === reg))
        return this.fn.opVal[this.fn.opBegin[phi]];
    return NO_REG;
  }

  // -- questions beyond a block --------------------------------------------------------------------------------------

  /** @llvm SSAUpdaterImpl.h SSAUpdaterImpl::GetValue */
  private find(b: BlockId): Reg {
    const nodes = new Map<BlockId, Node>();
    const asked = new Node(b, NO_REG);
    nodes.set(b, asked);
    const entry = new Node(NO_BLOCK, NO_REG);
    const order = this.postorder(nodes, this.nodesBefore(nodes, asked), entry);
    if (order.length === 0) {
      const reg = this.undefinedAt(firstNonPhi(this.editor, b));
      this.provide(b, reg);
      return reg;
    }
    this.findDominators(order, entry);
    findSources(order);
    const made = new Set<Node>();
    for (const node of order) {
      if (node.source !== node) continue;
      this.takeExistingPhi(node, nodes, order);
      if (node.value !== NO_REG) continue;
      node.value = this.builder.newVReg(this.rc);
      this.provide(node.block, node.value);
      made.add(node);
    }
    for (const node of [...order].reverse()) {
      if (node.source !== node) {
        // Later questions find it here. Elsewhere it would be one more definition to join.
        if (node.preds.length > 1) this.provide(node.block, valueOf(node));
      } else if (made.has(node))
        this.buildPhi(
          node.block,
          node.value,
          node.preds.map((p) => p.block),
          node.preds.map(valueOf),
        );
    }
    return valueOf(asked);
  }

  /** Makes the nodes that lie before one, back to definitions, which are returned. */
  private nodesBefore(nodes: Map<BlockId, Node>, asked: Node): Node[] {
    const roots: Node[] = [];
    const open = [asked];
    for (let node = open.pop(); node !== undefined; node = open.pop())
      for (const p of this.fn.blocks[node.block].predecessors) {
        let pred = nodes.get(p);
        if (pred === undefined) {
          pred = new Node(p, this.values.get(p) ?? NO_REG);
          nodes.set(p, pred);
          (pred.source === null ? open : roots).push(pred);
        }
        node.preds.push(pred);
      }
    return roots;
  }

  /**
   * Numbers the nodes that a definition reaches; returns those without one in postorder.
   * @llvm SSAUpdaterImpl.h SSAUpdaterImpl::BuildBlockList
   */
  private postorder(nodes: ReadonlyMap<BlockId, Node>, roots: readonly Node[], entry: Node): Node[] {
    const order: Node[] = [];
    const stack = [...roots].reverse();
    for (const root of stack) {
      root.dominator = entry;
      root.number = WAITS;
    }
    let next = 1;
    for (let node = stack.at(-1); node !== undefined; node = stack.at(-1)) {
      if (node.number === OPEN) {
        node.number = next++;
        if (node.source === null) order.push(node);
        stack.pop();
        continue;
      }
      node.number = OPEN;
      for (const s of this.fn.blocks[node.block].successors) {
        const succ = nodes.get(s);
        if (succ === undefined || succ.number !== 0) continue;
        succ.number = WAITS;
        stack.push(succ);
      }
    }
    entry.number = next;
    return order;
  }

  /**
   * Dominators among the nodes; where no definition reaches a predecessor, it defines something undefined.
   * @llvm SSAUpdaterImpl.h SSAUpdaterImpl::FindDominators
   */
  private findDominators(order: readonly Node[], entry: Node): void {
    for (let changed = true; changed;) {
      changed = false;
      for (const node of [...order].reverse()) {
        let dominator: Node | null = null;
        for (const pred of node.preds) {
          if (pred.number === 0) {
            pred.value = this.undefinedAt(firstNonPhi(this.editor, pred.block));
            this.provide(pred.block, pred.value);
            pred.source = pred;
            pred.number = entry.number++;
          }
          dominator = dominator === null ? pred : closestDominator(dominator, pred);
        }
        if (dominator === null || dominator === node.dominator) continue;
        node.dominator = dominator;
        changed = true;
      }
    }
  }

  /**
   * PHIs that are there already, if one of this node's and those that it reads fit together.
   * @llvm SSAUpdaterImpl.h SSAUpdaterImpl::FindExistingPHI
   */
  private takeExistingPhi(node: Node, nodes: ReadonlyMap<BlockId, Node>, order: readonly Node[]): void {
    for (const phi of this.phisOf(node.block)) {
      const fits = this.fits(phi, node, nodes);
      for (const one of order) {
        if (fits && one.candidate >= 0) {
          one.value = this.fn.opVal[this.fn.opBegin[one.candidate]];
          this.provide(one.block, one.value);
        }
        one.candidate = -1;
      }
      if (fits) return;
    }
  }

  /** @llvm SSAUpdaterImpl.h SSAUpdaterImpl::CheckIfPHIMatches */
  private fits(first: InstrId, node: Node, nodes: ReadonlyMap<BlockId, Node>): boolean {
    const { fn, editor, phis } = this;
    node.candidate = first;
    const open = [first];
    for (let phi = open.pop(); phi !== undefined; phi = open.pop())
      for (const [reg, from] of this.sourcesOf(phi)) {
        const source = nodes.get(from)?.source;
        if (source === null || source === undefined) return false;
        if (source.value !== NO_REG) {
          if (source.value !== reg) return false;
          continue;
        }
        const def = editor.defOf(reg);
        if (def < 0 || !phis.has(fn.opcode[def]) || fn.instrBlock[def] !== source.block) return false;
        if (source.candidate >= 0 && source.candidate !== def) return false;
        if (source.candidate === def) continue;
        source.candidate = def;
        open.push(def);
      }
    return true;
  }
}

/** No node but the virtual one before all definitions. */
const NO_BLOCK: BlockId = -1;

const valueOf = (node: Node): Reg => node.source?.value ?? NO_REG;

/** @llvm SSAUpdaterImpl.h SSAUpdaterImpl::IntersectDominators */
function closestDominator(a: Node, b: Node): Node {
  while (a !== b) {
    // Whoever has the lower number lies deeper.
    const [deeper, other]: [Node, Node] = a.number < b.number ? [a, b] : [b, a];
    if (deeper.dominator === null) return other;
    [a, b] = [deeper.dominator, other];
  }
  return a;
}

/**
 * Where PHIs are needed, in the iterated dominance frontiers of the definitions, and what arrives elsewhere.
 * @llvm SSAUpdaterImpl.h SSAUpdaterImpl::FindPHIPlacement
 */
function findSources(order: readonly Node[]): void {
  for (let changed = true; changed;) {
    changed = false;
    for (const node of [...order].reverse()) {
      if (node.source === node) continue;
      const source = node.preds.some((p) => isDefinedBelow(p, node.dominator))
        ? node
        : (node.dominator?.source ?? null);
      if (source === node.source) continue;
      node.source = source;
      changed = true;
    }
  }
}

/** Whether a node on the way up from one to a dominator has a definition. */
function isDefinedBelow(node: Node, dominator: Node | null): boolean {
  for (let n: Node | null = node; n !== null && n !== dominator; n = n.dominator) if (n.source === n) return true;
  return false;
}
