import type { VisitId } from '../id.ts'
import { hasFormat } from '../playbook/has-format.ts'
import type { OutputFormat } from '../playbook/output-format.ts'
import type { Playbook } from '../playbook/playbook.ts'
import type { RoleStage } from '../playbook/stage.ts'
import { isVerdict, type VerdictWord } from '../review/verdict.ts'
import { hasChosenNone } from './has-chosen-none.ts'
import { candidatesIn, newestWork } from './run-work.ts'
import { outcomeOf, type Visit } from './visit.ts'
import { choiceOf, commentOf, listIn, textIn, textsIn } from './visit-answer.ts'
import { visitLabel } from './visit-label.ts'

type Stages = Pick<Playbook, 'stages'>

/** Where a result comes from. Its ID is that of its visit, and its number in it. */
export type ResultOrigin = {
  readonly id: string
  readonly visitId: VisitId
  readonly stage: string
  readonly round: number
  readonly role: string
  readonly createdAt: Date
}

export type Finding = ResultOrigin & {
  readonly claim: string
  readonly confidence: string
  readonly sources: readonly string[]
  readonly contradictingEvidence?: string
  readonly methodology?: string
  /** The role whose review approved it, and when. */
  readonly verifiedBy?: string
  readonly verifiedAt?: Date
}

export type ReviewStatus = 'pending' | Lowercase<VerdictWord>

export type Artifact = ResultOrigin & {
  readonly artifactType: string
  readonly files: readonly string[]
  readonly summary: string
  /** Counts the versions of this type in the run, and in its branch if there are several, from 1. */
  readonly version: number
  readonly reviewStatus: ReviewStatus
  readonly commit?: string
}

export type Decision = ResultOrigin & {
  readonly decision: string
  readonly rationale?: string
  readonly alternatives: readonly Alternative[]
}

export type Alternative = {
  readonly name: string
  readonly pros: readonly string[]
  readonly cons: readonly string[]
}

/** What the run has found out, oldest first. */
export function findingsOf(playbook: Stages, visits: readonly Visit[]): readonly Finding[] {
  return acceptedIn(playbook, visits, 'findings').flatMap(({ stage, visit }) => {
    const approval = reviewsOf(playbook, visits, visit).findLast(({ status }) => status === 'approved')
    return listIn(visit.answer, 'findings').map((finding, index) => ({
      ...originOf(stage, visit, index),
      claim: textIn(finding, 'claim') ?? '',
      confidence: textIn(finding, 'confidence') ?? '',
      sources: textsIn(finding, 'sources'),
      ...optional('contradictingEvidence', textIn(finding, 'contradictingEvidence')?.trim() || undefined),
      ...optional('methodology', textIn(finding, 'methodology') ?? textIn(visit.answer, 'methodology')),
      ...(approval === undefined ? {} : { verifiedBy: approval.role, verifiedAt: approval.at }),
    }))
  })
}

/** What the run has made, oldest first: changes and documents, each with the verdict of its newest review. */
export function artifactsOf(playbook: Stages, visits: readonly Visit[]): readonly Artifact[] {
  const versions = new Map<string, number>()
  const changes = acceptedIn(playbook, visits, 'change').filter(({ visit }) => visit.commit !== undefined)
  return [...changes, ...acceptedIn(playbook, visits, 'document')]
    .toSorted((one, two) => one.visit.ordinal - two.visit.ordinal || one.visit.branch - two.visit.branch)
    .map(({ stage, visit }) => {
      const isDocument = hasFormat(stage.output, 'document')
      const artifactType = isDocument ? 'documentation' : (textIn(visit.answer, 'artifactType') ?? 'code')
      const line = `${artifactType} ${isDocument ? visit.stage : ''} ${visit.branch}`
      const version = (versions.get(line) ?? 0) + 1
      versions.set(line, version)
      return {
        ...originOf(stage, visit),
        artifactType,
        files: visit.work?.files ?? textsIn(visit.answer, 'files'),
        summary: textIn(visit.answer, isDocument ? 'title' : 'summary') ?? '',
        version,
        reviewStatus: reviewsOf(playbook, visits, visit).at(-1)?.status ?? 'pending',
        ...optional('commit', visit.commit),
      }
    })
}

/** What was decided, oldest first: designs, the choices of judges, and what a person said at a gate. */
export function decisionsOf(playbook: Stages, visits: readonly Visit[]): readonly Decision[] {
  return visits.flatMap((visit) => {
    const stage = playbook.stages[visit.stage]
    if (stage?.type === 'gate') return gateDecision(visit, stage.ask)
    return stage?.type === 'role' ? roleDecision(playbook, stage, visit, visits) : []
  })
}

