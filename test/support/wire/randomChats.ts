import fc from 'fast-check';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import type { AssistantPart, ToolResultContent, UserPart } from '../../../src/engine/model/part.js';
import { LARGE_RESULTS } from '../engine/largeResults.js';
import { assistant, call, result, results, text, user } from '../engine/messages.js';
import { anyTool } from './randomTools.js';
import { signed, type Origin } from './signatures.js';

/*
 * Random chats before they are sent: replies of several models with reasoning, parallel calls with all kinds of ids and
 * names, results that are lost, doubled, late or without a call, stops, failures, empty texts, images, and lost
 * messages. The last message is a user's, or the results of tools.
 */

export const IMAGES: ReadonlyMap<string, string> = new Map([
  ['aa', 'iVBORw=='],
  ['bb', '/9j/4AAQ'],
]);

const words = fc.oneof(
  { weight: 5, arbitrary: fc.string({ minLength: 1, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\n\t', '\ud800', 'so ', '\u200b', '$&', 'a\nb') },
);

const image = fc
  .constantFrom(['aa', 'image/png'], ['bb', 'image/jpeg'])
  .map(
    ([blob, mimeType]) =>
      ({ type: 'image', blob, mimeType, bytes: 4, width: blob === 'aa' ? null : 3, height: blob === 'aa' ? null : 2 }) as const,
  );

const userPart: fc.Arbitrary<UserPart> = fc.oneof({ weight: 4, arbitrary: words.map(text) }, { weight: 1, arbitrary: image });

/** Reasoning of a model: complete, redacted, or cut before its signature. */
function reasoningOf(origins: readonly Origin[]): fc.Arbitrary<AssistantPart> {
  return fc
    .record({
      origin: fc.constantFrom(...origins),
      // A signed text is complete, so it has no half surrogate pairs.
      text: words.map((thought) => thought.replace(/\p{Surrogate}/gu, '')),
      form: fc.constantFrom('complete' as const, 'complete' as const, 'redacted' as const, 'partial' as const),
    })
    .map(({ origin, text: thought, form }) => {
      const said = form === 'redacted' ? '' : thought;
      return { type: 'reasoning', text: said, opaque: signed(origin, said, form), protocol: origin.protocol, model: origin.model };
    });
}

const resultContent: fc.Arbitrary<ToolResultContent> = fc.oneof(
  { weight: 4, arbitrary: words.map(text) },
  { weight: 1, arbitrary: image },
  { weight: 1, arbitrary: fc.constantFrom(...LARGE_RESULTS) },
  { weight: 3, arbitrary: anyTool.map(({ definition: { name } }) => ({ type: 'toolReference' as const, name })) },
);

const FATES = ['answered', 'answered', 'failed', 'stopped', 'lost', 'twice', 'late'] as const;

/** Ids of providers and servers. Some repeat in each reply. */
const callId = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: fc.constantFrom('', 'call_0', 'functions.read:0', 'a b', 'x'.repeat(200), `${'x'.repeat(199)}y`, 'é') },
);

const callName = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('read', 'write') },
  { weight: 1, arbitrary: fc.constantFrom('', 'fs.read', 'fs_read', 'read file', 'r'.repeat(130)) },
  { weight: 3, arbitrary: anyTool.map(({ definition }) => definition.name) },
);

const randomCall = fc.record({
  id: callId,
  name: callName,
  args: fc.constantFrom({ path: 'a.ts' }, {}, { z: 1, a: [null, { c: true, b: '"' }] }, null),
  fate: fc.constantFrom(...FATES),
  content: fc.array(resultContent, { maxLength: 2 }),
});

function replyOf(origins: readonly Origin[]) {
  return fc.record({
    prose: fc.array(fc.oneof(words.map(text), reasoningOf(origins), image), { maxLength: 3 }),
    calls: fc.array(randomCall, { maxLength: 3 }),
    reversed: fc.boolean(),
    orphan: fc.constantFrom(false, false, false, true),
  });
}

type Reply = ReturnType<typeof replyOf> extends fc.Arbitrary<infer T> ? T : never;

/** A reply: its text, and the logged results. */
function replyMessages({ prose, calls, reversed, orphan }: Reply, name: string): SentMessage[] {
  // Clients keep ids unique within a reply.
  const wanted = calls.map(({ id }, index) => id ?? `call_${name}_${index}`);
  const ids = wanted.map((id, index) => (wanted.indexOf(id) === index ? id : `${id}~${index}`));
  const said = calls.map(({ name: tool, args }, index) => ({ ...call(ids[index]!, args), name: tool }));
  const answered = calls.flatMap(({ fate, name: tool, content }, index) => {
    const one = { ...result(ids[index]!, ...content), name: tool, isError: fate === 'failed' };
    switch (fate) {
      case 'answered':
      case 'failed':
        return [one];
      case 'stopped':
        return [{ ...one, content: [text('Stopped.')], isError: true, synthetic: true }];
      case 'twice':
        return [one, { ...one, content: [text('again')] }];
      case 'lost':
      case 'late':
        return [];
    }
  });
  const late = calls.flatMap(({ fate, name: tool }, index) =>
    fate === 'late' ? [{ ...result(ids[index]!, text('late')), name: tool }] : [],
  );
  const first = [...(reversed ? answered.reverse() : answered), ...(orphan ? [result('call-of-nobody', text('?'))] : [])];
  return [
    assistant(`a-${name}`, ...prose, ...said),
    ...(first.length > 0 ? [results(`r-${name}`, ...first)] : []),
    ...(late.length > 0 ? [results(`s-${name}`, ...late)] : []),
  ];
}

function exchanges(origins: readonly Origin[], name: string, most: number): fc.Arbitrary<SentMessage[]> {
  const exchange = fc.record({
    asked: fc.array(fc.array(userPart, { maxLength: 2 }), { minLength: 1, maxLength: 2 }),
    replies: fc.array(replyOf(origins), { maxLength: 3 }),
  });
  return fc
    .array(exchange, { maxLength: most })
    .map((all) =>
      all.flatMap(({ asked, replies }, at) => [
        ...asked.map((parts, index) => user(`u-${name}-${at}-${index}`, ...parts)),
        ...replies.flatMap((reply, index) => replyMessages(reply, `${name}-${at}-${index}`)),
      ]),
    );
}

/** The end of a request: a user message, or results of running tools. */
function ending(origins: readonly Origin[], name: string): fc.Arbitrary<SentMessage[]> {
  return fc
    .tuple(replyOf(origins), fc.boolean())
    .map(([reply, inLoop]) => [user(`u-${name}`, 'go on'), ...(inLoop && reply.calls.length > 0 ? replyMessages(reply, name) : [])]);
}

export interface RandomChat {
  readonly messages: readonly SentMessage[];
  /** The same chat later: `messages`, and more when the user's message is last. */
  readonly later: readonly SentMessage[];
}

export function randomChat(origins: readonly Origin[]): fc.Arbitrary<RandomChat> {
  const whole = exchanges(origins, 'a', 3);
  return fc
    .record({
      past: fc.oneof(
        whole,
        whole.chain((messages) => fc.subarray(messages)),
      ),
      now: ending(origins, 'b'),
      reply: replyOf(origins),
      next: ending(origins, 'd'),
    })
    .map(({ past, now, reply, next }) => {
      const messages = [...past, ...now];
      return { messages, later: [...messages, ...replyMessages(reply, 'c'), ...next] };
    });
}
