/** Repairs of whole-wave registers: flags and lists of reserved ones, however they are written. */
import { describeOffers } from '../../../support/offers.js';

describeOffers('wholeWave');
