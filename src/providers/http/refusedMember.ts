/** Request members that are optional or have another name. Servers that do not know them refuse the whole request. */
const SPARE_MEMBERS = [
  'stream_options',
  'max_completion_tokens',
  'max_tokens',
  'prompt_cache_key',
  'diagnostics',
  'reasoning_content',
  'reasoning_details',
  'thinking_blocks',
  'reasoning',
] as const;

/**
 * "Unsupported parameter: 'max_tokens' is not supported with this model", "Unknown parameter", "Unrecognized request
 * argument supplied", "Extra inputs are not permitted" and `extra_forbidden` (servers that use pydantic), "property
 * 'reasoning_content' is unsupported".
 */
const NOT_TAKEN =
  /\bunsupported|not (?:supported|permitted|allowed)|\bunknown (?:parameter|field|argument)|unrecognized|extra (?:inputs|fields)|extra_forbidden/i;

/**
 * Returns the member that a server refuses, or null for other refusals. If the message names two members, the first one
 * is refused, and the second usually replaces it.
 */
export function refusedMember(message: string, code: string | null): string | null {
  if (!NOT_TAKEN.test(`${code ?? ''} ${message}`)) {
    return null;
  }
  const found = SPARE_MEMBERS.map((name) => ({ name, at: message.search(new RegExp(`(?<![\\w])${name}(?![\\w])`)) })).filter(
    ({ at }) => at !== -1,
  );
  return found.toSorted((a, b) => a.at - b.at)[0]?.name ?? null;
}
