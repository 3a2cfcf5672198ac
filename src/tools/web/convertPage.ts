import * as threads from 'node:worker_threads';
import { failure, type LoupeError } from '../../engine/errors.js';
import type { Conversion, PageText } from './conversion.js';
import type { FetchedFile } from './guardedFetch.js';

/** Maximum memory and time of a conversion. A page that needs more is hostile. */
const MOST_MEGABYTES = 1024;
const MOST_MS = 30_000;

/**
 * Converts a fetched file to text in a thread of its own, so that a large page does not block the window. `script` is
 * the path of the bundle of `pageWorker.ts`. Rejects with a `LoupeError`.
 */
export async function convertPage({ url, contentType, bytes }: FetchedFile, script: string, signal: AbortSignal): Promise<PageText> {
  const { host } = url;
  const conversion = await inThread({ bytes, contentType, address: url.href }, { script, host, signal });
  if (conversion.ok) {
    return conversion;
  }
  switch (conversion.problem) {
    case 'type':
      throw failure('page.type', { host, type: conversion.type });
    case 'textTooLarge':
      throw failure('page.textTooLarge', { host });
    case 'unreadable':
      throw failure('page.unreadable', { host }, { cause: new Error(conversion.cause) });
  }
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
  return new Promise((resolve, reject) => {
    const settle = (end: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stopped);
      void worker.terminate();
      end();
    };
    const fail = (error: LoupeError): void => {
      settle(() => {
        reject(error);
      });
    };
    const failedBy = (cause: unknown): void => {
      fail(failure('page.unreadable', { host }, { cause }));
    };
    const stopped = (): void => {
      fail(failure('page.cancelled'));
    };
    // A timer of its own: Node 20 can collect a signal of `AbortSignal.timeout`, which then never aborts.
    const timer = setTimeout(() => {
      failedBy(new Error(`The conversion took more than ${String(MOST_MS / 1_000)} seconds.`));
    }, MOST_MS);
    worker.once('message', (conversion: Conversion) => {
      settle(() => {
        resolve(conversion);
      });
    });
    worker.once('error', failedBy);
    // After a message or an error, the promise is settled already.
    worker.once('exit', (code) => {
      failedBy(new Error(`The thread ended with the code ${String(code)}.`));
    });
    signal.addEventListener('abort', stopped, { once: true });
    if (signal.aborted) {
      stopped();
    }
  });
}
