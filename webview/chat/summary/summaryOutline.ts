import { type TemplateResult, html, nothing } from 'lit';
import type { OutlineFold, OutlineRow, SummaryPlanView } from '../../../src/protocol/panel/compaction.js';
import { iconButton } from '../../shared/controls/buttons.js';
import { post, posting } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import { counted, tokens } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';

const ROLES: Readonly<Record<OutlineRow['role'], string>> = { user: 'You', assistant: 'Assistant', 'tool-results': 'Tools' };

interface OutlineScope {
  readonly chatId: string;
  /** Whether the user can no longer change the range, because the model is writing or has written the summary. */
  readonly isFixed: boolean;
}

/** Lists the messages to summarize and the messages to keep. The user sets the range and the pins here. */
export function summaryOutline(plan: SummaryPlanView, scope: OutlineScope): TemplateResult {
  const { earlier, later, rows } = plan;
  const at = rows.findIndex(({ id }) => id === plan.upTo) + 1;
  return html`<div class="summary-draft-head">
      <h3>To summarize</h3>
      <span class="figures">${tokens(plan.messages)} of ${counted(plan.of, 'message')}</span>
    </div>
    <ul class="summary-rows" aria-label="To summarize">
      ${plan.earlierSummary === null ? nothing : line('Earlier summary', plan.earlierSummary)}
      ${earlier.messages === 0 ? nothing : foldHead('earlier', earlier, scope)} ${more(earlier, true)} ${foldRows(earlier, scope)}
      ${rows.slice(0, at).map((each) => row(each, scope))} ${cut(plan, scope)} ${rows.slice(at).map((each) => row(each, scope))}
      ${later.messages === 0 ? nothing : foldHead('later', later, scope)} ${foldRows(later, scope)} ${more(later, false)}
    </ul>`;
}

function line(text: string, size: number): TemplateResult {
  return html`<li class="summary-row goes"><span class="summary-row-text">${text}</span><span class="figures">${tokens(size)}</span></li>`;
}

/** The head of folded messages above or below the visible rows. The left and right arrow keys also fold messages. */
function foldHead(part: 'earlier' | 'later', { messages, tokens: size, rows }: OutlineFold, { chatId }: OutlineScope): TemplateResult {
  const isOpen = rows !== null;
  const label = part === 'earlier' ? counted(messages, 'earlier message') : `${counted(messages, 'later message')} stay`;
  const open = ({ currentTarget }: Event, wanted: boolean): void => {
    if (currentTarget !== null && wanted !== isOpen) {
      post(currentTarget, { type: 'openSummaryRows', chatId, part, isOpen: wanted });
    }
  };
  return html`<li class="summary-row ${part === 'earlier' ? 'goes' : ''}">
    <button
      type="button"
      class="disclosure summary-row-text"
      aria-expanded=${isOpen}
      @click=${(event: Event) => {
        open(event, !isOpen);
      }}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
          event.preventDefault();
          open(event, event.key === 'ArrowRight');
        }
      }}
    >
      ${icon(isOpen ? 'chevron-down' : 'chevron-right')}<span class="disclosure-label">${label}</span>
    </button>
    <span class="figures">${tokens(size)}</span>
  </li>`;
}

function foldRows({ rows }: OutlineFold, scope: OutlineScope): TemplateResult[] {
  return (rows ?? []).map((each) => row(each, scope));
}

/** Says how many messages of an open fold are not in the list. */
function more({ messages, rows }: OutlineFold, goes: boolean): TemplateResult | typeof nothing {
  const left = rows === null ? 0 : messages - rows.length;
  return left === 0
    ? nothing
    : html`<li class="summary-row ${goes ? 'goes' : ''}"><span class="summary-row-text">${tokens(left)} more</span></li>`;
}

function row(
  { id, role, text, tokens: size, isPinned, isReplaced, endsTurn }: OutlineRow,
  { chatId, isFixed }: OutlineScope,
): TemplateResult {
  return html`<li class="summary-row ${isReplaced ? 'goes' : ''}" data-cut=${endsTurn ? id : nothing}>
    <span class="summary-row-role">${ROLES[role]}</span>
    <span class="summary-row-text">${visibleText(text)}</span>
    <span class="figures">${tokens(size)}</span>
    ${
      role === 'tool-results'
        ? nothing
        : iconButton({
            label: isPinned ? 'Unpin' : 'Pin',
            icon: isPinned ? 'pinned' : 'pin',
            pressed: isPinned,
            disabled: isFixed,
            onClick: posting({ type: isPinned ? 'unpin' : 'pin', chatId, messageId: id }),
          })
    }
  </li>`;
}

