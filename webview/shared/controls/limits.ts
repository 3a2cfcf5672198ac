import { html, nothing, type TemplateResult } from 'lit';
import type { LimitName, LimitsView, SpentView } from '../../../src/protocol/limits.js';
import { LightElement, reactive } from '../lightElement.js';
import { amount, price } from '../numbers.js';
import { linkButton } from './buttons.js';
import { skeletonRows } from './skeleton.js';

/** What the popover sends. Both the chat panel and the usage view accept these messages. */
export type LimitsMessage =
  | { readonly type: 'showLimits'; readonly inChat: string | null }
  | { readonly type: 'setLimit'; readonly inChat: string | null; readonly limit: LimitName; readonly usd: number | null }
  | { readonly type: 'openSpendSettings' };

type ParsedAmount = { readonly ok: true; readonly usd: number | null } | { readonly ok: false; readonly problem: string };

/** Reads an amount in US dollars: `0.25`, `$0.25`, `none`. An empty text is no limit. */
export function parseAmount(text: string, most: number | null): ParsedAmount {
  const written = text.trim().replace(/^\$\s*/, '');
  if (written === '' || written.toLowerCase() === 'none') {
    return { ok: true, usd: null };
  }
  if (!/^(?:\d+(?:\.\d*)?|\.\d+)$/.test(written)) {
    return { ok: false, problem: 'Write an amount in US dollars, such as 0.25, or none.' };
  }
  const usd = Number(written);
  return most !== null && usd > most
    ? { ok: false, problem: `At most ${amount(most)}, the limit of each chat in the settings.` }
    : { ok: true, usd };
}

const OPEN = 'loupe-open-limits';

/** Opens the popover of the page next to an element. */
export function openLimits(from: Element): void {
  from.dispatchEvent(new CustomEvent(OPEN, { bubbles: true, composed: true }));
}

export const LIMIT_HELP = 'Set a price above which Loupe asks you, and cost limits for a chat and for a day';

/** The button that opens the popover. */
export function limitButton(): TemplateResult {
  const open = ({ currentTarget }: Event): void => {
    openLimits(currentTarget as Element);
  };
  return html`<button type="button" class="link-button limit-button" aria-haspopup="dialog" title=${LIMIT_HELP} @click=${open}>Limit…</button>`;
}

interface LimitRow {
  readonly name: LimitName;
  readonly label: string;
  readonly about: string;
  readonly usd: number | null;
  readonly most: number | null;
}

/** Distance in pixels between the opener, the popover and the edge of the page. */
const GAP = 4;

/** A popover with the spend limits. A value is saved on Enter and when the focus leaves its field. Escape closes. */
export class LimitsElement extends LightElement {
  static override properties = reactive(['limits', 'chatId', 'send'], ['isOpen', 'typed', 'problems', 'saved']);
  /** Null until the host has read the limits. */
  declare limits: LimitsView | null;
  /** The chat whose limit the popover shows. Null for no chat. */
  declare chatId: string | null;
  declare send: (message: LimitsMessage) => void;
  declare private isOpen: boolean;
  declare private typed: ReadonlyMap<LimitName, string>;
  declare private problems: ReadonlyMap<LimitName, string>;
  /** What was saved last, for screen readers. */
  declare private saved: string;
  #opener: HTMLElement | null = null;

  constructor() {
    super();
    this.isOpen = false;
    this.typed = new Map();
    this.problems = new Map();
    this.saved = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener(OPEN, this.#open);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener(OPEN, this.#open);
  }

  readonly #open = ({ target }: Event): void => {
    this.#opener = target instanceof HTMLElement ? target : null;
    this.isOpen = true;
    this.send({ type: 'showLimits', inChat: this.chatId });
    void this.updateComplete.then(() => {
      const popover = this.#popover();
      popover?.showPopover();
      this.#place();
      popover?.focus();
      this.#focusField();
    });
  };

  protected override updated(): void {
    this.#place();
    this.#focusField();
  }

  protected override render(): TemplateResult | typeof nothing {
    return this.isOpen
      ? html`<div class="limits" role="dialog" aria-label="Limits" tabindex="-1" popover="manual" @keydown=${this.#keyed} @focusout=${this.#left}>
          <h2>Limits</h2>
          ${this.limits === null ? skeletonRows() : rowsOf(this.limits).map((row) => this.#row(row))}
          <p class="hint">${linkButton('Spend settings', () => {
            this.send({ type: 'openSpendSettings' });
          })}</p>
          <div class="sr-only" role="status">${this.saved}</div>
        </div>`
      : nothing;
  }

