import fc from 'fast-check';
import type { Fate } from './billingServer.js';

/** A user's action. The numbers choose from what exists, modulo its count. */
export type Action =
  | { readonly do: 'new'; readonly isSecond: boolean; readonly isAnthropic: boolean }
  | { readonly do: 'send'; readonly isSecond: boolean; readonly chat: number; readonly words: number; readonly fate: Fate }
  | {
      readonly do: 'edit';
      readonly isSecond: boolean;
      readonly chat: number;
      readonly at: number;
      readonly words: number;
      readonly fate: Fate;
    }
  | { readonly do: 'retry'; readonly isSecond: boolean; readonly chat: number; readonly at: number; readonly fate: Fate }
  /** Stops, finishes or breaks a streaming reply. */
  | { readonly do: 'stop'; readonly chat: number }
  | { readonly do: 'finish'; readonly chat: number; readonly how: 'goOn' | 'break' }
  | { readonly do: 'bringBack'; readonly chat: number; readonly at: number }
  | { readonly do: 'fork'; readonly isSecond: boolean; readonly chat: number; readonly at: number }
  | { readonly do: 'clear' | 'delete'; readonly isSecond: boolean; readonly chat: number }
  | { readonly do: 'title' | 'summarize'; readonly isSecond: boolean; readonly chat: number; readonly fate: Fate }
  /** In the second window: undoes its latest deletion, kills it, or reloads it. */
  | { readonly do: 'undo' | 'kill' | 'reload' };

const isSecond = fc.boolean();
const chat = fc.nat({ max: 999 });
const at = chat;
const words = fc.integer({ min: 3, max: 60 });

const fate = fc.oneof(
  { weight: 7, arbitrary: fc.constant<Fate>('answered') },
  { weight: 3, arbitrary: fc.constant<Fate>('held') },
  { weight: 3, arbitrary: fc.constantFrom<Fate>('tool', 'broken', 'refused', 'busy') },
);

const fateOfHousekeeping = fc.constantFrom<Fate>('answered', 'answered', 'answered', 'broken', 'refused', 'busy');
const is = <Name extends string>(...names: readonly Name[]): fc.Arbitrary<Name> => fc.constantFrom(...names);

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: is('new'), isSecond, isAnthropic: fc.boolean() }) },
  { weight: 34, arbitrary: fc.record({ do: is('send'), isSecond, chat, words, fate }) },
  { weight: 9, arbitrary: fc.record({ do: is('edit'), isSecond, chat, at, words, fate }) },
  { weight: 8, arbitrary: fc.record({ do: is('retry'), isSecond, chat, at, fate }) },
  { weight: 7, arbitrary: fc.record({ do: is('stop'), chat }) },
  { weight: 6, arbitrary: fc.record({ do: is('finish'), chat, how: is('goOn', 'goOn', 'break') }) },
  { weight: 6, arbitrary: fc.record({ do: is('bringBack'), chat, at }) },
  { weight: 5, arbitrary: fc.record({ do: is('fork'), isSecond, chat, at }) },
  { weight: 7, arbitrary: fc.record({ do: is('clear', 'delete', 'delete'), isSecond, chat }) },
  { weight: 8, arbitrary: fc.record({ do: is('title', 'summarize'), isSecond, chat, fate: fateOfHousekeeping }) },
  { weight: 3, arbitrary: fc.record({ do: is('undo') }) },
  { weight: 3, arbitrary: fc.record({ do: is('kill', 'reload') }) },
);

/** `count` actions. Equal seeds give equal actions. */
export function randomActions(count: number, seed: number): readonly Action[] {
  return fc.sample(action, { numRuns: count, seed });
}
