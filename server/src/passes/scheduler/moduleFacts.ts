/** What the scheduler asks of the module around a function, from a file's text and its embedded IR. */
import type { AliasRules } from '../../ir/analysis/alias.js';
import { IRFunction, IRModule } from '../../ir/module.js';
import { TypeContext } from '../../ir/types.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import type { PassContext } from '../passContext.js';
import { AliasFacts } from './dag/aliasFacts.js';
import { scheduleOptions } from './llcOptions.js';
import { ModuleAliasQueries } from './dag/irAliasQueries.js';
import { syncScopesOf } from '../syncScopes.js';
import type { ModuleFacts } from './scheduleFunction.js';

/** `source`: text of the whole file; `ir`: its embedded module, null without. Nothing is searched before it is asked for. */
export function moduleFactsOf(source: string, ir: IRModule | null): ModuleFacts {
  let syncScopes: readonly string[] | null = null;
  return {
    get syncScopes() {
      return (syncScopes ??= syncScopesOf(source));
    },
    aliasQueries: (fn) => {
      const { rules } = fn.subtarget.release;
      if (ir === null) return queriesWithoutIR(rules);
      const irFunction = ir.functionByName(fn.header.name);
      return irFunction === null ? null : new ModuleAliasQueries(ir, irFunction, rules);
    },
  };
}

/** For passes that are no schedulers: LLVM's alias analysis is asked whatever the options of those are, or not at all (`useAA`). */
export function aliasFactsOf(fn: MachineFunction, context: PassContext, useAA: boolean): AliasFacts {
  const queries = moduleFactsOf(context.source, context.ir).aliasQueries(fn);
  return new AliasFacts(fn, queries, { ...scheduleOptions(context.options), useAA });
}

/** Without IR, LLVM makes a module with an empty function: a memory operand may name a constant (`null`, `undef`) all the same. */
function queriesWithoutIR(rules: AliasRules): ModuleAliasQueries {
  const types = new TypeContext();
  const type = types.fn(types.void_, [], false);
  return new ModuleAliasQueries(new IRModule(types), new IRFunction(types.pointer(0), null, type), rules);
}
