import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { CacheRules } from '../../src/engine/model/cacheRules.js';
import { CHAT_SETTINGS } from '../../src/engine/chat/settings/config.js';
import type { SentMessage } from '../../src/engine/chat/message/message.js';
import { LAYOUTS } from '../../src/engine/request/layout/layouts.js';
import { NOTHING_SENT } from '../../src/engine/request/layout/situation.js';
import type { CatalogText } from '../../src/engine/request/gather.js';
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
import { requestOf } from '../support/engine/requests.js';
import { anyMemory, memoryOf } from '../support/engine/toolMemories.js';
import { anyFiles } from '../support/engine/randomTranscript.js';
import { inRuns } from '../support/forAll.js';
import type { Loose } from '../support/wire/loose.js';
import { ORIGINS, PROTOCOLS, type Asked, type Protocol } from '../support/wire/protocols.js';
import { IMAGES, randomChat } from '../support/wire/randomChats.js';
import { anyTools } from '../support/wire/randomTools.js';

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
