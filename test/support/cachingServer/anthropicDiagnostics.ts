import type { Prompt } from './prompt.js';
import { invalid } from './refusal.js';
import { member, stringMember, type WireNode, wireText } from './wireJson.js';

/*
 * Cache diagnostics: https://platform.claude.com/docs/en/build-with-claude/cache-diagnostics. "The comparison is about
 * request structure, independent of whether the cache actually hit." The lifetime of fingerprints is not documented.
 * Here they stay.
 */

export type Diagnostics = { readonly cache_miss_reason: CacheMissReason } | null;

interface CacheMissReason {
  readonly type: string;
  readonly cache_missed_input_tokens?: number;
}

export interface Diagnosed {
  readonly id: string;
  /** "Scoped to your organization and workspace". Here: to the key. */
  readonly key: string | null;
  readonly node: WireNode;
  readonly betas: string;
  readonly prompt: Prompt;
}

interface Fingerprint {
  readonly model: string;
  readonly tools: readonly string[];
  readonly system: readonly string[];
  readonly messages: readonly string[];
  readonly parameters: string;
}

/** "Another prompt-affecting request parameter." */
const PARAMETERS = ['tool_choice', 'thinking', 'context_management', 'output_config', 'output_format'];
/** "It is derived from byte lengths before tokenization." The divisor is not documented. */
const BYTES_PER_TOKEN = 4;

/** Requests by the ids of their responses. "It stores nothing for requests that omit the object." */
export class Fingerprints {
  private readonly known = new Map<string, Fingerprint>();

  of({ id, key, node, betas, prompt }: Diagnosed): Diagnostics {
    const asked = member(node, 'diagnostics');
    if (asked === undefined) {
      return null;
    }
    const previous = previousId(asked);
    const now = fingerprint(node, betas, prompt);
    const before = previous === null ? null : this.known.get(JSON.stringify([key, previous]));
    this.known.set(JSON.stringify([key, id]), now);
    // "`previous_message_id` was `null` (first turn, nothing to compare)."
    return before === null ? null : reasonOf(before === undefined ? { type: 'previous_message_not_found' } : divergence(before, now));
  }
}

function reasonOf(reason: CacheMissReason | null): Diagnostics {
  return reason === null ? null : { cache_miss_reason: reason };
}

function previousId(asked: WireNode): string | null {
  const names = asked.kind === 'object' ? [...asked.members.keys()] : [];
  const extra = names.find((name) => name !== 'previous_message_id');
  if (asked.kind !== 'object' || extra !== undefined) {
    throw invalid(`diagnostics${extra === undefined ? '' : `.${extra}`}: Extra inputs are not permitted`);
  }
  if (member(asked, 'previous_message_id') === undefined) {
    return null;
  }
  return stringMember(asked, 'previous_message_id') ?? refuseId();
}

function refuseId(): never {
  throw invalid('diagnostics.previous_message_id: Input should be a valid string');
}

function fingerprint(node: WireNode, betas: string, { blocks }: Prompt): Fingerprint {
  const level = (wanted: Prompt['blocks'][number]['level']): string[] =>
    blocks.filter((block) => block.level === wanted).map(({ opening, text }) => opening + text);
  const parameters = PARAMETERS.map((name) => {
    const found = member(node, name);
    return found === undefined ? '' : wireText(found, []);
  });
  return {
    // "`model` or `speed` differs" (the reference of the API).
    model: JSON.stringify([stringMember(node, 'model'), stringMember(node, 'speed') ?? 'standard']),
    tools: level('tools'),
    system: level('system'),
    messages: level('messages'),
    parameters: JSON.stringify([...parameters, betas]),
  };
}

/** "The response reports the earliest divergence only." Null when messages were only appended. */
function divergence(before: Fingerprint, now: Fingerprint): CacheMissReason | null {
  if (before.model !== now.model) {
    return changed('model_changed', [...now.tools, ...now.system, ...now.messages]);
  }
  const tools = parting(before.tools, now.tools);
  if (tools < Math.max(before.tools.length, now.tools.length)) {
    return changed('tools_changed', [...now.tools.slice(tools), ...now.system, ...now.messages]);
  }
  const system = parting(before.system, now.system);
  if (system < Math.max(before.system.length, now.system.length)) {
    return changed('system_changed', [...now.system.slice(system), ...now.messages]);
  }
  if (before.parameters !== now.parameters) {
    return { type: 'unavailable' };
  }
  const messages = parting(before.messages, now.messages);
  return messages < before.messages.length ? changed('messages_changed', now.messages.slice(messages)) : null;
}

function parting(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((each, index) => each !== b[index]);
  return at < 0 ? a.length : at;
}

function changed(type: string, behind: readonly string[]): CacheMissReason {
  const bytes = behind.reduce((sum, each) => sum + Buffer.byteLength(each), 0);
  return { type, cache_missed_input_tokens: Math.ceil(bytes / BYTES_PER_TOKEN) };
}
