import assert from 'node:assert/strict';
import { ANTHROPIC } from '../../../bench/judge/cacheRules.js';
import type { ChatRequest, Item } from '../../../bench/judge/content.js';
import { POLICIES } from '../../../bench/judge/policies.js';
import { fileOf, itemOf, messageOf, requestOf } from '../../../support/bench/judged.js';

const STABLE = [itemOf('tool', 'tool', 10), itemOf('system', 'system', 10)];
const FIRST = [
  messageOf('q1', 'user', 10),
  messageOf('c1', 'toolCall', 10),
  messageOf('r1', 'toolResult', 10),
  messageOf('a1', 'final', 10),
];
const SECOND = [messageOf('q2', 'user', 10), messageOf('c2', 'toolCall', 10), messageOf('r2', 'toolResult', 10)];

const fileAt = (version: number): Item => fileOf(`f${String(version)}`, [10], 0);

const request = (...items: readonly Item[]): ChatRequest => requestOf(0, ...STABLE, ...items);

/** What a policy makes of the requests of a chat: their blocks by id, a breakpoint behind its block. */
function planned(name: string, ...requests: readonly ChatRequest[]): string[] {
  const policy = POLICIES.find((each) => each.name === name)?.create();
  return requests.map((each) => {
    const blocks = policy?.plan(each, { rules: ANTHROPIC }) ?? [];
    return blocks.map(({ id, breakpoint }) => (breakpoint === null ? id : `${id}:${breakpoint}`)).join(' ');
  });
}

describe('what other clients send', () => {
  const rule = itemOf('rule', 'rule', 10);
  const map = itemOf('repoMap', 'map', 10);
  const whole = request(map, rule, fileAt(0), ...FIRST, ...SECOND);

  it('each marks what its sources say', () => {
    const front = (marked: string): string => {
      const places = new Set(marked.split(' '));
      const ids = ['tool', 'system', 'map', 'rule', 'f0', 'q1', 'c1', 'r1', 'a1', 'q2', 'c2', 'r2'];
      return ids.map((id) => (places.has(id) ? `${id}:5m` : id)).join(' ');
    };
    const marked: Readonly<Record<string, string>> = {
      none: '',
      'system-only': 'system',
      'auto@front': 'r2',
      'last-message@front': 'system r2',
      'cline/roo@front': 'system q2 r2',
      'opencode@front': 'system c2 r2',
      'continue@front': 'tool system q2',
      'copilot@front': 'f0 a1 q2 r2',
      '70%@front': 'system q2',
    };
    for (const [name, places] of Object.entries(marked)) {
      assert.deepEqual(planned(name, whole), [front(places)], name);
    }
  });

  it("Aider's order has files before the newest turn", () => {
    assert.deepEqual(planned('aider', whole), ['tool system:5m rule map:5m q1 c1 r1 a1 f0:5m q2 c2 r2']);
  });

  it('inline, what is new stands before the newest message of the user, or at the end, and stays there', () => {
    const question = request(fileAt(0), ...FIRST.slice(0, 1));
    const turn = request(fileAt(0), ...FIRST.slice(0, 3));
    const edited = request(fileAt(1), ...FIRST.slice(0, 3));
    const next = request(fileAt(1), fileAt(2), ...FIRST, ...SECOND.slice(0, 1));
    assert.deepEqual(planned('last-message-1h@inline', question, turn, edited, next), [
      'tool system:1h f0 q1:1h',
      'tool system:1h f0 q1 c1 r1:1h',
      'tool system:1h f0 q1 c1 r1 f1:1h',
      'tool system:1h f0 q1 c1 r1 f1 a1 f2 q2:1h',
    ]);
  });

  it('inline, what stood behind the place where the conversation was cut is told anew', () => {
    const before = request(fileAt(0), ...FIRST, ...SECOND.slice(0, 1));
    const edited = request(fileAt(0), fileAt(1), ...FIRST, ...SECOND);
    const cut = request(fileAt(0), fileAt(1), ...FIRST, messageOf('q3', 'user', 10));
    const [, , last] = planned('last-message@inline', before, edited, cut);
    assert.equal(last, 'tool system:5m q1 c1 r1 a1 f0 f1 q3:5m');
  });

  it('nobody marks a title', () => {
    const title: ChatRequest = { ...requestOf(0, STABLE[1] ?? rule, ...FIRST.slice(0, 1)), kind: 'title', model: 'small' };
    for (const { name } of POLICIES) {
      assert.deepEqual(planned(name, title), ['system q1'], name);
    }
  });
});
