import type { Usage } from '../../engine/model/usage.js';
import { type Json, type JsonObject, isObject } from '../../engine/json.js';
import type { Model, ReasoningReplay, ReplyStreamPart, StopReason, StreamPart } from '../../engine/model/model.js';
import { Extras } from '../extras.js';
import { itemsOf, member, textMember, wordsMember } from '../json.js';
import { UsageReports } from '../laterUsage.js';
import { serviceTier } from '../usageMembers.js';
import { imageIn, sourcesIn } from './besideReply.js';
import {
  type ReasoningForm,
  type ReasoningPiece,
  callSeal,
  isSealed,
  joinedForm,
  opaqueOf,
  reasoningIn,
  thinkingPart,
} from './reasoning.js';
import { type TaggedPiece, ThinkTags } from './thinkTags.js';
import { ToolCallDeltas, isEmptyItem } from './toolCallDeltas.js';
import { normalizeUsage, usageIn } from './usage.js';

/**
 * Stop reasons by the server's word in lower case. OpenAI: `stop`, `length`, `tool_calls`, `function_call` and
 * `content_filter`. Others: Anthropic and Gemini behind gateways, Together (`eos`), Mistral (`model_length`). Unknown
 * words, such as DeepSeek's `insufficient_system_resource` or vLLM's `abort`, become `other`, and the chat shows the
 * word.
 */
const REASONS: Readonly<Record<string, StopReason>> = {
  stop: 'end',
  end_turn: 'end',
  stop_sequence: 'end',
  eos: 'end',
  complete: 'end',
  completed: 'end',
  tool_calls: 'toolCalls',
  tool_call: 'toolCalls',
  tool_use: 'toolCalls',
  function_call: 'toolCalls',
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  content_filter: 'refused',
  refusal: 'refused',
  safety: 'refused',
  recitation: 'refused',
  blocklist: 'refused',
  prohibited_content: 'refused',
  spii: 'refused',
  sensitive: 'refused',
};

function stopReasonOf(finishReason: string): StopReason {
  const word = finishReason.toLowerCase();
  return Object.hasOwn(REASONS, word) ? (REASONS[word] ?? 'other') : 'other';
}

interface OpenReasoningPart {
  readonly type: 'reasoning';
  readonly index: number;
  readonly key: string;
  form: ReasoningForm;
  text: string;
}

/** The text or reasoning part that still grows. The reader adds pieces of the same kind to this part. */
type OpenPart = { readonly type: 'text'; readonly index: number } | OpenReasoningPart;

/**
 * Converts the chunks of one reply to stream parts, without I/O. Reads only the first choice, because Loupe requests
 * only one. A whole reply in one chunk works, too. Does not handle errors in the stream, see `errorIn`.
 */
export class CompletionsReplyReader {
  readonly #replay: ReasoningReplay;
  readonly #explicitCache: boolean;
  readonly #calls = new ToolCallDeltas(() => this.#nextPart());
  readonly #tags = new ThinkTags();
  readonly #extras = new Extras();
  #parts = 0;
  #open: OpenPart | null = null;
  /** Reasoning without a signature. A later tool call or the end of the reply decides whether requests contain it. */
  readonly #unsigned: OpenReasoningPart[] = [];
  #isSealed = false;
  /** Whether the server sends the member `reasoning_content`, even empty. */
  #hasReasoningMember = false;
  #hasReasoned = false;
  #refused = false;
  #finishReason: string | null = null;
  #responseId: string | null = null;
  /** The service tier. Chat Completions sends it next to the usage, gateways to Anthropic send it inside the usage. */
  #serviceTier: string | null = null;
  readonly #usage = new UsageReports();

  constructor({ capabilities }: Model) {
    this.#replay = capabilities.reasoningReplay;
    this.#explicitCache = capabilities.cache.kind === 'marks';
  }

  /** Whether the server sent a finish reason. A reply without a finish reason is incomplete. Usage can still follow. */
  get isFinished(): boolean {
    return this.#finishReason !== null;
  }

