import type { WireEvent, WireEventOf } from '../../../contract/event.ts'
import { dollars } from '../../../domain/budget/dollars.ts'
import { completionWords } from '../job/job-end-words.ts'
import { counted } from '../text/counted.ts'
import { momentWords } from '../text/elapsed.ts'
import type { Tone } from '../text/paint.ts'
import { safeHead, safeLine } from '../text/safe-text.ts'
import { agentLines } from './agent-lines.ts'
import { toolWords } from './tool-words.ts'

/** `normal` leaves out what only matters when something is being looked into. */
export type Detail = 'normal' | 'verbose'

type Words = {
  readonly tone: Tone
  readonly text: string
  readonly from?: Detail
  /** A command to be typed, on a line of its own. */
  readonly next?: string
}

/** An event in words, without when and about what; nothing where there is nothing to say. */
export function eventWords(event: WireEvent): Words | undefined {
  // The compiler does not see that a type and its function belong together.
  return (WORDS[event.type] as (event: WireEvent) => Words | undefined)(event)
}

/** What is only named, and only when everything is asked for. */
const named = ({ type }: WireEvent): Words => ({ tone: 'dim', text: type, from: 'verbose' })

const WORDS: { readonly [Type in WireEvent['type']]: (event: WireEventOf<Type>) => Words | undefined } = {
  job_started: startedWords,
  job_paused: () => ({ tone: 'warn', text: 'paused' }),
  job_resumed: () => ({ tone: 'strong', text: 'goes on' }),
  job_completed: ({ data }) => ({ tone: 'good', text: completionWords(data.reason) }),
  job_cancelled: ({ data }) => ({ tone: 'warn', text: joined('cancelled', safeLine(data.reason)) }),
  job_error: ({ data }) => ({ tone: 'bad', text: joined('stopped with an error', safeHead(data.error)) }),
  cycle_started: () => ({ tone: 'strong', text: 'begins: looking at what is to be done' }),
  cycle_phase: ({ data }) => ({ tone: 'dim', text: `phase ${data.phase}`, from: 'verbose' }),
  cycle_tasks_discovered: ({ data }) => ({
    tone: 'strong',
    text: `planned ${counted(data.tasks.length, 'task')}`,
  }),
  cycle_completed: ({ data }) => ({ tone: 'strong', text: joined('ended', safeHead(data.summary)) }),
  job_waiting: (event) => ({ tone: 'dim', text: `the planner ${waitWords(event)}` }),
  task_waiting: (event) => ({ tone: 'dim', text: waitWords(event) }),
  session_waiting: (event) => ({ tone: 'dim', text: `${safeLine(event.data.agent)} ${waitWords(event)}` }),
  task_started: ({ data }) => ({
    tone: 'plain',
    text: joined(startedText(data), safeLine(data.description)),
  }),
  // The output of checks is a detail; what matters of it comes with the verdict.
  task_progress: ({ data }) => ({
    tone: 'dim',
    text: safeLine(data.message),
    from: data.source === 'check' ? 'verbose' : 'normal',
  }),
  task_completed: ({ data }) => ({
    tone: 'good',
    text: joined('completed', safeLine(data.summary ?? '')),
  }),
  task_failed: ({ data }) => ({ tone: 'bad', text: joined(data.status, safeHead(data.error)) }),
  agent_message: agentWords,
  landing_queued: () => ({ tone: 'dim', text: 'waits to land', from: 'verbose' }),
  landing_checking: (event) => ({ tone: 'dim', text: checkingText(event) }),
  landing_checked: checkedWords,
  landing_landed: (event) => ({ tone: 'good', text: landedText(event) }),
  // The task's own end follows and says the same: once is enough.
  landing_conflicted: ({ data }) => ({
    tone: 'dim',
    text: joined('conflicts with what landed before it', data.paths.map((path) => safeLine(path)).join(', ')),
    from: 'verbose',
  }),
  landing_rejected: rejectedWords,
  document_edited: ({ data }) => ({
    tone: 'strong',
    text: `${documentWords(data)} was edited; the next cycle begins with it`,
  }),
  // The first versions are the beginning; later ones are why this cycle looks elsewhere.
  document_taken_up: ({ data }) => ({
    tone: 'strong',
    text: `begins with what was edited: ${documentWords(data)}`,
    from: data.cycle > 1 ? 'normal' : 'verbose',
  }),
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
    text: joined('session ended', data.ending),
    from: 'verbose',
  }),
  session_suspended: (event) => ({ tone: 'warn', text: `${safeLine(event.data.agent)} ${restWords(event)}` }),
  session_resumed: ({ data }) => ({ tone: 'plain', text: `${safeLine(data.agent)} goes on` }),
  approval_requested: ({ data }) => ({
    tone: 'warn',
    text: approvalText(data),
    next: `muster approve ${safeLine(data.approvalId)}`,
  }),
  approval_decided: ({ data }) => ({ tone: 'plain', text: decisionText(data) }),
  message_sent: named,
  message_delivered: named,
  message_acknowledged: named,
  message_failed: named,
  unknown: ({ raw }) => ({ tone: 'dim', text: safeLine(raw.type), from: 'verbose' }),
}

/** A message of many lines is shown whole in the logs; here its lines are joined. */
function agentWords(event: WireEventOf<'agent_message'>): Words | undefined {
  const lines = agentLines(event)
  if (lines.length === 0) return undefined
  const from = lines.every((line) => line.kind === 'text') ? 'normal' : 'verbose'
  return { tone: 'dim', text: lines.map((line) => line.text.trim()).join(' / '), from }
}

