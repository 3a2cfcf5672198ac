/** Returns the wait that a server asks for, in ms. Null when missing or invalid. */
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

/** Returns the time until a date, by the clock of the server's response, otherwise by this computer's clock. */
function untilDate(text: string | null, answered: string | null): number | null {
  const until = dateOf(text);
  return until === null ? null : Math.max(0, until - (dateOf(answered) ?? Date.now()));
}

/** An HTTP date starts with the name of a day. `Date.parse` would read a number as a year. */
function dateOf(text: string | null): number | null {
  const time = text !== null && /^\s*[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
