import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { PANEL_STATE, type PanelState } from '../../src/protocol/panel/state.js';
import { approvals } from '../../webview/preview/states/approvals.js';
import { CHAT_ID } from '../../webview/preview/states/parts.js';
import { QUESTION_OF_TOOL } from '../../webview/preview/states/toolCalls.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';
import { waitFor } from '../support/workbench/wait.js';

/** Maximum height in pixels of a question that the user has not opened. */
const MOST_HEIGHT = 120;

/** States whose question is open, or that have no question. */
const OPENED = new Set([
  'What tools ask to read',
  'A long command that is open',
  'The arguments of a tool of a server',
  'Allowed tools',
  'No allowed tools',
]);

const LONG = 'A long command that asks';
const OPEN_FIRST = 'Open the command first to see all of it.';

type AssistantPart = Extract<PanelState['entries'][number], { readonly kind: 'assistant' }>['parts'][number];

/** Returns a call that runs (`order` < 0), asks (0) or waits for other questions. */
function askedPart(part: AssistantPart, order: number): AssistantPart {
  if (part.type !== 'toolCall') {
    return part;
  }
  const question = order === 0 ? QUESTION_OF_TOOL : null;
  return { ...part, status: order < 0 ? { kind: 'running', progress: null } : { kind: 'waiting', question } };
}

