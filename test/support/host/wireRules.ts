import type { Ttl } from '../../../src/engine/model/cacheRules.js';
import { PRACTICE_CACHE } from '../../../src/providers/practice/models.js';
import { deferredTools } from '../../../src/providers/practice/requestParts.js';
import type { PracticeMessage, PracticePart, PracticeRequest } from '../../../src/providers/practice/wire.js';

/** Checks a request to the practice model by the rules that all providers share. Throws for the first fault. */
export function checkRules(request: PracticeRequest): void {
  checkTurns(request.messages);
  checkText(request);
  checkToolPairs(request.messages);
  checkDeferred(request);
  const ttls = ttlsOf(request);
  const foreign = ttls.find((ttl) => !PRACTICE_CACHE.lifetimes.includes(ttl));
  if (foreign !== undefined) {
    throw refusal(`it has a cache breakpoint of ${foreign}, which is not offered`);
  }
  if (ttls.length > PRACTICE_CACHE.most) {
    throw refusal(`it has ${String(ttls.length)} cache breakpoints, the limit is ${String(PRACTICE_CACHE.most)}`);
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
      throw refusal(`${place(index)} has the role ${message.role}, but it is the ${due}'s turn`);
    }
    if (message.content.length === 0) {
      throw refusal(`${place(index)} is empty`);
    }
  }
  if (messages.at(-1)?.role === 'assistant') {
    throw refusal('it ends with an assistant message: there is nothing to answer');
  }
}

/** Providers refuse text with only white space. A tool result may be empty. */
function checkText(request: PracticeRequest): void {
  if (request.system.some((part) => part.text.trim() === '')) {
    throw refusal('a part of its system prompt is empty');
  }
  for (const [index, message] of request.messages.entries()) {
    if (message.content.some((part) => part.type === 'text' && part.text.trim() === '')) {
      throw refusal(`${place(index)} contains an empty text`);
    }
  }
}

/** Loaded tools are defined as deferred, and at least one tool is not deferred. */
function checkDeferred(request: PracticeRequest): void {
  const deferred = deferredTools(request);
  if (deferred.size > 0 && deferred.size === request.tools.length) {
    throw refusal('all its tools are deferred');
  }
  const names = request.messages.flatMap(({ content }) => [...content].flatMap(loadedNames));
  const unknown = names.find((name) => !deferred.has(name));
  if (unknown !== undefined) {
    throw refusal(`a result loads the tool ${unknown}, which is not defined as deferred`);
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

/** `message` has one result for each open call, and no others. */
function checkAnswers(message: PracticeMessage, index: number, open: readonly string[]): void {
  const answered = message.role === 'tool' ? message.content.map((part) => part.callId) : [];
  const missing = open.filter((id) => !answered.includes(id));
  if (missing.length > 0) {
    throw refusal(`${place(index)} lacks the results of the tool calls ${missing.join(', ')}`);
  }
  const orphans = answered.filter((id, at) => !open.includes(id) || answered.indexOf(id) !== at);
  if (orphans.length > 0) {
    throw refusal(`${place(index)} contains results without a tool call directly before it: ${orphans.join(', ')}`);
  }
}

function callIds(message: PracticeMessage): string[] {
  return message.role === 'assistant' ? message.content.flatMap((part) => (part.type === 'toolCall' ? [part.id] : [])) : [];
}

function ttlsOf(request: PracticeRequest): Ttl[] {
  const parts = [...request.tools, ...request.system, ...request.messages.flatMap((message) => [...message.content])];
  return parts.flatMap(({ cache }) => cache ?? []);
}

function place(index: number): string {
  return `message ${String(index + 1)}`;
}

function loadedNames(part: PracticePart): readonly string[] {
  return part.type === 'toolResult' ? part.content.flatMap((item) => (item.type === 'toolReference' ? [item.name] : [])) : [];
}

function refusal(what: string): Error {
  return new Error(`A provider would refuse this request: ${what}.`);
}
