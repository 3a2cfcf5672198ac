import assert from 'node:assert/strict';
import type { ChatRequest, Item } from '../../../bench/judge/content.js';
import { RIVALS } from '../../../bench/judge/rivals.js';
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

/** The ids of the last request's blocks. A star is a breakpoint. */
function planned(name: string, ...requests: readonly ChatRequest[]): string | undefined {
  const policy = RIVALS.find((each) => each.name === name)?.create();
  return requests
    .map((each) => policy?.plan(each) ?? [])
    .at(-1)
    ?.map(({ id, breakpoint }) => (breakpoint === null ? id : `${id}*`))
    .join(' ');
}

describe('what other clients send', () => {
  const chat = [
    request(fileAt(0), ...FIRST.slice(0, 1)),
    request(fileAt(0), ...FIRST.slice(0, 3)),
    request(fileAt(1), ...FIRST.slice(0, 3)),
    request(fileAt(1), fileAt(2), ...FIRST, ...SECOND.slice(0, 1)),
    request(fileAt(1), fileAt(2), ...FIRST, ...SECOND),
  ];

  it('breakpoints are where the sources of each client have them', () => {
    assert.equal(planned('OpenCode', ...chat), 'tool system* f0 q1 c1 r1 f1 a1 f2 q2 c2* r2*');
    assert.equal(planned('Copilot', ...chat), 'tool system f0* q1 c1 r1 f1 a1* f2 q2* c2 r2*');
  });

  it('context after the place where the conversation was cut is sent again', () => {
    const cut = request(fileAt(1), fileAt(2), ...FIRST, messageOf('q3', 'user', 10));
    assert.equal(planned('OpenCode', ...chat, cut), 'tool system* f0 q1 c1 r1 f1 a1* f2 q3*');
  });
});
