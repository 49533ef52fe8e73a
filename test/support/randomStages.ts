/**
 * MIR as it stands between any two passes of llc: random IR, selected either way, cut by llc-22 at one of its passes. Some with the debug values
 * that `mir-debugify` adds before the passes after instruction selection, some with accumulation registers, some with dynamic VGPRs. And
 * bundles put around neighbouring instructions of any text. The same seed gives the same text.
 */
import { spawnSync } from 'node:child_process';
import type { Question } from './answers.js';
import { Random } from './damageInputs.js';
import { LIMIT_MS, LLC } from './llc.js';
import { randomIr } from './randomIr.js';

const SELECTED = ['amdgpu-isel', 'si-fix-sgpr-copies', 'si-i1-copies', 'finalize-isel'];
const SSA = [
  'early-machinelicm',
  'machine-cse',
  'si-fold-operands',
  'si-load-store-opt',
  'si-peephole-sdwa',
  'si-shrink-instructions',
];
const ALLOCATING = [
  'phi-node-elimination', 'si-lower-control-flow', 'twoaddressinstruction', 'register-coalescer', 'rename-independent-subregs', 'machine-scheduler',
  'si-wqm', 'si-form-memory-clauses', 'si-optimize-exec-masking-pre-ra', 'greedy,0', 'virtregrewriter,0', 'greedy,2', 'virtregrewriter,2',
]; // prettier-ignore
const ALLOCATED = [
  'stack-slot-coloring', 'prologepilog', 'postrapseudos', 'si-post-ra-bundler', 'postmisched', 'block-placement', 'gcn-create-vopd', 'si-insert-waitcnts',
  'si-insert-hard-clauses', 'post-RA-hazard-rec', 'amdgpu-insert-delay-alu', 'branch-relaxation', 'livedebugvalues',
]; // prettier-ignore
const GENERIC = ['irtranslator', 'legalizer', 'regbankselect', 'amdgpu-regbank-combiner', 'instruction-select'];

function llc(args: readonly string[], input: string): string | null {
  const run = spawnSync(LLC, [...args, '-o', '-', '-'], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: LIMIT_MS,
  });
  return run.status === 0 ? run.stdout : null;
}

/** The IR with what the theme asks for. */
function themed(text: string, theme: string, random: Random): string {
  if (theme === 'agpr') {
    const register = (): string => (random.chance(20) ? `{a${random.below(40)}}` : random.pick(['a', 'a', 'v']));
    return text
      .replaceAll('"=v,v"', () => `"=${random.chance(20) ? '&' : ''}${register()},${register()}"`)
      .replaceAll(/^attributes #\d+ = \{ nounwind/gm, (head) =>
        random.chance(40) ? `${head} "amdgpu-agpr-alloc"="${random.pick(['0', '8', '16,32', '128'])}"` : head,
      );
  }
  if (theme === 'dynamic')
    return text.replaceAll(
      /^attributes #\d+ = \{ nounwind/gm,
      (head) => `${head} "amdgpu-dynamic-vgpr-block-size"="${random.pick(['16', '32'])}"`,
    );
  return text;
}

const THEMES: Readonly<Record<string, readonly string[]>> = {
  agpr: ['gfx908', 'gfx90a', 'gfx942', 'gfx950'],
  dynamic: ['gfx1200', 'gfx1201', 'gfx1250'],
};

