import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { CacheRules } from '../../src/engine/model/cacheRules.js';
import { CHAT_SETTINGS } from '../../src/engine/chat/settings/config.js';
import type { SentMessage } from '../../src/engine/chat/message/message.js';
import { LAYOUTS } from '../../src/engine/request/layout/layouts.js';
import { NOTHING_SENT } from '../../src/engine/request/layout/situation.js';
import type { CatalogText, OfferedTool } from '../../src/engine/request/gather.js';
import type { Block } from '../../src/engine/model/block.js';
import type { Prompt } from '../../src/engine/model/prompt.js';
import { BlockFactory } from '../../src/engine/request/blockFactory.js';
import type { Capabilities, Model } from '../../src/engine/model/model.js';
import { ANTHROPIC_PROTOCOL } from '../../src/providers/anthropic/defaults.js';
import { depth } from '../support/depth.mjs';
import { anyRecord, situationAfter } from '../support/engine/anySituation.js';
import { FILES_LAST } from '../support/engine/layouts.js';
import { LARGE_RESULTS } from '../support/engine/largeResults.js';
import { markedCache } from '../support/engine/models.js';
import { characters, sha256 } from '../support/engine/ports.js';
import { requestOf, PLAIN, RecordedChat } from '../support/engine/requests.js';
import { anyMemory, memoryOf } from '../support/engine/toolMemories.js';
import { anyFiles } from '../support/engine/randomTranscript.js';
import { inRuns } from '../support/forAll.js';
import type { Loose } from '../support/wire/loose.js';
import { ORIGINS, PROTOCOLS, type Asked, type Protocol, type WireTool } from '../support/wire/protocols.js';
import { IMAGES, randomChat } from '../support/wire/randomChats.js';
import { anyTools, anyToolPool } from '../support/wire/randomTools.js';
import { manifestContentOf } from '../../src/engine/request/rebuild.js';
import { ownToolName, type ToolNames } from '../../src/engine/record/toolNames.js';
import { FIND_TOOLS } from '../../src/engine/tools/findTools.js';
import { user } from '../support/engine/messages.js';

const RUNS = depth({ short: 500, deep: 50_000 });
/** A bug planted in `toolNames.ts` (a name depends on other tools) shows within five continued chats. */
const LATER_RUNS = depth({ short: 50, deep: 2_500 });

const TIMEOUT_MS = depth({ short: 60_000, deep: 900_000 });

const anyCapabilities: fc.Arbitrary<Partial<Capabilities>> = fc.record({
  images: fc.constantFrom(true, true, false),
  tools: fc.constantFrom(true, true, true, false),
  userContentAfterToolResults: fc.boolean(),
  reasoningReplay: fc.constantFrom('always' as const, 'always' as const, 'always' as const, 'never' as const),
  cache: fc.constantFrom<CacheRules>(
    { kind: 'none' },
    markedCache({ most: 1, minimumTokens: 0 }),
    markedCache({ minimumTokens: 0 }),
    markedCache({ minimumTokens: 300 }),
  ),
});

/** Places of further or replacing breakpoints, and how many of them last an hour. */
const anyMarks = fc.option(fc.record({ places: fc.array(fc.nat(999), { minLength: 1, maxLength: 4 }), long: fc.nat(4) }), { nil: null });

const THINKING: readonly Asked['extraBody'][] = [
  {},
  { thinking: { type: 'enabled', budget_tokens: 1_024 } },
  { thinking: { type: 'enabled', budget_tokens: 6_000 } },
  { thinking: { type: 'enabled', budget_tokens: 8_000 } },
  { thinking: { type: 'enabled', budget_tokens: 40_000 } },
  { thinking: { type: 'adaptive' } },
  { thinking: { type: 'disabled' } },
];

