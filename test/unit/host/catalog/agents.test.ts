import assert from 'node:assert/strict';
import { nextRequestView } from '../../../../src/host/panel/nextRequest/nextRequestView.js';
import { nextRequestRows } from '../../../../src/host/panel/nextRequest/contextUsed.js';
import { requestContextOf } from '../../../../src/engine/request/rebuild.js';
import { chooseAgent } from '../../../../src/host/chat/chooseAgent.js';
import type { ChatSession } from '../../../../src/host/chat/chatSession.js';
import { column, columns } from '../../../support/columns.js';
import { chatAmongFiles } from '../../../support/host/filesInChat.js';
import { lastAttempt } from '../../../support/host/reading.js';
import { useWindows } from '../../../support/host/window.js';

const FILES = {
  '.loupe/agents/reviewer.md': '---\nname: Reviewer\ndescription: Looks for faults\n---\nYou review code.',
  '.github/agents/writer.agent.md': 'You write documentation.',
  '.loupe/agents/second.md': '---\nname: Reviewer\n---\nYou review again.',
  '.github/chatmodes/planner.chatmode.md': 'You plan.',
  '.github/agents/README.md': 'About the agents.',
  '.claude/agents/README.md': 'About the agents.',
};

describe('the agents of a workspace', () => {
  const windows = useWindows();

  it('are those of .loupe, .github and .claude, by their names or those of their files; the second of a name goes by its path', async () => {
    const { files } = await chatAmongFiles(windows, { '.claude/agents/writer.md': 'You write.', ...FILES }, {});
    assert.deepEqual(columns([...(await files.profiles()).values()], 'name', 'description', 'prompt'), [
      ['Reviewer', 'Looks for faults', 'You review code.'],
      ['writer', '', 'You write documentation.'],
      ['.loupe/agents/second.md', '', 'You review again.'],
      ['planner', '', 'You plan.'],
      ['.claude/agents/writer.md', '', 'You write.'],
    ]);
    assert.equal((await files.catalog()).size, 0, 'they are neither rules nor references');
  });

  it('give a chat their prompt, before its own, as it is when a message is sent', async () => {
    const { window, session, files } = await chatAmongFiles(windows, FILES, { config: { agent: 'Reviewer', systemPrompt: 'Be brief.' } });
    await session.conversation.send('Hello');
    const systemOf = (at: number): string =>
      (JSON.parse(window.model.bodies.at(at) ?? '') as { system: { text: string }[] }).system.map(({ text }) => text).join('');
    assert.match(systemOf(-1), /You review code\.\n\nBe brief\.$/);
    files.texts.set('.loupe/agents/reviewer.md', '---\nname: Reviewer\n---\nYou praise code.');
    await session.changeConfig({ systemPrompt: '' });
    await session.conversation.send('Hello');
    assert.match(systemOf(-1), /You praise code\.$/);
    await session.changeConfig({ agent: '' });
    await session.conversation.send('Hello');
    assert.doesNotMatch(systemOf(-1), /praise/);
  });

  it('are missed with a warning before a message is sent, when they are gone or the workspace is not trusted', async () => {
    const { session, files } = await chatAmongFiles(windows, FILES, { config: { agent: 'Reviewer' } });
    const warnings = async (): Promise<readonly string[]> => {
      const composed = await session.next.preview({ text: '', editing: null });
      return nextRequestView(composed, nextRequestRows(composed).blocks, session.state).warnings;
    };
    assert.deepEqual(await warnings(), []);
    files.isTrusted = false;
    assert.deepEqual(await warnings(), [
      'In Restricted Mode, Loupe does not send the prompt of the agent Reviewer. Trust this folder to send it.',
    ]);
    files.isTrusted = true;
    await session.changeConfig({ agent: 'Nobody' });
    assert.deepEqual(await warnings(), [
      'The agent Nobody does not exist, so Loupe cannot send its prompt. Choose another agent in the chat settings.',
    ]);
  });

  const RULES = {
    'AGENTS.md': 'Heights are metres.',
    'CLAUDE.md': 'Times are UTC.',
    '.loupe/rules/tides.md': '---\nname: Tides\ninclude: manual\ndescription: How tides are predicted\n---\nBy harmonics.',
    '.loupe/references/api.md': '---\nname: API\n---\nGET /tides',
    '.loupe/agents/reviewer.md': [
      '---',
      'name: Reviewer',
      'rules:',
      '  CLAUDE.md: off',
      '  Tides: agent',
      '  Gone: always',
      'references:',
      '  API: always',
      'skills:',
      '  x: sometimes',
      'defaults:',
      '  cacheMode: system',
      '---',
      'You review code.',
    ].join('\n'),
  };

  const inChat = (state: ChatSession['state']): unknown =>
    [...state.context.values()].map(({ name, includeMode }) => `${name} ${includeMode}`);

  it('have rules, references and skills in modes of their own: a chat that begins with one has what is always in one of it', async () => {
    const { session, window } = await chatAmongFiles(windows, RULES, { config: { agent: 'Reviewer' } });
    assert.deepEqual(inChat(session.state), ['AGENTS.md always', 'API always']);
    await session.conversation.send('How are the tides predicted?');
    const attempt = lastAttempt(session.state);
    const context = requestContextOf(attempt, session.state.attempts);
    assert.ok(context !== null);
    assert.deepEqual(context.items.map(({ name, includeMode }) => `${name} ${includeMode}`).sort(), [
      'AGENTS.md always',
      'API always',
      'Tides agent',
    ]);
    const notSelected = context.notSelected.map(({ item, reason }) => [item.name, reason.code]);
    assert.deepEqual(notSelected, [['CLAUDE.md', 'disabled']]);
    assert.equal((await window.chats.create()).state.context.size, 2);
  });

  it('give an untouched chat that chooses them their settings and what is always in one of theirs, and another only their settings', async () => {
    const { session, files } = await chatAmongFiles(windows, RULES, {});
    assert.deepEqual(inChat(session.state), ['AGENTS.md always', 'CLAUDE.md always']);
    const reviewer = (await files.profiles()).get('Reviewer') ?? null;
    await chooseAgent(session, reviewer, files);
    assert.deepEqual(inChat(session.state), ['AGENTS.md always', 'API always']);
    assert.deepEqual([session.state.config.agent, session.state.config.cacheMode], ['Reviewer', 'system']);
    const said = (await chatAmongFiles(windows, RULES, {})).session;
    await said.conversation.send('Hello');
    await chooseAgent(said, reviewer, files);
    assert.deepEqual(inChat(said.state), ['AGENTS.md always', 'CLAUDE.md always'], 'what is in a chat stays there');
    const composed = await said.next.preview({ text: '', editing: null });
    const { newItems } = nextRequestView(composed, nextRequestRows(composed).blocks, said.state);
    assert.deepEqual(column(newItems, 'name'), ['API'], 'what its new chats have is offered');
  });

  it('are used where they name what is not there or is no mode, and say so; a setting that is not valid is refused', async () => {
    const { session, files } = await chatAmongFiles(windows, RULES, { config: { agent: 'Reviewer' } });
    const { remarks } = nextRequestRows(await session.next.preview({ text: '', editing: null }));
    assert.deepEqual(column(remarks, 'text'), [
      '.loupe/agents/reviewer.md has skills: x as "sometimes". Write always, manual, agent or off.',
      '.loupe/agents/reviewer.md names rule:Gone, which does not exist.',
    ]);
    files.texts.set('.loupe/agents/reviewer.md', '---\nname: Reviewer\ndefaults:\n  cacheMode: sometimes\n---\n');
    const broken = (await files.profiles()).get('Reviewer') ?? null;
    await assert.rejects(chooseAgent(session, broken, files), { kind: 'invalidInput', message: /cacheMode|Cache/ });
  });

  it('are used where their front matter cannot be read, and say in which line', async () => {
    const { session } = await chatAmongFiles(
      windows,
      { '.loupe/agents/broken.md': '---\nname: "Broken\n---\nYou review.' },
      { config: { agent: 'broken' } },
    );
    const composed = await session.next.preview({ text: '', editing: null });
    assert.match(
      nextRequestRows(composed).remarks[0]?.text ?? '',
      /^Loupe cannot read the front matter of \.loupe\/agents\/broken\.md, line 2: /,
    );
  });
});
