import { existsSync, renameSync, statSync } from 'node:fs'
import { pino } from 'pino'
import type { Log } from '../ports/log.ts'

const MAX_LOG_BYTES = 10 * 2 ** 20

/** The daemon's log: lines of JSON in one file, the file before it kept as `.1`. */
export function openLog(path: string): Log {
  if (existsSync(path) && statSync(path).size > MAX_LOG_BYTES) renameSync(path, `${path}.1`)
  return pino({ base: { pid: process.pid } }, pino.destination({ dest: path, sync: true, mode: 0o600 }))
}
