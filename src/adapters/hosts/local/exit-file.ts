import type { HostSight } from '../../../ports/session-host.ts'
import { readIfPresent } from './read-if-present.ts'

/** Why a host ended a session by itself, by the word it leaves. */
const REASONS: Readonly<Record<string, string>> = {
  away: 'no daemon was heard of for too long, so the host ended the session',
  memory: 'its processes used more memory than the session may, so the host ended it',
  processes: 'it had more processes and threads than the session may, so the host ended it',
}

/** How the program ended, once its host has said so; the line counts only with its end. */
export async function readExitFile(path: string): Promise<HostSight | undefined> {
  const text = await readIfPresent(path)
  return text === undefined ? undefined : parseExitFile(text)
}

export function parseExitFile(text: string): HostSight | undefined {
  if (!text.endsWith('\n')) return undefined
  const [word = '', numberText] = text.trimEnd().split(' ')
  const number = Number(numberText)
  if (word === 'exited') return { type: 'exited', code: number }
  if (word === 'signalled') return { type: 'signalled', signal: number }
  const reason = REASONS[word] ?? `the host ended before the program was started (status ${numberText})`
  return { type: 'lost', reason }
}
