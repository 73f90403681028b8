import type { WireApproval } from '../../../client/index.ts'
import { describeToolUse } from '../../../domain/approval/describe-action.ts'
import { describeTarget, type Target } from '../../../domain/playbook/route.ts'
import type { Display } from '../text/display.ts'
import { elapsed, momentWords } from '../text/elapsed.ts'
import { exactLines } from '../text/exact-lines.ts'
import type { Tone } from '../text/paint.ts'
import { safeLine, visibleLine, visibleText } from '../text/safe-text.ts'
import { wrapLine, wrapWords } from '../text/wrap-line.ts'
import { landingApproval } from './landing-approval.ts'

const TONES = {
  pending: 'warn',
  allowed: 'good',
  denied: 'bad',
  expired: 'dim',
  void: 'dim',
} as const satisfies Record<WireApproval['status'], Tone>

const SHOWN_LINES = 12
/** Where the text of a field starts. */
const FIELD = 9
/** Where a wrapped sentence continues: deeper than the fields' names, so that it can't look like a field. */
const SENTENCE = 4

/** Who wants to do exactly what, where, since when and until when. `brief` shortens what the sentence doesn't say. */
export function approvalLines(
  approval: WireApproval,
  now: Date,
  display: Display,
  extent: 'brief' | 'whole',
): readonly string[] {
  const { id, action, sessionId, jobId } = approval
  const { paint, shortId, columns } = display
  const reason = 'reason' in action ? action.reason : undefined
  const why = reason === undefined ? [] : [`  why    ${safeLine(reason)}`]
  const landing = landingApproval(approval, display)
  const sentence = sentenceLines(approval).map(
    (line, index) => `  ${index === 0 ? paint('strong', line) : line}`,
  )
  return [
    `${paint('strong', shortId(id))} ${paint(TONES[approval.status], stateWords(approval, now))}`,
    ...wrapped([...sentence, ...unusualLines(approval, display)], SENTENCE, display),
    ...wrapped([`  who    ${whoWords(approval)}`], FIELD, display),
    ...(landing?.what.flatMap((line) => wrapLine(line, columns)) ??
      gateLines(approval, display, extent) ??
      restLines(approval, display, extent)),
    ...wrapped([`  where  ${visibleLine(action.directory)}`, ...why], FIELD, display),
    `  from   ${[sessionId, jobId].flatMap((part) => (part === undefined ? [] : [shortId(part)])).join(' of ')}`,
    ...(extent === 'whole' ? (landing?.patch ?? []) : []),
  ]
}

/** Breaks what a person decides about only between words, and leaves nothing out. */
function wrapped(lines: readonly string[], hang: number, { columns }: Display): readonly string[] {
  if (columns === undefined) return lines
  return lines.flatMap((line) => wrapWords(line, columns, hang))
}

/** The whole action as a sentence. Further lines are marked, so that they can't look like another field. */
export function sentenceLines({ summary }: Pick<WireApproval, 'summary'>): readonly string[] {
  const [first = '', ...rest] = visibleText(summary).split('\n')
  return [first, ...rest.map((line) => `| ${line}`)]
}

function unusualLines({ unusual }: Pick<WireApproval, 'unusual'>, { paint }: Display): readonly string[] {
  if (unusual.length === 0) return []
  return [`  ${paint('warn', `unusual: ${unusual.map((part) => safeLine(part)).join(', ')}`)}`]
}

/** What a gate shows, each text under its name. */
function gateLines(
  { id, action }: WireApproval,
  { paint, hint, shortId }: Display,
  extent: 'brief' | 'whole',
): readonly string[] | undefined {
  if (action.type !== 'gate') return undefined
  const lines = action.shows.flatMap(({ name, text }) => [
    `  ${paint('strong', safeLine(name))}`,
    ...visibleText(text)
      .split('\n')
      .map((line) => `  | ${line}`),
  ])
  const shown = extent === 'whole' ? lines : lines.slice(0, SHOWN_LINES)
  const hidden = lines.length - shown.length
  const work =
    action.commit === undefined
      ? []
      : [`  work   ${action.commit.slice(0, 10)}`, `  diff   ${hint(`muster diff ${shortId(id)}`)}`]
  const more = `  ${hidden} more lines: ${hint(`muster show ${shortId(id)}`)}`
  return [
    ...work,
    ...shown,
    ...(hidden > 0 ? [paint('dim', more)] : []),
    ...(action.isTrouble === true ? troubleLines(hint, shortId(id)) : []),
  ]
}

/** The three answers about a stage in trouble. */
function troubleLines(hint: Display['hint'], id: string): readonly string[] {
  return [
    `  try again:      ${hint(`muster approve ${id}`)}`,
    `  skip the stage: ${hint(`muster deny ${id}`)}`,
    `  end the run:    ${hint(`muster deny ${id} --abort`)}`,
  ]
}

