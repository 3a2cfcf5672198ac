/** What the header of an image says. `type` is a name of image-size, such as `png`. Width and height are in pixels. */
export interface RawImageHeader {
  readonly type: string;
  readonly width: number;
  readonly height: number;
}

/** Reads the type and dimensions of an image. Returns the error of image-size for content that is no known image. */
export async function readImageHeader(bytes: Uint8Array): Promise<RawImageHeader | Error> {
  const { imageSize } = await import('image-size');
  try {
    const { type, width, height } = imageSize(bytes);
    return { type: type ?? 'unknown', width, height };
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  }
}

/** Returns the dimensions of an image in a tool result. An unreadable header gives null: unknown. */
export async function imageDimensions(bytes: Uint8Array): Promise<Readonly<Record<'width' | 'height', number | null>>> {
  const header = await readImageHeader(bytes);
  return header instanceof Error ? { width: null, height: null } : { width: header.width, height: header.height };
}
