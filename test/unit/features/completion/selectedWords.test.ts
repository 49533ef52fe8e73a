/** Completion at every word of `test/fixtures/everywhere/selected.mir`. */
import { describePlaces } from '../../../support/completionPlaces.js';

describePlaces('selected');
