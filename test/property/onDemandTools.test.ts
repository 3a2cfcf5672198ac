import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CHAT_SETTINGS } from '../../src/engine/chat/settings/config.js';
import type { SentMessage } from '../../src/engine/chat/message/message.js';
import type { OfferedTool } from '../../src/engine/request/gather.js';
import { LAYOUTS } from '../../src/engine/request/layout/layouts.js';
import { promptBlocks, type Prompt } from '../../src/engine/model/prompt.js';
import { ownToolName, type ToolNames } from '../../src/engine/record/toolNames.js';
import type { ToolMemory } from '../../src/engine/request/toolMemory.js';
import type { Model } from '../../src/engine/model/model.js';
import { FIND_TOOLS } from '../../src/engine/tools/findTools.js';
import { depth } from '../support/depth.mjs';
import { assistant, call, result, results, text, user } from '../support/engine/messages.js';
import { PLAIN, RecordedChat } from '../support/engine/requests.js';
import { situationAfter } from '../support/engine/situations.js';
import { inRuns } from '../support/forAll.js';
import type { Loose } from '../support/wire/loose.js';
import { PROTOCOLS } from '../support/wire/protocols.js';
import { IMAGES } from '../support/wire/randomChats.js';
import { anyTool } from '../support/wire/randomTools.js';

const RUNS = depth({ short: 60, deep: 500 });
const TIMEOUT_MS = 120_000;
const ANTHROPIC = PROTOCOLS.find(({ name }) => name === 'Anthropic') ?? assert.fail('There is no such protocol.');
const MODEL: Model = { ...ANTHROPIC.model, capabilities: { ...ANTHROPIC.model.capabilities, toolsOnDemand: true } };
const PARAMS = { maxOutputTokens: 4_000, extraBody: {} };

/** The model's next step: a search that finds tools, a call of a loaded tool, or the end of its turn. */
const anyStep = fc.oneof(
  fc.record({ does: fc.constant('search' as const), finds: fc.array(fc.nat(9), { maxLength: 3 }) }),
  fc.record({ does: fc.constant('call' as const), tool: fc.nat(9) }),
  fc.record({
    does: fc.constant('conclude' as const),
    idleMs: fc.constantFrom(1_000, 60_000, 5_400_000),
    isRelaidOut: fc.nat(9).map((n) => n === 0),
  }),
);

const anyChat = fc.record({
  tools: fc.uniqueArray(anyTool, { selector: ({ key }) => key, minLength: 1, maxLength: 6 }),
  /** The number of tools that are not on demand. */
  whole: fc.nat(2),
  steps: fc.array(anyStep, { minLength: 4, maxLength: 16 }),
  memory: fc.constantFrom<ToolMemory['forgetAfterConclusions']>(null, 0, 0, 1, 2),
  layout: fc.constantFrom(LAYOUTS.plain, LAYOUTS['message-70'], LAYOUTS.tiered, LAYOUTS.adaptive, LAYOUTS.adaptive),
  toolsLeave: fc.constantFrom(...CHAT_SETTINGS.toolsLeave.options).map(({ value }) => value),
});

type Drawn = typeof anyChat extends fc.Arbitrary<infer T> ? T : never;
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

/** The conversation after a step. `loaded` are the tools that searches have found. */
class Conversation {
  readonly messages: SentMessage[] = [user('u', 'Begin.')];
  readonly loaded: string[] = [];
  readonly #onDemand: readonly OfferedTool[];

  constructor(onDemand: readonly OfferedTool[]) {
    this.#onDemand = onDemand;
  }

