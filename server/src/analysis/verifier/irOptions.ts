/** What the verifier needs to know of the embedded IR beyond the facts that a machine function carries. */
import { BasicBlock, Constant, ValueKind, type IRFunction, type IRModule, type Value } from '../../ir/module.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import type { VerifierOptions } from './verifierContext.js';

/**
 * Options for a function of a file with this IR module (null = no IR document). Cheap; the module is searched for block
 * addresses only when a block claims that its address is taken.
 */
export function irVerifierOptions(ir: IRModule | null, fn: MachineFunction): VerifierOptions {
  const irFunction = ir?.functionByName(fn.header.name) ?? null;
  if (ir === null || irFunction === null) return {};
  let taken: ReadonlySet<BasicBlock> | null = null;
  return {
    hasSubprogram: irFunction.attachments?.some((a) => a.kind === 'dbg') ?? false,
    isBlockAddressTaken: (name) => {
      taken ??= addressTakenBlocks(ir);
      const block = blockOf(irFunction, name);
      return block !== null && taken.has(block);
    },
  };
}

/** `name` as in MachineBasicBlock.irBlockAddressTaken: a name or a slot number */
function blockOf(f: IRFunction, name: string): BasicBlock | null {
  return f.blockByName(name) ?? (/^\d+$/.test(name) ? f.blockBySlot(Number(name)) : null);
}

/** Targets of all blockaddress constants of the module. O(module). */
function addressTakenBlocks(ir: IRModule): Set<BasicBlock> {
  const blocks = new Set<BasicBlock>();
  const seen = new Set<Value>();
  const stack: Constant[] = [];
  const push = (v: Value | null): void => {
    if (v !== null && v instanceof Constant && !seen.has(v)) {
      seen.add(v);
      stack.push(v);
    }
  };
  for (const g of ir.globals) push(g.initializer);
  for (const a of [...ir.aliases, ...ir.ifuncs]) push(a.target);
  for (const f of ir.functions) {
    push(f.prefix);
    push(f.prologue);
    push(f.personality);
    for (const b of f.blocks) for (const i of b.instructions) for (const op of i.operands) push(op);
  }
  for (let v = stack.pop(); v !== undefined; v = stack.pop()) {
    if (v.kind === ValueKind.BlockAddress && v.block !== null) blocks.add(v.block);
    for (const op of v.operands) push(op);
  }
  return blocks;
}
