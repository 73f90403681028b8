import type { WireEvent, WireEventOf } from '../../../contract/event.ts'
import { isComplete } from '../../../domain/playbook/route.ts'
import { actionWords } from '../../../domain/run/action-words.ts'
import { SETUP_STARTS } from '../../../domain/session/setup-output.ts'
import { describeChanges } from '../../../domain/task/work-changes.ts'
import { applyWords, documentName } from '../job/document-lines.ts'
import { completionLine } from '../job/job-end-words.ts'
import { counted } from '../text/counted.ts'
import { joined } from '../text/reason-words.ts'
import { safeHead, safeLine } from '../text/safe-text.ts'
import type { AgentLine } from './agent-line.ts'
import { agentLines } from './agent-lines.ts'
import { baseCheckedWords, baseCheckingWords, baseDecidedWords, baseFixWords } from './base-words.ts'
import { budgetWords, spendingWords } from './budget-words.ts'
import { checkedWords, checkingText, landedText, rejectedWords } from './landing-words.ts'
import { phaseWords } from './phase-words.ts'
import { stageEndedWords, stageEnteredWords } from './stage-words.ts'
import { approvalWords, limitWords, questionWords, suspendedWords } from './waiting-words.ts'
import type { Words } from './words.ts'

/** Describes what happened in an event, without the time and the task; undefined if there is nothing to show. */
export function eventWords(event: WireEvent): Words | undefined {
  // The compiler cannot infer that the function belongs to the event's type.
  return (WORDS[event.type] as (event: WireEvent) => Words | undefined)(event)
}

const PLAN_COUNT = /^planned \d+ tasks?$/

/** Shows only the type of the event, and only in verbose output. */
const named = ({ type }: WireEvent): Words => ({ tone: 'dim', text: type, from: 'verbose' })

