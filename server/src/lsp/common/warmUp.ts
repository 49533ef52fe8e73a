/**
 * Work on a function of our own while nobody waits, before anybody asks: the first schedule and allocation of a process take several times as long as the
 * later ones, since the engine has not compiled their code yet, and tables are made when they are first asked for. Its results are garbage.
 */
import { AnalysisHost } from '../../host/analysisHost.js';
import { NEVER_CANCELLED, type CancellationToken } from '../../util/cancellation.js';
import { answerOf } from './featureTable.js';

/** From the last message or step on. */
export const WARM_UP_DELAY_MS = 250;
/** From then on what is not compiled is not worth more work of a machine that may run on a battery. */
const MOST_MS = 4000;
const ROUNDS = 10;
/** For who cannot be interrupted: steps that nobody notices. */
const SMALL_ROUNDS = 12;

const URI = 'amdgpu-mir:warm-up';

/** Instructions of the loops are of so many kinds. */
const KINDS = 5;

interface Shape {
  readonly cpu: string;
  /** pairs of vector registers that live around the loops */
  readonly pairs: number;
  /** scalar registers that do */
  readonly scalars: number;
  readonly loops: number;
  /** values that are made in each of them */
  readonly perLoop: number;
}

/** With and without AGPRs to copy to; too many values for the registers, so that all ways out are taken: splitting, spilling to the stack and to lanes. */
const LARGE: readonly Shape[] = [
  { cpu: 'gfx900', pairs: 40, scalars: 110, loops: 2, perLoop: 60 },
  { cpu: 'gfx90a', pairs: 90, scalars: 8, loops: 2, perLoop: 60 },
];
const SMALL: readonly Shape[] = [{ cpu: 'gfx90a', pairs: 3, scalars: 2, loops: 1, perLoop: 10 }];

/** Work that is done in parts while nobody waits. */
export interface IdleWork {
  readonly isDone: boolean;
  /** False when the token ended the part: it begins anew. */
  step(token: CancellationToken): boolean;
}

/** Texts of the functions, in the order of the rounds. */
export const warmUpTexts = (canGiveWay: boolean): string[] => (canGiveWay ? LARGE : SMALL).map(warmUpText);

const PARTS = ['diagnostics', 'allocation', 'lens'] as const;

export class WarmUp implements IdleWork {
  private readonly host = new AnalysisHost(false, Infinity, Infinity);
  private readonly texts: readonly string[];
  /** parts that are done */
  private nDone = 0;
  private spentMs = 0;

  /** `canGiveWay`: a message that waits ends a step. Else there are only steps that end by themselves, soon. */
  constructor(private readonly canGiveWay: boolean) {
    this.texts = warmUpTexts(canGiveWay);
  }

  get isDone(): boolean {
    return (this.canGiveWay ? ROUNDS : SMALL_ROUNDS) * PARTS.length <= this.nDone || MOST_MS <= this.spentMs;
  }

  /** Some 10 to 300 ms. */
  step(token: CancellationToken): boolean {
    const begun = Date.now();
    const isDone = this.part(this.canGiveWay ? token : NEVER_CANCELLED);
    this.spentMs += Date.now() - begun;
    if (isDone) this.nDone++;
    return isDone;
  }

  private part(token: CancellationToken): boolean {
    const { host, texts } = this;
    const round = Math.floor(this.nDone / PARTS.length);
    switch (PARTS[this.nDone % PARTS.length]!) {
      case 'diagnostics':
        // Closed files leave nothing that another round could take over.
        host.close(URI);
        host.open(URI, round, texts[round % texts.length]!);
        return host.diagnostics(URI, token) !== null;
      case 'allocation':
        return host.allocateNext(URI, token, Infinity) !== 'gave way';
      case 'lens':
        answerOf('textDocument/codeLens', host.snapshot(URI)!, { textDocument: { uri: URI } }, NEVER_CANCELLED);
        return true;
    }
  }
}

/** A function in loops whose values are written half by half and read in part. Deterministic. O(its instructions) */
function warmUpText({ cpu, pairs, scalars, loops, perLoop }: Shape): string {
  const run = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${cpu} -start-before=machine-scheduler -stop-after=virtregrewriter,2 %s`;
  const lines = [run, '---', 'name: warm', 'tracksRegLiveness: true', 'body: |', '  bb.0:'];
  const pair = (k: number): string => `%p${k % pairs}`;
  const scalar = (k: number): string => `%s${k % scalars}`;
  lines.push('    successors: %bb.1', '    liveins: $vgpr0, $sgpr0, $sgpr4_sgpr5', '');
  lines.push(
    '    %x:vgpr_32 = COPY $vgpr0',
    '    %n:sreg_32 = COPY $sgpr0',
    '    %at:sreg_64_xexec_xnull = COPY $sgpr4_sgpr5',
  );
  for (let k = 0; k < scalars; k++) lines.push(`    %s${k}:sreg_32 = S_ADD_I32 %n, ${k}, implicit-def dead $scc`);
  for (let k = 0; k < pairs; k++)
    lines.push(
      `    undef %p${k}.sub0:vreg_64_align2 = V_ADD_U32_e32 ${k}, %x, implicit $exec`,
      `    %p${k}.sub1:vreg_64_align2 = V_MOV_B32_e32 ${k}, implicit $exec`,
    );
  for (let b = 1; b <= loops; b++) {
    lines.push('', `  bb.${b}:`, `    successors: %bb.${b}, %bb.${b + 1}`, '');
    for (let k = 0; k < perLoop; k++) {
      const [v, far] = [`%v${b}_${k}`, b * 31 + k * 7];
      const before = k === 0 ? '%x' : `%v${b}_${k - 1}`;
      const kind = k % KINDS;
      if (kind === 0)
        lines.push(
          `    ${v}:vgpr_32 = GLOBAL_LOAD_DWORD_SADDR %at, ${pair(far)}.sub0, ${4 * k}, 0, implicit $exec :: (load (s32), addrspace 1)`,
        );
      else if (kind === 1) lines.push(`    ${v}:vgpr_32 = V_MUL_LO_U32_e64 ${before}, ${scalar(far)}, implicit $exec`);
      else lines.push(`    ${v}:vgpr_32 = V_XOR_B32_e32 ${before}, ${pair(far)}.sub${k & 1}, implicit $exec`);
      if (kind === 2)
        lines.push(
          `    ${pair(far + 1)}.sub${k & 1}:vreg_64_align2 = V_OR_B32_e32 ${v}, ${pair(far + 2)}.sub0, implicit $exec`,
        );
      if (kind === 3)
        lines.push(`    ${scalar(far)}:sreg_32 = S_ADD_I32 ${scalar(far + 1)}, ${k}, implicit-def dead $scc`);
    }
    lines.push(`    S_CMP_EQ_U32 %n, ${b}, implicit-def $scc`, `    S_CBRANCH_SCC1 %bb.${b}, implicit killed $scc`);
  }
  lines.push('', `  bb.${loops + 1}:`);
  // One by one: all at once they would have to lie in registers.
  for (let k = 0; k < pairs; k++) lines.push(`    S_NOP 0, implicit %p${k}`);
  for (let k = 0; k < scalars; k++) lines.push(`    S_NOP 0, implicit %s${k}`);
  return [...lines, '    S_ENDPGM 0', '...', ''].join('\n');
}
