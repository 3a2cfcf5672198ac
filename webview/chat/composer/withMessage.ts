import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { SizeBasis } from '../../../src/protocol/panel/entries.js';
import type { WithMessageRow } from '../../../src/protocol/panel/composer.js';
import { DRAWABLE_TYPES } from '../../../src/protocol/images.js';
import { iconButton } from '../../shared/controls/buttons.js';
import { icon } from '../../shared/controls/icon.js';
import { post, posting } from '../../shared/events.js';
import type { MenuItem } from '../../shared/controls/menu.js';
import { revealHidden } from '../../shared/hidden.js';
import { basisPrice, columnPrice, percent, tokensWithUnit } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import { offItems } from '../rows/offMenu.js';
import type { PendingImage } from './pendingImages.js';

const ICONS = { image: 'file-media', page: 'globe', editor: 'code', pick: 'sparkle' } as const satisfies Record<
  WithMessageRow['kind'],
  string
>;

interface RowOptions {
  readonly chatId: string;
  readonly from: EventTarget;
  /** Whether a folder is open, so that an item can be off in this folder. */
  readonly hasFolder: boolean;
  /** Called when the user removed a row or scales its image down, because the focused button disappears. */
  readonly onRemoved: () => void;
}

/**
 * Lists what goes with the message in the message box only: a thumbnail or icon, name, tokens and price of each. At the
 * end, lists the images that the host has not added yet.
 */
export function withMessageRows(
  rows: readonly WithMessageRow[],
  pending: readonly PendingImage[],
  options: RowOptions,
): TemplateResult | typeof nothing {
  return rows.length === 0 && pending.length === 0
    ? nothing
    : html`<ul class="with-message" aria-label="With this message">
        ${repeat(
          rows,
          ({ key }) => key,
          (row) => rowOf(row, options),
        )}
        ${repeat(pending, ({ file }) => file, pendingRow)}
      </ul>`;
}

function pendingRow({ name, url }: PendingImage): TemplateResult {
  return html`<li class="with-row" aria-busy="true" title=${revealHidden(name)}>
    <span class="with-image"><span class="image-frame">${url === null ? nothing : html`<img src=${url} alt="" draggable="false" />`}</span></span>
    <span class="with-name">${visibleText(name)}</span>
    <span class="figures">Adding…</span>
  </li>`;
}

function rowOf(row: WithMessageRow, options: RowOptions): TemplateResult {
  const { chatId, onRemoved } = options;
  const name = revealHidden(row.name);
  const remove = ({ currentTarget }: Event): void => {
    if (currentTarget instanceof HTMLElement) {
      post(currentTarget, { type: 'removeWithMessage', chatId, key: row.key });
      onRemoved();
    }
  };
  return html`<li class="with-row ${row.kind} ${row.warning === null ? '' : 'warned'}" title=${titleOf(row)}>
    ${
      row.image === null
        ? html`<span class="with-icon">${icon(ICONS[row.kind])}</span>`
        : html`<loupe-image .chatId=${chatId} .image=${row.image}></loupe-image>`
    }
    <span class="with-name">${visibleText(row.name)}</span>
    ${row.score === null ? nothing : html`<span class="figures"><span class="with-picked">picked, </span>${percent(row.score, 1)}</span>`}
    ${row.warning === null ? nothing : html`<span class="with-warning">${icon('warning')}<span>${row.warning} ${scaleButton(row, options)}</span></span>`}
    <span class="figures">${figuresOf(row)}</span>
    ${row.kind === 'pick' ? pickMenu(row, options) : nothing}
    ${row.isRemovable ? iconButton({ label: `Remove ${name}`, icon: 'close', onClick: remove }) : nothing}
  </li>`;
}

/** The menu of an item that Loupe picks for the text: chooses where it is off, or opens its file. */
function pickMenu({ key: rowKey, name }: WithMessageRow, { chatId, from, hasFolder, onRemoved }: RowOptions): TemplateResult {
  const key = rowKey.slice('pick:'.length);
  const open: MenuItem = {
    ...{ label: `Open ${revealHidden(name)}`, detail: 'Opens the file of this item', note: null },
    onChoose: () => {
      post(from, { type: 'openContextItem', chatId, key });
    },
  };
  const items = [...offItems({ chatId, key, off: null, hasFolder, hasChat: true }, from, onRemoved), open];
  return html`<loupe-menu .label=${`Where to use ${revealHidden(name)}`} .icon=${'ellipsis'} .isDisabled=${false} .items=${items}></loupe-menu>`;
}

/** The button that replaces an image that is too large by a smaller one, with the tokens and the price of this. */
function scaleButton({ name, image, scaled }: WithMessageRow, { chatId, onRemoved }: RowOptions): TemplateResult | typeof nothing {
  const mimeType = DRAWABLE_TYPES.find((type) => type === image?.mimeType);
  if (image === null || scaled === null || mimeType === undefined) {
    return nothing;
  }
  const figures = [
    tokensWithUnit(scaled.tokens, 'estimate'),
    ...(scaled.price === null ? [] : [basisPrice(columnPrice(scaled.price, false), 'estimate')]),
  ].join(', ');
  const scale = (event: Event): void => {
    posting({ type: 'scaleImage', chatId, blob: image.blob, mimeType })(event);
    onRemoved();
  };
  const label = `Scale down ${revealHidden(name)}, ${figures}`;
  return html`<button type="button" class="link-button" aria-label=${label} @click=${scale}>Scale down (${figures})</button>`;
}

function titleOf({ name, detail, tokens, isEstimate }: WithMessageRow): string {
  const size = tokens === null ? '' : tokensWithUnit(tokens, basisOf(isEstimate));
  return [revealHidden(name), detail, size].filter((text) => text !== '').join('\n');
}

function basisOf(isEstimate: boolean): SizeBasis {
  return isEstimate ? 'estimate' : 'exact';
}

/** Shows nothing until the next request is composed, which takes a moment. */
function figuresOf({ tokens, isEstimate, price }: WithMessageRow): TemplateResult | typeof nothing {
  if (tokens === null) {
    return nothing;
  }
  const basis = basisOf(isEstimate);
  return html`<span>${tokensWithUnit(tokens, basis)}</span>${price === null ? nothing : html`<span>${basisPrice(columnPrice(price, false), basis)}</span>`}`;
}
