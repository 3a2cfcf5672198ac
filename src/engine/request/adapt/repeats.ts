import { betweenPoints } from '../../chat/message/textBegin.js';
import type { AssistantMessage } from '../../chat/message/message.js';
import { fileContent } from '../../context/fileChange.js';
import type { JsonObject } from '../../json.js';
import type { ToolCallPart, ToolResultPart } from '../../model/part.js';
import type { Block, WirePart } from '../../model/block.js';
import type { TextDifferences } from '../../ports.js';
import { nameInKey } from '../../record/item.js';
import type { BlockFactory } from '../blockFactory.js';
import type { LocatedResult } from '../gather.js';
import type { SentRequest } from '../layout/situation.js';
import { AskedCalls, callKey } from './askedCalls.js';
import { comparedLines, heldResult, LONGEST_DIFFERENCE, ownLines, type HeldLines, type HeldResult } from './heldTexts.js';

/** Prefix of the key of a block that replaces a repeated tool result. */
export const REPEAT = 'repeat:';

/** Minimum characters of a result that a pointer replaces: about 200 tokens. Not tokens: counters of models differ. */
const LEAST_CHARACTERS = 800;

/** Maximum characters of the arguments in a pointer. They only have to show which call is meant. */
const MOST_ARGUMENTS = 200;

/** Maximum characters of one argument in a pointer. */
const MOST_ARGUMENT = 100;

const ASK = ' For the full text, repeat this call as the only call of your next reply.';

/** Loupe's tools that only read, by the names for models. Repeating a call of another tool can change something. */
export const READING_TOOLS: ReadonlySet<string> = new Set([
  'read_file',
  'list_files',
  'search_text',
  'fetch_page',
  'list_session_files',
  'get_session_file',
]);

/** A tool result that a request replaces by a pointer to earlier content of the request. */
export interface RepeatedResult {
  /** Id of the reply that made the call. */
  readonly replyId: string;
  /** Key of the block with the pointer. */
  readonly key: string;
  /** Key of the block with the earlier content, for content of the conversation. Null for a context item. */
  readonly source: string | null;
  readonly messageId: string;
  readonly callId: string;
  /** The earlier content, without its call: `result 1`, or `the copy of a.ts`. */
  readonly of: string;
  /** The call of the earlier content. Null for a context item. */
  readonly ofCall: ToolCallPart | null;
  /** Whether the result differs from the earlier content. The pointer then contains the difference. */
  readonly isChanged: boolean;
  /** Tokens that the request saves, by the model's counter. */
  readonly saved: number;
}

export interface RepeatRules {
  readonly isOn: boolean;
  /** Keys of results that stay in full, because the last request has them in full and they may be cached. */
  readonly sentInFull: ReadonlySet<string>;
  readonly differences: TextDifferences;
}

type Earlier = Pick<RepeatedResult, 'of' | 'ofCall' | 'source'>;

/** Content that the request holds in full. */
interface HeldContent extends Earlier {
  /** The name in pointers: `result 1 of read_file {"path":"a.ts"}`. */
  readonly label: string;
  /** Returns the lines, or null if they cannot be read. Called only when a result may repeat them. */
  readonly lines: () => HeldLines | null;
  /** The tool of a result. Null for a context item, and for content that the model wrote in a call. */
  readonly tool: string | null;
}

interface Pointer extends Earlier, Pick<RepeatedResult, 'isChanged'> {
  readonly text: string;
}

type WireResult = Extract<WirePart, { readonly type: 'toolResult' }>;

/**
 * Replaces tool results that repeat earlier content of the same request: an equal result of the same tool, a context
 * file, or content that the model wrote in a call. For a result that differs in a few lines, the pointer has the
 * difference.
 *
 * The first occurrence always stays in full. If it leaves the request, the next one is sent in full. Whether a result
 * is replaced depends only on earlier content, and on `sentInFull`: a result that the last request had in full stays so
 * until a rebuild of the prompt. Use one instance per request, and pass its contents in the order of sending.
 */
export class Repeats {
  readonly found: RepeatedResult[] = [];
  readonly rules: RepeatRules;
  readonly #factory: BlockFactory;
  readonly #byContent = new Map<string, HeldContent>();
  readonly #byCall = new Map<string, HeldContent>();
  /** Files and other named contents: copies of context items, contents that calls wrote, results of reads. */
  readonly #byName = new Map<string, HeldContent>();
  /** Number of results, or of written contents, by the text that names their call. Long arguments are cut there. */
  readonly #counts = new Map<string, number>();
  readonly #asked = new AskedCalls();
  #replyId = '';