/** The fields of the input that the sentence doesn't contain. */
function restLines(
  { id, action }: WireApproval,
  display: Display,
  extent: 'brief' | 'whole',
): readonly string[] {
  if (action.type !== 'tool-use') return []
  const { rest } = describeToolUse(action)
  const exact = Object.keys(rest).length === 0 ? [] : exactLines(rest)
  const shown = extent === 'whole' ? exact : exact.slice(0, SHOWN_LINES)
  const hidden = exact.length - shown.length
  return [
    ...wrapped(
      shown.map((line, index) => `  ${index === 0 ? 'with  ' : '      '} ${line}`),
      FIELD + 2,
      display,
    ),
    ...(hidden > 0
      ? [
          display.paint(
            'dim',
            `         ${hidden} more lines: ${display.hint(`muster show ${display.shortId(id)}`)}`,
          ),
        ]
      : []),
  ]
}

const STATUSES = {
  pending: 'pending',
  allowed: 'approved',
  denied: 'denied',
  expired: 'expired',
  void: 'withdrawn',
} as const satisfies Record<WireApproval['status'], string>

/** What was decided, whole, and what is allowed from now on. `target`: where a decision at a gate leads. */
export function decisionLines(approval: WireApproval, display: Display, target?: Target): readonly string[] {
  const decided = [decisionLine(approval, display, target), ...unusualLines(approval, display)]
  return [...wrapped(decided, SENTENCE, display), ...keptLines(approval, display)]
}

/** Denied work can't be tried again, but a person can get it. */
function keptLines({ status, action, jobId }: WireApproval, { hint }: Display): readonly string[] {
  const isDenied = status === 'denied' && action.type === 'landing' && action.tasks.length > 0
  return isDenied && jobId !== undefined ? [`  the work is kept: ${hint(`muster recover ${jobId}`)}`] : []
}

/** What was decided, and what happens next. */
export function decisionLine(approval: WireApproval, { paint }: Display, target?: Target): string {
  const { status } = approval
  const effect = effectWords(approval, target)
  const words = `${paint(TONES[status], STATUSES[status])}${whyWords(approval)}`
  return effect === undefined ? words : `${words}; ${effect}`
}

function effectWords(approval: WireApproval, target: Target | undefined): string | undefined {
  const { status, action } = approval
  if (status !== 'allowed' && status !== 'denied') return undefined
  const isAllowed = status === 'allowed'
  if (action.type === 'landing') {
    const names = action.tasks.map(({ name }) => safeLine(name))
    return `${names.join(', ') || 'it'} will ${isAllowed ? '' : 'not '}land`
  }
  if (action.type === 'gate') return gateEffect(approval, action, target)
  const { verb, object } = describeToolUse(action)
  const who = safeLine(approval.task ?? approval.agent ?? 'the agent')
  return `${who} may ${isAllowed ? '' : 'not '}${verb}: ${visibleLine(object)}`
}

type Gate = Extract<WireApproval['action'], { type: 'gate' }>

function gateEffect(approval: WireApproval, action: Gate, target: Target | undefined): string {
  const { status } = approval
  if (action.isTrouble === true) return troubleEffect(approval)
  // The question at the end of a run is about no stage, so no route follows it.
  if (action.stage.startsWith('end.'))
    return status === 'allowed' ? 'the work goes into the merge queue' : 'nothing lands, and the work is kept'
  if (target?.type === 'stage') return `the run continues at ${safeLine(target.stage)}`
  if (target?.type === 'end') return `the run ends with ${describeTarget(target)}`
  return status === 'allowed' ? 'the run continues' : 'the run takes the route for a denial'
}

function troubleEffect({ status, aborts }: WireApproval): string {
  if (status === 'allowed') return 'the stage is tried again'
  return aborts === true ? 'the run ends' : 'the stage has failed'
}

/** Nothing if the reason only says that a person decided. */
function whyWords({ reason }: Pick<WireApproval, 'reason'>): string {
  return reason === undefined ? '' : `: ${safeLine(reason)}`
}

function whoWords({ agent, role, candidateId, action }: WireApproval): string {
  if (candidateId !== undefined) return 'the merge queue'
  if (action.type === 'gate') return `the playbook ${safeLine(action.playbook)}, at ${safeLine(action.stage)}`
  if (agent === undefined) return 'a session that no longer exists'
  return role === undefined ? safeLine(agent) : `${safeLine(agent)} (${safeLine(role)})`
}

function stateWords(approval: WireApproval, now: Date): string {
  const { status, createdAt, expiresAt, decidedAt, by } = approval
  if (status === 'pending') {
    const left = Date.parse(expiresAt) - now.getTime()
    const until = left <= 0 ? 'expiring now' : `expires in ${elapsed(left)}`
    return `waiting for ${elapsed(now.getTime() - Date.parse(createdAt))}, ${until}`
  }
  const at = decidedAt === undefined ? '' : ` at ${momentWords(new Date(decidedAt), now)}`
  const who = by === undefined ? '' : ` by ${safeLine(by)}`
  return `${STATUSES[status]}${who}${at}${whyWords(approval)}`
}
