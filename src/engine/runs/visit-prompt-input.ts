import { PROMPT_LIMITS } from '../../domain/limits/prompt-limits.ts'
import { hasFormat } from '../../domain/playbook/has-format.ts'
import type { Reference } from '../../domain/playbook/reference.ts'
import type { RoleStage } from '../../domain/playbook/stage.ts'
import { earlierVisitsOf, knownResults, newInNotebook } from '../../domain/run/known-to-role.ts'
import { type Notebook, notebookFor } from '../../domain/run/notebook.ts'
import { candidatesIn, commitOfRun, newestWork } from '../../domain/run/run-work.ts'
import { seenResults } from '../../domain/run/seen-results.ts'
import { type CheckAnswer, newestEntry } from '../../domain/run/seen-visits.ts'
import { outcomeOf, type Visit } from '../../domain/run/visit.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { PinnedPlaybook } from '../../ports/store/pinned-playbook-records.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import type { Candidate, Seen, SeenAnswer, SeenDiff } from '../prompts/seen-section.ts'
import type { VisitPromptInput } from '../prompts/visit-prompt.ts'
import type { AskedVisit } from './find-asked.ts'

type Needs = Pick<EngineNeeds, 'history' | 'settings'>

/**
 * Everything that the prompt of a visit is made of, from rows, commits and the pinned playbook alone. `kept`: its agent
 * remembers the earlier visits of its role, so only what is new to it is included. `again`: it remembers this visit.
 */
export async function visitPromptInput(
  needs: Needs,
  asked: AskedVisit,
  continued?: VisitPromptInput['continued'],
): Promise<VisitPromptInput> {
  const input = await wholeInput(needs, continued === 'kept' ? withoutKnown(asked) : asked)
  if (continued === undefined) return input
  if (continued === 'again') return { ...input, continued }
  const { goal: _, notebook: __, ...rest } = input
  const notebook = newNotebook(asked)
  const changed = notebook === undefined ? {} : { notebook }
  return { ...rest, ...changed, earlierRounds: [], continued }
}

function withoutKnown(asked: AskedVisit): AskedVisit {
  const known = knownResults(earlierOf(asked))
  const { visit } = asked
  const inputs = visit.inputs.filter((id) => !known.has(id))
  const sees = asked.stage.sees.filter(({ of }) => of !== 'inputs')
  return { ...asked, visit: { ...visit, inputs }, stage: { ...asked.stage, sees } }
}

function newNotebook({ pinned, visits, visit, stage }: AskedVisit): Notebook | undefined {
  const last = earlierVisitsOf(pinned.playbook, visits, visit, stage.role).at(-1)
  if (!pinned.playbook.hasNotebook || last === undefined) return undefined
  const now = notebookFor(pinned.playbook, visits, visit)
  return newInNotebook(now, notebookFor(pinned.playbook, visits, last))
}

function earlierOf({ pinned, visits, visit, stage }: AskedVisit): readonly Visit[] {
  return earlierVisitsOf(pinned.playbook, visits, visit, stage.role)
}

async function wholeInput(needs: Needs, asked: AskedVisit): Promise<VisitPromptInput> {
  const { run, visits, pinned, visit, stage, role, job, schema } = asked
  const candidates = isJudge(stage) ? await candidatesOf(needs, asked) : []
  const scope = stage.scope === undefined ? undefined : answersFor(asked, stage.scope)[0]
  return withoutUndefined({
    playbook: run.playbook.name,
    stage: visit.stage,
    round: visit.round,
    role: stage.role,
    mode: role.mode,
    rolePrompt: rolePromptOf(pinned.files, stage.prompt ?? role.prompt),
    asks: stage.asks,
    others: othersFor(asked),
    branch: role.mode === 'write' ? job.workingBranch : undefined,
    goal: stage.sees.some(({ of }) => of === 'goal') ? run.goal : undefined,
    item: visit.item,
    notebook: pinned.playbook.hasNotebook ? notebookFor(pinned.playbook, visits, visit) : undefined,
    sees: await seenOf(needs, asked),
    candidates,
    earlierRounds: seesEarlierRounds(stage) ? earlierAnswers(visits, visit) : [],
    keeps: stage.keeps === undefined ? [] : keptFiles(visits, stage.keeps),
    scope,
    beyondScope: hasFormat(stage.output, 'review') ? beyondScopeOf(asked) : [],
    output: stage.output,
    schema,
    problem: visit.problem,
    boundary: needs.settings.makeBoundary(),
  })
}

