// `node:assert/strict` in a browser.
module.exports = require('assert/').strict;
