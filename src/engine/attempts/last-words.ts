import { stripVTControlCharacters } from 'node:util'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { LastWords } from '../../domain/attempt/judge-attempt.ts'
import { withoutSetupOutput } from '../../domain/session/setup-output.ts'
import { tellingLine } from '../../domain/telling-line.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { readSpoolEnd, type SpoolEndNeeds } from '../sessions/read-spool-end.ts'

type Needs = SpoolEndNeeds & Pick<EngineNeeds, 'store'>

const LAST_BYTES = 4_000
const MAX_LINE = 200
/** Muster's own line about a failed setup, which repeats the end of the session. */
const OWN_LINE = /^muster: setup command \d+ failed with status \d+$/

/** The end of the error output of a failed program; undefined if there is none. */
export async function lastWordsOf(
  needs: Needs,
  { state, sessionId }: Attempt,
): Promise<LastWords | undefined> {
  if (state.type !== 'ended' || state.ending === 'done') return undefined
  if (state.end.type !== 'exited' && state.end.type !== 'unprepared') return undefined
  const session = await needs.store.read.sessions.find(sessionId)
  if (session === undefined || session.mode === 'interactive') return undefined
  const { text } = await readSpoolEnd(needs, session, 'err', LAST_BYTES)
  // Without the colours in between, a text may be a secret.
  return lastWordsIn(needs.settings.redaction.redact(stripVTControlCharacters(text)))
}

export function lastWordsIn(output: string): LastWords | undefined {
  const lines = withoutSetupOutput(stripVTControlCharacters(output))
    .replaceAll('\u0000', '\ufffd')
    .split(/\r?\n|\r/)
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '' && !OWN_LINE.test(line))
  const line = tellingLine(lines)?.trim()
  if (line === undefined) return undefined
  return {
    line: line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE - 1).trimEnd()}…`,
    text: lines.join('\n'),
  }
}
