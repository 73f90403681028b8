import path from 'node:path'
import { createFolderPlaybooks } from '../../src/adapters/playbooks/folder/folder-playbooks.ts'
import { SHIPPED } from '../../src/adapters/playbooks/folder/testing/broken-playbook.ts'
import type { VisitId } from '../../src/domain/id.ts'
import type { Outcome } from '../../src/domain/playbook/outcome.ts'
import type { Playbook } from '../../src/domain/playbook/playbook.ts'
import type { RunEnd } from '../../src/domain/playbook/route.ts'
import { childResult } from '../../src/domain/run/child-result.ts'
import { nextRunState, type RunEvent } from '../../src/domain/run/next-run-state.ts'
import { nextRunStep, type RunStep } from '../../src/domain/run/next-run-step.ts'
import { nextVisitState, type VisitEvent } from '../../src/domain/run/next-visit-state.ts'
import type { Counters } from '../../src/domain/run/route-visit.ts'
import type { RunInputs, RunState } from '../../src/domain/run/run.ts'
import { earlyEnding, type RunEnding, runEnding } from '../../src/domain/run/run-ending.ts'
import { historyOf, type RunTree } from '../../src/domain/run/run-history.ts'
import { takeVisits } from '../../src/domain/run/take-visits.ts'
import { isVisitOpen, type Visit } from '../../src/domain/run/visit.ts'
import { exampleVisit, ids } from './example-records.ts'

export const SHIPPED_NAMES = [
  'architecture',
  'best-of',
  'development',
  'research',
  'review',
  'reviewed',
  'solo',
  'tdd',
]

/** The playbooks that can be played. Tests add their own. */
export const playbooks = new Map<string, Playbook>()

export async function readShipped(): Promise<void> {
  const source = createFolderPlaybooks({ shipped: SHIPPED })
  for (const name of SHIPPED_NAMES) {
    const folder = await source.read(path.join(SHIPPED, name))
    if (folder.ok) playbooks.set(name, folder.value.playbook)
  }
}

type Result = Pick<Visit, 'commit' | 'answer'>

/** Plays a run by its rows: whoever holds an instance decides how each open visit ends. */
export class Play {
  visits: Visit[] = []
  counters: Counters = {}
  exhausted: readonly string[] = []
  state: RunState = { type: 'running' }
  playbook: Playbook
  readonly inputs: RunInputs
  /** The runs that its visits wait for, or waited for. */
  readonly children = new Map<VisitId, Play>()

  /** The visit that waits for it, and its run, if it is a run within another one. */
  readonly #parent: { readonly play: Play; readonly visitId: VisitId } | undefined

  constructor(
    name: string,
    inputs: RunInputs = {},
    parent?: { readonly play: Play; readonly visitId: VisitId },
  ) {
    this.#parent = parent
    const playbook = playbooks.get(name)
    if (playbook === undefined) throw new Error(`there is no playbook ${name}`)
    this.playbook = playbook
    const defaults = Object.entries(playbook.inputs).flatMap(([key, input]) =>
      input.default === undefined ? [] : [[key, input.default] as const],
    )
    this.inputs = { ...Object.fromEntries(defaults), ...inputs }
    this.advance()
  }

  /** The visits that it took from the run that it continues. */
  takenCount = 0

  /** A run that takes the visits before an entry, as an engine that has only the rows would. */
  fork(ordinal: number): Play {
    const { inputs, playbook } = this
    const stored = JSON.parse(JSON.stringify(this.visits)) as readonly Visit[]
    const forked = new Play(playbook.name, inputs)
    const { taken, counters } = takeVisits(playbook, stored, { ordinal })
    forked.state = { type: 'running' }
    forked.exhausted = []
    forked.children.clear()
    forked.visits = [...taken]
    forked.counters = counters
    forked.takenCount = taken.length
    forked.advance()
    return forked
  }

  get end(): RunEnd | undefined {
    return this.state.type === 'ended' ? this.state.end : undefined
  }

  step(): RunStep {
    const { inputs, counters, visits, state } = this
    return nextRunStep(this.playbook, { goal: 'g', inputs, counters, state, visits }, (seen) =>
      seen.toReversed(),
    )
  }

  advance(): void {
    for (const [id, child] of this.children) this.#adopt(id, child)
    const step = this.step()
    if (step.type === 'wait') return
    this.counters = step.counters
    this.exhausted = [...this.exhausted, ...step.exhausted]
    for (const { outcome, ...draft } of step.drafts) {
      const state =
        outcome === undefined ? { type: 'waiting' as const } : { type: 'settled' as const, outcome }
      this.#enter(exampleVisit({ ...draft, state }))
    }
    if (step.end !== undefined) this.#finish(runEnding(this.#rows, step.end, step.exhausted))
    else this.advance()
  }

