const GONE = new Set([
  'EPIPE',
  'EIO',
  'ENXIO',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
])

/** Whether a stream's error means that its other end, a pipe's reader or a terminal, is gone. */
export function isReaderGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code !== undefined && GONE.has(code)
}
