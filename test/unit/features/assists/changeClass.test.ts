/** Repairs of registers of another class than the instruction takes. */
import { describeOffers } from '../../../support/offers.js';

describeOffers('changeClass');