function rolePromptOf(files: PinnedPlaybook['files'], name: string): string {
  return files[name] ?? files[`${name}.md`] ?? ''
}

/** A program can read messages, a plain model can't. Work that is compared with others should speak for itself. */
function othersFor({ pinned, stage }: AskedVisit): readonly string[] {
  if (stage.fanOut !== undefined) return []
  return Object.entries(pinned.playbook.roles).flatMap(([name, { mode }]) =>
    name === stage.role || mode === 'model' ? [] : [name],
  )
}

/** The files that a stage's newest work changed, which a later one must leave alone. */
export function keptFiles(visits: readonly Visit[], stage: string): readonly string[] {
  return newestEntry(visits, stage).flatMap(({ work }) => work?.files ?? [])
}

/** What the work under review changes although its scope doesn't mention it. */
function beyondScopeOf({ pinned, visits }: AskedVisit): readonly string[] {
  return newestWork(pinned.playbook, visits)?.by.work?.beyondScope ?? []
}

function isJudge({ output }: RoleStage): boolean {
  return hasFormat(output, 'choice')
}

/**
 * Whoever answers anew improves on the last answer. A change is in the tree, and the branches of a fan-out work without
 * knowing of each other.
 */
function seesEarlierRounds({ output, fanOut }: RoleStage): boolean {
  return hasFormat(output, 'review') || (!hasFormat(output, 'change') && fanOut === undefined)
}

function earlierAnswers(visits: readonly Visit[], { stage, ordinal }: Visit): readonly unknown[] {
  return visits.flatMap((one) =>
    one.stage === stage && one.ordinal < ordinal && one.answer !== undefined ? [one.answer] : [],
  )
}

async function seenOf(needs: Needs, asked: AskedVisit): Promise<readonly Seen[]> {
  const seen: Seen[] = []
  for (const reference of asked.stage.sees) seen.push(...(await seenFor(needs, asked, reference)))
  return seen
}

async function seenFor(needs: Needs, asked: AskedVisit, reference: Reference): Promise<readonly Seen[]> {
  const { pinned, visits, visit, stage } = asked
  const { of, field } = reference
  if (of === 'goal') return []
  if (of === 'inputs') return inputFor(asked, field)
  if (of === 'diff') {
    const commit = commitOfRun(pinned.playbook, asked.run, visits)
    return commit === undefined ? [] : [{ type: 'diff', diff: await diffOf(needs, asked, commit) }]
  }
  if (pinned.playbook.stages[of]?.type === 'checks') {
    return seenResults(visits, visit, reference).map(({ visit: check }) => ({
      type: 'checks',
      stage: of,
      hasPassed: outcomeOf(check) === 'pass',
      output: ((check.answer ?? { output: '' }) as CheckAnswer).output,
    }))
  }
  const isCompared = isJudge(stage) && seenResults(visits, visit, reference).length > 1
  return isCompared ? [] : answersFor(asked, reference)
}

function inputFor({ run }: AskedVisit, name: string | undefined): readonly Seen[] {
  const value = name === undefined ? undefined : run.inputs[name]
  return name === undefined || value === undefined ? [] : [{ type: 'input', name, value }]
}

function answersFor({ visits, visit }: AskedVisit, reference: Reference): readonly SeenAnswer[] {
  return seenResults(visits, visit, reference).map(({ value, place }) => ({
    type: 'answer',
    stage: reference.of,
    answer: value,
    ...withoutUndefined({ field: reference.field, place }),
  }))
}

async function candidatesOf(needs: Needs, asked: AskedVisit): Promise<readonly Candidate[]> {
  const { visits, visit } = asked
  const shown: Candidate[] = []
  for (const id of candidatesIn(visit.inputs, visits)) {
    const candidate = visits.find((one) => one.id === id)
    if (candidate?.commit === undefined) shown.push({ type: 'answer', answer: candidate?.answer })
    else shown.push({ type: 'change', diff: await diffOf(needs, asked, candidate.commit) })
  }
  return shown
}

async function diffOf({ history }: Needs, { job, run }: AskedVisit, commit: string): Promise<SeenDiff> {
  const diff = await history.diff(job.projectId, run.baseCommit, commit, PROMPT_LIMITS.visit.patchBytes)
  if (!diff.ok) throw new Error(`the work could not be compared: ${describeFailure(diff.failure)}`)
  return diff.value
}