const WORDS: { readonly [Type in WireEvent['type']]: (event: WireEventOf<Type>) => Words | undefined } = {
  job_started: startedWords,
  job_paused: () => ({ tone: 'warn', text: 'paused' }),
  job_resumed: () => ({ tone: 'strong', text: 'resumed' }),
  job_completed: ({ data: { reason, unlanded = 0 } }) => ({
    tone: unlanded === 0 ? 'good' : 'warn',
    text: completionLine(reason, unlanded),
  }),
  job_cancelled: ({ data }) => ({ tone: 'warn', text: joined('cancelled', safeLine(data.reason ?? '')) }),
  job_error: ({ data }) => ({ tone: 'bad', text: joined('stopped with an error', safeHead(data.error)) }),
  job_deleted: () => ({ tone: 'warn', text: 'deleted' }),
  base_checking: baseCheckingWords,
  base_checked: baseCheckedWords,
  base_decided: baseDecidedWords,
  base_fix_ended: baseFixWords,
  cycle_started: ({ data }) => ({
    tone: 'strong',
    text: data.phase === 'discovery' ? 'started: looking for tasks' : 'started',
  }),
  cycle_phase: ({ data }) => ({ tone: 'dim', text: `phase: ${phaseWords(data.phase)}`, from: 'verbose' }),
  cycle_tasks_discovered: ({ data }) => ({
    tone: 'strong',
    text: joined(`planned ${counted(data.tasks.length, 'task')}`, safeHead((data.notes ?? []).join('; '))),
  }),
  cycle_completed: ({ data }) => ({ tone: 'strong', text: joined('ended', safeHead(data.summary)) }),
  job_waiting: (event) => limitWords(event, 'the planner '),
  task_waiting: (event) => limitWords(event, ''),
  session_waiting: (event) => limitWords(event, `${safeLine(event.data.agent)} `),
  task_started: ({ data }) => ({
    tone: 'plain',
    text: joined(startedText(data), safeLine(data.description)),
  }),
  run_started: ({ data }) => ({ tone: 'plain', text: `follows the playbook ${safeLine(data.playbook)}` }),
  stage_entered: stageEnteredWords,
  stage_ended: stageEndedWords,
  stage_recovered: ({ data }) => ({
    tone: 'warn',
    text: joined(`${safeLine(data.stage)}: ${safeLine(actionWords(data))}`, safeHead(data.problem)),
  }),
  run_ended: ({ data }) => ({
    tone: isComplete(data.end) ? 'good' : 'warn',
    text: joined(`${safeLine(data.playbook)} ended: ${data.end}`, safeHead(data.reason ?? '')),
  }),
  run_cancelled: ({ data }) => ({
    tone: 'warn',
    text: joined(`${safeLine(data.playbook)} was cancelled`, safeHead(data.reason)),
  }),
  // The output of checks is a detail. The relevant part of it comes with the result.
  task_progress: ({ data }) => ({
    tone: 'dim',
    text: safeLine(data.message),
    from: data.source === 'check' ? 'verbose' : 'normal',
  }),
  task_completed: ({ data }) => ({
    tone: 'good',
    text: joined('completed', completedWords(data)),
  }),
  task_failed: ({ data }) => ({ tone: 'bad', text: joined(data.status, safeHead(data.error)) }),
  agent_message: agentWords,
  landing_queued: () => ({ tone: 'dim', text: 'waiting to land', from: 'verbose' }),
  landing_checking: (event) => ({ tone: 'dim', text: checkingText(event) }),
  landing_checked: checkedWords,
  landing_landed: (event) => ({ tone: 'good', text: landedText(event) }),
  // The end of the task follows and repeats this.
  landing_conflicted: ({ data }) => ({
    tone: 'dim',
    text: joined(
      'conflicts with work that landed earlier',
      data.paths.map((path) => safeLine(path)).join(', '),
    ),
    from: 'verbose',
  }),
  landing_rejected: rejectedWords,
  document_edited: ({ data }) => ({
    tone: 'strong',
    text: `edited: ${documentWords(data)}; ${applyWords(data.kind)}`,
  }),
  document_applied: appliedWords,
  budget_warned: ({ data }) => ({
    tone: 'warn',
    text: `the budget is nearly used up: ${spendingWords(data)}`,
  }),
  budget_reached: budgetWords,
  session_started: ({ data }) => ({
    tone: 'dim',
    text: joined('session started', safeLine(data.agent)),
    from: 'verbose',
  }),
  session_ended: ({ data }) => ({
    tone: 'dim',
    text: data.ending === 'done' ? 'session ended normally' : joined('session ended', data.ending),
    from: 'verbose',
  }),
  session_delivered: ({ data }) => ({
    tone: 'good',
    text: `its changes were delivered to branch ${safeLine(data.branch)}`,
  }),
  session_undelivered: ({ data, sessionId }) => ({
    tone: 'warn',
    text: joined('its changes were not delivered', safeHead(data.reason)),
    see: `muster recover ${sessionId ?? ''}`,
  }),
  session_prompted: ({ data }) => ({
    tone: 'dim',
    text: joined(`you to ${safeLine(data.agent)}`, safeHead(data.text)),
    from: 'verbose',
  }),
  session_suspended: suspendedWords,
  session_resumed: ({ data }) => ({ tone: 'plain', text: `${safeLine(data.agent)} continues` }),
  approval_requested: approvalWords,
  // The line of the request says that a rule allowed it.
  approval_decided: ({ data }) => ({
    tone: 'plain',
    text: decisionText(data),
    ...(data.isAtOnce === true ? { from: 'verbose' } : {}),
  }),
  message_sent: (event) => questionWords(event) ?? named(event),
  message_delivered: named,
  message_acknowledged: named,
  message_failed: named,
  message_overdue: ({ data }) => ({
    tone: 'warn',
    text: `no reply from ${safeLine(data.to)} by the deadline: ${safeLine(data.subject === '' ? data.text : data.subject, 80)}`,
  }),
  unknown: ({ raw }) => ({ tone: 'dim', text: safeLine(raw.type), from: 'verbose' }),
}