const anySituation = fc.record({
  capabilities: anyCapabilities,
  layout: fc.constantFrom(LAYOUTS.plain, LAYOUTS.plain, LAYOUTS.tiered, FILES_LAST),
  before: anyRecord,
  memory: anyMemory,
  cacheMode: fc.constantFrom(...CHAT_SETTINGS.cacheMode.options).map(({ value }) => value),
  systemPrompt: fc.constantFrom('', 'You are a pilot.'),
  fragments: fc.constantFrom([], [{ key: 'fragment:a', text: 'Note.' }]),
  standing: fc.constantFrom([], [{ key: 'rule:AGENTS.md', category: 'rules' as const, text: 'Never.' }]),
  picked: fc.constantFrom<CatalogText[]>([], [{ key: 'rule:Tides', category: 'rules', text: 'In metres.' }]),
  files: anyFiles,
  missingImages: fc.constantFrom<readonly string[]>([], [], ['bb']),
  results: fc.subarray(LARGE_RESULTS.map(({ blob }) => blob)),
  tools: anyTools,
  /** Tools on demand, for protocols with these. */
  onDemand: fc.array(fc.boolean(), { maxLength: 5 }),
  marks: anyMarks,
  maxOutputTokens: fc.constantFrom(null, 1, 1_024, 6_001, 8_000, 32_000),
  extraBody: fc.constantFrom(...THINKING),
});

type Situation = typeof anySituation extends fc.Arbitrary<infer T> ? T : never;

function modelIn(situation: Situation, model: Model): Model {
  return { ...model, capabilities: { ...model.capabilities, ...situation.capabilities } };
}

function loadsTools({ protocol }: Model): boolean {
  return protocol === ANTHROPIC_PROTOCOL;
}

interface Said {
  readonly messages: readonly SentMessage[];
  readonly blocks: BlockFactory;
}

/** The engine's prompt with tools, and with breakpoints at random places. */
function promptOf(situation: Situation, model: Model, { messages, blocks }: Said): Prompt {
  const input = {
    ...situation,
    model,
    messages,
    ...memoryOf(situation.memory, messages),
    missingImages: new Set(situation.missingImages),
    resultTexts: new Map(situation.results.map((name) => [name, `The text of ${name}.`])),
    onDemand: new Set(situation.tools.flatMap(({ key }, at) => (loadsTools(model) && situation.onDemand[at] === true ? [key] : []))),
  };
  const isTiered = situation.layout === LAYOUTS.tiered;
  const last = isTiered ? situationAfter(requestOf(input, blocks).prompt, situation.before) : NOTHING_SENT;
  const { prompt } = requestOf({ ...input, situation: last }, blocks);
  return situation.marks === null ? prompt : marked(prompt, situation.marks, model);
}

function marked(prompt: Prompt, { places, long }: NonNullable<Situation['marks']>, model: Model): Prompt {
  const total = prompt.tools.length + prompt.system.length + prompt.messages.reduce((sum, { blocks }) => sum + blocks.length, 0);
  const { cache } = model.capabilities;
  const most = cache.kind === 'marks' ? cache.most : 0;
  const chosen = [...new Set(places.map((place) => place % total))].slice(0, most).sort((a, b) => a - b);
  let at = -1;
  const mark = (block: Block): Block => {
    at += 1;
    const rank = chosen.indexOf(at);
    return { ...block, breakpoint: rank === -1 ? null : { ttl: rank < long ? '1h' : '5m' } };
  };
  return {
    tools: prompt.tools.map(mark),
    system: prompt.system.map(mark),
    messages: prompt.messages.map(({ role, blocks }) => ({ role, blocks: blocks.map(mark) })),
  };
}

function bodyOf({ convert, model: base }: Protocol, situation: Situation, said: Said) {
  const model = modelIn(situation, base);
  const prompt = promptOf(situation, model, said);
  const { body } = convert(model, prompt, situation, IMAGES);
  return { model, prompt, text: body, body: JSON.parse(body) as Loose };
}

