// Runs a suite inside the extension host of a real VS Code: starts the server,
// opens the workbench in a browser and asks it to run the extension tests.

import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser, LOST_BROWSER } from './browser.mjs';
import { root } from './paths.mjs';
import { makeTempFolder, removeFolder, startServer, tailWithoutNoise } from './server.mjs';
import { installDriver } from './vsix.mjs';

/**
 * @typedef {object} HostJob
 * @property {string} node
 * @property {string} extensionFolder - with package.json and dist
 * @property {string} testsPath - the bundled hostRunner.js
 * @property {string} resultsFile
 * @property {number} timeoutMs
 */

/**
 * @param {HostJob} job
 * @returns {Promise<string | null>} what went wrong with the host, not with a test
 */
export async function runHostSuite(job) {
  const temp = makeTempFolder();
  const workspace = join(temp, 'workspace');
  cpSync(join(root, 'test/support/sample-workspace'), workspace, { recursive: true });
  mkdirSync(join(temp, 'server'), { recursive: true });
  // It contains another extension's language models.
  installDriver(join(temp, 'extensions'));
  /** @type {import('./server.mjs').Server | undefined} */
  let server;
  /** @type {import('playwright-core').Browser | undefined} */
  let browser;
  try {
    server = await startServer({
      node: job.node,
      dataFolder: join(temp, 'server'),
      extensionsFolder: join(temp, 'extensions'),
      builtIn: 'withGit',
      port: 0,
      automation: true,
      // Titles are off, because tests count requests.
      // Only tests of the editor state switch it on, because other tests leave editors open.
      settings: {
        'loupe.defaults.titles': 'off',
        'loupe.defaults.editorDate': 'off',
        'loupe.defaults.editorFile': 'off',
        'loupe.defaults.editorSelection': 'off',
      },
      environment: {},
    });
    browser = await launchBrowser();
    return await drive({ ...job, server, page: await browser.newPage(), workspace });
  } finally {
    await browser?.close();
    await server?.stop();
    removeFolder(temp);
  }
}

/** @typedef {{ server: import('./server.mjs').Server, page: import('playwright-core').Page }} Window */

/** @param {HostJob & Window & { workspace: string }} job */
async function drive(job) {
  const { server, page } = job;
  /** @type {string[]} */
  const consoleLines = [];
  page.on('console', (message) => {
    consoleLines.push(message.text());
  });
  /** @type {Promise<string | null>} */
  const ended = new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(`no end after ${job.timeoutMs / 1000} s`);
    }, job.timeoutMs);
    const finish = (/** @type {string | null} */ problem) => {
      clearTimeout(timer);
      resolve(problem);
    };
    page.on('crash', () => {
      finish('the page crashed');
    });
    page
      .context()
      .browser()
      ?.on('disconnected', () => {
        finish(LOST_BROWSER.problem);
      });
    // VS Code reports 0 even after the extension host died. The results file shows it.
    void page.exposeFunction('codeAutomationExit', () => {
      finish(existsSync(job.resultsFile) ? null : 'the extension host ended without results');
    });
  });
  await page.exposeFunction('codeAutomationLog', (/** @type {string} */ _type, /** @type {unknown[]} */ args) => {
    consoleLines.push(args.map(String).join(' '));
  });
  await page.goto(testUrl(server, job));
  const problem = await ended;
  if (problem === null || problem === LOST_BROWSER.problem) return problem;
  return `${problem}\n--- console\n${tailWithoutNoise(consoleLines.join('\n'))}\n--- server\n${server.tail()}`;
}

/**
 * @param {import('./server.mjs').Server} server
 * @param {{ extensionFolder: string, testsPath: string, workspace: string }} job
 */
function testUrl(server, job) {
  const remote = (/** @type {string} */ path) =>
    `vscode-remote://${new URL(server.url).host}${path.startsWith('/') ? '' : '/'}${path.replaceAll('\\', '/')}`;
  const payload = [
    ['extensionDevelopmentPath', remote(job.extensionFolder)],
    ['extensionTestsPath', remote(job.testsPath)],
    ['skipWelcome', 'true'],
  ];
  return `${server.url}/?folder=${encodeURIComponent(job.workspace)}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
}
