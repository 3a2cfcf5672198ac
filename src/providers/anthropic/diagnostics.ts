import type { ProviderDiagnosis } from '../../engine/model/model.js';
import { count, member, textMember } from '../json.js';

/*
 * The member `diagnostics` of a reply, see "Response format" and "Cache miss reason types" in
 * https://platform.claude.com/docs/en/build-with-claude/cache-diagnostics
 */

const DIFFERENCES = { model_changed: 'model', system_changed: 'system', tools_changed: 'tools', messages_changed: 'messages' } as const;
const UNTOLD = { previous_message_not_found: 'notFound', unavailable: 'unavailable' } as const;

/** Returns the diagnosis. Null for an unknown form. The API sends null if nothing differs or nothing was compared. */
export function diagnosisOf(diagnostics: unknown): ProviderDiagnosis | null {
  if (diagnostics === null) {
    return { kind: 'same' };
  }
  const reason = member(diagnostics, 'cache_miss_reason');
  if (reason === null) {
    // Documented: "The comparison was still running when the response was serialized."
    return { kind: 'untold', why: 'pending' };
  }
  const type = textMember(reason, 'type');
  if (type === null) {
    return null;
  }
  if (isKey(DIFFERENCES, type)) {
    return { kind: 'differs', what: DIFFERENCES[type], tokens: count(member(reason, 'cache_missed_input_tokens')) };
  }
  return isKey(UNTOLD, type) ? { kind: 'untold', why: UNTOLD[type] } : { kind: 'other', word: type };
}

function isKey<T extends object>(object: T, name: PropertyKey): name is keyof T {
  return Object.hasOwn(object, name);
}
