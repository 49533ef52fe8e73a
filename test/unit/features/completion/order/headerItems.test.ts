/** The order in which keys and values of a header are proposed. */
import { describeOrders } from '../../../../support/completionOrders.js';

describeOrders('headerItems');
