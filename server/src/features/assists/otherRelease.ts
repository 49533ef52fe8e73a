/** Keys that another release of LLVM writes and the one of the file does not read. */
import { releaseOfKey } from '../../program/modelOfFile.js';
import { releaseText } from '../../target/releases.js';
import type { Assist } from '../fixes/fix.js';

/** `unknown key 'noSignedZerosFPMath'`: the line goes. All such keys have a word for a value. */
export const removeKeyOfRelease: Assist = ({ snapshot, diagnostic }) => {
  const { text } = snapshot;
  const line = text.lineAt(diagnostic.start);
  const start = text.lineStart(line);
  const end = text.lineStart(line + 1);
  const key = /^ *(\w+) *: *\S+ *\r?\n?$/.exec(text.slice(start, end))?.[1];
  const release = key === undefined ? null : releaseOfKey(key);
  if (key === undefined || release === null) return [];
  return [{ title: `Remove ${key}, a key of ${releaseText(release)}`, edits: [{ start, end, text: '' }] }];
};
