/** Repairs of lists of live-ins. */
import { describeOffers } from '../../../support/offers.js';

describeOffers('liveIns');
