import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { AssistantEntry, EntryView, PartView } from '../../src/protocol/panel/entries.js';
import { countSteps, isStep, turnsOf } from '../../src/protocol/panel/turnSteps.js';
import type { PanelState } from '../../src/protocol/panel/state.js';
import { assistantEntry, text, toolCall, userEntry } from '../../webview/preview/views.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';
import { waitFor } from '../support/workbench/wait.js';

const STEPS = 60;
const COST = { cost: 0.0213, isAtLeast: false, isPretended: false, inherited: false };

function step(id: string, ...before: readonly PartView[]): AssistantEntry {
  const call = toolCall(`call-${id}`, '{}', { name: 'read_file', subject: `src/${id}.ts`, status: { kind: 'done' } });
  return { ...assistantEntry(id, ...before, call), status: 'done' };
}

/** A turn of many steps. Each fifth has a text. */
const TURN: readonly EntryView[] = [
  userEntry('u', 'Put the heap in.'),
  ...Array.from({ length: STEPS }, (_, at) => step(`s${String(at)}`, ...(at % 5 === 0 ? [text(`I read file ${String(at)}.`)] : []))),
  { ...assistantEntry('r', text('The heap is in place.\n\n'.repeat(40))), status: 'done' },
];

describe('the steps of a turn in a page', () => {
  const preview = usePreview();
  const line = (): Locator => preview.page.locator('.turn-line > .disclosure');
  const entry = (id: string): Locator => preview.page.locator(`[data-entry="${id}"]`);
  const row = (id: string): Locator => entry(id).locator('.step').first();

  /** Shows the entries from index `from` on as the host does, which counts the steps of the whole turn. */
  async function showEntries(all: readonly EntryView[], from: number, changes: Partial<PanelState>): Promise<void> {
    const shown = all.slice(from);
    const [turn = []] = turnsOf(all);
    const head = shown.find(isStep);
    assert.ok(head !== undefined);
    await preview.change((state) => ({
      ...state,
      entries: shown,
      turns: { [head.id]: { id: 'u', ...countSteps(turn), ...COST } },
      chat: state.chat && { ...state.chat, earlierMessages: from },
      ...changes,
    }));
    await line().waitFor();
  }

  async function topAtRest(element: Locator): Promise<number> {
    let last = Number.NaN;
    return waitFor('the element at rest', async () => {
      const box = await element.boundingBox();
      await element.evaluate(() => new Promise(requestAnimationFrame));
      const isStill = box?.y === last;
      last = box?.y ?? Number.NaN;
      return isStill ? last : undefined;
    });
  }

  async function hasFocus(element: Locator): Promise<void> {
    await waitFor('the focus', async () => (await element.evaluate((node) => node === document.activeElement)) || undefined);
  }

  async function isInSight(element: Locator): Promise<boolean> {
    return element.evaluate((node) => {
      const [box, sight] = [node.getBoundingClientRect(), node.closest('.scroller')?.getBoundingClientRect()];
      return sight !== undefined && box.top >= sight.top && box.bottom <= sight.bottom;
    });
  }

  it('are one control that says what they did, and have no elements while they are closed', async () => {
    await preview.show('First chat', DARK, 425, 700);
    await showEntries(TURN, 0, {});
    assert.equal(await line().count(), 1);
    const control = preview.page.getByRole('button', { name: '60 steps · 60 files read · $0.0213', exact: true });
    assert.equal(await control.getAttribute('aria-expanded'), 'false');
    // The message, the first step, 11 later texts, and the reply.
    assert.equal(await preview.page.getByRole('article').count(), 14);
    await control.press('Enter');
    await row('s1').waitFor();
    assert.equal(await control.getAttribute('aria-expanded'), 'true');
    await control.press('Space');
    await row('s1').waitFor({ state: 'detached' });
    await hasFocus(line());
  });

  it('are read with arrow keys from the line, and closed from a row', async () => {
    await preview.show('First chat', DARK, 425, 700);
    await showEntries(TURN, 0, {});
    await line().focus();
    await preview.press('ArrowRight');
    await row('s0').waitFor();
    await preview.press('ArrowDown', 'ArrowDown');
    await hasFocus(row('s1'));
    await preview.press('ArrowRight');
    await entry('s1').getByText('Arguments').waitFor();
    await preview.press('ArrowLeft');
    await entry('s1').getByText('Arguments').waitFor({ state: 'detached' });
    await preview.press('ArrowLeft');
    await hasFocus(line());
    await preview.press('ArrowLeft');
    await row('s1').waitFor({ state: 'detached' });
  });

  it('leave the arrow keys between messages as they are, which skip what is closed', async () => {
    await preview.show('First chat', DARK, 425, 700);
    await showEntries(TURN, 0, {});
    await entry('s50').locator('article').focus();
    await preview.press('ArrowDown');
    await hasFocus(entry('s55').locator('article'));
    await preview.press('ArrowDown');
    await hasFocus(entry('r').locator('article'));
  });

  it('have buttons for their changed files in the closed line, on hover and on focus', async () => {
    await preview.show('Tools that are done', DARK, 300, 700);
    const closed = preview.page.locator('.turn-line').first();
    const button = (name: string): Locator => closed.getByRole('button', { name, exact: true });
    const opacity = (): Promise<string> => closed.locator('.turn-buttons').evaluate((node) => getComputedStyle(node).opacity);
    const width = async (): Promise<number> => (await closed.locator('.disclosure').boundingBox())?.width ?? 0;
    const atRest = await width();
    assert.equal(await opacity(), '0');
    await closed.hover();
    assert.equal(await opacity(), '1');
    assert.ok((await width()) < atRest, 'at rest, the words have the room of the buttons');
    await button('Show the change').click();
    await preview.page.mouse.move(0, 0);
    await closed.getByRole('button').first().focus();
    await preview.press('Tab', 'Tab');
    await hasFocus(button('Undo all'));
    assert.equal(await opacity(), '1');
    await preview.press('Enter');
    assert.deepEqual(
      (await preview.posted(2, 'showTurnChange', 'undoTurn')).map(({ type }) => type),
      ['showTurnChange', 'undoTurn'],
    );
    const opened = preview.page.locator('.turn-line').nth(1);
    assert.equal(await opened.getByRole('button').count(), 1, 'an open turn has them below its steps');
  });

  it('open when a search or a list jumps to one of them, which comes into sight', async () => {
    await preview.show('First chat', DARK, 425, 700);
    await showEntries(TURN, 0, {});
    await preview.tell({ type: 'reveal', entryId: 's33', text: null });
    await hasFocus(entry('s33').locator('article'));
    await waitFor('the step in sight', async () => (await isInSight(entry('s33').locator('article'))) || undefined);
    assert.equal(await line().getAttribute('aria-expanded'), 'true');
    await preview.tell({ type: 'reveal', entryId: 's11', text: null });
    await hasFocus(entry('s11').locator('article'));
    assert.equal(await line().getAttribute('aria-expanded'), 'true', 'stays open');
  });

  for (const isOpen of [false, true]) {
    it(`keep what is on show in its place when their line moves to an earlier step, ${isOpen ? 'opened' : 'closed'}`, async () => {
      await preview.show('First chat', DARK, 300, 700);
      // The first visible step has no text, so it disappears with its line while the turn is closed.
      await showEntries(TURN, 34, {});
      if (isOpen) {
        await line().press('Enter');
        await row('s33').waitFor();
      }
      const more = preview.page.getByRole('button', { name: /^Show earlier messages/ });
      await more.scrollIntoViewIfNeeded();
      const read = entry('s35').locator('article');
      const before = await topAtRest(read);
      await more.press('Enter');
      await preview.posted(1, 'showEarlier');
      await showEntries(TURN, 10, {});
      await entry('s10').waitFor();
      const after = await topAtRest(read);
      assert.ok(Math.abs(after - before) < 2, `the step has not moved: from ${String(before)} to ${String(after)}`);
      assert.equal(await line().count(), 1);
      assert.equal(await entry('s33').count(), isOpen ? 1 : 0);
    });
  }

  it('keep in sight what needs the user, whatever else their line says', async () => {
    for (const width of [300, 400]) {
      await preview.show('First chat', DARK, width, 700);
      const running = await preview.page.evaluate<PanelState>('given');
      const asks = toolCall('ask', '{}', {
        ...{ name: 'create_issue', serverName: 'tracker' },
        status: { kind: 'running', progress: { done: 0, total: null, text: null, asks: true } },
      });
      const missed = (kind: 'failed' | 'refused' | 'stopped'): PartView => toolCall(kind, '{}', { name: 'read_file', status: { kind } });
      const calls = { ...assistantEntry('s60', missed('failed'), missed('refused'), missed('stopped'), asks), status: 'done' } as const;
      await showEntries([...TURN.slice(0, -1), calls], 0, { chat: running.chat && { ...running.chat, running: true } });
      const asked = line().getByText('needs your answer', { exact: true });
      const { isCut, right, end } = await asked.evaluate((part) => ({
        isCut: part.scrollWidth > part.clientWidth,
        right: part.getBoundingClientRect().right,
        end: part.closest('.turn-line')?.getBoundingClientRect().right ?? 0,
      }));
      assert.ok(!isCut && right <= end, `at ${String(width)} px`);
      assert.match(
        (await line().locator('..').getAttribute('title')) ?? '',
        /^needs your answer · Step 61 · 1 failed · 1 refused · 1 stopped/,
      );
    }
  });

  it('show a question at once, which Tab reaches, and are closed again after the answer', async () => {
    const asks: PartView = toolCall('ask', '{"title":"Tides"}', {
      name: 'create_issue',
      serverName: 'tracker',
      status: {
        kind: 'waiting',
        question: { covers: 'tool', asked: [], saysItOnlyReads: false, hasChanged: false, secret: null, isSetup: false, change: null },
      },
    });
    await preview.show('First chat', DARK, 425, 700);
    const running = await preview.page.evaluate<PanelState>('given');
    const chat = running.chat && { ...running.chat, running: true };
    const waiting: AssistantEntry = { ...assistantEntry('s60', asks), status: 'done' };
    await showEntries([...TURN.slice(0, -1), waiting], 0, { chat });
    const question = entry('s60').getByRole('group', { name: 'Allow tracker:create_issue?' });
    await waitFor('the question in sight', async () => (await isInSight(question)) || undefined);
    assert.match((await line().textContent()) ?? '', /needs approval\s*Step 61/);
    await line().press('Enter');
    await row('s1').waitFor({ state: 'detached' });
    assert.equal(await question.count(), 1, 'also while the user has closed the steps');
    await question.getByRole('button', { name: 'Once', exact: true }).press('Enter');
    assert.deepEqual(
      (await preview.posted(1, 'answerCall')).map((message) => message.type === 'answerCall' && message.callId),
      ['ask'],
    );
    await showEntries([...TURN.slice(0, -1), step('s60')], 0, { chat });
    await question.waitFor({ state: 'detached' });
    assert.equal(await line().getAttribute('aria-expanded'), 'false');
    assert.match((await line().textContent()) ?? '', /Step 62 · writing/);
  });
});
