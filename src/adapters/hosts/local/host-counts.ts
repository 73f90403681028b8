import type { LostOutput, Spool } from '../../../ports/session-host.ts'
import { readIfPresent } from '../shared/read-if-present.ts'
import { ignoreDamage } from './damaged-host.ts'
import { type HostFiles, lossRecord } from './host-files.ts'

/** Undefined while the host is replacing the number, and before its first look. */
export async function readRanMs(files: HostFiles): Promise<number | undefined> {
  const text = (await readIfPresent(files.ran)) ?? ''
  return /^\d+\n$/.test(text) ? Number(text) : undefined
}

export async function readLostOutput(files: HostFiles, spool: Spool): Promise<LostOutput | undefined> {
  const text = await readIfPresent(lossRecord(files, spool)).catch(ignoreDamage)
  const lines = (text ?? '').split('\n').filter(Boolean)
  if (lines.length === 0) return undefined
  const counts = lines.map(Number)
  return {
    bytes: counts.filter(Number.isSafeInteger).reduce((sum, count) => sum + count, 0),
    mayBeMore: !counts.every(Number.isSafeInteger),
  }
}
