import { parseId } from '../../../domain/id.ts'
import type { HostId } from '../../../ports/session-host.ts'

/** Parses the name of a session's or terminal's directory. Undefined for any other name. */
export function parseHostId(name: string): HostId | undefined {
  const [sessionText = '', processNumber, ...rest] = name.split('.')
  if (parseId('session', sessionText) === undefined || rest.length > 0) return undefined
  const isFirstProcess = processNumber === undefined
  return isFirstProcess || /^([2-9]|[1-9]\d+)$/.test(processNumber) ? (name as HostId) : undefined
}
