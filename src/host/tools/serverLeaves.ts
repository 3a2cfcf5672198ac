import type { ServerQuestionView } from '../../protocol/servers.js';
import type { AskedStart } from '../../tools/mcp/mcpPorts.js';
import type { Memory } from './keptToolLists.js';

const KEY = 'mcp.allowed';

/** Most servers whose leave is kept: more than people have, and little for VS Code to read at its start. */
const MOST_SERVERS = 200;

interface Open {
  readonly question: ServerQuestionView;
  readonly answer: (isAllowed: boolean) => void;
}

/**
 * Whether servers that came with a workspace may start. The user is asked once for each command, and again when anything that is
 * configured for it changes. What is allowed is kept for all windows; a refusal holds until the user starts the server by hand.
 */
export class ServerLeaves {
  readonly #memory: Memory;
  readonly #reportError: (thrown: unknown) => void;
  /** By identity. */
  readonly #open = new Map<string, Open>();
  #changed: () => void = () => undefined;

  constructor(memory: Memory, reportError: (thrown: unknown) => void) {
    this.#memory = memory;
    this.#reportError = reportError;
  }

  /** What has waited longest for the user; null when nothing does. */
  question(): ServerQuestionView | null {
    const [first] = this.#open.values();
    return first?.question ?? null;
  }

  /** Sets the listener that is called when another question is open, or none. */
  onChange(listener: () => void): void {
    this.#changed = listener;
  }

  /** Resolves to the answer of the user; to false when the signal aborts. One server asks once at a time. */
  mayStart({ identity, name, place, launch }: AskedStart, signal: AbortSignal): Promise<boolean> {
    if (this.#allowed().includes(identity) || signal.aborted) {
      return Promise.resolve(!signal.aborted);
    }
    return new Promise((resolve) => {
      const end = (): void => {
        this.#end(identity, false);
      };
      const answer = (isAllowed: boolean): void => {
        signal.removeEventListener('abort', end);
        resolve(isAllowed);
      };
      signal.addEventListener('abort', end);
      this.#open.set(identity, { question: { id: identity, name, place, ...launch }, answer });
      this.#changed();
    });
  }

  /** Answers a question. Returns whether it was still open. */
  answer(id: string, isAllowed: boolean): boolean {
    if (isAllowed && this.#open.has(id)) {
      this.#memory.update(KEY, [...this.#allowed(), id].slice(-MOST_SERVERS)).then(undefined, this.#reportError);
    }
    return this.#end(id, isAllowed);
  }

  #end(id: string, isAllowed: boolean): boolean {
    const open = this.#open.get(id);
    this.#open.delete(id);
    open?.answer(isAllowed);
    this.#changed();
    return open !== undefined;
  }

  /** The identities of servers that may start. */
  #allowed(): readonly unknown[] {
    const kept = this.#memory.get(KEY);
    return Array.isArray(kept) ? kept : [];
  }
}
