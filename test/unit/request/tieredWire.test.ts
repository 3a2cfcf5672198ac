import assert from 'node:assert/strict';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import type { Block } from '../../../src/engine/model/block.js';
import { GLOBAL_PROMPT, textsAroundFiles, type ContentGroups } from '../../../src/engine/request/gather.js';
import type { LayoutResult } from '../../../src/engine/request/layout/layout.js';
import { NOTHING_SENT, type SentBlock, type Situation } from '../../../src/engine/request/layout/situation.js';
import { tiered } from '../../../src/engine/request/layout/tiered.js';
import type { Prompt } from '../../../src/engine/model/prompt.js';
import type { Convert } from '../../../src/engine/model/model.js';
import { convert as convertAnthropic } from '../../../src/providers/anthropic/convert.js';
import { convert as convertOpenAi } from '../../../src/providers/openaiCompatible/convert.js';
import { user } from '../../support/engine/messages.js';
import { characters, sha256 } from '../../support/engine/ports.js';
import { PLAIN } from '../../support/engine/requests.js';
import { CACHING_MODEL, TieredChat } from '../../support/engine/tieredChat.js';

interface WirePart {
  readonly text: string;
  readonly cache_control?: { readonly type: string };
}

interface WireMessage {
  readonly role: string;
  readonly content: string | readonly WirePart[];
}

/** `role: text | text*`: a star is a breakpoint. Long texts are cut to their first line. */
function lines(messages: readonly WireMessage[]): string[] {
  return messages.map(({ role, content }) => {
    const parts = typeof content === 'string' ? [{ text: content } as WirePart] : content;
    const shown = parts.map(({ text, cache_control: mark }) => `${text.trim().split('\n')[0] ?? ''}${mark === undefined ? '' : '*'}`);
    return `${role}: ${shown.join(' | ')}`;
  });
}

function bodyOf(
  convert: Convert,
  prompt: Prompt,
): { readonly system?: string | readonly WirePart[]; readonly messages: readonly WireMessage[] } {
  return JSON.parse(convert(CACHING_MODEL, prompt, { maxOutputTokens: 10, extraBody: {} }, new Map()).body) as never;
}

const ANSWER = 'Understood. I will work with these files.';

function said(from: number, to: number, star: '' | '*'): string[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at).flatMap((at) => [
    `user: Question ${at}`,
    `assistant: Answer ${at}${at === to ? star : ''}`,
  ]);
}

/** L0 has a file. L1, L2 and L3 have messages. b.ts is new. */
function fourTiers(): Prompt {
  const chat = new TieredChat();
  chat.repeat(12, { 'a.ts': 'a\n' }, {});
  return chat.ask({ 'a.ts': 'a\n', 'b.ts': 'b\n' }, {}).prompt;
}

/** L1 has a file and messages. L2 and L3 have messages. */
function pairInL1(): Prompt {
  return new TieredChat().repeat(10, { 'a.ts': 'a\n' }, {});
}

const CACHED = [...said(1, 3, '*'), ...said(4, 6, '*'), ...said(7, 9, '*')];
const WORKING = ['user: # Working Files | b.ts', `assistant: ${ANSWER}`];

describe('the layout tiered on the wire of Anthropic', () => {
  it('has a breakpoint at the end of each of four tiers, and none behind', () => {
    const { system, messages } = bodyOf(convertAnthropic, fourTiers());
    const [head] = lines([{ role: 'system', content: system ?? '' }]);
    assert.match(head ?? '', /^system: You are a programming assistant .* \| # Reference Files \| a\.ts\*$/);
    assert.deepEqual(lines(messages), [...CACHED, ...WORKING, ...said(10, 12, ''), 'user: Question 13']);
  });

  it('has the files of L1 as a pair, and its breakpoint there without messages', () => {
    const { messages } = bodyOf(convertAnthropic, pairInL1());
    assert.deepEqual(lines(messages).slice(0, 4), [
      'user: # Reference Files | a.ts',
      `assistant: ${ANSWER}*`,
      'user: Question 1',
      'assistant: Answer 1',
    ]);
  });
});

describe('the layout tiered on the wire of OpenAI', () => {
  it('has a breakpoint at the end of each of four tiers, and none behind', () => {
    const [head, ...rest] = lines(bodyOf(convertOpenAi, fourTiers()).messages);
    assert.match(head ?? '', /^system: You are a programming assistant .* \| # Reference Files \| a\.ts\*$/);
    assert.deepEqual(rest, [...CACHED, ...WORKING, ...said(10, 12, ''), 'user: Question 13']);
  });

  it('separates the files of the system prompt by empty lines, in one text where nothing is marked', () => {
    const prompt = fourTiers();
    const unmarked = { ...prompt, system: prompt.system.map((block): Block => ({ ...block, breakpoint: null })) };
    const [system] = bodyOf(convertOpenAi, unmarked).messages;
    const header = '# Reference Files\n\nMore files in this conversation, as they are now:';
    assert.equal(system?.content, `${GLOBAL_PROMPT}\n\n${header}\n\na.ts\n\`\`\`ts\na\n\`\`\``);
  });
});

describe('an item of the context that is no file in the layout tiered', () => {
  const factory = new BlockFactory(characters, sha256);
  const symbols = factory.snapshotBlock(
    { key: 'symbols:src', role: 'user', category: 'references', item: 'symbols:src' },
    { type: 'text', text: 'src/a.ts: class Plane, fly()' },
  );

  /** A request with the item and a message, after the item was in L1 for so many requests. */
  function laid(requests: number): LayoutResult {
    const groups: ContentGroups = {
      tools: [],
      system: [],
      files: { ...textsAroundFiles(factory), files: [symbols] },
      picks: [],
      checkpoint: null,
      conversation: [{ kind: 'user', message: user('u', 'Hi'), excludedWith: null, isRemovedNow: false }],
      instruction: null,
    };
    const sent: SentBlock = { ...symbols, tier: 'L1', opens: false, since: 1, content: null, part: null };
    const situation: Situation = { ...NOTHING_SENT, last: { blocks: [sent], marks: [], ordinal: requests, isSameModel: true } };
    const context = {
      model: CACHING_MODEL,
      situation,
      options: PLAIN.layoutOptions,
      differences: PLAIN.differences,
      resultTexts: PLAIN.resultTexts,
      mustRebuild: false,
      factory,
    };
    return tiered.lay(groups, context);
  }

  it('stands in L1 in a pair of a message of the user with its content, and an answer', () => {
    const [asked, answered, now] = laid(11).messages;
    assert.ok(asked?.kind === 'blocks' && answered?.kind === 'blocks');
    assert.deepEqual([asked.role, answered.role, now?.kind], ['user', 'assistant', 'user']);
    assert.deepEqual(
      asked.blocks.map(({ key, tier }) => `${tier} ${key}`),
      ['L1 files:header/L1', 'L1 symbols:src'],
    );
    assert.deepEqual(asked.blocks[1]?.part, symbols.part);
  });

  it('rises into L0 at 12', () => {
    const { system, messages } = laid(12);
    assert.deepEqual([system.map(({ key }) => key), messages.map(({ kind }) => kind)], [['files:header/L0', 'symbols:src'], ['user']]);
  });
});
