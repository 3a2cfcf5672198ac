import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Frame } from 'playwright-core';
import type { ApiMessage, ApiPreview } from '../../src/protocol/api.js';
import type { ApiDiagnosis } from '../../src/protocol/apiDiagnosis.js';
import { startCachingServer, type CachingServer } from '../support/cachingServer/cachingServer.js';
import { words } from '../support/host/cachingHouse.js';
import {
  type ChatPanel,
  latestChat,
  openInspector,
  sharedWorkbench,
  uriArgument,
  waitFor,
  type Workbench,
} from '../support/workbench/index.js';

const KEY = 'the-key';
const MINUTE_MS = 60_000;

/** Of the model that caches unasked: a user who reads what was answered is past it. */
const BRIEF_LIFETIME_S = 1;

const PRICES = { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 };
const LIMITS = { maxInputTokens: 100_000, maxOutputTokens: 2_000, prices: PRICES };
const CACHE = { kind: 'marks', most: 4, minimumTokens: 256, lookBack: 20, lifetimes: ['5m', '1h'] };
const BRIEF_CACHE = { kind: 'automatic', minimumTokens: 256, stepTokens: 128, lifetimeSeconds: BRIEF_LIFETIME_S };

describe('what a missed cache is put down to', () => {
  let server: CachingServer;
  let workbench: Workbench;
  let panel: ChatPanel;
  let chat: string;

  before(async () => {
    server = await startCachingServer({
      key: KEY,
      now: () => Date.now(),
      models: [
        { id: 'large', minimumTokens: 256 },
        { id: 'other', minimumTokens: 256 },
        { id: 'brief', minimumTokens: 256, idleLifetime: BRIEF_LIFETIME_S * 1_000 },
      ],
      // Long enough that a message which was answered anew, or edited, costs something.
      reply: ({ marks }) => ({ parts: [{ type: 'text', text: words(400, marks) }] }),
    });
    ({ workbench, panel } = await sharedWorkbench());
    const modelOf = (id: string, cache: object): object => ({ id, ...LIMITS, capabilities: { countsTokens: false, cache } });
    await workbench.runCommand(
      'loupe.addProvider',
      { id: 'house', protocol: 'anthropic', baseUrl: server.url, models: [modelOf('large', CACHE), modelOf('other', CACHE)] },
      KEY,
    );
    await workbench.runCommand(
      'loupe.addProvider',
      { id: 'brief', protocol: 'openai-compatible', baseUrl: `${server.url}/v1`, models: [modelOf('brief', BRIEF_CACHE)] },
      KEY,
    );
  });

  after(async () => {
    await workbench.runCommand('workbench.action.closeAllEditors');
    await workbench.updateSettings({ 'loupe.providers': undefined, 'loupe.defaults.layout': undefined, 'loupe.workspaceTools': false });
    for (const folder of ['src/tides.ts', '.cursor']) {
      rmSync(join(workbench.workspaceDir, folder), { recursive: true, force: true });
    }
    await server.stop();
  });

  /** A new chat on show with a model of the server. */
  const begin = async (layout: string, model: string): Promise<void> => {
    await workbench.updateSettings({ 'loupe.defaults.layout': layout });
    chat = (await workbench.runCommand('loupe.newChat')) as string;
    await use(model);
  };

  const use = (model: string): Promise<unknown> => workbench.runCommand('loupe.selectModel', model, { chatId: chat });

  const messages = async (role: ApiMessage['role']): Promise<readonly ApiMessage[]> =>
    (await latestChat(workbench)).messages.filter((message) => message.role === role);

  /** The last request of the chat. */
  const diagnosis = async (): Promise<ApiDiagnosis> => {
    const reply = (await messages('assistant')).at(-1);
    return (await workbench.api('diagnose', chat, reply?.id)) as ApiDiagnosis;
  };

  const say = async (text: string): Promise<ApiDiagnosis> => {
    await workbench.api('sendMessage', text, { chatId: chat });
    return diagnosis();
  };

  const talk = async (turns: number): Promise<void> => {
    for (let turn = 1; turn <= turns; turn += 1) {
      await say(words(300, turn));
    }
  };

  const write = (name: string, text: string): void => {
    const path = join(workbench.workspaceDir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };

  /** Waits until the next request has a text, or no longer has another one. */
  const nextHas = async (text: string): Promise<void> => {
    await waitFor(`${text} in the next request`, async () => {
      const { body } = (await workbench.api('previewNextRequest', chat, { text: 'And now?' })) as ApiPreview;
      return body.includes(text) || undefined;
    });
  };

  const says = ({ cause, verdict }: ApiDiagnosis, name: ApiDiagnosis['cause'], reason: RegExp): void => {
    assert.match(verdict.reason, reason);
    assert.equal(cause, name);
  };

  /** The last request in the Request Inspector, which tells the user the same as the API. */
  const inspected = async ({ verdict: { cost, reason, details } }: ApiDiagnosis): Promise<Frame> => {
    await panel.idle();
    // That of another chat would be found as well.
    await workbench.runCommand('workbench.action.closeAllEditors');
    await panel.articles('Assistant').last().getByRole('button', { name: 'Show this request' }).click();
    const inspector = await openInspector(workbench.page);
    const told = inspector.getByRole('region', { name: 'Verdict' });
    await told.getByText(`${cost}: ${reason}`).waitFor();
    await told.getByText(details).waitFor();
    return inspector;
  };

  const takeAndUndoHint = async (inspector: Frame): Promise<void> => {
    const line = inspector.locator('.hint-line').filter({ hasText: 'The adaptive layout would have added this change at the end' });
    await line.getByRole('button', { name: 'Use it from now on' }).press('Enter');
    await line.getByText('This chat now has it: the prompt layout "Continue" in its settings.').waitFor();
    const undo = line.getByRole('button', { name: 'Undo' });
    assert.equal(await undo.evaluate((button) => button === document.activeElement), true);
    await undo.press('Enter');
    await line.getByRole('button', { name: 'Use it from now on' }).waitFor();
  };

  it('a file that was added, one that changed above the conversation, and one that was picked', async () => {
    await begin('plain', 'house/large');
    write('src/tides.ts', words(200, 8));
    await talk(2);
    says(await diagnosis(), 'held', /% came from the cache/);
    await workbench.runCommand('loupe.addFileToContext', uriArgument(workbench, 'src/tides.ts'));
    says(await say('And now?'), 'item', /^[\d,]+ tokens written again because src\/tides\.ts was added\.$/);
    write('src/tides.ts', `high ${words(200, 9)}`);
    await nextHas('high word');
    const changed = await say('And now?');
    says(changed, 'item', /^[\d,]+ tokens written again because src\/tides\.ts changed above the conversation\.$/);
    const inspector = await inspected(changed);
    await inspector.getByRole('group', { name: 'Blocks by size' }).getByText('cache broke here').waitFor();
    const broken = inspector.getByRole('row').filter({ hasText: 'cache broke here' });
    assert.match(await broken.locator('xpath=following-sibling::tr[1]').innerText(), /src\/tides\.ts/);
    await takeAndUndoHint(inspector);
    write('.cursor/rules/heights.mdc', `---\ndescription: Heights\nglobs: "**/*.ts"\n---\nNames end in metres. ${words(50, 4)}`);
    await nextHas('end in metres');
    says(await say('And now?'), 'item', /heights.* was picked and had not been\.$/);
    rmSync(join(workbench.workspaceDir, '.cursor'), { recursive: true });
  });

  it('the tool list, and the provider', async () => {
    await begin('plain', 'house/large');
    await talk(3);
    await workbench.updateSettings({ 'loupe.workspaceTools': true });
    await nextHas('read_file');
    says(await say('And now?'), 'tools', /^[\d,]+ tokens written again because the tool list changed\.$/);
    await workbench.updateSettings({ 'loupe.workspaceTools': false });
    await say('And now?');
    server.advance(10 * MINUTE_MS);
    const evicted = await say('And now?');
    await inspected(evicted);
    says(evicted, 'provider', /^[\d,]+ tokens written again although nothing here differs and the cache had not expired\.$/);
  });

  it('another model, what is edited and tried again before its first request, and a summary', async () => {
    await use('house/other');
    says(await say('And you?'), 'modelChanged', /^[\d,]+ tokens written again because the model was changed\.$/);
    const [, second, third] = await messages('user');
    await workbench.runCommand('loupe.editMessage', third?.id, 'Something else', { chatId: chat });
    says(await diagnosis(), 'edited', /^[\d,]+ tokens written again because an earlier message was edited\.$/);
    await workbench.runCommand('loupe.retry', second?.id, { chatId: chat });
    says(await diagnosis(), 'edited', /^[\d,]+ tokens written again because an earlier reply was replaced\.$/);
    await talk(2);
    await workbench.api('summarize', chat, { upTo: (await messages('user')).at(-2)?.id });
    says(await say('And now?'), 'compacted', /^[\d,]+ tokens written again after the summary, as planned\.$/);
  });

  it('a new layout of the prompt', async () => {
    await begin('adaptive', 'house/large');
    write('src/tides.ts', `low ${words(300, 9)}`);
    await workbench.runCommand('loupe.addFileToContext', uriArgument(workbench, 'src/tides.ts'));
    await talk(2);
    write('src/tides.ts', `ebb ${words(300, 9)}`);
    await nextHas('ebb word');
    says(await say('And now?'), 'held', /% came from the cache/);
    await workbench.runCommand('loupe.rebuildLayout', chat);
    says(await say('And now?'), 'laidOutAnew', /^[\d,]+ tokens written again because the prompt was laid out anew\.$/);
  });

  it('a cache that had expired', async () => {
    await begin('plain', 'brief/brief');
    await talk(2);
    const [attempt] = ((await workbench.api('listAttempts', chat)) as { startedAt: number }[]).slice(-1);
    await waitFor('the end of the cache', () => Date.now() > (attempt?.startedAt ?? 0) + (BRIEF_LIFETIME_S + 1) * 1_000 || undefined);
    const expired = await say('And now?');
    await inspected(expired);
    says(expired, 'expired', /^the cache had expired, [\d,]+ tokens were sent uncached\.$/);
  });
});
