/** The order in which words of memory operands are proposed. */
import { describeOrders } from '../../../../support/completionOrders.js';

describeOrders('memoryItems');
