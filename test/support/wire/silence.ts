import { setImmediate } from 'node:timers/promises';
import { mock } from 'node:test';
import type { StreamPart } from '../../../src/engine/model/model.js';
import { resumeTimers, stopTimers } from './stoppedTimers.js';

/** Timers stop until the first text, then advance by `silenceMs`. A busy computer never makes a server look silent. */
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
