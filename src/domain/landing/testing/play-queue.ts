import type { ApprovalId, CandidateId, JobId, LandingId, SessionId } from '../../id.ts'
import { type Candidate, chainOf, landingIdsOf } from '../candidate.ts'
import { isCandidateFinished } from '../candidate-state.ts'
import { halvedLimit } from '../choose-batch.ts'
import type { LandingState } from '../landing.ts'
import type { LandingMode } from '../landing-mode.ts'
import { type CandidateEvent, nextCandidateState } from '../next-candidate-state.ts'
import { type LandingEvent, nextLandingState } from '../next-landing-state.ts'
import { nextQueueMove, type QueueMove, type QueueSnapshot } from '../next-queue-move.ts'
import type { WaitingLanding } from '../order-landings.ts'
import { type Content, ModelRepository, type RepositoryPlan, treeOf } from './model-repository.ts'

export type QueuePlan = Omit<RepositoryPlan, 'landings'> & {
  readonly landings: readonly { readonly isBroken: boolean; readonly arrivesAt: number }[]
  readonly slots: number
  readonly mode: LandingMode
  readonly chances: readonly number[]
}

type Entry = WaitingLanding & { readonly number: number; readonly state: LandingState }

export type PlayedQueue = {
  readonly moves: readonly {
    readonly before: Content
    readonly after: Content
    readonly wasCheckedAsItIs: boolean
  }[]
  readonly head: Content
  readonly undecided: readonly number[]
  readonly unjustified: readonly string[]
  readonly isGreen: (content: Content) => boolean
}

export type Decide = (snapshot: QueueSnapshot<Entry>) => QueueMove<Entry> | undefined

const OUTSIDER = 1_000

/** Plays the queue's decisions against a small model of git, checks, people and crashes. */
export function playQueue(plan: QueuePlan, decide: Decide = nextQueueMove): PlayedQueue {
  const world = new QueueWorld(plan, decide)
  for (const [step, chance] of plan.chances.entries()) world.disturb(step, chance)
  return world.drain()
}

class QueueWorld {
  readonly #plan: QueuePlan
  readonly #decide: Decide
  readonly #repository: ModelRepository
  readonly #entries: Entry[] = []
  readonly #moves: { before: Content; after: Content; wasCheckedAsItIs: boolean }[] = []
  readonly #unjustified: string[] = []
  #candidates: Candidate[] = []
  #head = 'c0'
  #made = 0

  constructor(plan: QueuePlan, decide: Decide) {
    this.#plan = plan
    this.#decide = decide
    this.#repository = new ModelRepository(plan)
  }

  /** One thing happens: a landing arrives, a check or a person answers, an outsider moves the branch, or a crash. */
  disturb(step: number, chance: number): void {
    this.#arrive(step)
    const open = this.#open()
    const candidate = open[chance % Math.max(1, open.length)]
    if (chance % 17 === 0) this.#moveByOutsider()
    else if (candidate !== undefined) this.#answer(candidate)
    this.#advance(chance % 5 === 0 ? 1 : 50, chance % 7 === 0)
  }

