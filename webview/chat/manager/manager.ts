import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import {
  MANAGED_TYPES,
  MOST_OPEN_SERVERS,
  type ManagedSections,
  type ManagedType,
  type ManagerSection,
  type ManagerView,
  type ToolSection,
  type ChatTexts,
  type ItemProofView,
} from '../../../src/protocol/panel/manager.js';
import type { AllowedToolsView } from '../../../src/protocol/panel/toolCalls.js';
import type { ChatView } from '../../../src/protocol/panel/view.js';
import { disclosure, iconButton } from '../../shared/controls/buttons.js';
import { textField } from '../../shared/controls/controls.js';
import type { Disclosures } from '../../shared/controls/disclosures.js';
import { posting } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { counted, tokens } from '../../shared/numbers.js';
import { RovingFocus } from '../../shared/controls/rovingFocus.js';
import { skeletonRows } from '../../shared/controls/skeleton.js';
import { agentButton } from '../settings/chooserButtons.js';
import { matchingApprovals } from './allowedTools.js';
import { LongSections } from './longSections.js';
import { managerRow, type MenuRow } from './managerRow.js';
import { configurations, managerTools } from './managerTools.js';
import { isMenuKey, offItems } from '../rows/offMenu.js';
import { type GrowingType, SECTIONS } from './sections.js';
import { restrictedNotice } from '../notices/banners.js';

const REPOSITORY_TITLE = 'Repository map';

