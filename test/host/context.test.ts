import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile as writeOutside } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { LoupeApi } from '../../src/protocol/api/api.js';
import { RULE_FAMILY_NAMES } from '../../src/host/context/files/ruleFamilies.js';
import { changeInclude } from '../../src/host/context/catalog/changeInclude.js';
import { WorkspaceFiles } from '../../src/host/context/files/workspaceFiles.js';
import { openContextItem } from '../../src/host/context/contextActions.js';
import { findFiles } from '../../src/host/context/workspaceListing.js';
import { editorWriter } from '../../src/host/tools/workspace/editorWriter.js';
import { folderPaths } from '../../src/host/window/folders.js';
import { activated, failure, fileUri, itemsBesideTools, showNewChat, until, writeFile } from '../support/host/extension.js';
import { EMPTY_CATALOG } from '../../src/engine/context/catalogItem.js';
import { editorEncodings } from '../../src/host/context/editorEncodings.js';

const add = (...args: unknown[]): Thenable<unknown> => vscode.commands.executeCommand('loupe.addFileToContext', ...args);

describe('loupe.addFileToContext', () => {
  let api: LoupeApi;
  let chatId: string;
  before(async () => {
    api = await activated();
  });
  beforeEach(async () => {
    chatId = await showNewChat(api);
  });

  const files = async (): Promise<readonly string[]> => (await api.getChat(chatId)).files;

  it('takes the item clicked', async () => {
    await add(fileUri('src/alert.ts'));
    assert.deepEqual(await files(), ['src/alert.ts']);
  });

  it('takes all that are selected in the explorer', async () => {
    const uris = ['src/gauge.ts', 'src/predict.ts', 'README.md'].map(fileUri);
    await add(uris[0], uris);
    assert.deepEqual(await files(), ['src/gauge.ts', 'src/predict.ts', 'README.md']);
  });

  it('takes the text files of a folder', async () => {
    await add(fileUri('docs'));
    assert.deepEqual([...(await files())].sort(), ['docs/stations.md', 'docs/warnings.md']);
  });

  it('takes the file of the active editor when it gets nothing', async () => {
    await vscode.window.showTextDocument(fileUri('src/stations.ts'));
    await add();
    assert.deepEqual(await files(), ['src/stations.ts']);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('sends the cells of a notebook without its plots, and the cells that the user has not saved', async () => {
    const plot = { output_type: 'display_data', data: { 'image/png': 'A'.repeat(165_000) }, metadata: {} };
    const cell = { cell_type: 'code', source: 'plot(heights)', outputs: [plot], execution_count: 1, metadata: {} };
    const uri = await writeFile('week.ipynb', JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    await add(uri);
    const { body } = await api.previewNextRequest(chatId);
    assert.ok(body.includes('# (outputs not shown: 1)') && !body.includes('AAAA'), body);
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    await vscode.window.showNotebookDocument(notebook);
    const edit = new vscode.WorkspaceEdit();
    const typed = new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, 'The tides of May', 'markdown');
    edit.set(uri, [vscode.NotebookEdit.insertCells(0, [typed])]);
    assert.ok(await vscode.workspace.applyEdit(edit));
    try {
      assert.match(
        (await api.previewNextRequest(chatId)).body,
        /# %% \[markdown\]\\nThe tides of May\\n.*plot\(heights\)\\n# \(outputs not shown: 1\)/,
      );
    } finally {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });

  it('refuses binary files and files outside the workspace, and takes the others', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'loupe-outside-'));
    try {
      await writeOutside(join(outside, 'secret.txt'), 'secret');
      const binary = await writeFile('picture.dat', new Uint8Array([0x89, 0x50, 0, 1]));
      const uris = [vscode.Uri.file(join(outside, 'secret.txt')), binary, fileUri('src/main.ts')];
      await add(uris[0], uris);
      assert.deepEqual(await files(), ['src/main.ts']);
      assert.ok(!(await api.previewNextRequest(chatId)).body.includes('secret'));
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });

  it('says what is wrong with what is no file on disk, or not there', async () => {
    assert.match(
      await failure(add(vscode.Uri.parse('untitled:Untitled-1'))),
      /untitled:Untitled-1 is not a file on disk\. To add it, first save it as a file\.$/,
    );
    assert.match(await failure(add(fileUri('nowhere.ts'))), /nowhere\.ts cannot be read: (?!Loupe)/);
    assert.deepEqual(await files(), []);
  });

  it('takes the files of a selection although one of it is not there any more', async () => {
    const uris = [fileUri('nowhere.ts'), fileUri('src/alert.ts')];
    await vscode.commands.executeCommand('loupe.addFileToContext', uris[0], uris);
    assert.deepEqual(await files(), ['src/alert.ts']);
  });

  it('has a sister for the selection: its text as it was, with its lines', async () => {
    const document = await vscode.workspace.openTextDocument(fileUri('src/alert.ts'));
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await vscode.commands.executeCommand('loupe.addSelectionToContext');
    assert.deepEqual(await files(), [], 'nothing is selected');
    editor.selection = new vscode.Selection(1, 0, 3, 0);
    const selected = document.getText(editor.selection);
    await vscode.commands.executeCommand('loupe.addSelectionToContext');
    assert.deepEqual(await files(), ['src/alert.ts:2-3']);
    const { body } = await api.previewNextRequest(chatId);
    assert.ok(body.includes(JSON.stringify(selected).slice(1, -1)));
  });

  it('adds a selection that opens with its lines selected, as far as the file still has them', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const selected = async (key: string): Promise<number[]> => {
      await openContextItem(key, new WorkspaceFiles([folder], editorEncodings), {
        isRestricted: () => false,
        ofChat: () => Promise.resolve(EMPTY_CATALOG),
        includesOf: () => Promise.resolve(new Map()),
        remarks: () => Promise.resolve([]),
        read: () => Promise.resolve(EMPTY_CATALOG),
        rank: () => Promise.resolve([]),
        profiles: () => Promise.resolve(new Map()),
      });
      const { document, selection } = vscode.window.activeTextEditor ?? assert.fail('No editor is open.');
      assert.ok(key.startsWith(`file:${vscode.workspace.asRelativePath(document.uri)}`));
      return [selection.start.line, selection.start.character, selection.end.line, selection.end.character];
    };
    const document = await vscode.workspace.openTextDocument(fileUri('src/alert.ts'));
    assert.deepEqual(await selected('file:src/alert.ts:2-3'), [1, 0, 2, document.lineAt(2).text.length]);
    const last = document.lineAt(document.lineCount - 1);
    assert.deepEqual(await selected('file:src/alert.ts:2-300'), [1, 0, document.lineCount - 1, last.text.length]);
    assert.deepEqual(await selected('file:src/stations.ts'), [0, 0, 0, 0]);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('offers no files of packages, which VS Code itself lists', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    await writeFile('node_modules/x/index.js', '');
    try {
      const offered = await findFiles(new WorkspaceFiles([folder], editorEncodings), null);
      assert.ok(offered.includes('src/alert.ts'));
      const packages = offered.filter((path) => path.includes('node_modules'));
      assert.deepEqual(packages, []);
    } finally {
      await vscode.workspace.fs.delete(fileUri('node_modules'), { recursive: true });
    }
  });

  it('is undone by loupe.removeFromContext', async () => {
    await add(fileUri('src/alert.ts'));
    await vscode.commands.executeCommand('loupe.removeFromContext', 'file:src/alert.ts', { chatId });
    assert.deepEqual(await files(), []);
    assert.ok((await api.previewNextRequest(chatId)).blocks.every(({ key }) => !key.startsWith('file')));
  });

  it('follows the file: the next request holds it as it is now, and tells when it is gone', async () => {
    const uri = await writeFile('changing.ts', 'let before;\n');
    await add(uri);
    await writeFile('changing.ts', 'let after;\n');
    assert.ok((await api.previewNextRequest(chatId)).body.includes('let after;'));
    await vscode.workspace.fs.delete(uri);
    await api.sendMessage('/long 2', { chatId });
    const reply = (await api.getChat(chatId)).messages.at(-1);
    assert.deepEqual(itemsBesideTools(reply), [{ type: 'rule', name: 'AGENTS.md', includeMode: 'always' }]);
  });
});

describe('rules in the folders of the workspace', () => {
  it('are sent with the files that they are for, the nearest last, as soon as they are there', async () => {
    const api = await activated();
    const written = await Promise.all([
      writeFile('src/AGENTS.md', 'Names are short.'),
      writeFile('docs/AGENTS.md', 'Plain English.'),
      writeFile('src/node_modules/x/AGENTS.md', 'Of a package.'),
      writeFile('.github/instructions/ts.instructions.md', '---\napplyTo: "**/*.{ts,tsx}"\n---\nNo any.'),
      writeFile('CLAUDE.md', 'Never use tabs for names. Say why.'),
      writeFile('lib/AGENTS.md', 'Never use tabs for names.'),
      writeFile('.clinerules/css.md', '---\npaths: ["**/*.css"]\n---\nNo ids.'),
    ]);
    try {
      const chatId = await showNewChat(api);
      await add(fileUri('src/gauge.ts'));
      const items = async (): Promise<readonly string[]> => {
        await api.sendMessage('/long 1', { chatId });
        const reply = (await api.getChat(chatId)).messages.at(-1);
        return itemsBesideTools(reply).map(({ name, includeMode }) => `${name} ${includeMode}`);
      };
      const wanted = ['src/AGENTS.md agent', '.github/instructions/ts.instructions.md agent'];
      let held: readonly string[] = [];
      await until(async () => {
        held = await items();
        return wanted.every((item) => held.includes(item));
      }, 'VS Code reports the new rules');
      const others = held.filter((item) => item !== 'CLAUDE.md always');
      assert.deepEqual(others, ['AGENTS.md always', 'src/gauge.ts manual', ...wanted]);
      const lensOf = async (path: string): Promise<string> => {
        const document = await vscode.workspace.openTextDocument(fileUri(path));
        const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri);
        return lenses.flatMap(({ command }) => (command?.title.startsWith('Loupe') === true ? [command.title] : [])).join('\n');
      };
      assert.match(await lensOf('lib/AGENTS.md'), /All of this file is also in CLAUDE\.md\./);
      assert.match(await lensOf('AGENTS.md'), /^Loupe: Sent whole in (\d+) of \1 requests? of this chat: [\d,]+ tokens\.$/m);
      assert.match(await lensOf('AGENTS.md'), /^Loupe: Requests contain src\/AGENTS\.md after this item, because its folder is deeper\.$/m);
      assert.match(await lensOf('AGENTS.md'), /^Loupe: Sent whole in \d+ of \d+ requests of all chats in 30 days: /m);
      assert.match(
        await lensOf('docs/AGENTS.md'),
        /^Loupe: (?:None of \d+ requests of this chat contains this item|The only request of this chat does not contain this item)\.$/m,
      );
      assert.equal(await lensOf('src/gauge.ts'), '');
      const { body } = await api.previewNextRequest(chatId);
      assert.ok(body.indexOf('No any.') > 0 && body.indexOf('Names are short.') > 0);
    } finally {
      for (const uri of written) {
        await vscode.workspace.fs.delete(uri);
      }
    }
  });
});

