import assert from 'node:assert/strict';
import {
  applyPiece,
  joinPieces,
  MAX_REPLY_PARTS,
  pieceOf,
  replyParts,
  type GrowingReply,
  type Reply,
  type ReplyPart,
  type ProgressPiece,
  type StoredStreamPart,
} from '../../../src/engine/chat/message/reply.js';

type Arriving = StoredStreamPart;

const origin = { protocol: 'open-wire', model: 'large' };

function received(...parts: Arriving[]): { readonly reply: GrowingReply; readonly pieces: readonly ProgressPiece[] } {
  const reply: GrowingReply = [];
  const pieces = parts.map((part) => {
    const piece = pieceOf(reply, part);
    applyPiece(reply, piece);
    return piece;
  });
  return { reply, pieces };
}

function says(text: string): Arriving {
  return { type: 'text', index: 0, text };
}

function args(text: string): Arriving {
  return { type: 'toolCallArgs', index: 1, text };
}

const calls: Arriving = { type: 'toolCall', index: 1, id: 'c', name: 'read' };

describe('a reply as it streams', () => {
  it('takes a longer name of a call, and neither an earlier piece of it once more nor that of another call', () => {
    const longer: Arriving = { ...calls, name: 'read_file' };
    const { reply, pieces } = received(says('a'), calls, longer, args('{'));
    for (const piece of [...pieces, { ...longer, id: 'other', name: 'read_file_at_once' }] as const) {
      applyPiece(reply, piece);
    }
    assert.deepEqual(reply[1], { type: 'toolCall', id: 'c', name: 'read_file', rawArgs: '{' });
  });

  it('collects its parts by their index', () => {
    const { reply } = received(
      { type: 'reasoning', index: 0, text: 'Hm' },
      { type: 'text', index: 1, text: 'I ' },
      { type: 'reasoning', index: 0, text: 'm.' },
      { type: 'reasoningSigned', index: 0, opaque: 'sig' },
      { type: 'text', index: 1, text: 'read.' },
      { type: 'toolCall', index: 2, id: 'c', name: 'read' },
      { type: 'toolCallArgs', index: 2, text: '{"a":' },
      { type: 'toolCallArgs', index: 2, text: '1}' },
    );
    assert.deepEqual(reply, [
      { type: 'reasoning', text: 'Hmm.', opaque: 'sig' },
      { type: 'text', text: 'I read.' },
      { type: 'toolCall', id: 'c', name: 'read', rawArgs: '{"a":1}' },
    ]);
  });

  it('is told in pieces that say where they belong', () => {
    const { pieces } = received(says('One'), says(' two'), calls, args('{'), args('}'));
    const offsets = pieces.map((piece) => ('offset' in piece ? piece.offset : null));
    assert.deepEqual(offsets, [0, 3, null, 0, 1]);
  });

  it('takes a signature without text: some reasoning is hidden', () => {
    assert.deepEqual(received({ type: 'reasoningSigned', index: 0, opaque: 'sig' }).reply, [
      { type: 'reasoning', text: '', opaque: 'sig' },
    ]);
  });

  it('ignores a piece of another kind than its part', () => {
    const { reply } = received(says('One'));
    const strays: ProgressPiece[] = [
      { type: 'reasoning', index: 0, offset: 0, text: 'Longer than one' },
      { type: 'reasoningSigned', index: 0, opaque: 'sig' },
      { type: 'toolCall', index: 0, id: 'c', name: 'read' },
      { type: 'toolCallArgs', index: 0, offset: 3, text: '{}' },
    ];
    for (const stray of strays) {
      applyPiece(reply, stray);
      assert.deepEqual(reply, [{ type: 'text', text: 'One' }]);
    }
  });

  it('is reasoning where reasoning goes on at the end of a text, also when pieces come twice', () => {
    const { reply, pieces } = received(
      says('Let me'),
      says(' see.'),
      { type: 'reasoning', index: 0, text: '' },
      { type: 'reasoningSigned', index: 0, opaque: 'tag' },
      { type: 'text', index: 1, text: 'Hello' },
    );
    const whole = [
      { type: 'reasoning', text: 'Let me see.', opaque: 'tag' },
      { type: 'text', text: 'Hello' },
    ];
    assert.deepEqual(reply, whole);
    for (const piece of [...pieces, ...joinPieces(pieces)]) {
      applyPiece(reply, piece);
    }
    assert.deepEqual(reply, whole);
    const fromLog: GrowingReply = [];
    for (const piece of joinPieces(pieces)) {
      applyPiece(fromLog, piece);
    }
    assert.deepEqual(fromLog, whole);
  });

  it('ignores arguments of a call that is not there', () => {
    assert.deepEqual(received(args('{}')).reply, []);
  });

  it('makes no room for a part whose index no reply has', () => {
    const { reply } = received(says('One'));
    for (const index of [MAX_REPLY_PARTS, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY]) {
      applyPiece(reply, { type: 'text', index, offset: 0, text: 'x' });
    }
    assert.equal(reply.length, 1);
    applyPiece(reply, { type: 'text', index: MAX_REPLY_PARTS - 1, offset: 0, text: 'x' });
    assert.equal(reply.length, MAX_REPLY_PARTS);
  });

  it('does not change a part that somebody holds', () => {
    const { reply } = received(says('One'));
    const held = reply[0];
    applyPiece(reply, { type: 'text', index: 0, offset: 3, text: ' two' });
    assert.deepEqual(
      [held, reply[0]],
      [
        { type: 'text', text: 'One' },
        { type: 'text', text: 'One two' },
      ],
    );
  });

  it('leaves a place for a part that has not come', () => {
    assert.deepEqual(received(calls).reply, [undefined, { type: 'toolCall', id: 'c', name: 'read', rawArgs: '' }]);
  });
});

