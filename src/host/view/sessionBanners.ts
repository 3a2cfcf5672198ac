import type { LoupeError } from '../../engine/errors.js';
import { failureHelp } from '../../engine/failures/catalogue.js';
import type { Banner, BannerAction } from '../../protocol/view.js';
import type { JournalState } from '../../storage/journal.js';

/** What the banners of a chat are made from. */
export interface SessionBannersInput {
  /** Whether everything is on the disk; null without a chat. */
  readonly storage: JournalState | null;
  /** Why what stands in the composer could not be saved; null when it is, or nothing stands there. */
  readonly draftError: LoupeError | null;
  /** How often Try again failed since. */
  readonly vainTries: number;
  /** Why the next request cannot be composed; null when it can. */
  readonly previewError: LoupeError | null;
}

const TRY_AGAIN: BannerAction = { label: 'Try again', action: 'retryStorage', argument: '' };
const EXPORT: BannerAction = { label: 'Export...', action: 'exportChat', argument: '' };
const COPY: BannerAction = { label: 'Copy chat', action: 'copyChat', argument: '' };

/** What follows from the state of the chat itself, and goes when that does. */
export function sessionBanners({ storage, draftError, vainTries, previewError }: SessionBannersInput): Banner[] {
  const banners: Banner[] = [];
  if (storage !== null && storage.kind !== 'saved') {
    banners.push(storageBanner(storage, vainTries));
  } else if (draftError !== null) {
    banners.push({
      id: 'draft',
      severity: 'warning',
      text: `${draftError.message} What you write is kept until this window closes.`,
      actions: [],
    });
  }
  if (previewError !== null) {
    banners.push({ id: 'preview', severity: 'warning', text: previewError.message, actions: [] });
  }
  return banners;
}

function storageBanner({ kind, error }: Exclude<JournalState, { kind: 'saved' }>, vainTries: number): Banner {
  const isFailing = kind === 'failing';
  const tried = vainTries === 0 ? [] : [vainTries === 1 ? 'Trying again failed.' : `Trying again failed ${String(vainTries)} times.`];
  const help = isFailing ? [...tried, ...failureHelp(error.code)] : [];
  const text = [error.message, ...help, 'What is not saved is kept until this window closes.'].join(' ');
  return { id: 'storage', severity: 'error', text, actions: isFailing ? [TRY_AGAIN, EXPORT, COPY] : [EXPORT, COPY] };
}
