import type {
  Client,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  PrimitiveSchemaDefinition,
} from '@modelcontextprotocol/client';
import type { ElicitAnswer, ElicitChoice, ElicitField, ElicitRequest } from './elicitation.js';
import type { OpenCalls } from './openCalls.js';

/** Handles a server's questions to the user: forms and pages, including pages that a server demands before a call. */
export class ServerQuestions {
  readonly #calls: OpenCalls;
  /** Pages that the user has not finished, by the id from the server. */
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

  /** Asks the user to finish the pages that a server requires before a call. Returns whether all are finished. */
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

/** Converts a server's question. Null for an address that is no web page, because it may start a local program. */
function toElicitRequest(params: ElicitRequestFormParams | ElicitRequestURLParams, finished: AbortSignal | null): ElicitRequest | null {
  const { message } = params;
  if (params.mode === 'url') {
    const isWeb = URL.canParse(params.url) && /^https?:$/.test(new URL(params.url).protocol);
    return isWeb ? { kind: 'url', message, url: params.url, finished } : null;
  }
  const { properties, required } = params.requestedSchema;
  const fields = Object.entries(properties).map(([name, schema]) => field(name, schema, required?.includes(name) === true));
  return { kind: 'form', message, fields };
}

function field(name: string, schema: PrimitiveSchemaDefinition, isRequired: boolean): ElicitField {
  const base = { name, title: schema.title ?? name, description: schema.description ?? null, isRequired };
  switch (schema.type) {
    case 'boolean':
      return { ...base, type: 'boolean', initial: schema.default ?? null };
    case 'number':
    case 'integer': {
      const { minimum, maximum, default: initial } = schema;
      return {
        ...base,
        type: 'number',
        isInteger: schema.type === 'integer',
        minimum: minimum ?? null,
        maximum: maximum ?? null,
        initial: initial ?? null,
      };
    }
    case 'array': {
      const { items, minItems, maxItems, default: initial } = schema;
      const choices = 'enum' in items ? plain(items.enum) : titled(items.anyOf);
      return { ...base, type: 'choices', choices, minItems: minItems ?? null, maxItems: maxItems ?? null, initial: initial ?? [] };
    }
    case 'string':
      return { ...base, ...textField(schema) };
  }
}

type TextSchema = Extract<PrimitiveSchemaDefinition, { type: 'string' }>;

function textField(schema: TextSchema): Pick<Extract<ElicitField, { type: 'choice' }>, 'type' | 'choices' | 'initial'> | OwnText {
  const initial = schema.default ?? null;
  if ('oneOf' in schema) {
    return { type: 'choice', choices: titled(schema.oneOf), initial };
  }
  if ('enum' in schema) {
    const names = 'enumNames' in schema ? schema.enumNames : undefined;
    return { type: 'choice', choices: schema.enum.map((value, at) => ({ value, label: names?.[at] ?? value })), initial };
  }
  return { type: 'text', format: schema.format ?? null, minLength: schema.minLength ?? null, maxLength: schema.maxLength ?? null, initial };
}

type OwnText = Pick<Extract<ElicitField, { type: 'text' }>, 'type' | 'format' | 'minLength' | 'maxLength' | 'initial'>;

function plain(values: readonly string[]): readonly ElicitChoice[] {
  return values.map((value) => ({ value, label: value }));
}

function titled(values: readonly { readonly const: string; readonly title: string }[]): readonly ElicitChoice[] {
  return values.map(({ const: value, title: label }) => ({ value, label }));
}
