import type { Locator } from 'playwright-core';
import { noisyPng } from '../../support/images.js';
import { ChatPanel } from '../../support/workbench/chat.js';
import { closeSharedBrowser } from '../../support/workbench/browser.js';
import { openLoupe } from '../../support/workbench/panel.js';
import { startWorkbench } from '../../support/workbench/server.js';
import { medianOf, sampleOf } from '../race.js';
import type { Row } from '../row.js';

/** A screenshot of a laptop's display. */
const [WIDTH, HEIGHT] = [2_560, 1_600];
const BYTES = 5_000_000;
const PASTES = 21;
/** The first pastes let the page and the host compile their code. */
const WARM_UP = 3;
const ROW = 'from the paste to the row of the image';
const THUMBNAIL = 'from the paste to the thumbnail';
const DECODED = 'only decoding the image';

export const thumbnail: Row = {
  name: 'thumbnail',
  job: 'paste a screenshot of 5 MB into the message box, in VS Code in Chromium: until the thumbnail is painted',
  async measure() {
    const workbench = await startWorkbench({});
    try {
      const panel = new ChatPanel(await openLoupe(workbench.page));
      await panel.newChat();
      const times: PasteTimes[] = [];
      for (let paste = 0; paste < PASTES; paste += 1) {
        // Different images, because Loupe stores equal images only once.
        times.push(await pasteTimes(panel.composer, noisyPng(WIDTH, HEIGHT, BYTES, paste)));
        const remove = panel.frame.getByRole('button', { name: 'Remove Pasted image' });
        await remove.click();
        await remove.waitFor({ state: 'detached' });
      }
      const counted = times.slice(WARM_UP);
      const samples = [
        sampleOf(
          ROW,
          counted.map(({ row }) => row),
        ),
        sampleOf(
          THUMBNAIL,
          counted.map((each) => each.thumbnail),
        ),
        sampleOf(
          DECODED,
          counted.map(({ decoded }) => decoded),
        ),
      ];
      const painted = medianOf(samples, THUMBNAIL);
      const verdicts = [
        { what: `${THUMBNAIL}, ms`, measured: painted, target: { atMost: 100 } },
        // Storing the image in the host must not delay its thumbnail. Two frames take 33 ms.
        { what: `${THUMBNAIL}, without ${DECODED}, ms`, measured: painted - medianOf(samples, DECODED), target: { atMost: 50 } },
      ];
      return { samples, amount: null, verdicts };
    } finally {
      await workbench.close();
      await closeSharedBrowser();
    }
  },
};

interface PasteTimes {
  readonly row: number;
  readonly thumbnail: number;
  readonly decoded: number;
}

/**
 * Pastes an image. Returns the milliseconds until its row is there, and until Chromium has painted its thumbnail. Then
 * decodes the image again: the least time that a thumbnail needs on this machine.
 */
async function pasteTimes(composer: Locator, image: Buffer): Promise<PasteTimes> {
  return composer.evaluate(async (box, data) => {
    const content = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([content], 'image.png', { type: 'image/png' }));
    await new Promise(requestAnimationFrame);
    const started = performance.now();
    let row = NaN;
    const thumbnail = await new Promise<number>((resolve) => {
      // Only images with this attribute report when they are painted.
      const marking = new MutationObserver(() => {
        row = Number.isNaN(row) && document.querySelector('.with-row') !== null ? performance.now() : row;
        document.querySelector('.with-row img')?.setAttribute('elementtiming', 'thumbnail');
      });
      const painted = new PerformanceObserver((list) => {
        marking.disconnect();
        painted.disconnect();
        resolve((list.getEntries()[0] as PerformanceEntry & { readonly renderTime: number }).renderTime);
      });
      marking.observe(document.body, { childList: true, subtree: true });
      painted.observe({ type: 'element' });
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true }));
    });
    const alone = performance.now();
    (await createImageBitmap(new Blob([content]))).close();
    return { row: row - started, thumbnail: thumbnail - started, decoded: performance.now() - alone };
  }, image.toString('base64'));
}
