import { nothing, type TemplateResult } from 'lit';

export function markup(value: unknown): string {
  if (Array.isArray(value)) {
    return value.map(markup).join(' ');
  }
  if (value === nothing) {
    return '';
  }
  if (typeof value !== 'object' || value === null) {
    return String(value);
  }
  if (!('strings' in value)) {
    return repeated(value);
  }
  const { strings, values } = value as TemplateResult;
  return strings.map((text, index) => text + (index < values.length ? markup(values[index]) : '')).join('');
}

/** The rows of `repeat`. Empty for property values. */
function repeated(value: object): string {
  const values: unknown = 'values' in value ? value.values : [];
  const [items, , row] = Array.isArray(values) ? (values as readonly unknown[]) : [];
  return Array.isArray(items) && typeof row === 'function' ? markup(items.map((item) => (row as (item: unknown) => unknown)(item))) : '';
}

export function words(value: unknown): string {
  return (
    markup(value)
      // A handler contains `=>`, which ends no tag.
      .replaceAll('=>', '')
      .replaceAll(/<[^>]*>/gs, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  );
}
