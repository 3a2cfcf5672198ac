import assert from 'node:assert/strict';
import { isUntouched } from '../../../../src/engine/chat/chatMarkdown.js';
import { figureValue } from '../../../../src/engine/model/usage.js';
import type { SessionContextItem } from '../../../../src/engine/record/item.js';
import { contextRows, contextUsed, nextRequestRows } from '../../../../src/host/panel/nextRequest/contextUsed.js';
import { contextChips } from '../../../../src/host/panel/composer/contextChips.js';
import { nextRequestView } from '../../../../src/host/panel/nextRequest/nextRequestView.js';
import { addCatalogItems, excludeItems } from '../../../../src/host/context/catalog/catalogChoice.js';
import { columns } from '../../../support/columns.js';
import { openPanel } from '../../../support/host/panel.js';
import { lastAttempt } from '../../../support/host/reading.js';
import { chatAmongFiles, type ChatAmongFiles } from '../../../support/host/filesInChat.js';
import { useWindows, type WindowOptions } from '../../../support/host/window.js';

const NO_DRAFT = { text: '', editing: null };
const LONG = `/long 1 ${'All of it is read before it is answered. '.repeat(120)}`;

interface WireBody {
  readonly system: readonly { readonly text: string }[];
  readonly messages: unknown;
}

const systemOf = (body: string | undefined): readonly string[] =>
  (JSON.parse(body ?? '') as WireBody).system.map(({ text }) => text.trim());
const messagesOf = (body: string | undefined): string => JSON.stringify((JSON.parse(body ?? '') as WireBody).messages);
const reference = (name: string): SessionContextItem => ({ type: 'reference', name, includeMode: 'manual', addedHash: null, given: null });

