import type { WireStartWait } from '../../contract/waiting.ts'
import { describeRefusal, type Waiting } from '../../domain/admission/refusal.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'

export function startWaitToWire(waiting: Waiting): WireStartWait {
  const { limit, value, inUse, since, until } = waiting
  return withoutUndefined({ limit, value, inUse, since, until, reason: describeRefusal(waiting) })
}
