/** Alias questions of the scheduling graph, answered by the embedded IR (ir/analysis/alias.ts). One object per function. */
import {
  AliasAnalysis,
  AliasResult,
  SIZE_AFTER,
  underlyingObject,
  underlyingObjectsForCodeGen,
  type AliasRules,
} from '../../../ir/analysis/alias.js';
import { ValueKind, type IRFunction, type IRModule, type Value } from '../../../ir/module.js';
import { parsePointerValue } from '../../../model/lowering/constants.js';
import type { MemPointer } from '../../../model/memOperand.js';
import type { IRAliasQueries } from './aliasFacts.js';

export class ModuleAliasQueries implements IRAliasQueries {
  private readonly analysis: AliasAnalysis;
  private readonly ids = new Map<Value, string>();
  private readonly values = new Map<MemPointer, Value | null>();
  private readonly constants = new Map<string, Value | null>();

  constructor(
    private readonly module: IRModule,
    private readonly fn: IRFunction,
    rules: AliasRules,
  ) {
    this.analysis = new AliasAnalysis(fn, rules);
  }

  private value(p: MemPointer): Value | null {
    let v = this.values.get(p);
    if (v === undefined) {
      v = this.resolve(p);
      this.values.set(p, v);
    }
    return v;
  }

  private resolve(p: MemPointer): Value | null {
    switch (p.kind) {
      case 'irValue':
        return this.fn.valueByName(p.name) ?? (/^\d+$/.test(p.name) ? this.fn.valueBySlot(Number(p.name)) : null);
      case 'global':
        return (
          this.module.globalByName(p.name) ?? (/^\d+$/.test(p.name) ? this.module.globalByNumber(Number(p.name)) : null)
        );
      case 'irConstant': {
        let v = this.constants.get(p.text);
        if (v === undefined) {
          v = parsePointerValue(p.text, this.module);
          this.constants.set(p.text, v);
        }
        return v;
      }
      default:
        return null;
    }
  }

  private idOf(v: Value): string {
    let id = this.ids.get(v);
    if (id === undefined) {
      id = String(this.ids.size);
      this.ids.set(v, id);
    }
    return id;
  }

  identifiedObjects(p: MemPointer): readonly string[] | null {
    const v = this.value(p);
    return v === null ? null : (underlyingObjectsForCodeGen(v)?.map((o) => this.idOf(o)) ?? null);
  }

  underlyingObject(p: MemPointer): string | null {
    const v = this.value(p);
    if (v === null) return null;
    const o = underlyingObject(v);
    return o.kind === ValueKind.Undef || o.kind === ValueKind.Poison ? null : this.idOf(o);
  }

  samePointer(a: MemPointer, b: MemPointer): boolean {
    const x = this.value(a);
    return x !== null && x === this.value(b);
  }

  alias(a: MemPointer, aBytes: number, b: MemPointer, bBytes: number): AliasResult {
    const x = this.value(a);
    const y = this.value(b);
    if (x === null || y === null) return AliasResult.May;
    return this.analysis.alias(x, aBytes < 0 ? SIZE_AFTER : aBytes, y, bBytes < 0 ? SIZE_AFTER : bBytes);
  }
}
