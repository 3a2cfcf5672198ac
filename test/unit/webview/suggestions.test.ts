import assert from 'node:assert/strict';
import { suggestions } from '../../../webview/chat/emptyState/emptyState.js';
import { column } from '../../support/columns.js';

const FILE = { name: 'src/a.ts', uri: 'file:///w/src/a.ts' };

function labels(isPractice: boolean, openFile: typeof FILE | null): string[] {
  return suggestions({ openFile, hasFolder: true }, { id: 'c', isPractice }).map(({ label }) => label);
}

describe('The suggestions of a new chat', () => {
  it('offer the commands of the practice model to that model alone', () => {
    assert.deepEqual(labels(true, FILE), ['Explain the open file', '/tool echo {"text":"hi"}', 'Show the request before I send it']);
    assert.deepEqual(labels(false, FILE), ['Explain the open file', 'Show the request before I send it']);
  });

  it('begin with the open file, which they add; without one with what the model can do', () => {
    const [explain] = suggestions({ openFile: FILE, hasFolder: true }, { id: 'c', isPractice: false });
    assert.deepEqual([explain?.about, explain?.text], ['Adds src/a.ts to the chat', 'Explain src/a.ts.']);
    assert.deepEqual(explain?.message, { type: 'dropFiles', chatId: 'c', uris: [FILE.uri] });
    assert.equal(labels(true, null)[0], 'Hello, what did I just send you?');
    const [ask] = suggestions({ openFile: null, hasFolder: true }, { id: 'c', isPractice: false });
    assert.deepEqual([ask?.text, ask?.message], ['What do these files do?', { type: 'addFiles', chatId: 'c' }]);
  });

  it('do not speak of files without a folder', () => {
    const all = suggestions({ openFile: null, hasFolder: false }, { id: 'c', isPractice: false });
    assert.deepEqual(column(all, 'label'), ['Hello, what did I just send you?', 'Show the request before I send it']);
  });

  it('send nothing: they fill the message box, or ask the host', () => {
    const all = [true, false].flatMap((isPractice) => suggestions({ openFile: FILE, hasFolder: true }, { id: 'c', isPractice }));
    const wrong = all.filter(({ text, message }) => (text === null && message === null) || message?.type === 'send');
    assert.deepEqual(wrong, []);
  });
});
