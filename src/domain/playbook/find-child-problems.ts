import { RUN_LIMITS } from '../limits/run-limits.ts'
import type { Playbook } from './playbook.ts'
import { type PlaybookProblem, unknownName } from './playbook-problem.ts'
import type { ChildStage } from './stage.ts'

/** The playbooks that stages name, and those that theirs name. */
export type ReachedPlaybooks = {
  readonly found: ReadonlyMap<string, Playbook>
  /** Those that were found and have faults. */
  readonly invalid: readonly string[]
  /** All names that there are. */
  readonly known: readonly string[]
}

/** The names of the playbooks that a playbook's stages follow. */
export function childNames({ stages }: Pick<Playbook, 'stages'>): readonly string[] {
  const names = Object.values(stages).flatMap((stage) => (stage.type === 'playbook' ? [stage.playbook] : []))
  return [...new Set(names)]
}

/**
 * What is wrong with the stages that follow other playbooks, once those have been read: missing and invalid playbooks,
 * playbooks that contain themselves, and inputs that don't fit.
 */
export function findChildProblems(playbook: Playbook, reached: ReachedPlaybooks): readonly PlaybookProblem[] {
  return Object.entries(playbook.stages).flatMap(([name, stage]) => {
    if (stage.type !== 'playbook') return []
    const problems = problemsOfStage(playbook, stage, reached)
    return problems.map(({ path, problem }) => ({ path: ['stages', name, ...path], problem }))
  })
}

function problemsOfStage(
  playbook: Playbook,
  stage: ChildStage,
  reached: ReachedPlaybooks,
): readonly PlaybookProblem[] {
  const way = whyEndless(reached, stage.playbook, [playbook.name])
  if (way !== undefined) return [{ path: ['playbook'], problem: way }]
  const child = reached.found.get(stage.playbook)
  if (child === undefined) return [{ path: ['playbook'], problem: whyMissing(reached, stage.playbook) }]
  const own = problemsOfInputs(stage, child)
  if (own.length > 0 || isSound(child, reached)) return own
  return [{ path: ['playbook'], problem: hasFaults(stage.playbook) }]
}

function whyMissing({ invalid, known }: ReachedPlaybooks, name: string): string {
  return invalid.includes(name) ? hasFaults(name) : unknownName('playbook', name, known)
}

function hasFaults(name: string): string {
  return `the playbook "${name}" has faults; muster playbooks validate ${name} prints them`
}

/** Whether nothing is wrong with what a playbook follows, at any depth. It contains no loop here. */
function isSound(playbook: Playbook, reached: ReachedPlaybooks): boolean {
  return findChildProblems(playbook, reached).length === 0
}

/** Why following a playbook would never end, or go too deep. `way`: the playbooks that lead to it. */
function whyEndless(reached: ReachedPlaybooks, name: string, way: readonly string[]): string | undefined {
  const start = way.indexOf(name)
  if (start >= 0) {
    const loop = [...way.slice(start), name].join(', ')
    return start === 0 ? `it leads back to this playbook: ${loop}` : `it contains itself: ${loop}`
  }
  if (way.length >= RUN_LIMITS.depth) {
    return `playbooks may follow each other at most ${RUN_LIMITS.depth} levels deep: ${[...way, name].join(', ')}`
  }
  const child = reached.found.get(name)
  for (const next of child === undefined ? [] : childNames(child)) {
    const why = whyEndless(reached, next, [...way, name])
    if (why !== undefined) return why
  }
  return undefined
}

/** A child gets the goal without being asked; every other required input has to be given. */
function problemsOfInputs(stage: ChildStage, { name, inputs }: Playbook): readonly PlaybookProblem[] {
  const known = ['goal', ...Object.keys(inputs).filter((input) => input !== 'goal')]
  const unknown = Object.keys(stage.inputs).filter((input) => !known.includes(input))
  const missing = Object.entries(inputs).filter(
    ([input, { isRequired, default: usual }]) =>
      input !== 'goal' && isRequired && usual === undefined && !Object.hasOwn(stage.inputs, input),
  )
  return [
    ...unknown.map((input) => ({
      path: ['inputs', input],
      problem: unknownName(`input of "${name}"`, input, known),
    })),
    ...missing.map(([input]) => ({
      path: ['playbook'],
      problem: `the playbook "${name}" requires the input "${input}"`,
    })),
  ]
}
