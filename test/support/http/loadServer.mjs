// A server in its own thread, so that its work does not stall readers. It answers each request with `start`, then
// `times` times `piece`, then `end`.

import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/** @type {{ start: string, piece: string, times: number, end: string }} */
const { start, piece, times, end } = workerData;

/** Pieces per write. */
const AT_ONCE = 1_000;

const block = piece.repeat(Math.min(times, AT_ONCE));

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} left - pieces
 */
function writeOn(response, left) {
  if (left <= 0) {
    response.end(end);
  } else {
    response.write(left >= AT_ONCE ? block : piece.repeat(left), () => {
      writeOn(response, left - AT_ONCE);
    });
  }
}

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(start);
  writeOn(response, times);
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  parentPort?.postMessage(typeof address === 'object' ? address?.port : null);
});
