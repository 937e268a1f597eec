import { pixelOf } from './core.js';
import type { Pixel, PixelOptions } from './types.js';

export type { ConsentFlags, EventProps, Pixel, PixelOptions, PurchaseProps, TrackType } from './types.js';

const ignore = (): void => undefined;
const inert: Pixel = { consent: ignore, track: ignore, purchase: ignore, identify: ignore };

/**
 * Starts the pixel of a token on this page; asked again for the same token it returns the one that runs, be it of this
 * package or of the script tag. Outside a browser it returns a pixel that does nothing. Never throws.
 */
export function createPixel(options: PixelOptions): Pixel {
  if (typeof document === 'undefined') return inert;
  try {
    return pixelOf(options);
  } catch {
    return inert;
  }
}
