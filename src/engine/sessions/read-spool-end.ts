import type { Session } from '../../domain/session/session.ts'
import type { Spool } from '../../ports/session-host.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { hostOf } from './host-of.ts'

export type SpoolEndNeeds = Pick<EngineNeeds, 'host'> & {
  readonly settings: Pick<EngineNeeds['settings'], 'redaction'>
}

export type SpoolEnd = {
  /** Redacted, so that it may be cut anywhere. */
  readonly text: string
  /** The output starts before this text, which may begin in the middle of a line. */
  readonly isCut: boolean
}

/** The last bytes of what a session's program printed, without secrets: also without one that the window cuts. */
export async function readSpoolEnd(
  needs: SpoolEndNeeds,
  session: Session,
  spool: Spool,
  maxBytes: number,
): Promise<SpoolEnd> {
  const hostId = hostOf(session)
  const size = spool === 'out' ? session.outOffset : session.errOffset
  const from = Math.max(0, size - maxBytes)
  const [bytes, isTruncated] = await Promise.all([
    needs.host.read(hostId, spool, from, maxBytes),
    needs.host.truncated(hostId, spool),
  ])
  const isCut = from > 0
  const text = new TextDecoder().decode(isCut ? fromCharacter(bytes) : bytes)
  return { text: needs.settings.redaction.redactPiece(text, { start: isCut, end: isTruncated }), isCut }
}

/** Leaves out the rest of a character that the window cuts, because it could hide the rest of a secret behind it. */
function fromCharacter(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80)
  return bytes.subarray(Math.max(0, start))
}
