export const WORDS: readonly string[] =
  'harbour gauge water level season number table column value reading station morning evening record paper engine model wire light window field letter signal answer story river cloud stone bridge market garden silver copper winter summer valley island forest branch corner mirror pocket ladder'.split(
    ' ',
  );
