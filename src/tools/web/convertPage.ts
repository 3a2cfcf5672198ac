import * as threads from 'node:worker_threads';
import { failure } from '../../engine/errors.js';
import type { Conversion, PageText } from './conversion.js';
import type { FetchedFile } from './guardedFetch.js';

/** Maximum memory and time of a conversion. A page that needs more is hostile. */
const MOST_MEGABYTES = 1024;
const MOST_MS = 30_000;

/** Maximum size of the text of a page, the same as of a file. */
const MOST_TEXT = 1024 * 1024;

/**
 * Converts a fetched file to text in a thread of its own, so that a large page does not block the window. `script` is
 * the path of the bundle of `pageWorker.ts`. Rejects with a `LoupeError`.
 */
export async function convertPage({ url, contentType, bytes }: FetchedFile, script: string, signal: AbortSignal): Promise<PageText> {
  const { host } = url;
  const conversion = await inThread({ bytes, contentType, address: url.href }, { script, host, signal });
  if (!conversion.ok) {
    throw conversion.problem === 'type'
      ? failure('page.type', { host, type: conversion.type })
      : failure('page.unreadable', { host }, { cause: new Error(conversion.cause) });
  }
  if (Buffer.byteLength(conversion.text) > MOST_TEXT) {
    throw failure('page.textTooLarge', { host });
  }
  return conversion;
}

interface Thread {
  readonly script: string;
  readonly host: string;
  readonly signal: AbortSignal;
}

function inThread(workerData: unknown, { script, host, signal }: Thread): Promise<Conversion> {
  const worker = new threads.Worker(script, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
    // Hides the environment and arguments of the extension host from the thread.
    env: {},
    execArgv: [],
  });
  const either = AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)]);
  return new Promise((resolve, reject) => {
    const settle = (end: () => void): void => {
      either.removeEventListener('abort', stopped);
      void worker.terminate();
      end();
    };
    const stopped = (): void => {
      settle(() => {
        reject(signal.aborted ? failure('page.cancelled') : failure('page.unreadable', { host }, { cause: either.reason }));
      });
    };
    worker.once('message', (conversion: Conversion) => {
      settle(() => {
        resolve(conversion);
      });
    });
    worker.once('error', (cause) => {
      settle(() => {
        reject(failure('page.unreadable', { host }, { cause }));
      });
    });
    either.addEventListener('abort', stopped, { once: true });
    if (either.aborted) {
      stopped();
    }
  });
}