describe('joining pieces', () => {
  it('makes one of those that continue each other', () => {
    const { pieces } = received(says('One'), says(' two'), calls, args('{'), args('}'), says(' three'), says('!'));
    assert.deepEqual(joinPieces(pieces), [
      { type: 'text', index: 0, offset: 0, text: 'One two' },
      { type: 'toolCall', index: 1, id: 'c', name: 'read' },
      { type: 'toolCallArgs', index: 1, offset: 0, text: '{}' },
      { type: 'text', index: 0, offset: 7, text: ' three!' },
    ]);
  });

  it('keeps pieces of different parts apart', () => {
    const pieces: ProgressPiece[] = [
      { type: 'text', index: 0, offset: 0, text: 'ab' },
      { type: 'text', index: 1, offset: 2, text: 'cd' },
      { type: 'reasoning', index: 1, offset: 4, text: 'ef' },
    ];
    assert.deepEqual(joinPieces(pieces), pieces);
  });

  it('does not join over a gap', () => {
    const pieces: ProgressPiece[] = [
      { type: 'text', index: 0, offset: 0, text: 'ab' },
      { type: 'text', index: 0, offset: 3, text: 'cd' },
    ];
    assert.deepEqual(joinPieces(pieces), pieces);
  });
});

describe('the message of a reply', () => {
  const callOf = (rawArgs: string): ReplyPart => ({ type: 'toolCall', id: 'c', name: 'read', rawArgs });

  it('remembers where reasoning came from', () => {
    const reply: Reply = [{ type: 'reasoning', text: 'Hm', opaque: 'sig' }];
    assert.deepEqual(replyParts(reply, origin, 'complete'), [{ type: 'reasoning', text: 'Hm', opaque: 'sig', ...origin }]);
  });

  it('leaves out what never came', () => {
    assert.deepEqual(replyParts([undefined, { type: 'text', text: 'x' }], origin, 'complete'), [{ type: 'text', text: 'x' }]);
  });

  const argsOf = (raw: string): unknown => {
    const [part] = replyParts([callOf(raw)], origin, 'complete');
    assert.ok(part?.type === 'toolCall' && part.rawArgs === raw);
    return part.args;
  };

  it('has the arguments of a call as an object', () => {
    assert.deepEqual(argsOf('{"a":{"b":[1]}}'), { a: { b: [1] } });
    assert.deepEqual(argsOf(''), {});
    assert.deepEqual(argsOf(' \n'), {});
  });

  it('keeps arguments that are no object as they came', () => {
    for (const raw of ['{"a":', '[1]', '"a"', '7', 'null', 'true', '{}{}']) {
      assert.equal(argsOf(raw), null);
    }
  });

  it('leaves out a call that was stopped before its arguments were whole', () => {
    const stopped = (raw: string): number => replyParts([callOf(raw)], origin, 'stopped').length;
    assert.deepEqual([stopped('{"a":'), stopped('{"a":1}'), stopped('')], [0, 1, 0]);
  });

  it('keeps a call of a reply that was cut off, without arguments when they had not arrived whole', () => {
    const cutOff = (raw: string): unknown[] =>
      replyParts([callOf(raw)], origin, 'cutOff').map((part) => (part.type === 'toolCall' ? part.args : part));
    assert.deepEqual([cutOff('{"a":'), cutOff('{"a":1}'), cutOff('')], [[null], [{ a: 1 }], [null]]);
  });
});
