import { failure, type LoupeError } from '../../engine/errors.js';
import type { PracticeMessage, PracticeRequest } from './wire.js';

/** Breakpoints a request may carry, as with the providers that take explicit ones. */
export const MOST_BREAKPOINTS = 4;

/**
 * Holds a request to the wire rules that hold at every provider, so that a request which the practice model takes
 * would be taken elsewhere too: the user speaks first, turns alternate, nothing is empty, and all results of a
 * message's tool calls follow it directly. Throws `protocol`, naming the message, at the first breach.
 */
export function checkRules(request: PracticeRequest): void {
  checkTurns(request.messages);
  checkText(request);
  checkToolPairs(request.messages);
  const marks = countMarks(request);
  if (marks > MOST_BREAKPOINTS) {
    throw refusal(`it has ${String(marks)} cache breakpoints; ${String(MOST_BREAKPOINTS)} are the most`);
  }
}

function checkTurns(messages: readonly PracticeMessage[]): void {
  if (messages.length === 0) {
    throw refusal('it has no messages');
  }
  for (const [index, message] of messages.entries()) {
    const side = message.role === 'assistant' ? 'assistant' : 'user';
    const due = index % 2 === 0 ? 'user' : 'assistant';
    if (side !== due) {
      throw refusal(`${place(index)} is of role ${message.role}, where it is the ${due}'s turn`);
    }
    if (message.content.length === 0) {
      throw refusal(`${place(index)} is empty`);
    }
  }
  if (messages.at(-1)?.role === 'assistant') {
    throw refusal('it ends with an assistant message: there is nothing to answer');
  }
}

/** Providers refuse text of nothing but white space. A tool's result may well be empty. */
function checkText(request: PracticeRequest): void {
  if (request.system.some((part) => part.text.trim() === '')) {
    throw refusal('a part of its system prompt is empty');
  }
  for (const [index, message] of request.messages.entries()) {
    if (message.content.some((part) => part.type === 'text' && part.text.trim() === '')) {
      throw refusal(`${place(index)} holds an empty text`);
    }
  }
}

function checkToolPairs(messages: readonly PracticeMessage[]): void {
  const known = new Set<string>();
  let open: readonly string[] = [];
  for (const [index, message] of messages.entries()) {
    checkAnswers(message, index, open);
    open = callIds(message);
    for (const id of open) {
      if (known.has(id)) {
        throw refusal(`${place(index)} uses the tool call id ${id} again`);
      }
      known.add(id);
    }
  }
}

/** Checks that `message` holds the results of exactly the calls that are open, each once. */
function checkAnswers(message: PracticeMessage, index: number, open: readonly string[]): void {
  const answered = message.role === 'tool' ? message.content.map((part) => part.callId) : [];
  const missing = open.filter((id) => !answered.includes(id));
  if (missing.length > 0) {
    throw refusal(`${place(index)} should hold the results of the tool calls ${missing.join(', ')}`);
  }
  const orphans = answered.filter((id, at) => !open.includes(id) || answered.indexOf(id) !== at);
  if (orphans.length > 0) {
    throw refusal(`${place(index)} holds results that no call directly before it waits for: ${orphans.join(', ')}`);
  }
}

function callIds(message: PracticeMessage): string[] {
  return message.role === 'assistant' ? message.content.flatMap((part) => (part.type === 'toolCall' ? [part.id] : [])) : [];
}

function countMarks(request: PracticeRequest): number {
  const parts = [...request.tools, ...request.system, ...request.messages.flatMap((message) => [...message.content])];
  return parts.filter((part) => part.cache !== undefined).length;
}

function place(index: number): string {
  return `message ${String(index + 1)}`;
}

function refusal(what: string): LoupeError {
  return failure('practice.badRequest', { what });
}
