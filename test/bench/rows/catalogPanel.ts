import type { CDPSession, Page } from 'playwright-core';
import { startPreview } from '../../../build/preview.mjs';
import { managerView } from '../../../src/host/panel/manager/managerView.js';
import { nextRequestView } from '../../../src/host/panel/nextRequest/nextRequestView.js';
import { nextRequestRows } from '../../../src/host/panel/nextRequest/contextUsed.js';
import { MANAGED_TYPES } from '../../../src/protocol/panel/manager.js';
import { EMPTY_PANEL, PANEL_STATE, type PanelDelta } from '../../../src/protocol/panel/state.js';
import type { ToWebview } from '../../../src/protocol/panel/toWebview.js';
import { launchBrowser } from '../../support/browser.mjs';
import { managedOf } from '../../support/host/managed.js';
import { MemoryFiles, Windows } from '../../support/host/window.js';
import { medianOf, sampleOf } from '../race.js';
import type { Row } from '../row.js';
import { readRules, RULES, TYPED } from './catalog.js';

const DRAFT = { images: [], messageId: 'draft', editing: null };
const KEYS = 60;
/** The first keys let the page compile its code. */
const WARM_UP = 10;
const MILLISECONDS = 1_000;

/** States of the preview with all catalog rows: *Manage context*, and *Next request* with unselected items. */
const VIEWS = [
  { name: 'the pane', state: 'Context of the chat' },
  { name: 'the next request', state: 'Picked rules' },
] as const;

const NOTHING = 'two frames in which nothing happens';
const KEY = 'a key';
const UPDATE = 'what the host answers';

/** Types a message in a chat with a large catalog: Chromium's work at each key and after a new next request. */
export const catalogPanel: Row = {
  name: 'catalog-panel',
  job: `type a message in the panel in Chromium, with ${RULES.toLocaleString('en')} rules: all that the page's main thread does, layout and paint included`,
  async measure() {
    const deltas = await deltasOfTyping();
    const preview = await startPreview({ port: 0, watch: false });
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ viewport: { width: 420, height: 900 } });
      const measured = [];
      for (const { name, state } of VIEWS) {
        await page.goto(`${preview.url}frame.html?${new URLSearchParams({ state, theme: 'Dark Modern' }).toString()}`);
        await page.locator(`body[data-ready="${state}"]`).waitFor();
        measured.push(...(await typeInto(page, name, deltas)));
      }
      return {
        samples: measured.map(({ sample }) => sample),
        amount: null,
        verdicts: measured
          .filter(({ sample }) => !sample.name.startsWith(NOTHING))
          .flatMap(({ sample, longest }) => [
            { what: `${sample.name}, ms`, measured: medianOf([sample], sample.name), target: { atMost: 16 } },
            { what: `${sample.name}, the longest, ms`, measured: longest, target: { atMost: 16 } },
          ]),
      };
    } finally {
      await browser.close();
      await preview.stop();
    }
  },
};

interface Measured {
  readonly sample: ReturnType<typeof sampleOf>;
  readonly longest: number;
}

async function typeInto(page: Page, view: string, deltas: readonly PanelDelta[]): Promise<readonly Measured[]> {
  await page.getByRole('textbox', { name: 'Message' }).click();
  const busy = await mainThread(page);
  const [idle, keys, updates]: [number[], number[], number[]] = [[], [], []];
  const messages = deltas.map((delta, at): ToWebview => ({ type: 'delta', epoch: 1, n: at + 1, delta }));
  await page.evaluate((all) => Object.assign(globalThis, { messages: all }), messages);
  for (const [at, key] of Array.from(TYPED.slice(0, KEYS)).entries()) {
    idle.push(await busy(() => page.evaluate(() => undefined)));
    keys.push(await busy(() => page.keyboard.press(key === ' ' ? 'Space' : key)));
    updates.push(
      await busy(() =>
        page.evaluate((each) => {
          const { messages: all } = globalThis as unknown as { messages: readonly unknown[] };
          window.postMessage(all[each], location.origin);
        }, at),
      ),
    );
  }
  return [
    { name: `${NOTHING}, beside ${view}`, times: idle.slice(WARM_UP) },
    { name: `${KEY}, beside ${view}`, times: keys.slice(WARM_UP) },
    { name: `${UPDATE}, in ${view}`, times: updates.slice(WARM_UP) },
  ].map(({ name, times }) => ({ sample: sampleOf(name, times), longest: Math.max(...times) }));
}

/** Returns a function that measures in ms how long work and two frames keep the page's main thread busy. */
async function mainThread(page: Page): Promise<(work: () => Promise<unknown>) => Promise<number>> {
  const client: CDPSession = await page.context().newCDPSession(page);
  // Without the time of other processes.
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taken = async (): Promise<number> => {
    const { metrics } = await client.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * MILLISECONDS;
  };
  return async (work) => {
    const before = await taken();
    await work();
    await page.evaluate(async () => {
      for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    });
    return (await taken()) - before;
  };
}

/** The host's posts at each key, from its own functions. A key that changes no row posts no rows, as in the host. */
async function deltasOfTyping(): Promise<readonly PanelDelta[]> {
  const rules = await readRules();
  const windows = new Windows();
  await windows.load();
  await windows.newFolder();
  try {
    const files = new MemoryFiles();
    files.catalog = () => Promise.resolve(rules);
    const session = await windows.open({ files }).chats.create();
    const deltas: PanelDelta[] = [];
    let posted = EMPTY_PANEL;
    for (let key = 1; key <= KEYS; key += 1) {
      const composed = await session.next.preview({ ...DRAFT, text: TYPED.slice(0, key) });
      const forgotten = { calls: 0, tokens: 0, replies: 0, first: [] };
      const repeats = { results: 0, saved: 0, first: [] };
      const rows = { ...nextRequestRows(composed), forgotten, repeats, servers: [] };
      const view = nextRequestView(composed, rows.blocks, session.state);
      const summary = { trigger: { unit: 'tokens', at: 152_000, left: 100_000, then: 'summarized' }, now: null } as const;
      const next = {
        ...posted,
        nextRequest: { ...view, summary, observation: null, unknownServers: [], newToolsCost: null, unusual: null, titleCost: null },
        nextRequestRows: { ...rows, excludedTurns: { total: 0, first: [] }, changes: {} },
        manager: managerView(managedOf(session, composed), { search: '', open: MANAGED_TYPES, servers: [], proof: null, rows: {} }),
      };
      deltas.push(PANEL_STATE.diff(posted, next) ?? {});
      posted = next;
    }
    return deltas;
  } finally {
    await windows.closeAll();
  }
}
