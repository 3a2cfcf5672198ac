/** How long a server asks to wait, in ms; null when it does not say, or says something invalid. */
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
 * The time until a date, by the server's clock, which the same answer gives. Without that, by this computer's clock:
 * if that is wrong, so is the wait, but nothing else.
 */
function untilDate(text: string | null, answered: string | null): number | null {
  const until = dateOf(text);
  return until === null ? null : Math.max(0, until - (dateOf(answered) ?? Date.now()));
}

/** Only a date with the name of a day is an HTTP date; `Date.parse` would take a number for a year. */
function dateOf(text: string | null): number | null {
  const time = text !== null && /^\s*[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
