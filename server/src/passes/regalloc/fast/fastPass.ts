/** `regallocfast`: registers within one block each, as without optimization (RegAllocFast, LLVM 22; docs/llvm/fast-allocation.md). */
import { ReservedRegs } from '../../../analysis/reservedRegs.js';
import { keepReserved } from '../../frozenRegisters.js';
import type { MachinePass } from '../../machinePass.js';
import { CFG } from '../../passContext.js';
import { KEPT_REGISTERS } from '../allocationPass.js';
import { DebugInfo } from '../../debugInfo/scopes.js';
import type { RunFilter } from '../runFilter.js';
import { FastAllocator } from './fastAllocator.js';

const FILTERS: ReadonlySet<string> = new Set(['all', 'sgpr', 'wwm', 'vgpr']);

interface Parameters {
  readonly filter: RunFilter;
  readonly clearsVRegs: boolean;
}

/** What stands in `<>`, or LLVM's words for what it refuses. */
function read(text: string): Parameters | string {
  let filter: RunFilter = 'all';
  let clearsVRegs = true;
  // A `;` at the end begins nothing.
  const parts = text.replace(/;$/, '').split(';');
  for (const part of text === '' ? [] : parts) {
    if (part.startsWith('filter=')) {
      const name = part.slice('filter='.length);
      if (!FILTERS.has(name)) return `invalid regallocfast register filter '${name}'`;
      filter = name as RunFilter;
    } else if (part === 'no-clear-vregs') clearsVRegs = false;
    else return `invalid regallocfast pass parameter '${part}'`;
  }
  return { filter, clearsVRegs };
}

/** @llvm RegAllocFast.cpp RegAllocFast */
export const fastPass: MachinePass = {
  name: 'regallocfast',
  pipelineName: 'regallocfast',
  className: 'RegAllocFastPass',
  title: 'Fast Register Allocator',
  isRequired: true,
  requires: [],
  preserves: [CFG],
  properties: { cleared: ['isSSA'] },
  checkParameters(text) {
    const given = read(text);
    return typeof given === 'string' ? given : null;
  },
  run(state, { parameters }) {
    const given = read(parameters);
    if (typeof given === 'string') return;
    const { context } = state;
    const editor = state.editor();
    const { fn } = editor;
    context.onLimits?.(fn, 'reservedRegs');
    const kept = state.get(KEPT_REGISTERS);
    const reserved = new ReservedRegs(fn, undefined, kept.perLaneMask);
    kept.reserved = reserved;
    const allocator = new FastAllocator(editor, reserved, {
      filter: given.filter,
      spillsSGPRsToVGPRs: context.options.get('amdgpu-spill-sgpr-to-vgpr') !== false,
      most: Number(context.options.get('stress-regalloc') ?? 0),
      kept,
      sourcePlaces: DebugInfo.of(context.ir, fn.header.name),
      error: (message) => {
        context.error(message);
      },
    });
    allocator.run();
    keepReserved(state, reserved);
    if (!given.clearsVRegs) return;
    if (!allocator.leavesSome) fn.vregs.truncate(0);
    fn.header.noVRegs = true;
    for (const l of fn.header.liveIns) (l as { vreg: number }).vreg = -1;
  },
};
