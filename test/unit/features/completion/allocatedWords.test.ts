/** Completion at every word of `test/fixtures/everywhere/allocated.mir`. */
import { describePlaces } from '../../../support/completionPlaces.js';

describePlaces('allocated');
