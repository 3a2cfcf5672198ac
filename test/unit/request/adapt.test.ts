import assert from 'node:assert/strict';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import type { JsonObject } from '../../../src/engine/json.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { LOST_RESULT } from '../../../src/engine/request/adapt/adaptedParts.js';
import type { Adaptations } from '../../../src/engine/record/adaptations.js';
import { SENT_RESULT_BYTES, textForModel, type ResultTexts } from '../../../src/engine/request/resultText.js';
import { NO_ADAPTATIONS } from '../../../src/engine/record/adaptations.js';
import { column, columns } from '../../support/columns.js';
import { composeConversation } from '../../support/engine/conversation.js';
import { kept, NO_RESULTS } from '../../support/engine/largeResults.js';
import type { WireMessage } from '../../../src/engine/model/prompt.js';
import type { Model } from '../../../src/engine/model/model.js';
import { ANTHROPIC_CAPABILITIES } from '../../../src/providers/anthropic/defaults.js';
import { assistant, call, image, reasoning, result, results, text, user } from '../../support/engine/messages.js';
import { OPEN_MODEL, STRICT_MODEL, TOOLLESS_MODEL, withCapabilities } from '../../support/engine/models.js';
import { characters, sha256 } from '../../support/engine/ports.js';

function conversationMessages(messages: readonly SentMessage[], model: Model, factory: BlockFactory): readonly WireMessage[] {
  return composeConversation(
    { before: [], messages, model, missingImages: NONE_MISSING, resultTexts: NO_RESULTS, attempts: new Map() },
    factory,
  ).messages;
}

function adaptations(model: Model, missing: readonly string[], ...messages: SentMessage[]): Adaptations {
  const input = { before: [], messages, model, missingImages: new Set(missing), resultTexts: NO_RESULTS, attempts: new Map() };
  return composeConversation(input, new BlockFactory(characters, sha256)).adaptations;
}

const NONE_MISSING: ReadonlySet<string> = new Set();

function shown(model: Model, messages: readonly SentMessage[], factory: BlockFactory): string[] {
  return conversationMessages(messages, model, factory).map(({ role, blocks }) => {
    const parts = blocks.map(({ part }) => {
      switch (part.type) {
        case 'text':
          return part.text;
        case 'toolCall':
          return `call ${part.id} ${JSON.stringify(part.args)}`;
        case 'toolResult':
          return `result ${part.callId} ${part.content.map((item) => (item.type === 'text' ? item.text : item.type)).join('+')}`;
        default:
          return part.type;
      }
    });
    return `${role}: ${parts.join(' | ')}`;
  });
}

function wire(model: Model, ...messages: SentMessage[]): string[] {
  return shown(model, messages, new BlockFactory(characters, sha256));
}

const asked = user('u1', 'Read it');

