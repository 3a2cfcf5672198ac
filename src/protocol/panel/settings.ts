import type { SettingValue } from '../../engine/chat/settings/config.js';
import type { ChatSetting } from '../../engine/chat/settings/setting.js';

/** A setting of the chat, as a row of the settings form. */
export interface SettingRow extends Pick<ChatSetting, 'group' | 'label' | 'help'> {
  readonly name: string;
  /** The value of the setting. The value for a model is its key, `provider/model`. */
  readonly value: SettingValue;
  /** Whether the value differs from the default of new chats. */
  readonly isChanged: boolean;
  readonly control: SettingControl;
}

type SettingOf<Kind extends ChatSetting['kind']> = Extract<ChatSetting, { readonly kind: Kind }>;

export type SettingControl =
  | Pick<SettingOf<'model' | 'agent'>, 'kind'>
  | Pick<SettingOf<'text'>, 'kind' | 'placeholder'>
  | Pick<SettingOf<'switch'>, 'kind' | 'on' | 'turnsOn' | 'off' | 'numbers'>
  | Pick<SettingOf<'choice'>, 'kind' | 'options'>
  | {
      readonly kind: 'integer';
      readonly least: number;
      /** The upper limit. Null without a limit. */
      readonly most: number | null;
      /** Label of an empty value. Null if the user must enter a number. */
      readonly empty: string | null;
      /** The allowed numbers in words. */
      readonly expected: string;
    };
