import type { RunId, VisitId } from '../../src/domain/id.ts'
import { hasFormat } from '../../src/domain/playbook/has-format.ts'
import { outcomesOf } from '../../src/domain/playbook/outcomes-of.ts'
import type { Playbook } from '../../src/domain/playbook/playbook.ts'
import { describeTarget, type Target } from '../../src/domain/playbook/route.ts'
import type { Stage } from '../../src/domain/playbook/stage.ts'
import { entryOutcome } from '../../src/domain/run/entry-outcome.ts'
import { nextRunStep, type VisitDraft } from '../../src/domain/run/next-run-step.ts'
import type { Counters } from '../../src/domain/run/route-visit.ts'
import type { RunInputs } from '../../src/domain/run/run.ts'
import { isVisitOpen, type Visit } from '../../src/domain/run/visit.ts'
import { answerFor, outcomeFor, wordsFor } from './stage-words.ts'

/** `check.fail -> revise`, or `check.fail (exhausted) -> end.partial`. */
export type Edge = string

/** How each entry into a stage is to end, in the order of the run. */
export type Script = readonly string[]

/** A whole run, from its start to an end. */
export type Path = { readonly inputs: RunInputs; readonly script: Script; readonly edges: readonly Edge[] }

/** Every edge that a playbook has. A limited route has two. */
export function edgesOf({ stages }: Playbook): readonly Edge[] {
  return Object.entries(stages).flatMap(([name, stage]) => {
    if (stage.type === 'choose') {
      const cases = stage.cases.map(({ to }, index) => edge(name, String(index), to))
      return [...cases, edge(name, 'else', stage.otherwise)]
    }
    return outcomesOf(stage).flatMap((outcome) => {
      const route = stage.on[outcome]
      if (route === undefined) throw new Error(`${name} has no route for ${outcome}`)
      const taken = edge(name, outcome, route.to)
      return route.type === 'limited' ? [taken, edge(name, `${outcome} (exhausted)`, route.beyond)] : [taken]
    })
  })
}

function edge(stage: string, outcome: string, to: Target): Edge {
  return `${stage}.${outcome} -> ${describeTarget(to)}`
}

/** The edges that a run took, read from its visits and its end. */
export function edgesIn(
  { stages }: Pick<Playbook, 'stages'>,
  visits: readonly Visit[],
  end: string | undefined,
): readonly Edge[] {
  const taken: Record<string, number> = {}
  const ordinals = [...new Set(visits.map(({ ordinal }) => ordinal))].toSorted((one, two) => one - two)
  return ordinals.flatMap((ordinal) => {
    const entry = visits.filter((visit) => visit.ordinal === ordinal)
    const [name = ''] = entry.map(({ stage }) => stage)
    const stage = stages[name]
    const outcome = stage === undefined ? undefined : entryOutcome(stage, entry)
    if (stage === undefined || outcome === undefined) return []
    const route = `${name}.${outcome}`
    const times = taken[route] ?? 0
    taken[route] = times + 1
    const next = visits.find((visit) => visit.ordinal === ordinal + 1)?.stage ?? `end.${end}`
    return [`${route}${isExhausted(stage, outcome, times) ? ' (exhausted)' : ''} -> ${next}`]
  })
}

function isExhausted(stage: Stage, outcome: string, times: number): boolean {
  const route = stage.type === 'choose' ? undefined : stage.on[outcome]
  return route?.type === 'limited' && times >= route.max
}

/** Few and short paths that take every edge. Those to the edges that are farthest away come first. */
export function choosePaths(playbook: Playbook): readonly Path[] {
  const chosen: Path[] = []
  const taken = new Set<Edge>()
  const farthest = [...findPaths(playbook)].toSorted(([, a], [, b]) => b.script.length - a.script.length)
  for (const [target, found] of farthest) {
    if (taken.has(target)) continue
    chosen.push(found)
    for (const one of found.edges) taken.add(one)
  }
  return chosen
}

/** A run that was played by a script so far, with the pure functions alone. */
type Play = {
  readonly inputs: RunInputs
  readonly script: Script
  readonly visits: readonly Visit[]
  readonly counters: Counters
  readonly end?: string
}

