import { invalid } from './refusal.js';
import { member, stringMember, type WireNode } from './wireJson.js';

/** "Pre-warming the cache": `max_tokens: 0` writes the cache and generates nothing. */
export function isPrewarm(request: WireNode): boolean {
  const limit = member(request, 'max_tokens');
  return limit?.kind === 'literal' && Number(limit.spelling) === 0;
}

/** Its "Limitations": throws a `Refusal` for what "implies output that a zero-token budget cannot produce". */
export function checkPrewarm(request: WireNode, stream: boolean): void {
  const choice = stringMember(member(request, 'tool_choice'), 'type');
  const reasons: readonly (readonly [boolean, string])[] = [
    [stream, 'stream'],
    [stringMember(member(request, 'thinking'), 'type') === 'enabled', 'thinking'],
    [member(member(request, 'output_config'), 'format') !== undefined, 'output_config.format'],
    [choice === 'tool' || choice === 'any', 'tool_choice'],
  ];
  const reason = reasons.find(([applies]) => applies);
  if (reason !== undefined) {
    throw invalid(`max_tokens: 0 cannot be combined with ${reason[1]}`);
  }
}
