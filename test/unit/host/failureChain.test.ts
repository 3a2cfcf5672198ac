import assert from 'node:assert/strict';
import { failure, type LoupeError } from '../../../src/engine/errors.js';
import { EntryViews } from '../../../src/host/panel/conversation/entries.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import type { EntryView } from '../../../src/protocol/panel/entries.js';
import { ANY_MODEL } from '../../../webview/preview/views.js';
import { outline } from '../../support/faults/house.js';
import { longTalk, type LongTalk } from '../../support/host/longTalk.js';
import { lastUser } from '../../support/host/reading.js';
import { useWindows } from '../../support/host/window.js';

const SERVER = { label: 'House', status: 404, inputLimit: null, refusedMember: null };
const NO_KEY = failure('http.keyRefused', SERVER);
const NOT_HERE = failure('http.notHere', SERVER);
const BROKEN = failure('provider.brokeOff', SERVER);

describe('failures in a row', () => {
  const windows = useWindows();

  const shown = ({ state }: ChatSession): readonly EntryView[] => new EntryViews(() => ANY_MODEL).derive(state, 1_000).entries;
  const idsOf = (entries: readonly EntryView[]): readonly string[] =>
    entries.flatMap((entry) => ('failures' in entry ? entry.failures.map(({ id }) => id) : []));
  const attemptIds = ({ state }: ChatSession): readonly string[] => [...state.attempts.keys()];

  /** Sends a message that fails, and retries it until each of the failures has happened. */
  async function failing(...errors: readonly LoupeError[]): Promise<LongTalk> {
    const talk = await longTalk(windows, 0, {});
    talk.house.replies.push(...errors.map((fails) => [{ fails }]));
    await talk.session.conversation.send('When is low water?');
    for (const _ of errors.slice(1)) {
      await talk.session.conversation.retry(lastUser(talk.session.state).id);
    }
    return talk;
  }

  it('are one note with a count, and the request of each stays reachable', async () => {
    const { session } = await failing(...Array.from({ length: 50 }, () => NO_KEY));
    const entries = shown(session);
    assert.deepEqual(outline(entries), ['user (unsent): When is low water?', 'note (failed): Failed 50 times: House rejected the key.']);
    assert.deepEqual(idsOf(entries), attemptIds(session));
    for (const id of [attemptIds(session)[0] ?? '', attemptIds(session)[49] ?? '']) {
      assert.match((await session.records.request(id)).rebuilt.body, /low water/);
    }
  });

  it('of two kinds are one note that names the last, with all of them in order', async () => {
    const { session } = await failing(NO_KEY, NOT_HERE, NO_KEY, NOT_HERE);
    const entries = shown(session);
    assert.equal(outline(entries).at(-1), `note (failed): Failed 4 times, for several reasons. The last: ${NOT_HERE.message}`);
    assert.deepEqual(idsOf(entries), attemptIds(session));
  });

  it('are in the details of the reply after a retry that succeeded, and in no line of their own', async () => {
    const { house, session } = await failing(NO_KEY, NOT_HERE);
    house.replies.push([{ text: 'At 10:25.' }]);
    await session.conversation.retry(lastUser(session.state).id);
    const entries = shown(session);
    assert.deepEqual(outline(entries), ['user: When is low water?', 'assistant (done): At 10:25.']);
    assert.deepEqual(idsOf(entries), attemptIds(session).slice(0, 2));
  });

  it('of messages one after the other are one note below the last of them', async () => {
    const { house, session } = await failing(NO_KEY, NO_KEY);
    house.replies.push([{ fails: NO_KEY }], [{ fails: NOT_HERE }]);
    await session.conversation.send('Is the key right?');
    const same = shown(session);
    assert.deepEqual(outline(same), [
      'user (unsent): When is low water?',
      'user (unsent): Is the key right?',
      'note (failed): Failed 3 times: House rejected the key.',
    ]);
    assert.deepEqual(idsOf(same), attemptIds(session));
    await session.conversation.send('And now?');
    assert.deepEqual(outline(shown(session)).slice(2), [
      'note (failed): Failed 3 times: House rejected the key.',
      'user (unsent): And now?',
      `note (failed): ${NOT_HERE.message}`,
    ]);
  });

  it('are the same after a reload and in a second window, in which a retry adds to them', async () => {
    const { house, session } = await failing(NO_KEY, NO_KEY);
    const other = windows.open({ writerId: 'second', sources: [house.source] });
    const there = await other.chats.open(session.id);
    assert.deepEqual(shown(there), shown(session));
    house.replies.push([{ fails: NO_KEY }]);
    await there.conversation.retry(lastUser(there.state).id);
    assert.equal(outline(shown(there)).at(-1), 'note (failed): Failed 3 times: House rejected the key.');
  });

  it('keep the line that restores a partial reply until a retry has succeeded', async () => {
    const { house, session } = await failing(NO_KEY);
    house.replies.push([{ text: 'At 10' }, { fails: BROKEN }], [{ fails: NO_KEY }], [{ text: 'At 10:25.' }]);
    await session.conversation.retry(lastUser(session.state).id);
    await session.conversation.retry(lastUser(session.state).id);
    assert.ok(outline(shown(session)).includes('accounting: retried'));
    await session.conversation.retry(lastUser(session.state).id);
    const entries = shown(session);
    assert.deepEqual(outline(entries), ['user: When is low water?', 'assistant (done): At 10:25.']);
    assert.deepEqual(idsOf(entries), attemptIds(session).slice(0, 3));
  });

  it('keep the line about a retry of a reply that had arrived', async () => {
    const { house, session } = await failing(NO_KEY);
    house.replies.push([{ text: 'At 10.' }], [{ text: 'At 10:25.' }]);
    await session.conversation.retry(lastUser(session.state).id);
    await session.conversation.retry(lastUser(session.state).id);
    assert.deepEqual(outline(shown(session)), ['user: When is low water?', 'accounting: retried', 'assistant (done): At 10:25.']);
  });
});
