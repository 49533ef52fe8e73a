/** Repairs of misspelt names. */
import { describeOffers } from '../../../support/offers.js';

describeOffers('spelling');