  #row(row: LimitRow): TemplateResult {
    const { name, label, about, usd } = row;
    const problem = this.problems.get(name) ?? null;
    return html`<div class="limit-row ${problem === null ? '' : 'invalid'}">
      <label for="limit-${name}">${label}</label>
      <input
        id="limit-${name}"
        type="text"
        spellcheck="false"
        autocomplete="off"
        placeholder="none"
        maxlength="20"
        aria-describedby="limit-about-${name}"
        aria-invalid=${problem !== null}
        .value=${this.typed.get(name) ?? (usd === null ? '' : amount(usd))}
        @input=${({ currentTarget }: Event) => {
          this.typed = new Map([...this.typed, [name, (currentTarget as HTMLInputElement).value]]);
        }}
        @change=${() => {
          this.#commit(row);
        }}
      />
      <span id="limit-about-${name}" class="limit-about figures">${about}</span>
      ${problem === null ? nothing : html`<div class="field-problem" role="alert">${problem}</div>`}
    </div>`;
  }

  #commit({ name, label, usd: before, most }: LimitRow): void {
    const text = this.typed.get(name);
    if (text === undefined) {
      return;
    }
    const parsed = parseAmount(text, most);
    if (!parsed.ok) {
      this.problems = new Map([...this.problems, [name, parsed.problem]]);
      return;
    }
    this.problems = without(this.problems, name);
    this.typed = without(this.typed, name);
    if (parsed.usd !== before) {
      this.saved = `${label}: ${parsed.usd === null ? 'none' : amount(parsed.usd)}. Saved.`;
      this.send({ type: 'setLimit', inChat: this.chatId, limit: name, usd: parsed.usd });
    }
  }

  readonly #keyed = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.isComposing) {
      event.preventDefault();
      // Forgets the typed text first, because the field reports a change when it loses the focus.
      this.typed = new Map();
      this.#opener?.focus();
      this.#close();
    }
  };

  /** Closes the popover when the focus leaves it. Text that cannot be saved keeps the popover open. */
  readonly #left = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof Node && this.contains(relatedTarget)) && this.problems.size === 0) {
      this.#close();
    }
  };

  #close(): void {
    this.isOpen = false;
    this.typed = new Map();
    this.problems = new Map();
    this.saved = '';
  }

  #popover(): HTMLElement | null {
    return this.querySelector<HTMLElement>('.limits');
  }

  /** Focuses the first field as soon as there is one. */
  #focusField(): void {
    if (this.#popover() === document.activeElement) {
      this.querySelector<HTMLInputElement>('input')?.select();
    }
  }

  /** Places the popover below the opener, or above when the space below is too small. */
  #place(): void {
    const [popover, opener] = [this.#popover(), this.#opener?.getBoundingClientRect()];
    if (popover === null || opener === undefined) {
      return;
    }
    const { width, height } = popover.getBoundingClientRect();
    const below = opener.bottom + GAP;
    const top = below + height + GAP > window.innerHeight ? Math.max(GAP, opener.top - GAP - height) : below;
    popover.style.top = `${top}px`;
    popover.style.left = `${Math.max(GAP, Math.min(opener.right, window.innerWidth - GAP) - width)}px`;
  }
}

function rowsOf({ request, chat, day }: LimitsView): readonly LimitRow[] {
  const ask = { name: 'request', label: 'Ask before a request above', about: 'all chats', usd: request, most: null } as const;
  const each = chat === null || chat.each === null ? '' : `; each chat stops at ${amount(chat.each)}`;
  return [
    ask,
    ...(chat === null
      ? []
      : [
          {
            name: 'chat',
            label: 'Stop this chat at',
            about: `${spent(chat.spent)} spent${each}`,
            usd: chat.limit,
            most: chat.each,
          } as const,
        ]),
    {
      name: 'day',
      label: 'Stop all chats each day at',
      about: day.spent === null ? 'spent today: unknown' : `${spent(day.spent)} spent today`,
      usd: day.limit,
      most: null,
    },
  ];
}

function spent({ usd, isAtLeast }: SpentView): string {
  return isAtLeast ? `at least ${price(usd)}` : price(usd);
}

function without<T>(map: ReadonlyMap<LimitName, T>, name: LimitName): ReadonlyMap<LimitName, T> {
  return new Map([...map].filter(([other]) => other !== name));
}
