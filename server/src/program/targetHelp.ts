/** What `-mcpu=help` and `-mattr=help` print (MCSubtargetInfo's Help and cpuHelp, LLVM 22). */
import { listCpus, listFeatures, type Release } from '../target/index.js';

/** Features that ask for a list; others are features. */
export const HELP_FEATURES: ReadonlyMap<string, (triple: string, release: Release) => string> = new Map([
  ['+help', targetHelp],
  ['+cpuhelp', cpuHelp],
]);

/** The processors and the features, each with its description. */
function targetHelp(triple: string, release: Release): string {
  const cpus = listCpus(triple, release);
  const features = listFeatures(triple, release);
  const table = (rows: readonly (readonly [name: string, text: string])[]): string => {
    const width = Math.max(...rows.map(([name]) => name.length));
    return rows.map(([name, text]) => `  ${name.padEnd(width)} - ${text}.\n`).join('');
  };
  return (
    `Available CPUs for this target:\n\n${table(cpus.map((cpu) => [cpu, `Select the ${cpu} processor`]))}\n` +
    `Available features for this target:\n\n${table(features.map((f) => [f.name, f.description]))}\n` +
    'Use +feature to enable a feature, or -feature to disable it.\n' +
    'For example, llc -mcpu=mycpu -mattr=+feature1,-feature2'
  );
}

function cpuHelp(triple: string, release: Release): string {
  const names = listCpus(triple, release).map((cpu) => `\t${cpu}\n`);
  return (
    `Available CPUs for this target:\n\n${names.join('')}\n` +
    "Use -mcpu or -mtune to specify the target's processor.\n" +
    'For example, clang --target=aarch64-unknown-linux-gnu -mcpu=cortex-a35'
  );
}
