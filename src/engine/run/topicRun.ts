import { replyText } from '../chat/message/reply.js';
import { ask, type RunPorts } from './ask.js';
import type { RunInput, RunEvents } from './input.js';
import { unansweredEvents } from './unanswered.js';

/** Maximum number of retries of a request for the topic. Without a reply, Loupe summarizes the conversation anyway. */
const MOST_TOPIC_RETRIES = 1;

/** A run that asks a model where the topic changes. Returns null without a reply. Logged like `run`. */
export async function* topicRun(
  input: Pick<RunInput, 'runId' | 'prepare' | 'signal'>,
  ports: RunPorts,
): AsyncGenerator<RunEvents, string | null, void> {
  const { runId } = input;
  yield { events: [{ type: 'run-started', runId, cause: 'topic', userMessageId: null }], persistence: 'durable' };
  const asked = yield* ask({ ...input, purpose: 'topic', keepImage: null, mostRetries: MOST_TOPIC_RETRIES }, ports);
  if (asked.outcome !== 'answered') {
    yield { events: unansweredEvents(input, asked).events, persistence: 'durable' };
    return null;
  }
  yield { events: [asked.result.ended, { type: 'run-committed', runId }], persistence: 'durable' };
  return replyText(asked.result.reply);
}
