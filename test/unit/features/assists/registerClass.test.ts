/** Repairs of registers without a class: in the body and in `registers:`. */
import { describeOffers } from '../../../support/offers.js';

describeOffers('registerClass');
