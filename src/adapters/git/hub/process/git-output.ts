/** The longest path on any disk. A commit may contain longer paths; lists cut them here. */
export const LISTED_PATH_BYTES = 4096
const STDOUT_LIMIT_BYTES = 32 * 1024 * 1024
export const STDERR_KEPT_BYTES = 64 * 1024
const RECORD_LIMIT_BYTES = 1024 * 1024

export type OnRecord = (record: Buffer) => 'enough' | undefined

export type Output = {
  readonly takeStdout: (chunk: Buffer) => void
  readonly takeStderr: (chunk: Buffer) => void
  /** Ends the process and records the problem, unless another one was recorded first. */
  readonly refuse: (problem: string) => void
  readonly stdout: () => Buffer
  /** Only the end of standard error, because a process may print errors without end. */
  readonly stderr: () => string
  readonly problem: () => string | undefined
  /** Whether the process was ended because the caller had enough output. */
  readonly hasEnough: () => boolean
}

export type OutputLimits = {
  /** Gets each NUL-terminated record as it arrives and may end git early. Standard output is then not kept. */
  readonly onRecord?: OnRecord
  /** Cuts each record to this many bytes. Without it, a record that is far too long makes the call fail. */
  readonly cutRecordsAt?: number
  /** Ends git once it has printed more than this many bytes and drops the rest. */
  readonly cutAfterBytes?: number
}

/** Collects the output of one process. Calls `stop` when the output exceeds a limit. */
export function createOutput(
  { onRecord, cutRecordsAt, cutAfterBytes }: OutputLimits,
  stop: () => void,
): Output {
  const chunks: Buffer[] = []
  let size = 0
  let rest: Buffer = Buffer.alloc(0)
  let errors: Buffer = Buffer.alloc(0)
  let problem: string | undefined
  let isEnough = false

  function refuse(reason: string): void {
    if (problem !== undefined || isEnough) return
    problem = reason
    stop()
  }

  function endWithEnough(): void {
    isEnough = true
    stop()
  }

  function keep(chunk: Buffer): void {
    const room = (cutAfterBytes ?? Number.POSITIVE_INFINITY) - size
    size += chunk.length
    if (chunk.length > room) {
      chunks.push(chunk.subarray(0, room))
      endWithEnough()
    } else if (size <= STDOUT_LIMIT_BYTES) chunks.push(chunk)
    else refuse(`printed more than ${STDOUT_LIMIT_BYTES} bytes`)
  }

  function split(chunk: Buffer, take: OnRecord): void {
    let text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let end = text.indexOf(0); end !== -1; end = text.indexOf(0)) {
      if (take(text.subarray(0, Math.min(end, cutRecordsAt ?? end))) === 'enough') {
        endWithEnough()
        return
      }
      text = text.subarray(end + 1)
    }
    // A record may never end, so no more of it is kept than the caller will get.
    rest = cutRecordsAt === undefined ? text : text.subarray(0, cutRecordsAt)
    if (rest.length > RECORD_LIMIT_BYTES) refuse(`printed a record of more than ${RECORD_LIMIT_BYTES} bytes`)
  }

  return {
    takeStdout: (chunk) => {
      if (problem !== undefined || isEnough) return
      if (onRecord === undefined) keep(chunk)
      else split(chunk, onRecord)
    },
    takeStderr: (chunk) => {
      errors = Buffer.concat([errors, chunk]).subarray(-STDERR_KEPT_BYTES)
    },
    refuse,
    stdout: () => Buffer.concat(chunks),
    stderr: () => errors.toString('utf8'),
    problem: () => problem,
    hasEnough: () => isEnough,
  }
}

/** Decodes bytes that were cut at any place. Leaves out a character that was cut in two. */
export function cutText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })
}
