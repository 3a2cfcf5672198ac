import { type TemplateResult, html, nothing } from 'lit';
import { type CacheWay, type UncachedView, uncachedInBrief, uncachedInWords } from '../../../src/protocol/uncached.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { clock } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';

/** The chat setting that each way changes, and the label of its button. */
const WAYS: Readonly<Record<CacheWay, { readonly label: string; readonly name: string; readonly value: string }>> = {
  cacheOn: { label: 'Cache the whole conversation', name: 'cacheMode', value: 'cached' },
  longer: { label: 'Keep the cache for 1 h', name: 'cacheLifetime', value: '1h' },
  inPlace: { label: 'Send changes at the end', name: 'layout', value: 'adaptive' },
};

/** Why the request reads nothing or less from the cache, with a button for the cheapest change that helps. */
export function uncachedNote(uncached: UncachedView, read: number, chatId: string): TemplateResult {
  const { way } = uncached;
  return html`<p class="uncached">${visibleText(`${inWords(uncached, read)}.`)} ${way === null ? nothing : wayButton(way, chatId)}</p>`;
}

function wayButton(way: CacheWay, chatId: string): TemplateResult {
  const { label, name, value } = WAYS[way];
  return linkButton(label, posting({ type: 'changeSetting', chatId, name, value }));
}

/** Returns the reason for the tooltip of the next request. */
export function uncachedLine(uncached: UncachedView | null, read: number): readonly string[] {
  return uncached === null ? [] : [inWords(uncached, read)];
}

/** Returns the reason in a few words. */
export function uncachedBrief({ reason }: UncachedView): string {
  return uncachedInBrief(reason);
}

function inWords({ reason }: UncachedView, read: number): string {
  const words = uncachedInWords(reason, (at) => `at ${clock(at, Date.now())}`);
  return `${read === 0 ? 'Nothing' : 'Less'} comes from the cache: ${words}`;
}
