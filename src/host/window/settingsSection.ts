/** Loupe's section of VS Code's settings. */
export const SETTINGS_SECTION = 'loupe';
