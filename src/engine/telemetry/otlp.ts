import { isObject, type Json, type JsonObject } from '../json.js';

/* OpenTelemetry's protocol (OTLP) in JSON: an int64 is a decimal string, ids are hexadecimal, times in nanoseconds. */

type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } }
  | { readonly kvlistValue: { readonly values: readonly KeyValue[] } }
  /** No value. */
  | Readonly<Record<string, never>>;

interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

export interface OtlpSpan {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly status: { readonly code?: number; readonly message?: string };
}

export const SPAN_KIND_CLIENT = 3;
export const STATUS_ERROR = 2;

/** Returns the attributes of a span. Null values are unknown and are omitted. */
export function otlpAttributes(attributes: Readonly<Record<string, Json>>): readonly KeyValue[] {
  return Object.entries(attributes).flatMap(([key, value]) => (value === null ? [] : [{ key, value: anyValue(value) }]));
}

/** `at` is in epoch milliseconds. */
export function unixNano(at: number): string {
  return String(BigInt(Math.round(at)) * 1_000_000n);
}

/** Returns the texts before and after the spans of an export request. Spans are separated by commas. */
export function otlpFrame(service: string): { readonly before: string; readonly after: string } {
  const resource = JSON.stringify({ attributes: otlpAttributes({ 'service.name': service }) });
  const scope = JSON.stringify({ name: service });
  return {
    before: `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":${scope},"spans":[\n`,
    after: '\n]}]}]}\n',
  };
}

function anyValue(value: Json): AnyValue {
  if (isList(value)) {
    return { arrayValue: { values: value.map(anyValue) } };
  }
  if (isObject(value)) {
    return { kvlistValue: { values: keyValues(value) } };
  }
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'boolean':
      return { boolValue: value };
    case 'number':
      return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
    default:
      return {};
  }
}

function keyValues(object: JsonObject): readonly KeyValue[] {
  return Object.entries(object).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
