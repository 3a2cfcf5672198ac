import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { authorNames, nextAuthor, participantsPrompt } from '../../../src/engine/chat/authors.js';
import type { Participant } from '../../../src/engine/chat/slices/participants.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { GitIdentity } from '../../../src/host/window/gitIdentity.js';
import { messages } from '../../support/host/reading.js';
import { SteppedClock } from '../../support/host/clocks.js';
import { useWindows } from '../../support/host/window.js';

const ADA = { id: 'a1', name: 'Ada Lovelace' };
const BOB = { id: 'b2', name: 'Bob' };

describe('the participants of a chat', () => {
  const windows = useWindows();

  const texts = async (session: ChatSession, text: string): Promise<readonly string[]> => {
    const { system, messages: said } = (await session.next.preview({ text, editing: null })).prompt;
    return [...system, ...said.flatMap(({ blocks }) => blocks)].flatMap(({ part }) => (part.type === 'text' ? [part.text] : []));
  };

  it('cost no token while there is one author', async () => {
    const [known, unknown] = [windows.open({ me: () => ADA }), windows.open({ writerId: 'other' })];
    const sent: string[][] = [];
    for (const { chats } of [known, unknown]) {
      const session = await chats.create();
      await session.conversation.send('/long 1');
      sent.push([...(await texts(session, 'Next'))]);
    }
    assert.deepEqual(sent[0], sent[1]);
  });

  it('are in a map in the system prompt with more than one author, and user messages carry names', async () => {
    let me = ADA;
    const { chats, model } = windows.open({ me: () => me });
    const session = await chats.create();
    await session.conversation.send('/long 1');
    me = BOB;
    const previewed = (await session.next.preview({ text: '/long 2', editing: null })).wire().body;
    await session.conversation.send('/long 2');
    assert.equal(model.bodies.at(-1), previewed, 'the preview of the first message of the second author');
    const held = await texts(session, 'Next');
    const map = 'The following map is from user_uuids to real names. In user messages, real names will be used.\na1: Ada Lovelace\nb2: Bob';
    assert.ok(held.some((text) => text.trim() === map));
    const said = held.slice(held.indexOf('Ada Lovelace:'));
    assert.deepEqual(
      [said.slice(0, 2), said.slice(-2)],
      [
        ['Ada Lovelace:', '/long 1'],
        ['Bob:', 'Next'],
      ],
    );
    assert.deepEqual(
      messages(session.state).flatMap((message) => (message.role === 'user' ? [message.author] : [])),
      [null, 'b2'],
    );
    const reply = messages(session.state).findLast(({ role }) => role === 'assistant');
    assert.equal((await session.records.request(reply?.id ?? '')).rebuilt.note, null, 'the request is rebuilt');
    const fork = await chats.fork(session, reply?.id ?? '');
    assert.deepEqual([...fork.state.participants.values()], [ADA, BOB]);
  });

  it('change their names, and stay without a name where git knows none', () => {
    const participants = new Map([[ADA.id, ADA]]);
    assert.deepEqual(nextAuthor({ participants }, ADA), { author: null, joined: [] });
    const renamed = { ...ADA, name: 'Countess\nLovelace' };
    assert.deepEqual(nextAuthor({ participants }, renamed), { author: null, joined: [{ type: 'participant', participant: renamed }] });
    assert.deepEqual(nextAuthor({ participants }, null), { author: null, joined: [] });
    const moved = { id: 'a9', name: ADA.name };
    assert.deepEqual(nextAuthor({ participants }, moved), { author: null, joined: [] }, 'a new e-mail address');
    assert.deepEqual(nextAuthor({ participants: new Map([[BOB.id, BOB], ...participants]) }, moved), { author: 'a1', joined: [] });
    assert.deepEqual(nextAuthor({ participants }, BOB), { author: 'b2', joined: [{ type: 'participant', participant: BOB }] });
    const two = { participants: new Map([...participants, [BOB.id, { ...BOB, name: 'B\nob' }]]) };
    assert.equal(authorNames(two).get('b2'), 'B ob');
    assert.equal(participantsPrompt({ participants }), '');
  });

  it('are known before the first message is sent, even if git answers late', async () => {
    const session = await windows.open({ me: () => ADA }).chats.create();
    await session.conversation.send('/long 1');
    let answer: (me: Participant) => void = () => assert.fail();
    const asked = new Promise<Participant>((resolve) => {
      answer = resolve;
    });
    const second = await windows.open({ writerId: 'second', me: () => asked }).chats.open(session.id);
    const sent = second.conversation.send('/long 1');
    answer(BOB);
    await sent;
    const said = messages(second.state).flatMap((message) => (message.role === 'user' ? [message.author] : []));
    assert.deepEqual(said, [null, 'b2']);
  });

  /** The user of a repository, where VS Code's extension gives the path of git with `gitPath`. */
  async function repositoryUser(gitPath: () => Promise<string | null>) {
    const logged: string[] = [];
    const clock = new SteppedClock();
    const folder = join(windows.folder, 'repository');
    await promisify(execFile)('git', ['init', '--quiet', folder]);
    await promisify(execFile)('git', ['-C', folder, 'config', 'user.name', BOB.name]);
    await promisify(execFile)('git', ['-C', folder, 'config', 'user.email', 'bob@example.org']);
    const ports = { folders: () => [folder], sha256: () => BOB.id, gitPath, clock, logInfo: (text: string) => logged.push(text) };
    return { identity: new GitIdentity(ports), clock, logged };
  }

  it('have no name without the git of VS Code, until the user trusts the workspace', async () => {
    const paths: (string | null)[] = [null, null, 'git'];
    let asked = 0;
    const { identity, logged } = await repositoryUser(() => Promise.resolve(paths[asked++] ?? null));
    assert.deepEqual([await identity.current(), await identity.current()], [null, null]);
    assert.deepEqual(logged, ['VS Code has no git, so messages have no author.']);
    assert.deepEqual([await identity.current(), await identity.current()], [BOB, BOB]);
    assert.equal(asked, 3, 'git is asked until it answers');
  });

  it('have no name until VS Code finds its git, and only the first message waits', async () => {
    let find: (path: string) => void = () => undefined;
    const finding = new Promise<string>((resolve) => {
      find = resolve;
    });
    const { identity, clock, logged } = await repositoryUser(() => finding);
    const me = identity.current();
    clock.step();
    assert.equal(await me, null);
    assert.deepEqual(logged, ['Git did not answer, so messages have no author.']);
    assert.equal(await identity.current(), null);
    assert.equal(clock.sleepers, 0, 'no second wait');
    find('git');
    while ((await identity.current()) === null) {
      await new Promise(setImmediate);
    }
    assert.deepEqual(await identity.current(), BOB);
  });

  it('have no name where git does not start, until it does', async () => {
    const paths = [process.execPath + '.missing', 'git'];
    const { identity } = await repositoryUser(() => Promise.resolve(paths.shift() ?? assert.fail()));
    assert.deepEqual([await identity.current(), await identity.current()], [null, BOB]);
  });
});
