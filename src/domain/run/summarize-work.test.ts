import { beforeAll, describe, expect, it } from 'vitest'
import { exampleVisit } from '../../../test/support/example-records.ts'
import { playbooks, readShipped } from '../../../test/support/run-play.ts'
import type { Playbook } from '../playbook/playbook.ts'
import { summarizeWork } from './summarize-work.ts'
import type { Visit } from './visit.ts'

beforeAll(readShipped)

const changes = { files: 1, added: 1, removed: 0, unusual: [] }
const work = { files: ['work.txt'], commits: [], changes, omissions: [] }

const made = (ordinal: number, stage: string, summary: string, more: Partial<Visit> = {}): Visit =>
  exampleVisit({ ordinal, stage, commit: `c${ordinal}`, work, answer: { summary }, ...more })

function summarize(name: string, visits: readonly Visit[], by = visits.at(-1)): string | undefined {
  if (by === undefined) throw new Error('nothing was made')
  return summarizeWork(playbooks.get(name) as Playbook, visits, { by })
}

describe('the summary of the work of a run', () => {
  it('is what was made, and then what was changed about it', () => {
    const visits = [
      made(1, 'implementation', 'Adds div(a, b).'),
      exampleVisit({ ordinal: 2, stage: 'code_review', answer: { summary: 'no guard' } }),
      made(3, 'code_revision', 'Guards against zero.\nAnd more.'),
      made(4, 'documentation', 'Describes it in the README'),
    ]
    expect(summarize('development', visits)).toBe(
      'Adds div(a, b); then: Guards against zero; Describes it in the README',
    )
    expect(summarize('development', visits.slice(0, 1))).toBe('Adds div(a, b).')
  })

  it('leaves out what failed, what came later, and what was said before', () => {
    const visits = [
      made(1, 'implement', 'Adds a line'),
      made(2, 'revise', 'Adds a line'),
      made(3, 'revise', 'Breaks it', { state: { type: 'settled', outcome: 'failed' } }),
      made(4, 'revise', 'Adds another'),
    ]
    expect(summarize('reviewed', visits, visits[1])).toBe('Adds a line')
    expect(summarize('reviewed', visits)).toBe('Adds a line; then: Adds another')
  })

  it('names only the one of several tries that was chosen', () => {
    const visits = [1, 2, 3].map((branch) => made(1, 'try', `Try ${branch}`, { branch }))
    expect(summarize('best-of', visits, visits[1])).toBe('Try 2')
  })

  it('leaves out what was made before somebody started again', () => {
    const visits = [made(1, 'implement', 'The first way'), made(2, 'implement', 'The second way')]
    expect(summarize('reviewed', visits)).toBe('The second way')
  })

  it('is nothing if nobody said anything', () => {
    expect(summarize('reviewed', [made(1, 'implement', ' ')])).toBeUndefined()
  })
})