  constructor(rules: RepeatRules, factory: BlockFactory) {
    this.rules = rules;
    this.#factory = factory;
  }

  /** Notes the context files and pages among these blocks. */
  addItems(blocks: readonly Block[]): void {
    for (const block of this.rules.isOn ? blocks : []) {
      if (block.category === 'files' && block.item !== null) {
        const name = nameInKey(block.item);
        const before = this.#byName.get(name);
        const lines = once(() => {
          const content = fileContent(block, before?.lines()?.raw ?? null, this.rules.differences);
          return content === null ? null : ownLines(block.part, content);
        });
        const label = `the copy of ${name}`;
        this.#byName.set(name, { label, of: label, ofCall: null, lines, tool: null, source: null });
      }
    }
  }

  /** Begins the next reply. Notes the contents that its calls wrote. `held`: the calls that the request contains. */
  beginReply(message: AssistantMessage, held: readonly ToolCallPart[]): void {
    if (!this.rules.isOn) {
      return;
    }
    this.#replyId = message.id;
    this.#asked.beginReply(held);
    for (const call of held) {
      const name = nameIn(call.args);
      const { content, ...others } = call.args ?? {};
      if (name !== null && typeof content === 'string') {
        const source = `message:${message.id}/${String(message.parts.indexOf(call))}`;
        const shown = `${call.name} ${shownArguments(others)}`;
        const number = this.#nextNumber(`content of ${shown}`);
        const earlier = { of: `the content in call ${number}`, ofCall: call, source };
        const label = `the content in your call ${number} of ${shown}`;
        this.#byName.set(name, { label, ...earlier, lines: () => ownLines(call, content), tool: null });
      }
    }
  }

  #nextNumber(of: string): string {
    const number = (this.#counts.get(of) ?? 0) + 1;
    this.#counts.set(of, number);
    return String(number);
  }

  /** Returns the blocks of a result, or a pointer to earlier content. Results without their full content stay. */
  result(call: ToolCallPart, located: LocatedResult | undefined, blocks: readonly Block[]): readonly Block[] {
    if (!this.rules.isOn) {
      return blocks;
    }
    const [block] = blocks;
    const shown = `${block?.part.type === 'toolResult' ? block.part.name : call.name} ${shownCall(call)}`;
    const of = `result ${this.#nextNumber(`result of ${shown}`)}`;
    const sent = block === undefined ? null : fullResult(block);
    if (block === undefined || sent === null || located === undefined || !canRepeat(located.part)) {
      return blocks;
    }
    const held = heldResult(located.part, sent);
    const pointer = this.#staysFull(block) ? null : this.#pointerFor(held, call);
    if (pointer !== null) {
      this.#asked.replaced(call);
      return [this.#pointerBlock(pointer, located, block, sent)];
    }
    this.#hold(held, { of, ofCall: call, source: block.key, label: `${of} of ${shown}`, tool: call.name }, call);
    return blocks;
  }

  /** Whether a result stays in full, because the model asked for it or the last request has it in full. */
  #staysFull({ key }: Block): boolean {
    return this.#asked.isAsked || this.rules.sentInFull.has(key);
  }

  #pointerBlock({ text, ...pointer }: Pointer, { messageId, index, part }: LocatedResult, full: Block, sent: WireResult): Block {
    const key = `${REPEAT}${messageId}/${String(index)}`;
    const origin = { key, role: full.role, category: full.category, item: null };
    const block = this.#factory.snapshotBlock(origin, { ...sent, content: [{ type: 'text', text }] });
    this.found.push({ replyId: this.#replyId, key, messageId, callId: part.callId, ...pointer, saved: full.tokens - block.tokens });
    return { ...block, form: full.form };
  }

  #hold({ key, lines, characters }: HeldResult, named: Omit<HeldContent, 'lines'>, call: ToolCallPart): void {
    if (characters < LEAST_CHARACTERS) {
      return;
    }
    const content: HeldContent = { ...named, lines: () => lines };
    this.#byContent.set(key, content);
    this.#byCall.set(callKey(call), content);
    const name = nameIn(call.args);
    // A result from the middle of a file, or with a note at its end, is not the whole file.
    if (name !== null && lines?.first === 1 && lines.rest === '') {
      this.#byName.set(name, content);
    }
  }

