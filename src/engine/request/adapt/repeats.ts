import type { AssistantMessage } from '../../chat/message/message.js';
import { fileContent } from '../../context/fileChange.js';
import type { ToolCallPart, ToolResultPart } from '../../model/part.js';
import type { Block, WirePart } from '../../model/block.js';
import type { TextDifferences } from '../../ports.js';
import { nameInKey } from '../../record/item.js';
import type { BlockFactory } from '../blockFactory.js';
import type { LocatedResult } from '../gather.js';
import { AskedCalls, callKey } from './askedCalls.js';
import { comparedLines, heldResult, LONGEST_DIFFERENCE, ownLines, type HeldLines, type HeldResult } from './heldTexts.js';
import { pointerKey, type SentContents } from './sentContents.js';
import { nameIn, shownArguments, shownCall } from './shownCall.js';

/** Minimum characters of a result that a pointer replaces: about 200 tokens. Not tokens: counters of models differ. */
const LEAST_CHARACTERS = 800;

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

/** A tool result that a request replaces by a pointer to other content of the request. */
export interface RepeatedResult {
  /** Id of the reply that made the call. */
  readonly replyId: string;
  /** Key of the block with the pointer. */
  readonly key: string;
  /** Key of the block with the other content, for content of the conversation. Null for a context item. */
  readonly source: string | null;
  readonly messageId: string;
  readonly callId: string;
  /** The other content, without its call: `result 1`, `the copy of a.ts`, or `a.ts after its next change`. */
  readonly of: string;
  /** The call of the other content. Null for a context item. */
  readonly ofCall: ToolCallPart | null;
  /** Whether the result differs from the other content. The pointer then contains the difference. */
  readonly isChanged: boolean;
  /** Tokens that the request saves, by the model's counter. */
  readonly saved: number;
}

export interface RepeatRules {
  readonly isOn: boolean;
  readonly sent: SentContents;
  readonly differences: TextDifferences;
}

type Target = Pick<RepeatedResult, 'of' | 'ofCall' | 'source'>;

/** Content that the request holds in full. */
interface HeldContent extends Target {
  /** The name and place in pointers: `result 1 of read_file {"path":"a.ts"} above`. */
  readonly label: string;
  /** Returns the lines, or null if they cannot be read. Called only when a result may repeat them. */
  readonly lines: () => HeldLines | null;
  /** The tool of a result. Null for a context item, and for content that the model wrote in a call. */
  readonly tool: string | null;
}

/** The next copy or change of a context item, which comes directly after the results of the current reply. */
interface NextItem {
  readonly hash: string;
  readonly content: HeldContent;
}

interface Pointer extends Target, Pick<RepeatedResult, 'isChanged'> {
  readonly text: string;
}

type WireResult = Extract<WirePart, { readonly type: 'toolResult' }>;

/**
 * Replaces tool results that repeat earlier content of the same request: an equal result of the same tool, a context
 * file, or content that the model wrote in a call. For a result that differs in a few lines, the pointer has the
 * difference. If a context file changed before the model read it, its change follows directly after the results. The
 * pointer then refers to this change, so that the difference is sent once.
 *
 * The first occurrence always stays in full. If it leaves the request, the next one is sent in full. Whether a result
 * is replaced depends only on the content up to the next message, and on `sent`: until a rebuild of the prompt, a
 * result in full stays so, and a pointer never changes to refer to a later change. Use one instance per request, and
 * pass its contents in the order of sending.
 */
export class Repeats {
  readonly found: RepeatedResult[] = [];
  readonly rules: RepeatRules;
  readonly #factory: BlockFactory;
  readonly #byContent = new Map<string, HeldContent>();
  readonly #byCall = new Map<string, HeldContent>();
  /** The contents of context items by name, after their latest copies and changes. Null if a text is unreadable. */
  readonly #items = new Map<string, () => string | null>();
  /** Files and other named contents: copies of context items, contents that calls wrote, results of reads. */
  readonly #byName = new Map<string, HeldContent>();
  /** Number of results, or of written contents, by the text that names their call. Long arguments are cut there. */
  readonly #counts = new Map<string, number>();
  readonly #asked = new AskedCalls();
  #next: ReadonlyMap<string, NextItem> = new Map();
  #replyId = '';

  constructor(rules: RepeatRules, factory: BlockFactory) {
    this.rules = rules;
    this.#factory = factory;
  }

  /** Notes the context files and pages among these blocks. */
  addItems(blocks: readonly Block[]): void {
    for (const block of this.rules.isOn ? blocks : []) {
      const name = itemName(block);
      if (name !== null) {
        const content = this.#contentOf(block, name);
        this.#items.set(name, content);
        const of = `the copy of ${name}`;
        this.#byName.set(name, itemContent(block, content, { of, label: `${of} above` }));
      }
    }
  }

