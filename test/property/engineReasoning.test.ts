import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AssistantMessage } from '../../src/engine/chat/message/message.js';
import type { Block } from '../../src/engine/model/block.js';
import type { OfferedTool } from '../../src/engine/request/gather.js';
import type { Prompt } from '../../src/engine/model/prompt.js';
import { convert } from '../../src/providers/anthropic/convert.js';
import { ANTHROPIC_CAPABILITIES, ANTHROPIC_PROTOCOL } from '../../src/providers/anthropic/defaults.js';
import { depth } from '../support/depth.mjs';
import { BINDING_MODEL, STRICT_MODEL } from '../support/engine/models.js';
import { anyStep, playThinking, type Turn } from '../support/engine/thinkingChats.js';
import { blocksOf, canonical } from '../support/engine/wireRules.js';
import { inRuns } from '../support/forAll.js';
import type { Loose } from '../support/wire/loose.js';

const RUNS = depth({ short: 600, deep: 7_500 });
const anySteps = fc.array(anyStep, { minLength: 2, maxLength: 8 });

/** Describes blocks without the engine's hashes. */
function said(blocks: readonly Block[]): string[] {
  return blocks.map(({ role, part }) => canonical({ role, part }));
}

function blocksOfMessage(prompt: Prompt, id: string): { readonly from: number; readonly blocks: readonly Block[] } {
  const isOf = ({ source }: Block): boolean => source.from === 'message' && source.messageId === id;
  const all = blocksOf(prompt);
  return { from: all.findIndex(isOf), blocks: all.filter(isOf) };
}

/** Whether part `index` of the reply follows everything it was written after, and nothing else. */
function isBehindItsPrefix(prompt: Prompt, before: Turn, index: number): boolean {
  const { from, blocks } = blocksOfMessage(prompt, before.reply.id);
  const prefix = said(blocksOf(prompt).slice(0, from));
  if (blocksOf(before.prompt).at(-1)?.role === 'assistant') {
    // It continues in the message of another reply, whose end this one can have changed.
    return false;
  }
  const parts = blocks.slice(0, index).map(({ source }) => (source.from === 'message' ? source.part : -1));
  return canonical(prefix) === canonical(said(blocksOf(before.prompt))) && parts.every((part, at) => part === at) && parts.length === index;
}

function reasoningIn(turn: Turn, reply: AssistantMessage): number[] {
  return blocksOfMessage(turn.prompt, reply.id).blocks.flatMap(({ part, source }) =>
    part.type === 'reasoning' && source.from === 'message' ? [source.part] : [],
  );
}

/** Signed parts of an earlier reply that the request does not contain. */
function leftOut(turn: Turn, before: Turn): { readonly before: Turn; readonly index: number }[] {
  const sent = reasoningIn(turn, before.reply);
  const signed = before.reply.parts.flatMap((part, index) => (part.type === 'reasoning' && part.opaque !== null ? [index] : []));
  return signed.filter((index) => !sent.includes(index)).map((index) => ({ before, index }));
}

