import assert from 'node:assert/strict';
import { isUntouched } from '../../../src/engine/chat/chatMarkdown.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { contextChips } from '../../../src/host/panel/composer/contextChips.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { BILLED_MODELS } from '../../support/host/billedModels.js';
import { RunningClock } from '../../support/host/clocks.js';
import { lastAttempt, lastReply, lastUser } from '../../support/host/reading.js';
import { MemoryFiles, useWindows, type Window, type WindowOptions } from '../../support/host/window.js';
import { rejection } from '../../support/rejection.js';

const NO_DRAFT = { text: '', editing: null };
const LONG = `/long 1 ${'All of it is read before it is answered. '.repeat(120)}`;
const LINES = Array.from({ length: 60 }, (_, at) => `export const value${String(at)} = ${String(at)};`);
const FILE = `${LINES.join('\n')}\n`;
const HOUR = 3_600_000;
const file = (name: string) => ({ type: 'file', name, includeMode: 'manual', addedHash: null, given: null }) as const;

interface WireBody {
  readonly system: unknown;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** The blocks of a practice model's body as text, without breakpoints. */
function blocksOf(body: string | undefined): string[] {
  const { messages } = JSON.parse(body ?? '') as WireBody;
  return messages.flatMap(({ role, content }) =>
    (Array.isArray(content) ? (content as { readonly text?: string }[]) : [{ text: String(content) }]).map(
      ({ text }) => `${role}: ${text ?? ''}`,
    ),
  );
}

describe('a chat whose requests keep what was sent', () => {
  const windows = useWindows();

  async function talk(
    options: WindowOptions,
  ): Promise<{ readonly window: Window; readonly session: ChatSession; readonly files: MemoryFiles }> {
    const files = options.files ?? new MemoryFiles();
    files.texts.set('a.ts', FILE);
    files.texts.set('b.ts', FILE.replaceAll('value', 'other'));
    const { window, session } = await windows.openChat({ ...options, files });
    await session.context.add(file('a.ts'));
    await session.context.add(file('b.ts'));
    await session.conversation.send(LONG);
    return { window, session, files };
  }

  it('sends a change of a file as a difference, behind what was sent', async () => {
    const { window, session, files } = await talk({});
    files.texts.set('a.ts', FILE.replace('value7 =', 'seven ='));
    await session.conversation.send('Again');
    const [first, second] = window.model.bodies.map(blocksOf);
    assert.deepEqual(second?.slice(0, first?.length), first);
    assert.match(second?.at(-2) ?? '', /^user: a\.ts has changed:\n```diff\n/);
    assert.equal(second?.at(-1), 'user: Again');
  });

  it('is the same request when the chat is opened again, in this window and in another one', async () => {
    const { session, files } = await talk({});
    files.texts.set('a.ts', FILE.replace('value7 =', 'seven ='));
    await session.conversation.send('Again');
    files.texts.set('b.ts', FILE.replaceAll('value', 'other').replace('other9 =', 'nine ='));
    const draft = { text: 'And now?', editing: null };
    const bodyIn = async (one: ChatSession): Promise<string> => (await one.next.preview(draft)).wire().body;
    const here = await bodyIn(session);
    assert.match(here, /b\.ts has changed/);
    for (const writerId of ['reloaded', 'other']) {
      const other = await windows.open({ writerId, files }).chats.open(session.id);
      assert.equal(await bodyIn(other), here, writerId);
    }
  });

  it('goes on in a fork with the prefix that was bought', async () => {
    const { window, session, files } = await talk({});
    files.texts.set('a.ts', FILE.replace('value7 =', 'seven ='));
    await session.conversation.send('Again');
    await session.context.remove({ type: 'file', name: 'b.ts' });
    const fork = await window.chats.fork(session, lastReply(session.state).id);
    await fork.conversation.send('Here');
    const [, second, forked] = window.model.bodies.map(blocksOf);
    assert.deepEqual(forked?.slice(0, second?.length), second);
  });

  it('names one key of the cache in a chat and in its forks, where the provider takes one', async () => {
    const model = { ...PRACTICE_STANDARD, capabilities: { ...PRACTICE_STANDARD.capabilities, cacheKey: true } };
    const { window, session } = await talk({ models: [model] });
    const fork = await window.chats.fork(session, lastReply(session.state).id);
    await fork.conversation.send('Here');
    const again = await window.chats.fork(fork, lastReply(fork.state).id);
    await again.conversation.send('There');
    const keys = [session, fork, again].map(({ state }) => lastAttempt(state).manifest.params.cacheKey);
    assert.deepEqual(keys, [session.id, session.id, session.id]);
  });

  it('goes on behind the turn before when the newest message is edited or tried again', async () => {
    const { window, session, files } = await talk({});
    files.texts.set('a.ts', FILE.replace('value7 =', 'seven ='));
    await session.conversation.send('Again');
    await session.conversation.edit(lastUser(session.state).id, 'Other');
    await session.conversation.retry(lastUser(session.state).id);
    const [, second, edited, retried] = window.model.bodies.map(blocksOf);
    assert.deepEqual(edited?.slice(0, -1), second?.slice(0, -1));
    assert.deepEqual(retried, edited);
  });

  it('goes on with the prefix of a branch that is brought back', async () => {
    const { window, session, files } = await talk({});
    files.texts.set('a.ts', FILE.replace('value7 =', 'seven ='));
    await session.conversation.send('Again');
    const rewound = lastUser(session.state).id;
    files.texts.set('a.ts', FILE.replace('value9 =', 'nine ='));
    await session.conversation.edit(rewound, 'Other');
    const [rewind] = [...session.state.rewinds.keys()];
    await session.conversation.restoreBranch(rewind ?? '');
    await session.conversation.send('Once more');
    const [, second, , restored] = window.model.bodies.map(blocksOf);
    assert.deepEqual(restored?.slice(0, second?.length), second);
    assert.equal(restored?.at(-1), 'user: Once more');
  });

  it('keeps a removed file in the request, says so and what it costs to leave it out, and leaves it out when it is removed again', async () => {
    const { window, session } = await talk({ models: BILLED_MODELS });
    await session.context.remove({ type: 'file', name: 'a.ts' });
    const chips = contextChips(await session.next.preview(NO_DRAFT), session.state);
    assert.deepEqual(
      chips.map(({ key, warning }) => [key, warning?.kind ?? null]),
      [
        ['file:b.ts', null],
        ['file:a.ts', 'leaving'],
      ],
    );
    assert.match(
      chips[1]?.warning?.text ?? '',
      /^You removed this item, but requests still contain it\. Loupe stops sending it when the removal costs nothing extra\. To stop sending it now, remove the item again\. The provider then writes [\d,]+ tokens to its cache again, for about \$0\.\d+\.$/,
    );
    await session.conversation.send('Again');
    assert.ok(blocksOf(window.model.bodies.at(-1)).some((block) => block.startsWith('user: a.ts')));
    await session.context.remove({ type: 'file', name: 'a.ts' });
    assert.equal(contextChips(await session.next.preview(NO_DRAFT), session.state).length, 1);
    await session.conversation.send('Once more');
    assert.ok(!blocksOf(window.model.bodies.at(-1)).some((block) => block.startsWith('user: a.ts')));
  });

  it('does the same with a removed rule, whose text stays in the system prompt', async () => {
    const rule = { type: 'rule', name: 'AGENTS.md' } as const;
    const files = new MemoryFiles();
    files.texts.set(rule.name, 'Speak plainly.');
    const { window, session } = await talk({ files, models: BILLED_MODELS });
    const isSent = (): boolean => window.model.bodies.at(-1)?.includes('Speak plainly.') === true;
    const ruleChip = async (): Promise<unknown> =>
      contextChips(await session.next.preview(NO_DRAFT), session.state).find(({ key }) => key === 'rule:AGENTS.md')?.warning?.kind;
    await session.context.remove(rule);
    assert.equal(await ruleChip(), 'leaving');
    await session.conversation.send('Again');
    assert.deepEqual([isSent(), await ruleChip()], [true, 'leaving']);
    await session.context.remove(rule);
    assert.equal(await ruleChip(), undefined);
    await session.conversation.send('Once more');
    assert.deepEqual([isSent(), await ruleChip()], [false, undefined]);
  });

  it('forgets a file that was removed before anything was sent', async () => {
    const session = await windows.open({}).chats.create();
    await session.context.add(file('a.ts'));
    await session.context.remove({ type: 'file', name: 'a.ts' });
    assert.equal(session.state.leaving.size, 0);
    assert.equal(isUntouched(session.state), true);
  });

  it('takes a removed file up again for nothing', async () => {
    const { window, session } = await talk({});
    await session.context.remove({ type: 'file', name: 'a.ts' });
    await session.context.add(file('a.ts'));
    await session.conversation.send('Again');
    const [first, second] = window.model.bodies.map(blocksOf);
    assert.deepEqual(second?.slice(0, first?.length), first);
    assert.equal(second?.length, (first?.length ?? 0) + 2);
  });

  it('leaves it out by itself after a pause that the cache does not outlive', async () => {
    const clock = new RunningClock();
    const { window, session } = await talk({ clock });
    await session.context.remove({ type: 'file', name: 'a.ts' });
    clock.time += 2 * HOUR;
    await session.conversation.send('Again');
    assert.ok(!blocksOf(window.model.bodies.at(-1)).some((block) => block.startsWith('user: a.ts')));
  });

  it('is laid out anew on request, once, also in another window', async () => {
    const { window, session, files } = await talk({});
    files.texts.set('a.ts', FILE.replace('value7 =', 'seven ='));
    await session.conversation.send('Again');
    await session.context.remove({ type: 'file', name: 'b.ts' });
    await session.context.rebuildLayout();
    const other = await windows.open({ writerId: 'other', files }).chats.open(session.id);
    assert.equal((await other.next.preview(NO_DRAFT)).wire().body, (await session.next.preview(NO_DRAFT)).wire().body);
    await session.conversation.send('Once more');
    const rebuilt = blocksOf(window.model.bodies.at(-1));
    assert.ok(!rebuilt.some((block) => block.includes('```diff') || block.startsWith('user: b.ts')), rebuilt.join('\n'));
    assert.equal(rebuilt.filter((block) => block.startsWith('user: a.ts')).length, 1);
    assert.equal(session.state.relayoutAsked, false);
  });

  describe('whose instructions change', () => {
    const systemOf = (body: string | undefined): string => JSON.stringify((JSON.parse(body ?? '') as WireBody).system);

    it('keeps its system prompt, and tells what applies from here on, also when that is what applied before', async () => {
      const { window, session, files } = await talk({});
      const { bodies } = window.model;
      await session.fragments.set('style', 'Write in rhymes.');
      files.texts.set('a.ts', FILE.replace('value7 =', 'seven ='));
      await session.conversation.send('Again');
      const [first, second] = bodies.map(blocksOf);
      assert.deepEqual(second?.slice(0, first?.length), first);
      const note = 'user: New from here on: the instructions from style\n\nWrite in rhymes.';
      assert.equal(second?.at(-4), note);
      assert.match(second.at(-3) ?? '', /^user: # Working Files/);
      assert.match(second.at(-2) ?? '', /^user: a\.ts has changed/);
      await session.conversation.send('Once more');
      assert.deepEqual(blocksOf(bodies.at(-1)).slice(0, second.length), second);
      assert.equal(blocksOf(bodies.at(-1)).filter((block) => block === note).length, 1, 'once is enough');
      const toldLast = (): string | undefined =>
        blocksOf(bodies.at(-1)).findLast((block) => block.includes(' from here on: the instructions from style'));
      for (const [text, told] of [
        ['Write plainly.', 'Write plainly.'],
        ['Write in rhymes.', 'Write in rhymes.'],
        [null, 'user: No longer valid from here on: the instructions from style'],
      ] as const) {
        await session.fragments.set('style', text);
        await session.conversation.send('And again');
        assert.equal(toldLast()?.split('\n').at(-1), told);
      }
      assert.equal(new Set(bodies.map(systemOf)).size, 1);
    });

    it('has them in the system prompt again after a pause that the cache does not outlive, and when it is laid out anew', async () => {
      const clock = new RunningClock();
      const { window, session } = await talk({ clock });
      await session.fragments.set('style', 'Write in rhymes.');
      await session.conversation.send('Again');
      assert.doesNotMatch(systemOf(window.model.bodies.at(-1)), /rhymes/);
      clock.time += 2 * HOUR;
      await session.conversation.send('Later');
      const isTold = (): boolean => blocksOf(window.model.bodies.at(-1)).some((block) => block.includes('rhymes'));
      assert.match(systemOf(window.model.bodies.at(-1)), /rhymes/);
      assert.equal(isTold(), false);
      await session.fragments.set('style', 'Write plainly.');
      await session.conversation.send('Again');
      await session.context.rebuildLayout();
      await session.conversation.send('Anew');
      assert.match(systemOf(window.model.bodies.at(-1)), /plainly/);
      assert.equal(isTold(), false);
    });

    it('rewrites the system prompt where the rest of it changes, and where little stands behind it', async () => {
      const { window, session } = await talk({});
      await session.fragments.set('style', 'Write in rhymes.');
      await session.changeConfig({ systemPrompt: 'You know the sea.' });
      await session.conversation.send('Again');
      assert.match(systemOf(window.model.bodies.at(-1)), /You know the sea\..*Write in rhymes\./);
      const short = await window.chats.create();
      await short.conversation.send('/long 1');
      await short.fragments.set('style', 'Write in rhymes. '.repeat(40));
      await short.conversation.send('Again');
      assert.match(systemOf(window.model.bodies.at(-1)), /rhymes/);
    });
  });

  it('says before what it costs to be laid out anew, and that nothing changes where nothing is left out', async () => {
    const { session, files } = await talk({ models: BILLED_MODELS });
    assert.equal(await session.context.relayout(), null);
    files.texts.set('a.ts', FILE.replace('value7 =', 'seven ='));
    await session.conversation.send('Again');
    await session.context.remove({ type: 'file', name: 'b.ts' });
    const kept = (await session.next.preview(NO_DRAFT)).size.tokens;
    const relayout = await session.context.relayout();
    assert.ok(relayout !== null);
    const { droppedTokens, rewrittenTokens, cost, saving } = relayout;
    assert.equal(session.state.relayoutAsked, false, 'nothing is done yet');
    await session.context.rebuildLayout();
    const { tokens } = (await session.next.preview(NO_DRAFT)).size;
    // The framing is not known before.
    assert.ok(Math.abs(kept - tokens - droppedTokens) < 30, `${String(droppedTokens)} of ${String(kept - tokens)}`);
    assert.ok(rewrittenTokens > 0 && rewrittenTokens < tokens, String(rewrittenTokens));
    assert.ok((cost ?? 0) > 0 && (saving ?? 0) > 0 && (cost ?? 0) > (saving ?? 0));
  });

  it('refuses to be laid out anew where each request is', async () => {
    const { session } = await talk({ config: { layout: 'plain' } });
    const error = await rejection(session.context.rebuildLayout());
    assert.equal((await rejection(session.context.relayout())).message, error.message);
    assert.match(error.message, /^Loupe already rebuilds each request of this chat, because/);
  });

  it('leaves a removed file out at once in the other layouts', async () => {
    const { window, session } = await talk({ config: { layout: 'plain' } });
    await session.context.remove({ type: 'file', name: 'a.ts' });
    await session.conversation.send('Again');
    assert.ok(!blocksOf(window.model.bodies.at(-1)).some((block) => block.startsWith('user: a.ts')));
  });

  it('goes on when the clock was set back, and after a change of the model', async () => {
    const clock = new RunningClock();
    const { window, session, files } = await talk({ clock });
    clock.time -= HOUR;
    files.texts.set('a.ts', FILE.replace('value7 =', 'seven ='));
    await session.conversation.send('Again');
    await session.changeConfig({ model: { provider: 'practice', model: 'small' } });
    await session.conversation.send('Once more');
    const [first, second, third] = window.model.bodies.map(blocksOf);
    assert.deepEqual(second?.slice(0, first?.length), first);
    assert.ok(third?.some((block) => block.includes('seven =')) === true);
  });
});
