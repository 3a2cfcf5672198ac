import { LoupeError, toLoupeError } from '../../engine/errors.js';
import { diffState } from '../../protocol/delta.js';
import type { ToHost } from '../../protocol/toHost.js';
import type { ToWebview } from '../../protocol/toWebview.js';
import type { Banner, DraftView, PanelState } from '../../protocol/view.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { SessionChange } from '../chat/sessionLog.js';
import type { Chats } from '../chat/chats.js';
import type { ModelRegistry } from '../models.js';
import { Banners } from './banners.js';
import type { Drafts } from './drafts.js';
import { EntryViews } from './entries.js';
import { modelLabel, panelState } from './panelState.js';
import { Previews } from './previews.js';

/** Deltas are posted at most this often: about two frames, below what anyone sees as a delay. */
const COALESCE_MS = 33;

/** Entries a snapshot holds, and by how many more "Show earlier messages" grows it. */
const PAGE = 50;

const NO_DRAFT: DraftView = { text: '', revision: 0, edit: 0, editing: null };

export interface PanelPorts {
  readonly chats: Chats;
  readonly models: ModelRegistry;
  readonly drafts: Drafts;
  /** Posts to the webview; only called between its `ready` and `hidden`. */
  post(message: ToWebview): void;
  /** Handles a message once it is valid; a rejection is shown as a banner. */
  handle(message: ToHost): Promise<void>;
  logError(error: LoupeError): void;
  /** Remembers which chat is on show, for the next start. */
  remember(chatId: string): void;
}

/**
 * One chat panel: which chat it shows, and the stream of snapshots and deltas that keep its webview up to date.
 * A new epoch begins with a snapshot: when the webview is ready, asks to resync, or another chat is shown.
 */
