/** What the scheduler asks of the module around a function, from a file's text and its embedded IR. */
import type { IRModule } from '../../ir/module.js';
import { ModuleAliasQueries } from './dag/irAliasQueries.js';
import type { ModuleFacts } from './scheduleFunction.js';

/** `source`: text of the whole file; `ir`: its embedded module, null without. Nothing is searched before it is asked for. */
export function moduleFactsOf(source: string, ir: IRModule | null): ModuleFacts {
  let syncScopes: readonly string[] | null = null;
  return {
    get syncScopes() {
      return (syncScopes ??= syncScopesOf(source));
    },
    aliasQueries: (fn) => {
      const irFunction = ir?.functionByName(fn.header.name) ?? null;
      return ir === null || irFunction === null ? null : new ModuleAliasQueries(ir, irFunction);
    },
  };
}

/** Names in `syncscope("...")` in the order of their first mention. */
function syncScopesOf(source: string): readonly string[] {
  const names = new Set<string>();
  for (const m of source.matchAll(/syncscope\("([^"\n]*)"\)/g)) {
    const name = m[1] as string;
    if (name !== 'singlethread' && name !== '') names.add(name);
  }
  return [...names];
}
