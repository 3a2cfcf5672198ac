// A second extension for the tests and for npm start. VS Code's server does not notice edits of the user settings file,
// and a browser cannot call a command: this extension does both.
//
// LOUPE_DRIVER_SHOW   a command to run when the window has opened
// LOUPE_DRIVER_FOLDER where to write <process id>.json with the port that takes requests: {command, args}, {api, args}
//                     or {settings}, where null resets a setting; {"$uri": path} among the arguments means a file URI.
//                     With the time when the window opened, because process ids can repeat
//
// It also has scripted language models and a tool, for tests that ask for them
// (models.js, tools.js).

const { mkdirSync, renameSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { join } = require('node:path');
const vscode = require('vscode');
const { modelCommands } = require('./models.js');
const { toolCommands } = require('./tools.js');

/** @param {{ subscriptions: { dispose(): unknown }[] }} context */
exports.activate = async (context) => {
  context.subscriptions.push(
    ...modelCommands(),
    ...toolCommands(),
    vscode.commands.registerCommand('loupeTest.closeEditors', closeEditors),
  );
  const show = process.env['LOUPE_DRIVER_SHOW'];
  if (show !== undefined) await vscode.commands.executeCommand(show);
  const folder = process.env['LOUPE_DRIVER_FOLDER'];
  if (folder !== undefined) context.subscriptions.push(listen(folder));
};

/** Closes all editors without their changes, about which VS Code would ask. */
async function closeEditors() {
  const count = vscode.window.tabGroups.all.reduce((sum, { tabs }) => sum + tabs.length, 0);
  for (let closed = 0; closed < count; closed += 1) {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
}

/** @param {string} folder */
function listen(folder) {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text) => (body += text));
    request.on('end', () => {
      handle(JSON.parse(body)).then(
        (result) => response.end(JSON.stringify({ result: result ?? null })),
        (/** @type {unknown} */ error) => response.end(JSON.stringify({ error: String(error) })),
      );
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address === null || typeof address === 'string') return;
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${process.pid}.json`);
    // In one step, so that no unfinished file is read.
    writeFileSync(`${file}.new`, JSON.stringify({ port: address.port, opened: Date.now() }));
    renameSync(`${file}.new`, file);
  });
  return { dispose: () => server.close() };
}

/** @param {{ command?: string, api?: string, args?: unknown[], settings?: Record<string, unknown> }} request */
async function handle(request) {
  const args = (request.args ?? []).map(withUris);
  if (request.command !== undefined) {
    return vscode.commands.executeCommand(request.command, ...args);
  }
  if (request.api !== undefined) {
    const api = await vscode.extensions.getExtension('loupe.loupe')?.activate();
    return api[request.api](...args);
  }
  for (const [name, value] of Object.entries(request.settings ?? {})) {
    await vscode.workspace.getConfiguration().update(name, value ?? undefined, vscode.ConfigurationTarget.Global);
  }
  return null;
}

/**
 * @param {unknown} value
 * @returns {unknown}
 */
function withUris(value) {
  if (Array.isArray(value)) return value.map(withUris);
  const isUri = typeof value === 'object' && value !== null && '$uri' in value;
  return isUri ? vscode.Uri.file(String(value.$uri)) : value;
}
