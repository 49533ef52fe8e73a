/** Repairs of lists of successors. */
import { describeOffers } from '../../../support/offers.js';

describeOffers('successors');