  take(chunk: unknown): StreamPart[] {
    this.#responseId ??= wordsMember(chunk, 'id');
    this.#serviceTier = wordsMember(chunk, 'service_tier') ?? this.#serviceTier;
    const choice = itemsOf(member(chunk, 'choices')).find((item) => (member(item, 'index') ?? 0) === 0);
    const delta = this.#delta(choice);
    this.#extras.take(sourcesIn(chunk, delta));
    const parts: StreamPart[] = [...this.#reasoning(delta), ...this.#content(delta), ...this.#images(delta), ...this.#toolCalls(delta)];
    this.#finishReason = wordsMember(choice, 'finish_reason') ?? this.#finishReason;
    return [...parts, ...this.#takeUsage(usageIn(chunk, choice))];
  }

  /** Returns the last parts of the reply at the end of the stream. An incomplete reply has no end part. */
  end(): StreamPart[] {
    const held = this.#tags.end('end').flatMap((piece) => this.#tagged(piece));
    if (this.#finishReason === null) {
      return [...held, ...this.#calls.end()];
    }
    const stopReason = this.#stopReason(this.#finishReason);
    // The output limit cut the reasoning off, so later requests do not contain it.
    const closing = stopReason === 'length' ? [] : [...this.#close(), ...this.#signRest()];
    const { raw: rawUsage, shrunk } = this.#usage;
    const usage = rawUsage === null ? null : this.#normalized(rawUsage);
    const extras = this.#extras.all;
    const told = extras.length === 0 ? {} : { extras };
    const end = { type: 'end', stopReason, usage, rawUsage, responseId: this.#responseId, ...shrunk, ...told } as const;
    return [...held, ...closing, ...this.#calls.end(), stopReason === 'other' ? { ...end, finishReason: this.#finishReason } : end];
  }

  /**
   * Returns the new content of a choice. Reads a whole message only without a delta and earlier parts, because
   * Perplexity repeats the message so far next to each delta.
   */
  #delta(choice: unknown): unknown {
    const delta = member(choice, 'delta');
    const isEmpty = !isObject(delta) || Object.keys(delta).length === 0;
    return isEmpty && this.#parts === 0 ? (member(choice, 'message') ?? delta) : delta;
  }

  #nextPart(): number {
    this.#parts += 1;
    return this.#parts - 1;
  }

  #reasoning(delta: unknown): ReplyStreamPart[] {
    this.#hasReasoningMember ||= textMember(delta, 'reasoning_content') !== null;
    return reasoningIn(delta).flatMap((piece) => this.#reasoningPiece(piece));
  }

  #reasoningPiece(piece: ReasoningPiece): ReplyStreamPart[] {
    if (this.#open?.type === 'reasoning' && this.#open.key === piece.key) {
      const open = this.#open;
      open.form = joinedForm(open.form, piece.form);
      const text = newText(open, piece);
      open.text += text;
      return text === '' ? [] : [{ type: 'reasoning', index: open.index, text }];
    }
    if (piece.text === '' && !isSealed(piece.form)) {
      // Skips an item without text or signature, such as the first item of OpenRouter.
      return [];
    }
    const closing = this.#close();
    const index = this.#nextPart();
    this.#hasReasoned = true;
    this.#open = { type: 'reasoning', index, ...piece };
    return [...closing, { type: 'reasoning', index, text: piece.text }];
  }

  /** Reads the text and the reasoning in the content. Some servers send the content as a list of parts. */
  #content(delta: unknown): ReplyStreamPart[] {
    const content = member(delta, 'content');
    const refusal = wordsMember(delta, 'refusal') ?? '';
    this.#refused ||= refusal !== '';
    const items = typeof content === 'string' ? [content] : itemsOf(content);
    return [...items.flatMap((item) => this.#contentItem(item)), ...this.#text(refusal)];
  }

  #contentItem(item: Json): ReplyStreamPart[] {
    const thinking = thinkingPart(item);
    if (thinking !== null) {
      return this.#reasoningPiece(thinking);
    }
    const text = typeof item === 'string' ? item : (wordsMember(item, 'text') ?? '');
    return text === '' ? this.#image(item) : this.#tags.take(text).flatMap((piece) => this.#tagged(piece));
  }

  #images(delta: unknown): ReplyStreamPart[] {
    return itemsOf(member(delta, 'images')).flatMap((item) => this.#image(item));
  }

  #image(item: Json): ReplyStreamPart[] {
    const image = imageIn(item);
    if (image === null) {
      return [];
    }
    const held = this.#tags.end('end').flatMap((piece) => this.#tagged(piece));
    return [...held, ...this.#close(), { type: 'image', index: this.#nextPart(), ...image }];
  }

  #tagged(piece: TaggedPiece): ReplyStreamPart[] {
    if ('ends' in piece) {
      return this.#endedReasoning(piece.ends, piece.text);
    }
    const { tag, text } = piece;
    return tag === null ? this.#text(text) : this.#reasoningPiece({ key: 'tag', text, form: { as: 'tag', tag } });
  }

  /** Turns the text before a closing tag into reasoning. After other parts, the tag stays text. */
  #endedReasoning(tag: string, text: string): ReplyStreamPart[] {
    if (this.#open?.type !== 'text' || this.#parts > 1) {
      return this.#text(text);
    }
    const { index } = this.#open;
    this.#hasReasoned = true;
    this.#open = { type: 'reasoning', index, key: 'tag', text: '', form: { as: 'tag', tag } };
    return [{ type: 'reasoning', index, text: '' }];
  }

  #text(text: string): ReplyStreamPart[] {
    if (text === '') {
      return [];
    }
    if (this.#open?.type === 'text') {
      return [{ type: 'text', index: this.#open.index, text }];
    }
    const closing = this.#close();
    const index = this.#nextPart();
    this.#open = { type: 'text', index };
    return [...closing, { type: 'text', index, text }];
  }

  #toolCalls(delta: unknown): ReplyStreamPart[] {
    const legacy = member(delta, 'function_call');
    // An older form of a single tool call, which some servers still send.
    const older = isObject(legacy) ? [{ function: legacy }] : [];
    // Skips empty items, which some servers send next to the text.
    const pieces = [...itemsOf(member(delta, 'tool_calls')), ...older].filter((item) => !isEmptyItem(item));
    if (pieces.length === 0) {
      return [];
    }
    const held = this.#tags.end('call').flatMap((piece) => this.#tagged(piece));
    const before = this.#parts;
    const parts = pieces.flatMap((piece) => [...this.#calls.take(piece), ...this.#seal(piece)]);
    // Only a new call ends the current text, not a piece of an earlier call. Reasoning before a call is complete. Later
    // requests contain it with the call, even if the reply is stopped or cut later.
    return [...held, ...(this.#parts === before ? parts : [...this.#close(), ...parts, ...this.#signRest()])];
  }

  /** Returns the signature of the latest call as reasoning without text, for later requests. */
  #seal(piece: Json): ReplyStreamPart[] {
    const members = callSeal(piece);
    const callId = this.#calls.latestId;
    if (members === undefined || callId === null || this.#replay === 'never') {
      return [];
    }
    return [signed(this.#nextPart(), { as: 'call', callId, members })];
  }

  #close(): ReplyStreamPart[] {
    const open = this.#open;
    this.#open = null;
    if (open?.type !== 'reasoning' || this.#replay === 'never') {
      return [];
    }
    const isOfThis = isSealed(open.form);
    this.#isSealed ||= isOfThis;
    if (isOfThis || this.#replay !== 'needed') {
      return [signed(open.index, open.form)];
    }
    this.#unsigned.push(open);
    return [];
  }

  /** Returns unsigned reasoning for later requests: all if the reply has calls, else list items if some are signed. */
  #signRest(): ReplyStreamPart[] {
    return [
      ...this.#unsigned
        .splice(0)
        .filter(({ form }) => !this.#calls.isEmpty || (this.#isSealed && 'item' in form))
        .map(({ index, form }) => signed(index, form)),
      ...this.#emptyReasoning(),
    ];
  }

  /** Returns an empty reasoning part: DeepSeek refuses calls without `reasoning_content`, even if it was empty. */
  #emptyReasoning(): ReplyStreamPart[] {
    if (!this.#hasReasoningMember || this.#hasReasoned || this.#calls.isEmpty || this.#replay === 'never') {
      return [];
    }
    this.#hasReasoned = true;
    return [signed(this.#nextPart(), { as: 'reasoning_content' })];
  }

  #takeUsage(reported: JsonObject | undefined): StreamPart[] {
    if (reported === undefined) {
      return [];
    }
    const rawUsage = this.#usage.take(reported);
    const usage = this.#normalized(rawUsage);
    return usage === null ? [] : [{ type: 'usage', usage, rawUsage, ...this.#usage.shrunk }];
  }

  #normalized(rawUsage: JsonObject): Usage | null {
    const usage = normalizeUsage(rawUsage, this.#explicitCache);
    const tier = serviceTier(
      this.#serviceTier ?? member(rawUsage, 'service_tier'),
      member(rawUsage, 'speed'),
      member(rawUsage, 'inference_geo'),
    );
    return usage === null ? null : { ...usage, ...tier };
  }

  #stopReason(finishReason: string): StopReason {
    const reason = stopReasonOf(finishReason);
    if (this.#refused && reason !== 'length') {
      return 'refused';
    }
    if (reason !== 'end' && reason !== 'toolCalls') {
      return reason;
    }
    // Some servers send `stop` for a reply with tool calls, too.
    return this.#calls.isEmpty ? 'end' : 'toolCalls';
  }
}

function signed(index: number, form: ReasoningForm): ReplyStreamPart {
  return { type: 'reasoningSigned', index, opaque: opaqueOf(form) };
}

/** Returns the new text of a piece. Removes earlier text, which MiniMax repeats in each piece. */
function newText({ text: known, form }: OpenReasoningPart, { text }: ReasoningPiece): string {
  const isCumulative = form.as === 'reasoning_details' && known.length > 0 && text.length > known.length && text.startsWith(known);
  return isCumulative ? text.slice(known.length) : text;
}
