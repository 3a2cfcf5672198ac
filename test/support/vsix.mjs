// Packages the extension, and unpacks a package as VS Code installs it.

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { timeLimit } from './limits.mjs';
import { root } from './paths.mjs';
import { run } from './processes.mjs';
import { SetupError } from './setup.mjs';

const PACKAGED = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', '.vscodeignore', 'media'];
const PACKAGE_TIMEOUT_MS = 120_000;

/** @returns {{ name: string, publisher: string, version: string }} */
export function manifest() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

/** The package's file name, as vsce chooses it. */
export function vsixName() {
  const { name, version } = manifest();
  return `${name}-${version}.vsix`;
}

/**
 * Builds the extension into a folder with only the files of an extension.
 *
 * @param {string} folder
 * @param {{ dev: boolean }} options
 */
export async function stage(folder, options) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of PACKAGED) {
    if (existsSync(join(root, name))) cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  const { build } = await import('../../esbuild.mjs');
  await build({ dev: options.dev, folder: join(folder, 'dist') });
}

/**
 * Packages a staged folder. Warnings of vsce are errors, because users would see them or download needless files.
 *
 * @param {string} staged
 * @param {string} vsix
 */
export async function packageVsix(staged, vsix) {
  mkdirSync(dirname(vsix), { recursive: true });
  const vsce = join(root, 'node_modules/@vscode/vsce/vsce');
  const result = await run(
    process.execPath,
    // The package contains the README's picture, so its link stays relative.
    [vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--out', vsix],
    { cwd: staged, timeoutMs: timeLimit(PACKAGE_TIMEOUT_MS) },
  );
  if (result.code !== 0 || /warning/i.test(result.output)) {
    throw new SetupError(`Packaging failed or warned:\n${result.output}`);
  }
}

/**
 * Installs a package into an extensions folder.
 *
 * @param {string} vsix
 * @param {string} extensionsFolder
 * @returns {string} the extension's folder
 */
export function installVsix(vsix, extensionsFolder) {
  const { name, publisher, version } = manifest();
  const folder = join(extensionsFolder, `${publisher}.${name}-${version}`);
  for (const entry of readZip(readFileSync(vsix))) {
    if (!entry.name.startsWith('extension/') || entry.name.endsWith('/')) continue;
    const path = resolve(folder, entry.name.slice('extension/'.length));
    if (!path.startsWith(resolve(folder) + sep)) throw new Error(`${vsix} holds ${entry.name}`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, entry.read());
  }
  return folder;
}

/**
 * Installs the extension with which tests run commands and change settings.
 *
 * @param {string} extensionsFolder
 */
export function installDriver(extensionsFolder) {
  cpSync(join(root, 'test/support/driver-extension'), join(extensionsFolder, 'loupe-test.driver-0.0.1'), {
    recursive: true,
  });
}

// A zip file ends with a record that points to its directory. Each entry of the directory points to the file's own
// header and data (APPNOTE.TXT 4.3).
const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END_SIZE = 22;
const ENTRY_SIZE = 46;
const HEADER_SIZE = 30;
const STORED = 0;

/**
 * @param {Buffer} zip
 * @returns {{ name: string, read: () => Buffer }[]}
 */
function readZip(zip) {
  let end = zip.length - END_SIZE;
  while (end >= 0 && zip.readUInt32LE(end) !== END_SIGNATURE) end -= 1;
  if (end < 0) throw new Error('This is not a zip file.');
  const count = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  const entries = [];
  for (let index = 0; index < count; index += 1) {
    if (zip.readUInt32LE(at) !== ENTRY_SIGNATURE) throw new Error('The zip directory is damaged.');
    const method = zip.readUInt16LE(at + 10);
    const size = zip.readUInt32LE(at + 20);
    const nameSize = zip.readUInt16LE(at + 28);
    const header = zip.readUInt32LE(at + 42);
    const name = zip.toString('utf8', at + ENTRY_SIZE, at + ENTRY_SIZE + nameSize);
    entries.push({
      name,
      read: () => {
        const start = header + HEADER_SIZE + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
        const data = zip.subarray(start, start + size);
        return method === STORED ? data : inflateRawSync(data);
      },
    });
    at += ENTRY_SIZE + nameSize + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}
