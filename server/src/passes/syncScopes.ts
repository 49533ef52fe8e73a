/** Scopes of synchronization by their numbers, which instructions have. */

/** Those that the target adds once a pass asks for them, in LLVM's order (AMDGPUMachineModuleInfo). */
const OF_TARGET = [
  ...['agent', 'workgroup', 'wavefront', 'cluster', 'one-as', 'agent-one-as', 'workgroup-one-as'],
  ...['wavefront-one-as', 'singlethread-one-as', 'cluster-one-as'],
];

/** Names in `syncscope("...")` in the order of their first mention. */
export function syncScopesOf(source: string): readonly string[] {
  const names = new Set<string>();
  for (const m of source.matchAll(/syncscope\("([^"\n]*)"\)/g)) {
    const name = m[1] as string;
    if (name !== 'singlethread' && name !== '') names.add(name);
  }
  return [...names];
}

/**
 * All that LLVM knows, by their numbers; '' is the whole system.
 * @llvm AMDGPUMachineModuleInfo.cpp AMDGPUMachineModuleInfo
 */
export const numberedScopes = (source: string): readonly string[] => [
  ...new Set(['singlethread', '', ...syncScopesOf(source), ...OF_TARGET]),
];

/** A text with these scopes alone, for passes of a run that has no file. */
export const scopesText = (names: readonly string[]): string => names.map((name) => `syncscope("${name}")`).join(' ');
