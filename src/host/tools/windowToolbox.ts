import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Sha256 } from '../../engine/ports.js';
import { ECHO_TOOL } from '../../providers/practice/echoTool.js';
import { editedFiles } from '../context/editedFiles.js';
import type { WorkspaceFiles } from '../context/files/workspaceFiles.js';
import { folderPaths } from '../window/folders.js';
import { KeptApprovals } from './alwaysAllowed.js';
import type { Toolbox } from './toolbox.js';
import { CommandTerminals } from './workspace/commandTerminals.js';
import { editFileTool } from './workspace/editFile.js';
import type { FileWriter } from './workspace/fileWriter.js';
import { listFilesTool } from './workspace/listFiles.js';
import { readFileTool } from './workspace/readFile.js';
import { runCommandTool } from './workspace/runCommand.js';
import { searchTextTool } from './workspace/searchText.js';
import { WorkspaceServer } from './workspace/workspaceServer.js';

interface WindowToolboxPorts {
  readonly files: () => WorkspaceFiles;
  readonly writer: FileWriter;
  readonly sha256: Sha256;
}

/** The tools of a window. */
export function windowToolbox(context: vscode.ExtensionContext, { files, writer, sha256 }: WindowToolboxPorts): Toolbox {
  const reader = editedFiles(files);
  const terminals = new CommandTerminals();
  context.subscriptions.push(terminals);
  const own = new WorkspaceServer([
    listFilesTool(files),
    readFileTool(reader),
    searchTextTool({ files, reader }),
    editFileTool({ files: reader, writer, sha256 }),
    runCommandTool({ folder: () => folderPaths()[0] ?? null, show: terminals.show.bind(terminals) }),
  ]);
  return {
    // Without a folder there is nothing that they could work on.
    servers: () => (vscode.workspace.isTrusted && vscode.workspace.workspaceFolders !== undefined ? [own] : []),
    builtIn: (name) => (name === ECHO_TOOL.name ? ECHO_TOOL : null),
    always: new KeptApprovals(join(context.globalStorageUri.fsPath, 'allowedTools')),
  };
}
