import {
  toolCallsOf,
  type AssistantMessage,
  type SentMessage,
  type ToolResultsMessage,
  type UserMessage,
} from '../../chat/message/message.js';
import type { ToolResultContent } from '../../model/part.js';
import type { Json } from '../../json.js';
import type { Fact } from '../fact.js';
import { factTest } from './keptIn.js';
import { linesOf } from './lines.js';

/** How often later messages needed facts that a summary had dropped. */
export interface FactReuse {
  /** Number of dropped paths that were mentioned again. */
  readonly paths: number;
  /** Number of dropped code names that were mentioned again. */
  readonly identifiers: number;
  /**
   * Tokens of the texts that brought dropped contents back: results of tool calls whose arguments name a dropped fact,
   * and fenced blocks of user messages that name a dropped fact. Context files, and messages that are sent again, are
   * not included.
   */
  readonly tokens: number;
}

export interface Measure {
  text(text: string): number;
  content(content: ToolResultContent): number;
}

/** Counts dropped facts that are needed again. Reads each message once. */
export class FactReuseCounter {
  readonly #dropped: readonly Fact[];
  readonly #again = new Set<Fact>();
  readonly #calls = new Set<string>();
  #tokens = 0;

  /** `dropped`: facts that requests no longer contain. Uses only paths and identifiers: tools can look these up. */
  constructor(dropped: readonly Fact[]) {
    this.#dropped = dropped.filter(({ kind }) => kind === 'path' || kind === 'identifier');
  }

  get figures(): FactReuse {
    const again = [...this.#again];
    const paths = again.filter(({ kind }) => kind === 'path').length;
    return { paths, identifiers: again.length - paths, tokens: this.#tokens };
  }

  add(message: SentMessage, measure: Measure): void {
    if (this.#dropped.length === 0) {
      return;
    }
    switch (message.role) {
      case 'user':
        this.#addUser(message, measure);
        break;
      case 'assistant':
        this.#addReply(message);
        break;
      case 'tool-results':
        this.#addResults(message, measure);
        break;
    }
  }

  #addUser({ parts }: UserMessage, measure: Measure): void {
    for (const text of textsOf(parts)) {
      this.#names(text);
      const fenced = fencedBlocks(text).filter((block) => this.#names(block));
      this.#tokens += fenced.reduce((sum, block) => sum + measure.text(block), 0);
    }
  }

  #addReply(message: AssistantMessage): void {
    for (const text of textsOf(message.parts)) {
      this.#names(text);
    }
    for (const { id, args, rawArgs } of toolCallsOf(message)) {
      const named = (args === null ? [rawArgs] : stringsOf(args)).filter((text) => this.#names(text));
      if (named.length > 0) {
        this.#calls.add(id);
      }
    }
  }

  #addResults({ parts }: ToolResultsMessage, measure: Measure): void {
    for (const { content } of parts.filter(({ callId }) => this.#calls.has(callId))) {
      this.#tokens += content.reduce((sum, each) => sum + measure.content(each), 0);
    }
  }

  /** Whether the text names a dropped fact. Records each such fact as needed again. */
  #names(text: string): boolean {
    const found = this.#dropped.filter(factTest(text));
    for (const fact of found) {
      this.#again.add(fact);
    }
    return found.length > 0;
  }
}

function textsOf(parts: UserMessage['parts'] | AssistantMessage['parts']): readonly string[] {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
}

function fencedBlocks(text: string): readonly string[] {
  const blocks: string[][] = [];
  let isOpen = false;
  for (const { text: line, isCode } of linesOf(text)) {
    if (isCode && !isOpen) {
      blocks.push([]);
    }
    if (isCode) {
      blocks.at(-1)?.push(line);
    }
    isOpen = isCode;
  }
  return blocks.map((lines) => lines.join('\n'));
}

/** Returns the texts in a JSON value, without JSON escapes. */
function stringsOf(value: Json): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((each: Json) => stringsOf(each)) : [];
}
