import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { LoupeApi } from '../../../src/protocol/api/api.js';
import type { ApiContextItem, ApiMessage } from '../../../src/protocol/api/apiMessage.js';
import { timeLimit } from '../limits.mjs';

/* The extension as other extensions see it, in a real extension host. */

export function loupe(): vscode.Extension<LoupeApi> {
  const extension = vscode.extensions.getExtension<LoupeApi>('loupe.loupe');
  assert.ok(extension);
  return extension;
}

export async function activated(): Promise<LoupeApi> {
  return loupe().activate();
}

/** The folder of the workspace. Each run has its own. */
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

export async function failure(work: Thenable<unknown>): Promise<string> {
  try {
    await work;
  } catch (thrown) {
    assert.ok(thrown instanceof Error);
    return thrown.message;
  }
  return assert.fail('It did not fail.');
}

/** Returns folders with this name in the data folder of VS Code, next to the workspace. */
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

export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + timeLimit(20_000);
  while (!(await condition())) {
    assert.ok(Date.now() < end, `It did not come about: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Returns what the request of a reply contained, without the tools, which depend on the window. */
export function itemsBesideTools(reply: ApiMessage | undefined): readonly ApiContextItem[] {
  return (reply?.requestContext?.items ?? []).filter(({ type }) => type !== 'tool');
}
