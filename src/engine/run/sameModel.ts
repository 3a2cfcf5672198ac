/** Text that can follow the id of the same model: a date, a version of three or more digits, `latest`, a preview. */
const VERSION = /^([-@:.](\d{3,}(-\d{2}){0,2}|v\d+(:\d+)?|latest|(preview|exp)(-\d{2}){0,2}))*$/;

/** Text that can precede the id of the same model, such as a vendor: `openai/`, `models/`, `us.anthropic.`. */
const PREFIX = /^(.*\/)?([a-z]+\.)*(?=[a-z])/;

/** Whether two ids name the same model. One id can also have a vendor at its beginning, or a version at its end. */
export function isSameModel(asked: string, answered: string): boolean {
  const [a, b] = [bare(asked), bare(answered)].toSorted((x, y) => x.length - y.length) as [string, string];
  return b.startsWith(a) && VERSION.test(b.slice(a.length));
}

function bare(id: string): string {
  return id.toLowerCase().replace(PREFIX, '');
}
