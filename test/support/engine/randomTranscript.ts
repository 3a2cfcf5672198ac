import fc from 'fast-check';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import type { AssistantPart, ToolResultContent, UserPart } from '../../../src/engine/model/part.js';
import { LARGE_RESULTS } from './largeResults.js';
import { OPEN_MODEL, STRICT_MODEL, TOOLLESS_MODEL } from './models.js';
import { assistant, call, image, result, results, text, user } from './messages.js';

/* Transcripts with tools, missing, duplicate or unrelated results, empty texts, and lost messages. */

const words = fc.oneof(
  { weight: 4, arbitrary: fc.string({ minLength: 1, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\n\t', '\ud800', '```', '\u200b') },
);

const userPart: fc.Arbitrary<UserPart> = fc.oneof(
  { weight: 4, arbitrary: words.map(text) },
  { weight: 1, arbitrary: fc.constantFrom('aa', 'bb').map(image) },
);

const reasoningPart: fc.Arbitrary<AssistantPart> = fc
  .record({
    text: words,
    opaque: fc.constantFrom(null, 'signed'),
    protocol: fc.constantFrom(OPEN_MODEL.protocol, STRICT_MODEL.protocol),
    model: fc.constantFrom(OPEN_MODEL.ref.model, STRICT_MODEL.ref.model, TOOLLESS_MODEL.ref.model),
  })
  .map((part) => ({ type: 'reasoning', ...part }));

const resultContent: fc.Arbitrary<ToolResultContent> = fc.oneof(
  { weight: 3, arbitrary: words.map(text) },
  { weight: 1, arbitrary: fc.constant(image('cc')) },
  { weight: 1, arbitrary: fc.constantFrom(...LARGE_RESULTS) },
);

/** What happened to a call: one result, none, or two in one or two messages. */
const callFate = fc.constantFrom('answered' as const, 'answered' as const, 'lost' as const, 'twice' as const, 'late' as const);

const reply = fc.record({
  prose: fc.array(fc.oneof(words.map(text), reasoningPart, fc.constantFrom('aa', 'bb').map(image)), { maxLength: 3 }),
  calls: fc.array(fc.record({ fate: callFate, args: fc.constantFrom({ path: 'a.ts' }, {}, null) }), { maxLength: 3 }),
  content: fc.array(resultContent, { maxLength: 2 }),
  reversed: fc.boolean(),
  orphan: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});

type Reply = typeof reply extends fc.Arbitrary<infer T> ? T : never;

const exchange = fc.record({
  asked: fc.array(fc.array(userPart, { maxLength: 3 }), { minLength: 1, maxLength: 2 }),
  replies: fc.array(reply, { maxLength: 3 }),
});

/** The messages of a reply: its text, and the logged results. */
function replyMessages({ prose, calls, content, reversed, orphan }: Reply, name: string): SentMessage[] {
  const ids = calls.map((_, index) => `call-${name}-${index}`);
  const said = assistant(`a-${name}`, ...prose, ...calls.map(({ args }, index) => call(ids[index]!, args)));
  const answered = calls.flatMap(({ fate }, index) => {
    const one = result(ids[index]!, ...content);
    return fate === 'answered' ? [one] : fate === 'twice' ? [one, result(ids[index]!, text('again'))] : [];
  });
  const late = calls.flatMap(({ fate }, index) => (fate === 'late' ? [result(ids[index]!, text('late'))] : []));
  const first = [...(reversed ? answered.reverse() : answered), ...(orphan ? [result('call-of-nobody', text('?'))] : [])];
  return [said, ...(first.length > 0 ? [results(`r-${name}`, ...first)] : []), ...(late.length > 0 ? [results(`s-${name}`, ...late)] : [])];
}

const wholeTranscript: fc.Arbitrary<SentMessage[]> = fc
  .array(exchange, { maxLength: 4 })
  .map((exchanges) =>
    exchanges.flatMap(({ asked, replies }, at) => [
      ...asked.map((parts, index) => user(`u-${at}-${index}`, ...parts)),
      ...replies.flatMap((said, index) => replyMessages(said, `${at}-${index}`)),
    ]),
  );

export const anyTranscript: fc.Arbitrary<SentMessage[]> = fc.oneof(
  wholeTranscript,
  wholeTranscript.chain((messages) => fc.subarray(messages)),
);

/** Context files by path. Some contain the marks of the prompt itself. */
export const anyFiles: fc.Arbitrary<ReadonlyMap<string, string>> = fc
  .dictionary(
    fc.constantFrom('src/a.ts', 'src/b.ts', 'README.md', 'Makefile'),
    fc.oneof(fc.string(), fc.constantFrom('', '```\n', '# Working Files\n')),
  )
  .map((files) => new Map(Object.entries(files)));
