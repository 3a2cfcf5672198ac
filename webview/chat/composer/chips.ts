import { type TemplateResult, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ContextChip, ContextTotal } from '../../../src/protocol/panel/composer.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { iconButton } from '../../shared/controls/buttons.js';
import type { MenuItem } from '../../shared/controls/menu.js';
import { announce, post, posting } from '../../shared/events.js';
import { fileIcon, icon } from '../../shared/controls/icon.js';
import { revealHidden } from '../../shared/hidden.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { shortTokens, tokens } from '../../shared/numbers.js';
import { type SplitPath, splitPaths } from '../../shared/paths.js';
import { RovingFocus } from '../../shared/controls/rovingFocus.js';
import { visibleText } from '../../shared/visibleText.js';
import { openManager } from '../rows/opening.js';
import { isMenuKey, offItems } from '../rows/offMenu.js';
import { chipsLine, itemsLine, type ItemsLineOptions, toolsLabel } from './itemsLine.js';

/** A short text for each warning. The tooltip of the chip shows the whole sentence. */
const WARNINGS = {
  changed: 'changed',
  deleted: 'deleted',
  missing: 'missing',
  refused: 'not sent',
  twice: 'sent twice',
  cut: 'cut',
  leaving: 'still sent',
  unread: 'not read yet',
} as const;

/**
 * Shows the items of this chat in one line, which unfolds to chips. All chips together are one tab stop. A click on a
 * chip opens the item of the chip. A click on the chip of a folder shows a chip for each file. Delete removes an item.
 */
export class ChipsElement extends LightElement {
  static override properties = reactive(['chips', 'total', 'options', 'hasFolder', 'onEmpty'], []);
  declare chips: readonly ContextChip[];
  declare total: ContextTotal;
  declare options: ChipsOptions;
  /** Whether a folder is open, so that an item can be off in this folder. */
  declare hasFolder: boolean;
  /** Called when the user removed the focused chip and no other chip can take the focus. */
  declare onEmpty: () => void;
  readonly #roving = new RovingFocus(() => [...this.querySelectorAll<HTMLElement>('.chip-open')]);

  protected override render(): TemplateResult {
    const { chips, total, options } = this;
    const { isUnfolded } = options;
    const hasTools = total.tools === 0 ? total.toolsNotOffered > 0 : isUnfolded;
    // A problem stays in sight.
    const visible = isUnfolded ? chips : chips.filter(({ warning }) => warning !== null);
    const line = chipsLine(chips, total, options);
    const list = visible.length === 0 && !hasTools ? nothing : this.#list(visible, hasTools);
    return html`${itemsLine(total, options)} ${line === nothing && list === nothing ? nothing : html`<div class="chips-area">${line} ${list}</div>`}`;
  }

