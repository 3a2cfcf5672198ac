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
 * Tools that the user allowed for all chats on this computer. Each tool has its own file, because a VS Code window does
 * not see what another one stores in a memento.
 */
export class StoredApprovals implements ApprovalStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async before(target: CallTarget): Promise<EarlierApproval | null> {
    const kept = KEPT.safeParse(parseJson(await readText(this.#path(target))));
    // An unreadable file gives no permission. Loupe asks the user again and replaces the file.
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

  /** Returns the file for a tool. Uses a hash, because the names of server and tool may be invalid file names. */
  #path({ serverName, name }: CallTarget): string {
    return join(
      this.#folder,
      createHash('sha256')
        .update(JSON.stringify([serverName, name]), 'utf8')
        .digest('hex'),
    );
  }
}
