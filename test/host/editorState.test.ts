import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import type { LoupeApi } from '../../src/protocol/api/api.js';
import { gitPath } from '../../src/host/window/gitExtension.js';
import { activated, fileUri, until, writeFile } from '../support/host/extension.js';

const PARTS = ['editorFile', 'editorSelection', 'editorGit', 'editorProblems', 'editorTerminal'] as const;

const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];

describe('the editor state in VS Code', () => {
  let api: LoupeApi;
  let chatId: string;
  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('loupe.defaults');
  const before = new Map<string, unknown>();

  const switchParts = async (value: (part: string) => unknown): Promise<void> => {
    for (const part of PARTS) {
      await settings().update(part, value(part), vscode.ConfigurationTarget.Global);
    }
  };

  beforeEach(async () => {
    api = await activated();
    for (const part of PARTS) {
      before.set(part, settings().inspect(part)?.globalValue);
    }
    await switchParts(() => 'on');
    chatId = await api.newChat();
  });

  afterEach(async () => {
    await switchParts((part) => before.get(part));
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const body = async (): Promise<string> => (await api.previewNextRequest(chatId, { text: 'What?' })).body;

  /** Waits until the next request has a text, in which a line break is `\n`. */
  const untilSent = (text: string): Promise<void> =>
    until(async () => (await body()).includes(JSON.stringify(text).slice(1, -1)), `in the next request: ${text}`);

  const open = async (path: string, viewColumn: vscode.ViewColumn): Promise<vscode.TextEditor> =>
    vscode.window.showTextDocument(await vscode.workspace.openTextDocument(fileUri(path)), { viewColumn, preview: false });

  it('has the branch and the conflicts of a repository in the middle of a merge', async () => {
    const folder = fileUri('merging');
    await writeFile('merging/tides.txt', 'high\n');
    const git = (...args: readonly string[]): Promise<unknown> => promisify(execFile)('git', [...AUTHOR, ...args], { cwd: folder.fsPath });
    const commit = async (text: string): Promise<void> => {
      await writeFile('merging/tides.txt', text);
      await git('add', '.');
      await git('commit', '--message', text);
    };
    assert.match((await gitPath()) ?? '', /git/, 'the git program of VS Code');
    await git('init', '--initial-branch', 'harbour');
    await commit('high\n');
    await git('checkout', '-b', 'other');
    await commit('low\n');
    await git('checkout', 'harbour');
    await commit('higher\n');
    await assert.rejects(git('merge', 'other'), 'the conflict');
    await writeFile('merging/new.txt', 'new\n');
    try {
      await open('merging/tides.txt', vscode.ViewColumn.One);
      await untilSent('Git: branch harbour, 2 changed files:\nmerging/tides.txt (conflict)\nmerging/new.txt');
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.workspace.fs.delete(folder, { recursive: true });
    }
  });

  it('has the problems of open files, and of a file with secrets only their lines', async () => {
    await writeFile('broken.ts', 'let tide = ;\n');
    await writeFile('broken.pem', 'x\n');
    const problem = new vscode.Diagnostic(new vscode.Range(0, 11, 0, 12), 'Expression expected.', vscode.DiagnosticSeverity.Error);
    const problems = vscode.languages.createDiagnosticCollection('loupe-test');
    try {
      for (const path of ['broken.ts', 'broken.pem', 'closed.ts']) {
        problems.set(fileUri(path), [problem]);
      }
      await open('broken.ts', vscode.ViewColumn.One);
      await open('broken.pem', vscode.ViewColumn.One);
      await untilSent(
        'Problems in open editors:\nbroken.ts:1: error: Expression expected.\n' +
          'broken.pem:1: error (Loupe does not send the text: it may contain secrets)',
      );
      assert.ok(!(await body()).includes('closed.ts'));
    } finally {
      problems.dispose();
    }
  });

  if (process.platform === 'linux') {
    it('has the last command of a real terminal, and its output when it has ended', async () => {
      // Loupe follows commands only after the first request with this part. Windows and macOS need not have this
      // shell. The commands stay out of the history of the user.
      await body();
      const terminal = vscode.window.createTerminal({ name: 'Tides', shellPath: '/bin/bash', cwd: fileUri(''), env: { HISTFILE: '' } });
      try {
        terminal.show();
        await until(() => terminal.shellIntegration !== undefined, 'the shell integration');
        terminal.shellIntegration?.executeCommand('echo "high $((1 + 1))"; touch echoed; sleep 1000');
        await until(async () => vscode.workspace.fs.stat(fileUri('echoed')).then(Boolean, () => false), 'the output');
        await untilSent('Last command in the terminal: echo "high $((1 + 1))"; touch echoed; sleep 1000 (still running)');
        assert.ok(!(await body()).includes('high 2'), 'the output changes while the command runs');
        terminal.sendText('\x03', false);
        await untilSent('(exit code 130)\n```\nhigh 2');
        terminal.shellIntegration?.executeCommand('cat .env');
        await untilSent('Last command in the terminal (Loupe does not send the text: it may contain secrets)');
      } finally {
        terminal.dispose();
      }
    });
  }

  it('is of the editor that the user worked in last, while a tab without text or the Output panel is active', async () => {
    await writeFile('first.ts', 'first();\n');
    await writeFile('second.ts', 'second();\n');
    const channel = vscode.window.createOutputChannel('Tides');
    await open('first.ts', vscode.ViewColumn.One);
    const second = await open('second.ts', vscode.ViewColumn.Two);
    second.selection = new vscode.Selection(0, 0, 0, 6);
    const tab = vscode.window.createWebviewPanel('tides', 'Tides', vscode.ViewColumn.Three);
    try {
      await until(() => vscode.window.activeTextEditor === undefined, 'the tab is active');
      await untilSent('Selected in the editor: second.ts, line 1\n```ts\nsecond');
      channel.show(false);
      await until(() => vscode.window.activeTextEditor?.document.uri.scheme === 'output', 'the Output panel is active');
      await untilSent('Selected in the editor: second.ts, line 1\n```ts\nsecond');
    } finally {
      tab.dispose();
      channel.dispose();
    }
  });

  it('has no place on disk of a new file outside the workspace', async () => {
    const uri = vscode.Uri.from({ scheme: 'untitled', path: '/somewhere/else/new.ts' });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    await untilSent('Open in the editor: new.ts (outside the workspace, Loupe does not send its text)');
    assert.ok(!(await body()).includes('/somewhere'));
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