  #list(chips: readonly ContextChip[], hasTools: boolean): TemplateResult {
    const paths = splitPaths(chips.map((chip) => chip.name));
    return html`<ul class="chips" aria-label="Items of this chat" @keydown=${this.#keyed} @focusin=${this.#focused} @contextmenu=${this.#asksForMenu}>
      ${repeat(
        chips,
        (chip) => chip.key,
        (chip, index) => this.#chip(chip, paths[index] ?? { lead: '', tail: chip.name }),
      )}
      ${hasTools ? this.#tools() : nothing}
    </ul>
    <loupe-list-menu></loupe-list-menu>`;
  }

  protected override updated(): void {
    this.#roving.refresh('first');
  }

  #chip(chip: ContextChip, path: SplitPath): TemplateResult {
    const { files } = chip;
    const name = revealHidden(chip.name);
    return html`<li class="chip ${chip.warning?.kind ?? ''}">
      ${files === null ? this.#file(chip, path) : folder({ ...chip, files }, this.options)}
      ${iconButton({
        label: files === null ? `Remove ${name}` : `Remove ${name} (${filesOf(files)})`,
        icon: 'close',
        shortcut: 'Delete',
        onClick: () => {
          this.#remove(chip);
        },
      })}
    </li>`;
  }

  /** Shows one chip for all tools, because a chat can have dozens of tools. */
  #tools(): TemplateResult {
    const { tools, toolsNotOffered } = this.total;
    const isOffered = tools > 0;
    const isPartial = isOffered && toolsNotOffered > 0;
    const label = toolsLabel(this.total);
    const accepted = isPartial ? 'in the next request, because the model does not accept the others' : 'in the next request';
    const where = isOffered ? accepted : 'not offered, because the model accepts no tools';
    return html`<li class="chip tools">
      <button type="button" class="chip-open" title="${label} ${where}. Manage them." @click=${this.#manageTools}>
        ${icon('tools')}<span class="chip-name">${label}</span>
        ${isOffered ? nothing : html`<span class="chip-warning">not offered</span>`}
      </button>
    </li>`;
  }

  #file(chip: ContextChip, path: SplitPath): TemplateResult {
    const warning = chip.warning === null ? '' : `: ${revealHidden(chip.warning.text)}`;
    return html`<button
      type="button"
      class="chip-open"
      title="${revealHidden(chip.name)}${warning}"
      data-key=${chip.key}
      aria-keyshortcuts="Delete"
      aria-haspopup=${hasMenu(chip) ? 'menu' : nothing}
      aria-expanded=${hasMenu(chip) ? 'false' : nothing}
      @click=${hasMenu(chip) ? this.#asksForMenu : posting(this.#open(chip))}
    >
      ${icon(chipIcon(chip))}
      <span class="chip-name"><span class="sr-only">${visibleText(path.lead)}</span>${visibleText(path.tail)}</span>
      ${chip.warning === null ? nothing : html`<span class="chip-warning">${WARNINGS[chip.warning.kind]}</span>`}
      ${chip.tokens === null ? nothing : html`<span class="figures">${shortTokens(chip.tokens)}</span>`}
    </button>`;
  }

  #open({ key }: ContextChip): ToHost {
    return { type: 'openContextItem', chatId: this.options.chatId, key };
  }

  /** Opens the menu of a rule, reference or skill: chooses where it is off, or opens its file. */
  readonly #asksForMenu = (event: Event): void => {
    const button = event.target instanceof Element ? event.target.closest('.chip')?.querySelector<HTMLElement>('.chip-open') : null;
    const chip = this.chips.find(({ key }) => button?.dataset['key'] === key);
    if (button === null || button === undefined || chip === undefined || !hasMenu(chip)) {
      return;
    }
    event.preventDefault();
    const { key, name } = chip;
    const target = { chatId: this.options.chatId, key, off: null, hasFolder: this.hasFolder, hasChat: true };
    const open: MenuItem = {
      ...{ label: `Open ${revealHidden(name)}`, detail: 'Opens the file of this item', note: null },
      onChoose: () => {
        post(this, this.#open(chip));
      },
    };
    const leave = (): void => {
      this.#leave(chip);
    };
    this.querySelector('loupe-list-menu')?.openAt(button, revealHidden(name), [...offItems(target, this, leave), open]);
  };

  readonly #manageTools = (): void => {
    openManager(this, 'tool');
  };

  /** Moves the focus to the next chip, because this chip disappears. */
  #leave({ key }: ContextChip): void {
    const chip = this.querySelector(`.chip-open[data-key="${CSS.escape(key)}"]`);
    if (chip?.parentElement?.contains(document.activeElement) === true) {
      const next = this.#roving.neighbour(chip);
      if (next === null) {
        this.onEmpty();
      } else {
        next.focus();
      }
    }
  }

  /** Removes an item. Its chip disappears when the host replies. */
  #remove(chip: ContextChip): void {
    const { key, name } = chip;
    this.#leave(chip);
    post(this, { type: 'removeContext', chatId: this.options.chatId, key });
    announce(this, `Removing ${revealHidden(name)}`);
  }

  readonly #focused = ({ target }: FocusEvent): void => {
    this.#roving.focused(target);
  };

  readonly #keyed = (event: KeyboardEvent): void => {
    if (isMenuKey(event)) {
      this.#asksForMenu(event);
      return;
    }
    const next = this.#roving.next(event);
    const chip = this.chips.find(({ key }) => event.target instanceof HTMLElement && event.target.dataset['key'] === key);
    if (next !== null) {
      event.preventDefault();
      next.focus();
    } else if (chip !== undefined && (event.key === 'Delete' || event.key === 'Backspace')) {
      event.preventDefault();
      this.#remove(chip);
    }
  };
}

/** Whether the item of a chip can be off in more than this chat. */
function hasMenu({ key, files, warning }: ContextChip): boolean {
  return files === null && warning?.kind !== 'leaving' && /^(?:rule|reference|skill):/.test(key);
}

/** Returns the icon of a chip. An item that the user removed, but that is still sent, gets a history icon. */
function chipIcon({ key, name, warning }: ContextChip): ReturnType<typeof fileIcon> {
  if (warning !== null) {
    return warning.kind === 'leaving' ? 'history' : 'warning';
  }
  if (key.startsWith('page:')) {
    return 'globe';
  }
  return key.startsWith('rule:') ? 'law' : /^(?:reference|resource):/.test(key) ? 'book' : fileIcon(name);
}

function filesOf(count: number): string {
  return `${tokens(count)} files`;
}

function folder(chip: ContextChip & { readonly files: number }, { onToggle }: ChipsOptions): TemplateResult {
  const files = filesOf(chip.files);
  return html`<button
    type="button"
    class="chip-open"
    title="${revealHidden(chip.name)}: ${files}"
    data-key=${chip.key}
    aria-expanded="false"
    aria-keyshortcuts="Delete"
    @click=${onToggle}
  >
    ${icon('folder')}
    <span class="chip-name">${visibleText(chip.name)}</span>
    <span class="figures">${files} · ${shortTokens(chip.tokens ?? 0)}</span>
  </button>`;
}

interface ChipsOptions extends ItemsLineOptions {
  readonly chatId: string;
}
