import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { HeaderPairs } from '../../engine/model/httpExchange.js';
import type { Json } from '../../engine/json.js';

/** Returns a request or a response as JSON with comments. The body is the value, everything else is in comments. */
export function page(head: readonly string[], body: string, tail: readonly string[]): string {
  const value = body === '' ? [] : [JSON.stringify(JSON.parse(body), null, 2)];
  return `${[...comments(head), ...value, ...(tail.length === 0 ? [] : ['', ...comments(tail)])].join('\n')}\n`;
}

/** Returns where a request was sent, with its headers. They are recorded when it ends. */
export function requestHead({ end }: Pick<AttemptState, 'end'>): string[] {
  if (end === null) {
    return [];
  }
  const { exchange } = end;
  return exchange === null
    ? ['Loupe did not send it over HTTP.']
    : [`${exchange.method} ${exchange.url}`, ...headerLines(exchange.requestHeaders)];
}

/** Returns the response: status and headers, then the server's error text or the end of the reply. */
export function responseLines({ startedAt, end }: Pick<AttemptState, 'startedAt' | 'end'>): string[] {
  if (end === null) {
    return ['Response: still arriving.'];
  }
  const { outcome, exchange, error, stopReason, finishReason, responseId, rawUsage, providerDiagnosis } = end;
  const response = exchange?.response ?? null;
  const status = response === null ? outcome : `HTTP ${String(response.status)}, ${outcome}`;
  const figures: readonly (readonly [name: string, value: Json])[] = [
    ['error', error === null ? null : [error.message, error.detail ?? ''].join(' ').trim()],
    ['stop reason', finishReason ?? stopReason],
    ['id', responseId],
    ['usage', rawUsage],
    ['diagnosis', providerDiagnosis ?? null],
  ];
  return [
    `Response: ${status}, ended after ${((end.at - startedAt) / 1_000).toLocaleString('en-US')} s.`,
    ...headerLines(response?.headers ?? []),
    ...figures.flatMap(([name, value]) =>
      value === null ? [] : [`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`],
    ),
  ];
}

function headerLines(headers: HeaderPairs): string[] {
  return headers.map(([name, value]) => `  ${name}: ${value}`);
}

/** Makes one-line comments. A line break in a server's text would end the comment. */
function comments(lines: readonly string[]): string[] {
  return lines.map((line) => `// ${line.replace(/[\r\n\u2028\u2029]+\s*/g, ' ')}`);
}
