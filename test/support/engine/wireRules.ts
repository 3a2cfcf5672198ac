import { createHash } from 'node:crypto';
import type { ExcludedParts } from '../../../src/engine/chat/excludedParts.js';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import type { ImagePart, Part, ReasoningPart, ToolResultPart } from '../../../src/engine/model/part.js';
import type { Block } from '../../../src/engine/model/block.js';
import type { Prompt, WireMessage } from '../../../src/engine/model/prompt.js';
import type { ToolMemory } from '../../../src/engine/request/toolMemory.js';
import type { Request } from '../../../src/engine/request/request.js';
import type { Model } from '../../../src/engine/model/model.js';

/*
 * The rules for requests, from the design and the block types only: this file uses the types of the engine, but none of
 * its code. engineReasoning.test.ts has the rules for models that bind their reasoning to a prefix. Each function
 * returns the faults of a prompt.
 */

export interface Taker {
  readonly model: Model;
  readonly missingImages: ReadonlySet<string>;
  readonly resultTexts: ReadonlyMap<string, string>;
  readonly toolMemory: ToolMemory;
  readonly excluded: ExcludedParts;
}

/** UTF-8 bytes of a tool's text, and of the text that replaces an omitted part. */
const MOST_SENT = 262_144;
const LONGEST_MARK = 200;

export function wireFaults(request: Request, messages: readonly SentMessage[], taker: Taker): string[] {
  const { prompt } = request;
  const { model } = taker;
  const held = heldIn(request, messages, taker);
  const forgotten = new Map([...forgottenIn(request, messages, taker)].filter(([id]) => held.some((message) => message.id === id)));
  const rememberedBy = { ...taker, forgotten };
  return [
    ...turnFaults(prompt.messages),
    ...prompt.messages.flatMap((message, index) => pairFaults(message, prompt.messages[index + 1])),
    ...orphanFaults(prompt.messages),
    ...prompt.messages.flatMap((message) => userContentFaults(message, model)),
    ...roleFaults(prompt),
    ...blocksOf(prompt).flatMap((block) => [...contentFaults(block, taker), ...hashFaults(block)]),
    ...reasoningFaults(prompt, messages, model),
    ...keyFaults(prompt),
    ...totalFaults(request, model),
    ...lossFaults(prompt, held, rememberedBy),
    ...adaptationFaults(request, held, rememberedBy),
    ...memoryFaults(request, { held, expected: forgotten, excluded: taker.excluded }),
  ];
}

export function blocksOf(prompt: Prompt): Block[] {
  return [...prompt.tools, ...prompt.system, ...prompt.messages.flatMap(({ blocks }) => blocks)];
}

function turnFaults(messages: readonly WireMessage[]): string[] {
  const faults: string[] = [];
  if (messages.length > 0 && messages[0]?.role !== 'user') {
    faults.push('the first message is not the user’s');
  }
  for (let index = 1; index < messages.length; index += 1) {
    if (messages[index]?.role === messages[index - 1]?.role) {
      faults.push(`messages ${index - 1} and ${index} have the same role`);
    }
  }
  return [...faults, ...messages.flatMap(({ blocks }, index) => (blocks.length === 0 ? [`message ${index} is empty`] : []))];
}

/** The next message starts with exactly the results of all calls, in order. */
function pairFaults(message: WireMessage, next: WireMessage | undefined): string[] {
  const calls = message.blocks.flatMap(({ part }) => (part.type === 'toolCall' ? [part.id] : []));
  const answers = (next?.blocks ?? []).slice(0, calls.length).map(({ part }) => (part.type === 'toolResult' ? part.callId : null));
  return calls.length === answers.length && calls.every((id, index) => id === answers[index])
    ? []
    : [`the calls ${calls.join(' ')} are followed by ${answers.join(' ')}`];
}

/** Each result has its call in the message before, once. */
function orphanFaults(messages: readonly WireMessage[]): string[] {
  const faults: string[] = [];
  for (const [index, message] of messages.entries()) {
    const open = new Set((messages[index - 1]?.blocks ?? []).map(({ part }) => (part.type === 'toolCall' ? part.id : null)));
    for (const { part } of message.blocks) {
      if (part.type === 'toolResult' && !open.delete(part.callId)) {
        faults.push(`the result of ${part.callId} is an orphan`);
      }
    }
  }
  return faults;
}

