import { setImmediate } from 'node:timers/promises';
import { mock } from 'node:test';
import type { StreamPart } from '../../../src/engine/model/model.js';
import { resumeTimers, stopTimers } from './stoppedTimers.js';

/**
 * Passes the parts of a stream on. Timers stand still until the first text has come: from then on `silenceMs` pass again and
 * again. So a machine under load does not make a server look silent before it has said anything.
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
