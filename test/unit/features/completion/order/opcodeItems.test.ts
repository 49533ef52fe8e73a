/** The order in which opcodes are proposed, before any is tried. */
import { describeOrders } from '../../../../support/completionOrders.js';

describeOrders('opcodeItems');
