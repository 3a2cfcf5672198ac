import { join } from 'node:path';
import * as vscode from 'vscode';
import { ECHO_TOOL } from '../../providers/practice/echoTool.js';
import { editedFiles } from '../context/editedFiles.js';
import type { WorkspaceFiles } from '../context/files/workspaceFiles.js';
import { KeptApprovals } from './alwaysAllowed.js';
import type { Toolbox } from './toolbox.js';
import { readFileTool } from './workspace/readFile.js';
import { WorkspaceServer } from './workspace/workspaceServer.js';

/** The tools of a window. */
export function windowToolbox(context: vscode.ExtensionContext, { files }: { readonly files: () => WorkspaceFiles }): Toolbox {
  const own = new WorkspaceServer([readFileTool(editedFiles(files))]);
  return {
    // Without a folder there is nothing that they could work on.
    servers: () => (vscode.workspace.isTrusted && vscode.workspace.workspaceFolders !== undefined ? [own] : []),
    builtIn: (name) => (name === ECHO_TOOL.name ? ECHO_TOOL : null),
    always: new KeptApprovals(join(context.globalStorageUri.fsPath, 'allowedTools')),
  };
}
