const CONNECTION_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])

/** SQLSTATEs of a server that is stopping, starting, full, or of a connection that broke. */
const SERVER_CODES = /^(57P0[123]|53300|08\w{3})$/

/** What the driver and the pool say when they have no code for it. */
const MESSAGES =
  /connection terminated|connection error|terminating connection|timeout exceeded when trying to connect|connection timeout|client was closed|cannot use a pool after calling end|driver has already been destroyed/i

const MAX_DEPTH = 5

/** Whether an error means that the database cannot be reached now, rather than a defect of ours. */
export function isStoreUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  // ENOENT is a missing socket only when it was connected to; otherwise it is some missing file.
  if (code === 'ENOENT' && syscall === 'connect') return true
  if (code !== undefined && (CONNECTION_CODES.has(code) || SERVER_CODES.test(code))) return true
  if (MESSAGES.test(error.message)) return true
  const nested: readonly unknown[] = error instanceof AggregateError ? error.errors : []
  return [error.cause, ...nested].some((inner) => isStoreUnavailable(inner, depth + 1))
}