/** The tools of a body: none, callable ones, or only those that the conversation names. */
function definingIn({ tools, tool_choice: choice }: Loose): 'none' | 'offered' | 'named' {
  return tools === undefined ? 'none' : choice === undefined ? 'offered' : 'named';
}

/** The messages of a body as JSON without cache marks. A list of parts only for a mark equals its text. */
function unmarkedMessages(body: Loose): string[] {
  return (body['messages'] as readonly Loose[]).map((message) => {
    const { content, ...members } = message;
    const parts = (typeof content === 'string' ? [{ type: 'text', text: content }] : content) as readonly Loose[] | null;
    const isSystem = message['role'] === 'system';
    const unmarked = isSystem ? parts?.map(({ text }) => text).join('') : parts;
    return JSON.stringify({ ...members, content: unmarked }, (name, value: unknown) => (name === 'cache_control' ? undefined : value));
  });
}

function loadedIn(messages: readonly SentMessage[], { tools, onDemand }: Pick<Situation, 'tools' | 'onDemand'>): readonly string[] {
  const names = new Set(tools.flatMap(({ definition }, at) => (onDemand[at] === true ? [definition.name] : [])));
  return messages.flatMap((message) =>
    message.role !== 'tool-results'
      ? []
      : message.parts.flatMap(({ content }) =>
          content.flatMap((item) => (item.type === 'toolReference' && names.has(item.name) ? [item.name] : [])),
        ),
  );
}

describe('any request in the form of a provider', () => {
  it('is taken by the provider, says what its prompt says, and is the same every time', () => {
    inRuns(RUNS).forAll(anySituation, randomChat(ORIGINS), (situation, { messages }) => {
      const said = { messages, blocks: new BlockFactory(characters, sha256) };
      for (const protocol of PROTOCOLS) {
        const { model, prompt, text, body } = bodyOf(protocol, situation, said);
        const again = protocol.convert(model, JSON.parse(JSON.stringify(prompt)) as Prompt, situation, IMAGES).body;
        assert.deepEqual(protocol.faults(body), [], protocol.name);
        assert.deepEqual(protocol.differences(prompt, body, situation), [], protocol.name);
        assert.equal(again, text, protocol.name);
      }
    });
  }).timeout(TIMEOUT_MS);

  it('leaves earlier messages as they were when a chat goes on', () => {
    inRuns(LATER_RUNS).forAll(anySituation, anyTools, randomChat(ORIGINS), (drawn, laterTools, { messages, later }) => {
      // Picked items belong to the newest message only. Forgotten calls are removed.
      const situation = { ...drawn, layout: LAYOUTS.plain, picked: [], memory: { turns: null, pinned: [], excluded: [] } };
      const laterSituation = { ...situation, tools: laterTools };
      const isLoadedAnew = !isDeepStrictEqual(loadedIn(messages, situation), loadedIn(messages, laterSituation));
      const blocks = new BlockFactory(characters, sha256);
      for (const protocol of PROTOCOLS) {
        const earlier = bodyOf(protocol, situation, { messages, blocks }).body;
        const body = bodyOf(protocol, laterSituation, { messages: later, blocks }).body;
        if (definingIn(earlier) !== definingIn(body) || isLoadedAnew) {
          // Definitions before the conversation change all of it: the first ones, those of tools that it only names,
          // and a tool on demand that returns or leaves, because its reference is a text meanwhile.
          continue;
        }
        const before = unmarkedMessages(earlier);
        const after = unmarkedMessages(body);
        // The last message can still grow: the user's next text can join it.
        assert.deepEqual(after.slice(0, before.length - 1), before.slice(0, -1), protocol.name);
      }
    });
  }).timeout(TIMEOUT_MS);
});

const CHATS = depth({ short: 400, deep: 5_000 });
const CHATS_TIMEOUT_MS = 300_000;
const PARAMS = { maxOutputTokens: 4_000, extraBody: {} };
const someTools = fc.array(fc.constantFrom(true, true, false), { minLength: 10, maxLength: 10 });
const NO_TOOLS = fc.constant<boolean[]>([]);

