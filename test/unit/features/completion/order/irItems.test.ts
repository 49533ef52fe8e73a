/** The order in which words of the embedded IR are proposed. */
import { describeOrders } from '../../../../support/completionOrders.js';

describeOrders('irItems');
