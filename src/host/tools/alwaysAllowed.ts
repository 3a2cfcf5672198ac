import { createHash } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { CallTarget } from '../../engine/chat/calls/calls.js';
import { isObject, parseJson, type JsonObject } from '../../engine/json.js';
import { orIfMissing } from '../../storage/files/failure.js';
import { readText, replaceText } from '../../storage/files/replaceFile.js';
import type { EarlierApproval, ApprovedTool, ApprovalStore, StoredApproval, StoredApprovalList } from './toolbox.js';

const FOLDERS = z.array(z.string());

const KEPT = z.object({
  serverName: z.string(),
  name: z.string(),
  binding: z.string(),
  covers: z.optional(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('reading'), folders: FOLDERS }),
      z.object({ kind: z.literal('command'), folders: FOLDERS, command: z.string(), folder: z.string() }),
    ]),
  ),
  tool: z.object({ description: z.string(), inputSchema: z.custom<JsonObject>(isObject), identity: z.string() }),
});

/**
 * What the user allowed for all chats on this computer. Each approval has a file of its own, because a window does not
 * see changes that another window makes in VS Code's memento.
 */
export class StoredApprovals implements ApprovalStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async before(target: CallTarget): Promise<EarlierApproval | null> {
    // A file that cannot be read gives no permission. Loupe asks the user again and replaces the file.
    const kept = parsed(await readText(this.#path(target)));
    return kept === null ? null : { isStillValid: kept.target.binding === target.binding, tool: kept.tool };
  }

  async allow(target: CallTarget, { description, inputSchema, identity }: ApprovedTool): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const { serverName, name, binding, covers } = target;
    await replaceText(
      this.#path(target),
      JSON.stringify({ serverName, name, binding, covers, tool: { description, inputSchema, identity } }),
    );
  }

  async revoke(target: CallTarget): Promise<void> {
    await replaceText(this.#path(target), '');
  }

  async list(): Promise<StoredApprovalList> {
    const files = (await orIfMissing(readdir(this.#folder), [])).filter((file) => !file.endsWith('.new')).toSorted();
    const approvals: StoredApproval[] = [];
    const unreadable: string[] = [];
    for (const file of files) {
      const kept = await this.#read(file);
      if (kept === 'unreadable') {
        unreadable.push(file);
      } else if (kept !== 'revoked') {
        approvals.push(kept);
      }
    }
    return { approvals, unreadable };
  }

  async #read(file: string): Promise<StoredApproval | 'revoked' | 'unreadable'> {
    try {
      const text = await readText(join(this.#folder, file));
      return text === '' ? 'revoked' : (parsed(text) ?? 'unreadable');
    } catch {
      // The list names the file. Calls of its tool ask the user, and then report the error.
      return 'unreadable';
    }
  }

  /** Returns the file of an approval. Its name is a hash, because names of tools may be invalid file names. */
  #path({ serverName, name, binding, covers }: CallTarget): string {
    return join(
      this.#folder,
      createHash('sha256')
        // The binding of a subject is its hash. Its members can have another order after they were read from a file.
        .update(JSON.stringify([serverName, covers === undefined ? name : binding]), 'utf8')
        .digest('hex'),
    );
  }
}

function parsed(text: string): StoredApproval | null {
  const kept = KEPT.safeParse(parseJson(text));
  if (!kept.success) {
    return null;
  }
  const { tool, covers, ...target } = kept.data;
  return { target: covers === undefined ? target : { ...target, covers }, tool };
}
