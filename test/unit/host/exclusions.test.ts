import assert from 'node:assert/strict';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { exclusionPrices } from '../../../src/engine/next/exclusionPrices.js';
import { column, columns } from '../../support/columns.js';
import { RunningClock } from '../../support/host/clocks.js';
import { messagesIn } from '../../support/host/longTalk.js';
import { openPanel } from '../../support/host/panel.js';
import { EchoTool, messages } from '../../support/host/reading.js';
import { rejection } from '../../support/rejection.js';
import { newToolChat, type ToolChat } from '../../support/host/toolChat.js';
import { useWindows } from '../../support/host/window.js';

/** Long enough that the content after a turn is worth its place in the cache. */
const LONG = 'The tide tables of the harbour are read every hour. '.repeat(600);

const LAYOUTS = ['plain', 'message-70', 'tiered'] as const;

describe('a turn that is excluded', () => {
  const windows = useWindows();

  async function talk(config: Partial<ChatConfig>, turns: number): Promise<ToolChat> {
    const { house, window, session } = await newToolChat(windows, config);
    for (let turn = 1; turn <= turns; turn += 1) {
      house.replies.push([{ text: `Look ${turn}.` }, { call: 'echo', id: `call-${turn}`, args: { turn } }]);
      house.replies.push([{ text: `Conclusion ${turn}. ${LONG}` }]);
      await session.conversation.send(`Question ${turn}`);
    }
    return { house, window, session };
  }

  const question = ({ state }: ChatSession, turn: number): string =>
    messages(state).filter(({ role }) => role === 'user')[turn - 1]?.id ?? '';

  /** The questions, looks, calls, results and conclusions in a body, by turn. */
  const held = (body: string | undefined): string =>
    [...messagesIn(body).matchAll(/Question \d|Look \d|"id":"call-\d|"tool_use_id":"call-\d|Conclusion \d/g)]
      .map(([found]) =>
        found
          .replace(/^(?:"tool_use_id":"call-)/, 'r')
          .replace(/^"id":"call-/, 'c')
          .replace(/^(.)[A-Za-z]* (\d)$/, '$1$2'),
      )
      .join(' ');

  const turnIn = (turn: number): string => `Q${turn} L${turn} c${turn} r${turn} C${turn}`;

  for (const layout of LAYOUTS) {
    it(`leaves the next request whole, and comes back to its place, in the layout ${layout}`, async () => {
      const { house, session } = await talk({ layout }, 3);
      await session.marks.exclude(question(session, 2), 'later');
      await session.conversation.send('Question 4');
      assert.equal(held(house.bodies.at(-1)), `${turnIn(1)} ${turnIn(3)} Q4`);
      await session.marks.include(question(session, 2));
      await session.conversation.send('Question 5');
      assert.match(held(house.bodies.at(-1)), new RegExp(`^${turnIn(1)} ${turnIn(2)} ${turnIn(3)} Q4`));
    });

    it(`excludes the calls of one reply with their results, in the layout ${layout}`, async () => {
      const { house, session } = await talk({ layout }, 2);
      const results = messages(session.state).filter(({ role }) => role === 'tool-results');
      await session.marks.exclude(results[0]?.id ?? '', 'later');
      await session.conversation.send('Question 3');
      assert.equal(held(house.bodies.at(-1)), `Q1 L1 C1 ${turnIn(2)} Q3`);
    });
  }

  it('stays in a prompt that continues until the next relayout, or leaves at once', async () => {
    const { house, session } = await talk({ layout: 'adaptive' }, 3);
    await session.marks.exclude(question(session, 1), 'later');
    assert.deepEqual(column((await session.next.preview({ text: '', editing: null })).excludedTurns, 'isHeld'), [true]);
    await session.conversation.send('Question 4');
    assert.equal(held(house.bodies.at(-1)), `${turnIn(1)} ${turnIn(2)} ${turnIn(3)} Q4`);
    await session.marks.exclude(question(session, 2), 'now');
    assert.deepEqual(column((await session.next.preview({ text: '', editing: null })).excludedTurns, 'isHeld'), [true, false]);
    await session.conversation.send('Question 5');
    assert.match(held(house.bodies.at(-1)), new RegExp(`^${turnIn(1)} ${turnIn(3)} Q4`));
    await session.context.rebuildLayout();
    await session.conversation.send('Question 6');
    assert.match(held(house.bodies.at(-1)), new RegExp(`^${turnIn(3)} Q4`));
  });

  it('can be the last one, as soon as it has been answered', async () => {
    const { house, session } = await talk({ layout: 'adaptive' }, 2);
    await session.marks.exclude(question(session, 2), 'later');
    await session.conversation.send('Question 3');
    assert.equal(held(house.bodies.at(-1)), `${turnIn(1)} Q3`);
  });

  it('comes back when its message is answered anew', async () => {
    const { house, session } = await talk({ layout: 'plain' }, 2);
    await session.marks.exclude(question(session, 2), 'later');
    await session.conversation.retry(question(session, 2));
    assert.equal(held(house.bodies.at(-1)), `${turnIn(1)} Q2`);
    await session.conversation.send('Question 3');
    assert.match(held(house.bodies.at(-1)), /Q2 Q3$/);
  });

  it('is not summarized, and a summary that stands for its neighbours stands for it, too', async () => {
    const { house, session } = await talk({ layout: 'adaptive' }, 2);
    await session.marks.exclude(question(session, 1), 'later');
    house.replies.push([{ text: 'Tides.' }]);
    await session.compactor.summarize(null);
    assert.match(held(house.bodies.at(-1)), new RegExp(`^${turnIn(2)}`));
    assert.ok(!messagesIn(house.bodies.at(-1)).includes('Question 1'));
    assert.equal((await rejection(session.marks.include(question(session, 1)))).code, 'chat.messageNotSent');
    await session.compactor.undo();
    await session.marks.include(question(session, 1));
    await session.conversation.send('Question 3');
    assert.equal(held(house.bodies.at(-1)), `${turnIn(1)} ${turnIn(2)} Q3`);
  });

  it('is another decision than a pin: the later one counts', async () => {
    const { session } = await talk({ layout: 'plain' }, 1);
    const id = question(session, 1);
    await session.marks.pin(id);
    await session.marks.exclude(id, 'later');
    assert.deepEqual([[...session.state.pinned], [...session.state.excluded]], [[], [[id, 'later']]]);
    await session.marks.pin(id);
    assert.deepEqual([[...session.state.pinned], [...session.state.excluded]], [[id], []]);
  });

  it('is excluded in a fork, and in another window, by the same request', async () => {
    const { house, window, session } = await talk({ layout: 'tiered' }, 3);
    await session.marks.exclude(question(session, 1), 'now');
    const draft = { text: 'Question 4', editing: null };
    const here = (await session.next.preview(draft)).wire().body;
    const other = windows.open({ writerId: 'other', sources: [house.source], tools: new EchoTool(), clock: new RunningClock() });
    assert.equal((await (await other.chats.open(session.id)).next.preview(draft)).wire().body, here);
    const fork = await window.chats.fork(session, messages(session.state).at(-1)?.id ?? '');
    assert.equal(held((await fork.next.preview(draft)).wire().body), `${turnIn(2)} ${turnIn(3)} Q4`);
  });

  it('is excluded and included again by the API, which refuses what still waits for its answer', async () => {
    const { window, session } = await talk({ layout: 'plain' }, 2);
    const { api } = openPanel(window, { currentChat: undefined });
    const [, , , conclusion] = messages(session.state);
    await api.exclude(session.id, conclusion?.id ?? '', { now: true });
    assert.deepEqual([...session.state.excluded], [[question(session, 1), 'now']]);
    const { forgotten } = await api.previewNextRequest(session.id);
    assert.deepEqual(forgotten, []);
    await api.include(session.id, question(session, 1));
    assert.equal(session.state.excluded.size, 0);
    assert.equal((await rejection(api.exclude(session.id, 'unknown'))).code, 'chat.messageNotSent');
    const codes: (string | undefined)[] = [];
    session.onChange(() => {
      const waiting = question(session, 3);
      if (waiting !== '' && codes.length === 0) {
        codes.push(undefined);
        void rejection(session.marks.exclude(waiting, 'later')).then(({ code }) => codes.push(code));
      }
    });
    await session.conversation.send('Question 3');
    assert.deepEqual(codes, [undefined, 'chat.stillAnswered']);
  });

  it('is priced before it leaves: what is behind it is written again once, and each later request is shorter', async () => {
    const { session } = await talk({ layout: 'adaptive' }, 3);
    const composed = await session.next.preview({ text: '', editing: null });
    const prices = exclusionPrices(composed, session.state);
    const [first, second, third] = [1, 2, 3].map((turn) => prices[question(session, turn)] ?? assert.fail(`Turn ${turn} has a price.`));
    const read = composed.forecast?.parts.read ?? 0;
    assert.ok(first!.writtenAgain! > second!.writtenAgain! && second!.writtenAgain! > third!.writtenAgain!);
    assert.ok(first!.writtenAgain! < read && first!.cost! > 0 && first!.saving! > 0 && first!.canWait && first!.state === 'sent');
    await session.marks.exclude(question(session, 1), 'now');
    const without = await session.next.preview({ text: '', editing: null });
    const lost = read - (without.forecast?.parts.read ?? 0);
    assert.ok(Math.abs(composed.size.tokens - without.size.tokens - first!.tokens) <= first!.tokens * 0.02);
    assert.ok(lost >= first!.writtenAgain!, `${lost} tokens are read no more`);
  });

  async function broughtBack(session: ChatSession, mark: string): Promise<Record<'tokens' | 'lost' | 'costs', number>> {
    const figures = async (): Promise<[tokens: number, read: number, cost: number]> => {
      const { size, forecast } = await session.next.preview({ text: '', editing: null });
      assert.ok(forecast?.costNow !== null && forecast !== null);
      return [size.tokens, forecast.parts.read, forecast.costNow];
    };
    const gone = await figures();
    await session.marks.include(mark);
    const back = await figures();
    await session.marks.exclude(mark, 'now');
    return { tokens: back[0] - gone[0], lost: gone[1] - back[1], costs: back[2] - gone[2] };
  }

  it('has a price for including excluded content again: it is written, and what follows it', async () => {
    for (const layout of ['adaptive', 'plain'] as const) {
      const { house, session } = await talk({ layout }, 3);
      const reply = messages(session.state).find((message) => message.role === 'assistant') ?? assert.fail('There is a reply.');
      await session.marks.exclude(question(session, 2), 'now');
      await session.marks.exclude(reply.id, 'now');
      house.replies.push([{ text: `Conclusion 4. ${LONG}` }]);
      await session.conversation.send('Question 4');
      for (const [entry, mark] of [
        [question(session, 2), question(session, 2)],
        [reply.attemptId, reply.id],
      ] as const) {
        const price = exclusionPrices(await session.next.preview({ text: '', editing: null }), session.state)[entry];
        assert.ok(price?.state === 'out' && price.writtenAgain !== null && price.cost !== null);
        const { tokens, lost, costs } = await broughtBack(session, mark);
        // Without the framing of each message.
        assert.ok(Math.abs(price.tokens - tokens) <= tokens * 0.1 + 8, `${String(price.tokens)} of ${String(tokens)} tokens`);
        // An estimate: reads end at breakpoints, and the cache can still have the prompt with the excluded turn.
        assert.ok(price.writtenAgain > lost * 0.4 && price.writtenAgain < lost * 2.5, `${String(price.writtenAgain)} of ${String(lost)}`);
        assert.ok(price.cost > costs * 0.4 && price.cost < costs * 2.5, `${String(price.cost)} of ${String(costs)}`);
      }
    }
  });

  it('has a price for the calls of a reply, and says of excluded ones that they are still sent', async () => {
    const { session } = await talk({ layout: 'adaptive' }, 3);
    const reply = messages(session.state).find((message) => message.role === 'assistant') ?? assert.fail('There is a reply.');
    await session.marks.exclude(reply.id, 'later');
    const price = exclusionPrices(await session.next.preview({ text: '', editing: null }), session.state)[reply.attemptId];
    assert.ok(price !== undefined && price.tokens > 0 && price.state === 'leaving');
  });
});

describe('one of the parallel calls of a reply', () => {
  const windows = useWindows();

  async function parallel(config: Partial<ChatConfig>) {
    const { house, window, session } = await newToolChat(windows, config);
    const calls = ['a', 'b'].map((id) => ({ call: 'echo', id: `call-${id}`, args: { said: `${id} ${LONG}` } }));
    house.replies.push([{ text: 'Look.' }, ...calls], [{ text: `Conclusion. ${LONG}` }]);
    await session.conversation.send('Question');
    const reply = messages(session.state).find((message) => message.role === 'assistant') ?? assert.fail('There is a reply.');
    return { house, window, session, reply };
  }

  const calls = (body: string | undefined): string =>
    [...messagesIn(body).matchAll(/"id":"call-(\w)|"tool_use_id":"call-(\w)/g)]
      .map(([, call, result]) => call ?? `r${result ?? ''}`)
      .join(' ');

  const next = async (session: ChatSession): Promise<string> =>
    calls((await session.next.preview({ text: '', editing: null })).wire().body);

  for (const layout of [...LAYOUTS, 'adaptive'] as const) {
    it(`leaves with its result and comes back, in the layout ${layout}`, async () => {
      const { house, session, reply } = await parallel({ layout });
      await session.marks.excludeCall(reply.id, 'call-a', 'now');
      assert.deepEqual(columns((await session.next.preview({ text: '', editing: null })).forgotten, 'callId', 'tools', 'calls', 'after'), [
        ['call-a', ['echo'], 1, null],
      ]);
      await session.conversation.send('Question 2');
      assert.equal(calls(house.bodies.at(-1)), 'b rb');
      await session.marks.includeCall(reply.id, 'call-a');
      assert.equal(await next(session), 'a b ra rb');
    });
  }

  it('waits for a relayout of a prompt that continues, and goes without the other one', async () => {
    const { house, session, reply } = await parallel({ layout: 'adaptive' });
    await session.marks.excludeCall(reply.id, 'call-a', 'later');
    await session.conversation.send('Question 2');
    assert.equal(calls(house.bodies.at(-1)), 'a b ra rb');
    await session.context.rebuildLayout();
    await session.conversation.send('Question 3');
    assert.equal(calls(house.bodies.at(-1)), 'b rb');
    await session.marks.excludeCall(reply.id, 'call-b', 'later');
    assert.equal(await next(session), 'b rb', 'the other one may wait although one is gone');
  });

  it('can be the last one, which is as all of them, and be the only one that comes back', async () => {
    const { session, reply } = await parallel({ layout: 'plain' });
    await session.marks.excludeCall(reply.id, 'call-a', 'later');
    await session.marks.excludeCall(reply.id, 'call-b', 'later');
    const { forgotten } = await session.next.preview({ text: '', editing: null });
    assert.deepEqual(columns(forgotten, 'callId', 'calls'), [[undefined, 2]]);
    await session.marks.exclude(reply.id, 'later');
    assert.equal(session.state.excludedCalls.size, 0);
    await session.marks.includeCall(reply.id, 'call-b');
    assert.equal(await next(session), 'b rb');
    await session.marks.include(reply.id);
    assert.equal(await next(session), 'a b ra rb');
  });

  it('is excluded by the API, in a fork too, and is refused where the message has no such call', async () => {
    const { window, session, reply } = await parallel({ layout: 'plain' });
    const { api } = openPanel(window, { currentChat: undefined });
    await api.exclude(session.id, reply.id, { callId: 'call-b' });
    assert.equal(await next(session), 'a ra');
    assert.equal(await next(await window.chats.fork(session, messages(session.state).at(-1)?.id ?? '')), 'a ra');
    assert.equal((await rejection(api.exclude(session.id, reply.id, { callId: 'call-c' }))).code, 'chat.callGone');
    await api.include(session.id, reply.id, { callId: 'call-b' });
    assert.equal(await next(session), 'a b ra rb');
  });

  it('has a price of its own, before it leaves and when it is gone', async () => {
    const { session, reply } = await parallel({ layout: 'adaptive' });
    const prices = async () => exclusionPrices(await session.next.preview({ text: '', editing: null }), session.state)[reply.attemptId];
    const before = await prices();
    const [a, b] = ['call-a', 'call-b'].map((id) => before?.calls?.[id] ?? assert.fail(`${id} has a price.`));
    assert.ok(a!.state === 'sent' && a!.tokens > 0 && a!.tokens + b!.tokens === before!.tokens);
    await session.marks.excludeCall(reply.id, 'call-a', 'later');
    assert.equal((await prices())?.calls?.['call-a']?.state, 'leaving');
    await session.marks.excludeCall(reply.id, 'call-a', 'now');
    const gone = (await prices())?.calls;
    assert.deepEqual([gone?.['call-a']?.state, gone?.['call-b']?.state], ['out', 'sent']);
    assert.ok(Math.abs(gone!['call-a']!.tokens - a!.tokens) <= 1);
  });
});
