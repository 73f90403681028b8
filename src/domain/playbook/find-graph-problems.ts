import { groupBy } from '../group-by.ts'
import { hasFormat } from './has-format.ts'
import type { Playbook } from './playbook.ts'
import type { PlaybookProblem } from './playbook-problem.ts'
import { routeOf } from './route.ts'
import type { GateStage, Stage } from './stage.ts'
import { type Edge, edgesOf, isAlwaysBefore, reachableFrom } from './stage-graph.ts'

/** Stages that no run can reach, loops without a limit, and gates whose rework is not checked again. */
export function findGraphProblems(playbook: Playbook): readonly PlaybookProblem[] {
  const edges = edgesOf(playbook)
  return [
    ...findUnreachable(playbook, edges),
    ...findEndlessLoops(playbook, edges),
    ...Object.entries(playbook.stages).flatMap(([name, stage]) =>
      stage.type === 'gate' ? findUncheckedRework(playbook, edges, name, stage) : [],
    ),
  ]
}

function findUnreachable(playbook: Playbook, edges: readonly Edge[]): readonly PlaybookProblem[] {
  const reached = reachableFrom(edges, [playbook.start])
  return Object.keys(playbook.stages)
    .filter((name) => !reached.has(name))
    .map((name) => ({
      path: ['stages', name],
      problem: 'no route leads to this stage; add one, or remove the stage',
    }))
}

/** A loop needs a limited route somewhere. The report names every route that leads back and so closes a loop. */
function findEndlessLoops(playbook: Playbook, edges: readonly Edge[]): readonly PlaybookProblem[] {
  const free = edges.filter(({ isLimited }) => !isLimited)
  const starts = [playbook.start, ...Object.keys(playbook.stages)]
  return edgesBack(free, starts).map((edge) => {
    const shown = [...shortestWay(free, edge.to, edge.from), edge.to].join(' -> ')
    return {
      path: ['stages', edge.from, ...edge.path],
      problem: `the loop ${shown} never has to end; write one of its routes as { next, max, then }`,
    }
  })
}

/** The edges that lead to a stage they come from. Without them, there would be no loop. */
function edgesBack(edges: readonly Edge[], starts: readonly string[]): readonly Edge[] {
  const exits = groupBy(edges, ({ from }) => from)
  const back: Edge[] = []
  const open = new Set<string>()
  const done = new Set<string>()
  const visit = (stage: string) => {
    open.add(stage)
    for (const edge of exits.get(stage) ?? []) {
      if (open.has(edge.to)) back.push(edge)
      else if (!done.has(edge.to)) visit(edge.to)
    }
    open.delete(stage)
    done.add(stage)
  }
  for (const start of starts) if (!done.has(start)) visit(start)
  return back
}

/** The stages from one to another, both included, on a way with the fewest edges. */
function shortestWay(edges: readonly Edge[], start: string, goal: string): readonly string[] {
  const ways: string[][] = [[start]]
  const seen = new Set([start])
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    const last = way.at(-1)
    if (last === goal) return way
    for (const { from, to } of edges) {
      if (from !== last || seen.has(to)) continue
      seen.add(to)
      ways.push([...way, to])
    }
  }
  return []
}

/** What was denied and reworked must pass every check and review again that it had to pass before the gate. */
function findUncheckedRework(
  playbook: Playbook,
  edges: readonly Edge[],
  name: string,
  { on }: GateStage,
): readonly PlaybookProblem[] {
  const denied = routeOf(on, 'denied')
  if (denied === undefined) return []
  const targets = [denied.to, ...(denied.type === 'limited' ? [denied.beyond] : [])]
  const starts = targets.flatMap((target) => (target.type === 'stage' ? [target.stage] : []))
  return Object.entries(playbook.stages)
    .filter(([judge, stage]) => isJudge(stage) && isAlwaysBefore(playbook, edges, judge, name))
    .filter(([judge]) => reachableFrom(edges, starts, [judge]).has(name))
    .map(([judge]) => ({
      path: ['stages', name, 'on', 'denied'],
      problem: `what is reworked after a denial comes back to this gate without passing "${judge}" again`,
    }))
}

function isJudge(stage: Stage): boolean {
  return stage.type === 'checks' || (stage.type === 'role' && hasFormat(stage.output, 'review'))
}
