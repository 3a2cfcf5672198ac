import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { ServerStatus } from '../../../src/engine/tools/tool.js';
import type { ServerQuestionView } from '../../../src/protocol/questions.js';
import { ServerHold } from '../../../src/host/chat/runs/serverHold.js';
import type { NeededServers } from '../../../src/host/tools/neededServers.js';

const NEVER = new AbortController().signal;
const NONE: ReadonlySet<string> = new Set();
const NOTHING = (): Promise<void> => Promise.resolve();

function later(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

/** A server whose start and question end as the test decides. */
function server(name: string, status: ServerStatus) {
  const started = later();
  const asked = later();
  return { name, status, start: () => started.promise, allowed: () => asked.promise, starts: started.resolve, isAllowed: asked.resolve };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a message that waits for servers', () => {
  let hold: ServerHold;
  let question: ServerQuestionView | null;
  let isSent: boolean;
  let told: (readonly string[])[];

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    question = null;
    isSent = false;
    told = [];
    hold = new ServerHold({
      asks: { startQuestion: () => question, answerStart: () => true },
      log: { changed: () => told.push(hold.starting) },
    });
  });

  afterEach(() => {
    mock.timers.reset();
  });

  async function send(
    servers: NeededServers['servers'],
    readResources: NeededServers['readResources'],
    signal: AbortSignal,
    read: ReadonlySet<string>,
  ): Promise<void> {
    void hold.start({ servers, read, readResources }, signal).then(() => {
      isSent = true;
    });
    await settled();
  }

  async function pass(ms: number): Promise<void> {
    mock.timers.tick(ms);
    await settled();
  }

  it('is sent when they have started, and says nothing where that is soon', async () => {
    const files = server('files', 'stopped');
    files.isAllowed();
    await send([files], NOTHING, NEVER, NONE);
    await pass(400);
    assert.equal(isSent, false);
    files.starts();
    await settled();
    assert.equal(isSent, true);
    await pass(1_000);
    assert.deepEqual(told, []);
  });

  it('names those that take longer, until each has started', async () => {
    const [files, web, ready] = [server('files', 'stopped'), server('web', 'failed'), server('ready', 'running')];
    for (const each of [files, web, ready]) each.isAllowed();
    ready.starts();
    await send([files, web, ready], NOTHING, NEVER, NONE);
    await pass(600);
    files.starts();
    await settled();
    web.starts();
    await settled();
    assert.deepEqual([told[0], told[1], told.at(-1), isSent], [['files', 'web'], ['web'], [], true]);
  });

  it('is held for ten seconds at most by servers, and by resources of servers', async () => {
    const files = server('files', 'stopped');
    files.isAllowed();
    await send([files], () => new Promise(() => undefined), NEVER, NONE);
    await pass(9_999);
    files.starts();
    await settled();
    assert.equal(isSent, false);
    await pass(1);
    assert.equal(isSent, true);
    assert.deepEqual(hold.starting, []);
  });

  it('names a server that runs while its resources are read, and can be sent without them', async () => {
    const [docs, files] = [server('docs', 'running'), server('files', 'stopped')];
    for (const each of [docs, files]) each.isAllowed();
    for (const each of [docs, files]) each.starts();
    const reading = later();
    await send([docs, files], () => reading.promise, NEVER, new Set(['docs']));
    await pass(600);
    assert.deepEqual([hold.starting, isSent], [['docs'], false]);
    hold.sendWithout();
    await settled();
    assert.deepEqual([hold.starting, isSent], [[], true]);
    await send([docs], () => reading.promise, NEVER, new Set(['docs']));
    reading.resolve();
    await settled();
    assert.equal(isSent, true);
  });

  it('waits for the user as long as a server asks whether it may start', async () => {
    const files = server('files', 'stopped');
    await send([files], NOTHING, NEVER, NONE);
    await pass(60_000);
    assert.equal(isSent, false);
    files.isAllowed();
    await settled();
    await pass(9_999);
    assert.equal(isSent, false);
    await pass(1);
    assert.equal(isSent, true);
  });

  it('is sent without them when the user says so, also while one asks', async () => {
    await send([server('files', 'stopped')], NOTHING, NEVER, NONE);
    await pass(600);
    assert.deepEqual(hold.starting, ['files']);
    hold.sendWithout();
    await settled();
    assert.deepEqual([isSent, hold.starting], [true, []]);
    hold.sendWithout();
  });

  it('has the question about one of its servers, and none about others', async () => {
    const about = (name: string): ServerQuestionView => ({
      ...{ id: name, name, place: '.vscode/mcp.json', type: 'stdio', line: 'npx', cwd: null, given: [] },
    });
    question = about('files');
    const shown = (): string | undefined => hold.question?.id;
    assert.equal(shown(), undefined);
    await send([server('files', 'stopped')], NOTHING, NEVER, NONE);
    assert.equal(shown(), 'files');
    question = about('web');
    assert.equal(shown(), undefined);
    hold.sendWithout();
  });

  it('waits no longer when it is stopped', async () => {
    const stop = new AbortController();
    await send([server('files', 'stopped')], NOTHING, stop.signal, NONE);
    stop.abort();
    await settled();
    assert.equal(isSent, true);
  });
});
