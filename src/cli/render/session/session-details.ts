import type { WireSession } from '../../../client/index.ts'
import { momentOrNothing, momentWords } from '../text/elapsed.ts'
import { fieldLines, indentedText } from '../text/field-lines.ts'
import type { Look } from '../text/look.ts'
import { contextWords, costWords, tokenWords } from '../text/usage-words.ts'
import { sessionEndWords, sessionStateWords, sessionTone, turnWords } from './session-words.ts'

const SANDBOXES = {
  bubblewrap: 'bubblewrap: sees and changes only what it needs',
  'pid-namespace': 'its processes only (PID namespace); files are not hidden from it',
  none: 'none: a process group',
} as const satisfies Record<NonNullable<WireSession['sandbox']>, string>

/** A session whole, with what can be done with it now. */
export function sessionDetailLines(session: WireSession, now: Date, look: Look): readonly string[] {
  const { paint } = look
  const state = paint(sessionTone(session), sessionStateWords(session, now))
  return [
    `${paint('strong', session.id)} ${state}`,
    ...fieldLines([
      ['agent', `${session.agent} (${session.provider})`],
      ['role', session.role],
      ['mode', session.mode],
      ...whereFields(session),
      ['process', session.pid],
      ['life', session.life > 1 ? session.life : undefined],
      ['sandbox', session.sandbox === undefined ? undefined : SANDBOXES[session.sandbox]],
      ['rests', session.suspended?.reason],
      ['last turn', session.turn === undefined ? undefined : turnWords(session.turn)],
      ['end', session.end === undefined ? undefined : sessionEndWords(session.end)],
      ['ending', session.ending],
      ['conversation', session.providerSessionId],
      ['tokens', tokenWords(session.usage) || undefined],
      ['cost', costWords(session.usage) || undefined],
      ['context', contextWords(session)],
      ['output', `${session.outputBytes} bytes, errors ${session.errorBytes} bytes`],
      ['created', momentWords(new Date(session.createdAt), now)],
      ['deadline', momentOrNothing(session.deadline, now)],
      ['ended', momentOrNothing(session.endedAt, now)],
    ]),
    ...questionLines(session),
    ...answerLines(session),
    ...sessionActs(session, look).map(([what, command]) => `  ${`${what}:`.padEnd(14)} ${command}`),
  ]
}

type Act = readonly [what: string, command: string]

/** What can be done with a session as it stands. */
export function sessionActs(session: WireSession, { hint }: Pick<Look, 'hint'>): readonly Act[] {
  const { id, status, resumable, mode } = session
  const acts: Act[] = [['what it said', hint(`muster logs ${id}`)]]
  if (status === 'running' && mode === 'interactive') acts.push(['sit down', hint(`muster attach ${id}`)])
  if (status === 'running' && mode === 'headless' && resumable) {
    acts.push(['speak to it', hint(`muster send ${id} "..."`)])
  }
  if (status === 'suspended') {
    const what = session.suspended?.why === 'limited' ? 'sooner' : 'let it go on'
    acts.push([what, hint(`muster resume ${id}`)])
  }
  if (status === 'terminated' && resumable) acts.push(['ask it', hint(`muster ask ${id} "..."`)])
  if (status !== 'terminated') acts.push(['end it', hint(`muster stop ${id}`)])
  return acts
}

function whereFields({ purpose, jobId, taskId }: WireSession) {
  const fields: (readonly [string, string | undefined])[] = [
    ['job', jobId],
    ['task', taskId],
  ]
  if (purpose.type === 'personal') {
    fields.push(['repository', purpose.repositoryPath], ['branch', purpose.branch])
  }
  if (purpose.type === 'query') fields.push(['asks', purpose.of])
  if (purpose.type === 'check') fields.push(['candidate', purpose.candidateId])
  return fields
}

function questionLines({ purpose }: WireSession): readonly string[] {
  return purpose.type === 'query' ? ['  question:', ...indentedText(purpose.question)] : []
}

function answerLines({ turn }: WireSession): readonly string[] {
  return turn?.type === 'done' && turn.text.trim() !== '' ? ['  said last:', ...indentedText(turn.text)] : []
}
