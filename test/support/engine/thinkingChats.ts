import fc from 'fast-check';
import type { AssistantMessage, SentMessage } from '../../../src/engine/chat/message/message.js';
import type { AssistantPart } from '../../../src/engine/model/part.js';
import type { OfferedTool } from '../../../src/engine/request/gather.js';
import type { Model } from '../../../src/engine/model/model.js';
import { assistant, call, image, result, results, text, user } from './messages.js';
import { RecordedChat, type Sent } from './requests.js';

/* Chats with a model that binds reasoning to its prefix, while prompt, files, model or messages change. */

const reasoningPart = fc.constantFrom('signed' as const, 'signed' as const, 'partial' as const);
const part = fc.oneof(
  { weight: 3, arbitrary: reasoningPart },
  { weight: 3, arbitrary: fc.constantFrom('words' as const, 'blank' as const, 'call' as const) },
);

/** Mostly `usual`: with many changes no reasoning would ever be sent back. */
function mostly<T>(usual: T, ...others: T[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(usual, ...others) });
}

export const anyStep = fc.record({
  systemPrompt: mostly('', 'Be brief.'),
  file: mostly<string | null>('one', 'two', null),
  answers: mostly<'own' | 'other'>('own', 'other'),
  change: mostly<'none' | 'takeBack' | 'lose'>('none', 'takeBack', 'lose'),
  at: fc.nat(20),
  asked: mostly<'words' | 'blank' | 'image'>('words', 'blank', 'image'),
  reply: fc.array(part, { maxLength: 4 }),
  isAnswered: fc.boolean(),
});

export type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

export interface Turn extends Sent {
  readonly model: Model;
  readonly messages: readonly SentMessage[];
  readonly reply: AssistantMessage;
}

export interface Players {
  readonly own: Model;
  readonly other: Model;
  readonly tools: readonly OfferedTool[];
}

/** Runs the steps: each asks a model and adds its reply to the conversation. */
export function playThinking(steps: readonly Step[], { tools, ...models }: Players): Turn[] {
  const chat = new RecordedChat();
  const turns: Turn[] = [];
  let messages: readonly SentMessage[] = [];
  for (const [index, step] of steps.entries()) {
    const asked = { words: text('Why?'), blank: text(' '), image: image('aa') }[step.asked];
    messages = [...changed(messages, step), user(`u${index}`, asked)];
    const model = models[step.answers];
    const files = new Map(step.file === null ? [] : [['a.ts', step.file]]);
    const sent = chat.send({ model, systemPrompt: step.systemPrompt, files, messages, tools });
    const said = assistant(`a${index}`, ...replyParts(step, index, model));
    const reply = { ...said, attemptId: sent.attempt.id };
    turns.push({ ...sent, model, messages, reply });
    const calls = reply.parts.flatMap((each) => (each.type === 'toolCall' ? [result(each.id, text('found'))] : []));
    const answered = step.isAnswered && calls.length > 0 ? [results(`r${index}`, ...calls)] : [];
    messages = [...messages, reply, ...answered];
  }
  return turns;
}

function changed(messages: readonly SentMessage[], { change, at }: Step): readonly SentMessage[] {
  const place = at % Math.max(1, messages.length);
  switch (change) {
    case 'none':
      return messages;
    case 'takeBack':
      return messages.slice(0, place);
    case 'lose':
      return messages.toSpliced(place, 1);
  }
}

function replyParts({ reply }: Step, turn: number, { protocol, ref }: Model): AssistantPart[] {
  return reply.map((kind, index): AssistantPart => {
    const name = `${turn}-${index}`;
    switch (kind) {
      case 'words':
        return text(`So ${name}`);
      case 'blank':
        return text('\n');
      case 'call':
        return call(`c${name}`, {});
      case 'signed':
      case 'partial':
        return {
          type: 'reasoning',
          text: `Hm ${name}`,
          opaque: kind === 'signed' ? `signature ${name}` : null,
          protocol,
          model: ref.model,
        };
    }
  });
}
