/** Sends requests with plain `fetch`, without an SDK. */

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

export function postMessages(url: string, body: object, headers: Record<string, string>): Promise<Answered> {
  return post(`${url}/v1/messages`, body, { 'anthropic-version': '2023-06-01', ...headers });
}

export function postChat(url: string, body: object, headers: Record<string, string>): Promise<Answered> {
  return post(`${url}/v1/chat/completions`, body, headers);
}

export async function post(address: string, body: object | string, headers: Record<string, string>): Promise<Answered> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return answered(await fetch(address, { method: 'POST', body: text, headers: { 'content-type': 'application/json', ...headers } }));
}

async function answered(response: Response): Promise<Answered> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: response.status, headers: response.headers, text, json: isJson ? (JSON.parse(text) as unknown) : undefined };
}

/** The data of a stream's events, without `[DONE]`. */
export function eventData(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map((line) => JSON.parse(line.slice('data: '.length)) as unknown);
}
