import assert from 'node:assert/strict';
import type { SessionContextItem } from '../../../../src/engine/record/item.js';
import { contextRecordsOf } from '../../../../src/engine/request/rebuild.js';
import type { ChatSession } from '../../../../src/host/chat/chatSession.js';
import { excludeItems } from '../../../../src/host/context/catalog/catalogChoice.js';
import { heldItems, namedBlock } from '../../../../src/host/inspector/blockNames.js';
import { heldByNext } from '../../../../src/host/inspector/heldRequest.js';
import { contextRows, contextUsed, nextRequestRows } from '../../../../src/host/panel/nextRequest/contextUsed.js';
import type { ComposedRequest } from '../../../../src/engine/next/compose.js';
import { notSelectedBriefly } from '../../../../src/host/request/excluded/notSelectedItems.js';
import { column, columns } from '../../../support/columns.js';
import { EchoTool, lastAttempt } from '../../../support/host/reading.js';
import { chatAmongFiles, type ChatAmongFiles } from '../../../support/host/filesInChat.js';
import { useWindows, type WindowOptions } from '../../../support/host/window.js';

interface WireBody {
  readonly system: readonly { readonly text: string }[];
  readonly messages: readonly { readonly role: string; readonly content: readonly { readonly text?: string }[] }[];
}

const bodyOf = (body: string | undefined): WireBody => JSON.parse(body ?? '') as WireBody;
const systemOf = (body: string | undefined): string =>
  bodyOf(body)
    .system.map(({ text }) => text)
    .join('');
const newestOf = (body: string | undefined): readonly string[] =>
  bodyOf(body)
    .messages.at(-1)
    ?.content.map(({ text }) => text ?? '') ?? [];

/** The inspector's names of the next request's blocks, with their reasons. */
const named = (composed: ComposedRequest): string[] => {
  const { blocks, records } = heldByNext(composed, null);
  return blocks.map((block) => namedBlock(block, heldItems(records), false)).map(({ name, why }) => `${name} (${why})`);
};

/** Longer than the cache minimum: below it a rebuild is free. */
const LONG = 'All of it is read before it is answered. '.repeat(120);

/** The items of the flow example of the reference. */
const FLOW = {
  '.loupe/rules/a.md': '---\nname: A\ninclude: always\n---\nAnswer in English.',
  '.loupe/rules/b.md': '---\nname: B\ninclude: manual\n---\nUse British spelling.',
  '.loupe/rules/c.md': '---\nname: Authentication\ninclude: agent\ndescription: How users sign in.\n---\nTokens live for an hour.',
  '.loupe/references/x.md': '---\nname: X\ninclude: always\n---\nThe stations.',
  '.loupe/references/y.md': '---\nname: Error handling\ninclude: agent\n---\nErrors are shown in red.',
};

const item = (type: 'rule' | 'reference', name: string): SessionContextItem => ({
  ...{ type, name, includeMode: 'manual', addedHash: null, given: null },
});
const file = (name: string): SessionContextItem => ({ type: 'file', name, includeMode: 'manual', addedHash: null, given: null });

