import { keysFor } from '../../follow/answer-in-place.ts'
import type { Progress } from '../../follow/progress.ts'
import { elapsed } from '../text/elapsed.ts'
import type { Paint } from '../text/paint.ts'
import { safeLine } from '../text/safe-text.ts'
import { costWords } from '../text/usage-words.ts'
import { wrapWords } from '../text/wrap-line.ts'
import { runPanelLines } from './run-panel-lines.ts'

const SHOWN_TASKS = 8
const DEFAULT_ROWS = 24
/** The first line of the footer, and some lines of what happens, stay visible above the panel of a run. */
const LOG_ROWS = 5
/** The panel shows at least how far the run is, and at which stage. */
const LEAST_PANEL = 3
const NO_TOKENS = { inputTokens: 0, outputTokens: 0 }
/** A role and its agent. */
const AGENT_WIDTH = 20
const MOST_DESCRIPTION = 36
/** What a task does is worth showing only if there is room for some words, and as much for its description. */
const LEAST_DOING = 20
const SHOWN_REQUEST = 4
const CUT = '… (this is not all of it: v shows the rest)'
const SEPARATOR = ' · '

/** What a terminal has room for. */
export type FooterSize = { readonly width: number; readonly rows?: number | undefined }

/** The footer of a live view: what is being worked on, and for how long. Every line fits into `width`. */
export function footerLines(
  progress: Progress,
  now: number,
  { width, rows = DEFAULT_ROWS }: FooterSize,
  paint: Paint,
  hint: string,
): readonly string[] {
  const shown = progress.active.slice(0, SHOWN_TASKS)
  const hidden = progress.active.length - shown.length
  const more = hidden > 0 ? [paint('dim', `and ${hidden} more`)] : []
  const head = headLine(progress, now, width, paint, hint)
  const below = [
    ...shown.map((task) => taskLine(task, agentWidth(shown), now, width, paint)),
    ...more,
    ...waitLines(progress, width, paint),
  ]
  if (progress.run === undefined) return [head, ...below]
  const room = Math.max(LEAST_PANEL, rows - LOG_ROWS - below.length)
  return [head, ...runPanelLines(progress.run, { now, width, room, paint }), ...below]
}

/** What the keys apply to: the oldest request that waits for the person. */
function waitLines({ waiting }: Progress, width: number, paint: Paint): readonly string[] {
  const [wait] = waiting
  if (wait === undefined) return []
  const place = waiting.length > 1 ? `1 of ${waiting.length}: ` : ''
  return [
    ...requestLines(`${place}${wait.words}`, width).map((line) => paint('warn', line)),
    ...keyLines(keysFor(wait), width).map((line) => paint('dim', line)),
  ]
}

/** The whole request if it is short enough, because the person decides about all of it. Otherwise says that it is cut. */
function requestLines(words: string, width: number): readonly string[] {
  const lines = wrapWords(words, width, 2).flatMap((line) => pieces(line, width))
  if (lines.length <= SHOWN_REQUEST) return lines
  return [...lines.slice(0, SHOWN_REQUEST - 1), safeLine(CUT, width)]
}

/** A line without a space to break at is broken anywhere. */
function pieces(line: string, width: number): readonly string[] {
  const count = Math.ceil(line.length / Math.max(1, width))
  return Array.from({ length: count }, (_, index) => line.slice(index * width, (index + 1) * width))
}

/** The keys on as many lines as they need. */
function keyLines(keys: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const key of keys.split(SEPARATOR)) {
    const last = lines.pop() ?? ''
    const longer = last === '' ? `  ${safeLine(key, width - 2)}` : `${last}${SEPARATOR}${key}`
    const isFull = last !== '' && longer.length > width
    lines.push(...(isFull ? [last, `  ${safeLine(key, width - 2)}`] : [longer]))
  }
  return lines
}

function headLine(progress: Progress, now: number, width: number, paint: Paint, hint: string): string {
  const { cycle, phase, planned, landed, failed, costUsd, waiting } = progress
  const parts: readonly Part[] = [
    { text: cycle > 0 ? `cycle ${cycle}` : '' },
    { text: phase },
    { text: elapsed(now - progress.since) },
    { text: planned > 0 ? `${landed} of ${planned} landed` : '' },
    { text: costWords({ ...NO_TOKENS, costUsd }), leave: 3 },
    // The oldest request is shown below too, and the phase may say the same.
    {
      text: waiting.length > 0 && phase !== 'waiting for you' ? `${waiting.length} waiting for you` : '',
      leave: 1,
    },
    { text: failed > 0 ? `${failed} not landed` : '' },
    { text: hint, leave: 2 },
  ]
  const shown = parts.filter(({ text }) => text !== '')
  return paint('dim', safeLine(joinedWithin(shown, width), width))
}

/** A part of the first line. `leave`: when it is left out if the line is too long; the smallest number goes first. */
type Part = { readonly text: string; readonly leave?: number }

function joinedWithin(parts: readonly Part[], width: number): string {
  const line = parts.map(({ text }) => text).join(SEPARATOR)
  const next = Math.min(...parts.map(({ leave = Number.POSITIVE_INFINITY }) => leave))
  if (line.length <= width || next === Number.POSITIVE_INFINITY) return line
  return joinedWithin(
    parts.filter(({ leave }) => leave !== next),
    width,
  )
}

type Active = Progress['active'][number]

function agentWidth(tasks: readonly Active[]): number {
  return Math.min(AGENT_WIDTH, Math.max(...tasks.map(({ agent = '' }) => agent.length)))
}

function taskLine(task: Active, agents: number, now: number, width: number, paint: Paint): string {
  const label = task.name.label.padEnd(6)
  const time = elapsed(now - task.since).padStart(6)
  const agent = agents === 0 ? '' : ` ${safeLine(task.agent ?? '', agents).padEnd(agents)}`
  const room = width - label.length - time.length - agent.length - 2
  const hasRoom = room - LEAST_DOING > LEAST_DOING && task.doing !== ''
  const described = hasRoom ? Math.min(MOST_DESCRIPTION, room - LEAST_DOING - 1) : room
  const description = safeLine(task.name.description, described).padEnd(described)
  const left = room - described - 1
  const doing = left >= LEAST_DOING ? safeLine(task.doing, left) : ''
  return `${paint('accent', label)} ${time}${paint('strong', agent)} ${description} ${paint('dim', doing)}`.trimEnd()
}
