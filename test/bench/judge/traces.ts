import { ChosenRules } from './chosenRules.js';
import type { ChatRequest, Item, Speech, Trace } from './content.js';
import { Random, type LogNormal } from './random.js';
import { SimulatedFiles } from './simulatedFiles.js';
import { settingsOf, type TraceSettings } from './traceSettings.js';

/** Tools and system prompt: counts and tokens. */
export const TOOLS = { count: [8, 14], tokens: [3_000, 10_000] } as const;
export const SYSTEM = [2_000, 4_000] as const;
const MAP = [2_000, 6_000] as const;
/** Tokens that a change adds to the repository map. */
const MAP_GROWTH = 15;
/** Tokens. */
export const REFERENCE: LogNormal = { median: 2_200, sigma: 0.6, least: 500, most: 8_000 };
export const RULE: LogNormal = { median: 450, sigma: 0.6, least: 100, most: 2_000 };
const CHOSEN_RULE: LogNormal = { median: 500, sigma: 0.7, least: 120, most: 2_500 };
export const QUESTION: LogNormal = { median: 140, sigma: 0.9, least: 15, most: 1_200 };
export const LONG_QUESTION: LogNormal = { median: 2_000, sigma: 0.5, least: 500, most: 6_000 };
const TEXT: LogNormal = { median: 70, sigma: 0.6, least: 10, most: 400 };
export const CALL: LogNormal = { median: 110, sigma: 0.7, least: 30, most: 800 };
export const EDIT_RESULT: LogNormal = { median: 260, sigma: 0.6, least: 60, most: 1_200 };
export const RESULT: LogNormal = { median: 900, sigma: 1, least: 200, most: 10_000 };
export const ANSWER: LogNormal = { median: 450, sigma: 0.8, least: 50, most: 2_500 };
export const SUMMARY: LogNormal = { median: 1_800, sigma: 0.3, least: 900, most: 3_500 };
const TITLE_SYSTEM = 250;
export const SUMMARY_INSTRUCTION = 350;
const SUMMARY_ANSWER = 20;
/** Shares of long questions, and of calls with text before them. */
export const LONG_QUESTIONS = 0.12;
const TEXTS_BEFORE_CALLS = 0.5;
/** A retry goes to the newest question, or else to one of the last three. */
const NEWEST_RETRIED = 0.6;
/** A summary keeps the newest turn if it has at most this share of the limit. */
export const MOST_KEPT = 0.3;
/** Seconds from a reply to the request for a summary, and from there to the next request. */
const BEFORE_SUMMARY = 2;
const AFTER_SUMMARY = 25;

/**
 * Generates a chat of a kind in `TRACES` or `LONG_TRACES`. Equal seeds give equal chats. Another model gets a request
 * for a title with the first one. A conversation above its limit gets a request for a summary with all of it and an
 * instruction. Then the summary replaces it. Throws for an unknown kind.
 */
export function generateTrace(name: string, seed: number): Trace {
  return playTrace(name, seed, () => null);
}

/**
 * Called when the user goes away after a turn, with all requests so far, and with the second at which the next turn
 * begins: Infinity after the last turn. Returns the second at which the user has the chat summarized, null for never.
 */
export type Away = (requests: readonly ChatRequest[], until: number) => number | null;

/** Generates the same chat as `generateTrace`, except for the summaries that the user asks for when going away. */
export function playTrace(name: string, seed: number, away: Away): Trace {
  const settings = settingsOf(name);
  const nameHash = Array.from(name, (character) => character.charCodeAt(0)).reduce((hash, code) => (hash * 31 + code) | 0, 7);
  const random = new Random(seed * 7_919 + nameHash);
  const summaries = new Random(seed * 7_927 + nameHash);
  return { name, seed, requests: new SimulatedChat(settings, random, summaries).hold(away) };
}

/** Runs one chat. The order of its random numbers must not change. */
class SimulatedChat {
  readonly #settings: TraceSettings;
  readonly #random: Random;
  /** For the lengths of summaries, so that all else is the same in a chat with other summaries. */
  readonly #summaries: Random;
  readonly #requests: ChatRequest[] = [];
  readonly #files: SimulatedFiles;
  readonly #stable: readonly Item[];
  readonly #references: readonly Item[];
  readonly #chosenRules: ChosenRules;
  readonly #map: Item;
  #mapVersion = 0;
  #chosen: readonly Item[] = [];
  #conversation: Item[] = [];
  #said = 0;
  #now = 0;
  /** Requests without those for titles and summaries. */
  #sent = 0;