/** Joins the lines of a message. The logs show them separately. */
function agentWords(event: WireEventOf<'agent_message'>): Words | undefined {
  const lines = agentLines(event)
  if (lines.length === 0) return undefined
  if (lines.some(({ text }) => text === SETUP_STARTS))
    return { tone: 'dim', text: 'running setup in its tree', see: setupCommand(event) }
  const isSpoken = lines.every((line) => line.kind === 'text')
  const from = isSpoken && !isPlanCount(event, lines) ? 'normal' : 'verbose'
  // Named, so that nobody takes what an agent says for something that Muster reports.
  const speaker = isSpoken ? `${safeLine(event.data.agent)}: ` : ''
  return { tone: 'dim', text: speaker + lines.map((line) => line.text.trim()).join(' / '), from }
}

/** An answer of the planner without reasoning. The cycle reports the same number next. */
function isPlanCount({ taskId, cycle }: WireEventOf<'agent_message'>, lines: readonly AgentLine[]): boolean {
  const [line, ...others] = lines
  if (taskId !== undefined || cycle === undefined) return false
  return others.length === 0 && PLAN_COUNT.test(line?.text ?? '')
}

/** Setup may take minutes, so the person may want to watch it. */
function setupCommand({ sessionId, jobId = '' }: WireEventOf<'agent_message'>): string {
  return `muster logs ${safeLine(sessionId ?? jobId)} -f`
}

/** Later attempts follow a failure. */
function startedText({ attempt }: WireEventOf<'task_started'>['data']): string {
  return attempt <= 1 ? 'started' : `started again (attempt ${attempt})`
}

function documentWords({
  kind,
  number,
}: Pick<WireEventOf<'document_edited'>['data'], 'kind' | 'number'>): string {
  return `${documentName(kind)} (version ${number})`
}

/**
 * A cycle applies what the job started with, or an edit that explains why this cycle is different. If the first cycle
 * fixed the base, the second one applies the first goal. A job can start without a task list and get its first one later.
 */
function appliedWords({ data }: WireEventOf<'document_applied'>): Words {
  const { kind, number, cycle } = data
  const what = number === 1 ? documentName(kind) : `edited ${documentWords(data)}`
  const isExpected = cycle === 1 || (kind === 'goal' && number === 1)
  return { tone: 'strong', text: `applies the ${what}`, from: isExpected ? 'verbose' : 'normal' }
}

/** What the agent says that it did, and how much that is. */
function completedWords({ summary = '', changes }: WireEventOf<'task_completed'>['data']): string {
  const counts = changes === undefined ? '' : describeChanges(changes)
  const words = safeLine(summary)
  if (words === '' || words === counts) return counts
  return counts === '' ? words : `${words} (${counts})`
}

function startedWords({ data }: WireEventOf<'job_started'>): Words {
  const warnings = (data.warnings ?? []).map((warning) => safeLine(warning))
  if (warnings.length === 0) return { tone: 'strong', text: 'started' }
  return { tone: 'warn', text: `started; ${warnings.join('; ')}` }
}

const DECISIONS = {
  pending: 'is pending',
  allowed: 'approved',
  denied: 'denied',
  expired: 'expired',
  void: 'withdrawn',
} as const

function decisionText({ approvalId, decision }: WireEventOf<'approval_decided'>['data']): string {
  if ('ruleId' in decision && decision.ruleId !== undefined)
    return `${safeLine(approvalId)} allowed by your rule`
  const by = 'by' in decision ? ` by ${safeLine(decision.by)}` : ''
  const reason = 'reason' in decision ? safeLine(decision.reason ?? '', 100) : ''
  return joined(`${safeLine(approvalId)} ${DECISIONS[decision.type]}${by}`, reason)
}
