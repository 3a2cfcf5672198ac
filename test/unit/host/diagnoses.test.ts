import assert from 'node:assert/strict';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { apiDiagnosis } from '../../../src/host/api/apiRequests.js';
import { diagnosisPorts } from '../../../src/host/request/verdict/attemptDiagnosis.js';
import type { RepositorySource } from '../../../src/engine/next/repository.js';
import { NO_REPOSITORY } from '../../../src/engine/repository/repositoryTexts.js';
import type { ApiDiagnosis } from '../../../src/protocol/api/apiDiagnosis.js';
import { cachingHouse, HOUSE_MINIMUM, words, type CachingHouse } from '../../support/host/cachingHouse.js';
import { RunningClock } from '../../support/host/clocks.js';
import { lastAttempt, messages } from '../../support/host/reading.js';
import { EchoServer, toolboxWith, toolNamed } from '../../support/host/toolServer.js';
import { MemoryFiles, useWindows, type Window } from '../../support/host/window.js';
import { markedCache } from '../../support/engine/models.js';

const MINUTE = 60_000;

describe('the diagnosis of a request', () => {
  const windows = useWindows();
  let clock: RunningClock;
  let house: CachingHouse;
  let files: MemoryFiles;
  let tools: EchoServer;
  let window: Window;
  let session: ChatSession;

  const read = (): ReturnType<RepositorySource['read']> =>
    Promise.resolve({ ...NO_REPOSITORY, links: new Map(['src/a.ts', 'src/b.ts'].map((path) => [path, { users: 3, group: null }])) });

  const open = async (config: Partial<ChatConfig>): Promise<void> => {
    clock = new RunningClock();
    const cache = markedCache({ minimumTokens: HOUSE_MINIMUM });
    house = await cachingHouse({ protocol: 'anthropic', cache, clock, minimumTokens: HOUSE_MINIMUM });
    files = new MemoryFiles();
    tools = new EchoServer('alpha', 'run');
    window = windows.open({
      ...{ clock, files, sources: [house.source], toolbox: toolboxWith([tools], windows.folder) },
      repository: { read },
      config: { model: house.practice, systemPrompt: words(400, 3), layout: 'plain', ...config },
    });
    session = await window.chats.create();
  };

  afterEach(() => house.server.stop());

  const say = async (text: string): Promise<ApiDiagnosis> => {
    clock.time += 40_000;
    await session.conversation.send(text);
    return diagnosis();
  };

  const diagnosis = async (): Promise<ApiDiagnosis> => {
    const ports = diagnosisPorts(window.models, { logError: (error) => window.errors.push(error) });
    const told = await apiDiagnosis(session, lastAttempt(session.state).id, ports);
    assert.deepEqual(JSON.parse(JSON.stringify(told)), told);
    return told;
  };

  const talk = async (): Promise<ApiDiagnosis> => {
    let told = await say(words(900, 1));
    for (const from of [2, 3, 4]) {
      told = await say(words(600, from));
    }
    return told;
  };

  const addFile = (name: string): Promise<void> =>
    session.context.add({ type: 'file', name, includeMode: 'manual', addedHash: null, given: null });

  it('says of the first request that nothing was there', async () => {
    await open({});
    const told = await say(words(900, 1));
    assert.deepEqual([told.cause, told.comparedWith, told.againTokens, told.verdict.tone], ['first', null, 0, 'plain']);
    assert.equal(told.verdict.reason, 'this is the first request of the chat, so nothing was in the cache yet.');
    assert.match(told.verdict.details, /^Forecast: \$0\.\d+, (exact|[\d.]+% too (low|high))\. /);
  });

  it('says how much came from the cache where it held', async () => {
    await open({});
    const told = await talk();
    assert.deepEqual([told.cause, told.verdict.tone, told.verdict.brokenAt], ['held', 'good', null]);
    assert.match(told.verdict.cost, /^Cost \$0\.\d{4}$/);
    assert.match(told.verdict.reason, /^\d\d% came from the cache, the rest is new\.$/);
    assert.match(told.verdict.details, /Figures from the provider\.$/);
  });

  it('names the file that changed above the conversation', async () => {
    await open({});
    files.texts.set('src/a.ts', words(200, 8));
    await addFile('src/a.ts');
    await talk();
    files.texts.set('src/a.ts', words(200, 9));
    const told = await say('And now?');
    assert.deepEqual([told.cause, told.firstDifference?.key, told.verdict.tone], ['item', 'file:src/a.ts', 'miss']);
    assert.match(told.verdict.reason, /^[\d,]+ tokens written to the cache again because src\/a\.ts changed above the conversation\.$/);
    assert.equal(told.verdict.brokenAt, told.firstDifference?.at);
    const hashes = [told.firstDifference?.hash, told.firstDifference?.hashBefore];
    assert.ok(hashes[0] !== hashes[1] && hashes.every((hash) => typeof hash === 'string'));
    assert.ok((told.costHadHeld ?? 1) < (told.againCost ?? 0), 'most of its price was for what was sent again');
    assert.match(told.verdict.details, /^Cost if the cache had kept everything: \$0\.\d+\. Forecast: /);
    assert.match(
      told.verdict.hint ?? '',
      /^The prompt layout "Continue" would have put this change at the end of the request: \$0\.\d+ instead of \$0\.\d+\.$/,
    );
    const [replay] = told.replays;
    assert.deepEqual(replay?.own.layout, 'plain');
    assert.equal(replay.own.requests, 5);
  });

  it('tells nothing of other layouts where a reply has reasoning, which the provider takes only behind the very same prompt', async () => {
    await open({});
    files.texts.set('src/a.ts', words(200, 8));
    await addFile('src/a.ts');
    await talk();
    house.replies.push({
      parts: [
        { type: 'thinking', thinking: 'The tide.' },
        { type: 'text', text: 'It comes.' },
      ],
    });
    await say('When?');
    files.texts.set('src/a.ts', words(200, 9));
    const told = await say('And now?');
    assert.deepEqual([told.cause, told.firstDifference?.key], ['item', 'file:src/a.ts']);
    const layouts = told.replays.flatMap(({ others }) => others.map(({ layout }) => layout));
    assert.deepEqual(layouts, ['plain'], 'its own, with a longer life of the cache');
  });

  it('names the file that changed and by that left its tier', async () => {
    await open({ layout: 'tiered' });
    files.texts.set('src/a.ts', words(500, 8));
    await addFile('src/a.ts');
    await talk();
    await say('And now?');
    files.texts.set('src/a.ts', words(500, 9));
    const told = await say('And now?');
    assert.deepEqual([told.cause, told.verdict.tone], ['item', 'miss']);
    assert.match(told.verdict.reason, /^[\d,]+ tokens written to the cache again because src\/a\.ts changed/);
  });

  it('tells a file that enters and one that leaves', async () => {
    await open({});
    files.texts.set('src/a.ts', words(200, 8));
    await talk();
    await addFile('src/a.ts');
    const added = await say('And now?');
    assert.match(added.verdict.reason, /because src\/a\.ts was added\.$/);
    // Until the entries without the file expire too.
    clock.time += 10 * MINUTE;
    await say('And now?');
    await session.context.remove({ type: 'file', name: 'src/a.ts' });
    const removed = await say('And now?');
    assert.match(removed.verdict.reason, /because src\/a\.ts was removed\.$/);
  });

  it('tells that a rule was picked and had not been', async () => {
    await open({});
    files.texts.set('src/a.ts', 'let a;');
    files.texts.set('.cursor/rules/errors.mdc', `---\ndescription: Errors\nglobs: "**/*.ts"\n---\n${words(50, 4)}`);
    await talk();
    await addFile('src/a.ts');
    const told = await say('And now?');
    assert.match(
      told.verdict.reason,
      /^[\d,]+ tokens written to the cache again because .*errors.* matches this message, but not the previous one\.$/,
    );
  });

  it('tells that the cache had expired, also where the prompt differs as well', async () => {
    await open({});
    files.texts.set('src/a.ts', words(200, 8));
    await addFile('src/a.ts');
    await talk();
    clock.time += 10 * MINUTE;
    files.texts.set('src/a.ts', words(200, 9));
    const told = await say('And now?');
    assert.deepEqual([told.cause, told.verdict.tone, told.verdict.brokenAt], ['expired', 'expired', null]);
    assert.match(told.verdict.reason, /^[\d,]+ tokens written to the cache again because the cache expired in a pause of \d+ min\.$/);
  });

  it('tells what a longer life of the cache would have cost', async () => {
    await open({});
    await talk();
    clock.time += 10 * MINUTE;
    const told = await say('And now?');
    assert.match(told.verdict.hint ?? '', /^A cache lifetime of 1 h would have cost less: \$0\.\d+ instead of \$0\.\d+\.$/);
    const [replay] = told.replays;
    assert.ok(replay !== undefined && replay.others[0] !== undefined);
    assert.deepEqual([replay.own.lifetime, replay.others[0].lifetime], [null, '1h']);
    assert.ok(replay.others[0].sum < replay.own.sum);
  });

  it('replays a chat of the adaptive layout with changes of files, which the other layouts send again whole', async () => {
    await open({ layout: 'adaptive' });
    files.texts.set('src/a.ts', `${words(300, 8)}\nlet a = 1;\n${words(20, 8)}`);
    await addFile('src/a.ts');
    await talk();
    files.texts.set('src/a.ts', `${words(300, 8)}\nlet a = 2;\n${words(20, 8)}`);
    const kept = await say('And now?');
    assert.deepEqual([kept.cause, kept.replays], ['held', []]);
    clock.time += 80 * MINUTE;
    const told = await say('And after a break?');
    assert.equal(told.cause, 'expired');
    const layouts = told.replays.find(({ others }) => others.some(({ layout }) => layout === 'plain'));
    const plain = layouts?.others.find(({ layout }) => layout === 'plain');
    assert.ok(layouts !== undefined && plain !== undefined, JSON.stringify(told.replays));
    assert.equal(layouts.own.layout, 'adaptive');
    assert.equal(layouts.own.requests, 6);
    assert.ok(plain.sum > layouts.own.sum, 'the change would have broken its cache');
  });

  it('replays the tiers that the first request had from the reference graph', async () => {
    await open({ layout: 'tiered', repositoryMap: 'map', repositoryTokens: 200 });
    for (const [name, size] of [
      ['src/a.ts', 500],
      ['src/b.ts', 400],
    ] as const) {
      files.texts.set(name, words(size, 8));
      await addFile(name);
    }
    await say(words(900, 1));
    files.texts.set('src/a.ts', words(500, 9));
    const told = await say('And now?');
    assert.equal(told.cause, 'item', 'src/b.ts was cached after the file');
    const replays = told.replays.find(({ others }) => others.some(({ layout }) => layout === 'plain'));
    assert.deepEqual([replays?.own.layout, replays?.own.requests], ['tiered', 2]);
  });

  it('tells of tools, the system prompt and fragments', async () => {
    await open({});
    await talk();
    tools.tools = [...tools.tools, toolNamed('walk')];
    assert.match((await say('And now?')).verdict.reason, /because the tools changed \(added alpha:walk\)\.$/);
    await session.changeConfig({ systemPrompt: words(300, 5) });
    assert.match((await say('And now?')).verdict.reason, /because the system prompt changed\.$/);
    await session.fragments.set('deploy', 'We deploy on Fridays.');
    assert.match((await say('And now?')).verdict.reason, /because the instructions from deploy changed\.$/);
  });

  it('tells of another model, and nothing of the way back while the cache lives', async () => {
    await open({});
    await talk();
    await session.changeConfig({ model: house.other });
    const there = await say('And now?');
    assert.deepEqual([there.cause, there.verdict.tone, there.verdict.brokenAt], ['modelChanged', 'miss', null]);
    assert.match(there.verdict.reason, /^[\d,]+ tokens written to the cache again because the model was changed\.$/);
    await session.changeConfig({ model: house.practice });
    assert.equal((await say('And now?')).cause, 'held');
  });

  it('tells of a summary and of its undoing', async () => {
    await open({ layout: 'adaptive' });
    files.texts.set('src/a.ts', words(500, 8));
    await talk();
    await addFile('src/a.ts');
    await say('And with the file?');
    house.replies.push({ parts: [{ type: 'text', text: words(40, 6) }] });
    const [, , third] = messages(session.state).filter(({ role }) => role === 'user');
    await session.compactor.summarize(third?.id ?? '');
    const told = await say('And now?');
    assert.deepEqual([told.cause, told.verdict.tone], ['compacted', 'plain']);
    assert.match(told.verdict.reason, /^[\d,]+ tokens written to the cache again after the summary, as planned\.$/);
    await session.compactor.undo();
    assert.match((await say('And now?')).verdict.reason, /because the summary was undone\.$/);
  });

  it('tells of an edit where what stands before it has to be written again', async () => {
    await open({});
    for (const from of [1, 2, 3, 4]) {
      // Only the newest entries are alive: each request reads the one before, and nothing earlier.
      clock.time += 2 * MINUTE;
      await say(words(600, from));
    }
    const second = messages(session.state).filter(({ role }) => role === 'user')[1];
    await session.conversation.edit(second?.id ?? '', words(500, 40));
    const told = await diagnosis();
    assert.deepEqual([told.cause, told.verdict.tone], ['edited', 'miss']);
    assert.match(told.verdict.reason, /because an earlier message was edited\.$/);
  });

  it('tells of another layout, and of one that asks for no caching', async () => {
    await open({});
    files.texts.set('src/a.ts', words(200, 8));
    await addFile('src/a.ts');
    await talk();
    await session.changeConfig({ layout: 'adaptive' });
    assert.match((await say('And now?')).verdict.reason, /because the prompt layout was changed\.$/);
    await session.changeConfig({ cacheMode: 'all-off' });
    await say('And now?');
    const told = await say('And now?');
    assert.deepEqual([told.cause, told.verdict.reason], ['notAsked', 'the chat setting "Cache" excluded this content from the cache.']);
  });

  it('tells of what is too short to be cached', async () => {
    await open({ systemPrompt: '' });
    tools.tools = [];
    await say('Hello');
    const told = await say('And now?');
    assert.equal(told.verdict.reason, `the request is too short, as the model caches from ${String(HOUSE_MINIMUM)} tokens on.`);
  });

  it('names the provider where nothing here differs and the time was not over', async () => {
    await open({});
    await talk();
    house.server.advance(10 * MINUTE);
    const told = await say('And now?');
    assert.deepEqual([told.cause, told.verdict.tone], ['provider', 'miss']);
    assert.match(
      told.verdict.reason,
      /^[\d,]+ tokens written to the cache again although no earlier content differs and the cache had not expired\.$/,
    );
    assert.match(told.verdict.details, /tokens read, [\d,]+ written\. Reported: [\d,]+ and [\d,]+\./);
  });

  it('tells of breakpoints that do not reach what was cached', async () => {
    await open({});
    await talk();
    await session.changeConfig({ cacheMode: 'system' });
    const told = await say('And now?');
    assert.deepEqual([told.cause, told.verdict.tone], ['marks', 'miss']);
  });
});
