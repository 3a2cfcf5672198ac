import { setImmediate } from 'node:timers/promises';
import { mock } from 'node:test';
import type { StreamPart } from '../../../src/engine/model/model.js';
import { resumeTimers, stopTimers } from './stoppedTimers.js';

/**
 * Forwards the parts of a stream. Timers stop until the first text has arrived, then advance by `silenceMs` again and
 * again. A busy computer thus never makes a server look silent too early.
 */
export async function* silentAfterText(stream: AsyncIterable<StreamPart>, silenceMs: number): AsyncIterable<StreamPart> {
  stopTimers();
  const ended = new AbortController();
  try {
    for await (const part of stream) {
      yield part;
      if (part.type === 'text') {
        void passTime(silenceMs, ended.signal);
      }
    }
  } finally {
    ended.abort();
    resumeTimers();
  }
}

async function passTime(ms: number, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    mock.timers.tick(ms);
    await setImmediate();
  }
}
