import { expect, it } from 'vitest'
import { openRunPlay } from '../../../test/support/played-run.ts'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { writtenPlaybook } from '../../../test/support/written-playbook.ts'
import { showRun } from '../queries/runs.ts'

it('suggests no diff of a task whose run wrote documents only', async () => {
  await using folder = await temporaryDirectory('ended-without-work')
  await using play = await openRunPlay()
  const playbook = {
    roles: { worker: { mode: 'read', prompt: './developer.md', agents: ['worker'] } },
    start: 'plan',
    stages: {
      plan: {
        ...{ role: 'worker', from: 'head', sees: ['goal'], output: 'document' },
        on: { done: 'end.partial', failed: 'end.failed' },
      },
    },
    result: { documents: ['plan'], partial: 'keep' },
  }
  const run = await play.start(await writtenPlaybook(folder.path, 'plan', playbook))
  const { read } = run.needs.store
  const [visit] = await read.visits.listOfRun(run.id)
  if (visit === undefined) throw new Error('the run has no visit')
  await run.end(visit, { outcome: 'done', answer: { title: 'Plan', text: 'first this' } })
  const ended = await read.runs.find(run.id)
  const task = ended && (await read.tasks.find(ended.taskId))
  const suggestion = task?.state.type === 'blocked' ? task.state.suggestion : ''
  expect(suggestion).toContain(`muster export ${run.id}`)
  expect(suggestion).not.toMatch(/muster (diff|recover)/)
  const view = await showRun(run.needs, run.id)
  const commands = view.ok ? view.value.next.map(({ command }) => command) : []
  expect(commands[0]).toBe(`muster export ${run.id}`)
  expect(commands).not.toContain(`muster recover ${run.id}`)
})
