/**
 * What LLVM prints about function attributes whose numbers it cannot read (AMDGPU::getIntegerPairAttribute, getIntegerVecAttribute,
 * Function::getFnAttributeAsParsedInteger, LLVM 22): one line each time that it asks for one, after which it goes on with the default and
 * ends with exit code 1. Which questions it asks, and in which order, was measured with llc-22 for all calling conventions.
 */
import type { Subtarget } from '../target/api.js';
import { CallingConv, isGfx, isShader, parseUnsigned } from './functionLimits.js';
import type { IRFunctionFacts } from '../ir/module.js';

const FLAT_SIZES = 'amdgpu-flat-work-group-size';
const LDS_SIZE = 'amdgpu-lds-size';
const NUM_SGPR = 'amdgpu-num-sgpr';
const DYNAMIC_BLOCK = 'amdgpu-dynamic-vgpr-block-size';
const AGPR_ALLOC = 'amdgpu-agpr-alloc';
const CLUSTER_DWORDS = 'amdgpu-max-memory-cluster-dwords';
const PS_INPUT = 'InitialPSInputAddr';
const MAX_WORKGROUPS = 'amdgpu-max-num-workgroups';
const CLUSTER_DIMS = 'amdgpu-cluster-dims';

/** A question about the limits of a function, by the attributes that LLVM reads for the answer. */
const WAVES_PER_EU = [FLAT_SIZES, LDS_SIZE, 'amdgpu-waves-per-eu'];
const MAX_NUM_VGPRS = [DYNAMIC_BLOCK, ...WAVES_PER_EU, 'amdgpu-num-vgpr'];

/** Questions of passes. */
export const LIMIT_QUERIES = {
  /** getOccupancyWithWorkGroupSizes */
  occupancyRange: [FLAT_SIZES],
  /** getMaxNumSGPRs of the machine function */
  maxNumSGPRs: [NUM_SGPR],
  /** getMaxNumSGPRs of the IR function */
  maxNumSGPRsOfF: [...WAVES_PER_EU, NUM_SGPR],
  maxNumVGPRs: MAX_NUM_VGPRS,
  /** getReservedRegs; of AGPRs, too, where they are VGPRs */
  reservedRegs: [NUM_SGPR, ...MAX_NUM_VGPRS],
} as const;
export type LimitQuery = keyof typeof LIMIT_QUERIES;

function pairError(name: string, text: string, onlyFirst: boolean): string | null {
  const comma = text.indexOf(',');
  const first = (comma < 0 ? text : text.slice(0, comma)).trim();
  if (parseUnsigned(first) === null) return `can't parse first integer attribute ${name}`;
  const second = comma < 0 ? '' : text.slice(comma + 1).trim();
  if (parseUnsigned(second) !== null || (onlyFirst && second === '')) return null;
  return `can't parse second integer attribute ${name}`;
}

function listError(name: string, text: string, size: number): string | null {
  let rest = text;
  let n = 0;
  for (; rest !== '' && n < size; n++) {
    const comma = rest.indexOf(',');
    const word = comma < 0 ? rest : rest.slice(0, comma);
    if (parseUnsigned(word.trim()) === null) return `can't parse integer attribute ${word} in ${name}`;
    rest = comma < 0 ? '' : rest.slice(comma + 1);
  }
  return rest === '' && n === size ? null : `attribute ${name} has incorrect number of integers; expected ${size}`;
}

const UINT64_MAX = 0xffffffffffffffffn;

function numberError(name: string, text: string): string | null {
  return parseUnsigned(text, UINT64_MAX) === null ? `cannot parse integer attribute ${name}` : null;
}

/** What LLVM says when it asks for the number of an attribute, null when it can read it or there is none. */
export function unreadableNumber(facts: IRFunctionFacts, name: string): string | null {
  const text = facts.attributes.get(name);
  return text === undefined ? null : numberError(name, text);
}

const CHECKS: ReadonlyMap<string, (name: string, text: string) => string | null> = new Map([
  [FLAT_SIZES, (name, text) => pairError(name, text, false)],
  [LDS_SIZE, (name, text) => pairError(name, text, true)],
  ['amdgpu-waves-per-eu', (name, text) => pairError(name, text, true)],
  [AGPR_ALLOC, (name, text) => pairError(name, text, true)],
  ['amdgpu-num-vgpr', numberError],
  [NUM_SGPR, numberError],
  [DYNAMIC_BLOCK, numberError],
  [CLUSTER_DWORDS, numberError],
  [PS_INPUT, numberError],
  [MAX_WORKGROUPS, (name, text) => listError(name, text, 3)],
  [CLUSTER_DIMS, (name, text) => listError(name, text, 3)],
]);

export class AttributeErrors {
  private constructor(
    private readonly messages: ReadonlyMap<string, string>,
    private readonly facts: IRFunctionFacts,
  ) {}

  /** Null when LLVM can read all attributes, as nearly always. */
  static of(facts: IRFunctionFacts): AttributeErrors | null {
    const messages = new Map<string, string>();
    for (const [name, text] of facts.attributes) {
      const message = CHECKS.get(name)?.(name, text) ?? null;
      if (message !== null) messages.set(name, message);
    }
    return messages.size === 0 ? null : new AttributeErrors(messages, facts);
  }

  private linesOf(names: readonly string[]): string[] {
    return names.flatMap((name) => {
      const message = this.messages.get(name);
      return message === undefined ? [] : [`error: ${message}`];
    });
  }

  /** Lines when the function's SIMachineFunctionInfo is made. */
  ofConstruction(st: Subtarget): string[] {
    const { callingConv: cc, attributes, hasReqdWorkGroupSize } = this.facts;
    const names = [LDS_SIZE, FLAT_SIZES, ...WAVES_PER_EU, MAX_WORKGROUPS, DYNAMIC_BLOCK, DYNAMIC_BLOCK, FLAT_SIZES];
    if (cc === CallingConv.AMDGPU_PS) names.push(PS_INPUT);
    if (st.hasGFX90AInsts) names.push(AGPR_ALLOC);
    if (!isShader(cc) && !isGfx(cc) && !hasReqdWorkGroupSize)
      for (const dim of ['y', 'z']) if (!attributes.has(`amdgpu-no-workitem-id-${dim}`)) names.push(FLAT_SIZES);
    names.push(CLUSTER_DWORDS);
    if (st.hasMAIInsts && !st.hasGFX90AInsts) names.push(...MAX_NUM_VGPRS);
    names.push(CLUSTER_DIMS);
    return this.linesOf(names);
  }

  /** Lines when the document of the function has been read; `isCutShort`: up to an error in what follows the body. */
  ofDocument(st: Subtarget, hasOccupancy: boolean, isCutShort = false): string[] {
    const lines = this.linesOf(hasOccupancy ? [] : [FLAT_SIZES]);
    if (!isCutShort) lines.push(...this.ofQuery(st, 'reservedRegs'));
    return lines;
  }

  ofQuery(st: Subtarget, query: LimitQuery): string[] {
    const lines = this.linesOf(LIMIT_QUERIES[query]);
    if (query === 'reservedRegs' && st.hasGFX90AInsts) lines.push(...this.linesOf([AGPR_ALLOC]));
    return lines;
  }
}
