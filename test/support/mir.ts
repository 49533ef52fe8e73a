/** MIR text to machine functions in one step, for tests of the layers above the model. */
import { lowerFile } from '../../server/src/model/lowering/lowerFile.js';
import type { MachineFunction } from '../../server/src/model/machineFunction.js';
import { parseMirFile } from '../../server/src/syntax/index.js';
import { SourceText } from '../../server/src/text/sourceText.js';
import { Interner } from '../../server/src/util/interner.js';

export interface MirOptions {
  readonly triple?: string;
  readonly cpu?: string;
  readonly features?: string;
}

/** All functions of a file; throws with the messages when the text has an error. */
export function lowerMir(text: string, options: MirOptions = {}): MachineFunction[] {
  const file = parseMirFile(new SourceText(text), new Interner());
  const model = lowerFile(file, {
    triple: options.triple ?? 'amdgcn-amd-amdhsa',
    cpu: options.cpu ?? 'gfx900',
    features: options.features ?? '',
  });
  const errors = model.diagnostics.map((d) => `${d.start}: ${d.message}`);
  if (errors.length > 0) throw new Error(`MIR fixture has errors: ${errors.join('; ')}`);
  return model.functions.map((f) => {
    if (f.fn === null) throw new Error('MIR fixture has a document without function');
    return f.fn;
  });
}

/** One function without header keys but the name: `body` holds blocks at an indentation of two. */
export function mirFunction(name: string, body: string): string {
  return `---\nname: ${name}\ntracksRegLiveness: true\nbody: |\n${body.replace(/^\n/, '').replace(/\s*$/, '\n')}...\n`;
}

/**
 * A file with one entry function `f` whose lines after `bb.0:` are `body`; `run` holds the options of its RUN line, `attributes` those
 * of its IR function, without which there is no IR.
 */
export function entryFunctionFile(run: string, body: readonly string[], attributes = ''): string {
  const ir =
    attributes === ''
      ? []
      : ['--- |', '  define amdgpu_kernel void @f() #0 { ret void }', `  attributes #0 = { ${attributes} }`, '...'];
  const header = ['---', 'name: f', 'tracksRegLiveness: true', 'machineFunctionInfo:', '  isEntryFunction: true'];
  return [
    `# RUN: llc ${run} -run-pass=machine-scheduler %s`,
    ...ir,
    ...header,
    'body: |',
    '  bb.0:',
    ...body,
    '...',
    '',
  ].join('\n');
}

/** A test as people write them, with one function and nothing wrong. */
export const SMALL_TEST = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name:            small
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    S_ENDPGM 0, implicit %1
...
`;
