/** Options of ours that the machine scheduler looks at beside llc's, apart from their meaning: every llc run must know them. */
import { OptionParser, ValueExpected, type OptionSpec } from '../../commandLine/optionSpec.js';
import { MODEL_CHOICES } from './schedulerModel.js';

/** LLVM main's */
export const REWRITE_MFMA = 'amdgpu-disable-rewrite-mfma-form-sched-stage';

const FACTS = { isList: false, splitsAtCommas: false, isPrefix: false, isSecret: true };

export const OWN_SCHEDULE_OPTIONS: readonly OptionSpec[] = [
  { name: 'model', parser: OptionParser.Enum, expects: ValueExpected.Required, values: MODEL_CHOICES, ...FACTS },
  { name: REWRITE_MFMA, parser: OptionParser.Bool, expects: ValueExpected.Optional, values: [], ...FACTS },
];
