import assert from 'node:assert/strict';
import { blockOf, type ChatRequest, type Item } from '../../../bench/judge/content.js';
import { LOUPE } from '../../../bench/judge/loupePlanner.js';
import { fileOf, itemOf, messageOf, requestOf } from '../../../support/bench/judged.js';

const STABLE = [itemOf('tool', 'tool', 2_000), itemOf('system', 'system', 2_000)];
const OLD = fileOf('f', [3_000], 0);
const NEW = fileOf('f', [3_000, 3_100], 100);
const ASKED = messageOf('q1', 'user', 10);
const LOOP = [ASKED, messageOf('c1', 'toolCall', 10), messageOf('r1', 'toolResult', 10)];
const ANSWERED = [...LOOP, messageOf('a1', 'final', 10)];

const request = (at: number, ...items: readonly Item[]): ChatRequest => requestOf(at, ...STABLE, ...items);

/** What the planner makes of the requests of a chat: hashes, a breakpoint behind its block. */
function planned(...requests: readonly ChatRequest[]): string[] {
  const policy = LOUPE.create();
  return requests.map((each) => {
    const blocks = policy.plan(each);
    return blocks.map(({ hash, breakpoint }) => (breakpoint === null ? hash : `${hash}:${breakpoint}`)).join(', ');
  });
}

describe("Loupe's planner before the judge", () => {
  it('tells a change where it has come, as a difference, and leaves what was sent', () => {
    const [first, second] = planned(request(0, OLD, ASKED), request(10, NEW, ...LOOP));
    const bare = (blocks: string | undefined): string => (blocks ?? '').replaceAll(/:(?:5m|1h)/g, '');
    assert.equal(bare(first), 'tool, system, f@0, q1');
    assert.equal(bare(second), 'tool, system, f@0, q1, c1, r1, change to f@1');
  });

  it('tells what is new before the newest message of the user', () => {
    const blocks = planned(request(0, OLD, ASKED), request(10, OLD, ...ANSWERED, messageOf('q2', 'user', 10))).at(-1);
    const more = planned(request(0, OLD, ASKED), request(10, OLD, fileOf('g', [500], 0), ...ANSWERED, messageOf('q2', 'user', 10))).at(-1);
    assert.match(blocks ?? '', /a1(?::\w+)?, q2:\w+$/);
    assert.match(more ?? '', /a1(?::\w+)?, g@0(?::\w+)?, q2:\w+$/);
  });

  it('lays out anew what has gone cold', () => {
    const [, cold] = planned(request(0, OLD, ASKED), request(86_400, NEW, ...ANSWERED, messageOf('q2', 'user', 10)));
    assert.match(cold ?? '', /^tool, system(?::\w+)?, f@1/);
  });

  it('asks a summary for no breakpoints but those of the last request', () => {
    const loop = request(10, OLD, ...LOOP);
    const asked: ChatRequest = { ...request(20, OLD, ...ANSWERED, messageOf('summary', 'user', 10)), kind: 'summary' };
    const places = (blocks: string | undefined): string[] => (blocks ?? '').split(', ').filter((each) => each.includes(':'));
    const [, before, summary] = planned(request(0, OLD, ASKED), loop, asked);
    assert.ok(places(before).length > 0);
    assert.deepEqual(places(summary), places(before));
  });

  it('leaves titles as they are', () => {
    const title: ChatRequest = { ...requestOf(0, itemOf('system', 'title', 250), ASKED), kind: 'title', model: 'small' };
    assert.deepEqual(LOUPE.create().plan(title), title.items.map(blockOf));
  });
});