/** An attempt after the first: after a failure, or after a review that sent the work back. */
function startedText({ attempt, round = 0 }: WireEventOf<'task_started'>['data']): string {
  if (attempt <= 1) return 'started'
  return round > 0 ? `started again (round ${round + 1})` : `started again (attempt ${attempt})`
}

function documentWords({
  kind,
  number,
}: Pick<WireEventOf<'document_edited'>['data'], 'kind' | 'number'>): string {
  return `${kind === 'goal' ? 'the goal' : 'the list of wanted tasks'} (version ${number})`
}

function startedWords({ data }: WireEventOf<'job_started'>): Words {
  const warnings = (data.warnings ?? []).map((warning) => safeLine(warning))
  if (warnings.length === 0) return { tone: 'strong', text: 'started' }
  return { tone: 'warn', text: `started; ${warnings.join('; ')}` }
}

function approvalText({ agent, action }: WireEventOf<'approval_requested'>['data']): string {
  if (action.tool === 'land') return `waits for you to let it land: ${safeLine(action.reason ?? '')}`
  return `waits for you: ${safeLine(agent)} asks to use ${toolWords(action.tool, action.input, 'all')}`
}

function decisionText({ approvalId, decision }: WireEventOf<'approval_decided'>['data']): string {
  const reason = 'reason' in decision ? safeLine(decision.reason, 100) : ''
  return joined(`${safeLine(approvalId)} ${decision.type}`, reason)
}

function joined(what: string, why: string): string {
  return why === '' ? what : `${what}: ${why}`
}

/** What a check does now, and why it does so again. */
function checkingText({ data }: WireEventOf<'landing_checking'>): string {
  const { again, together } = data
  const check = safeLine(data.check)
  if (again === 'failed' && together > 1)
    return `the batch of ${together} failed once; run again on a new copy of the tree: ${check}`
  if (again === 'failed') return `failed once; run again on a new copy of the tree: ${check}`
  if (again === 'lost') return `nobody saw how it ended; run again: ${check}`
  const others = together > 1 ? `, with ${together - 1} more` : ''
  return `checks run on the merged tree${others}: ${check}`
}

/** Warns explicitly where there are no checks: nothing was proved about this tree. */
function checkedWords({ data }: WireEventOf<'landing_checked'>): Words {
  const { warning, flaky = [] } = data
  if (warning !== undefined) return { tone: 'warn', text: safeLine(warning) }
  if (flaky.length === 0) return { tone: 'dim', text: 'checks passed', from: 'verbose' }
  const commands = flaky.map((command) => safeLine(command)).join(', ')
  return { tone: 'warn', text: `passed at the second try: ${commands}` }
}

function landedText({ data }: WireEventOf<'landing_landed'>): string {
  const commit = safeLine(data.commit).slice(0, 10)
  if (data.base !== undefined) return `took in ${safeLine(data.base)}, which has moved: ${commit}`
  return data.isContained === true ? `is there already: ${commit}` : `landed: ${commit}`
}

/** A task's own end follows and says the same; of the base branch nothing else does. */
function rejectedWords({ data }: WireEventOf<'landing_rejected'>): Words {
  const text = `not landed: ${safeHead(data.reason)}`
  return data.base === undefined ? { tone: 'dim', text, from: 'verbose' } : { tone: 'warn', text }
}

/** That no money is left: for today, for good, or for one more attempt. */
function budgetWords({ data, at }: WireEventOf<'budget_reached'>): Words {
  const { budgetUsd, spentUsd, meanUsd = {}, role = '' } = data
  if (data.day === true) {
    const moment = data.until === undefined ? '' : ` until ${momentWords(new Date(data.until), new Date(at))}`
    const spent = `the ${dollars(budgetUsd)} that a day may cost are spent`
    return { tone: 'warn', text: `rests${moment}: ${spent}; nothing new starts` }
  }
  const left = budgetUsd - spentUsd
  const mean = meanUsd[role] ?? 0
  const tooLittle =
    left > 0 && mean > 0
      ? ` (${dollars(left)} is left, and an attempt costs ${dollars(mean)} on average)`
      : ''
  const text = `the budget is reached: ${spendingWords(data)}${tooLittle}; nothing more starts`
  return { tone: 'bad', text }
}

function spendingWords({
  spentUsd,
  budgetUsd,
}: Pick<WireEventOf<'budget_warned'>['data'], 'spentUsd' | 'budgetUsd'>): string {
  return `${dollars(spentUsd)} of ${dollars(budgetUsd)}`
}

/** Why a session rests, as its event tells: "waits for quota until 14:05". */
export function waitWords({
  data,
  at,
}: WireEventOf<'job_waiting' | 'task_waiting' | 'session_waiting'>): string {
  const until = data.until === undefined ? '' : ` until ${momentWords(new Date(data.until), new Date(at))}`
  return `waits: ${safeLine(data.reason)}${until}`
}

export function restWords({ data, at }: WireEventOf<'session_suspended'>): string {
  if (data.why !== 'limited') {
    const reason = safeHead(data.reason)
    return reason === '' ? 'is suspended' : `is suspended: ${reason}`
  }
  return data.until === undefined
    ? 'waits for quota'
    : `waits for quota until ${momentWords(new Date(data.until), new Date(at))}`
}
