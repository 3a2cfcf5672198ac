import { isPlain, movedTo } from '../../shared/keys.js';

const LINE = '.turn-line > .disclosure';
const ROW = '.step';

/**
 * Handles a key in the steps of a turn. Arrow up and down, Home and End move between the line and the rows. Arrow right
 * opens, and arrow left closes or goes back to the line. Ctrl+Enter shows the exact request of a row.
 */
export function stepKey(event: KeyboardEvent, conversation: Element): void {
  const { target } = event;
  if (!(target instanceof HTMLElement) || !target.matches(`${LINE}, ${ROW}`) || event.isComposing) {
    return;
  }
  if (event.key === 'Enter' && event.ctrlKey) {
    event.preventDefault();
    target.parentElement?.querySelector<HTMLElement>('.step-actions .request > button')?.click();
    return;
  }
  const act = isPlain(event) ? actionOf(event.key, target, conversation) : null;
  if (act !== null) {
    event.preventDefault();
    act();
  }
}

function actionOf(key: string, target: HTMLElement, conversation: Element): (() => void) | null {
  const items = itemsOf(target, conversation);
  if (key === 'ArrowRight' || key === 'ArrowLeft') {
    const opens = target.getAttribute('aria-expanded');
    if (opens === String(key === 'ArrowLeft')) {
      return () => {
        target.click();
      };
    }
    return key === 'ArrowLeft' ? focusing(items[0]) : null;
  }
  const to = items.length < 2 ? null : movedTo(key, items.indexOf(target), items.length);
  return to === null ? null : focusing(items[to]);
}

function focusing(item: HTMLElement | undefined): (() => void) | null {
  return item === undefined
    ? null
    : () => {
        item.focus();
      };
}

/** Returns the line and all rows of the turn, in order. */
function itemsOf(target: HTMLElement, conversation: Element): readonly HTMLElement[] {
  const turn = target.closest<HTMLElement>('[data-turn]')?.dataset['turn'] ?? '';
  const steps = conversation.querySelectorAll(`[data-turn="${CSS.escape(turn)}"]`);
  return [...steps].flatMap((step) => [...step.querySelectorAll<HTMLElement>(`${LINE}, ${ROW}`)]);
}
