import type { LoupeError } from '../../engine/errors.js';
import { failureActions } from '../../engine/failures/catalogue.js';
import type { Banner, BannerAction } from '../../protocol/panel/view.js';

const URGENCY: Readonly<Record<Banner['severity'], number>> = { error: 0, warning: 1, info: 2 };

/** Most banners at a time: more would hide the conversation. The log has them all. */
const MOST_BANNERS = 3;

export interface BannersPorts {
  logError(error: LoupeError): void;
  /**
   * Shows a text that goes by itself. It is VS Code's notification, not a banner: a command can run while the panel
   * is hidden.
   */
  notify(text: string): void;
}

/** The banners on show, one for each id. */
export class Banners {
  readonly #ports: BannersPorts;
  readonly #banners = new Map<string, Banner>();
  readonly #listeners = new Set<() => void>();
  /** What the user did when the failure on show happened; null for nothing. */
  #failed: string | null = null;

  constructor(ports: BannersPorts) {
    this.#ports = ports;
  }

  /** Calls `listener` after each change. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  show(banner: Banner): void {
    this.#banners.delete(banner.id);
    this.#banners.set(banner.id, banner);
    this.#changed();
  }

  hide(id: string): void {
    if (this.#banners.delete(id)) {
      this.#changed();
    }
  }

  /**
   * Logs a failure, and shows it unless the user cancelled. `operation` names what the user did; null when Loupe
   * itself failed. A harmless failure is no more than a notice.
   */
  fail(error: LoupeError, operation: string | null): void {
    if (error.isHarmless) {
      this.#ports.notify(error.message);
      return;
    }
    this.#ports.logError(error);
    if (error.kind !== 'cancelled') {
      const banner = failureBanner(error);
      this.show(banner);
      this.#failed = banner.id === FAILURE ? operation : this.#failed;
    }
  }

  /** What failed before has succeeded now: its banner is out of date. */
  succeeded(operation: string): void {
    if (this.#failed === operation) {
      this.#failed = null;
      this.hide(FAILURE);
    }
  }

  /** Newest first. */
  list(): readonly Banner[] {
    return [...this.#banners.values()].reverse();
  }

  #changed(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }
}

/** The banners to show: the most urgent first, else in the order given. */
export function mostUrgent(banners: readonly Banner[]): readonly Banner[] {
  return banners.toSorted((a, b) => URGENCY[a.severity] - URGENCY[b.severity]).slice(0, MOST_BANNERS);
}

/** The id of the banner of the last failure. */
export const FAILURE = 'failure';
/** The id of the banner of a refusal that is outdated once the run of the chat has ended. */
export const BUSY = 'busy';

/** What helps against a failure. The other actions of the catalogue are offered in the conversation. */
const HELP: readonly BannerAction[] = [
  { label: 'Choose another model', action: 'selectModel', argument: '' },
  { label: 'Spend settings', action: 'openSpendSettings', argument: '' },
];
const SHOW_LOG: BannerAction = { label: 'Show log', action: 'showLog', argument: '' };
export const DISMISS: BannerAction = { label: 'Dismiss', action: 'dismiss', argument: '' };

/** A refusal explains itself. For an unexpected failure the banner offers the log, which has details. */
function failureBanner({ code, kind, message }: LoupeError): Banner {
  const id = code === 'chat.busyHere' || code === 'chat.busyElsewhere' ? BUSY : FAILURE;
  const help = HELP.filter(({ action }) => failureActions(code).some((offered) => offered === action));
  return { id, severity: 'error', text: message, actions: kind === 'invalidInput' ? [DISMISS] : [...help, SHOW_LOG, DISMISS] };
}
