import { nothing, type TemplateResult } from 'lit';
import { OFF_CHOICES, type ManagerRow, type OffChoice } from '../../../src/protocol/panel/manager.js';
import { MenuElement, type MenuItem } from '../../shared/controls/menu.js';
import { post } from '../../shared/events.js';
import { isPlain } from '../../shared/keys.js';

type OffScope = NonNullable<ManagerRow['off']>;

export interface OffTarget {
  readonly chatId: string;
  /** Key of an item or of a server. */
  readonly key: string;
  /** Where the item is off. Null for an item that is on. */
  readonly off: ManagerRow['off'];
  readonly hasFolder: boolean;
  /** Whether the user can switch the item off in this chat only. */
  readonly hasChat: boolean;
}

const CHOICES: Readonly<Record<OffChoice, { readonly label: string; readonly detail: string }>> = {
  chat: { label: 'Exclude from this chat', detail: 'This chat does not use it, and Loupe does not pick it' },
  folder: { label: 'Exclude in this folder', detail: 'No chat of this folder uses it (setting loupe.includeModes of the folder)' },
  everywhere: { label: 'Never use', detail: 'No chat in any folder uses an item with this name (your setting loupe.includeModes)' },
};

/** A sentence about where an item is off. */
export const OFF_SENTENCES: Readonly<Record<OffScope, string>> = {
  chat: 'Excluded from this chat.',
  folder: 'Excluded in this folder.',
  everywhere: 'Never used.',
  agent: 'Off for the agent of this chat.',
  file: 'Off in its file.',
  formats: 'Off: its rule format is not selected.',
};

/** Whether the user switched the item off, and can switch it on again here. */
export function isSwitchedOff(off: ManagerRow['off']): off is OffChoice {
  return off === 'chat' || off === 'folder' || off === 'everywhere';
}

/** Returns the choices where an item is off, without the present one. The first choice switches it on again. */
export function offItems({ chatId, key, off, hasFolder, hasChat }: OffTarget, from: EventTarget, before: () => void): readonly MenuItem[] {
  const choice = (to: OffChoice | 'on', label: string, detail: string): MenuItem => ({
    ...{ label, detail, note: null },
    onChoose: () => {
      before();
      post(from, { type: 'switchItem', chatId, key, to });
    },
  });
  const isPossible = (to: OffChoice): boolean => to !== off && (to !== 'folder' || hasFolder) && (to !== 'chat' || hasChat);
  return [
    ...(isSwitchedOff(off) ? [choice('on', 'Include again', 'Chats use it again')] : []),
    ...OFF_CHOICES.filter(isPossible).map((to) => choice(to, CHOICES[to].label, CHOICES[to].detail)),
  ];
}

/** Whether a key opens the menu of the element with the focus. */
export function isMenuKey(event: KeyboardEvent): boolean {
  return (event.key === 'ContextMenu' && isPlain(event)) || (event.key === 'F10' && event.shiftKey);
}

/** The menu of a list: one for all its rows or chips. It opens at the element of the row that asked for it. */
export class ListMenuElement extends MenuElement {
  #anchor: HTMLElement | null = null;
  #opener: HTMLElement | null = null;

  constructor() {
    super();
    this.label = '';
    this.icon = '';
    this.items = [];
    this.isDisabled = false;
  }

  /** Opens the menu at `anchor`, or closes it if it is open there. The focus then returns to where it was. */
  openAt(anchor: HTMLElement, label: string, items: readonly MenuItem[]): void {
    const isSame = this.isOpen && this.#anchor === anchor;
    const { activeElement } = document;
    this.#anchor = anchor;
    this.#opener = activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : anchor;
    this.label = label;
    this.items = items;
    if (isSame || !this.isOpen) {
      this.toggle();
    }
  }

  protected override updated(): void {
    this.#anchor?.setAttribute('aria-expanded', String(this.isOpen));
  }

  protected override trigger(): TemplateResult | typeof nothing {
    return nothing;
  }

  protected override anchor(): HTMLElement | null {
    return this.#anchor;
  }

  protected override opener(): HTMLElement | null {
    return this.#opener;
  }
}
