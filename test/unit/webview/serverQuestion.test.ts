import assert from 'node:assert/strict';
import type { ServerQuestionView } from '../../../src/protocol/questions.js';
import { announcement } from '../../../webview/chat/shell/announcement.js';
import { commandLine, serverTitle, startingStrip, wholeCommand } from '../../../webview/chat/questions/serverQuestion.js';
import { EMPTY_PANEL } from '../../../webview/preview/views.js';
import { markup, words } from '../../support/webview/markup.js';

const FILES: ServerQuestionView = {
  id: 'hash',
  name: 'files',
  place: '.vscode/mcp.json',
  type: 'stdio',
  line: "npx -y server-files 'my notes'",
  cwd: null,
  given: ['TOKEN=…', 'NODE_OPTIONS=--require\u200B=./x.js'],
};

describe('a server that waits for the user', () => {
  it('says what would run, with what it is given', () => {
    assert.equal(words(wholeCommand(FILES)), "npx -y server-files 'my notes' Environment: TOKEN=… NODE_OPTIONS=--require U+200B =./x.js");
    assert.match(words(wholeCommand({ ...FILES, cwd: 'tools', given: [] })), / Folder: tools$/);
    assert.match(
      words(wholeCommand({ ...FILES, type: 'http', line: 'https://mcp.example.com', given: ['X-Trace=${env:KEY}'] })),
      /^https:\/\/mcp\.example\.com Headers: X-Trace=\$\{env:KEY\}$/,
    );
  });

  it('hides nothing of a command that somebody wrote to be misread', () => {
    const hostile = { ...FILES, name: 'fi\u202Eles', line: 'rm\u200B -rf ~' };
    assert.equal(serverTitle(hostile), 'Start the server "fi[U+202E]les"?');
    for (const shown of [wholeCommand(hostile), commandLine(hostile, false, () => undefined)]) {
      assert.match(markup(shown), /rm ?<span class="hidden-character">U\+200B<\/span> +-rf ~/);
    }
  });

  it('is announced once, and so are servers that a message waits for', () => {
    const asked = { ...EMPTY_PANEL, serverQuestion: FILES };
    assert.equal(announcement(EMPTY_PANEL, asked), 'Start the server "files"?');
    assert.equal(announcement(asked, asked), null);
    const starting = { ...EMPTY_PANEL, startingServers: ['files', 'web'] };
    assert.equal(announcement(EMPTY_PANEL, starting), 'Waiting for 2 servers…');
    assert.equal(announcement(starting, { ...starting, startingServers: ['web'] }), null);
  });

  it('can be left out of the message that waits for it', () => {
    assert.equal(words(startingStrip(['files'], 'c', false)), 'Waiting for files… Send without waiting');
    assert.equal(words(startingStrip(['files', 'web'], 'c', false)), 'Waiting for 2 servers… Send without waiting');
    assert.equal(words(startingStrip(['files'], 'c', true)), 'Your message waits for your answer Send without waiting');
  });
});
