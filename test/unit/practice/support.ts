import type { Json } from '../../../src/engine/json.js';
import type { Clock, RandomHex } from '../../../src/engine/ports.js';
import type { StreamPart } from '../../../src/engine/model/model.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { PracticeModel } from '../../../src/providers/practice/practiceModel.js';
import type { PracticeMessage, PracticePart, PracticeRequest } from '../../../src/providers/practice/wire.js';
import { characters } from '../../support/engine/ports.js';

const zeros: RandomHex = { hex: (count) => '0'.repeat(count) };

export class FakeClock implements Clock {
  time = 1_000_000;

  now(): number {
    return this.time;
  }

  sleep(ms: number): Promise<void> {
    this.time += ms;
    return Promise.resolve();
  }
}

export function practiceModel(clock: Clock): PracticeModel {
  return new PracticeModel(clock, zeros, () => Promise.resolve(characters));
}

export function user(...texts: string[]): PracticeMessage {
  return { role: 'user', content: texts.map((text) => ({ type: 'text', text })) };
}

export function says(text: string): PracticeMessage {
  return { role: 'assistant', content: [{ type: 'text', text }] };
}

export function calls(...ids: string[]): PracticeMessage {
  return { role: 'assistant', content: ids.map((id) => ({ type: 'toolCall', id, name: 'read', args: {} })) };
}

export function results(...ids: string[]): PracticeMessage {
  return {
    role: 'tool',
    content: ids.map((id) => ({
      type: 'toolResult',
      callId: id,
      name: 'read',
      content: [{ type: 'text', text: `result of ${id}` }],
      isError: false,
    })),
  };
}

export function tool(description: string): PracticePart<'toolDefinition'> {
  return { type: 'toolDefinition', name: 'read', description, schema: {}, isRetired: false };
}

export function requestOf(...messages: PracticeMessage[]): PracticeRequest {
  return { model: 'standard', max_tokens: null, tools: [], system: [], messages };
}

export interface Received {
  readonly parts: readonly StreamPart[];
  readonly text: string;
  readonly args: string;
  readonly end: Extract<StreamPart, { type: 'end' }> | null;
  readonly error: unknown;
}

export async function receive(model: PracticeModel, request: PracticeRequest | Json, signal: AbortSignal): Promise<Received> {
  const parts: StreamPart[] = [];
  let error: unknown = null;
  try {
    const wire = { body: JSON.stringify(request), converterVersion: 'practice/1' };
    for await (const part of model.stream(PRACTICE_STANDARD, wire, signal)) {
      parts.push(part);
    }
  } catch (thrown) {
    error = thrown;
  }
  const textOf = (type: 'text' | 'toolCallArgs'): string => parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
  const end = parts.find((part) => part.type === 'end') ?? null;
  return { parts, text: textOf('text'), args: textOf('toolCallArgs'), end, error };
}

export function replyTo(...messages: PracticeMessage[]): Promise<Received> {
  return receive(practiceModel(new FakeClock()), requestOf(...messages), new AbortController().signal);
}
