import { parseId } from '../../../domain/id.ts'
import type { HostId } from '../../../ports/session-host.ts'

/** A directory's name to the life of a session that it holds, or nothing when it is none of ours. */
export function parseHostId(name: string): HostId | undefined {
  const [sessionText = '', life, ...rest] = name.split('.')
  if (parseId('session', sessionText) === undefined || rest.length > 0) return undefined
  const isFirstLife = life === undefined
  return isFirstLife || /^([2-9]|[1-9]\d+)$/.test(life) ? (name as HostId) : undefined
}
