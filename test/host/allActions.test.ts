import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { ApiUsage, LoupeApi } from '../../src/protocol/api/api.js';
import { depth } from '../support/depth.mjs';
import { timeLimit } from '../support/limits.mjs';
import type { ComputedUsage } from '../support/cachingServer/options.js';
import { ActionsRun } from '../support/host/actionsRun.js';
import type { LoggedAttempt } from '../support/host/loggedAttempts.js';
import {
  BILLING_KEY,
  BILLING_PRICES,
  BillingServer,
  LONG_PROMPTS,
  TIER_PRICES,
  lastNote,
  type Served,
} from '../support/host/billingServer.js';
import { activated, findFolders } from '../support/host/extension.js';
import { randomActions } from '../support/host/randomActions.js';
import { OwnWindow, SecondWindow } from '../support/host/usedWindows.js';

/*
 * Random actions of a user in the real extension host and in a second window on the same chats, with a server that
 * knows what it has billed. The second window is a process of its own (`windowProgram.ts`): it restores branches and
 * deleted chats, and is killed during replies, closed and started again, which an extension host cannot do to itself.
 *
 * A streaming reply waits until an action ends it, so it is known whether its final usage has arrived.
 */

const SEED = 20_261_125;
const ACTIONS = depth({ short: 150, deep: 2_000 });
const MS_FOR_EACH = 240;
/** Far longer than an action, so that an endless one is named. */
const LONGEST_ACTION_MS = timeLimit(25_000);

interface Row {
  readonly attempt_id: string;
  readonly chat_id: string;
  readonly when: string;
  readonly purpose: string;
  readonly is_unbilled: boolean;
  readonly usd: number | null;
  readonly fresh_tokens: number | null;
  readonly cached_tokens: number | null;
  readonly written_tokens: number | null;
  readonly output_tokens: number | null;
  readonly fresh_tokens_source: string | null;
  readonly cached_tokens_source: string | null;
  readonly written_tokens_source: string | null;
  readonly output_tokens_source: string | null;
}

describe(`a user who does ${String(ACTIONS)} things with chats in two windows`, () => {
  const server = new BillingServer();
  let api: LoupeApi;
  let folder: string;
  let run: ActionsRun;
  let second: SecondWindow;

  before(async () => {
    api = await activated();
    folder = await mkdtemp(join(tmpdir(), 'loupe-actions-'));
    await server.start();
    for (const provider of server.providers) {
      await vscode.commands.executeCommand('loupe.addProvider', provider, BILLING_KEY);
    }
    // The storage exists with the first chat.
    const chatId = await api.newChat();
    const root = (await findFolders(chatId)).map((path) => dirname(dirname(path)))[0];
    assert.ok(root !== undefined);
    second = new SecondWindow(new URL('../support/host/windowProgram.js', import.meta.url), {
      root,
      providers: server.providers,
      key: BILLING_KEY,
    });
    run = new ActionsRun({ own: new OwnWindow(api, vscode.commands), second }, server, root);
  });

  after(async () => {
    await second.close();
    await server.stop();
    await vscode.workspace.getConfiguration('loupe').update('providers', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('notifications.clearAll');
    await rm(folder, { recursive: true });
  });

  it('meets all kinds of them, and each does what it should', async () => {
    for (const [at, action] of randomActions(ACTIONS, SEED).entries()) {
      try {
        await inTime(run.perform(action));
      } catch (thrown) {
        throw new Error(`Action ${String(at)}, ${JSON.stringify(action)}, failed.`, { cause: thrown });
      }
    }
    await run.finish();
    const kinds = new Set(randomActions(ACTIONS, SEED).map((action) => action.do));
    const missing = [...kinds].filter((kind) => !run.done.has(kind));
    assert.deepEqual(missing, []);
  }).timeout(LONGEST_ACTION_MS + ACTIONS * MS_FOR_EACH);

  it('finds every text that was sent: in a conversation, in what was set aside, or in a chat that was brought back', async () => {
    const found = await api.searchHistory('note-', { role: 'user', limit: 1_000_000 });
    const notes = new Set(found.map(({ excerpt }) => lastNote(excerpt)));
    const lost = [...run.notes].filter((number) => !notes.has(number));
    assert.deepEqual(lost, []);
  });

  it('has each request of the server in the ledger, to the token where its final usage arrived, else as estimated or unknown', async () => {
    const rows = new Map((await exported()).map((row) => [row.attempt_id, row]));
    const pairs = paired(await run.attempts(), server.served);
    const told = pairs.map(
      ([attempt, served]) =>
        [served.purpose, rows.get(attempt.id) ?? `no row of attempt ${attempt.id} in ${attempt.chatId}`, served] as const,
    );
    assert.deepEqual(
      told.filter(([, row]) => typeof row === 'string').map(([purpose, row, { record }]) => [purpose, row, record.status, record.json]),
      [],
    );
    for (const [purpose, row, served] of told) {
      assert.ok(typeof row !== 'string');
      assert.equal(row.purpose, purpose);
      assertRow(row, served);
    }
    assert.equal(rows.size, pairs.length, 'rows without a request');
  });

  it('sums up by purpose what the server has billed', async () => {
    const rows = (await exported()).filter(isReported);
    for (const purpose of ['reply', 'title', 'summary'] as const) {
      const billed = server.served.filter((each) => each.purpose === purpose && each.isWhole);
      assert.ok(billed.length > 0, purpose);
      assert.deepEqual(sums(rows.filter((row) => row.purpose === purpose).map(tokensOf)), sums(billed.map(billedTokens)), purpose);
    }
  });

  it('adds up to the bill of the server, to the cent, with other prices for long prompts and for tiers', async () => {
    const whole = server.served.filter(({ isWhole }) => isWhole);
    const lengths = new Set(whole.map(({ record: { usage } }) => usage !== null && isLong(usage)));
    assert.deepEqual(lengths, new Set([true, false]));
    assert.deepEqual(new Set(whole.map(({ record: { usage } }) => usage?.serviceTier)), new Set(['priority', null, 'flex']));
    const billed = whole.reduce((sum, { record }) => sum + priceOf(record.usage), 0);
    const shown = (await exported()).filter(isReported).reduce((sum, { usd }) => sum + (usd ?? 0), 0);
    assert.ok(Math.abs(shown - billed) < 0.005, `${String(shown)} is shown, ${String(billed)} was billed`);
  });

  it('tells the same sums everywhere', async () => {
    const rows = await exportedOfAll();
    const { contextWindow: _, ...usage } = await api.getUsage();
    assert.deepEqual(sumsOf(usage), sums(rows.map(tokensOf)));
    assert.equal(usage.attempts, rows.length);
    await second.reload();
    assert.deepEqual(await second.usage(), await api.getUsage());
  });

  async function exported(): Promise<readonly Row[]> {
    return (await exportedOfAll()).filter(({ chat_id: chatId }) => run.hasChat(chatId));
  }

  /** Includes chats of other tests. */
  async function exportedOfAll(): Promise<readonly Row[]> {
    const target = vscode.Uri.file(join(folder, 'usage.json'));
    await vscode.commands.executeCommand('loupe.exportUsage', target);
    return JSON.parse(await readFile(target.fsPath, 'utf8')) as readonly Row[];
  }
});

/** Each request with the attempt that sent it: the next one with the same body. */
function paired(attempts: readonly LoggedAttempt[], all: readonly Served[]): readonly (readonly [LoggedAttempt, Served])[] {
  const open = new Map<string, LoggedAttempt[]>();
  // Ids begin with the time.
  for (const attempt of attempts.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    open.set(keyOf(attempt), [...(open.get(keyOf(attempt)) ?? []), attempt]);
  }
  const pairs = all.map((served) => [open.get(keyOf(served))?.shift(), served] as const);
  assert.deepEqual(
    pairs.flatMap(([attempt, { purpose, record }]) => (attempt === undefined ? [[purpose, record.status, record.body]] : [])),
    [],
    'requests that no log has',
  );
  assert.deepEqual([...open.values()].flat(), [], 'attempts that sent no request');
  return pairs.flatMap(([attempt, served]) => (attempt === undefined ? [] : [[attempt, served] as const]));
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`It took longer than ${String(LONGEST_ACTION_MS / 1_000)} s.`));
    }, LONGEST_ACTION_MS);
  });
  await Promise.race([work, late]).finally(() => {
    clearTimeout(timer);
  });
}