describe('a conversation on the wire', () => {
  it('is the messages, roles alternating', () => {
    assert.deepEqual(wire(OPEN_MODEL, asked, assistant('a1', 'Done'), user('u2', 'Thanks')), [
      'user: Read it',
      'assistant: Done',
      'user: Thanks',
    ]);
  });

  it('answers a call with its result', () => {
    const messages = [asked, assistant('a1', call('c', { path: 'x' })), results('r', result('c', text('content')))];
    assert.deepEqual(wire(STRICT_MODEL, ...messages, assistant('a2', 'Done')), [
      'user: Read it',
      'assistant: call c {"path":"x"}',
      'user: result c content',
      'assistant: Done',
    ]);
  });

  it('puts results in the order of their calls', () => {
    const said = assistant('a1', call('c1', {}), call('c2', {}));
    const [, , answers] = wire(OPEN_MODEL, asked, said, results('r', result('c2', text('2')), result('c1', text('1'))));
    assert.equal(answers, 'user: result c1 1 | result c2 2');
  });

  it('gives a call whose result was lost a synthetic one that says so', () => {
    const said = assistant('a1', call('c1', {}), call('c2', {}));
    const [, , answers] = wire(OPEN_MODEL, asked, said, results('r', result('c1', text('1'))));
    assert.equal(answers, `user: result c1 1 | result c2 ${LOST_RESULT}`);
  });

  it('marks a synthetic result as an error', () => {
    const messages = conversationMessages([asked, assistant('a1', call('c', {}))], OPEN_MODEL, new BlockFactory(characters, sha256));
    const part = messages.at(-1)?.blocks[0]?.part;
    assert.ok(part?.type === 'toolResult' && part.isError);
  });

  it('leaves out results that answer nothing', () => {
    assert.deepEqual(wire(OPEN_MODEL, asked, results('r', result('nobody', text('?'))), user('u2', 'Go on')), ['user: Read it | Go on']);
  });

  it('takes a result only from directly behind its call', () => {
    const late = [user('u2', 'And?'), results('r', result('c', text('late')))];
    const [, , answer] = wire(OPEN_MODEL, asked, assistant('a1', call('c', {})), ...late);
    assert.equal(answer, `user: result c ${LOST_RESULT} | And?`);
  });

  it('takes the first of two results of a call', () => {
    const twice = results('r', result('c', text('first')), result('c', text('second')));
    assert.equal(wire(OPEN_MODEL, asked, assistant('a1', call('c', {})), twice)[2], 'user: result c first');
  });

  it('sends arguments that are no JSON object as an empty one', () => {
    assert.equal(wire(OPEN_MODEL, asked, assistant('a1', call('c', null)))[1], 'assistant: call c {}');
  });

  it('lets user content follow results in one message where the model takes that', () => {
    const messages = [asked, assistant('a1', call('c', {})), results('r', result('c', text('1'))), user('u2', 'Stop')];
    assert.deepEqual(wire(OPEN_MODEL, ...messages).slice(2), ['user: result c 1 | Stop']);
  });

  it('separates user content from results by a note of the assistant where it does not', () => {
    const messages = [asked, assistant('a1', call('c', {})), results('r', result('c', text('1'))), user('u2', 'Stop')];
    assert.deepEqual(wire(STRICT_MODEL, ...messages).slice(2), [
      'user: result c 1',
      'assistant: (The reply was stopped here.)',
      'user: Stop',
    ]);
  });

  it('joins user messages that follow each other', () => {
    assert.deepEqual(wire(STRICT_MODEL, asked, user('u2', 'Please')), ['user: Read it | Please']);
  });

  it('joins replies that follow each other', () => {
    assert.deepEqual(wire(STRICT_MODEL, asked, assistant('a1', 'One'), assistant('a2', 'Two')), ['user: Read it', 'assistant: One | Two']);
  });

  it('starts with a note when its first message is lost', () => {
    assert.deepEqual(wire(OPEN_MODEL, assistant('a1', 'Done'), user('u2', 'Thanks')), [
      'user: (An earlier message is missing here.)',
      'assistant: Done',
      'user: Thanks',
    ]);
  });

  it('leaves out empty texts, and messages that hold nothing else', () => {
    assert.deepEqual(wire(OPEN_MODEL, user('u1', 'Hello', ' \n'), assistant('a1', ''), user('u2', 'Still there?')), [
      'user: Hello | Still there?',
    ]);
  });

  it('leaves out empty texts of tool results', () => {
    const messages = [asked, assistant('a1', call('c', {})), results('r', result('c', text(''), text('1')))];
    assert.equal(wire(OPEN_MODEL, ...messages)[2], 'user: result c 1');
  });

  it('replays signed reasoning to the model it came from', () => {
    assert.deepEqual(wire(OPEN_MODEL, asked, assistant('a1', reasoning('Hm', 'sig'), 'Done'))[1], 'assistant: reasoning | Done');
  });

  it('never sends unsigned reasoning', () => {
    assert.deepEqual(wire(OPEN_MODEL, asked, assistant('a1', reasoning('Hm', null), 'Done'))[1], 'assistant: Done');
  });

  it('never sends reasoning to another model or protocol', () => {
    const said = assistant('a1', reasoning('Hm', 'sig'), 'Done');
    const otherModel = { ...OPEN_MODEL, ref: { ...OPEN_MODEL.ref, model: 'small' } };
    const otherProtocol = { ...OPEN_MODEL, protocol: 'other-wire' };
    for (const model of [otherModel, otherProtocol]) {
      assert.equal(wire(model, asked, said)[1], 'assistant: Done');
    }
  });

  describe('of a text that is kept outside the log', () => {
    const said = [asked, assistant('a1', call('c', {})), results('r', result('c', text('See:'), kept('f0', 'whole text')))];
    const compose = (model: Model, resultTexts: ResultTexts, factory: BlockFactory) =>
      composeConversation({ before: [], messages: said, model, missingImages: NONE_MISSING, resultTexts, attempts: new Map() }, factory);

    it('send it as part of the result, also as text to a model without tools', () => {
      const there = new Map([['f0', 'whole text']]);
      const [, , answer] = compose(OPEN_MODEL, there, new BlockFactory(characters, sha256)).messages;
      const answers = answer?.blocks.map(({ key, part }) => [key, part.type === 'toolResult' && part.content]);
      assert.deepEqual(answers, [['message:r/0', [text('See:'), text('whole text')]]]);
      const { messages, adaptations: adapted } = compose(TOOLLESS_MODEL, there, new BlockFactory(characters, sha256));
      assert.deepEqual(column(messages[2]?.blocks, 'part'), [text('(The tool read answered:)\nSee:\nwhole text')]);
      assert.deepEqual(adapted, { ...NO_ADAPTATIONS, toolPartsAsText: 2 });
    });

    it('send a note with its size and begin when it is missing, and it again when it is back', () => {
      const factory = new BlockFactory(characters, sha256);
      const note = text('(The text of this result, 10 bytes, is missing. It began:)\nwhole t');
      for (const isThere of [false, true, false]) {
        const { messages, adaptations: adapted } = compose(OPEN_MODEL, new Map(isThere ? [['f0', 'whole text']] : []), factory);
        const [block] = messages[2]?.blocks ?? [];
        assert.deepEqual(block?.part.type === 'toolResult' && block.part.content, [text('See:'), isThere ? text('whole text') : note]);
        assert.equal(block?.source.from, isThere ? 'message' : 'snapshot');
        assert.deepEqual(adapted, { ...NO_ADAPTATIONS, resultsMissing: isThere ? 0 : 1 });
      }
      const { messages, adaptations: adapted } = compose(TOOLLESS_MODEL, NO_RESULTS, factory);
      assert.deepEqual(column(messages[2]?.blocks, 'part'), [text(`(The tool read answered:)\nSee:\n${note.text}`)]);
      assert.deepEqual(adapted, { ...NO_ADAPTATIONS, resultsMissing: 1, toolPartsAsText: 2 });
    });

    it('send the ends of a very large one, wherever it is kept, and say so', () => {
      const huge = 'x'.repeat(SENT_RESULT_BYTES + 1);
      const messages = [
        asked,
        assistant('a1', call('c', {}), call('d', {})),
        results('r', result('c', kept('f0', huge)), result('d', text(huge))),
      ];
      const input = {
        before: [],
        messages,
        missingImages: NONE_MISSING,
        resultTexts: new Map([['f0', textForModel(huge)]]),
        attempts: new Map(),
      };
      const { messages: sent, adaptations: adapted } = composeConversation(
        { ...input, model: OPEN_MODEL },
        new BlockFactory(characters, sha256),
      );
      const contents = sent[2]?.blocks.map(({ part }) => part.type === 'toolResult' && part.content);
      assert.deepEqual(contents, [[text(textForModel(huge))], [text(textForModel(huge))]]);
      assert.deepEqual(adapted, { ...NO_ADAPTATIONS, resultsCut: 2 });
    });
  });

  it('sends images of results only to a model that takes images', () => {
    const messages = [asked, assistant('a1', call('c', {})), results('r', result('c', text('See'), image('ff')))];
    assert.equal(wire(OPEN_MODEL, ...messages)[2], 'user: result c See+image');
    assert.match(wire(STRICT_MODEL, ...messages)[2]!, /^user: result c See\+\(An image, image\/png, is left out/);
  });
});

describe('an image that is larger than a model accepts', () => {
  const limited = withCapabilities(OPEN_MODEL, { imageLimits: { mostBase64Bytes: 5 * 1024 * 1024, longestEdge: 8_000 } });
  const TOO_LARGE = [
    ['9,000 x 10 pixels', { ...image('aa'), width: 9_000, height: 10 }],
    ['6 MB', { ...image('aa'), bytes: 6 * 1024 * 1024 }],
    ['4 MB, more than 5 MB in Base64', { ...image('aa'), bytes: 4 * 1024 * 1024 }],
  ] as const;
  for (const [what, large] of TOO_LARGE) {
    it(`becomes a note in a message and in a tool result, for that model only: ${what}`, () => {
      const seen = user('u1', 'See', large);
      const inResult = [asked, assistant('a1', call('c', {})), results('r', result('c', large))];
      const note = '(An image, image/png, is left out: it is larger than the model accepts.)';
      assert.match(wire(limited, seen)[0] ?? '', /larger than the model accepts/);
      assert.equal(wire(limited, ...inResult)[2], `user: result c ${note}`);
      assert.deepEqual(adaptations(limited, [], seen), { ...NO_ADAPTATIONS, imagesTooLarge: 1 });
      assert.deepEqual(adaptations(OPEN_MODEL, [], seen), NO_ADAPTATIONS);
      const { imageLimits } = ANTHROPIC_CAPABILITIES;
      assert.equal(wire(withCapabilities(OPEN_MODEL, { imageLimits }), ...inResult)[2], `user: result c ${note}`);
    });
  }

  describe('of a provider with a lower limit for many images', () => {
    const many = { mostBase64Bytes: 5 * 1024 * 1024, longestEdge: 8_000, manyImages: { above: 20, longestEdge: 2_000 } };
    const model = withCapabilities(OPEN_MODEL, { imageLimits: many });
    const large = { ...image('aa'), width: 2_001, height: 10 };
    const shot = { ...image('bb'), width: 2_000, height: 2_000 };
    const inResult = (images: number): SentMessage[] => [
      user('u1', 'See', large),
      assistant('a1', call('c', {})),
      results('r', result('c', large, ...Array.from({ length: images }, () => shot))),
    ];

    it('is left out of a message and of a tool result only in a request with more images', () => {
      assert.deepEqual(adaptations(model, [], ...inResult(18)), NO_ADAPTATIONS);
      assert.deepEqual(adaptations(model, [], ...inResult(19)), { ...NO_ADAPTATIONS, imagesTooLarge: 2 });
    });

    it('counts the images of equal results once, except of results that the model asked for', () => {
      const shots = Array.from({ length: 19 }, () => shot);
      const step = (id: string, args: JsonObject): SentMessage[] => [
        assistant(`a${id}`, call(`c${id}`, args)),
        results(`r${id}`, result(`c${id}`, ...shots)),
      ];
      const loop = [user('u1', 'See', large), ...step('1', { at: 1 }), ...step('2', { at: 2 })];
      assert.deepEqual(adaptations(model, [], ...loop), NO_ADAPTATIONS);
      assert.deepEqual(adaptations(model, [], ...loop, ...step('3', { at: 2 })), { ...NO_ADAPTATIONS, imagesTooLarge: 1 });
      const withoutTools = withCapabilities(TOOLLESS_MODEL, { imageLimits: many });
      assert.equal(adaptations(withoutTools, [], ...loop).imagesTooLarge, 1, 'text has no pointers');
    });

    it('does not count images that are not sent anyway', () => {
      const huge = { ...image('cc'), width: 9_000, height: 10 };
      assert.deepEqual(adaptations(model, [], user('u1', 'See', ...Array.from({ length: 30 }, () => huge), large)), {
        ...NO_ADAPTATIONS,
        imagesTooLarge: 30,
      });
    });
  });

  it('is sent up to the limit', () => {
    const largest = { ...image('aa'), bytes: 3.75 * 1024 * 1024, width: 8_000, height: 8_000 };
    assert.deepEqual(adaptations(limited, [], user('u1', 'See', largest)), NO_ADAPTATIONS);
  });
});

describe('the blocks of messages', () => {
  it('are the same objects at every request', () => {
    const factory = new BlockFactory(characters, sha256);
    const messages = [asked, assistant('a1', 'Done')];
    const blocks = (): unknown[] => conversationMessages(messages, OPEN_MODEL, factory).flatMap((message) => message.blocks);
    const [first, second] = [blocks(), blocks()];
    assert.ok(first.every((block, index) => block === second[index]));
  });

  it('are told apart when a message was sent again under a new id', () => {
    const factory = new BlockFactory(characters, sha256);
    const again = { ...asked, id: 'u2' };
    const [message] = conversationMessages([asked, again], OPEN_MODEL, factory);
    assert.deepEqual(columns(message?.blocks, 'key', 'source'), [
      ['message:u1/0', { from: 'message', messageId: 'u1', part: 0 }],
      ['message:u2/0', { from: 'message', messageId: 'u2', part: 0 }],
    ]);
  });
});

describe('a conversation for another model', () => {
  const asked = user('u1', 'Read');
  const called = assistant('a1', 'I read.', call('c1', { path: 'a.ts' }), call('c2', null));
  const answered = results('r1', result('c1', text('content'), image('f00d')));

  it('has its tool calls and results as text where the model takes no tools, turns alternating', () => {
    assert.deepEqual(wire(TOOLLESS_MODEL, asked, called, answered, user('u2', 'And?')), [
      'user: Read',
      'assistant: I read. | (Called the tool read with {"path":"a.ts"}.) | (Called the tool read with {"pa.)',
      `user: (The tool read answered:)\ncontent | image | (The tool read failed:)\n${LOST_RESULT} | And?`,
    ]);
    assert.deepEqual(adaptations(TOOLLESS_MODEL, [], asked, called, answered), { ...NO_ADAPTATIONS, toolPartsAsText: 4 });
  });

  it('tells of a result without text, and of one that failed', () => {
    const once = assistant('a1', call('c1', {}));
    assert.deepEqual(
      wire(TOOLLESS_MODEL, asked, once, results('r1', result('c1'))).at(-1),
      'user: (The tool read answered, without a text.)',
    );
    const failed = results('r1', { ...result('c1', text('no')), isError: true });
    assert.deepEqual(wire(TOOLLESS_MODEL, asked, once, failed).at(-1), 'user: (The tool read failed:)\nno');
  });

  it('notes an image in a result as text where the model takes neither tools nor images', () => {
    const model = withCapabilities(TOOLLESS_MODEL, { images: false });
    const last = wire(model, asked, assistant('a1', call('c1', {})), answered).at(-1);
    assert.equal(last, 'user: (The tool read answered:)\ncontent\n(An image, image/png, is left out: the model takes no images.)');
    assert.deepEqual(adaptations(model, [], asked, assistant('a1', call('c1', {})), answered), {
      ...NO_ADAPTATIONS,
      imagesLeftOut: 1,
      toolPartsAsText: 2,
    });
  });

  it('leaves out reasoning of others and counts it; its own partial reasoning goes without a word', () => {
    const own = assistant('a1', reasoning('Hm', 'signed'), reasoning('H', null), 'Yes');
    assert.deepEqual(adaptations(OPEN_MODEL, [], asked, own), NO_ADAPTATIONS);
    assert.deepEqual(adaptations(STRICT_MODEL, [], asked, own), { ...NO_ADAPTATIONS, reasoningLeftOut: 2 });
  });

  it('leaves out its own reasoning, as always, where the model takes none back', () => {
    const model = withCapabilities(OPEN_MODEL, { reasoningReplay: 'never' });
    const own = assistant('a1', reasoning('Hm', 'signed'), 'Yes');
    assert.deepEqual(wire(model, asked, own), ['user: Read', 'assistant: Yes']);
    assert.deepEqual(adaptations(model, [], asked, own), NO_ADAPTATIONS);
  });

  it('has a note for each image that it cannot have, with the reason', () => {
    const seen = user('u1', 'See', image('aa'), image('bb'));
    assert.deepEqual(adaptations(STRICT_MODEL, [], seen), { ...NO_ADAPTATIONS, imagesLeftOut: 2 });
    assert.deepEqual(adaptations(OPEN_MODEL, ['bb'], seen), { ...NO_ADAPTATIONS, imagesLeftOut: 1 });
    const input = {
      before: [],
      messages: [seen],
      model: OPEN_MODEL,
      missingImages: new Set(['bb']),
      resultTexts: NO_RESULTS,
      attempts: new Map(),
    };
    const parts = composeConversation(input, new BlockFactory(characters, sha256)).messages.flatMap(({ blocks }) =>
      blocks.map(({ part }) => part),
    );
    const { type, blob, mimeType } = image('aa');
    assert.deepEqual(parts, [text('See'), { type, blob, mimeType }, text('(An image, image/png, is left out: its bytes are missing.)')]);
    const inResult = results('r1', result('c1', image('bb')));
    assert.deepEqual(adaptations(OPEN_MODEL, ['bb'], asked, assistant('a1', call('c1', {})), inResult), {
      ...NO_ADAPTATIONS,
      imagesLeftOut: 1,
    });
  });
});
