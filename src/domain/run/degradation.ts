import { isInVain } from '../playbook/outcome.ts'
import type { Playbook } from '../playbook/playbook.ts'
import type { RunEnd } from '../playbook/route.ts'
import type { Cast } from './cast.ts'
import { hasChosenNone } from './has-chosen-none.ts'
import { type LeftOut, leftOutIn } from './left-out.ts'
import { sameFamilyIn } from './same-family.ts'
import { newestEntry } from './seen-visits.ts'
import { outcomeOf, type Visit } from './visit.ts'
import type { VisitWorkers } from './visit-workers.ts'

/**
 * How much of what a playbook promises a run kept. `full`: everything. `reduced`: it did without something, or its result
 * is only partial. `minimal`: nobody judged its result, or the result is partial because something was lost. `failed`:
 * there is no result. A run whose result includes that of another run is never better than that one.
 */
export type DegradationLevel = (typeof LEVELS)[number]

/** Best first. */
const LEVELS = ['full', 'reduced', 'minimal', 'failed'] as const

export type Degradation = {
  readonly level: DegradationLevel
  readonly end: RunEnd
  /** The roles that worked on something, always in vain. Those of runs within it are named like `build/reviewer`. */
  readonly lostRoles: readonly string[]
  /** The stages that failed, or were left out, when they were last entered. */
  readonly skippedStages: readonly string[]
  /** Those of them that a person left out with a fork. */
  readonly omittedStages: readonly string[]
  /** The stages whose newest result isn't all that it should be: some branches failed, or a child run is partial. */
  readonly partialStages: readonly PartialStage[]
  /** What the stages left out of their lists. */
  readonly leftOut: readonly LeftOut[]
  /** The roles that judged a role of their own model family, as far as is known. */
  readonly sameFamily: readonly { readonly role: string; readonly unlike: string }[]
}

export type PartialStage = { readonly stage: string; readonly succeeded: number; readonly of: number }

type EndedRun = {
  readonly playbook: Pick<Playbook, 'roles' | 'stages'>
  readonly cast: Cast
  readonly visits: readonly Visit[]
  /** Who did them. Where that isn't known, the cast counts. */
  readonly workers?: VisitWorkers
  readonly end: RunEnd
  /** What the runs within it did without whose results it uses, by the stages that waited for them. */
  readonly within?: Readonly<Record<string, Degradation>>
}

export function degradationOf({
  playbook,
  cast,
  visits,
  workers = new Map(),
  end,
  within = {},
}: EndedRun): Degradation {
  const stages = Object.keys(playbook.stages)
  const inner = Object.entries(within).map(([stage, one]) => placedIn(stage, one))
  const lost = {
    lostRoles: [
      ...Object.keys(playbook.roles).filter((role) => isLost(triesOf(playbook, visits, role))),
      ...inner.flatMap(({ lostRoles }) => lostRoles),
    ],
    skippedStages: [
      ...stages.filter((stage) => isSkipped(playbook, newestEntry(visits, stage))),
      ...inner.flatMap(({ skippedStages }) => skippedStages),
    ],
  }
  const omittedStages = [
    ...stages.filter((stage) => lost.skippedStages.includes(stage) && isOmitted(newestEntry(visits, stage))),
    ...inner.flatMap((one) => one.omittedStages),
  ]
  const worse = {
    partialStages: [
      ...stages.flatMap((stage) => partsOf(playbook, stage, newestEntry(visits, stage))),
      ...inner.flatMap(({ partialStages }) => partialStages),
    ],
    leftOut: [...leftOutIn(playbook, visits), ...inner.flatMap(({ leftOut }) => leftOut)],
    sameFamily: [
      ...sameFamilyIn({ playbook, cast, visits, workers }),
      ...inner.flatMap(({ sameFamily }) => sameFamily),
    ],
  }
  const hasLost = Object.values(lost).some((names) => names.length > 0)
  const isWorse = Object.values(worse).some((list) => list.length > 0)
  const level = worstOf([levelOf(end, hasLost, isWorse), ...inner.map((one) => one.level)])
  return { level, end, ...lost, omittedStages, ...worse }
}

/** The stages of a run that follow another playbook, with the visit whose result counts: the newest, if it has one. */
export function followedIn(
  { stages }: Pick<Playbook, 'stages'>,
  visits: readonly Visit[],
): readonly { readonly stage: string; readonly visit: Visit }[] {
  return Object.keys(stages).flatMap((stage) => {
    const [visit] = stages[stage]?.type === 'playbook' ? newestEntry(visits, stage) : []
    return visit === undefined || isFailed(visit) ? [] : [{ stage, visit }]
  })
}

function placedIn(stage: string, within: Degradation): Degradation {
  const placed = (name: string) => `${stage}/${name}`
  return {
    ...within,
    lostRoles: within.lostRoles.map(placed),
    skippedStages: within.skippedStages.map(placed),
    omittedStages: within.omittedStages.map(placed),
    partialStages: within.partialStages.map((part) => ({ ...part, stage: placed(part.stage) })),
    leftOut: within.leftOut.map((left) => ({ ...left, stage: placed(left.stage) })),
    sameFamily: within.sameFamily.map(({ role, unlike }) => ({ role: placed(role), unlike: placed(unlike) })),
  }
}