const anyRequest = fc.record({
  /** The length of the conversation before the message to answer. */
  length: fc.nat(30),
  offered: fc.oneof({ weight: 4, arbitrary: someTools }, { weight: 1, arbitrary: NO_TOOLS }),
  /** Offered tools that are on demand, for protocols with these. */
  onDemand: fc.oneof({ weight: 3, arbitrary: someTools }, { weight: 1, arbitrary: NO_TOOLS }),
  memory: anyMemory,
  layout: fc.constantFrom(LAYOUTS.adaptive, LAYOUTS.adaptive, LAYOUTS.tiered, LAYOUTS.plain),
  toolsLeave: fc.constantFrom(...CHAT_SETTINGS.toolsLeave.options).map(({ value }) => value),
  readable: fc.subarray(LARGE_RESULTS.map(({ blob }) => blob)),
  systemPrompt: fc.constantFrom('', 'You are a pilot.'),
});

const anyChat = fc.record({
  pool: anyToolPool,
  chat: randomChat(ORIGINS),
  requests: fc.array(anyRequest, { minLength: 2, maxLength: 4 }),
  capabilities: fc.record({
    tools: fc.constantFrom(true, true, true, true, false),
    userContentAfterToolResults: fc.boolean(),
    reasoningReplay: fc.constantFrom('always' as const, 'never' as const),
  }),
});

type Drawn = typeof anyChat extends fc.Arbitrary<infer T> ? T : never;

/** The messages, with tools of the pool in most calls, results and references. */
function naming(pool: readonly OfferedTool[], messages: readonly SentMessage[]): SentMessage[] {
  const named = (name: string): string => {
    const at = Number.parseInt(sha256(name).slice(0, 8), 16) % (pool.length + 1);
    return pool[at]?.definition.name ?? name;
  };
  return JSON.parse(JSON.stringify(messages), (key, value: unknown) => (key === 'name' ? named(String(value)) : value)) as SentMessage[];
}

/** Short replacements of blobs: comparing long texts is slow. */
function shortText(name: string): string {
  return `The text of ${name}.`;
}

/** The expected definitions of the offered tools, those on demand last. A schema without a type is an object's. */
function definitions(tools: readonly OfferedTool[], onDemand: ReadonlySet<string>): WireTool[] {
  const inOrder = [...tools.filter(({ key }) => !onDemand.has(key)), ...tools.filter(({ key }) => onDemand.has(key))];
  return inOrder.map(({ definition: { name, description, schema } }) => ({
    name,
    description: description.trim() === '' ? '' : description.replace(/\p{Surrogate}/gu, '\uFFFD'),
    schema: { type: 'object', ...(schema as object) },
  }));
}

/** The own names of tools in messages, and of those that results load. */
function namesIn({ messages }: Prompt, names: ToolNames): { readonly named: Set<string>; readonly loaded: Set<string> } {
  const parts = messages.flatMap(({ blocks }) => blocks.map(({ part }) => part));
  const loads = parts.flatMap((part) => (part.type === 'toolResult' ? part.content : [])).filter((item) => item.type === 'toolReference');
  const own = (named: readonly { readonly name: string }[]): Set<string> => new Set(named.map(({ name }) => ownToolName(name, names)));
  return { named: own(parts.filter((part) => 'name' in part)), loaded: own(loads) };
}

class Seen {
  readonly counts = { dropped: 0, renamed: 0, renamedLoads: 0, numbered: 0, retired: 0, forgotten: 0, forgottenAfterBase: 0, sameName: 0 };

  count(what: Readonly<Record<keyof Seen['counts'], boolean>>): void {
    for (const name of Object.keys(this.counts) as (keyof Seen['counts'])[]) {
      this.counts[name] += what[name] ? 1 : 0;
    }
  }
}

