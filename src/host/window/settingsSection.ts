export const SETTINGS_SECTION = 'loupe';
