import { type Json, type JsonObject, isObject } from '../../engine/json.js';

/*
 * Reads the parts of results one by one, because the SDK refuses a whole result for one invalid member. The model gets
 * a note in place of a part that Loupe cannot read.
 */

/** Begin of an image or sound that a server sends as a data URL. */
const DATA_URL = /^data:([^;,]*)(?:;[^,]*)?,/;

/** Some servers break Base64 into lines, or use its variant for URLs. The SDK refuses both. */
const PLAIN_BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The type of an image is in its first bytes, so the name of the type is only for a note. */
const UNKNOWN_TYPE = 'unknown type';

const LONGEST_TYPE = 50;

/** Returns a result in a form that the SDK accepts. Returns results that are no lists of parts unchanged. */
export function readResult(result: JsonObject): JsonObject {
  const { content, structuredContent, isError, _meta: meta, ...others } = result;
  const isMissing = content === null || content === undefined;
  if (!Array.isArray(content) && !isMissing) {
    return result;
  }
  const parts = isMissing ? [] : (content as readonly Json[]).map(resultPart);
  const structured = structuredContent ?? null;
  // In older revisions of MCP, structured content is an object, and the SDK refuses other values.
  const asText = structured !== null && !isObject(structured) && parts.length === 0;
  return {
    ...others,
    content: asText ? [{ type: 'text', text: JSON.stringify(structured) }] : parts,
    ...(isObject(structured) ? { structuredContent: structured } : {}),
    ...(isError === true ? { isError } : {}),
    ...(isObject(meta) ? { _meta: meta } : {}),
  };
}

function resultPart(part: Json): JsonObject {
  const read = readPart(part);
  return 'part' in read ? read.part : { type: 'text', text: `(A ${read.what} is left out of this result: ${read.why}.)` };
}

/** A part of a result in a form that the SDK accepts, or what it is and why Loupe cannot use it. */
export type ReadPart = { readonly part: JsonObject } | { readonly what: string; readonly why: string };

export function readPart(part: Json): ReadPart {
  const type = isObject(part) ? part['type'] : undefined;
  const read = isObject(part) && typeof type === 'string' && Object.hasOwn(PARTS, type) ? PARTS[type]?.(part) : undefined;
  if (read !== undefined && read !== null) {
    return { part: read };
  }
  const what = typeof type === 'string' ? `part of the type "${type.slice(0, LONGEST_TYPE)}"` : 'part without a type';
  return { what, why: read === null ? 'it is damaged' : 'Loupe cannot read it' };
}

/** Reads a part of each type. Null for a part without the members that its type requires. */
const PARTS: Readonly<Record<string, (part: JsonObject) => JsonObject | null>> = {
  text: ({ text }) => (typeof text === 'string' ? { type: 'text', text } : null),
  image: readMedia,
  audio: readMedia,
  resource: ({ resource }) => (isObject(resource) ? readResource(resource) : null),
  resource_link: ({ uri, name, title, description }) =>
    typeof uri === 'string'
      ? { type: 'resource_link', uri, name: typeof name === 'string' ? name : uri, ...texts({ title, description }) }
      : null,
};

function readMedia({ type, data, mimeType }: JsonObject): JsonObject | null {
  if (typeof type !== 'string' || typeof data !== 'string') {
    return null;
  }
  const named = typeof mimeType === 'string' ? mimeType : (DATA_URL.exec(data)?.[1] ?? UNKNOWN_TYPE);
  return { type, data: plainBase64(data), mimeType: named };
}

function readResource({ uri, mimeType, ...resource }: JsonObject): JsonObject | null {
  const content = readContent(resource);
  return typeof uri === 'string' && content !== null ? { type: 'resource', resource: { uri, ...content, ...texts({ mimeType }) } } : null;
}

/** Returns the text or the bytes of a resource. Null if it has neither. */
export function readContent({ text, blob }: JsonObject): JsonObject | null {
  return typeof text === 'string' ? { text } : typeof blob === 'string' ? { blob: plainBase64(blob) } : null;
}

/** Returns Base64 in the form that the SDK accepts, also from a data URL. */
function plainBase64(from: string): string {
  const text = from.slice(DATA_URL.exec(from)?.[0].length ?? 0);
  return PLAIN_BASE64.test(text) && text.length % 4 === 0 ? text : Buffer.from(text, 'base64').toString('base64');
}

function texts(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
