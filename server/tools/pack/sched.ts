/** Packs scheduling models and what variant classes resolve to. */
import { ints, lists, Pool, strings } from './encode.js';
import type { Facts, SchedClassFacts } from './facts.js';
import { check } from './check.js';

function packModel(m: Facts['sched_models'][number]): string {
  const full = m.classes.map((c) => (c === null || c === 'variant' ? undefined : c));
  const kind = (c: SchedClassFacts): number => (c === null ? 0 : c === 'variant' ? 1 : 2);
  const list = (k: 2 | 3 | 4): string => lists(full.map((c) => c?.[k] ?? []));
  return [
    ints([
      m.id,
      m.issue_width,
      m.micro_op_buffer_size,
      m.load_latency,
      m.high_latency,
      m.mispredict_penalty,
      Number(m.post_ra) | (Number(m.complete) << 1) | (Number(m.intervals) << 2),
    ]),
    strings(m.resources.map((r) => r[0])),
    ...[1, 2, 3].map((k) => ints(m.resources.map((r) => r[k] as number))),
    ints(m.classes.map(kind)),
    ints(full.map((c) => c?.[0] ?? 0)),
    ints(full.map((c) => c?.[1] ?? 0)),
    list(2),
    list(3),
    list(4),
  ].join('');
}

/** Answers of all processors with the same model together; where two know an opcode they agree. */
function packVariants(f: Facts, model: number): string {
  const copy = new Map<number, number>();
  const others = new Map<number, number>();
  const rules = new Pool<[readonly number[], readonly number[]]>();
  for (const v of f.sched_variants) {
    if (v.sched_model !== model) continue;
    for (let i = 0; i < v.copy.length; i += 2) {
      check((copy.get(v.copy[i]!) ?? v.copy[i + 1]) === v.copy[i + 1], 'one answer for a copy in a model');
      copy.set(v.copy[i]!, v.copy[i + 1]!);
    }
    for (const [opc, operands, classes] of v.others) {
      const rule = rules.add([operands, classes]);
      check((others.get(opc) ?? rule) === rule, 'one answer for a variant in a model');
      others.set(opc, rule);
    }
  }
  const opcodes = [...others.keys()].sort((a, b) => a - b);
  return [
    ints([...copy.keys()]),
    ints([...copy.values()]),
    ints(opcodes),
    ints(opcodes.map((o) => others.get(o)!)),
    lists(rules.items.map((r) => r[0])),
    lists(rules.items.map((r) => r[1])),
  ].join('');
}

/** SCHED_MODELS: each with its variants. */
export function packSched(f: Facts): Record<string, string> {
  const packed = f.sched_models.map((m) => packModel(m) + packVariants(f, m.id));
  return {
    SCHED_MODELS: ints(f.sched_models.map((m) => m.id)) + ints(packed.map((p) => p.length)) + packed.join(''),
  };
}
