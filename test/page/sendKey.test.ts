import assert from 'node:assert/strict';
import { DARK, usePreview } from '../support/workbench/previewPage.js';
import { waitFor } from '../support/workbench/wait.js';

describe('Enter in the message box', () => {
  const preview = usePreview();

  it('sends once until the host has answered, and then the same words again', async () => {
    await preview.show('First chat', DARK, 420, 700);
    // All of it happens in the same moment.
    await preview.page.evaluate(() => {
      performance.now = () => 0;
    });
    const composer = preview.page.getByRole('textbox', { name: 'Message', exact: true });
    await composer.fill('Go on');
    await composer.press('Enter');
    await composer.press('Enter');
    await preview.change((state) => ({ ...state, draft: { ...state.draft, text: '', revision: state.draft.revision + 1 } }));
    await waitFor('the empty box', async () => (await composer.inputValue()) === '' || undefined);
    await composer.fill('Go on');
    await composer.press('Enter');
    await composer.fill('Now stop');
    await composer.press('Enter');
    const texts = (await preview.posted(3, 'send')).flatMap((message) => (message.type === 'send' ? message.text : []));
    assert.deepEqual(texts, ['Go on', 'Go on', 'Now stop']);
  });

  it('tells the host of images that it still reads, which then waits with the message', async () => {
    await preview.show('First chat', DARK, 420, 700);
    const composer = preview.page.getByRole('textbox', { name: 'Message', exact: true });
    await composer.fill('Look');
    await preview.page.evaluate(() => {
      const image = new File(['picture'], 'image.png', { type: 'image/png' });
      const slow = new Promise<ArrayBuffer>((resolve) => {
        Object.assign(globalThis, {
          endReading: () => {
            resolve(new ArrayBuffer(7));
          },
        });
      });
      File.prototype.arrayBuffer = () => slow;
      const clipboardData = new DataTransfer();
      clipboardData.items.add(image);
      document
        .querySelector('loupe-composer')
        ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await composer.press('Enter');
    await preview.posted(2, 'readingImages', 'send');
    await preview.page.evaluate('endReading()');
    const order = (await preview.posted(3, 'readingImages', 'send', 'addImages')).map(({ type }) => type);
    assert.deepEqual(order, ['readingImages', 'send', 'addImages']);
  });

  it('breaks the line with Shift, and sends without', async () => {
    await preview.show('First chat', DARK, 420, 700);
    const composer = preview.page.getByRole('textbox', { name: 'Message', exact: true });
    await composer.fill('one');
    await composer.press('Shift+Enter');
    await composer.pressSequentially('two');
    assert.equal(await composer.inputValue(), 'one\ntwo');
    await composer.press('Enter');
    const [sent] = await preview.posted(1, 'send');
    assert.equal(sent?.type === 'send' && sent.text, 'one\ntwo');
  });
});

describe('Select all in the message box', () => {
  const preview = usePreview();

  it('keeps the letters that the user typed before VS Code could select all again', async () => {
    await preview.show('First chat', DARK, 420, 700);
    // As in VS Code: a key that reaches the window of the page selects all text, but later.
    await preview.page.evaluate(() => {
      const late: string[] = [];
      Object.assign(globalThis, { late });
      window.addEventListener('keydown', ({ key, ctrlKey, metaKey }) => {
        if (key.toLowerCase() === 'a' && (ctrlKey || metaKey)) {
          late.push('selectAll');
        }
      });
    });
    const composer = preview.page.getByRole('textbox', { name: 'Message', exact: true });
    await composer.fill('An earlier text');
    await composer.press('ControlOrMeta+a');
    await composer.press('Delete');
    await composer.pressSequentially('@htt');
    await preview.page.evaluate('late.forEach((command) => document.execCommand(command))');
    await composer.pressSequentially('p://127.0.0.1/nope');
    assert.equal(await composer.inputValue(), '@http://127.0.0.1/nope');
  });
});