function userContentFaults({ role, blocks }: WireMessage, model: Model): string[] {
  const kinds = blocks.map(({ part }) => (part.type === 'toolResult' ? 'result' : 'content'));
  const lastResult = kinds.lastIndexOf('result');
  const firstContent = kinds.indexOf('content');
  if (role !== 'user' || lastResult === -1 || firstContent === -1) {
    return [];
  }
  if (!model.capabilities.userContentAfterToolResults) {
    return ['user content stands in a message with tool results'];
  }
  return firstContent < lastResult ? ['user content stands before tool results'] : [];
}

function roleFaults(prompt: Prompt): string[] {
  const allowed = { user: ['user', 'tool-results'], assistant: ['assistant'] } as const;
  const inMessages = prompt.messages.flatMap(({ role, blocks }) =>
    blocks.filter((block) => !(allowed[role] as readonly string[]).includes(block.role)),
  );
  const misplaced = [
    ...prompt.tools.filter((block) => block.role !== 'tools'),
    ...prompt.system.filter((block) => block.role !== 'system'),
    ...inMessages,
    ...blocksOf(prompt).filter((block) => (block.role === 'tool-results') !== (block.part.type === 'toolResult')),
  ];
  return misplaced.map(({ key, role }) => `${key} stands where no block of role ${role} may`);
}

function contentFaults({ key, part }: Block, taker: Taker): string[] {
  if (!taker.model.capabilities.tools && (part.type === 'toolCall' || part.type === 'toolResult')) {
    return [`${key} is a ${part.type}`];
  }
  const contents = part.type === 'toolResult' ? part.content : [part];
  return contents.flatMap((content) => {
    if (content.type === 'text' && content.text.trim() === '') {
      return [`${key} holds empty text`];
    }
    if (part.type === 'toolResult' && content.type === 'text' && Buffer.byteLength(content.text) > MOST_SENT + LONGEST_MARK) {
      return [`${key} is too large a result`];
    }
    return content.type === 'image' && isBarred(content, taker) ? [`${key} is an image`] : [];
  });
}

/** Reasoning goes back signed and unchanged, to its own protocol and model. */
function reasoningFaults(prompt: Prompt, messages: readonly SentMessage[], model: Model): string[] {
  return blocksOf(prompt).flatMap(({ key, part, source }) => {
    if (part.type !== 'reasoning') {
      return [];
    }
    const original = source.from === 'message' ? messages.find(({ id }) => id === source.messageId)?.parts[source.part] : undefined;
    if (original?.type !== 'reasoning' || original.text !== part.text || original.opaque !== part.opaque) {
      return [`${key} is not the reasoning that was logged`];
    }
    const isOwn = original.protocol === model.protocol && original.model === model.ref.model;
    return isOwn && model.capabilities.reasoningReplay === 'always' && typeof original.opaque === 'string'
      ? []
      : [`${key} is unsigned or foreign reasoning`];
  });
}

function keyFaults(prompt: Prompt): string[] {
  const keys = blocksOf(prompt).map(({ key }) => key);
  return keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `the key ${key} is not unique`);
}

function hashFaults({ key, hash, role, part }: Block): string[] {
  const expected = createHash('sha256').update(canonical({ role, part }), 'utf8').digest('hex');
  return hash === expected ? [] : [`the hash of ${key} is not that of its content`];
}

/** Canonical JSON: object members sorted by name, no white space. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(',')}]`;
  }
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value);
  }
  const members: string[] = [];
  for (const [name, member] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (member !== undefined) {
      members.push(`${JSON.stringify(name)}:${canonical(member)}`);
    }
  }
  return `{${members.join(',')}}`;
}

function totalFaults({ prompt, framingTokens, size }: Request, model: Model): string[] {
  const { perRequest, perMessage, perTool } = model.capabilities.framing;
  const messages = prompt.messages.length + Math.min(prompt.system.length, 1);
  const framing = perRequest + perMessage * messages + perTool * prompt.tools.length;
  let total = framing;
  for (const { tokens } of blocksOf(prompt)) {
    total += tokens;
  }
  return [
    ...(framing === framingTokens ? [] : [`the framing is ${framing}, not ${framingTokens}`]),
    ...(total === size.counted ? [] : [`the total is ${total}, not ${size.counted}`]),
  ];
}

type Forgotten = ReadonlyMap<string, ReadonlySet<string>>;

interface RememberedBy extends Taker {
  readonly forgotten: Forgotten;
}

/** The messages without excluded turns. The adaptive layout can keep a whole excluded turn for a while, with a mark. */
function heldIn({ prompt, layout }: Request, messages: readonly SentMessage[], { excluded }: Taker): readonly SentMessage[] {
  const carried = blocksOf(prompt).filter(({ form, item }) => layout === 'adaptive' && form === 'carried' && item === null);
  const turns = new Set(
    messages.flatMap(({ id }) => (carried.some(({ key }) => key.includes(`:${id}/`)) ? [excluded.messages.get(id)?.turn] : [])),
  );
  return messages.filter(({ id }) => {
    const turn = excluded.messages.get(id)?.turn;
    return turn === undefined || turns.has(turn);
  });
}

