/** Completion at every word of `test/fixtures/everywhere/wave32.mir`. */
import { describePlaces } from '../../../support/completionPlaces.js';

describePlaces('wave32');
