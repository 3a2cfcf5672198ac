import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import type { RequestSources } from '../../../src/engine/request/gather.js';
import { assistant, call, result, results, text, user } from '../../support/engine/messages.js';
import type { LogNormal, Random } from './random.js';
import { EDIT } from './simulatedFiles.js';
import * as lengths from './traces.js';
import type { TraceSettings } from './traceSettings.js';

/* Chats about a real repository, with real texts, because the layouts of Loupe need texts. */

/** Seconds between turns. A cache entry of five minutes never expires. */
const PAUSE = [10, 240] as const;

/** Share of the edits that change a file in the context. The others change another file of the repository. */
const EDITS_IN_CONTEXT = 0.6;

/** Words of one token. */
const WORDS =
  'time year people way day man thing woman life child world school state family student group country problem hand part place case week company system program question work government number night point home water room mother area money story fact month lot right study book eye job word business issue side kind head house service friend father power hour game line end member law car city community name president team minute idea body information back parent face others level office door health person art war history party'.split(
    ' ',
  );

export interface MappedRequest {
  /** Seconds since the start of the chat. */
  readonly at: number;
  readonly messages: readonly SentMessage[];
  /** The files in the context, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** The contents of all files of the repository that differ from the beginning. */
  readonly edited: ReadonlyMap<string, string>;
}

export interface MappedChat extends Pick<RequestSources, 'tools' | 'systemPrompt' | 'standing'> {
  readonly requests: readonly MappedRequest[];
}

/**
 * Simulates a chat. Lengths and probabilities are those of `generateTrace`, but nothing is retried, summarized or
 * removed. `sources`: the files of the repository that a chat can contain.
 */
export class MappedChats {
  readonly #random: Random;
  readonly #settings: TraceSettings;
  readonly #sources: ReadonlyMap<string, string>;
  readonly #contents: Map<string, string>;
  readonly #context = new Set<string>();
  readonly #edited = new Map<string, string>();
  readonly #requests: MappedRequest[] = [];
  readonly #said: SentMessage[] = [];
  #now = 0;

  constructor(sources: ReadonlyMap<string, string>, settings: TraceSettings, random: Random) {
    this.#sources = sources;
    this.#contents = new Map(sources);
    this.#settings = settings;
    this.#random = random;
  }

  hold(turns: number): MappedChat {
    const { files, references, rules } = this.#settings;
    const fixed = this.#fixed(references, rules);
    this.#add(files);
    for (let turn = 0; turn < turns; turn += 1) {
      this.#turn();
    }
    return { ...fixed, requests: this.#requests };
  }

  #fixed(references: number, rules: number): Omit<MappedChat, 'requests'> {
    const count = this.#random.integer(lengths.TOOLS.count);
    const each = Math.round(this.#random.integer(lengths.TOOLS.tokens) / count);
    const texts = (kind: 'rule' | 'reference', howMany: number, length: LogNormal) =>
      Array.from({ length: howMany }, (_, at) => {
        return { key: `${kind}:${String(at)}`, category: `${kind}s`, text: this.#words(this.#random.logNormal(length)) } as const;
      });
    return {
      tools: Array.from({ length: count }, (_, at) => {
        const definition = { type: 'toolDefinition', name: `tool${String(at)}`, schema: { type: 'object' }, isRetired: false } as const;
        return { key: `tool:server/tool${String(at)}`, definition: { ...definition, description: this.#words(each) } };
      }),
      systemPrompt: this.#words(this.#random.integer(lengths.SYSTEM)),
      standing: [...texts('rule', rules, lengths.RULE), ...texts('reference', references, lengths.REFERENCE)],
    };
  }

  #turn(): void {
    const { calls, edited, added, editedByTool, parallel, reply } = this.#settings;
    this.#now += this.#random.integer(PAUSE);
    if (this.#random.chance(edited)) {
      this.#edit();
    }
    if (this.#random.chance(added)) {
      this.#add(1);
    }
    const length = this.#random.chance(lengths.LONG_QUESTIONS) ? lengths.LONG_QUESTION : lengths.QUESTION;
    this.#said.push(user(this.#id('u'), this.#spoken(length)));
    for (let step = this.#random.integer(calls); step > 0; step -= 1) {
      this.#requests.push({
        at: this.#now,
        messages: [...this.#said],
        files: new Map([...this.#context].map((path) => [path, this.#contents.get(path) ?? ''])),
        edited: new Map(this.#edited),
      });
      this.#now += this.#random.integer(reply);
      if (step > 1) {
        this.#callTools(Math.max(1, Math.round(this.#random.logNormal(parallel))), editedByTool);
      }
    }
    this.#said.push(assistant(this.#id('a'), this.#spoken(lengths.ANSWER)));
  }

  #callTools(count: number, edited: number): void {
    const ids = Array.from({ length: count }, (_, at) => this.#id(`c${String(at)}`));
    this.#said.push(assistant(this.#id('s'), ...ids.map((id) => call(id, { path: this.#spoken(lengths.CALL) }))));
    const answers = ids.map((id) => {
      const isEdit = this.#random.chance(edited);
      if (isEdit) {
        this.#edit();
      }
      return result(id, text(this.#spoken(isEdit ? lengths.EDIT_RESULT : lengths.RESULT)));
    });
    this.#said.push(results(this.#id('r'), ...answers));
  }

  /** Adds a definition to a file, and some text. */
  #edit(): void {
    const path = this.#chosen(this.#random.chance(EDITS_IN_CONTEXT) ? [...this.#context] : [...this.#sources.keys()]);
    const name = `added${String(this.#edited.size)}Definition${String(this.#now)}`;
    const content = `${this.#contents.get(path) ?? ''}\nexport function ${name}(): void {}\n// ${this.#spoken(EDIT)}\n`;
    this.#contents.set(path, content);
    this.#edited.set(path, content);
  }

  #add(count: number): void {
    for (let added = 0; added < count; added += 1) {
      this.#context.add(this.#chosen([...this.#sources.keys()].filter((path) => !this.#context.has(path))));
    }
  }

  #chosen(paths: readonly string[]): string {
    return paths[this.#random.integer([0, paths.length - 1])] ?? '';
  }

  #id(kind: string): string {
    return `${kind}-${String(this.#said.length)}`;
  }

  #spoken(length: LogNormal): string {
    return this.#words(this.#random.logNormal(length));
  }

  #words(tokens: number): string {
    return Array.from({ length: tokens }, () => this.#chosen(WORDS)).join(' ');
  }
}
