import { readFile } from 'node:fs/promises';

/** How many bytes this process reads while it does a job, as Linux counts them; null where nobody counts. */
export async function bytesReadBy(job: () => Promise<unknown>): Promise<number | null> {
  const before = await bytesRead();
  await job();
  const after = await bytesRead();
  return before === null || after === null ? null : after - before;
}

async function bytesRead(): Promise<number | null> {
  if (process.platform !== 'linux') {
    return null;
  }
  const counts = await readFile('/proc/self/io', 'utf8');
  return Number(/^rchar: (\d+)$/m.exec(counts)?.[1]);
}