/** The calls that the request must omit. The adaptive layout can keep them for a while, with a mark. */
function forgottenIn({ prompt, layout }: Request, messages: readonly SentMessage[], { toolMemory, excluded }: Taker): Forgotten {
  const { forgetAfterConclusions: most, pinned } = toolMemory;
  const forgotten = new Map<string, Set<string>>();
  const carried = new Set(
    blocksOf(prompt).flatMap(({ form, key }) =>
      layout === 'adaptive' && form === 'carried' ? [key.replace(/^(?:message|callText):/, '')] : [],
    ),
  );
  let conclusions = 0;
  for (const [at, message] of [...messages.entries()].toReversed()) {
    const behind = messages.slice(at + 1);
    const next = behind.findIndex(({ role }) => role !== 'tool-results');
    const round = [message, ...(next === -1 ? behind : behind.slice(0, next))];
    const isOld = most !== null && conclusions > most && !round.some(({ id }) => pinned.has(id));
    if (message.role === 'assistant' && !message.parts.some(({ type }) => type === 'toolCall')) {
      conclusions += 1;
    } else if (message.role === 'assistant') {
      const isWhole = isOld || excluded.messages.has(message.id);
      const gone = message.parts.flatMap((part, index) =>
        part.type === 'toolCall' &&
        (isWhole || excluded.calls.get(message.id)?.has(part.id) === true) &&
        !carried.has(`${message.id}/${index}`)
          ? [part.id]
          : [],
      );
      if (gone.length > 0) {
        forgotten.set(message.id, new Set(gone));
      }
    }
  }
  return forgotten;
}

interface Remembered extends Pick<Taker, 'excluded'> {
  readonly held: readonly SentMessage[];
  readonly expected: Forgotten;
}

function lacksAll({ parts }: SentMessage, gone: ReadonlySet<string> | undefined): boolean {
  return gone !== undefined && parts.every((part) => part.type !== 'toolCall' || gone.has(part.id));
}

/** The request reports exactly the tool calls that it omits: all calls of a reply, or single ones. */
function memoryFaults({ forgotten, prompt, layout }: Request, { held, expected, excluded }: Remembered): string[] {
  const stays = (id: string): boolean => !excluded.messages.has(id);
  const named = forgotten.flatMap(({ messageId, callId }) => (stays(messageId) ? [callId ?? messageId] : []));
  const due = held.flatMap((message) => {
    const gone = stays(message.id) ? expected.get(message.id) : undefined;
    return gone === undefined ? [] : lacksAll(message, gone) ? [message.id] : [...gone];
  });
  const isCarrying = blocksOf(prompt).some(({ form }) => form === 'carried');
  return [
    ...(named.join(' ') === due.join(' ') ? [] : [`forgotten are ${named.join(' ')}, not ${due.join(' ')}`]),
    ...(isCarrying && layout !== 'adaptive' ? ['what is forgotten is carried'] : []),
  ];
}

/** Everything that can be sent is there, once and in order. A pointer to an equal result counts as the result. */
function lossFaults(prompt: Prompt, messages: readonly SentMessage[], taker: RememberedBy): string[] {
  const sent = prompt.messages.flatMap(({ blocks }) =>
    blocks.flatMap(({ source, key, part }) => {
      if (source.from === 'message') {
        return [`${source.messageId}/${source.part}`];
      }
      const isReplyImage = key.startsWith('replyImage:') && part.type === 'image';
      return key.startsWith('repeat:') ? [key.slice('repeat:'.length)] : isReplyImage ? [key.slice(key.indexOf('/') + 1)] : [];
    }),
  );
  const expected = sendable(messages, taker);
  return sent.join(' ') === expected.join(' ') ? [] : [`sent were ${sent.join(' ')}, not ${expected.join(' ')}`];
}

/**
 * Returns the parts that reach the model unchanged, as `message/part`, in the expected order. The images of a reply are
 * in the next user message.
 */
