import type { IdleView } from '../../../protocol/panel/idle.js';
import type { IdleStatus } from '../../chat/idle/idleChat.js';
import type { ExpiredChat } from '../../chat/idle/idleFigures.js';
import { type HandlerRoom, inChat } from '../shell/handles.js';
import { type PanelSlices, ofChat } from '../shell/slice.js';

/** Derives what Loupe offers before and after the expiry of an idle chat's cache. */
export const idleSlices: PanelSlices<'idle'> = {
  idle: ofChat(['chat'], ({ session }) => idleView(session.idle.status)),
};

/** Returns the handlers of the user's answers to an offer. */
export function idleHandlers(room: HandlerRoom) {
  const { drafts, draftActions } = room;
  return inChat(room, {
    chooseIdle: ({ idle }, { action }) => idle.choose(action),
    leaveIdle: ({ idle }) => idle.leave(),
    async summarizeFirst(session, { text }) {
      // Sends no draft that the user goes on writing.
      if ((await session.idle.summarizeFirst()) && drafts.get(session.id).text === text) {
        await draftActions.send(session, text);
      }
    },
  });
}

function expiredView({ more, summary }: ExpiredChat): IdleView {
  return { kind: 'expired', more, summary: summary === null ? null : { cost: summary.write, saving: summary.saving } };
}

export function idleView(status: IdleStatus): IdleView | null {
  switch (status?.kind) {
    case 'offered': {
      const { tokens, expiresAt, cold, offers } = status;
      const summary = offers.find(({ kind }) => kind === 'summarize');
      const keepWarm = offers.find((offer) => offer.kind === 'keepWarm');
      return {
        ...{ kind: 'offered', tokens, expiresAt, cold, summary: summary?.cost ?? null },
        keepWarm: keepWarm === undefined ? null : { cost: keepWarm.cost, time: keepWarm.time },
      };
    }
    case 'expired':
      return expiredView(status);
    case 'warm':
    case 'note':
      return status;
    case undefined:
      return null;
  }
}