export class Panel {
  readonly banners = new Banners();
  readonly #ports: PanelPorts;
  readonly #views: EntryViews;
  readonly #previews: Previews;
  #session: ChatSession | null = null;
  #unsubscribe: () => void = () => undefined;
  #limit = PAGE;
  #listed = false;
  #ready = false;
  #epoch = 0;
  #n = 0;
  #posted: PanelState | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(ports: PanelPorts) {
    this.#ports = ports;
    this.#views = new EntryViews((attempt) => modelLabel(attempt.model, ports.models.list()));
    this.#previews = new Previews(() => {
      this.changed();
    });
    ports.chats.onChange({
      changed: () => {
        this.changed();
      },
    });
  }

  get session(): ChatSession | null {
    return this.#session;
  }

  /** Takes whatever a webview posted: what is not valid is logged and dropped. */
  async receive(value: unknown): Promise<void> {
    // The validator is loaded with the first message: activation does without it.
    const { parseToHost } = await import('../../protocol/toHost.js');
    const parsed = parseToHost(value);
    if (!parsed.ok) {
      this.#ports.logError(new LoupeError('invalidInput', `The panel sent a message that is not valid: ${parsed.reason}`));
      return;
    }
    try {
      await this.#ports.handle(parsed.message);
    } catch (thrown) {
      this.fail(toLoupeError(thrown));
    }
  }

  /** Shows a failure where the user is, and logs it. */
  fail(error: LoupeError): void {
    this.#ports.logError(error);
    if (error.kind === 'cancelled') {
      // The user did that, and knows.
      return;
    }
    const actions = [{ label: 'Dismiss', action: 'dismiss', argument: '' }] as const;
    const details = [{ label: 'Show log', action: 'showLog', argument: '' }] as const;
    const isExpected = error.kind === 'invalidInput';
    this.banners.show({ id: 'failure', severity: 'error', text: error.message, actions: isExpected ? actions : [...details, ...actions] });
    this.changed();
  }

  /** Shows a chat. */
  show(session: ChatSession): void {
    this.#unsubscribe();
    this.#session = session;
    this.#limit = PAGE;
    this.#unsubscribe = session.onChange((change) => {
      this.#sessionChanged(change);
    });
    this.banners.hide('failure');
    this.#ports.remember(session.id);
    this.draftChanged();
    this.#snapshot();
  }

  /** The chats have been read: from now on an empty list means that there are none. */
  listed(): void {
    this.#listed = true;
    this.changed();
  }

  showEarlier(): void {
    this.#limit += PAGE;
    this.changed();
  }

  /** The webview has (re)started. */
  ready(): void {
    this.#ready = true;
    this.#ports.drafts.webviewStarted();
    this.#snapshot();
  }

  resync(): void {
    this.#snapshot();
  }

  /** The webview is gone until it is ready again. */
  hidden(): void {
    this.#ready = false;
    this.#posted = null;
  }

  focusComposer(): void {
    if (this.#ready) {
      this.#ports.post({ type: 'focusComposer' });
    }
  }

  /** The draft or a file in the context has changed: the next request is another one. */
  draftChanged(): void {
    if (this.#session !== null) {
      const { id } = this.#session;
      this.#previews.schedule(this.#session, () => this.#ports.drafts.get(id));
    }
    this.changed();
  }

  /** Something on show may have changed: the webview hears of it within 33 ms. */
  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#delta();
    }, COALESCE_MS);
  }

  dispose(): void {
    this.#unsubscribe();
    this.#previews.cancel();
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
    }
  }

  #sessionChanged(change: SessionChange): void {
    if (change === 'state') {
      this.draftChanged();
    } else {
      this.changed();
    }
  }

  #snapshot(): void {
    if (this.#ready) {
      this.#epoch += 1;
      this.#n = 0;
      this.#posted = this.#state();
      this.#ports.post({ type: 'snapshot', epoch: this.#epoch, state: this.#posted });
    }
  }

  #delta(): void {
    if (!this.#ready || this.#posted === null) {
      return;
    }
    const state = this.#state();
    const delta = diffState(this.#posted, state);
    if (delta !== null) {
      this.#n += 1;
      this.#posted = state;
      this.#ports.post({ type: 'delta', epoch: this.#epoch, n: this.#n, delta });
    }
  }

  #state(): PanelState {
    const { chats, models, drafts } = this.#ports;
    const session = this.#session;
    const preview = session === null ? { request: null, chips: [], error: null } : this.#previews.of(session.id);
    const input = {
      chats: this.#listed ? chats.list() : null,
      session,
      limit: this.#limit,
      draft: session === null ? NO_DRAFT : draftView(drafts, session.id),
      next: preview,
      models: models.list(),
      learned: chats.learned,
      banners: [...sessionBanners(session, preview.error), ...this.banners.list()],
    };
    return panelState(input, this.#views);
  }
}

function draftView(drafts: Drafts, chatId: string): DraftView {
  const { text, revision, edit, editing } = drafts.get(chatId);
  return { text, revision, edit, editing };
}

/** What follows from the state of the chat itself, and goes when that does. */
function sessionBanners(session: ChatSession | null, previewError: LoupeError | null): Banner[] {
  const banners: Banner[] = [];
  const storage = session?.storage;
  if (storage !== undefined && storage.kind !== 'saved') {
    const retry = { label: 'Try again', action: 'retryStorage', argument: '' } as const;
    const text = `${storage.error.message} What is not saved stays here in memory.`;
    banners.push({ id: 'storage', severity: 'error', text, actions: storage.kind === 'failing' ? [retry] : [] });
  }
  if (previewError !== null) {
    banners.push({ id: 'preview', severity: 'warning', text: previewError.message, actions: [] });
  }
  const damage = [...(session?.faults ?? []), ...(session?.state.problems ?? [])];
  if (damage.length > 0) {
    const actions = [{ label: 'Show log', action: 'showLog', argument: '' }] as const;
    const more = damage.length > DAMAGE_NAMED ? ` and ${String(damage.length - DAMAGE_NAMED)} more` : '';
    const text = `This chat's log is damaged: ${damage.slice(0, DAMAGE_NAMED).join('; ')}${more}. Everything else is shown.`;
    banners.push({ id: 'damage', severity: 'warning', text, actions });
  }
  return banners;
}

/** Damages that the banner names; the log has all. */
const DAMAGE_NAMED = 2;
