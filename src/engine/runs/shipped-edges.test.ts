import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  choosePaths,
  type Edge,
  edgesIn,
  edgesOf,
  type Script,
} from '../../../test/support/playbook-edges.ts'
import { openRunPlay, type Player, type RunPlay } from '../../../test/support/played-run.ts'
import { answerFor, outcomeFor } from '../../../test/support/stage-words.ts'
import { take } from '../../../test/support/take.ts'
import { createFolderPlaybooks } from '../../adapters/playbooks/folder/folder-playbooks.ts'
import { SHIPPED } from '../../adapters/playbooks/folder/testing/broken-playbook.ts'
import type { Playbook } from '../../domain/playbook/playbook.ts'
import type { Run } from '../../domain/run/run.ts'

// Runs that take every edge of every shipped playbook through the real engine: real rows, commits and trees. Only the
// agents, the checks and the person are played. The paths are planned with the pure functions, but where an edge must
// lead comes from the playbook itself.

const NAMES = ['architecture', 'best-of', 'development', 'research', 'review', 'reviewed', 'solo', 'tdd']

describe('every edge of a shipped playbook leads where the playbook says', () => {
  let trial: RunPlay
  beforeAll(async () => {
    trial = await openRunPlay()
  })
  afterAll(() => trial[Symbol.asyncDispose]())

  it.each(NAMES)(
    '%s',
    async (name) => {
      const folder = take(await createFolderPlaybooks({ shipped: SHIPPED }).read(path.join(SHIPPED, name)))
      const { playbook } = folder
      const taken = new Set<Edge>()
      for (const { inputs, script, edges } of choosePaths(playbook)) {
        const started = await trial.start(folder, inputs)
        const { run, visits } = await started.play(playerOf(playbook, script))
        const played = edgesIn(playbook, visits, endOf(run))
        expect(played).toEqual(edges)
        for (const edge of played) taken.add(edge)
      }
      expect([...taken].toSorted()).toEqual(edgesOf(playbook).toSorted())
    },
    300_000,
  )
})

function endOf({ state }: Run): string {
  return 'end' in state ? state.end : state.type
}

/** Plays a run by a script: one word for each entry that needs somebody. */
function playerOf(playbook: Playbook, script: Script): Player {
  const entered: number[] = []
  return (visit, stage) => {
    if (!entered.includes(visit.ordinal)) entered.push(visit.ordinal)
    const word = script[entered.indexOf(visit.ordinal)]
    if (word === undefined) throw new Error(`the script has no word for ${visit.stage}, round ${visit.round}`)
    const outcome = outcomeFor(stage, visit, word)
    return stage.type === 'role' ? { outcome, answer: answerFor(playbook, stage, word) } : { outcome }
  }
}