describe('a rule in a folder that is new', () => {
  it('is found, also where it comes in the same moment as its folders', async () => {
    const api = await activated();
    await showNewChat(api);
    const folders = Array.from({ length: 20 }, (_, at) => fileUri(`harbour${String(at)}`));
    const isFound = async (uri: vscode.Uri): Promise<boolean> => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
      return lenses.some(({ command }) => command?.title.startsWith('Loupe') === true);
    };
    try {
      for (const folder of folders) {
        const inner = vscode.Uri.joinPath(folder, 'north');
        mkdirSync(inner.fsPath, { recursive: true });
        const uri = vscode.Uri.joinPath(inner, 'AGENTS.md');
        writeFileSync(uri.fsPath, 'Depths are metres.');
        await vscode.workspace.openTextDocument(uri);
        await until(() => isFound(uri), `the rule in ${folder.path} is found`);
      }
    } finally {
      for (const { fsPath } of folders) {
        rmSync(fsPath, { recursive: true, force: true });
      }
    }
  });
});

describe('loupe.selectAgent', () => {
  it('chooses an agent of the workspace by its name, and takes it away', async () => {
    const api = await activated();
    const uri = await writeFile('.loupe/agents/reviewer.md', '---\nname: Reviewer\n---\nYou review code.');
    try {
      const chatId = await showNewChat(api);
      const select = (name: string): Promise<string | null> =>
        vscode.commands.executeCommand('loupe.selectAgent', name, { chatId }).then(
          () => null,
          (thrown: unknown) => String(thrown),
        ) as Promise<string | null>;
      await until(async () => (await select('Reviewer')) === null, 'VS Code reports the new agent');
      assert.ok((await api.previewNextRequest(chatId)).body.includes('You review code.'));
      assert.match((await select('Nobody')) ?? '', /This workspace has no agent "Nobody"\./);
      assert.equal(await select(''), null);
      assert.ok(!(await api.previewNextRequest(chatId)).body.includes('You review code.'));
    } finally {
      await vscode.workspace.fs.delete(uri);
    }
  });
});

