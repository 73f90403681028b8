import { existsSync, renameSync, statSync } from 'node:fs'
import { pino } from 'pino'
import { LOG_BYTES } from '../domain/limits/daemon-periods.ts'
import type { Redact } from '../domain/redaction/redact.ts'
import type { Log } from '../ports/log.ts'

/** The daemon's log: JSON lines without secrets in one file; the previous file is kept as `.1`. */
export function openLog(path: string, redact: Redact): Log {
  if (existsSync(path) && statSync(path).size > LOG_BYTES) renameSync(path, `${path}.1`)
  const destination = pino.destination({ dest: path, sync: true, mode: 0o600 })
  // A full disk must not end the daemon just because the log can't be written.
  destination.on('error', () => undefined)
  const log = pino({ base: { pid: process.pid } }, { write: (line) => destination.write(redact(line)) })
  const quietly = (write: () => void) => {
    try {
      write()
    } catch {
      // The line is lost; what it reported is in the database or will be retried.
    }
  }
  return {
    info: (fields, message) => quietly(() => log.info(fields, message)),
    warn: (fields, message) => quietly(() => log.warn(fields, message)),
    error: (fields, message) => quietly(() => log.error(fields, message)),
  }
}
