import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseId, type SessionId } from '../domain/id.ts'
import { writeFileWhole } from './write-file-whole.ts'

/** The person's token: created once and kept across restarts, so followers stay connected. */
export async function openToken(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch(() => '')
  if (/^[0-9a-f]{64}$/.test(kept.trim())) return kept.trim()
  const token = randomBytes(32).toString('hex')
  await writeFileWhole(path, `${token}\n`)
  return token
}

/** An agent's token is derived, not stored: it identifies one session and opens no routes for people. */
export function tokenOfSession(token: string, sessionId: SessionId): string {
  return `${sessionId}.${sealOf(token, sessionId).toString('hex')}`
}

/** The session that owns this token; undefined for any other text. */
export function sessionOfToken(token: string, text: string): SessionId | undefined {
  const dot = text.indexOf('.')
  const sessionId = parseId('session', text.slice(0, Math.max(0, dot)))
  const seal = text.slice(dot + 1)
  if (sessionId === undefined || !/^[0-9a-f]{64}$/.test(seal)) return undefined
  return timingSafeEqual(Buffer.from(seal, 'hex'), sealOf(token, sessionId)) ? sessionId : undefined
}

function sealOf(token: string, sessionId: SessionId): Buffer {
  return createHmac('sha256', token).update(`session:${sessionId}`).digest()
}
