import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { EntryView } from '../../src/protocol/panel/entries.js';
import { assistantEntry, text, userEntry } from '../../webview/preview/views.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';
import { waitFor } from '../support/workbench/wait.js';

const MESSAGES = 300;
const STEP = 50;

function entries(from: number, to: number): readonly EntryView[] {
  return Array.from({ length: to - from }, (_, at): EntryView => {
    const id = `m${String(from + at)}`;
    return at % 2 === 0 ? userEntry(id, `Message ${id}`) : { ...assistantEntry(id, text('Yes')), status: 'done' };
  });
}

describe('a long chat in a page', () => {
  const preview = usePreview();
  const log = (): Locator => preview.page.getByRole('log', { name: 'Conversation' });
  const articleOf = (place: number): Locator => preview.page.locator(`[data-entry="m${String(place)}"] article`);
  const more = (which: string, count: number): Locator =>
    preview.page.getByRole('button', { name: `Show ${which} messages (${String(count)})`, exact: true });

  /** Shows these messages as the host does, with the numbers of those around them. */
  async function showMessages(from: number, to: number): Promise<void> {
    await preview.change((state) => ({
      ...state,
      entries: entries(from, to),
      chat: state.chat && { ...state.chat, earlierMessages: from, laterMessages: MESSAGES - to },
    }));
    await articleOf(to - 1).waitFor();
    await articleOf(from).waitFor();
  }

  async function topOf(element: Locator): Promise<number> {
    const box = await element.boundingBox();
    assert.ok(box !== null);
    return box.y;
  }

  /** Newly visible entries get their layout a frame or two later. Until then their height is an estimate. */
  async function topAtRest(element: Locator): Promise<number> {
    return waitFor('the entry at rest', async () => {
      const top = await topOf(element);
      await element.evaluate(() => new Promise(requestAnimationFrame));
      return (await isLaidOutInSight()) && (await topOf(element)) === top ? top : undefined;
    });
  }

  /** Whether all visible entries have their real height. */
  function isLaidOutInSight(): Promise<boolean> {
    return log().evaluate((list) => {
      const sight = list.closest('.scroller')?.getBoundingClientRect();
      return [...list.querySelectorAll('loupe-entry')].every((entry) => {
        const box = entry.getBoundingClientRect();
        const isInSight = sight !== undefined && box.bottom > sight.top && box.top < sight.bottom;
        return !isInSight || entry.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }) === true;
      });
    });
  }

  function isInSight(element: Locator): Promise<boolean> {
    return element.evaluate((node) => {
      const [box, sight] = [node.getBoundingClientRect(), node.closest('.scroller')?.getBoundingClientRect()];
      return sight !== undefined && box.top >= sight.top && box.bottom <= sight.bottom;
    });
  }

  it('shows earlier messages when they are asked for, and keeps what is on show in its place', async () => {
    await preview.show('First chat', DARK, 300, 700);
    await showMessages(MESSAGES - STEP, MESSAGES);
    const first = articleOf(MESSAGES - STEP);
    await more('earlier', MESSAGES - STEP).scrollIntoViewIfNeeded();
    const before = await topAtRest(first);
    await more('earlier', MESSAGES - STEP).press('Enter');
    await preview.posted(1, 'showEarlier');
    await showMessages(MESSAGES - 2 * STEP, MESSAGES);
    assert.equal(await log().getByRole('article').count(), 2 * STEP);
    const after = await topAtRest(first);
    assert.ok(Math.abs(after - before) < 2, `the message that was the first one has not moved: from ${String(before)} to ${String(after)}`);
  });

  it('keeps what is on show in its place when its first messages leave while earlier ones are asked for', async () => {
    await preview.show('First chat', DARK, 300, 700);
    await showMessages(MESSAGES - STEP, MESSAGES);
    await more('earlier', MESSAGES - STEP).press('Enter');
    await preview.posted(1, 'showEarlier');
    const read = articleOf(MESSAGES - STEP / 2);
    await read.scrollIntoViewIfNeeded();
    const before = await topAtRest(read);
    await showMessages(MESSAGES - STEP + 2, MESSAGES);
    const after = await topAtRest(read);
    assert.ok(Math.abs(after - before) < 2, `the message has not moved: from ${String(before)} to ${String(after)}`);
  });

  it('goes on downwards from the middle, keeps what is on show in its place, and moves the focus to the first message that came', async () => {
    await preview.show('First chat', DARK, 300, 700);
    await showMessages(100, 100 + STEP);
    const [last, left] = [articleOf(99 + STEP), MESSAGES - 100 - STEP];
    await more('later', left).scrollIntoViewIfNeeded();
    const before = await topAtRest(last);
    await more('later', left).press('Enter');
    await preview.posted(1, 'showLater');
    await showMessages(100, 100 + 2 * STEP);
    const after = await topAtRest(last);
    assert.ok(Math.abs(after - before) < 2, `the message that was the last one has not moved: from ${String(before)} to ${String(after)}`);
    const next = articleOf(100 + STEP);
    await waitFor('the focus', async () => (await next.evaluate((article) => article === document.activeElement)) || undefined);
  });

  it('returns to its end when it is asked to', async () => {
    await preview.show('First chat', DARK, 300, 700);
    await showMessages(100, 100 + STEP);
    const latest = preview.page.getByRole('button', { name: 'Go to the latest', exact: true });
    await latest.press('Enter');
    await preview.posted(1, 'showLatest');
    await showMessages(MESSAGES - STEP, MESSAGES);
    await waitFor('the end in sight', async () => (await isInSight(articleOf(MESSAGES - 1))) || undefined);
    assert.equal(await latest.count(), 0);
  });

  it('shows its end after the user has sent a message from far above, also where everything was loaded from the first one on', async () => {
    await preview.show('First chat', DARK, 300, 700);
    await showMessages(0, STEP);
    const box = preview.page.getByRole('textbox', { name: 'Message' });
    await box.fill('And then?');
    await box.press('Enter');
    await preview.posted(1, 'send');
    await showMessages(0, 2 * STEP);
    await showMessages(0, MESSAGES);
    await waitFor('the end in sight', async () => (await isInSight(articleOf(MESSAGES - 1))) || undefined);
  });

  it('shows its end after a click that brings a reply back, wherever the user had scrolled', async () => {
    await preview.show('First chat', DARK, 300, 700);
    await showMessages(MESSAGES - STEP, MESSAGES);
    await articleOf(MESSAGES - STEP).scrollIntoViewIfNeeded();
    await preview.page.locator('loupe-conversation').evaluate((element) => {
      element.dispatchEvent(
        new CustomEvent('loupe-post', { bubbles: true, composed: true, detail: { type: 'bringBack', chatId: 'x', rewindId: 'r' } }),
      );
    });
    await preview.posted(1, 'bringBack');
    await waitFor('the end in sight', async () => (await isInSight(articleOf(MESSAGES - 1))) || undefined);
  });
});
