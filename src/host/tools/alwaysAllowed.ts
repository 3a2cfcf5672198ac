import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { CallTarget } from '../../engine/chat/calls/calls.js';
import { isObject, parseJson, type JsonObject } from '../../engine/json.js';
import { readText, replaceText } from '../../storage/files/replaceFile.js';
import type { AllowedBefore, AllowedTool, AlwaysAllowed } from './toolbox.js';

const KEPT = z.object({
  binding: z.string(),
  tool: z.object({ description: z.string(), inputSchema: z.custom<JsonObject>(isObject), identity: z.string() }),
});

/**
 * What the user has allowed for all chats of this computer, a file for each tool: a memento of VS Code would not show one window what
 * another one has stored.
 */
export class KeptApprovals implements AlwaysAllowed {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async before(target: CallTarget): Promise<AllowedBefore | null> {
    const kept = KEPT.safeParse(parseJson(await readText(this.#path(target))));
    // A file that says nothing allows nothing: the user is asked again, and the answer replaces it.
    return kept.success ? { holds: kept.data.binding === target.binding, tool: kept.data.tool } : null;
  }

  async allow(target: CallTarget, { description, inputSchema, identity }: AllowedTool): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const { serverName, name, binding } = target;
    await replaceText(this.#path(target), JSON.stringify({ serverName, name, binding, tool: { description, inputSchema, identity } }));
  }

  async takeBack(target: CallTarget): Promise<void> {
    await replaceText(this.#path(target), '');
  }

  /** Names of servers and tools are no names of files. */
  #path({ serverName, name }: CallTarget): string {
    return join(
      this.#folder,
      createHash('sha256')
        .update(JSON.stringify([serverName, name]), 'utf8')
        .digest('hex'),
    );
  }
}
