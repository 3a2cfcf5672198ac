import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { HeaderPairs } from '../../engine/model/exchange.js';
import type { Json } from '../../engine/json.js';

/** A request or a response as JSON with comments: its body is the value, everything else stands in comments. */
export function page(head: readonly string[], body: string, tail: readonly string[]): string {
  const value = body === '' ? [] : [JSON.stringify(JSON.parse(body), null, 2)];
  return `${[...comments(head), ...value, ...(tail.length === 0 ? [] : ['', ...comments(tail)])].join('\n')}\n`;
}

/** Where a request went, and its headers. They are recorded with its end. */
export function requestHead({ end }: Pick<AttemptState, 'end'>): string[] {
  if (end === null) {
    return [];
  }
  const { exchange } = end;
  return exchange === null
    ? ['Loupe did not send it over HTTP.']
    : [`${exchange.method} ${exchange.url}`, ...headerLines(exchange.requestHeaders)];
}

/** What came back: status and headers, then the server's words on a failure, or the end of the reply. */
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

/** One line each: a line break in a server's words would end the comment. */
function comments(lines: readonly string[]): string[] {
  return lines.map((line) => `// ${line.replace(/[\r\n\u2028\u2029]+\s*/g, ' ')}`);
}
