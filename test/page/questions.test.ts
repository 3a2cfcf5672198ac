import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { DARK, usePreview } from '../support/workbench/previewPage.js';
import { waitFor } from '../support/workbench/wait.js';

/** Maximum height in pixels of a question that the user has not opened. */
const MOST_HEIGHT = 120;

const SERVER = 'A server that asks whether it may start';
const QUESTIONS = [
  'A dear request',
  'A message over the cap of the day',
  'A step that waits, and a dear summary',
  'A retry that may restore files',
  'The step limit',
  SERVER,
] as const;

describe('a question above the message box', () => {
  const preview = usePreview();
  const question = (): Locator => preview.page.locator('.spend-question').first();
  /** The pixels of the command's line that are below the visible text of the question. */
  const hiddenOfLine = (): Promise<number> =>
    question().evaluate((of) => {
      const [line, told] = ['.tool-line', '.spend-told'].map((part) => of.querySelector(part)?.getBoundingClientRect().bottom ?? NaN);
      return Math.round((line ?? NaN) - (told ?? NaN));
    });
  const named = (name: string): Locator => question().getByRole('button', { name, exact: true });

  it(`is at most ${String(MOST_HEIGHT)} px high until it is opened, with all its buttons in sight`, async () => {
    for (const name of QUESTIONS) {
      for (const [width, height] of [
        [300, 794],
        [425, 794],
        [700, 450],
      ] as const) {
        await preview.show(name, DARK, width, height);
        const box = (await question().boundingBox()) ?? assert.fail(name);
        const at = `${name} at ${String(width)} x ${String(height)}`;
        assert.ok(box.height <= MOST_HEIGHT, `${at}: ${String(box.height)} px`);
        for (const each of await question().locator('.spend-actions :is(button, vscode-button)').all()) {
          if (!(await each.isVisible())) continue;
          const own = (await each.boundingBox()) ?? assert.fail(at);
          const isInside = own.x >= box.x && own.x + own.width <= box.x + box.width && own.y + own.height <= box.y + box.height;
          assert.ok(isInside, `${at}: ${String(await each.textContent())} ${JSON.stringify(own)}`);
        }
      }
    }
  });

  it('gets the focus by a command, which says when no question waits', async () => {
    await preview.show('A dear request', DARK, 425, 794);
    await preview.tell({ type: 'focusQuestion' });
    await waitFor('the focus on the question', () => question().evaluate((each) => each === document.activeElement || undefined));
    await preview.show('First chat', DARK, 425, 794);
    await preview.tell({ type: 'focusQuestion' });
    await preview.page.getByRole('status', { name: 'Status' }).getByText('No question waits for an answer').waitFor({ state: 'attached' });
  });

  it('shows its whole text above notices about the next request, which shrink first', async () => {
    await preview.show('A message over the cap of the day', DARK, 425, 794);
    await preview.page.locator('.next-request-notices').getByText('The next message costs more, once').waitFor();
    const hidden = await question()
      .locator('.spend-told')
      .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
    assert.ok(hidden <= 0, `${String(hidden)} px of the text are out of sight`);
  });

  it('cuts neither its sentence nor its reason in a narrow panel', async () => {
    for (const name of ['A dear request', 'A message over the cap of the day', 'The step limit']) {
      await preview.show(name, DARK, 300, 794);
      for (const text of await question().locator('strong, .spend-why').all()) {
        assert.equal(await text.evaluate((node) => node.scrollHeight - node.clientHeight), 0, `${name}: ${await text.innerText()}`);
      }
    }
  });

  it('opens its details, which stay open while other things change', async () => {
    await preview.show('A dear request', DARK, 300, 794);
    const largest = question().getByRole('list', { name: 'Largest parts' });
    assert.equal(await largest.count(), 0);
    await named('Details').press('Enter');
    await largest.getByText('118,204 tokens').waitFor();
    await preview.change((state) => ({ ...state, banners: [] }));
    await named('Hide').press('Enter');
    await largest.waitFor({ state: 'detached' });
  });

  it('shows the command of a server in the usual side bar, below the notice about its tools', async () => {
    await preview.show(SERVER, DARK, 289, 758);
    await preview.change((state) => ({
      ...state,
      nextRequest: state.nextRequest && { ...state.nextRequest, unknownServers: [{ name: 'filesystem', isStarting: true }] },
    }));
    await preview.page.locator('.next-request-notices').getByText('size unknown').waitFor();
    assert.ok((await hiddenOfLine()) <= 0);
  });

  it('starts no server whose command is out of sight, as in a very low panel', async () => {
    await preview.show(SERVER, DARK, 300, 330);
    assert.ok((await hiddenOfLine()) > 0);
    const start = question().locator('.spend-actions vscode-button').first();
    await preview.change((state) => ({
      ...state,
      serverQuestion: state.serverQuestion && { ...state.serverQuestion, id: 'short', line: 'npx server', cwd: null, given: [] },
    }));
    await question().getByText('npx server').waitFor();
    await waitFor('the disabled button', async () => (await start.getAttribute('aria-disabled')) === 'true' || undefined);
  });

  it('starts no server whose command or environment the user could not see', async () => {
    await preview.show(SERVER, DARK, 700, 794);
    const start = question().locator('.spend-actions vscode-button').first();
    await waitFor('the disabled button', async () => (await start.getAttribute('aria-disabled')) === 'true' || undefined);
    assert.equal(await start.getAttribute('aria-label'), 'Start. Open the command first to see all of it.');
    await start.click({ force: true });
    await question().locator('.tool-line').press('Enter');
    await question().getByLabel('Environment').getByText('LOG_LEVEL=debug').waitFor();
    await question().locator('.tool-line').press('Enter');
    await question().getByLabel('Environment').waitFor({ state: 'detached' });
    assert.deepEqual(await preview.posted(0, 'answerServer'), []);
    await named('Start').click();
    assert.equal((await preview.posted(1, 'answerServer')).length, 1);
  });

  it('starts a server at once whose whole command is in sight, and asks again for another one', async () => {
    await preview.show(SERVER, DARK, 700, 794);
    const ask = async (id: string, line: string): Promise<void> => {
      await preview.change((state) => ({
        ...state,
        serverQuestion: state.serverQuestion && { ...state.serverQuestion, id, line, cwd: null, given: [] },
      }));
      await question().getByText(line).waitFor();
    };
    const long = `npx -y server ${'--folder deep/in/the/folder '.repeat(9)}`.trim();
    await ask('short', 'npx -y server');
    await named('Start').click();
    await ask('long', long);
    const start = question().locator('.spend-actions vscode-button').first();
    await waitFor('the disabled button', async () => (await start.getAttribute('aria-disabled')) === 'true' || undefined);
    await question().locator('.tool-line').click();
    await named('Start').waitFor();
    await ask('other', `${long} --write`);
    await waitFor('the disabled button again', async () => (await start.getAttribute('aria-disabled')) === 'true' || undefined);
    assert.deepEqual(
      (await preview.posted(1, 'answerServer')).map((message) => message.type === 'answerServer' && message.question),
      ['short'],
    );
  });
});
