import type { FileRead } from '../../../engine/context/fileContents.js';
import { failure, type LoupeError, toLoupeError } from '../../../engine/errors.js';
import type { Clock } from '../../../engine/ports.js';
import { ROUGH_COUNTER } from '../../../engine/tokens/roughCounter.js';
import { MOST_MENTIONS, type MentionRow, type Mentions } from '../../../protocol/panel/toWebview.js';
import type { McpPrompt, McpPromptMessage } from '../../../tools/mcp/config/mcpEntries.js';
import type { McpServer } from '../../../tools/mcp/mcpServer.js';
import type { WorkspacePrompt } from '../../context/catalog/readPrompts.js';
import type { Wizard } from '../../models/providers/setup/wizard.js';
import { type ServerList, ServerLists } from '../serverLists.js';
import { serverRows } from '../../context/mentions/mentionRows.js';
import { fitOf } from '../../context/mentions/fit.js';
import { compareNaturally } from '../../context/files/fileNames.js';
import { fillBlanks, type FilledBlanks } from './fillBlanks.js';
import { filePrompt, type PromptText } from './filePrompt.js';
import { foundReferences } from './references.js';
import { blanksIn, type PromptVariables } from './placeholders.js';

export interface ServerPrompts extends ServerList<McpPrompt> {
  readonly server: Pick<McpServer, 'name' | 'status' | 'problem' | 'signInState'>;
}

/** Maximum number of characters of a prompt's description. A row has no more space. */
const LONGEST_ABOUT = 300;

/** Rank of a prompt that matches only scattered letters. Loupe omits such prompts: the text can be a path. */
const LETTERS = 4;

interface OfferedPrompts {
  /** The prompt files of the workspace. */
  readonly files: readonly WorkspacePrompt[];
  readonly servers: readonly ServerPrompts[];
}

/** Rows of one kind, best first. `rank`: how well the best row fits, as in `Fit`. */
export interface RankedRows {
  readonly rows: readonly MentionRow[];
  readonly rank: number;
}

/**
 * Returns the commands, then the prompts that fit a text best, with notes about servers whose prompts are not known
 * yet. The prompts come first if one fits better than all commands.
 */
export function promptRows(text: string, commands: RankedRows, { files, servers }: OfferedPrompts): Pick<Mentions, 'rows' | 'notes'> {
  const candidates = [
    ...files.map((prompt) => ({ row: fileRow(prompt), title: '' })),
    ...servers.flatMap(({ server: { name }, items }) =>
      items.map((prompt) => ({ row: serverRow(name, prompt), title: prompt.title ?? '' })),
    ),
  ];
  const found = candidates.flatMap(({ row, title }) => {
    const fit = fitOf(text.toLowerCase(), { name: row.name, path: title });
    return fit === null || fit.rank === LETTERS ? [] : [{ fit, row: { ...row, matches: fit.matches } }];
  });
  found.sort((a, b) => (a.fit.rank === b.fit.rank ? compareNaturally(a.row.name, b.row.name) : a.fit.rank - b.fit.rank));
  const prompts = found.slice(0, MOST_MENTIONS).map(({ row }) => row);
  const others = [...prompts, ...servers.flatMap(({ server }) => serverRows(server, 'prompts'))].slice(0, MOST_MENTIONS);
  const isPromptFirst = (found[0]?.fit.rank ?? LETTERS) < commands.rank;
  const rows = isPromptFirst ? [...others, ...commands.rows] : [...commands.rows, ...others];
  return { rows, notes: servers.flatMap((server) => noteOf(text, server)) };
}

function promptKey(server: string, prompt: string): string {
  return `prompt:${server}/${prompt}`;
}

/** Begins the keys of the workspace's prompts. Their paths follow. */
const FILE = 'promptFile:';

function serverRow(server: string, { name, title, description }: McpPrompt): MentionRow {
  const about = [title, description].filter((part) => part !== null && part !== '').join(': ');
  return { ...promptRow(promptKey(server, name), `${server}:${name}`, about), tokens: null };
}

function fileRow({ name, source, description, hint, text }: WorkspacePrompt): MentionRow {
  const shown = [hint, description, name === source ? '' : source].filter((part) => part !== '');
  return { ...promptRow(FILE + source, name, shown.join(' · ')), tokens: ROUGH_COUNTER.count(text) };
}

function promptRow(key: string, name: string, about: string): Omit<MentionRow, 'tokens'> {
  return { key, kind: 'prompt', name, about: about.slice(0, LONGEST_ABOUT), matches: [], isIn: false, problem: null };
}

/** Returns a note about missing prompts, if the text contains the name of the server. */
function noteOf(
  text: string,
  { server: { name: server, status, problem: failed }, items, isReading, problem }: ServerPrompts,
): readonly string[] {
  if (!server.toLowerCase().includes(text.toLowerCase())) {
    return [];
  }
  if (status === 'starting') {
    return [`Starting ${server}…`];
  }
  if (failed !== null) {
    return [`${server}: ${failed}`];
  }
  if (problem !== null) {
    return [problem];
  }
  return isReading && items.length === 0 ? [`Asking ${server} for its prompts…`] : [];
}

const SPEAKERS = { user: 'User', assistant: 'Assistant' } as const;

