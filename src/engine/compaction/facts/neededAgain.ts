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
import { keptIn } from './keptIn.js';
import { linesOf } from './lines.js';

/** What was needed again of what a summary dropped. */
export interface NeededAgain {
  /** Number of paths and of names in code that were named again. */
  readonly paths: number;
  readonly identifiers: number;
  /**
   * Tokens that brought their contents anew: the results of tool calls whose arguments name one, and the fenced blocks that name
   * one in messages of the user. Files of the context and later requests, which send them once more, are not in it.
   */
  readonly tokens: number;
}

/** Tokens of a text, and of what a tool returned. */
export interface Measure {
  text(text: string): number;
  content(content: ToolResultContent): number;
}

/** Counts what was needed again, message by message. Reads each message once. */
export class NeededAgainCount {
  readonly #dropped: readonly Fact[];
  readonly #again = new Set<Fact>();
  /** Ids of the calls that name what was dropped. */
  readonly #calls = new Set<string>();
  #tokens = 0;

  /** `dropped` are the facts that requests no longer hold; paths and identifiers count, for they say what is looked up anew. */
  constructor(dropped: readonly Fact[]) {
    this.#dropped = dropped.filter(({ kind }) => kind === 'path' || kind === 'identifier');
  }

  get figures(): NeededAgain {
    const again = [...this.#again];
    const paths = again.filter(({ kind }) => kind === 'path').length;
    return { paths, identifiers: again.length - paths, tokens: this.#tokens };
  }

  /** Adds the next message behind the summary. */
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

  /** Whether the text names something that was dropped, which then was needed again. */
  #names(text: string): boolean {
    const found = this.#dropped.filter(keptIn(text));
    for (const fact of found) {
      this.#again.add(fact);
    }
    return found.length > 0;
  }
}

function textsOf(parts: UserMessage['parts'] | AssistantMessage['parts']): readonly string[] {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
}

/** The fenced blocks of a text, with their fences. */
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

/** The texts in a JSON value: as JSON they would have escapes. */
function stringsOf(value: Json): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((each: Json) => stringsOf(each)) : [];
}
