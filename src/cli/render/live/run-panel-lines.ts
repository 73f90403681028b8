import type { WireMessage, WirePlaybook, WireRun } from '../../../client/index.ts'
import { isGood } from '../../../domain/playbook/outcome.ts'
import { describeTarget } from '../../../domain/playbook/route.ts'
import { lastEntry } from '../../../domain/run/entries.ts'
import { routeVisit } from '../../../domain/run/route-visit.ts'
import { MARKS } from '../playbook/playbook-drawing.ts'
import { stageOrder } from '../playbook/stage-order.ts'
import { stageExits } from '../playbook/stage-words.ts'
import { STATUS_WORDS } from '../run/run-lines.ts'
import { messageNames } from '../session/conversation-lines.ts'
import { elapsed } from '../text/elapsed.ts'
import type { Paint, Tone } from '../text/paint.ts'
import { safeLine } from '../text/safe-text.ts'
import { wrapWords } from '../text/wrap-line.ts'

/** A run as a person watches it: where it is in its playbook, and what its roles last told each other. */
export type RunPanel = {
  readonly run: WireRun
  readonly playbook: WirePlaybook
  /** Newest first. */
  readonly messages: readonly WireMessage[]
}

type Visit = WireRun['visits'][number]

/** Where the panel is drawn: how wide it may be, and how many lines there are for it. */
type Place = { readonly now: number; readonly width: number; readonly room: number; readonly paint: Paint }

const BAR_WIDTH = 20
const SHOWN_MESSAGES = 3
/** Without room for a line per stage, the stages are on lines like these. */
const MOST_STRIP = 3

/** The stages with the current one lit, the counters of loops, and the last messages, in at most `room` lines. */
export function runPanelLines(panel: RunPanel, place: Place): readonly string[] {
  const head = headLine(panel, place)
  const stages = stageLines(panel, place)
  const messages = messageLines(panel, place)
  const whole = [head, ...stages, ...messages]
  if (whole.length <= place.room) return whole
  const strip = stripLines(panel, place)
  return [head, ...strip, ...messages].slice(0, Math.max(1, place.room))
}

function headLine({ run }: RunPanel, { width, paint }: Place): string {
  const done = Math.min(BAR_WIDTH, Math.floor(run.progress * BAR_WIDTH))
  const bar = `[${'#'.repeat(done)}${'.'.repeat(BAR_WIDTH - done)}]`
  const percent = `${Math.floor(run.progress * 100)}%`
  const end = run.end === undefined ? '' : ` ${run.end}`
  return paint('strong', safeLine(`${bar} ${percent} ${run.playbook}${end}`, width))
}

function stageLines({ run, playbook }: RunPanel, { now, width, paint }: Place): readonly string[] {
  const order = stageOrder(playbook)
  const longest = Math.max(...order.map((name) => name.length))
  return order.flatMap((name) => {
    const stage = playbook.stages[name]
    if (stage === undefined) return []
    const entry = newestEntry(run, name)
    const isLit = entry.some(isOpen)
    const start = `${isLit ? '>' : ' '} ${MARKS[stage.type][0]} ${name.padEnd(longest)}  `
    const words = [
      ...(chosenWords(playbook, name, entry) ?? entryWords(entry, now)),
      ...loopWords(run, name, stageExits(stage)),
    ].join(', ')
    return [paint(toneOf(entry, isLit), safeRow(`${start}${words}`, width))]
  })
}

/** All stages in a row, with the current one in brackets. */
function stripLines({ run, playbook }: RunPanel, { width, paint }: Place): readonly string[] {
  const words = stageOrder(playbook).map((name) => {
    const entry = newestEntry(run, name)
    if (entry.some(isOpen)) return `[${name}]`
    return entry.length === 0 ? `(${name})` : name
  })
  return wrapWords(words.join(' > '), width, 2)
    .slice(0, MOST_STRIP)
    .map((line) => paint('accent', safeRow(line, width)))
}

function messageLines({ messages }: RunPanel, { width, paint }: Place): readonly string[] {
  return messages
    .slice(0, SHOWN_MESSAGES)
    .toReversed()
    .map((message) => {
      const [body = ''] = message.body.trim().split('\n', 1)
      const text = message.subject === '' ? body : `${message.subject}: ${body}`
      return paint('dim', safeLine(`${messageNames(message)} ${text}`, width))
    })
}

function newestEntry({ visits }: WireRun, stage: string): readonly Visit[] {
  return lastEntry(visits.filter((visit) => visit.stage === stage))
}

function isOpen({ status }: Visit): boolean {
  return status !== 'settled' && status !== 'cancelled'
}

function toneOf(entry: readonly Visit[], isLit: boolean): Tone {
  if (isLit) return 'accent'
  if (entry.length === 0) return 'dim'
  return entry.some(({ outcome }) => isGood(outcome)) ? 'good' : 'warn'
}

/** Where a stage led that only chooses a route. It ended with no more than the number of a case. */
function chosenWords(
  { stages }: RunPanel['playbook'],
  name: string,
  [visit]: readonly Visit[],
): readonly string[] | undefined {
  if (stages[name]?.type !== 'choose' || visit?.outcome === undefined) return undefined
  return [`-> ${describeTarget(routeVisit({ stages }, {}, name, visit.outcome).to)}`]
}

/** What the newest visit of a stage does, or how it ended. */
function entryWords(entry: readonly Visit[], now: number): readonly string[] {
  const [first] = entry
  if (first === undefined) return []
  const open = entry.filter(isOpen)
  const round = first.round === 1 ? [] : [`round ${first.round}`]
  const ended = entry.length - open.length
  const share = entry.length === 1 ? [] : [`${ended} of ${entry.length} ended`]
  const [working] = open
  if (working === undefined) {
    const outcomes = [...new Set(entry.map(({ outcome, status }) => outcome ?? STATUS_WORDS[status]))]
    return [outcomes.join('/'), ...round]
  }
  const time = elapsed(Math.max(0, now - Date.parse(working.createdAt)))
  return [`${STATUS_WORDS[working.status]} ${time}`, ...round, ...share]
}

/** How often the limited ways out of a stage were taken. */
function loopWords(
  { counters }: WireRun,
  stage: string,
  exits: ReturnType<typeof stageExits>,
): readonly string[] {
  return exits.flatMap(({ outcome, limit }) => {
    const taken = counters[`${stage}.${outcome}`] ?? 0
    return limit === undefined || taken === 0 ? [] : [`${outcome} ${taken} of ${limit.max}`]
  })
}

/** Keeps the spaces that make columns. */
function safeRow(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`
}
