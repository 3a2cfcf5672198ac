/** How long a server asks to wait, in ms; null when it does not say, or nothing that makes sense. */
export function retryAfterMs(headers: Headers): number | null {
  const exact = duration(headers.get('retry-after-ms'), 1);
  if (exact !== null) {
    return exact;
  }
  const text = headers.get('retry-after');
  return duration(text, 1000) ?? untilDate(text, headers.get('date'));
}

function duration(text: string | null, unitMs: number): number | null {
  return text !== null && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Math.round(Number(text) * unitMs) : null;
}

/**
 * The wait is counted by the clock that wrote the date: the server's, as the same answer tells it. Only without it,
 * this computer's own clock is asked; it may be wrong, and then the wait is, but nothing else depends on it.
 */
function untilDate(text: string | null, answered: string | null): number | null {
  const until = dateOf(text);
  return until === null ? null : Math.max(0, until - (dateOf(answered) ?? Date.now()));
}

/** A date is HTTP's only with a name of a day; `Date.parse` would take a number for a year. */
function dateOf(text: string | null): number | null {
  const time = text !== null && /^\s*[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
