import type { SessionId } from '../../../domain/id.ts'
import { LANDING_LIMITS } from '../../../domain/limits/landing-limits.ts'
import { hostOf } from '../../sessions/host-of.ts'
import type { LandingNeeds } from '../landing-needs.ts'

/** The end of a failed check's output, for a person or the next planner. */
export async function outputOfCheck(
  needs: Pick<LandingNeeds, 'store' | 'host'>,
  sessionId: SessionId,
): Promise<string> {
  const session = await needs.store.read.sessions.find(sessionId)
  if (session === undefined) return ''
  const texts = await Promise.all(
    (['out', 'err'] as const).map(async (spool) => {
      const size = spool === 'out' ? session.outOffset : session.errOffset
      const from = Math.max(0, size - LANDING_LIMITS.checkOutputBytes)
      const bytes = await needs.host.read(hostOf(session), spool, from, LANDING_LIMITS.checkOutputBytes)
      return new TextDecoder().decode(bytes).replaceAll('\u0000', '\ufffd').trim()
    }),
  )
  const text = texts.filter((part) => part !== '').join('\n')
  return text === '' ? '' : `:\n${text}`
}
