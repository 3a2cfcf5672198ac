import { html, type TemplateResult } from 'lit';
import { MOST_MANAGED } from '../../../src/protocol/panel/manager.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { tokens } from '../../shared/numbers.js';

/** Rows that one press adds. More rows at once would make each later change of the pane slow. */
const MORE_ROWS = 500;

interface Growth {
  readonly section: Element;
  readonly before: ReadonlySet<Element>;
}

/** The sections and servers with more rows than at first, because the user asked for them. */
export class LongSections {
  #rows: Readonly<Record<string, number>> = {};
  /** The section whose new rows are on their way. Null without such a section. */
  #growth: Growth | null = null;
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The maximum rows by type of the section or key of the server. */
  get rows(): Readonly<Record<string, number>> {
    return this.#rows;
  }

  /** The button that shows more rows of a section or server. `more`: the number of rows that are not shown. */
  readonly button = (key: string, more: number): TemplateResult => {
    const added = Math.min(more, MORE_ROWS);
    const press = ({ currentTarget }: Event): void => {
      const section = currentTarget instanceof Element ? currentTarget.closest('.manager-section') : null;
      this.#growth = section === null ? null : { section, before: new Set(section.querySelectorAll('.manager-row')) };
      this.#rows = { ...this.#rows, [key]: (this.#rows[key] ?? MOST_MANAGED) + MORE_ROWS };
      this.#onChange();
    };
    return linkButton(html`Show ${tokens(added)}${added === more ? '' : ` of ${tokens(more)}`} more`, press);
  };

  /** Moves the focus to the first new row, unless the user has moved the focus out of the section meanwhile. */
  focusNew(): void {
    const { section, before } = this.#growth ?? { section: null, before: null };
    const row = [...(section?.querySelectorAll('.manager-row') ?? [])].find((each) => before?.has(each) !== true);
    if (row === undefined) {
      return;
    }
    this.#growth = null;
    const { activeElement } = document;
    if (activeElement === document.body || section?.contains(activeElement) === true) {
      row.querySelector('input')?.focus();
    }
  }
}
