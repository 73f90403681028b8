import type { WireReport } from '../../contract/report.ts'
import type { Report } from '../../domain/report/report.ts'
import { instantsToWire } from './instants-to-wire.ts'

export function reportToWire(report: Report): WireReport {
  const { startedAt, completedAt, at, ...rest } = report
  return { ...rest, at: at.toISOString(), ...instantsToWire({ startedAt, completedAt }) }
}