/** The line at the end of the range to summarize. Arrow buttons, arrow keys and dragging move the line by turns. */
function cut({ messages, of, shorter, longer }: SummaryPlanView, { chatId, isFixed }: OutlineScope): TemplateResult {
  const move = (from: EventTarget | null, upTo: string | null): void => {
    if (from !== null && upTo !== null && !isFixed) {
      post(from, { type: 'planSummary', chatId, upTo });
    }
  };
  return html`<li
    class="summary-cut ${isFixed ? '' : 'movable'}"
    @pointerdown=${(event: PointerEvent) => {
      const { currentTarget: line, target, button: pressed } = event;
      if (!isFixed && pressed === 0 && line instanceof HTMLElement && target instanceof Element && target.closest('button') === null) {
        dragCut(line, event, (to) => {
          move(line, to);
        });
      }
    }}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
        event.preventDefault();
        move(event.currentTarget, event.key === 'ArrowUp' ? shorter : longer);
      }
    }}
  >
    <span
      class="summary-row-text"
      role="slider"
      tabindex="0"
      aria-label="Up to here"
      aria-orientation="vertical"
      aria-valuemin="0"
      aria-valuemax=${of}
      aria-valuenow=${messages}
      aria-valuetext=${`${tokens(messages)} of ${counted(of, 'message')}`}
      aria-disabled=${isFixed}
      >up to here</span
    >
    ${iconButton({
      label: 'One turn less',
      icon: 'arrow-up',
      disabled: isFixed || shorter === null,
      onClick: ({ currentTarget }) => {
        move(currentTarget, shorter);
      },
    })}
    ${iconButton({
      label: 'One turn more',
      icon: 'arrow-down',
      disabled: isFixed || longer === null,
      onClick: ({ currentTarget }) => {
        move(currentTarget, longer);
      },
    })}
  </li>`;
}

/*
 * Lets the user drag the line at which a summary ends. The line snaps to the ends of turns: rows with the attribute
 * `data-cut`, the id of the last message to summarize.
 */

/** A possible position of the line: `upTo`, the message above, and the distance to move in CSS pixels. */
interface CutPlace {
  readonly upTo: string;
  readonly offset: number;
}

/** Returns the position nearest to the pointer after a move of `offset` pixels. Null for the current position. */
export function nearestCut(places: readonly CutPlace[], offset: number): CutPlace | null {
  const distance = (place: CutPlace | null): number => Math.abs((place?.offset ?? 0) - offset);
  return places.reduce<CutPlace | null>((nearest, place) => (distance(place) < distance(nearest) ? place : nearest), null);
}

/** Drags `line`. Calls `onDrop` with the message above the new position, if the line has moved. */
function dragCut(line: HTMLElement, { pointerId, clientY: begin }: PointerEvent, onDrop: (upTo: string) => void): void {
  const places = placesAround(line);
  let target: CutPlace | null = null;
  const dragging = new AbortController();
  const { signal } = dragging;
  const end = (): void => {
    dragging.abort();
    line.style.translate = '';
  };
  line.setPointerCapture(pointerId);
  line.addEventListener(
    'pointermove',
    ({ clientY }) => {
      target = nearestCut(places, clientY - begin);
      line.style.translate = `0 ${String(target?.offset ?? 0)}px`;
    },
    { signal },
  );
  line.addEventListener(
    'pointerup',
    () => {
      end();
      if (target !== null) {
        onDrop(target.upTo);
      }
    },
    { signal },
  );
  line.addEventListener('lostpointercapture', end, { signal });
}

/**
 * Returns all positions of the line. Measures positions below from the bottom edge of the line, because the rows below
 * move up when the line moves down.
 */
function placesAround(line: HTMLElement): readonly CutPlace[] {
  const { top, bottom } = line.getBoundingClientRect();
  return [...(line.parentElement?.querySelectorAll<HTMLElement>('[data-cut]') ?? [])].map((row) => {
    const edge = row.getBoundingClientRect().bottom;
    return { upTo: row.dataset['cut'] ?? '', offset: edge <= top ? edge - top : edge - bottom };
  });
}