describe('a chat in a workspace with rules', () => {
  const windows = useWindows();

  const open = (texts: Readonly<Record<string, string>>, options: WindowOptions): Promise<ChatAmongFiles> =>
    chatAmongFiles(windows, texts, options);

  const TWO = {
    'AGENTS.md': 'Heights are metres.',
    '.loupe/rules/tides.md': '---\nname: Tides\npriority: 1\n---\nTimes are UTC.',
    '.loupe/rules/off.md': '---\nenabled: false\n---\nNever.',
    '.cursor/rules/css.mdc': '---\nglobs: *.css\n---\nNo ids.',
    '.loupe/references/api.md': 'GET /tides',
  };

  it('sends a text once that several files have, and names them', async () => {
    const { window, session } = await open(
      { 'AGENTS.md': 'Heights are metres.', '.github/copilot-instructions.md': 'Heights are metres.', 'CLAUDE.md': '@AGENTS.md' },
      {},
    );
    assert.deepEqual([...session.state.context.keys()], ['rule:AGENTS.md', 'rule:CLAUDE.md']);
    await session.conversation.send('Hello');
    const texts = systemOf(window.model.bodies.at(-1));
    assert.deepEqual(
      texts.filter((text) => text.startsWith('# Rules')),
      ['# Rules: AGENTS.md (.github/copilot-instructions.md)\n\nHeights are metres.', '# Rules: CLAUDE.md\n\n@AGENTS.md'],
    );
  });

  it('begins with those that are always in one, sends them in the system prompt, and records them', async () => {
    const { window, session } = await open(TWO, {});
    assert.deepEqual(columns([...session.state.context.values()], 'name', 'includeMode'), [
      ['Tides', 'always'],
      ['AGENTS.md', 'always'],
    ]);
    assert.equal(isUntouched(session.state), true);
    await session.conversation.send('Hello');
    assert.deepEqual(systemOf(window.model.bodies.at(-1)).slice(1), [
      '# Rules: Tides (.loupe/rules/tides.md)\n\nTimes are UTC.',
      '# Rules: AGENTS.md\n\nHeights are metres.',
    ]);
    const attempt = lastAttempt(session.state);
    assert.equal(contextUsed(attempt, session.state)?.summary, '2 rules (all always)');
    const [rules] = contextRows(attempt, session.state)?.groups ?? [];
    assert.deepEqual(
      rules?.items.map(({ name, file, includeMode, tokens }) => [name, file, includeMode, (tokens ?? 0) > 0]),
      [
        ['Tides', 'rule:Tides', 'always', true],
        ['AGENTS.md', 'rule:AGENTS.md', 'always', true],
      ],
    );
  });

  it('is as a new one while it has nothing but these, and is no more when one is taken out', async () => {
    const { window, session } = await open(TWO, {});
    assert.equal(await window.chats.newChat.equals(session), true);
    const { shown } = openPanel(window, { currentChat: session.id });
    assert.equal((await shown.newChat()).id, session.id);
    await session.context.remove({ type: 'rule', name: 'Tides' });
    assert.equal(await window.chats.newChat.equals(session), false);
    assert.notEqual((await shown.newChat()).id, session.id);
  });

  it('keeps its system prompt when a rule changes, is added or taken out, and says so in a note', async () => {
    const { window, session, files } = await open(TWO, {});
    await session.conversation.send(LONG);
    files.texts.set('AGENTS.md', 'Heights are feet.');
    await session.context.add(reference('.loupe/references/api.md'));
    await session.context.remove({ type: 'rule', name: 'Tides' });
    await session.conversation.send('Again');
    const [first, second] = window.model.bodies;
    assert.deepEqual(systemOf(second), systemOf(first));
    const said = messagesOf(second);
    assert.match(said, /Changed from here on: the rules of AGENTS\.md\\n\\n# Rules: AGENTS\.md\\n\\nHeights are feet\./);
    assert.match(
      said,
      /New from here on: the reference \.loupe\/references\/api\.md\\n\\n# Reference: \.loupe\/references\/api\.md\\n\\nGET \/tides/,
    );
    assert.match(said, /No longer valid from here on: the rules of Tides/);
    assert.equal(contextUsed(lastAttempt(session.state), session.state)?.summary, '1 rule (always), 1 reference (manual)');
    assert.ok(session.state.leaving.size === 0, 'it is taken out at once');
    const rows = (): readonly string[] => contextRows(lastAttempt(session.state), session.state)?.blocks.map(({ label }) => label) ?? [];
    assert.ok(rows().includes('Tides (removed, but still sent)'), rows().join());
    await session.context.add({ type: 'rule', name: 'Tides', includeMode: 'manual', addedHash: null, given: null });
    await session.conversation.send('And now?');
    assert.ok(rows().includes('Tides'), rows().join());
    assert.deepEqual(systemOf(window.model.bodies.at(-1)), systemOf(first));
  });

  it('keeps the cached beginning in a short chat when a file brings a rule, whose text is longer than the messages', async () => {
    const rule = `---\nglobs: *.css\n---\n${'No ids in selectors. '.repeat(60)}`;
    const rules = 'Heights are metres. '.repeat(400);
    const { window, session } = await open({ 'AGENTS.md': rules, '.cursor/rules/css.mdc': rule, 'a.css': 'a {}' }, {});
    await session.conversation.send('Hello');
    await session.context.add({ type: 'file', name: 'a.css', includeMode: 'manual', addedHash: null, given: null });
    await session.conversation.send('Again');
    const [first, second] = window.model.bodies.map((body) => JSON.parse(body) as WireBody);
    const texts = ({ system }: WireBody): readonly string[] => system.map(({ text }) => text);
    assert.ok(first !== undefined && second !== undefined);
    assert.deepEqual(texts(second).slice(0, -1), texts(first));
    assert.match(texts(second).at(-1) ?? '', /^\n# Rules: \.cursor\/rules\/css\.mdc/);
    const usage = lastAttempt(session.state).end?.usage ?? assert.fail('It was sent.');
    assert.ok((figureValue(usage.cacheReadInputTokens) ?? 0) > 1_200, JSON.stringify(usage));
  });

  it('has them as they are now in the system prompt in the other layouts', async () => {
    const { window, session, files } = await open(TWO, { config: { layout: 'plain' } });
    await session.conversation.send(LONG);
    files.texts.set('AGENTS.md', 'Heights are feet.');
    await session.conversation.send('Again');
    assert.match(systemOf(window.model.bodies.at(-1)).join('\n'), /Heights are feet\./);
    assert.doesNotMatch(messagesOf(window.model.bodies.at(-1)), /from here on/);
  });

  it('says which are not sent, and why: gone, too large, or because the workspace is not trusted', async () => {
    const { session, files } = await open({ ...TWO, 'CLAUDE.md': 'Text' }, {});
    await session.context.add(reference('.loupe/references/api.md'));
    files.texts.set('.loupe/rules/tides.md', '---\nname: Tides\nenabled: false\n---\nTimes are UTC.');
    files.texts.delete('AGENTS.md');
    const warnings = async (): Promise<readonly unknown[]> =>
      contextChips(await session.next.preview(NO_DRAFT), session.state).map(({ key, warning }) => [key, warning?.text ?? null]);
    assert.deepEqual(await warnings(), [
      ['rule:AGENTS.md', 'AGENTS.md is no longer available: its file was deleted, or gives it another name.'],
      ['rule:CLAUDE.md', null],
      ['reference:.loupe/references/api.md', null],
    ]);
    files.isTrusted = false;
    const restricted = await warnings();
    assert.deepEqual(restricted[2], ['rule:CLAUDE.md', 'Loupe does not send CLAUDE.md in Restricted Mode: this workspace is not trusted.']);
    const other = windows.open({ files, writerId: 'other' });
    assert.equal((await other.chats.create()).state.context.size, 0);
  });

  for (const layout of ['adaptive', 'plain'] as const) {
    it(`says that a rule has changed since the last reply, and sends it as it is when it is sent, also where it changed after the preview (${layout})`, async () => {
      const { window, session, files } = await open(TWO, { config: { layout } });
      const changed = async (): Promise<readonly string[]> =>
        contextChips(await session.next.preview(NO_DRAFT), session.state).flatMap(({ key, warning }) =>
          warning?.kind === 'changed' ? [key] : [],
        );
      files.texts.set('AGENTS.md', 'Heights are feet.');
      assert.deepEqual(await changed(), [], 'nothing was sent yet');
      await session.conversation.send(LONG);
      assert.deepEqual(await changed(), []);
      files.texts.set('AGENTS.md', 'Heights are fathoms.');
      assert.deepEqual(await changed(), ['rule:AGENTS.md']);
      const shown = await session.next.preview({ text: 'Again', editing: null });
      files.texts.set('AGENTS.md', 'Heights are metres.');
      await session.conversation.send('Again');
      const sent = window.model.bodies.at(-1) ?? '';
      assert.match(shown.wire().body, /Heights are fathoms\./);
      assert.match(sent, /Heights are metres\./);
      assert.doesNotMatch(sent, /fathoms/);
      assert.deepEqual(await changed(), []);
      const { rebuilt } = await session.records.request(lastAttempt(session.state).id);
      assert.equal(rebuilt.body, sent, 'what was sent is kept');
      files.texts.delete('AGENTS.md');
      const missing = contextChips(await session.next.preview(NO_DRAFT), session.state).find(({ key }) => key === 'rule:AGENTS.md');
      assert.equal(missing?.warning?.kind, 'deleted');
    });
  }

  it('is offered a rule that came later once, and keeps to what the user says', async () => {
    const { session, files } = await open(TWO, {});
    await session.conversation.send('Hello');
    const offered = async (): Promise<readonly string[]> => {
      const composed = await session.next.preview(NO_DRAFT);
      return nextRequestView(composed, nextRequestRows(composed).blocks, session.state).newItems.map(({ key }) => key);
    };
    assert.deepEqual(await offered(), []);
    files.texts.set('CLAUDE.md', 'Be brief.');
    files.texts.set('.loupe/rules/late.md', 'Never late.');
    assert.deepEqual(await offered(), ['rule:CLAUDE.md', 'rule:.loupe/rules/late.md']);
    const catalog = { read: files.catalog.bind(files) };
    await addCatalogItems(session, ['rule:CLAUDE.md'], catalog);
    await excludeItems(session, ['rule:.loupe/rules/late.md'], catalog);
    assert.deepEqual(await offered(), []);
    assert.equal(session.state.context.get('rule:CLAUDE.md')?.includeMode, 'manual');
    await assert.rejects(addCatalogItems(session, ['rule:gone.md'], catalog), { kind: 'invalidInput' });
  });

  it('says in the next request which files cannot be read as they are meant', async () => {
    const { session, files } = await open({ ...TWO, '.loupe/rules/bad.md': '---\nname: "open\n---\nText' }, {});
    files.remarks = [{ text: 'Some are left out.', path: 'a.md', line: null }];
    const [first, ...remarks] = nextRequestRows(await session.next.preview(NO_DRAFT)).remarks;
    assert.deepEqual(first, files.remarks[0]);
    assert.equal(remarks.length, 1);
    const { text, ...place } = remarks[0] ?? assert.fail('Nothing is said.');
    assert.match(text, /^Loupe cannot read the front matter of \.loupe\/rules\/bad\.md, line 2: /);
    assert.deepEqual(place, { path: '.loupe/rules/bad.md', line: 2 });
    files.remarks = Array.from({ length: 8 }, (_, at) => ({ text: `Number ${String(at)}.`, path: 'a.md', line: null }));
    const many = nextRequestRows(await session.next.preview(NO_DRAFT)).remarks.map((remark) => remark.text);
    assert.deepEqual(many, ['Number 0.', 'Number 1.', 'Number 2.', 'Number 3.', 'Number 4.', '4 more problems, such as: Number 5.']);
  });

  it('goes on with them in a fork, and in another window', async () => {
    const { window, session, files } = await open(TWO, {});
    await session.conversation.send(LONG);
    const attempt = lastAttempt(session.state);
    const fork = await window.chats.fork(
      session,
      session.state.timeline.flatMap((item) => (item.kind === 'message' ? [item.message.id] : [])).at(-1) ?? '',
    );
    await fork.conversation.send('Again');
    assert.deepEqual(systemOf(window.model.bodies.at(-1)), systemOf(window.model.bodies[0]));
    const other = await windows.open({ files, writerId: 'other' }).chats.open(session.id);
    assert.equal(contextUsed(attempt, other.state)?.summary, '2 rules (all always)');
    assert.equal((await other.next.preview(NO_DRAFT)).wire().body, (await session.next.preview(NO_DRAFT)).wire().body);
  });
});
