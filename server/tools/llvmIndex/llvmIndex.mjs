// npm run llvm-index [NAME]: where what LLVM has lives here. NAME: a part of LLVM's name or file, or of ours; without it all.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entriesOf } from './entries.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const asked = (process.argv[2] ?? '').toLowerCase();

const found = readdirSync(join(root, 'server/src'), { recursive: true, withFileTypes: true })
  .filter((e) => e.isFile() && e.name.endsWith('.ts'))
  .map((e) => join(e.parentPath, e.name))
  .flatMap((path) => entriesOf(readFileSync(path, 'utf8')).map((e) => ({ ...e, path: relative(root, path) })))
  .filter((e) => `${e.file} ${e.name} ${e.path} ${e.ours}`.toLowerCase().includes(asked))
  .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

let file = '';
for (const e of found) {
  if (e.file !== file) console.log((file = e.file));
  console.log(`  ${e.name}  ${e.path}:${e.line}  ${e.ours}`);
}
if (found.length === 0) {
  console.error(`nothing here follows '${process.argv[2]}'`);
  process.exitCode = 1;
}
