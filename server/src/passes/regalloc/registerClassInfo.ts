/** Registers of a class in the order in which they are tried, and what follows from that. */
import type { ReservedRegs } from '../../analysis/reservedRegs.js';
import type { RegClassId, Subtarget } from '../../target/api.js';
import { orderCosts, type OrderCosts } from './registerCosts.js';

/**
 * With the reserved registers of one time.
 * @llvm RegisterClassInfo.h RegisterClassInfo
 */
export class RegisterClassInfo {
  /** by class */
  private readonly orders: Uint16Array[] = [];
  private readonly superClasses: RegClassId[] = [];
  private readonly orderCostsOf = new WeakMap<Uint16Array, OrderCosts>();

  /** `most`: as many registers of each class, 0 = all (-stress-regalloc) */
  constructor(
    private readonly subtarget: Subtarget,
    private readonly reserved: ReservedRegs,
    private readonly most: number,
  ) {}

  /**
   * Allocatable registers of a class.
   * @llvm RegisterClassInfo.h RegisterClassInfo::getOrder
   */
  order(rc: RegClassId): Uint16Array {
    return (this.orders[rc] ??= this.findOrder(rc));
  }

  /** @llvm RegisterClassInfo.cpp RegisterClassInfo::compute */
  private findOrder(rc: RegClassId): Uint16Array {
    const order = this.reserved.allocationOrder(rc);
    return this.most > 0 && order.length > this.most ? order.subarray(0, this.most) : order;
  }

  /** Costs in the order of a class, which -stress-regalloc does not shorten for this. */
  orderCosts(rc: RegClassId, costs: Uint8Array): OrderCosts {
    const order = this.reserved.allocationOrder(rc);
    let known = this.orderCostsOf.get(order);
    if (known === undefined) this.orderCostsOf.set(order, (known = orderCosts(order, costs)));
    return known;
  }

  /** @llvm RegisterClassInfo.h RegisterClassInfo::getNumAllocatableRegs */
  numAllocatable(rc: RegClassId): number {
    return this.order(rc).length;
  }

  /** The class that takes values of `rc` and as many others as it can. */
  largestSuperClass(rc: RegClassId): RegClassId {
    return (this.superClasses[rc] ??= largestSuperClass(this.subtarget, rc));
  }

  /**
   * A class that has fewer allocatable registers than a larger legal one.
   * @llvm RegisterClassInfo.h RegisterClassInfo::isProperSubClass
   */
  isProperSubClass(rc: RegClassId): boolean {
    const above = this.largestSuperClass(rc);
    return above !== rc && this.numAllocatable(above) > this.numAllocatable(rc);
  }
}

/** Of other sizes there are classes for both files, too, but LLVM's switch does not name them. */
const WIDENED_BITS = new Set([32, 64, 96, 128, 160, 192, 256, 512, 1024]);

/**
 * The class of both vector files for a class of one of them where the processor has accumulators, else the class itself.
 * @llvm SIRegisterInfo.cpp SIRegisterInfo::getLargestLegalSuperClass
 */
export function largestSuperClass({ hasMAIInsts, tables }: Subtarget, rc: RegClassId): RegClassId {
  if (!hasMAIInsts) return rc;
  const name = tables.regClassName(rc);
  const [, bits, aligned = ''] =
    /^(?:VGPR|AGPR)_(32)$/.exec(name) ?? /^(?:VReg|AReg)_(\d\d+)(_Align2)?$/.exec(name) ?? [];
  if (!WIDENED_BITS.has(Number(bits))) return rc;
  return tables.regClassByName(`av_${bits}${aligned.toLowerCase()}`);
}
