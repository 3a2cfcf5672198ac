import type { ElicitRequestFormParams, ElicitRequestURLParams, PrimitiveSchemaDefinition } from '@modelcontextprotocol/client';
import type { ElicitChoice, ElicitField, ElicitRequest } from './elicitation.js';

/** Converts a server's question. Null for a page outside the web, because such an address may run any local command. */
export function toElicitRequest(
  params: ElicitRequestFormParams | ElicitRequestURLParams,
  finished: AbortSignal | null,
): ElicitRequest | null {
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
