import type { Client, ElicitRequestURLParams, ElicitResult } from '@modelcontextprotocol/client';
import type { ElicitAnswer } from './elicitation.js';
import { toElicitRequest } from './elicitRequest.js';
import type { OpenCalls } from './openCalls.js';

/** Handles both ways in which a server asks the user: as a separate request, or in place of a result. */
export class ServerQuestions {
  readonly #calls: OpenCalls;
  /** The pages that the user has open, by the server's ids. */
  readonly #pages = new Map<string, AbortController>();

  constructor(client: Client, calls: OpenCalls) {
    this.#calls = calls;
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
      const request = toElicitRequest(params, null);
      return toResult(request === null ? { action: 'decline' } : await calls.ask(request, mcpReq.signal));
    });
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
      this.#pages.get(params.elicitationId)?.abort();
    });
  }

  /** Asks the user to finish pages that a server requires before a call. Returns whether all are finished. */
  async areDone(pages: readonly ElicitRequestURLParams[], signal: AbortSignal): Promise<boolean> {
    for (const page of pages) {
      if (!(await this.#isDone(page, signal))) {
        return false;
      }
    }
    return pages.length > 0;
  }

  async #isDone(page: ElicitRequestURLParams, signal: AbortSignal): Promise<boolean> {
    const finished = new AbortController();
    this.#pages.set(page.elicitationId, finished);
    try {
      const request = toElicitRequest(page, finished.signal);
      return request !== null && (await this.#calls.ask(request, signal)).action === 'accept';
    } finally {
      this.#pages.delete(page.elicitationId);
    }
  }
}

function toResult(answer: ElicitAnswer): ElicitResult {
  if (answer.action !== 'accept') {
    return { action: answer.action };
  }
  const content = Object.entries(answer.content).map(([name, value]) => [name, typeof value === 'object' ? [...value] : value] as const);
  return content.length === 0 ? { action: 'accept' } : { action: 'accept', content: Object.fromEntries(content) };
}