describe('the reasoning of a model that binds it to what stood before', () => {
  it('goes back exactly where all stands behind which it was written, and is counted where it does not', () => {
    let replayed = 0;
    let outdated = 0;
    inRuns(RUNS).forAll(anySteps, (steps) => {
      const turns = playThinking(steps, { own: BINDING_MODEL, other: STRICT_MODEL, tools: [] });
      for (const turn of turns.filter(({ model }) => model === BINDING_MODEL)) {
        const earlier = turns.filter(({ reply }) => turn.messages.some(({ id }) => id === reply.id));
        for (const before of earlier) {
          for (const index of reasoningIn(turn, before.reply)) {
            replayed += 1;
            assert.ok(isBehindItsPrefix(turn.prompt, before, index));
          }
        }
        const left = earlier.filter(({ model }) => model === BINDING_MODEL).flatMap((before) => leftOut(turn, before));
        outdated += left.length;
        assert.equal(turn.attempt.manifest.adaptations.reasoningOutdated, left.length);
        for (const { before, index } of left.filter(({ before: { reply } }) => blocksOfMessage(turn.prompt, reply.id).blocks.length > 0)) {
          assert.ok(!isBehindItsPrefix(turn.prompt, before, index));
        }
      }
    });
    assert.ok(replayed > RUNS && outdated > RUNS / 10, `${replayed} parts went back, ${outdated} did not`);
  });

  it('goes back in a chat in which nothing changes', () => {
    const step = { systemPrompt: '', file: 'one', answers: 'own', change: 'none', at: 0, asked: 'words', isAnswered: true } as const;
    const replies = [['signed', 'words'], ['signed', 'call', 'signed', 'words'], ['words'], ['signed', 'call']] as const;
    const turns = playThinking(
      [...replies, []].map((reply) => ({ ...step, reply: [...reply] })),
      { own: BINDING_MODEL, other: STRICT_MODEL, tools: [] },
    );
    const counts = turns.map(({ prompt }) => blocksOf(prompt).filter(({ part }) => part.type === 'reasoning').length);
    assert.deepEqual(counts, [0, 1, 3, 3, 4]);
  });
});

const CLAUDE = { ...BINDING_MODEL, protocol: ANTHROPIC_PROTOCOL, capabilities: ANTHROPIC_CAPABILITIES };

const READ: OfferedTool = {
  key: 'tool:files/read',
  definition: { type: 'toolDefinition', name: 'read', description: 'Reads.', schema: {}, isRetired: false },
};

/** A body as a list: tools, system, and each content with its role, without cache marks. */
function contents({ tools, system, messages }: Loose): string[] {
  const items = (name: string, list: unknown): string[] =>
    ((list ?? []) as readonly Loose[]).map(({ cache_control: _, ...item }) => canonical([name, item]));
  return [
    ...items('tools', tools),
    ...items('system', system),
    ...(messages as readonly Loose[]).flatMap(({ role, content }) => items(String(role), content)),
  ];
}

/** The reply before each signature, in the server's format. */
function written({ parts }: AssistantMessage): ReadonlyMap<string, readonly string[]> {
  const items = parts.map((part) => {
    switch (part.type) {
      case 'text':
        return { type: 'text', text: part.text };
      case 'reasoning':
        return { type: 'thinking', thinking: part.text, signature: part.opaque };
      case 'toolCall':
        return { type: 'tool_use', id: part.id, name: part.name, input: part.args };
      case 'image':
        return { type: 'image' };
    }
  });
  const saidBefore = (index: number): string[] => items.slice(0, index).map((item) => canonical(['assistant', item]));
  return new Map(
    parts.flatMap((part, index) => (part.type === 'reasoning' && part.opaque !== null ? [[part.opaque, saidBefore(index)]] : [])),
  );
}

describe('a thinking block in the body of a request', () => {
  it('stands behind exactly what the server had before it when it signed it', () => {
    let replayed = 0;
    inRuns(RUNS).forAll(anySteps, fc.constantFrom([], [READ]), (steps, tools) => {
      const signed = new Map<string, readonly string[]>();
      for (const { model, prompt, reply } of playThinking(steps, { own: CLAUDE, other: STRICT_MODEL, tools })) {
        const { body } = convert(model, prompt, { maxOutputTokens: 1_000, extraBody: {} }, new Map([['aa', 'QUE=']]));
        const items = model === CLAUDE ? contents(JSON.parse(body) as Loose) : [];
        for (const [index, item] of items.entries()) {
          const [, { signature }] = JSON.parse(item) as [string, { signature?: string }];
          if (signature !== undefined) {
            replayed += 1;
            assert.deepEqual(items.slice(0, index), signed.get(signature));
          }
        }
        for (const [signature, before] of written(reply)) {
          signed.set(signature, [...items, ...before]);
        }
      }
    });
    assert.ok(replayed > RUNS / 5, `${replayed} went back`);
  });
});
