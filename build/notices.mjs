// Writes the notices that licences require: name, version, licence and its text of all packages whose code or data is
// in the extension. The packages are read from the bundles, so no list is maintained.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Licences that allow Loupe to ship a bundle together with their texts. */
const ALLOWED = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC-BY-4.0', 'ISC', 'MIT', 'Unlicense']);

/**
 * Packages that are published without the text of their licence, each with the file of build/licenses that has the text
 * from their repository.
 *
 * @type {Readonly<Record<string, string>>}
 */
const TEXT_ELSEWHERE = {
  '@microsoft/fast-element': 'fast.txt',
  '@microsoft/fast-foundation': 'fast.txt',
  '@microsoft/fast-web-utilities': 'fast.txt',
  'js-tiktoken': 'js-tiktoken.txt',
  standardwebhooks: 'standardwebhooks.txt',
};

/**
 * Packages with works of others whose notices they omit, each with the file of build/licenses that has these.
 *
 * @type {Readonly<Record<string, string>>}
 */
const MORE_TEXT = { '@vscode/tree-sitter-wasm': 'tree-sitter-grammars.txt' };

const TEXT_FILE = /^(?:licen[cs]e|copying|copyright|notice)/i;
const PACKAGES = 'node_modules/';
const RULE = '='.repeat(80);

/** @typedef {{ name: string, version: string, license: string, text: string }} Notice */

/**
 * @param {{ root: string, metafiles: readonly import('esbuild').Metafile[],
 *   alsoPacked: readonly string[], file: string }} options
 *   alsoPacked: packages in the extension that are not bundled; file: path of the notices
 */
export async function writeNotices({ root, metafiles, alsoPacked, file }) {
  const folders = new Set([...metafiles.flatMap(packageFolders), ...alsoPacked.map((name) => PACKAGES + name)]);
  const notices = await Promise.all([...folders].sort().map((folder) => readNotice(join(root, folder))));
  const begin = 'Loupe contains the packages below, each with its version, its licence and the text of that.\n';
  await writeFile(file, [begin, ...notices.map(written)].join('\n'));
}

/**
 * @param {import('esbuild').Metafile} metafile
 * @returns {string[]} the folder of each package in a bundle, with duplicates
 */
function packageFolders({ outputs }) {
  return Object.values(outputs)
    .flatMap(({ inputs }) => Object.keys(inputs))
    .filter((path) => path.includes(PACKAGES))
    .map((path) => {
      // A package may be nested in another one: the last folder counts.
      const begin = path.lastIndexOf(PACKAGES) + PACKAGES.length;
      const [scope = '', name = ''] = path.slice(begin).split('/');
      return path.slice(0, begin) + (scope.startsWith('@') ? `${scope}/${name}` : scope);
    });
}

/**
 * @param {string} folder
 * @returns {Promise<Notice>}
 */
async function readNotice(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  if (!isAllowed(license)) {
    throw new Error(`${name} ${version} has the licence ${String(license)}, which ALLOWED of build/notices.mjs does not list.`);
  }
  const own = (await readdir(folder)).filter((file) => TEXT_FILE.test(file)).sort();
  return { name, version, license, text: await licenseText(name, { folder, own }) };
}

/**
 * @param {unknown} license - an SPDX expression; one allowed alternative is enough
 * @returns {boolean}
 */
function isAllowed(license) {
  if (typeof license !== 'string') return false;
  const alternatives = license.replace(/^\((.*)\)$/, '$1').split(' OR ');
  return alternatives.some((one) => ALLOWED.has(one));
}

/**
 * @param {string} name
 * @param {{ folder: string, own: readonly string[] }} where - own: the package's licence files
 */
async function licenseText(name, { folder, own }) {
  const elsewhere = TEXT_ELSEWHERE[name];
  if (own.length === 0 && elsewhere === undefined) {
    throw new Error(
      `${name} has no text of its licence: put it into build/licenses, and its name into TEXT_ELSEWHERE of build/notices.mjs.`,
    );
  }
  if (own.length > 0 && elsewhere !== undefined) {
    throw new Error(`${name} has the text of its licence now: take it out of TEXT_ELSEWHERE of build/notices.mjs.`);
  }
  const stored = [elsewhere, MORE_TEXT[name]].filter((file) => file !== undefined);
  const files = [
    ...own.map((file) => join(folder, file)),
    ...stored.map((file) => fileURLToPath(new URL(`licenses/${file}`, import.meta.url))),
  ];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return texts.map((text) => text.replace('\uFEFF', '').trim()).join('\n\n');
}

/** @param {Notice} notice */
function written({ name, version, license, text }) {
  return `${RULE}\n${name} ${version}\nLicence: ${license}\n${RULE}\n\n${text}\n`;
}