describe('a question about a tool', () => {
  const preview = usePreview();
  const question = (): Locator => preview.page.locator('.tool-question');
  const named = (name: string): Locator => question().getByRole('button', { name, exact: true });
  const answers = async (): Promise<readonly string[]> =>
    (await question().locator('.tool-answers').innerText()).split('\n').filter((line) => line.trim() !== '');

  async function show(state: string, width: number): Promise<void> {
    await preview.show(state, DARK, width, 700);
    await allFit();
  }

  async function resize(width: number): Promise<void> {
    await preview.page.setViewportSize({ width, height: 700 });
    await allFit();
  }

  /** Waits until no button has to move into the menu. */
  async function allFit(): Promise<void> {
    await waitFor('buttons that fit', () =>
      question()
        .locator('.tool-answers')
        .evaluate((line) => line.scrollWidth <= line.clientWidth || undefined),
    );
  }

  /** Waits until the panel has sent `count` answers. */
  const sent = async (count: number): Promise<readonly unknown[]> =>
    (await preview.posted(count, 'answerCall')).map((message) => (message.type === 'answerCall' ? message.scope : null));

  it(`is at most ${String(MOST_HEIGHT)} px high until it is opened, with all its buttons in sight, at 300, 425 and 700 px`, async () => {
    for (const { name } of approvals().filter((state) => !OPENED.has(state.name))) {
      for (const width of [300, 425, 700]) {
        await (width === 300 ? show(name, width) : resize(width));
        assert.equal(await question().count(), 1, name);
        const { height } = (await question().boundingBox()) ?? assert.fail(name);
        assert.ok(height <= MOST_HEIGHT, `${name}: ${String(height)} px at ${String(width)} px`);
      }
      if (name !== 'A refusal, with a reason') {
        const titles = await question()
          .locator('.tool-answers > *')
          .evaluateAll((parts) => parts.map((part) => part.getAttribute('title') ?? part.querySelector('button')?.title ?? ''));
        assert.ok(titles.length > 1 && titles.every((title) => title !== ''), `${name}: ${titles.join('|')}`);
      }
    }
  });

  it('moves the buttons without room into the menu, and back', async () => {
    const reading = 'Tools that ask to read files of the folder';
    await show(reading, 300);
    assert.deepEqual(await answers(), ['Once', 'More…', 'Refuse']);
    await named('More…').click();
    const items = preview.page.getByRole('menuitem');
    await items.first().waitFor();
    assert.deepEqual(await items.allInnerTexts(), ['This chat', 'Always']);
    await items.last().click();
    assert.deepEqual(await sent(1), ['always']);
    await preview.page.setViewportSize({ width: 425, height: 700 });
    await waitFor('all buttons', async () => (await answers()).length === 4 || undefined);
    assert.deepEqual(await answers(), ['Once', 'This chat', 'Always', 'Refuse']);
    await named('Once').click();
    assert.deepEqual(await sent(2), ['always', 'turn']);
  });

  it('has all its buttons in sight at first, also at widths at which the last one just lacks room', async () => {
    for (const width of [412, 416, 420]) {
      await show('A command that asks', width);
    }
  });

  it('gets the focus by a command, also while the settings cover it, and Tab goes to its first button', async () => {
    await show(LONG, 425);
    await preview.tell({ type: 'settings' });
    await preview.page.getByRole('region', { name: 'Chat settings' }).waitFor();
    await preview.tell({ type: 'focusQuestion' });
    await waitFor('the focus on the question', () => question().evaluate((each) => each === document.activeElement || undefined));
    await preview.press('Tab');
    await waitFor('the focus on the command', () => question().evaluate((each) => each.contains(document.activeElement) || undefined));
    await preview.press('Escape');
    assert.deepEqual(await sent(0), []);
  });

  it('names what several calls read, and opens their arguments', async () => {
    await show('Tools that ask to read files of the folder', 425);
    assert.match(
      await question().innerText(),
      /src\/engine\/tokens\/bpe\.ts, src\/heap\.ts\s+and 1 more\s+Read-only: it cannot change anything\./,
    );
    await named('and 1 more').press('Enter');
    await question().getByText('"query": "countTokens"').waitFor();
  });

  it('lets a long command be allowed only after it was opened', async () => {
    await show(LONG, 700);
    const disabled = question().locator('vscode-button[aria-disabled="true"]');
    const names = await disabled.evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
    assert.deepEqual(names, [`Once. ${OPEN_FIRST}`, `Always this command. ${OPEN_FIRST}`]);
    assert.equal(await question().locator(`span[title="${OPEN_FIRST}"]`).count(), 2);
    for (const button of await disabled.all()) {
      await button.click({ force: true });
    }
    assert.deepEqual(await sent(0), []);
    await question()
      .getByRole('button', { name: /^for station/ })
      .press('Enter');
    await question().getByText('rm -r out/tmp').waitFor();
    await named('Always this command').click();
    assert.deepEqual(await sent(1), ['always']);
  });

  it('shows a command in two lines where that is enough, and all its buttons also in the narrowest panel', async () => {
    await preview.show('A command that asks', DARK, 191, 700);
    const refuse = (await named('Refuse').boundingBox()) ?? assert.fail();
    assert.ok(refuse.x + refuse.width <= 191, `Refuse ends at ${String(refuse.x + refuse.width)} px`);
    await resize(300);
    await named('Once').click();
    assert.deepEqual(await sent(1), ['once']);
  });

  it('keeps its buttons in place and in sight when a command or arguments are opened, also in a low panel', async () => {
    for (const [state, height] of [
      [LONG, 420],
      [LONG, 350],
      ['A tool of a server that asks', 350],
    ] as const) {
      await preview.show(state, DARK, 300, height);
      await allFit();
      const bottom = (): Promise<number> =>
        question()
          .locator('.tool-answers')
          .evaluate((line) => line.getBoundingClientRect().bottom);
      const once = question().getByRole('button', { name: /^Once/ });
      const before = ((await once.boundingBox()) ?? assert.fail(state)).y;
      await question().locator('.tool-line').click();
      await question().locator('pre').waitFor();
      await waitFor(`the buttons of ${state} at ${String(height)} px`, async () => {
        const after = await once.boundingBox();
        return (after !== null && Math.abs(after.y - before) <= 24) || undefined;
      });
      const end = await preview.page.locator('.scroller').evaluate((scroller) => scroller.getBoundingClientRect().bottom);
      assert.ok((await bottom()) <= end, `${state} at ${String(height)} px`);
    }
  });

  it('gives the focus to the next question, and after the last one to the message box', async () => {
    await show('Tools that ask to read files of the folder', 425);
    const state = await preview.page.evaluate<PanelState>('given');
    /** Lets the call at this position ask, and all earlier calls run. */
    const asking = (position: number): PanelState => ({
      ...state,
      entries: state.entries.map((entry) =>
        entry.kind === 'assistant' ? { ...entry, parts: entry.parts.map((part, at) => askedPart(part, at - position)) } : entry,
      ),
    });
    const change = (n: number, before: PanelState, after: PanelState): Promise<void> =>
      preview.tell({ type: 'delta', epoch: 1, n, delta: PANEL_STATE.diff(before, after) ?? assert.fail('nothing changes') });
    await named('Once').press('Enter');
    await sent(1);
    await change(1, state, asking(2));
    await preview.page.locator('.tool-question:focus').waitFor();
    await preview.press('Tab', 'Tab');
    assert.equal((await sent(1)).length, 1, 'only the first question has an answer');
    await change(2, asking(2), asking(4));
    await preview.page.locator('loupe-composer vscode-text-area:focus-within').waitFor();
  });

  it('lets a command that is in sight be allowed for later at once', async () => {
    await show('A command that asks', 700);
    await named('Always this command').click();
    await named('More…').press('Enter');
    await preview.page.getByRole('menuitem', { name: 'This command, in this chat' }).press('Enter');
    assert.deepEqual(await sent(2), ['always', 'chat']);
  });

  it('asks once more before every command may run, and stopping has the focus', async () => {
    await show('A command that asks', 425);
    await named('More…').press('Enter');
    await preview.page.getByRole('menuitem', { name: 'Every command, in all chats…' }).press('Enter');
    const confirm = preview.page.getByRole('group', { name: 'Run every command without asking?' });
    await confirm.getByText('To take it back: Manage context, Allowed tools.').waitFor();
    const focused = (): Promise<string> => preview.page.evaluate(() => document.activeElement?.textContent.trim() ?? '');
    await waitFor('the focus', async () => (await focused()) === 'Keep asking' || undefined);
    assert.deepEqual(await sent(0), []);
    await preview.press('Enter');
    await preview.page.getByRole('group', { name: 'Run this in packages/tides?' }).waitFor();
    await named('More…').press('Enter');
    await preview.page.getByRole('menuitem', { name: 'Every command, in all chats…' }).press('Enter');
    await confirm.getByRole('button', { name: 'Run every command' }).click();
    assert.deepEqual(await sent(1), ['every']);
  });

  it('about one file has no answer for other calls', async () => {
    await show('A tool that reads a file with secrets', 425);
    assert.deepEqual(await answers(), ['Let it read', 'Refuse']);
    await show('A tool that edits a file which can start programs', 425);
    assert.deepEqual(await answers(), ['Once', 'Refuse']);
  });
});

