import { failure } from '../../../engine/errors.js';
import type { Clock } from '../../../engine/ports.js';
import type { Mentions } from '../../../protocol/panel/mentions.js';
import type { McpPrompt, McpPromptMessage } from '../../../tools/mcp/config/mcpEntries.js';
import type { McpServer } from '../../../tools/mcp/mcpServer.js';
import type { Wizard } from '../../models/providers/setup/wizard.js';
import { fillBlanks, type FilledBlanks } from './fillBlanks.js';
import { promptKey, promptRows } from './promptRows.js';
import { ServerLists } from '../serverLists.js';

const SPEAKERS = { user: 'User', assistant: 'Assistant' } as const;

/** A server with prompts. Its methods start it, so typing only asks running servers. */
export type PromptServer = Pick<McpServer, 'name' | 'identity' | 'status' | 'problem' | 'listPrompts' | 'getPrompt' | 'suggestBlank'>;

export interface PromptFinderPorts {
  readonly configured: () => Promise<void>;
  readonly servers: () => readonly PromptServer[];
  readonly clock: Clock;
  readonly tell: (mentions: Mentions) => void;
  readonly questions: Pick<Wizard, 'pick' | 'input'>;
  /** Shows progress of long work and lets the user cancel it. */
  readonly slowly: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
}

/** Most characters of a prompt. Servers prepare far fewer, and the message box shows this many without delay. */
const LONGEST_PROMPT = 1_000_000;

/** Never aborted: the server's own time limits end a request for a list. */
const NEVER = new AbortController().signal;

/** Finds the prompts that `/` in a message may refer to, and returns their text. */
export class PromptFinder {
  readonly #ports: PromptFinderPorts;
  readonly #lists: ServerLists<PromptServer, McpPrompt>;

  constructor(ports: PromptFinderPorts) {
    this.#ports = ports;
    this.#lists = new ServerLists((server) => server.listPrompts(NEVER), ports.clock);
  }

  /** Sends the matches for a text: first those already known, then those from each running server. */
  async find(text: string): Promise<void> {
    await this.#ports.configured();
    const servers = this.#ports.servers();
    const tell = (): void => {
      const offered = servers.map((server) => ({ server, ...this.#lists.of(server) }));
      this.#ports.tell({ type: 'mentions', mark: '/', text, ...promptRows(text, offered) });
    };
    const reading = this.#lists.refresh(
      servers.filter(({ status }) => status === 'running'),
      tell,
    );
    tell();
    await reading;
  }

  /**
   * Asks the user for a prompt's blanks and returns its text, or null when the user cancels. Rejects on server errors.
   */
  async fill(key: string): Promise<PromptText | null> {
    const { server, prompt } = this.#named(key);
    const questions = {
      questions: this.#ports.questions,
      suggest: (name: string, filled: FilledBlanks) => suggested(server, { prompt: prompt.name, name, filled }),
    };
    const filled = await fillBlanks(`${server.name}:${prompt.name}`, prompt.blanks, questions);
    if (filled === null) {
      return null;
    }
    const made = promptMessage(await this.#ports.slowly((signal) => server.getPrompt(prompt.name, filled, signal)));
    if (made.text.length > LONGEST_PROMPT) {
      throw failure('mcp.promptTooLong', { name: prompt.name });
    }
    return made;
  }

  #named(key: string): { readonly server: PromptServer; readonly prompt: McpPrompt } {
    for (const server of this.#ports.servers()) {
      const prompt = this.#lists.of(server).items.find(({ name }) => promptKey(server.name, name) === key);
      if (prompt !== undefined) {
        return { server, prompt };
      }
    }
    throw failure('mcp.promptGone');
  }
}

/**
 * Returns no suggestions when the server fails. The user can still type a value, and the server's log has the error.
 */
function suggested(server: PromptServer, blank: Parameters<PromptServer['suggestBlank']>[0]): Promise<readonly string[]> {
  return server.suggestBlank(blank, NEVER).catch(() => []);
}

interface PromptText {
  readonly text: string;
  readonly skipped: readonly string[];
}

/** Joins the messages of a prompt into one text for the user to send. Names the speakers of a conversation. */
export function promptMessage(messages: readonly McpPromptMessage[]): PromptText {
  const isConversation = messages.some(({ role }) => role === 'assistant');
  const texts = messages.flatMap((message) => {
    if (!('text' in message) || message.text === '') {
      return [];
    }
    return [isConversation ? `${SPEAKERS[message.role]}: ${message.text}` : message.text];
  });
  const skipped = messages.flatMap((message) => ('noText' in message ? [message.noText] : []));
  return { text: texts.join('\n\n'), skipped };
}
