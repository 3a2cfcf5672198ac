import { parseForeignJson } from '../../../engine/json.js';
import { readEnvelope } from '../foreignMessage.js';

/* Changes messages in the bodies of HTTP responses, because the SDK checks them before Loupe gets them. */

/** Only bodies with one of these members can need a change, so most bodies are not parsed twice. */
const MEMBERS: readonly string[] = ['"_meta"', '"protocolVersion"'];

/** A value of `_meta` that is no object, or the answer to the start of a session. */
const TO_CHANGE = /"_meta"\s*:\s*[^\s{]|"protocolVersion"/;

const [LINE_FEED, RETURN] = [10, 13];

/** Passes on a body of JSON as one chunk. */
export async function* readWhole(chunks: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array, void> {
  const pieces: Uint8Array[] = [];
  for await (const chunk of chunks) {
    pieces.push(chunk);
  }
  yield changed(Buffer.concat(pieces), readJson);
}

/** Passes on an event stream by whole lines. A message that has several lines stays as it is; servers write one. */
export async function* readEvents(chunks: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array, void> {
  let pieces: Uint8Array[] = [];
  for await (const chunk of chunks) {
    const end = Math.max(chunk.lastIndexOf(LINE_FEED), chunk.lastIndexOf(RETURN)) + 1;
    if (end > 0) {
      yield changed(Buffer.concat([...pieces, chunk.subarray(0, end)]), readLines);
      pieces = [];
    }
    pieces.push(chunk.subarray(end));
  }
  yield Buffer.concat(pieces);
}

function changed(bytes: Buffer, change: (text: string) => string): Uint8Array {
  return MEMBERS.some((member) => bytes.includes(member)) ? Buffer.from(change(bytes.toString('utf8'))) : bytes;
}

function readLines(lines: string): string {
  return lines.replaceAll(/(?<=^|[\r\n])data:[^\r\n]*/g, (line) => `data:${readJson(line.slice('data:'.length))}`);
}

function readJson(text: string): string {
  const message = TO_CHANGE.test(text) ? parseForeignJson(text) : undefined;
  return message === undefined ? text : JSON.stringify(readEnvelope(message));
}
