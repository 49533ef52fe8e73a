/** The register mask of a call. */
import { CompletionItemKind } from 'vscode-languageserver-types';
import { Tok } from '../../syntax/lexer.js';
import { McFlag, type Opcode, type Subtarget, type TargetTables } from '../../target/index.js';
import type { Candidate } from './candidate.js';
import type { FunctionScope } from './functionScope.js';
import type { InstrLine } from './instrLine.js';
import { POINTS } from './points.js';

/** Whether the register mask of a call may stand there: after its described operands, and none is there yet. */
export function isMaskNext(line: InstrLine, tables: TargetTables, opc: Opcode, k: number): boolean {
  const isCall = opc >= 0 && ((tables.opcodeFlagsLo(opc) >>> McFlag.Call) & 1) !== 0;
  if (!isCall || k !== tables.opcodeNumOperands(opc)) return false;
  return !line.tokens.some(
    ({ tok, start, end }) => tok === Tok.Identifier && tables.regMaskByName(line.text.slice(start, end)) >= 0,
  );
}

const MASK = /\bcsr_amdgpu\w*/g;

/** Register masks of calls: those of the file, then what the processor's functions preserve as a rule. */
export function registerMasks({ snapshot }: FunctionScope, { tables, hasGFX90AInsts }: Subtarget): Candidate[] {
  const usual = hasGFX90AInsts ? 'csr_amdgpu_gfx90ainsts' : 'csr_amdgpu';
  const names = [...new Set([...(snapshot.text.text.match(MASK) ?? []), usual, 'csr_amdgpu', 'csr_amdgpu_si_gfx'])];
  return names
    .filter((label) => tables.regMaskByName(label) >= 0)
    .map((label, n) => ({
      label,
      kind: CompletionItemKind.Constant,
      score: POINTS.registerMask - n,
      detail: ' registers that the call preserves',
    }));
}