/** The shortest whole path to each edge, for any choice of the inputs. */
function findPaths(playbook: Playbook): ReadonlyMap<Edge, Path> {
  const all = edgesOf(playbook).length
  const found = new Map<Edge, Path>()
  const seen = new Set<string>()
  let plays = inputsOf(playbook).map((inputs) => begin(playbook, inputs))
  while (plays.length > 0 && found.size < all) {
    plays = plays.flatMap((play) => {
      for (const one of edgesIn(playbook, play.visits, play.end)) {
        if (!found.has(one)) found.set(one, finish(playbook, play))
      }
      const key = keyOf(playbook, play)
      if (seen.has(key)) return []
      seen.add(key)
      return wordsAfter(playbook, play).map((word) => continued(playbook, play, word))
    })
  }
  return found
}

/** Continues a run to its end, by the first word of every stage. */
function finish(playbook: Playbook, play: Play): Path {
  const [word] = wordsAfter(playbook, play)
  if (word !== undefined) return finish(playbook, continued(playbook, play, word))
  const { inputs, script, visits, end } = play
  return { inputs, script, edges: edgesIn(playbook, visits, end) }
}

/** Every combination of the inputs that are choices. */
function inputsOf({ inputs }: Playbook): readonly RunInputs[] {
  return Object.entries(inputs).reduce<readonly RunInputs[]>(
    (all, [name, input]) => {
      const values = input.type === 'choice' ? input.of : [input.default].filter((one) => one !== undefined)
      return values.length === 0
        ? all
        : all.flatMap((one) => values.map((value) => ({ ...one, [name]: value })))
    },
    [{}],
  )
}

function begin(playbook: Playbook, inputs: RunInputs): Play {
  return advanced(playbook, { inputs, script: [], visits: [], counters: {} })
}

/** Ends the entry that is open as a word says. */
function continued(playbook: Playbook, play: Play, word: string): Play {
  const visits = play.visits.map((visit) => ended(playbook, play.visits, visit, word))
  return advanced(playbook, { ...play, script: [...play.script, word], visits })
}

function advanced(playbook: Playbook, play: Play): Play {
  const facts = { goal: 'write a line', state: { type: 'running' } as const }
  const step = nextRunStep(playbook, { ...facts, ...play }, (ids) => ids)
  if (step.type === 'wait') throw new Error(`${playbook.name} waits after ${play.script.join(', ')}`)
  const { visits } = play
  const drafted = step.drafts.map((draft, index) => visitOf(draft, visits.length + index))
  const { counters, end } = step
  return { ...play, visits: [...visits, ...drafted], counters, ...(end === undefined ? {} : { end }) }
}

/** How the entry that is open can end; nothing if the run has ended. */
function wordsAfter({ stages }: Playbook, { visits }: Play): readonly string[] {
  const open = visits.find(isVisitOpen)
  const stage = open === undefined ? undefined : stages[open.stage]
  return stage === undefined ? [] : wordsFor(stage)
}

/** Two runs with the same key can continue in the same ways. */
function keyOf({ stages }: Playbook, { inputs, counters, visits }: Play): string {
  const newest = Object.keys(stages).map((stage) => {
    const visit = visits.findLast((one) => one.stage === stage && !isVisitOpen(one))
    return [visit?.state, visit?.answer]
  })
  return JSON.stringify([inputs, counters, visits.find(isVisitOpen)?.stage, newest])
}

function visitOf({ outcome, ...draft }: VisitDraft, index: number): Visit {
  return {
    ...draft,
    id: `vis_${index + 1}` as VisitId,
    runId: 'run_1' as RunId,
    state: outcome === undefined ? { type: 'waiting' } : { type: 'settled', outcome },
    tries: 0,
    recoveries: {},
    replaced: [],
    troubles: [],
    version: 1,
    createdAt: new Date(0),
  }
}

/** Ends a visit as a word says, if it is open. */
function ended(playbook: Playbook, visits: readonly Visit[], visit: Visit, word: string): Visit {
  const stage = playbook.stages[visit.stage]
  if (!isVisitOpen(visit) || stage === undefined) return visit
  const state = { type: 'settled', outcome: outcomeFor(stage, visit, word) } as const
  if (stage.type !== 'role') {
    const checked = visits.find(({ id }) => visit.inputs.includes(id))
    return { ...visit, state, commit: checked?.commit ?? 'work' }
  }
  const made = hasFormat(stage.output, 'change') ? { commit: visit.id } : {}
  return { ...visit, ...made, state, answer: answerFor(playbook, stage, word) }
}
