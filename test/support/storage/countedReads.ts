import { readFile } from 'node:fs/promises';

/** Returns the bytes that this process reads during a job, as Linux counts them. Null on other systems. */
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
