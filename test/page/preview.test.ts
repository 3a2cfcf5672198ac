import assert from 'node:assert/strict';
import { usePreview } from '../support/workbench/previewPage.js';

const WIDTH = 300;
const HEIGHT = 800;

describe('the preview of the panel', () => {
  const preview = usePreview();
  const errors: string[] = [];

  before(() => {
    preview.page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    preview.page.on('pageerror', (error) => errors.push(error.message));
  });

  it('shows a result of a tool as plain text: no element of it, no request, no hidden character', async () => {
    const requests: string[] = [];
    preview.page.on('request', (request) => requests.push(request.url()));
    await preview.show('A result with HTML, links and hidden characters', 'Dark Modern', WIDTH, HEIGHT);
    const rows = preview.page.locator('.tool-calls');
    await rows.getByText('onerror').first().waitFor();
    assert.equal(await rows.locator('img, script, a, iframe').count(), 0);
    assert.match(await rows.innerText(), /<img src="https:\/\/tides\.example\/x\.png" onerror=/);
    assert.doesNotMatch(await rows.innerText(), /[\u200b\u202e]/);
    assert.deepEqual(
      requests.filter((url) => url.includes('tides.example')),
      [],
    );
  });

  it('goes through the states with the keyboard, and keeps its choice in the address', async () => {
    await preview.page.goto(`${preview.url}?state=Streaming&theme=Light+Modern&width=600`);
    const shown = preview.page.frameLocator('#panel');
    await shown.locator('body[data-ready="Streaming"].vscode-light').waitFor();
    await preview.page.getByRole('button', { name: 'Next' }).press('Enter');
    await shown.locator('body[data-ready="Reasoning"].vscode-light').waitFor();
    const { searchParams } = new URL(preview.page.url());
    assert.deepEqual(Object.fromEntries(searchParams), { state: 'Reasoning', theme: 'Light Modern', width: '600' });
    assert.deepEqual(errors, []);
  });
});