async function check({ pool, chat: { later }, requests, capabilities }: Drawn, protocol: Protocol, seen: Seen): Promise<void> {
  const chat = new RecordedChat();
  LARGE_RESULTS.forEach(({ blob }) => chat.blobs.set(blob, shortText(blob)));
  const model = { ...protocol.model, capabilities: { ...protocol.model.capabilities, ...capabilities } };
  const conversation = naming(pool, later);
  for (const [at, { length, offered, onDemand, memory, toolsLeave, readable, ...rest }] of requests.entries()) {
    const messages = [...conversation.slice(0, length), user(`now-${String(at)}`, 'Go on')];
    const tools = pool.filter((_, index) => offered[index] === true);
    const deferred =
      model.protocol === ANTHROPIC_PROTOCOL ? tools.filter((_, index) => onDemand[index] === true).map(({ key }) => key) : [];
    const { attempt, prompt, forgotten } = chat.send({
      ...{ ...rest, ...memoryOf(memory, messages), model, messages, tools, onDemand: new Set(deferred) },
      layoutOptions: { ...PLAIN.layoutOptions, toolsLeave },
      resultTexts: new Map(readable.map((name) => [name, shortText(name)])),
    });
    const text = protocol.convert(model, prompt, PARAMS, IMAGES).body;
    const body = JSON.parse(text) as Loose;
    assert.deepEqual(protocol.faults(body), [], protocol.name);
    assert.deepEqual(protocol.differences(prompt, body, { capabilities, extraBody: {} }), [], protocol.name);
    assert.equal(protocol.convert(model, await chat.rebuild(attempt), PARAMS, IMAGES).body, text);
    assert.deepEqual(manifestContentOf(attempt, chat.attempts)?.forgotten, forgotten);

    const { toolNames, base } = attempt.manifest;
    const defined = protocol.tools(body).map((tool) => ({ ...tool, name: ownToolName(String(tool.name), toolNames) }));
    const { named, loaded } = namesIn(prompt, toolNames);
    const isOffering = capabilities.tools && tools.length > 0;
    const retired = !isOffering && model.capabilities.callsNeedDefinitions ? named : new Set<string>();
    if (isOffering) {
      const others = defined.filter(({ name }) => name !== FIND_TOOLS);
      assert.deepEqual(others, definitions(tools, new Set(deferred)));
    } else {
      assert.deepEqual(new Set(defined.map(({ name }) => name)), retired);
    }
    const own = new Set(tools.map(({ definition: { name } }) => name));
    seen.count({
      dropped: isOffering && [...named].some((name) => !own.has(name)),
      renamed: toolNames.some(([name]) => own.has(name)),
      renamedLoads: toolNames.some(([name]) => loaded.has(name)),
      numbered: toolNames.some(([, sent]) => /_[0-9a-f]{8}_2$/.test(sent)),
      retired: retired.size > 1,
      forgotten: forgotten.length > 0,
      forgottenAfterBase: base !== null && (manifestContentOf(chat.attempts.get(base)!, chat.attempts)?.forgotten ?? []).length > 0,
      sameName: new Set(tools.map(({ key }) => key.slice(key.indexOf('/')))).size < tools.length,
    });
  }
}

describe('the requests of a chat whose tools change', () => {
  it('are taken by the provider, define what is offered and nothing else, and are rebuilt to the byte', async () => {
    const seen = new Seen();
    await inRuns(CHATS).forAllAsync(anyChat, async (drawn) => {
      for (const protocol of PROTOCOLS) {
        await check(drawn, protocol, seen);
      }
    });
    // Excludes trivial cases.
    const areMet = Object.values(seen.counts).every((count) => count > CHATS / 20);
    assert.ok(areMet, JSON.stringify(seen.counts));
  }).timeout(CHATS_TIMEOUT_MS);
});
