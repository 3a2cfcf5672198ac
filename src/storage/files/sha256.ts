import { webcrypto } from 'node:crypto';

/** Returns the SHA-256 of bytes in hex. Uses another thread, because 5 MB would block this thread for 10 to 25 ms. */
export async function sha256InBackground(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
}