function keyOf({ purpose, bodyHash }: Pick<LoggedAttempt, 'purpose' | 'bodyHash'>): string {
  return `${purpose} ${bodyHash}`;
}

function assertRow(row: Row, { isWhole, record }: Served): void {
  if (isWhole) {
    assert.deepEqual(tokensOf(row), billedTokens({ record }));
    assert.ok(isReported(row), JSON.stringify(row));
    assert.ok(Math.abs((row.usd ?? -1) - priceOf(record.usage)) < 1e-12, JSON.stringify([row, record.usage]));
  } else if (record.status !== 200) {
    assert.deepEqual(
      [row.is_unbilled, row.output_tokens, row.fresh_tokens],
      [true, null, null],
      JSON.stringify([row, record.status, record.error]),
    );
  } else {
    assert.ok(!row.is_unbilled && row.output_tokens_source !== 'reported', JSON.stringify(row));
  }
}

function priceOf(usage: ComputedUsage | null): number {
  assert.ok(usage);
  const { input, cacheRead, cacheWrite5m, cacheWrite1h, output } = ratesOf(usage);
  const inputs = usage.fresh * input + usage.read * cacheRead + usage.written5m * cacheWrite5m + usage.written1h * cacheWrite1h;
  return (inputs + usage.output * output) / 1_000_000;
}

function ratesOf(usage: ComputedUsage): typeof BILLING_PRICES {
  if (usage.serviceTier === 'priority' || usage.serviceTier === 'flex') {
    return TIER_PRICES[usage.serviceTier];
  }
  return isLong(usage) ? LONG_PROMPTS : BILLING_PRICES;
}

function isLong({ fresh, read, written5m, written1h }: ComputedUsage): boolean {
  return fresh + read + written5m + written1h > LONG_PROMPTS.above;
}

function isReported(row: Row): boolean {
  const { fresh_tokens_source: fresh, cached_tokens_source: cached, written_tokens_source: written, output_tokens_source: output } = row;
  return [fresh, cached, written, output].every((source) => source === 'reported');
}

type Tokens = readonly [fresh: number, read: number, written: number, output: number];

function tokensOf({ fresh_tokens: fresh, cached_tokens: read, written_tokens: written, output_tokens: output }: Row): Tokens {
  return [fresh ?? 0, read ?? 0, written ?? 0, output ?? 0];
}

function billedTokens({ record: { usage } }: Pick<Served, 'record'>): Tokens {
  assert.ok(usage);
  return [usage.fresh, usage.read, usage.written5m + usage.written1h, usage.output];
}

function sums(all: readonly Tokens[]): Tokens {
  return all.reduce<Tokens>((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]], [0, 0, 0, 0]);
}

function sumsOf(usage: Omit<ApiUsage, 'contextWindow'>): Tokens {
  return [usage.promptTokens, usage.cacheReadInputTokens, usage.cacheCreationInputTokens, usage.completionTokens];
}
