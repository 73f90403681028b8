import type { OutputStream } from './surroundings.ts'

const USUAL_WIDTH = 80

/** A terminal that doesn't know its width, such as a new pseudo-terminal, reports 0. It gets the usual one. */
export function giveUsableWidth(stream: OutputStream): void {
  if (stream.columns !== 0) return
  // A terminal that learns its width later sets the property.
  Object.defineProperty(stream, 'columns', { value: USUAL_WIDTH, writable: true, configurable: true })
}
