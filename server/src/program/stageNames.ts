/** Names of how far llc has come with a function (`stage.ts`). */

/** In the order of llc's pipeline. */
export const STAGES = ['generic', 'selected', 'before-scheduling', 'scheduled', 'allocated', 'final'] as const;
export type Stage = (typeof STAGES)[number];

export const isStage = (name: string): name is Stage => (STAGES as readonly string[]).includes(name);

export const STAGE_WORDS: Readonly<Record<Stage, string>> = {
  generic: 'generic',
  selected: 'selected (SSA)',
  'before-scheduling': 'before scheduling',
  scheduled: 'scheduled',
  allocated: 'allocated',
  final: 'final',
};
