import { expect, it } from 'vitest'
import { SAMPLE_TASK_ID, sampleEvent } from '../testing/sample-wire.ts'
import { firstProgress, nextProgress } from './progress.ts'

it('shows that setup runs, without the name of the program that says so', () => {
  const place = { taskId: SAMPLE_TASK_ID }
  const name = { label: 't1-1', description: 'Grow a tree' }
  const begun = sampleEvent('task_started', {
    ...place,
    data: { title: 'Grow a tree', agent: 'ada', attempt: 1 },
  })
  const said = sampleEvent('task_progress', {
    ...place,
    data: { source: 'agent', message: 'muster: running setup\n' },
  })
  const progress = nextProgress(nextProgress(firstProgress(0), begun, name), said, name)
  expect(progress.active.map(({ doing }) => doing)).toEqual(['running setup'])
})
