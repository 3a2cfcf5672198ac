import type { EditorEncodings } from '../../src/host/context/files/readFile.js';

/** An editor that opens only UTF-8. */
export const UTF8_EDITOR: EditorEncodings = {
  of: () => 'utf8',
  decode: (bytes) =>
    bytes.includes(0) ? Promise.reject(new Error('binary')) : Promise.resolve(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)),
};
