import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { AssistantEntry, EntryView, PartView } from '../../src/protocol/panel/entries.js';
import { countSteps } from '../../src/protocol/panel/turnSteps.js';
import { assistantEntry, text, toolCall, userEntry } from '../../webview/preview/views.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';
import { waitFor } from '../support/workbench/wait.js';

function step(id: string, result: string, ...before: readonly PartView[]): AssistantEntry {
  const call = toolCall(`call-${id}`, `{"path": "src/${id}.ts"}`, {
    ...{ name: 'read_file', subject: `src/${id}.ts`, status: { kind: 'done' } },
    result: { messageId: null, text: result, images: [], cut: null, tokens: 12 },
  });
  return { ...assistantEntry(id, ...before, call), status: 'done' };
}

const TURN: readonly EntryView[] = [
  userEntry('u', 'Put the heap in.'),
  step('alder', 'export class Alder {}'),
  step('birch', 'The cambium of a birch.\nThe cambium grows.', { type: 'reasoning', text: 'I wonder about sapwood.', ms: 2_000 }),
  step('cedar', 'Nothing here.', text('Now the cedar.')),
  { ...assistantEntry('r', text('The heap is in place, below the cambium.')), status: 'done' },
];

describe('Find in the chat, in a turn with closed steps', () => {
  const preview = usePreview();
  const bar = (): Locator => preview.page.getByRole('search', { name: 'Find in chat' });
  const field = (): Locator => bar().getByRole('textbox', { name: 'Find in chat' });
  const line = (): Locator => preview.page.locator('.turn-line > .disclosure');

  beforeEach(async () => {
    await preview.show('First chat', DARK, 425, 700);
    const cost = { cost: 0.0213, isAtLeast: false, isPretended: false, inherited: false };
    await preview.change((state) => ({ ...state, entries: TURN, turns: { alder: { id: 'u', ...countSteps(TURN), ...cost } } }));
    await line().waitFor();
    await preview.tell({ type: 'find' });
    await bar().waitFor();
  });

  async function isAt(place: string): Promise<void> {
    await waitFor(place, async () => (await bar().locator('.figures').innerText()) === place || undefined);
  }

  /** Returns the marked text with its element, when it is in sight. */
  async function current(): Promise<readonly string[]> {
    return waitFor('a marked match in sight', () =>
      preview.page.evaluate(() => {
        const [range] = (CSS.highlights.get('loupe-find-current') ?? []) as Iterable<Range>;
        const sight = document.querySelector('.scroller')?.getBoundingClientRect();
        if (range === undefined || sight === undefined) return undefined;
        const { top, bottom } = range.getBoundingClientRect();
        const entry = range.startContainer.parentElement?.closest('loupe-entry')?.getAttribute('data-entry') ?? '';
        return top >= sight.top && bottom <= sight.bottom ? [String(range), entry] : undefined;
      }),
    );
  }

  it('opens the turn for the name of a step, but not its row', async () => {
    await field().fill('src/birch');
    await isAt('1 of 1');
    assert.deepEqual(await current(), ['src/birch', 'birch']);
    assert.equal(await line().getAttribute('aria-expanded'), 'true');
    assert.equal(await preview.page.locator('.tool-details').count(), 0);
  });

  it('opens a row for its result, and goes from match to match in the order of the chat', async () => {
    await field().fill('cambium');
    // The visible reply has the last match, so typing opens nothing.
    await isAt('3 of 3');
    assert.deepEqual(await current(), ['cambium', 'r']);
    assert.equal(await line().getAttribute('aria-expanded'), 'false');
    await field().press('Enter');
    await isAt('1 of 3');
    await waitFor('the match in the result', async () => (await current())[1] === 'birch' || undefined);
    assert.equal(await preview.page.locator('.tool-details').count(), 1);
    await field().press('Enter');
    await isAt('2 of 3');
    assert.deepEqual(await current(), ['cambium', 'birch']);
    await field().press('Enter');
    await isAt('3 of 3');
    await waitFor('the match in the reply', async () => (await current())[1] === 'r' || undefined);
  });

  it('opens a reasoning', async () => {
    await field().fill('sapwood');
    await isAt('1 of 1');
    assert.deepEqual(await current(), ['sapwood', 'birch']);
  });

  it('finds arguments that the row does not show', async () => {
    await field().fill('"path": "src/cedar');
    await isAt('1 of 1');
    assert.deepEqual(await current(), ['"path": "src/cedar', 'cedar']);
  });

  it('moves the focus to the step when it is closed', async () => {
    await field().fill('Alder {}');
    await isAt('1 of 1');
    await current();
    await preview.press('Escape');
    await bar().waitFor({ state: 'detached' });
    const focused = (): Promise<string | null> =>
      preview.page.evaluate(() => document.activeElement?.closest('loupe-entry')?.getAttribute('data-entry') ?? null);
    await waitFor('the focus', async () => (await focused()) === 'alder' || undefined);
    assert.deepEqual(await preview.posted(0, 'webviewError'), []);
  });
});
