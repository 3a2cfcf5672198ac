import type { ImagePart } from '../../engine/model/part.js';
import type { TurnVersions } from '../../engine/chat/versions.js';

export type { TurnVersions };

export interface UserEntry {
  readonly kind: 'user';
  readonly id: string;
  readonly text: string;
  readonly images: readonly ImageView[];
  /** So many of the images stand before the text. */
  readonly imagesFirst: number;
  readonly at: number;
  /** `unsent`: never answered, and later requests do not send it. `queued`: waits until the chat is no longer busy. */
  readonly status: 'sent' | 'unsent' | 'queued';
  /** Whether every request sends it, whatever is summarized; here and in `AssistantEntry`. */
  readonly isPinned: boolean;
  /** Whether the user has left its turn out of the requests. */
  readonly isLeftOut: boolean;
  /** Which version of this message and its reply is on show; null where there is one only. */
  readonly versions: TurnVersions | null;
}

/** An image of a message. `blob` names it; an unknown size is null. */
export type ImageView = Omit<ImagePart, 'type'>;