describe('loupe.selectRuleFormats', () => {
  const setting = (): unknown => vscode.workspace.getConfiguration('loupe').inspect('rules.formats')?.workspaceValue;

  it('turns off the rules of programs that are not named, and on again', async () => {
    const api = await activated();
    const uri = await writeFile('GEMINI.md', 'Gemini says hello.');
    try {
      const has = async (): Promise<boolean> => (await api.previewNextRequest(await api.newChat())).body.includes('Gemini says hello.');
      await until(has, 'VS Code reports the new rule');
      await vscode.commands.executeCommand('loupe.selectRuleFormats', ['agents', 'claude', 'unknown']);
      assert.deepEqual(setting(), ['agents', 'claude']);
      await until(async () => !(await has()), 'the rule is off');
      await vscode.commands.executeCommand('loupe.selectRuleFormats', RULE_FAMILY_NAMES);
      assert.equal(setting(), undefined);
      await until(has, 'the rule is on');
    } finally {
      await vscode.workspace.fs.delete(uri);
      await vscode.workspace.getConfiguration('loupe').update('rules.formats', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });
});

describe('The include mode of a rule in the settings', () => {
  it('is removed with null, and each change returns the mode before', async () => {
    const files = new WorkspaceFiles(folderPaths(), editorEncodings);
    const item = { type: 'rule', name: 'Tides', serverName: null, source: 'Tides', description: '', include: 'always' } as const;
    const rule = { ...item, applies: null, offBy: null, priority: 0, text: '', problem: null, remarks: [], copies: [] };
    const catalog = {
      read: () => Promise.resolve(new Map([['rule:Tides', rule]])),
      profiles: () => Promise.resolve(new Map()),
      isRestricted: () => false,
    };
    const change = (include: 'off' | 'manual' | null): Promise<unknown> =>
      changeInclude('', { key: 'rule:Tides', include }, { files, writer: editorWriter(() => files), catalog });
    const modes = (): unknown => vscode.workspace.getConfiguration('loupe').inspect('includeModes')?.workspaceValue;
    assert.deepEqual([await change('manual'), await change('off'), modes()], [null, 'manual', { 'rule:Tides': 'off' }]);
    assert.deepEqual([await change(null), modes()], ['off', undefined]);
  });
});
