import type { ServerQuestionView } from '../../protocol/questions.js';
import type { StartRequest } from '../../tools/mcp/mcpPorts.js';
import type { Memory } from './keptToolLists.js';

const KEY = 'mcp.allowed';

/** Maximum number of servers with a stored permission. VS Code reads all permissions at its start. */
const MOST_SERVERS = 200;

/**
 * Decides whether servers of a workspace may start. Loupe asks the user once for each command, and again after a change
 * of its configuration. A permission is for all windows. A refusal lasts until the user starts the server.
 */
export class ServerPermissions {
  readonly #memory: Memory;
  readonly #reportError: (thrown: unknown) => void;
  readonly #open = new Map<string, { readonly question: ServerQuestionView; readonly answer: (isAllowed: boolean) => void }>();
  #changed: () => void = () => undefined;

  constructor(memory: Memory, reportError: (thrown: unknown) => void) {
    this.#memory = memory;
    this.#reportError = reportError;
  }

  /** Returns the oldest open question. Null without an open question. */
  question(): ServerQuestionView | null {
    const [first] = this.#open.values();
    return first?.question ?? null;
  }

  onChange(listener: () => void): void {
    this.#changed = listener;
  }

  /** Resolves to the user's decision. False when the signal aborts. Asks one question per server at a time. */
  mayStart({ identity, name, place, launch }: StartRequest, signal: AbortSignal): Promise<boolean> {
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

  /** Applies the user's answer. Returns whether the question was still open. */
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

  #allowed(): readonly unknown[] {
    const kept = this.#memory.get(KEY);
    return Array.isArray(kept) ? kept : [];
  }
}