function roleDecision(
  playbook: Stages,
  stage: RoleStage,
  visit: Visit,
  visits: readonly Visit[],
): readonly Decision[] {
  if (outcomeOf(visit) !== 'done' && !hasChosenNone(visit)) return []
  if (hasFormat(stage.output, 'choice')) return [choiceDecision(stage, visit, visits)]
  // A judge decides later between the proposals of several branches.
  if (!hasFormat(stage.output, 'design') || visit.branch > 0) return []
  return [designDecision(stage, visit, reviewsOf(playbook, visits, visit))]
}

function designDecision(stage: RoleStage, visit: Visit, reviews: readonly Review[]): Decision {
  const approval = reviews.findLast(({ status }) => status === 'approved')
  return {
    ...originOf(stage, visit),
    decision: textIn(visit.answer, 'approach') ?? '',
    ...optional('rationale', approval?.summary),
    alternatives: listIn(visit.answer, 'alternatives').map(alternativeIn),
  }
}

function gateDecision(visit: Visit, ask: string): readonly Decision[] {
  const outcome = outcomeOf(visit)
  if (outcome !== 'allowed' && outcome !== 'denied') return []
  const comment = commentOf(visit.answer)
  return [
    {
      ...originOf({ role: 'person' }, visit),
      decision: `${ask} ${outcome}`,
      ...optional('rationale', comment === '' ? undefined : comment),
      alternatives: [],
    },
  ]
}

function choiceDecision(stage: RoleStage, visit: Visit, visits: readonly Visit[]): Decision {
  const shown = candidatesIn(visit.inputs, visits).map((id) => visits.find((one) => one.id === id))
  const number = choiceOf(visit.answer)
  const names = shown.map((one, index) => `candidate ${index + 1} ${candidateWords(one, visits)}`.trimEnd())
  return {
    ...originOf(stage, visit),
    decision: names[number - 1] ?? (number === 0 ? 'none of the candidates' : `candidate ${number}`),
    ...optional('rationale', textIn(visit.answer, 'reason')),
    alternatives: names.flatMap((name, index) =>
      index === number - 1 ? [] : [{ name, pros: [], cons: [] }],
    ),
  }
}

/** The branch that made a candidate, and what it says of it. A branch of checks has the work of another visit. */
function candidateWords(candidate: Visit | undefined, visits: readonly Visit[]): string {
  if (candidate === undefined) return ''
  const made = visits.find(({ id, commit }) => candidate.inputs.includes(id) && commit === candidate.commit)
  const maker = made?.commit === undefined ? candidate : made
  const words = textIn(maker.answer, 'summary') ?? textIn(maker.answer, 'approach')?.slice(0, 200) ?? ''
  return `(${visitLabel(maker)})${words === '' ? '' : `: ${words}`}`
}

type Review = {
  readonly status: ReviewStatus
  readonly role: string
  readonly summary?: string
  readonly at: Date
}

/** The reviews of what a visit made, oldest first. */
function reviewsOf(playbook: Stages, visits: readonly Visit[], made: Visit): readonly Review[] {
  return visits.flatMap((visit) => {
    const stage = playbook.stages[visit.stage]
    const outcome = outcomeOf(visit)
    if (stage?.type !== 'role' || !isVerdict(outcome) || visit.ordinal <= made.ordinal) return []
    const seesWork = stage.sees.some(({ of }) => of === 'diff')
    const earlier = visits.filter(({ ordinal }) => ordinal < visit.ordinal)
    // Who sees the work judges the work, and not the documents that are shown with it.
    const isJudged = seesWork
      ? newestWork(playbook, earlier)?.by.id === made.id
      : visit.inputs.includes(made.id)
    if (!isJudged) return []
    const at = visit.endedAt ?? visit.createdAt
    const status = outcome.toLowerCase() as Lowercase<VerdictWord>
    return [{ status, role: stage.role, at, ...optional('summary', textIn(visit.answer, 'summary')) }]
  })
}

function acceptedIn({ stages }: Stages, visits: readonly Visit[], format: OutputFormat) {
  return visits.flatMap((visit) => {
    const stage = stages[visit.stage]
    const isAccepted = stage?.type === 'role' && hasFormat(stage.output, format)
    return isAccepted && outcomeOf(visit) === 'done' ? [{ stage, visit }] : []
  })
}

function originOf({ role }: Pick<RoleStage, 'role'>, visit: Visit, index?: number): ResultOrigin {
  const { id: visitId, stage, round, endedAt, createdAt } = visit
  const id = index === undefined ? visitId : `${visitId}.${index + 1}`
  return { id, visitId, stage, round, role, createdAt: endedAt ?? createdAt }
}

function alternativeIn(value: unknown): Alternative {
  return { name: textIn(value, 'name') ?? '', pros: textsIn(value, 'pros'), cons: textsIn(value, 'cons') }
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value }
}
