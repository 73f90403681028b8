import { hasFormat } from './has-format.ts'
import type { Playbook } from './playbook.ts'
import type { PlaybookProblem } from './playbook-problem.ts'
import { edgesOf, reachableFrom } from './stage-graph.ts'

/**
 * Stages that make a change from the tip of the branch and are entered again after they have made one: what they made
 * the first time isn't there the second time. A try that failed has made nothing, so it may be repeated.
 */
export function findLostWork(playbook: Playbook): readonly PlaybookProblem[] {
  const edges = edgesOf(playbook)
  return Object.entries(playbook.stages).flatMap(([name, stage]) => {
    if (stage.type !== 'role' || !hasFormat(stage.output, 'change') || stage.from.type !== 'head') return []
    const afterWork = edges.filter(({ from, path }) => from === name && !isWithoutWork(path))
    const again = reachableFrom(
      edges,
      afterWork.map(({ to }) => to),
    )
    if (!again.has(name)) return []
    const problem =
      'a loop leads back to this stage, which then starts without its earlier work; lead it to a stage with "from: work"'
    return [{ path: ['stages', name, 'from'], problem }]
  })
}

function isWithoutWork([, outcome]: readonly (string | number)[]): boolean {
  return outcome === 'failed' || outcome === 'none'
}
