import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatEvent } from '../../../src/engine/chat/event.js';
import { isChatId } from '../../../src/engine/chat/order/ids.js';
import { chatText } from '../../../src/host/chat/chatText.js';
import { defaultConfig } from '../../../src/engine/chat/settings/configValues.js';
import { eventSearchText } from '../../../src/engine/chat/rules.js';
import { SLICES } from '../../../src/engine/chat/slices/table.js';
import { LOG_VERSION, OLDEST_LOG_VERSION } from '../../../src/engine/chat/order/stamp.js';
import { messagesOf } from '../../../src/engine/chat/timeline.js';
import type { ForgottenTools } from '../../../src/engine/record/manifest.js';
import { PrefixHash } from '../../../src/engine/request/prefixHash.js';
import { manifestContentOf, rebuildPrompt } from '../../../src/engine/request/rebuild.js';
import type { ChatStore } from '../../../src/storage/chatStore.js';
import { systemCode } from '../../../src/storage/files/failure.js';
import { plainState } from '../../support/engine/events.js';
import { sha256 } from '../../support/engine/ports.js';
import { readChat, UNWATCHED } from '../../support/storage/readChat.js';
import { useStore } from './fixtures.js';

/*
 * Golden logs: chats written by each version. Later versions must read them as expected.
 *
 *   test/fixtures/logs/v<version>/<chatId>/              the chat's folder: segments and blobs
 *   test/fixtures/logs/v<version>/<chatId>.state.json    its state with the members of that version
 *   test/fixtures/logs/v<version>/<chatId>.export.md     its export as Markdown
 *   test/fixtures/logs/v<version>/<chatId>.search.json   its search texts in log order
 *
 * Logs never change. For a new kind of event or a new version, add a chat's folder and run
 *
 *   LOUPE_GOLDEN=write node test/support/test.mjs --suite unit --grep "golden logs"
 *
 * which writes missing expectations. To read a log differently, delete its expectations and check the difference.
 */

/** Relative to the repository, where the tests run. */
const LOGS = 'test/fixtures/logs';

const isWriting = process.env['LOUPE_GOLDEN'] === 'write';

interface GoldenLog {
  readonly version: number;
  readonly chatId: string;
  /** Without the extensions of the expected files. */
  readonly path: string;
}

interface Said {
  readonly messageId: string | null;
  readonly texts: readonly string[];
}

async function goldenLogs(): Promise<GoldenLog[]> {
  const versions = (await readdir(LOGS)).map((name) => Number(name.slice(1))).sort((a, b) => a - b);
  const logs = versions.map(async (version) => {
    const folder = join(LOGS, `v${String(version)}`);
    return (await readdir(folder)).filter(isChatId).map((chatId) => ({ version, chatId, path: join(folder, chatId) }));
  });
  return (await Promise.all(logs)).flat();
}

async function expected(path: string, found: string): Promise<string> {
  if (isWriting) {
    await writeFile(path, found, { flag: 'wx' }).catch((thrown: unknown) => {
      // An existing file stays.
      assert.equal(systemCode(thrown), 'EEXIST');
    });
  }
  return readFile(path, 'utf8');
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}

/** The search texts of a log. Of an edited summary only the last text counts. */
function said(events: readonly ChatEvent[]): unknown {
  const texts = events.map(eventSearchText).filter((text) => text !== null);
  const last = new Map(texts.map((text) => [text.messageId, text]));
  return JSON.parse(JSON.stringify(texts.filter((text) => text.role !== 'summary' || last.get(text.messageId) === text)));
}

