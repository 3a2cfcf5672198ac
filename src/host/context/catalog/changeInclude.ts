import * as vscode from 'vscode';
import { serverOfKey, type AgentInclude, type AgentProfile } from '../../../engine/context/agentProfile.js';
import { failure } from '../../../engine/errors.js';
import { isUserPath } from '../files/userFiles.js';
import type { FileWriter } from '../files/fileWriter.js';
import type { WorkspaceFiles } from '../files/workspaceFiles.js';
import { modesIn, settingScopes, writeMode } from './includeModes.js';
import { INCLUDE_MODES_KEY, includeSetting } from './includeSetting.js';
import type { CatalogSource } from './workspaceCatalog.js';

export interface IncludeChange {
  readonly key: string;
  /** Null removes the mode, so that the mode in the item's file applies. */
  readonly include: AgentInclude | null;
}

interface IncludePorts {
  readonly files: WorkspaceFiles;
  readonly writer: FileWriter;
  readonly catalog: Pick<CatalogSource, 'read' | 'profiles' | 'isRestricted'>;
}

/**
 * Changes the include mode of an item, or of all tools of a server. Changes and saves the file of the agent's profile
 * if the file can be read; the user can undo this in the editor. Otherwise changes the setting for all chats. Returns
 * the mode that was there before, or null.
 */
export async function changeInclude(
  agent: string,
  { key, include }: IncludeChange,
  { files, writer, catalog }: IncludePorts,
): Promise<AgentInclude | null> {
  const profile = (await catalog.profiles()).get(agent);
  const server = serverOfKey(key);
  const item = server === null ? (await catalog.read()).get(key) : ({ type: 'tool', name: server, serverName: null } as const);
  if (item === undefined || catalog.isRestricted()) {
    throw failure('catalog.gone');
  }
  if (profile === undefined || profile.problem !== null) {
    return changeSetting(key, include);
  }
  if (item.type === 'tool' && profile.limit !== null) {
    throw failure('catalog.toolsAreListed', { path: profile.source });
  }
  const place = await agentPlace(profile, files);
  // Loaded on demand, because activation does not need YAML.
  const { withInclude } = await import('./withInclude.js');
  const path = profile.source;
  const before = (await vscode.workspace.openTextDocument(vscode.Uri.file(place))).getText();
  const wrote = await writer.write({ path, before, after: withInclude(before, item, include) });
  if (!wrote.ok) {
    const cause = new Error(wrote.reason);
    throw failure(wrote.isInEditor ? 'catalog.profileNotSaved' : 'catalog.profileNotWritten', { path }, { cause });
  }
  return profile.includes.get(key) ?? null;
}

/** Returns the place on disk of the file of an agent of the workspace. Throws for other agents. */
async function agentPlace({ name, source }: AgentProfile, files: WorkspaceFiles): Promise<string> {
  if (isUserPath(source)) {
    throw failure('catalog.agentOfUser', { path: source });
  }
  const place = await files.diskPath(source);
  if (place === null) {
    throw failure('catalog.noAgent', { name });
  }
  return place;
}

/** Writes the mode to the workspace settings. Without a folder, writes to the user settings. */
async function changeSetting(key: string, include: AgentInclude | null): Promise<AgentInclude | null> {
  const [scope = 'everywhere'] = settingScopes();
  const before = modesIn(scope);
  await writeMode(scope, key, include ?? undefined);
  return includeSetting(Object.fromEntries(before), INCLUDE_MODES_KEY).includes.get(key) ?? null;
}