function sendable(messages: readonly SentMessage[], taker: RememberedBy): string[] {
  let images: readonly string[] = [];
  return messages.flatMap((message, at) => {
    if (message.role === 'tool-results') {
      return [];
    }
    const before = message.role === 'user' ? images : [];
    const shown = message.parts.flatMap((part, index) =>
      part.type === 'image' && !isBarred(part, taker) ? [`${message.id}/${index}`] : [],
    );
    images = message.role === 'user' ? [] : [...images, ...shown];
    const gone = taker.forgotten.get(message.id);
    const isForgotten = lacksAll(message, gone);
    const own = message.parts.flatMap((part, index) => {
      const isLater = message.role === 'assistant' && part.type === 'image';
      const isGone = isLater || (isForgotten && part.type !== 'text') || (part.type === 'toolCall' && gone?.has(part.id) === true);
      return isGone || isBarredPart(part, taker) ? [] : [`${message.id}/${index}`];
    });
    const calls = message.parts.flatMap((part) => (part.type === 'toolCall' && gone?.has(part.id) !== true ? [part.id] : []));
    return [...before, ...own, ...calls.flatMap((id) => firstResult(messages.slice(at + 1), id, taker))];
  });
}

/** Whether the model cannot take a part as logged. */
function isBarredPart(part: Part, taker: Taker): boolean {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '';
    case 'image':
      return isBarred(part, taker);
    case 'toolCall':
      return !taker.model.capabilities.tools;
    case 'reasoning':
      return !isReplayable(part, taker.model);
    case 'toolResult':
      return false;
  }
}

function isReplayable({ opaque, protocol, model: name }: ReasoningPart, model: Model): boolean {
  return opaque !== null && model.capabilities.reasoningReplay === 'always' && protocol === model.protocol && name === model.ref.model;
}

/** Returns the first result of a call among the result messages right after it. */
function firstResult(after: readonly SentMessage[], callId: string, taker: Taker): string[] {
  const located = locateResult(after, callId);
  if (located === null || !taker.model.capabilities.tools) {
    return [];
  }
  const isAdapted = located.content.some(
    (item) => (item.type === 'image' && isBarred(item, taker)) || (item.type === 'blob' && !taker.resultTexts.has(item.blob)),
  );
  return isAdapted ? [] : [located.place];
}

interface Located {
  readonly place: string;
  readonly content: ToolResultPart['content'];
}

function locateResult(after: readonly SentMessage[], callId: string): Located | null {
  for (const message of after) {
    if (message.role !== 'tool-results') {
      return null;
    }
    const index = message.parts.findIndex((part) => part.callId === callId);
    const part = message.parts[index];
    if (part !== undefined) {
      return { place: `${message.id}/${index}`, content: part.content };
    }
  }
  return null;
}

function isBarred({ blob }: Pick<ImagePart, 'blob'>, { model, missingImages }: Taker): boolean {
  return !model.capabilities.images || missingImages.has(blob);
}

/** A part is reported as adapted exactly when the model cannot take it. */
function adaptationFaults({ adaptations }: Request, messages: readonly SentMessage[], taker: RememberedBy): string[] {
  const { model, forgotten } = taker;
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const said = messages.flatMap((message, at): readonly Part[] => {
    const isForgotten = lacksAll(message, forgotten.get(message.id));
    return message.role === 'tool-results'
      ? []
      : message.parts.filter((part) => (part.type === 'image' ? message.role === 'user' || at < lastUser : !isForgotten));
  });
  const calls = messages.flatMap((message, at) =>
    message.role !== 'assistant'
      ? []
      : message.parts.flatMap((part) =>
          part.type === 'toolCall' && forgotten.get(message.id)?.has(part.id) !== true ? [{ id: part.id, at }] : [],
        ),
  );
  const answers = calls.flatMap(({ id, at }) => locateResult(messages.slice(at + 1), id)?.content ?? []);
  const foreign = said.filter((part) => part.type === 'reasoning' && (part.protocol !== model.protocol || part.model !== model.ref.model));
  const expected = {
    reasoningLeftOut: foreign.length,
    reasoningOutdated: 0,
    imagesLeftOut: [...said, ...answers].filter((part) => part.type === 'image' && isBarred(part, taker)).length,
    resultsCut: answers.filter((part) => part.type === 'blob' && taker.resultTexts.has(part.blob) && part.bytes > MOST_SENT).length,
    resultsMissing: answers.filter((part) => part.type === 'blob' && !taker.resultTexts.has(part.blob)).length,
    toolPartsAsText: model.capabilities.tools ? 0 : 2 * calls.length,
  };
  return canonical(adaptations) === canonical(expected) ? [] : [`adapted are ${canonical(adaptations)}, not ${canonical(expected)}`];
}
