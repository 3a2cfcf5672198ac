import { parentPort, workerData } from 'node:worker_threads';
import type { PageFile } from './conversion.js';
import { pageText } from './pageText.js';

/*
 * The script of the thread that converts one page to text (`convertPage.ts`). A large page takes seconds to convert.
 */

parentPort?.postMessage(await pageText(workerData as PageFile));
