import type { Answers, SetupPorts } from './answers.js';
import { warningOf } from './modelSteps.js';

/**
 * Updates the answers of a local model after the test message. The test has loaded the model, so the server now reports
 * its real context window. A window that differs from the assumed one goes into the answers, with a note.
 */
export async function findChanged(
  answers: Answers,
  { findLocalServers }: Pick<SetupPorts, 'findLocalServers'>,
  signal: AbortSignal,
): Promise<Answers> {
  const before = answers.local;
  if (before === null) {
    return answers;
  }
  const { servers } = await findLocalServers(signal);
  const local = servers.find(({ kind }) => kind === before.kind);
  const [first, ...others] = answers.models;
  const was = before.models.find(({ id }) => id === first?.id);
  const now = local?.models.find(({ id }) => id === first?.id);
  // Keeps a window that the user has typed.
  if (
    local === undefined ||
    first === undefined ||
    now === undefined ||
    was?.realWindow === now.realWindow ||
    first.maxInputTokens !== was?.realWindow
  ) {
    return answers;
  }
  const words = warningOf(first.id, local) ?? `${first.label} runs with its full context size.`;
  return {
    ...answers,
    local,
    models: [{ ...first, maxInputTokens: now.realWindow }, ...others],
    tested: `${answers.tested ?? ''} ${words}`.trim(),
  };
}