describe('the list of what is allowed', () => {
  const preview = usePreview();
  const section = (): Locator => preview.page.getByRole('group', { name: /^Allowed tools/ });

  it('has a row with its reach and Take back for each approval, and names what cannot be read', async () => {
    await preview.show('Allowed tools', DARK, 425, 900);
    const names = await section()
      .locator('.allowed-tool')
      .evaluateAll((rows) => rows.map((row) => row.querySelector('button')?.ariaLabel));
    assert.deepEqual(
      names.slice(0, 5).map((name) => name?.replace(/\$\(cat.+,/s, '…,')),
      [
        'Take back: Read files of this folder, this chat',
        'Take back: filesystem:search_files, this chat',
        'Take back: npm run bench -- --corpus long, in packages/tides, all chats of this folder',
        'Take back: for station in …, all chats of harbour',
        'Take back: Every command, all chats',
      ],
    );
    await section().getByText('It has changed since then, so Loupe asks again.').waitFor();
    await section().getByText('Loupe cannot read 1 approval, and asks instead: 3f9a12').waitFor();
  });

  it('is used with the keyboard: arrow keys move, Enter takes back, and the next row gets the focus', async () => {
    await preview.show('Allowed tools', DARK, 425, 900);
    await section().getByRole('button').nth(1).focus();
    await preview.press('ArrowDown');
    await preview.press('Enter');
    assert.deepEqual(await preview.posted(1, 'takeBackApproval'), [{ type: 'takeBackApproval', chatId: CHAT_ID, binding: 'b2' }]);
    const focused = (): Promise<string> => preview.page.evaluate(() => document.activeElement?.ariaLabel ?? '');
    await waitFor('the focus on the next row', async () => (await focused()).includes('npm run bench') || undefined);
  });

  it('says when nothing is allowed, and is found by a search', async () => {
    await preview.show('No allowed tools', DARK, 425, 900);
    await section().getByText('Nothing yet. Loupe asks before each tool runs.').waitFor();
    await preview.show('Allowed tools', DARK, 425, 900);
    await preview.page.getByRole('textbox', { name: 'Search rules, skills, tools' }).fill('every command');
    await waitFor('one row', async () => (await section().locator('.allowed-tool').count()) === 1 || undefined);
  });
});
