import type { WireEvent } from '../../contract/event.ts'
import { agentLines } from './agent-lines.ts'
import { budgetWords, spendingWords } from './budget-words.ts'
import { counted } from './counted.ts'
import { clockTime } from './elapsed.ts'
import { headOf, listOf, recordIn, textOf, textsOf } from './event-data.ts'
import { completionWords } from './job-end-words.ts'
import { checkedText, checkingText, landedText } from './landing-words.ts'
import type { Paint, Tone } from './paint.ts'
import { restWords } from './rest-words.ts'
import { safeLine } from './safe-text.ts'
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

const NEXT_INDENT = ' '.repeat(16)

/**
 * One event as one line for people: when, about what, and what happened, with the command that it waits for below.
 * Nothing when this much detail was not asked for. `label` names the task the event is about (t1-2).
 */
export function eventLine(
  event: WireEvent,
  label: string | undefined,
  paint: Paint,
  detail: Detail,
): string | undefined {
  const words = wordsOf(event)
  if (words === undefined || (words.from === 'verbose' && detail !== 'verbose')) return undefined
  const time = paint('dim', clockTime(new Date(event.at)))
  const line = `${time} ${paint('accent', (label ?? subjectOf(event)).padEnd(6))} ${paint(words.tone, words.text)}`
  return words.next === undefined ? line.trimEnd() : `${line.trimEnd()}\n${NEXT_INDENT}${words.next}`
}

function subjectOf(event: WireEvent): string {
  if (event.type.startsWith('landing_') && event.data['base'] !== undefined) return 'base'
  if (event.type === 'document_taken_up') return `c${event.cycle ?? '?'}`
  if (/^(?:job|document|budget)_/.test(event.type)) return 'job'
  if (event.type.startsWith('cycle_')) return `c${event.cycle ?? '?'}`
  return event.cycle === undefined ? 'job' : `plan${event.cycle}`
}

function wordsOf(event: WireEvent): Words | undefined {
  if (event.type === 'agent_message') return agentWords(event)
  return WORDS[event.type]?.(event) ?? { tone: 'dim', text: safeLine(event.type), from: 'verbose' }
}

/** A message of many lines is shown whole in the logs; here its lines are joined. */
function agentWords(event: WireEvent): Words | undefined {
  const lines = agentLines(event)
  if (lines.length === 0) return undefined
  const from = lines.every((line) => line.kind === 'text') ? 'normal' : 'verbose'
  return { tone: 'dim', text: lines.map((line) => line.text.trim()).join(' / '), from }
}

const WORDS: Readonly<Record<string, (event: WireEvent) => Words>> = {
  job_started: startedWords,
  job_paused: () => ({ tone: 'warn', text: 'paused' }),
  job_resumed: () => ({ tone: 'strong', text: 'goes on' }),
  job_completed: (event) => ({ tone: 'good', text: completionWords(textOf(event, 'reason', 'summary')) }),
  job_cancelled: (event) => ({ tone: 'warn', text: joined('cancelled', textOf(event, 'reason')) }),
  job_error: (event) => ({
    tone: 'bad',
    text: joined('stopped with an error', headOf(event, 'error', 'reason')),
  }),
  cycle_started: () => ({ tone: 'strong', text: 'begins: looking at what is to be done' }),
  cycle_phase: (event) => ({ tone: 'dim', text: `phase ${textOf(event, 'phase')}`, from: 'verbose' }),
  cycle_tasks_discovered: (event) => ({ tone: 'strong', text: plannedText(event) }),
  cycle_completed: (event) => ({ tone: 'strong', text: joined('ended', headOf(event, 'summary')) }),
  task_started: (event) => ({
    tone: 'plain',
    text: joined(startedText(event), textOf(event, 'description')),
  }),
  task_progress: progressWords,
  task_completed: (event) => ({ tone: 'good', text: joined('completed', textOf(event, 'summary')) }),
  task_failed: (event) => ({ tone: 'bad', text: failedText(event) }),
  landing_queued: () => ({ tone: 'dim', text: 'waits to land', from: 'verbose' }),
  landing_checking: checkingWords,
  landing_checked: checkedWords,
  landing_landed: (event) => ({ tone: 'good', text: landedText(event) }),
  // The task's own end follows and says the same: once is enough.
  landing_conflicted: (event) => ({
    tone: 'dim',
    text: joined('conflicts with what landed before it', textsOf(event, 'paths').join(', ')),
    from: 'verbose',
  }),
  landing_rejected: (event) => ({
    tone: event.data['base'] === undefined ? 'dim' : 'warn',
    text: joined('not landed', headOf(event, 'reason')),
    from: event.data['base'] === undefined ? 'verbose' : 'normal',
  }),
  document_edited: (event) => ({
    tone: 'strong',
    text: `${documentWords(event)} was edited; the next cycle begins with it`,
  }),
  // The first versions are the beginning; later ones are why this cycle looks elsewhere.
  document_taken_up: (event) => ({
    tone: 'strong',
    text: `begins with what was edited: ${documentWords(event)}`,
    from: (event.cycle ?? 1) > 1 ? 'normal' : 'verbose',
  }),
  budget_warned: (event) => ({ tone: 'warn', text: `the budget is nearly used up: ${spendingWords(event)}` }),
  budget_reached: (event) => budgetWords(event),
  session_started: (event) => ({
    tone: 'dim',
    text: joined('session started', textOf(event, 'agent', 'agentName')),
    from: 'verbose',
  }),
  session_ended: (event) => ({
    tone: 'dim',
    text: joined('session ended', textOf(event, 'ending')),
    from: 'verbose',
  }),
  session_suspended: (event) => ({
    tone: 'warn',
    text: `${textOf(event, 'agent') || 'session'} ${restWords(event)}`,
  }),
  session_resumed: (event) => ({ tone: 'plain', text: `${textOf(event, 'agent') || 'session'} goes on` }),
  approval_requested: (event) => ({
    tone: 'warn',
    text: approvalText(event),
    next: `muster approve ${textOf(event, 'approvalId')}`,
  }),
  approval_decided: (event) => ({ tone: 'plain', text: decisionText(event) }),
}

