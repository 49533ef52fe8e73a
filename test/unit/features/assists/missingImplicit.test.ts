/** Repairs of missing implicit operands. */
import { describeOffers } from '../../../support/offers.js';

describeOffers('missingImplicit');
