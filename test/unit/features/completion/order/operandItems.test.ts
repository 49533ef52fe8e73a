/** The order in which operands are proposed, before any is tried. */
import { describeOrders } from '../../../../support/completionOrders.js';

describeOrders('operandItems');