/** An attempt after the first: after a failure, or after a review that sent the work back. */
function startedText(event: WireEvent): string {
  const attempt = Number(event.data['attempt']) || 1
  if (attempt <= 1) return 'started'
  const round = Number(event.data['round']) || 0
  return round > 0 ? `started again (round ${round + 1})` : `started again (attempt ${attempt})`
}

function documentWords(event: WireEvent): string {
  const what = event.data['kind'] === 'goal' ? 'the goal' : 'the list of wanted tasks'
  return `${what} (version ${textOf(event, 'number')})`
}

function startedWords(event: WireEvent): Words {
  const warnings = textsOf(event, 'warnings')
  if (warnings.length === 0) return { tone: 'strong', text: 'started' }
  return { tone: 'warn', text: `started; ${warnings.join('; ')}` }
}

/** An event in words, without when and about what. */
export function eventWords(event: WireEvent): string {
  return wordsOf(event)?.text ?? ''
}

function approvalText(event: WireEvent): string {
  const action = recordIn(event, 'action')
  if (action['tool'] === 'land') return `waits for you to let it land: ${safeLine(String(action['reason']))}`
  const what = `${textOf(event, 'agent') || 'an agent'} asks to use ${toolWords(action['tool'], action['input'], 'all')}`
  return `waits for you: ${what}`
}

function decisionText(event: WireEvent): string {
  const decision = recordIn(event, 'decision')
  const reason = typeof decision['reason'] === 'string' ? safeLine(decision['reason'], 100) : ''
  return joined(`${textOf(event, 'approvalId')} ${safeLine(String(decision['type']))}`, reason)
}

/** The output of checks is a detail; what matters of it comes with the verdict. */
function progressWords(event: WireEvent): Words {
  const isCheck = event.data['source'] === 'check'
  return { tone: 'dim', text: textOf(event, 'message', 'text'), from: isCheck ? 'verbose' : 'normal' }
}

function checkingWords(event: WireEvent): Words {
  return { tone: 'dim', text: checkingText(event), from: 'normal' }
}

function checkedWords(event: WireEvent): Words {
  const { text, isWarning } = checkedText(event)
  return isWarning ? { tone: 'warn', text, from: 'normal' } : { tone: 'dim', text, from: 'verbose' }
}

function failedText(event: WireEvent): string {
  const status = textOf(event, 'status') || 'failed'
  return joined(status, headOf(event, 'error', 'reason'))
}

function plannedText(event: WireEvent): string {
  const tasks = listOf(event, 'tasks')
  const count = tasks.length || Number(textOf(event, 'count', 'tasksDiscovered')) || 0
  return `planned ${counted(count, 'task')}`
}

function joined(what: string, why: string): string {
  return why === '' ? what : `${what}: ${why}`
}
