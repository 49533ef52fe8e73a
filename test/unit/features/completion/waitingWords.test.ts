/** Completion at every word of `test/fixtures/everywhere/waiting.mir`. */
import { describePlaces } from '../../../support/completionPlaces.js';

describePlaces('waiting');
