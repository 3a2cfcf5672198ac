import type { Draft, SetupPorts } from './draft.js';
import { warningOf } from './modelSteps.js';

/**
 * The test message has loaded the model, so a server on this computer can now say what window it really gives. Where
 * that differs from what was assumed, the draft takes it, and says so.
 */
export async function findChanged(
  draft: Draft,
  { findLocalServers }: Pick<SetupPorts, 'findLocalServers'>,
  signal: AbortSignal,
): Promise<Draft> {
  const before = draft.local;
  if (before === null) {
    return draft;
  }
  const { servers } = await findLocalServers(signal);
  const local = servers.find(({ kind }) => kind === before.kind);
  const [first, ...others] = draft.models;
  const was = before.models.find(({ id }) => id === first?.id);
  const now = local?.models.find(({ id }) => id === first?.id);
  // A window that the user has typed over what was assumed stays.
  if (
    local === undefined ||
    first === undefined ||
    now === undefined ||
    was?.realWindow === now.realWindow ||
    first.maxInputTokens !== was?.realWindow
  ) {
    return draft;
  }
  const words = warningOf(first.id, local) ?? `${first.label} has its whole context window.`;
  return {
    ...draft,
    local,
    models: [{ ...first, maxInputTokens: now.realWindow }, ...others],
    tested: `${draft.tested ?? ''} ${words}`.trim(),
  };
}
