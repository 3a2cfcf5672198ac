import assert from 'node:assert/strict';
import { lastRun } from '../../../src/engine/chat/branch.js';
import type { MadeEdit } from '../../../src/engine/chat/calls/toolEdit.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { messages } from '../../support/host/reading.js';
import { EchoServer, toolboxWith } from '../../support/host/toolServer.js';
import { useWindows } from '../../support/host/window.js';
import { sha256 } from '../../support/engine/ports.js';
import { join } from 'node:path';
import type { Toolbox } from '../../../src/host/tools/toolbox.js';

describe('what changes on the disk while tools run', () => {
  const windows = useWindows();
  let server: EchoServer;
  let watched: string[];
  let changes: () => readonly MadeEdit[];
  beforeEach(() => {
    server = new EchoServer('files', 'write');
    watched = [];
    changes = () => [];
  });

  const found = (path: string, text: string): MadeEdit => ({
    path,
    before: null,
    after: sha256(text),
    added: null,
    removed: null,
    noCopy: 'notKnown',
    earlier: null,
  });

  const chat = async (): Promise<ChatSession> => {
    const toolbox: Toolbox = {
      ...toolboxWith([server], join(windows.folder, 'allowed')),
      always: {
        before: () => Promise.resolve({ isStillValid: true, tool: { description: '', inputSchema: {}, identity: '' } }),
        allow: () => Promise.resolve(),
        revoke: () => Promise.resolve(),
        list: () => Promise.resolve({ approvals: [], unreadable: [] }),
      },
    };
    const watchFiles = () => {
      watched.push('watch');
      return {
        begin: (paths: readonly string[]) => {
          watched.push(`begin ${paths.join()}`);
          return Promise.resolve();
        },
        changes: () => {
          watched.push('changes');
          return Promise.resolve(changes());
        },
        end: () => watched.push('end'),
      };
    };
    return windows.open({ toolbox, watchFiles }).chats.create();
  };
  const CALL = '/tool files__write {"path":"a"}';
  const edits = ({ state }: ChatSession) => lastRun(state)?.roundEdits ?? [];
  const resultIds = ({ state }: ChatSession) => messages(state).flatMap(({ role, id }) => (role === 'tool-results' ? [id] : []));

  it('is logged with the results of its round', async () => {
    const session = await chat();
    const rounds = [[found('a', '1')], [], [found('b', '1'), found('c', '1')]];
    changes = () => rounds.shift() ?? [];
    await session.conversation.send([CALL, CALL, CALL].join('\n'));
    const shown = edits(session).map(({ messageId, edits: each }) => [messageId, each.map(({ path }) => path)]);
    const [first, , third] = resultIds(session);
    assert.deepEqual(shown, [
      [first, ['a']],
      [third, ['b', 'c']],
    ]);
    const round = ['begin a', 'changes'];
    assert.deepEqual(watched, ['watch', ...round, ...round, ...round, 'end'], 'one watch serves all rounds of a run');
  });

  it('is not what the calls have told themselves', async () => {
    const told: MadeEdit = { ...found('a', 'new'), noCopy: null };
    server.work = () => Promise.resolve({ content: [], isError: false, edits: [told] });
    changes = () => [found('a', 'new'), found('b', 'new')];
    const session = await chat();
    await session.conversation.send(CALL);
    const paths = (): readonly string[] => edits(session).flatMap((each) => each.edits.map(({ path }) => path));
    assert.deepEqual(paths(), ['b']);
    changes = () => [found('a', 'changed further')];
    await session.conversation.send(CALL);
    assert.deepEqual(paths(), ['a']);
  });

  it('has its earlier copy among the contents of the chat', async () => {
    const earlier = new TextEncoder().encode('old');
    changes = () => [{ ...found('a', 'new'), noCopy: null, before: sha256('old'), earlier }];
    const session = await chat();
    await session.conversation.send(CALL);
    assert.equal(edits(session)[0]?.edits[0]?.blob, sha256('old'));
  });

  it('is not looked for where no tool runs that may write untold', async () => {
    const session = await chat();
    await session.conversation.send('/long 2');
    await session.conversation.send('/tool nothing {}');
    assert.deepEqual(watched, []);
  });

  it('does not end the run when it cannot be found', async () => {
    changes = () => {
      throw new Error('The disk is gone.');
    };
    const session = await chat();
    await session.conversation.send(CALL);
    assert.equal(lastRun(session.state)?.status, 'committed');
  });
});