/** A server with prompts. Its methods start the server. While the user types, call them only on running servers. */
export type PromptServer = Pick<
  McpServer,
  'name' | 'identity' | 'status' | 'problem' | 'signInState' | 'listPrompts' | 'getPrompt' | 'suggestBlank'
>;

export interface PromptFinderPorts {
  readonly configured: () => Promise<void>;
  readonly servers: () => readonly PromptServer[];
  /** Returns the prompt files of the workspace. Never rejects. */
  readonly files: () => Promise<readonly WorkspacePrompt[]>;
  /** Reads the file at a workspace path. Never rejects. */
  readonly read: (path: string) => Promise<FileRead>;
  /** Returns the values of variables such as `${file}` in prompt files. */
  readonly variables: () => Promise<PromptVariables>;
  readonly clock: Clock;
  readonly tell: (mentions: Mentions) => void;
  readonly questions: Pick<Wizard, 'pick' | 'input'>;
  /** Shows why a server did not give a prompt. */
  readonly failed: (server: PromptServer, error: LoupeError) => void;
  /** Runs slow work with a progress display and a cancel button. */
  readonly slowly: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
}

/** Maximum number of characters of a prompt's text. The message box shows this many without delay. */
const LONGEST_PROMPT = 1_000_000;

/** A signal that never aborts. The time limits of the server end each request for a list. */
const NEVER = new AbortController().signal;

/** Finds the commands and prompts for a `/` in a message, and returns the text of prompts. */
export class PromptFinder {
  readonly #ports: PromptFinderPorts;
  readonly #lists: ServerLists<PromptServer, McpPrompt>;

  constructor(ports: PromptFinderPorts) {
    this.#ports = ports;
    this.#lists = new ServerLists((server) => server.listPrompts(NEVER), ports.clock);
  }

  /**
   * Sends the commands and prompts that fit a text, first from cached lists, then from the new list of each running
   * server. `commands` returns the commands that fit.
   */
  async find(text: string, commands: () => RankedRows): Promise<void> {
    const [files] = await Promise.all([this.#ports.files(), this.#ports.configured()]);
    const servers = this.#ports.servers();
    const tell = (): void => {
      const offered = { files, servers: servers.map((server) => ({ server, ...this.#lists.of(server) })) };
      this.#ports.tell({ type: 'mentions', mark: '/', text, ...promptRows(text, commands(), offered) });
    };
    const reading = this.#lists.refresh(
      servers.filter(({ status }) => status === 'running'),
      tell,
    );
    tell();
    await reading;
  }

  /** Asks the user for a prompt's arguments. Returns its text, or null after a cancel or a failure of its server. */
  async fill(key: string): Promise<PromptText | null> {
    const made = await (key.startsWith(FILE) ? this.#fillFile(key.slice(FILE.length)) : this.#fillOfServer(key));
    if (made !== null && made.text.length > LONGEST_PROMPT) {
      throw failure('mcp.promptTooLong', { name: made.name });
    }
    return made;
  }

  async #fillFile(source: string): Promise<PromptText | null> {
    const prompt = (await this.#ports.files()).find((each) => each.source === source);
    if (prompt === undefined) {
      throw failure('catalog.promptGone');
    }
    const questions = { questions: this.#ports.questions, suggest: () => Promise.resolve([]) };
    const filled = await fillBlanks(prompt.name, blanksIn(prompt), questions);
    if (filled === null) {
      return null;
    }
    const [variables, found] = await Promise.all([this.#ports.variables(), foundReferences(prompt, this.#ports.read)]);
    return filePrompt(prompt, { filled, variables, found });
  }

  async #fillOfServer(key: string): Promise<PromptText | null> {
    const { server, prompt } = this.#named(key);
    const questions = {
      questions: this.#ports.questions,
      suggest: (name: string, filled: FilledBlanks) => suggested(server, { prompt: prompt.name, name, filled }),
    };
    const filled = await fillBlanks(`${server.name}:${prompt.name}`, prompt.blanks, questions);
    if (filled === null) {
      return null;
    }
    const messages = await this.#messagesOf(server, prompt.name, filled);
    if (messages === null) {
      return null;
    }
    const { text, skipped } = promptMessage(messages);
    const omitted = `A message can contain only readable text, so Loupe omitted a part of the prompt: ${skipped.join(', ')}.`;
    return { name: prompt.name, text, notes: skipped.length === 0 ? [] : [omitted], names: { agent: null, models: [] }, files: [] };
  }

  async #messagesOf(server: PromptServer, name: string, filled: FilledBlanks): Promise<readonly McpPromptMessage[] | null> {
    try {
      return await this.#ports.slowly((signal) => server.getPrompt(name, filled, signal));
    } catch (thrown) {
      const error = toLoupeError(thrown);
      if (error.kind === 'cancelled') {
        throw thrown;
      }
      this.#ports.failed(server, error);
      return null;
    }
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

/** Returns a server's suggested values for a prompt's argument. Empty after an error, which the server's log shows. */
function suggested(server: PromptServer, blank: Parameters<PromptServer['suggestBlank']>[0]): Promise<readonly string[]> {
  return server.suggestBlank(blank, NEVER).catch(() => []);
}

/** Joins the messages of a prompt into one text that the user can send. Names the speakers of a conversation. */
export function promptMessage(messages: readonly McpPromptMessage[]): { readonly text: string; readonly skipped: readonly string[] } {
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