  get open(): readonly Visit[] {
    return this.visits.filter(isVisitOpen)
  }

  /** The open visits of this run and of the runs within it that wait for no other run. */
  get leaves(): readonly { readonly play: Play; readonly visit: Visit }[] {
    const own = this.open.filter(({ state }) => state.type !== 'running-child')
    return [
      ...own.map((visit) => ({ play: this, visit })),
      ...[...this.children.values()].flatMap((child) => child.leaves),
    ]
  }

  get visitCount(): number {
    const within = [...this.children.values()].map((child) => child.visitCount)
    return within.reduce((sum, count) => sum + count, this.visits.length)
  }

  /** Ends the first open visit of a stage. */
  settle(stage: string, outcome: Outcome, result: Result = {}): void {
    const visit = this.open.find((one) => one.stage === stage)
    if (visit === undefined)
      throw new Error(`${stage} is not open: ${this.open.map((one) => one.stage).join(', ')}`)
    this.settleVisit(visit, outcome, result)
  }

  settleVisit({ id }: Visit, outcome: Outcome, result: Result = {}): void {
    this.#change(id, { type: 'visit-settle', outcome }, result)
    this.advance()
  }

  /** The run is out of time or money. The runs within it end first. */
  stop(): void {
    if (this.state.type !== 'running') return
    for (const [id, child] of this.children) {
      child.stop()
      this.#adopt(id, child)
    }
    for (const { id } of this.open) this.#change(id, { type: 'visit-cancel' })
    this.#finish(earlyEnding(this.#rows, 'it is out of time', false))
  }

  /** The job was cancelled. */
  cancel(): void {
    for (const child of this.children.values()) child.cancel()
    for (const { id } of this.open) this.#change(id, { type: 'visit-cancel' })
    this.#move({ type: 'run-cancel', reason: 'the job was cancelled' })
  }

  /** The stages in the order in which the run entered them. */
  get way(): readonly string[] {
    return this.visits.map(({ stage, branch }) => (branch === 0 ? stage : `${stage}#${branch}`))
  }

  /** Everything that is stored, to see whether something has changed. */
  get rows(): string {
    const within = [...this.children.values()].map((child) => child.rows)
    return JSON.stringify([this.visits, this.counters, this.state, within])
  }

  #enter(visit: Visit): void {
    this.visits.push(visit)
    const stage = this.playbook.stages[visit.stage]
    if (stage?.type !== 'playbook') return
    this.#change(visit.id, { type: 'child-start', runId: ids.next('run') })
    this.children.set(visit.id, new Play(stage.playbook, {}, { play: this, visitId: visit.id }))
  }

  get #root(): Play {
    return this.#parent === undefined ? this : this.#parent.play.#root
  }

  get #tree(): RunTree {
    const within = new Map([...this.children].map(([id, child]) => [id, child.#tree]))
    return { stages: this.playbook.stages, visits: this.visits, within }
  }

  #adopt(id: VisitId, { state, playbook: { name }, visits }: Play): void {
    const run = { state, playbook: { name, hash: '' } }
    const result = childResult({ run, visits, documents: [] })
    if (result === undefined) return
    const { outcome, ...given } = result
    this.#change(id, { type: 'visit-settle', outcome }, given)
  }

  get #rows(): Parameters<typeof runEnding>[0] {
    const { playbook, visits } = this
    const run = {
      playbook: { name: playbook.name, hash: '' },
      ...(this.#parent === undefined ? {} : { parentId: this.#parent.visitId }),
    }
    return { run, visits, playbook, plan: {}, history: { own: historyOf(this.#root.#tree) } }
  }

  /** Whoever is asked about the work lets it land. */
  #finish(ending: RunEnding): void {
    const end = ending.type === 'complete' ? 'done' : ending.end
    const work = 'work' in ending ? ending.work : undefined
    this.#move({ type: 'run-end', end, ...(work === undefined ? {} : { work: work.by.id }) })
  }

  #move(event: RunEvent): void {
    const next = nextRunState(this.state, event)
    if (next.ok) this.state = next.value
  }

  #change(id: VisitId, event: VisitEvent, result: Partial<Visit> = {}): void {
    this.visits = this.visits.map((visit) => {
      const next = visit.id === id ? nextVisitState(visit.state, event) : undefined
      return next?.ok === true ? { ...visit, ...result, state: next.value } : visit
    })
  }
}