/** A cut of random IR; null when llc-22 cannot compile it so far. */
export function randomStage(seed: number): Question | null {
  const random = new Random(seed);
  const theme = random.pick(['agpr', 'agpr', 'dynamic', 'plain', 'plain']);
  const processors = THEMES[theme];
  // The processor of the IR decides what it may call.
  let from = randomIr(random.below(1 << 30));
  for (let n = 0; n < 40 && processors !== undefined; n++) {
    if (processors.some((p) => from.args.includes(`-mcpu=${p}`))) break;
    from = randomIr(random.below(1 << 30));
  }
  const target = from.args.filter((a) => !a.startsWith('-O'));
  const ir = themed(from.text, theme, random);
  if (random.chance(15)) {
    const text = llc([...from.args, '-global-isel', '-global-isel-abort=2', `-stop-after=${random.pick(GENERIC)}`], ir);
    return text === null ? null : { input: text, args: target };
  }
  const hasDebug = random.chance(60);
  const stop = random.pick(
    hasDebug ? [...ALLOCATING, ...ALLOCATED] : [...SELECTED, ...SSA, ...ALLOCATING, ...ALLOCATED, ...ALLOCATED],
  );
  const form = theme === 'agpr' && random.chance(40) ? ['-amdgpu-mfma-vgpr-form=0'] : [];
  if (!hasDebug) {
    const text = llc([...from.args, ...form, `-stop-after=${stop}`], ir);
    return text === null ? null : { input: text, args: target };
  }
  const selected = llc([...from.args, ...form, '-stop-after=finalize-isel'], ir);
  if (selected === null) return null;
  const marked = llc([...target, '-run-pass=mir-debugify', '-x', 'mir'], selected);
  if (marked === null || random.chance(15)) return marked === null ? null : { input: marked, args: target };
  const text = llc([...from.args, '-start-after=finalize-isel', `-stop-after=${stop}`, '-x', 'mir'], marked);
  return { input: text ?? marked, args: target };
}

/** An instruction that may stand in the middle of a block, and its own line. */
const INSTRUCTION =
  /^ {4}(?!successors:|liveins:|;|BUNDLE|DBG_|.*(?:\bPHI\b|\bS_C?BRANCH|ENDPGM|RETURN|SETPC|BR_|EH_LABEL|[{}]$))\S.*$/;
const REGISTER = /(?:(?<flags>(?:[a-z-]+ )*))(?<reg>%\w+|\$\w+)(?<sub>\.\w+)?(?<type>:\w+(?:\([^)]*\))?)?/g;

/** One to three groups of neighbouring instructions become bundles, most with the operands that a bundle's header has. */
export function withBundles(text: string, random: Random): string {
  const lines = text.split('\n');
  for (let n = 1 + random.below(3); n > 0; n--) {
    let isBody = false;
    const at = lines.flatMap((line, k) => {
      isBody = line.startsWith('body:') || (isBody && !line.startsWith('...'));
      return isBody && INSTRUCTION.test(line) && INSTRUCTION.test(lines[k + 1] ?? '') ? [k] : [];
    });
    if (at.length === 0) break;
    const first = random.pick(at);
    let end = first + 2;
    while (end < first + 5 && INSTRUCTION.test(lines[end] ?? '') && random.chance(50)) end++;
    const isInternal = random.chance(60);
    // Registers with the class that their first mention needs.
    const defs = new Map<string, string>();
    const uses = new Set<string>();
    const inside = lines.slice(first, end).map((line) => {
      const memory = line.indexOf(' :: ');
      const [body, tail] = memory < 0 ? [line, ''] : [line.slice(0, memory), line.slice(memory)];
      const equals = body.search(/ = (?:[a-z-]+ )*[A-Z]/);
      const defined: [string, string][] = [];
      const changed = body.replaceAll(REGISTER, (whole: string, ...rest: unknown[]) => {
        const { flags, reg, type } = rest.at(-1) as { flags: string; reg: string; type?: string };
        const offset = rest.at(-3) as number;
        if (offset < equals || /implicit-def |def /.test(flags)) {
          defined.push([reg, reg + (type ?? '')]);
          return whole;
        }
        if (defs.has(reg)) return isInternal && !flags.includes('implicit') ? `internal ${whole}` : whole;
        if (!flags.includes('undef ')) uses.add(reg);
        return whole;
      });
      for (const [reg, mention] of defined) defs.set(reg, mention);
      return `  ${changed}${tail}`;
    });
    // Some headers lack what they should have.
    const isWhole = random.chance(70);
    const operands = [...[...defs.values()].map((r) => `implicit-def ${r}`), ...[...uses].map((r) => `implicit ${r}`)];
    const named = operands.filter(() => isWhole || random.chance(60));
    const header = `    BUNDLE ${named.join(', ')} {`.replace('  {', ' {');
    lines.splice(first, end - first, header, ...inside, '    }');
  }
  return lines.join('\n');
}
