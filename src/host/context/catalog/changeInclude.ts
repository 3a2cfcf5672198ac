import * as vscode from 'vscode';
import { serverOfKey, type AgentInclude } from '../../../engine/context/agentProfile.js';
import { failure } from '../../../engine/errors.js';
import type { WorkspaceFiles } from '../files/workspaceFiles.js';
import type { CatalogSource } from './workspaceCatalog.js';

/** Has an agent have an item, or all tools of a server, in a mode, for all its chats: the file of its profile is changed and saved. The editor can undo it. */
export async function changeInclude(
  agent: string,
  { key, include }: { readonly key: string; readonly include: AgentInclude },
  { files, catalog }: { readonly files: WorkspaceFiles; readonly catalog: Pick<CatalogSource, 'read' | 'profiles'> },
): Promise<void> {
  const profile = (await catalog.profiles()).get(agent);
  const server = serverOfKey(key);
  const item = server === null ? (await catalog.read()).get(key) : ({ type: 'tool', name: server, serverName: null } as const);
  const place = profile === undefined ? null : files.diskPath(profile.source);
  if (item === undefined) {
    throw failure('catalog.gone');
  }
  if (profile === undefined || place === null) {
    throw failure('catalog.noAgent', { name: agent });
  }
  // Loaded when first needed: activation does not need YAML.
  const { withInclude } = await import('./withInclude.js');
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(place));
  const text = document.getText();
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(0), document.positionAt(text.length)), withInclude(text, item, include));
  if (!((await vscode.workspace.applyEdit(edit)) && (await document.save()))) {
    throw failure('catalog.profileNotWritten', { path: profile.source });
  }
}
