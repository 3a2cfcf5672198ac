import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CHAT_SETTINGS } from '../../src/engine/chat/settings/config.js';
import type { SentMessage } from '../../src/engine/chat/message/message.js';
import type { OfferedTool } from '../../src/engine/request/gather.js';
import { LAYOUTS } from '../../src/engine/request/layout/layouts.js';
import type { Prompt } from '../../src/engine/model/prompt.js';
import { forgottenToolsOf } from '../../src/engine/request/rebuild.js';
import { ownToolName, type ToolNames } from '../../src/engine/record/toolNames.js';
import { FIND_TOOLS } from '../../src/engine/tools/findTools.js';
import { ANTHROPIC_PROTOCOL } from '../../src/providers/anthropic/defaults.js';
import { depth } from '../support/depth.mjs';
import { LARGE_RESULTS } from '../support/engine/largeResults.js';
import { user } from '../support/engine/messages.js';
import { sha256 } from '../support/engine/ports.js';
import { PLAIN, RecordedChat } from '../support/engine/requests.js';
import { anyMemory, memoryOf } from '../support/engine/toolMemories.js';
import { inRuns } from '../support/forAll.js';
import type { Loose } from '../support/wire/loose.js';
import { ORIGINS, PROTOCOLS, type Protocol, type WireTool } from '../support/wire/protocols.js';
import { IMAGES, randomChat } from '../support/wire/randomChats.js';
import { anyToolPool } from '../support/wire/randomTools.js';

const RUNS = depth({ short: 400, deep: 5_000 });
const TIMEOUT_MS = 300_000;
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
    assert.deepEqual(forgottenToolsOf(attempt, chat.attempts), forgotten);

    const { toolNames, base } = attempt.manifest;
    const defined = protocol.tools(body).map((tool) => ({ ...tool, name: ownToolName(String(tool.name), toolNames) }));
    const { named, loaded } = namesIn(prompt, toolNames);
    const isOffering = capabilities.tools && tools.length > 0;
    const retired = !isOffering && model.capabilities.callsNeedDefinitions ? named : new Set<string>();
    if (isOffering) {
      assert.deepEqual(
        defined.filter(({ name }) => name !== FIND_TOOLS),
        definitions(tools, new Set(deferred)),
      );
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
      forgottenAfterBase: base !== null && (forgottenToolsOf(chat.attempts.get(base)!, chat.attempts) ?? []).length > 0,
      sameName: new Set(tools.map(({ key }) => key.slice(key.indexOf('/')))).size < tools.length,
    });
  }
}

describe('the requests of a chat whose tools change', () => {
  it('are taken by the provider, define what is offered and nothing else, and are rebuilt to the byte', async () => {
    const seen = new Seen();
    await inRuns(RUNS).forAllAsync(anyChat, async (drawn) => {
      for (const protocol of PROTOCOLS) {
        await check(drawn, protocol, seen);
      }
    });
    // Excludes trivial cases.
    assert.ok(
      Object.values(seen.counts).every((count) => count > RUNS / 20),
      JSON.stringify(seen.counts),
    );
  }).timeout(TIMEOUT_MS);
});
