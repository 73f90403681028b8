import type { WireSession } from '../../../client/index.ts'
import { withAnswerInWords } from '../event/answer-words.ts'
import type { Display } from '../text/display.ts'
import { momentOrNothing, momentWords } from '../text/elapsed.ts'
import { fieldLines, indentedText } from '../text/field-lines.ts'
import { contextWords, costWords, tokenWords } from '../text/usage-words.ts'
import { sessionStateWords, sessionTone, turnWords } from './session-words.ts'

const SANDBOXES = {
  bubblewrap: 'bubblewrap: sees and changes only what it needs',
  'pid-namespace': 'PID namespace: contains its processes, but hides no files',
  none: 'none',
} as const satisfies Record<NonNullable<WireSession['sandbox']>, string>

/** The details of a session, with what the person can do next. */
export function sessionDetailLines(session: WireSession, now: Date, display: Display): readonly string[] {
  const { paint } = display
  const state = paint(sessionTone(session), sessionStateWords(session, now))
  return [
    `${paint('strong', session.id)} ${state}`,
    ...fieldLines([
      ['agent', `${session.agent} (${session.provider})`],
      ['role', session.role],
      ['mode', session.mode],
      ...whereFields(session),
      ['process', session.pid],
      ['process no.', session.processNumber > 1 ? session.processNumber : undefined],
      ['sandbox', session.sandbox === undefined ? undefined : SANDBOXES[session.sandbox]],
      // How it ended, or why a person suspended it, is in the first line.
      ['quota', session.suspended?.why === 'limited' ? session.suspended.reason : undefined],
      ['last turn', session.turn === undefined || hasFinished(session) ? undefined : turnWords(session.turn)],
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
    ...sessionActs(session, display).map(([what, command]) => `  ${`${what}:`.padEnd(14)} ${command}`),
  ]
}

/** Whether the session ended with its last turn, so that both have the same outcome. */
function hasFinished({ end }: WireSession): boolean {
  return end?.type === 'finished'
}

type PersonalPurpose = Extract<WireSession['purpose'], { type: 'personal' }>

type Act = readonly [what: string, command: string]

/** What a person can do with a session in its current state. */
export function sessionActs(session: WireSession, { hint }: Pick<Display, 'hint'>): readonly Act[] {
  const { id, status, askable, mode, providerSessionId, purpose } = session
  const acts: Act[] = [['transcript', hint(`muster logs ${id}`)]]
  if (status === 'running' && mode === 'interactive') acts.push(['attach', hint(`muster attach ${id}`)])
  if (status === 'running' && mode === 'headless' && providerSessionId !== undefined) {
    acts.push(['send text', hint(`muster send ${id} "..."`)])
  }
  if (status === 'suspended') {
    const what = session.suspended?.why === 'limited' ? 'resume now' : 'resume'
    acts.push([what, hint(`muster resume ${id}`)])
  }
  if (purpose.type === 'personal' && purpose.undelivered !== undefined) {
    acts.push(['get its work', hint(`muster recover ${id}`)])
  }
  if (status === 'terminated' && askable) acts.push(['ask', hint(`muster ask ${id} "..."`)])
  if (status !== 'terminated') acts.push(['stop', hint(`muster stop ${id}`)])
  return acts
}

function whereFields({ purpose, jobId, taskId }: WireSession) {
  const fields: (readonly [string, string | undefined])[] = [
    ['job', jobId],
    ['task', taskId],
  ]
  if (purpose.type === 'personal') {
    fields.push(['repository', purpose.repositoryPath], ['branch', purpose.branch])
    fields.push(['delivery', deliveryWords(purpose)])
  }
  if (purpose.type === 'query') fields.push(['asks', purpose.of])
  if (purpose.type === 'check') fields.push(['candidate', purpose.candidateId])
  if (purpose.type === 'baseline') fields.push(['baseline', purpose.baselineId])
  return fields
}

/** Undefined until its work is pinned, which happens after it has ended. */
function deliveryWords({ tip, baseCommit, undelivered }: PersonalPurpose): string | undefined {
  if (undelivered !== undefined) return `not delivered: ${undelivered.reason}`
  if (tip === undefined) return undefined
  return tip === baseCommit ? 'it changed nothing' : 'its changes were delivered to the branch'
}

function questionLines({ purpose }: WireSession): readonly string[] {
  return purpose.type === 'query' ? ['  question:', ...indentedText(purpose.question)] : []
}

function answerLines({ turn, purpose, taskId }: WireSession): readonly string[] {
  if (turn?.type !== 'done' || turn.text.trim() === '') return []
  const kind = taskId === undefined ? 'discovery' : 'task'
  const text = purpose.type === 'attempt' ? withAnswerInWords(turn.text, kind) : turn.text
  return ['  last answer:', ...indentedText(text)]
}
