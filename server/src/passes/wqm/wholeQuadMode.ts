/**
 * si-wqm: which instructions run with helper lanes, with all lanes of quads or with the whole wave, and the switches of EXEC between
 * (docs/llvm/whole-quad-mode.md).
 */
import { regOperand } from '../../model/edit/functionEditor.js';
import { NO_LOCATION } from '../../model/edit/instrBuilder.js';
import { OpFlag } from '../../model/machineFunction.js';
import { firstNonPhi } from '../instrOrder.js';
import type { AllocState } from '../regalloc/state.js';
import { Lowering } from './lowering.js';
import { MaskBuilder } from './maskBuilder.js';
import { Mode, STRICT } from './modes.js';
import { ModeSwitches } from './modeSwitches.js';
import { NeededModes } from './neededModes.js';
import { allocationPass, KEEPS_STATE } from '../regalloc/allocationPass.js';

/**
 * Runs the pass on a function with live intervals. Throws NotModelled.
 * @llvm SIWholeQuadMode.cpp SIWholeQuadMode::run
 */
function enterWholeQuads(state: AllocState): void {
  const { tables, lis, opcodes, units } = state;
  if (state.fn.blocks.length === 0) return;
  const needed = new NeededModes(state);
  const builder = new MaskBuilder(state);
  const lowering = new Lowering(state, needed, builder);
  const { ops } = builder;

  let entry = firstNonPhi(state.editor, 0);
  for (const i of needed.initExecs) {
    if (state.fn.instrBlock[i] === 0) entry = state.editor.list.after(i);
    lowering.lowerInitExec(i);
  }

  const hasModes = (needed.all & ~Mode.Exact) !== 0;
  const hasWQM = (needed.all & Mode.WQM) !== 0;
  const hasKills = needed.kills.length > 0;
  let saved = -1;
  if (hasKills || hasWQM || (hasModes && needed.liveMaskQueries.length > 0)) {
    builder.liveMask = builder.newMask();
    const operands = [regOperand(builder.liveMask, OpFlag.Def), regOperand(ops.exec)];
    saved = builder.insert(entry, NO_LOCATION, opcodes.copy, operands);
  }
  chooseSetInactives(state, needed);
  lowering.answerLiveMaskQueries();
  lowering.lowerCopies();

  if (!hasModes) lowering.lowerKills(false);
  else if (needed.all === Mode.WQM) {
    const operands = [regOperand(ops.exec, OpFlag.Def), regOperand(ops.exec)];
    builder.insert(state.editor.list.after(saved), NO_LOCATION, ops.wqm, operands);
    lowering.lowerKills(true);
  } else {
    if (hasWQM) needed.ofBlock(0).inNeeds |= Mode.WQM;
    const switches = new ModeSwitches(state, needed, builder);
    for (const [b, modes] of needed.blocks) switches.process(b, modes);
    for (const [b, modes] of needed.blocks) lowering.lowerBlock(b, modes, switches);
  }
  if (builder.liveMask !== ops.exec) lis.recompute(~builder.liveMask);
  units.forgetReg(tables.regByName('scc'));
  if (hasKills || needed.initExecs.length > 0) units.forgetReg(tables.regByName('exec'));
}

/** V_SET_INACTIVE_B32 whose value reaches a strict region runs in the whole wave; any other sets nothing. */
function chooseSetInactives({ fn }: AllocState, needed: NeededModes): void {
  for (const i of needed.setInactives) {
    if (needed.toCopies.has(i)) continue;
    const modes = needed.of(i);
    if ((modes.marked & STRICT) !== 0) {
      modes.needs |= Mode.StrictWWM;
      modes.disabled &= ~Mode.StrictWWM;
      needed.ofBlock(fn.instrBlock[i]).needs |= Mode.StrictWWM;
    } else needed.toCopies.add(i);
  }
}

/** @llvm SIWholeQuadMode.cpp SIWholeQuadModeLegacy */
export const wholeQuadModePass = allocationPass({
  name: 'si-wqm',
  pipelineName: 'si-wqm',
  className: 'SIWholeQuadModePass',
  title: 'SI Whole Quad Mode',
  properties: { cleared: ['isSSA'] },
  // It splits blocks.
  preserves: KEEPS_STATE,
  work(state) {
    enterWholeQuads(state);
    state.followBlocks();
  },
});
