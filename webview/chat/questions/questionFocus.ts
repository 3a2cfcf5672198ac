/** Focuses the first question that waits for an answer, none of its buttons. Returns what screen readers announce. */
export function focusQuestion(panel: ParentNode): string {
  const question = panel.querySelector<HTMLElement>('.tool-question, .spend-question');
  question?.focus();
  return question === null ? 'No question waits for an answer' : '';
}

/**
 * Call this before the panel renders. If a question about a tool has the focus and disappears, focuses the next
 * question, otherwise calls `focusComposer`. Focuses no button of a question, so that a held Enter does not answer it.
 */
export function keepQuestionFocus(panel: ParentNode, focusComposer: () => void): void {
  const focused = document.activeElement?.closest('.tool-question') ?? null;
  if (focused === null) {
    return;
  }
  // Waits for the rendering of the entries.
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) {
      const next = panel.querySelector<HTMLElement>('.tool-question');
      if (next === null) {
        focusComposer();
      } else {
        next.focus();
      }
    }
  });
}