  #pointerFor(held: HeldResult, call: ToolCallPart): Pointer | null {
    if (held.characters < LEAST_CHARACTERS) {
      return null;
    }
    const same = this.#byContent.get(held.key);
    if (same !== undefined) {
      return { ...earlierOf(same), text: `[The same as ${same.label} above.${askFor(call)}]`, isChanged: false };
    }
    const known = [this.#byCall.get(callKey(call)), this.#byName.get(nameIn(call.args) ?? '')];
    for (const content of held.lines === null ? [] : new Set(known)) {
      const pointer = content === undefined || held.lines === null ? null : this.#pointerTo(content, held.lines, call);
      if (pointer !== null && pointer.text.length <= held.characters * LONGEST_DIFFERENCE) {
        return pointer;
      }
    }
    return null;
  }

  #pointerTo(content: HeldContent, now: HeldLines, call: ToolCallPart): Pointer | null {
    const { label, tool } = content;
    const before = content.lines();
    const compared = before === null ? null : comparedLines(now, before, this.rules.differences);
    if (compared === null || (compared.kind === 'changed' && tool !== null && tool !== call.name)) {
      return null;
    }
    const note = now.rest === '' ? '' : `\n${now.rest}`;
    if (compared.kind === 'changed') {
      const what = now.isNumbered ? 'this difference, without line numbers' : 'this difference';
      return {
        ...earlierOf(content),
        text: `[The same as ${label} above, except for ${what}.${askFor(call)}]\n${compared.change}${note}`,
        isChanged: true,
      };
    }
    const { from, to } = compared;
    const part = from === null ? '' : `lines ${String(from)} to ${String(to)} of `;
    // Otherwise the pointer would not say that later lines of the earlier text no longer exist.
    const end = from !== null && isToEnd(call, now) ? ' These are the last lines.' : '';
    const text = `[The same as ${part}${label} above.${end}${askFor(call)}]${note}`;
    return { ...earlierOf(content), of: `${part}${content.of}`, text, isChanged: false };
  }
}

function earlierOf({ of, ofCall, source }: HeldContent): Earlier {
  return { of, ofCall, source };
}

const SENT_IN_FULL = new WeakMap<SentRequest['blocks'], ReadonlySet<string>>();

/** Returns the keys of the tool results that the last request to the same model has in full. */
export function resultsSentInFull(last: SentRequest | null): ReadonlySet<string> {
  if (last?.isSameModel !== true) {
    return new Set();
  }
  const results = last.blocks.filter(({ role, source }) => role === 'tool-results' && source.from === 'message');
  const found = SENT_IN_FULL.get(last.blocks) ?? new Set(results.map(({ key }) => key));
  SENT_IN_FULL.set(last.blocks, found);
  return found;
}

/** Returns the content of a block with a full result. Null for a block with a note or reference in place of content. */
function fullResult({ source, part }: Block): WireResult | null {
  return source.from === 'message' && part.type === 'toolResult' ? part : null;
}

/** Whether a pointer can replace the result. The provider needs the references of tools that a result loads. */
export function canRepeat({ synthetic, content }: ToolResultPart): boolean {
  return !synthetic && content.every(({ type }) => type !== 'toolReference');
}

/** Returns the request to repeat a call, only for tools that surely change nothing. */
function askFor({ name }: ToolCallPart): string {
  return READING_TOOLS.has(name) ? ASK : '';
}

/** Whether the lines end where the file ends: the call has no limit, and no note says where to read on. */
function isToEnd({ args }: ToolCallPart, { rest }: HeldLines): boolean {
  return rest === '' && args?.['last_line'] === undefined;
}

/** Names of arguments that name a file. */
const NAMES = ['path', 'file_path', 'file', 'name', 'uri', 'url'];

function nameIn(args: JsonObject | null): string | null {
  const name = args === null ? undefined : NAMES.map((each) => args[each]).find((value) => typeof value === 'string');
  return typeof name === 'string' ? name.replace(/^(?:\.\/)+/, '') : null;
}

const SHOWN = new WeakMap<ToolCallPart, string>();

/** Returns the arguments of a call as they appear in a pointer. Cached, because arguments can be long. */
function shownCall(call: ToolCallPart): string {
  const shown = SHOWN.get(call) ?? shownArguments(call.args ?? {});
  SHOWN.set(call, shown);
  return shown;
}

/** Returns arguments as they appear in a pointer: long texts and long lists are cut. */
function shownArguments(args: JsonObject): string {
  const json = JSON.stringify(args, (_name, value: unknown) =>
    typeof value === 'string' && value.length > MOST_ARGUMENT ? cut(value, MOST_ARGUMENT) : value,
  );
  return json.length > MOST_ARGUMENTS ? cut(json, MOST_ARGUMENTS) : json;
}

function cut(text: string, most: number): string {
  return `${text.slice(0, betweenPoints(text, most))}…`;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
