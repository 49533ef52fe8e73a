/** The order in which words of RUN lines and of lines that FileCheck reads are proposed. */
import { describeOrders } from '../../../../support/completionOrders.js';

describeOrders('testLineItems');
