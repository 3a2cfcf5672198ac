import assert from 'node:assert/strict';
import { nextRequestRows, nextRequestView } from '../../../../src/host/panel/nextRequestView.js';
import { chatAmongFiles } from '../../../support/host/filesInChat.js';
import { useWindows } from '../../../support/host/window.js';

const FILES = {
  '.loupe/agents/reviewer.md': '---\nname: Reviewer\ndescription: Looks for faults\n---\nYou review code.',
  '.github/agents/writer.agent.md': 'You write documentation.',
  '.loupe/agents/second.md': '---\nname: Reviewer\n---\nYou review again.',
};

describe('the agents of a workspace', () => {
  const windows = useWindows();

  it('are those of .loupe and .github, by their names or those of their files; the second of a name goes by its path', async () => {
    const { files } = await chatAmongFiles(windows, FILES, {});
    assert.deepEqual(
      [...(await files.profiles()).values()].map(({ name, description, prompt }) => [name, description, prompt]),
      [
        ['Reviewer', 'Looks for faults', 'You review code.'],
        ['writer', '', 'You write documentation.'],
        ['.loupe/agents/second.md', '', 'You review again.'],
      ],
    );
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
      const composed = await session.preview({ text: '', editing: null });
      return nextRequestView(composed, nextRequestRows(composed).blocks, session.state).warnings;
    };
    assert.deepEqual(await warnings(), []);
    files.isTrusted = false;
    const missing = ['The agent Reviewer is not there, so its prompt is not sent. Choose another in the chat settings.'];
    assert.deepEqual(await warnings(), missing);
    files.isTrusted = true;
    await session.changeConfig({ agent: 'Nobody' });
    assert.equal((await warnings()).length, 1);
  });
});