describe('golden logs', () => {
  let root: string;
  let store: ChatStore;
  let logs: readonly GoldenLog[];
  before(async () => {
    logs = await goldenLogs();
  });
  useStore((folder, made) => {
    [root, store] = [folder, made];
  });

  const forEachLog = async (check: (log: GoldenLog) => Promise<void>): Promise<void> => {
    await mkdir(join(root, 'chats'));
    for (const log of logs) {
      await cp(log.path, join(root, 'chats', log.chatId), { recursive: true });
      await check(log);
    }
  };

  it('are there of each version that is read, and hold nothing else', async () => {
    const versions = [...new Set(logs.map(({ version }) => version))];
    assert.deepEqual(
      versions,
      Array.from({ length: LOG_VERSION - OLDEST_LOG_VERSION + 1 }, (_, index) => OLDEST_LOG_VERSION + index),
    );
    await forEachLog(async ({ chatId, version }) => {
      const { events } = await readChat(store, chatId);
      assert.deepEqual([...new Set(events.map(({ v }) => v))], [version]);
    });
  });

  it('hold each kind of event of each slice', async () => {
    const held = new Set<string>();
    await forEachLog(async ({ chatId }) => {
      (await readChat(store, chatId)).events.forEach(({ type }) => held.add(type));
    });
    // Only-shown events are in no log.
    const kinds = Object.values(SLICES).flatMap(({ events }) => Object.keys(events).filter((kind) => kind !== 'tool-progress'));
    const missing = kinds.filter((kind) => !held.has(kind));
    assert.deepEqual(missing, []);
  });

  it('are read without a fault, and give the state that they gave', async () => {
    await forEachLog(async ({ chatId, path }) => {
      const { fold, faults, readOnly, openRuns } = await readChat(store, chatId);
      assert.deepEqual([faults, readOnly, openRuns, fold.state.problems], [[], null, [], []]);
      const state = plainState(fold.state) as Record<string, unknown>;
      const before = JSON.parse(await expected(`${path}.state.json`, json(state))) as Record<string, unknown>;
      // A later slice has its own members, which are empty. A later setting has its default.
      const members = Object.keys(before).map((name) => [name, state[name]] as const);
      const config = { ...defaultConfig(fold.state.config.model), ...(before['config'] as object) };
      assert.deepEqual(Object.fromEntries(members), { ...before, config });
    });
  });

  it('tell of requests what they forgot of tool calls, and rebuild them', async () => {
    const forgotten: (readonly ForgottenTools[])[] = [];
    await forEachLog(async ({ chatId }) => {
      const { fold } = await readChat(store, chatId);
      const { attempts, timeline } = fold.state;
      const messages = new Map(messagesOf(timeline).map((message) => [message.id, message]));
      const blob = async (name: string): Promise<string> => Buffer.from(await store.blobs(chatId).get(name)).toString('utf8');
      for (const attempt of [...attempts.values()].filter(({ manifest }) => manifest.forgotten !== undefined)) {
        forgotten.push(manifestContentOf(attempt, attempts)?.forgotten ?? []);
        const {
          tools,
          system,
          messages: said,
        } = await rebuildPrompt(attempt, { attempts, message: (id) => messages.get(id), blob }, sha256);
        const all = [...tools, ...system, ...said.flatMap(({ blocks }) => blocks)];
        assert.equal(new PrefixHash(all, sha256).value, attempt.manifest.promptHash);
      }
    });
    // The number of replies and turns: the chat forgot after one turn, and then at once.
    assert.deepEqual(
      forgotten.map((each) => [each.length, ...new Set(each.map(({ after }) => after))]),
      [
        [1, 1],
        [1, 1],
        [2, 1],
        [3, 0],
        [3, 0],
        [4, 0],
      ],
    );
    assert.ok(forgotten.flat().every(({ tools, calls, tokens }) => tools.join(' ') === 'echo' && calls === 1 && tokens > 0));
  });

  it('are exported as they were', async () => {
    await forEachLog(async ({ chatId, path }) => {
      const markdown = chatText((await readChat(store, chatId)).fold.state);
      assert.equal(markdown, await expected(`${path}.export.md`, markdown));
    });
  });

  it('are found by search as they were', async () => {
    await forEachLog(async ({ chatId, path }) => {
      const found = said((await readChat(store, chatId)).events);
      const before = JSON.parse(await expected(`${path}.search.json`, json(found))) as Said[];
      assert.deepEqual(found, before);
      for (const { messageId, texts } of before) {
        for (const text of texts) {
          const { hits } = await store.search({ text, role: null, limit: 50 }, [], UNWATCHED.signal);
          const isFound = hits.some((hit) => hit.messageId === messageId);
          assert.ok(isFound, text);
        }
      }
    });
  });

  it('hold the content that they name', async () => {
    await forEachLog(async ({ chatId }) => {
      const names = JSON.stringify((await readChat(store, chatId)).events).matchAll(/"blob":"(\w+)"/g);
      for (const [, name = ''] of names) {
        await store.blobs(chatId).get(name);
      }
    });
  });
});
