import assert from 'node:assert/strict';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { toolCallsOf } from '../../../src/engine/chat/message/message.js';
import { exclusionPrices } from '../../../src/engine/next/exclusionPrices.js';
import { promptBlocks } from '../../../src/engine/model/prompt.js';
import { scaledTokens } from '../../../src/engine/record/requestSize.js';
import { summaryPreviewView } from '../../../src/host/panel/summary/slices.js';
import { sumTokens } from '../../../src/engine/sumTokens.js';
import { until } from '../../support/host/clocks.js';
import { panelOf } from '../../support/host/panel.js';
import { messages } from '../../support/host/reading.js';
import { newToolChat, type ToolChat } from '../../support/host/toolChat.js';
import { useWindows } from '../../support/host/window.js';

const FILE = 'export const tide = 1;\n'.repeat(100);

describe('a tool loop that gets the same result again', () => {
  const windows = useWindows();

  /** A chat whose model reads the same twice, with another call between, after a message sent in the panel. */
  const loop = async (config: Partial<ChatConfig>) => {
    const chat: ToolChat = await newToolChat(windows, config);
    const { house, window, session } = chat;
    const panel = await panelOf(window, session.id);
    const read = (id: string, text: string): void => {
      house.replies.push([{ call: 'echo', id, args: { text } }]);
    };
    read('first', FILE);
    read('other', 'x');
    read('again', FILE);
    house.replies.push([{ text: 'Done.' }]);
    await panel.say({ type: 'send', chatId: session.id, text: 'Read it twice.' });
    return { ...chat, panel };
  };

  const results = (body: string | undefined): readonly string[] =>
    [...(body ?? '').matchAll(/"type":"tool_result".*?"text":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => JSON.parse(`"${text!}"`) as string);

  const repliesOf = ({ state }: ChatSession, callId: string) =>
    messages(state).flatMap((message) =>
      message.role === 'assistant' && toolCallsOf(message).some(({ id }) => id === callId) ? [message] : [],
    );

  /** Returns the id of the entry of the reply that made a call. */
  const entryOf = (session: ChatSession, callId: string): string => repliesOf(session, callId)[0]?.attemptId ?? '';

  it('is a pointer for the provider, and the panel says what it refers to and how much it saves', async () => {
    const { house, session, panel } = await loop({});
    const full = `Echo of ${JSON.stringify({ text: FILE })}`;
    const of = `result 1 of echo {"text":"${FILE.slice(0, 100).replaceAll('\n', '\\n')}…"}`;
    assert.deepEqual(results(house.bodies.at(-1)), [full, 'Echo of {"text":"x"}', `[The same as ${of} above.]`]);
    await panel.say({ type: 'showRows', chips: false, nextRequest: true, contextUsed: [], manager: null });
    await until(() => Object.keys(panel.snapshot().repeats).length > 0, 'the next request');
    const { repeats, nextRequestRows, entries } = panel.snapshot();
    const entry = entryOf(session, 'again');
    const view = repeats[entry]?.['again'];
    assert.deepEqual([Object.keys(repeats), view?.of, view?.isChanged], [[entry], `result 1 of echo ${FILE.slice(0, 200)}`.trim(), false]);
    assert.ok(view!.saved > 300 && view!.saved < full.length, String(view!.saved));
    assert.deepEqual(nextRequestRows?.repeats, { results: 1, saved: view!.saved, first: [view] });
    const shown = entries.find(({ id }) => id === entry);
    const [call] = shown?.kind === 'assistant' ? shown.parts : [];
    assert.equal(call?.type === 'toolCall' && call.result?.text, full, 'the conversation shows the full result');
  });

  it('rebuilds each request byte for byte', async () => {
    const { house, session } = await loop({});
    const replies = messages(session.state).filter(({ role }) => role === 'assistant');
    for (const [at, reply] of replies.entries()) {
      assert.equal((await session.records.request(reply.id)).rebuilt.body, house.bodies[at]);
    }
  });

  it('gets the full result each time if the setting of the chat says so', async () => {
    const { house, panel } = await loop({ repeatedContent: 'full' });
    assert.equal(results(house.bodies.at(-1))[2], results(house.bodies.at(-1))[0]);
    assert.deepEqual(panel.snapshot().repeats, {});
  });

  it('is a pointer in the next request after the setting of the chat changes to references', async () => {
    const { house, session, panel } = await loop({ repeatedContent: 'full' });
    await session.changeConfig({ repeatedContent: 'references' });
    house.replies.push([{ text: 'Done.' }]);
    await panel.say({ type: 'send', chatId: session.id, text: 'Go on.' });
    assert.match(results(house.bodies.at(-1))[2]!, /^\[The same as result 1 of echo /);
  });

  it('saves less by excluding the first result, because the next one is then sent in full', async () => {
    const { session } = await loop({});
    const composed = await session.next.preview({ text: 'Next', editing: null });
    const [repeated] = composed.repeated;
    const [first, again] = ['first', 'again'].map((callId) => exclusionPrices(composed, session.state)[entryOf(session, callId)]);
    const held = promptBlocks(composed.prompt);
    const size = (callId: string): number =>
      sumTokens(held.filter(({ part }) => (part.type === 'toolCall' ? part.id : part.type === 'toolResult' ? part.callId : '') === callId));
    assert.equal(first?.tokens, scaledTokens(size('first') - repeated!.saved, composed.size));
    assert.equal(again?.tokens, scaledTokens(size('again'), composed.size));
    await session.marks.exclude(repliesOf(session, 'first')[0]?.id ?? '', 'now');
    const without = await session.next.preview({ text: 'Next', editing: null });
    assert.deepEqual([without.repeated, composed.size.tokens - without.size.tokens <= first.tokens + 20], [[], true]);
  });

  it('counts for a summary as what is sent, and not as the full result', async () => {
    const { session } = await loop({});
    const { preview } = session.compactor;
    await preview.plan(null);
    const rows = summaryPreviewView(session)?.plan?.rows ?? [];
    const composed = await session.next.preview({ text: '', editing: null });
    const sizeOf = (id: string): number =>
      sumTokens(promptBlocks(composed.prompt).filter(({ key }) => key.slice(key.indexOf(':') + 1).startsWith(`${id}/`)));
    assert.ok(rows.some(({ role }) => role === 'tool-results'));
    assert.deepEqual(
      rows.map(({ tokens }) => tokens),
      rows.map(({ id }) => sizeOf(id)),
    );
  });
});
