const STDOUT_LIMIT_BYTES = 32 * 1024 * 1024
const STDERR_KEPT_BYTES = 64 * 1024
const RECORD_LIMIT_BYTES = 1024 * 1024

export type OnRecord = (record: Buffer) => 'enough' | undefined

export type Output = {
  readonly takeStdout: (chunk: Buffer) => void
  readonly takeStderr: (chunk: Buffer) => void
  /** Ends the process for a reason, unless there is one already. */
  readonly refuse: (problem: string) => void
  readonly stdout: () => Buffer
  /** The last words only: a process may complain without end. */
  readonly stderr: () => string
  readonly problem: () => string | undefined
  /** Whether the process was ended because no more of it was wanted. */
  readonly hasEnough: () => boolean
}

export type Wanted = {
  readonly onRecord?: OnRecord
  readonly cutRecordsAt?: number
  readonly cutAfterBytes?: number
}

/** What one process printed, within bounds; more than that ends it through `stop`. */
export function createOutput({ onRecord, cutRecordsAt, cutAfterBytes }: Wanted, stop: () => void): Output {
  const chunks: Buffer[] = []
  let size = 0
  let rest: Buffer = Buffer.alloc(0)
  let words: Buffer = Buffer.alloc(0)
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
    // Of a record that is cut, no more is kept than that: it may never end.
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
      words = Buffer.concat([words, chunk]).subarray(-STDERR_KEPT_BYTES)
    },
    refuse,
    stdout: () => Buffer.concat(chunks),
    stderr: () => words.toString('utf8'),
    problem: () => problem,
    hasEnough: () => isEnough,
  }
}
