import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CHAT_SETTINGS } from '../../src/engine/chat/config.js';
import type { Part, SentMessage } from '../../src/engine/chat/message.js';
import type { OfferedTool } from '../../src/engine/request/gather.js';
import { LAYOUTS } from '../../src/engine/request/layout/layouts.js';
import { ownToolName } from '../../src/engine/request/toolNames.js';
import { LARGE_RESULTS } from '../support/engine/largeResults.js';
import { user } from '../support/engine/messages.js';
import { PLAIN, RecordedChat } from '../support/engine/requests.js';
import { anyMemory, memoryOf } from '../support/engine/toolMemories.js';
import type { Loose } from '../support/wire/loose.js';
import { ORIGINS, PROTOCOLS, type WireTool } from '../support/wire/protocols.js';
import { IMAGES, randomChat } from '../support/wire/randomChats.js';
import { anyTools } from '../support/wire/randomTools.js';

/** Random chats of some requests, each through both converters: some 10 s of one slow core. */
const RUNS = Number(process.env['LOUPE_WIRE_RUNS'] ?? 10_000) / 10;

const TIMEOUT_MS = 300_000;

const anyRequest = fc.record({
  /** Up to where the conversation goes before the message that this request answers. */
  length: fc.nat(30),
  tools: fc.oneof({ weight: 5, arbitrary: anyTools }, { weight: 1, arbitrary: fc.constant<OfferedTool[]>([]) }),
  memory: anyMemory,
  layout: fc.constantFrom(LAYOUTS.adaptive, LAYOUTS.adaptive, LAYOUTS.tiered, LAYOUTS.plain),
  toolsLeave: fc.constantFrom(...CHAT_SETTINGS.toolsLeave.options).map(({ value }) => value),
  /** The large results that could be read. */
  readable: fc.subarray(LARGE_RESULTS.map(({ blob }) => blob)),
  systemPrompt: fc.constantFrom('', 'You are a pilot.'),
});

const anyCapabilities = fc.record({
  tools: fc.constantFrom(true, true, true, true, false),
  userContentAfterToolResults: fc.boolean(),
  reasoningReplay: fc.constantFrom('always' as const, 'never' as const),
});

/** What stands in the blobs here: long texts would only take long to compare. */
function shortText(name: string): string {
  return `The text of ${name}.`;
}

/** What a body should define of the offered tools. A schema without a type is one of an object. */
function definitions(tools: readonly OfferedTool[]): WireTool[] {
  return tools.map(({ definition: { name, description, schema } }) => ({
    name,
    description: description.trim() === '' ? '' : description.replace(/\p{Surrogate}/gu, '\uFFFD'),
    schema: { type: 'object', ...(schema as object) },
  }));
}

/** The tools that calls and results name. A damaged log may have the result of another tool behind a call. */
function namedTools(messages: readonly SentMessage[]): Set<string> {
  const parts = messages.flatMap((message): readonly Part[] => message.parts);
  return new Set(parts.flatMap((part) => ('name' in part ? [part.name] : [])));
}

describe('the requests of a chat whose tools change', () => {
  it('are taken by the provider, define what is offered and nothing else, and are rebuilt to the byte', async () => {
    const seen = { dropped: 0, renamed: 0, forgotten: 0, sameName: 0 };
    const anyChat = fc.record({
      chat: randomChat(ORIGINS),
      requests: fc.array(anyRequest, { minLength: 2, maxLength: 4 }),
      capabilities: anyCapabilities,
    });
    await fc.assert(
      fc.asyncProperty(anyChat, async ({ chat: { later }, requests, capabilities }) => {
        for (const protocol of PROTOCOLS) {
          const chat = new RecordedChat();
          LARGE_RESULTS.forEach(({ blob }) => chat.blobs.set(blob, shortText(blob)));
          const model = { ...protocol.model, capabilities: { ...protocol.model.capabilities, ...capabilities } };
          for (const [at, { length, tools, memory, toolsLeave, readable, ...rest }] of requests.entries()) {
            const messages = [...later.slice(0, length), user(`now-${String(at)}`, 'Go on')];
            const { attempt, prompt } = chat.send({
              ...rest,
              ...{ model, messages, tools },
              layoutOptions: { ...PLAIN.layoutOptions, toolsLeave },
              ...memoryOf(memory, messages),
              resultTexts: new Map(readable.map((name) => [name, shortText(name)])),
            });
            const params = { maxOutputTokens: 4_000, extraBody: {} };
            const text = protocol.convert(model, prompt, params, IMAGES).body;
            const body = JSON.parse(text) as Loose;
            assert.deepEqual(protocol.faults(body), [], protocol.name);
            assert.deepEqual(protocol.differences(prompt, body, { capabilities, extraBody: {} }), [], protocol.name);
            assert.equal(protocol.convert(model, await chat.rebuild(attempt), params, IMAGES).body, text);

            const { toolNames, forgotten } = attempt.manifest;
            const defined = protocol.tools(body).map((tool) => ({ ...tool, name: ownToolName(String(tool.name), toolNames) }));
            const named = namedTools(messages);
            if (capabilities.tools && tools.length > 0) {
              assert.deepEqual(defined, definitions(tools));
            } else {
              assert.ok(defined.every(({ name }) => capabilities.tools && named.has(name)));
            }
            const offered = new Set(tools.map(({ definition: { name } }) => name));
            seen.dropped += [...named].some((name) => !offered.has(name)) && tools.length > 0 ? 1 : 0;
            seen.renamed += toolNames.some(([own]) => offered.has(own)) ? 1 : 0;
            seen.forgotten += forgotten === undefined ? 0 : 1;
            seen.sameName += new Set(tools.map(({ key }) => key.slice(key.indexOf('/')))).size < tools.length ? 1 : 0;
          }
        }
      }),
      { numRuns: RUNS },
    );
    // Otherwise this says nothing about them.
    assert.ok(
      Object.values(seen).every((count) => count > RUNS / 10),
      JSON.stringify(seen),
    );
  }).timeout(TIMEOUT_MS);
});