/** The pane that lists all content that the chat's requests contain or could contain, each item with a check box. */
export class ManagerElement extends LightElement {
  static override properties = reactive(
    ['chat', 'hasFolder', 'manager', 'texts', 'allowedTools', 'itemProof', 'costPerToken', 'disclosures', 'onShow', 'onClose'],
    ['search', 'proofOf', 'wanted'],
  );
  declare chat: ChatView;
  /** Whether a folder is open, so that an item can be off in this folder. */
  declare hasFolder: boolean;
  /** The content of the pane. Null until the host sends the content. */
  declare manager: ManagerView | null;
  /** The session files and custom fragments of the chat. Null until the host sends them. */
  declare texts: ChatTexts | null;
  /** What the user allowed. Null until the host has read it. */
  declare allowedTools: AllowedToolsView | null;
  /** The requests that contained the item of the open row. Null without an open row, and while these requests load. */
  declare itemProof: ItemProofView | null;
  /** Price of a token of the next request in US dollars. Null when unknown. */
  declare costPerToken: number | null;
  declare disclosures: Disclosures;
  /** Called with the visible sections while the pane is open, and with null when the pane closes. */
  declare onShow: (sections: ManagedSections | null) => void;
  declare onClose: () => void;
  declare private search: string;
  /** The key of the row that shows its requests. Null without such a row. */
  declare private proofOf: string | null;
  /** The section to show once the pane has its content. Null without such a section. */
  declare private wanted: ManagedType | null;
  readonly #long = new LongSections(() => {
    this.#show();
  });
  readonly #roving = new RovingFocus(() => [...this.querySelectorAll<HTMLElement>('.manager-row input')]);

  constructor() {
    super();
    this.search = '';
    this.proofOf = null;
    this.wanted = null;
  }

  /** Opens a section, scrolls to it and moves the focus there. */
  showSection(type: ManagedType): void {
    this.wanted = type;
    if (!this.#isOpen(type)) {
      this.disclosures.toggle(closedName(type));
      this.#show();
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.onShow(null);
  }

  protected override firstUpdated(): void {
    this.#show();
    this.querySelector<HTMLElement>('vscode-text-field')?.focus();
  }

  protected override updated(_changed: PropertyValues<this>): void {
    this.#roving.refresh('first');
    this.#refreshModes();
    this.#showWanted();
    this.#long.focusNew();
  }

  #showWanted(): void {
    const head = this.querySelector<HTMLElement>(`.manager-section[data-type="${this.wanted ?? ''}"] .disclosure`);
    if (head !== null) {
      this.wanted = null;
      head.scrollIntoView({ block: 'start' });
      head.focus({ preventScroll: true });
    }
  }

  /** Updates the tab stops: Tab moves from a row's check box to the row's include mode, then to the next section. */
  #refreshModes(): void {
    for (const row of this.querySelectorAll<HTMLElement>('.manager-row')) {
      const isCurrent = row.querySelector<HTMLElement>('input')?.tabIndex === 0;
      row.querySelector<HTMLElement>('select')?.setAttribute('tabindex', isCurrent ? '0' : '-1');
    }
  }

  protected override render(): TemplateResult {
    const { manager } = this;
    return html`<section class="pane manager" role="region" aria-label="Context of this chat">
      <div class="pane-head">
        <h2>Context of this chat</h2>
        ${iconButton({ label: 'Close', icon: 'close', onClick: this.onClose })}
      </div>
      <div class="pane-body">
        ${textField({
          label: 'Search rules, skills, tools',
          value: this.search,
          placeholder: 'Search rules, skills, tools',
          disabled: false,
          onInput: (text) => {
            this.search = text;
            this.#show();
          },
          onCommit: () => undefined,
        })}
        ${manager === null ? skeletonRows() : this.#content(manager)}
        <loupe-list-menu></loupe-list-menu>
      </div>
    </section>`;
  }

  #content(manager: ManagerView): TemplateResult {
    const hasItems = manager.tools.servers.length > 0 || manager.sections.some(({ rows }) => rows.length > 0);
    const hasApprovals = this.allowedTools !== null && matchingApprovals(this.allowedTools, this.search).length > 0;
    const isNone = this.search.trim() !== '' && !hasItems && !hasApprovals;
    return html`<p class="manager-total figures">
        <span>${counted(manager.items, 'item')} in the next request</span><span>${tokens(manager.tokens)} tokens</span>
      </p>
      ${manager.isRestricted ? restrictedNotice() : nothing}
      <div class="manager-agent"><span aria-hidden="true">Agent</span>${agentButton(this.chat)}</div>
      ${isNone ? html`<p class="none" role="status">Nothing matches</p>` : MANAGED_TYPES.map((type) => this.#sectionOf(type, manager))}
      ${this.#allowed()}
      ${this.texts === null ? nothing : html`<loupe-chat-texts .chat=${this.chat} .texts=${this.texts} .search=${this.search}></loupe-chat-texts>`}`;
  }

  #allowed(): TemplateResult {
    return html`<loupe-allowed-tools
      .chatId=${this.chat.id}
      .allowed=${this.allowedTools}
      .search=${this.search}
      .isOpen=${!this.disclosures.isOpen(CLOSED_ALLOWED)}
      .onToggle=${() => {
        this.disclosures.toggle(CLOSED_ALLOWED);
        this.requestUpdate();
      }}
    ></loupe-allowed-tools>`;
  }

  #sectionOf(type: ManagedType, { sections, tools }: ManagerView): TemplateResult | typeof nothing {
    if (type === 'tool') {
      return this.#section({ ...tools, type }, tools.servers.length === 0, () => this.#tools(tools));
    }
    const section = sections.find((each) => each.type === type);
    return section === undefined ? nothing : this.#section(section, section.rows.length === 0, () => this.#rows(section));
  }

  #section(
    { type, held, total, tokens: size }: Pick<ManagerSection, 'held' | 'total' | 'tokens'> & { readonly type: ManagedType },
    isEmpty: boolean,
    content: () => TemplateResult,
  ): TemplateResult | typeof nothing {
    const title = type === 'repository' ? REPOSITORY_TITLE : SECTIONS[type].title;
    const isSearching = this.search.trim() !== '';
    if (isSearching && isEmpty) {
      return nothing;
    }
    const count = isFromUser(type) ? tokens(total) : `${tokens(held)} of ${tokens(total)}`;
    const isOpen = isSearching || this.#isOpen(type);
    return html`<div class="manager-section" data-type=${type} role="group" aria-label="${title} (${count})">
      <div class="manager-head">
        ${disclosure(html`<span class="manager-title">${title}</span> <span class="figures">${count}</span>`, isOpen, () => {
          this.disclosures.toggle(closedName(type));
          this.#show();
          this.requestUpdate();
        })}
        ${type !== 'repository' && this.#canAdd(type) ? iconButton({ label: SECTIONS[type].add, icon: 'add', onClick: this.#add(type) }) : nothing}
        <span class="figures item-tokens">${tokens(size)}</span>
      </div>
      ${isOpen ? content() : nothing}
    </div>`;
  }

  #rows({ type, rows, more, total }: ManagerSection): TemplateResult {
    if (total === 0 && type !== 'repository') {
      const isUnread = !isFromUser(type) && this.manager?.isRestricted === true;
      return html`<p class="none">${isUnread ? `In Restricted Mode, Loupe reads no ${SECTIONS[type].title.toLowerCase()}.` : SECTIONS[type].none}</p>`;
    }
    const { id: chatId, readOnly } = this.chat;
    const proof = { key: this.proofOf, view: this.itemProof, toggle: this.#toggleProof };
    return html`<ul @keydown=${this.#keyed} @focusin=${this.#focused} @contextmenu=${this.#asksForMenu}>
        ${repeat(
          rows,
          ({ key }) => key,
          (row) =>
            managerRow(row, {
              type,
              chatId,
              agent: this.manager?.agent ?? null,
              canChange: this.manager?.isRestricted === false,
              isLocked: readOnly !== null,
              // Records of requests do not name the folders of the map.
              requests: type === 'repository' ? 0 : (this.manager?.requests ?? 0),
              proof,
              costPerToken: this.costPerToken,
              openMenu: this.#openMenu,
              blur: this.#leave,
            }),
        )}
      </ul>
      ${more === 0 ? nothing : html`<div class="manager-more">${this.#long.button(type, more)}</div>`}`;
  }

  #tools(tools: ToolSection): TemplateResult {
    if (this.manager?.isRestricted === true) {
      return html`<p class="none">No tool runs in Restricted Mode.</p>`;
    }
    const { id: chatId, readOnly } = this.chat;
    const none = tools.servers.length === 0 ? SECTIONS.tool.none : 'You have no MCP server yet.';
    const isConfigured = tools.servers.some(({ hasLog }) => hasLog) || tools.mistakes.length > 0 || this.search.trim() !== '';
    return html`<ul @keydown=${this.#keyed} @focusin=${this.#focused} @contextmenu=${this.#asksForMenu}>
        ${managerTools(tools, {
          chatId,
          agent: this.manager?.agent ?? null,
          isLocked: readOnly !== null,
          costPerToken: this.costPerToken,
          toggle: this.#toggleServer,
          more: this.#long.button,
          openMenu: this.#openMenu,
        })}
      </ul>
      ${isConfigured ? nothing : html`<p class="none">${none} Loupe reads MCP servers from ${configurations()}.</p>`}`;
  }

  #canAdd(type: GrowingType): boolean {
    return this.chat.readOnly === null && (isFromUser(type) || this.manager?.isRestricted === false);
  }

  #add(type: GrowingType): (event: Event) => void {
    const chatId = this.chat.id;
    switch (type) {
      case 'file':
        return posting({ type: 'addFiles', chatId });
      case 'page':
        return posting({ type: 'addPage', chatId, address: null });
      case 'tool':
        return posting({ type: 'configureServers', of: 'folder' });
      default:
        return posting({ type: 'newCatalogFile', kind: type });
    }
  }

  #isOpen(type: ManagedType): boolean {
    return !this.disclosures.isOpen(closedName(type));
  }

  #show(): void {
    const open = MANAGED_TYPES.filter((type) => this.#isOpen(type));
    const servers = this.disclosures.openBelow(OPEN_SERVER).slice(-MOST_OPEN_SERVERS);
    this.onShow({ search: this.search, open, servers, proof: this.proofOf, rows: this.#long.rows });
  }

  readonly #toggleServer = (name: string): void => {
    this.disclosures.toggle(OPEN_SERVER + name);
    this.#show();
  };

  readonly #toggleProof = (key: string): void => {
    this.proofOf = this.proofOf === key ? null : key;
    this.#show();
  };

  /** Moves the focus to the next or previous row, because the row of `box` disappears. */
  readonly #leave = (box: EventTarget | null): void => {
    this.#roving.neighbour(box)?.focus();
  };

  readonly #focused = (event: FocusEvent): void => {
    this.#roving.focused(event.target);
    this.#refreshModes();
  };

  readonly #openMenu = (button: HTMLElement, { key, name, off, isEmpty }: MenuRow): void => {
    const { id: chatId, readOnly } = this.chat;
    const target = { chatId, key, off, hasFolder: this.hasFolder, hasChat: readOnly === null && !isEmpty };
    const items = offItems(target, this, () => undefined);
    this.querySelector('loupe-list-menu')?.openAt(button, `Where to use ${revealHidden(name)}`, items);
  };

  /** Opens the menu of the row of an event, if the row has one. */
  readonly #asksForMenu = (event: Event): void => {
    const row = event.target instanceof Element ? event.target.closest('.manager-row') : null;
    const button = row?.querySelector<HTMLElement>('.manager-menu-button button') ?? null;
    if (button !== null) {
      event.preventDefault();
      button.click();
    }
  };

  readonly #keyed = (event: KeyboardEvent): void => {
    if (isMenuKey(event)) {
      this.#asksForMenu(event);
      return;
    }
    const next = this.#roving.next(event);
    if (next !== null) {
      event.preventDefault();
      next.focus();
    }
  };
}

/** Whether only the user adds items of this type. They come from no catalog. */
function isFromUser(type: ManagedType): boolean {
  return type === 'file' || type === 'page';
}

/** Prefix of the stored names of open servers. Servers are closed by default. */
const OPEN_SERVER = 'manager-server:';

/** The stored name of the closed section *Allowed tools*. */
const CLOSED_ALLOWED = 'manager-closed:allowed-tools';

/** Returns the stored name of a closed section. Sections are open by default. */
function closedName(type: ManagedType): string {
  return `manager-closed:${type}`;
}
