/**
 * Makes dist/server/ThirdPartyNotices.txt: whose work the bundles, the tables and the executable hold, and under which licences. The packages
 * are those that esbuild says it put into the bundles; their licences are found by @rnx-kit/third-party-notices, the texts of the licences of
 * what has no package here come from SPDX's list. Called by build.mjs.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeThirdPartyNotices } from '@rnx-kit/third-party-notices';

export const NOTICES = join('dist', 'server', 'ThirdPartyNotices.txt');

const require = createRequire(import.meta.url);
const RULE = `\n\n${'='.repeat(100)}\n\n`;

/**
 * What Bun's program is linked from, as Bun's own list of licences and `process.versions` of the program tell: name there or here, licence as
 * an SPDX expression. What is only an interface or a version that Bun imitates is not in it.
 */
export const IN_BUN = [
  ['bun', 'MIT', 'Bun itself, github.com/oven-sh/bun'],
  [
    'webkit',
    'LGPL-2.0-or-later AND BSD-2-Clause',
    'JavaScriptCore and WTF of WebKit, as changed in github.com/oven-sh/WebKit',
  ],
  ['boringssl', 'Apache-2.0 AND OpenSSL AND ISC AND MIT', 'BoringSSL'],
  ['brotli', 'MIT'],
  ['libarchive', 'BSD-2-Clause'],
  ['lolhtml', 'BSD-3-Clause', 'lol-html'],
  ['lshpack', 'MIT', 'ls-hpack'],
  ['lsqpack', 'MIT', 'ls-qpack'],
  ['lsquic', 'MIT AND BSD-3-Clause'],
  ['mimalloc', 'MIT'],
  ['picohttpparser', 'MIT'],
  ['zstd', 'BSD-3-Clause'],
  ['simdutf', 'Apache-2.0'],
  ['tinycc', 'LGPL-2.1-or-later'],
  ['usockets', 'Apache-2.0', 'uSockets'],
  ['uwebsockets', 'Apache-2.0', 'uWebSockets'],
  ['zlib', 'Zlib', 'zlib-ng'],
  ['ares', 'MIT', 'c-ares'],
  ['icu', 'Unicode-3.0', 'ICU'],
  ['libbase64', 'BSD-2-Clause'],
  ['libdeflate', 'MIT'],
  ['libjpeg-turbo', 'BSD-3-Clause AND IJG AND Zlib'],
  ['libspng', 'BSD-2-Clause'],
  ['libwebp', 'BSD-3-Clause'],
  ['llhttp', 'MIT'],
  ['highway', 'Apache-2.0'],
  ['uucode', 'MIT'],
  ['sqlite', 'blessing', 'SQLite'],
  ['typescript', 'Apache-2.0', 'TypeScript'],
  ['zig', 'MIT', "Zig's library"],
  ['tigerbeetle', 'Apache-2.0', "parts of TigerBeetle's input and output"],
  ['libcxxabi', 'Apache-2.0 WITH LLVM-exception', "parts of LLVM's libc++abi"],
  ['esbuild', 'MIT', 'parts ported from esbuild'],
  ['node', 'MIT', "parts of Node.js's library"],
  [
    'polyfills',
    'MIT',
    'acorn, acorn-walk, assert, browserify-zlib, buffer, constants-browserify, crypto-browserify, domain-browser, events, https-browserify, ' +
      'os-browserify, path-browserify, process, punycode, querystring-es3, stream-browserify, stream-http, string_decoder, timers-browserify, ' +
      'tty-browserify, url, util, vm-browserify',
  ],
];

/** The folders of the packages of which a bundle holds something, in order. */
export function bundledPackages({ outputs }) {
  const folders = new Set();
  for (const { inputs } of Object.values(outputs)) {
    for (const path of Object.keys(inputs)) {
      const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
      if (folder !== undefined) folders.add(folder);
    }
  }
  return [...folders].sort();
}

/** `metafile`: esbuild's, of all bundles. */
export async function makeNotices(root, metafile) {
  const parts = [];
  for (const folder of bundledPackages(metafile)) parts.push(await packageNotice(root, folder));
  const { version: bunVersion } = require('bun/package.json');
  const llvm = `LLVM 22.1.8
--
The tables of the AMDGPU target (registers, instructions, processors, schedules, attributes, options, intrinsics) are generated from the
libraries of LLVM, the LLVM Project, under the Apache License v2.0 with LLVM Exceptions. So is this program; the text of that licence:

${readFileSync(join(root, 'LICENSE'), 'utf8').trim()}`;
  const bun = `Bun ${bunVersion}
--
Only the executable file holds it (dist/bin/amdgpu-mir): Bun's program, unchanged, with the bundles after it. It is linked from

${IN_BUN.map(([name, licence, what]) => `  ${what ?? name}: ${licence}`).join('\n')}

The sources of all of them are named by github.com/oven-sh/bun at the tag bun-v${bunVersion}, with what builds them. JavaScriptCore and TinyCC are
under the GNU Lesser General Public License: who wants to change them builds Bun anew and, with that Bun in node_modules/bun, this executable
by "npm run build". The texts of the licences follow, as SPDX lists them.`;
  const text = [
    'THIRD-PARTY NOTICES of amdgpu-mir\n\nWhat amdgpu-mir holds of the work of others: packages in its bundles, tables of LLVM, and in the executable Bun.',
    ...parts,
    llvm,
    bun,
    ...licencesInBun().map(licenceText),
  ].join(RULE);
  writeFileSync(join(root, NOTICES), `${text}\n`);
}

/** Name, version, licence and what else the package wants to be passed on. An error where no licence is found. */
async function packageNotice(root, folder) {
  const scratch = mkdtempSync(join(tmpdir(), 'amdgpu-mir-notices-'));
  try {
    // The tool reads a source map, and takes packages of one name for one: ours hold two versions of some.
    const sourceMapFile = join(scratch, 'one.map');
    const outputFile = join(scratch, 'one.json');
    writeFileSync(sourceMapFile, JSON.stringify({ sources: [`${folder}/package.json`] }));
    await writeThirdPartyNotices({ rootPath: root, sourceMapFile, outputFile, json: true, fullLicenseText: true });
    const [{ name, version, license, text }] = JSON.parse(readFileSync(outputFile, 'utf8')).packages;
    if (!text) throw new Error(`${folder} has no text of its licence`);
    return [`${name} ${version} (${license})\n--\n${text}`, ...noticeFiles(join(root, folder))].join('\n\n');
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const noticeFiles = (folder) =>
  readdirSync(folder)
    .filter((file) => /notice/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());

/** SPDX names, except that of LLVM, whose text is above. */
function licencesInBun() {
  const names = IN_BUN.flatMap(([, licence]) => licence.split(' AND ')).filter((name) => !name.includes('LLVM'));
  return [...new Set(names)].sort();
}

function licenceText(name) {
  const { licenseText } = require(`spdx-license-list/licenses/${name}.json`);
  return `${name}\n--\n${licenseText.replaceAll('\r\n', '\n').trim()}`;
}
