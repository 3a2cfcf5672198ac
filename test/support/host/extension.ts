import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { LoupeApi } from '../../../src/protocol/api/api.js';
import type { ApiContextItem, ApiMessage } from '../../../src/protocol/api/apiMessage.js';
import { timeLimit } from '../limits.mjs';

/* The extension as other extensions see it, inside a real extension host. */

export function loupe(): vscode.Extension<LoupeApi> {
  const extension = vscode.extensions.getExtension<LoupeApi>('loupe.loupe');
  assert.ok(extension);
  return extension;
}

export async function activated(): Promise<LoupeApi> {
  return loupe().activate();
}

/** The folder of the workspace, which each run of the suite has for itself. */
function workspaceFolder(): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder);
  return folder.uri;
}

export function fileUri(path: string): vscode.Uri {
  return vscode.Uri.joinPath(workspaceFolder(), path);
}

export async function writeFile(path: string, content: string | Uint8Array): Promise<vscode.Uri> {
  const uri = fileUri(path);
  await vscode.workspace.fs.writeFile(uri, typeof content === 'string' ? Buffer.from(content) : content);
  return uri;
}

/** A new chat, on show. */
export async function showNewChat(api: LoupeApi): Promise<string> {
  const chatId = await api.newChat();
  await vscode.commands.executeCommand('loupe.openChat', chatId);
  return chatId;
}

export async function lastReply(api: LoupeApi, chatId: string): Promise<ApiMessage> {
  const reply = (await api.getChat(chatId)).messages.findLast(({ role }) => role === 'assistant');
  assert.ok(reply);
  return reply;
}

/** What a command or a call of the API says when it fails. */
export async function failure(work: Thenable<unknown>): Promise<string> {
  try {
    await work;
  } catch (thrown) {
    assert.ok(thrown instanceof Error);
    return thrown.message;
  }
  return assert.fail('It did not fail.');
}

/**
 * Folders of that name below the folder in which the suite's VS Code keeps its data, beside the workspace; null when
 * VS Code keeps them elsewhere.
 */
export async function findFolders(name: string): Promise<string[]> {
  const found: string[] = [];
  const search = async (folder: string, depth: number): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) {
        const path = join(folder, entry.name);
        if (entry.name === name) {
          found.push(path);
        } else if (depth > 0) {
          await search(path, depth - 1);
        }
      }
    }
  };
  await search(dirname(workspaceFolder().fsPath), MOST_LEVELS);
  return found;
}

const MOST_LEVELS = 8;

/** Waits until `condition` holds. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + timeLimit(20_000);
  while (!(await condition())) {
    assert.ok(Date.now() < end, `It did not come about: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** What the request behind a reply held, but for the tools: these come with the window. */
export function itemsBesideTools(reply: ApiMessage | undefined): readonly ApiContextItem[] {
  return (reply?.requestContext?.items ?? []).filter(({ type }) => type !== 'tool');
}
