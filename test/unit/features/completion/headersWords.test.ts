/** Completion at every word of `test/fixtures/everywhere/headers.mir`. */
import { describePlaces } from '../../../support/completionPlaces.js';

describePlaces('headers');
