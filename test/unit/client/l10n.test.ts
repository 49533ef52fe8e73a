/** What the extension says in VS Code's own boxes goes through `vscode.l10n.t`, so that a translation can say it otherwise. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CLIENT = join(__dirname, '..', '..', '..', 'client', 'src');

/** Literals with words where VS Code shows them; options of llc are the same in every language. */
const RAW = [
  /\bshow(?:Information|Warning|Error)Message\(\s*(?:asMessage\(\s*)?['"`][A-Za-z]/,
  /\b(?:placeHolder|placeholder|prompt|openLabel)(?::| =) ['"`](?!-|gfx)/,
  /\blabel: '[A-Z]/,
];

describe('texts of the extension', () => {
  const files = readdirSync(CLIENT).filter((name) => name.endsWith('.ts'));

  it('can be translated', () => {
    const raw: string[] = [];
    let nTexts = 0;
    for (const name of files) {
      const text = readFileSync(join(CLIENT, name), 'utf8');
      nTexts += text.split('vscode.l10n.t(').length - 1;
      for (const pattern of RAW) {
        const found = pattern.exec(text);
        if (found) raw.push(`${name}: ${text.slice(found.index, found.index + 80)}`);
      }
    }
    assert.deepEqual(raw, []);
    assert.ok(nTexts > 50, String(nTexts));
  });

  it('fill each of their places', () => {
    for (const name of files) {
      const text = readFileSync(join(CLIENT, name), 'utf8');
      for (const [all, , message = ''] of text.matchAll(/vscode\.l10n\.t\(\s*(['"])((?:(?!\1).)*)\1\s*\)/g))
        assert.doesNotMatch(message, /\{\d\}/, `${name}: ${all}`);
    }
  });
});
