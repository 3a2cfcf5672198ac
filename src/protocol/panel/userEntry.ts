import type { ImagePart } from '../../engine/model/part.js';
import type { TurnVersions } from '../../engine/chat/versions.js';

export type { TurnVersions };

export interface UserEntry {
  readonly kind: 'user';
  readonly id: string;
  readonly text: string;
  readonly images: readonly ImageView[];
  /** Number of images before the text. */
  readonly imagesFirst: number;
  readonly at: number;
  /** `unsent`: it has no reply, and later requests do not send it. `queued`: it waits until the chat is idle. */
  readonly status: 'sent' | 'unsent' | 'queued';
  /** Whether it stays in all requests through summaries. Also in `AssistantEntry`. */
  readonly isPinned: boolean;
  /** Whether the user excluded its turn from requests. */
  readonly isExcluded: boolean;
  /** The visible version of this message and its reply. Null if there is only one. */
  readonly versions: TurnVersions | null;
}

/** An image of a message, named by `blob`. An unknown size is null. */
export type ImageView = Omit<ImagePart, 'type'>;
