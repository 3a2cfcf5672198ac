import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SentMessage } from '../../src/engine/chat/message/message.js';
import { contentHash, type Block, type Tier } from '../../src/engine/model/block.js';
import { BlockFactory } from '../../src/engine/request/blockFactory.js';
import { NOTHING_SENT, type SentBlock, type SentRequest, type Situation } from '../../src/engine/request/layout/situation.js';
import { promptBlocks, type Prompt } from '../../src/engine/model/prompt.js';
import { column } from '../support/columns.js';
import { depth } from '../support/depth.mjs';
import { assistant, call, result, results, user } from '../support/engine/messages.js';
import { characters, sha256 } from '../support/engine/ports.js';
import { RecordedChat, withFiles, type Content } from '../support/engine/requests.js';
import { TIERED, withTarget } from '../support/engine/tieredChat.js';
import { inRuns } from '../support/forAll.js';

const turn = fc.record({
  rounds: fc.nat(2),
  failures: fc.integer({ min: -4, max: 2 }).map((n) => Math.max(0, n)),
  files: fc.option(fc.dictionary(fc.constantFrom('a.ts', 'b.ts', 'c.ts'), fc.constantFrom('one', 'other\n'.repeat(20))), { freq: 2 }),
  happens: fc.oneof(
    { weight: 12, arbitrary: fc.constant('nothing' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('excluded' as const, 'back' as const, 'compacted' as const, 'undone' as const, 'prompted' as const),
    },
  ),
});

const chat = fc.record({ target: fc.constantFrom(0, 60, 400), turns: fc.array(turn, { minLength: 4, maxLength: 24 }) });

type Chat = typeof chat extends fc.Arbitrary<infer T> ? T : never;

function requestsOf({ target, turns }: Chat): Content[] {
  const contents: Content[] = [];
  let files: Readonly<Record<string, string>> = { 'a.ts': 'one' };
  let said: SentMessage[] = [];
  let hidden: number | null = null;
  let compacted: { readonly id: string; readonly before: number } | null = null;
  let systemPrompt = '';
  for (const [at, { rounds, failures, happens, ...drawn }] of turns.entries()) {
    files = drawn.files ?? files;
    hidden = happens === 'excluded' ? Math.floor(at / 2) : happens === 'back' ? null : hidden;
    compacted = happens === 'compacted' ? { id: `c${at}`, before: Math.floor(at / 2) } : happens === 'undone' ? null : compacted;
    systemPrompt = happens === 'prompted' ? `Prompt ${at}.` : systemPrompt;
    const send = (): void => {
      const checkpoint = compacted === null ? null : { id: compacted.id, text: 'Facts.' };
      const messages = said.filter(({ id }) => turnOf(id) !== hidden && turnOf(id) >= (compacted?.before ?? 0));
      contents.push({ ...TIERED, ...withTarget(target), ...withFiles(files), systemPrompt, checkpoint, messages });
    };
    said = [...said, user(`u${at}`, `Question ${at}`)];
    for (let sent = 0; sent <= failures; sent += 1) {
      send();
    }
    for (let round = 0; round < rounds; round += 1) {
      const id = `${at}-${round}`;
      said = [...said, assistant(`s${id}`, call(`c${id}`, {})), results(`r${id}`, result(`c${id}`))];
      send();
    }
    said = [...said, assistant(`a${at}`, `Answer ${at}`)];
  }
  return contents;
}

function turnOf(id: string): number {
  return Number(/\d+/.exec(id)?.[0]);
}

/** A chat in memory: its last request was never written. */
class KeptChat {
  readonly #factory = new BlockFactory(characters, sha256);
  #last: SentRequest | null = null;

  send(content: Content): Prompt {
    const situation: Situation = { ...NOTHING_SENT, last: this.#last };
    const { prompt } = new RecordedChat().compose({ ...content, situation }, this.#factory);
    const ordinal = (this.#last?.ordinal ?? 0) + 1;
    const before = new Map<string, SentBlock>(this.#last?.blocks.map((block) => [block.key, block]));
    const sinceOf = (block: Block): number => {
      const known = before.get(block.key);
      return known !== undefined && contentHash(known) === contentHash(block) ? known.since : ordinal;
    };
    const blocks = promptBlocks(prompt).map((block) => ({ ...block, opens: false, content: null, part: null, since: sinceOf(block) }));
    this.#last = { blocks, marks: [], ordinal, isSameModel: true, cached: blocks.length, alive: blocks.length };
    return prompt;
  }
}

const TIERS: readonly Tier[] = ['L0', 'L1', 'L2', 'L3', 'active'];

describe('any chat with the layout tiered', () => {
  it('goes on with the same request whether it was kept or loaded', () => {
    inRuns(depth({ short: 15, deep: 300 })).forAll(chat, (drawn) => {
      const kept = new KeptChat();
      let recorded = new RecordedChat();
      for (const content of requestsOf(drawn)) {
        const prompt = kept.send(content);
        recorded = recorded.loaded();
        assert.deepEqual(recorded.send(content).prompt, prompt);
      }
    });
  }).timeout(60_000);

  it('has its tiers in order, each with one breakpoint at its end, and its conversation in the order in which it was said', () => {
    inRuns(depth({ short: 25, deep: 500 })).forAll(chat, (drawn) => {
      const kept = new KeptChat();
      for (const content of requestsOf(drawn)) {
        const prompt = kept.send(content);
        const blocks = promptBlocks(prompt);
        const tiers = blocks.map(({ tier }) => TIERS.indexOf(tier));
        const sorted = tiers.toSorted((a, b) => a - b);
        assert.deepEqual(tiers, sorted);
        const ends = blocks.filter(({ tier }, at) => tier !== 'active' && tier !== blocks[at + 1]?.tier).map(({ key }) => key);
        assert.deepEqual(
          column(
            blocks.filter(({ breakpoint }) => breakpoint !== null),
            'key',
          ),
          ends,
        );
        const sent = blocks.flatMap(({ source }) => (source.from === 'message' ? [source.messageId] : []));
        assert.deepEqual(sent, column(content.messages, 'id'));
      }
    });
  }).timeout(60_000);

  it('lets nothing stand within a turn but what was said', () => {
    inRuns(depth({ short: 25, deep: 500 })).forAll(chat, (drawn) => {
      const kept = new KeptChat();
      for (const content of requestsOf(drawn)) {
        const blocks = kept.send(content).messages.flatMap((message) => message.blocks);
        const saidIn = ({ source }: Block): boolean => source.from === 'message';
        const after = blocks.filter((block, at) => at > 0 && saidIn(block) && !saidIn(blocks[at - 1]!));
        assert.deepEqual(new Set(after.map(({ role }) => role)), new Set(after.length === 0 ? [] : ['user']));
      }
    });
  }).timeout(60_000);
});
