import type { CallTarget } from '../../engine/chat/calls.js';
import type { AlwaysAllowed } from './toolbox.js';

/** Keeps small values for all windows of this computer: VS Code's Memento. */
export interface AllowedMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Begins the keys of what is allowed, each with a binding behind it. */
const KEY = 'loupe.allowedTool.';

/** What the user has allowed for all chats, until it is taken back or what it is bound to changes. */
export class KeptApprovals implements AlwaysAllowed {
  readonly #memory: AllowedMemory;

  constructor(memory: AllowedMemory) {
    this.#memory = memory;
  }

  has({ binding }: CallTarget): boolean {
    return this.#memory.get(KEY + binding) === true;
  }

  async allow({ binding }: CallTarget): Promise<void> {
    await this.#memory.update(KEY + binding, true);
  }

  async takeBack({ binding }: CallTarget): Promise<void> {
    await this.#memory.update(KEY + binding, undefined);
  }
}