  drain(): PlayedQueue {
    this.#arrive(Number.POSITIVE_INFINITY)
    for (let round = 0; round < 400; round += 1) {
      this.#advance(50, false)
      const open = this.#open()
      if (open.length === 0) break
      for (const candidate of open) this.#answer(candidate)
    }
    const undecided = this.#entries.filter(
      ({ state }) => state.type === 'queued' || state.type === 'checking',
    )
    return {
      moves: this.#moves,
      head: this.#repository.contentOf(this.#head),
      undecided: undecided.map(({ number }) => number),
      unjustified: this.#unjustified,
      isGreen: (content) => this.#repository.isGreen(content),
    }
  }

  #arrive(step: number): void {
    for (const [number, { arrivesAt }] of this.#plan.landings.entries()) {
      if (arrivesAt > step || this.#entries.some((entry) => entry.number === number)) continue
      const id = `lnd_${number}` as LandingId
      this.#entries.push({ id, number, files: [], priority: 'P1', batchLimit: 64, state: { type: 'queued' } })
    }
  }

  #moveByOutsider(): void {
    this.#made += 1
    const after = new Set([...this.#repository.contentOf(this.#head), OUTSIDER + this.#made])
    this.#head = this.#repository.commit(after)
  }

  #answer(candidate: Candidate): void {
    const { state } = candidate
    if (state.type === 'asking') this.#change(candidate, { type: 'approval-allow' })
    if (state.type !== 'checking') return
    const isGreen = this.#repository.isGreen(this.#repository.contentOf(candidate.commit))
    this.#change(candidate, isGreen ? { type: 'checks-pass' } : { type: 'check-fail', reason: 'red' })
  }

  /** As the engine does it: load, decide, act. A crash may come between acting and recording it. */
  #advance(most: number, diesAfterRef: boolean): void {
    for (let count = 0; count < most; count += 1) {
      const move = this.#decide({
        head: this.#head,
        waiting: this.#entries.filter(({ state }) => state.type === 'queued'),
        candidates: this.#open(),
        mode: this.#plan.mode,
        slots: this.#plan.slots,
      })
      if (move === undefined || !this.#make(move, diesAfterRef)) return
    }
  }

  #make(move: QueueMove<Entry>, diesAfterRef: boolean): boolean {
    switch (move.type) {
      case 'land':
        return this.#land(move.candidate, diesAfterRef)
      case 'ask':
        this.#change(move.candidate, { type: 'approval-ask', approvalId: 'apr_1' as ApprovalId })
        return false
      case 'reject':
        this.#reject(move.candidate)
        this.#drop(move.after)
        return true
      case 'divide':
        this.#drop([move.candidate], halvedLimit(landingIdsOf(move.candidate).length))
        this.#drop(move.after)
        return true
      case 'drop':
        this.#drop(move.candidates)
        return true
      case 'build':
        return this.#build(move)
    }
  }

  #land(candidate: Candidate, diesAfterRef: boolean): boolean {
    if (this.#head === candidate.onto) {
      const before = this.#repository.contentOf(this.#head)
      const after = this.#repository.contentOf(candidate.commit)
      this.#moves.push({ before, after, wasCheckedAsItIs: candidate.tree === treeOf(after) })
      this.#head = candidate.commit
      if (diesAfterRef) return false
    }
    const landed = this.#repository.contentOf(candidate.commit)
    const isIn = [...landed].every((number) => this.#repository.contentOf(this.#head).has(number))
    if (!isIn) {
      this.#drop(this.#open())
      return true
    }
    this.#change(candidate, { type: 'branch-moved' })
    this.#moveLandings(candidate, { type: 'branch-moved', commit: candidate.commit, tree: candidate.tree })
    return true
  }

  #reject(candidate: Candidate): void {
    const [number = -1] = this.#numbersOf(candidate)
    const head = this.#repository.contentOf(this.#head)
    if (candidate.onto !== this.#head || this.#repository.isGreen(new Set([...head, number]))) {
      this.#unjustified.push(`${number} was refused, and would be green on the head`)
    }
    this.#change(candidate, { type: 'candidate-drop', reason: 'refused' })
    this.#moveLandings(candidate, { type: 'landing-reject', reason: 'red' })
  }

  #drop(candidates: readonly Candidate[], batchLimit?: number): void {
    for (const candidate of candidates) {
      this.#change(candidate, { type: 'candidate-drop', reason: 'dropped' })
      this.#moveLandings(candidate, { type: 'candidate-drop' }, batchLimit)
    }
  }

  #build(move: Extract<QueueMove<Entry>, { type: 'build' }>): boolean {
    const { offer, size } = move.choice
    for (let from = 0; from < offer.length; from += size) {
      const isChanged = this.#buildOf(move, offer.slice(from, from + size))
      if (isChanged || move.isOnHead) return isChanged
    }
    return false
  }

  #buildOf(move: Extract<QueueMove<Entry>, { type: 'build' }>, batch: readonly Entry[]): boolean {
    const { content, merged, conflicts } = this.#repository.merge(move.onto, batch)
    const firstMerged = batch.findIndex((entry) => merged.includes(entry))
    const onHead = move.isOnHead ? batch.slice(0, firstMerged === -1 ? batch.length : firstMerged) : []
    for (const entry of onHead.filter((tried) => conflicts.includes(tried))) this.#conflict(entry)
    if (merged.length > 0) this.#store(move.onto, content, merged)
    return merged.length > 0 || onHead.length > 0
  }

  #conflict(entry: Entry): void {
    if (!this.#repository.conflicts(this.#repository.contentOf(this.#head), entry.number)) {
      this.#unjustified.push(`${entry.number} was told to conflict, and does not`)
    }
    this.#moveLanding(entry.id, { type: 'merge-conflict', paths: ['a'] })
  }

  #store(onto: string, content: Content, merged: readonly Entry[]): void {
    this.#made += 1
    const candidate: Candidate = {
      id: `cnd_${this.#made}` as CandidateId,
      jobId: 'job_1' as JobId,
      branch: 'b',
      purpose: { type: 'landings', landingIds: merged.map(({ id }) => id) },
      onto,
      commit: this.#repository.commit(content),
      tree: treeOf(content),
      state: {
        type: 'checking',
        checkIndex: 0,
        sessionId: `ses_${this.#made}` as SessionId,
        suspects: [],
        lost: 0,
      },
      checks: [],
      version: 1,
      createdAt: new Date(0),
    }
    this.#candidates.push(candidate)
    this.#moveLandings(candidate, { type: 'merge-end', candidateId: candidate.id })
  }

  #change(candidate: Candidate, event: CandidateEvent): void {
    const index = this.#candidates.findIndex(({ id }) => id === candidate.id)
    const current = this.#candidates[index]
    const state = current === undefined ? undefined : nextCandidateState(current.state, event)
    if (current === undefined || state?.ok !== true)
      throw new Error(`${event.type} from ${current?.state.type}`)
    this.#candidates = this.#candidates.with(index, { ...current, state: state.value })
  }

  #moveLandings(candidate: Candidate, event: LandingEvent, batchLimit?: number): void {
    for (const id of landingIdsOf(candidate)) this.#moveLanding(id, event, batchLimit)
  }

  #moveLanding(id: LandingId, event: LandingEvent, batchLimit = 64): void {
    const index = this.#entries.findIndex((entry) => entry.id === id)
    const entry = this.#entries[index]
    const state = entry === undefined ? undefined : nextLandingState(entry.state, event)
    if (entry === undefined || state?.ok !== true) throw new Error(`${event.type} from ${entry?.state.type}`)
    this.#entries[index] = {
      ...entry,
      state: state.value,
      batchLimit: Math.min(entry.batchLimit, batchLimit),
    }
  }

  #open(): readonly Candidate[] {
    return chainOf(this.#candidates.filter(({ state }) => !isCandidateFinished(state)))
  }

  #numbersOf(candidate: Candidate): readonly number[] {
    return this.#entries.flatMap(({ id, number }) => (landingIdsOf(candidate).includes(id) ? [number] : []))
  }
}