function worstOf(levels: readonly DegradationLevel[]): DegradationLevel {
  return LEVELS.findLast((level) => levels.includes(level)) ?? 'full'
}

function levelOf(end: RunEnd, hasLost: boolean, isWorse: boolean): DegradationLevel {
  if (end === 'failed') return 'failed'
  if (end === 'unverified' || (end === 'partial' && hasLost)) return 'minimal'
  return end === 'partial' || hasLost || isWorse ? 'reduced' : 'full'
}

function visitsOf({ stages }: Pick<Playbook, 'stages'>, visits: readonly Visit[], role: string) {
  return visits.filter((visit) => {
    const stage = stages[visit.stage]
    return visit.state.type === 'settled' && stage?.type === 'role' && stage.role === role
  })
}

/** What a fork left out was not tried. */
function triesOf(playbook: Pick<Playbook, 'stages'>, visits: readonly Visit[], role: string) {
  return visitsOf(playbook, visits, role).filter((visit) => outcomeOf(visit) !== 'skipped')
}

function isLost(visits: readonly Visit[]): boolean {
  return visits.length > 0 && visits.every(isFailed)
}

/** Whether an agent or a child run has nothing to show. A stage that a person leaves out is `skipped`. */
function isFailed(visit: Visit): boolean {
  return isInVain(outcomeOf(visit)) && !hasChosenNone(visit)
}

function isSkipped({ stages }: Pick<Playbook, 'stages'>, entry: readonly Visit[]): boolean {
  const type = stages[entry[0]?.stage ?? '']?.type
  return (type === 'role' || type === 'playbook') && isLost(entry)
}

function isOmitted(entry: readonly Visit[]): boolean {
  return entry.every((visit) => outcomeOf(visit) === 'skipped')
}

function partsOf(
  { stages }: Pick<Playbook, 'stages'>,
  stage: string,
  entry: readonly Visit[],
): readonly PartialStage[] {
  const type = stages[stage]?.type
  if (type === 'playbook' && entry.some((visit) => outcomeOf(visit) === 'partial'))
    return [{ stage, succeeded: 0, of: 1 }]
  const succeeded = entry.filter((visit) => !isFailed(visit)).length
  const hasLost = type === 'role' && succeeded > 0 && succeeded < entry.length
  return hasLost ? [{ stage, succeeded, of: entry.length }] : []
}

/** In one line, for a merge commit: `partial; reduced (failed: documentation; same-family: reviewer)`. */
export function degradationLine(degradation: Degradation): string {
  const { level, end, lostRoles, omittedStages, partialStages, leftOut, sameFamily } = degradation
  const notes = [
    ['lost', lostRoles],
    ['failed', failedStages(degradation)],
    ['skipped', omittedStages],
    ['partial', partialStages.map(({ stage }) => stage)],
    ['left out', leftOut.map(({ stage, what, count, of }) => `${count} of ${of} ${what} of ${stage}`)],
    ['same-family', sameFamily.map(({ role }) => role)],
  ] as const
  const words = notes.flatMap(([word, names]) => (names.length === 0 ? [] : [`${word}: ${names.join(', ')}`]))
  const how = end === 'partial' || end === 'unverified' ? `${end}; ` : ''
  return words.length === 0 ? `${how}${level}` : `${how}${level} (${words.join('; ')})`
}

function failedStages({ skippedStages, omittedStages }: Degradation): readonly string[] {
  return skippedStages.filter((stage) => !omittedStages.includes(stage))
}

/** What a run did without, in sentences for a person; none if it did without nothing. */
export function describeDegradation(degradation: Degradation): readonly string[] {
  const { end, lostRoles, omittedStages, partialStages, leftOut, sameFamily } = degradation
  return [
    ...sentencesOfEnd(end),
    ...lostRoles.map((role) => `The role ${role} was lost: nothing that it tried succeeded.`),
    ...failedStages(degradation).map((stage) => `The stage ${stage} failed.`),
    ...omittedStages.map((stage) => `The stage ${stage} was skipped, because the fork left it out.`),
    ...partialStages.map(({ stage, succeeded, of }) =>
      of === 1
        ? `The result of the stage ${stage} is only partial.`
        : `Only ${succeeded} of ${of} branches of the stage ${stage} succeeded.`,
    ),
    ...leftOut.map(
      ({ stage, what, count, of }) =>
        `The stage ${stage} left out ${count} of ${of} ${what}: its playbook allows it only ${of - count}.`,
    ),
    ...sameFamily.map(
      ({ role, unlike }) =>
        `The ${role} isn't known to use another model family than the ${unlike}, so both may overlook the same mistakes.`,
    ),
  ]
}

function sentencesOfEnd(end: RunEnd): readonly string[] {
  switch (end) {
    case 'unverified':
      return ['Nobody approved the result.']
    case 'partial':
      return ["The result is partial: it doesn't cover everything in the goal."]
    case 'failed':
      return ['There is no result.']
    case 'land':
    case 'done':
      return []
  }
}
