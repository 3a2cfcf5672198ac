import { webcrypto } from 'node:crypto';

/** The SHA-256 of bytes, in hex, made by another thread: here 5 MB would keep all others waiting for 10 to 25 ms. */
export async function sha256InBackground(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
}