  constructor(settings: TraceSettings, random: Random, summaries: Random) {
    this.#settings = settings;
    this.#random = random;
    this.#summaries = summaries;
    const tools = random.integer(TOOLS.count);
    const toolTokens = Math.round(random.integer(TOOLS.tokens) / tools);
    const tool = Array.from({ length: tools }, (_, at) => item('tool', `tool:${String(at)}`, toolTokens));
    this.#stable = [...tool, item('system', 'system', random.integer(SYSTEM))];
    this.#map = item('repoMap', 'repomap', random.integer(MAP));
    this.#references = [
      ...this.#texts('reference', settings.references, 'reference:', REFERENCE),
      ...this.#texts('rule', settings.rules, 'rule:on', RULE),
    ];
    const pool = this.#texts('rule', settings.pool, 'rule:', CHOSEN_RULE).map((rule) => ({ ...rule, isChosen: true }));
    this.#chosenRules = new ChosenRules(random, pool, settings.chosen);
    this.#files = new SimulatedFiles(random);
    for (let count = 0; count < settings.files; count += 1) {
      this.#files.add();
    }
  }

  hold(away: Away): readonly ChatRequest[] {
    for (let turn = 0; this.#sent < this.#settings.requests; turn += 1) {
      if (turn > 0) {
        this.#pause(this.#random.logNormal(this.#settings.pause), away);
        this.#changeContext();
        this.#retry();
      }
      this.#chosen = this.#chosenRules.choose();
      this.#say('user', this.#random.chance(LONG_QUESTIONS) ? LONG_QUESTION : QUESTION);
      this.#answer(turn === 0);
      if (this.#tokens() > this.#settings.limit) {
        this.#now += BEFORE_SUMMARY;
        this.#summarize();
        this.#now += AFTER_SUMMARY;
      }
    }
    this.#pause(Infinity, away);
    return this.#requests;
  }

  #pause(seconds: number, away: Away): void {
    const until = this.#now + seconds;
    const at = away(this.#requests, until);
    if (at !== null) {
      this.#now = at;
      this.#summarize();
    }
    this.#now = until;
  }

  #changeContext(): void {
    const { edited, added, dropped, mapChanged } = this.#settings;
    if (this.#random.chance(edited)) {
      for (let count = this.#random.integer([1, 2]); count > 0; count -= 1) {
        this.#files.edit();
      }
    }
    if (this.#random.chance(added)) {
      this.#files.add();
    }
    if (this.#random.chance(dropped) && this.#files.count > 2) {
      this.#files.drop();
    }
    if (this.#random.chance(mapChanged)) {
      this.#mapVersion += 1;
    }
  }

  /** The user edits a question or retries it: the conversation is cut before it. */
  #retry(): void {
    if (this.#random.chance(this.#settings.retried)) {
      const questions = this.#questions();
      const back = Math.min(questions.length, this.#random.chance(NEWEST_RETRIED) ? 1 : this.#random.integer([1, 3]));
      this.#conversation = this.#conversation.slice(0, questions.at(-back));
    }
  }

  #answer(isFirst: boolean): void {
    const { calls, requests, reply } = this.#settings;
    const [question] = this.#conversation;
    const count = this.#random.integer(calls);
    for (let call = 0; call < count && this.#sent < requests; call += 1) {
      this.#request('chat', []);
      this.#now += this.#random.integer(reply);
      if (isFirst && call === 0 && question !== undefined) {
        const items = [item('system', 'title-system', TITLE_SYSTEM), question];
        this.#requests.push({ at: this.#now + 1, kind: 'title', model: 'small', items });
      }
      if (call < count - 1) {
        this.#callTools();
      }
    }
    this.#say('final', ANSWER);
  }

  #callTools(): void {
    const { parallel, editedByTool } = this.#settings;
    const calls = Math.max(1, Math.round(this.#random.logNormal(parallel)));
    if (this.#random.chance(TEXTS_BEFORE_CALLS)) {
      this.#say('text', TEXT);
    }
    for (let call = 0; call < calls; call += 1) {
      this.#say('toolCall', CALL);
    }
    for (let call = 0; call < calls; call += 1) {
      const edits = this.#random.chance(editedByTool);
      if (edits) {
        this.#files.edit();
      }
      this.#say('toolResult', edits ? EDIT_RESULT : RESULT);
    }
  }

  #summarize(): void {
    this.#request('summary', [this.#message('user', SUMMARY_INSTRUCTION)]);
    const newest = this.#conversation.slice(this.#questions().at(-1));
    this.#conversation = [];
    this.#conversation.push(this.#message('user', this.#summaries.logNormal(SUMMARY)));
    this.#conversation.push(this.#message('final', SUMMARY_ANSWER));
    if (newest.reduce((sum, { tokens }) => sum + tokens, 0) < this.#settings.limit * MOST_KEPT) {
      this.#conversation.push(...newest);
    }
  }

  #request(kind: 'chat' | 'summary', extra: readonly Item[]): void {
    const version = this.#mapVersion;
    const map = { ...this.#map, hash: `repomap@${String(version)}`, tokens: this.#map.tokens + version * MAP_GROWTH };
    const context = [map, ...this.#references, ...this.#chosen, ...this.#files.items()];
    const items = [...this.#stable, ...context, ...this.#conversation, ...extra];
    this.#requests.push({ at: this.#now, kind, model: 'main', items });
    this.#sent += kind === 'chat' ? 1 : 0;
  }

  #say(speech: Speech, length: LogNormal): void {
    this.#conversation.push(this.#message(speech, this.#random.logNormal(length)));
  }

  #message(speech: Speech, tokens: number): Item {
    const id = `message:${String(this.#said)}`;
    this.#said += 1;
    return { ...item('message', id, tokens), speech, role: speech === 'user' || speech === 'toolResult' ? 'user' : 'assistant' };
  }

  #questions(): number[] {
    return this.#conversation.flatMap(({ speech }, at) => (speech === 'user' ? [at] : []));
  }

  #tokens(): number {
    return this.#conversation.reduce((sum, { tokens }) => sum + tokens, 0);
  }

  #texts(kind: 'reference' | 'rule', count: number, id: string, length: LogNormal): Item[] {
    return Array.from({ length: count }, (_, at) => item(kind, `${id}${String(at)}`, this.#random.logNormal(length)));
  }
}

/** An item without versions. Its id is also its content. */
function item(kind: Item['kind'], id: string, tokens: number): Item {
  const role = kind === 'tool' || kind === 'system' ? kind : 'user';
  return { id, kind, speech: null, role, hash: id, tokens, versions: [], isChosen: false };
}