  take(step: Step, at: number): void {
    const id = String(at);
    switch (step.does) {
      case 'search': {
        const names = [...new Set(step.finds.map((index) => this.#onDemand[index % this.#onDemand.length]?.definition.name ?? ''))];
        const content = names.length === 0 ? [text('Nothing.')] : names.map((name) => ({ type: 'toolReference' as const, name }));
        this.#round(id, FIND_TOOLS, content);
        this.loaded.push(...names);
        break;
      }
      case 'call':
        this.#round(id, this.loaded[step.tool % this.loaded.length] ?? 'other', [text('Found. '.repeat(20))]);
        break;
      case 'conclude':
        this.messages.push(assistant(`a${id}`, 'Done.'), user(`u${id}`, 'Go on.'));
        break;
    }
  }

  #round(id: string, name: string, content: Parameters<typeof result>[1][]): void {
    this.messages.push(assistant(`s${id}`, { ...call(`c${id}`, {}), name }), results(`r${id}`, { ...result(`c${id}`, ...content), name }));
  }
}

function orphans(prompt: Prompt, names: ToolNames): string[] {
  const deferred = new Set(prompt.tools.flatMap(({ part }) => ('isDeferred' in part ? [part.name] : [])));
  const loaded = new Set<string>();
  return promptBlocks(prompt).flatMap(({ part }) => {
    if (part.type === 'toolResult') {
      part.content.forEach((item) => item.type === 'toolReference' && loaded.add(item.name));
    }
    return part.type === 'toolCall' && deferred.has(part.name) && !loaded.has(part.name) ? [ownToolName(part.name, names)] : [];
  });
}

/** Counts the input of a prompt from scratch: a deferred definition counts at each load. */
function counted(prompt: Prompt): number {
  const { perRequest, perMessage, perTool } = MODEL.capabilities.framing;
  const blocks = promptBlocks(prompt);
  const whole = prompt.tools.filter(({ part }) => !('isDeferred' in part)).length;
  const loads = blocks
    .flatMap(({ part }) => (part.type === 'toolResult' ? part.content : []))
    .filter(({ type }) => type === 'toolReference');
  const framing = perRequest + perMessage * (prompt.messages.length + 1) + perTool * (whole + loads.length);
  return blocks.reduce((sum, { tokens }) => sum + tokens, framing);
}

/** The parts of a body without cache marks, which move with each request. */
function unmarked(body: Loose): { readonly head: string; readonly messages: readonly string[] } {
  const plain = (value: unknown): string => JSON.stringify(value, (name, part: unknown) => (name === 'cache_control' ? undefined : part));
  return { head: plain([body['tools'], body['system']]), messages: (body['messages'] as readonly Loose[]).map(plain) };
}

class SentChat {
  readonly seen = { loads: 0, calls: 0, forgotten: 0, keptSearches: 0 };
  readonly #drawn: Drawn;
  readonly #onDemand: readonly OfferedTool[];
  readonly #talk: Conversation;
  readonly #chat = new RecordedChat();
  #before: ReturnType<typeof unmarked> | null = null;

  constructor(drawn: Drawn) {
    this.#drawn = drawn;
    this.#onDemand = drawn.tools.slice(Math.min(drawn.whole, drawn.tools.length - 1));
    this.#talk = new Conversation(this.#onDemand);
  }

  take(step: Step, at: number): void {
    if (step.does !== 'call' || this.#talk.loaded.length > 0) {
      this.#talk.take(step, at);
      this.seen.calls += step.does === 'call' ? 1 : 0;
    }
  }

  /** Sends the request after a step. Null sends the first one. */
  async send(step: Step | null): Promise<void> {
    const { tools, layout, toolsLeave, memory } = this.#drawn;
    const turn = step?.does === 'conclude' ? step : null;
    const { attempt, prompt } = this.#chat.send({
      ...{ model: MODEL, layout, tools, messages: this.#talk.messages, systemPrompt: 'You are a pilot.' },
      onDemand: new Set(this.#onDemand.map(({ key }) => key)),
      layoutOptions: { ...PLAIN.layoutOptions, toolsLeave },
      toolMemory: { forgetAfterConclusions: memory, pinned: new Set() },
      situation: situationAfter(this.#chat, turn?.idleMs ?? 1_000),
      mustRebuild: turn?.isRelaidOut ?? false,
    });
    const sent = ANTHROPIC.convert(MODEL, prompt, PARAMS, IMAGES).body;
    const body = JSON.parse(sent) as Loose;
    assert.deepEqual(ANTHROPIC.faults(body), []);
    assert.deepEqual(ANTHROPIC.differences(prompt, body, { capabilities: MODEL.capabilities, extraBody: {} }), []);
    assert.equal(ANTHROPIC.convert(MODEL, await this.#chat.rebuild(attempt), PARAMS, IMAGES).body, sent);
    assert.deepEqual(orphans(prompt, attempt.manifest.toolNames), []);
    assert.equal(attempt.manifest.size.counted, counted(prompt));
    this.#compare(unmarked(body), step !== null && turn === null);
    this.#count(attempt.manifest.forgotten !== undefined, sent.includes('tool_reference'));
  }

  /** Tools and system prompt never change. Within a turn messages only grow. */
  #compare(now: ReturnType<typeof unmarked>, isWithinTurn: boolean): void {
    const before = this.#before ?? now;
    assert.equal(now.head, before.head);
    if (isWithinTurn) {
      assert.deepEqual(now.messages.slice(0, before.messages.length), before.messages);
    }
    this.#before = now;
  }

  #count(forgets: boolean, loads: boolean): void {
    this.seen.loads += loads ? 1 : 0;
    this.seen.forgotten += forgets ? 1 : 0;
    this.seen.keptSearches += forgets && loads ? 1 : 0;
  }
}

describe('a chat with tools on demand', () => {
  it('is taken by the provider, only grows when one is loaded, has no call of one that is not, and is rebuilt to the byte', async () => {
    const all: SentChat['seen'][] = [];
    await inRuns(RUNS).forAllAsync(anyChat, async (drawn) => {
      const chat = new SentChat(drawn);
      await chat.send(null);
      for (const [at, step] of drawn.steps.entries()) {
        chat.take(step, at);
        await chat.send(step);
      }
      all.push(chat.seen);
    });
    // Excludes trivial cases.
    for (const what of ['loads', 'calls', 'forgotten', 'keptSearches'] as const) {
      const count = all.reduce((sum, seen) => sum + seen[what], 0);
      assert.ok(count > RUNS / 3, `${what}: ${count}`);
    }
  }).timeout(TIMEOUT_MS);
});