describe('what is picked for a message', () => {
  const windows = useWindows();

  const open = (texts: Readonly<Record<string, string>>, options: WindowOptions): Promise<ChatAmongFiles> =>
    chatAmongFiles(windows, texts, options);

  function held({ state }: ChatSession): readonly string[] {
    const records = contextRecordsOf(lastAttempt(state), state.attempts) ?? assert.fail('The record is damaged.');
    return records.flatMap(({ item: { name, includeMode }, leftOut }) => (leftOut === null ? [`${name} ${includeMode}`] : []));
  }

  function absent({ state }: ChatSession): Readonly<Record<string, string | undefined>> {
    const records = contextRecordsOf(lastAttempt(state), state.attempts) ?? [];
    return Object.fromEntries(records.flatMap(({ item: { name }, leftOut }) => (leftOut === null ? [] : [[name, leftOut.code]])));
  }

  for (const layout of ['adaptive', 'tiered', 'message-70', 'plain'] as const) {
    it(`is that of the reference's flow example: each request has what fits its message, and no more (${layout})`, async () => {
      const { window, session } = await open(FLOW, { config: { layout, systemPrompt: LONG } });
      await session.context.add(item('rule', 'B'));
      await session.conversation.send('How do I authenticate?');
      assert.deepEqual(held(session), ['X always', 'A always', 'B manual', 'Authentication agent']);
      assert.deepEqual(absent(session), { 'Error handling': 'belowScore' });
      assert.deepEqual(newestOf(window.model.bodies.at(-1)).slice(-2), [
        '# Rules: Authentication (.loupe/rules/c.md)\n\nTokens live for an hour.',
        'How do I authenticate?',
      ]);
      await session.conversation.send("What's the error handling?");
      assert.deepEqual(held(session), ['X always', 'A always', 'B manual', 'Error handling agent']);
      assert.deepEqual(absent(session), { Authentication: 'belowScore' });
      assert.deepEqual(newestOf(window.model.bodies.at(-1)).slice(-2), [
        '# Reference: Error handling (.loupe/references/y.md)\n\nErrors are shown in red.',
        "What's the error handling?",
      ]);
      const [first, second] = window.model.bodies;
      assert.equal(systemOf(second), systemOf(first), 'the system prompt is read from the cache');
    });
  }

  it('is nothing for a message about something else, nor for none', async () => {
    const { window, session } = await open(FLOW, {});
    await session.conversation.send('Paint the lighthouse white, please');
    assert.deepEqual(held(session), ['X always', 'A always']);
    assert.deepEqual(newestOf(window.model.bodies.at(-1)), ['Paint the lighthouse white, please']);
    assert.equal((await session.next.preview({ text: '', editing: null })).context.picked.length, 0);
  });

  it('is shown before it is sent, and sent as it was shown', async () => {
    const { window, session } = await open(FLOW, {});
    const composed = await session.next.preview({ text: 'How do I authenticate?', editing: null });
    const { summary, blocks, notSelected, available } = nextRequestRows(composed);
    assert.equal(summary, '2 rules (1 agent, 1 always), 1 reference (always)');
    assert.deepEqual(available, { rule: 3, reference: 2, skill: 0, tool: 0 });
    const [picked] = blocks.filter(({ includeMode }) => includeMode === 'agent');
    assert.deepEqual([picked?.label, picked?.file, picked?.category], ['Authentication', 'rule:Authentication', 'rules']);
    assert.ok((picked?.score ?? 0) > 0.7, String(picked?.score));
    assert.deepEqual(columns(notSelected.first, 'name', 'notSelectedReason'), [
      ['Error handling', 'score below 0.30'],
      ['B', 'not added'],
    ]);
    await session.conversation.send('How do I authenticate?');
    const [sent, shown] = [bodyOf(window.model.bodies.at(-1)), bodyOf(composed.wire().body)];
    assert.deepEqual(sent, shown);
  });

  it('is not what cannot be read: the next request leaves it out first, with the reason in few words and no way to add it', async () => {
    const { session, files } = await open({ ...FLOW, '.loupe/rules/off.md': '---\nname: Off\nenabled: false\n---\nNever.' }, {});
    await session.context.add(file('src/gone.ts'));
    files.texts.delete('.loupe/rules/a.md');
    const { notSelected } = nextRequestRows(await session.next.preview({ text: 'How do I authenticate?', editing: null }));
    assert.deepEqual(columns(notSelected.first, 'name', 'notSelectedReason', 'canBeAdded'), [
      ['A', 'missing', false],
      ['src/gone.ts', 'missing', false],
      ['Error handling', 'score below 0.30', true],
      ['B', 'not added', true],
      ['Off', 'off in its file', false],
    ]);
    assert.equal(
      notSelectedBriefly({ type: 'rule', name: 'A', includeMode: 'agent' }, { code: 'tooLarge', bytes: 5 * 1024 * 1024 }),
      '5.0 MB, over the limit',
    );
  });

  it('is told with its score and its tokens in "Context used", and what was left out apart from it', async () => {
    const { session } = await open(FLOW, {});
    await session.conversation.send('How do I authenticate?');
    const attempt = lastAttempt(session.state);
    assert.equal(contextUsed(attempt, session.state)?.summary, '2 rules (1 agent, 1 always), 1 reference (always)');
    const { groups, notSelected } = contextRows(attempt, session.state) ?? assert.fail('There are no rows.');
    const picked = groups.flatMap(({ items }) => items).find(({ name }) => name === 'Authentication');
    assert.equal(picked?.includeMode, 'agent');
    assert.ok((picked.score ?? 0) > 0.7 && (picked.tokens ?? 0) > 0);
    assert.equal(notSelected.total, 2);
  });

  it('is one value of the run: the rounds of its tool loop hold the same, whatever is better meanwhile', async () => {
    const tools = new EchoTool();
    const { window, session, files } = await open(
      { '.loupe/rules/e.md': '---\nname: Echo tool\ninclude: agent\n---\nEcho once.' },
      { tools },
    );
    const call = tools.call.bind(tools);
    tools.call = (asked) => {
      files.texts.set('.loupe/rules/f.md', '---\nname: Echo tool text\ninclude: agent\n---\nEcho twice.');
      return call(asked);
    };
    await session.conversation.send('/tool echo {"text":"echo"}');
    const [first, second] = window.model.bodies;
    assert.match(first ?? '', /Echo once/);
    assert.match(second ?? '', /Echo once/);
    assert.doesNotMatch(second ?? '', /Echo twice/);
    assert.equal(absent(session)['Echo tool text'], 'belowScore');
  });

  it('stays in the prompt of the next messages until a relayout, is not counted then, and is not sent twice when it fits again', async () => {
    const { window, session } = await open(FLOW, { config: { systemPrompt: LONG } });
    await session.conversation.send(`/long 40 ${'authenticate '.repeat(60)}`);
    await session.conversation.send('Paint it white');
    const rows = contextRows(lastAttempt(session.state), session.state)?.blocks.map(({ label }) => label) ?? [];
    assert.ok(rows.includes('Authentication (picked for an earlier message)'), rows.join());
    assert.equal(contextUsed(lastAttempt(session.state), session.state)?.summary, '1 rule (always), 1 reference (always)');
    await session.conversation.send('And how do I authenticate?');
    const said = JSON.stringify(bodyOf(window.model.bodies.at(-1)).messages);
    assert.equal(said.split('Tokens live').length - 1, 1);
    assert.ok(held(session).includes('Authentication agent'));
  });

  it('may be a skill, with its own group, which can be kept in the chat, too', async () => {
    const skill = '---\nname: pdf\ndescription: Fill in and merge PDF forms\n---\nOpen the form first.';
    const { window, session } = await open({ '.claude/skills/pdf/SKILL.md': skill }, {});
    await session.conversation.send('Merge the pdf forms');
    assert.deepEqual(held(session), ['pdf agent']);
    assert.equal(newestOf(window.model.bodies.at(-1))[0], '# Skill: pdf (.claude/skills/pdf/SKILL.md)\n\nOpen the form first.');
    assert.equal(contextUsed(lastAttempt(session.state), session.state)?.summary, '1 skill (agent)');
    await session.context.add({ type: 'skill', name: 'pdf', includeMode: 'manual', addedHash: null, given: null });
    await session.conversation.send('Good morning');
    assert.deepEqual(held(session), ['pdf manual']);
    assert.ok(named(await session.next.preview({ text: 'Merge the pdf forms', editing: null })).includes('pdf (manual)'));
  });

  it('is named in the request, with its score', async () => {
    const { session } = await open(FLOW, {});
    const [system, ...rest] = named(await session.next.preview({ text: 'How do I authenticate?', editing: null }));
    assert.equal(system, 'System prompt (always)');
    const names = rest.map((name) => name.replace(/0\.\d\d/, 'score'));
    assert.deepEqual(names, ['X (always)', 'A (always)', 'Authentication (agent score)', 'You: How do I authenticate? (history)']);
  });

  it('is sent anew where its file has changed', async () => {
    const { window, session, files } = await open(FLOW, {});
    await session.conversation.send('How do I authenticate?');
    files.texts.set('.loupe/rules/c.md', FLOW['.loupe/rules/c.md'].replace('an hour', 'a day'));
    await session.conversation.send('And how do I authenticate now?');
    assert.match(newestOf(window.model.bodies.at(-1)).join(), /Tokens live for a day/);
  });

  it('is at most so many, the best first, but for those that fit nearly all of the message', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 6 }, (_, at) => [
        `.loupe/rules/r${String(at)}.md`,
        `---\nname: Tides ${'x'.repeat(at + 2)}\ninclude: agent\n---\n.`,
      ]),
    );
    const { session } = await open(many, { config: { pickMost: 2, pickCertain: null } });
    const { selection } = (await session.next.preview({ text: 'tides of the harbour', editing: null })).context;
    assert.equal(selection.picked.length, 2);
    assert.deepEqual(
      selection.absent.map(({ reason }) => reason),
      Array.from({ length: 4 }, () => ({ code: 'beyondMost', most: 2 })),
    );
    await session.changeConfig({ pickCertain: 40 });
    assert.equal((await session.next.preview({ text: 'tides of the harbour', editing: null })).context.selection.picked.length, 6);
    await session.changeConfig({ pickMinimum: 99 });
    assert.equal((await session.next.preview({ text: 'tides of the harbour', editing: null })).context.selection.picked.length, 0);
  });

  it('leaves a request that has no room for it, before any reference, and rules never leave', async () => {
    const big = (name: string, include: string, words: number): string =>
      `---\nname: ${name}\ninclude: ${include}\n---\n${'tide '.repeat(words)}`;
    const { session } = await open(
      {
        '.loupe/rules/always.md': big('Fixed', 'always', 60),
        '.loupe/rules/pick.md': big('Harbour', 'agent', 300),
        '.loupe/references/ref.md': big('Atlas', 'always', 300),
      },
      {},
    );
    const at = async (most: number): Promise<readonly string[]> => {
      await session.changeConfig({ maxPromptTokens: most, reservedResponseTokens: 0 });
      const { records, size } = await session.next.preview({ text: 'Which harbour?', editing: null });
      assert.ok(size.tokens <= most);
      return records.map(({ item: { name }, leftOut }) => `${name} ${leftOut?.code ?? 'in'}`).sort();
    };
    assert.deepEqual(await at(2_000), ['Atlas in', 'Fixed in', 'Harbour in']);
    assert.deepEqual(await at(600), ['Atlas in', 'Fixed in', 'Harbour noRoom']);
    assert.deepEqual(await at(300), ['Atlas noRoom', 'Fixed in', 'Harbour noRoom']);
  });

  it('says of what the user has taken out that it was removed, and of what was never in that it was not added', async () => {
    const { session, window } = await open({ ...FLOW, '.loupe/rules/off.md': '---\nenabled: false\n---\nNever.' }, {});
    await session.context.remove({ type: 'rule', name: 'A' });
    await session.conversation.send('Good morning');
    const reasons = {
      A: 'removed',
      B: 'notAdded',
      Authentication: 'belowScore',
      'Error handling': 'belowScore',
      '.loupe/rules/off.md': 'disabled',
    };
    assert.deepEqual(absent(session), reasons);
    const last = session.state.timeline.flatMap((each) => (each.kind === 'message' ? [each.message.id] : [])).at(-1) ?? '';
    const fork = await window.chats.fork(session, last);
    await fork.conversation.send('Good evening');
    assert.deepEqual(absent(fork), reasons);
  });

  it('is nothing that the user does not want in the chat, also in a fork, until it is added; what was added and taken out again is picked', async () => {
    const { session, window, files } = await open(FLOW, { config: { pickMost: 1 } });
    await excludeItems(session, ['rule:Authentication'], { read: files.catalog.bind(files) });
    await session.conversation.send('How do users sign in?');
    assert.deepEqual(held(session), ['X always', 'A always']);
    assert.equal(absent(session)['Authentication'], 'removed');
    const last = session.state.timeline.flatMap((each) => (each.kind === 'message' ? [each.message.id] : [])).at(-1) ?? '';
    const fork = await window.chats.fork(session, last);
    await fork.conversation.send('How do users sign in?');
    assert.equal(absent(fork)['Authentication'], 'removed');
    await session.context.add(item('rule', 'Authentication'));
    await session.context.remove({ type: 'rule', name: 'Authentication' });
    await session.conversation.send('How do users sign in?');
    assert.deepEqual(held(session), ['X always', 'A always', 'Authentication agent']);
    const again = await window.chats.fork(session, last);
    await again.conversation.send('How do users sign in?');
    assert.deepEqual(held(again), ['X always', 'A always', 'Authentication agent']);
  });

  it('is, without a score, what is for a file of the chat: by pattern, or in the folder of a file, the nearest last', async () => {
    const { window, session } = await open(
      {
        'AGENTS.md': 'At the top.',
        'src/AGENTS.md': 'In src.',
        'src/ui/AGENTS.md': 'In ui.',
        'docs/AGENTS.md': 'In docs.',
        '.github/instructions/ts.instructions.md': '---\napplyTo: "**/*.{ts,tsx}"\n---\nNo any.',
        '.cursor/rules/css.mdc': '---\nglobs: *.css\n---\nNo ids.',
        'src/ui/a.ts': 'const a = 1;',
      },
      {},
    );
    await session.conversation.send('Hello');
    assert.deepEqual(held(session), ['AGENTS.md always']);
    assert.equal(absent(session)['src/AGENTS.md'], 'noFile');
    await session.context.add(file('src/ui/a.ts:1-1'));
    await session.context.add(file('src/ui/a.ts'));
    const composed = await session.next.preview({ text: '', editing: null });
    assert.deepEqual(column(composed.context.selection.forFiles, 'name'), [
      'src/AGENTS.md',
      '.github/instructions/ts.instructions.md',
      'src/ui/AGENTS.md',
    ]);
    await session.conversation.send('Again');
    const said = window.model.bodies.at(-1) ?? '';
    const places = ['At the top.', 'In src.', 'No any.', 'In ui.'].map((text) => said.indexOf(text));
    const areInOrder = places.every((place, at) => place > (places[at - 1] ?? -1));
    assert.ok(areInOrder, places.join());
    assert.ok(!said.includes('In docs.') && !said.includes('No ids.'));
    await session.context.remove(file('src/ui/a.ts:1-1'), file('src/ui/a.ts'));
    await session.conversation.send('And now?');
    assert.deepEqual(held(session), ['AGENTS.md always']);
  });
});
