/** Ctrl-], as telnet has it: no program of use today needs it. */
const DETACH_KEY = 0x1d
const INTERRUPT_KEY = 0x03

export type TypedKeys = {
  /** For the session. */
  readonly typed: Uint8Array
  readonly isDetach: boolean
}

/** What was typed up to the key that detaches. Who only looks on may leave by Ctrl-C as well. */
export function readKeys(chunk: Uint8Array, readOnly: boolean): TypedKeys {
  const end = chunk.findIndex((byte) => byte === DETACH_KEY || (readOnly && byte === INTERRUPT_KEY))
  if (end < 0) return { typed: chunk, isDetach: false }
  return { typed: chunk.subarray(0, end), isDetach: true }
}
