/** The order in which registers are proposed, before any is tried. */
import { describeOrders } from '../../../../support/completionOrders.js';

describeOrders('registerItems');