  #contentOf(block: Block, name: string): () => string | null {
    const before = this.#items.get(name);
    return once(() => fileContent(block, before?.() ?? null, this.rules.differences));
  }

  /**
   * Begins the next reply. Notes the contents that its calls wrote. `held`: the calls that the request contains.
   * `next`: the blocks directly after the results.
   */
  beginReply(message: AssistantMessage, held: readonly ToolCallPart[], next: readonly Block[]): void {
    if (!this.rules.isOn) {
      return;
    }
    this.#replyId = message.id;
    this.#next = this.#nextItems(next);
    this.#asked.beginReply(held);
    for (const call of held) {
      const name = nameIn(call.args);
      const { content, ...others } = call.args ?? {};
      if (name !== null && typeof content === 'string') {
        const source = `message:${message.id}/${String(message.parts.indexOf(call))}`;
        const shown = `${call.name} ${shownArguments(others)}`;
        const number = this.#nextNumber(`content of ${shown}`);
        const earlier = { of: `the content in call ${number}`, ofCall: call, source };
        const label = `the content in your call ${number} of ${shown} above`;
        this.#byName.set(name, { label, ...earlier, lines: () => ownLines(call, content), tool: null });
      }
    }
  }

  /** Returns the first copy or change of each item in `next`, by name. */
  #nextItems(next: readonly Block[]): ReadonlyMap<string, NextItem> {
    const items = new Map<string, NextItem>();
    for (const block of next) {
      const name = itemName(block);
      if (name !== null && !items.has(name)) {
        const of = block.copyHash === undefined ? `the next copy of ${name}` : `${name} after its next change`;
        const content = itemContent(block, this.#contentOf(block, name), { of, label: `${of} below` });
        items.set(name, { hash: block.hash, content });
      }
    }
    return items;
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
    const pointer = this.#staysFull(block) ? null : this.#pointerFor(held, call, pointerKey(located));
    if (pointer !== null) {
      this.#asked.replaced(call);
      return [this.#pointerBlock(pointer, located, block, sent)];
    }
    this.#hold(held, { of, ofCall: call, source: block.key, label: `${of} of ${shown} above`, tool: call.name }, call);
    return blocks;
  }

  /** Whether a result stays in full, because the model asked for it or the last request has it in full. */
  #staysFull({ key }: Block): boolean {
    return this.#asked.isAsked || this.rules.sent.inFull.has(key);
  }

  #pointerBlock({ text, ...pointer }: Pointer, located: LocatedResult, full: Block, sent: WireResult): Block {
    const { messageId, part } = located;
    const key = pointerKey(located);
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

  /** Returns the pointer with this key for a result, or null. Prefers equal content to a difference. */
  #pointerFor(held: HeldResult, call: ToolCallPart, key: string): Pointer | null {
    if (held.characters < LEAST_CHARACTERS) {
      return null;
    }
    const same = this.#byContent.get(held.key);
    if (same !== undefined) {
      return { ...targetOf(same), text: `[The same as ${same.label}.${askFor(call)}]`, isChanged: false };
    }
    const { lines } = held;
    const name = nameIn(call.args) ?? '';
    const known = new Set([this.#byCall.get(callKey(call)), this.#byName.get(name), this.#nextContent(name, key)]);
    const pointers = [...known].flatMap((content) => {
      const pointer = content === undefined || lines === null ? null : this.#pointerTo(content, lines, call);
      return pointer !== null && pointer.text.length <= held.characters * LONGEST_DIFFERENCE ? [pointer] : [];
    });
    return pointers.find(({ isChanged }) => !isChanged) ?? pointers[0] ?? null;
  }

  /** Returns the next content of an item. Undefined for a pointer that the last request had without this content. */
  #nextContent(name: string, key: string): HeldContent | undefined {
    const { pointers, items } = this.rules.sent;
    const next = this.#next.get(name);
    return next !== undefined && (items.has(next.hash) || !pointers.has(key)) ? next.content : undefined;
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
        ...targetOf(content),
        text: `[The same as ${label}, except for ${what}.${askFor(call)}]\n${compared.change}${note}`,
        isChanged: true,
      };
    }
    const { from, to } = compared;
    const part = from === null ? '' : `lines ${String(from)} to ${String(to)} of `;
    // Otherwise the pointer would not say that later lines of the earlier text no longer exist.
    const end = from !== null && isToEnd(call, now) ? ' These are the last lines.' : '';
    const text = `[The same as ${part}${label}.${end}${askFor(call)}]${note}`;
    return { ...targetOf(content), of: `${part}${content.of}`, text, isChanged: false };
  }
}

function targetOf({ of, ofCall, source }: HeldContent): Target {
  return { of, ofCall, source };
}

/** Returns the name of the context file or page in a block. Null for other blocks. */
function itemName({ category, item }: Block): string | null {
  return category === 'files' && item !== null ? nameInKey(item) : null;
}

function itemContent({ part }: Block, content: () => string | null, named: Pick<HeldContent, 'of' | 'label'>): HeldContent {
  const lines = (): HeldLines | null => {
    const text = content();
    return text === null ? null : ownLines(part, text);
  };
  return { ...named, ofCall: null, lines, tool: null, source: null };
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

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
