import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { CallTarget } from '../../engine/chat/calls/calls.js';
import { isObject, parseJson, type JsonObject } from '../../engine/json.js';
import { readText, replaceText } from '../../storage/files/replaceFile.js';
import type { EarlierApproval, ApprovedTool, ApprovalStore } from './toolbox.js';

const KEPT = z.object({
  binding: z.string(),
  tool: z.object({ description: z.string(), inputSchema: z.custom<JsonObject>(isObject), identity: z.string() }),
});

/**
 * Tools that the user allowed for all chats on this computer. Each tool has a file of its own, because a window does
 * not see changes that another window makes in VS Code's memento.
 */
export class StoredApprovals implements ApprovalStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async before(target: CallTarget): Promise<EarlierApproval | null> {
    const kept = KEPT.safeParse(parseJson(await readText(this.#path(target))));
    // A file that cannot be read gives no permission. Loupe asks the user again and replaces the file.
    return kept.success ? { isStillValid: kept.data.binding === target.binding, tool: kept.data.tool } : null;
  }

  async allow(target: CallTarget, { description, inputSchema, identity }: ApprovedTool): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const { serverName, name, binding } = target;
    await replaceText(this.#path(target), JSON.stringify({ serverName, name, binding, tool: { description, inputSchema, identity } }));
  }

  async revoke(target: CallTarget): Promise<void> {
    await replaceText(this.#path(target), '');
  }

  /** Returns the file of a tool. The name is a hash, because names of servers and tools may be invalid file names. */
  #path({ serverName, name }: CallTarget): string {
    return join(
      this.#folder,
      createHash('sha256')
        .update(JSON.stringify([serverName, name]), 'utf8')
        .digest('hex'),
    );
  }
}
