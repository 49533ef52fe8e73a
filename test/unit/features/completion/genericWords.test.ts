/** Completion at every word of `test/fixtures/everywhere/generic.mir`. */
import { describePlaces } from '../../../support/completionPlaces.js';

describePlaces('generic');
